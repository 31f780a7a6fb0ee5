//! Cases of the AMQP decimal: how they are written down.

use crate::case::{ByteReader, ByteWriter, Domain, Fields, TextError};
use crate::codec::amqp_decimal::{NegativeZero, Normalization, Params as CodecParams, Profile, Raw, Sign};
use rust_decimal::Decimal;

mod cells;
mod draw;
mod museum;
mod spans;
mod subjects;

/// Most values of a case in the byte form.
const COUNT_LIMIT: usize = 4096;

/// The codec `amqp_decimal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AmqpDecimal;

/// What is fixed for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The codec's own.
    pub codec: CodecParams,
    /// The form in which values are handed over.
    pub form: Form,
    /// How many values a decode reads; as many as the bytes have room for, the last one cut or not, when `None`.
    pub count: Option<u16>,
}

impl Params {
    /// How many values a decode of so many bytes reads.
    pub fn count_in(&self, bytes: usize) -> usize {
        self.count.map_or(bytes.div_ceil(self.codec.value_len()), usize::from)
    }
}

/// The form in which values are handed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Sign, magnitude and scale.
    #[default]
    Raw,
    /// `rust_decimal::Decimal`.
    Decimal,
}

/// Values of a call, in one of the forms.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Sign, magnitude and scale.
    Raw(Vec<Raw>),
    /// `rust_decimal::Decimal`; equal only when the parts are.
    Decimal(Vec<Parts>),
}

/// A `Decimal` that is equal only to one of the same scale and sign: 1.0 is not 1, and -0 is not 0.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Parts(pub Decimal);

impl PartialEq for Parts {
    fn eq(&self, other: &Self) -> bool {
        self.0.serialize() == other.0.serialize()
    }
}

impl Default for Values {
    fn default() -> Self {
        Self::Raw(Vec::new())
    }
}

impl Values {
    /// An empty list of a form; the buffer is kept when the form stays.
    pub fn clear(&mut self, form: Form) {
        match (&mut *self, form) {
            (Self::Raw(list), Form::Raw) => list.clear(),
            (Self::Decimal(list), Form::Decimal) => list.clear(),
            (_, Form::Raw) => *self = Self::Raw(Vec::new()),
            (_, Form::Decimal) => *self = Self::Decimal(Vec::new()),
        }
    }

    /// Appends a number; its parts are cut to what the form can hold.
    pub fn push(&mut self, negative: bool, magnitude: u128, scale: u32) {
        match self {
            Self::Raw(list) => {
                let sign = if negative { Sign::Minus } else { Sign::Plus };
                list.push(Raw { magnitude: magnitude as u64, scale, sign });
            }
            Self::Decimal(list) => {
                let magnitude = magnitude & ((1 << 96) - 1);
                let mut decimal = Decimal::from_i128_with_scale(magnitude as i128, scale % 29);
                decimal.set_sign_negative(negative);
                list.push(Parts(decimal));
            }
        }
    }

    /// The numbers as sign, magnitude, scale.
    pub fn numbers(&self) -> Vec<(bool, u128, u32)> {
        match self {
            Self::Raw(list) => list.iter().map(|raw| (raw.is_negative(), raw.magnitude.into(), raw.scale)).collect(),
            Self::Decimal(list) => list
                .iter()
                .map(|Parts(decimal)| (decimal.is_sign_negative(), decimal.mantissa().unsigned_abs(), decimal.scale()))
                .collect(),
        }
    }

    fn of(form: Form, numbers: impl IntoIterator<Item = (bool, u128, u32)>) -> Self {
        let mut values = Self::default();
        values.clear(form);
        for (negative, magnitude, scale) in numbers {
            values.push(negative, magnitude, scale);
        }
        values
    }
}

const PROFILES: [(&str, Profile); 3] =
    [("errata", Profile::Errata), ("dotnet", Profile::DotNet), ("unsigned", Profile::Unsigned)];
const TAGS: [(&str, bool); 2] = [("with", true), ("without", false)];
const NORMALIZATIONS: [(&str, Normalization); 2] =
    [("keep", Normalization::Keep), ("strip trailing zeros", Normalization::StripTrailingZeros)];
const NEGATIVE_ZEROS: [(&str, NegativeZero); 2] =
    [("refuse", NegativeZero::Refuse), ("write zero", NegativeZero::WriteZero)];
const FORMS: [(&str, Form); 2] = [("raw", Form::Raw), ("rust_decimal", Form::Decimal)];

