//! Cases of DELTA_LENGTH_BYTE_ARRAY: how they are written down.

use super::byte_strings::{Params, Strings};
use crate::case::{ByteReader, ByteWriter, Domain, Fields, Step, TextError};

mod cells;
mod draw;
mod museum;
mod spans;
mod subjects;

/// The codec `delta_length_byte_array`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeltaLengthByteArray;

impl Domain for DeltaLengthByteArray {
    const CODEC: &'static str = "delta_length_byte_array";
    const ID: u8 = 4;
    const PROFILES: &'static [&'static str] =
        &["any geometry", "spec-128-4", "parquet-rs", "parquet-java", "parquet-net"];
    type Params = Params;
    type Values = Strings;

    fn params_to_text(params: &Params, fields: &mut Fields) {
        params.to_text(fields);
    }

    fn params_from_text(fields: &Fields) -> Result<Params, TextError> {
        let params = Params::from_text(fields)?;
        match fields.get("previous") {
            Some(text) => Err(TextError::new("previous", text, "no such line: only DELTA_BYTE_ARRAY has prefixes")),
            None => Ok(params),
        }
    }

    fn values_to_text(_params: &Params, values: &Strings) -> String {
        values.to_text()
    }

    fn values_from_text(params: &Params, text: &str) -> Result<Strings, TextError> {
        Strings::from_text(params.form, text)
    }

    fn params_to_bytes(params: &Params, writer: &mut ByteWriter) {
        params.to_bytes(writer);
    }

    fn params_from_bytes(reader: &mut ByteReader<'_>) -> Params {
        Params::from_bytes(reader)
    }

    fn values_to_bytes(_params: &Params, values: &Strings, writer: &mut ByteWriter) {
        values.to_bytes(writer);
    }

    fn values_from_bytes(params: &Params, reader: &mut ByteReader<'_>, values: &mut Strings) {
        values.from_bytes(params.form, reader);
    }

    fn count(values: &Strings) -> usize {
        values.len()
    }

    fn reads_back(params: &Params, values: &Strings) -> bool {
        params.reads_back(values)
    }

    fn select(values: &Strings, steps: &[Step]) -> Strings {
        values.selected(steps)
    }
}
