//! `bytetwin serve`: answers for a subject in another process's run.

use super::{Exit, UsageError};
use crate::registry;
use crate::subject::process::greeted;
use clap::Args;
use std::io::{BufReader, BufWriter, Write};

/// Answers for a subject over standard input and output, as `--against` and `--program` of `check` and `replay` ask it
#[derive(Args)]
pub struct Serve {
    /// The subject, or a bug of the museum; the fast twin on the best path of codec and machine when left out
    #[arg(long)]
    subject: Option<String>,
}

impl Serve {
    pub(super) fn run(self) -> Result<Exit, UsageError> {
        let failed = |error: std::io::Error| UsageError::new(format!("serve: {error}"));
        let (mut from, mut to) = (BufReader::new(std::io::stdin().lock()), BufWriter::new(std::io::stdout().lock()));
        let codec = greeted(&mut from).map_err(failed)?;
        let served = match registry::find(&codec) {
            Some(codec) => {
                // A codec names its paths from the portable one to the best.
                let best = || codec.subjects().into_iter().rfind(|name| name.starts_with("fast-"));
                let subject = self.subject.or_else(best).unwrap_or_default();
                codec.serve(&subject, &mut from, &mut to).map_err(failed)?
            }
            None => false,
        };
        if !served {
            writeln!(to, "unknown").and_then(|()| to.flush()).map_err(failed)?;
        }
        Ok(Exit::Agree)
    }
}
