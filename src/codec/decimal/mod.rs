//! Parquet DECIMAL (parquet-format, LogicalTypes.md, section DECIMAL; PLAIN encoding).
//!
//! A column of DECIMAL(precision, scale) stores unscaled integers; the number is `unscaled * 10^-scale`.
//!
//! | physical type | bytes of one value |
//! |---|---|
//! | INT32, INT64 | 4 or 8 bytes, two's complement, little-endian |
//! | FIXED_LEN_BYTE_ARRAY(n) | n bytes, two's complement, big-endian, extended with the sign |
//! | BYTE_ARRAY | a 4-byte little-endian length, then two's complement, big-endian, in the fewest bytes (0 takes one) |
//!
//! # What to call
//! [`encoded_len`], [`encode_into`], [`encode`] and [`decode_into`], over [`Values`] and a [`Column`]; for one value at a
//! time [`Limits`]. `naive` (feature `naive`) has the same functions. [`order`] compares encoded values, and the `Decimal` value type (feature
//! `num-bigint`) is one number of arbitrary precision.
//!
//! ```
//! use bytetwin::codec::decimal::{Column, ColumnOptions, Physical, decode_into, encode_into};
//!
//! let column = Column::new(10, 2, Physical::Fixed(5))?;
//! let (values, mut out) = ([150i64, -150], [0; 10]);
//! assert_eq!(encode_into(&values[..], &column, ColumnOptions::default(), &mut out)?, 10);
//! assert_eq!(out, [0, 0, 0, 0, 150, 255, 255, 255, 255, 106]);
//!
//! let mut back = [0i64; 2];
//! decode_into(&out, &column, ColumnOptions::default(), &mut back[..])?;
//! assert_eq!(back, values);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits on values
//! A value must fit the bytes of the physical type ([`ValueExceedsWidth`](crate::EncodeError::ValueExceedsWidth)) and
//! have no more digits than the precision ([`ValueExceedsPrecision`](crate::EncodeError::ValueExceedsPrecision)); where
//! both fail, the width is named. [`PrecisionCheck::Skip`] leaves the second check to the caller. BYTE_ARRAY has no
//! width of its own, only the largest length that its prefix carries ([`MAX_BYTE_ARRAY_LEN`]).
//!
//! # Order of the checks
//! * Encoding INT32, INT64 and FIXED: `BufferTooSmall`, then the values in order.
//! * Encoding BYTE_ARRAY: the length depends on the values, so they come first, then `BufferTooSmall`. Nothing is
//!   written before all have passed.
//! * For one `rust_decimal` value: first the scale (`InexactScale`), then width, then precision.
//! * Decoding: `ScaleExceedsTarget`; for INT32, INT64 and FIXED then `UnexpectedEnd`, naming the first item that is cut;
//!   then item by item `UnexpectedEnd`, `EmptyDecimal`, `ValueExceedsTarget`, `ValueExceedsPrecision`.
//!   An encoding longer than it need be is accepted when its value fits.

mod column;
mod fast;
mod i256;
#[cfg(feature = "naive")]
pub mod naive;
pub mod order;
#[cfg(feature = "num-bigint")]
mod value;
mod values;

#[cfg(test)]
mod tests;

pub use column::{Column, ColumnError, Physical, fixed_width, max_precision};
#[doc(inline)]
pub use fast::{
    Limits, decode_into, decode_into_with, encode, encode_into, encode_into_with, encoded_len, encoded_len_with,
};
pub use i256::{I256, ParseI256Error};
#[cfg(feature = "num-bigint")]
pub use value::{Decimal, DecimalError, ParseDecimalError};
pub use values::{Values, ValuesMut};

/// The longest body of a BYTE_ARRAY value: Parquet's lengths are signed 32-bit numbers.
pub const MAX_BYTE_ARRAY_LEN: u32 = i32::MAX as u32;

/// Choices that the specification leaves to the writer and the reader of a column, in both directions. The default checks
/// everything and rounds nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ColumnOptions {
    /// Whether values are held against the precision.
    pub precision_check: PrecisionCheck,
    /// What happens to digits beyond the scale. Matters to `rust_decimal` inputs only: all others are unscaled.
    pub rounding: Rounding,
}

/// Whether values are held against the column's precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PrecisionCheck {
    /// A value of more digits is an error.
    #[default]
    Enforce,
    /// The caller has proven the values: only the bytes of the type limit them.
    Skip,
}

/// What happens to digits beyond the column's scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// They are an error, unless they are zeros.
    #[default]
    Exact,
    /// They are cut off, as Parquet.Net does.
    TowardZero,
    /// To the nearest; a tie goes to the even digit.
    HalfEven,
}
