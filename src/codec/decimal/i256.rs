//! A 256-bit two's complement integer: the unscaled value of Decimal256.

use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

/// A 256-bit two's complement integer: four 64-bit words, least significant first.
///
/// On a little-endian machine the layout is that of one element of Arrow's Decimal256 buffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct I256 {
    words: [u64; 4],
}

impl I256 {
    /// 0.
    pub const ZERO: Self = Self { words: [0; 4] };
    /// 1.
    pub const ONE: Self = Self { words: [1, 0, 0, 0] };
    /// -2^255.
    pub const MIN: Self = Self { words: [0, 0, 0, 1 << 63] };
    /// 2^255 - 1.
    pub const MAX: Self = Self { words: [u64::MAX, u64::MAX, u64::MAX, u64::MAX >> 1] };

    /// From its words, least significant first.
    pub const fn from_words(words: [u64; 4]) -> Self {
        Self { words }
    }

    /// Its words, least significant first.
    pub const fn words(self) -> [u64; 4] {
        self.words
    }

    /// From a 128-bit integer, extended with the sign.
    pub const fn from_i128(value: i128) -> Self {
        let sign = (value >> 127) as u64;
        Self { words: [value as u64, (value >> 64) as u64, sign, sign] }
    }

    /// As a 128-bit integer, where it fits.
    pub const fn to_i128(self) -> Option<i128> {
        let low = self.words[0] as i128 | (self.words[1] as i128) << 64;
        let sign = (low >> 127) as u64;
        if self.words[2] == sign && self.words[3] == sign { Some(low) } else { None }
    }

    /// From 32 big-endian bytes.
    pub const fn from_be_bytes(bytes: [u8; 32]) -> Self {
        let mut words = [0u64; 4];
        let mut i = 0;
        while i < 32 {
            words[3 - i / 8] = words[3 - i / 8] << 8 | bytes[i] as u64;
            i += 1;
        }
        Self { words }
    }

    /// As 32 big-endian bytes.
    pub const fn to_be_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        let mut i = 0;
        while i < 32 {
            bytes[i] = (self.words[3 - i / 8] >> (56 - 8 * (i % 8))) as u8;
            i += 1;
        }
        bytes
    }

    /// From 32 little-endian bytes, as they lie in an Arrow buffer.
    pub fn from_le_bytes(mut bytes: [u8; 32]) -> Self {
        bytes.reverse();
        Self::from_be_bytes(bytes)
    }

    /// As 32 little-endian bytes, as they lie in an Arrow buffer.
    pub fn to_le_bytes(self) -> [u8; 32] {
        let mut bytes = self.to_be_bytes();
        bytes.reverse();
        bytes
    }

    /// Whether it is below 0.
    pub const fn is_negative(self) -> bool {
        self.words[3] >> 63 == 1
    }

    /// The negative, modulo 2^256: of [`I256::MIN`] it is itself.
    pub const fn wrapping_neg(self) -> Self {
        let mut words = self.words;
        let mut carry = true;
        let mut i = 0;
        while i < 4 {
            (words[i], carry) = (!words[i]).overflowing_add(carry as u64);
            i += 1;
        }
        Self { words }
    }

    /// The absolute value, as words without a sign: of [`I256::MIN`] it is 2^255.
    pub const fn unsigned_abs(self) -> [u64; 4] {
        if self.is_negative() { self.wrapping_neg().words } else { self.words }
    }

    /// `self * 10^exponent`, where it fits.
    pub const fn checked_mul_pow10(self, exponent: u32) -> Option<Self> {
        let mut words = self.unsigned_abs();
        let mut left = exponent;
        while left > 0 {
            let step = if left < 19 { left } else { 19 };
            let carry = multiply_add(&mut words, 10u64.pow(step), 0);
            if carry != 0 {
                return None;
            }
            // Nothing but 0 survives more rounds than there are bits, so a huge exponent does not loop for long.
            if words[0] | words[1] | words[2] | words[3] == 0 {
                return Some(Self::ZERO);
            }
            left -= step;
        }
        Self::from_magnitude(words, self.is_negative())
    }

    /// `10^exponent`, where it fits: up to 76.
    pub const fn pow10(exponent: u32) -> Option<Self> {
        Self::ONE.checked_mul_pow10(exponent)
    }

    /// The largest number of `precision` digits, `10^precision - 1`, where it fits: up to 76.
    pub const fn max_of_precision(precision: u32) -> Option<Self> {
        match Self::pow10(precision) {
            // Taking 1 away borrows from the lowest word that is not 0.
            Some(Self { mut words }) => {
                let mut i = 0;
                while words[i] == 0 {
                    words[i] = u64::MAX;
                    i += 1;
                }
                words[i] -= 1;
                Some(Self { words })
            }
            None => None,
        }
    }

    const fn from_magnitude(words: [u64; 4], negative: bool) -> Option<Self> {
        let value = Self { words };
        match (negative, value.is_negative()) {
            (false, false) => Some(value),
            (true, false) => Some(value.wrapping_neg()),
            (true, true) if words[0] | words[1] | words[2] == 0 && words[3] == 1 << 63 => Some(value),
            _ => None,
        }
    }
}

