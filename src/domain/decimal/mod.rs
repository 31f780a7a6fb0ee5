//! Cases of Parquet DECIMAL: how they are written down.

use crate::case::{ByteReader, ByteWriter, Domain, Fields, TextError};
use crate::codec::decimal::{Column, ColumnOptions, Physical, PrecisionCheck, Rounding};
use crate::error::{DecodeError, EncodeError};
use core::str::FromStr;

mod cells;
mod draw;
mod museum;
mod number;
mod spans;
mod subjects;
mod values;

pub use number::Number;
pub use values::{Form, Values};

/// Most values of a case.
const COUNT_LIMIT: usize = 4096;
/// Largest precision and scale of a case.
const DIGITS_LIMIT: u32 = 2000;
/// Most bytes of a value of a case.
const WIDTH_LIMIT: u32 = 256;

/// The codec `decimal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal;

/// What is fixed for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Decimal digits of the column.
    pub precision: u32,
    /// How many of them stand after the point.
    pub scale: u32,
    /// How the column stores its values.
    pub physical: Physical,
    /// Checks and rounding.
    pub options: ColumnOptions,
    /// The form in which values are handed over.
    pub form: Form,
    /// How many values a decode reads; as many as the bytes have room for, the last one cut or not, when `None`.
    pub count: Option<u16>,
}

impl Params {
    /// A column with everything else as it is by default.
    pub fn new(precision: u32, scale: u32, physical: Physical, form: Form) -> Self {
        Self { precision, scale, physical, options: ColumnOptions::default(), form, count: None }
    }

    /// The column. Precision, scale and type of a case need not make one: that is an error for subjects to give.
    ///
    /// # Errors
    /// `InvalidDecimalColumn`.
    pub fn column(&self) -> Result<Column, EncodeError> {
        Column::new(self.precision, self.scale, self.physical).map_err(|_| EncodeError::InvalidDecimalColumn {
            precision: self.precision,
            scale: self.scale,
            max_precision: self.physical.max_precision(),
        })
    }

    /// [`column`](Self::column) for a decoder.
    ///
    /// # Errors
    /// `InvalidDecimalColumn`.
    pub fn column_to_read(&self) -> Result<Column, DecodeError> {
        Column::new(self.precision, self.scale, self.physical).map_err(|_| DecodeError::InvalidDecimalColumn {
            precision: self.precision,
            scale: self.scale,
            max_precision: self.physical.max_precision(),
        })
    }

    /// How many values a decode of these bytes reads.
    pub fn count_in(&self, bytes: &[u8]) -> usize {
        if let Some(count) = self.count {
            return count.into();
        }
        match self.physical.width() {
            Some(0) => 0,
            Some(width) => bytes.len().div_ceil(width as usize),
            None => Items::new(bytes).count(),
        }
    }
}

/// The items of a BYTE_ARRAY page, each with its length, the last one cut or not: where it starts, and its bytes.
struct Items<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Items<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }
}

/// An item of a page.
struct Item<'a> {
    /// Where it starts.
    offset: usize,
    /// Its length and body, or what is there of it.
    bytes: &'a [u8],
    /// Whether it is whole.
    whole: bool,
}

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        let (offset, rest) = (self.at, &self.bytes[self.at..]);
        if rest.is_empty() {
            return None;
        }
        let length = rest.first_chunk().map(|length| u32::from_le_bytes(*length) as usize);
        let whole = length.and_then(|length| rest[4..].get(..length)).is_some();
        let bytes = if whole { &rest[..4 + length.unwrap_or(0)] } else { rest };
        self.at += bytes.len();
        Some(Item { offset, bytes, whole })
    }
}

const CHECKS: [(&str, PrecisionCheck); 2] = [("enforce", PrecisionCheck::Enforce), ("skip", PrecisionCheck::Skip)];
const ROUNDINGS: [(&str, Rounding); 3] =
    [("exact", Rounding::Exact), ("toward zero", Rounding::TowardZero), ("half even", Rounding::HalfEven)];
const FORMS: [(&str, Form); 6] = [
    ("i32", Form::I32),
    ("i64", Form::I64),
    ("i128", Form::I128),
    ("i256", Form::I256),
    ("BigInt", Form::BigInt),
    ("rust_decimal", Form::RustDecimal),
];

