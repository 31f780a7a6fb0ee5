//! Parquet DELTA_BINARY_PACKED, for INT32 (`i32`) and INT64 (`i64`), both directions.
//!
//! Specification: [Encodings.md, "Delta Encoding"][spec]. A page is a header (block size, miniblock count, number of
//! values, first value) and blocks of deltas. A block is its least delta, one width byte per miniblock, and the
//! miniblocks: what each delta has over the least one, packed at that width, lowest bit first. Differences wrap at the
//! width of the type, so INT32 never takes more than 32 bits.
//!
//! ```
//! use bytetwin::codec::delta_binary_packed::{Geometry, decode, encode_into};
//!
//! let mut out = [0; 64];
//! let written = encode_into(&[7i32, 5, 3, 1, 2, 3, 4, 5], Geometry::SPEC_128_4, &mut out)?;
//! // Header: block 128, miniblocks 4, values 8, first 7; least delta -2; four widths; one miniblock of 2 bits a value.
//! assert_eq!(out[..10], [0x80, 0x01, 4, 8, 14, 3, 2, 0, 0, 0]);
//! assert_eq!(decode::<i32>(&out[..written], 100)?, (vec![7, 5, 3, 1, 2, 3, 4, 5], written));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What the specification leaves open, and what is written here
//!
//! | open | here |
//! |---|---|
//! | values per block, miniblocks per block | a [`Geometry`], by name a [`Profile`] |
//! | width bytes of miniblocks that hold no value | zero; any value is read ("readers must accept arbitrary") |
//! | the padding that fills the last miniblock | zero; any value is read |
//! | the first value of an empty page | zero; any value of the type is read |
//!
//! [`dont_care_mask`] marks the second and third of them in a page, so that pages of other writers can be compared.
//!
//! # What the decoders refuse
//!
//! Each with its offset, and both twins alike: numbers that end early or need more than 64 bits (padded ones of up to ten bytes
//! are read); block sizes and miniblock counts that are not legal or exceed `i32::MAX` (the specification calls them
//! "int"); more values than blocks in the input could hold; a first value or least delta outside the type (as the
//! `parquet` crate, Arrow C++ and arrow-go do: nothing is silently truncated); in a miniblock that holds values, a width above the type's, or
//! a body that is cut, be it in its padding ("its length is always the number of values in a full miniblock times the
//! bit width"). Bytes after the stream are not read. Errors come when a reader gets to them: values ahead of them are handed out, and the
//! same error comes again for whatever is asked next.
//!
//! Equal steps cost no bits, so that 13 bytes may rightfully claim 2^20 values: output is the caller's, or bounded by
//! the caller.
//!
//! [spec]: https://github.com/apache/parquet-format/blob/master/Encodings.md#delta-encoding-delta_binary_packed--5

mod fast;
mod geometry;
mod integer;
mod mask;
#[cfg(feature = "naive")]
pub mod naive;
#[cfg(all(test, feature = "naive"))]
mod tests;

#[doc(inline)]
pub use fast::{PageReader, PageWriter};
pub(super) use fast::{encode_equal, max_encoded_len};
pub use geometry::{Geometry, Profile};
pub use integer::Integer;
pub use mask::dont_care_mask;

use super::Path;
use crate::{DecodeError, EncodeError};
use alloc::vec::Vec;

/// What [`decode_into`] read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decoded {
    /// Values written to the front of the output.
    pub values: usize,
    /// Bytes that the stream took. What follows it is not its own.
    pub consumed: usize,
}

/// Bytes that `values` take: what [`encode_into`] will write.
pub fn encoded_len<T: Integer>(values: &[T], geometry: Geometry) -> usize {
    fast::encoded_len(Path::best(), values, geometry)
}

/// [`encoded_len`] by the instructions of `path`: for tests and benches.
pub fn encoded_len_with<T: Integer>(path: Path, values: &[T], geometry: Geometry) -> usize {
    fast::encoded_len(path, values, geometry)
}

/// Encodes `values` as one page into the front of `out` and gives the bytes written. Allocates nothing.
///
/// With as much room as the worst case takes (a little above the size of the values), `values` are looked at once; with
/// less, their length is found first.
///
/// # Errors
///
/// [`EncodeError::BufferTooSmall`]; `out` is untouched.
pub fn encode_into<T: Integer>(values: &[T], geometry: Geometry, out: &mut [u8]) -> Result<usize, EncodeError> {
    fast::encode_into(Path::best(), values, geometry, out)
}

/// [`encode_into`] by the instructions of `path`: for tests and benches.
pub fn encode_into_with<T: Integer>(
    path: Path,
    values: &[T],
    geometry: Geometry,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    fast::encode_into(path, values, geometry, out)
}

/// [`encode_into`] a new `Vec` of just the length.
pub fn encode<T: Integer>(values: &[T], geometry: Geometry) -> Vec<u8> {
    let mut out = alloc::vec![0; encoded_len(values, geometry)];
    let written = encode_into(values, geometry, &mut out);
    debug_assert_eq!(written, Ok(out.len()));
    out
}

/// Decodes the stream at the front of `bytes` into the front of `out`.
///
/// # Errors
///
/// What is wrong with the page, at its offset; [`DecodeError::OutputTooSmall`] when `out` has no room for all values.
pub fn decode_into<T: Integer>(bytes: &[u8], out: &mut [T]) -> Result<Decoded, DecodeError> {
    decode_into_with(Path::best(), bytes, out)
}

/// [`decode_into`] by the instructions of `path`: for tests and benches.
pub fn decode_into_with<T: Integer>(path: Path, bytes: &[u8], out: &mut [T]) -> Result<Decoded, DecodeError> {
    let mut reader = PageReader::with_path(path, bytes)?;
    let values = reader.len();
    if out.len() < values {
        return Err(DecodeError::OutputTooSmall { needed: values, available: out.len() });
    }
    reader.get(&mut out[..values])?;
    Ok(Decoded { values, consumed: reader.consumed() })
}

/// Decodes the stream at the front of `bytes` into a new `Vec`, and gives the bytes it took.
///
/// # Errors
///
/// What is wrong with the page, at its offset; [`DecodeError::TooManyValues`] when it claims more than `max_values`, which a
/// page of a few bytes may rightfully do.
pub fn decode<T: Integer>(bytes: &[u8], max_values: usize) -> Result<(Vec<T>, usize), DecodeError> {
    let mut reader = PageReader::new(bytes)?;
    let count = reader.len();
    if count > max_values {
        return Err(DecodeError::TooManyValues { count, max: max_values });
    }
    let mut out = alloc::vec![T::default(); count];
    reader.get(&mut out)?;
    Ok((out, reader.consumed()))
}
