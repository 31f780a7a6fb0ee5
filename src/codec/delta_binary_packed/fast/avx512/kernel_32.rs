//! INT32: a chunk is two registers of 16 lanes.

use super::tables::MAX_PAIRS;
use super::{Avx512, GET_AHEAD, pack, unpack};
use crate::codec::delta_binary_packed::fast::miniblocks::Miniblocks;
use crate::codec::delta_binary_packed::fast::portable::{GROUP, Kernel};
use crate::codec::delta_binary_packed::fast::varint;
use core::arch::x86_64::*;

impl Kernel<i32> for Avx512 {
    /// The greatest difference of each chunk.
    type Span = __m128i;

    /// The value in every lane.
    type Carry = __m512i;

    /// 1 to 32 times the least delta.
    type Step = [__m512i; 2];

    #[inline(always)]
    fn no_span(self) -> __m128i {
        // SAFETY: the features are there.
        unsafe { _mm_setzero_si128() }
    }

    #[inline(always)]
    fn differences(self, values: &[i32; GROUP + 1], deltas: &mut [i32; GROUP]) -> (i32, __m128i) {
        let (mut least, mut most) = ([self.zero(); 4], [self.zero(); 4]);
        // SAFETY: the features are there.
        let mut before = unsafe { _mm512_set1_epi32(values[0]) };
        for index in 0..4 {
            // SAFETY: the features are there; of 129 values 16 are read from the one after each multiple of 16, and 16
            // deltas of 128 are written.
            unsafe {
                let (from, to) = (values.as_ptr().add(32 * index + 1), deltas.as_mut_ptr().add(32 * index));
                let (first, second) = (_mm512_loadu_si512(from.cast()), _mm512_loadu_si512(from.add(16).cast()));
                let low = _mm512_sub_epi32(first, _mm512_alignr_epi32::<15>(first, before));
                let high = _mm512_sub_epi32(second, _mm512_alignr_epi32::<15>(second, first));
                before = second;
                _mm512_storeu_si512(to.cast(), low);
                _mm512_storeu_si512(to.add(16).cast(), high);
                least[index] = _mm512_min_epi32(low, high);
                most[index] = _mm512_max_epi32(low, high);
            }
        }
        // SAFETY: the features are there.
        unsafe {
            let [a, b, c, d] = least;
            let least = _mm512_min_epi32(_mm512_min_epi32(a, b), _mm512_min_epi32(c, d));
            // Transposed, so that one reduction does for all four.
            let [a, b, c, d] = most;
            let ab = _mm512_max_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
            let cd = _mm512_max_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
            // In each 128-bit lane one 32-bit lane of each chunk.
            let most = _mm512_max_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
            let most = _mm256_max_epi32(_mm512_castsi512_si256(most), _mm512_extracti64x4_epi64::<1>(most));
            let most = _mm_max_epi32(_mm256_castsi256_si128(most), _mm256_extracti128_si256::<1>(most));
            (_mm512_reduce_min_epi32(least), most)
        }
    }

    #[inline(always)]
    fn widths(self, _deltas: &[i32; GROUP], most: &__m128i, min: i32, chunks: usize) -> [u8; 4] {
        // SAFETY: the features are there.
        let widths = unsafe {
            let mut most = *most;
            if chunks >= 2 {
                most = _mm_max_epi32(most, _mm_shuffle_epi32::<0b10_11_00_01>(most));
            }
            if chunks >= 4 {
                most = _mm_max_epi32(most, _mm_shuffle_epi32::<0b01_00_11_10>(most));
            }
            let spans = _mm_sub_epi32(most, _mm_set1_epi32(min));
            _mm_cvtsi128_si32(_mm_cvtepi32_epi8(_mm_sub_epi32(_mm_set1_epi32(32), _mm_lzcnt_epi32(spans))))
        };
        widths.to_le_bytes()
    }

    pack!(i32, pack_deltas_32);

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

    unpack!(i32, [__m512i; 2], unpack_chunk_32);
}

impl Avx512 {
    /// Unpacks the chunk of `4 * width` bytes at `from`, and sums up from the carry.
    ///
    /// # Safety
    ///
    /// `from` is valid for reads of those bytes, and, if `LOOSE`, of 64 more.
    #[inline(always)]
    unsafe fn unpack_chunk_32<const LOOSE: bool>(
        self,
        from: *const u8,
        width: usize,
        step: [__m512i; 2],
        carry: __m512i,
        out: &mut [i32; 32],
    ) -> __m512i {
        self.prefetch(out.as_ptr().cast(), GET_AHEAD, size_of_val(out) / 64);
        // SAFETY: the features are there; the caller promises the bytes; the 16 values at 0 and at 16 of `out` are written.
        unsafe {
            // What the deltas are without the carry, which is added last: each chunk waits for the one before.
            let [first, second] = if width == 0 {
                step
            } else {
                let [even, odd] = if width <= MAX_PAIRS {
                    self.sums_of_pairs::<LOOSE>(from, width)
                } else {
                    self.sums_of_halves::<LOOSE>(from, width)
                };
                let low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
                let high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
                [
                    _mm512_add_epi32(_mm512_permutex2var_epi32(even, low, odd), step[0]),
                    _mm512_add_epi32(_mm512_permutex2var_epi32(even, high, odd), step[1]),
                ]
            };
            let second = _mm512_add_epi32(second, carry);
            _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_add_epi32(first, carry));
            _mm512_storeu_si512(out.as_mut_ptr().add(16).cast(), second);
            self.last_32(second)
        }
    }

    /// Packs a chunk into the `4 * width` bytes at `to`.
    ///
    /// # Safety
    ///
    /// As for [`pack_chunk`](Self::pack_chunk).
    #[inline(always)]
    unsafe fn pack_deltas_32<const LOOSE: bool>(self, deltas: &[i32; 32], min: i32, width: usize, to: *mut u8) {
        // SAFETY: the features are there; 16 of 32 deltas are read from 0 and from 16. What is written is as the caller promises.
        unsafe {
            let (from, min) = (deltas.as_ptr(), _mm512_set1_epi32(min));
            let low = _mm512_sub_epi32(_mm512_loadu_si512(from.cast()), min);
            let high = _mm512_sub_epi32(_mm512_loadu_si512(from.add(16).cast()), min);
            self.pack_chunk::<LOOSE>([low, high], width, to);
        }
    }
}
