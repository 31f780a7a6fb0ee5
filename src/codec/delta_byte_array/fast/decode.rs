//! Pages to Arrow arrays. Every length is checked before the first byte is written; the kernels only copy.

use alloc::vec::Vec;

use super::super::super::Path;
use super::super::super::byte_arrays::Lengths;
use super::super::super::path::Kind;
use super::super::{Offset, Options, Trailing};
use super::{PageReader, rebuild};
use crate::DecodeError;

/// Decodes pages. Its buffers are used again for the next page; nothing else is kept.
#[derive(Clone, Debug)]
pub struct Decoder {
    pub(super) path: Path,
    pub(super) prefixes: Lengths,
    pub(super) suffixes: Lengths,
    /// The value last read one by one; what a kernel keeps of a value.
    pub(super) current: Vec<u8>,
}

/// A page of which every length has been checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checked {
    /// Where the suffixes start.
    pub(super) start: usize,
    /// Where they end.
    pub(super) end: usize,
    /// Bytes of all values.
    pub(super) decoded: usize,
    /// No value is longer.
    pub(super) longest: usize,
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
        Self { path, prefixes: Lengths::default(), suffixes: Lengths::default(), current: Vec::new() }
    }

    /// Decodes a page to an Arrow array: value `i` will be `data[offsets[i]..offsets[i + 1]]`. What was in the two is
    /// replaced. Gives the bytes that the page took.
    ///
    /// With fixed-length values ([`Options::value_len`]) `data` is also what a fixed-size array holds.
    ///
    /// # Errors
    /// As the [contract](super::super) says.
    pub fn decode_into<O: Offset>(
        &mut self,
        page: &[u8],
        options: &Options<'_>,
        offsets: &mut Vec<O>,
        data: &mut Vec<u8>,
    ) -> Result<usize, DecodeError> {
        let limit = options.page.max_bytes.min(O::LIMIT);
        let checked = self.open(page, options, limit)?;
        let (prefixes, suffixes) = (self.prefixes.get(), self.suffixes.get());
        // All but the first are written as the values are.
        offsets.resize(prefixes.len() + 1, O::ZERO);
        offsets[0] = O::ZERO;
        let ends = &mut offsets[1..];
        let source = rebuild::Source { page, checked, prefixes, suffixes, first: options.first_prefix.bytes() };
        match self.path.kind() {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => super::avx512::rebuild(self.path, &source, &mut self.current, ends, data),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => super::avx2::rebuild(self.path, &source, &mut self.current, ends, data),
            _ => rebuild::rebuild(&source, &mut self.current, ends, data),
        }
        Ok(checked.end)
    }

    /// Opens a page, to read its values one by one.
    ///
    /// # Errors
    /// As the [contract](super::super) says, but for the output's limit: no value is longer than the page and the value
    /// before it.
    pub fn read<'a>(&'a mut self, page: &'a [u8], options: &Options<'_>) -> Result<PageReader<'a>, DecodeError> {
        let checked = self.open(page, options, usize::MAX)?;
        self.current.clear();
        self.current.extend_from_slice(options.first_prefix.bytes());
        Ok(PageReader::new(self, &page[checked.start..checked.end], checked.end))
    }

    /// Decodes and checks the lengths of a page.
    fn open(&mut self, page: &[u8], options: &Options<'_>, limit: usize) -> Result<Checked, DecodeError> {
        let max = options.page.max_values;
        let suffix_stream = self.prefixes.decode(self.path, page, max)?;
        let consumed = self
            .suffixes
            .decode(self.path, &page[suffix_stream..], max)
            .map_err(|error| error.moved_by(suffix_stream))?;
        let (prefixes, suffixes) = (self.prefixes.get(), self.suffixes.get());
        if prefixes.len() != suffixes.len() {
            return Err(DecodeError::CountMismatch {
                offset: suffix_stream,
                prefixes: prefixes.len(),
                suffixes: suffixes.len(),
            });
        }
        let start = suffix_stream + consumed;
        let sums = Sums::of_with(self.path, prefixes, suffixes, options);
        let available = page.len() - start;
        let suspect = sums.suspect || sums.stored > available as u64 || sums.decoded > limit as u64;
        if suspect && let Some(error) = first_fault(page, [suffix_stream, start], prefixes, suffixes, options, limit) {
            return Err(error);
        }
        let end = start + sums.stored as usize;
        if options.page.trailing == Trailing::Refused && end < page.len() {
            return Err(DecodeError::TrailingBytes { offset: end, available: page.len() - end });
        }
        Ok(Checked { start, end, decoded: sums.decoded as usize, longest: sums.lengths as usize })
    }
}

