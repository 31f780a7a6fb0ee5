//! The naive twin: the specification's sentences, one after another, on integers that cannot overflow.
//!
//! Every value is validated before the first is written. Source: parquet-format, LogicalTypes.md, section DECIMAL, and
//! Encodings.md, section "Plain".

use num_bigint::{BigInt, Sign};

use super::{Column, ColumnOptions, MAX_BYTE_ARRAY_LEN, Physical, PrecisionCheck, Values, ValuesMut};
use crate::{DecodeError, EncodeError};

/// Bytes that [`encode_into`] writes.
///
/// # Errors
/// For BYTE_ARRAY those of [`encode_into`] on values. Other types: none.
pub fn encoded_len<'a>(
    values: impl Into<Values<'a>>,
    column: &Column,
    options: ColumnOptions,
) -> Result<usize, EncodeError> {
    let values = values.into();
    match column.physical() {
        Physical::Int32 => Ok(values.len().saturating_mul(4)),
        Physical::Int64 => Ok(values.len().saturating_mul(8)),
        Physical::Fixed(width) => Ok(values.len().saturating_mul(width as usize)),
        Physical::ByteArray => {
            let unscaled = validate(values, column, options)?;
            Ok(unscaled.iter().map(|value| 4 + value.to_signed_bytes_be().len()).sum())
        }
    }
}

/// Encodes a column to the start of `out` and says how many bytes that took.
///
/// # Errors
/// See the [codec](super).
pub fn encode_into<'a>(
    values: impl Into<Values<'a>>,
    column: &Column,
    options: ColumnOptions,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    let values = values.into();
    let needed = encoded_len(values, column, options)?;
    if out.len() < needed {
        return Err(EncodeError::BufferTooSmall { needed, available: out.len() });
    }
    let unscaled = validate(values, column, options)?;
    let out = &mut out[..needed];
    match column.physical() {
        Physical::Int32 => encode_int32(&unscaled, out),
        Physical::Int64 => encode_int64(&unscaled, out),
        Physical::Fixed(width) => encode_fixed(&unscaled, width as usize, out),
        Physical::ByteArray => encode_byte_array(&unscaled, out),
    }
    Ok(needed)
}

/// Encodes a column into a new vector.
///
/// # Errors
/// See the [codec](super).
pub fn encode<'a>(
    values: impl Into<Values<'a>>,
    column: &Column,
    options: ColumnOptions,
) -> Result<Vec<u8>, EncodeError> {
    let values = values.into();
    let mut out = vec![0; encoded_len(values, column, options)?];
    encode_into(values, column, options, &mut out)?;
    Ok(out)
}

/// INT32: four bytes, little-endian.
fn encode_int32(unscaled: &[BigInt], out: &mut [u8]) {
    for (value, item) in unscaled.iter().zip(out.chunks_exact_mut(4)) {
        item.copy_from_slice(&i32::try_from(value).expect("validated").to_le_bytes());
    }
}

/// INT64: eight bytes, little-endian.
fn encode_int64(unscaled: &[BigInt], out: &mut [u8]) {
    for (value, item) in unscaled.iter().zip(out.chunks_exact_mut(8)) {
        item.copy_from_slice(&i64::try_from(value).expect("validated").to_le_bytes());
    }
}

/// FIXED_LEN_BYTE_ARRAY: two's complement, big-endian, extended with the sign to the width.
fn encode_fixed(unscaled: &[BigInt], width: usize, out: &mut [u8]) {
    for (value, item) in unscaled.iter().zip(out.chunks_exact_mut(width)) {
        let bytes = value.to_signed_bytes_be();
        let (extension, body) = item.split_at_mut(width - bytes.len());
        extension.fill(if value.sign() == Sign::Minus { 0xff } else { 0x00 });
        body.copy_from_slice(&bytes);
    }
}

/// BYTE_ARRAY: the length in four bytes, little-endian; then two's complement, big-endian, in the fewest bytes.
fn encode_byte_array(unscaled: &[BigInt], out: &mut [u8]) {
    let mut offset = 0;
    for value in unscaled {
        let bytes = value.to_signed_bytes_be();
        out[offset..offset + 4].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
        offset += 4;
        out[offset..offset + bytes.len()].copy_from_slice(&bytes);
        offset += bytes.len();
    }
}

