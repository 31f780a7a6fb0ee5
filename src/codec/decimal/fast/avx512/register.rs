//! Between memory and a 512-bit register: the `unsafe` of the AVX-512 kernels.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

/// A table of byte positions for one permutation.
pub type Index = [u8; 64];

#[inline]
#[target_feature(enable = "avx512f")]
pub fn load(from: &[u8; 64]) -> __m512i {
    // SAFETY: reads the 64 bytes of the array; no alignment is asked for.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub fn store(to: &mut [u8; 64], x: __m512i) {
    // SAFETY: writes the 64 bytes of the array; no alignment is asked for.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), x) }
}

/// Loads two registers, one behind the other.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn load_two(from: &[u8; 128]) -> (__m512i, __m512i) {
    let [a, b] = from.as_chunks::<64>().0 else { unreachable!() };
    (load(a), load(b))
}

/// Loads `from`, at most 64 bytes; the bytes beyond come from `fill`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn load_part(from: &[u8], fill: __m512i) -> __m512i {
    // SAFETY: bytes that the mask does not name are not read, and it names those of the slice.
    unsafe { _mm512_mask_loadu_epi8(fill, first(from.len()), from.as_ptr().cast()) }
}

/// Stores the first `to.len()` bytes, at most 64.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn store_part(to: &mut [u8], x: __m512i) {
    // SAFETY: bytes that the mask does not name are not written, and it names those of the slice.
    unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), first(to.len()), x) }
}

/// The mask of the first `count` bytes; of all 64 where `count` is larger.
#[inline]
pub fn first(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}
