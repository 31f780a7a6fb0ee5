//! The values of a page one by one.

use alloc::vec::Vec;

use super::super::super::Path;
use super::super::DecodeOptions;
use super::Scratch;
use super::decode::open;
use crate::DecodeError;

/// Reads the values of a page one by one. The page has been checked, so that reading cannot fail.
#[derive(Debug)]
pub struct PageReader<'a> {
    prefixes: &'a [i32],
    suffixes: &'a [i32],
    /// Suffixes that are left.
    bytes: &'a [u8],
    current: &'a mut Vec<u8>,
    consumed: usize,
}

impl<'a> PageReader<'a> {
    /// Opens the page at the front of `bytes`.
    ///
    /// # Errors
    /// As the [contract](super::super) says, but for the output's limit: no value is longer than the page and the value
    /// before it.
    pub fn new(bytes: &'a [u8], options: &DecodeOptions<'_>, scratch: &'a mut Scratch) -> Result<Self, DecodeError> {
        Self::with_path(Path::best(), bytes, options, scratch)
    }

    /// [`new`](Self::new) by the named path.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_path(
        path: Path,
        bytes: &'a [u8],
        options: &DecodeOptions<'_>,
        scratch: &'a mut Scratch,
    ) -> Result<Self, DecodeError> {
        let checked = open(path, bytes, options, scratch, usize::MAX)?;
        let Scratch { prefixes, suffixes, current, .. } = scratch;
        current.clear();
        current.extend_from_slice(options.first_prefix.bytes());
        let (prefixes, suffixes) = (prefixes.get(), suffixes.get());
        Ok(Self { prefixes, suffixes, bytes: &bytes[checked.start..checked.end], current, consumed: checked.end })
    }

    /// The next value, or `None` after the last.
    #[inline]
    pub fn next_value(&mut self) -> Option<&[u8]> {
        if self.advance() { Some(self.current) } else { None }
    }

    /// Passes over up to `count` values, and gives how many there were. It has to rebuild them: the next prefix refers
    /// to the last of them.
    pub fn skip(&mut self, count: usize) -> usize {
        (0..count).take_while(|_| self.advance()).count()
    }

    /// The value read or skipped last; before the first, what the first prefix refers to.
    pub fn last_value(&self) -> &[u8] {
        self.current
    }

    /// Values that are left.
    pub fn remaining(&self) -> usize {
        self.prefixes.len()
    }

    /// The bytes that the whole page takes, however much of it has been read.
    pub fn consumed(&self) -> usize {
        self.consumed
    }

    #[inline]
    fn advance(&mut self) -> bool {
        let (Some((&prefix, prefixes)), Some((&suffix, suffixes))) =
            (self.prefixes.split_first(), self.suffixes.split_first())
        else {
            return false;
        };
        let (suffix, bytes) = self.bytes.split_at(suffix as usize);
        self.current.truncate(prefix as usize);
        self.current.extend_from_slice(suffix);
        (self.prefixes, self.suffixes, self.bytes) = (prefixes, suffixes, bytes);
        true
    }
}
