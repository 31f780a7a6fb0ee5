//! A target without a fuzzer: a test, or a `main` that replays files.

use super::Subjects;
use crate::case::{Case, Direction};
use crate::registry::Codec;
use crate::report::written_out;
use crate::run::{Bench, Budget, Config, run_with};

/// Cases that a `#[test]` made by [`prove!`](crate::prove!) draws.
pub const TEST_CASES: u64 = 20_000;

/// A bounded run in a `#[test]`.
///
/// # Panics
/// With every finding written out, or when nothing was compared.
pub fn test<D: Codec>(direction: Direction, subjects: &dyn Fn() -> Subjects<D>) {
    let config = Config { budget: Budget::Cases(TEST_CASES), directions: vec![direction], ..Config::default() };
    let outcome = run_with(&config, &|| Bench::with_subjects(&config, subjects()), &|_| ());
    let findings: Vec<String> = outcome.findings.iter().map(|finding| written_out(finding).text).collect();
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
    for (subject, counts) in &outcome.verdicts {
        assert!(counts.compared() > 0, "{subject}: nothing was compared, every case is unsupported");
    }
}

/// The `main` of a target that is built without a fuzzer: judges the files that it is given, or runs for a while.
/// Returns the exit status: 0 when all agree, 1 when something differs, 2 when a file cannot be used.
pub fn main<D: Codec>(direction: Direction, subjects: &dyn Fn() -> Subjects<D>) -> u8 {
    let files: Vec<std::path::PathBuf> = std::env::args_os().skip(1).map(Into::into).collect();
    if files.is_empty() {
        let config = Config { budget: Budget::Cases(TEST_CASES), directions: vec![direction], ..Config::default() };
        let outcome = run_with(&config, &|| Bench::with_subjects(&config, subjects()), &|_| ());
        for finding in &outcome.findings {
            println!("{}", written_out(finding).text);
        }
        println!("{} cases, {} findings", outcome.cases, outcome.findings.len());
        return u8::from(!outcome.findings.is_empty());
    }
    let mut bench = Bench::with_subjects(&Config::default(), subjects());
    for file in files {
        let case = std::fs::read(&file).map_err(|error| error.to_string()).and_then(|bytes| {
            let from_text = || std::str::from_utf8(&bytes).ok().and_then(|text| Case::<D>::from_text(text).ok());
            Case::from_bytes(&bytes).or_else(from_text).ok_or_else(|| format!("not a case of {}", D::CODEC))
        });
        match case {
            Ok(case) => bench.take(&case),
            Err(problem) => {
                eprintln!("{}: {problem}", file.display());
                return 2;
            }
        }
    }
    let outcome = bench.finish();
    for finding in &outcome.findings {
        println!("{}", written_out(finding).text);
    }
    println!("{} cases replayed, {} findings", outcome.cases, outcome.findings.len());
    u8::from(!outcome.findings.is_empty())
}
