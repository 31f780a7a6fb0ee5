//! What each byte of a decimal page means.

use super::{Decimal, Items, Params};
use crate::codec::decimal::Physical;
use crate::domain::{Explain, Span};
use num_bigint::{BigInt, Sign};

impl Explain for Decimal {
    fn spans(params: &Params, bytes: &[u8]) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut span = |start: usize, length: usize, field: String, value: String| {
            spans.push(Span { bytes: start..start + length, field, value });
        };
        let Some(width) = params.physical.width() else {
            for (number, item) in Items::new(bytes).enumerate() {
                let start = item.offset;
                if !item.whole {
                    span(start, item.bytes.len(), format!("value {number}, cut"), String::new());
                    break;
                }
                let body = &item.bytes[4..];
                span(start, 4, format!("value {number}, length"), body.len().to_string());
                if !body.is_empty() {
                    let said = said(params, &BigInt::from_signed_bytes_be(body));
                    span(start + 4, body.len(), format!("value {number}, unscaled, big-endian"), said);
                }
            }
            return spans;
        };
        let width = (width as usize).max(1);
        for (number, item) in bytes.chunks(width).enumerate() {
            let start = number * width;
            if item.len() < width {
                let field = format!("value {number}, cut after {} of {width} bytes", item.len());
                span(start, item.len(), field, String::new());
                break;
            }
            let (value, order) = match params.physical {
                Physical::Int32 | Physical::Int64 => (BigInt::from_signed_bytes_le(item), "little-endian"),
                _ => (BigInt::from_signed_bytes_be(item), "big-endian"),
            };
            span(start, width, format!("value {number}, unscaled, {order}"), said(params, &value));
        }
        spans
    }
}

/// `-12345`, or with a scale `-12345 = -123.45`.
fn said(params: &Params, value: &BigInt) -> String {
    let scale = params.scale as usize;
    if scale == 0 {
        return value.to_string();
    }
    let digits = format!("{:0>width$}", value.magnitude().to_string(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    format!("{value} = {}{whole}.{fraction}", if value.sign() == Sign::Minus { "-" } else { "" })
}
