//! The number as its parts, wide enough to hold what no profile can carry.

/// The sign of a [`Raw`]; zero has one too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum Sign {
    /// Zero or above.
    #[default]
    Plus = 0,
    /// Below zero, or negative zero.
    Minus = 1,
}

/// sign * magnitude * 10^-scale, with every part as it stands: 1.10 is not 1.1, and -0 is not 0.
///
/// Equality compares the parts. 16 bytes without padding, which the vector kernels rely on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Raw {
    /// The mantissa without its sign.
    pub magnitude: u64,
    /// Digits behind the point.
    pub scale: u32,
    /// The sign of the mantissa.
    pub sign: Sign,
}

const _: () = assert!(size_of::<Raw>() == 16 && align_of::<Raw>() == 8);

impl Raw {
    /// mantissa * 10^-scale. Never negative zero.
    pub const fn new(mantissa: i64, scale: u32) -> Self {
        let sign = if mantissa < 0 { Sign::Minus } else { Sign::Plus };
        Self { magnitude: mantissa.unsigned_abs(), scale, sign }
    }

    /// -0 with `scale` digits behind the point.
    pub const fn negative_zero(scale: u32) -> Self {
        Self { magnitude: 0, scale, sign: Sign::Minus }
    }

    /// Whether the sign is minus; true of negative zero.
    pub const fn is_negative(self) -> bool {
        matches!(self.sign, Sign::Minus)
    }

    /// The mantissa with its sign; negative zero gives 0.
    pub const fn mantissa(self) -> i128 {
        match self.sign {
            Sign::Plus => self.magnitude as i128,
            Sign::Minus => -(self.magnitude as i128),
        }
    }
}
