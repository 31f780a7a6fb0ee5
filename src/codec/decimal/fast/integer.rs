//! What the machine integers have in common: sign-extended words, and the range that a column leaves them.

use core::hint::select_unpredictable;

use crate::codec::Path;
use crate::codec::decimal::{Column, ColumnOptions, I256, Physical, PrecisionCheck};

/// i32, i64, i128 and [`I256`].
pub(super) trait Integer: Copy + Ord {
    const BITS: u32;
    const MIN: Self;
    const MAX: Self;

    /// As 256 bits, extended with the sign, least significant word first.
    fn words(self) -> [u64; 4];

    /// The low 64 bits, and 0 if that is the whole value, anything else if not.
    #[inline(always)]
    fn word(self) -> (i64, u64) {
        let [low, rest @ ..] = self.words();
        let sign = ((low as i64) >> 63) as u64;
        (low as i64, rest.into_iter().fold(0, |spill, word| spill | (word ^ sign)))
    }

    /// The low bits of `words`, and 0 if that is the whole value, anything else if not.
    fn from_words(words: [u64; 4]) -> (Self, u64);

    /// Bytes of the values as BYTE_ARRAY; `None` if one lies outside `range`.
    fn byte_array_len(_: Path, values: &[Self], range: Option<(Self, Self)>) -> Option<usize> {
        super::byte_array::len(values, range)
    }

    /// Writes the values as BYTE_ARRAY; `out` has room for all. Says how many bytes that took.
    fn encode_byte_array(_: Path, values: &[Self], out: &mut [u8]) -> usize {
        super::byte_array::encode(values, out)
    }

    /// Whether the value lies outside `range`, of which both ends are inside. No branches.
    fn outside(self, range: (Self, Self)) -> bool;

    /// Whether every value lies in `range`, both ends included.
    #[inline(always)]
    fn all_within(values: &[Self], range: (Self, Self)) -> bool {
        !values.iter().fold(false, |any, value| any | value.outside(range))
    }

    /// The range that `column` leaves to values of this type, both ends included. `None`: every value is in it.
    fn range(column: &Column, options: ColumnOptions) -> Option<(Self, Self)> {
        let (min, max) = bounds(column, options)?;
        let (min, max) = (min.max(I256::from_words(Self::MIN.words())), max.min(I256::from_words(Self::MAX.words())));
        let (min, max) = (Self::from_words(min.words()).0, Self::from_words(max.words()).0);
        if min == Self::MIN && max == Self::MAX { None } else { Some((min, max)) }
    }
}

/// The limits of a column, where they lie within 256 bits.
///
/// A column can hold every number of its precision, so where that is enforced the bytes set no further limit.
fn bounds(column: &Column, options: ColumnOptions) -> Option<(I256, I256)> {
    if options.precision_check == PrecisionCheck::Enforce {
        let max = I256::max_of_precision(column.precision())?;
        return Some((max.wrapping_neg(), max));
    }
    let width = column.physical().width()? as usize;
    if width >= 32 {
        return None;
    }
    let mut max = [0; 32];
    max[32 - width..].fill(0xff);
    max[32 - width] = 0x7f;
    let mut min = [0xff; 32];
    min[32 - width..].fill(0);
    min[32 - width] = 0x80;
    Some((I256::from_be_bytes(min), I256::from_be_bytes(max)))
}

/// Bytes that the shortest two's complement form takes: 1 to 32.
#[inline(always)]
pub(super) fn minimal_len(words: [u64; 4]) -> usize {
    let sign = ((words[3] as i64) >> 63) as u64;
    // The highest word that is more than the sign. Selected, not branched on: lengths are hard to predict.
    let (mut top, mut below) = (words[0] ^ sign, 0);
    for (i, word) in words.into_iter().enumerate().skip(1) {
        let word = word ^ sign;
        top = select_unpredictable(word != 0, word, top);
        below = select_unpredictable(word != 0, 8 * i, below);
    }
    (64 - (top | 1).leading_zeros() as usize) / 8 + 1 + below
}

