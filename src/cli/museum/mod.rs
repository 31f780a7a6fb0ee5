//! `bytetwin museum`: planted bugs, and what catches each after how many inputs.

use super::files::case_files;
use super::{Exit, UsageError, codecs};
use crate::hunt::{Catch, Method};
use crate::oracle::Oracle;
use clap::Args;
use fuzzed::{Found, Fuzzer};
use std::path::PathBuf;

mod fuzzed;

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
    /// Looks under the fuzzer too, from an empty corpus: the target `museum`, built for it
    #[arg(long)]
    fuzz: bool,
    /// Most seconds of a hunt under the fuzzer
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// One JSON object on standard output instead of text
    #[arg(long)]
    json: bool,
}

impl Museum {
    pub(super) fn run(self) -> Result<Exit, UsageError> {
        let files = case_files(&self.corpus)?;
        let fuzzer = self.fuzz.then(|| Fuzzer::new(self.seconds)).transpose()?;
        let mut missed = 0;
        let mut rows = Vec::new();
        let mut times = Vec::new();
        if !self.json {
            let (name, rule) = if self.fuzz { (" fuzzer |", "---|") } else { ("", "") };
            println!("| bug | direction | corpus | random run | proptest | oracle |{name}");
            println!("|---|---|---|---|---|---|{rule}");
        }
        for codec in codecs(&self.codecs)? {
            for label in codec.exhibits() {
                let hunt = |method: &Method<'_>| codec.hunt(label.name, method, &Oracle::ALL);
                let by_corpus = hunt(&Method::Corpus(&files));
                let random = self.median(|seed| hunt(&Method::Random { seed, limit: self.cases }));
                let proptest = self.median(|seed| hunt(&Method::Proptest { seed, limit: self.cases }));
                let fuzzed = match &fuzzer {
                    Some(fuzzer) => self.median_found(fuzzer, &format!("{}/{}", codec.name(), label.name))?,
                    None => None,
                };
                missed += usize::from(random.is_none() || (self.fuzz && fuzzed.is_none()));
                times.extend(fuzzed.map(|found| found.time));
                if self.json {
                    rows.push(serde_json::json!({
                        "codec": codec.name(), "bug": label.name, "source": label.source, "fault": label.fault,
                        "direction": label.direction.name(), "corpus": after(by_corpus), "random": after(random),
                        "proptest": after(proptest), "oracle": random.map(|catch| catch.oracle.name()),
                        "fuzz_inputs": fuzzed.map(|found| found.inputs),
                        "fuzz_seconds": fuzzed.map(|found| found.time.as_secs_f64()),
                    }));
                } else {
                    let shown = |catch: Option<Catch>| after(catch).map_or("**missed**".to_string(), |n| n.to_string());
                    let fuzzed = match fuzzed {
                        Some(Found { inputs, time }) => format!(" {inputs} in {:.2} s |", time.as_secs_f64()),
                        None if self.fuzz => " **missed** |".to_string(),
                        None => String::new(),
                    };
                    println!(
                        "| {} {} | {} | {} | {} | {} | {} |{fuzzed}",
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
        times.sort();
        let exit = if missed > 0 { Exit::Differ } else { Exit::Agree };
        let median = times.get(times.len() / 2).map(|time| time.as_secs_f64());
        if self.json {
            let object = serde_json::json!({
                "exit": exit as u8, "missed": missed, "fuzz_median_seconds": median, "bugs": rows,
            });
            println!("{object}");
        } else if let (Some(median), Some(slowest)) = (median, times.last()) {
            println!(
                "\nunder the fuzzer: {} found, median {median:.2} s, slowest {:.2} s",
                times.len(),
                slowest.as_secs_f64()
            );
        }
        Ok(exit)
    }

    /// The median find over the seeds; `None` when more than half of the hunts miss.
    fn median_found(&self, fuzzer: &Fuzzer, exhibit: &str) -> Result<Option<Found>, UsageError> {
        let hunts = (1..=self.seeds.max(1)).map(|seed| fuzzer.hunt(exhibit, seed));
        let mut found = hunts.collect::<Result<Vec<_>, _>>()?;
        found.sort_by_key(|found| (found.is_none(), *found));
        Ok(found[found.len() / 2])
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