/// `words = words * factor + addend`; what runs over is returned.
const fn multiply_add(words: &mut [u64; 4], factor: u64, addend: u64) -> u64 {
    let mut carry = addend;
    let mut i = 0;
    while i < 4 {
        let product = words[i] as u128 * factor as u128 + carry as u128;
        words[i] = product as u64;
        carry = (product >> 64) as u64;
        i += 1;
    }
    carry
}

impl Ord for I256 {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |v: &Self| ((v.words[3] as i64), v.words[2], v.words[1], v.words[0]);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for I256 {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i32> for I256 {
    fn from(value: i32) -> Self {
        Self::from_i128(value.into())
    }
}

impl From<i64> for I256 {
    fn from(value: i64) -> Self {
        Self::from_i128(value.into())
    }
}

impl From<i128> for I256 {
    fn from(value: i128) -> Self {
        Self::from_i128(value)
    }
}

impl fmt::Display for I256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // 2^255 has 77 digits.
        let mut digits = [b'0'; 80];
        let mut start = digits.len();
        let mut words = self.unsigned_abs();
        loop {
            let mut remainder = 0u128;
            for word in words.iter_mut().rev() {
                let dividend = remainder << 64 | u128::from(*word);
                *word = (dividend / 10) as u64;
                remainder = dividend % 10;
            }
            start -= 1;
            digits[start] += remainder as u8;
            if words == [0; 4] {
                break;
            }
        }
        let digits = core::str::from_utf8(&digits[start..]).expect("digits are ASCII");
        f.pad_integral(!self.is_negative(), "", digits)
    }
}

/// The text is no decimal integer of at most 256 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseI256Error;

impl fmt::Display for ParseI256Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a decimal integer between -2^255 and 2^255 - 1")
    }
}

impl core::error::Error for ParseI256Error {}

impl FromStr for I256 {
    type Err = ParseI256Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (negative, digits) = match text.as_bytes() {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] | rest => (false, rest),
        };
        let mut words = [0; 4];
        if digits.is_empty() {
            return Err(ParseI256Error);
        }
        for digit in digits {
            if !digit.is_ascii_digit() || multiply_add(&mut words, 10, u64::from(digit - b'0')) != 0 {
                return Err(ParseI256Error);
            }
        }
        Self::from_magnitude(words, negative).ok_or(ParseI256Error)
    }
}

#[cfg(feature = "num-bigint")]
impl From<I256> for num_bigint::BigInt {
    fn from(value: I256) -> Self {
        Self::from_signed_bytes_be(&value.to_be_bytes())
    }
}

/// The integer needs more than 256 bits.
#[cfg(feature = "num-bigint")]
impl TryFrom<&num_bigint::BigInt> for I256 {
    type Error = ParseI256Error;

    fn try_from(value: &num_bigint::BigInt) -> Result<Self, Self::Error> {
        if value.iter_u64_digits().len() > 4 {
            return Err(ParseI256Error);
        }
        let mut words = [0; 4];
        for (word, digit) in words.iter_mut().zip(value.iter_u64_digits()) {
            *word = digit;
        }
        Self::from_magnitude(words, value.sign() == num_bigint::Sign::Minus).ok_or(ParseI256Error)
    }
}
