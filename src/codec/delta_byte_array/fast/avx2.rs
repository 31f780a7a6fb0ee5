//! AVX2: prefixes by 32 bytes. Values are rebuilt by the safe code, compiled for these features.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_setzero_si256,
    _mm256_storeu_si256, _mm256_testz_si256, _mm256_xor_si256,
};

use alloc::vec::Vec;

use super::super::super::Path;
use super::super::super::byte_arrays::{Ends, copy_value};
use super::super::super::path::Kind;
use super::super::{DecodeOptions, Offset};
use super::decode::Sums;
use super::portable::common_prefix;
use super::rebuild::{self, Source};
use super::split;
use super::wide::Wide;

/// Bytes that are compared and copied at a time.
const STEP: usize = 32;

/// The kernel. A value exists only in functions that are compiled with these features, and are called only when a [`Path`]
/// proves that the processor has them.
#[derive(Clone, Copy)]
struct Avx2(());

compiled_for! {
    Avx2, "avx2,bmi1,bmi2,lzcnt,movbe,popcnt";

    fn split_run[E, STAGE][E: Ends, const STAGE: bool](
        data: &[u8], ends: E, lengths: [&mut [i32]; 2], staged: &mut [u8]
    ) -> usize {
        split::run::<_, E, STAGE>(Avx2(()), data, ends, lengths, staged)
    }

    fn split_slices[STAGE][const STAGE: bool](
        values: &[&[u8]], lengths: [&mut [i32]; 2], staged: &mut [u8]
    ) -> usize {
        split::slices::<_, STAGE>(Avx2(()), values, lengths, staged)
    }

    fn copy_suffixes[E][E: Ends](data: &[u8], ends: E, lengths: [&[i32]; 2], out: &mut [u8]) -> () {
        split::copy_suffixes(Avx2(()), data, ends, lengths, out)
    }

    fn sums[][](prefixes: &[i32], suffixes: &[i32], options: &DecodeOptions<'_>) -> Sums {
        Sums::of(prefixes, suffixes, options)
    }

    fn rebuild[O][O: Offset](source: &Source<'_>, kept: &mut Vec<u8>, ends: &mut [O], data: &mut Vec<u8>) -> () {
        rebuild::rebuild(source, kept, ends, data)
    }
}

impl Wide for Avx2 {
    const STEP: usize = STEP;

    #[inline(always)]
    unsafe fn differences(self, a: *const u8, b: *const u8) -> u64 {
        // SAFETY: the features are there, and a step can be read from both on.
        u64::from(!unsafe { equal_bytes(a, b) })
    }

    #[inline(always)]
    unsafe fn equal(self, a: *const u8, b: *const u8) -> bool {
        // SAFETY: the features are there, and four steps can be read from both on.
        unsafe { equal(a, b) }
    }

    #[inline(always)]
    unsafe fn copy_over(self, from: *const u8, to: *mut u8, len: usize) {
        // SAFETY: the features are there. Rounded up to a multiple of a step, or to one, `len` is less than a step more.
        unsafe { copy_over(from, to, len) }
    }

    #[inline(always)]
    fn prefix_of_short(self, a: &[u8], b: &[u8]) -> usize {
        common_prefix(a, b)
    }

    #[inline(always)]
    fn copy_slice(self, from: &[u8], out: &mut [u8], at: usize) {
        copy_value(from, &mut out[at..at + from.len()]);
    }
}

/// Which bytes of a step are equal, a bit each.
///
/// # Safety
/// A step can be read from both on.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn equal_bytes(a: *const u8, b: *const u8) -> u32 {
    // SAFETY: as the caller vouches.
    let (a, b) = unsafe { (_mm256_loadu_si256(a.cast()), _mm256_loadu_si256(b.cast())) };
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(a, b)) as u32
}

/// Whether four steps are equal.
///
/// # Safety
/// Four steps can be read from both on.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn equal(a: *const u8, b: *const u8) -> bool {
    let mut differ = _mm256_setzero_si256();
    for step in 0..4 {
        // SAFETY: as the caller vouches.
        let (a, b) =
            unsafe { (_mm256_loadu_si256(a.add(step * STEP).cast()), _mm256_loadu_si256(b.add(step * STEP).cast())) };
        differ = _mm256_or_si256(differ, _mm256_xor_si256(a, b));
    }
    _mm256_testz_si256(differ, differ) == 1
}

/// Copies `len` bytes, and what follows up to a multiple of a step.
///
/// # Safety
/// `len` bytes, rounded up to a multiple of a step and at least one, can be read from `from` on, and written from `to` on.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn copy_over(from: *const u8, to: *mut u8, len: usize) {
    let mut at = 0;
    // Two steps at a time, which the compiler does not take for a call of memcpy.
    loop {
        for _ in 0..2 {
            // SAFETY: `at` is 0 or a multiple of a step below `len`, so the caller vouches for a step from it on.
            unsafe {
                let step = _mm256_loadu_si256(from.add(at).cast::<__m256i>());
                _mm256_storeu_si256(to.add(at).cast::<__m256i>(), step);
            }
            at += STEP;
            if at >= len {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_to_the_plain_meaning() {
        super::super::kernel_tests::check(Kind::Avx2, Avx2(()));
    }
}
