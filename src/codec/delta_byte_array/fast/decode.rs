//! Pages to Arrow arrays. Every length is checked before the first byte is written; the kernels only copy.

use alloc::vec::Vec;

use super::super::super::Path;
use super::super::super::path::Kind;
use super::super::{DecodeOptions, Offset, Trailing};
use super::{Scratch, rebuild};
use crate::DecodeError;

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

/// [`decode_into`](super::decode_into) by the named path.
///
/// With fixed-length values ([`DecodeOptions::value_len`]) `data` is also what a fixed-size array holds.
///
/// # Errors
/// As the [contract](super::super) says.
pub fn decode_into_with<O: Offset>(
    path: Path,
    bytes: &[u8],
    options: &DecodeOptions<'_>,
    scratch: &mut Scratch,
    offsets: &mut Vec<O>,
    data: &mut Vec<u8>,
) -> Result<usize, DecodeError> {
    let limit = options.limits.max_bytes.min(O::LIMIT);
    let checked = open(path, bytes, options, scratch, limit)?;
    let (prefixes, suffixes) = (scratch.prefixes.get(), scratch.suffixes.get());
    // All but the first are written as the values are.
    offsets.resize(prefixes.len() + 1, O::ZERO);
    offsets[0] = O::ZERO;
    let ends = &mut offsets[1..];
    let first = options.first_prefix.bytes();
    let source = rebuild::Source { page: bytes, checked, prefixes, suffixes, first };
    match path.kind() {
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512 => super::avx512::rebuild(path, &source, &mut scratch.current, ends, data),
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2 => super::avx2::rebuild(path, &source, &mut scratch.current, ends, data),
        _ => rebuild::rebuild(&source, &mut scratch.current, ends, data),
    }
    Ok(checked.end)
}

/// Decodes the lengths of a page into the scratch, and checks them.
pub(super) fn open(
    path: Path,
    bytes: &[u8],
    options: &DecodeOptions<'_>,
    scratch: &mut Scratch,
    limit: usize,
) -> Result<Checked, DecodeError> {
    let max = options.limits.max_values;
    let suffix_stream = scratch.prefixes.decode(path, bytes, max)?;
    let consumed =
        scratch.suffixes.decode(path, &bytes[suffix_stream..], max).map_err(|error| error.moved_by(suffix_stream))?;
    let (prefixes, suffixes) = (scratch.prefixes.get(), scratch.suffixes.get());
    if prefixes.len() != suffixes.len() {
        return Err(DecodeError::CountMismatch {
            offset: suffix_stream,
            prefixes: prefixes.len(),
            suffixes: suffixes.len(),
        });
    }
    let start = suffix_stream + consumed;
    let sums = Sums::of_with(path, prefixes, suffixes, options);
    let available = bytes.len() - start;
    let suspect = sums.suspect || sums.stored > available as u64 || sums.decoded > limit as u64;
    if suspect && let Some(error) = first_fault(bytes, [suffix_stream, start], prefixes, suffixes, options, limit) {
        return Err(error);
    }
    let end = start + sums.stored as usize;
    if options.limits.trailing == Trailing::Refused && end < bytes.len() {
        return Err(DecodeError::TrailingBytes { offset: end, available: bytes.len() - end });
    }
    Ok(Checked { start, end, decoded: sums.decoded as usize, longest: sums.lengths as usize })
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
    fn of_with(path: Path, prefixes: &[i32], suffixes: &[i32], options: &DecodeOptions<'_>) -> Self {
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
    pub(super) fn of(prefixes: &[i32], suffixes: &[i32], options: &DecodeOptions<'_>) -> Self {
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
    bytes: &[u8],
    [suffix_stream, start]: [usize; 2],
    prefixes: &[i32],
    suffixes: &[i32],
    options: &DecodeOptions<'_>,
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
        let available = bytes.len() - at;
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
