//! INT64: a chunk is four registers of eight lanes, or, where the deltas are narrow, two of sixteen.

use super::tables::{MAX_PAIRS, PACK_64, UNPACK_64};
use super::{Avx512, GET_AHEAD, PUT_AHEAD, pack, unpack};
use crate::codec::delta_binary_packed::fast::miniblocks::Miniblocks;
use crate::codec::delta_binary_packed::fast::portable::{GROUP, Kernel};
use crate::codec::delta_binary_packed::fast::varint;
use core::arch::x86_64::*;

/// All three, bit by bit.
const XOR: i32 = 0x96;

impl Kernel<i64> for Avx512 {
    /// The greatest difference of each chunk.
    type Span = __m256i;

    /// The value in every lane.
    type Carry = __m512i;

    /// 1 to 32 times the least delta.
    type Step = [__m512i; 4];

    #[inline(always)]
    fn no_span(self) -> __m256i {
        // SAFETY: the features are there.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    fn differences(self, values: &[i64; GROUP + 1], deltas: &mut [i64; GROUP]) -> (i64, __m256i) {
        let (mut least, mut most) = ([self.zero(); 4], [self.zero(); 4]);
        // SAFETY: the features are there.
        let mut before = unsafe { _mm512_set1_epi64(values[0]) };
        for index in 0..4 {
            let mut four = [self.zero(); 4];
            for (part, lanes) in four.iter_mut().enumerate() {
                // SAFETY: the features are there; of 129 values eight are read from the one after each multiple of eight,
                // and eight deltas of 128 are written.
                unsafe {
                    let at = 32 * index + 8 * part;
                    let next = _mm512_loadu_si512(values.as_ptr().add(at + 1).cast());
                    *lanes = _mm512_sub_epi64(next, _mm512_alignr_epi64::<7>(next, before));
                    _mm512_storeu_si512(deltas.as_mut_ptr().add(at).cast(), *lanes);
                    before = next;
                }
            }
            let [a, b, c, d] = four;
            // SAFETY: the features are there.
            unsafe {
                let (lesser, less) = (_mm512_min_epi64(a, b), _mm512_min_epi64(c, d));
                least[index] = _mm512_min_epi64(lesser, less);
                // Of two and the lesser, the other one, in one instruction: to compare 64-bit lanes takes two.
                let greater = _mm512_ternarylogic_epi64::<XOR>(a, b, lesser);
                most[index] = _mm512_max_epi64(greater, _mm512_ternarylogic_epi64::<XOR>(c, d, less));
            }
        }
        // SAFETY: the features are there.
        unsafe {
            let [a, b, c, d] = least;
            let least = _mm512_min_epi64(_mm512_min_epi64(a, b), _mm512_min_epi64(c, d));
            // Transposed, so that one reduction does for all four.
            let [a, b, c, d] = most;
            let ab = _mm512_max_epi64(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
            let cd = _mm512_max_epi64(_mm512_unpacklo_epi64(c, d), _mm512_unpackhi_epi64(c, d));
            // In each 128-bit lane one 64-bit lane of each of two chunks.
            let ab = _mm256_max_epi64(_mm512_castsi512_si256(ab), _mm512_extracti64x4_epi64::<1>(ab));
            let cd = _mm256_max_epi64(_mm512_castsi512_si256(cd), _mm512_extracti64x4_epi64::<1>(cd));
            let low = _mm256_permute2x128_si256::<0x20>(ab, cd);
            let most = _mm256_max_epi64(low, _mm256_permute2x128_si256::<0x31>(ab, cd));
            (_mm512_reduce_min_epi64(least), most)
        }
    }

    #[inline(always)]
    fn widths(self, _deltas: &[i64; GROUP], most: &__m256i, min: i64, chunks: usize) -> [u8; 4] {
        // SAFETY: the features are there.
        let widths = unsafe {
            let mut most = *most;
            if chunks >= 2 {
                most = _mm256_max_epi64(most, _mm256_permute4x64_epi64::<0b10_11_00_01>(most));
            }
            if chunks >= 4 {
                most = _mm256_max_epi64(most, _mm256_permute4x64_epi64::<0b01_00_11_10>(most));
            }
            let spans = _mm256_sub_epi64(most, _mm256_set1_epi64x(min));
            let widths = _mm256_sub_epi64(_mm256_set1_epi64x(64), _mm256_lzcnt_epi64(spans));
            _mm_cvtsi128_si32(_mm256_cvtepi64_epi8(widths))
        };
        widths.to_le_bytes()
    }

    pack!(i64, pack_deltas_64);

    #[inline(always)]
    fn carry(self, value: i64) -> __m512i {
        // SAFETY: the features are there.
        unsafe { _mm512_set1_epi64(value) }
    }

    #[inline(always)]
    fn value(self, carry: __m512i) -> i64 {
        // SAFETY: the features are there.
        unsafe { _mm_cvtsi128_si64(_mm512_castsi512_si128(carry)) }
    }

    #[inline(always)]
    fn step(self, min: i64) -> [__m512i; 4] {
        // SAFETY: the features are there.
        unsafe {
            let first = _mm512_mullo_epi64(_mm512_setr_epi64(1, 2, 3, 4, 5, 6, 7, 8), _mm512_set1_epi64(min));
            let eight = _mm512_set1_epi64(min.wrapping_mul(8));
            let second = _mm512_add_epi64(first, eight);
            let third = _mm512_add_epi64(second, eight);
            [first, second, third, _mm512_add_epi64(third, eight)]
        }
    }

    unpack!(i64, [__m512i; 4], unpack_chunk_64);
}

impl Avx512 {
    /// Unpacks the chunk of `4 * width` bytes at `from`, and sums up from the carry.
    ///
    /// # Safety
    ///
    /// `from` is valid for reads of those bytes, and, if `LOOSE`, of 64 more.
    #[inline(always)]
    unsafe fn unpack_chunk_64<const LOOSE: bool>(
        self,
        from: *const u8,
        width: usize,
        step: [__m512i; 4],
        carry: __m512i,
        out: &mut [i64; 32],
    ) -> __m512i {
        self.prefetch(out.as_ptr().cast(), GET_AHEAD, size_of_val(out) / 64);
        // SAFETY: the features are there; the caller promises the bytes; eight values of `out` are written from 0, 8, 16 and 24.
        unsafe {
            // What the deltas are without the carry, which is added last: each chunk waits for the one before.
            let sums = match width {
                0 => [self.zero(); 4],
                1..=MAX_PAIRS => self.widened(self.sums_of_pairs::<LOOSE>(from, width)),
                // The sum of 32 of them is within 32 bits.
                17..=27 => self.widened(self.sums_of_halves::<LOOSE>(from, width)),
                _ => {
                    let pairs = if width <= 32 {
                        self.pairs_of_narrow::<LOOSE>(from, width)
                    } else {
                        self.pairs_of_wide::<LOOSE>(from, width)
                    };
                    return self.sum_up_64(pairs, [step[0], step[1]], carry, out);
                }
            };
            let mut last = carry;
            for (index, sums) in sums.into_iter().enumerate() {
                last = _mm512_add_epi64(_mm512_add_epi64(sums, step[index]), carry);
                _mm512_storeu_si512(out.as_mut_ptr().add(8 * index).cast(), last);
            }
            self.last_64(last)
        }
    }

