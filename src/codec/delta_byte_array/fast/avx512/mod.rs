//! AVX-512: values of up to 16 bytes 32 at a time ([`short`]), others one by one, 64 bytes at a time.
//!
//! Where the data goes on behind a value, steps run over its end, which is cheaper than a masked load; the last values of
//! a column, and values that do not lie back to back, take masked loads. Neither reads past the caller's buffers: lanes
//! that are masked off are not read.
#![allow(unsafe_code)]

mod rebuild;
mod short;

use core::arch::x86_64::{
    _bzhi_u64, _mm512_cmpneq_epi8_mask, _mm512_loadu_si512, _mm512_mask_storeu_epi8, _mm512_maskz_loadu_epi8,
    _mm512_or_si512, _mm512_setzero_si512, _mm512_store_si512, _mm512_storeu_si512, _mm512_test_epi64_mask,
    _mm512_xor_si512,
};

use super::super::super::Path;
use super::super::super::byte_arrays::Ends;
use super::super::super::path::Kind;
use super::super::DecodeOptions;
use super::decode::Sums;
use super::split::{self, Position};
use super::wide::{Wide, in_order};

pub(super) use rebuild::rebuild;

/// Bytes that are compared and copied at a time. As many may be read and written past the end of a value.
const STEP: usize = 64;

/// The kernel. A value exists only in functions that are compiled with these features, and are called
/// only when a [`Path`] proves that the processor has them.
#[derive(Clone, Copy)]
struct Avx512(());

compiled_for! {
    Avx512, "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,movbe,popcnt";

    fn split_run[E, STAGE][E: Ends, const STAGE: bool](
        data: &[u8], ends: E, lengths: [&mut [i32]; 2], staged: &mut [u8]
    ) -> usize {
        if ends.mean() <= short::LANE {
            split_short::<E, STAGE>(data, ends, lengths, staged)
        } else {
            split::run::<_, E, STAGE>(Avx512(()), data, ends, lengths, staged)
        }
    }

    fn split_slices[STAGE][const STAGE: bool](
        values: &[&[u8]], lengths: [&mut [i32]; 2], staged: &mut [u8]
    ) -> usize {
        split::slices::<_, STAGE>(Avx512(()), values, lengths, staged)
    }

    fn copy_suffixes[E][E: Ends](data: &[u8], ends: E, lengths: [&[i32]; 2], out: &mut [u8]) -> () {
        split::copy_suffixes(Avx512(()), data, ends, lengths, out)
    }

    fn copy_suffixes_of_slices[][](values: &[&[u8]], suffixes: &[i32], out: &mut [u8]) -> () {
        split::copy_suffixes_of_slices(Avx512(()), values, suffixes, out)
    }

    fn sums[][](prefixes: &[i32], suffixes: &[i32], options: &DecodeOptions<'_>) -> Sums {
        Sums::of(prefixes, suffixes, options)
    }
}

/// Splits values most of which are short: by batches, or one by one where a value is too long for that, and at the end.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt")]
fn split_short<E: Ends, const STAGE: bool>(
    data: &[u8],
    ends: E,
    [prefixes, suffixes]: [&mut [i32]; 2],
    staged: &mut [u8],
) -> usize {
    use short::{BATCH, LANE};
    let kernel = Avx512(());
    let mut position = Position::new(ends.start());
    let batches = prefixes.as_chunks_mut::<BATCH>().0.iter_mut().zip(suffixes.as_chunks_mut::<BATCH>().0);
    let mut rest = ends;
    for (prefixes, suffixes) in batches {
        let Position { previous, at, bytes } = position;
        let mut split = None;
        if let Some(ends) = rest.batch::<BATCH>() {
            let total = ends[BATCH - 1] as usize;
            let readable = data.len().saturating_sub(at) >= total + LANE;
            let room = !STAGE || has_room(staged, bytes, total);
            if readable && room && in_order(previous, at) {
                let staged = staged.as_mut_ptr().wrapping_add(bytes);
                // SAFETY: just compared.
                split = unsafe {
                    short::split::<STAGE>(data.as_ptr(), [previous, at], &ends, [prefixes, suffixes], staged)
                };
            }
            if let Some(suffixes) = split {
                position =
                    Position { previous: at + ends[BATCH - 2] as usize, at: at + total, bytes: bytes + suffixes };
            }
        }
        if split.is_none() {
            let lengths = [&mut prefixes[..], &mut suffixes[..]];
            position = split::part_of_run::<_, E, STAGE>(kernel, data, rest, lengths, staged, position);
        }
        rest = rest.skip(BATCH);
    }
    let done = prefixes.len() / BATCH * BATCH;
    let lengths = [&mut prefixes[done..], &mut suffixes[done..]];
    split::part_of_run::<_, E, STAGE>(kernel, data, rest, lengths, staged, position).bytes
}

