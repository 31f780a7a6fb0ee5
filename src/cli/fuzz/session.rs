//! One target for its time: started again after whatever ends it early.

use super::super::UsageError;
use super::{Fuzz, crash};
use crate::prove::{FINDINGS, KEPT};
use indicatif::ProgressBar;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Most crashes of a target after which it is started again.
const CRASHES: usize = 8;

/// Lines of a crash that are kept: the end of them is where libFuzzer says what it was.
const LINES: usize = 200;

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
}

impl Outcome {
    /// Executions per second.
    pub(super) fn rate(&self) -> u64 {
        (self.executions as f64 / self.elapsed.as_secs_f64().max(1e-9)) as u64
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
        })
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
    fn failed(&self, what: impl std::fmt::Display) -> UsageError {
        UsageError::new(format!("{}: {what}", self.target))
    }

    pub(super) fn run(&self, time: Duration) -> Result<Outcome, UsageError> {
        let folder = self.root.join("fuzz/findings");
        let started = Instant::now();
        let mut outcome = Outcome {
            target: self.target.to_string(),
            executions: 0,
            new_inputs: 0,
            elapsed: Duration::ZERO,
            findings: Vec::new(),
        };
        for _ in 0..=CRASHES {
            let left = time.saturating_sub(started.elapsed()).as_secs();
            if left == 0 {
                break;
            }
            let (heard, ended_well) = self.start(left, &folder, started)?;
            outcome.executions += heard.executions;
            outcome.new_inputs += heard.new_inputs;
            for file in heard.kept {
                // One that was there already was found again after a crash.
                if !outcome.findings.iter().any(|known| known.file == file) {
                    let text = std::fs::read_to_string(&file)
                        .map_err(|error| self.failed(format!("{}: {error}", file.display())))?;
                    outcome.findings.push(Finding { file, text });
                }
            }
            match &heard.crash {
                Some(file) => {
                    let finding = crash::keep(self, &folder, file, &heard.lines)?;
                    if !outcome.findings.iter().any(|known| known.file == finding.file) {
                        outcome.findings.push(finding);
                    }
                }
                None if ended_well => break,
                None => return Err(self.failed(format!("it ended early:\n{}", heard.lines.join("\n")))),
            }
        }
        outcome.elapsed = started.elapsed();
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        Ok(outcome)
    }

    /// Starts the target and listens until it ends.
    fn start(&self, seconds: u64, folder: &Path, started: Instant) -> Result<(Heard, bool), UsageError> {
        let mut command = self.fuzz.cargo_fuzz(self.root, "run");
        command.arg(self.target).arg("--");
        command.args([format!("-max_total_time={seconds}"), "-print_final_stats=1".to_string()]);
        command.env(FINDINGS, folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| self.failed(error))?;
        let mut heard = Heard::default();
        let said = child.stderr.take().ok_or_else(|| self.failed("its output cannot be read"))?;
        for line in BufReader::new(said).split(b'\n') {
            let line = line.map_err(|error| self.failed(error))?;
            heard.listen(&String::from_utf8_lossy(&line));
            if let Some(bar) = &self.bar {
                bar.set_position(started.elapsed().as_secs());
                bar.set_message(format!("{} executions", heard.executions));
            }
        }
        let status = child.wait().map_err(|error| self.failed(error))?;
        Ok((heard, status.success()))
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
        self.lines.push(line.to_string());
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
