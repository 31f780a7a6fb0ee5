//! What each byte of a table means.

use super::{AmqpTable, LEVEL_LIMIT, Params, Top, text};
use crate::codec::amqp_decimal::{Raw, naive as decimal};
use crate::codec::amqp_table::Profile;
use crate::domain::{Explain, Span};

impl Explain for AmqpTable {
    fn spans(params: &Params, bytes: &[u8]) -> Vec<Span> {
        let mut walk = Walk { bytes, at: 0, params, spans: Vec::new() };
        let read = match params.top {
            Top::Table => walk.table("table", bytes.len(), 1),
            Top::Array => walk.array("array", bytes.len(), 1),
        };
        let field = match read {
            Some(()) => "behind the end",
            None => "what cannot be read",
        };
        if walk.at < bytes.len() {
            walk.spans.push(Span { bytes: walk.at..bytes.len(), field: field.into(), value: String::new() });
        }
        walk.spans
    }
}

/// Characters of the path to a table that its fields repeat.
const SHOWN: usize = 100;

/// The end of a path: a small table in tables of long keys would be one of long words.
fn end_of(path: &str) -> String {
    match path.char_indices().nth_back(SHOWN) {
        Some((at, _)) => format!("..{}", &path[at..]),
        None => path.to_string(),
    }
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    params: &'a Params,
    spans: Vec<Span>,
}

impl Walk<'_> {
    /// So many octets, where the enclosing table or array has them.
    fn octets(&self, count: usize, end: usize) -> Option<&[u8]> {
        self.bytes[..end].get(self.at..self.at.checked_add(count)?)
    }

    fn number(&self, length: usize, end: usize) -> Option<u64> {
        Some(self.octets(length, end)?.iter().fold(0, |number, octet| number << 8 | u64::from(*octet)))
    }

    fn span(&mut self, count: usize, field: String, value: String) {
        self.spans.push(Span { bytes: self.at..self.at + count, field, value });
        self.at += count;
    }

    /// A length of 1 or 4 octets, and that many octets.
    fn string(&mut self, path: &str, length: usize, what: &str, end: usize) -> Option<String> {
        let count = self.number(length, end)? as usize;
        let said = String::from_utf8_lossy(self.octets(length.checked_add(count)?, end)?.get(length..)?).into_owned();
        self.span(length, format!("{path} {what}length"), count.to_string());
        self.span(count, format!("{path} {what}octets"), format!("{said:?}"));
        Some(said)
    }

    /// Where a table or array ends.
    fn enter(&mut self, path: &str, end: usize, level: usize) -> Option<usize> {
        let count = self.number(4, end)? as usize;
        let inner = (self.at + 4).checked_add(count)?;
        if inner > end || level > LEVEL_LIMIT {
            return None;
        }
        self.span(4, format!("{path} length"), count.to_string());
        Some(inner)
    }

    fn table(&mut self, path: &str, end: usize, level: usize) -> Option<()> {
        let end = self.enter(path, end, level)?;
        let path = &end_of(path);
        while self.at < end {
            let name = self.string(path, 1, "name ", end)?;
            self.field(&format!("{path}.{name}"), end, level)?;
        }
        Some(())
    }

    fn array(&mut self, path: &str, end: usize, level: usize) -> Option<()> {
        let end = self.enter(path, end, level)?;
        let path = &end_of(path);
        let mut number = 0;
        while self.at < end {
            self.field(&format!("{path}[{number}]"), end, level)?;
            number += 1;
        }
        Some(())
    }

    fn field(&mut self, path: &str, end: usize, level: usize) -> Option<()> {
        let tag = self.octets(1, end)?[0];
        let known = b"tbBsUuIilLfdDSATFV".contains(&tag) || tag == b'x' && self.profile() == Profile::RabbitMq;
        if !known {
            return None;
        }
        self.span(1, format!("{path} tag"), format!("{:?}", char::from(tag)));
        let fixed = |length: usize, signed: bool| Some((length, signed));
        let number = match tag {
            b't' | b'B' => fixed(1, false),
            b'b' => fixed(1, true),
            b's' if self.profile() == Profile::Specification => None,
            b's' | b'U' => fixed(2, true),
            b'u' => fixed(2, false),
            b'I' => fixed(4, true),
            b'i' | b'f' => fixed(4, false),
            b'l' | b'L' => fixed(8, self.profile() == Profile::RabbitMq || tag == b'L'),
            b'd' | b'T' => fixed(8, false),
            _ => None,
        };
        if let Some((length, signed)) = number {
            let number = self.number(length, end)?;
            let unused = 64 - 8 * length as u32;
            let said = match (tag, signed) {
                (b'f', _) => format!("{:?}", f32::from_bits(number as u32)),
                (b'd', _) => format!("{:?}", f64::from_bits(number)),
                (_, true) => ((number as i64) << unused >> unused).to_string(),
                (_, false) => number.to_string(),
            };
            self.span(length, format!("{path} value"), said);
            return Some(());
        }
        match tag {
            b'D' => {
                let mut raw = [Raw::default()];
                let octets = self.octets(5, end)?;
                let scale = octets[0];
                let said = match decimal::decode_into(octets, self.params.codec.decimal.without_tag(), &mut raw) {
                    Ok(_) => text::decimal(&raw[0]),
                    Err(error) => error.to_string(),
                };
                self.span(1, format!("{path} scale"), scale.to_string());
                self.span(4, format!("{path} mantissa"), said);
            }
            b's' => _ = self.string(path, 1, "", end)?,
            b'S' | b'x' => _ = self.string(path, 4, "", end)?,
            b'A' => self.array(path, end, level + 1)?,
            b'F' => self.table(path, end, level + 1)?,
            _ => {}
        }
        Some(())
    }

    fn profile(&self) -> Profile {
        self.params.codec.profile
    }
}
