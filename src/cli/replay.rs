//! `bytetwin replay`: cases from files, folders, crash files of libFuzzer, hex, or standard input.

use super::against::Others;
use super::{Exit, UsageError, json, subjects_exist};
use crate::case::CaseFile;
use crate::case::text::parse_hex;
use crate::matrix::Tally;
use crate::oracle::Sweep;
use crate::registry::{self, AnyCodec, Replayed};
use crate::report::printable;
use crate::run::Config;
use clap::Args;
use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};
use std::fs::File;
use std::io::{self, Read, Write};
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
    #[command(flatten)]
    others: Others,
    /// Print each case and what naive answers
    #[arg(long, short)]
    verbose: bool,
    /// Writes the case as a new case file: what differs as comments, and what naive answers as `expect`
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// One JSON object on standard output instead of text
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub(super) fn run(self) -> Result<Exit, UsageError> {
        let programs = self.others.programs()?;
        let config = Config { sweep: Sweep::Every, subjects: self.subjects.clone(), programs, ..Config::default() };
        subjects_exist(&self.subjects, registry::CODECS, &config.programs)?;
        let mut pile = Pile { verbose: self.verbose && !self.json, quiet: self.json, ..Pile::default() };
        for hex in &self.hex {
            pile.take_bytes("--hex", &from_hex(hex)?, &config, &mut |_| true)?;
        }
        replay_paths(&self.paths, &config, &mut |_| true, &mut pile)?;
        if pile.cases == 0 {
            return Err(UsageError::new("no case was found: expected *.case files or crash files of a fuzzer"));
        }
        if let Some(file) = &self.save {
            save(file, &pile)?;
        }
        let programs = config.programs.iter().map(|program| &program.name);
        let silent: Vec<_> = programs.filter(|name| !pile.compared.contains(*name)).collect();
        let idle = if pile.idle > 0 || !silent.is_empty() { Exit::Vacuous } else { Exit::Agree };
        let exit = pile.exit.max(idle);
        if self.json {
            println!("{}", serde_json::json!({ "exit": exit as u8, "cases": pile.objects, "silent": silent }));
        } else {
            let counts: Vec<_> = pile.by_codec.iter().map(|(codec, count)| format!("{codec} {count}")).collect();
            println!("{} cases replayed ({}), {} differ", pile.cases, counts.join(", "), pile.differ);
            if pile.idle > 0 {
                println!("VACUOUS {} cases were compared with no subject", pile.idle);
            }
            for program in silent {
                println!("VACUOUS {program}: no case was compared with it");
            }
        }
        Ok(exit)
    }
}

/// The bytes of `--hex`.
pub(super) fn from_hex(hex: &str) -> Result<Vec<u8>, UsageError> {
    parse_hex("--hex", hex).map_err(|error| UsageError::new(error.to_string()))
}

/// The most bytes of a file: a device has no end.
const LONGEST: u64 = 1 << 28;

/// What a file holds, or standard input when it is called `-`; and what to call it in a message.
pub(super) fn read(path: &Path) -> Result<(String, Vec<u8>), UsageError> {
    let mut bytes = Vec::new();
    let (origin, read) = match path.as_os_str() == "-" {
        true => ("standard input".to_string(), io::stdin().take(LONGEST + 1).read_to_end(&mut bytes)),
        false => (
            path.display().to_string(),
            File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes)),
        ),
    };
    match read {
        Ok(length) if length as u64 > LONGEST => {
            Err(UsageError::new(format!("{origin}: longer than {} MiB", LONGEST >> 20)))
        }
        Ok(_) => Ok((origin, bytes)),
        Err(error) => Err(UsageError::new(format!("{origin}: {error}"))),
    }
}

/// What a file holds, if that is a case in text.
pub(super) fn case_text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| text.contains("codec:"))
}

/// That it is no case.
pub(super) fn unreadable(origin: &str) -> UsageError {
    UsageError::new(format!(
        "{origin}: neither a case in text (key: value lines) nor a fuzzer's input (version, codec, direction, ..)"
    ))
}

/// Writes the one case that was replayed.
fn save(file: &Path, pile: &Pile) -> Result<(), UsageError> {
    if pile.cases != 1 {
        return Err(UsageError::new(format!("--save: {} cases were replayed, expected one", pile.cases)));
    }
    write_new(file, &pile.last).map_err(|error| UsageError::new(format!("--save {}: {error}", file.display())))
}

/// Writes a new file, or none.
pub(super) fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut new = File::create_new(path)?;
    new.write_all(text.as_bytes()).inspect_err(|_| {
        let _ = std::fs::remove_file(path);
    })
}

