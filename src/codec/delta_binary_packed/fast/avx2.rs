//! The safe kernels, compiled with AVX2 and BMI: wider lanes for the differences, and a compare of 64-bit lanes.
#![allow(unsafe_code)]

use super::decode::Cursor;
use super::portable::Portable;
use super::{Word, encode};
use crate::DecodeError;
use crate::codec::Path;
use crate::codec::delta_binary_packed::{Geometry, Integer};
use crate::codec::path::Kind;

const COMPARES_64: Portable = Portable { compares_64: true };

/// Defines a function that checks the path, and its body compiled with the path's instructions.
macro_rules! with_avx2 {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {$(
        pub fn $name<T: Word + Integer>(path: Path, $($argument: $type),*) -> $result {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt")]
            fn compiled<T: Word + Integer>($($argument: $type),*) -> $result $body

            assert!(path.kind() == Kind::Avx2);
            // SAFETY: the path proves that the processor has these features.
            unsafe { compiled($($argument),*) }
        }
    )*};
}

with_avx2! {
    fn encode_blocks(values: &[T], geometry: Geometry, out: &mut [u8]) -> usize {
        encode::encode_blocks(COMPARES_64, values, geometry, out)
    }

    fn blocks_len(values: &[T], geometry: Geometry) -> usize {
        encode::blocks_len(COMPARES_64, values, geometry)
    }

    fn get(cursor: &mut Cursor<'_, T>, out: &mut [T]) -> Result<usize, DecodeError> {
        cursor.get(COMPARES_64, out)
    }

    fn skip(cursor: &mut Cursor<'_, T>, count: usize) -> Result<usize, DecodeError> {
        cursor.skip(COMPARES_64, count)
    }
}
