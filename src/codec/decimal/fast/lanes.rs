//! What the SIMD kernels know of their values: machine integers, seen as bytes.
//!
//! The kernels are written once, over bytes, for every size of value. [`bytes`] and [`bytes_mut`] are the two casts
//! between values and bytes.
#![allow(unsafe_code)]

use super::integer::Integer;
use crate::codec::decimal::I256;

/// The order of a value's bytes in the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Most significant byte first: FIXED_LEN_BYTE_ARRAY.
    Big,
    /// Least significant byte first: INT32 and INT64.
    Little,
}

/// A two's complement integer of `size_of::<Self>()` bytes.
///
/// # Safety
/// Implementors have no padding, every bit pattern is a value, and on a little-endian machine their memory is the
/// value's bytes, least significant first.
pub unsafe trait Lane: Integer {
    /// The next wider type, or the widest itself.
    type Wide: Lane;
}

// SAFETY: a primitive integer.
unsafe impl Lane for i32 {
    type Wide = i64;
}
// SAFETY: a primitive integer.
unsafe impl Lane for i64 {
    type Wide = i128;
}
// SAFETY: a primitive integer.
unsafe impl Lane for i128 {
    type Wide = I256;
}
// SAFETY: `repr(C)` around four `u64`, least significant first.
unsafe impl Lane for I256 {
    type Wide = I256;
}

/// The memory of `values`.
pub fn bytes<T: Lane>(values: &[T]) -> &[u8] {
    // SAFETY: the memory of a live slice, of its whole size; `Lane` promises that there is no padding in it.
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// The memory of `values`, to be written.
pub fn bytes_mut<T: Lane>(values: &mut [T]) -> &mut [u8] {
    // SAFETY: as above, borrowed uniquely; `Lane` promises that whatever is written is a value.
    unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}

/// Whether the kernels can check a range: `min` is `-max`, or `-max - 1` (the limits of some bytes). All ranges of the
/// codec are.
pub fn balanced<T: Lane>((min, max): (T, T)) -> bool {
    let (min, max) = (min.words(), max.words());
    let inverted = min.map(|w| !w);
    let [low, rest @ ..] = inverted;
    max[3] >> 63 == 0 && (inverted == max || (low.wrapping_add(1) == max[0] && low != u64::MAX && rest == max[1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_that_kernels_can_check() {
        for max in [1, 0x7f, i128::from(u64::MAX), (1 << 64) + 1, i128::MAX - 1] {
            assert!(balanced((-max, max)), "{max}");
            assert!(balanced((-max - 1, max)), "{max}");
            assert!(!balanced((-max - 2, max)), "{max}");
            assert!(!balanced((max, -max)), "{max}");
            assert!(!balanced((max, -max - 1)), "{max}");
        }
        assert!(balanced((I256::MIN, I256::MAX)));
        for word in 0..4 {
            let max = I256::from_words(core::array::from_fn(|i| u64::from(i == 0 || i == word)));
            assert!(balanced((max.wrapping_neg(), max)), "{max:?}");
            let one_more = I256::from_words(core::array::from_fn(|i| max.words()[i] + u64::from(i == 3)));
            assert!(!balanced((max.wrapping_neg(), one_more)), "{max:?}");
        }
    }
}
