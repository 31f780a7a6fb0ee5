//! The fast twin. One value is a handful of instructions in safe code; a batch is checked and written in one pass
//! without a branch per value, and only a batch that holds a refused value is walked again to name it.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

use alloc::vec;
use alloc::vec::Vec;

use self::portable::{Sink, Source};
#[cfg(target_arch = "x86_64")]
use super::Normalization;
use super::{Params, Raw, encoded_len};
use crate::codec::Path;
#[cfg(target_arch = "x86_64")]
use crate::codec::path::Kind;
use crate::{DecodeError, EncodeError};

/// Writes `value` to the front of `out`; returns the octets written, [`Params::value_len`].
///
/// # Errors
/// [`EncodeError::BufferTooSmall`], then as [`encode_into`] with `at` 0. `out` is untouched.
#[inline]
pub fn encode_one(value: Raw, params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
    portable::encode_one(&value, params, out)
}

/// Writes `values` one after another on the best path; returns the octets written, [`encoded_len`].
///
/// # Errors
/// [`EncodeError::BufferTooSmall`] before any value is looked at; then, for the first value that the profile cannot
/// carry, [`EncodeError::DecimalScaleOutOfRange`], [`EncodeError::DecimalMantissaOutOfRange`] or
/// [`EncodeError::DecimalNegativeZero`], in this order, with the octets that would have been written set to zero.
pub fn encode_into(values: &[Raw], params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
    encode_batch(Path::best(), values, params, out)
}

/// [`encode_into`] on a path of the caller's choice.
///
/// # Errors
/// As [`encode_into`].
pub fn encode_into_with(path: Path, values: &[Raw], params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
    encode_batch(path, values, params, out)
}

/// [`encode_into`] a fresh vector.
///
/// # Errors
/// As [`encode_into`], without the buffer.
pub fn encode(values: &[Raw], params: Params) -> Result<Vec<u8>, EncodeError> {
    let mut out = vec![0; encoded_len(values, params)];
    encode_into(values, params, &mut out)?;
    Ok(out)
}

/// Reads the value at the front of `input`; returns it and the octets read, [`Params::value_len`].
///
/// # Errors
/// [`DecodeError::UnexpectedEnd`], [`DecodeError::UnexpectedTag`], [`DecodeError::DecimalScaleOutOfRange`].
#[inline]
pub fn decode_one(input: &[u8], params: Params) -> Result<(Raw, usize), DecodeError> {
    portable::decode_one(input, params)
}

/// Reads as many values as `out` has places, on the best path; returns the octets read. What follows them is ignored.
///
/// # Errors
/// As [`decode_one`], for the first value that is refused. The contents of `out` are then unspecified.
pub fn decode_into(input: &[u8], params: Params, out: &mut [Raw]) -> Result<usize, DecodeError> {
    decode_batch(Path::best(), input, params, out)
}

/// [`decode_into`] on a path of the caller's choice.
///
/// # Errors
/// As [`decode_into`].
pub fn decode_into_with(path: Path, input: &[u8], params: Params, out: &mut [Raw]) -> Result<usize, DecodeError> {
    decode_batch(path, input, params, out)
}

/// [`encode_one`] for `Decimal`. Its negative zero is told from zero.
///
/// # Errors
/// As [`encode_one`].
#[cfg(feature = "rust_decimal")]
#[inline]
pub fn encode_one_decimal(value: rust_decimal::Decimal, params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
    portable::encode_one(&value, params, out)
}

/// [`encode_into`] for `Decimal`, whose mantissa has 96 bits. Its negative zero is told from zero.
///
/// # Errors
/// As [`encode_into`].
#[cfg(feature = "rust_decimal")]
pub fn encode_decimals_into(
    values: &[rust_decimal::Decimal],
    params: Params,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    encode_batch(Path::best(), values, params, out)
}

/// [`encode_decimals_into`] on a path of the caller's choice.
///
/// # Errors
/// As [`encode_into`].
#[cfg(feature = "rust_decimal")]
pub fn encode_decimals_into_with(
    path: Path,
    values: &[rust_decimal::Decimal],
    params: Params,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    encode_batch(path, values, params, out)
}

/// [`encode_decimals_into`] a fresh vector.
///
/// # Errors
/// As [`encode`].
#[cfg(feature = "rust_decimal")]
pub fn encode_decimals(values: &[rust_decimal::Decimal], params: Params) -> Result<Vec<u8>, EncodeError> {
    let mut out = vec![0; encoded_len(values, params)];
    encode_decimals_into(values, params, &mut out)?;
    Ok(out)
}

/// [`decode_one`] into a `Decimal`. Scales above 28, which it has not, are refused under every profile.
///
/// # Errors
/// As [`decode_one`].
#[cfg(feature = "rust_decimal")]
#[inline]
pub fn decode_one_decimal(input: &[u8], params: Params) -> Result<(rust_decimal::Decimal, usize), DecodeError> {
    portable::decode_one(input, params)
}

/// [`decode_into`] for `Decimal`. Scales above 28, which it has not, are refused under every profile.
///
/// # Errors
/// As [`decode_into`].
#[cfg(feature = "rust_decimal")]
pub fn decode_decimals_into(
    input: &[u8],
    params: Params,
    out: &mut [rust_decimal::Decimal],
) -> Result<usize, DecodeError> {
    decode_batch(Path::best(), input, params, out)
}

/// [`decode_decimals_into`] on a path of the caller's choice.
///
/// # Errors
/// As [`decode_into`].
#[cfg(feature = "rust_decimal")]
pub fn decode_decimals_into_with(
    path: Path,
    input: &[u8],
    params: Params,
    out: &mut [rust_decimal::Decimal],
) -> Result<usize, DecodeError> {
    decode_batch(path, input, params, out)
}

/// A value of every path.
#[cfg(target_arch = "x86_64")]
trait Value: Source + Sink + avx512::Lane {}
#[cfg(target_arch = "x86_64")]
impl<T: Source + Sink + avx512::Lane> Value for T {}
#[cfg(not(target_arch = "x86_64"))]
trait Value: Source + Sink {}
#[cfg(not(target_arch = "x86_64"))]
impl<T: Source + Sink> Value for T {}

fn encode_batch<S: Value>(path: Path, values: &[S], params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
    let needed = encoded_len(values, params);
    let available = out.len();
    let Some(out) = out.get_mut(..needed) else {
        return Err(EncodeError::BufferTooSmall { needed, available });
    };
    let all_fit = match path.kind() {
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512 if params.normalization == Normalization::Keep => avx512::encode_batch(path, values, params, out),
        _ => portable::encode_batch(values, params, out),
    };
    if all_fit { Ok(needed) } else { Err(portable::refuse_batch(values, params, out)) }
}

fn decode_batch<S: Value>(path: Path, input: &[u8], params: Params, out: &mut [S]) -> Result<usize, DecodeError> {
    let whole = out.len().min(input.len() / params.value_len());
    let taken = &input[..whole * params.value_len()];
    let all_good = match path.kind() {
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512 => avx512::decode_batch(path, taken, params, &mut out[..whole]),
        _ => portable::decode_batch(taken, params, &mut out[..whole]),
    };
    if all_good && whole == out.len() { Ok(taken.len()) } else { Err(portable::refuse_input::<S>(input, params)) }
}
