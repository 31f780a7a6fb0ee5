//! One decimal number of any size: an unscaled integer, with the precision and the scale that it was declared with.

use core::fmt;
use core::str::FromStr;

use num_bigint::{BigInt, Sign};

use super::{Column, ColumnError, ColumnOptions, Physical, Rounding, fast, fixed_width};
use crate::EncodeError;

/// One decimal number, `unscaled * 10^-scale`, of at most `precision` digits.
///
/// Equality is of all three parts, as in Parquet.Net's BigDecimal: 1.0 is not 1, since they are written differently.
/// To compare numbers, bring them to one scale.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    unscaled: BigInt,
    precision: u32,
    scale: u32,
}

/// Why parts do not make a [`Decimal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecimalError {
    /// Precision and scale make no column.
    Column(ColumnError),
    /// The number has more digits than the precision.
    ExceedsPrecision {
        /// The precision asked for.
        precision: u32,
    },
    /// The number has digits beyond the scale, and no rounding was asked for.
    InexactScale {
        /// The scale asked for.
        scale: u32,
    },
    /// No bytes at all: 0 is the one byte `00`.
    NoBytes,
    /// The number does not fit the type that it is converted to.
    ExceedsTarget,
}

impl fmt::Display for DecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column(error) => error.fmt(f),
            Self::ExceedsPrecision { precision } => write!(f, "the number has more than {precision} digits"),
            Self::InexactScale { scale } => write!(f, "the number has more than {scale} decimal places"),
            Self::NoBytes => f.write_str("no bytes, at least 1 was expected"),
            Self::ExceedsTarget => f.write_str("the number does not fit the type that it is converted to"),
        }
    }
}

impl core::error::Error for DecimalError {}

impl From<ColumnError> for DecimalError {
    fn from(error: ColumnError) -> Self {
        Self::Column(error)
    }
}

impl Decimal {
    /// From its parts.
    ///
    /// # Errors
    /// A precision of 0, a scale above the precision, or an integer of more digits than the precision.
    pub fn new(unscaled: impl Into<BigInt>, precision: u32, scale: u32) -> Result<Self, DecimalError> {
        let column = column(precision, scale)?;
        let it = Self { unscaled: unscaled.into(), precision, scale };
        match fast::encoded_len(core::slice::from_ref(&it.unscaled), &column, ColumnOptions::default()) {
            Ok(_) => Ok(it),
            Err(_) => Err(DecimalError::ExceedsPrecision { precision }),
        }
    }

    /// From two's complement bytes, big-endian, of any length; no bytes are refused, surplus sign bytes are not.
    ///
    /// # Errors
    /// Those of [`Decimal::new`] and `NoBytes`.
    pub fn from_be_bytes(bytes: &[u8], precision: u32, scale: u32) -> Result<Self, DecimalError> {
        column(precision, scale)?;
        if bytes.is_empty() {
            return Err(DecimalError::NoBytes);
        }
        Self::new(BigInt::from_signed_bytes_be(bytes), precision, scale)
    }

    /// The integer: the number without its point.
    pub fn unscaled(&self) -> &BigInt {
        &self.unscaled
    }

    /// Digits that the number was declared with.
    pub fn precision(&self) -> u32 {
        self.precision
    }

    /// How many of the digits stand after the point.
    pub fn scale(&self) -> u32 {
        self.scale
    }

    /// Bytes that [`Decimal::write_bytes`] writes: the width of the precision, [`fixed_width`].
    pub fn byte_len(&self) -> usize {
        fixed_width(self.precision) as usize
    }

    /// Writes two's complement bytes, big-endian, as a FIXED_LEN_BYTE_ARRAY of the precision's width has them, to the start
    /// of `out`; says how many these are. Does not allocate.
    ///
    /// # Errors
    /// `BufferTooSmall`; nothing is written then.
    pub fn write_bytes(&self, out: &mut [u8]) -> Result<usize, EncodeError> {
        let (needed, available) = (self.byte_len(), out.len());
        let item = out.get_mut(..needed).ok_or(EncodeError::BufferTooSmall { needed, available })?;
        // It fits: its digits were counted when the number was made.
        fast::store(&self.unscaled, item);
        Ok(needed)
    }

    /// [`Decimal::write_bytes`] into a new vector.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![0; self.byte_len()];
        self.write_bytes(&mut out).expect("as long as the number says");
        out
    }

    /// The same number with another precision and scale.
    ///
    /// # Errors
    /// Those of [`Decimal::new`], and `InexactScale` where digits would be lost and `rounding` is `Exact`.
    pub fn rescale(&self, precision: u32, scale: u32, rounding: Rounding) -> Result<Self, DecimalError> {
        column(precision, scale)?;
        if self.unscaled.sign() == Sign::NoSign {
            return Self::new(0, precision, scale);
        }
        if scale >= self.scale {
            let more = scale - self.scale;
            if more >= precision {
                // At least `more` + 1 digits: not worth working out.
                return Err(DecimalError::ExceedsPrecision { precision });
            }
            return Self::new(&self.unscaled * BigInt::from(10).pow(more), precision, scale);
        }
        let divisor = BigInt::from(10).pow(self.scale - scale);
        let (quotient, remainder) = (&self.unscaled / &divisor, &self.unscaled % &divisor);
        let up = match rounding {
            Rounding::Exact if remainder.sign() != Sign::NoSign => return Err(DecimalError::InexactScale { scale }),
            Rounding::Exact | Rounding::TowardZero => false,
            Rounding::HalfEven => {
                let twice = remainder.magnitude() * 2u32;
                twice > *divisor.magnitude() || (twice == *divisor.magnitude() && quotient.bit(0))
            }
        };
        let step = match self.unscaled.sign() {
            Sign::Minus => -1,
            _ => 1,
        };
        Self::new(if up { quotient + step } else { quotient }, precision, scale)
    }
}

