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

#[cfg(test)]
mod tests {
    use super::CaseFile;

    #[test]
    fn a_file_has_its_comments_its_codec_and_what_is_expected() {
        let file = CaseFile::parse("# where from\n#and why\ncodec: amqp_table\nexpect: 00\n").expect("a case file");
        assert_eq!(file.comments, ["where from", "and why"]);
        assert_eq!((file.codec(), file.expect()), (Ok("amqp_table"), Some("00")));
        let empty = CaseFile::parse("").expect("no line is wrong");
        assert_eq!((empty.codec().map_err(|error| error.key), empty.expect()), (Err("codec".into()), None));
    }
}
