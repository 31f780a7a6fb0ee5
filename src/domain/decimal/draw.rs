//! Borders of a decimal column: its own limits first (`10^precision`, `2^(8 * width - 1)`), then those of every smaller
//! width, the limbs of the implementations, and all that a rounding can hinge on.

use super::number::decimal;
use super::values::shortest;
use super::{CHECKS, DIGITS_LIMIT, Decimal, FORMS, Form, Number, Params, ROUNDINGS, Values, WIDTH_LIMIT};
use crate::codec::decimal::{ColumnOptions, I256, Physical, PrecisionCheck, Rounding, fixed_width};
use crate::generate::{Draw, Source, edges, simpler_list};
use num_bigint::BigInt;

/// `value + step`, modulo 2^256.
fn plus(value: I256, step: i64) -> I256 {
    let addend = I256::from_i128(step.into()).words();
    let mut words = value.words();
    let mut carry = false;
    for (word, addend) in words.iter_mut().zip(addend) {
        let (sum, over) = word.overflowing_add(addend);
        let (sum, again) = sum.overflowing_add(carry.into());
        (*word, carry) = (sum, over || again);
    }
    I256::from_words(words)
}

/// `2^bit`, modulo 2^256.
fn power_of_two(bit: u32) -> I256 {
    let mut words = [0; 4];
    words[bit as usize / 64 % 4] = 1 << (bit % 64);
    I256::from_words(words)
}

/// The low `bits` bits, extended with their sign.
fn cut(value: I256, bits: u32) -> I256 {
    let mut words = value.words();
    if bits < 256 {
        let sign = (words[(bits - 1) as usize / 64] >> ((bits - 1) % 64) & 1).wrapping_neg();
        for (at, word) in words.iter_mut().enumerate() {
            let start = 64 * at as u32;
            if bits < start + 64 {
                let kept = if bits <= start { 0 } else { (1 << (bits - start)) - 1 };
                *word = *word & kept | sign & !kept;
            }
        }
    }
    I256::from_words(words)
}

/// Whether the column takes an unscaled value.
pub(super) fn takes(params: &Params, value: I256) -> bool {
    let width = params.physical.width().unwrap_or(32);
    if width < 32 && (width == 0 || cut(value, 8 * width) != value) {
        return false;
    }
    if params.options.precision_check == PrecisionCheck::Skip {
        return true;
    }
    match I256::max_of_precision(params.precision) {
        Some(max) => value <= max && value >= max.wrapping_neg(),
        None => true,
    }
}

/// [`takes`] for integers of any size.
pub(super) fn takes_big(params: &Params, value: &BigInt) -> bool {
    let width = params.physical.width().unwrap_or(u32::MAX);
    // Bits of the magnitude tell all but the lowest value of a width, which has as many as the next one up.
    let wide = value.bits() >= 8 * u64::from(width) && value.to_signed_bytes_be().len() > width as usize;
    let checked = params.options.precision_check == PrecisionCheck::Enforce;
    // A decimal digit is worth more than three bits.
    let long = checked
        && value.bits() > 3 * u64::from(params.precision)
        && value.magnitude() >= BigInt::from(10).pow(params.precision).magnitude();
    !wide && !long
}

/// An unscaled integer of at most 256 bits that `form` can hold.
fn whole<S: Source>(params: &Params, form: Form, source: &mut S) -> I256 {
    let bits = form.bits().min(256);
    let width = params.physical.width().unwrap_or(32).clamp(1, 32).min(bits.div_ceil(8));
    // The digits of the column, or those of the form where it has fewer.
    let digits = params.precision.min(bits * 3 / 10 + 1).clamp(1, 76);
    let step = |source: &mut S| source.below(3) as i64 - 1;
    let value = match source.below(16) {
        0 => I256::ZERO,
        1 => I256::from(1 + source.below(3) as i32),
        2..=4 => plus(I256::pow10(digits).unwrap_or_default(), -1 - source.below(2) as i64),
        5 => plus(I256::pow10(digits).unwrap_or_default(), step(source)),
        6 | 7 => plus(I256::pow10(source.below(digits as usize + 1) as u32).unwrap_or_default(), step(source)),
        8 => plus(power_of_two(8 * width - 1), step(source)),
        9 | 10 => plus(power_of_two(8 * (1 + source.below(width as usize)) as u32 - 1), step(source)),
        11 | 12 => plus(power_of_two((32 * (1 + source.below(8)) as u32).min(bits - 1)), step(source)),
        13 => plus(power_of_two(source.below(bits as usize) as u32), step(source)),
        _ => {
            let random = I256::from_words([source.u64(), source.u64(), source.u64(), source.u64()]);
            cut(random, 2 + source.below(8 * width as usize - 1) as u32)
        }
    };
    cut(if source.chance(1, 2) { value.wrapping_neg() } else { value }, bits)
}

