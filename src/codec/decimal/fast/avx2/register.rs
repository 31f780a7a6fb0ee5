//! Between memory and registers of 128 and 256 bits: the `unsafe` of the AVX2 kernels.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

#[inline]
#[target_feature(enable = "avx2")]
pub fn load(from: &[u8; 32]) -> __m256i {
    // SAFETY: reads the 32 bytes of the array; no alignment is asked for.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub fn store(to: &mut [u8; 32], x: __m256i) {
    // SAFETY: writes the 32 bytes of the array; no alignment is asked for.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), x) }
}

/// Loads 16 bytes at `low` and 16 at `high`, both at most N - 16.
#[inline]
#[target_feature(enable = "avx2")]
pub fn load_lanes<const N: usize>(from: &[u8; N], low: usize, high: usize) -> __m256i {
    let (low, high) = (&from[low.min(N - 16)..], &from[high.min(N - 16)..]);
    // SAFETY: each slice starts 16 bytes or more before the end of the array; no alignment is asked for.
    unsafe { _mm256_loadu2_m128i(high.as_ptr().cast(), low.as_ptr().cast()) }
}

/// Stores 16 bytes at `at`, which is at most 48.
#[inline]
#[target_feature(enable = "avx2")]
pub fn store_lane(to: &mut [u8; 64], at: usize, x: __m128i) {
    let to = &mut to[at.min(48)..];
    // SAFETY: the slice starts at most 48 bytes into an array of 64, so that 16 are there; no alignment is asked for.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), x) }
}
