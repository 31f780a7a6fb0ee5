//! A file of the corpus: comments that say where the case comes from, the case, and what is right.
//!
//! `expect` is what naive must answer: hex for bytes, the values and the number of bytes consumed for a decode,
//! or an error. It is compared as text, so a corpus file is read by people and programs alike.

use super::text::{Fields, TextError};

/// A corpus file, before its codec is known.
#[derive(Clone, Debug)]
pub struct CaseFile {
    /// The comment lines, without their `#`.
    pub comments: Vec<String>,
    /// The lines of the case, and `expect`.
    pub fields: Fields,
}

impl CaseFile {
    /// Reads a corpus file.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let comments =
            text.lines().filter_map(|line| line.strip_prefix('#')).map(|line| line.trim().to_string()).collect();
        Ok(Self { comments, fields: Fields::parse(text)? })
    }

    /// What naive must answer.
    pub fn expect(&self) -> Option<&str> {
        self.fields.get("expect")
    }

    /// The name of the codec.
    pub fn codec(&self) -> Result<&str, TextError> {
        self.fields.need("codec")
    }
}
