//! Subjects in other processes: what `--program` names, and what `--against` names, which is built: another revision of
//! this repository, or a published version.

use super::UsageError;
use crate::registry;
use crate::report::printable;
use crate::subject::group::Group;
use crate::subject::process::Program;
use clap::Args;
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Subjects in other processes, as `check` and `replay` take them.
#[derive(Args)]
pub(super) struct Others {
    /// A revision of this repository, or a published version: built, and judged as one more subject
    #[arg(long, value_name = "REVISION|VERSION")]
    against: Vec<String>,
    /// A program that speaks the subject protocol, judged as one more subject of that name, or of that of its file;
    /// {codec} stands for the codec
    #[arg(long, value_name = "[NAME=]COMMAND")]
    program: Vec<String>,
    /// Seconds that a program may take for an answer
    #[arg(long, default_value_t = TIMEOUT, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
}

/// The seconds of `--timeout`, when it is left out.
const TIMEOUT: u64 = 60;

impl Others {
    /// All of them, built where they must be. Each has a name that no other subject has.
    pub(super) fn programs(&self) -> Result<Vec<Program>, UsageError> {
        let mut programs: Vec<Program> = Vec::new();
        for name in &self.against {
            let binary = if is_version(name) { installed(name)? } else { built(name)? };
            let words = vec![binary.into(), "serve".into()];
            programs.push(self.of(format!("against-{name}"), words, ["--against", name])?);
        }
        for text in &self.program {
            let (name, words) = named(text)?;
            programs.push(self.of(name, words, ["--program", text])?);
        }
        names_differ(&programs)?;
        Ok(programs)
    }

    /// A program that is named by that flag.
    fn of(&self, name: String, words: Vec<OsString>, flag: [&str; 2]) -> Result<Program, UsageError> {
        let timeout = self.timeout.to_string();
        let mut flags = flag.to_vec();
        if self.timeout != TIMEOUT {
            flags.extend(["--timeout", &timeout]);
        }
        let flags: Result<Vec<_>, _> = flags.into_iter().map(quoted).collect();
        let flags = flags.map_err(|error| UsageError::new(format!("{}: {error}", flag[0])))?.join(" ");
        Ok(Program { name, words, patience: Duration::from_secs(self.timeout), flags })
    }
}

/// A word for a shell; for bash, zsh and their like where it holds what is not shown as it is.
fn quoted(word: &str) -> Result<Cow<'_, str>, shlex::QuoteError> {
    if printable(word, false) == word {
        return shlex::try_quote(word);
    }
    let mut quoted = String::from("$'");
    for c in word.chars().map(String::from) {
        if "'\\".contains(&c) {
            quoted.extend(["\\", &c]);
        } else if printable(&c, false) == c {
            quoted.push_str(&c);
        } else {
            // Octets, as a shell may not know the character.
            quoted.extend(c.bytes().map(|octet| format!("\\{octet:03o}")));
        }
    }
    quoted.push('\'');
    Ok(quoted.into())
}

fn names_differ(programs: &[Program]) -> Result<(), UsageError> {
    for (at, Program { name, .. }) in programs.iter().enumerate() {
        let ours = registry::builtin(name) || registry::CODECS.iter().any(|codec| codec.subjects().contains(name));
        if ours || programs[..at].iter().any(|earlier| earlier.name == *name) {
            return Err(UsageError::new(format!("another subject is called {name:?} too: --program NAME=COMMAND")));
        }
    }
    Ok(())
}

/// Reads `[NAME=]COMMAND`, the command in words as a shell would read it.
fn named(text: &str) -> Result<(String, Vec<OsString>), UsageError> {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    let (name, command) = match text.split_once('=') {
        Some((name, command)) if is_name(name) => (Some(name), command),
        _ => (None, text),
    };
    let words = shlex::split(command).filter(|words| !words.is_empty());
    let words = words.ok_or_else(|| {
        UsageError::new(format!("--program: found {text:?}, expected a command, and every quote closed"))
    })?;
    let file = Path::new(&words[0]).file_name().unwrap_or_default().to_string_lossy();
    let name = printable(name.unwrap_or(&file), false).into_owned();
    Ok((name, words.into_iter().map(OsString::from).collect()))
}

/// `1.2.3` is a published version; everything else is a revision.
fn is_version(name: &str) -> bool {
    let parts: Vec<_> = name.split('.').collect();
    parts.len() == 3 && parts.iter().all(|part| part.parse::<u32>().is_ok())
}

/// Installs a published version under `target/against`.
fn installed(version: &str) -> Result<PathBuf, UsageError> {
    let root = folder()?.join(version);
    let binary = root.join("bin").join(format!("bytetwin{}", std::env::consts::EXE_SUFFIX));
    if !binary.exists() {
        let mut cargo = Command::new("cargo");
        cargo.args(["install", "--locked", "--quiet", "bytetwin", "--version", version, "--root"]).arg(&root);
        run(&mut cargo, &format!("--against {version}"))?;
    }
    Ok(binary)
}

/// Checks a revision out into `target/against` and builds it there.
fn built(revision: &str) -> Result<PathBuf, UsageError> {
    let what = format!("--against {revision}");
    let commit =
        run(Command::new("git").args(["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")]), &what)
            .map_err(|error| UsageError::new(format!("{error}: expected a revision of this repository or a version")))?;
    let tree = folder()?.join(commit.trim());
    if !tree.exists() {
        unpack(commit.trim(), &tree, &what)?;
    }
    let target = tree.join("target");
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--quiet", "--locked", "--no-default-features", "--features", "cli"]);
    run(cargo.current_dir(&tree).env("CARGO_TARGET_DIR", &target), &what)?;
    Ok(target.join("release").join(format!("bytetwin{}", std::env::consts::EXE_SUFFIX)))
}

/// Checks a commit out to a folder that is not there: an archive, not a worktree, so that the repository keeps no memory of it.
fn unpack(commit: &str, tree: &Path, what: &str) -> Result<(), UsageError> {
    // Under another name until it is whole, and another one in each process.
    let process = std::process::id();
    let [half, archive] = [format!("{process}"), format!("{process}.tar")].map(|ending| tree.with_extension(ending));
    let failed = |error: std::io::Error| UsageError::new(format!("{}: {error}", tree.display()));
    let unpacked = std::fs::create_dir_all(&half).map_err(failed).and_then(|()| {
        run(Command::new("git").args(["archive", "--format=tar", commit, "-o"]).arg(&archive), what)?;
        run(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&half), what)?;
        // Another process may have been faster.
        std::fs::rename(&half, tree).or_else(|error| if tree.exists() { Ok(()) } else { Err(failed(error)) })
    });
    let _ = (std::fs::remove_file(&archive), std::fs::remove_dir_all(&half));
    unpacked
}

/// Where other versions are kept: beside the build of this one.
fn folder() -> Result<PathBuf, UsageError> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    std::path::absolute(target.join("against")).map_err(|error| UsageError::new(error.to_string()))
}

/// Runs a command to its end and gives what it printed.
fn run(command: &mut Command, what: &str) -> Result<String, UsageError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let done = Group::output(command).map_err(|error| UsageError::new(format!("{what}: {program}: {error}")))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let said = format!("{what}: {program} ended with {}: {}", done.status, said.trim());
        return Err(UsageError::new(said.trim_end_matches(": ")));
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}
