//! Values that sit where codecs break, and a small random source.

use alloc::vec::Vec;

use crate::codec::decimal::{Column, ColumnOptions, I256, Physical, PrecisionCheck, Rounding};

pub(super) const SKIP: ColumnOptions =
    ColumnOptions { precision_check: PrecisionCheck::Skip, rounding: Rounding::Exact };

/// SplitMix64.
pub(super) struct Random(pub u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Of any size: as many low bytes of a random number as chance says, with a random sign.
    pub(super) fn i256(&mut self) -> I256 {
        let mut bytes = [0; 32];
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_be_bytes());
        }
        let surplus = self.below(32);
        let sign = if bytes[surplus] < 0x80 { 0 } else { 0xff };
        bytes[..surplus].fill(sign);
        I256::from_be_bytes(bytes)
    }
}

/// 0, and 10^k, 2^k, each with its neighbours and both signs: all that fit 256 bits.
pub(super) fn borders() -> Vec<I256> {
    let mut found = Vec::new();
    let mut around = |words: [u64; 4]| {
        for step in [-1i64, 0, 1] {
            let mut carry = step as u64;
            let sign = (step >> 63) as u64;
            let mut near = words;
            for word in &mut near {
                let sum = u128::from(*word) + u128::from(carry);
                *word = sum as u64;
                // Adding -1 is adding 2^64 - 1 to every word.
                carry = sign.wrapping_add((sum >> 64) as u64);
            }
            found.push(I256::from_words(near));
            found.push(I256::from_words(near).wrapping_neg());
        }
    };
    around([0; 4]);
    for exponent in 0..=76 {
        around(I256::pow10(exponent).expect("up to 76").words());
    }
    for bit in 0..256 {
        let mut words = [0; 4];
        words[bit / 64] = 1 << (bit % 64);
        around(words);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Those that `T` can hold.
pub(super) fn fitting<'a, T>(values: impl Iterator<Item = &'a I256>, narrow: fn(I256) -> Option<T>) -> Vec<T> {
    values.filter_map(|value| narrow(*value)).collect()
}

pub(super) fn column(precision: u32, physical: Physical) -> Column {
    Column::new(precision, 0, physical).expect("a valid column")
}

/// A column of every physical type and every width to 40, and of every precision where `all_precisions` says so; else
/// the smallest and the largest precision of the type.
pub(super) fn columns(all_precisions: bool) -> Vec<Column> {
    let mut types: Vec<_> = (1..=40).map(Physical::Fixed).collect();
    types.extend([Physical::Int32, Physical::Int64, Physical::ByteArray]);
    let mut found = Vec::new();
    for physical in types {
        let max = physical.max_precision().unwrap_or(100) as u32;
        let mut precisions: Vec<u32> = (1..=max).filter(|p| all_precisions || *p == 1 || *p == max).collect();
        if physical == Physical::ByteArray {
            precisions.extend([5, 18, 19, 38, 39, 76, 77, 1300]);
        }
        found.extend(precisions.into_iter().map(|precision| column(precision, physical)));
    }
    found
}
