//! AVX2: prefixes by 32 bytes. Values are rebuilt by the safe code, compiled for these features.
#![allow(unsafe_code)]

use core::arch::x86_64::{__m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_storeu_si256};

use alloc::vec::Vec;

use super::super::super::Path;
use super::super::super::byte_arrays::{Ends, copy_value};
use super::super::super::path::Kind;
use super::super::{Offset, Options};
use super::decode::Sums;
use super::portable::common_prefix;
use super::rebuild::{self, Source};
use super::split::{self, Kernel};

/// Bytes that are compared and copied at a time.
const W: usize = 32;

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

    fn sums[][](prefixes: &[i32], suffixes: &[i32], options: &Options<'_>) -> Sums {
        Sums::of(prefixes, suffixes, options)
    }

    fn rebuild[O][O: Offset](source: &Source<'_>, kept: &mut Vec<u8>, ends: &mut [O], data: &mut Vec<u8>) -> () {
        rebuild::rebuild(source, kept, ends, data)
    }
}

impl Kernel for Avx2 {
    #[inline(always)]
    fn prefix_at(self, data: &[u8], previous: usize, at: usize, most: usize) -> usize {
        if previous <= at && at + most + W <= data.len() {
            // SAFETY: the features are there; `W` bytes follow the `most` from `at` on, and `previous` is no later.
            unsafe { prefix_over(data.as_ptr().add(previous), data.as_ptr().add(at), most) }
        } else {
            common_prefix(&data[previous..previous + most], &data[at..at + most])
        }
    }

    #[inline(always)]
    fn stage(self, data: &[u8], from: usize, to: usize, out: &mut [u8], at: usize) {
        let len = to.wrapping_sub(from);
        if from <= to && to + W <= data.len() && at + len + W <= out.len() {
            // SAFETY: the features are there; both go on for `W` bytes after these.
            unsafe { copy_over(data.as_ptr().add(from), out.as_mut_ptr().add(at), len) }
        } else {
            self.copy(&data[from..to], out, at);
        }
    }

    #[inline(always)]
    fn prefix(self, a: &[u8], b: &[u8]) -> usize {
        let most = a.len().min(b.len());
        let whole = most / W * W;
        // SAFETY: the features are there; both have `most` bytes, and `whole` is a multiple of `W`.
        let prefix = unsafe { prefix_over(a.as_ptr(), b.as_ptr(), whole) };
        if prefix < whole { prefix } else { whole + common_prefix(&a[whole..most], &b[whole..most]) }
    }

    #[inline(always)]
    fn copy(self, from: &[u8], out: &mut [u8], at: usize) {
        copy_value(from, &mut out[at..at + from.len()]);
    }
}

/// The length of the common prefix, at most `most`.
///
/// # Safety
/// From both on, `most` bytes can be read, rounded up to a multiple of `W`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn prefix_over(a: *const u8, b: *const u8, most: usize) -> usize {
    let mut at = 0;
    while at < most {
        // SAFETY: `at` is a multiple of `W` below `most`, so the caller vouches for `W` bytes from it on.
        let equal = unsafe {
            let x = _mm256_loadu_si256(a.add(at).cast::<__m256i>());
            let y = _mm256_loadu_si256(b.add(at).cast::<__m256i>());
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
/// `len` bytes, rounded up to a multiple of `W` and at least `W`, can be read from `from` on, and written from `to` on.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn copy_over(from: *const u8, to: *mut u8, len: usize) {
    let mut at = 0;
    loop {
        // SAFETY: `at` is 0 or a multiple of `W` below `len`, so the caller vouches for `W` bytes from it on.
        unsafe {
            let step = _mm256_loadu_si256(from.add(at).cast::<__m256i>());
            _mm256_storeu_si256(to.add(at).cast::<__m256i>(), step);
        }
        at += W;
        if at >= len {
            return;
        }
    }
}
