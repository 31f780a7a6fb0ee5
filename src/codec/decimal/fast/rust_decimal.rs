//! Columns of `rust_decimal::Decimal`: a 96-bit magnitude, a sign and a scale of 0 to 28 in every value.
//!
//! A value is brought to the column's scale in 128 bits, block by block, and goes on through the kernels of i128. What does
//! not fit 128 bits takes the slow path below, which is exact at any size.

use rust_decimal::Decimal;

use super::columns::{fixed_len, items, layout, room};
use super::integer::{Integer, minimal_len};
use super::lanes::Order;
use super::wide::{Magnitude, store_signed};
use super::{byte_array, dispatch, little_endian, portable};
use crate::codec::Path;
use crate::codec::decimal::{Column, ColumnOptions, MAX_BYTE_ARRAY_LEN, PrecisionCheck, Rounding};
use crate::{DecodeError, EncodeError};

/// Values that are rescaled at a time.
const BLOCK: usize = 256;

/// The largest scale of a `rust_decimal::Decimal`, and the bits of its magnitude.
const MAX_SCALE: u32 = Decimal::MAX_SCALE;
const BITS: u32 = 96;

const POWERS: [u128; 39] = {
    let mut powers = [1; 39];
    let mut i = 1;
    while i < 39 {
        powers[i] = powers[i - 1] * 10;
        i += 1;
    }
    powers
};

/// A value at its column's scale.
enum Rescaled {
    Fits(i128),
    /// The magnitude is this times 10^exponent, and beyond i128.
    Wide {
        magnitude: u128,
        exponent: u32,
        negative: bool,
    },
    Inexact,
}

#[inline(always)]
fn rescale(value: &Decimal, scale: u32, rounding: Rounding) -> Rescaled {
    let parts = value.unpack();
    let magnitude = u128::from(parts.lo) | u128::from(parts.mid) << 32 | u128::from(parts.hi) << 64;
    let negate = |magnitude: u128| {
        let sign = -i128::from(parts.negative);
        (magnitude as i128 ^ sign) - sign
    };
    if parts.scale == scale {
        return Rescaled::Fits(negate(magnitude));
    }
    if let Some(exponent) = scale.checked_sub(parts.scale) {
        let scaled = match exponent {
            // 96 bits and 30 bits: no overflow to look for.
            0..=9 => Some(magnitude * u128::from(POWERS[exponent as usize] as u32)),
            10..=38 => magnitude.checked_mul(POWERS[exponent as usize]).filter(|product| product >> 127 == 0),
            _ => (magnitude == 0).then_some(0),
        };
        return match scaled {
            Some(scaled) => Rescaled::Fits(negate(scaled)),
            None => Rescaled::Wide { magnitude, exponent, negative: parts.negative },
        };
    }
    let divisor = POWERS[(parts.scale - scale) as usize];
    let (quotient, remainder) = (magnitude / divisor, magnitude % divisor);
    let up = match rounding {
        Rounding::Exact if remainder != 0 => return Rescaled::Inexact,
        Rounding::Exact | Rounding::TowardZero => false,
        Rounding::HalfEven => 2 * remainder + (quotient & 1) > divisor,
    };
    Rescaled::Fits(negate(quotient + u128::from(up)))
}

