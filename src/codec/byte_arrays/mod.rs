//! Columns of byte strings: what the two DELTA byte array codecs read, and the terms on which they give values back.
//!
//! [`ByteArrays`] is one column in any of the forms in which callers hold one. The form never shows in the encoded
//! bytes. [`DecodeLimits`] says how much a page may decode to. [`Offset`] is the type of the offsets of an Arrow array.

mod best;
mod copy;
mod ends;
mod lengths;
mod limits;
mod offset;
#[cfg(all(test, feature = "naive"))]
pub(super) mod shapes;
#[cfg(test)]
mod tests;
#[cfg(all(test, feature = "naive"))]
mod twin_tests;

pub(super) use best::by_the_best_path;
pub(super) use copy::copy_value;
pub(super) use ends::{Ends, FixedEnds};
pub(super) use lengths::Lengths;
pub use limits::{DecodeLimits, Trailing};
pub use offset::Offset;
#[cfg(all(test, feature = "naive"))]
pub(super) use twin_tests::twin_tests;

use crate::EncodeError;

/// A column of byte strings, borrowed and checked.
///
/// | form | constructor | where values lie |
/// |---|---|---|
/// | Arrow, 32- or 64-bit offsets | [`arrow`](Self::arrow) | value `i` is `data[offsets[i]..offsets[i + 1]]` |
/// | slices | [`slices`](Self::slices) | anywhere |
/// | FIXED_LEN_BYTE_ARRAY(n) | [`fixed_len`](Self::fixed_len) | value `i` is `data[i * n..(i + 1) * n]` |
#[derive(Clone, Copy, Debug)]
pub struct ByteArrays<'a>(pub(super) Form<'a>);

/// The form of a [`ByteArrays`]. Offsets have been checked: none is negative, below its predecessor, or past the data.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form<'a> {
    /// `n + 1` offsets, or none at all for an empty column.
    Arrow32(&'a [i32], &'a [u8]),
    /// `n + 1` offsets, or none at all for an empty column.
    Arrow64(&'a [i64], &'a [u8]),
    /// The width, which is not 0, and a whole number of values.
    FixedLen(usize, &'a [u8]),
    /// One slice per value.
    Slices(&'a [&'a [u8]]),
}

impl<'a> ByteArrays<'a> {
    /// The Arrow form: `n + 1` offsets into `data`, which may start above 0. No offset at all is an empty column too.
    ///
    /// # Errors
    /// [`EncodeError::OffsetOutOfRange`] with the first offset that is negative, below its predecessor or past `data`.
    pub fn arrow<O: Offset>(offsets: &'a [O], data: &'a [u8]) -> Result<Self, EncodeError> {
        offset::check(offsets, data.len())?;
        Ok(Self(O::form(offsets, data)))
    }

    /// One slice per value.
    pub fn slices(values: &'a [&'a [u8]]) -> Self {
        Self(Form::Slices(values))
    }

    /// Values of `width` bytes each, one after another: FIXED_LEN_BYTE_ARRAY(`width`).
    ///
    /// # Errors
    /// [`EncodeError::PartialValue`] when `data` is not a whole number of values, or `width` is 0.
    pub fn fixed_len(width: usize, data: &'a [u8]) -> Result<Self, EncodeError> {
        if width == 0 || !data.len().is_multiple_of(width) {
            return Err(EncodeError::PartialValue { width, available: data.len() });
        }
        Ok(Self(Form::FixedLen(width, data)))
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        match self.0 {
            Form::Arrow32(offsets, _) => offsets.len().saturating_sub(1),
            Form::Arrow64(offsets, _) => offsets.len().saturating_sub(1),
            Form::FixedLen(width, data) => data.len() / width,
            Form::Slices(values) => values.len(),
        }
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The width of a column of fixed-length values, which is FIXED_LEN_BYTE_ARRAY; `None` for BYTE_ARRAY.
    pub fn fixed_width(&self) -> Option<usize> {
        match self.0 {
            Form::FixedLen(width, _) => Some(width),
            _ => None,
        }
    }

    /// Value `index`.
    ///
    /// # Panics
    /// When `index >= self.len()`.
    pub fn get(&self, index: usize) -> &'a [u8] {
        match self.0 {
            Form::Arrow32(offsets, data) => &data[offsets[index] as usize..offsets[index + 1] as usize],
            Form::Arrow64(offsets, data) => &data[offsets[index] as usize..offsets[index + 1] as usize],
            Form::FixedLen(width, data) => &data[index * width..(index + 1) * width],
            Form::Slices(values) => values[index],
        }
    }

    /// The values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a [u8]> + use<'a> {
        let this = *self;
        (0..this.len()).map(move |index| this.get(index))
    }
}
