//! Running sums of the deltas of a chunk, in 32-bit lanes: all of INT32, and INT64 where they cannot overflow.

use super::Avx512;
use super::tables::{MAX_PAIRS, UNPACK_32, UNPACK_PAIRS};
use core::arch::x86_64::*;

impl Avx512 {
    /// Unpacks a chunk of widths from 1 to [`MAX_PAIRS`], and sums up: the sums up to the even values, and to the odd ones.
    ///
    /// A sum of pairs is one scan for both.
    ///
    /// # Safety
    ///
    /// `from` is valid for reads of the chunk, and, if `LOOSE`, of 64 bytes more.
    #[inline(always)]
    pub unsafe fn sums_of_pairs<const LOOSE: bool>(self, from: *const u8, width: usize) -> [__m512i; 2] {
        let table = &UNPACK_PAIRS[width.min(MAX_PAIRS)];
        // SAFETY: the features are there; the caller promises the bytes.
        unsafe {
            let [packed] = self.runs::<LOOSE, 1>(from, 4 * width);
            let lanes = _mm512_permutexvar_epi8(self.table(&table.bytes), packed);
            let words = _mm512_multishift_epi64_epi8(self.table(&table.bits), lanes);
            let words = _mm512_and_si512(words, self.table(&table.mask));
            let odd = _mm512_srli_epi32::<16>(words);
            let pairs = if width < 16 {
                _mm512_madd_epi16(words, _mm512_set1_epi16(1))
            } else {
                // Too wide for signed words.
                _mm512_add_epi32(_mm512_and_si512(words, _mm512_set1_epi32(0xFFFF)), odd)
            };
            let to_odd = self.scan_32(pairs);
            [_mm512_sub_epi32(to_odd, odd), to_odd]
        }
    }

    /// Unpacks a chunk of any width up to 32, and sums up: the sums up to the even values, and to the odd ones.
    ///
    /// # Safety
    ///
    /// As for [`sums_of_pairs`](Self::sums_of_pairs).
    #[inline(always)]
    pub unsafe fn sums_of_halves<const LOOSE: bool>(self, from: *const u8, width: usize) -> [__m512i; 2] {
        // SAFETY: the features are there; the caller promises the bytes.
        unsafe {
            let [first, second] = self.halves::<LOOSE>(from, width);
            let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
            let odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
            let even = _mm512_permutex2var_epi32(first, even, second);
            let odd = _mm512_permutex2var_epi32(first, odd, second);
            let to_odd = self.scan_32(_mm512_add_epi32(even, odd));
            [_mm512_sub_epi32(to_odd, odd), to_odd]
        }
    }

    /// Unpacks a chunk of any width up to 32.
    ///
    /// # Safety
    ///
    /// As for [`sums_of_pairs`](Self::sums_of_pairs).
    #[inline(always)]
    pub unsafe fn halves<const LOOSE: bool>(self, from: *const u8, width: usize) -> [__m512i; 2] {
        let table = &UNPACK_32[width];
        // SAFETY: the caller promises the bytes.
        let packed = unsafe { self.runs::<LOOSE, 2>(from, 2 * width) };
        if width == 32 {
            // Lanes already.
            return packed;
        }
        // SAFETY: the features are there.
        unsafe {
            let low = self.table(&table.low);
            let shift = self.table(&table.shift);
            let [mut first, mut second] =
                [_mm512_permutexvar_epi8(low, packed[0]), _mm512_permutexvar_epi8(low, packed[1])];
            if width <= 25 {
                // With up to seven bits before it, the value is within four bytes.
                first = _mm512_srlv_epi32(first, shift);
                second = _mm512_srlv_epi32(second, shift);
            } else {
                let high = self.table(&table.high);
                first = _mm512_shrdv_epi32(first, _mm512_permutexvar_epi8(high, packed[0]), shift);
                second = _mm512_shrdv_epi32(second, _mm512_permutexvar_epi8(high, packed[1]), shift);
            }
            let mask = _mm512_set1_epi32(_bzhi_u32(u32::MAX, width as u32) as i32);
            [_mm512_and_si512(first, mask), _mm512_and_si512(second, mask)]
        }
    }

    /// The last of 16 lanes, in all of them.
    #[inline(always)]
    pub fn last_32(self, lanes: __m512i) -> __m512i {
        // SAFETY: the features are there.
        unsafe { _mm512_permutexvar_epi32(_mm512_set1_epi32(self.last), lanes) }
    }

    /// Running sums of 16 lanes.
    #[inline(always)]
    fn scan_32(self, lanes: __m512i) -> __m512i {
        let [from_2, from_4, from_8] = self.from_2_4_8;
        // SAFETY: the features are there.
        unsafe {
            // The first step is a shift, for which there are more units than for moves across lanes.
            let lanes = _mm512_add_epi32(lanes, _mm512_slli_epi64::<32>(lanes));
            let one = _mm512_setr_epi32(0, 0, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13);
            let lanes = _mm512_mask_add_epi32(lanes, from_2, lanes, _mm512_permutexvar_epi32(one, lanes));
            let two = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11);
            let lanes = _mm512_mask_add_epi32(lanes, from_4, lanes, _mm512_permutexvar_epi32(two, lanes));
            let four = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 3, 3, 5, 5, 7, 7);
            _mm512_mask_add_epi32(lanes, from_8, lanes, _mm512_permutexvar_epi32(four, lanes))
        }
    }
}
