//! `bytetwin corpus fill`: the smallest readable cases for required cells that the corpus does not visit.

use super::replay::{Pile, replay_paths};
use super::{Exit, UsageError, codecs};
use crate::case::CaseFile;
use crate::matrix::Tally;
use crate::run::Config;
use clap::{Args, Subcommand};
use std::path::PathBuf;

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
            exit = exit.max(pile.exit);
            let none = Tally::default();
            let tally = pile.tallies.get(codec.name()).unwrap_or(&none);
            let (mut written, mut disputed) = (0, 0);
            for text in codec.fill(tally, self.seed, self.draws) {
                let bad = |error: crate::case::TextError| UsageError::new(format!("a case that was made: {error}"));
                let file = CaseFile::parse(&text).map_err(bad)?;
                let replayed = codec.replay(&file, &config).map_err(bad)?;
                // The second witness: a subject other than naive that was compared, and none that differs.
                let witnesses: Vec<&str> = replayed
                    .summary
                    .verdicts
                    .iter()
                    .filter(|(name, counts)| *name != "naive" && counts.agreed > 0)
                    .map(|(name, _)| name.as_str())
                    .collect();
                if !replayed.summary.findings.is_empty() || witnesses.is_empty() {
                    disputed += 1;
                    exit = exit.max(Exit::Differ);
                    println!("{}: not written, the subjects do not agree on\n{text}", codec.name());
                    continue;
                }
                let comment = format!("# a cell of the matrix; agreed on by {}\n", witnesses.join(", "));
                let whole = format!("{comment}{text}expect: {}\n", replayed.answer);
                written += 1;
                if self.dry_run {
                    println!("{whole}");
                    continue;
                }
                let folder = self.corpus.join(codec.name());
                let failed = |error: std::io::Error| UsageError::new(format!("{}: {error}", folder.display()));
                std::fs::create_dir_all(&folder).map_err(failed)?;
                let path = (1..)
                    .map(|number| folder.join(format!("cell-{number:03}.case")))
                    .find(|path| !path.exists())
                    .ok_or_else(|| UsageError::new("no name is left"))?;
                std::fs::write(&path, whole).map_err(failed)?;
            }
            println!("{}: {written} cases for empty cells, {disputed} in dispute", codec.name());
        }
        Ok(exit)
    }
}
