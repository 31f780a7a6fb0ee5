//! Kernels for AVX2: prefixes by 32 bytes. Values are rebuilt by the safe code, compiled for these features.
#![allow(unsafe_code)]

use core::arch::x86_64::{__m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_storeu_si256};

use alloc::vec::Vec;

use super::super::super::Path;
use super::super::super::byte_arrays::Form;
use super::super::ByteArrays;
use super::portable::common_prefix;
use super::rebuild::{Source, rebuild_body};

/// Bytes that are compared and copied at a time.
const W: usize = 32;

/// See [`split`](super::split).
pub(super) fn split<const STAGE: bool>(
    path: Path,
    values: &ByteArrays<'_>,
    prefixes: &mut [i32],
    suffixes: &mut [i32],
    staged: &mut [u8],
) -> usize {
    assert!(path != Path::PORTABLE);
    // SAFETY: a path other than the portable one proves that the processor has these features.
    unsafe { split_compiled::<STAGE>(values, prefixes, suffixes, staged) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt")]
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
            let ends = offsets[1..].iter().map(|&offset| offset as usize);
            split_run::<STAGE>(data, offsets[0] as usize, ends, lengths, staged)
        }
        Form::Arrow64(offsets, data) => {
            let ends = offsets[1..].iter().map(|&offset| offset as usize);
            split_run::<STAGE>(data, offsets[0] as usize, ends, lengths, staged)
        }
        Form::FixedLen(width, data) => {
            let ends = (1..=data.len() / width).map(|index| index * width);
            split_run::<STAGE>(data, 0, ends, lengths, staged)
        }
        Form::Slices(values) => split_slices::<STAGE>(values, lengths, staged),
    }
}

/// Values that lie back to back, the first at `start`.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt")]
fn split_run<'a, const STAGE: bool>(
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
        // From here to the end of the data there is a whole step after the value, so that its last step may run over.
        let whole = end + W <= data.len();
        let prefix = if whole {
            // SAFETY: `previous <= at <= at + most <= end`, and `data` has `W` bytes after `end`.
            unsafe { common_prefix_over(&data[previous..], &data[at..], most) }
        } else {
            common_prefix(&data[previous..previous + most], &data[at..at + most])
        };
        let suffix = end - at - prefix;
        *prefix_len = prefix as i32;
        *suffix_len = suffix as i32;
        if STAGE {
            let (from, to) = (&data[at + prefix..], &mut staged[bytes..]);
            if whole && to.len() >= suffix + W {
                // SAFETY: the value ends `suffix` bytes into `from`, and `W` bytes follow it; in `to` as just compared.
                unsafe { copy_over(from, to, suffix) }
            } else {
                to[..suffix].copy_from_slice(&from[..suffix]);
            }
        }
        bytes += suffix;
        (previous, at) = (at, end);
    }
    bytes
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt")]
fn split_slices<'a, const STAGE: bool>(
    values: &[&[u8]],
    lengths: impl Iterator<Item = (&'a mut i32, &'a mut i32)>,
    staged: &mut [u8],
) -> usize {
    let mut bytes = 0;
    let mut previous: &[u8] = &[];
    for (&value, (prefix_len, suffix_len)) in values.iter().zip(lengths) {
        let most = previous.len().min(value.len());
        let whole = most / W * W;
        // SAFETY: both have `most` bytes, and `whole` is a multiple of `W`.
        let mut prefix = unsafe { common_prefix_over(previous, value, whole) };
        if prefix == whole {
            prefix += common_prefix(&previous[whole..most], &value[whole..most]);
        }
        let suffix = &value[prefix..];
        *prefix_len = prefix as i32;
        *suffix_len = suffix.len() as i32;
        if STAGE {
            staged[bytes..bytes + suffix.len()].copy_from_slice(suffix);
        }
        bytes += suffix.len();
        previous = value;
    }
    bytes
}

/// The length of the common prefix, at most `most`.
///
/// # Safety
/// Both have `most` bytes, rounded up to a multiple of `W`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn common_prefix_over(a: &[u8], b: &[u8], most: usize) -> usize {
    let mut at = 0;
    while at < most {
        // SAFETY: `at` is a multiple of `W` below `most`, so the caller vouches for `W` bytes from it on.
        let equal = unsafe {
            let x = _mm256_loadu_si256(a.as_ptr().add(at).cast::<__m256i>());
            let y = _mm256_loadu_si256(b.as_ptr().add(at).cast::<__m256i>());
            _mm256_movemask_epi8(_mm256_cmpeq_epi8(x, y)) as u32
        };
        if equal != u32::MAX {
            return (at + equal.trailing_ones() as usize).min(most);
        }
        at += W;
    }
    most
}

/// Copies `len` bytes, and what follows up to a multiple of `W`.
///
/// # Safety
/// Both have `len` bytes, rounded up to a multiple of `W`, and at least `W`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn copy_over(from: &[u8], to: &mut [u8], len: usize) {
    let mut at = 0;
    loop {
        // SAFETY: `at` is 0 or a multiple of `W` below `len`, so the caller vouches for `W` bytes from it on.
        unsafe {
            let step = _mm256_loadu_si256(from.as_ptr().add(at).cast::<__m256i>());
            _mm256_storeu_si256(to.as_mut_ptr().add(at).cast::<__m256i>(), step);
        }
        at += W;
        if at >= len {
            return;
        }
    }
}

/// Replaces `data` by the values. `kept` is working memory.
pub(super) fn rebuild(path: Path, source: &Source<'_>, kept: &mut Vec<u8>, data: &mut Vec<u8>) {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt")]
    fn compiled(source: &Source<'_>, kept: &mut Vec<u8>, data: &mut Vec<u8>) {
        rebuild_body(source, kept, data);
    }
    assert!(path != Path::PORTABLE);
    // SAFETY: a path other than the portable one proves that the processor has these features.
    unsafe { compiled(source, kept, data) }
}
