//! Integers near the borders that encoders get wrong: 0, +-1, +-10^k, +-2^k and their neighbours, limb borders.
//!
//! Measured on planted bugs: such draws find each in well under a second where uniform bytes need minutes or never
//! arrive.

use super::Source;

/// 10^k for k in 0..=38.
pub const POWERS_OF_TEN: [i128; 39] = {
    let mut powers = [1i128; 39];
    let mut k = 1;
    while k < 39 {
        powers[k] = powers[k - 1] * 10;
        k += 1;
    }
    powers
};

/// A signed integer of at most `bits` bits (2..=128, sign included), near a border more often than not.
pub fn integer<S: Source>(source: &mut S, bits: u32) -> i128 {
    let value = match source.below(8) {
        0 => source.below(3) as i128 - 1,
        1 | 2 => 1i128.wrapping_shl(source.below(bits as usize) as u32).wrapping_add(source.below(3) as i128 - 1),
        3 | 4 => POWERS_OF_TEN[source.below(39)] + source.below(3) as i128 - 1,
        5 => 1i128
            .wrapping_shl(8 * source.below(bits.div_ceil(8) as usize) as u32 + 7)
            .wrapping_sub(source.below(2) as i128),
        6 => i128::from(source.u64() as i64) >> source.below(64),
        _ => (i128::from(source.u64() as i64) << 64 | i128::from(source.u64())) >> source.below(128),
    };
    let value = if source.chance(1, 2) { value.wrapping_neg() } else { value };
    // Sign-extend from the top bit that `bits` leaves, so that the lowest value is within reach.
    let unused = 128 - bits;
    (value << unused) >> unused
}

/// Simpler versions of an integer, simplest first: 0, +-1, fewer digits, then nearer to 0 by a half of it, a quarter, .. one.
pub fn simpler(value: i128) -> Vec<i128> {
    let mut simpler = Vec::new();
    let nearer =
        (1..127).map(|halvings| value / (1 << halvings)).take_while(|step| *step != 0).map(|step| value - step);
    let bold = [0, value.signum(), value / 1000, value / 10, value / 2];
    for candidate in bold.into_iter().chain(nearer).chain([value - value.signum()]) {
        if candidate.unsigned_abs() < value.unsigned_abs() && !simpler.contains(&candidate) {
            simpler.push(candidate);
        }
    }
    simpler
}

/// A number of values, near the borders that block codecs and vector kernels have.
pub fn count<S: Source>(source: &mut S) -> usize {
    match source.below(16) {
        0 => 0,
        1..=7 => 1 + source.below(4),
        8..=11 => 1 + source.below(20),
        12 | 13 => (*source.pick(&[8usize, 16, 32, 64]) + source.below(3)).saturating_sub(1),
        14 => (*source.pick(&[64usize, 96, 128]) + source.below(3)).saturating_sub(1),
        _ => 1 + source.below(200),
    }
}
