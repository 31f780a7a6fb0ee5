//! Columns of byte strings in cases: what the domains of the two delta codecs for byte arrays share.

use super::delta_binary_packed::{MAX_VALUES, max_values_from_bytes, max_values_from_text, max_values_to_bytes};
use super::layout::Layout;
use crate::case::{ByteReader, ByteWriter, Fields, Step, TextError};
use crate::codec::byte_arrays::{ByteArrays, DecodeLimits, Trailing};

pub mod cells;
pub mod draw;
pub mod forms;
mod subjects;
mod text;

pub(crate) use subjects::subjects;
pub use text::{one_to_text, read as strings_from_text, write as strings_to_text};

/// Most values of a case in the byte form, and most bytes that they take.
const COUNT_LIMIT: usize = 4096;
const DATA_LIMIT: usize = 1 << 17;

/// Most bytes that a decode gives when the case does not say.
pub const MAX_BYTES: u32 = 1 << 20;

/// Longest value of a fixed-length column in the byte form.
const WIDTH_LIMIT: usize = 1024;

/// What is fixed for a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// In which form values are handed over, and given back.
    pub form: Form,
    /// How an encoder cuts its streams of lengths.
    pub layout: Layout,
    /// Most values that a decode takes.
    pub max_values: u32,
    /// Most bytes that a decode gives.
    pub max_bytes: u32,
    /// Whether bytes behind a page are an error.
    pub trailing: Trailing,
    /// What the first prefix of a page may refer to, for files of parquet-mr before 1.8.0; nothing when empty. Only of
    /// DELTA_BYTE_ARRAY.
    pub previous: Vec<u8>,
}

/// In which form values are handed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// 32-bit offsets and data. Decodes give that back.
    #[default]
    Arrow32,
    /// 64-bit offsets and data. Decodes give that back.
    Arrow64,
    /// 32-bit offsets that start above 0, into data of which both ends are another column's. As `Arrow32` for decodes.
    Sliced,
    /// A slice for each value, all over memory. Decodes give values one by one.
    Slices,
    /// One value after another, to a writer that lives longer than the page. Decodes give values one by one.
    Stream,
    /// FIXED_LEN_BYTE_ARRAY of so many bytes, which are not 0. Decodes give values one by one.
    Fixed(u16),
}

/// The names of the steps of an axis of forms.
pub const FORMS: [&str; 6] = ["arrow32", "arrow64", "arrow32 sliced", "slices", "stream", "fixed"];

impl Form {
    /// Which of [`FORMS`] it is.
    pub fn step(self) -> usize {
        match self {
            Self::Arrow32 => 0,
            Self::Arrow64 => 1,
            Self::Sliced => 2,
            Self::Slices => 3,
            Self::Stream => 4,
            Self::Fixed(_) => 5,
        }
    }

    fn of(step: usize, width: u16) -> Self {
        [Self::Arrow32, Self::Arrow64, Self::Sliced, Self::Slices, Self::Stream, Self::Fixed(width)][step]
    }

    /// Bytes of each value of a fixed-length column.
    pub fn width(self) -> Option<usize> {
        match self {
            Self::Fixed(width) => Some(width.into()),
            _ => None,
        }
    }

    fn from_text(text: &str) -> Result<Self, TextError> {
        let error =
            || TextError::new("form", text, format!("one of {}(n), n from 1 to {}", FORMS.join(", "), u16::MAX));
        if let Some(width) = text.strip_prefix("fixed(").and_then(|text| text.strip_suffix(')')) {
            let width = width.parse().ok().filter(|width| *width > 0);
            return width.map(Self::Fixed).ok_or_else(error);
        }
        let step = FORMS[..5].iter().position(|name| *name == text).ok_or_else(error)?;
        Ok(Self::of(step, 1))
    }
}

impl Params {
    /// Adds the fields to a text.
    pub fn to_text(&self, fields: &mut Fields) {
        match self.form {
            Form::Fixed(width) => fields.push("form", format!("fixed({width})")),
            form => fields.push("form", FORMS[form.step()]),
        }
        self.layout.to_text(fields);
        if self.max_values != MAX_VALUES {
            fields.push("max values", self.max_values);
        }
        if self.max_bytes != MAX_BYTES {
            fields.push("max bytes", self.max_bytes);
        }
        if self.trailing == Trailing::Refused {
            fields.push("trailing", "refused");
        }
        if !self.previous.is_empty() {
            fields.push("previous", one_to_text(&self.previous));
        }
    }

    /// Reads what [`to_text`](Self::to_text) wrote.
    pub fn from_text(fields: &Fields) -> Result<Self, TextError> {
        let max_bytes =
            fields.get("max bytes").map(|_| fields.parsed("max bytes", "a number below 2^32")).transpose()?;
        let previous = match fields.get("previous") {
            None => Vec::new(),
            Some(text) => match strings_from_text("previous", text)?.as_slice() {
                [one] => one.clone(),
                _ => return Err(TextError::new("previous", text, "one value")),
            },
        };
        Ok(Self {
            form: Form::from_text(fields.get("form").unwrap_or(FORMS[0]))?,
            layout: Layout::from_text(fields)?,
            max_values: max_values_from_text(fields)?,
            max_bytes: max_bytes.unwrap_or(MAX_BYTES),
            trailing: fields.choice("trailing", &[("allowed", Trailing::Allowed), ("refused", Trailing::Refused)])?,
            previous,
        })
    }

