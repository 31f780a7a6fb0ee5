//! Columns of machine integers: checks, the choice of kernel, and which value an error names.

use super::integer::{Integer, exceeds_width};
use super::lanes::{Lane, Order};
use super::{byte_array, dispatch, little_endian, portable};
use crate::codec::Path;
use crate::codec::decimal::{Column, ColumnOptions, Physical};
use crate::{DecodeError, EncodeError};

/// Bytes of `count` values, where all have the same width.
pub(super) fn fixed_len(count: usize, column: &Column) -> Option<usize> {
    column.physical().width().map(|width| count.saturating_mul(width as usize))
}

/// Width and byte order of the values, where all have the same width.
pub(super) fn layout(column: &Column) -> Option<(usize, Order)> {
    let order = match column.physical() {
        Physical::Int32 | Physical::Int64 => Order::Little,
        Physical::Fixed(_) | Physical::ByteArray => Order::Big,
    };
    column.physical().width().map(|width| (width as usize, order))
}

/// The first `needed` bytes of `out`.
#[inline(always)]
pub(super) fn room(out: &mut [u8], needed: usize) -> Result<&mut [u8], EncodeError> {
    let available = out.len();
    out.get_mut(..needed).ok_or(EncodeError::BufferTooSmall { needed, available })
}

/// The first `count` items of `width` bytes.
pub(super) fn items(bytes: &[u8], count: usize, width: usize) -> Result<&[u8], DecodeError> {
    bytes.get(..count.saturating_mul(width)).ok_or_else(|| {
        let available = bytes.len() % width;
        DecodeError::UnexpectedEnd { offset: bytes.len() - available, needed: width, available }
    })
}

pub(super) fn encoded_len<T: Integer>(
    path: Path,
    values: &[T],
    column: &Column,
    options: ColumnOptions,
) -> Result<usize, EncodeError> {
    if let Some(needed) = fixed_len(values.len(), column) {
        return Ok(needed);
    }
    let range = T::range(column, options);
    T::byte_array_len(path, values, range)
        .ok_or_else(|| first_refused(values, range.unwrap_or((T::MIN, T::MAX)), column))
}

pub(super) fn encode<T: Lane>(
    path: Path,
    values: &[T],
    column: &Column,
    options: ColumnOptions,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    let needed = encoded_len(path, values, column, options)?;
    let out = room(out, needed)?;
    let range = T::range(column, options);
    let ok = match layout(column) {
        Some((width, order)) => dispatch::encode(path, values, width, order, range, out),
        None => T::encode_byte_array(path, values, out) == needed,
    };
    match range {
        Some(range) if !ok => {
            out.fill(0);
            Err(first_refused(values, range, column))
        }
        _ => Ok(needed),
    }
}

/// The error for the first value outside `range`; there is one.
#[cold]
fn first_refused<T: Integer>(values: &[T], range: (T, T), column: &Column) -> EncodeError {
    let index = values.iter().position(|value| *value < range.0 || *value > range.1).expect("a kernel refused a value");
    match exceeds_width(values[index].words(), column.physical()) {
        Some(width) => EncodeError::ValueExceedsWidth { index, width },
        None => EncodeError::ValueExceedsPrecision { index, precision: column.precision() },
    }
}

pub(super) fn decode<T: Lane>(
    path: Path,
    bytes: &[u8],
    column: &Column,
    options: ColumnOptions,
    out: &mut [T],
) -> Result<usize, DecodeError> {
    let range = T::range(column, options);
    let Some((width, order)) = layout(column) else {
        return byte_array::decode(bytes, range, column, out);
    };
    let bytes = items(bytes, out.len(), width)?;
    if dispatch::decode(path, bytes, width, order, range, out) {
        Ok(bytes.len())
    } else {
        Err(first_unreadable(bytes, width, range, column))
    }
}

/// The error for the first item that does not fit T or lies outside `range`; there is one.
#[cold]
fn first_unreadable<T: Integer>(bytes: &[u8], width: usize, range: Option<(T, T)>, column: &Column) -> DecodeError {
    bytes
        .chunks_exact(width)
        .enumerate()
        .find_map(|(index, item)| {
            let words = match column.physical() {
                Physical::Int32 | Physical::Int64 => little_endian::load_any(item),
                Physical::Fixed(_) | Physical::ByteArray => portable::load_any(item),
            };
            check(words, range, column, index * width, index).err()
        })
        .expect("a kernel refused an item")
}

/// One decoded value as T.
#[inline(always)]
pub(super) fn check<T: Integer>(
    words: Option<[u64; 4]>,
    range: Option<(T, T)>,
    column: &Column,
    offset: usize,
    index: usize,
) -> Result<T, DecodeError> {
    match words.map(T::from_words) {
        Some((value, 0)) => match range {
            Some((min, max)) if value < min || value > max => {
                Err(DecodeError::ValueExceedsPrecision { offset, index, precision: column.precision() })
            }
            _ => Ok(value),
        },
        _ => Err(DecodeError::ValueExceedsTarget { offset, index, bits: T::BITS }),
    }
}
