//! The kernels in AVX-512: all widths of both types, by three shapes of code and a table each.
#![allow(unsafe_code)]

mod kernel_32;
mod kernel_64;
mod sums;
mod tables;

use super::decode::Cursor;
use super::portable::Kernel;
use super::{Word, encode};
use crate::DecodeError;
use crate::codec::Path;
use crate::codec::delta_binary_packed::{Geometry, Integer};
use crate::codec::path::Kind;
use core::arch::x86_64::*;
use tables::{Bytes, LOW_BYTES, PACK_32, Pack};

/// The kernels.
///
/// A value of this type exists only inside the functions of [`with_avx512`], which are compiled with all that the
/// kernels use and called only when a [`Path`] proves that the processor has it. The kernels are inlined there, and
/// discharge their `unsafe` with it ("the features are there").
#[derive(Clone, Copy)]
pub struct Avx512(());

/// Defines a function that checks the path, and its body compiled with the path's instructions.
macro_rules! with_avx512 {
    ($(fn $name:ident($kernel:ident, $($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {$(
        pub fn $name<T: Word + Integer>(path: Path, $($argument: $type),*) -> $result
        where
            Avx512: Kernel<T>,
        {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt")]
            #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
            fn compiled<T: Word + Integer>($($argument: $type),*) -> $result
            where
                Avx512: Kernel<T>,
            {
                let $kernel = Avx512(());
                $body
            }

            assert!(path.kind() == Kind::Avx512);
            // SAFETY: the path proves that the processor has these features.
            unsafe { compiled($($argument),*) }
        }
    )*};
}

with_avx512! {
    fn encode_blocks(kernel, values: &[T], geometry: Geometry, out: &mut [u8]) -> usize {
        encode::encode_blocks(kernel, values, geometry, out)
    }

    fn blocks_len(kernel, values: &[T], geometry: Geometry) -> usize {
        encode::blocks_len(kernel, values, geometry)
    }

    fn get(kernel, cursor: &mut Cursor<'_, T>, out: &mut [T]) -> Result<usize, DecodeError> {
        cursor.get(kernel, out)
    }

    fn skip(kernel, cursor: &mut Cursor<'_, T>, count: usize) -> Result<usize, DecodeError> {
        cursor.skip(kernel, count)
    }
}

impl Avx512 {
    #[inline(always)]
    fn zero(self) -> __m512i {
        // SAFETY: the features are there.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn table(self, bytes: &Bytes) -> __m512i {
        // SAFETY: the features are there; `Bytes` is 64 bytes, aligned to 64.
        unsafe { _mm512_load_si512(bytes.0.as_ptr().cast()) }
    }

    /// Moves the 32-bit lanes of `values` together: `16 * width / 8` bytes, widths from 8 to 32.
    #[inline(always)]
    fn pack_lanes_32(self, values: __m512i, table: &Pack) -> __m512i {
        // SAFETY: the features are there.
        let rotated = unsafe { _mm512_rolv_epi32(values, self.table(&table.rotation)) };
        self.gather(rotated, table)
    }

    /// Moves the 64-bit lanes of `values` together: `width` bytes, widths from 8 to 64.
    #[inline(always)]
    fn pack_lanes_64(self, values: __m512i, table: &Pack) -> __m512i {
        // SAFETY: the features are there.
        let rotated = unsafe { _mm512_rolv_epi64(values, self.table(&table.rotation)) };
        self.gather(rotated, table)
    }

    #[inline(always)]
    fn gather(self, rotated: __m512i, table: &Pack) -> __m512i {
        // SAFETY: the features are there.
        unsafe {
            let low = _mm512_permutexvar_epi8(self.table(&table.low), rotated);
            let high = _mm512_permutexvar_epi8(self.table(&table.high), rotated);
            // Bit by bit: from_low ? low : high.
            _mm512_ternarylogic_epi32::<0xCA>(self.table(&table.from_low), low, high)
        }
    }

    /// Writes the first `len` bytes of `bytes` to `out[at..]`; all 64 of them if `loose` allows it.
    #[inline(always)]
    fn put(self, out: &mut [u8], at: usize, bytes: __m512i, len: usize, loose: bool) {
        if loose && at + 64 <= out.len() {
            // SAFETY: the features are there; 64 bytes from `at` are within `out`, as just compared.
            unsafe { _mm512_storeu_si512(out.as_mut_ptr().add(at).cast(), bytes) }
        } else {
            let room = &mut out[at..at + len];
            // SAFETY: the features are there; only the `len` bytes of `room` are written, and `len` is at most 64.
            unsafe { _mm512_mask_storeu_epi8(room.as_mut_ptr().cast(), _bzhi_u64(u64::MAX, len as u32), bytes) }
        }
    }

    /// The `N` runs of `len` bytes at the front of `bytes`, one to a register. What follows them there is anything.
    #[inline(always)]
    fn runs<const N: usize>(self, bytes: &[u8], len: usize) -> [__m512i; N] {
        let mut runs = [self.zero(); N];
        if bytes.len() >= N * len + 64 {
            for (index, run) in runs.iter_mut().enumerate() {
                // SAFETY: the features are there; 64 bytes from `index * len` are within `bytes`, as just compared.
                *run = unsafe { _mm512_loadu_si512(bytes.as_ptr().add(index * len).cast()) };
            }
        } else {
            let bytes = &bytes[..N * len];
            for (index, run) in runs.iter_mut().enumerate() {
                // SAFETY: the features are there; only the `len` bytes from `index * len` on are read, which are within
                // `bytes`, as just cut; and `len` is at most 64, the widest of widths.
                *run = unsafe {
                    let there = _bzhi_u64(u64::MAX, len as u32);
                    _mm512_maskz_loadu_epi8(there, bytes.as_ptr().add(index * len).cast())
                };
            }
        }
        runs
    }

    /// Packs 32 values of 32-bit lanes, all below `2^width`, into `out[..4 * width]`.
    #[inline(always)]
    fn pack_chunk(self, values: [__m512i; 2], width: usize, out: &mut [u8], loose: bool) {
        match width {
            0 => {}
            1 => {
                // SAFETY: the features are there.
                let bits = unsafe {
                    let one = _mm512_set1_epi32(1);
                    let (low, high) = (_mm512_test_epi32_mask(values[0], one), _mm512_test_epi32_mask(values[1], one));
                    u32::from(low) | u32::from(high) << 16
                };
                out[..4].copy_from_slice(&bits.to_le_bytes());
            }
            2..=7 => {
                // SAFETY: the features are there.
                let fours = unsafe {
                    let bytes = _mm512_permutex2var_epi8(values[0], self.table(&LOW_BYTES), values[1]);
                    // Join two values of a byte each, then two of such pairs: eight lanes of 4 * width bits.
                    let pairs =
                        _mm256_maddubs_epi16(_mm256_set1_epi16(1 | 1 << (width + 8)), _mm512_castsi512_si256(bytes));
                    _mm512_castsi256_si512(_mm256_madd_epi16(pairs, _mm256_set1_epi32(1 | 1 << (2 * width + 16))))
                };
                self.put(out, 0, self.pack_lanes_32(fours, &PACK_32[4 * width]), 4 * width, loose);
            }
            _ => {
                let table = &PACK_32[width];
                self.put(out, 0, self.pack_lanes_32(values[0], table), 2 * width, loose || width == 32);
                self.put(out, 2 * width, self.pack_lanes_32(values[1], table), 2 * width, loose);
            }
        }
    }
}

/// The least difference of neighbours, for lanes of one size.
macro_rules! min_delta {
    ($type:ty, $lanes:literal, $mask:ty, $load_masked:ident, $sub:ident, $min:ident, $min_masked:ident, $splat:ident,
     $reduce:ident) => {
        #[inline(always)]
        fn min_delta(self, values: &[$type]) -> $type {
            let deltas = values.len() - 1;
            let first = values.as_ptr();
            // SAFETY: the features are there. Whole registers are read from `at` and `at + 1` while `at` and the lanes that are
            // read are within `deltas`, the last index; the masked ones read the `deltas - at` values that are left.
            unsafe {
                let mut mins = [$splat(<$type>::MAX); 4];
                let mut at = 0;
                while at + 4 * $lanes <= deltas {
                    for (index, min) in mins.iter_mut().enumerate() {
                        let from = first.add(at + index * $lanes);
                        let next = _mm512_loadu_si512(from.add(1).cast());
                        *min = $min(*min, $sub(next, _mm512_loadu_si512(from.cast())));
                    }
                    at += 4 * $lanes;
                }
                let mut min = $min($min(mins[0], mins[1]), $min(mins[2], mins[3]));
                while at < deltas {
                    let there = _bzhi_u32(u32::MAX, (deltas - at).min($lanes) as u32) as $mask;
                    let next = $load_masked(there, first.add(at + 1).cast());
                    min = $min_masked(min, there, min, $sub(next, $load_masked(there, first.add(at).cast())));
                    at += $lanes;
                }
                $reduce(min)
            }
        }
    };
}
use min_delta;
