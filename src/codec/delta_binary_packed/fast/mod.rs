//! The code under proof.
//!
//! | file | what |
//! |---|---|
//! | `mod` | the dispatcher: which kernels a [`Path`] takes |
//! | `encode`, `writer` | a page from a slice; a page from many slices |
//! | `batch` | some groups of differences, measured and packed |
//! | `decode`, `place` | a page, in as many steps as the caller likes; where in it the reader is |
//! | `miniblocks` | what is unpacked at a stretch, looked at before |
//! | `portable` | the kernels in safe code, and what a kernel is; `pack` and `unpack` are its tables by width |
//! | `avx2` | the safe kernels, compiled with AVX2 |
//! | `avx512` | kernels of their own |
//! | `varint` | the numbers of headers |

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod batch;
mod decode;
mod encode;
mod miniblocks;
mod pack;
mod place;
mod portable;
mod unpack;
mod varint;
mod writer;

pub use decode::PageReader;
#[cfg(all(test, feature = "naive"))]
pub(super) use miniblocks::LOOKED_AT;
pub use writer::PageWriter;

pub(in crate::codec) use encode::{encode_equal, max_encoded_len};
pub(super) use encode::{encode_into, encoded_len};

use super::Geometry;
use crate::DecodeError;
use crate::codec::Path;
use crate::codec::path::Kind;
use decode::Cursor;
use pack::Packer;
use unpack::Unpacker;

/// What the kernels know of a type. Arithmetic wraps at its width.
///
/// The provided `*_with` functions are the dispatcher.
pub trait Word: Copy + Default + Ord + 'static {
    /// By width, what packs 32 values of it.
    const PACK: &'static [Packer<Self>];
    /// By width, what unpacks 32 deltas of it.
    const UNPACK: &'static [Unpacker<Self>];

    /// The least value.
    const SMALLEST: Self;
    /// The greatest value.
    const LARGEST: Self;

    /// `self + other`.
    fn add(self, other: Self) -> Self;
    /// `self - other`.
    fn sub(self, other: Self) -> Self;
    /// `self | other`.
    fn or(self, other: Self) -> Self;
    /// `self * count`.
    fn times(self, count: usize) -> Self;
    /// The bits, zero-extended.
    fn bits(self) -> u64;
    /// The low bits, as a value.
    fn from_bits(bits: u64) -> Self;

    /// Encodes the blocks of `values[1..]`, after `values[0]`; gives the bytes written.
    fn encode_blocks_with(path: Path, values: &[Self], geometry: Geometry, out: &mut [u8]) -> usize;
    /// The bytes that [`encode_blocks_with`](Self::encode_blocks_with) writes.
    fn blocks_len_with(path: Path, values: &[Self], geometry: Geometry) -> usize;
    /// Reads the next values.
    fn get_with(path: Path, cursor: &mut Cursor<'_, Self>, out: &mut [Self]) -> Result<usize, DecodeError>;
    /// Passes over the next values.
    fn skip_with(path: Path, cursor: &mut Cursor<'_, Self>, count: usize) -> Result<usize, DecodeError>;
}

const PORTABLE: portable::Portable = portable::Portable { compares_64: false };

macro_rules! word {
    ($type:ty, $unsigned:ty, $pack:expr, $unpack:expr) => {
        impl Word for $type {
            const PACK: &'static [Packer<Self>] = &$pack;
            const UNPACK: &'static [Unpacker<Self>] = &$unpack;
            const SMALLEST: Self = Self::MIN;
            const LARGEST: Self = Self::MAX;

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn times(self, count: usize) -> Self {
                self.wrapping_mul(count as Self)
            }

            #[inline(always)]
            fn bits(self) -> u64 {
                self as $unsigned as u64
            }

            #[inline(always)]
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }

            fn encode_blocks_with(path: Path, values: &[Self], geometry: Geometry, out: &mut [u8]) -> usize {
                match path.kind() {
                    #[cfg(target_arch = "x86_64")]
                    Kind::Avx512 => avx512::encode_blocks(path, values, geometry, out),
                    #[cfg(target_arch = "x86_64")]
                    Kind::Avx2 => avx2::encode_blocks(path, values, geometry, out),
                    _ => encode::encode_blocks(PORTABLE, values, geometry, out),
                }
            }

            fn blocks_len_with(path: Path, values: &[Self], geometry: Geometry) -> usize {
                match path.kind() {
                    #[cfg(target_arch = "x86_64")]
                    Kind::Avx512 => avx512::blocks_len(path, values, geometry),
                    #[cfg(target_arch = "x86_64")]
                    Kind::Avx2 => avx2::blocks_len(path, values, geometry),
                    _ => encode::blocks_len(PORTABLE, values, geometry),
                }
            }

            fn get_with(path: Path, cursor: &mut Cursor<'_, Self>, out: &mut [Self]) -> Result<usize, DecodeError> {
                match path.kind() {
                    #[cfg(target_arch = "x86_64")]
                    Kind::Avx512 => avx512::get(path, cursor, out),
                    #[cfg(target_arch = "x86_64")]
                    Kind::Avx2 => avx2::get(path, cursor, out),
                    _ => cursor.get(PORTABLE, out),
                }
            }

            fn skip_with(path: Path, cursor: &mut Cursor<'_, Self>, count: usize) -> Result<usize, DecodeError> {
                match path.kind() {
                    #[cfg(target_arch = "x86_64")]
                    Kind::Avx512 => avx512::skip(path, cursor, count),
                    #[cfg(target_arch = "x86_64")]
                    Kind::Avx2 => avx2::skip(path, cursor, count),
                    _ => cursor.skip(PORTABLE, count),
                }
            }
        }
    };
}

word!(i32, u32, pack::I32, unpack::I32);
word!(i64, u64, pack::I64, unpack::I64);
