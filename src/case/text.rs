//! The text form of a case: `key: value` lines, in which the committed corpus is kept.
//!
//! A line that starts with `#` is a comment. A line that starts with a space continues the value above it. Keys are
//! written once each, in the order `codec`, `job`, the codec's own, then the job's.

use super::{Capacity, Case, Domain, Job, Step};
use core::cell::Cell;
use core::fmt;

/// Why a text is not a case: which key, what it says, what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The key at fault.
    pub key: String,
    /// What was found and what was expected instead.
    pub problem: String,
}

impl TextError {
    /// `key` holds `found`; `expected` says what it should hold.
    pub fn new(key: &str, found: &str, expected: impl fmt::Display) -> Self {
        Self { key: key.into(), problem: format!("found {found:?}, expected {expected}") }
    }

    /// The line of `text` that is at fault, counted from 1: that of the key, or the last one when the key is missing.
    pub fn line_in(&self, text: &str) -> usize {
        if let Some(number) = self.key.strip_prefix("line ").and_then(|number| number.parse().ok()) {
            return number;
        }
        let of_key = |line: &str| line.strip_prefix(self.key.as_str()).is_some_and(|rest| rest.starts_with(':'));
        // The last of that key: a key that is there twice is an error of the second one.
        let lines = text.lines().count();
        text.lines().rev().position(of_key).map_or(lines.max(1), |behind| lines - behind)
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.problem)
    }
}

impl std::error::Error for TextError {}

/// The `key: value` lines of a text, in order. It knows which were asked for, so that a misspelt key is not passed over.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
struct Line {
    key: String,
    value: String,
    asked: Cell<bool>,
}

/// Keys of a file that are not the case's.
const FILE_KEYS: [&str; 3] = ["codec", "expect", "theirs"];

impl Fields {
    /// Reads lines. Comments are passed over, continuation lines joined with a space.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut fields = Self::default();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            if line.starts_with(' ') {
                let Some(Line { value, .. }) = fields.lines.last_mut() else {
                    return Err(TextError::new(
                        &format!("line {}", number + 1),
                        line,
                        "a key before a continued value",
                    ));
                };
                value.push(' ');
                value.push_str(line.trim());
                continue;
            }
            let Some((key, value)) = line.split_once(':') else {
                return Err(TextError::new(&format!("line {}", number + 1), line, "key: value"));
            };
            let key = key.trim();
            if fields.lines.iter().any(|line| line.key == key) {
                return Err(TextError::new(key, value.trim(), "each key once"));
            }
            fields.push(key, value.trim());
        }
        Ok(fields)
    }

    /// Appends a line.
    pub fn push(&mut self, key: &str, value: impl fmt::Display) {
        self.lines.push(Line { key: key.into(), value: value.to_string(), asked: Cell::new(false) });
    }

    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&str> {
        let line = self.lines.iter().find(|line| line.key == key)?;
        line.asked.set(true);
        Some(&line.value)
    }

    /// The value of `key`, or an error that names it.
    pub fn need(&self, key: &str) -> Result<&str, TextError> {
        self.get(key).ok_or_else(|| TextError { key: key.into(), problem: "this line is missing".into() })
    }

    /// The value of `key` as a `T`, or an error that says what was expected.
    pub fn parsed<T: core::str::FromStr>(&self, key: &str, expected: &str) -> Result<T, TextError> {
        let text = self.need(key)?;
        text.parse().map_err(|_| TextError::new(key, text, expected))
    }

    /// Which of `choices` the value of `key` is; the first one when the line is missing.
    pub fn choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Result<T, TextError> {
        let text = self.get(key).unwrap_or(choices[0].0);
        choices.iter().find(|(name, _)| *name == text).map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
            TextError::new(key, text, format!("one of {}", names.join(", ")))
        })
    }

    /// An error for the first line that nobody has asked for, those of a file (`expect`, `theirs`) apart.
    pub fn refuse_unasked(&self) -> Result<(), TextError> {
        match self.lines.iter().find(|line| !line.asked.get() && !FILE_KEYS.contains(&&line.key[..])) {
            Some(line) => {
                Err(TextError::new(&line.key, &line.value, "no such line: this case has no key of that name"))
            }
            None => Ok(()),
        }
    }
}

impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Line { key, value, .. } in &self.lines {
            // An empty value keeps its line without a blank at the end of it.
            writeln!(f, "{key}:{}{value}", if value.is_empty() { "" } else { " " })?;
        }
        Ok(())
    }
}

