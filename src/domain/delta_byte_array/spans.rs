//! What each byte of a DELTA_BYTE_ARRAY page means.

use super::DeltaByteArray;
use crate::codec::delta_binary_packed::decode;
use crate::domain::byte_strings::{Params, one_to_text};
use crate::domain::delta_binary_packed::spans::stream;
use crate::domain::{Explain, Span};

impl Explain for DeltaByteArray {
    fn spans(params: &Params, bytes: &[u8]) -> Vec<Span> {
        let (mut spans, max) = (Vec::new(), params.max_values as usize);
        let Some(second) = stream(bytes, 0, 32, "prefix lengths, ", &mut spans) else { return spans };
        let Some(mut at) = stream(bytes, second, 32, "suffix lengths, ", &mut spans) else { return spans };
        let (Ok((prefixes, _)), Ok((suffixes, _))) = (decode::<i32>(bytes, max), decode::<i32>(&bytes[second..], max))
        else {
            return spans;
        };
        for (index, (prefix, suffix)) in prefixes.into_iter().zip(suffixes).enumerate() {
            let end = usize::try_from(suffix).ok().and_then(|length| at.checked_add(length));
            let Some(value) = end.and_then(|end| bytes.get(at..end)) else {
                let field = format!("value {index}, of which {suffix} bytes are said to be here");
                spans.push(Span { bytes: at..bytes.len(), field, value: String::new() });
                return spans;
            };
            let field = format!("value {index}, behind {prefix} bytes of the one before");
            spans.push(Span { bytes: at..at + value.len(), field, value: one_to_text(value) });
            at += value.len();
        }
        if at < bytes.len() {
            spans.push(Span { bytes: at..bytes.len(), field: "behind the page".into(), value: String::new() });
        }
        spans
    }
}
