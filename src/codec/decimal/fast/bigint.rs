//! Columns of `BigInt`. Values of up to 256 bits go through the kernels of the machine integers, block by block; wider
//! ones are written word by word.

use num_bigint::{BigInt, Sign};

use super::columns::{check, fixed_len, items, layout, room};
use super::integer::Integer;
use super::lanes::{Lane, Order};
use super::wide::{Magnitude, store_signed};
use super::{byte_array, dispatch, little_endian, one, portable};
use crate::codec::Path;
use crate::codec::decimal::column::bits_of_pow10;
use crate::codec::decimal::{Column, ColumnOptions, I256, MAX_BYTE_ARRAY_LEN, Physical, PrecisionCheck};
use crate::{DecodeError, EncodeError};

/// Values that are converted at a time.
const BLOCK: usize = 64;

/// A machine integer that a `BigInt` may fit.
trait Narrow: Lane + Default {
    fn narrow(value: &BigInt) -> Option<Self>;
}

impl Narrow for i128 {
    #[inline(always)]
    fn narrow(value: &BigInt) -> Option<Self> {
        let mut words = value.iter_u64_digits();
        if words.len() > 2 {
            return None;
        }
        let low = words.next().unwrap_or(0);
        let magnitude = u128::from(low) | u128::from(words.next().unwrap_or(0)) << 64;
        let sign = -i128::from(value.sign() == Sign::Minus);
        let signed = (magnitude as i128 ^ sign).wrapping_sub(sign);
        // The sign bit must be the sign.
        ((signed ^ sign) >= 0).then_some(signed)
    }
}

impl Narrow for I256 {
    #[inline(always)]
    fn narrow(value: &BigInt) -> Option<Self> {
        Self::try_from(value).ok()
    }
}

/// The precision's limit. 10^precision itself is worked out only for a value that has as many bits.
struct Bound {
    precision: u32,
    bits: u64,
    power: Option<Magnitude>,
}

impl Bound {
    fn new(column: &Column, options: ColumnOptions) -> Option<Self> {
        let precision = column.precision();
        (options.precision_check == PrecisionCheck::Enforce).then(|| Self {
            precision,
            bits: bits_of_pow10(precision),
            power: None,
        })
    }

    fn exceeded_by(&mut self, value: &BigInt) -> bool {
        let bits = value.bits();
        if bits != self.bits {
            return bits > self.bits;
        }
        let power = self.power.get_or_insert_with(|| Magnitude::scaled(1, self.precision));
        // As many bits, so as many words: the top ones decide.
        value.iter_u64_digits().rev().ge(power.words().iter().rev().copied())
    }
}

/// Writes a value that is known to fit to the whole of `item`.
pub(super) fn store(value: &BigInt, item: &mut [u8]) {
    match i128::narrow(value) {
        Some(narrow) => one::store_any(narrow, item),
        None => store_signed(value.iter_u64_digits(), value.sign() == Sign::Minus, item),
    }
}

/// Bytes of the shortest two's complement form.
fn minimal_len(value: &BigInt) -> u64 {
    let bits = value.bits();
    // -2^k takes one bit less than other numbers of its size.
    let lowest = value.sign() == Sign::Minus && value.trailing_zeros() == Some(bits - 1);
    if lowest { bits.div_ceil(8) } else { bits / 8 + 1 }
}

/// Bytes of `value` in its column, without a length prefix.
fn accept(value: &BigInt, index: usize, column: &Column, bound: &mut Option<Bound>) -> Result<usize, EncodeError> {
    let len = minimal_len(value);
    let width = column.physical().width();
    let max = width.unwrap_or(MAX_BYTE_ARRAY_LEN);
    if len > u64::from(max) {
        return Err(EncodeError::ValueExceedsWidth { index, width: max });
    }
    if bound.as_mut().is_some_and(|bound| bound.exceeded_by(value)) {
        return Err(EncodeError::ValueExceedsPrecision { index, precision: column.precision() });
    }
    Ok(width.unwrap_or(len as u32) as usize)
}

pub(super) fn encoded_len(values: &[BigInt], column: &Column, options: ColumnOptions) -> Result<usize, EncodeError> {
    match fixed_len(values.len(), column) {
        Some(needed) => Ok(needed),
        None => accept_all(values, column, options),
    }
}

/// Bytes of BYTE_ARRAY items, or the first refusal.
fn accept_all(values: &[BigInt], column: &Column, options: ColumnOptions) -> Result<usize, EncodeError> {
    let mut bound = Bound::new(column, options);
    let lens = values.iter().enumerate().map(|(index, value)| accept(value, index, column, &mut bound));
    lens.map(|len| len.map(|len| len + 4)).sum()
}

pub(super) fn encode(
    path: Path,
    values: &[BigInt],
    column: &Column,
    options: ColumnOptions,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    let needed = encoded_len(values, column, options)?;
    let out = room(out, needed)?;
    let ok = match column.physical() {
        Physical::Int32 | Physical::Int64 | Physical::Fixed(..=16) => {
            encode_fixed::<i128>(path, values, column, options, out)
        }
        Physical::Fixed(..=32) => encode_fixed::<I256>(path, values, column, options, out),
        Physical::Fixed(width) => {
            let mut bound = Bound::new(column, options);
            values.iter().zip(out.chunks_exact_mut(width as usize)).all(|(value, item)| {
                let ok = accept(value, 0, column, &mut bound).is_ok();
                if ok {
                    store_signed(value.iter_u64_digits(), value.sign() == Sign::Minus, item);
                }
                ok
            })
        }
        Physical::ByteArray => {
            encode_byte_array(values, out);
            true
        }
    };
    if ok {
        return Ok(needed);
    }
    out.fill(0);
    Err(accept_all(values, column, options).expect_err("a kernel refused a value"))
}

