//! Values from prefixes and suffixes, for AVX-512: as [`rebuild`](mod@super::super::rebuild), but the first 128 bytes of the value
//! before stay in two registers, or all of it in a small one, into which a masked load merges the bytes of the suffix.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m512i, _bzhi_u32, _mm_mask_loadu_epi8, _mm_maskz_loadu_epi8, _mm_storeu_si128, _mm512_mask_loadu_epi8,
    _mm512_maskz_loadu_epi8, _mm512_storeu_si512,
};

use alloc::vec::Vec;

use super::super::super::super::Path;
use super::super::super::super::path::Kind;
use super::super::super::Offset;
use super::super::rebuild::Source;
use super::super::wide::{LINE, prefetch};
use super::{copy, first_lanes};

/// Bytes that are kept in registers.
const HEAD: usize = 128;

/// Bytes that are written past the last value, into capacity of the output.
const SLACK: usize = 64;

/// Replaces `data` by the values, and `ends` by where they end. `kept` is working memory.
pub(in super::super) fn rebuild<O: Offset>(
    path: Path,
    source: &Source<'_>,
    kept: &mut Vec<u8>,
    ends: &mut [O],
    data: &mut Vec<u8>,
) {
    assert!(path.kind() == Kind::Avx512);
    data.clear();
    // Where that is more than can be addressed, this panics.
    data.reserve(source.checked.decoded.saturating_add(SLACK));
    if kept.len() < source.checked.longest {
        kept.resize(source.checked.longest, 0);
    }
    // SAFETY: a path of this kind proves that the processor has these features. `data` has the capacity and `kept` the
    // length that are asked for, and `Source` holds lengths that have been checked.
    unsafe {
        if source.checked.longest <= SHORT {
            rebuild_short(source, ends, data.as_mut_ptr());
        } else if source.checked.longest <= HEAD {
            rebuild_head(source, ends, data.as_mut_ptr());
        } else {
            rebuild_any(source, kept, ends, data.as_mut_ptr());
        }
    }
    // SAFETY: the values, `decoded` bytes together, have been written to the front of the reserved capacity.
    unsafe { data.set_len(source.checked.decoded) };
}

/// How far ahead of the suffix that is read to ask for more of the page.
const AHEAD: usize = 2048;

/// The most bytes of a value that is in one small register.
const SHORT: usize = 16;

/// [`rebuild`], if no value is longer than [`SHORT`].
///
/// # Safety
/// `out` has room for all values and [`SLACK`] bytes, and the lengths of `source` have been checked against its page.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn rebuild_short<O: Offset>(source: &Source<'_>, ends: &mut [O], out: *mut u8) {
    let first = source.first_prefix();
    // SAFETY: lanes select bytes of `first` only.
    let mut head = unsafe { _mm_maskz_loadu_epi8(first_lanes(first.len()) as u16, first.as_ptr().cast()) };
    let mut suffix_at = source.page[source.checked.start..].as_ptr();
    let mut at = 0;
    for ((&prefix, &suffix), end) in source.prefixes.iter().zip(source.suffixes).zip(ends) {
        let (prefix, suffix) = (prefix as u32, suffix as u32);
        let lanes = _bzhi_u32(u32::MAX << prefix, prefix + suffix);
        // SAFETY: lanes select bytes of the suffix only. The store ends within 16 bytes of the value's start.
        unsafe {
            head = _mm_mask_loadu_epi8(head, lanes as u16, suffix_at.wrapping_sub(prefix as usize).cast());
            _mm_storeu_si128(out.add(at).cast(), head);
            suffix_at = suffix_at.add(suffix as usize);
            prefetch(suffix_at, AHEAD, LINE);
        }
        at += (prefix + suffix) as usize;
        *end = O::from_bytes(at);
    }
}

/// [`rebuild`], if no value is longer than [`HEAD`].
///
/// # Safety
/// As for [`rebuild_short`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn rebuild_head<O: Offset>(source: &Source<'_>, ends: &mut [O], out: *mut u8) {
    let mut head = first_head(source.first_prefix());
    let mut suffix_at = source.page[source.checked.start..].as_ptr();
    let (mut at, mut len) = (0, 0);
    for ((&prefix, &suffix), end) in source.prefixes.iter().zip(source.suffixes).zip(ends) {
        let (prefix, suffix) = (prefix as usize, suffix as usize);
        // Where the value is repeated, the registers hold it.
        if suffix > 0 || prefix != len {
            len = prefix + suffix;
            // SAFETY: as the caller vouches.
            head = unsafe { next_head(head, suffix_at.wrapping_sub(prefix), prefix, len) };
            // SAFETY: it stays within, or at the end of, the suffixes.
            suffix_at = unsafe { suffix_at.add(suffix) };
            prefetch(suffix_at, AHEAD, 2 * LINE);
        }
        // SAFETY: within the room for all values, which goes on for 64 bytes.
        unsafe { store_head(out.add(at), head, len) }
        at += len;
        *end = O::from_bytes(at);
    }
}

