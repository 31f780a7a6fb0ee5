//! The matrix as a heat map in SVG: one square per cell, darker the more often it was visited, red where it was missed.

use crate::matrix::{Plane, Tally};
use std::fmt::Write;

const SIDE: usize = 9;
const LABEL: usize = 330;

/// Draws the planes of a codec for one subject.
pub fn heat_map(codec: &str, planes: &[Plane], tally: &Tally, subject: &str) -> String {
    let rows: usize = planes.iter().map(|plane| 3 + plane.size() / last(plane)).sum();
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
                    _ => format!("hsl(210,60%,{}%)", 80 - 8 * count.ilog10().min(8)),
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

/// Steps of the axis that varies fastest.
fn last(plane: &Plane) -> usize {
    plane.axes.last().map_or(1, |axis| axis.steps.len().max(1))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