/// Whether `len` bytes and a step more can be written from `at` on: never false, as long as there is room for all values.
#[inline(always)]
fn has_room(staged: &[u8], at: usize, len: usize) -> bool {
    staged.len().saturating_sub(at) >= len + STEP
}

impl Wide for Avx512 {
    const STEP: usize = STEP;

    #[inline(always)]
    unsafe fn differences(self, a: *const u8, b: *const u8) -> u64 {
        // SAFETY: the features are there, and a step can be read from both on.
        unsafe { differences(a, b) }
    }

    #[inline(always)]
    unsafe fn equal(self, a: *const u8, b: *const u8) -> bool {
        // SAFETY: the features are there, and four steps can be read from both on.
        unsafe { equal(a, b) }
    }

    #[inline(always)]
    unsafe fn copy_over(self, from: *const u8, to: *mut u8, len: usize) {
        // SAFETY: the features are there, and the caller vouches for as much.
        unsafe { copy_over(from, to, len) }
    }

    #[inline(always)]
    fn prefix_of_short(self, a: &[u8], b: &[u8]) -> usize {
        // SAFETY: the features are there.
        unsafe { prefix_of_short(a, b) }
    }

    #[inline(always)]
    fn copy_slice(self, from: &[u8], out: &mut [u8], at: usize) {
        if from.len() <= STEP && at + STEP <= out.len() {
            // SAFETY: the features are there; lanes select bytes of `from` only, and a step of `out` is there.
            unsafe {
                let bytes = _mm512_maskz_loadu_epi8(first_lanes(from.len()), from.as_ptr().cast());
                _mm512_storeu_si512(out.as_mut_ptr().add(at).cast(), bytes);
            }
        } else {
            // SAFETY: the features are there.
            unsafe { copy_within(from, &mut out[at..at + from.len()]) }
        }
    }
}

/// Which bytes of a step differ, a bit each.
///
/// # Safety
/// A step can be read from both on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn differences(a: *const u8, b: *const u8) -> u64 {
    // SAFETY: as the caller vouches.
    unsafe { _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(a.cast()), _mm512_loadu_si512(b.cast())) }
}

/// Whether four steps are equal.
///
/// # Safety
/// Four steps can be read from both on.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn equal(a: *const u8, b: *const u8) -> bool {
    let mut differ = _mm512_setzero_si512();
    for step in 0..4 {
        // SAFETY: as the caller vouches.
        let (a, b) =
            unsafe { (_mm512_loadu_si512(a.add(step * STEP).cast()), _mm512_loadu_si512(b.add(step * STEP).cast())) };
        differ = _mm512_or_si512(differ, _mm512_xor_si512(a, b));
    }
    _mm512_test_epi64_mask(differ, differ) == 0
}

/// The length of the common prefix of two slices that are as long as each other, and no longer than a step.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn prefix_of_short(a: &[u8], b: &[u8]) -> usize {
    let len = a.len().min(b.len());
    let lanes = first_lanes(len);
    // SAFETY: `lanes` selects bytes that both have; others are not read.
    let (a, b) = unsafe {
        (_mm512_maskz_loadu_epi8(lanes, a.as_ptr().cast()), _mm512_maskz_loadu_epi8(lanes, b.as_ptr().cast()))
    };
    (_mm512_cmpneq_epi8_mask(a, b).trailing_zeros() as usize).min(len)
}

/// Copies `len` bytes, and of what follows as much as is read with the first step.
///
/// # Safety
/// `len` bytes and a step more can be read from `from` on, and written from `to` on; the two do not overlap.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn copy_over(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: as the caller vouches; after the first step there are `len - STEP` bytes.
    unsafe {
        _mm512_storeu_si512(to.cast(), _mm512_loadu_si512(from.cast()));
        if len > STEP {
            copy(from.add(STEP), to.add(STEP), len - STEP);
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
        // Two at a time, which the compiler does not take for a call of memcpy.
        while at + 128 <= len {
            let (a, b) = (_mm512_loadu_si512(from.add(at).cast()), _mm512_loadu_si512(from.add(at + 64).cast()));
            _mm512_store_si512(to.add(at).cast(), a);
            _mm512_store_si512(to.add(at + 64).cast(), b);
            at += 128;
        }
        if at + 64 <= len {
            _mm512_store_si512(to.add(at).cast(), _mm512_loadu_si512(from.add(at).cast()));
        }
        _mm512_storeu_si512(to.add(len - 64).cast(), last);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_to_the_plain_meaning() {
        super::super::kernel_tests::check(Kind::Avx512, Avx512(()));
    }
}
