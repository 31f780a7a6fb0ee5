//! Hex with field names: one encoding, or two side by side.

use super::printable;
use crate::case::text::hex;
use crate::domain::Span;
use std::fmt::Write;

/// Bytes of a field that are shown before it is cut short.
const SHOWN: usize = 24;

fn cut(bytes: &[u8]) -> String {
    if bytes.len() <= SHOWN {
        return hex(bytes);
    }
    format!("{}.. ({} bytes)", hex(&bytes[..SHOWN]), bytes.len())
}

/// One line per field: offset, bytes, name, value.
pub fn dump(bytes: &[u8], spans: &[Span]) -> String {
    let mut text = String::new();
    for span in spans {
        let range = span.bytes.start.min(bytes.len())..span.bytes.end.min(bytes.len());
        let _ = writeln!(text, "{:>6}  {:<34}  {}", span.bytes.start, cut(&bytes[range]), said(span));
    }
    text
}

/// The fields in which two encodings differ, with their neighbours left out.
pub fn diff(expected: &[u8], got: &[u8], spans: &[Span]) -> String {
    let mut text = String::new();
    let part =
        |bytes: &[u8], span: &Span| bytes[span.bytes.start.min(bytes.len())..span.bytes.end.min(bytes.len())].to_vec();
    let mut shown = 0;
    let mut more = 0;
    for span in spans {
        let (right, wrong) = (part(expected, span), part(got, span));
        if right == wrong {
            continue;
        }
        if shown == 8 {
            more += 1;
            continue;
        }
        shown += 1;
        let first = right.iter().zip(&wrong).position(|(a, b)| a != b).unwrap_or(right.len().min(wrong.len()));
        let _ = writeln!(text, "  byte {} ({})", span.bytes.start + first, said(span));
        let window = first.saturating_sub(8);
        let _ = writeln!(text, "    right {}", marked(&right, window, first));
        let _ = writeln!(text, "    wrong {}", marked(&wrong, window, first));
    }
    if more > 0 {
        let _ = writeln!(text, "  and {more} more fields");
    }
    if got.len() > expected.len() {
        let more = &got[expected.len()..];
        let _ = writeln!(text, "  {} too many: {}", count_of_bytes(more.len()), cut(more));
    }
    if got.len() < expected.len() {
        let _ = writeln!(text, "  {} too few", count_of_bytes(expected.len() - got.len()));
    }
    text
}

/// `1 byte`, `2 bytes`.
pub(super) fn count_of_bytes(count: usize) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}

/// What it is and what it says, in which there may be words of an encoding.
fn said(span: &Span) -> String {
    let sep = if span.value.is_empty() { "" } else { " = " };
    printable(&format!("{}{sep}{}", span.field, span.value), false).into_owned()
}

/// Hex from `window` on, with brackets around the byte at `first`.
fn marked(bytes: &[u8], window: usize, first: usize) -> String {
    let mut text = String::from(if window > 0 { ".." } else { "" });
    for (at, byte) in bytes.iter().enumerate().skip(window).take(SHOWN) {
        let _ = if at == first { write!(text, "[{byte:02x}]") } else { write!(text, "{byte:02x}") };
    }
    if bytes.len() > window + SHOWN {
        text.push_str("..");
    }
    text
}