/// Whether `value` takes more bytes than the column's type has.
pub(super) fn exceeds_width(words: [u64; 4], physical: Physical) -> Option<u32> {
    physical.width().filter(|width| minimal_len(words) > *width as usize)
}

macro_rules! small_integer {
    ($type:ty, $unsigned:ty) => {
        impl Integer for $type {
            const BITS: u32 = <$type>::BITS;
            const MIN: Self = <$type>::MIN;
            const MAX: Self = <$type>::MAX;

            #[inline(always)]
            fn words(self) -> [u64; 4] {
                let sign = (self >> (<$type>::BITS - 1)) as u64;
                [self as u64, sign, sign, sign]
            }

            #[inline(always)]
            fn from_words(words: [u64; 4]) -> (Self, u64) {
                let value = words[0] as $type;
                let [low, rest @ ..] = value.words();
                (value, (low ^ words[0]) | (rest[0] ^ words[1]) | (rest[1] ^ words[2]) | (rest[2] ^ words[3]))
            }

            #[inline(always)]
            fn outside(self, (min, max): (Self, Self)) -> bool {
                // One compare for both ends.
                self.wrapping_sub(min) as $unsigned > max.wrapping_sub(min) as $unsigned
            }
        }
    };
}

small_integer!(i32, u32);
small_integer!(i64, u64);

impl Integer for i128 {
    const BITS: u32 = 128;
    const MIN: Self = Self::MIN;
    const MAX: Self = Self::MAX;

    #[inline(always)]
    fn words(self) -> [u64; 4] {
        let high = (self >> 64) as u64;
        let sign = ((high as i64) >> 63) as u64;
        [self as u64, high, sign, sign]
    }

    #[inline(always)]
    fn from_words(words: [u64; 4]) -> (Self, u64) {
        let sign = ((words[1] as i64) >> 63) as u64;
        (Self::from(words[0]) | (words[1] as Self) << 64, (words[2] ^ sign) | (words[3] ^ sign))
    }

    #[inline(always)]
    fn word(self) -> (i64, u64) {
        let word = self as i64;
        (word, ((self >> 64) as i64 ^ (word >> 63)) as u64)
    }

    #[inline(always)]
    fn outside(self, (min, max): (Self, Self)) -> bool {
        // As above.
        self.wrapping_sub(min) as u128 > max.wrapping_sub(min) as u128
    }

    fn byte_array_len(path: Path, values: &[Self], range: Option<(Self, Self)>) -> Option<usize> {
        super::dispatch::byte_array_len_i128(path, values, range)
    }

    fn encode_byte_array(path: Path, values: &[Self], out: &mut [u8]) -> usize {
        super::dispatch::encode_byte_array_i128(path, values, out)
    }
}

impl Integer for I256 {
    const BITS: u32 = 256;
    const MIN: Self = Self::MIN;
    const MAX: Self = Self::MAX;

    #[inline(always)]
    fn words(self) -> [u64; 4] {
        I256::words(self)
    }

    #[inline(always)]
    fn from_words(words: [u64; 4]) -> (Self, u64) {
        (Self::from_words(words), 0)
    }

    #[inline(always)]
    fn outside(self, (min, max): (Self, Self)) -> bool {
        // One compare for both ends: a chain of borrows.
        let (_, span) = subtract(max.words(), min.words());
        let (_, distance) = subtract(self.words(), min.words());
        subtract(span, distance).0
    }
}

/// `a - b` modulo 2^256, and whether it borrowed.
#[inline(always)]
fn subtract(a: [u64; 4], b: [u64; 4]) -> (bool, [u64; 4]) {
    let mut words = [0; 4];
    let mut borrow = false;
    for i in 0..4 {
        let (word, first) = a[i].overflowing_sub(b[i]);
        let (word, second) = word.overflowing_sub(u64::from(borrow));
        (words[i], borrow) = (word, first | second);
    }
    (borrow, words)
}
