//! Byte strings as text: `"axis", 0x00ff, "a"*64 + "b", "" x 300`.
//!
//! A value is one or more pieces joined by `+`: text in quotes (with `\"`, `\\` and `\x7f`) or hex behind `0x`, each
//! perhaps repeated by `*`. A value that comes many times is followed by ` x ` and how often.

use crate::case::TextError;
use crate::case::text::hex;
use std::fmt::Write;

/// A run of one byte is written as a repetition from so many on, and of one value from so many on.
const WORTH_BYTES: usize = 8;
const WORTH_VALUES: usize = 3;

/// Most bytes that a text may stand for, with one more for each value.
const LIMIT: usize = 1 << 24;

/// Writes values.
pub fn write<'a>(values: impl Iterator<Item = &'a [u8]>) -> String {
    let values: Vec<&[u8]> = values.collect();
    let mut parts = Vec::new();
    for run in values.chunk_by(|a, b| a == b) {
        let one = one_to_text(run[0]);
        if run.len() >= WORTH_VALUES {
            parts.push(format!("{one} x {}", run.len()));
        } else {
            parts.extend(std::iter::repeat_n(one, run.len()));
        }
    }
    parts.join(", ")
}

/// Writes one value.
pub fn one_to_text(value: &[u8]) -> String {
    let mut pieces = Vec::new();
    let mut plain: &[u8] = &[];
    let mut at = 0;
    for run in value.chunk_by(|a, b| a == b) {
        let start = at;
        at += run.len();
        if run.len() >= WORTH_BYTES {
            if !plain.is_empty() {
                pieces.push(piece(plain));
            }
            pieces.push(format!("{}*{}", piece(&run[..1]), run.len()));
            plain = &[];
        } else {
            plain = &value[start - plain.len()..at];
        }
    }
    if !plain.is_empty() || pieces.is_empty() {
        pieces.push(piece(plain));
    }
    pieces.join(" + ")
}

fn piece(bytes: &[u8]) -> String {
    let printable = |byte: u8| (b' '..=b'~').contains(&byte);
    if bytes.iter().filter(|byte| !printable(**byte)).count() * 4 > bytes.len() {
        return format!("0x{}", hex(bytes));
    }
    let mut text = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
            _ if printable(*byte) => text.push(char::from(*byte)),
            _ => {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
    }
    text.push('"');
    text
}

/// Reads values.
pub fn read(key: &str, text: &str) -> Result<Vec<Vec<u8>>, TextError> {
    let mut reader = Reader { rest: text.trim().as_bytes() };
    let mut values: Vec<Vec<u8>> = Vec::new();
    let mut size = 0;
    let error = || TextError::new(key, text, "values as \"axis\", 0x00ff, \"a\"*64 + \"b\" or \"\" x 300, and commas");
    while !reader.rest.is_empty() {
        let value = reader.value().ok_or_else(error)?;
        let times = if reader.takes(b"x") { reader.number().ok_or_else(error)? } else { 1 };
        size = times.saturating_mul(value.len() + 1).saturating_add(size);
        if size > LIMIT {
            return Err(TextError::new(
                key,
                text,
                format!("at most {LIMIT} bytes, where each value counts for one more"),
            ));
        }
        values.extend(std::iter::repeat_n(value, times));
        if !reader.rest.is_empty() && (!reader.takes(b",") || reader.rest.is_empty()) {
            return Err(error());
        }
    }
    Ok(values)
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    /// Passes over `token` and the blanks around it, when it comes next.
    fn takes(&mut self, token: &[u8]) -> bool {
        match self.rest.trim_ascii_start().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_ascii_start();
                true
            }
            None => false,
        }
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest.trim_ascii_start();
        std::str::from_utf8(number).ok()?.parse().ok()
    }

    fn value(&mut self) -> Option<Vec<u8>> {
        let mut value = Vec::new();
        loop {
            let piece = if let Some(rest) = self.rest.strip_prefix(b"\"") {
                self.rest = rest;
                self.quoted()?
            } else {
                self.rest = self.rest.strip_prefix(b"0x")?;
                let digits = self.rest.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
                let (digits, rest) = self.rest.split_at(digits);
                self.rest = rest;
                crate::case::text::parse_hex("", std::str::from_utf8(digits).ok()?).ok()?
            };
            let times = if self.takes(b"*") { self.number()? } else { 1 };
            if times.saturating_mul(piece.len()) > LIMIT - value.len() {
                return None;
            }
            (0..times).for_each(|_| value.extend_from_slice(&piece));
            if !self.takes(b"+") {
                return Some(value);
            }
        }
    }

    fn quoted(&mut self) -> Option<Vec<u8>> {
        let mut value = Vec::new();
        loop {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            match byte {
                b'"' => return Some(value),
                b'\\' => match self.rest {
                    [escaped @ (b'"' | b'\\'), rest @ ..] => {
                        value.push(*escaped);
                        self.rest = rest;
                    }
                    [b'x', high, low, rest @ ..] => {
                        let digit = |byte: u8| char::from(byte).to_digit(16);
                        value.push((digit(*high)? << 4 | digit(*low)?) as u8);
                        self.rest = rest;
                    }
                    _ => return None,
                },
                byte => value.push(*byte),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Vec<u8>> {
        read("values", text).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn values_are_read_back_as_they_were_written() {
        let lists: [&[&[u8]]; 7] = [
            &[],
            &[b""],
            &[b"axis", b"axle", b"a, \"quoted\" \\ one"],
            &[b"", b"", b"", b"\x00\xff\x80", b"x"],
            &[&[b'a'; 64], b"aaaaaaaab", b"baaaaaaaaa", b"caaaaaaaac"],
            &[b"text with \x7f in it", "b\u{e4}".as_bytes()],
            &[b"same", b"same", b"same", b"same"],
        ];
        for list in lists {
            let text = write(list.iter().copied());
            assert_eq!(of(&text), list, "{text}");
        }
    }

    #[test]
    fn long_runs_are_short() {
        assert_eq!(write([&[b'a'; 1000][..]].into_iter()), "\"a\"*1000");
        assert_eq!(write([b"aaaaaaaab".as_slice()].into_iter()), "\"a\"*8 + \"b\"");
        assert_eq!(write([&[0; 9][..], &[0; 9], &[0; 9]].into_iter()), "0x00*9 x 3");
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for text in ["\"", "\"a\" \"b\"", "\"a\",", "a", "0x0", "\"\\q\"", "\"a\" x", "\"a\" +", "\"a\"*99999999999"] {
            assert!(read("values", text).is_err(), "{text}");
        }
    }
}
