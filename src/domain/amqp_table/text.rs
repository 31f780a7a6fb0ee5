//! The text form of tables: `{"k": I 1234, "t": F {"a": S "bc"}, "d": D -15e-1, "x": x hex:aa55, "n": V}`.
//!
//! Arrays are `[I 1, V]`. The letters are RabbitMQ's tags, whatever the profile; `Q` is an unsigned number of 64 bits
//! and `z` a short string, which RabbitMQ has no tags for. In quotes, `\"`, `\\` and `\xNN` stand for one octet. A NaN
//! is written by its bits: `f bits:7fc00000`.

use super::{COUNT_LIMIT, Field, LEVEL_LIMIT, Top, Values};
use crate::case::TextError;
use crate::case::text::{hex, parse_hex};
use crate::codec::amqp_decimal::{Raw, Sign};
use crate::codec::amqp_table::Entry;
use core::fmt::Write;
use core::str::FromStr;

pub(super) fn write(values: &Values) -> String {
    let mut text = String::new();
    match values {
        Values::Table(table) => write_entries(&table.entries, &mut text),
        Values::Array(array) => write_fields(&array.values, &mut text),
    }
    text
}

fn write_entries(entries: &[Entry<'_>], text: &mut String) {
    text.push('{');
    for (number, entry) in entries.iter().enumerate() {
        text.push_str(if number == 0 { "" } else { ", " });
        write_octets(&entry.name, text);
        text.push_str(": ");
        write_field(&entry.value, text);
    }
    text.push('}');
}

fn write_fields(values: &[crate::codec::amqp_table::Field<'_>], text: &mut String) {
    text.push('[');
    for (number, value) in values.iter().enumerate() {
        text.push_str(if number == 0 { "" } else { ", " });
        write_field(value, text);
    }
    text.push(']');
}

fn write_octets(octets: &[u8], text: &mut String) {
    text.push('"');
    for octet in octets {
        match octet {
            b'"' | b'\\' => text.extend(['\\', char::from(*octet)]),
            b' '..=b'~' => text.push(char::from(*octet)),
            _ => _ = write!(text, "\\x{octet:02x}"),
        }
    }
    text.push('"');
}

/// One number as `-15e-1`: mantissa and scale as they stand.
pub(super) fn decimal(raw: &Raw) -> String {
    format!("{}{}e-{}", if raw.sign == Sign::Minus { "-" } else { "" }, raw.magnitude, raw.scale)
}

/// One value, its letter first.
pub(super) fn write_field(field: &crate::codec::amqp_table::Field<'_>, text: &mut String) {
    type Field<'a> = crate::codec::amqp_table::Field<'a>;
    let written = match field {
        Field::Boolean(value) => write!(text, "t {value}"),
        Field::ShortShortInt(value) => write!(text, "b {value}"),
        Field::ShortShortUint(value) => write!(text, "B {value}"),
        Field::ShortInt(value) => write!(text, "s {value}"),
        Field::ShortUint(value) => write!(text, "u {value}"),
        Field::LongInt(value) => write!(text, "I {value}"),
        Field::LongUint(value) => write!(text, "i {value}"),
        Field::LongLongInt(value) => write!(text, "l {value}"),
        Field::LongLongUint(value) => write!(text, "Q {value}"),
        Field::Float(value) if value.is_nan() => write!(text, "f bits:{:08x}", value.to_bits()),
        Field::Float(value) => write!(text, "f {value:?}"),
        Field::Double(value) if value.is_nan() => write!(text, "d bits:{:016x}", value.to_bits()),
        Field::Double(value) => write!(text, "d {value:?}"),
        Field::Decimal(raw) => write!(text, "D {}", decimal(raw)),
        Field::Timestamp(value) => write!(text, "T {value}"),
        Field::Binary(octets) => write!(text, "x hex:{}", hex(octets)),
        Field::Void => write!(text, "V"),
        Field::ShortString(octets) => {
            text.push_str("z ");
            return write_octets(octets, text);
        }
        Field::LongString(octets) => {
            text.push_str("S ");
            return write_octets(octets, text);
        }
        Field::Array(array) => {
            text.push_str("A ");
            return write_fields(&array.values, text);
        }
        Field::Table(table) => {
            text.push_str("F ");
            return write_entries(&table.entries, text);
        }
    };
    written.expect("a String takes everything");
}

pub(super) fn read(top: Top, text: &str) -> Result<Values, TextError> {
    let mut parser = Parser { text, at: 0, left: COUNT_LIMIT };
    let values = match top {
        Top::Table => Values::table(parser.entries(1)?),
        Top::Array => Values::array(parser.fields(1)?),
    };
    match parser.rest() {
        "" => Ok(values),
        _ => Err(parser.error("nothing behind the last bracket")),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// Values that may still come.
    left: usize,
}

impl<'a> Parser<'a> {
    /// What has not been read, blanks passed over.
    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn error(&mut self, expected: &str) -> TextError {
        let found: String = self.rest().chars().take(20).collect();
        TextError::new("values", &found, format!("{expected} at byte {} of the text", self.at))
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn need(&mut self, token: &str, expected: &str) -> Result<(), TextError> {
        if self.take(token) { Ok(()) } else { Err(self.error(expected)) }
    }

    /// Up to the next blank, comma or bracket.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || ",]}".contains(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn parsed<T: FromStr>(&mut self, expected: &str) -> Result<T, TextError> {
        let start = self.at;
        self.word().parse().map_err(|_| {
            self.at = start;
            self.error(expected)
        })
    }

    fn octets(&mut self) -> Result<Vec<u8>, TextError> {
        self.need("\"", "a string in quotes")?;
        let mut octets = Vec::new();
        loop {
            let mut chars = self.text[self.at..].chars();
            let next = chars.next();
            self.at += next.map_or(0, char::len_utf8);
            match (next, chars.next()) {
                (None, _) => return Err(self.error("a closing quote")),
                (Some('"'), _) => return Ok(octets),
                (Some('\\'), Some(octet @ ('"' | '\\'))) => {
                    octets.push(octet as u8);
                    self.at += 1;
                }
                (Some('\\'), Some('x')) => {
                    let digits = self.text.get(self.at + 1..self.at + 3).unwrap_or("");
                    let octet = u8::from_str_radix(digits, 16).map_err(|_| self.error("x and two hex digits"))?;
                    octets.push(octet);
                    self.at += 3;
                }
                (Some('\\'), _) => return Err(self.error("\\\", \\\\ or \\xNN")),
                (Some(other), _) => octets.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
    }

    fn list<T>(
        &mut self,
        level: usize,
        [open, close]: [&str; 2],
        mut item: impl FnMut(&mut Self) -> Result<T, TextError>,
    ) -> Result<Vec<T>, TextError> {
        if level > LEVEL_LIMIT {
            return Err(self.error(&format!("at most {LEVEL_LIMIT} levels")));
        }
        self.need(open, open)?;
        let mut list = Vec::new();
        while !self.take(close) {
            self.left = self.left.checked_sub(1).ok_or_else(|| self.error(&format!("at most {COUNT_LIMIT} values")))?;
            list.push(item(self)?);
            if !self.take(",") {
                self.need(close, &format!("a comma or {close}"))?;
                break;
            }
        }
        Ok(list)
    }

    fn entries(&mut self, level: usize) -> Result<Vec<Entry<'static>>, TextError> {
        self.list(level, ["{", "}"], |parser| {
            let name = parser.octets()?;
            parser.need(":", "a colon")?;
            Ok(Entry::new(name, parser.field(level)?))
        })
    }

    fn fields(&mut self, level: usize) -> Result<Vec<Field>, TextError> {
        self.list(level, ["[", "]"], |parser| parser.field(level))
    }

    fn decimal(&mut self) -> Result<Raw, TextError> {
        let start = self.at;
        let word = self.word();
        let (sign, number) = word.strip_prefix('-').map_or((Sign::Plus, word), |number| (Sign::Minus, number));
        let parts = number.split_once("e-").and_then(|(magnitude, scale)| {
            Some(Raw { magnitude: magnitude.parse().ok()?, scale: scale.parse().ok()?, sign })
        });
        parts.ok_or_else(|| {
            self.at = start;
            self.error("a mantissa and a scale, as -15e-1")
        })
    }

    /// The bits behind `bits:`.
    fn bits(&mut self) -> Result<u64, TextError> {
        let word = self.word();
        u64::from_str_radix(word, 16).map_err(|_| self.error("hex digits"))
    }

    fn field(&mut self, level: usize) -> Result<Field, TextError> {
        let start = self.at;
        Ok(match self.word() {
            "t" => Field::Boolean(self.parsed("true or false")?),
            "b" => Field::ShortShortInt(self.parsed("a signed number of 8 bits")?),
            "B" => Field::ShortShortUint(self.parsed("an unsigned number of 8 bits")?),
            "s" => Field::ShortInt(self.parsed("a signed number of 16 bits")?),
            "u" => Field::ShortUint(self.parsed("an unsigned number of 16 bits")?),
            "I" => Field::LongInt(self.parsed("a signed number of 32 bits")?),
            "i" => Field::LongUint(self.parsed("an unsigned number of 32 bits")?),
            "l" => Field::LongLongInt(self.parsed("a signed number of 64 bits")?),
            "Q" => Field::LongLongUint(self.parsed("an unsigned number of 64 bits")?),
            "f" if self.take("bits:") => Field::Float(f32::from_bits(self.bits()? as u32)),
            "f" => Field::Float(self.parsed("a number or bits:")?),
            "d" if self.take("bits:") => Field::Double(f64::from_bits(self.bits()?)),
            "d" => Field::Double(self.parsed("a number or bits:")?),
            "D" => Field::Decimal(self.decimal()?),
            "z" => Field::ShortString(self.octets()?.into()),
            "S" => Field::LongString(self.octets()?.into()),
            "A" => Field::Array(self.fields(level + 1)?.into()),
            "T" => Field::Timestamp(self.parsed("an unsigned number of 64 bits")?),
            "F" => Field::Table(self.entries(level + 1)?.into()),
            "x" => {
                self.need("hex:", "hex:")?;
                Field::Binary(parse_hex("values", self.word())?.into())
            }
            "V" => Field::Void,
            _ => {
                self.at = start;
                return Err(self.error("a type, one of t b B s u I i l Q f d D z S A T F x V"));
            }
        })
    }
}
