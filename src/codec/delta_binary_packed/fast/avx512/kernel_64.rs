//! INT64: a chunk is four registers of eight lanes, or, where the deltas are narrow, two of sixteen.

use super::tables::{PACK_64, UNPACK_64};
use super::{Avx512, differences};
use crate::codec::delta_binary_packed::fast::portable::Kernel;
use core::arch::x86_64::*;

impl Kernel<i64> for Avx512 {
    /// The value in every lane.
    type Carry = __m512i;

    differences!(
        i64,
        8,
        u8,
        _mm512_loadu_si512,
        _mm512_maskz_loadu_epi64,
        _mm512_sub_epi64,
        _mm512_maskz_sub_epi64,
        _mm512_min_epi64,
        _mm512_mask_min_epi64,
        _mm512_set1_epi64,
        _mm512_reduce_min_epi64,
        _mm512_reduce_or_epi64
    );

    #[inline(always)]
    fn pack(self, values: &[i64; 33], min: i64, width: usize, out: &mut [u8], loose: bool) {
        // SAFETY: the features are there; eight values are read from each index, and one after it, up to the last of 33.
        let deltas = unsafe {
            [0, 8, 16, 24].map(|at| {
                let from = values.as_ptr().add(at);
                let delta = _mm512_sub_epi64(_mm512_loadu_si512(from.add(1).cast()), _mm512_loadu_si512(from.cast()));
                _mm512_sub_epi64(delta, _mm512_set1_epi64(min))
            })
        };
        if width <= 32 {
            // SAFETY: the features are there.
            let narrow = unsafe {
                let halves = deltas.map(|lanes| _mm512_cvtepi64_epi32(lanes));
                [[halves[0], halves[1]], [halves[2], halves[3]]]
                    .map(|[low, high]| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high))
            };
            self.pack_chunk(narrow, width, out, loose);
        } else {
            let table = &PACK_64[width];
            for (index, lanes) in deltas.into_iter().enumerate() {
                self.put(out, index * width, self.pack_lanes_64(lanes, table), width, loose);
            }
        }
    }

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
    fn unpack(self, bytes: &[u8], width: usize, min: i64, mut carry: __m512i, out: &mut [i64; 32]) -> __m512i {
        let table = &UNPACK_64[width];
        let packed = [0, 1, 2, 3].map(|index| self.bytes(bytes, index * width, width));
        // SAFETY: the features are there; eight values of `out` are written from 0, 8, 16 and 24.
        unsafe {
            let low = self.table(&table.low);
            let shift = self.table(&table.shift);
            let deltas = if width <= 57 {
                // With up to seven bits before it, the value is within eight bytes.
                packed.map(|packed| _mm512_srlv_epi64(_mm512_permutexvar_epi8(low, packed), shift))
            } else {
                let high = self.table(&table.high);
                packed.map(|packed| {
                    let (low, high) = (_mm512_permutexvar_epi8(low, packed), _mm512_permutexvar_epi8(high, packed));
                    _mm512_shrdv_epi64(low, high, shift)
                })
            };
            let mask = _mm512_set1_epi64(_bzhi_u64(u64::MAX, width as u32) as i64);
            let min = _mm512_set1_epi64(min);
            let last = _mm512_set1_epi64(7);
            for (index, delta) in deltas.into_iter().enumerate() {
                let sums = sums(_mm512_add_epi64(_mm512_and_si512(delta, mask), min));
                let total = _mm512_permutexvar_epi64(last, sums);
                _mm512_storeu_si512(out.as_mut_ptr().add(8 * index).cast(), _mm512_add_epi64(sums, carry));
                carry = _mm512_add_epi64(carry, total);
            }
            carry
        }
    }
}

/// Running sums of the lanes.
///
/// # Safety
///
/// The processor has AVX-512F.
#[inline(always)]
unsafe fn sums(lanes: __m512i) -> __m512i {
    // SAFETY: as the caller says.
    unsafe {
        let zero = _mm512_setzero_si512();
        let lanes = _mm512_add_epi64(lanes, _mm512_alignr_epi64::<7>(lanes, zero));
        let lanes = _mm512_add_epi64(lanes, _mm512_alignr_epi64::<6>(lanes, zero));
        _mm512_add_epi64(lanes, _mm512_alignr_epi64::<4>(lanes, zero))
    }
}