/// An unscaled integer beyond 256 bits, near a border more often than not.
fn big<S: Source>(params: &Params, source: &mut S) -> BigInt {
    let width = params.physical.width().unwrap_or(WIDTH_LIMIT / 4).clamp(33, WIDTH_LIMIT);
    let value = match source.below(4) {
        0 => BigInt::from(10).pow(params.precision.min(600)) - source.below(3),
        1 => (BigInt::from(1) << (8 * width - 1)) + source.below(3) - 1,
        2 => (BigInt::from(1) << (8 * (32 + source.below(width as usize - 31)) - 1)) + source.below(3) - 1,
        _ => {
            let bytes: Vec<u8> = (0..1 + source.below(width as usize)).map(|_| source.u64() as u8).collect();
            BigInt::from_signed_bytes_be(&bytes)
        }
    };
    if source.chance(1, 2) { -value } else { value }
}

/// A number with a scale of its own, which lies near a border of the column once it is brought to the column's scale.
fn scaled<S: Source>(params: &Params, source: &mut S) -> rust_decimal::Decimal {
    let value = whole(params, Form::RustDecimal, source);
    let low = value.to_i128().unwrap_or_default();
    let (negative, magnitude) = (low < 0 || source.chance(1, 16), low.unsigned_abs());
    let scale = if source.chance(1, 2) { params.scale.min(28) } else { source.below(29) as u32 };
    match scale.checked_sub(params.scale) {
        // More places than the column: zeros, or digits on which rounding hinges.
        Some(more @ 1..) => {
            let unit = 10u128.pow(more);
            let beyond = match source.below(8) {
                0 => unit / 2,
                1 => unit / 2 + 1,
                2 => unit / 2 - 1,
                3 => 1,
                4 => unit - 1,
                _ => 0,
            };
            // As many digits as leave room for these.
            let magnitude = magnitude % (((1 << 96) - 1) / unit).max(1);
            decimal(negative, magnitude * unit + beyond, scale)
        }
        _ => {
            let fewer = (params.scale - scale).min(28);
            decimal(negative, if source.chance(3, 4) { magnitude / 10u128.pow(fewer) } else { magnitude }, scale)
        }
    }
}

/// A number of the case's form; one that the column takes when `legal`.
fn number<S: Source>(params: &Params, legal: bool, source: &mut S) -> Number {
    match params.form {
        Form::RustDecimal => Number::Scaled(scaled(params, source)),
        Form::BigInt
            if source.chance(1, if params.physical.width().is_none_or(|width| width > 32) { 2 } else { 8 }) =>
        {
            let value = big(params, source);
            if legal && !takes_big(params, &value) { Number::Whole(I256::ONE) } else { Number::Big(value) }
        }
        form => {
            let mut value = whole(params, form, source);
            // Fewer bits, as many as are needed: half of the refused ones lie just beyond. From so many on no value of
            // the column has more, as a decimal digit is worth less than ten thirds of a bit.
            let mut bits = 8 * params.physical.width().unwrap_or(32).clamp(1, 32);
            if params.options.precision_check == PrecisionCheck::Enforce {
                bits = bits.min(params.precision.clamp(1, 76) * 10 / 3 + 3);
            }
            while legal && !takes(params, value) && bits > 1 {
                bits -= 1;
                value = cut(value, bits);
            }
            Number::Whole(value)
        }
    }
}

