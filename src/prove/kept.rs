//! Findings as files, so that a fuzzer goes on past the first one.

use crate::domain::Codec;
use crate::oracle::{Judge, Oracle, Sweep};
use crate::report::{Replay, written_out};
use crate::run::Finding;
use std::fmt::Write;
use std::path::PathBuf;

/// The environment variable that names a folder: a target then writes each kind of finding (subject and oracle) there
/// once, as a case file `<target>--<subject>--<oracle>.case`, and goes on. Without it the first finding ends the run.
pub const FINDINGS: &str = "BYTETWIN_FINDINGS";

/// How the line begins that names a case file when it is written.
pub const KEPT: &str = "finding kept as ";

/// The folder, and the kinds that are in it.
pub(super) struct Kept {
    folder: PathBuf,
    kinds: Vec<(usize, Oracle)>,
}

impl Kept {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, kinds: Vec::new() }
    }

    pub(super) fn from_environment() -> Option<Self> {
        std::env::var_os(FINDINGS).map(|folder| Self::new(folder.into()))
    }

    pub(super) fn has(&self, kind: (usize, Oracle)) -> bool {
        self.kinds.contains(&kind)
    }

    /// Writes the case file: the report as comments, the case, and what naive answers.
    ///
    /// # Panics
    /// When the file cannot be written: a finding must not get lost.
    pub(super) fn write<D: Codec>(&mut self, kind: (usize, Oracle), finding: &Finding<D>, replay: Replay<'_>) {
        self.kinds.push(kind);
        let written = written_out(finding, replay);
        let mut file = String::new();
        for line in written.text.lines() {
            let _ = writeln!(file, "{}", format!("# {line}").trim_end());
        }
        let mut judge = Judge::<D>::new(Sweep::Borders);
        judge.prepare(&finding.case);
        let _ = writeln!(file, "{}expect: {}", written.case, judge.expectation(&finding.case));
        let name = format!("{}--{}--{}.case", written.target, written.subject, written.oracle);
        let path = self.folder.join(name.replace([' ', '/', '\\'], "-"));
        let done = std::fs::create_dir_all(&self.folder).and_then(|()| std::fs::write(&path, file));
        if let Err(problem) = done {
            panic!("{}: {problem}\n{}", path.display(), written.text);
        }
        eprintln!("{KEPT}{}", path.display());
    }
}