/// Precision and scale alone, as BYTE_ARRAY holds any.
fn column(precision: u32, scale: u32) -> Result<Column, ColumnError> {
    Column::new(precision, scale, Physical::ByteArray)
}

impl TryFrom<&Decimal> for i128 {
    type Error = DecimalError;

    /// The unscaled integer.
    fn try_from(value: &Decimal) -> Result<Self, DecimalError> {
        Self::try_from(&value.unscaled).map_err(|_| DecimalError::ExceedsTarget)
    }
}

#[cfg(feature = "rust_decimal")]
impl Decimal {
    /// A `rust_decimal` number at another precision and scale.
    ///
    /// # Errors
    /// Those of [`Decimal::rescale`].
    pub fn from_rust_decimal(
        value: &rust_decimal::Decimal,
        precision: u32,
        scale: u32,
        rounding: Rounding,
    ) -> Result<Self, DecimalError> {
        // Never more than 29 digits, nor more than 28 after the point.
        Self { unscaled: value.mantissa().into(), precision: 29, scale: value.scale() }
            .rescale(precision, scale, rounding)
    }
}

#[cfg(feature = "rust_decimal")]
impl TryFrom<&Decimal> for rust_decimal::Decimal {
    type Error = DecimalError;

    /// The same number at the same scale: `ExceedsTarget` beyond 96 bits or scale 28.
    fn try_from(value: &Decimal) -> Result<Self, DecimalError> {
        let mantissa = i128::try_from(value)?;
        Self::try_from_i128_with_scale(mantissa, value.scale).map_err(|_| DecimalError::ExceedsTarget)
    }
}

impl fmt::Display for Decimal {
    /// Plain notation with exactly `scale` digits after the point: `0.00`, `-1.50`, `42`. Never an exponent, never "-0".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = self.scale as usize;
        // One digit in front of the point at least.
        let digits = self.unscaled.magnitude().to_string();
        let digits = "0".repeat((scale + 1).saturating_sub(digits.len())) + &digits;
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        let text = if scale == 0 { whole.to_string() } else { format!("{whole}.{fraction}") };
        f.pad_integral(self.unscaled.sign() != Sign::Minus, "", &text)
    }
}

/// Why a text is no [`Decimal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseDecimalError {
    /// Nothing where a digit must stand.
    NoDigits,
    /// A character that has no place in a number in plain notation; exponents are none.
    UnexpectedCharacter {
        /// Where it stands, in bytes from the start.
        offset: usize,
    },
    /// More than 2^32 - 1 digits.
    TooLong,
}

impl fmt::Display for ParseDecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDigits => f.write_str("expected a digit, found none"),
            Self::UnexpectedCharacter { offset } => {
                write!(f, "at byte {offset}: expected a digit or the one decimal point")
            }
            Self::TooLong => f.write_str("the number has more digits than a precision can count"),
        }
    }
}

impl core::error::Error for ParseDecimalError {}

impl FromStr for Decimal {
    type Err = ParseDecimalError;

    /// Plain notation: an optional sign, digits, and optionally a point with digits behind it. The scale is the number of
    /// digits after the point; the precision is the least that holds the number. No exponents.
    fn from_str(text: &str) -> Result<Self, ParseDecimalError> {
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let skipped = text.len() - unsigned.len();
        let (whole, fraction) = match unsigned.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (unsigned, None),
        };
        if let Some(offset) =
            unsigned.bytes().enumerate().position(|(i, byte)| !byte.is_ascii_digit() && i != whole.len())
        {
            return Err(ParseDecimalError::UnexpectedCharacter { offset: skipped + offset });
        }
        if whole.is_empty() || fraction == Some("") {
            return Err(ParseDecimalError::NoDigits);
        }
        let fraction = fraction.unwrap_or("");
        let digits = format!("{whole}{fraction}");
        let significant = digits.trim_start_matches('0').len();
        let scale = u32::try_from(fraction.len()).map_err(|_| ParseDecimalError::TooLong)?;
        let precision =
            u32::try_from(significant.max(fraction.len()).max(1)).map_err(|_| ParseDecimalError::TooLong)?;
        let magnitude: BigInt = digits.parse().map_err(|_| ParseDecimalError::NoDigits)?;
        let unscaled = if text.starts_with('-') { -magnitude } else { magnitude };
        Ok(Self { unscaled, precision, scale })
    }
}
