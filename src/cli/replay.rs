//! `bytetwin replay`: cases from files, folders, crash files of libFuzzer, hex, or standard input.

use super::against::Others;
use super::files::{from_hex, write_new};
use super::pile::{Pile, replay_paths};
use super::{Exit, UsageError, subjects_exist};
use crate::oracle::Sweep;
use crate::registry;
use crate::run::Config;
use clap::Args;
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
        let mut pile = Pile::of_all(self.json, self.verbose && !self.json);
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

/// Writes the one case that was replayed.
fn save(file: &Path, pile: &Pile) -> Result<(), UsageError> {
    if pile.cases != 1 {
        return Err(UsageError::new(format!("--save: {} cases were replayed, expected one", pile.cases)));
    }
    write_new(file, &pile.last).map_err(|error| UsageError::new(format!("--save {}: {error}", file.display())))
}