fn encode_fixed<T: Narrow>(
    path: Path,
    values: &[BigInt],
    column: &Column,
    options: ColumnOptions,
    out: &mut [u8],
) -> bool {
    let range = T::range(column, options);
    let (width, order) = layout(column).expect("a fixed width");
    let mut block = [T::default(); BLOCK];
    for (values, out) in values.chunks(BLOCK).zip(out.chunks_mut(BLOCK * width)) {
        let block = &mut block[..values.len()];
        let mut ok = true;
        for (value, narrow) in values.iter().zip(block.iter_mut()) {
            let fitting = T::narrow(value);
            ok &= fitting.is_some();
            *narrow = fitting.unwrap_or_default();
        }
        ok &= dispatch::encode(path, block, width, order, range, out);
        if !ok {
            return false;
        }
    }
    true
}

fn encode_byte_array(values: &[BigInt], mut out: &mut [u8]) {
    for value in values {
        let len = match i128::narrow(value) {
            Some(narrow) => byte_array::encode(&[narrow], out),
            None => {
                let (prefix, rest) = out.split_first_chunk_mut::<4>().expect("room for every item");
                let len = minimal_len(value) as usize;
                *prefix = (len as u32).to_le_bytes();
                store_signed(value.iter_u64_digits(), value.sign() == Sign::Minus, &mut rest[..len]);
                4 + len
            }
        };
        out = &mut out[len..];
    }
}

pub(super) fn decode(
    path: Path,
    bytes: &[u8],
    column: &Column,
    options: ColumnOptions,
    out: &mut [BigInt],
) -> Result<usize, DecodeError> {
    let range = I256::range(column, options);
    let mut bound = Bound::new(column, options);
    let mut put = |item: &[u8], offset, index, little: bool, value: &mut BigInt| {
        let words = if little { little_endian::load_any(item) } else { portable::load_any(item) };
        if words.is_some() {
            assign(value, check::<I256>(words, range, column, offset, index)?);
            return Ok(());
        }
        *value = BigInt::from_signed_bytes_be(item);
        if bound.as_mut().is_some_and(|bound| bound.exceeded_by(value)) {
            return Err(DecodeError::ValueExceedsPrecision { offset, index, precision: column.precision() });
        }
        Ok(())
    };
    if let Some(width) = column.physical().width() {
        let width = width as usize;
        let bytes = items(bytes, out.len(), width)?;
        let read = match column.physical() {
            Physical::Fixed(..=16) => decode_fixed::<i128>(path, bytes, width, column, options, out),
            Physical::Fixed(..=32) => decode_fixed::<I256>(path, bytes, width, column, options, out),
            _ => false,
        };
        if read {
            return Ok(bytes.len());
        }
        let little = matches!(column.physical(), Physical::Int32 | Physical::Int64);
        for (index, (item, value)) in bytes.chunks_exact(width).zip(out).enumerate() {
            put(item, index * width, index, little, value)?;
        }
        return Ok(bytes.len());
    }
    let mut at = 0;
    for (index, value) in out.iter_mut().enumerate() {
        let body = byte_array::body(bytes, at, index)?;
        put(body, at, index, false, value)?;
        at += 4 + body.len();
    }
    Ok(at)
}

/// Reads whole blocks of values that fit T; says false at the first that has one outside the range.
fn decode_fixed<T: Narrow>(
    path: Path,
    bytes: &[u8],
    width: usize,
    column: &Column,
    options: ColumnOptions,
    out: &mut [BigInt],
) -> bool {
    let range = T::range(column, options);
    let mut block = [T::default(); BLOCK];
    bytes.chunks(BLOCK * width).zip(out.chunks_mut(BLOCK)).all(|(bytes, values)| {
        let block = &mut block[..values.len()];
        let ok = dispatch::decode(path, bytes, width, Order::Big, range, block);
        if ok {
            values.iter_mut().zip(&*block).for_each(|(value, narrow)| assign(value, *narrow));
        }
        ok
    })
}

/// Sets a `BigInt` without giving up the memory that it has.
#[inline(always)]
fn assign<T: Integer>(value: &mut BigInt, narrow: T) {
    let words = narrow.words();
    let (negative, [a, b, c, d]) = (words[3] >> 63 == 1, I256::from_words(words).unsigned_abs());
    let sign = match (negative, a | b | c | d) {
        (_, 0) => Sign::NoSign,
        (true, _) => Sign::Minus,
        (false, _) => Sign::Plus,
    };
    let halves = |word: u64| [word as u32, (word >> 32) as u32];
    let ([a, b], [c, d], [e, f], [g, h]) = (halves(a), halves(b), halves(c), halves(d));
    if T::BITS <= 128 || (e | f | g | h) == 0 {
        value.assign_from_slice(sign, &[a, b, c, d]);
    } else {
        value.assign_from_slice(sign, &[a, b, c, d, e, f, g, h]);
    }
}
