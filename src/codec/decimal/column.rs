//! What a DECIMAL column declares: precision, scale and physical type, and the rules that tie them together
//! (parquet-format, LogicalTypes.md, section DECIMAL).

use core::fmt;

/// How a column stores its unscaled values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Physical {
    /// INT32: 4 bytes little-endian, precision 1 to 9.
    Int32,
    /// INT64: 8 bytes little-endian, precision 1 to 18.
    Int64,
    /// FIXED_LEN_BYTE_ARRAY of this many bytes, two's complement, big-endian.
    Fixed(u32),
    /// BYTE_ARRAY: a 4-byte little-endian length, then two's complement, big-endian, in the fewest bytes.
    ByteArray,
}

impl Physical {
    /// The rule "smallest": INT32 up to 9 digits, INT64 up to 18, then [`Physical::always_fixed`].
    pub const fn smallest(precision: u32) -> Self {
        match precision {
            0..=9 => Self::Int32,
            10..=18 => Self::Int64,
            _ => Self::always_fixed(precision),
        }
    }

    /// The rule "always fixed": FIXED_LEN_BYTE_ARRAY of [`fixed_width`] bytes, for every precision.
    pub const fn always_fixed(precision: u32) -> Self {
        Self::Fixed(fixed_width(precision))
    }

    /// Bytes of one value, where all values have the same: `None` for BYTE_ARRAY.
    pub const fn width(self) -> Option<u32> {
        match self {
            Self::Int32 => Some(4),
            Self::Int64 => Some(8),
            Self::Fixed(width) => Some(width),
            Self::ByteArray => None,
        }
    }

    /// The most digits that this type can hold by the specification: `None` for BYTE_ARRAY, which has no limit.
    pub const fn max_precision(self) -> Option<u64> {
        match self {
            Self::Int32 => Some(9),
            Self::Int64 => Some(18),
            Self::Fixed(width) => Some(max_precision(width)),
            Self::ByteArray => None,
        }
    }
}

impl fmt::Display for Physical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int32 => f.write_str("INT32"),
            Self::Int64 => f.write_str("INT64"),
            Self::Fixed(width) => write!(f, "FIXED_LEN_BYTE_ARRAY({width})"),
            Self::ByteArray => f.write_str("BYTE_ARRAY"),
        }
    }
}

/// log2(10) * 2^90, rounded down.
const LOG2_10: u128 = 0x0d49_a784_bcd1_b8af_e492_bf6f;
/// log10(2) * 2^90, rounded down.
const LOG10_2: u128 = 0x0134_4135_09f7_9fef_311f_12b3;

/// The fewest bytes whose two's complement holds every number of `precision` digits: the smallest n with
/// `10^precision - 1 <= 2^(8n-1) - 1`.
///
/// Exact for every `u32`: for these, `precision * log2(10)` stays at least 2^-36 away from whole numbers (its
/// continued fraction shows it), and the error of the product below is less than 2^-58.
pub const fn fixed_width(precision: u32) -> u32 {
    // One bit more, for the sign.
    (bits_of_pow10(precision) / 8 + 1) as u32
}

/// Bits of `10^exponent`, which is a power of two for exponent 0 only: `floor(exponent * log2(10)) + 1`.
pub(super) const fn bits_of_pow10(exponent: u32) -> u64 {
    ((exponent as u128 * LOG2_10) >> 90) as u64 + 1
}

/// The most digits that `width` bytes of two's complement hold in full: `floor(log10(2^(8 * width - 1) - 1))`.
///
/// Exact for every `u32`, for the same reason as [`fixed_width`]. Width 0 holds no digit.
pub const fn max_precision(width: u32) -> u64 {
    if width == 0 {
        return 0;
    }
    (((8 * width as u128 - 1) * LOG10_2) >> 90) as u64
}

/// A DECIMAL column. What exists is valid: at least one digit, `scale <= precision`, and a physical type that can hold
/// every number of `precision` digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    precision: u32,
    scale: u32,
    physical: Physical,
}

impl Column {
    /// Checks what the specification demands of a DECIMAL annotation.
    ///
    /// # Errors
    /// See [`ColumnError`]; the checks run in the order of its variants.
    pub const fn new(precision: u32, scale: u32, physical: Physical) -> Result<Self, ColumnError> {
        if precision == 0 {
            return Err(ColumnError::ZeroPrecision);
        }
        if scale > precision {
            return Err(ColumnError::ScaleExceedsPrecision { scale, precision });
        }
        if let Some(max) = physical.max_precision()
            && precision as u64 > max
        {
            return Err(ColumnError::PrecisionExceedsType { precision, max });
        }
        Ok(Self { precision, scale, physical })
    }

    /// Decimal digits of a value, at most.
    pub const fn precision(&self) -> u32 {
        self.precision
    }

    /// How many of the digits stand after the point.
    pub const fn scale(&self) -> u32 {
        self.scale
    }

    /// How the unscaled values are stored.
    pub const fn physical(&self) -> Physical {
        self.physical
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DECIMAL({},{}) as {}", self.precision, self.scale, self.physical)
    }
}

/// Why a precision, a scale and a physical type do not make a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnError {
    /// The precision is 0; it must be at least 1.
    ZeroPrecision,
    /// More digits after the point than digits.
    ScaleExceedsPrecision {
        /// The scale asked for.
        scale: u32,
        /// The precision asked for.
        precision: u32,
    },
    /// The physical type cannot hold every number of that many digits.
    PrecisionExceedsType {
        /// The precision asked for.
        precision: u32,
        /// The most digits that the physical type holds.
        max: u64,
    },
}

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ZeroPrecision => f.write_str("the precision is 0, it must be at least 1"),
            Self::ScaleExceedsPrecision { scale, precision } => {
                write!(f, "the scale {scale} is larger than the precision {precision}")
            }
            Self::PrecisionExceedsType { precision, max } => {
                write!(f, "the precision is {precision}, the physical type holds at most {max} digits")
            }
        }
    }
}

impl core::error::Error for ColumnError {}
