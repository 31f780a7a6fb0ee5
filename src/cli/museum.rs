//! `bytetwin museum`: planted bugs, and what catches each after how many inputs.

use super::replay::case_files;
use super::{Exit, UsageError, codecs};
use crate::hunt::{Catch, Method};
use crate::oracle::Oracle;
use clap::Args;
use std::path::PathBuf;

/// Shows which planted bugs the harness catches, by what, and after how many inputs
#[derive(Args)]
pub struct Museum {
    /// Codecs; all of them when none is named
    codecs: Vec<String>,
    /// Most inputs of a hunt
    #[arg(long, default_value_t = 100_000)]
    cases: u64,
    /// Hunts of each kind; the median is shown
    #[arg(long, default_value_t = 5)]
    seeds: u64,
    /// Cases of the corpus: files and folders
    #[arg(long, default_value = "corpus")]
    corpus: Vec<PathBuf>,
    /// One JSON object on standard output instead of text
    #[arg(long)]
    json: bool,
}

impl Museum {
    pub(super) fn run(self) -> Result<Exit, UsageError> {
        let files = case_files(&self.corpus)?;
        // Some bugs panic, again and again; the judge catches that, and nobody needs to read it.
        std::panic::set_hook(Box::new(|_| ()));
        let mut missed = 0;
        let mut rows = Vec::new();
        if !self.json {
            println!("| bug | direction | corpus | random run | proptest | oracle |\n|---|---|---|---|---|---|");
        }
        for codec in codecs(&self.codecs)? {
            for label in codec.exhibits() {
                let hunt = |method: &Method<'_>| codec.hunt(label.name, method, &Oracle::ALL);
                let by_corpus = hunt(&Method::Corpus(&files));
                let random = self.median(|seed| hunt(&Method::Random { seed, limit: self.cases }));
                let proptest = self.median(|seed| hunt(&Method::Proptest { seed, limit: self.cases }));
                missed += usize::from(random.is_none());
                if self.json {
                    rows.push(serde_json::json!({
                        "codec": codec.name(), "bug": label.name, "source": label.source, "fault": label.fault,
                        "direction": label.direction.name(), "corpus": after(by_corpus), "random": after(random),
                        "proptest": after(proptest), "oracle": random.map(|catch| catch.oracle.name()),
                    }));
                } else {
                    let shown = |catch: Option<Catch>| after(catch).map_or("**missed**".to_string(), |n| n.to_string());
                    println!(
                        "| {} {} | {} | {} | {} | {} | {} |",
                        codec.name(),
                        label.name,
                        label.direction.name(),
                        after(by_corpus).map_or("-".to_string(), |_| "caught".to_string()),
                        shown(random),
                        shown(proptest),
                        random.map_or("-", |catch| catch.oracle.name()),
                    );
                }
            }
        }
        if self.json {
            println!("{}", serde_json::json!({ "missed": missed, "bugs": rows }));
        }
        Ok(if missed > 0 { Exit::Differ } else { Exit::Agree })
    }

    /// The median catch over the seeds; `None` when more than half of the hunts miss.
    fn median(&self, hunt: impl Fn(u64) -> Option<Catch>) -> Option<Catch> {
        let mut catches: Vec<Option<Catch>> = (1..=self.seeds.max(1)).map(hunt).collect();
        catches.sort_by_key(|catch| catch.map_or(u64::MAX, |catch| catch.after));
        catches[catches.len() / 2]
    }
}

fn after(catch: Option<Catch>) -> Option<u64> {
    catch.map(|catch| catch.after)
}
