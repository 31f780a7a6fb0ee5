//! DELTA_LENGTH_BYTE_ARRAY, fast: the lengths are a subtraction of neighbouring offsets, and where values lie back to
//! back their bytes are one copy. So nearly all time goes to the lengths' DELTA_BINARY_PACKED stream, which has its own
//! SIMD paths.

mod decode;
mod writer;

pub use decode::{PageReader, decode_into_with, decode_offsets_into, decode_offsets_into_with};
pub use writer::PageWriter;

use alloc::vec::Vec;

use super::super::Path;
use super::super::byte_arrays::{Form, Lengths, by_the_best_path, copy_value};
use super::{ByteArrays, DecodeLimits, Geometry, Offset};
use crate::{DecodeError, EncodeError};

/// Working memory, in either direction. It belongs to the caller, grows when a page needs more than any page before, and
/// can be used for any column.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    lengths: Lengths,
}

impl Scratch {
    /// Empty: the first page makes room.
    pub fn new() -> Self {
        Self::default()
    }
}

by_the_best_path!(limits: &DecodeLimits);

/// [`encoded_len`] by the named path.
///
/// # Errors
/// As the [contract](super) says.
pub fn encoded_len_with(
    path: Path,
    values: &ByteArrays<'_>,
    geometry: Geometry,
    scratch: &mut Scratch,
) -> Result<usize, EncodeError> {
    let bytes = lengths(values, &mut scratch.lengths)?;
    Ok(scratch.lengths.encode(path, geometry).len() + bytes)
}

/// [`encode_into`] by the named path.
///
/// # Errors
/// As the [contract](super) says. `out` is untouched then.
pub fn encode_into_with(
    path: Path,
    values: &ByteArrays<'_>,
    geometry: Geometry,
    scratch: &mut Scratch,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    let bytes = lengths(values, &mut scratch.lengths)?;
    let head = scratch.lengths.encode(path, geometry);
    let needed = head.len() + bytes;
    let available = out.len();
    let Some(out) = out.get_mut(..needed) else {
        return Err(EncodeError::BufferTooSmall { needed, available });
    };
    let (out_head, out_bytes) = out.split_at_mut(head.len());
    out_head.copy_from_slice(head);
    match values.0 {
        Form::Arrow32(offsets, data) => {
            let start = offsets.first().map_or(0, |&offset| offset as usize);
            out_bytes.copy_from_slice(&data[start..start + bytes]);
        }
        Form::Arrow64(offsets, data) => {
            let start = offsets.first().map_or(0, |&offset| offset as usize);
            out_bytes.copy_from_slice(&data[start..start + bytes]);
        }
        Form::FixedLen(_, data) => out_bytes.copy_from_slice(data),
        Form::Slices(values) => concatenate(values, out_bytes),
    }
    Ok(needed)
}

/// Finds the lengths, and gives the bytes of all values. No length is cut: none is larger than their sum, which is
/// checked.
fn lengths(values: &ByteArrays<'_>, lengths: &mut Lengths) -> Result<usize, EncodeError> {
    let bytes = match values.0 {
        Form::Arrow32(offsets, _) => lengths_of_run(offsets, lengths),
        Form::Arrow64(offsets, _) => lengths_of_run(offsets, lengths),
        Form::FixedLen(width, _) => return Err(EncodeError::NotByteArray { width }),
        Form::Slices(values) => {
            lengths.start(values.len()).iter_mut().zip(values).fold(0, |bytes: usize, (length, value)| {
                *length = value.len() as i32;
                bytes.saturating_add(value.len())
            })
        }
    };
    if bytes > i32::MAX as usize { Err(first_fault(values)) } else { Ok(bytes) }
}

/// [`lengths`] by checked offsets.
fn lengths_of_run<O: Offset>(offsets: &[O], lengths: &mut Lengths) -> usize {
    let [first, .., last] = *offsets else {
        lengths.start(0);
        return 0;
    };
    let (ends, count) = (&offsets[1..], offsets.len() - 1);
    let length = ends[0].since(first);
    // A few hundred at a time without a branch; most columns whose values differ in length are known by the first.
    let equal = ends.chunks(256).zip(offsets.chunks(256)).all(|(ends, starts)| {
        let differ = |(&end, &start): (&O, &O)| end.since(start) != length;
        !ends.iter().zip(starts).fold(false, |any, pair| any | differ(pair))
    });
    if equal {
        lengths.start_equal(count, length.to_i64() as i32);
    } else {
        for ((length, &end), &start) in lengths.start(count).iter_mut().zip(ends).zip(offsets) {
            *length = end.since(start).to_i64() as i32;
        }
    }
    last.since(first).to_i64() as usize
}

/// The error for values that take more than 2^31 - 1 bytes.
#[cold]
fn first_fault(values: &ByteArrays<'_>) -> EncodeError {
    let mut bytes = 0;
    for (index, value) in values.iter().enumerate() {
        if value.len() > i32::MAX as usize {
            return EncodeError::ValueTooLong { index, len: value.len() };
        }
        bytes += value.len();
        if bytes > i32::MAX as usize {
            return EncodeError::PageTooLong { index, len: bytes };
        }
    }
    unreachable!("called for more than i32::MAX bytes")
}

/// Copies `values` to `out`, which is just as long as all of them.
fn concatenate(values: &[&[u8]], out: &mut [u8]) {
    let mut rest = out;
    for value in values {
        let (to, after) = rest.split_at_mut(value.len());
        copy_value(value, to);
        rest = after;
    }
}
