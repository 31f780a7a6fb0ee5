//! The matrix as a heat map in SVG: one square per cell, darker the more often it was visited, red where it was missed.

use crate::matrix::{Plane, Tally};
use std::fmt::Write;

const SIDE: usize = 9;
const LABEL: usize = 330;

/// Draws the planes of a codec for one subject.
pub fn heat_map(codec: &str, planes: &[Plane], tally: &Tally, subject: &str) -> String {
    let rows: usize = planes.iter().map(|plane| 4 + plane.size() / last(plane)).sum();
    let widest = planes.iter().map(last).max().unwrap_or(1);
    let (width, height) = (LABEL + widest * SIDE + 20, rows * SIDE + 40);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" font-size=\"8\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    let mut y = 20;
    for (number, plane) in planes.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<text x=\"4\" y=\"{y}\" font-weight=\"bold\">{} / {} ({subject})</text>",
            escape(codec),
            escape(plane.name)
        );
        y += SIDE;
        if let Some(columns) = plane.axes.last() {
            let steps = format!("{}: {}", columns.name, columns.steps.join(" | "));
            let _ = writeln!(svg, "<text x=\"4\" y=\"{}\" fill=\"#666\">{}</text>", y + SIDE - 2, escape(&steps));
        }
        y += SIDE;
        let counts = tally.subjects.get(subject).map(|visits| &visits.compared[number]);
        for row in 0..plane.size() / last(plane) {
            let steps = plane.steps(row * last(plane));
            let names: Vec<_> = plane
                .axes
                .iter()
                .zip(&steps)
                .rev()
                .skip(1)
                .rev()
                .map(|(axis, step)| axis.steps[*step].as_str())
                .collect();
            let _ = writeln!(svg, "<text x=\"4\" y=\"{}\">{}</text>", y + SIDE - 2, escape(&names.join(" ")));
            for column in 0..last(plane) {
                let cell = row * last(plane) + column;
                let count = counts.map_or(0, |counts| counts[cell]);
                let fill = match (count, plane.required[cell]) {
                    (0, true) => "#d7191c".to_string(),
                    (0, false) => "#eee".to_string(),
                    _ => shade(count),
                };
                let _ = writeln!(
                    svg,
                    "<rect x=\"{}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{fill}\"><title>{}: {count}</title></rect>",
                    LABEL + column * SIDE,
                    SIDE - 1,
                    SIDE - 1,
                    escape(&plane.label(cell)),
                );
            }
            y += SIDE;
        }
        y += 2 * SIDE;
    }
    svg.push_str("</svg>\n");
    svg
}

/// From light to dark blue, by powers of ten; in the form of colours that every renderer knows.
fn shade(count: u64) -> String {
    let dark = count.ilog10().min(8) as usize;
    format!("#{:02x}{:02x}{:02x}", 184 - 20 * dark, 208 - 20 * dark, 232 - 14 * dark)
}

/// Steps of the axis that varies fastest.
fn last(plane: &Plane) -> usize {
    plane.axes.last().map_or(1, |axis| axis.steps.len().max(1))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Axis;

    #[test]
    fn a_missed_cell_is_red_one_that_cannot_be_is_grey_and_visits_are_shaded_by_powers_of_ten() {
        let axes = vec![Axis::new("sign", ["+"]), Axis::new("size", ["none", "<1", "1", "2"])];
        let planes = [Plane::new("values", axes, |steps| steps[1] > 0)];
        let mut tally = Tally::default();
        tally.count(&planes, "naive", true, &[(0, 2), (0, 3)]);
        (0..9).for_each(|_| tally.count(&planes, "naive", true, &[(0, 3)]));
        let map = heat_map("toy", &planes, &tally, "naive");
        for part in [
            "toy / values (naive)",
            "size: none | &lt;1 | 1 | 2",
            "fill=\"#eee\"><title>sign +, size none: 0<",
            "fill=\"#d7191c\"><title>sign +, size &lt;1: 0<",
            "fill=\"#b8d0e8\"><title>sign +, size 1: 1<",
            "fill=\"#a4bcda\"><title>sign +, size 2: 10<",
        ] {
            assert!(map.contains(part), "{part} in\n{map}");
        }
    }
}
