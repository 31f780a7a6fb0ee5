//! `bytetwin fuzz`: every fuzz target for a given time, past the first finding, and a table of what came of it.

use super::{Exit, UsageError, interrupt};
use crate::report::printable;
use crate::subject::group::Group;
use clap::Args;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use session::{Outcome, Session};
use std::collections::VecDeque;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

mod crash;
mod session;

/// Runs fuzz targets for a while each, through cargo fuzz, and keeps each finding as a case file
#[derive(Args)]
pub struct Fuzz {
    /// Targets, as `cargo fuzz list` names them; all of them when none is named
    targets: Vec<String>,
    /// Seconds for each target
    #[arg(long, default_value_t = 60)]
    time: u64,
    /// Targets that run at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// With AddressSanitizer: slower, and sees what no comparison sees
    #[arg(long)]
    asan: bool,
    /// Features of the fuzz package: other implementations as subjects
    #[arg(long)]
    features: Option<String>,
    /// One JSON object on standard output instead of a table
    #[arg(long)]
    json: bool,
}

/// The folder of the package that is fuzzed: the nearest one upwards with a `fuzz/Cargo.toml`.
pub(super) fn root() -> Result<PathBuf, UsageError> {
    let here = std::env::current_dir().map_err(|error| UsageError::new(format!("current folder: {error}")))?;
    here.ancestors()
        .find(|folder| folder.join("fuzz/Cargo.toml").is_file())
        .map(Path::to_path_buf)
        .ok_or_else(|| UsageError::new(format!("{}: no fuzz/Cargo.toml here or above", here.display())))
}

/// `cargo fuzz <verb>` with the sanitizer that is asked for, or none.
pub(super) fn cargo_fuzz(root: &Path, verb: &str, asan: bool) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(root).args(["fuzz", verb]);
    command.args(["--sanitizer", if asan { "address" } else { "none" }]);
    command
}

impl Fuzz {
    /// `cargo fuzz <verb>` with the options that every verb needs.
    fn cargo_fuzz(&self, root: &Path, verb: &str) -> Command {
        let mut command = cargo_fuzz(root, verb, self.asan);
        if let Some(features) = &self.features {
            command.args(["--features", features]);
        }
        command
    }

    fn targets(&self, root: &Path) -> Result<Vec<String>, UsageError> {
        let listed = match Group::output(Command::new("cargo").current_dir(root).args(["fuzz", "list"])) {
            Ok(listed) if listed.status.success() => listed,
            Ok(failed) => {
                let said = String::from_utf8_lossy(&failed.stderr).trim().to_string();
                return Err(UsageError::new(format!(
                    "cargo fuzz list: {said}\ninstall it: cargo install --locked cargo-fuzz"
                )));
            }
            Err(error) => return Err(UsageError::new(format!("cargo fuzz list: {error}"))),
        };
        let known: Vec<String> = String::from_utf8_lossy(&listed.stdout).lines().map(str::to_string).collect();
        if let Some(name) = self.targets.iter().find(|name| !known.contains(name)) {
            return Err(UsageError::new(format!("no target is called {name:?}; there are {}", known.join(", "))));
        }
        if let Some((_, name)) = self.targets.iter().enumerate().find(|(at, name)| self.targets[..*at].contains(name)) {
            // Two at once would share a corpus and take each other's findings for their own.
            return Err(UsageError::new(format!("the target {name:?} is named twice")));
        }
        if self.targets.is_empty() {
            // The museum is for planted bugs.
            let targets: Vec<_> = known.into_iter().filter(|name| name != "museum").collect();
            return if targets.is_empty() {
                Err(UsageError::new("cargo fuzz list: there is no target"))
            } else {
                Ok(targets)
            };
        }
        Ok(self.targets.clone())
    }

    fn build(&self, root: &Path, target: &str) -> Result<(), String> {
        let mut command = self.cargo_fuzz(root, "build");
        let ended = Group::start(command.arg(target).stdin(Stdio::null()).stdout(Stdio::null()))
            .and_then(|mut cargo| cargo.wait());
        match ended {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("cargo fuzz build {target}: {status}")),
            Err(error) => Err(format!("cargo fuzz build {target}: {error}")),
        }
    }

    pub(super) fn run(self) -> Result<Exit, UsageError> {
        let root = root()?;
        let targets = self.targets(&root)?;
        interrupt::wait_for_the_end();
        let mut outcomes: Vec<Outcome> = targets.iter().map(|target| Outcome::new(target)).collect();
        // One after the other: cargo uses every core for each.
        for outcome in &mut outcomes {
            if !interrupt::interrupted() {
                let built = self.build(&root, &outcome.target);
                outcome.problem = built.err().filter(|_| !interrupt::interrupted());
            }
        }
        let bars = MultiProgress::new();
        let queue: Mutex<VecDeque<_>> =
            Mutex::new(outcomes.iter_mut().filter(|outcome| outcome.problem.is_none()).collect());
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    // The lock is released before the session starts.
                    let next = || queue.lock().expect("no session panics with the lock").pop_front();
                    while let Some(outcome) = next() {
                        let target = outcome.target.clone();
                        let bar = bar(&bars, &target, self.time);
                        let session = Session { fuzz: &self, root: &root, target: &target, bar };
                        session.run(Duration::from_secs(self.time), outcome);
                    }
                });
            }
        });
        let ended = if interrupt::interrupted() { Exit::Interrupted } else { Exit::Agree };
        let exit = outcomes.iter().map(Outcome::exit).fold(ended, Exit::max);
        if self.json {
            let targets: Vec<_> = outcomes.iter().map(Outcome::json).collect();
            println!("{}", serde_json::json!({ "exit": exit as u8, "targets": targets }));
        } else {
            print(&outcomes);
        }
        Ok(exit)
    }
}

fn bar(bars: &MultiProgress, target: &str, seconds: u64) -> Option<ProgressBar> {
    if !std::io::stderr().is_terminal() {
        return None;
    }
    let bar = bars.add(ProgressBar::new(seconds));
    let shape = "{prefix:30} {wide_bar} {pos:>4}/{len} s  {msg}";
    bar.set_style(ProgressStyle::with_template(shape).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_prefix(printable(target, false).into_owned());
    Some(bar)
}

fn print(outcomes: &[Outcome]) {
    for outcome in outcomes {
        for finding in &outcome.findings {
            println!("{}\n{}", printable(&finding.file.display().to_string(), false), printable(&finding.text, true));
        }
    }
    println!("{:<32} {:>12} {:>9} {:>10} {:>8}", "target", "executions", "per s", "new inputs", "findings");
    for outcome in outcomes {
        println!("{}", outcome.row());
    }
    for outcome in outcomes {
        if let Some(problem) = &outcome.problem {
            println!("{}", printable(&format!("FAILED {}: {problem}", outcome.target), true));
        }
    }
}