/// The name of a choice.
fn name<T: PartialEq>(choices: &[(&'static str, T)], value: &T) -> &'static str {
    choices.iter().find(|(_, choice)| choice == value).map_or("?", |(name, _)| name)
}

/// One number as `-15e-1`: mantissa and scale as they stand.
fn number_to_text((negative, magnitude, scale): (bool, u128, u32)) -> String {
    format!("{}{magnitude}e-{scale}", if negative { "-" } else { "" })
}

fn number_from_text(form: Form, text: &str) -> Result<(bool, u128, u32), TextError> {
    let error = || TextError::new("values", text, "a mantissa and a scale, as -15e-1, that the form can hold");
    let (mantissa, scale) = text.split_once("e-").ok_or_else(error)?;
    let (negative, digits) = mantissa.strip_prefix('-').map_or((false, mantissa), |digits| (true, digits));
    let magnitude: u128 = digits.parse().map_err(|_| error())?;
    let scale: u32 = scale.parse().map_err(|_| error())?;
    let fits = match form {
        Form::Raw => magnitude <= u64::MAX.into(),
        Form::Decimal => magnitude < 1 << 96 && scale <= 28,
    };
    if fits { Ok((negative, magnitude, scale)) } else { Err(error()) }
}

impl Domain for AmqpDecimal {
    const CODEC: &'static str = "amqp_decimal";
    const ID: u8 = 2;
    const PROFILES: &'static [&'static str] = &["errata", "dotnet", "unsigned"];
    type Params = Params;
    type Values = Values;

    fn params_to_text(params: &Params, fields: &mut Fields) {
        fields.push("profile", params.codec.profile.name());
        fields.push("tag", name(&TAGS, &params.codec.tag));
        if params.codec.normalization != Normalization::default() {
            fields.push("normalization", name(&NORMALIZATIONS, &params.codec.normalization));
        }
        if params.codec.negative_zero != NegativeZero::default() {
            fields.push("negative zero", name(&NEGATIVE_ZEROS, &params.codec.negative_zero));
        }
        fields.push("form", name(&FORMS, &params.form));
        if let Some(count) = params.count {
            fields.push("count", count);
        }
    }

    fn params_from_text(fields: &Fields) -> Result<Params, TextError> {
        Ok(Params {
            codec: CodecParams {
                profile: fields.choice("profile", &PROFILES)?,
                tag: fields.choice("tag", &TAGS)?,
                normalization: fields.choice("normalization", &NORMALIZATIONS)?,
                negative_zero: fields.choice("negative zero", &NEGATIVE_ZEROS)?,
            },
            form: fields.choice("form", &FORMS)?,
            count: fields.get("count").map(|_| fields.parsed("count", "a number below 65536")).transpose()?,
        })
    }

    fn values_to_text(_params: &Params, values: &Values) -> String {
        values.numbers().into_iter().map(number_to_text).collect::<Vec<_>>().join(", ")
    }

    fn values_from_text(params: &Params, text: &str) -> Result<Values, TextError> {
        let numbers: Vec<_> = text
            .split(',')
            .map(str::trim)
            .filter(|number| !number.is_empty())
            .map(|number| number_from_text(params.form, number))
            .collect::<Result<_, _>>()?;
        Ok(Values::of(params.form, numbers))
    }

    fn params_to_bytes(params: &Params, writer: &mut ByteWriter) {
        let position = |flag: bool, bit: u8| u8::from(flag) << bit;
        let profile = PROFILES.iter().position(|(_, profile)| *profile == params.codec.profile).unwrap_or(0);
        writer.u8(profile as u8);
        writer.u8(position(!params.codec.tag, 0)
            | position(params.codec.normalization == Normalization::StripTrailingZeros, 1)
            | position(params.codec.negative_zero == NegativeZero::WriteZero, 2)
            | position(params.form == Form::Decimal, 3));
        writer.usize(params.count.map_or(0, |count| usize::from(count) + 1));
    }

    fn params_from_bytes(reader: &mut ByteReader<'_>) -> Params {
        let (_, profile) = PROFILES[reader.choice(PROFILES.len())];
        let flags = reader.u8();
        let flag = |bit: u8| usize::from(flags >> bit & 1);
        let count = reader.usize(usize::from(u16::MAX) + 1);
        Params {
            codec: CodecParams {
                profile,
                tag: TAGS[flag(0)].1,
                normalization: NORMALIZATIONS[flag(1)].1,
                negative_zero: NEGATIVE_ZEROS[flag(2)].1,
            },
            form: FORMS[flag(3)].1,
            count: count.checked_sub(1).map(|count| count as u16),
        }
    }

    fn values_to_bytes(_params: &Params, values: &Values, writer: &mut ByteWriter) {
        let numbers = values.numbers();
        writer.usize(numbers.len());
        for (negative, magnitude, scale) in numbers {
            writer.u128(magnitude << 1 | u128::from(negative));
            writer.usize(scale as usize);
        }
    }

    fn values_from_bytes(params: &Params, reader: &mut ByteReader<'_>, values: &mut Values) {
        values.clear(params.form);
        for _ in 0..reader.count(COUNT_LIMIT) {
            let number = reader.u128();
            let scale = reader.usize(u32::MAX as usize) as u32;
            values.push(number & 1 == 1, number >> 1, scale);
            if reader.rest().is_empty() {
                break;
            }
        }
    }

    fn count(values: &Values) -> usize {
        match values {
            Values::Raw(list) => list.len(),
            Values::Decimal(list) => list.len(),
        }
    }

    /// A count is for decoders.
    fn reads_back(params: &Params, values: &Values) -> bool {
        params.count.is_none_or(|count| usize::from(count) == Self::count(values))
    }

    /// Normalisation and a dropped sign of zero are what the options ask for; everything else must come back.
    fn same_values(params: &Params, encoded: &Values, decoded: &Values) -> bool {
        let normal = |(negative, mut magnitude, mut scale): (bool, u128, u32)| {
            if params.codec.normalization == Normalization::StripTrailingZeros {
                if magnitude == 0 {
                    scale = 0;
                }
                while scale > 0 && magnitude.is_multiple_of(10) {
                    (magnitude, scale) = (magnitude / 10, scale - 1);
                }
            }
            let signless = magnitude == 0 && params.codec.profile != Profile::DotNet;
            (negative && !signless, magnitude, scale)
        };
        let encoded: Vec<_> = encoded.numbers().into_iter().map(normal).collect();
        encoded == decoded.numbers()
    }
}
