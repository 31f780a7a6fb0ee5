//! Planted bugs under the fuzzer: the target `museum`, started from nothing, once for each seed.

use super::super::{UsageError, fuzz};
use crate::prove::{EXHIBIT, INPUT_DIFFERS};
use crate::subject::group::Group;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The target, built, and how long it may look.
pub(super) struct Fuzzer {
    program: PathBuf,
    seconds: u64,
}

/// A bug that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    /// How long it took, from the first word of the fuzzer; shrinking is not counted.
    pub(super) time: Duration,
    /// Which input it was, from 1.
    pub(super) inputs: u64,
}

impl Fuzzer {
    /// Builds the target without a sanitizer. Starting it once tells where cargo put it.
    pub(super) fn new(seconds: u64) -> Result<Self, UsageError> {
        let failed = |what: String| UsageError::new(format!("cargo fuzz run museum: {what}"));
        let mut command = fuzz::cargo_fuzz(&fuzz::root()?, "run", false);
        let output = Group::output(command.args(["museum", "--", "-runs=0"]));
        let output = output.map_err(|error| failed(error.to_string()))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            return Err(failed(said.into_owned()));
        }
        let program = said.lines().find_map(program).ok_or_else(|| failed(format!("what did it run?\n{said}")))?;
        Ok(Self { program, seconds })
    }

    /// Looks for the bug `exhibit`, `codec/bug`, until it is found or the time is over.
    pub(super) fn hunt(&self, exhibit: &str, seed: u64) -> Result<Option<Found>, UsageError> {
        let failed = |what: String| UsageError::new(format!("{}: {exhibit}: {what}", self.program.display()));
        let artifacts = std::env::temp_dir().join(format!("bytetwin-museum-{}-", std::process::id()));
        let mut command = Command::new(&self.program);
        command
            .args([format!("-seed={seed}"), format!("-max_total_time={}", self.seconds)])
            .arg(format!("-artifact_prefix={}", artifacts.display()))
            .env(EXHIBIT, exhibit)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut group = Group::start(&mut command).map_err(|error| failed(error.to_string()))?;
        let said = group.pipes().2.ok_or_else(|| failed("its output cannot be read".to_string()))?;
        let (mut started, mut found, mut last) = (None, None, String::new());
        for line in BufReader::new(said).split(b'\n') {
            let line = String::from_utf8_lossy(&line.map_err(|error| failed(error.to_string()))?).into_owned();
            let started = *started.get_or_insert_with(Instant::now);
            if let Some(inputs) = number(&line).filter(|_| found.is_none()) {
                found = Some(Found { time: started.elapsed(), inputs });
            }
            if let Some((_, path)) = line.split_once("Test unit written to ") {
                let _ = std::fs::remove_file(path.trim());
            }
            last = line;
        }
        let status = group.wait().map_err(|error| failed(error.to_string()))?;
        if found.is_none() && !status.success() {
            return Err(failed(format!("it ended early: {last}")));
        }
        Ok(found)
    }
}

/// The path in cargo's line about what it runs.
fn program(line: &str) -> Option<PathBuf> {
    let command = line.trim().strip_prefix("Running `")?;
    command.split([' ', '`']).find(|word| word.ends_with("museum")).map(PathBuf::from)
}

/// The number in the target's line about the input that differs.
fn number(line: &str) -> Option<u64> {
    line.strip_prefix(INPUT_DIFFERS)?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_cargo_and_of_the_target_are_understood() {
        let line = "     Running `/t/x86_64-unknown-linux-gnu/release/museum -artifact_prefix=/a/museum/ -runs=0`";
        assert_eq!(program(line), Some("/t/x86_64-unknown-linux-gnu/release/museum".into()));
        assert_eq!(program("    Finished `release` profile"), None);
        assert_eq!(number(&format!("{INPUT_DIFFERS} 512 differs; it is made simpler")), Some(512));
        assert_eq!(number("#512 pulse"), None);
    }
}
