//! One target for its time: started again after whatever ends it early.

use super::super::{Exit, complain, interrupt};
use super::{Fuzz, crash};
use crate::prove::{FINDINGS, KEPT};
use crate::report::printable;
use crate::subject::group::Group;
use indicatif::ProgressBar;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Most crashes of a target after which it is started again.
const CRASHES: usize = 8;

/// Lines of a crash that are kept: the end of them is where libFuzzer says what it was.
const LINES: usize = 200;

/// How often the progress bar moves when the target says nothing.
const TICK: Duration = Duration::from_millis(500);

/// A target and its time.
pub(super) struct Session<'a> {
    pub(super) fuzz: &'a Fuzz,
    pub(super) root: &'a Path,
    pub(super) target: &'a str,
    pub(super) bar: Option<ProgressBar>,
}

/// A case file of a finding.
pub(super) struct Finding {
    /// Where it is.
    pub(super) file: PathBuf,
    /// What it says.
    pub(super) text: String,
}

/// What came of a target.
pub(super) struct Outcome {
    pub(super) target: String,
    pub(super) executions: u64,
    pub(super) new_inputs: u64,
    pub(super) elapsed: Duration,
    pub(super) findings: Vec<Finding>,
    /// What ended it before its time, or kept it from being started.
    pub(super) problem: Option<String>,
}

impl Outcome {
    /// Of a target that was not started yet.
    pub(super) fn new(target: &str) -> Self {
        Self {
            target: target.to_string(),
            executions: 0,
            new_inputs: 0,
            elapsed: Duration::ZERO,
            findings: Vec::new(),
            problem: None,
        }
    }

    /// What it alone would end the command with.
    pub(super) fn exit(&self) -> Exit {
        if self.problem.is_some() {
            Exit::Usage
        } else if !self.findings.is_empty() {
            Exit::Differ
        } else if self.executions == 0 {
            Exit::Vacuous
        } else {
            Exit::Agree
        }
    }

    /// Executions per second.
    fn rate(&self) -> u64 {
        (self.executions as f64 / self.elapsed.as_secs_f64().max(1e-9)) as u64
    }

    /// The line of the table.
    pub(super) fn row(&self) -> String {
        let Self { target, executions, new_inputs, findings, .. } = self;
        let target = printable(target, false);
        format!("{target:<32} {executions:>12} {:>9} {new_inputs:>10} {:>8}", self.rate(), findings.len())
    }

    pub(super) fn json(&self) -> serde_json::Value {
        let finding =
            |finding: &Finding| serde_json::json!({ "file": finding.file.display().to_string(), "text": finding.text });
        serde_json::json!({
            "target": self.target,
            "executions": self.executions,
            "per_second": self.rate(),
            "new_inputs": self.new_inputs,
            "seconds": self.elapsed.as_secs_f64(),
            "findings": self.findings.iter().map(finding).collect::<Vec<_>>(),
            "problem": self.problem,
        })
    }

    fn add(&mut self, finding: Finding) {
        // One that was there already was found again after a crash.
        if !self.findings.iter().any(|known| known.file == finding.file) {
            self.findings.push(finding);
        }
    }
}

/// What one start of the target said.
#[derive(Default)]
struct Heard {
    executions: u64,
    new_inputs: u64,
    crash: Option<PathBuf>,
    kept: Vec<PathBuf>,
    lines: Vec<String>,
}