/// Lower-case hex without spaces.
pub fn hex(bytes: &[u8]) -> String {
    use core::fmt::Write;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Reads hex; spaces and underscores between digits are passed over.
pub fn parse_hex(key: &str, text: &str) -> Result<Vec<u8>, TextError> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '_')
        .map(|c| c.to_digit(16).map(|digit| digit as u8))
        .collect();
    match digits {
        Some(digits) if digits.len() % 2 == 0 => Ok(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()),
        _ => Err(TextError::new(key, text, "pairs of hex digits")),
    }
}

impl Capacity {
    fn from_text(text: &str) -> Result<Self, TextError> {
        let error = || TextError::new("capacity", text, "exact, short N or slack N");
        if text == "exact" {
            return Ok(Self::Exact);
        }
        let (kind, by) = text.split_once(' ').ok_or_else(error)?;
        let by = by.parse().map_err(|_| error())?;
        match kind {
            "short" => Ok(Self::Short(by)),
            "slack" => Ok(Self::Slack(by)),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
            Self::Short(by) => write!(f, "short {by}"),
            Self::Slack(by) => write!(f, "slack {by}"),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Get(count) => write!(f, "get {count}"),
            Self::Skip(count) => write!(f, "skip {count}"),
        }
    }
}

fn steps_from_text(text: &str) -> Result<Vec<Step>, TextError> {
    let error = || TextError::new("steps", text, "get N and skip N, separated by commas");
    text.split(',')
        .map(|step| {
            let (kind, count) = step.trim().split_once(' ').ok_or_else(error)?;
            let count = count.parse().map_err(|_| error())?;
            match kind {
                "get" => Ok(Step::Get(count)),
                "skip" => Ok(Step::Skip(count)),
                _ => Err(error()),
            }
        })
        .collect()
}

fn list<T: fmt::Display>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

impl<D: Domain> Case<D> {
    /// The text form: `key: value` lines.
    pub fn to_text(&self) -> String {
        let mut fields = Fields::default();
        fields.push("codec", D::CODEC);
        fields.push("job", self.direction().name());
        D::params_to_text(&self.params, &mut fields);
        match &self.job {
            Job::Encode { values, puts, capacity } => {
                fields.push("values", D::values_to_text(&self.params, values));
                if !puts.is_empty() {
                    fields.push("puts", list(puts));
                }
                if *capacity != Capacity::Exact {
                    fields.push("capacity", capacity);
                }
            }
            Job::Decode { bytes, steps } => {
                fields.push("bytes", hex(bytes));
                if !steps.is_empty() {
                    fields.push("steps", list(steps));
                }
            }
        }
        fields.to_string()
    }

    /// Reads the lines of a text form. The caller has looked at `codec` already.
    pub fn from_fields(fields: &Fields) -> Result<Self, TextError> {
        let params = D::params_from_text(fields)?;
        let job = match fields.need("job")? {
            "encode" => {
                let puts = match fields.get("puts") {
                    None => Vec::new(),
                    Some(text) => text
                        .split(',')
                        .map(|put| put.trim().parse().map_err(|_| TextError::new("puts", text, "numbers and commas")))
                        .collect::<Result<_, _>>()?,
                };
                let values = D::values_from_text(&params, fields.need("values")?)?;
                Job::Encode { values, puts, capacity: Capacity::from_text(fields.get("capacity").unwrap_or("exact"))? }
            }
            "decode" => Job::Decode {
                bytes: parse_hex("bytes", fields.need("bytes")?)?,
                steps: fields.get("steps").map(steps_from_text).transpose()?.unwrap_or_default(),
            },
            other => return Err(TextError::new("job", other, "encode or decode")),
        };
        fields.refuse_unasked()?;
        let case = Self { params, job };
        case.fits_the_byte_form()?;
        Ok(case)
    }

    /// What the byte form cannot hold would be replayed as another case: the line that would change.
    fn fits_the_byte_form(&self) -> Result<(), TextError> {
        let read = Self::from_bytes(&self.to_bytes()).expect("a case writes a case");
        if read == *self {
            return Ok(());
        }
        let (text, read) = (self.to_text(), read.to_text());
        // The last one: the byte form has the call pattern before the values, which it takes along when it changes.
        let changed = text.lines().rev().find(|line| read.lines().all(|other| other != *line)).unwrap_or_default();
        let (key, value) = changed.split_once(": ").unwrap_or((changed, ""));
        let shown: String = value.chars().take(60).collect();
        Err(TextError::new(key, &shown, "no more than the byte form of a case holds"))
    }

