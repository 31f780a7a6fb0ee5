//! INT64: a chunk is four registers of eight lanes, or, where the deltas are narrow, two of sixteen.

use super::tables::{MAX_PAIRS, PACK_64, UNPACK_64};
use super::{Avx512, min_delta, pack};
use crate::codec::delta_binary_packed::fast::portable::Kernel;
use core::arch::x86_64::*;

impl Kernel<i64> for Avx512 {
    type Deltas = [__m512i; 4];
    type Group = [[__m512i; 4]; 4];

    /// The value in every lane.
    type Carry = __m512i;

    /// 1 to 32 times the least delta.
    type Step = [__m512i; 4];

    min_delta!(
        i64,
        8,
        u8,
        _mm512_maskz_loadu_epi64,
        _mm512_sub_epi64,
        _mm512_min_epi64,
        _mm512_mask_min_epi64,
        _mm512_set1_epi64,
        _mm512_reduce_min_epi64
    );

    #[inline(always)]
    fn deltas(self, values: &[i64; 33], min: i64) -> [__m512i; 4] {
        let mut deltas = [self.zero(); 4];
        for (index, delta) in deltas.iter_mut().enumerate() {
            // SAFETY: the features are there; eight values are read from each index, and one after it, up to the last of 33.
            unsafe {
                let from = values.as_ptr().add(8 * index);
                let next = _mm512_loadu_si512(from.add(1).cast());
                let delta_here = _mm512_sub_epi64(next, _mm512_loadu_si512(from.cast()));
                *delta = _mm512_sub_epi64(delta_here, _mm512_set1_epi64(min));
            }
        }
        deltas
    }

    #[inline(always)]
    fn zero_deltas(self) -> [__m512i; 4] {
        [self.zero(); 4]
    }

    #[inline(always)]
    fn or(self, mut deltas: [__m512i; 4], others: [__m512i; 4]) -> [__m512i; 4] {
        for (delta, other) in deltas.iter_mut().zip(others) {
            // SAFETY: the features are there.
            *delta = unsafe { _mm512_or_si512(*delta, other) };
        }
        deltas
    }

    #[inline(always)]
    fn width(self, deltas: &[__m512i; 4]) -> usize {
        // SAFETY: the features are there.
        let any = unsafe { _mm512_reduce_or_epi64(self.any_64(deltas)) };
        (u64::BITS - any.leading_zeros()) as usize
    }

    #[inline(always)]
    fn group(self, values: &[i64; 129]) -> [[__m512i; 4]; 4] {
        let mut group = [[self.zero(); 4]; 4];
        let from = values.as_ptr();
        // SAFETY: the features are there; eight values are read from each multiple of eight up to 128, and the last.
        unsafe {
            // Each register is loaded once: nearly every load is of two cache lines.
            let mut lanes = _mm512_loadu_si512(from.cast());
            for (index, delta) in group.as_flattened_mut().iter_mut().enumerate() {
                let next = match index {
                    15 => _mm512_set1_epi64(values[128]),
                    _ => _mm512_loadu_si512(from.add(8 * index + 8).cast()),
                };
                *delta = _mm512_sub_epi64(_mm512_alignr_epi64::<1>(next, lanes), lanes);
                lanes = next;
            }
        }
        group
    }

    #[inline(always)]
    fn min_of_group(self, group: &[[__m512i; 4]; 4]) -> i64 {
        let [mut a, b, c, d] = *group;
        // SAFETY: the features are there.
        unsafe {
            for index in 0..4 {
                let left = _mm512_min_epi64(a[index], b[index]);
                a[index] = _mm512_min_epi64(left, _mm512_min_epi64(c[index], d[index]));
            }
            _mm512_reduce_min_epi64(_mm512_min_epi64(_mm512_min_epi64(a[0], a[1]), _mm512_min_epi64(a[2], a[3])))
        }
    }

    pack!(i64, less_64, widths_64, pack_deltas_64);

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

    #[inline(always)]
    fn unpack(self, bytes: &[u8], width: usize, step: [__m512i; 4], carry: __m512i, out: &mut [i64; 32]) -> __m512i {
        // What the deltas are without the carry, which is added last: each chunk waits for the one before.
        let mut sums = match width {
            0 => [self.zero(); 4],
            1..=MAX_PAIRS => self.widened_pairs(self.sums_of_pairs(bytes, width)),
            // The sum of 32 of them is within 32 bits.
            17..=27 => self.widened_halves(self.sums_of_halves(bytes, width)),
            _ => self.sums_64(bytes, width),
        };
        // SAFETY: the features are there; eight values of `out` are written from 0, 8, 16 and 24.
        unsafe {
            for (index, sums) in sums.iter_mut().enumerate() {
                *sums = _mm512_add_epi64(_mm512_add_epi64(*sums, step[index]), carry);
                _mm512_storeu_si512(out.as_mut_ptr().add(8 * index).cast(), *sums);
            }
        }
        self.last_64(sums[3])
    }
}

impl Avx512 {
    #[inline(always)]
    fn less_64(self, deltas: &[__m512i; 4], min: i64) -> [__m512i; 4] {
        let mut less = *deltas;
        for delta in &mut less {
            // SAFETY: the features are there.
            *delta = unsafe { _mm512_sub_epi64(*delta, _mm512_set1_epi64(min)) };
        }
        less
    }