impl Session<'_> {
    /// Runs the target for its time, and says in `outcome` what came of it.
    pub(super) fn run(&self, time: Duration, outcome: &mut Outcome) {
        let started = Instant::now();
        outcome.problem = self.run_on(time, started, outcome).err();
        outcome.elapsed = started.elapsed();
        match &self.bar {
            Some(bar) => bar.finish_and_clear(),
            // No bar, no terminal: a line for the log.
            None => complain(&format!("{} ({:.0} s)", outcome.row(), outcome.elapsed.as_secs_f64())),
        }
    }

    fn run_on(&self, time: Duration, started: Instant, outcome: &mut Outcome) -> Result<(), String> {
        let folder = self.root.join("fuzz/findings");
        for _ in 0..=CRASHES {
            // The fuzzer counts whole seconds.
            let left = time.saturating_sub(started.elapsed()).as_secs_f64().ceil() as u64;
            if left == 0 || interrupt::interrupted() {
                break;
            }
            let (heard, ended_well) = match self.start(left, &folder, started) {
                Ok(ended) => ended,
                // Nothing is started any more.
                Err(_) if interrupt::interrupted() => break,
                Err(error) => return Err(error.to_string()),
            };
            outcome.executions += heard.executions;
            outcome.new_inputs += heard.new_inputs;
            for file in heard.kept {
                let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
                outcome.add(Finding { file, text });
            }
            match &heard.crash {
                Some(file) => outcome.add(crash::keep(self, &folder, file, &heard.lines)?),
                None if ended_well || interrupt::interrupted() => break,
                None => return Err(format!("it ended early:\n{}", heard.lines.join("\n"))),
            }
        }
        Ok(())
    }

    /// Starts the target and listens until it ends.
    fn start(&self, seconds: u64, folder: &Path, started: Instant) -> io::Result<(Heard, bool)> {
        let mut command = self.fuzz.cargo_fuzz(self.root, "run");
        command.arg(self.target).arg("--");
        command.args([format!("-max_total_time={seconds}"), "-print_final_stats=1".to_string()]);
        command.env(FINDINGS, folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut group = Group::start(&mut command)?;
        let said = group.pipes().2.ok_or_else(|| io::Error::other("its output cannot be read"))?;
        let (to, lines) = mpsc::channel();
        std::thread::spawn(move || BufReader::new(said).split(b'\n').try_for_each(|line| to.send(line).map_err(drop)));
        let mut heard = Heard::default();
        loop {
            match lines.recv_timeout(TICK) {
                Ok(line) => heard.listen(&String::from_utf8_lossy(&line?)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if let Some(bar) = &self.bar {
                bar.set_position(started.elapsed().as_secs());
                bar.set_message(format!("{} executions", heard.executions));
            }
        }
        Ok((heard, group.wait()?.success()))
    }
}

impl Heard {
    /// Takes in one line of libFuzzer's.
    fn listen(&mut self, line: &str) {
        let number = |text: &str| text.trim().parse().ok();
        if let Some(executions) = line.strip_prefix("stat::number_of_executed_units:").and_then(number) {
            self.executions = executions;
        } else if let Some(added) = line.strip_prefix("stat::new_units_added:").and_then(number) {
            self.new_inputs = added;
        } else if let Some(path) = line.strip_prefix(KEPT) {
            self.kept.push(path.trim().into());
        } else if let Some((_, path)) = line.split_once("Test unit written to ") {
            self.crash = Some(path.trim().into());
        } else if let Some(executions) =
            line.strip_prefix('#').and_then(|rest| rest.split_whitespace().next()).and_then(number)
        {
            self.executions = executions;
        }
        if self.lines.len() == LINES {
            self.lines.remove(0);
        }
        self.lines.push(printable(line, false).into_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_libfuzzer_says_is_understood() {
        let mut heard = Heard::default();
        for line in [
            "INFO: Seed: 874684539",
            "#2048\tpulse  cov: 12 ft: 13 corp: 4/50b lim: 4096 exec/s: 1024 rss: 40Mb",
            "artifact_prefix='fuzz/artifacts/x/'; Test unit written to fuzz/artifacts/x/crash-4f6c",
        ] {
            heard.listen(line);
        }
        assert_eq!((heard.executions, heard.new_inputs), (2048, 0));
        assert_eq!(heard.crash.as_deref(), Some(Path::new("fuzz/artifacts/x/crash-4f6c")));
        heard.listen(&format!("{KEPT}fuzz/findings/x--fast-avx2--identity.case"));
        assert_eq!(heard.kept, [Path::new("fuzz/findings/x--fast-avx2--identity.case")]);
        heard.listen("stat::number_of_executed_units: 4096");
        heard.listen("stat::new_units_added:          7");
        assert_eq!((heard.executions, heard.new_inputs, heard.lines.len()), (4096, 7, 6));
    }
}