/// Which of the choices it is.
fn position<T: PartialEq>(choices: &[(&'static str, T)], value: &T) -> usize {
    choices.iter().position(|(_, choice)| choice == value).unwrap_or(0)
}

/// `DECIMAL(28,6) FIXED(12)`.
fn column_to_text(params: &Params) -> String {
    let physical = match params.physical {
        Physical::Fixed(width) => format!("FIXED({width})"),
        other => other.to_string(),
    };
    format!("DECIMAL({},{}) {physical}", params.precision, params.scale)
}

fn column_from_text(text: &str) -> Option<(u32, u32, Physical)> {
    fn number(text: &str, limit: u32) -> Option<u32> {
        u32::from_str(text.trim()).ok().filter(|number| *number <= limit)
    }
    let (digits, physical) = text.strip_prefix("DECIMAL(")?.split_once(')')?;
    let (precision, scale) = digits.split_once(',')?;
    let physical = match physical.trim() {
        "INT32" => Physical::Int32,
        "INT64" => Physical::Int64,
        "BYTE_ARRAY" => Physical::ByteArray,
        fixed => Physical::Fixed(number(fixed.strip_prefix("FIXED(")?.strip_suffix(')')?, WIDTH_LIMIT)?),
    };
    Some((number(precision, DIGITS_LIMIT)?, number(scale, DIGITS_LIMIT)?, physical))
}

impl Domain for Decimal {
    const CODEC: &'static str = "decimal";
    const ID: u8 = 1;
    type Params = Params;
    type Values = Values;

    fn params_to_text(params: &Params, fields: &mut Fields) {
        fields.push("column", column_to_text(params));
        if params.options.precision_check != PrecisionCheck::default() {
            fields.push("precision check", CHECKS[position(&CHECKS, &params.options.precision_check)].0);
        }
        if params.options.rounding != Rounding::default() {
            fields.push("rounding", ROUNDINGS[position(&ROUNDINGS, &params.options.rounding)].0);
        }
        fields.push("form", params.form.name());
        if let Some(count) = params.count {
            fields.push("count", count);
        }
    }

    fn params_from_text(fields: &Fields) -> Result<Params, TextError> {
        let text = fields.need("column")?;
        let expected = "DECIMAL(precision,scale) and INT32, INT64, FIXED(bytes) or BYTE_ARRAY: \
                        at most 2000 digits and 256 bytes";
        let (precision, scale, physical) =
            column_from_text(text).ok_or_else(|| TextError::new("column", text, expected))?;
        let count: Option<u16> = fields.get("count").map(|_| fields.parsed("count", "a number")).transpose()?;
        if let Some(count) = count.filter(|count| usize::from(*count) > COUNT_LIMIT) {
            return Err(TextError::new("count", &count.to_string(), format!("at most {COUNT_LIMIT}")));
        }
        Ok(Params {
            precision,
            scale,
            physical,
            options: ColumnOptions {
                precision_check: fields.choice("precision check", &CHECKS)?,
                rounding: fields.choice("rounding", &ROUNDINGS)?,
            },
            form: fields.choice("form", &FORMS)?,
            count,
        })
    }

    fn values_to_text(_params: &Params, values: &Values) -> String {
        values.numbers().map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
    }

    fn values_from_text(params: &Params, text: &str) -> Result<Values, TextError> {
        let mut values = Values::default();
        values.clear(params.form);
        for text in text.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            let number = Number::parse(params.form, text).ok_or_else(|| {
                TextError::new("values", text, format!("a number that the form {} can hold", params.form.name()))
            })?;
            values.push(&number);
        }
        if values.len() > COUNT_LIMIT {
            return Err(TextError::new("values", &values.len().to_string(), format!("at most {COUNT_LIMIT} values")));
        }
        Ok(values)
    }

    fn params_to_bytes(params: &Params, writer: &mut ByteWriter) {
        writer.usize(params.precision as usize);
        writer.usize(params.scale as usize);
        match params.physical {
            Physical::Int32 => writer.u8(0),
            Physical::Int64 => writer.u8(1),
            Physical::ByteArray => writer.u8(2),
            Physical::Fixed(width) => {
                writer.u8(3);
                writer.usize(width as usize);
            }
        }
        let choices = position(&CHECKS, &params.options.precision_check)
            + CHECKS.len() * position(&ROUNDINGS, &params.options.rounding)
            + CHECKS.len() * ROUNDINGS.len() * position(&FORMS, &params.form);
        writer.u8(choices as u8);
        writer.usize(params.count.map_or(0, |count| usize::from(count) + 1));
    }

    fn params_from_bytes(reader: &mut ByteReader<'_>) -> Params {
        let precision = reader.usize(DIGITS_LIMIT as usize) as u32;
        let scale = reader.usize(DIGITS_LIMIT as usize) as u32;
        let physical = match reader.choice(4) {
            0 => Physical::Int32,
            1 => Physical::Int64,
            2 => Physical::ByteArray,
            _ => Physical::Fixed(reader.usize(WIDTH_LIMIT as usize) as u32),
        };
        let choices = reader.choice(CHECKS.len() * ROUNDINGS.len() * FORMS.len());
        let options = ColumnOptions {
            precision_check: CHECKS[choices % CHECKS.len()].1,
            rounding: ROUNDINGS[choices / CHECKS.len() % ROUNDINGS.len()].1,
        };
        let form = FORMS[choices / CHECKS.len() / ROUNDINGS.len()].1;
        let count = reader.usize(COUNT_LIMIT + 1).checked_sub(1).map(|count| count as u16);
        Params { precision, scale, physical, options, form, count }
    }

    fn values_to_bytes(_params: &Params, values: &Values, writer: &mut ByteWriter) {
        writer.usize(values.len());
        values.write(writer);
    }

    fn values_from_bytes(params: &Params, reader: &mut ByteReader<'_>, values: &mut Values) {
        values.clear(params.form);
        let count = reader.count(COUNT_LIMIT);
        values.read(count, reader);
    }

    fn count(values: &Values) -> usize {
        values.len()
    }

    /// A `rust_decimal` column reads no more than 28 decimal places and 96 bits, and stores any. A count is for decoders.
    fn reads_back(params: &Params, values: &Values) -> bool {
        params.count.is_none_or(|count| usize::from(count) == values.len())
            && (params.form != Form::RustDecimal
                || params.scale <= 28 && values.numbers().all(|number| number.fits_rust_decimal(params.scale)))
    }

    /// `rust_decimal` values come back at the column's scale, without the sign of zero, and rounded where that was
    /// asked for. All others come back as they are.
    fn same_values(params: &Params, encoded: &Values, decoded: &Values) -> bool {
        match (encoded, decoded) {
            (Values::RustDecimal(encoded), Values::RustDecimal(decoded)) => {
                encoded.len() == decoded.len()
                    && encoded.iter().zip(decoded).all(|(encoded, decoded)| {
                        number::is_rescaled(encoded, decoded, params.scale, params.options.rounding)
                    })
            }
            _ => encoded == decoded,
        }
    }
}
