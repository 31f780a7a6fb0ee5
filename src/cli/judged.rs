//! A corpus and drawn cases of one codec, judged: what `check` and `matrix` have in common.

use super::pile::{Pile, replay_paths};
use super::progress::Progress;
use super::{Exit, UsageError, json};
use crate::matrix::Holes;
use crate::registry::AnyCodec;
use crate::report::Summary;
use crate::run::Config;
use serde_json::Value;
use std::path::PathBuf;

/// Judges one codec after the other. With `json` the object of each is printed, also of those before an error, which ends it.
pub(super) fn each(
    codecs: Vec<&'static dyn AnyCodec>,
    json: bool,
    mut one: impl FnMut(&'static dyn AnyCodec, &mut Vec<Value>) -> Result<Exit, UsageError>,
) -> Result<Exit, UsageError> {
    let (mut exit, mut objects) = (Exit::Agree, Vec::new());
    let ended = codecs.into_iter().try_for_each(|codec| {
        exit = exit.max(one(codec, &mut objects)?);
        Ok(())
    });
    if json {
        let exit = if ended.is_ok() { exit } else { Exit::Usage };
        println!("{}", serde_json::json!({ "exit": exit as u8, "codecs": objects }));
    }
    ended.map(|()| exit)
}

/// What was seen of a codec.
pub(super) struct Judged {
    /// Of the drawn cases; the tally is of those of the corpus too.
    pub(super) summary: Summary,
    /// Required cells that neither visited.
    pub(super) holes: Vec<Holes>,
    /// Contradictions and differences; what is vacuous, the caller says.
    pub(super) exit: Exit,
    corpus: Vec<Value>,
}

impl Judged {
    /// Replays what `corpus` holds of the codec, then draws. Differences of the corpus are printed unless `quiet`.
    pub(super) fn new(
        codec: &dyn AnyCodec,
        corpus: &[PathBuf],
        config: &Config,
        quiet: bool,
    ) -> Result<Self, UsageError> {
        let mut pile = Pile::of_faults(quiet);
        replay_paths(corpus, config, &mut |name| name == codec.name(), &mut pile)?;
        let progress = Progress::new(codec.name(), config.budget);
        let run = codec.run(config, &|cases| progress.set(cases));
        let mut summary = run.map_err(|error| UsageError::new(format!("{}: {error}", codec.name())))?;
        progress.finish();
        if let Some(tally) = pile.tallies.get(codec.name()) {
            summary.tally.add(tally);
        }
        let differs = if summary.findings.is_empty() { Exit::Agree } else { Exit::Differ };
        Ok(Self { holes: codec.holes(&summary.tally), summary, exit: pile.exit.max(differs), corpus: pile.objects })
    }

    /// The findings of the drawn cases, for a terminal.
    pub(super) fn print_findings(&self) {
        for finding in &self.summary.findings {
            println!("{}", finding.text);
        }
    }

    /// All of it, the cases of the corpus that differ or are contradicted under `corpus`.
    pub(super) fn json(&self, codec: &dyn AnyCodec) -> Value {
        let mut object = json::summary(codec, &self.summary, &self.holes);
        object["corpus"] = self.corpus.clone().into();
        object
    }
}
