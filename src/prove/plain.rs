//! A target without a fuzzer: a test, or a `main` that replays files.

use super::Subjects;
use crate::case::{Case, Direction};
use crate::registry::Codec;
use crate::report::{printable, written_out};
use crate::run::{Bench, Budget, Config, Outcome, run_with};
use std::path::{Path, PathBuf};

/// Cases that a `#[test]` made by [`prove!`](crate::prove!) draws.
pub const TEST_CASES: u64 = 20_000;

fn bounded_run<D: Codec>(direction: Direction, subjects: &dyn Fn() -> Subjects<D>) -> Outcome<D> {
    let config = Config { budget: Budget::Cases(TEST_CASES), directions: vec![direction], ..Config::default() };
    run_with(&config, &|| Bench::with_subjects(&config, subjects()), &|_| ())
}

fn findings<D: Codec>(outcome: &Outcome<D>) -> Vec<String> {
    outcome.findings.iter().map(|finding| written_out(finding).text).collect()
}

/// Why an outcome without findings shows nothing, when it does not.
fn vacuous<D: Codec>(outcome: &Outcome<D>) -> Option<String> {
    if outcome.verdicts.is_empty() {
        return Some("nothing was compared, there is no subject".to_string());
    }
    let silent = outcome.verdicts.iter().find(|(_, counts)| counts.compared() == 0);
    silent.map(|(subject, _)| format!("{subject}: nothing was compared, every case is unsupported"))
}

/// A bounded run in a `#[test]`.
///
/// # Panics
/// With every finding written out, or when nothing was compared.
pub fn test<D: Codec>(direction: Direction, subjects: &dyn Fn() -> Subjects<D>) {
    let outcome = bounded_run(direction, subjects);
    let findings = findings(&outcome);
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
    if let Some(why) = vacuous(&outcome) {
        panic!("{why}");
    }
}

/// The `main` of a target that is built without a fuzzer: judges the files that it is given, or runs for a while.
/// Returns the exit status: 0 when all agree, 1 when something differs, 2 when a file cannot be used, 3 when nothing
/// was compared with a subject.
pub fn main<D: Codec>(direction: Direction, subjects: &dyn Fn() -> Subjects<D>) -> u8 {
    let files: Vec<PathBuf> = std::env::args_os().skip(1).map(Into::into).collect();
    judge(direction, subjects, &files)
}

pub(super) fn judge<D: Codec>(direction: Direction, subjects: &dyn Fn() -> Subjects<D>, files: &[PathBuf]) -> u8 {
    let judged = match files {
        [] => Ok(vec![bounded_run(direction, subjects)]),
        files => replay(subjects, files),
    };
    match judged {
        Ok(outcomes) => say(&outcomes),
        Err(problem) => {
            eprintln!("{}", printable(&problem, true));
            2
        }
    }
}

/// Judges files, each by a bench of its own: one bench keeps no second finding of a kind.
pub(super) fn replay<D: Codec>(
    subjects: &dyn Fn() -> Subjects<D>,
    files: &[PathBuf],
) -> Result<Vec<Outcome<D>>, String> {
    let judged = files.iter().map(|file| {
        let case = read(file).map_err(|problem| format!("{}: {problem}", file.display()))?;
        let mut bench = Bench::with_subjects(&Config::default(), subjects());
        bench.take(&case);
        Ok(bench.finish())
    });
    judged.collect()
}

fn read<D: Codec>(file: &Path) -> Result<Case<D>, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    if let Some(case) = Case::from_bytes(&bytes) {
        return Ok(case);
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| format!("not a case of {}", D::CODEC))?;
    Case::from_text(text).map_err(|error| format!("not a case of {}: {error}", D::CODEC))
}

/// Prints what was seen and returns the exit status.
fn say<D: Codec>(outcomes: &[Outcome<D>]) -> u8 {
    let findings: Vec<String> = outcomes.iter().flat_map(findings).collect();
    findings.iter().for_each(|finding| println!("{finding}"));
    let cases: u64 = outcomes.iter().map(|outcome| outcome.cases).sum();
    println!("{cases} cases, {} findings", findings.len());
    let vacuous = outcomes.iter().find_map(vacuous);
    if let Some(why) = &vacuous {
        println!("VACUOUS {why}");
    }
    match (findings.is_empty(), vacuous) {
        (false, _) => 1,
        (true, Some(_)) => 3,
        (true, None) => 0,
    }
}
