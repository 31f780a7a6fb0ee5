//! Pages to values. Every length is checked when the page is opened, so that reading after that cannot fail.

use alloc::vec::Vec;
use core::ops::Range;

use super::super::super::Path;
use super::super::super::byte_arrays::Lengths;
use super::super::{Offset, PageOptions, Trailing};
use crate::DecodeError;

/// Decodes pages. Its buffers are used again for the next page; nothing else is kept.
#[derive(Clone, Debug)]
pub struct Decoder {
    path: Path,
    lengths: Lengths,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder for any number of pages.
    pub fn new() -> Self {
        Self::with_path(Path::best())
    }

    /// [`new`](Self::new) by the named path.
    pub fn with_path(path: Path) -> Self {
        Self { path, lengths: Lengths::default() }
    }

    /// Decodes a page to an Arrow array: value `i` will be `data[offsets[i]..offsets[i + 1]]`. What was in the two is
    /// replaced. Gives the bytes that the page took.
    ///
    /// # Errors
    /// As the [contract](super::super) says.
    pub fn decode_into<O: Offset>(
        &mut self,
        page: &[u8],
        options: &PageOptions,
        offsets: &mut Vec<O>,
        data: &mut Vec<u8>,
    ) -> Result<usize, DecodeError> {
        let range = self.decode_offsets_into(page, options, offsets)?;
        data.clear();
        data.extend_from_slice(&page[range.clone()]);
        Ok(range.end)
    }

    /// Decodes the offsets only, and gives where in `page` the data lies: value `i` is
    /// `page[range][offsets[i]..offsets[i + 1]]`. The end of the range is the bytes that the page took.
    ///
    /// # Errors
    /// As the [contract](super::super) says.
    pub fn decode_offsets_into<O: Offset>(
        &mut self,
        page: &[u8],
        options: &PageOptions,
        offsets: &mut Vec<O>,
    ) -> Result<Range<usize>, DecodeError> {
        let start = self.lengths.decode(self.path, page, options.max_values)?;
        let limit = options.max_bytes.min(O::LIMIT);
        let lengths = self.lengths.get();
        offsets.clear();
        offsets.reserve(lengths.len() + 1);
        offsets.push(O::ZERO);
        let (mut end, mut signs) = (0_u64, 0);
        offsets.extend(lengths.iter().map(|&length| {
            signs |= length;
            end += u64::from(length as u32);
            O::from_bytes(end as usize)
        }));
        let end = check(page, start, lengths, signs, end, limit)?;
        refuse_trailing(page, end, options)?;
        Ok(start..end)
    }

    /// Opens a page, to read its values one by one.
    ///
    /// # Errors
    /// As the [contract](super::super) says, but for the output's limit: reading needs no memory.
    pub fn read<'a>(&'a mut self, page: &'a [u8], options: &PageOptions) -> Result<PageReader<'a>, DecodeError> {
        let start = self.lengths.decode(self.path, page, options.max_values)?;
        let lengths = self.lengths.get();
        let (end, signs) =
            lengths.iter().fold((0, 0), |(end, signs), &length| (end + u64::from(length as u32), signs | length));
        let end = check(page, start, lengths, signs, end, usize::MAX)?;
        refuse_trailing(page, end, options)?;
        Ok(PageReader { lengths, bytes: &page[start..end], consumed: end })
    }
}

/// Checks lengths whose bits are in `signs` and whose sum is `sum`, and gives where the data ends.
#[inline]
fn check(page: &[u8], start: usize, lengths: &[i32], signs: i32, sum: u64, limit: usize) -> Result<usize, DecodeError> {
    let available = page.len() - start;
    if signs < 0 || sum > available as u64 || sum > limit as u64 {
        return Err(first_fault(page, start, lengths, limit));
    }
    Ok(start + sum as usize)
}

/// The error of lengths that failed the check.
#[cold]
fn first_fault(page: &[u8], start: usize, lengths: &[i32], limit: usize) -> DecodeError {
    let mut at = start;
    for (index, &length) in lengths.iter().enumerate() {
        let Ok(needed) = usize::try_from(length) else {
            return DecodeError::NegativeLength { offset: 0, index, length };
        };
        let available = page.len() - at;
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

fn refuse_trailing(page: &[u8], end: usize, options: &PageOptions) -> Result<(), DecodeError> {
    if options.trailing == Trailing::Refused && end < page.len() {
        return Err(DecodeError::TrailingBytes { offset: end, available: page.len() - end });
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
