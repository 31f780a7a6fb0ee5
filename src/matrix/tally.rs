//! How often each cell was visited, per subject, and what was compared there.

use super::Plane;
use std::collections::BTreeMap;

/// Visits of one subject.
#[derive(Clone, Debug, Default)]
pub struct Visits {
    /// Per plane and cell: cases that were compared.
    pub compared: Vec<Vec<u64>>,
    /// Per plane and cell: cases that the subject does not support.
    pub unsupported: Vec<Vec<u64>>,
}

impl Visits {
    fn of(planes: &[Plane]) -> Self {
        let zeros: Vec<Vec<u64>> = planes.iter().map(|plane| vec![0; plane.size()]).collect();
        Self { compared: zeros.clone(), unsupported: zeros }
    }
}

/// Visits of every subject.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By the name of the subject.
    pub subjects: BTreeMap<String, Visits>,
}

/// A required cell that no compared case fell into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holes {
    /// The subject that missed it.
    pub subject: String,
    /// The plane.
    pub plane: &'static str,
    /// How many required cells of the plane were missed, and of how many.
    pub missed: usize,
    /// Required cells of the plane that the subject supports.
    pub of: usize,
    /// The names of those that were missed.
    pub cells: Vec<String>,
}

impl Tally {
    /// Counts cells that a case fell into, for one subject.
    pub fn count(&mut self, planes: &[Plane], subject: &str, compared: bool, cells: &[(usize, usize)]) {
        if !self.subjects.contains_key(subject) {
            self.subjects.insert(subject.to_string(), Visits::of(planes));
        }
        let visits = self.subjects.get_mut(subject).expect("inserted above");
        let counts = if compared { &mut visits.compared } else { &mut visits.unsupported };
        for &(plane, cell) in cells {
            counts[plane][cell] += 1;
        }
    }

    /// Adds another tally of the same codec.
    pub fn add(&mut self, other: &Self) {
        for (name, visits) in &other.subjects {
            let Some(mine) = self.subjects.get_mut(name) else {
                self.subjects.insert(name.clone(), visits.clone());
                continue;
            };
            let sum = |mine: &mut Vec<Vec<u64>>, theirs: &Vec<Vec<u64>>| {
                for (mine, theirs) in mine.iter_mut().flatten().zip(theirs.iter().flatten()) {
                    *mine += theirs;
                }
            };
            sum(&mut mine.compared, &visits.compared);
            sum(&mut mine.unsupported, &visits.unsupported);
        }
    }

    /// The required cells that were not visited. A cell that a subject only ever called unsupported is not required of
    /// it, unless `builtin` says that the subject is one of ours, which support everything.
    pub fn holes(&self, planes: &[Plane], builtin: impl Fn(&str) -> bool) -> Vec<Holes> {
        let mut all = Vec::new();
        for (subject, visits) in &self.subjects {
            for (number, plane) in planes.iter().enumerate() {
                let mut holes =
                    Holes { subject: subject.clone(), plane: plane.name, missed: 0, of: 0, cells: Vec::new() };
                for cell in 0..plane.size() {
                    let excused = visits.unsupported[number][cell] > 0 && !builtin(subject);
                    if !plane.required[cell] || (excused && visits.compared[number][cell] == 0) {
                        continue;
                    }
                    holes.of += 1;
                    if visits.compared[number][cell] == 0 {
                        holes.missed += 1;
                        holes.cells.push(plane.label(cell));
                    }
                }
                if holes.missed > 0 {
                    all.push(holes);
                }
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::Axis;
    use super::*;

    /// Cells `0` to `8`, all but `7` and `8` required.
    fn planes() -> [Plane; 1] {
        [Plane::new("count", vec![Axis::new("n", 0..9)], |steps| steps[0] < 7)]
    }

    fn holes(missed: usize, of: usize, cells: &[usize]) -> Vec<Holes> {
        let cells = cells.iter().map(|cell| format!("n {cell}")).collect();
        if missed == 0 { vec![] } else { vec![Holes { subject: "it".into(), plane: "count", missed, of, cells }] }
    }

    #[test]
    fn a_hole_is_a_required_cell_that_was_not_compared_unless_a_foreign_subject_only_said_unsupported() {
        let (compared, unsupported) = (true, false);
        let six = |cells: [usize; 6]| cells.map(|cell| (compared, cell));
        type Visited<'a> = &'a [(bool, usize)];
        let table: [(Visited<'_>, bool, Vec<Holes>); 7] = [
            (&[(compared, 0)], true, holes(6, 7, &[1, 2, 3, 4, 5, 6])),
            (&six([0, 1, 2, 3, 4, 5]), true, holes(1, 7, &[6])),
            (&[&six([0, 1, 2, 3, 4, 5])[..], &[(compared, 6)]].concat(), true, holes(0, 7, &[])),
            (&[&six([0, 1, 2, 3, 4, 5])[..], &[(unsupported, 6)]].concat(), false, holes(0, 6, &[])),
            (&[&six([0, 1, 2, 3, 4, 5])[..], &[(unsupported, 6)]].concat(), true, holes(1, 7, &[6])),
            (&[(compared, 0), (unsupported, 0), (unsupported, 1)], false, holes(5, 6, &[2, 3, 4, 5, 6])),
            (&[(compared, 7), (compared, 8)], false, holes(7, 7, &[0, 1, 2, 3, 4, 5, 6])),
        ];
        for (visited, builtin, expected) in table {
            let mut tally = Tally::default();
            for (compared, cell) in visited {
                tally.count(&planes(), "it", *compared, &[(0, *cell)]);
            }
            assert_eq!(tally.holes(&planes(), |_| builtin), expected, "{visited:?}");
        }
    }

    #[test]
    fn tallies_are_summed_cell_by_cell_and_a_subject_that_one_of_them_lacks_is_taken_over() {
        let (mut sum, mut other) = (Tally::default(), Tally::default());
        for (compared, cells) in [(true, [(0, 1), (0, 1)]), (false, [(0, 2), (0, 2)])] {
            sum.count(&planes(), "ours", compared, &cells);
        }
        for (subject, compared, cells) in [
            ("ours", true, &[(0, 1), (0, 1), (0, 1), (0, 3)][..]),
            ("ours", false, &[(0, 2), (0, 2), (0, 2)]),
            ("theirs", true, &[(0, 4)]),
        ] {
            other.count(&planes(), subject, compared, cells);
        }
        sum.add(&other);
        assert_eq!(sum.subjects["ours"].compared, [[0, 5, 0, 1, 0, 0, 0, 0, 0]]);
        assert_eq!(sum.subjects["ours"].unsupported, [[0, 0, 5, 0, 0, 0, 0, 0, 0]]);
        assert_eq!(sum.subjects["theirs"].compared, [[0, 0, 0, 0, 1, 0, 0, 0, 0]]);
    }
}
