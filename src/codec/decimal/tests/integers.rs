//! The 256-bit integer.

use alloc::string::ToString;

use crate::codec::decimal::{I256, ParseI256Error};

#[test]
fn arrow_s_layout() {
    // Least significant word first, and so the bytes on a little-endian machine.
    assert_eq!(size_of::<I256>(), 32);
    let value = I256::from(-2i128);
    assert_eq!(value.words(), [u64::MAX - 1, u64::MAX, u64::MAX, u64::MAX]);
    let mut bytes = [0xff; 32];
    bytes[0] = 0xfe;
    assert_eq!(value.to_le_bytes(), bytes);
    assert_eq!(I256::from_le_bytes(bytes), value);
    bytes.reverse();
    assert_eq!(value.to_be_bytes(), bytes);
    assert_eq!(I256::from_be_bytes(bytes), value);
}

#[test]
fn text_and_back_at_the_borders() {
    let max = "57896044618658097711785492504343953926634992332820282019728792003956564819967";
    let min = "-57896044618658097711785492504343953926634992332820282019728792003956564819968";
    assert_eq!(I256::MAX.to_string(), max);
    assert_eq!(I256::MIN.to_string(), min);
    assert_eq!(max.parse(), Ok(I256::MAX));
    assert_eq!(min.parse(), Ok(I256::MIN));
    assert_eq!(min[1..].parse::<I256>(), Err(ParseI256Error));
    assert_eq!((min.to_string() + "0").parse::<I256>(), Err(ParseI256Error));
    for text in ["0", "-1", "10", "18446744073709551616", "-340282366920938463463374607431768211456"] {
        assert_eq!(text.parse::<I256>().expect("an integer").to_string(), text);
    }
    assert_eq!("+7".parse(), Ok(I256::from(7)));
    assert_eq!("-0".parse(), Ok(I256::ZERO));
    for text in ["", "-", "+", "--1", "1x", " 1", "1.0", "1e5", "١"] {
        assert_eq!(text.parse::<I256>(), Err(ParseI256Error), "{text}");
    }
}

#[test]
fn powers_of_ten_to_the_last_that_fits() {
    let mut text = alloc::string::String::from("1");
    for exponent in 0..=76 {
        assert_eq!(I256::pow10(exponent).expect("fits").to_string(), text);
        let nines = text.replace('0', "9");
        let nines = if exponent == 0 { "0" } else { &nines[1..] };
        assert_eq!(I256::max_of_precision(exponent).expect("fits").to_string(), nines);
        text.push('0');
    }
    assert_eq!(I256::pow10(77), None);
    assert_eq!(I256::pow10(u32::MAX), None);
    assert_eq!(I256::max_of_precision(77), None);
    assert_eq!(I256::ZERO.checked_mul_pow10(u32::MAX), Some(I256::ZERO));
    assert_eq!(I256::from(-25).checked_mul_pow10(2), Some(I256::from(-2500)));
    assert_eq!(I256::MIN.checked_mul_pow10(1), None);
}

#[test]
fn order_and_narrowing() {
    let sorted =
        [I256::MIN, I256::from(i128::MIN), I256::from(-1), I256::ZERO, I256::ONE, I256::from(i128::MAX), I256::MAX];
    assert!(sorted.is_sorted_by(|a, b| a < b));
    assert_eq!(I256::from(i128::MIN).to_i128(), Some(i128::MIN));
    assert_eq!(I256::from(i128::MAX).to_i128(), Some(i128::MAX));
    assert_eq!(I256::from_words([0, 1 << 63, 0, 0]).to_i128(), None);
    assert_eq!(I256::MIN.to_i128(), None);
    assert_eq!(I256::MIN.wrapping_neg(), I256::MIN);
}