/// Bytes of `value` in its column, without a length prefix.
fn accept(value: &Decimal, index: usize, column: &Column, options: ColumnOptions) -> Result<usize, EncodeError> {
    let precision = column.precision();
    let (len, too_precise) = match rescale(value, column.scale(), options.rounding) {
        Rescaled::Inexact => return Err(EncodeError::InexactScale { index, scale: column.scale() }),
        Rescaled::Fits(value) => (
            minimal_len(value.words()) as u64,
            POWERS.get(precision as usize).is_some_and(|power| value.unsigned_abs() >= *power),
        ),
        // A multiple of 5, so no power of two. |m| * 10^e < 10^p where |m| < 10^(p - e).
        Rescaled::Wide { magnitude, exponent, .. } => (
            Magnitude::scaled(magnitude, exponent).bits() / 8 + 1,
            precision
                .checked_sub(exponent)
                .is_none_or(|rest| POWERS.get(rest as usize).is_some_and(|power| magnitude >= *power)),
        ),
    };
    let width = column.physical().width();
    let max = width.unwrap_or(MAX_BYTE_ARRAY_LEN);
    if len > u64::from(max) {
        return Err(EncodeError::ValueExceedsWidth { index, width: max });
    }
    if too_precise && options.precision_check == PrecisionCheck::Enforce {
        return Err(EncodeError::ValueExceedsPrecision { index, precision });
    }
    Ok(width.unwrap_or(len as u32) as usize)
}

/// Bytes of BYTE_ARRAY items, or the first refusal.
fn accept_all(values: &[Decimal], column: &Column, options: ColumnOptions) -> Result<usize, EncodeError> {
    let lens = values.iter().enumerate().map(|(index, value)| accept(value, index, column, options));
    lens.map(|len| len.map(|len| len + 4)).sum()
}

pub(super) fn encoded_len(values: &[Decimal], column: &Column, options: ColumnOptions) -> Result<usize, EncodeError> {
    match fixed_len(values.len(), column) {
        Some(needed) => Ok(needed),
        None => accept_all(values, column, options),
    }
}

pub(super) fn encode(
    path: Path,
    values: &[Decimal],
    column: &Column,
    options: ColumnOptions,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    let needed = encoded_len(values, column, options)?;
    let out = room(out, needed)?;
    let (scale, rounding) = (column.scale(), options.rounding);
    let ok = match layout(column) {
        Some(layout) => encode_fixed(path, values, column, options, layout, out),
        None => {
            encode_byte_array(values, scale, rounding, out);
            true
        }
    };
    if ok {
        return Ok(needed);
    }
    // A value that was refused, or one that needs more than 128 bits.
    if let Err(refused) = accept_all(values, column, options) {
        out.fill(0);
        return Err(refused);
    }
    for (value, item) in values.iter().zip(out.chunks_exact_mut(needed / values.len())) {
        store(rescale(value, scale, rounding), item);
    }
    Ok(needed)
}

/// Values of one width: writes every value, unless one is inexact, needs more than 128 bits or lies outside the range of
/// the column: then says false, and what was written is unspecified.
fn encode_fixed(
    path: Path,
    values: &[Decimal],
    column: &Column,
    options: ColumnOptions,
    (width, order): (usize, Order),
    out: &mut [u8],
) -> bool {
    let (scale, range, word_range) = (column.scale(), i128::range(column, options), i64::range(column, options));
    let (mut unscaled, mut words) = ([0; BLOCK], [0; BLOCK]);
    let mut done = 0;
    while done < values.len() {
        // As far as the values have the column's scale.
        let (values, out) = (&values[done..], &mut out[done * width..]);
        let (count, ok) = dispatch::encode_rust_decimal(path, values, scale, (width, order), range, out);
        // A block of which that is not known.
        let block = &values[count..values.len().min(count + BLOCK)];
        let out = &mut out[count * width..][..block.len() * width];
        done += count + block.len();
        let (words, unscaled) = (&mut words[..block.len()], &mut unscaled[..block.len()]);
        let ok = ok
            && if width <= 8 && to_words(block, scale, words) {
                dispatch::encode(path, words, width, order, word_range, out)
            } else {
                rescale_block(block, scale, options.rounding, unscaled)
                    && dispatch::encode(path, unscaled, width, order, range, out)
            };
        if !ok {
            return false;
        }
    }
    true
}

/// Whether the first values all have a scale: a guess at the rest.
fn seem_of_scale(values: &[Decimal], scale: u32) -> bool {
    values.iter().take(8).all(|value| value.scale() == scale)
}

