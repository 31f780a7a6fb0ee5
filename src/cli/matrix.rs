//! `bytetwin matrix`: which cells were visited, by the corpus, a run, or a fuzzer's corpus.

use super::judged::{self, Judged};
use super::{Exit, UsageError, codecs, subjects_exist};
use crate::matrix::{Holes, Plane, Tally};
use crate::registry::AnyCodec;
use crate::report::svg;
use crate::run::{Budget, Config};
use clap::Args;
use std::path::PathBuf;

/// Shows which cells of each codec were visited
#[derive(Args)]
pub struct Matrix {
    /// Codecs; all of them when none is named
    codecs: Vec<String>,
    /// Cases to count: files and folders of a corpus, readable or a fuzzer's
    #[arg(long)]
    corpus: Vec<PathBuf>,
    /// Cases to draw besides
    #[arg(long, default_value_t = 0)]
    cases: u64,
    /// Where the draws start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Whose visits are shown
    #[arg(long, default_value = "naive")]
    subject: String,
    /// A folder to which a heat map of each codec is written, as SVG
    #[arg(long)]
    svg: Option<PathBuf>,
    /// One JSON object on standard output instead of text
    #[arg(long)]
    json: bool,
}

impl Matrix {
    pub(super) fn run(self) -> Result<Exit, UsageError> {
        let config = Config { seed: self.seed, budget: Budget::Cases(self.cases), ..Config::default() };
        let codecs = codecs(&self.codecs)?;
        subjects_exist(std::slice::from_ref(&self.subject), &codecs, &[])?;
        if !self.json {
            println!("{LEGEND}");
        }
        judged::each(codecs, self.json, |codec, objects| {
            let judged = Judged::new(codec, &self.corpus, &config, self.json)?;
            let tally = &judged.summary.tally;
            let mut exit = judged.exit;
            // Nothing was judged when there were no cases at all.
            if !judged.holes.is_empty() || tally.subjects.is_empty() {
                exit = exit.max(Exit::Vacuous);
            }
            if let Some(folder) = &self.svg {
                let map = svg::heat_map(codec.name(), codec.planes(), tally, &self.subject);
                let path = folder.join(format!("{}.svg", codec.name()));
                std::fs::create_dir_all(folder)
                    .and_then(|()| std::fs::write(&path, map))
                    .map_err(|error| UsageError::new(format!("{}: {error}", path.display())))?;
            }
            if self.json {
                objects.push(judged.json(codec));
            } else {
                judged.print_findings();
                print(codec, tally, &self.subject);
                print_holes(&judged.holes);
            }
            Ok(exit)
        })
    }
}

fn print(codec: &dyn AnyCodec, tally: &Tally, subject: &str) {
    for (number, plane) in codec.planes().iter().enumerate() {
        println!("{} / {}: {} cells", codec.name(), plane.name, plane.size());
        let none = vec![0; plane.size()];
        let counts = tally.subjects.get(subject).map_or(&none, |visits| &visits.compared[number]);
        print_plane(plane, counts);
    }
}

/// One row per step of all axes but the last, one character per step of the last: how often, in powers of ten.
fn print_plane(plane: &Plane, counts: &[u64]) {
    let Some(last) = plane.axes.last() else { return };
    for (row, cells) in counts.chunks(last.steps.len()).enumerate() {
        let steps = plane.steps(row * last.steps.len());
        let names: Vec<_> =
            plane.axes.iter().zip(&steps).rev().skip(1).rev().map(|(axis, step)| axis.steps[*step].as_str()).collect();
        let shades: String = cells
            .iter()
            .enumerate()
            .map(|(column, count)| shade(*count, plane.required[row * last.steps.len() + column]))
            .collect();
        println!("  {:<40} {shades}", names.join(" "));
    }
}

/// What [`shade`] gives.
const LEGEND: &str = "each character is a cell: ! not visited though required, . not visited, \
                      else visits in powers of ten: 0 for 1 to 9, 1 for 10 to 99, 2 for 100 to 999, ..";

/// `!` for a required cell that was missed, `.` for another that was, else a digit: log10 of the visits.
fn shade(count: u64, required: bool) -> char {
    match (count, required) {
        (0, true) => '!',
        (0, false) => '.',
        _ => char::from_digit(count.ilog10().min(9), 10).unwrap_or('9'),
    }
}

/// Planes that are named, and cells of each; `--json` has all.
const SHOWN: (usize, usize) = (12, 5);

/// Prints the planes that have holes, the first of them.
pub(super) fn print_holes(holes: &[Holes]) {
    let (planes, cells) = SHOWN;
    for hole in holes.iter().take(planes) {
        let Holes { subject, plane, missed, of, .. } = hole;
        let named = hole.cells.iter().take(cells).map(String::as_str).collect::<Vec<_>>().join("; ");
        let more = match missed.saturating_sub(cells) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        println!("VACUOUS {subject} / {plane}: {missed} of {of} required cells were not visited: {named}{more}");
    }
    if holes.len() > planes {
        println!("VACUOUS and {} planes of subjects more; --json names every cell", holes.len() - planes);
    }
}