/// The unscaled values, each at the column's scale and within its limits, or the first refusal.
fn validate(values: Values<'_>, column: &Column, options: ColumnOptions) -> Result<Vec<BigInt>, EncodeError> {
    let width = match column.physical() {
        Physical::Int32 => 4,
        Physical::Int64 => 8,
        Physical::Fixed(width) => width,
        Physical::ByteArray => MAX_BYTE_ARRAY_LEN,
    };
    let mut validated = Vec::with_capacity(values.len());
    for index in 0..values.len() {
        let value = unscaled(values, index, column, options)?;
        if exceeds_width(&value, width) {
            return Err(EncodeError::ValueExceedsWidth { index, width });
        }
        if options.precision_check == PrecisionCheck::Enforce && exceeds_precision(&value, column.precision()) {
            return Err(EncodeError::ValueExceedsPrecision { index, precision: column.precision() });
        }
        validated.push(value);
    }
    Ok(validated)
}

/// One value as an integer at the column's scale.
#[cfg_attr(not(feature = "rust_decimal"), expect(unused_variables))]
fn unscaled(values: Values<'_>, index: usize, column: &Column, options: ColumnOptions) -> Result<BigInt, EncodeError> {
    Ok(match values {
        Values::I32(values) => BigInt::from(values[index]),
        Values::I64(values) => BigInt::from(values[index]),
        Values::I128(values) => BigInt::from(values[index]),
        Values::I256(values) => BigInt::from_signed_bytes_le(&values[index].to_le_bytes()),
        Values::BigInt(values) => values[index].clone(),
        #[cfg(feature = "rust_decimal")]
        Values::RustDecimal(values) => rescale(&values[index], column.scale(), options.rounding)
            .ok_or(EncodeError::InexactScale { index, scale: column.scale() })?,
    })
}

/// Whether the value takes more than `width` bytes. One of fewer bits, the sign's among them, need not be written out.
fn exceeds_width(value: &BigInt, width: u32) -> bool {
    value.bits() >= 8 * u64::from(width) && value.to_signed_bytes_be().len() > width as usize
}

/// Whether |value| >= 10^precision. A number of few bits is less than a power of that many digits, which need not be built:
/// a decimal digit is worth more than three bits.
fn exceeds_precision(value: &BigInt, precision: u32) -> bool {
    if value.bits() <= 3 * u64::from(precision) {
        return false;
    }
    value.magnitude() >= BigInt::from(10).pow(precision).magnitude()
}

/// The number at another scale, as an unscaled integer. `None`: it would lose digits.
#[cfg(feature = "rust_decimal")]
fn rescale(value: &rust_decimal::Decimal, scale: u32, rounding: super::Rounding) -> Option<BigInt> {
    let unscaled = BigInt::from(value.mantissa());
    if scale >= value.scale() {
        return Some(unscaled * BigInt::from(10).pow(scale - value.scale()));
    }
    let divisor = BigInt::from(10).pow(value.scale() - scale);
    // Both toward zero: the remainder has the sign of the number.
    let quotient = &unscaled / &divisor;
    let remainder = &unscaled % &divisor;
    match rounding {
        super::Rounding::Exact if remainder != BigInt::ZERO => None,
        super::Rounding::Exact | super::Rounding::TowardZero => Some(quotient),
        super::Rounding::HalfEven => {
            let away = if unscaled.sign() == Sign::Minus { &quotient - 1 } else { &quotient + 1 };
            let twice = BigInt::from(remainder.magnitude().clone()) * 2;
            let even = &quotient % 2 == BigInt::ZERO;
            Some(if twice < divisor || (twice == divisor && even) { quotient } else { away })
        }
    }
}

/// Decodes `out.len()` values from the start of `bytes` and says how many it consumed.
///
/// # Errors
/// See the [codec](super).
pub fn decode_into<'a>(
    bytes: &[u8],
    column: &Column,
    options: ColumnOptions,
    out: impl Into<ValuesMut<'a>>,
) -> Result<usize, DecodeError> {
    let mut out = out.into();
    check_target(column, &out)?;
    match column.physical() {
        Physical::Int32 => decode_int32(bytes, column, options, &mut out),
        Physical::Int64 => decode_int64(bytes, column, options, &mut out),
        Physical::Fixed(width) => decode_fixed(bytes, width as usize, column, options, &mut out),
        Physical::ByteArray => decode_byte_array(bytes, column, options, &mut out),
    }
}

fn decode_int32(
    bytes: &[u8],
    column: &Column,
    options: ColumnOptions,
    out: &mut ValuesMut<'_>,
) -> Result<usize, DecodeError> {
    check_length(bytes, 4, out.len())?;
    for index in 0..out.len() {
        let offset = 4 * index;
        let item = [bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3]];
        put(BigInt::from(i32::from_le_bytes(item)), offset, index, column, options, out)?;
    }
    Ok(4 * out.len())
}