    /// Appends the byte form.
    pub fn to_bytes(&self, writer: &mut ByteWriter) {
        writer.u8(self.form.step() as u8);
        if let Some(width) = self.form.width() {
            writer.usize(width - 1);
        }
        self.layout.to_bytes(writer);
        max_values_to_bytes(self.max_values, writer);
        writer.usize(if self.max_bytes == MAX_BYTES { 0 } else { self.max_bytes as usize + 1 });
        writer.u8((self.trailing == Trailing::Refused).into());
    }

    /// Reads the byte form.
    pub fn from_bytes(reader: &mut ByteReader<'_>) -> Self {
        let step = reader.choice(FORMS.len());
        let width = if step == 5 { 1 + reader.usize(WIDTH_LIMIT - 1) } else { 1 };
        Self {
            form: Form::of(step, width as u16),
            layout: Layout::from_bytes(reader),
            max_values: max_values_from_bytes(reader),
            max_bytes: match reader.usize(1 << 24) {
                0 => MAX_BYTES,
                max => max as u32 - 1,
            },
            trailing: if reader.choice(2) == 0 { Trailing::Allowed } else { Trailing::Refused },
            previous: Vec::new(),
        }
    }

    /// The limits of a decode.
    pub fn limits(&self) -> DecodeLimits {
        DecodeLimits {
            max_values: self.max_values as usize,
            max_bytes: self.max_bytes as usize,
            trailing: self.trailing,
        }
    }

    /// Whether a decode takes so many values back.
    pub fn reads_back(&self, values: &Strings) -> bool {
        values.len() <= self.max_values as usize && values.data.len() <= self.max_bytes as usize
    }
}

/// Byte strings, one behind another: value `i` is `data[offsets[i]..offsets[i + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strings {
    /// From 0 to the length of `data`; one more than there are values.
    pub offsets: Vec<i32>,
    /// The bytes of all values.
    pub data: Vec<u8>,
}

impl Default for Strings {
    fn default() -> Self {
        Self { offsets: vec![0], data: Vec::new() }
    }
}

impl Strings {
    /// No values; the buffers are kept.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.offsets.push(0);
        self.data.clear();
    }

    /// Appends a value.
    pub fn push(&mut self, value: &[u8]) {
        self.data.extend_from_slice(value);
        self.offsets.push(self.data.len() as i32);
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[u8]> + ExactSizeIterator {
        self.offsets.windows(2).map(|pair| &self.data[pair[0] as usize..pair[1] as usize])
    }

    /// The values, each in its own buffer.
    pub fn to_vecs(&self) -> Vec<Vec<u8>> {
        self.iter().map(<[u8]>::to_vec).collect()
    }

    /// As a column.
    pub fn arrays(&self) -> ByteArrays<'_> {
        ByteArrays::arrow(&self.offsets, &self.data).expect("offsets rise to the length of the data")
    }

    /// Those values that remain when `steps` say which were skipped.
    pub fn selected(&self, steps: &[Step]) -> Self {
        let all: Vec<&[u8]> = self.iter().collect();
        super::delta_binary_packed::selected(&all, steps).into_iter().collect()
    }

    /// Appends the byte form: of each value what it shares with the one before, and the rest, so that a mutant that
    /// changes one value leaves the others alike.
    pub fn to_bytes(&self, writer: &mut ByteWriter) {
        writer.usize(self.len());
        let mut previous: &[u8] = &[];
        for value in self.iter() {
            let shared = previous.iter().zip(value).take_while(|(a, b)| a == b).count();
            writer.usize(shared);
            writer.blob(&value[shared..]);
            previous = value;
        }
    }

    /// Reads the byte form. Every value of a case gets the length that a fixed-length column has.
    pub fn from_bytes(&mut self, form: Form, reader: &mut ByteReader<'_>) {
        self.clear();
        for _ in 0..reader.count(COUNT_LIMIT) {
            let start = self.data.len();
            let before = self.offsets.iter().rev().nth(1).map_or(start, |offset| *offset as usize);
            let shared = reader.usize(start - before);
            let rest = reader.blob();
            self.data.extend_from_within(before..before + shared);
            self.data.extend_from_slice(rest);
            if let Some(width) = form.width().filter(|_| !reader.is_message()) {
                self.data.resize(start + width, 0);
            }
            if self.data.len() > reader.limit(DATA_LIMIT) {
                self.data.truncate(start);
                break;
            }
            self.offsets.push(self.data.len() as i32);
            if reader.rest().is_empty() {
                break;
            }
        }
    }

    /// Reads a text. Every value must have the length that a fixed-length column has.
    pub fn from_text(form: Form, text: &str) -> Result<Self, TextError> {
        let values = strings_from_text("values", text)?;
        match form.width() {
            Some(width) if values.iter().any(|value| value.len() != width) => {
                Err(TextError::new("values", text, format!("values of {width} bytes, as the form says")))
            }
            _ => Ok(values.iter().map(Vec::as_slice).collect()),
        }
    }

    /// The text that [`from_text`](Self::from_text) reads.
    pub fn to_text(&self) -> String {
        strings_to_text(self.iter())
    }
}

impl<'a> FromIterator<&'a [u8]> for Strings {
    fn from_iter<I: IntoIterator<Item = &'a [u8]>>(values: I) -> Self {
        let mut strings = Self::default();
        values.into_iter().for_each(|value| strings.push(value));
        strings
    }
}
