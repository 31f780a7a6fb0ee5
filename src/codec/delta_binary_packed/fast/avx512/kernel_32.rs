//! INT32: a chunk is two registers of 16 lanes.

use super::tables::MAX_PAIRS;
use super::{Avx512, min_delta, pack};
use crate::codec::delta_binary_packed::fast::portable::Kernel;
use core::arch::x86_64::*;

impl Kernel<i32> for Avx512 {
    type Deltas = [__m512i; 2];
    type Group = [[__m512i; 2]; 4];

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
    fn group(self, values: &[i32; 129]) -> [[__m512i; 2]; 4] {
        let mut group = [[self.zero(); 2]; 4];
        for (index, chunk) in group.iter_mut().enumerate() {
            *chunk = self.deltas(values[32 * index..].first_chunk().expect("one of four"), 0);
        }
        group
    }

    #[inline(always)]
    fn min_of_group(self, group: &[[__m512i; 2]; 4]) -> i32 {
        let [[a, b], [c, d], [e, f], [g, h]] = *group;
        // SAFETY: the features are there.
        unsafe {
            let left = _mm512_min_epi32(_mm512_min_epi32(a, b), _mm512_min_epi32(c, d));
            let right = _mm512_min_epi32(_mm512_min_epi32(e, f), _mm512_min_epi32(g, h));
            _mm512_reduce_min_epi32(_mm512_min_epi32(left, right))
        }
    }

    pack!(i32, less_32, widths_32, pack_deltas_32);

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

impl Avx512 {
    #[inline(always)]
    fn less_32(self, deltas: &[__m512i; 2], min: i32) -> [__m512i; 2] {
        // SAFETY: the features are there.
        unsafe {
            let min = _mm512_set1_epi32(min);
            [_mm512_sub_epi32(deltas[0], min), _mm512_sub_epi32(deltas[1], min)]
        }
    }

    /// The widths of four chunks: transposed, so that one reduction does for all.
    #[inline(always)]
    fn widths_32(self, [a, b, c, d]: &[[__m512i; 2]; 4]) -> [u8; 4] {
        // SAFETY: the features are there.
        let widths = unsafe {
            let (a, b) = (_mm512_or_si512(a[0], a[1]), _mm512_or_si512(b[0], b[1]));
            let (c, d) = (_mm512_or_si512(c[0], c[1]), _mm512_or_si512(d[0], d[1]));
            let ab = _mm512_or_si512(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
            let cd = _mm512_or_si512(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
            // In each 128-bit lane one 32-bit lane of each chunk.
            let any = _mm512_or_si512(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
            let any = _mm256_or_si256(_mm512_castsi512_si256(any), _mm512_extracti64x4_epi64::<1>(any));
            let any = _mm_or_si128(_mm256_castsi256_si128(any), _mm256_extracti128_si256::<1>(any));
            _mm_cvtsi128_si32(_mm_cvtepi32_epi8(_mm_sub_epi32(_mm_set1_epi32(32), _mm_lzcnt_epi32(any))))
        };
        widths.to_le_bytes()
    }

    /// Packs a chunk into the `4 * width` bytes at `to`.
    ///
    /// # Safety
    ///
    /// As for [`pack_chunk`](Self::pack_chunk).
    #[inline(always)]
    unsafe fn pack_deltas_32<const LOOSE: bool>(self, deltas: &[__m512i; 2], width: usize, to: *mut u8) {
        // SAFETY: as the caller promises.
        unsafe { self.pack_chunk::<LOOSE>(*deltas, width, to) }
    }
}