fn decode_int64(
    bytes: &[u8],
    column: &Column,
    options: ColumnOptions,
    out: &mut ValuesMut<'_>,
) -> Result<usize, DecodeError> {
    check_length(bytes, 8, out.len())?;
    for index in 0..out.len() {
        let offset = 8 * index;
        let item = bytes[offset..offset + 8].try_into().expect("8 bytes");
        put(BigInt::from(i64::from_le_bytes(item)), offset, index, column, options, out)?;
    }
    Ok(8 * out.len())
}

fn decode_fixed(
    bytes: &[u8],
    width: usize,
    column: &Column,
    options: ColumnOptions,
    out: &mut ValuesMut<'_>,
) -> Result<usize, DecodeError> {
    check_length(bytes, width, out.len())?;
    for index in 0..out.len() {
        let offset = width * index;
        let item = &bytes[offset..offset + width];
        put(BigInt::from_signed_bytes_be(item), offset, index, column, options, out)?;
    }
    Ok(width * out.len())
}

fn decode_byte_array(
    bytes: &[u8],
    column: &Column,
    options: ColumnOptions,
    out: &mut ValuesMut<'_>,
) -> Result<usize, DecodeError> {
    let mut offset = 0;
    for index in 0..out.len() {
        let available = bytes.len() - offset;
        if available < 4 {
            return Err(DecodeError::UnexpectedEnd { offset, needed: 4, available });
        }
        let length = u32::from_le_bytes(bytes[offset..offset + 4].try_into().expect("4 bytes")) as usize;
        if available - 4 < length {
            return Err(DecodeError::UnexpectedEnd { offset, needed: length.saturating_add(4), available });
        }
        if length == 0 {
            return Err(DecodeError::EmptyDecimal { offset, index });
        }
        let item = &bytes[offset + 4..offset + 4 + length];
        put(BigInt::from_signed_bytes_be(item), offset, index, column, options, out)?;
        offset += 4 + length;
    }
    Ok(offset)
}

/// Whether `count` items of `width` bytes are there; if not, the error names the first that is cut.
fn check_length(bytes: &[u8], width: usize, count: usize) -> Result<(), DecodeError> {
    let whole = bytes.len() / width;
    if whole >= count {
        return Ok(());
    }
    let offset = whole * width;
    Err(DecodeError::UnexpectedEnd { offset, needed: width, available: bytes.len() - offset })
}

#[cfg_attr(not(feature = "rust_decimal"), expect(unused_variables))]
fn check_target(column: &Column, out: &ValuesMut<'_>) -> Result<(), DecodeError> {
    match out {
        #[cfg(feature = "rust_decimal")]
        ValuesMut::RustDecimal(_) if column.scale() > 28 => {
            Err(DecodeError::ScaleExceedsTarget { scale: column.scale(), max: 28 })
        }
        _ => Ok(()),
    }
}

/// Holds one value against the caller's type and the precision, and stores it.
fn put(
    value: BigInt,
    offset: usize,
    index: usize,
    column: &Column,
    options: ColumnOptions,
    out: &mut ValuesMut<'_>,
) -> Result<(), DecodeError> {
    let too_precise =
        options.precision_check == PrecisionCheck::Enforce && exceeds_precision(&value, column.precision());
    match out {
        ValuesMut::I32(out) => {
            out[index] =
                i32::try_from(&value).map_err(|_| DecodeError::ValueExceedsTarget { offset, index, bits: 32 })?;
        }
        ValuesMut::I64(out) => {
            out[index] =
                i64::try_from(&value).map_err(|_| DecodeError::ValueExceedsTarget { offset, index, bits: 64 })?;
        }
        ValuesMut::I128(out) => {
            out[index] =
                i128::try_from(&value).map_err(|_| DecodeError::ValueExceedsTarget { offset, index, bits: 128 })?;
        }
        ValuesMut::I256(out) => {
            let bytes = value.to_signed_bytes_le();
            let sign = if value.sign() == Sign::Minus { 0xff } else { 0x00 };
            let mut padded = [sign; 32];
            if bytes.len() > padded.len() {
                return Err(DecodeError::ValueExceedsTarget { offset, index, bits: 256 });
            }
            padded[..bytes.len()].copy_from_slice(&bytes);
            out[index] = super::I256::from_le_bytes(padded);
        }
        ValuesMut::BigInt(out) => out[index] = value,
        #[cfg(feature = "rust_decimal")]
        ValuesMut::RustDecimal(out) => {
            if value.magnitude().bits() > 96 {
                return Err(DecodeError::ValueExceedsTarget { offset, index, bits: 96 });
            }
            let mantissa = i128::try_from(&value).expect("96 bits and a sign");
            out[index] = rust_decimal::Decimal::from_i128_with_scale(mantissa, column.scale());
        }
    }
    if too_precise {
        return Err(DecodeError::ValueExceedsPrecision { offset, index, precision: column.precision() });
    }
    Ok(())
}
