//! Borders of the AMQP decimal: the 31st, 32nd and 64th bit, scales around 28 and 255, both zeros.

use super::{AmqpDecimal, FORMS, Form, NEGATIVE_ZEROS, NORMALIZATIONS, PROFILES, Params, TAGS, Values};
use crate::codec::amqp_decimal::{Params as CodecParams, naive};
use crate::generate::{Draw, Source, edges, simpler_list};

const MAGNITUDES: [u128; 8] = [0, 1, 15, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, (1 << 32) - 1, 1 << 32];
const SCALES: [u32; 12] = [0, 1, 2, 10, 27, 28, 29, 254, 255, 256, 257, u32::MAX];

fn number<S: Source>(params: &Params, source: &mut S) -> (bool, u128, u32) {
    let magnitude = match source.below(4) {
        0 | 1 => *source.pick(&MAGNITUDES),
        2 => edges::integer(source, 34).unsigned_abs(),
        _ => edges::integer(source, if params.form == Form::Raw { 65 } else { 97 }).unsigned_abs(),
    };
    // Mostly scales that can be written, so that the other values of a column are looked at too.
    let scale = if source.chance(1, 4) { *source.pick(&SCALES) } else { source.below(29) as u32 };
    (source.chance(2, 5), magnitude, scale)
}

impl Draw for AmqpDecimal {
    fn draw_params<S: Source>(source: &mut S) -> Params {
        Params {
            codec: CodecParams {
                profile: source.pick(&PROFILES).1,
                tag: source.pick(&TAGS).1,
                normalization: NORMALIZATIONS[usize::from(source.chance(1, 4))].1,
                negative_zero: NEGATIVE_ZEROS[usize::from(source.chance(1, 4))].1,
            },
            form: source.pick(&FORMS).1,
            count: None,
        }
    }

    fn draw_values<S: Source>(params: &Params, source: &mut S, values: &mut Values) {
        values.clear(params.form);
        for _ in 0..edges::count(source) {
            let (negative, magnitude, scale) = number(params, source);
            values.push(negative, magnitude, scale);
        }
    }

    fn mutate_params<S: Source>(params: &mut Params, source: &mut S) {
        let drawn = Self::draw_params(source);
        match source.below(5) {
            0 => params.codec.profile = drawn.codec.profile,
            1 => params.codec.tag = drawn.codec.tag,
            2 => params.codec.normalization = drawn.codec.normalization,
            3 => params.codec.negative_zero = drawn.codec.negative_zero,
            _ => params.count = source.chance(1, 2).then(|| source.below(20) as u16),
        }
    }

    fn mutate_values<S: Source>(params: &Params, values: &mut Values, source: &mut S) {
        let mut numbers = values.numbers();
        let at = source.below(numbers.len() + 1);
        match source.below(5) {
            0 if at < numbers.len() => {
                numbers.remove(at);
            }
            1 if at < numbers.len() => numbers[at].0 = !numbers[at].0,
            2 if at < numbers.len() => {
                numbers[at].1 = numbers[at].1.wrapping_add(1).wrapping_sub(source.below(3) as u128)
            }
            3 if at < numbers.len() => numbers[at].2 = *source.pick(&SCALES),
            _ => numbers.insert(at, number(params, source)),
        }
        *values = Values::of(params.form, numbers);
    }

    fn simpler_values(params: &Params, values: &Values, emit: &mut dyn FnMut(Values) -> bool) {
        type Number = (bool, u128, u32);
        let simpler = |&(negative, magnitude, scale): &Number, emit: &mut dyn FnMut(Number) -> bool| {
            negative && emit((false, magnitude, scale))
                || edges::simpler(scale.into()).into_iter().any(|scale| emit((negative, magnitude, scale as u32)))
                // Of at most 97 bits.
                || edges::simpler(magnitude as i128).into_iter().any(|smaller| emit((negative, smaller as u128, scale)))
        };
        simpler_list(&values.numbers(), simpler, &mut |numbers| emit(Values::of(params.form, numbers)));
    }

    fn simpler_params(params: &Params, emit: &mut dyn FnMut(Params) -> bool) {
        let plain = CodecParams::new(params.codec.profile);
        for codec in [
            CodecParams { normalization: plain.normalization, ..params.codec },
            CodecParams { negative_zero: plain.negative_zero, ..params.codec },
            CodecParams { tag: plain.tag, ..params.codec },
        ] {
            if codec != params.codec && emit(Params { codec, ..*params }) {
                return;
            }
        }
    }

    fn draw_bytes<S: Source>(params: &Params, source: &mut S, bytes: &mut Vec<u8>) {
        bytes.clear();
        for _ in 0..edges::count(source) {
            let (negative, magnitude, scale) = number(params, source);
            let mut values = Values::default();
            values.push(negative, magnitude & u128::from(u32::MAX), scale & 255);
            let Values::Raw(list) = values else { continue };
            let mut one = [0; 6];
            if let Ok(written) = naive::encode_into(&list, params.codec, &mut one) {
                bytes.extend_from_slice(&one[..written]);
            }
        }
    }
}
