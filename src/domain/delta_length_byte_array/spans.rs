//! What each byte of a DELTA_LENGTH_BYTE_ARRAY page means.

use super::DeltaLengthByteArray;
use crate::codec::delta_binary_packed::decode;
use crate::domain::byte_strings::{Params, one_to_text};
use crate::domain::delta_binary_packed::spans::stream;
use crate::domain::{Explain, Span};

impl Explain for DeltaLengthByteArray {
    fn spans(params: &Params, bytes: &[u8]) -> Vec<Span> {
        let mut spans = Vec::new();
        let Some(mut at) = stream(bytes, 0, 32, "lengths, ", &mut spans) else { return spans };
        let Ok((lengths, _)) = decode::<i32>(bytes, params.max_values as usize) else { return spans };
        for (index, length) in lengths.into_iter().enumerate() {
            let end = usize::try_from(length).ok().and_then(|length| at.checked_add(length));
            let Some(value) = end.and_then(|end| bytes.get(at..end)) else {
                let field = format!("value {index}, of which {length} bytes are said to be here");
                spans.push(Span { bytes: at..bytes.len(), field, value: String::new() });
                return spans;
            };
            spans.push(Span {
                bytes: at..at + value.len(),
                field: format!("value {index}"),
                value: one_to_text(value),
            });
            at += value.len();
        }
        if at < bytes.len() {
            spans.push(Span { bytes: at..bytes.len(), field: "behind the page".into(), value: String::new() });
        }
        spans
    }
}