/// The unscaled values, where all have the scale and fit 64 bits; says false where not.
fn to_words(values: &[Decimal], scale: u32, words: &mut [i64]) -> bool {
    if !seem_of_scale(values, scale) {
        return false;
    }
    let (mut mixed, mut high, mut any) = (0, 0, 0);
    for (value, word) in values.iter().zip(words) {
        let (flags, low, rest) = parts(value);
        mixed |= flags ^ scale << SCALE_SHIFT;
        high |= rest;
        any |= low;
        let sign = i64::from(flags as i32 >> 31);
        *word = (low as i64 ^ sign).wrapping_sub(sign);
    }
    mixed & SCALE_MASK == 0 && high == 0 && any >> 63 == 0
}

/// Where the scale lies in the flags. Their top bit is the sign.
const SCALE_SHIFT: u32 = 16;
const SCALE_MASK: u32 = 0xff << SCALE_SHIFT;

/// Flags, the low 64 bits of the magnitude, and the rest of it. In bytes, whose order the crate documents: compilers see
/// that these are three loads, which they do not for the fields one by one.
#[inline(always)]
fn parts(value: &Decimal) -> (u32, u64, u32) {
    let [f0, f1, f2, f3, low @ .., h0, h1, h2, h3] = value.serialize();
    (u32::from_le_bytes([f0, f1, f2, f3]), u64::from_le_bytes(low), u32::from_le_bytes([h0, h1, h2, h3]))
}

/// Brings values to the column's scale; says false where one does not fit.
fn rescale_block(values: &[Decimal], scale: u32, rounding: Rounding, block: &mut [i128]) -> bool {
    let own = values.first().map_or(scale, Decimal::scale);
    if let Some(exponent @ 0..=9) = scale.checked_sub(own)
        && seem_of_scale(values, own)
    {
        // As if there were one scale in the whole block. With a factor of 30 bits nothing is to be looked for, value by
        // value.
        let factor = POWERS[exponent as usize] as u32;
        let mixed = if factor == 1 {
            scale_block::<1>(values, own, 1, block)
        } else {
            scale_block::<0>(values, own, factor, block)
        };
        if !mixed {
            return true;
        }
    }
    values.iter().zip(block).all(|(value, unscaled)| match rescale(value, scale, rounding) {
        Rescaled::Fits(fits) => {
            *unscaled = fits;
            true
        }
        Rescaled::Wide { .. } | Rescaled::Inexact => false,
    })
}

/// Multiplies the magnitudes by `factor`, which is `FACTOR` where that is not 0. Says whether a value had another scale
/// than `own`; the block is then to be done again.
#[inline(always)]
fn scale_block<const FACTOR: u32>(values: &[Decimal], own: u32, factor: u32, block: &mut [i128]) -> bool {
    let factor = if FACTOR == 0 { factor } else { FACTOR };
    let mut mixed = 0;
    for (value, unscaled) in values.iter().zip(block) {
        let (flags, low, high) = parts(value);
        mixed |= flags ^ own << SCALE_SHIFT;
        let low = u128::from(low) * u128::from(factor);
        let magnitude = low + (u128::from(u64::from(high) * u64::from(factor)) << 64);
        let sign = i128::from(flags as i32 >> 31);
        *unscaled = (magnitude as i128 ^ sign) - sign;
    }
    mixed & SCALE_MASK != 0
}

fn encode_byte_array(values: &[Decimal], scale: u32, rounding: Rounding, mut out: &mut [u8]) {
    for value in values {
        let len = match rescale(value, scale, rounding) {
            Rescaled::Fits(unscaled) => byte_array::encode(&[unscaled], out),
            wide => {
                let (prefix, rest) = out.split_first_chunk_mut::<4>().expect("room for every item");
                let Rescaled::Wide { magnitude, exponent, .. } = wide else { unreachable!("values were accepted") };
                let len = (Magnitude::scaled(magnitude, exponent).bits() / 8 + 1) as usize;
                *prefix = (len as u32).to_le_bytes();
                store(wide, &mut rest[..len]);
                4 + len
            }
        };
        out = &mut out[len..];
    }
}

