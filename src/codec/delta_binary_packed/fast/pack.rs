//! Packing 32 values at a width known to the compiler: every shift is a constant.

use super::Word;

/// Packs 32 values below `2^width` into the first `4 * width` bytes.
pub type Packer<T> = fn(&[T; 32], &mut [u8]);

/// Runs the body for each constant from 0 to 31.
macro_rules! seq32 {
    ($step:ident, $body:block) => {
        seq32!(@ $step, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    (@ $step:ident, $body:block, $($value:literal)*) => {
        $({
            #[allow(non_upper_case_globals)]
            const $step: usize = $value;
            $body
        })*
    };
}

#[allow(unused_assignments)]
fn pack<T: Word, const WIDTH: usize>(values: &[T; 32], out: &mut [u8]) {
    let out = &mut out[..4 * WIDTH];
    let (words, half) = out.as_chunks_mut::<8>();
    let mut word = 0;
    let mut index = 0;
    // Unrolled, so that `shift` is a constant in each step.
    seq32!(step, {
        let bits = values[step].bits();
        let shift = step * WIDTH % 64;
        word |= bits << shift;
        if shift + WIDTH >= 64 {
            words[index] = word.to_le_bytes();
            index += 1;
            word = if shift + WIDTH > 64 { bits >> ((64 - shift) & 63) } else { 0 };
        }
    });
    // An odd width ends in half a word.
    half.copy_from_slice(&word.to_le_bytes()[..half.len()]);
}

/// One function per width from 0 to 32 or 64.
macro_rules! by_width {
    ($function:ident, $type:ty, 32) => {
        by_width!(@ $function, $type,
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)
    };
    ($function:ident, $type:ty, 64) => {
        by_width!(@ $function, $type,
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
            33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64)
    };
    (@ $function:ident, $type:ty, $($width:literal)*) => {
        [$($function::<$type, $width>),*]
    };
}

pub const I32: [Packer<i32>; 33] = by_width!(pack, i32, 32);
pub const I64: [Packer<i64>; 65] = by_width!(pack, i64, 64);

pub(super) use {by_width, seq32};