/// The registers before the first value.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn first_head(prefix: &[u8]) -> [__m512i; 2] {
    let (from, len) = (prefix.as_ptr(), prefix.len());
    // SAFETY: lanes select bytes of `prefix` only.
    unsafe {
        [
            _mm512_maskz_loadu_epi8(first_lanes(len), from.cast()),
            _mm512_maskz_loadu_epi8(first_lanes(len.saturating_sub(64)), from.wrapping_add(64).cast()),
        ]
    }
}

/// The registers with the next value: of its `len` bytes those after the prefix are loaded, if there are any. Byte `i` of
/// the value, if it is not of the prefix, is byte `i` from `from` on.
///
/// # Safety
/// Those bytes can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
unsafe fn next_head([mut low, mut high]: [__m512i; 2], from: *const u8, prefix: usize, len: usize) -> [__m512i; 2] {
    // SAFETY: lanes select bytes of the suffix only.
    unsafe {
        low = _mm512_mask_loadu_epi8(low, lanes_between(prefix, len, 0), from.cast());
        if len > 64 {
            let from = from.wrapping_add(64).cast();
            high = _mm512_mask_loadu_epi8(high, lanes_between(prefix, len, 64), from);
        }
    }
    [low, high]
}

/// Stores the first bytes of a value of `len` bytes, and up to 64 bytes more.
///
/// # Safety
/// As much can be written, from `to` on.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn store_head(to: *mut u8, [low, high]: [__m512i; 2], len: usize) {
    // SAFETY: the first store ends within 64 bytes of the value's start; the second only where the value goes on behind those,
    // so within 64 bytes of its end.
    unsafe {
        _mm512_storeu_si512(to.cast(), low);
        if len > 64 {
            _mm512_storeu_si512(to.add(64).cast(), high);
        }
    }
}

/// [`rebuild`], whatever the values.
///
/// # Safety
/// As for [`rebuild_short`]; and `kept` is as long as the longest value.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn rebuild_any<O: Offset>(source: &Source<'_>, kept: &mut [u8], ends: &mut [O], out: *mut u8) {
    let first = source.first_prefix();
    kept[..first.len()].copy_from_slice(first);
    let mut head = first_head(first);
    let mut suffix_at = source.page[source.checked.start..].as_ptr();
    let mut at = 0;
    for ([prefix, suffix, next], end) in source.lengths().zip(ends) {
        let len = prefix + suffix;
        // SAFETY: within the room for all values.
        let to = unsafe { out.add(at) };
        // Byte `i` of the value, if it is not of the prefix, is byte `i` from here.
        let from = suffix_at.wrapping_sub(prefix);
        // SAFETY: as the caller vouches; `to` has room for the value and 64 bytes more.
        unsafe {
            head = next_head(head, from, prefix, len);
            store_head(to, head, len);
        }
        if len > HEAD {
            // Where the bytes of the suffix start that are not in the registers.
            let start = prefix.max(HEAD);
            let keep = next.max(start);
            let old = &kept[HEAD..start];
            // SAFETY: `HEAD <= start <= len`, as `prefix` is no longer than the value, and `to` has room for the value.
            // From `from + prefix` on there are the bytes of the suffix.
            unsafe {
                copy(old.as_ptr(), to.add(HEAD), old.len());
                copy(from.wrapping_add(start), to.add(start), len - start);
            }
            let new = &mut kept[start..keep];
            // SAFETY: `keep` is at most `len`: the next prefix is no longer than this value.
            unsafe { copy(from.wrapping_add(start), new.as_mut_ptr(), new.len()) }
        }
        prefetch(suffix_at, AHEAD, suffix);
        // SAFETY: it stays within, or at the end of, the suffixes.
        suffix_at = unsafe { suffix_at.add(suffix) };
        at += len;
        *end = O::from_bytes(at);
    }
}

/// Of the 64 bytes from `at` on, those from `start` to `end`.
#[inline]
#[target_feature(enable = "bmi2")]
fn lanes_between(start: usize, end: usize, at: usize) -> u64 {
    first_lanes(end.saturating_sub(at)) & !first_lanes(start.saturating_sub(at))
}
