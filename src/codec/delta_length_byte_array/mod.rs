//! Parquet DELTA_LENGTH_BYTE_ARRAY (encoding 6): BYTE_ARRAY columns as lengths, then bytes.
//!
//! A page is the lengths of the values as one [DELTA_BINARY_PACKED](super::delta_binary_packed) stream of 32-bit
//! integers, then the bytes of all values, one after another. Source: parquet-format, Encodings.md, "Delta-length byte
//! array".
//!
//! The profile is the [`Geometry`] of the lengths; everything else the specification fixes.
//!
//! ```
//! use bytetwin::codec::delta_length_byte_array::{ByteArrays, DecodeLimits, Geometry, Scratch, decode_into, encode};
//!
//! let values = [&b"Hello"[..], b"World", b"Foobar", b"ABCDEF"];
//! let page = encode(&ByteArrays::slices(&values), Geometry::SPEC_128_4)?;
//! assert!(page.ends_with(b"HelloWorldFoobarABCDEF"));
//! let (mut offsets, mut data) = (Vec::<i32>::new(), Vec::new());
//! let consumed = decode_into(&page, &DecodeLimits::default(), &mut Scratch::new(), &mut offsets, &mut data)?;
//! assert_eq!((consumed, offsets.len()), (page.len(), values.len() + 1));
//! assert_eq!(data, values.concat());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Contract
//!
//! * Encoding: BYTE_ARRAY only, a fixed-length column is
//!   [`EncodeError::NotByteArray`](crate::EncodeError::NotByteArray). Then [`EncodeError::ValueTooLong`](crate::EncodeError::ValueTooLong) and
//!   [`PageTooLong`](crate::EncodeError::PageTooLong) for the first value, in order, that is longer than 2^31 - 1
//!   bytes, or takes the page's values past that; then the room in `out`.
//! * Decoding: the stream of lengths first, with its own errors. Then, value by value, a length must not be negative
//!   ([`NegativeLength`](crate::DecodeError::NegativeLength)), its bytes must be there
//!   ([`UnexpectedEnd`](crate::DecodeError::UnexpectedEnd)), and the output must stay within its limit
//!   ([`OutputTooLarge`](crate::DecodeError::OutputTooLarge)). Then what follows the page.
//! * A page holds as many lengths as non-null values; its header's row count may be larger.

mod fast;
#[cfg(feature = "naive")]
pub mod naive;
#[cfg(all(test, feature = "naive"))]
mod tests;

#[doc(inline)]
pub use super::byte_arrays::{ByteArrays, DecodeLimits, Offset, Trailing};
#[doc(inline)]
pub use super::delta_binary_packed::Geometry;
#[doc(inline)]
pub use fast::{
    PageReader, PageWriter, Scratch, decode, decode_into, decode_into_with, decode_offsets_into,
    decode_offsets_into_with, encode, encode_into, encode_into_with, encoded_len, encoded_len_with,
};
