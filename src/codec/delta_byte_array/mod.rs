//! Parquet DELTA_BYTE_ARRAY (encoding 7): BYTE_ARRAY and FIXED_LEN_BYTE_ARRAY columns by what differs from the value
//! before.
//!
//! A page is the prefix lengths of the values as one [DELTA_BINARY_PACKED](super::delta_binary_packed) stream of 32-bit
//! integers, then their suffixes as [DELTA_LENGTH_BYTE_ARRAY](super::delta_length_byte_array): suffix lengths, then
//! bytes. Fixed-length values have both lengths too. Source: parquet-format, Encodings.md, "Delta Strings".
//!
//! The specification leaves the prefix open. Here, as with every writer known, it is the longest prefix that the value
//! shares with the one immediately before it in the page, in whole bytes; the first value of a page has prefix 0. So the
//! profile is the [`Geometry`] of the two streams of lengths.
//!
//! ```
//! use bytetwin::codec::delta_byte_array::{ByteArrays, DecodeOptions, Geometry, Scratch, decode_into, encode};
//!
//! let values = [&b"axis"[..], b"axle", b"babble", b"babyhood"];
//! let page = encode(&ByteArrays::slices(&values), Geometry::SPEC_128_4)?;
//! assert!(page.ends_with(b"axislebabbleyhood"));
//! let (mut offsets, mut data) = (Vec::<i32>::new(), Vec::new());
//! let consumed = decode_into(&page, &DecodeOptions::default(), &mut Scratch::new(), &mut offsets, &mut data)?;
//! assert_eq!((consumed, offsets.len()), (page.len(), values.len() + 1));
//! assert_eq!(data, values.concat());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Contract
//!
//! * Encoding: [`EncodeError::ValueTooLong`](crate::EncodeError::ValueTooLong) and
//!   [`PageTooLong`](crate::EncodeError::PageTooLong) for the first value, in order, that is longer than 2^31 - 1
//!   bytes, or takes the page's suffixes past that; then the room in `out`.
//! * Decoding: prefix lengths, then suffix lengths, each with the errors of their stream; then as many of the one as of
//!   the other ([`CountMismatch`](crate::DecodeError::CountMismatch)). Then, value by value: the prefix is within the
//!   value before ([`PrefixOutOfRange`](crate::DecodeError::PrefixOutOfRange)), the suffix length is not negative
//!   ([`NegativeLength`](crate::DecodeError::NegativeLength)), its bytes are there
//!   ([`UnexpectedEnd`](crate::DecodeError::UnexpectedEnd)), the value has the column's length
//!   ([`WrongLength`](crate::DecodeError::WrongLength)), and the output stays within its limit
//!   ([`OutputTooLarge`](crate::DecodeError::OutputTooLarge)). Then what follows the page.

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
    PageReader, PageWriter, Scratch, decode, decode_into, decode_into_with, encode, encode_into, encode_into_with,
    encoded_len, encoded_len_with,
};

/// The value that the first prefix of a page refers to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FirstPrefix<'a> {
    /// None, as the specification has it: a prefix other than 0 is an error.
    #[default]
    Empty,
    /// The last value of the page before. Files by parquet-mr before 1.8.0 need it: their writer kept the previous
    /// value over the end of a page (<https://issues.apache.org/jira/browse/PARQUET-246>).
    Previous(&'a [u8]),
}

impl<'a> FirstPrefix<'a> {
    /// The bytes of that value.
    pub fn bytes(self) -> &'a [u8] {
        match self {
            Self::Empty => &[],
            Self::Previous(value) => value,
        }
    }
}

/// How to decode one page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DecodeOptions<'a> {
    /// How much the page may hold, and what may follow it.
    pub limits: DecodeLimits,
    /// What the first prefix refers to.
    pub first_prefix: FirstPrefix<'a>,
    /// The length that every value must have: that of a FIXED_LEN_BYTE_ARRAY column. `None` for BYTE_ARRAY.
    pub value_len: Option<usize>,
}
