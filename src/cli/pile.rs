//! Cases that are replayed one after the other, and what came of them.

use super::files::{case_text, files, read, unreadable};
use super::{Exit, UsageError, json};
use crate::case::CaseFile;
use crate::matrix::Tally;
use crate::registry::{self, AnyCodec, Replayed};
use crate::report::printable;
use crate::run::Config;
use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};
use std::io;
use std::path::PathBuf;

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
    pub(super) cases: usize,
    pub(super) differ: usize,
    /// Cases that were compared with no subject.
    pub(super) idle: usize,
    pub(super) by_codec: BTreeMap<&'static str, usize>,
    /// Subjects with which a case was compared.
    pub(super) compared: BTreeSet<String>,
    /// What judges the cases of a codec.
    replays: BTreeMap<&'static str, Box<dyn registry::Replay>>,
    /// The last case as a case file.
    pub(super) last: String,
}

impl Pile {
    /// One that keeps every case, and prints each when it is `verbose`.
    pub(super) fn of_all(quiet: bool, verbose: bool) -> Self {
        Self { quiet, verbose, ..Self::default() }
    }

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

    pub(super) fn take_bytes(
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

/// Replays these files, and those of these folders.
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
