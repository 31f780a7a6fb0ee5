//! The `bytetwin` command. One file per subcommand; each returns an [`Exit`].

use crate::registry::{self, AnyCodec};
use crate::report::printable;
use crate::subject::process::Program;
use clap::{Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

mod against;
mod check;
mod corpus;
mod digest;
mod explain;
mod files;
mod fuzz;
mod interrupt;
mod json;
mod judged;
mod matrix;
mod museum;
mod pile;
mod progress;
mod replay;
mod serve;

/// How the command ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exit {
    /// Everything that was compared agrees.
    #[default]
    Agree = 0,
    /// Something differs.
    Differ = 1,
    /// The command line, a file, or a case in it is not usable.
    Usage = 2,
    /// A required cell was not visited, or a subject or a case was not compared.
    Vacuous = 3,
    /// Naive contradicts what a corpus file expects.
    Contradiction = 4,
    /// A bug of the harness.
    Internal = 70,
    /// Ctrl-C, or the end that another process asked for, before all was done.
    Interrupted = 130,
}

impl Exit {
    /// The graver of two, whichever was seen first: not the greater number.
    fn max(self, other: Self) -> Self {
        let gravity = |exit| match exit {
            Self::Agree => 0,
            Self::Vacuous => 1,
            Self::Interrupted => 2,
            Self::Differ => 3,
            Self::Contradiction => 4,
            Self::Usage => 5,
            Self::Internal => 6,
        };
        if gravity(self) < gravity(other) { other } else { self }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// What can go wrong before anything is compared: what, where, and what was expected.
#[derive(Debug)]
pub struct UsageError(String);

/// The most characters of a line of an error that are shown.
const LONGEST_LINE: usize = 1000;

impl UsageError {
    fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // It may tell what a file, another process, or a name says.
        for (number, line) in printable(&self.0, true).split('\n').enumerate() {
            let end = line.char_indices().nth(LONGEST_LINE).map_or(line.len(), |(end, _)| end);
            f.write_str(if number > 0 { "\n" } else { "" })?;
            f.write_str(&line[..end])?;
            if end < line.len() {
                write!(f, ".. ({} bytes)", line.len())?;
            }
        }
        Ok(())
    }
}

/// Judges wire encoders by their naive twins.
///
/// Exit status: 0 all agree, 1 a difference, 2 usage or I/O, 3 vacuous (a required cell was not visited, or
/// nothing was compared), 4 the reference contradicts its vectors, 70 internal, 130 interrupted.
#[derive(Parser)]
#[command(name = "bytetwin", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Check),
    Replay(replay::Replay),
    Explain(explain::Explain),
    Fuzz(fuzz::Fuzz),
    Matrix(matrix::Matrix),
    Museum(museum::Museum),
    Digest(digest::Digest),
    Corpus(corpus::Corpus),
    Serve(serve::Serve),
}

/// Reads the command line, does what it says, and returns the exit status.
pub fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| refuse(&error));
    interrupt::listen();
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if output_error(panic.payload()).is_none() {
            told(panic);
        }
    }));
    let done = std::panic::catch_unwind(|| match arguments.command {
        Command::Check(check) => check.run(),
        Command::Replay(replay) => replay.run(),
        Command::Explain(explain) => explain.run(),
        Command::Fuzz(fuzz) => fuzz.run(),
        Command::Matrix(matrix) => matrix.run(),
        Command::Museum(museum) => museum.run(),
        Command::Digest(digest) => digest.run(),
        Command::Corpus(corpus) => corpus.run(),
        Command::Serve(serve) => serve.run(),
    });
    match done {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(error)) => {
            complain(&format!("bytetwin: {error}"));
            Exit::Usage.into()
        }
        Err(panic) => match output_error(&*panic) {
            // Whoever read the output has seen enough.
            Some(error) if error.contains("Broken pipe") => Exit::Usage.into(),
            Some(error) => {
                complain(&format!("bytetwin: {error}"));
                Exit::Usage.into()
            }
            None => Exit::Internal.into(),
        },
    }
}

/// Says what is wrong with the command line, and ends.
fn refuse(error: &clap::Error) -> ! {
    if error.kind() != clap::error::ErrorKind::InvalidUtf8 {
        error.exit();
    }
    let words: Vec<_> = std::env::args_os()
        .skip(1)
        .filter(|word| word.to_str().is_none())
        .map(|word| format!("\"{}\"", word.as_encoded_bytes().escape_ascii()))
        .collect();
    complain(&format!("bytetwin: found {}, expected UTF-8 where it is not the name of a file", words.join(", ")));
    std::process::exit(Exit::Usage as i32)
}

/// Says it on standard error, if anybody can hear it.
fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// What `println!` panics with when standard output takes no more.
fn output_error(panic: &(dyn std::any::Any + Send)) -> Option<&str> {
    panic.downcast_ref::<String>().map(String::as_str).filter(|text| text.starts_with("failed printing to stdout"))
}

/// The codecs of these names, or all when there are none.
fn codecs(names: &[String]) -> Result<Vec<&'static dyn AnyCodec>, UsageError> {
    if names.is_empty() {
        return Ok(registry::CODECS.to_vec());
    }
    names
        .iter()
        .map(|name| {
            registry::find(name).ok_or_else(|| {
                let known: Vec<_> = registry::CODECS.iter().map(|codec| codec.name()).collect();
                UsageError::new(format!("no codec is called {name:?}; there are {}", known.join(", ")))
            })
        })
        .collect()
}

/// An error when a name in `subjects` is that of no subject of `codecs` and of none of `programs`.
fn subjects_exist(subjects: &[String], codecs: &[&dyn AnyCodec], programs: &[Program]) -> Result<(), UsageError> {
    let mut known: Vec<String> = codecs.iter().flat_map(|codec| codec.subjects()).collect();
    known.extend(programs.iter().map(|program| program.name.clone()));
    known.sort();
    known.dedup();
    match subjects.iter().find(|name| !known.contains(name)) {
        None => Ok(()),
        Some(name) => Err(UsageError::new(format!("no subject is called {name:?}; there are {}", known.join(", ")))),
    }
}