/// What one pass over the lengths tells, without a branch per value.
pub(super) struct Sums {
    /// Bytes of all suffixes.
    stored: u64,
    /// Bytes of all values.
    decoded: u64,
    /// The bits of all value lengths.
    lengths: u32,
    /// Some value may be at fault.
    suspect: bool,
}

impl Sums {
    fn of_with(path: Path, prefixes: &[i32], suffixes: &[i32], options: &Options<'_>) -> Self {
        match path.kind() {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => super::avx512::sums(path, prefixes, suffixes, options),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => super::avx2::sums(path, prefixes, suffixes, options),
            _ => Self::of(prefixes, suffixes, options),
        }
    }

    /// To be compiled for each path.
    #[inline(always)]
    pub(super) fn of(prefixes: &[i32], suffixes: &[i32], options: &Options<'_>) -> Self {
        let (mut stored, mut decoded, mut lengths) = (0, 0, 0);
        // The sign bit collects negative lengths, and prefixes longer than the value before. That value's length, if it
        // has 32 bits, seems negative: then there is nothing at fault, but a closer look does no harm.
        let mut signs = 0;
        for (&prefix, &suffix) in prefixes.iter().zip(suffixes) {
            signs |= prefix | suffix;
            stored += u64::from(suffix as u32);
            decoded += u64::from(prefix as u32) + u64::from(suffix as u32);
            lengths |= (prefix as u32).wrapping_add(suffix as u32);
        }
        let before = prefixes.iter().zip(suffixes);
        for ((&prefix, &suffix), &next) in before.zip(prefixes.get(1..).unwrap_or_default()) {
            signs |= prefix.wrapping_add(suffix).wrapping_sub(next);
        }
        let mut suspect = signs < 0;
        if let Some(&first) = prefixes.first() {
            suspect |= first as u32 as usize > options.first_prefix.bytes().len();
        }
        if let Some(expected) = options.value_len {
            let expected = expected as u64;
            let differs =
                |(&prefix, &suffix): (&i32, &i32)| u64::from(prefix as u32) + u64::from(suffix as u32) != expected;
            suspect |= prefixes.iter().zip(suffixes).fold(false, |any, pair| any | differs(pair));
        }
        Self { stored, decoded, lengths, suspect }
    }
}

/// The first error of lengths that may be at fault.
#[cold]
fn first_fault(
    page: &[u8],
    [suffix_stream, start]: [usize; 2],
    prefixes: &[i32],
    suffixes: &[i32],
    options: &Options<'_>,
    limit: usize,
) -> Option<DecodeError> {
    let mut at = start;
    let mut decoded: usize = 0;
    let mut previous = options.first_prefix.bytes().len();
    for (index, (&prefix, &suffix)) in prefixes.iter().zip(suffixes).enumerate() {
        let Some(prefix_len) = usize::try_from(prefix).ok().filter(|&len| len <= previous) else {
            return Some(DecodeError::PrefixOutOfRange { offset: 0, index, prefix, previous });
        };
        let Ok(needed) = usize::try_from(suffix) else {
            return Some(DecodeError::NegativeLength { offset: suffix_stream, index, length: suffix });
        };
        let available = page.len() - at;
        if needed > available {
            return Some(DecodeError::UnexpectedEnd { offset: at, needed, available });
        }
        let len = prefix_len + needed;
        if let Some(expected) = options.value_len
            && len != expected
        {
            return Some(DecodeError::WrongLength { offset: at, index, len, expected });
        }
        decoded = decoded.saturating_add(len);
        if decoded > limit {
            return Some(DecodeError::OutputTooLarge { index, needed: decoded, limit });
        }
        at += needed;
        previous = len;
    }
    None
}