fn draw_physical<S: Source>(source: &mut S) -> Physical {
    match source.below(32) {
        0..=2 => Physical::Int32,
        3..=5 => Physical::Int64,
        6..=9 => Physical::ByteArray,
        10 | 11 => Physical::Fixed(33 + source.below(24) as u32),
        12 => Physical::Fixed(source.below(WIDTH_LIMIT as usize + 1) as u32),
        _ => Physical::Fixed(1 + source.below(32) as u32),
    }
}

fn draw_column<S: Source>(params: &mut Params, source: &mut S) {
    if source.chance(1, 2) {
        // The precision first, then a type that holds it.
        params.precision = 1 + source.below(76) as u32;
        params.physical = match source.below(8) {
            0 | 1 => Physical::smallest(params.precision),
            2 => Physical::ByteArray,
            3 => Physical::Fixed(fixed_width(params.precision) + source.below(3) as u32),
            _ => Physical::always_fixed(params.precision),
        };
    } else {
        params.physical = draw_physical(source);
        let max = params.physical.max_precision().unwrap_or(100).min(DIGITS_LIMIT.into()).max(1) as u32;
        params.precision = match source.below(8) {
            0..=3 => max,
            4 => max.saturating_sub(1 + source.below(2) as u32).max(1),
            5 | 6 => 1 + source.below(max.min(9) as usize) as u32,
            _ => 1 + source.below(max as usize) as u32,
        };
    }
    params.scale = match source.below(8) {
        0..=2 => 0,
        3 => params.precision,
        4 => source.below(params.precision as usize + 1) as u32,
        _ => source.below(params.precision.min(28) as usize + 1) as u32,
    };
    if source.chance(1, 100) {
        match source.below(3) {
            0 => params.precision = 0,
            1 => params.scale = params.precision + 1,
            _ => {
                let max = params.physical.max_precision().unwrap_or(0);
                params.precision = (max as u32 + 1).min(DIGITS_LIMIT);
            }
        }
    }
}

impl Draw for Decimal {
    fn draw_params<S: Source>(source: &mut S) -> Params {
        let mut params = Params::new(1, 0, Physical::Int32, source.pick(&FORMS).1);
        draw_column(&mut params, source);
        params.options = ColumnOptions {
            precision_check: CHECKS[usize::from(source.chance(1, 4))].1,
            rounding: if source.chance(1, 2) { Rounding::Exact } else { source.pick(&ROUNDINGS).1 },
        };
        if source.chance(1, 16) {
            params.count = Some(source.below(20) as u16);
        }
        params
    }

    fn draw_values<S: Source>(params: &Params, source: &mut S, values: &mut Values) {
        values.clear(params.form);
        // Mostly columns that are written whole: behind a refused value nothing is looked at.
        let legal = source.chance(3, 4);
        for _ in 0..edges::count(source) {
            values.push(&number(params, legal, source));
        }
    }

    fn mutate_params<S: Source>(params: &mut Params, source: &mut S) {
        let drawn = Self::draw_params(source);
        match source.below(6) {
            0 => draw_column(params, source),
            1 => params.options.precision_check = drawn.options.precision_check,
            2 => params.options.rounding = drawn.options.rounding,
            3 => params.scale = source.below(params.precision as usize + 1) as u32,
            4 => params.precision = (params.precision + source.below(3) as u32).saturating_sub(1).min(DIGITS_LIMIT),
            _ => params.count = source.chance(1, 2).then(|| source.below(20) as u16),
        }
    }

    fn mutate_values<S: Source>(params: &Params, values: &mut Values, source: &mut S) {
        let legal = source.chance(1, 2);
        let count = values.len();
        let at = source.below(count + 1);
        let other = source.below(count + 1);
        match source.below(6) {
            0 if at < count => values.remove(at),
            1 if at < count && other < count => values.swap(at, other),
            2 if at < count => {
                let near = match values.get(at) {
                    Number::Scaled(value) => {
                        let magnitude = value.mantissa().unsigned_abs() + source.below(3) as u128;
                        let scale = if source.chance(1, 2) { value.scale() } else { source.below(29) as u32 };
                        Number::Scaled(decimal(value.is_sign_negative(), magnitude.saturating_sub(1), scale))
                    }
                    Number::Whole(value) => Number::Whole(plus(value, source.below(3) as i64 - 1)),
                    Number::Big(value) => Number::Big(value + source.below(3) - 1),
                };
                values.set(at, &near);
            }
            3 if at < count => {
                let opposite = match values.get(at) {
                    Number::Scaled(value) => Number::Scaled(-value),
                    Number::Whole(value) => Number::Whole(value.wrapping_neg()),
                    Number::Big(value) => Number::Big(-value),
                };
                values.set(at, &opposite);
            }
            4 if at < count => values.set(at, &number(params, legal, source)),
            _ => values.push(&number(params, legal, source)),
        }
    }

