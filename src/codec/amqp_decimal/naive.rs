//! The reference twin: the two sentences of the specification, one value at a time, in 128-bit arithmetic.
//!
//! > decimal-value = scale long-uint ; scale = OCTET, number of decimal digits (grammar, 4.2.1)
//!
//! > an octet representing the number of places followed by a long signed integer (prose, 4.2.5.5, in essence)

use std::vec::Vec;

use super::{NegativeZero, Normalization, Params, Profile, Raw, Sign};
use crate::{DecodeError, EncodeError};

/// Writes `values` one after another.
///
/// # Errors
/// [`EncodeError::BufferTooSmall`] first; then the first value that the profile cannot carry.
pub fn encode_into<V: Value>(values: &[V], params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
    let needed = values.len() * if params.tag { 6 } else { 5 };
    if out.len() < needed {
        return Err(EncodeError::BufferTooSmall { needed, available: out.len() });
    }
    let mut encoding = Vec::new();
    for (at, value) in values.iter().enumerate() {
        write_number(value.number(), params, at, &mut encoding)?;
    }
    out[..needed].copy_from_slice(&encoding);
    Ok(needed)
}

/// Reads as many values as `out` has places; returns the octets consumed.
///
/// # Errors
/// The first value that is cut, has another tag, or a scale beyond the profile or the type.
pub fn decode_into<V: Value>(bytes: &[u8], params: Params, out: &mut [V]) -> Result<usize, DecodeError> {
    let mut offset = 0;
    for place in out {
        *place = V::of(read_number(bytes, offset, params, V::MAX_SCALE)?);
        offset += params.value_len();
    }
    Ok(offset)
}

/// What can be written and read.
pub trait Value {
    /// The largest scale of the type.
    const MAX_SCALE: u32;
    /// Its number.
    fn number(&self) -> Number;
    /// The value of a number that was read: 32 bits, and no larger scale.
    fn of(number: Number) -> Self;
}

impl Value for Raw {
    const MAX_SCALE: u32 = 255;

    fn number(&self) -> Number {
        Number { negative: self.sign == Sign::Minus, magnitude: u128::from(self.magnitude), scale: self.scale }
    }

    fn of(number: Number) -> Self {
        let sign = if number.negative { Sign::Minus } else { Sign::Plus };
        Self { magnitude: number.magnitude as u64, scale: number.scale, sign }
    }
}

#[cfg(feature = "rust_decimal")]
impl Value for rust_decimal::Decimal {
    const MAX_SCALE: u32 = 28;

    fn number(&self) -> Number {
        Number { negative: self.is_sign_negative(), magnitude: self.mantissa().unsigned_abs(), scale: self.scale() }
    }

    fn of(number: Number) -> Self {
        let mut decimal = Self::from_i128_with_scale(number.magnitude as i128, number.scale);
        decimal.set_sign_negative(number.negative);
        decimal
    }
}

/// A decimal number of any origin.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    negative: bool,
    magnitude: u128,
    scale: u32,
}

impl Number {
    fn without_trailing_zeros(mut self) -> Self {
        if self.magnitude == 0 {
            self.scale = 0;
        }
        while self.scale > 0 && self.magnitude.is_multiple_of(10) {
            self.magnitude /= 10;
            self.scale -= 1;
        }
        self
    }

    /// The mantissa with its sign. Every source has fewer than 127 bits.
    fn mantissa(self) -> i128 {
        let magnitude = self.magnitude as i128;
        if self.negative { -magnitude } else { magnitude }
    }
}

fn write_number(number: Number, params: Params, at: usize, encoding: &mut Vec<u8>) -> Result<(), EncodeError> {
    let number = match params.normalization {
        Normalization::Keep => number,
        Normalization::StripTrailingZeros => number.without_trailing_zeros(),
    };

    let max = match params.profile {
        Profile::Errata | Profile::Unsigned => 255,
        Profile::DotNet => 28,
    };
    if number.scale > max {
        return Err(EncodeError::DecimalScaleOutOfRange { at, scale: number.scale, max });
    }

    let (min, max) = match params.profile {
        Profile::Errata => (-2_147_483_648, 2_147_483_647),
        Profile::DotNet => (-2_147_483_647, 2_147_483_647),
        Profile::Unsigned => (0, 4_294_967_295),
    };
    let mantissa = number.mantissa();
    if mantissa < i128::from(min) || mantissa > i128::from(max) {
        return Err(EncodeError::DecimalMantissaOutOfRange { at, min, max });
    }

    let is_negative_zero = number.negative && number.magnitude == 0;
    if is_negative_zero && params.profile != Profile::DotNet && params.negative_zero == NegativeZero::Refuse {
        return Err(EncodeError::DecimalNegativeZero { at });
    }

    if params.tag {
        encoding.push(b'D');
    }
    encoding.push(number.scale as u8);
    match params.profile {
        Profile::Errata => encoding.extend((mantissa as i32).to_be_bytes()),
        Profile::Unsigned => encoding.extend((mantissa as u32).to_be_bytes()),
        Profile::DotNet => {
            let sign_bit: u32 = if number.negative { 0x8000_0000 } else { 0 };
            encoding.extend((sign_bit + number.magnitude as u32).to_be_bytes());
        }
    }
    Ok(())
}

fn read_number(bytes: &[u8], start: usize, params: Params, max_scale: u32) -> Result<Number, DecodeError> {
    let needed = if params.tag { 6 } else { 5 };
    let available = bytes.len() - start;
    if available < needed {
        return Err(DecodeError::UnexpectedEnd { offset: start, needed, available });
    }

    let mut offset = start;
    if params.tag {
        if bytes[offset] != b'D' {
            return Err(DecodeError::UnexpectedTag { offset, found: bytes[offset], expected: b'D' });
        }
        offset += 1;
    }

    let scale = u32::from(bytes[offset]);
    let max = match params.profile {
        Profile::Errata | Profile::Unsigned => max_scale.min(255),
        Profile::DotNet => max_scale.min(28),
    };
    if scale > max {
        return Err(DecodeError::DecimalScaleOutOfRange { offset, scale, max });
    }
    offset += 1;

    let word = [bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3]];
    let (negative, magnitude) = match params.profile {
        Profile::Errata => {
            let mantissa = i32::from_be_bytes(word);
            (mantissa < 0, u128::from(mantissa.unsigned_abs()))
        }
        Profile::Unsigned => (false, u128::from(u32::from_be_bytes(word))),
        Profile::DotNet => {
            let word = u32::from_be_bytes(word);
            (word >= 0x8000_0000, u128::from(word % 0x8000_0000))
        }
    };
    Ok(Number { negative, magnitude, scale })
}