/// What was replayed so far.
#[derive(Default)]
pub(super) struct Pile {
    pub(super) tallies: BTreeMap<&'static str, Tally>,
    /// Contradictions and differences.
    pub(super) exit: Exit,
    /// Nothing is printed; `objects` are kept instead.
    quiet: bool,
    /// Cases that agree are not among `objects`.
    faults_only: bool,
    /// The cases, as JSON.
    pub(super) objects: Vec<serde_json::Value>,
    verbose: bool,
    cases: usize,
    differ: usize,
    /// Cases that were compared with no subject.
    idle: usize,
    by_codec: BTreeMap<&'static str, usize>,
    /// Subjects with which a case was compared.
    compared: BTreeSet<String>,
    /// What judges the cases of a codec.
    replays: BTreeMap<&'static str, Box<dyn registry::Replay>>,
    /// The last case as a case file.
    last: String,
}

impl Pile {
    /// One that says nothing of cases that agree.
    pub(super) fn of_faults(quiet: bool) -> Self {
        Self { quiet, faults_only: true, ..Self::default() }
    }

    fn take(&mut self, origin: &str, codec: &'static dyn AnyCodec, replayed: &Replayed) {
        let origin = &*printable(origin, false);
        self.cases += 1;
        *self.by_codec.entry(codec.name()).or_default() += 1;
        let Replayed { text, answer, contradicted, summary } = replayed;
        self.tallies.entry(codec.name()).or_default().add(&summary.tally);
        let compared = summary.verdicts.iter().filter(|(_, counts)| counts.compared() > 0);
        let compared: Vec<_> = compared.map(|(subject, _)| subject.clone()).collect();
        self.idle += usize::from(compared.is_empty());
        self.compared.extend(compared);
        self.last = summary
            .findings
            .iter()
            .flat_map(|finding| finding.text.lines())
            .fold(String::new(), |file, line| file + format!("# {line}").trim_end() + "\n");
        self.last.push_str(&format!("{text}expect: {answer}\n"));
        if self.verbose {
            println!("{origin}\n{text}expect: {answer}\n");
        }
        if let Some(expected) = contradicted {
            self.exit = self.exit.max(Exit::Contradiction);
            if !self.quiet {
                let expected = printable(expected, false);
                println!("{origin}: naive contradicts the file\n  file  {expected}\n  naive {answer}");
            }
        }
        if !summary.findings.is_empty() {
            self.exit = self.exit.max(Exit::Differ);
            self.differ += 1;
            if !self.quiet {
                for finding in &summary.findings {
                    println!("{origin}\n{}", finding.text);
                }
            }
        }
        let fault = contradicted.is_some() || !summary.findings.is_empty();
        if self.quiet && (fault || !self.faults_only) {
            let mut object = json::summary(codec, summary, &[]);
            object["origin"] = origin.into();
            object["answer"] = answer.clone().into();
            object["contradicts"] = contradicted.clone().into();
            self.objects.push(object);
        }
    }

    fn replay(
        &mut self,
        codec: &'static dyn AnyCodec,
        config: &Config,
    ) -> Result<&mut Box<dyn registry::Replay>, UsageError> {
        match self.replays.entry(codec.name()) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => {
                let failed = |error: io::Error| UsageError::new(format!("{}: {error}", codec.name()));
                Ok(new.insert(codec.replay(config).map_err(failed)?))
            }
        }
    }

    fn take_bytes(
        &mut self,
        origin: &str,
        bytes: &[u8],
        config: &Config,
        wanted: &mut dyn FnMut(&str) -> bool,
    ) -> Result<(), UsageError> {
        if let Some(text) = case_text(bytes) {
            let bad = |error: crate::case::TextError| UsageError::new(format!("{origin}: {error}"));
            let file = CaseFile::parse(text).map_err(bad)?;
            let name = file.codec().map_err(bad)?;
            let codec = registry::find(name)
                .ok_or_else(|| UsageError::new(format!("{origin}: codec: no codec is called {name:?}")))?;
            if wanted(codec.name()) {
                let replayed = self.replay(codec, config)?.file(&file).map_err(bad)?;
                self.take(origin, codec, &replayed);
            }
            return Ok(());
        }
        let codec = registry::of_bytes(bytes).ok_or_else(|| unreadable(origin))?;
        if wanted(codec.name()) {
            let replayed = self.replay(codec, config)?.bytes(bytes).ok_or_else(|| unreadable(origin))?;
            self.take(origin, codec, &replayed);
        }
        Ok(())
    }
}

