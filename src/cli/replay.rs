//! `bytetwin replay`: cases from files, folders, crash files of libFuzzer, hex, or standard input.

use super::{Exit, UsageError, json};
use crate::case::CaseFile;
use crate::case::text::parse_hex;
use crate::matrix::Tally;
use crate::oracle::Sweep;
use crate::registry::{self, AnyCodec, Replayed};
use crate::run::Config;
use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Judges every subject on given cases
#[derive(Args)]
pub struct Replay {
    /// Case files (*.case), folders of them, crash files of a fuzzer, or - for standard input
    #[arg(required_unless_present = "hex")]
    paths: Vec<PathBuf>,
    /// The bytes of a case, as a finding prints them
    #[arg(long)]
    hex: Vec<String>,
    /// Subjects by name, separated by commas; all when left out
    #[arg(long, value_delimiter = ',')]
    subjects: Vec<String>,
    /// Print each case and what naive answers
    #[arg(long, short)]
    verbose: bool,
    /// One JSON object on standard output instead of text
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub(super) fn run(self) -> Result<Exit, UsageError> {
        let config = Config { sweep: Sweep::Every, subjects: self.subjects.clone(), ..Config::default() };
        let mut pile = Pile { verbose: self.verbose && !self.json, quiet: self.json, ..Pile::default() };
        for hex in &self.hex {
            let bytes = parse_hex("--hex", hex).map_err(|error| UsageError::new(error.to_string()))?;
            pile.take_bytes("--hex", &bytes, &config, &mut |_| true)?;
        }
        replay_paths(&self.paths, &config, &mut |_| true, &mut pile)?;
        if pile.cases == 0 {
            return Err(UsageError::new("no case was found: expected *.case files or crash files of a fuzzer"));
        }
        if self.json {
            println!("{}", serde_json::json!({ "exit": pile.exit as u8, "cases": pile.objects }));
        } else {
            let counts: Vec<_> = pile.by_codec.iter().map(|(codec, count)| format!("{codec} {count}")).collect();
            println!("{} cases replayed ({}), {} differ", pile.cases, counts.join(", "), pile.differ);
        }
        Ok(pile.exit)
    }
}

/// What was replayed so far.
#[derive(Default)]
pub(super) struct Pile {
    pub(super) tallies: BTreeMap<&'static str, Tally>,
    pub(super) exit: Exit,
    cases: usize,
    differ: usize,
    by_codec: BTreeMap<&'static str, usize>,
    objects: Vec<serde_json::Value>,
    verbose: bool,
    quiet: bool,
}

impl Pile {
    fn take(&mut self, origin: &str, codec: &'static dyn AnyCodec, replayed: &Replayed) {
        self.cases += 1;
        *self.by_codec.entry(codec.name()).or_default() += 1;
        self.tallies.entry(codec.name()).or_default().add(&replayed.summary.tally);
        if self.verbose {
            println!("{origin}\n{}expect: {}\n", replayed.text, replayed.answer);
        }
        if let Some(expected) = &replayed.contradicted {
            self.exit = self.exit.max(Exit::Contradiction);
            if !self.quiet {
                println!("{origin}: naive contradicts the file\n  file  {expected}\n  naive {}", replayed.answer);
            }
        }
        if !replayed.summary.findings.is_empty() {
            self.exit = self.exit.max(Exit::Differ);
            self.differ += 1;
            if !self.quiet {
                for finding in &replayed.summary.findings {
                    println!("{origin}\n{}", finding.text);
                }
            }
        }
        if self.quiet {
            let mut object = json::summary(codec, &replayed.summary, &[]);
            object["origin"] = origin.into();
            object["answer"] = replayed.answer.clone().into();
            object["contradicts"] = replayed.contradicted.clone().into();
            self.objects.push(object);
        }
    }

    fn take_bytes(
        &mut self,
        origin: &str,
        bytes: &[u8],
        config: &Config,
        wanted: &mut dyn FnMut(&str) -> bool,
    ) -> Result<(), UsageError> {
        let unreadable = || {
            UsageError::new(format!(
                "{origin}: neither a case in text (key: value lines) nor a fuzzer's input (version, codec, direction, ..)"
            ))
        };
        if let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| text.contains("codec:")) {
            let bad = |error: crate::case::TextError| UsageError::new(format!("{origin}: {error}"));
            let file = CaseFile::parse(text).map_err(bad)?;
            let name = file.codec().map_err(bad)?;
            let codec = registry::find(name)
                .ok_or_else(|| UsageError::new(format!("{origin}: codec: no codec is called {name:?}")))?;
            if wanted(codec.name()) {
                self.take(origin, codec, &codec.replay(&file, config).map_err(bad)?);
            }
            return Ok(());
        }
        let codec = registry::of_bytes(bytes).ok_or_else(unreadable)?;
        if wanted(codec.name()) {
            self.take(origin, codec, &codec.replay_bytes(bytes, config).ok_or_else(unreadable)?);
        }
        Ok(())
    }
}

/// Replays files and, recursively, folders. In folders, hidden files and files with an ending other than `.case` or
/// none are passed over.
pub(super) fn replay_paths(
    paths: &[PathBuf],
    config: &Config,
    wanted: &mut dyn FnMut(&str) -> bool,
    pile: &mut Pile,
) -> Result<(), UsageError> {
    for path in paths {
        let failed = |error: std::io::Error| UsageError::new(format!("{}: {error}", path.display()));
        if path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).map_err(failed)?;
            pile.take_bytes("standard input", &bytes, config, wanted)?;
        } else if path.is_dir() {
            let inside = cases_in(path).map_err(failed)?;
            replay_paths(&inside, config, wanted, pile)?;
        } else {
            let bytes = std::fs::read(path).map_err(failed)?;
            pile.take_bytes(&path.display().to_string(), &bytes, config, wanted)?;
        }
    }
    Ok(())
}

/// The case files of a corpus.
pub(super) fn case_files(paths: &[PathBuf]) -> Result<Vec<CaseFile>, UsageError> {
    let mut files = Vec::new();
    for path in paths {
        let failed = |error: std::io::Error| UsageError::new(format!("{}: {error}", path.display()));
        if path.is_dir() {
            files.extend(case_files(&cases_in(path).map_err(failed)?)?);
        } else {
            let text = std::fs::read_to_string(path).map_err(failed)?;
            let file =
                CaseFile::parse(&text).map_err(|error| UsageError::new(format!("{}: {error}", path.display())))?;
            files.push(file);
        }
    }
    Ok(files)
}

/// What a folder holds of cases and folders, in order.
fn cases_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut inside = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    inside.retain(|path| path.is_dir() || is_case(path));
    inside.sort();
    Ok(inside)
}

fn is_case(path: &Path) -> bool {
    let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    !hidden && path.extension().is_none_or(|ending| ending == "case")
}
