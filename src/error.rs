//! Why an encoder or a decoder refused.
//!
//! One enum per direction. Every variant is `Copy + Eq` and carries numbers, so that twins can be compared on it:
//! they must agree on the variant, on its numbers, and on which value they name first.

use core::fmt;

/// Why an encoder refused. Nothing was written (see the contract in [`codec`](crate::codec)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodeError {
    /// `out` is shorter than the encoding. Not one byte of it was touched.
    BufferTooSmall {
        /// Bytes that the encoding takes.
        needed: usize,
        /// Bytes that `out` has.
        available: usize,
    },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BufferTooSmall { needed, available } => {
                write!(f, "the output buffer has {available} bytes, the encoding needs {needed}")
            }
        }
    }
}

impl core::error::Error for EncodeError {}

/// Why a decoder refused. Offsets count bytes from the start of the input that was handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeError {
    /// The input ends inside the item that starts at `offset`.
    UnexpectedEnd {
        /// Where the item that was cut starts.
        offset: usize,
        /// Bytes that the item takes.
        needed: usize,
        /// Bytes that are left from `offset` on.
        available: usize,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::UnexpectedEnd { offset, needed, available } => {
                write!(f, "at byte {offset}: the input ends after {available} bytes, {needed} were expected")
            }
        }
    }
}

impl core::error::Error for DecodeError {}
