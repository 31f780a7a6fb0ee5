//! Borders of DELTA_BYTE_ARRAY: prefixes at the edges of words and registers, and the two streams of lengths.

use super::DeltaByteArray;
use crate::domain::byte_strings::{Params, Strings, draw};
use crate::generate::{Draw, Source};

impl Draw for DeltaByteArray {
    const STREAMS: bool = true;

    fn draw_params<S: Source>(source: &mut S) -> Params {
        let mut params = Params::draw(source);
        if source.chance(1, 10) {
            let length = params.form.width().unwrap_or_else(|| draw::length(source));
            params.previous = (0..length).map(|_| source.u64() as u8).collect();
        }
        params
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
        // Some writer's prefixes: as long as can be, or shorter; the first one into a value of an earlier page.
        let lazy = source.chance(1, 4);
        let (mut prefixes, mut suffixes, mut data) = (Vec::new(), Vec::new(), Vec::new());
        // parquet-mr before 1.8.0 and arrow-go kept the last value over the end of a page: a reader that does not know it
        // must refuse the first prefix.
        let kept = values.iter().next().filter(|_| source.chance(1, 12)).map(<[u8]>::to_vec);
        let mut previous = kept.as_deref().unwrap_or(&params.previous);
        for (index, value) in values.iter().enumerate() {
            let mut prefix = previous.iter().zip(value).take_while(|(a, b)| a == b).count();
            if index == 0 {
                prefix = source.below(previous.len().min(value.len()) + 1);
            } else if lazy {
                prefix = source.below(prefix + 1);
            }
            prefixes.push(prefix as i64);
            suffixes.push((value.len() - prefix) as i64);
            data.extend_from_slice(&value[prefix..]);
            previous = value;
        }
        match source.below(24) {
            0 => draw::spoil(&mut prefixes, source),
            1 => draw::spoil(&mut suffixes, source),
            // Fewer of the one than of the other, or one value of another length.
            2 => {
                prefixes.pop();
            }
            3 => {
                suffixes.pop();
            }
            4 if suffixes.last().is_some_and(|last| *last > 0) => {
                suffixes.last_mut().into_iter().for_each(|last| *last -= 1);
            }
            _ => {}
        }
        draw::lengths(params, &prefixes, source, bytes);
        draw::lengths(params, &suffixes, source, bytes);
        bytes.extend_from_slice(&data);
    }
}
