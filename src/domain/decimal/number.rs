//! One number of a case, whatever its form: what is needed to draw it, to write it down and to see which cell it is in.

use super::{Form, WIDTH_LIMIT};
use crate::codec::decimal::{I256, Rounding};
use crate::generate::edges;
use core::fmt;
use num_bigint::{BigInt, Sign};
use rust_decimal::Decimal;

/// One number.
#[derive(Clone, Debug)]
pub enum Number {
    /// An unscaled integer of at most 256 bits. No allocation.
    Whole(I256),
    /// An unscaled integer of any size.
    Big(BigInt),
    /// A number with a scale of its own.
    Scaled(Decimal),
}

/// A `Decimal` from its parts, cut to what it can hold.
pub(super) fn decimal(negative: bool, magnitude: u128, scale: u32) -> Decimal {
    let magnitude = magnitude & ((1 << 96) - 1);
    let mut decimal = Decimal::from_i128_with_scale(magnitude as i128, scale % 29);
    decimal.set_sign_negative(negative);
    decimal
}

impl Number {
    /// The low 256 bits.
    pub(super) fn low(&self) -> I256 {
        match self {
            Self::Whole(value) => *value,
            Self::Big(value) => low_bits(value),
            Self::Scaled(value) => I256::from_i128(value.mantissa()),
        }
    }

    /// The low 128 bits.
    pub(super) fn low_i128(&self) -> i128 {
        let words = self.low().words();
        (u128::from(words[0]) | u128::from(words[1]) << 64) as i128
    }

    /// As an integer of any size, cut to the widest that a case can hold.
    pub(super) fn to_big(&self) -> BigInt {
        match self {
            Self::Whole(value) => BigInt::from(*value),
            Self::Big(value) => {
                let bytes = value.to_signed_bytes_be();
                BigInt::from_signed_bytes_be(&bytes[bytes.len().saturating_sub(WIDTH_LIMIT as usize)..])
            }
            Self::Scaled(value) => BigInt::from(value.mantissa()),
        }
    }

    /// As a `Decimal`, whole unless it has a scale already.
    pub(super) fn to_decimal(&self) -> Decimal {
        match self {
            Self::Scaled(value) => *value,
            _ => {
                let low = self.low_i128();
                decimal(low < 0, low.unsigned_abs(), 0)
            }
        }
    }

    /// The unscaled integer at the column's scale, toward zero where digits are lost.
    pub(super) fn unscaled(&self, scale: u32) -> Self {
        let Self::Scaled(value) = self else { return self.clone() };
        let whole = I256::from_i128(value.mantissa());
        if scale < value.scale() {
            return Self::Whole(I256::from_i128(value.mantissa() / 10i128.pow(value.scale() - scale)));
        }
        match whole.checked_mul_pow10(scale - value.scale()) {
            Some(value) => Self::Whole(value),
            None => Self::Big(BigInt::from(value.mantissa()) * BigInt::from(10).pow(scale - value.scale())),
        }
    }

    /// Whether the number, brought to a scale, is a `Decimal`.
    pub(super) fn fits_rust_decimal(&self, scale: u32) -> bool {
        match self.unscaled(scale) {
            Self::Whole(value) => {
                let words = value.unsigned_abs();
                words[1] >> 32 == 0 && words[2] | words[3] == 0
            }
            _ => false,
        }
    }

    /// From text: an integer, or for `rust_decimal` a number with a point. `None` where the form cannot hold it.
    pub(super) fn parse(form: Form, text: &str) -> Option<Self> {
        let plain = text.strip_prefix('-').unwrap_or(text);
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if form == Form::RustDecimal {
            let (whole, fraction) = plain.split_once('.').unwrap_or((plain, "0"));
            let scale = plain.split_once('.').map_or(0, |(_, fraction)| fraction.len());
            if !digits(whole) || !digits(fraction) || scale > 28 {
                return None;
            }
            let magnitude: u128 = plain.replace('.', "").parse().ok()?;
            let negative = plain.len() < text.len();
            return (magnitude < 1 << 96).then(|| Self::Scaled(decimal(negative, magnitude, scale as u32)));
        }
        if !digits(plain) {
            return None;
        }
        match form {
            Form::BigInt => {
                let value: BigInt = text.parse().ok()?;
                (value.to_signed_bytes_be().len() <= WIDTH_LIMIT as usize).then_some(Self::Big(value))
            }
            _ => {
                let value: I256 = text.parse().ok()?;
                let fits = match form {
                    Form::I32 => value.to_i128().is_some_and(|value| i32::try_from(value).is_ok()),
                    Form::I64 => value.to_i128().is_some_and(|value| i64::try_from(value).is_ok()),
                    Form::I128 => value.to_i128().is_some(),
                    _ => true,
                };
                fits.then_some(Self::Whole(value))
            }
        }
    }