    /// Reads a text form.
    pub fn from_text(text: &str) -> Result<Self, TextError> {
        Self::from_fields(&Fields::parse(text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::delta_binary_packed::DeltaBinaryPacked;

    #[test]
    fn lines_are_joined_to_keys_and_what_is_no_line_is_named_with_its_number() {
        let fields = Fields::parse("# comment\n\ncodec: x\n  y\nempty:\n").expect("lines");
        assert_eq!((fields.get("codec"), fields.get("empty"), fields.get("none")), (Some("x y"), Some(""), None));
        assert_eq!(fields.to_string(), "codec: x y\nempty:\n");
        for (text, key, line) in [
            ("# comment\n  continued\n", "line 2", 2),
            ("a: 1\n\nno colon\n", "line 3", 3),
            ("a: 1\nb: 2\na: 3\nc: 4\n", "a", 3),
        ] {
            let error = Fields::parse(text).expect_err(text);
            assert_eq!((&error.key[..], error.line_in(text)), (key, line), "{text}");
        }
    }

    #[test]
    fn an_error_is_at_the_line_of_its_key_or_at_the_last_line_and_says_what_was_expected() {
        let error = TextError::new("width", "x", "a number");
        for (text, line) in [("width: x\na: 1\n", 1), ("a: 1\nwidth: x\n", 2), ("a: 1\nwidths: x\n", 2), ("", 1)] {
            assert_eq!(error.line_in(text), line, "{text}");
        }
        assert_eq!(error.to_string(), "width: found \"x\", expected a number");
        let fields = Fields::parse("width: x\n").expect("lines");
        assert_eq!(fields.parsed::<u8>("width", "a number"), Err(error));
        assert_eq!(fields.need("size").expect_err("missing").to_string(), "size: this line is missing");
        let sizes = [("small", 1), ("large", 2)];
        let wrong = fields.choice("width", &sizes).expect_err("no choice");
        assert_eq!(wrong.to_string(), "width: found \"x\", expected one of small, large");
        assert_eq!(fields.choice("size", &sizes), Ok(1));
    }

    #[test]
    fn hex_is_read_with_blanks_and_underscores_in_pairs_of_digits_only() {
        let error = |text| Err(TextError::new("bytes", text, "pairs of hex digits"));
        for (text, bytes) in [
            ("", Ok(vec![])),
            ("00ff", Ok(vec![0, 255])),
            ("1 2_A b", Ok(vec![0x12, 0xab])),
            ("123", error("123")),
            ("1g", error("1g")),
            ("1-2", error("1-2")),
        ] {
            assert_eq!(parse_hex("bytes", text), bytes, "{text}");
        }
    }

    #[test]
    fn a_line_with_a_wrong_value_is_refused_by_its_key() {
        for (lines, key) in [
            ("job: walk", "job"),
            ("job: encode", "values"),
            ("job: encode\nvalues: 1\ncapacity: short", "capacity"),
            ("job: encode\nvalues: 1\ncapacity: short x", "capacity"),
            ("job: encode\nvalues: 1\ncapacity: long 1", "capacity"),
            ("job: encode\nvalues: 1\nputs: x", "puts"),
            ("job: decode\nbytes: 0", "bytes"),
            ("job: decode\nbytes: 00\nsteps: get", "steps"),
            ("job: decode\nbytes: 00\nsteps: get 1, skip x", "steps"),
            ("job: decode\nbytes: 00\nsteps: leap 1", "steps"),
            ("job: decode\nbytes: 00\nsteps: get 1\nstep: get 1", "step"),
        ] {
            let read = Case::<DeltaBinaryPacked>::from_text(&format!("codec: delta_binary_packed\n{lines}\n"));
            assert_eq!(read.expect_err(lines).key, key, "{lines}");
        }
    }

    #[test]
    fn capacities_and_steps_are_written_as_they_are_read() {
        for lines in ["capacity: short 3", "capacity: slack 2", "puts: 1, 20, 3"] {
            let case = Case::<DeltaBinaryPacked>::from_text(&format!("job: encode\nvalues: 1, 2, 3\n{lines}\n"));
            assert!(case.expect(lines).to_text().ends_with(&format!("{lines}\n")), "{lines}");
        }
        let case = Case::<DeltaBinaryPacked>::from_text("job: decode\nbytes: 00\nsteps: get 1, skip 20\n");
        let case = case.expect("a case");
        assert!(case.to_text().ends_with("bytes: 00\nsteps: get 1, skip 20\n"));
        assert_eq!(format!("{case:?}"), case.to_text());
        assert_eq!(case.job, Job::Decode { bytes: vec![0], steps: vec![Step::Get(1), Step::Skip(20)] });
        assert_eq!((Capacity::Short(3).of(2), Capacity::Short(3).of(5), Capacity::Slack(2).of(5)), (0, 2, 7));
    }
}