/// Replays files and, recursively, folders. In folders, what is hidden and files with an ending other than `.case` or
/// none are passed over.
pub(super) fn replay_paths(
    paths: &[PathBuf],
    config: &Config,
    wanted: &mut dyn FnMut(&str) -> bool,
    pile: &mut Pile,
) -> Result<(), UsageError> {
    for path in files(paths)? {
        let (origin, bytes) = read(&path)?;
        pile.take_bytes(&origin, &bytes, config, wanted)?;
    }
    Ok(())
}

/// The case files of a corpus.
pub(super) fn case_files(paths: &[PathBuf]) -> Result<Vec<CaseFile>, UsageError> {
    let parse = |path: PathBuf| {
        let (origin, bytes) = read(&path)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| unreadable(&origin))?;
        CaseFile::parse(text).map_err(|error| UsageError::new(format!("{origin}: {error}")))
    };
    files(paths)?.into_iter().map(parse).collect()
}

/// These files, and those of these folders.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, UsageError> {
    /// `above` are the folders on the way here.
    fn add(paths: &[PathBuf], above: &mut Vec<PathBuf>, files: &mut Vec<PathBuf>) -> Result<(), UsageError> {
        for path in paths {
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let folder =
                path.canonicalize().map_err(|error| UsageError::new(format!("{}: {error}", path.display())))?;
            if above.contains(&folder) {
                return Err(UsageError::new(format!("{}: a link to a folder that it is in", path.display())));
            }
            above.push(folder);
            add(&cases_in(path)?, above, files)?;
            above.pop();
        }
        Ok(())
    }
    let mut files = Vec::new();
    add(paths, &mut Vec::new(), &mut files)?;
    Ok(files)
}

/// What a folder holds of cases and folders, in order.
fn cases_in(folder: &Path) -> Result<Vec<PathBuf>, UsageError> {
    let mut inside = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>())
        .map_err(|error| UsageError::new(format!("{}: {error}", folder.display())))?;
    inside.retain(|path| is_wanted(path));
    inside.sort();
    // A pipe or a device would be read for ever.
    let other = |path: &&PathBuf| path.metadata().is_ok_and(|found| !found.is_dir() && !found.is_file());
    match inside.iter().find(other) {
        Some(path) => Err(UsageError::new(format!("{}: neither a file nor a folder", path.display()))),
        None => Ok(inside),
    }
}

fn is_wanted(path: &Path) -> bool {
    let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    !hidden && (path.is_dir() || path.extension().is_none_or(|ending| ending == "case"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{FindingText, Summary};
    use crate::run::Counts;
    use std::time::Duration;

    const CASE: &str = "codec: amqp_decimal\njob: encode\nvalues: 1e-0\n";

    /// A case on which a subject differs in so many ways.
    fn replayed(findings: &[&str]) -> Replayed {
        let finding = |text: &&str| FindingText {
            target: "encode_amqp_decimal".into(),
            subject: "mine".into(),
            oracle: "identity",
            case: CASE.into(),
            case_bytes: Vec::new(),
            text: text.to_string(),
            after: 1,
        };
        let findings: Vec<_> = findings.iter().map(finding).collect();
        let counts = Counts { agreed: 1, differed: findings.len() as u64, ..Counts::default() };
        let verdicts = BTreeMap::from([("mine".to_string(), counts)]);
        let summary = Summary { cases: 1, elapsed: Duration::ZERO, tally: Tally::default(), verdicts, findings };
        Replayed { text: CASE.into(), answer: "00".into(), contradicted: None, summary }
    }

    #[test]
    fn a_difference_is_counted_told_to_programs_and_saved_as_comments_of_a_case_file() {
        let codec = registry::find("amqp_decimal").expect("a codec");
        let mut pile = Pile::of_faults(true);
        pile.take("a", codec, &replayed(&[]));
        assert_eq!((pile.exit, pile.objects.len()), (Exit::Agree, 0));
        pile.take("b", codec, &replayed(&["FINDING one\n  codec: amqp_decimal\n\n", "FINDING two\n"]));
        assert_eq!((pile.exit, pile.cases, pile.differ, pile.idle), (Exit::Differ, 2, 1, 0));
        assert_eq!(
            (&pile.objects[0]["origin"], &pile.objects[0]["findings"][1]["text"]),
            (&"b".into(), &"FINDING two\n".into())
        );
        let saved = format!("# FINDING one\n#   codec: amqp_decimal\n#\n# FINDING two\n{CASE}expect: 00\n");
        assert_eq!(pile.last, saved);
        assert_eq!(CaseFile::parse(&pile.last).expect("a case file").expect(), Some("00"));
    }
}
