//! INT32: a chunk is two registers of 16 lanes.

use super::tables::UNPACK_32;
use super::{Avx512, differences};
use crate::codec::delta_binary_packed::fast::portable::Kernel;
use core::arch::x86_64::*;

impl Kernel<i32> for Avx512 {
    /// The value in every lane.
    type Carry = __m512i;

    differences!(
        i32,
        16,
        u16,
        _mm512_loadu_si512,
        _mm512_maskz_loadu_epi32,
        _mm512_sub_epi32,
        _mm512_maskz_sub_epi32,
        _mm512_min_epi32,
        _mm512_mask_min_epi32,
        _mm512_set1_epi32,
        _mm512_reduce_min_epi32,
        _mm512_reduce_or_epi32
    );

    #[inline(always)]
    fn pack(self, values: &[i32; 33], min: i32, width: usize, out: &mut [u8], loose: bool) {
        // SAFETY: the features are there; 16 values are read from 0, 1, 16 and 17 of 33.
        let deltas = unsafe {
            [0, 16].map(|at| {
                let from = values.as_ptr().add(at);
                let delta = _mm512_sub_epi32(_mm512_loadu_si512(from.add(1).cast()), _mm512_loadu_si512(from.cast()));
                _mm512_sub_epi32(delta, _mm512_set1_epi32(min))
            })
        };
        self.pack_chunk(deltas, width, out, loose);
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
    fn unpack(self, bytes: &[u8], width: usize, min: i32, carry: __m512i, out: &mut [i32; 32]) -> __m512i {
        let table = &UNPACK_32[width];
        let packed = [self.bytes(bytes, 0, 2 * width), self.bytes(bytes, 2 * width, 2 * width)];
        // SAFETY: the features are there; the 16 values at 0 and at 16 of `out` are written.
        unsafe {
            let low = self.table(&table.low);
            let shift = self.table(&table.shift);
            let deltas = if width <= 25 {
                // With up to seven bits before it, the value is within four bytes.
                packed.map(|packed| _mm512_srlv_epi32(_mm512_permutexvar_epi8(low, packed), shift))
            } else {
                let high = self.table(&table.high);
                packed.map(|packed| {
                    let (low, high) = (_mm512_permutexvar_epi8(low, packed), _mm512_permutexvar_epi8(high, packed));
                    _mm512_shrdv_epi32(low, high, shift)
                })
            };
            let mask = _mm512_set1_epi32(_bzhi_u32(u32::MAX, width as u32) as i32);
            let min = _mm512_set1_epi32(min);
            let [first, second] = deltas.map(|delta| sums(_mm512_add_epi32(_mm512_and_si512(delta, mask), min)));
            let last = _mm512_set1_epi32(15);
            let (total, more) = (_mm512_permutexvar_epi32(last, first), _mm512_permutexvar_epi32(last, second));
            let middle = _mm512_add_epi32(carry, total);
            _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_add_epi32(first, carry));
            _mm512_storeu_si512(out.as_mut_ptr().add(16).cast(), _mm512_add_epi32(second, middle));
            _mm512_add_epi32(carry, _mm512_add_epi32(total, more))
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
        let lanes = _mm512_add_epi32(lanes, _mm512_alignr_epi32::<15>(lanes, zero));
        let lanes = _mm512_add_epi32(lanes, _mm512_alignr_epi32::<14>(lanes, zero));
        let lanes = _mm512_add_epi32(lanes, _mm512_alignr_epi32::<12>(lanes, zero));
        _mm512_add_epi32(lanes, _mm512_alignr_epi32::<8>(lanes, zero))
    }
}
