//! Cases of DELTA_BINARY_PACKED: how they are written down.

use super::layout::Layout;
use crate::case::{ByteReader, ByteWriter, Domain, Fields, Step, TextError};
use crate::codec::delta_binary_packed::Integer;

pub(super) mod cells;
mod draw;
mod museum;
pub(super) mod pages;
pub(super) mod spans;
mod subjects;
mod text;

/// Most values of a case in the byte form.
const COUNT_LIMIT: usize = 4096;

/// Most values that a decode takes when the case does not say.
pub(super) const MAX_VALUES: u32 = 1 << 14;

/// The codec `delta_binary_packed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeltaBinaryPacked;

/// What is fixed for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The type of the column.
    pub kind: Kind,
    /// How an encoder cuts its pages. A page that is decoded says itself how it is cut.
    pub layout: Layout,
    /// Most values that a decode takes.
    pub max_values: u32,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// INT32.
    #[default]
    I32,
    /// INT64.
    I64,
}

const KINDS: [(&str, Kind); 2] = [("i32", Kind::I32), ("i64", Kind::I64)];

impl Kind {
    /// Bits of the type.
    pub fn bits(self) -> u32 {
        match self {
            Self::I32 => i32::BITS,
            Self::I64 => i64::BITS,
        }
    }
}

/// Values of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Of an INT32 column.
    I32(Vec<i32>),
    /// Of an INT64 column.
    I64(Vec<i64>),
}

impl Default for Values {
    fn default() -> Self {
        Self::I32(Vec::new())
    }
}

impl Values {
    /// An empty list of a type; the buffer is kept when the type stays.
    pub fn clear(&mut self, kind: Kind) {
        match (&mut *self, kind) {
            (Self::I32(list), Kind::I32) => list.clear(),
            (Self::I64(list), Kind::I64) => list.clear(),
            (_, Kind::I32) => *self = Self::I32(Vec::new()),
            (_, Kind::I64) => *self = Self::I64(Vec::new()),
        }
    }

    /// Appends a value, cut to the type.
    pub fn push(&mut self, value: i64) {
        match self {
            Self::I32(list) => list.push(value as i32),
            Self::I64(list) => list.push(value),
        }
    }

    /// The values, widened.
    pub fn wide(&self) -> Vec<i64> {
        match self {
            Self::I32(list) => list.iter().map(|value| (*value).into()).collect(),
            Self::I64(list) => list.clone(),
        }
    }

    /// Values of a type.
    pub fn of(kind: Kind, values: impl IntoIterator<Item = i64>) -> Self {
        let mut list = Self::default();
        list.clear(kind);
        values.into_iter().for_each(|value| list.push(value));
        list
    }
}

/// The items that remain when `steps` say which were skipped.
pub(super) fn selected<T: Copy>(items: &[T], steps: &[Step]) -> Vec<T> {
    let (mut rest, mut taken) = (items, Vec::new());
    for step in steps {
        let (Step::Get(count) | Step::Skip(count)) = *step;
        let (here, after) = rest.split_at(rest.len().min(count.into()));
        if matches!(step, Step::Get(_)) {
            taken.extend_from_slice(here);
        }
        rest = after;
    }
    taken.extend_from_slice(rest);
    taken
}

impl Domain for DeltaBinaryPacked {
    const CODEC: &'static str = "delta_binary_packed";
    const ID: u8 = 3;
    const PROFILES: &'static [&'static str] =
        &["any geometry", "spec-128-4", "parquet-rs", "parquet-java", "parquet-net"];
    type Params = Params;
    type Values = Values;

    fn params_to_text(params: &Params, fields: &mut Fields) {
        fields.push("type", KINDS[params.kind as usize].0);
        params.layout.to_text(fields);
        if params.max_values != MAX_VALUES {
            fields.push("max values", params.max_values);
        }
    }

    fn params_from_text(fields: &Fields) -> Result<Params, TextError> {
        Ok(Params {
            kind: fields.choice("type", &KINDS)?,
            layout: Layout::from_text(fields)?,
            max_values: max_values_from_text(fields)?,
        })
    }

    fn values_to_text(_params: &Params, values: &Values) -> String {
        text::write(&values.wide())
    }

    fn values_from_text(params: &Params, text: &str) -> Result<Values, TextError> {
        let values = text::read(text)?;
        let fits = |value: &&i64| params.kind == Kind::I32 && i32::from_i64(**value).is_none();
        match values.iter().find(fits) {
            None => Ok(Values::of(params.kind, values)),
            Some(value) => Err(TextError::new("values", &value.to_string(), "values of type i32")),
        }
    }

    fn params_to_bytes(params: &Params, writer: &mut ByteWriter) {
        writer.u8(params.kind as u8);
        params.layout.to_bytes(writer);
        max_values_to_bytes(params.max_values, writer);
    }

    fn params_from_bytes(reader: &mut ByteReader<'_>) -> Params {
        Params {
            kind: KINDS[reader.choice(KINDS.len())].1,
            layout: Layout::from_bytes(reader),
            max_values: max_values_from_bytes(reader),
        }
    }

    /// As differences: a mutant that changes one moves all that follow, as it does in a page.
    fn values_to_bytes(_params: &Params, values: &Values, writer: &mut ByteWriter) {
        writer.usize(Self::count(values));
        let mut write = |previous: &mut i64, value: i64| {
            writer.i128(value.wrapping_sub(*previous).into());
            *previous = value;
        };
        let mut previous = 0;
        match values {
            Values::I32(list) => list.iter().for_each(|value| write(&mut previous, (*value).into())),
            Values::I64(list) => list.iter().for_each(|value| write(&mut previous, *value)),
        }
    }

    fn values_from_bytes(params: &Params, reader: &mut ByteReader<'_>, values: &mut Values) {
        values.clear(params.kind);
        let mut previous = 0_i64;
        for _ in 0..reader.count(COUNT_LIMIT) {
            previous = previous.wrapping_add(reader.i128() as i64);
            if params.kind == Kind::I32 {
                previous = (previous as i32).into();
            }
            values.push(previous);
            if reader.rest().is_empty() {
                break;
            }
        }
    }

    fn count(values: &Values) -> usize {
        match values {
            Values::I32(list) => list.len(),
            Values::I64(list) => list.len(),
        }
    }

    fn reads_back(params: &Params, values: &Values) -> bool {
        Self::count(values) <= params.max_values as usize
    }

    fn select(values: &Values, steps: &[Step]) -> Values {
        match values {
            Values::I32(list) => Values::I32(selected(list, steps)),
            Values::I64(list) => Values::I64(selected(list, steps)),
        }
    }
}

/// Reads `max values`.
pub(super) fn max_values_from_text(fields: &Fields) -> Result<u32, TextError> {
    let max = fields.get("max values").map(|_| fields.parsed("max values", "a number below 2^32")).transpose()?;
    Ok(max.unwrap_or(MAX_VALUES))
}

/// Appends the limit; the usual one as 0.
pub(super) fn max_values_to_bytes(max: u32, writer: &mut ByteWriter) {
    writer.usize(if max == MAX_VALUES { 0 } else { max as usize + 1 });
}

/// Reads the limit. A fuzzer gets no further than what a case may cost.
pub(super) fn max_values_from_bytes(reader: &mut ByteReader<'_>) -> u32 {
    match reader.usize(1 << 21) {
        0 => MAX_VALUES,
        max => max as u32 - 1,
    }
}
