//! `bytetwin digest`: one hash per exhaustive slice, against the committed ones.

use super::progress::Progress;
use super::{Exit, UsageError};
use crate::codec::path::Path;
use crate::digest::{SLICES, Twin, parse};
use crate::report::printable;
use crate::run::Budget;
use clap::Args;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Computes the digest of each exhaustive slice and compares it with the committed one
#[derive(Args)]
pub struct Digest {
    /// Slices by name; the quick ones when none is named
    slices: Vec<String>,
    /// Every slice; minutes
    #[arg(long, conflicts_with = "slices")]
    all: bool,
    /// Ask naive instead of the fast twin; much longer
    #[arg(long)]
    naive: bool,
    /// The committed digests
    #[arg(long, default_value = "corpus/digests.txt")]
    file: PathBuf,
}

impl Digest {
    pub(super) fn run(self) -> Result<Exit, UsageError> {
        if let Some(name) = self.slices.iter().find(|name| SLICES.iter().all(|slice| slice.name != **name)) {
            let known: Vec<_> = SLICES.iter().map(|slice| slice.name).collect();
            return Err(UsageError::new(format!("no slice is called {name:?}; there are {}", known.join(", "))));
        }
        let text = std::fs::read_to_string(&self.file)
            .map_err(|error| UsageError::new(format!("{}: {error}", self.file.display())))?;
        let committed = parse(&text);
        let twin = if self.naive { Twin::Naive } else { Twin::Fast(Path::best()) };
        let wanted = |name: &str, quick: bool| {
            if self.slices.is_empty() { self.all || quick } else { self.slices.iter().any(|slice| slice == name) }
        };
        let mut exit = Exit::Agree;
        for slice in SLICES.iter().filter(|slice| wanted(slice.name, slice.quick)) {
            let started = Instant::now();
            let progress = Progress::new(slice.name, Budget::Time(Duration::MAX));
            let digest = slice.digest(twin, &|bytes| progress.set(bytes));
            progress.finish();
            let known = committed.iter().find(|(name, _)| *name == slice.name).map(|(_, digest)| *digest);
            let said = match known {
                Some(known) if known == digest => "as committed".to_string(),
                Some(known) => format!("CHANGED, committed is {}", printable(known, false)),
                None => "not committed".to_string(),
            };
            if known != Some(&digest[..]) {
                exit = Exit::Differ;
            }
            println!("{} {digest} {said} ({:.1} s; {})", slice.name, started.elapsed().as_secs_f64(), slice.about);
        }
        Ok(exit)
    }
}
