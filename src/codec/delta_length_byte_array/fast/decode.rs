//! Pages to values. Every length is checked when the page is opened, so that reading after that cannot fail.

use alloc::vec::Vec;
use core::ops::Range;

use super::super::super::Path;
use super::super::{DecodeLimits, Offset, Trailing};
use super::Scratch;
use crate::DecodeError;

/// [`decode_into`](super::decode_into) by the named path.
///
/// # Errors
/// As the [contract](super::super) says.
pub fn decode_into_with<O: Offset>(
    path: Path,
    bytes: &[u8],
    limits: &DecodeLimits,
    scratch: &mut Scratch,
    offsets: &mut Vec<O>,
    data: &mut Vec<u8>,
) -> Result<usize, DecodeError> {
    let range = decode_offsets_into_with(path, bytes, limits, scratch, offsets)?;
    data.clear();
    data.extend_from_slice(&bytes[range.clone()]);
    Ok(range.end)
}

/// Decodes the offsets only, and gives where in `bytes` the data lies: value `i` is
/// `bytes[range][offsets[i]..offsets[i + 1]]`. The end of the range is the bytes consumed.
///
/// # Errors
/// As the [contract](super::super) says.
pub fn decode_offsets_into<O: Offset>(
    bytes: &[u8],
    limits: &DecodeLimits,
    scratch: &mut Scratch,
    offsets: &mut Vec<O>,
) -> Result<Range<usize>, DecodeError> {
    decode_offsets_into_with(Path::best(), bytes, limits, scratch, offsets)
}

/// [`decode_offsets_into`] by the named path.
///
/// # Errors
/// As the [contract](super::super) says.
pub fn decode_offsets_into_with<O: Offset>(
    path: Path,
    bytes: &[u8],
    limits: &DecodeLimits,
    scratch: &mut Scratch,
    offsets: &mut Vec<O>,
) -> Result<Range<usize>, DecodeError> {
    let start = scratch.lengths.decode(path, bytes, limits.max_values)?;
    let limit = limits.max_bytes.min(O::LIMIT);
    let lengths = scratch.lengths.get();
    offsets.clear();
    offsets.reserve(lengths.len() + 1);
    offsets.push(O::ZERO);
    let (mut end, mut signs) = (0_u64, 0);
    offsets.extend(lengths.iter().map(|&length| {
        signs |= length;
        end += u64::from(length as u32);
        O::from_bytes(end as usize)
    }));
    let end = check(bytes, start, lengths, signs, end, limit)?;
    refuse_trailing(bytes, end, limits)?;
    Ok(start..end)
}

/// Checks lengths whose bits are in `signs` and whose sum is `sum`, and gives where the data ends.
#[inline]
fn check(
    bytes: &[u8],
    start: usize,
    lengths: &[i32],
    signs: i32,
    sum: u64,
    limit: usize,
) -> Result<usize, DecodeError> {
    let available = bytes.len() - start;
    if signs < 0 || sum > available as u64 || sum > limit as u64 {
        return Err(first_fault(bytes, start, lengths, limit));
    }
    Ok(start + sum as usize)
}

/// The error of lengths that failed the check.
#[cold]
fn first_fault(bytes: &[u8], start: usize, lengths: &[i32], limit: usize) -> DecodeError {
    let mut at = start;
    for (index, &length) in lengths.iter().enumerate() {
        let Ok(needed) = usize::try_from(length) else {
            return DecodeError::NegativeLength { offset: 0, index, length };
        };
        let available = bytes.len() - at;
        if needed > available {
            return DecodeError::UnexpectedEnd { offset: at, needed, available };
        }
        at += needed;
        if at - start > limit {
            return DecodeError::OutputTooLarge { index, needed: at - start, limit };
        }
    }
    unreachable!("called for lengths of which one is at fault")
}

fn refuse_trailing(bytes: &[u8], end: usize, limits: &DecodeLimits) -> Result<(), DecodeError> {
    if limits.trailing == Trailing::Refused && end < bytes.len() {
        return Err(DecodeError::TrailingBytes { offset: end, available: bytes.len() - end });
    }
    Ok(())
}

/// Reads the values of a page one by one, without copying them.
#[derive(Clone, Debug)]
pub struct PageReader<'a> {
    lengths: &'a [i32],
    bytes: &'a [u8],
    consumed: usize,
}

impl<'a> PageReader<'a> {
    /// Opens the page at the front of `bytes`.
    ///
    /// # Errors
    /// As the [contract](super::super) says, but for the output's limit: reading needs no memory.
    pub fn new(bytes: &'a [u8], limits: &DecodeLimits, scratch: &'a mut Scratch) -> Result<Self, DecodeError> {
        Self::with_path(Path::best(), bytes, limits, scratch)
    }

    /// [`new`](Self::new) by the named path.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_path(
        path: Path,
        bytes: &'a [u8],
        limits: &DecodeLimits,
        scratch: &'a mut Scratch,
    ) -> Result<Self, DecodeError> {
        let start = scratch.lengths.decode(path, bytes, limits.max_values)?;
        let lengths = scratch.lengths.get();
        let (end, signs) =
            lengths.iter().fold((0, 0), |(end, signs), &length| (end + u64::from(length as u32), signs | length));
        let end = check(bytes, start, lengths, signs, end, usize::MAX)?;
        refuse_trailing(bytes, end, limits)?;
        Ok(Self { lengths, bytes: &bytes[start..end], consumed: end })
    }

    /// The next value, or `None` after the last.
    #[inline]
    pub fn next_value(&mut self) -> Option<&'a [u8]> {
        let (&length, rest) = self.lengths.split_first()?;
        self.lengths = rest;
        let (value, bytes) = self.bytes.split_at(length as usize);
        self.bytes = bytes;
        Some(value)
    }

    /// Passes over up to `count` values, and gives how many there were.
    pub fn skip(&mut self, count: usize) -> usize {
        let count = count.min(self.lengths.len());
        let (skipped, rest) = self.lengths.split_at(count);
        self.lengths = rest;
        self.bytes = &self.bytes[skipped.iter().map(|&length| length as usize).sum()..];
        count
    }

    /// Values that are left.
    pub fn remaining(&self) -> usize {
        self.lengths.len()
    }

    /// The bytes that the whole page takes, however much of it has been read.
    pub fn consumed(&self) -> usize {
        self.consumed
    }
}