    /// Calls `emit` with simpler numbers of the same form, simplest first, until it returns true. True when it did.
    pub(super) fn simpler(&self, emit: &mut dyn FnMut(Self) -> bool) -> bool {
        if let Self::Scaled(value) = self {
            let (negative, scale) = (value.is_sign_negative(), value.scale());
            let magnitude = value.mantissa().unsigned_abs();
            let mut offer = |negative, magnitude, scale| emit(Self::Scaled(decimal(negative, magnitude, scale)));
            return negative && offer(false, magnitude, scale)
                || edges::simpler(scale.into()).into_iter().any(|scale| offer(negative, magnitude, scale as u32))
                || edges::simpler(magnitude as i128)
                    .into_iter()
                    .any(|smaller| offer(negative, smaller as u128, scale));
        }
        let value = self.to_big();
        let one = BigInt::from_biguint(value.sign(), 1u8.into());
        // A byte fewer keeps a value at the border of a width.
        let bold = [BigInt::ZERO, one, &value >> 64, &value / 1000, &value / 10, &value >> 8, &value / 2].into_iter();
        let nearer = (1..value.bits())
            .map(|halvings| &value - BigInt::from_biguint(value.sign(), value.magnitude() >> halvings));
        bold.chain(nearer).any(|candidate| candidate.magnitude() < value.magnitude() && emit(Self::Big(candidate)))
    }
}

/// The low 256 bits of an integer, as two's complement.
fn low_bits(value: &BigInt) -> I256 {
    let mut words = [0; 4];
    for (word, digit) in words.iter_mut().zip(value.iter_u64_digits()) {
        *word = digit;
    }
    let magnitude = I256::from_words(words);
    if value.sign() == Sign::Minus { magnitude.wrapping_neg() } else { magnitude }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(value) => value.fmt(f),
            Self::Big(value) => value.fmt(f),
            Self::Scaled(value) => {
                let scale = value.scale() as usize;
                let digits = format!("{:0>width$}", value.mantissa().unsigned_abs(), width = scale + 1);
                let (whole, fraction) = digits.split_at(digits.len() - scale);
                let (sign, point) = (if value.is_sign_negative() { "-" } else { "" }, if scale > 0 { "." } else { "" });
                write!(f, "{sign}{whole}{point}{fraction}")
            }
        }
    }
}

/// Whether `decoded` is `encoded` at the column's scale, rounded as asked.
pub(super) fn is_rescaled(encoded: &Decimal, decoded: &Decimal, scale: u32, rounding: Rounding) -> bool {
    if decoded.scale() != scale || (decoded.mantissa() == 0 && decoded.is_sign_negative()) {
        return false;
    }
    // Both in units of 10^-(the sum of their scales).
    let ten = BigInt::from(10);
    let unit = ten.pow(encoded.scale());
    let wanted = BigInt::from(encoded.mantissa()) * ten.pow(scale);
    let got = BigInt::from(decoded.mantissa()) * &unit;
    let off = BigInt::from((&wanted - &got).magnitude().clone());
    match rounding {
        Rounding::Exact => wanted == got,
        Rounding::TowardZero => got.magnitude() <= wanted.magnitude() && off < unit,
        Rounding::HalfEven => {
            let twice = off * 2;
            twice < unit || (twice == unit && decoded.mantissa() % 2 == 0)
        }
    }
}
