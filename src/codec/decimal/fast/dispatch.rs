//! The dispatcher: which kernel runs on which path. The one place where a [`Path`] turns into a call that needs the
//! processor to have its features.
#![allow(unsafe_code)]

use super::lanes::{Lane, Order};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512, form::by_form, lanes, staged};
use super::{byte_array, portable};
use crate::codec::Path;
#[cfg(target_arch = "x86_64")]
use crate::codec::path::Kind;

/// The widest item of the SIMD kernels, in bytes.
#[cfg(target_arch = "x86_64")]
const WIDEST: usize = 32;

/// Writes every value in `width` bytes, extended with its sign or cut; says whether all lay in `range`, both ends
/// included. `out` has just the room.
pub(super) fn encode<T: Lane>(
    path: Path,
    values: &[T],
    width: usize,
    order: Order,
    range: Option<(T, T)>,
    out: &mut [u8],
) -> bool {
    debug_assert_eq!(out.len(), values.len() * width);
    #[cfg(target_arch = "x86_64")]
    if width <= WIDEST && range.is_none_or(lanes::balanced) {
        match path.kind() {
            Kind::Portable => {}
            Kind::Avx2 if width > size_of::<T>() => {}
            // SAFETY: a `Path` of this kind exists only where the processor has the features of the kernel.
            Kind::Avx2 => return unsafe { by_form!(T, range, avx2::encode(values, width, order, range, out)) },
            // SAFETY: as above.
            Kind::Avx512 => return unsafe { by_form!(T, range, avx512::encode(values, width, order, range, out)) },
        }
    }
    let _ = path;
    portable::encode(values, width, order, range, out)
}

/// Reads values of `width` bytes; says whether all fit the type and lay in `range`, both ends included.
pub(super) fn decode<T: Lane>(
    path: Path,
    bytes: &[u8],
    width: usize,
    order: Order,
    range: Option<(T, T)>,
    out: &mut [T],
) -> bool {
    debug_assert_eq!(bytes.len(), out.len() * width);
    #[cfg(target_arch = "x86_64")]
    if width <= WIDEST && range.is_none_or(lanes::balanced) {
        match path.kind() {
            Kind::Portable => {}
            Kind::Avx2 if width > size_of::<T>() => {}
            // SAFETY: a `Path` of this kind exists only where the processor has the features of the kernel.
            Kind::Avx2 => return unsafe { by_form!(T, range, avx2::decode(bytes, width, order, range, out)) },
            Kind::Avx512 if width > size_of::<T>() => {
                return staged::decode(bytes, width, range, out, |bytes, range, out| {
                    decode(path, bytes, width, order, range, out)
                });
            }
            // SAFETY: as above.
            Kind::Avx512 => return unsafe { by_form!(T, range, avx512::decode(bytes, width, order, range, out)) },
        }
    }
    let _ = path;
    portable::decode(bytes, width, order, range, out)
}

/// Bytes of the values as BYTE_ARRAY; `None` if one lies outside `range`.
pub(super) fn byte_array_len_i128(path: Path, values: &[i128], range: Option<(i128, i128)>) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    match path.kind() {
        // SAFETY: a `Path` of this kind exists only where the processor has the features of the kernel.
        Kind::Avx2 => return unsafe { avx2::byte_array_len(values, range) },
        Kind::Avx512 if range.is_none_or(lanes::balanced) => {
            // SAFETY: as above.
            return unsafe { avx512::byte_array_len(values, range) };
        }
        _ => {}
    }
    let _ = path;
    byte_array::len(values, range)
}

/// Writes length and shortest form of every value; `out` has room for all. Says how many bytes that took.
pub(super) fn encode_byte_array_i128(path: Path, values: &[i128], out: &mut [u8]) -> usize {
    #[cfg(target_arch = "x86_64")]
    match path.kind() {
        Kind::Portable => {}
        // SAFETY: a `Path` of this kind exists only where the processor has the features of the kernel.
        Kind::Avx2 => return unsafe { avx2::encode_byte_array(values, out) },
        // SAFETY: as above.
        Kind::Avx512 => return unsafe { avx512::encode_byte_array(values, out) },
    }
    let _ = path;
    byte_array::encode(values, out)
}

/// Encodes values as long as they have the scale, to a width and an order. Says how many were encoded, and whether they lay
/// in `range`; 0 where the path has no kernel for it.
#[cfg(feature = "rust_decimal")]
pub(super) fn encode_rust_decimal(
    path: Path,
    values: &[rust_decimal::Decimal],
    scale: u32,
    (width, order): (usize, Order),
    range: Option<(i128, i128)>,
    out: &mut [u8],
) -> (usize, bool) {
    #[cfg(target_arch = "x86_64")]
    if width <= 16 && path.kind() == Kind::Avx512 {
        // SAFETY: a `Path` of this kind exists only where the processor has the features of the kernel.
        return unsafe { avx512::encode_rust_decimal(values, scale, width, order, range, out) };
    }
    let _ = (path, values, scale, width, order, range, out);
    (0, true)
}

/// Decodes values of a width and an order, and gives them a scale of at most 28. Says whether all had at most 96 bits and
/// lay in `range`; `None` where the path has no kernel for it.
#[cfg(feature = "rust_decimal")]
pub(super) fn decode_rust_decimal(
    path: Path,
    bytes: &[u8],
    (width, order): (usize, Order),
    scale: u32,
    range: Option<(i128, i128)>,
    out: &mut [rust_decimal::Decimal],
) -> Option<bool> {
    #[cfg(target_arch = "x86_64")]
    if width <= 16 && range.is_none_or(lanes::balanced) && path.kind() == Kind::Avx512 {
        // SAFETY: a `Path` of this kind exists only where the processor has the features of the kernel.
        return Some(unsafe { avx512::decode_rust_decimal(bytes, width, order, scale, range, out) });
    }
    let _ = (path, bytes, width, order, scale, range, out);
    None
}
