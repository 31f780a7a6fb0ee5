//! INT32: a chunk is two registers of 16 lanes.

use super::tables::MAX_PAIRS;
use super::{Avx512, min_delta};
use crate::codec::delta_binary_packed::fast::portable::Kernel;
use core::arch::x86_64::*;

impl Kernel<i32> for Avx512 {
    type Deltas = [__m512i; 2];

    /// The value in every lane.
    type Carry = __m512i;

    /// 1 to 32 times the least delta.
    type Step = [__m512i; 2];

    min_delta!(
        i32,
        16,
        u16,
        _mm512_maskz_loadu_epi32,
        _mm512_sub_epi32,
        _mm512_min_epi32,
        _mm512_mask_min_epi32,
        _mm512_set1_epi32,
        _mm512_reduce_min_epi32
    );

    #[inline(always)]
    fn deltas(self, values: &[i32; 33], min: i32) -> [__m512i; 2] {
        // SAFETY: the features are there; 16 values are read from 0, 1, 16 and 17 of 33.
        unsafe {
            let (from, min) = (values.as_ptr(), _mm512_set1_epi32(min));
            let low = _mm512_sub_epi32(_mm512_loadu_si512(from.add(1).cast()), _mm512_loadu_si512(from.cast()));
            let from = from.add(16);
            let high = _mm512_sub_epi32(_mm512_loadu_si512(from.add(1).cast()), _mm512_loadu_si512(from.cast()));
            [_mm512_sub_epi32(low, min), _mm512_sub_epi32(high, min)]
        }
    }

    #[inline(always)]
    fn zero_deltas(self) -> [__m512i; 2] {
        [self.zero(); 2]
    }

    #[inline(always)]
    fn or(self, deltas: [__m512i; 2], others: [__m512i; 2]) -> [__m512i; 2] {
        // SAFETY: the features are there.
        unsafe { [_mm512_or_si512(deltas[0], others[0]), _mm512_or_si512(deltas[1], others[1])] }
    }

    #[inline(always)]
    fn width(self, deltas: &[__m512i; 2]) -> usize {
        // SAFETY: the features are there.
        let any = unsafe { _mm512_reduce_or_epi64(_mm512_or_si512(deltas[0], deltas[1])) };
        (u32::BITS - (any as u32 | (any >> 32) as u32).leading_zeros()) as usize
    }

    #[inline(always)]
    fn pack(self, deltas: &[__m512i; 2], width: usize, out: &mut [u8], loose: bool) {
        self.pack_chunk(*deltas, width, out, loose);
    }

    #[inline(always)]
    fn carry(self, value: i32) -> __m512i {
        // SAFETY: the features are there.
        unsafe { _mm512_set1_epi32(value) }
    }

    #[inline(always)]
    fn value(self, carry: __m512i) -> i32 {
        // SAFETY: the features are there.
        unsafe { _mm512_cvtsi512_si32(carry) }
    }

    #[inline(always)]
    fn step(self, min: i32) -> [__m512i; 2] {
        // SAFETY: the features are there.
        unsafe {
            let counts = _mm512_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
            let first = _mm512_mullo_epi32(counts, _mm512_set1_epi32(min));
            [first, _mm512_add_epi32(first, _mm512_set1_epi32(min.wrapping_mul(16)))]
        }
    }

    #[inline(always)]
    fn unpack(self, bytes: &[u8], width: usize, step: [__m512i; 2], carry: __m512i, out: &mut [i32; 32]) -> __m512i {
        // SAFETY: the features are there; the 16 values at 0 and at 16 of `out` are written.
        unsafe {
            // What the deltas are without the carry, which is added last: each chunk waits for the one before.
            let [first, second] = match width {
                0 => step,
                1..=MAX_PAIRS => {
                    let [even, odd] = self.sums_of_pairs(bytes, width);
                    let low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
                    let high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
                    [
                        _mm512_add_epi32(_mm512_permutex2var_epi32(even, low, odd), step[0]),
                        _mm512_add_epi32(_mm512_permutex2var_epi32(even, high, odd), step[1]),
                    ]
                }
                _ => {
                    let [first, second] = self.sums_of_halves(bytes, width);
                    let second = _mm512_add_epi32(second, self.last_32(first));
                    [_mm512_add_epi32(first, step[0]), _mm512_add_epi32(second, step[1])]
                }
            };
            let second = _mm512_add_epi32(second, carry);
            _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_add_epi32(first, carry));
            _mm512_storeu_si512(out.as_mut_ptr().add(16).cast(), second);
            self.last_32(second)
        }
    }
}
