//! Kernels for AVX-512, encoding: prefixes by 16, 32 or 64 bytes, whichever suits the length of the values.
//!
//! Where the data goes on behind a value, steps run over its end, which is cheaper than a masked load; the last values of
//! a column, and values that do not lie back to back, take masked loads. Neither reads past the caller's buffers: lanes
//! that are masked off are not read.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m128i, __m256i, _bzhi_u64, _mm_cmpneq_epi8_mask, _mm_loadu_si128, _mm_storeu_si128, _mm256_cmpneq_epi8_mask,
    _mm256_loadu_si256, _mm256_storeu_si256, _mm512_cmpneq_epi8_mask, _mm512_loadu_si512, _mm512_mask_storeu_epi8,
    _mm512_maskz_loadu_epi8, _mm512_store_si512, _mm512_storeu_si512,
};

use super::super::super::Path;
use super::super::super::byte_arrays::Form;
use super::super::super::path::Kind;
use super::super::ByteArrays;

/// Bytes that steps may run over the end of a value: a step of the widest kind.
const OVER: usize = 64;

/// Runs `$body` with `$W` as the step for values of `$mean` bytes. More steps than one per value cost more than wide ones.
macro_rules! by_step {
    ($mean:expr, $W:ident => $body:expr) => {
        match $mean {
            0..=16 => {
                const $W: usize = 16;
                $body
            }
            17..=32 => {
                const $W: usize = 32;
                $body
            }
            _ => {
                const $W: usize = 64;
                $body
            }
        }
    };
}

/// See [`split`](super::split).
pub(super) fn split<const STAGE: bool>(
    path: Path,
    values: &ByteArrays<'_>,
    prefixes: &mut [i32],
    suffixes: &mut [i32],
    staged: &mut [u8],
) -> usize {
    assert!(path.kind() == Kind::Avx512);
    // SAFETY: a path of this kind proves that the processor has these features.
    unsafe { split_compiled::<STAGE>(values, prefixes, suffixes, staged) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
fn split_compiled<const STAGE: bool>(
    values: &ByteArrays<'_>,
    prefixes: &mut [i32],
    suffixes: &mut [i32],
    staged: &mut [u8],
) -> usize {
    let lengths = prefixes.iter_mut().zip(suffixes);
    match values.0 {
        _ if values.is_empty() => 0,
        Form::Arrow32(offsets, data) => {
            let (start, end) = (offsets[0] as usize, offsets[offsets.len() - 1] as usize);
            let whole = whole(data, |limit| offsets[1..].partition_point(|&offset| offset as usize <= limit));
            let ends = offsets[1..].iter().map(|&offset| offset as usize);
            let run = Run { data, start, end, whole };
            by_step!((end - start) / values.len(), W => {
                // SAFETY: offsets of a `ByteArrays` never fall and end within the data; `whole` has counted.
                unsafe { split_run::<W, STAGE>(run, ends, lengths, staged) }
            })
        }
        Form::Arrow64(offsets, data) => {
            let (start, end) = (offsets[0] as usize, offsets[offsets.len() - 1] as usize);
            let whole = whole(data, |limit| offsets[1..].partition_point(|&offset| offset as usize <= limit));
            let ends = offsets[1..].iter().map(|&offset| offset as usize);
            let run = Run { data, start, end, whole };
            by_step!((end - start) / values.len(), W => {
                // SAFETY: offsets of a `ByteArrays` never fall and end within the data; `whole` has counted.
                unsafe { split_run::<W, STAGE>(run, ends, lengths, staged) }
            })
        }
        Form::FixedLen(width, data) => {
            let run = Run { data, start: 0, end: data.len(), whole: whole(data, |limit| limit / width) };
            let ends = (1..=data.len() / width).map(|index| index * width);
            by_step!(width, W => {
                // SAFETY: multiples of the width rise to the length of the data; `whole` has counted.
                unsafe { split_run::<W, STAGE>(run, ends, lengths, staged) }
            })
        }
        Form::Slices(values) => split_slices::<STAGE>(values, lengths, staged),
    }
}

/// Values that lie back to back.
struct Run<'a> {
    data: &'a [u8],
    /// Where the first starts.
    start: usize,
    /// Where the last ends.
    end: usize,
    /// How many of them have a step of data after their end.
    whole: usize,
}

/// How many ends have a step of `data` behind them, if `count` says how many are at most its argument.
fn whole(data: &[u8], count: impl FnOnce(usize) -> usize) -> usize {
    data.len().checked_sub(OVER).map_or(0, count)
}

/// [`split`](super::split) for values that lie back to back. `ends` says where each ends.
///
/// # Safety
/// The ends never fall, from `start` on; the last is `end`; the first `whole` of them have a step of data behind them.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn split_run<'a, const W: usize, const STAGE: bool>(
    Run { data, start, end, whole }: Run<'_>,
    mut ends: impl Iterator<Item = usize>,
    mut lengths: impl Iterator<Item = (&'a mut i32, &'a mut i32)>,
    staged: &mut [u8],
) -> usize {
    let mut bytes = 0;
    let (mut previous, mut at) = (start, start);
    assert!(!STAGE || staged.len() >= end - start + OVER);
    for (end, (prefix_len, suffix_len)) in ends.by_ref().take(whole).zip(lengths.by_ref()) {
        let most = (at - previous).min(end - at);
        // SAFETY: `previous <= at <= end`, and a step of data follows, both by the contract. The suffixes so far are no longer than the values so far, so that `staged`, as long as all values and a
        // step, has room for this one.
        let suffix = unsafe {
            let prefix = prefix_over::<W>(data.as_ptr().add(previous), data.as_ptr().add(at), most);
            let suffix = end - at - prefix;
            if STAGE {
                copy_over::<W>(data.as_ptr().add(at + prefix), staged.as_mut_ptr().add(bytes), suffix);
            }
            suffix
        };
        *prefix_len = (end - at - suffix) as i32;
        *suffix_len = suffix as i32;
        bytes += suffix;
        (previous, at) = (at, end);
    }
    for (end, (prefix_len, suffix_len)) in ends.zip(lengths) {
        let value = &data[at..end];
        let suffix = &value[prefix_within(&data[previous..at], value)..];
        if STAGE {
            copy_within(suffix, &mut staged[bytes..bytes + suffix.len()]);
        }
        *prefix_len = (value.len() - suffix.len()) as i32;
        *suffix_len = suffix.len() as i32;
        bytes += suffix.len();
        (previous, at) = (at, end);
    }
    bytes
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
fn split_slices<'a, const STAGE: bool>(
    values: &[&[u8]],
    lengths: impl Iterator<Item = (&'a mut i32, &'a mut i32)>,
    staged: &mut [u8],
) -> usize {
    let mut bytes = 0;
    let mut previous: &[u8] = &[];
    for (&value, (prefix_len, suffix_len)) in values.iter().zip(lengths) {
        let prefix = prefix_within(previous, value);
        let suffix = &value[prefix..];
        *prefix_len = prefix as i32;
        *suffix_len = suffix.len() as i32;
        if STAGE {
            copy_within(suffix, &mut staged[bytes..bytes + suffix.len()]);
        }
        bytes += suffix.len();
        previous = value;
    }
    bytes
}

