//! Cases of AMQP field tables and arrays: how they are written down.

use crate::case::{ByteReader, ByteWriter, Domain, Fields, TextError};
use crate::codec::amqp_decimal::{NegativeZero, Normalization, Params as DecimalParams, Profile as DecimalProfile};
use crate::codec::amqp_decimal::{Raw, Sign};
use crate::codec::amqp_table::{Array, Duplicates, Entry, Params as CodecParams, Profile, Table};

mod bytes;
mod cells;
mod draw;
mod museum;
mod simplify;
mod spans;
mod subjects;
mod text;
mod tree;

#[cfg(test)]
mod tests;

/// A field value with nothing borrowed.
pub type Field = crate::codec::amqp_table::Field<'static>;

/// Most values of a case, nested ones included.
const COUNT_LIMIT: usize = 4096;

/// Most levels of a case: one more than any limit of the codec.
const LEVEL_LIMIT: usize = 257;

/// The codec `amqp_table`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AmqpTable;

/// What is fixed for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The codec's own.
    pub codec: CodecParams,
    /// What is outermost.
    pub top: Top,
}

/// What is outermost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Top {
    /// A table.
    #[default]
    Table,
    /// An array.
    Array,
}

/// A table or an array, nothing in it borrowed.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// A table.
    Table(Table<'static>),
    /// An array.
    Array(Array<'static>),
}

impl Default for Values {
    fn default() -> Self {
        Self::Table(Table::default())
    }
}

impl Values {
    fn table(entries: Vec<Entry<'static>>) -> Self {
        Self::Table(entries.into())
    }

    fn array(values: Vec<Field>) -> Self {
        Self::Array(values.into())
    }

    /// An empty one.
    fn empty(top: Top) -> Self {
        match top {
            Top::Table => Self::table(Vec::new()),
            Top::Array => Self::array(Vec::new()),
        }
    }
}

const PROFILES: [(&str, Profile); 2] = [("rabbitmq", Profile::RabbitMq), ("specification", Profile::Specification)];
const DECIMALS: [(&str, DecimalProfile); 3] =
    [("errata", DecimalProfile::Errata), ("dotnet", DecimalProfile::DotNet), ("unsigned", DecimalProfile::Unsigned)];
const NORMALIZATIONS: [(&str, Normalization); 2] =
    [("keep", Normalization::Keep), ("strip trailing zeros", Normalization::StripTrailingZeros)];
const NEGATIVE_ZEROS: [(&str, NegativeZero); 2] =
    [("refuse", NegativeZero::Refuse), ("write zero", NegativeZero::WriteZero)];
const DUPLICATES: [(&str, Duplicates); 2] = [("refuse", Duplicates::Refuse), ("accept", Duplicates::Accept)];
const TOPS: [(&str, Top); 2] = [("table", Top::Table), ("array", Top::Array)];

/// The position of a choice.
fn position<T: PartialEq>(choices: &[(&str, T)], value: &T) -> usize {
    choices.iter().position(|(_, choice)| choice == value).unwrap_or(0)
}

/// Parameters from their choices.
fn params(
    profile: Profile,
    decimals: DecimalProfile,
    normalization: Normalization,
    negative_zero: NegativeZero,
) -> CodecParams {
    let decimal = DecimalParams { normalization, negative_zero, ..DecimalParams::new(decimals) };
    CodecParams { decimal, ..CodecParams::new(profile) }
}

impl Domain for AmqpTable {
    const CODEC: &'static str = "amqp_table";
    const ID: u8 = 6;
    const PROFILES: &'static [&'static str] = &["rabbitmq", "specification"];
    type Params = Params;
    type Values = Values;

    fn params_to_text(params: &Params, fields: &mut Fields) {
        let codec = &params.codec;
        fields.push("profile", codec.profile.name());
        fields.push("decimals", codec.decimal.profile.name());
        if codec.decimal.normalization != Normalization::default() {
            fields.push("normalization", NORMALIZATIONS[1].0);
        }
        if codec.decimal.negative_zero != NegativeZero::default() {
            fields.push("negative zero", NEGATIVE_ZEROS[1].0);
        }
        if codec.duplicates != Duplicates::default() {
            fields.push("duplicates", DUPLICATES[1].0);
        }
        if codec.max_depth != CodecParams::DEFAULT_MAX_DEPTH {
            fields.push("levels", codec.max_depth);
        }
        fields.push("top", TOPS[position(&TOPS, &params.top)].0);
    }

    fn params_from_text(fields: &Fields) -> Result<Params, TextError> {
        let mut codec = params(
            fields.choice("profile", &PROFILES)?,
            fields.choice("decimals", &DECIMALS)?,
            fields.choice("normalization", &NORMALIZATIONS)?,
            fields.choice("negative zero", &NEGATIVE_ZEROS)?,
        );
        codec.duplicates = fields.choice("duplicates", &DUPLICATES)?;
        if fields.get("levels").is_some() {
            codec.max_depth = fields.parsed("levels", "a number below 256")?;
        }
        Ok(Params { codec, top: fields.choice("top", &TOPS)? })
    }

    fn values_to_text(_params: &Params, values: &Values) -> String {
        text::write(values)
    }

    fn values_from_text(params: &Params, text: &str) -> Result<Values, TextError> {
        text::read(params.top, text)
    }

    fn params_to_bytes(params: &Params, writer: &mut ByteWriter) {
        let codec = &params.codec;
        writer.u8(position(&PROFILES, &codec.profile) as u8);
        writer.u8(position(&DECIMALS, &codec.decimal.profile) as u8);
        let flags = [
            position(&NORMALIZATIONS, &codec.decimal.normalization),
            position(&NEGATIVE_ZEROS, &codec.decimal.negative_zero),
            position(&DUPLICATES, &codec.duplicates),
            position(&TOPS, &params.top),
        ];
        writer.u8(flags.iter().rev().fold(0, |bits, flag| bits << 1 | *flag as u8));
        writer.u8(codec.max_depth);
    }

    fn params_from_bytes(reader: &mut ByteReader<'_>) -> Params {
        let (_, profile) = PROFILES[reader.choice(PROFILES.len())];
        let (_, decimals) = DECIMALS[reader.choice(DECIMALS.len())];
        let flags = reader.u8();
        let flag = |bit: u8| usize::from(flags >> bit & 1);
        let mut codec = params(profile, decimals, NORMALIZATIONS[flag(0)].1, NEGATIVE_ZEROS[flag(1)].1);
        codec.duplicates = DUPLICATES[flag(2)].1;
        codec.max_depth = reader.u8();
        Params { codec, top: TOPS[flag(3)].1 }
    }

    fn values_to_bytes(_params: &Params, values: &Values, writer: &mut ByteWriter) {
        bytes::write(values, writer);
    }

    fn values_from_bytes(params: &Params, reader: &mut ByteReader<'_>, values: &mut Values) {
        *values = bytes::read(params.top, reader);
    }

    fn count(values: &Values) -> usize {
        match values {
            Values::Table(table) => table.entries.len(),
            Values::Array(array) => array.values.len(),
        }
    }

    /// Normalisation and a dropped sign of zero are what the options ask for; everything else must come back.
    fn same_values(params: &Params, encoded: &Values, decoded: &Values) -> bool {
        if encoded == decoded {
            return true;
        }
        let decimal = params.codec.decimal;
        let mut normal = encoded.clone();
        tree::each(&mut normal, &mut |field| {
            let Field::Decimal(raw) = field else { return };
            if decimal.normalization == Normalization::StripTrailingZeros {
                strip(raw);
            }
            if raw.magnitude == 0 && decimal.profile != DecimalProfile::DotNet {
                raw.sign = Sign::Plus;
            }
        });
        normal == *decoded
    }
}

fn strip(raw: &mut Raw) {
    if raw.magnitude == 0 {
        raw.scale = 0;
    }
    while raw.scale > 0 && raw.magnitude.is_multiple_of(10) {
        raw.magnitude /= 10;
        raw.scale -= 1;
    }
}
