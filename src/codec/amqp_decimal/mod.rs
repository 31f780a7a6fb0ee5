//! AMQP 0-9-1 decimal, the value behind tag `D` of a field table: one octet of scale and a 32-bit big-endian word.
//!
//! The specification contradicts itself: its grammar (4.2.1, `decimal-value = scale long-uint`) makes the word
//! unsigned, its prose (4.2.5.5) signed. RabbitMQ's errata (section 3) decide for signed; clients do all three of
//! [`Profile`], and a negative number that crosses from one to another becomes a different number without any error.
//! "The same bytes" therefore always means: under one profile.
//!
//! ```
//! use bytetwin::codec::amqp_decimal::{Params, Profile, Raw, decode_one, encode_one};
//!
//! let mut out = [0; 6];
//! encode_one(Raw::new(-125, 2), Params::new(Profile::Errata), &mut out)?;
//! assert_eq!(out, [b'D', 2, 0xff, 0xff, 0xff, 0x83]);
//! // In another profile the same octets are another number.
//! let (value, _) = decode_one::<Raw>(&out, Params::new(Profile::Unsigned))?;
//! assert_eq!(value.mantissa(), 4_294_967_171);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Contract
//!
//! The contract of [`codec`](crate::codec), and:
//!
//! * A value takes 5 octets, or 6 with its tag ([`Params::tag`]). The length depends on the count only.
//! * Values are [`Raw`] (sign, 64-bit magnitude, 32-bit scale: wide enough to be wrong) or `rust_decimal::Decimal`
//!   (feature `rust_decimal`), see [`Value`]. Nothing is lost silently: a scale, a mantissa or a negative zero that the profile cannot
//!   carry is refused. Dropping trailing zeros and writing negative zero as zero are named options, off by default.
//! * Order of checks when writing: room, then value by value: scale, mantissa, negative zero, all after normalisation.
//! * Order of checks when reading, value by value: the input holds the whole value, its tag, its scale. Every word is a
//!   value of every profile. Offsets name the octet that was refused.
//! * [`Params::normalization`] and [`Params::negative_zero`] concern writing only.

mod fast;
#[cfg(feature = "naive")]
pub mod naive;
mod raw;

#[cfg(all(test, feature = "naive"))]
mod tests;

#[doc(inline)]
pub use fast::{Value, decode_into, decode_into_with, decode_one, encode, encode_into, encode_into_with, encode_one};
pub use raw::{Raw, Sign};

/// The tag of a decimal in a field table.
pub const TAG: u8 = b'D';

/// What the 32-bit word means, and which scales exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Profile {
    /// Two's complement, scale 0 to 255: RabbitMQ's errata, the Java, Go, Python and PHP clients, amqprs.
    #[default]
    Errata,
    /// Bit 31 is the sign, 31 bits of magnitude, scale 0 to 28; zero has a sign: RabbitMQ's .NET client.
    DotNet,
    /// No sign, scale 0 to 255: the grammar's letter, RabbitMQ's server, amqplib, rabbitmq-c, amq-protocol-types.
    Unsigned,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::Errata, Self::DotNet, Self::Unsigned];

    /// `errata`, `dotnet` or `unsigned`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Errata => "errata",
            Self::DotNet => "dotnet",
            Self::Unsigned => "unsigned",
        }
    }

    /// The largest scale that is written and read.
    pub const fn max_scale(self) -> u32 {
        match self {
            Self::Errata | Self::Unsigned => 255,
            Self::DotNet => 28,
        }
    }

    /// The smallest mantissa that the word can hold.
    pub const fn min_mantissa(self) -> i64 {
        match self {
            Self::Errata => i32::MIN as i64,
            Self::DotNet => -(i32::MAX as i64),
            Self::Unsigned => 0,
        }
    }

    /// The largest mantissa that the word can hold.
    pub const fn max_mantissa(self) -> i64 {
        match self {
            Self::Errata | Self::DotNet => i32::MAX as i64,
            Self::Unsigned => u32::MAX as i64,
        }
    }
}

/// What happens to trailing zeros before a value is checked and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Normalization {
    /// Nothing: 1.10 is scale 2, mantissa 110.
    #[default]
    Keep,
    /// They are dropped while the scale is above 0: 1.10 is scale 1, mantissa 11; 0.00 is scale 0; 100 stays.
    StripTrailingZeros,
}

/// What happens to a negative zero where the profile has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NegativeZero {
    /// It is refused.
    #[default]
    Refuse,
    /// It is written as zero.
    WriteZero,
}

/// How decimals are written and read. The default is RabbitMQ's errata, with the tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    /// What the word means.
    pub profile: Profile,
    /// Whether each value starts with the octet [`TAG`].
    pub tag: bool,
    /// What happens to trailing zeros when writing.
    pub normalization: Normalization,
    /// What happens to a negative zero when writing under a profile that has none.
    pub negative_zero: NegativeZero,
}

impl Default for Params {
    fn default() -> Self {
        Self::new(Profile::Errata)
    }
}

impl Params {
    /// Tagged values of `profile`, nothing normalised, negative zero refused where the profile has none.
    pub const fn new(profile: Profile) -> Self {
        Self { profile, tag: true, normalization: Normalization::Keep, negative_zero: NegativeZero::Refuse }
    }

    /// The same without the tag.
    pub const fn without_tag(self) -> Self {
        Self { tag: false, ..self }
    }

    /// Octets that one value takes: 6 with its tag, 5 without.
    pub const fn value_len(self) -> usize {
        if self.tag { 6 } else { 5 }
    }
}

/// Octets that `values` take: [`Params::value_len`] each.
pub const fn encoded_len<T>(values: &[T], params: Params) -> usize {
    values.len() * params.value_len()
}