/// See [`copy_suffixes`](super::copy_suffixes).
pub(super) fn copy_suffixes(path: Path, values: &ByteArrays<'_>, suffixes: &[i32], out: &mut [u8]) {
    assert!(path.kind() == Kind::Avx512);
    // SAFETY: a path of this kind proves that the processor has these features.
    unsafe { copy_suffixes_compiled(values, suffixes, out) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
fn copy_suffixes_compiled(values: &ByteArrays<'_>, suffixes: &[i32], out: &mut [u8]) {
    match values.0 {
        _ if values.is_empty() => {}
        Form::Arrow32(offsets, data) => {
            copy_run(data, offsets[1..].iter().map(|&offset| offset as usize), suffixes, out);
        }
        Form::Arrow64(offsets, data) => {
            copy_run(data, offsets[1..].iter().map(|&offset| offset as usize), suffixes, out);
        }
        Form::FixedLen(width, data) => {
            copy_run(data, (1..=data.len() / width).map(|index| index * width), suffixes, out);
        }
        Form::Slices(values) => {
            let mut bytes = 0;
            for (value, &suffix) in values.iter().zip(suffixes) {
                let suffix = suffix as usize;
                copy_within(&value[value.len() - suffix..], &mut out[bytes..bytes + suffix]);
                bytes += suffix;
            }
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
fn copy_run(data: &[u8], ends: impl Iterator<Item = usize>, suffixes: &[i32], out: &mut [u8]) {
    let mut bytes = 0;
    for (end, &suffix) in ends.zip(suffixes) {
        let suffix = suffix as usize;
        if suffix <= end && end + OVER <= data.len() && bytes + suffix + OVER <= out.len() {
            // SAFETY: just compared: `suffix` bytes lie before `end`, a step follows them, and both have room in `out`.
            unsafe { copy_over::<64>(data.as_ptr().add(end - suffix), out.as_mut_ptr().add(bytes), suffix) }
        } else {
            copy_within(&data[end - suffix..end], &mut out[bytes..bytes + suffix]);
        }
        bytes += suffix;
    }
}

/// The length of the common prefix, at most `most`.
///
/// # Safety
/// From `a` and from `b` on, `most` bytes and a step can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn prefix_over<const W: usize>(a: *const u8, b: *const u8, most: usize) -> usize {
    let mut at = 0;
    loop {
        // SAFETY: `at` is 0 or below `most`, so a step from it on is what the caller vouches for.
        let differ = unsafe {
            let (a, b) = (a.add(at), b.add(at));
            match W {
                16 => {
                    let (x, y) = (_mm_loadu_si128(a.cast::<__m128i>()), _mm_loadu_si128(b.cast::<__m128i>()));
                    u64::from(_mm_cmpneq_epi8_mask(x, y)) | 1 << 16
                }
                32 => {
                    let (x, y) = (_mm256_loadu_si256(a.cast::<__m256i>()), _mm256_loadu_si256(b.cast::<__m256i>()));
                    u64::from(_mm256_cmpneq_epi8_mask(x, y)) | 1 << 32
                }
                _ => _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(a.cast()), _mm512_loadu_si512(b.cast())),
            }
        };
        // Adding the number of equal bytes to `at` would do too, but then each step would wait for the one before.
        let equal = differ.trailing_zeros() as usize;
        if equal < W {
            return (at + equal).min(most);
        }
        at += W;
        if at >= most {
            return most;
        }
    }
}

/// Copies `len` bytes, and what follows up to a whole step.
///
/// # Safety
/// `len` bytes and a step can be read from `from` on, and written from `to` on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn copy_over<const W: usize>(from: *const u8, to: *mut u8, len: usize) {
    let mut at = 0;
    loop {
        // SAFETY: `at` is 0 or below `len`, so a step from it on is what the caller vouches for.
        unsafe {
            let (from, to) = (from.add(at), to.add(at));
            match W {
                16 => _mm_storeu_si128(to.cast::<__m128i>(), _mm_loadu_si128(from.cast::<__m128i>())),
                32 => _mm256_storeu_si256(to.cast::<__m256i>(), _mm256_loadu_si256(from.cast::<__m256i>())),
                _ => _mm512_storeu_si512(to.cast(), _mm512_loadu_si512(from.cast())),
            }
        }
        at += W;
        if at >= len {
            return;
        }
        if W == 64 {
            // SAFETY: as the caller vouches; `from` and `to` have the bytes from `at` to `len`.
            return unsafe { copy(from.add(at), to.add(at), len - at) };
        }
    }
}

/// Copies `len` bytes and touches nothing else.
///
/// # Safety
/// `len` bytes can be read from `from` on, and written from `to` on; the two do not overlap.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
pub(super) unsafe fn copy(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: lanes select `len` bytes only. In the other case there are 64 bytes at either end; what starts at `at` ends
    // within `len`, and `to` is aligned there.
    unsafe {
        if len < 64 {
            let lanes = first_lanes(len);
            _mm512_mask_storeu_epi8(to.cast(), lanes, _mm512_maskz_loadu_epi8(lanes, from.cast()));
            return;
        }
        // Stores that cross a cache line cost double: only the first and the last do.
        let last = _mm512_loadu_si512(from.add(len - 64).cast());
        _mm512_storeu_si512(to.cast(), _mm512_loadu_si512(from.cast()));
        let mut at = 64 - to.addr() % 64;
        while at + 64 <= len {
            _mm512_store_si512(to.add(at).cast(), _mm512_loadu_si512(from.add(at).cast()));
            at += 64;
        }
        _mm512_storeu_si512(to.add(len - 64).cast(), last);
    }
}

/// The length of the common prefix. Reads nothing but the two slices.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
fn prefix_within(a: &[u8], b: &[u8]) -> usize {
    let most = a.len().min(b.len());
    let mut at = 0;
    loop {
        let lanes = first_lanes(most - at);
        // SAFETY: `lanes` selects bytes from `at` up to `most` only, which both have; others are not read.
        let differ = unsafe {
            let x = _mm512_maskz_loadu_epi8(lanes, a.as_ptr().add(at).cast());
            let y = _mm512_maskz_loadu_epi8(lanes, b.as_ptr().add(at).cast());
            _mm512_cmpneq_epi8_mask(x, y)
        };
        if differ != 0 {
            return at + differ.trailing_zeros() as usize;
        }
        if most - at <= 64 {
            return most;
        }
        at += 64;
    }
}

/// Copies `from` to `to`, which is as long.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
fn copy_within(from: &[u8], to: &mut [u8]) {
    assert!(from.len() == to.len());
    // SAFETY: both have this length, and slices of which one is mutable do not overlap.
    unsafe { copy(from.as_ptr(), to.as_mut_ptr(), from.len()) }
}

/// The first `count` lanes of 64, or all of them.
#[inline]
#[target_feature(enable = "bmi2")]
pub(super) fn first_lanes(count: usize) -> u64 {
    _bzhi_u64(u64::MAX, count.min(64) as u32)
}
