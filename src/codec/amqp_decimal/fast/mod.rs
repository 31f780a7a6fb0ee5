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
pub fn encode_one<V: Value>(value: V, params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
    V::encode_one(&value, params, out)
}

/// Writes `values` one after another on the best path; returns the octets written, [`encoded_len`].
///
/// # Errors
/// [`EncodeError::BufferTooSmall`] before any value is looked at; then, for the first value that the profile cannot
/// carry, [`EncodeError::DecimalScaleOutOfRange`], [`EncodeError::DecimalMantissaOutOfRange`] or
/// [`EncodeError::DecimalNegativeZero`], in this order, with the octets that would have been written set to zero.
pub fn encode_into<V: Value>(values: &[V], params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
    V::encode_batch(Path::best(), values, params, out)
}

/// [`encode_into`] on a path of the caller's choice.
///
/// # Errors
/// As [`encode_into`].
pub fn encode_into_with<V: Value>(
    path: Path,
    values: &[V],
    params: Params,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    V::encode_batch(path, values, params, out)
}

/// [`encode_into`] a new `Vec`.
///
/// # Errors
/// As [`encode_into`], without the buffer.
pub fn encode<V: Value>(values: &[V], params: Params) -> Result<Vec<u8>, EncodeError> {
    let mut out = vec![0; encoded_len(values, params)];
    encode_into(values, params, &mut out)?;
    Ok(out)
}

/// Reads the value at the front of `bytes`; returns it and the octets consumed, [`Params::value_len`].
///
/// # Errors
/// [`DecodeError::UnexpectedEnd`], [`DecodeError::UnexpectedTag`], [`DecodeError::DecimalScaleOutOfRange`].
#[inline]
pub fn decode_one<V: Value>(bytes: &[u8], params: Params) -> Result<(V, usize), DecodeError> {
    V::decode_one(bytes, params)
}

/// Reads as many values as `out` has places, on the best path; returns the octets consumed. What follows them is ignored.
///
/// # Errors
/// As [`decode_one`], for the first value that is refused. The contents of `out` are then unspecified.
pub fn decode_into<V: Value>(bytes: &[u8], params: Params, out: &mut [V]) -> Result<usize, DecodeError> {
    V::decode_batch(Path::best(), bytes, params, out)
}

/// [`decode_into`] on a path of the caller's choice.
///
/// # Errors
/// As [`decode_into`].
pub fn decode_into_with<V: Value>(
    path: Path,
    bytes: &[u8],
    params: Params,
    out: &mut [V],
) -> Result<usize, DecodeError> {
    V::decode_batch(path, bytes, params, out)
}

/// What can be written and read: [`Raw`], or `rust_decimal::Decimal` (feature `rust_decimal`).
///
/// The mantissa of a `Decimal` has 96 bits, and its negative zero is told from zero. It has no scale above 28: such
/// values are refused under every profile when they are read.
pub trait Value: sealed::Ways {}

mod sealed {
    use super::{DecodeError, EncodeError, Params, Path};

    /// The ways in and out. Those of many values are compiled here, and not where they are called.
    pub trait Ways: Copy {
        fn encode_one(value: &Self, params: Params, out: &mut [u8]) -> Result<usize, EncodeError>;
        fn decode_one(bytes: &[u8], params: Params) -> Result<(Self, usize), DecodeError>;
        fn encode_batch(path: Path, values: &[Self], params: Params, out: &mut [u8]) -> Result<usize, EncodeError>;
        fn decode_batch(path: Path, bytes: &[u8], params: Params, out: &mut [Self]) -> Result<usize, DecodeError>;
    }
}

macro_rules! value {
    ($type:ty) => {
        impl Value for $type {}

        impl sealed::Ways for $type {
            #[inline]
            fn encode_one(value: &Self, params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
                portable::encode_one(value, params, out)
            }

            #[inline]
            fn decode_one(bytes: &[u8], params: Params) -> Result<(Self, usize), DecodeError> {
                portable::decode_one(bytes, params)
            }

            fn encode_batch(path: Path, values: &[Self], params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
                encode_batch(path, values, params, out)
            }

            fn decode_batch(path: Path, bytes: &[u8], params: Params, out: &mut [Self]) -> Result<usize, DecodeError> {
                decode_batch(path, bytes, params, out)
            }
        }
    };
}

value!(Raw);
#[cfg(feature = "rust_decimal")]
value!(rust_decimal::Decimal);

/// What the kernels of every path take.
#[cfg(target_arch = "x86_64")]
trait OnEveryPath: Source + Sink + avx512::Lane {}
#[cfg(target_arch = "x86_64")]
impl<T: Source + Sink + avx512::Lane> OnEveryPath for T {}
#[cfg(not(target_arch = "x86_64"))]
trait OnEveryPath: Source + Sink {}
#[cfg(not(target_arch = "x86_64"))]
impl<T: Source + Sink> OnEveryPath for T {}

fn encode_batch<S: OnEveryPath>(
    path: Path,
    values: &[S],
    params: Params,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
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

fn decode_batch<S: OnEveryPath>(path: Path, bytes: &[u8], params: Params, out: &mut [S]) -> Result<usize, DecodeError> {
    let whole = out.len().min(bytes.len() / params.value_len());
    let taken = &bytes[..whole * params.value_len()];
    let all_good = match path.kind() {
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512 => avx512::decode_batch(path, taken, params, &mut out[..whole]),
        _ => portable::decode_batch(taken, params, &mut out[..whole]),
    };
    if all_good && whole == out.len() { Ok(taken.len()) } else { Err(portable::refuse_input::<S>(bytes, params)) }
}
