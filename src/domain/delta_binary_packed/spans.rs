//! What each byte of a DELTA_BINARY_PACKED page means.

use super::{DeltaBinaryPacked, Kind, Params};
use crate::codec::delta_binary_packed::Geometry;
use crate::domain::{Explain, Span};

impl Explain for DeltaBinaryPacked {
    fn spans(params: &Params, bytes: &[u8]) -> Vec<Span> {
        let mut spans = Vec::new();
        let end = match params.kind {
            Kind::I32 => stream(bytes, 0, 32, "", &mut spans),
            Kind::I64 => stream(bytes, 0, 64, "", &mut spans),
        };
        if let Some(end) = end
            && end < bytes.len()
        {
            spans.push(Span { bytes: end..bytes.len(), field: "behind the page".into(), value: String::new() });
        }
        spans
    }
}

/// Appends the fields of the stream of integers that starts at `start`, each named `of` and what it is. Gives the end
/// of the stream; `None` when it cannot be read, and then the rest is one field that says so.
pub(in crate::domain) fn stream(
    bytes: &[u8],
    start: usize,
    bits: u32,
    of: &str,
    spans: &mut Vec<Span>,
) -> Option<usize> {
    let mut reader = Reader { bytes, at: start, of, spans };
    let end = reader.page(bits);
    if end.is_none() {
        let at = reader.at;
        reader.spans.push(Span {
            bytes: at..bytes.len(),
            field: format!("{of}cannot be read from here on"),
            value: String::new(),
        });
    }
    end
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    of: &'a str,
    spans: &'a mut Vec<Span>,
}

impl Reader<'_> {
    fn span(&mut self, length: usize, field: impl std::fmt::Display, value: impl std::fmt::Display) {
        let field = format!("{}{field}", self.of);
        self.spans.push(Span { bytes: self.at..self.at + length, field, value: value.to_string() });
        self.at += length;
    }

    fn number(&mut self, field: impl std::fmt::Display, signed: bool) -> Option<u64> {
        let mut number = 0_u128;
        let rest = self.bytes.get(self.at..)?;
        let length = 1 + rest.iter().take(10).position(|byte| *byte < 0x80)?;
        rest[..length].iter().rev().for_each(|byte| number = number << 7 | u128::from(byte & 0x7f));
        let number = u64::try_from(number).ok()?;
        if signed {
            self.span(length, field, (number >> 1) as i64 ^ -((number & 1) as i64));
        } else {
            self.span(length, field, number);
        }
        Some(number)
    }

    fn page(&mut self, bits: u32) -> Option<usize> {
        let block_size = self.number("values per block", false)?;
        let minis = self.number("miniblocks per block", false)?;
        let count = self.number("values", false)?;
        self.number("first value", true)?;
        let geometry = Geometry::new(usize::try_from(block_size).ok()?, usize::try_from(minis).ok()?).ok()?;
        let mut left = usize::try_from(count).ok()?.saturating_sub(1);
        let mut block = 0;
        while left > 0 {
            self.number(format_args!("block {block}, least delta"), true)?;
            let widths = self.bytes.get(self.at..self.at + geometry.miniblock_count())?;
            self.span(widths.len(), format_args!("block {block}, widths"), format_args!("{widths:?}"));
            for (index, width) in widths.iter().enumerate() {
                if left == 0 {
                    break;
                }
                let length = geometry.miniblock_size() / 8 * usize::from(*width);
                if u32::from(*width) > bits || self.bytes.len() - self.at < length {
                    return None;
                }
                let here = left.min(geometry.miniblock_size());
                let value = format!("{here} deltas of {width} bits");
                self.span(length, format_args!("block {block}, miniblock {index}"), value);
                left -= here;
            }
            block += 1;
        }
        Some(self.at)
    }
}
