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
use tables::{Bytes, JOIN, PACK_16, PACK_32, Pack, WIDEN};

/// The kernels.
///
/// A value of this type exists only inside the functions of `with_avx512!`, which are compiled with all that the
/// kernels use and called only when a [`Path`] proves that the processor has it. The kernels are inlined there, and
/// discharge their `unsafe` with it ("the features are there").
///
/// Its fields are constants of which the compiler does not know what they are: it would trade one masked instruction, or one
/// permutation, for two that are simpler.
#[derive(Clone, Copy)]
pub struct Avx512 {
    /// [`WIDEN`].
    widen: &'static [Bytes; 4],
    /// The lower halves of 64-bit lanes.
    lower: u16,
    /// The 32-bit lanes from the second, the fourth and the eighth.
    from_2_4_8: [u16; 3],
    /// The last of 32-bit lanes.
    last: i32,
}

/// How far ahead of what is packed its memory is asked for, where chunks are of two registers or four. It does not pay
/// where they are of one.
const PUT_AHEAD: usize = 512;

/// The same for what is unpacked.
const GET_AHEAD: usize = 1024;

impl Avx512 {
    #[inline(always)]
    fn new() -> Self {
        core::hint::black_box(Self { widen: &WIDEN, lower: 0x5555, from_2_4_8: [0xFFFC, 0xFFF0, 0xFF00], last: 15 })
    }
}

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
                let $kernel = Avx512::new();
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

    /// Moves the 32-bit lanes of `values` together: `2 * width` bytes, widths from 17 to 32.
    #[inline(always)]
    fn pack_lanes_32(self, values: __m512i, width: usize, table: &Pack) -> __m512i {
        if width == 32 {
            return values;
        }
        // SAFETY: the features are there.
        let rotated = unsafe { _mm512_rolv_epi32(values, self.table(&table.rotation)) };
        self.gather(rotated, table)
    }

    /// Moves the 64-bit lanes of `values` together: `width` bytes, widths from 33 to 64.
    #[inline(always)]
    fn pack_lanes_64(self, values: __m512i, width: usize, table: &Pack) -> __m512i {
        if width.is_multiple_of(8) {
            // Whole bytes are moved only.
            // SAFETY: the features are there.
            return unsafe { _mm512_permutexvar_epi8(self.table(&table.low), values) };
        }
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

    /// Writes the first `len` bytes of `bytes`, or, if `LOOSE`, all 64 of them.
    ///
    /// # Safety
    ///
    /// `to` is valid for writes of those bytes, and `len` is at most 64.
    #[inline(always)]
    unsafe fn put<const LOOSE: bool>(self, to: *mut u8, bytes: __m512i, len: usize) {
        // SAFETY: the features are there; the caller promises the bytes.
        unsafe {
            if LOOSE {
                _mm512_storeu_si512(to.cast(), bytes);
            } else {
                _mm512_mask_storeu_epi8(to.cast(), _bzhi_u64(u64::MAX, len as u32), bytes);
            }
        }
    }

    /// Asks for so many cache lines of the memory that will be written when this and `ahead` bytes more are: a store that is of
    /// two lines, as nearly all are, waits for both.
    #[inline(always)]
    fn prefetch(self, to: *const u8, ahead: usize, lines: usize) {
        for line in 0..lines {
            // SAFETY: any address may be asked for.
            unsafe { _mm_prefetch::<_MM_HINT_ET0>(to.cast::<i8>().wrapping_add(ahead + 64 * line)) }
        }
    }

    /// `N` runs of `len` bytes from `from` on, one to a register. What follows them there is anything.
    ///
    /// # Safety
    ///
    /// `from` is valid for reads of those bytes, and, if `LOOSE`, of 64 more. `len` is at most 64.
    #[inline(always)]
    unsafe fn runs<const LOOSE: bool, const N: usize>(self, from: *const u8, len: usize) -> [__m512i; N] {
        let mut runs = [self.zero(); N];
        for (index, run) in runs.iter_mut().enumerate() {
            // SAFETY: the features are there; the caller promises the bytes.
            *run = unsafe {
                let from = from.add(index * len);
                if LOOSE {
                    _mm512_loadu_si512(from.cast())
                } else {
                    _mm512_maskz_loadu_epi8(_bzhi_u64(u64::MAX, len as u32), from.cast())
                }
            };
        }
        runs
    }

    /// Packs 32 values of 32-bit lanes, all below `2^width`, into the `4 * width` bytes at `to`.
    ///
    /// # Safety
    ///
    /// `to` is valid for writes of those bytes, and, if `LOOSE`, of 64 more. `width` is at most 32.
    #[inline(always)]
    unsafe fn pack_chunk<const LOOSE: bool>(self, values: [__m512i; 2], width: usize, to: *mut u8) {
        // SAFETY: the features are there. What is put are `4 * width` bytes, all in the first register or half of them in
        // each of two; a register put loosely ends at most 64 bytes after its part.
        unsafe {
            if width > 16 {
                let table = &PACK_32[width.min(32)];
                self.prefetch(to, PUT_AHEAD, 2);
                self.put::<LOOSE>(to, self.pack_lanes_32(values[0], width, table), 2 * width);
                self.put::<LOOSE>(to.add(2 * width), self.pack_lanes_32(values[1], width, table), 2 * width);
            } else if width > 1 {
                let table = &PACK_16[width];
                let rotation = self.table(&table.rotation);
                let words = _mm512_packus_epi32(values[0], values[1]);
                // Values of less than a byte are joined to wider ones first.
                let rotated = if width >= 8 {
                    _mm512_shldv_epi16(words, words, rotation)
                } else {
                    let pairs = _mm512_madd_epi16(words, _mm512_set1_epi32(JOIN[width]));
                    if width >= 4 {
                        _mm512_rolv_epi32(pairs, rotation)
                    } else {
                        let next = _mm512_srl_epi64(pairs, _mm_cvtsi32_si128(32 - 2 * width as i32));
                        _mm512_rolv_epi64(_mm512_or_si512(pairs, next), rotation)
                    }
                };
                self.put::<LOOSE>(to, self.gather(rotated, table), 4 * width);
            } else if width == 1 {
                let one = _mm512_set1_epi32(1);
                let (low, high) = (_mm512_test_epi32_mask(values[0], one), _mm512_test_epi32_mask(values[1], one));
                to.cast::<u32>().write_unaligned((u32::from(low) | u32::from(high) << 16).to_le());
            }
        }
    }
}