/// Stores a value that is known to fit.
fn store(value: Rescaled, item: &mut [u8]) {
    let (magnitude, negative) = match value {
        Rescaled::Fits(value) => (Magnitude::new(value.unsigned_abs()), value < 0),
        Rescaled::Wide { magnitude, exponent, negative } => (Magnitude::scaled(magnitude, exponent), negative),
        Rescaled::Inexact => unreachable!("values were accepted"),
    };
    store_signed(magnitude.words().iter().copied(), negative, item);
}

pub(super) fn decode(
    path: Path,
    bytes: &[u8],
    column: &Column,
    options: ColumnOptions,
    out: &mut [Decimal],
) -> Result<usize, DecodeError> {
    let scale = column.scale();
    if scale > MAX_SCALE {
        return Err(DecodeError::ScaleExceedsTarget { scale, max: MAX_SCALE });
    }
    let range = i128::range(column, options);
    let Some((width, order)) = layout(column) else {
        let mut at = 0;
        for (index, value) in out.iter_mut().enumerate() {
            let body = byte_array::body(bytes, at, index)?;
            *value = check(portable::load_any(body), range, column, at, index)?;
            at += 4 + body.len();
        }
        return Ok(at);
    };
    let bytes = items(bytes, out.len(), width)?;
    if decode_fixed(path, bytes, (width, order), scale, range, out) {
        return Ok(bytes.len());
    }
    let load = match order {
        Order::Little => little_endian::load_any,
        Order::Big => portable::load_any,
    };
    for (index, (item, value)) in bytes.chunks_exact(width).zip(out).enumerate() {
        *value = check(load(item), range, column, index * width, index)?;
    }
    Ok(bytes.len())
}

/// Values of one width: reads every value, unless one needs more than 96 bits or lies outside `range`: then says false,
/// and `out` is unspecified. `scale` is at most 28.
fn decode_fixed(
    path: Path,
    bytes: &[u8],
    (width, order): (usize, Order),
    scale: u32,
    range: Option<(i128, i128)>,
    out: &mut [Decimal],
) -> bool {
    if let Some(ok) = dispatch::decode_rust_decimal(path, bytes, (width, order), scale, range, out) {
        return ok;
    }
    let mut unscaled = [0; BLOCK];
    bytes.chunks(BLOCK * width).zip(out.chunks_mut(BLOCK)).all(|(bytes, out)| {
        let unscaled = &mut unscaled[..out.len()];
        let mut ok = dispatch::decode(path, bytes, width, order, range, unscaled);
        for (unscaled, value) in unscaled.iter().zip(out) {
            let magnitude = unscaled.unsigned_abs();
            ok &= magnitude >> BITS == 0;
            *value = from_parts(magnitude, *unscaled < 0, scale);
        }
        ok
    })
}

#[inline(always)]
fn from_parts(magnitude: u128, negative: bool, scale: u32) -> Decimal {
    Decimal::from_parts(magnitude as u32, (magnitude >> 32) as u32, (magnitude >> 64) as u32, negative, scale)
}

/// One decoded value as a `Decimal`.
fn check(
    words: Option<[u64; 4]>,
    range: Option<(i128, i128)>,
    column: &Column,
    offset: usize,
    index: usize,
) -> Result<Decimal, DecodeError> {
    let too_wide = DecodeError::ValueExceedsTarget { offset, index, bits: BITS };
    let (value, 0) = i128::from_words(words.ok_or(too_wide)?) else { return Err(too_wide) };
    let magnitude = value.unsigned_abs();
    if magnitude >> BITS != 0 {
        return Err(too_wide);
    }
    match range {
        Some((min, max)) if value < min || value > max => {
            Err(DecodeError::ValueExceedsPrecision { offset, index, precision: column.precision() })
        }
        _ => Ok(from_parts(magnitude, value < 0, column.scale())),
    }
}
