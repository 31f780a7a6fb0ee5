//! The fast twin: machine words, and wider paths where the processor has them.
//!
//! The functions without a path take the best one ([`Path::best`]); those that end in `_with` take the one they are given.
//! `dispatch` says which kernels a path has:
//!
//! | kernel | portable | AVX2 | AVX-512 |
//! |---|---|---|---|
//! | i32, i64, i128, [`I256`](super::I256), up to the size of the value, either way | x | x | x |
//! | wider, up to 32 bytes | x | | x |
//! | wider than 32 bytes | x | | |
//! | i128 as BYTE_ARRAY, length and encoding | x | x | x |
//! | `rust_decimal` of the column's scale, up to 16 bytes wide, either way | x | | x |
//!
//! What a path does not have runs on the portable kernels; AVX2's of BYTE_ARRAY are these, compiled for it. `BigInt` and
//! mixed scales are brought to i128 or [`I256`](super::I256) block by block.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(feature = "num-bigint")]
mod bigint;
mod byte_array;
mod columns;
mod dispatch;
#[cfg(target_arch = "x86_64")]
mod form;
mod integer;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
mod lanes;
mod little_endian;
mod one;
mod portable;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
#[cfg(all(test, target_arch = "x86_64"))]
mod simd_tests;
#[cfg(target_arch = "x86_64")]
mod staged;
#[cfg(any(feature = "num-bigint", feature = "rust_decimal"))]
mod wide;
#[cfg(target_arch = "x86_64")]
mod windows;

use alloc::vec;
use alloc::vec::Vec;

use super::{Column, ColumnOptions, Values, ValuesMut};
use crate::codec::Path;
use crate::{DecodeError, EncodeError};

pub use one::Limits;

/// Writes a value that is known to fit as big-endian bytes to the whole of `item`.
#[cfg(feature = "num-bigint")]
pub(super) fn store(value: &num_bigint::BigInt, item: &mut [u8]) {
    bigint::store(value, item);
}

/// Bytes that [`encode_into`] writes.
///
/// # Errors
/// For BYTE_ARRAY, where the length depends on the values, those of [`encode_into`] on values. Other types: none.
pub fn encoded_len<'a>(
    values: impl Into<Values<'a>>,
    column: &Column,
    options: ColumnOptions,
) -> Result<usize, EncodeError> {
    encoded_len_with(Path::best(), values, column, options)
}

/// [`encoded_len`] on a given path.
///
/// # Errors
/// Those of [`encoded_len`].
pub fn encoded_len_with<'a>(
    path: Path,
    values: impl Into<Values<'a>>,
    column: &Column,
    options: ColumnOptions,
) -> Result<usize, EncodeError> {
    match values.into() {
        Values::I32(values) => columns::encoded_len(path, values, column, options),
        Values::I64(values) => columns::encoded_len(path, values, column, options),
        Values::I128(values) => columns::encoded_len(path, values, column, options),
        Values::I256(values) => columns::encoded_len(path, values, column, options),
        #[cfg(feature = "num-bigint")]
        Values::BigInt(values) => bigint::encoded_len(values, column, options),
        #[cfg(feature = "rust_decimal")]
        Values::RustDecimal(values) => rust_decimal::encoded_len(values, column, options),
    }
}

/// Encodes a column to the start of `out` and says how many bytes that took.
///
/// # Errors
/// `BufferTooSmall`, `ValueExceedsWidth`, `ValueExceedsPrecision` and, for `rust_decimal`, `InexactScale`, in the order that
/// the [codec](super) states. After a value error the bytes of `out` that the encoding would have taken are zero or as
/// they were.
pub fn encode_into<'a>(
    values: impl Into<Values<'a>>,
    column: &Column,
    options: ColumnOptions,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    encode_into_with(Path::best(), values, column, options, out)
}

/// [`encode_into`] on a given path.
///
/// # Errors
/// Those of [`encode_into`].
pub fn encode_into_with<'a>(
    path: Path,
    values: impl Into<Values<'a>>,
    column: &Column,
    options: ColumnOptions,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    match values.into() {
        Values::I32(values) => columns::encode(path, values, column, options, out),
        Values::I64(values) => columns::encode(path, values, column, options, out),
        Values::I128(values) => columns::encode(path, values, column, options, out),
        Values::I256(values) => columns::encode(path, values, column, options, out),
        #[cfg(feature = "num-bigint")]
        Values::BigInt(values) => bigint::encode(path, values, column, options, out),
        #[cfg(feature = "rust_decimal")]
        Values::RustDecimal(values) => rust_decimal::encode(path, values, column, options, out),
    }
}

/// Encodes a column into a new `Vec`.
///
/// # Errors
/// Those of [`encode_into`], but for `BufferTooSmall`.
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

/// Decodes `out.len()` values from the start of `bytes` and says how many it consumed.
///
/// # Errors
/// `UnexpectedEnd`, `EmptyDecimal`, `ValueExceedsTarget`, `ValueExceedsPrecision` and, for `rust_decimal`,
/// `ScaleExceedsTarget`, in the order that the [codec](super) states.
pub fn decode_into<'a>(
    bytes: &[u8],
    column: &Column,
    options: ColumnOptions,
    out: impl Into<ValuesMut<'a>>,
) -> Result<usize, DecodeError> {
    decode_into_with(Path::best(), bytes, column, options, out)
}

/// [`decode_into`] on a given path.
///
/// # Errors
/// Those of [`decode_into`].
pub fn decode_into_with<'a>(
    path: Path,
    bytes: &[u8],
    column: &Column,
    options: ColumnOptions,
    out: impl Into<ValuesMut<'a>>,
) -> Result<usize, DecodeError> {
    match out.into() {
        ValuesMut::I32(out) => columns::decode(path, bytes, column, options, out),
        ValuesMut::I64(out) => columns::decode(path, bytes, column, options, out),
        ValuesMut::I128(out) => columns::decode(path, bytes, column, options, out),
        ValuesMut::I256(out) => columns::decode(path, bytes, column, options, out),
        #[cfg(feature = "num-bigint")]
        ValuesMut::BigInt(out) => bigint::decode(path, bytes, column, options, out),
        #[cfg(feature = "rust_decimal")]
        ValuesMut::RustDecimal(out) => rust_decimal::decode(path, bytes, column, options, out),
    }
}
