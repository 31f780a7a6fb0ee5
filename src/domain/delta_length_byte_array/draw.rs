//! Borders of DELTA_LENGTH_BYTE_ARRAY: those of its strings, and of the stream of their lengths.

use super::DeltaLengthByteArray;
use crate::domain::byte_strings::{Params, Strings, draw};
use crate::generate::{Draw, Source};

impl Draw for DeltaLengthByteArray {
    const STREAMS: bool = true;

    fn draw_params<S: Source>(source: &mut S) -> Params {
        Params::draw(source)
    }

    fn draw_values<S: Source>(params: &Params, source: &mut S, values: &mut Strings) {
        draw::values(params, source, values);
    }

    fn mutate_params<S: Source>(params: &mut Params, source: &mut S) {
        params.mutate(source);
    }

    fn mutate_values<S: Source>(params: &Params, values: &mut Strings, source: &mut S) {
        draw::mutate(params, values, source);
    }

    fn simpler_values(params: &Params, values: &Strings, emit: &mut dyn FnMut(Strings) -> bool) {
        draw::simpler(params, values, emit);
    }

    fn simpler_params(params: &Params, emit: &mut dyn FnMut(Params) -> bool) {
        params.simpler(emit);
    }

    fn draw_bytes<S: Source>(params: &Params, source: &mut S, bytes: &mut Vec<u8>) {
        bytes.clear();
        let mut values = Strings::default();
        draw::values(params, source, &mut values);
        let mut lengths: Vec<i64> = values.iter().map(|value| value.len() as i64).collect();
        if source.chance(1, 8) {
            draw::spoil(&mut lengths, source);
        }
        draw::lengths(params, &lengths, source, bytes);
        bytes.extend_from_slice(&values.data);
    }
}
