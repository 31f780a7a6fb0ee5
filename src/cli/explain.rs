//! `bytetwin explain`: every field of a case, a crash file, or raw bytes.

use super::files::{case_text, from_hex, read, unreadable};
use super::{Exit, UsageError};
use crate::case::Fields;
use crate::case::text::{hex, parse_hex};
use crate::registry;
use clap::Args;
use std::path::{Path, PathBuf};

/// Shows every field of a case, a crash file, or raw bytes of a codec
#[derive(Args)]
pub struct Explain {
    /// A case file, a crash file of a fuzzer, or - for standard input
    #[arg(required_unless_present_any = ["bytes", "hex"])]
    path: Option<PathBuf>,
    /// The bytes of a case, as a finding prints them
    #[arg(long, conflicts_with_all = ["path", "bytes"])]
    hex: Option<String>,
    /// Raw bytes of an encoding, in hex
    #[arg(long, requires = "codec", conflicts_with = "path")]
    bytes: Option<String>,
    /// The codec of the raw bytes
    #[arg(long)]
    codec: Option<String>,
    /// Parameters of the raw bytes as in a case file, `key: value`; once for each
    #[arg(long = "with")]
    with: Vec<String>,
}

impl Explain {
    pub(super) fn run(self) -> Result<Exit, UsageError> {
        let (origin, text) = self.text()?;
        let bad = |error: crate::case::TextError| UsageError::new(format!("{origin}: {error}"));
        let fields = Fields::parse(&text).map_err(bad)?;
        let name = fields.need("codec").map_err(bad)?;
        let codec = registry::find(name)
            .ok_or_else(|| UsageError::new(format!("{origin}: codec: no codec is called {name:?}")))?;
        print!("{}", codec.explain(&fields).map_err(bad)?);
        Ok(Exit::Agree)
    }

    /// What to call it in a message, and the case as text, whatever it was given as.
    fn text(&self) -> Result<(String, String), UsageError> {
        if let (Some(bytes), Some(codec)) = (&self.bytes, &self.codec) {
            let bytes = parse_hex("--bytes", bytes).map_err(|error| UsageError::new(error.to_string()))?;
            let with: String = self.with.iter().map(|line| format!("{line}\n")).collect();
            let text = format!("codec: {codec}\njob: decode\n{with}bytes: {}\n", hex(&bytes));
            return Ok(("--bytes".to_string(), text));
        }
        let (origin, bytes) = match &self.hex {
            Some(hex) => ("--hex".to_string(), from_hex(hex)?),
            None => read(self.path.as_deref().unwrap_or(Path::new("-")))?,
        };
        if let Some(text) = registry::of_bytes(&bytes).and_then(|codec| codec.bytes_to_text(&bytes)) {
            return Ok((origin, text));
        }
        match case_text(&bytes) {
            Some(text) => Ok((origin, text.to_string())),
            None => Err(unreadable(&origin)),
        }
    }
}
