//! The boxes of the domain that must be visited, and the tally of those that were.
//!
//! A [`Plane`] is a named product of a few axes; a codec declares several, since the product of all axes has more cells
//! than any run can visit. A case falls into one or more cells of each plane.

use crate::case::{Case, Domain};

pub mod tally;

pub use tally::{Holes, Tally};

/// One axis of a plane: its name, and the names of its steps.
#[derive(Debug)]
pub struct Axis {
    /// What varies along it.
    pub name: &'static str,
    /// The steps, in order.
    pub steps: Vec<String>,
}

impl Axis {
    /// An axis.
    pub fn new<T: ToString>(name: &'static str, steps: impl IntoIterator<Item = T>) -> Self {
        Self { name, steps: steps.into_iter().map(|step| step.to_string()).collect() }
    }
}

/// A named product of axes.
#[derive(Debug)]
pub struct Plane {
    /// Its name.
    pub name: &'static str,
    /// Its axes; the last one varies fastest.
    pub axes: Vec<Axis>,
    /// Whether each cell can exist and therefore must be visited, in the order of the cells.
    pub required: Vec<bool>,
}

impl Plane {
    /// A plane; `required` says of a cell, by its steps on each axis, whether it must be visited.
    pub fn new(name: &'static str, axes: Vec<Axis>, required: impl Fn(&[usize]) -> bool) -> Self {
        let mut plane = Self { name, axes, required: Vec::new() };
        plane.required = (0..plane.size()).map(|cell| required(&plane.steps(cell))).collect();
        plane
    }

    /// How many cells it has.
    pub fn size(&self) -> usize {
        self.axes.iter().map(|axis| axis.steps.len()).product()
    }

    /// The cell at these steps.
    pub fn cell(&self, steps: &[usize]) -> usize {
        self.axes.iter().zip(steps).fold(0, |cell, (axis, step)| cell * axis.steps.len() + step)
    }

    /// The steps of a cell on each axis.
    pub fn steps(&self, mut cell: usize) -> Vec<usize> {
        let mut steps: Vec<usize> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let step = cell % axis.steps.len();
                cell /= axis.steps.len();
                step
            })
            .collect();
        steps.reverse();
        steps
    }

    /// The name of a cell: `precision 5, sign -, magnitude 10^k`.
    pub fn label(&self, cell: usize) -> String {
        let parts: Vec<_> = self
            .axes
            .iter()
            .zip(self.steps(cell))
            .map(|(axis, step)| format!("{} {}", axis.name, axis.steps[step]))
            .collect();
        parts.join(", ")
    }
}

/// Which cells a codec has, and which of them a case falls into.
pub trait Cells: Domain {
    /// The planes; built once.
    fn planes() -> &'static [Plane];
    /// Calls `visit` with a plane's number and a cell's number for every cell that `case` falls into.
    fn cells(case: &Case<Self>, visit: &mut dyn FnMut(usize, usize));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_and_its_steps_name_each_other_and_the_last_axis_varies_fastest() {
        let axes = vec![Axis::new("sign", ["-", "+"]), Axis::new("size", [1, 2, 3]), Axis::new("form", ["a", "b"])];
        let plane = Plane::new("values", axes, |steps| steps[1] == 2);
        assert_eq!(plane.size(), 12);
        assert_eq!(plane.cell(&[1, 2, 1]), 11);
        for cell in 0..plane.size() {
            let steps = plane.steps(cell);
            assert_eq!(steps, [cell / 6, cell / 2 % 3, cell % 2]);
            assert_eq!(plane.cell(&steps), cell);
            assert_eq!(plane.required[cell], steps[1] == 2);
        }
        assert_eq!(plane.label(7), "sign +, size 1, form b");
    }
}
