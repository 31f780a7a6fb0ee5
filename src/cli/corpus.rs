//! `bytetwin corpus fill`: the smallest readable cases for required cells that the corpus does not visit.

use super::files::write_new;
use super::pile::{Pile, replay_paths};
use super::{Exit, UsageError, codecs};
use crate::case::{CaseFile, TextError};
use crate::matrix::Tally;
use crate::registry::Replayed;
use crate::report::Summary;
use crate::run::Config;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};

/// Looks after the corpus
#[derive(Args)]
pub struct Corpus {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Fill(Fill),
}

/// Writes the smallest cases for empty cells; a case is written only when every other subject agrees with naive
#[derive(Args)]
struct Fill {
    /// Codecs; all of them when none is named
    codecs: Vec<String>,
    /// The corpus; new cases go to <corpus>/<codec>/
    #[arg(long, default_value = "corpus")]
    corpus: PathBuf,
    /// Where the draws start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Most draws
    #[arg(long, default_value_t = 200_000)]
    draws: u64,
    /// Print the cases, write nothing
    #[arg(long)]
    dry_run: bool,
}

impl Corpus {
    pub(super) fn run(self) -> Result<Exit, UsageError> {
        let What::Fill(fill) = self.what;
        fill.run()
    }
}

impl Fill {
    fn run(self) -> Result<Exit, UsageError> {
        let config = Config::default();
        let mut exit = Exit::Agree;
        for codec in codecs(&self.codecs)? {
            let mut pile = Pile::default();
            replay_paths(std::slice::from_ref(&self.corpus), &config, &mut |name| name == codec.name(), &mut pile)?;
            let none = Tally::default();
            let tally = pile.tallies.get(codec.name()).unwrap_or(&none);
            let texts = codec.fill(tally, self.seed, self.draws);
            let mut replay = codec.replay(&config).map_err(|error| UsageError::new(error.to_string()))?;
            let filled = self.write(codec.name(), &texts, &mut |file| replay.file(file))?;
            exit = exit.max(pile.exit).max(filled);
        }
        Ok(exit)
    }

    /// Writes the cases on which others agree with naive, as `replay` judges them.
    fn write(
        &self,
        codec: &str,
        texts: &[String],
        replay: &mut dyn FnMut(&CaseFile) -> Result<Replayed, TextError>,
    ) -> Result<Exit, UsageError> {
        let bad = |error: TextError| UsageError::new(format!("a case that was made: {error}"));
        let (mut written, mut disputed, mut unwitnessed) = (0, 0, 0);
        for text in texts {
            let replayed = replay(&CaseFile::parse(text).map_err(bad)?).map_err(bad)?;
            if !replayed.summary.findings.is_empty() {
                disputed += 1;
                println!("{codec}: not written, the subjects do not agree on\n{text}");
                continue;
            }
            let witnesses = witnesses(&replayed.summary);
            if witnesses.is_empty() {
                unwitnessed += 1;
                println!("{codec}: not written, no subject but naive takes\n{text}");
                continue;
            }
            let comment = format!("# a cell of the matrix; agreed on by {}\n", witnesses.join(", "));
            let whole = format!("{comment}{text}expect: {}\n", replayed.answer);
            written += 1;
            if self.dry_run {
                println!("{whole}");
                continue;
            }
            let folder = self.corpus.join(codec);
            let failed = |error: std::io::Error| UsageError::new(format!("{}: {error}", folder.display()));
            std::fs::create_dir_all(&folder).map_err(failed)?;
            add(&folder, &whole)?;
        }
        println!(
            "{codec}: {written} cases for empty cells, {disputed} in dispute, {unwitnessed} without a second witness"
        );
        Ok(match (disputed, unwitnessed) {
            (0, 0) => Exit::Agree,
            (0, _) => Exit::Vacuous,
            _ => Exit::Differ,
        })
    }
}

/// Writes a case under the first name that is free.
fn add(folder: &Path, text: &str) -> Result<(), UsageError> {
    for number in 1..=u32::MAX {
        let path = folder.join(format!("cell-{number:03}.case"));
        match write_new(&path, text) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            written => return written.map_err(|error| UsageError::new(format!("{}: {error}", path.display()))),
        }
    }
    Err(UsageError::new(format!("{}: no name is left", folder.display())))
}

/// The second witnesses: subjects other than naive that agree with it.
fn witnesses(summary: &Summary) -> Vec<&str> {
    let others = summary.verdicts.iter().filter(|(name, counts)| *name != "naive" && counts.agreed > 0);
    others.map(|(name, _)| name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::FindingText;
    use crate::run::Counts;
    use std::collections::BTreeMap;
    use std::time::Duration;

    const CASE: &str = "codec: amqp_decimal\njob: encode\nvalues: 1e-0\n";

    /// What a replay says when these agree and this one, if any, differs.
    fn replayed(agreed: &[&str], differs: Option<&str>) -> Replayed {
        let count = |name: &&str| (name.to_string(), Counts { agreed: 1, ..Counts::default() });
        let finding = |subject: &str| FindingText {
            target: "encode_amqp_decimal".into(),
            subject: subject.into(),
            oracle: "identity",
            case: CASE.into(),
            case_bytes: Vec::new(),
            text: String::new(),
            after: 1,
        };
        let summary = Summary {
            cases: 1,
            elapsed: Duration::ZERO,
            tally: Tally::default(),
            verdicts: agreed.iter().map(count).collect::<BTreeMap<_, _>>(),
            findings: differs.map(finding).into_iter().collect(),
        };
        Replayed { text: CASE.into(), answer: "0000000001".into(), contradicted: None, summary }
    }

    /// What the file holds that is written of a case, and the exit status.
    fn written(agreed: &[&str], differs: Option<&str>) -> (Option<String>, Exit) {
        let folder = tempfile::tempdir().expect("a folder");
        let corpus = folder.path().to_path_buf();
        let fill = Fill { codecs: Vec::new(), corpus, seed: 1, draws: 1, dry_run: false };
        let exit = fill.write("amqp_decimal", &[CASE.to_string()], &mut |_| Ok(replayed(agreed, differs)));
        let file = folder.path().join("amqp_decimal/cell-001.case");
        (std::fs::read_to_string(file).ok(), exit.expect("it can be written"))
    }

    #[test]
    fn a_case_is_written_when_a_second_witness_agrees_and_no_other_differs() {
        let file = format!("# a cell of the matrix; agreed on by fast-avx2, parquet\n{CASE}expect: 0000000001\n");
        assert_eq!(written(&["naive", "fast-avx2", "parquet"], None), (Some(file), Exit::Agree));
        assert_eq!(written(&["naive", "fast-avx2", "parquet"], Some("fast-avx512")), (None, Exit::Differ));
        assert_eq!(written(&["naive"], None), (None, Exit::Vacuous));
    }
}