    fn simpler_values(params: &Params, values: &Values, emit: &mut dyn FnMut(Values) -> bool) {
        let numbers: Vec<Number> = values.numbers().collect();
        simpler_list(&numbers, Number::simpler, &mut |numbers| emit(Values::of(params.form, &numbers)));
    }

    fn simpler_params(params: &Params, emit: &mut dyn FnMut(Params) -> bool) {
        let options = ColumnOptions::default();
        let digits = |precision: u32| Params { precision, scale: params.scale.min(precision), ..*params };
        let bold = [
            Params { count: None, ..*params },
            Params { options, ..*params },
            Params { options: ColumnOptions { rounding: options.rounding, ..params.options }, ..*params },
            Params { options: ColumnOptions { precision_check: options.precision_check, ..params.options }, ..*params },
        ];
        let fewer = |number: u32| edges::simpler(number.into()).into_iter().map(|fewer| fewer as u32);
        let scales = fewer(params.scale).map(|scale| Params { scale, ..*params });
        let widths = match params.physical {
            Physical::Fixed(width) => fewer(width),
            _ => fewer(0),
        };
        let narrower = widths.filter(|width| *width > 0).map(|width| {
            let physical = Physical::Fixed(width);
            let most = physical.max_precision().unwrap_or(u64::MAX) as u32;
            Params { physical, ..digits(params.precision.min(most)) }
        });
        let shorter = fewer(params.precision).map(digits);
        for simpler in bold.into_iter().chain(scales).chain(narrower).chain(shorter) {
            if simpler != *params && emit(simpler) {
                return;
            }
        }
    }

    /// Pages as we write them, and as others may: with surplus sign bytes, with values beyond the precision.
    fn draw_bytes<S: Source>(params: &Params, source: &mut S, bytes: &mut Vec<u8>) {
        bytes.clear();
        let legal = source.chance(3, 4);
        let foreign = source.chance(1, 3);
        // What the caller's type holds, mostly; the item may still be wider.
        let form = if source.chance(7, 8) { params.form } else { Form::I256 };
        for _ in 0..edges::count(source) {
            let mut value = whole(params, form, source);
            while legal && !takes(params, value) {
                value = cut(value, 8 * params.physical.width().unwrap_or(32).clamp(1, 32) / 2 + 1);
                if !takes(params, value) {
                    value = I256::from(source.below(3) as i32 - 1);
                }
                if !takes(params, value) {
                    break;
                }
            }
            let whole = value.to_be_bytes();
            let sign = whole[0] as i8 >> 7;
            match params.physical {
                Physical::Int32 => bytes.extend_from_slice(&value.to_le_bytes()[..4]),
                Physical::Int64 => bytes.extend_from_slice(&value.to_le_bytes()[..8]),
                Physical::Fixed(width) => {
                    let width = width as usize;
                    bytes.extend((32..width).map(|_| sign as u8));
                    bytes.extend_from_slice(&whole[32 - width.min(32)..]);
                }
                Physical::ByteArray => {
                    let body = shortest(&whole);
                    let surplus = if foreign { source.below(40) } else { 0 };
                    bytes.extend_from_slice(&((body.len() + surplus) as u32).to_le_bytes());
                    bytes.extend((0..surplus).map(|_| sign as u8));
                    bytes.extend_from_slice(body);
                }
            }
        }
        if foreign && source.chance(1, 8) && params.physical == Physical::ByteArray {
            bytes.extend_from_slice(&[0; 4]);
        }
    }
}