/// `pack` of a kernel, by what packs the deltas of a chunk.
macro_rules! pack {
    ($type:ty, $pack_deltas:ident) => {
        #[inline(always)]
        fn pack(self, chunks: &[[$type; 32]], min: $type, widths: &[u8], out: &mut [u8]) -> usize {
            let mut at = 0;
            for (chunk, &width) in chunks.iter().zip(widths) {
                let width = usize::from(width).min(<$type>::BITS as usize);
                let end = at + 4 * width;
                if end + 64 <= out.len() {
                    // SAFETY: the bytes are there, as just compared.
                    unsafe { self.$pack_deltas::<true>(chunk, min, width, out.as_mut_ptr().add(at)) }
                } else {
                    // SAFETY: the bytes are there, as cut here.
                    unsafe { self.$pack_deltas::<false>(chunk, min, width, out[at..end].as_mut_ptr()) }
                }
                at = end;
            }
            at
        }
    };
}
use pack;

/// `number` and `unpack` of a kernel, by what unpacks a chunk.
macro_rules! unpack {
    ($type:ty, $step:ty, $unpack_chunk:ident) => {
        #[inline(always)]
        fn number(self, bytes: &[u8]) -> Option<(u64, usize)> {
            // SAFETY: the features are there.
            varint::front_by(bytes, |word| unsafe { _pext_u64(word, 0x7F7F_7F7F_7F7F_7F7F) })
        }

        #[inline(always)]
        fn put_number(self, out: &mut [u8], value: u64, after: usize) -> usize {
            // SAFETY: the features are there.
            varint::put_by(out, value, after, |value| unsafe { _pdep_u64(value, 0x7F7F_7F7F_7F7F_7F7F) })
        }

        #[inline(always)]
        fn unpack(self, miniblocks: Miniblocks<'_>, step: $step, carry: __m512i, out: &mut [[$type; 32]]) -> __m512i {
            #[inline(always)]
            unsafe fn chunks<const LOOSE: bool>(
                kernel: Avx512,
                miniblocks: Miniblocks<'_>,
                step: $step,
                mut carry: __m512i,
                out: &mut [[$type; 32]],
            ) -> __m512i {
                assert!(out.len() == miniblocks.chunks());
                let (mut from, mut to) = (miniblocks.bytes().as_ptr(), out.as_mut_ptr());
                for &width in miniblocks.widths() {
                    let width = usize::from(width);
                    let mut left = miniblocks.chunks_of_each();
                    loop {
                        // SAFETY: no more chunks are read than the miniblocks have, each of four times its width.
                        unsafe {
                            carry = kernel.$unpack_chunk::<LOOSE>(from, width, step, carry, &mut *to);
                            from = from.add(4 * width);
                            to = to.add(1);
                        }
                        left -= 1;
                        if left == 0 {
                            break;
                        }
                    }
                }
                carry
            }

            if miniblocks.bytes().len() - miniblocks.len() >= 64 {
                // SAFETY: 64 bytes follow the last chunk, as just compared.
                unsafe { chunks::<true>(self, miniblocks, step, carry, out) }
            } else {
                // SAFETY: the miniblocks are whole.
                unsafe { chunks::<false>(self, miniblocks, step, carry, out) }
            }
        }
    };
}
use unpack;