    /// Packs a chunk into the `4 * width` bytes at `to`.
    ///
    /// # Safety
    ///
    /// `to` is valid for writes of those bytes, and, if `LOOSE`, of 64 more. `width` is at most 64.
    #[inline(always)]
    unsafe fn pack_deltas_64<const LOOSE: bool>(self, deltas: &[i64; 32], min: i64, width: usize, to: *mut u8) {
        // SAFETY: the features are there; of 32 deltas eight are read from 0, 8, 16 and 24. The caller promises the bytes, of
        // which a quarter is put from each register.
        unsafe {
            let lanes = |index| _mm512_loadu_si512(deltas.as_ptr().add(8 * index).cast());
            if width <= 32 {
                // The lower halves are enough.
                let low = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
                let first = _mm512_permutex2var_epi32(lanes(0), low, lanes(1));
                let second = _mm512_permutex2var_epi32(lanes(2), low, lanes(3));
                let min = _mm512_set1_epi32(min as i32);
                self.pack_chunk::<LOOSE>([_mm512_sub_epi32(first, min), _mm512_sub_epi32(second, min)], width, to);
            } else {
                let table = &PACK_64[width.min(64)];
                let min = _mm512_set1_epi64(min);
                self.prefetch(to, PUT_AHEAD, 4);
                for index in 0..4 {
                    let packed = self.pack_lanes_64(_mm512_sub_epi64(lanes(index), min), width, table);
                    self.put::<LOOSE>(to.add(index * width), packed, width);
                }
            }
        }
    }

    /// The last of eight lanes, in all of them.
    #[inline(always)]
    fn last_64(self, lanes: __m512i) -> __m512i {
        // SAFETY: the features are there.
        unsafe { _mm512_permutexvar_epi64(_mm512_set1_epi64(7), lanes) }
    }