    /// The widths of four chunks: transposed, so that one reduction does for all.
    #[inline(always)]
    fn widths_64(self, [a, b, c, d]: &[[__m512i; 4]; 4]) -> [u8; 4] {
        let (a, b, c, d) = (self.any_64(a), self.any_64(b), self.any_64(c), self.any_64(d));
        // SAFETY: the features are there.
        let widths = unsafe {
            // In each 128-bit lane one 64-bit lane of each of two chunks.
            let ab = _mm512_or_si512(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
            let cd = _mm512_or_si512(_mm512_unpacklo_epi64(c, d), _mm512_unpackhi_epi64(c, d));
            let ab = _mm256_or_si256(_mm512_castsi512_si256(ab), _mm512_extracti64x4_epi64::<1>(ab));
            let cd = _mm256_or_si256(_mm512_castsi512_si256(cd), _mm512_extracti64x4_epi64::<1>(cd));
            let low = _mm256_permute2x128_si256::<0x20>(ab, cd);
            let any = _mm256_or_si256(low, _mm256_permute2x128_si256::<0x31>(ab, cd));
            let widths = _mm256_sub_epi64(_mm256_set1_epi64x(64), _mm256_lzcnt_epi64(any));
            _mm_cvtsi128_si32(_mm256_cvtepi64_epi8(widths))
        };
        widths.to_le_bytes()
    }

    #[inline(always)]
    fn any_64(self, deltas: &[__m512i; 4]) -> __m512i {
        // SAFETY: the features are there.
        unsafe {
            let (low, high) = (_mm512_or_si512(deltas[0], deltas[1]), _mm512_or_si512(deltas[2], deltas[3]));
            _mm512_or_si512(low, high)
        }
    }

    /// Packs a chunk into the `4 * width` bytes at `to`.
    ///
    /// # Safety
    ///
    /// `to` is valid for writes of those bytes, and, if `LOOSE`, of 64 more. `width` is at most 64.
    #[inline(always)]
    unsafe fn pack_deltas_64<const LOOSE: bool>(self, deltas: &[__m512i; 4], width: usize, to: *mut u8) {
        // SAFETY: the features are there; the caller promises the bytes, of which a quarter is put from each register.
        unsafe {
            if width <= 32 {
                let low = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
                let first = _mm512_permutex2var_epi32(deltas[0], low, deltas[1]);
                let second = _mm512_permutex2var_epi32(deltas[2], low, deltas[3]);
                self.pack_chunk::<LOOSE>([first, second], width, to);
            } else {
                let table = &PACK_64[width.min(64)];
                for (index, &lanes) in deltas.iter().enumerate() {
                    self.put::<LOOSE>(to.add(index * width), self.pack_lanes_64(lanes, table), width);
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
    fn widened_pairs(self, [even, odd]: [__m512i; 2]) -> [__m512i; 4] {
        let mut wide = [self.zero(); 4];
        for (index, wide) in wide.iter_mut().enumerate() {
            // SAFETY: the features are there.
            *wide = unsafe {
                let first = _mm512_set1_epi32(4 * index as i32);
                let from = _mm512_setr_epi32(0, 0, 16, 0, 1, 0, 17, 0, 2, 0, 18, 0, 3, 0, 19, 0);
                _mm512_maskz_permutex2var_epi32(0x5555, even, _mm512_add_epi32(from, first), odd)
            };
        }
        wide
    }

    /// Two registers of 32-bit lanes as 64-bit lanes; the total of the first is added to the second.
    #[inline(always)]
    fn widened_halves(self, [first, second]: [__m512i; 2]) -> [__m512i; 4] {
        // SAFETY: the features are there.
        unsafe {
            let second = _mm512_add_epi32(second, self.last_32(first));
            [
                _mm512_cvtepu32_epi64(_mm512_castsi512_si256(first)),
                _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64::<1>(first)),
                _mm512_cvtepu32_epi64(_mm512_castsi512_si256(second)),
                _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64::<1>(second)),
            ]
        }
    }

    /// Unpacks a chunk of any width, and sums up.
    #[inline(always)]
    fn sums_64(self, bytes: &[u8], width: usize) -> [__m512i; 4] {
        let table = &UNPACK_64[width];
        let mut sums = self.runs::<4>(bytes, width);
        // SAFETY: the features are there.
        unsafe {
            let low = self.table(&table.low);
            let shift = self.table(&table.shift);
            if width == 64 {
                // Lanes already.
            } else if width <= 57 {
                // With up to seven bits before it, the value is within eight bytes.
                for delta in &mut sums {
                    *delta = _mm512_srlv_epi64(_mm512_permutexvar_epi8(low, *delta), shift);
                }
            } else {
                let high = self.table(&table.high);
                for delta in &mut sums {
                    let more = _mm512_permutexvar_epi8(high, *delta);
                    *delta = _mm512_shrdv_epi64(_mm512_permutexvar_epi8(low, *delta), more, shift);
                }
            }
            let mask = _mm512_set1_epi64(_bzhi_u64(u64::MAX, width as u32) as i64);
            let mut total = self.zero();
            for sums in &mut sums {
                *sums = _mm512_add_epi64(self.scan_64(_mm512_and_si512(*sums, mask)), total);
                total = self.last_64(*sums);
            }
        }
        sums
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
