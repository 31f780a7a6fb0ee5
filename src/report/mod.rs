//! Findings and runs, for people and for programs.

use crate::case::{Case, Job};
use crate::domain::Codec;
use crate::run::{Counts, Finding, Outcome};
use crate::subject::process::Program;
use std::collections::BTreeMap;
use std::time::Duration;

pub mod finding;
mod hex;
pub mod svg;

pub use crate::case::printable;
pub use hex::{diff, dump};

/// What a run saw, its types erased.
#[derive(Debug)]
pub struct Summary {
    /// Cases drawn.
    pub cases: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// Cells, per subject.
    pub tally: crate::matrix::Tally,
    /// Verdicts, per subject.
    pub verdicts: BTreeMap<String, Counts>,
    /// Findings, written out.
    pub findings: Vec<FindingText>,
}

/// A finding, written out.
#[derive(Clone, Debug)]
pub struct FindingText {
    /// Codec and direction: the fuzz target that would find it.
    pub target: String,
    /// Who differs.
    pub subject: String,
    /// Which rule was broken.
    pub oracle: &'static str,
    /// The case, as text.
    pub case: String,
    /// The case, as bytes.
    pub case_bytes: Vec<u8>,
    /// The whole report for a terminal.
    pub text: String,
    /// Which draw of its job found it.
    pub after: u64,
}

/// Erases the types of an outcome and writes its findings out, those of `programs` with what names them.
pub fn summarize<D: Codec>(outcome: Outcome<D>, programs: &[Program]) -> Summary {
    let by_flags = |hex: &str, subject: &str| {
        let program = programs.iter().find(|program| program.name == subject);
        program.map_or(by_bytetwin(hex), |program| format!("{} {}", by_bytetwin(hex), program.flags))
    };
    Summary {
        cases: outcome.cases,
        elapsed: outcome.elapsed,
        tally: outcome.tally,
        verdicts: outcome.verdicts,
        findings: outcome.findings.iter().map(|it| written_out(it, &|hex| by_flags(hex, &it.subject))).collect(),
    }
}

/// The command that shows a finding again, from the bytes of its case in hex.
pub type Replay<'a> = &'a dyn Fn(&str) -> String;

/// The command for subjects that a codec comes with.
pub fn by_bytetwin(hex: &str) -> String {
    format!("bytetwin replay --hex {hex}")
}

/// Writes a finding out.
pub fn written_out<D: Codec>(finding: &Finding<D>, replay: Replay<'_>) -> FindingText {
    FindingText {
        target: finding.case.target(),
        subject: finding.subject.clone(),
        oracle: finding.difference.oracle.name(),
        case: finding.case.to_text(),
        case_bytes: finding.case.to_bytes(),
        text: finding::text(finding, replay),
        after: finding.after,
    }
}

/// Every field of a case: its text, and what each byte of its encoding means.
pub fn explain<D: Codec>(case: &Case<D>) -> String {
    let mut text = case.to_text();
    let mut judge = crate::oracle::Judge::<D>::new(crate::oracle::Sweep::Borders);
    judge.prepare(case);
    text.push_str(&format!("expect: {}\n", judge.expectation(case)));
    if let Some(why) = judge.refusal(case) {
        text.push_str(&format!("# {why}\n"));
    }
    let bytes = match &case.job {
        Job::Encode { .. } => judge.expected_bytes().map(<[u8]>::to_vec),
        Job::Decode { bytes, .. } => Some(bytes.clone()),
    };
    if let Some(bytes) = bytes {
        text.push('\n');
        text.push_str(&dump(&bytes, &D::spans(&case.params, &bytes)));
    }
    text
}
