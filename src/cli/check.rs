//! `bytetwin check`: a run with a budget.

use super::against::Others;
use super::judged::{self, Judged};
use super::{Exit, UsageError, codecs, matrix, subjects_exist};
use crate::case::Direction;
use crate::oracle::{Oracle, Sweep};
use crate::registry::AnyCodec;
use crate::report::Summary;
use crate::run::{Budget, Config};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// Draws cases, judges every subject on each, and shrinks what differs
#[derive(Args)]
pub struct Check {
    /// Codecs; all of them when none is named
    codecs: Vec<String>,
    /// Subjects by name, separated by commas; all when left out
    #[arg(long, value_delimiter = ',')]
    subjects: Vec<String>,
    /// Only one direction: encode or decode
    #[arg(long, value_parser = direction)]
    direction: Option<Direction>,
    /// Where the draws start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Cases for each codec
    #[arg(long, default_value_t = 200_000, conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    cases: u64,
    /// Seconds for each codec, instead of a number of cases
    #[arg(long)]
    time: Option<f64>,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Try every length of the output buffer, not only the borders
    #[arg(long)]
    sweep: bool,
    #[command(flatten)]
    others: Others,
    /// Cases that count as visited too: a corpus file or folder
    #[arg(long)]
    corpus: Vec<PathBuf>,
    /// One JSON object on standard output instead of text
    #[arg(long)]
    json: bool,
}

fn direction(text: &str) -> Result<Direction, String> {
    Direction::BOTH
        .into_iter()
        .find(|direction| direction.name() == text)
        .ok_or_else(|| "expected encode or decode".to_string())
}

impl Check {
    fn config(&self) -> Result<Config, UsageError> {
        let budget = match self.time {
            None => Budget::Cases(self.cases),
            Some(seconds) => Budget::Time(
                Duration::try_from_secs_f64(seconds)
                    .map_err(|error| UsageError::new(format!("--time {seconds}: {error}")))?,
            ),
        };
        Ok(Config {
            seed: self.seed,
            budget,
            jobs: self.jobs.into(),
            directions: self.direction.into_iter().collect(),
            subjects: self.subjects.clone(),
            oracles: Oracle::ALL.to_vec(),
            sweep: if self.sweep { Sweep::Every } else { Sweep::Borders },
            programs: self.others.programs()?,
            ..Config::default()
        })
    }

    pub(super) fn run(self) -> Result<Exit, UsageError> {
        let config = self.config()?;
        let codecs = codecs(&self.codecs)?;
        subjects_exist(&self.subjects, &codecs, &config.programs)?;
        judged::each(codecs, self.json, |codec, objects| {
            let mut judged = Judged::new(codec, &self.corpus, &config, self.json)?;
            if self.direction.is_some() {
                // A plane is of one direction; half a run visits no cell of the planes of the other half.
                judged.holes.retain(|hole| hole.missed < hole.of);
            }
            let silent = silent(&judged.summary, &config);
            let mut exit = judged.exit;
            if !(judged.holes.is_empty() && silent.is_empty() && judged.summary.cases > 0) {
                exit = exit.max(Exit::Vacuous);
            }
            if self.json {
                let mut object = judged.json(codec);
                object["silent"] = silent.into();
                objects.push(object);
            } else {
                judged.print_findings();
                print(codec, &judged.summary);
                if judged.summary.cases == 0 {
                    println!("VACUOUS {}: no case was drawn", codec.name());
                }
                for subject in &silent {
                    println!("VACUOUS {subject}: nothing was compared with {}", codec.name());
                }
                matrix::print_holes(&judged.holes);
            }
            Ok(exit)
        })
    }
}

/// The subjects that were asked for, and with which nothing was compared.
fn silent(summary: &Summary, config: &Config) -> Vec<String> {
    let programs = config.programs.iter().map(|program| &program.name);
    let asked = summary.verdicts.keys().chain(&config.subjects).chain(programs);
    let mut silent: Vec<String> =
        asked.filter(|name| summary.verdicts.get(*name).is_none_or(|counts| counts.compared() == 0)).cloned().collect();
    silent.sort();
    silent.dedup();
    silent
}

fn print(codec: &dyn AnyCodec, summary: &Summary) {
    let rate = summary.cases as f64 / summary.elapsed.as_secs_f64().max(1e-9);
    println!("{}: {} cases in {:.1} s ({rate:.0}/s)", codec.name(), summary.cases, summary.elapsed.as_secs_f64());
    for (subject, counts) in &summary.verdicts {
        print!("  {subject:<20} agreed {:>9}  differed {:>6}", counts.agreed, counts.differed);
        print!("  unsupported {:>9}", counts.unsupported);
        for (entry, times) in &counts.excused {
            print!("  excused {times} ({entry})");
        }
        println!();
    }
}