    /// Even and odd 32-bit lanes, as 64-bit lanes in their order.
    #[inline(always)]
    fn widened(self, [even, odd]: [__m512i; 2]) -> [__m512i; 4] {
        let mut widened = [self.zero(); 4];
        for (lanes, from) in widened.iter_mut().zip(self.widen) {
            let from = self.table(from);
            // SAFETY: the features are there.
            *lanes = unsafe { _mm512_maskz_permutex2var_epi32(self.lower, even, from, odd) };
        }
        widened
    }

    /// Unpacks a chunk of any width up to 32: the even and the odd values of each half.
    ///
    /// # Safety
    ///
    /// As for [`unpack_chunk_64`](Self::unpack_chunk_64).
    #[inline(always)]
    unsafe fn pairs_of_narrow<const LOOSE: bool>(self, from: *const u8, width: usize) -> [[__m512i; 2]; 2] {
        // SAFETY: the features are there; the caller promises the bytes.
        unsafe {
            let [first, second] = self.halves::<LOOSE>(from, width);
            let lower = _mm512_set1_epi64(0xFFFF_FFFF);
            [
                [_mm512_and_si512(first, lower), _mm512_srli_epi64::<32>(first)],
                [_mm512_and_si512(second, lower), _mm512_srli_epi64::<32>(second)],
            ]
        }
    }

    /// Unpacks a chunk of any width: the even and the odd values of each half.
    ///
    /// # Safety
    ///
    /// As for [`unpack_chunk_64`](Self::unpack_chunk_64).
    #[inline(always)]
    unsafe fn pairs_of_wide<const LOOSE: bool>(self, from: *const u8, width: usize) -> [[__m512i; 2]; 2] {
        let table = &UNPACK_64[width];
        // SAFETY: the features are there; the caller promises the bytes.
        unsafe {
            let mut deltas = self.runs::<LOOSE, 4>(from, width);
            let low = self.table(&table.low);
            let shift = self.table(&table.shift);
            if width == 64 {
                // Lanes already.
            } else if width <= 57 {
                // With up to seven bits before it, the value is within eight bytes.
                for delta in &mut deltas {
                    *delta = _mm512_srlv_epi64(_mm512_permutexvar_epi8(low, *delta), shift);
                }
            } else {
                let high = self.table(&table.high);
                for delta in &mut deltas {
                    let more = _mm512_permutexvar_epi8(high, *delta);
                    *delta = _mm512_shrdv_epi64(_mm512_permutexvar_epi8(low, *delta), more, shift);
                }
            }
            let mask = _mm512_set1_epi64(_bzhi_u64(u64::MAX, width as u32) as i64);
            for delta in &mut deltas {
                *delta = _mm512_and_si512(*delta, mask);
            }
            let [a, b, c, d] = deltas;
            let even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
            let odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
            [
                [_mm512_permutex2var_epi64(a, even, b), _mm512_permutex2var_epi64(a, odd, b)],
                [_mm512_permutex2var_epi64(c, even, d), _mm512_permutex2var_epi64(c, odd, d)],
            ]
        }
    }

    /// Sums up in 64-bit lanes: each half waits for the one before.
    #[inline(always)]
    fn sum_up_64(
        self,
        halves: [[__m512i; 2]; 2],
        step: [__m512i; 2],
        mut carry: __m512i,
        out: &mut [i64; 32],
    ) -> __m512i {
        for ([even, odd], out) in halves.into_iter().zip(out.as_chunks_mut::<16>().0) {
            // SAFETY: the features are there; eight values of 16 are written from 0 and from 8.
            unsafe {
                let to_odd = self.scan_64(_mm512_add_epi64(even, odd));
                let to_even = _mm512_sub_epi64(to_odd, odd);
                let low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
                let high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
                let first = _mm512_add_epi64(_mm512_permutex2var_epi64(to_even, low, to_odd), step[0]);
                let second = _mm512_add_epi64(_mm512_permutex2var_epi64(to_even, high, to_odd), step[1]);
                let second = _mm512_add_epi64(second, carry);
                _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_add_epi64(first, carry));
                _mm512_storeu_si512(out.as_mut_ptr().add(8).cast(), second);
                carry = self.last_64(second);
            }
        }
        carry
    }

    /// Running sums of eight lanes.
    #[inline(always)]
    fn scan_64(self, lanes: __m512i) -> __m512i {
        // SAFETY: the features are there.
        unsafe {
            let zero = _mm512_setzero_si512();
            let lanes = _mm512_add_epi64(lanes, _mm512_alignr_epi64::<7>(lanes, zero));
            let lanes = _mm512_add_epi64(lanes, _mm512_alignr_epi64::<6>(lanes, zero));
            _mm512_add_epi64(lanes, _mm512_alignr_epi64::<4>(lanes, zero))
        }
    }
}
