//! Kernels for AVX-512, encoding: prefixes by 16, 32 or 64 bytes, whichever suits the length of the values.
//!
//! Where the data goes on behind a value, steps run over its end, which is cheaper than a masked load; the last values of
//! a column, and values that do not lie back to back, take masked loads. Neither reads past the caller's buffers: lanes
//! that are masked off are not read.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m128i, __m256i, _bzhi_u64, _mm_cmpneq_epi8_mask, _mm_loadu_si128, _mm_storeu_si128, _mm256_cmpneq_epi8_mask,
    _mm256_loadu_si256, _mm256_storeu_si256, _mm512_cmpneq_epi8_mask, _mm512_loadu_si512, _mm512_mask_storeu_epi8,
    _mm512_maskz_loadu_epi8, _mm512_storeu_si512,
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
            let ends = offsets[1..].iter().map(|&offset| offset as usize);
            by_step!((end - start) / values.len(), W => split_run::<W, STAGE>(data, start, ends, lengths, staged))
        }
        Form::Arrow64(offsets, data) => {
            let (start, end) = (offsets[0] as usize, offsets[offsets.len() - 1] as usize);
            let ends = offsets[1..].iter().map(|&offset| offset as usize);
            by_step!((end - start) / values.len(), W => split_run::<W, STAGE>(data, start, ends, lengths, staged))
        }
        Form::FixedLen(width, data) => {
            let ends = (1..=data.len() / width).map(|index| index * width);
            by_step!(width, W => split_run::<W, STAGE>(data, 0, ends, lengths, staged))
        }
        Form::Slices(values) => split_slices::<STAGE>(values, lengths, staged),
    }
}

/// Values that lie back to back, the first at `start`.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
fn split_run<'a, const W: usize, const STAGE: bool>(
    data: &[u8],
    start: usize,
    ends: impl Iterator<Item = usize>,
    lengths: impl Iterator<Item = (&'a mut i32, &'a mut i32)>,
    staged: &mut [u8],
) -> usize {
    let mut bytes = 0;
    let (mut previous, mut at) = (start, start);
    for (end, (prefix_len, suffix_len)) in ends.zip(lengths) {
        let most = (at - previous).min(end - at);
        let suffix;
        // `at <= end` holds for every checked column; it is compared again because the loads depend on it.
        if at <= end && end + OVER <= data.len() && (!STAGE || bytes + (end - at) + OVER <= staged.len()) {
            // SAFETY: `previous <= at <= end`, `most` is at most `end - at`, and `data` has a step after `end`; `staged`
            // has room for the value and a step.
            unsafe {
                let prefix = prefix_over::<W>(data.as_ptr().add(previous), data.as_ptr().add(at), most);
                suffix = end - at - prefix;
                if STAGE {
                    copy_over::<W>(data.as_ptr().add(at + prefix), staged.as_mut_ptr().add(bytes), suffix);
                }
            }
        } else {
            let value = &data[at..end];
            let prefix = prefix_within(&data[previous..at], value);
            suffix = value.len() - prefix;
            if STAGE {
                copy_within(&value[prefix..], &mut staged[bytes..bytes + suffix]);
            }
        }
        *prefix_len = (end - at - suffix) as i32;
        *suffix_len = suffix as i32;
        bytes += suffix;
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
        let equal = differ.trailing_zeros() as usize;
        at += equal;
        if equal < W || at >= most {
            return at.min(most);
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

/// Copies `from` to `to`, which is as long. Reads and writes nothing else.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
fn copy_within(from: &[u8], to: &mut [u8]) {
    assert!(from.len() == to.len());
    let mut at = 0;
    while at < from.len() {
        let lanes = first_lanes(from.len() - at);
        // SAFETY: `lanes` selects bytes from `at` up to the end only, which both have; others are not touched.
        unsafe {
            let step = _mm512_maskz_loadu_epi8(lanes, from.as_ptr().add(at).cast());
            _mm512_mask_storeu_epi8(to.as_mut_ptr().add(at).cast(), lanes, step);
        }
        at += 64;
    }
}

/// The first `count` lanes of 64, or all of them.
#[inline]
#[target_feature(enable = "bmi2")]
fn first_lanes(count: usize) -> u64 {
    _bzhi_u64(u64::MAX, count.min(64) as u32)
}
