//! What each byte of an AMQP decimal means.

use super::{AmqpDecimal, Params, number_to_text};
use crate::codec::amqp_decimal::{Raw, naive};
use crate::domain::{Explain, Span};

impl Explain for AmqpDecimal {
    fn spans(params: &Params, bytes: &[u8]) -> Vec<Span> {
        let mut spans = Vec::new();
        let length = params.codec.value_len();
        for (number, value) in bytes.chunks(length).enumerate() {
            let start = number * length;
            if value.len() < length {
                let field = format!("value {number}, cut after {} of {length} bytes", value.len());
                spans.push(Span { bytes: start..start + value.len(), field, value: String::new() });
                break;
            }
            let mut at = start;
            let mut span = |length: usize, field: &str, value: String| {
                spans.push(Span { bytes: at..at + length, field: format!("value {number}, {field}"), value });
                at += length;
            };
            if params.codec.tag {
                span(1, "tag", format!("{:?}", char::from(value[0])));
            }
            span(1, "scale", value[length - 5].to_string());
            let mut raw = [Raw::default()];
            let said = match naive::decode_into(value, params.codec, &mut raw) {
                Ok(_) => number_to_text((raw[0].is_negative(), raw[0].magnitude.into(), raw[0].scale)),
                Err(error) => error.to_string(),
            };
            span(4, "mantissa", said);
        }
        spans
    }
}
