//! The twins of Parquet DECIMAL.

use super::{Decimal, Params, Values};
use crate::case::Step;
use crate::codec::decimal::{fast, naive};
use crate::codec::path::Path;
use crate::error::{DecodeError, EncodeError};
use crate::subject::museum::Exhibit;
use crate::subject::{Answer, Subject, Twins};

/// The reference.
struct Naive;

impl Subject<Decimal> for Naive {
    fn name(&self) -> &str {
        "naive"
    }

    fn encoded_len(&mut self, params: &Params, values: &Values) -> Answer<EncodeError> {
        Answer::of(params.column().and_then(|column| naive::encoded_len(values.borrowed(), &column, params.options)))
    }

    fn encode(&mut self, params: &Params, values: &Values, _puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        Answer::of(
            params.column().and_then(|column| naive::encode_into(values.borrowed(), &column, params.options, out)),
        )
    }

    fn decode(&mut self, params: &Params, bytes: &[u8], _steps: &[Step], values: &mut Values) -> Answer<DecodeError> {
        values.zeros(params.form, params.count_in(bytes));
        Answer::of(
            params
                .column_to_read()
                .and_then(|column| naive::decode_into(bytes, &column, params.options, values.borrowed_mut())),
        )
    }
}

/// Fast on one path.
struct Fast {
    path: Path,
    name: String,
}

impl Subject<Decimal> for Fast {
    fn name(&self) -> &str {
        &self.name
    }

    fn encoded_len(&mut self, params: &Params, values: &Values) -> Answer<EncodeError> {
        Answer::of(params.column().and_then(|column| fast::encoded_len(values.borrowed(), &column, params.options)))
    }

    fn encode(&mut self, params: &Params, values: &Values, _puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        Answer::of(
            params
                .column()
                .and_then(|column| fast::encode_into_with(self.path, values.borrowed(), &column, params.options, out)),
        )
    }

    fn decode(&mut self, params: &Params, bytes: &[u8], _steps: &[Step], values: &mut Values) -> Answer<DecodeError> {
        values.zeros(params.form, params.count_in(bytes));
        Answer::of(params.column_to_read().and_then(|column| {
            fast::decode_into_with(self.path, bytes, &column, params.options, values.borrowed_mut())
        }))
    }
}

/// [`fast::Limits`], one value after another. It has no answer for a whole column, so only bytes and errors are asked.
struct OneByOne;

impl Subject<Decimal> for OneByOne {
    fn name(&self) -> &str {
        "one-by-one"
    }

    fn encode(&mut self, params: &Params, values: &Values, _puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        let (Values::I128(values), Ok(column)) = (values, params.column()) else { return Answer::Unsupported };
        let limits = fast::Limits::new(&column, params.options);
        let mut at = 0;
        for (index, value) in values.iter().enumerate() {
            let error = match limits.encode_one(*value, &mut out[at..]) {
                Ok(written) => {
                    at += written;
                    continue;
                }
                // A column names its first refused value before it looks for room; here the room comes first.
                Err(EncodeError::BufferTooSmall { .. }) => return Answer::Unsupported,
                Err(EncodeError::ValueExceedsWidth { width, .. }) => EncodeError::ValueExceedsWidth { index, width },
                Err(EncodeError::ValueExceedsPrecision { precision, .. }) => {
                    EncodeError::ValueExceedsPrecision { index, precision }
                }
                Err(error) => error,
            };
            out[..at].fill(0);
            return Answer::Error(error);
        }
        Answer::Done(at)
    }

    fn decode(&mut self, params: &Params, bytes: &[u8], _steps: &[Step], values: &mut Values) -> Answer<DecodeError> {
        let count = params.count_in(bytes);
        values.zeros(params.form, count);
        let (Values::I128(list), Ok(column)) = (values, params.column()) else { return Answer::Unsupported };
        let limits = fast::Limits::new(&column, params.options);
        // A column says first that its last value is cut; values taken one by one never get there.
        if params.physical.width().is_some_and(|width| bytes.len() < count * width as usize) {
            return Answer::Unsupported;
        }
        let mut at = 0;
        for (number, value) in list.iter_mut().enumerate() {
            match limits.decode_one(&bytes[at..]) {
                Ok((decoded, read)) => (*value, at) = (decoded, at + read),
                Err(error) => return Answer::Error(behind(error, at, number)),
            }
        }
        Answer::Done(at)
    }

    fn keeps_contract(&self) -> bool {
        false
    }
}

/// The error of one value, as a column names it.
fn behind(error: DecodeError, at: usize, number: usize) -> DecodeError {
    match error {
        DecodeError::UnexpectedEnd { offset, needed, available } => {
            DecodeError::UnexpectedEnd { offset: offset + at, needed, available }
        }
        DecodeError::EmptyDecimal { offset, .. } => DecodeError::EmptyDecimal { offset: offset + at, index: number },
        DecodeError::ValueExceedsTarget { offset, bits, .. } => {
            DecodeError::ValueExceedsTarget { offset: offset + at, index: number, bits }
        }
        DecodeError::ValueExceedsPrecision { offset, precision, .. } => {
            DecodeError::ValueExceedsPrecision { offset: offset + at, index: number, precision }
        }
        other => other,
    }
}

impl Twins for Decimal {
    fn naive() -> Box<dyn Subject<Self>> {
        Box::new(Naive)
    }

    fn subjects() -> Vec<Box<dyn Subject<Self>>> {
        let mut subjects: Vec<Box<dyn Subject<Self>>> = Vec::new();
        for path in Path::available() {
            subjects.push(Box::new(Fast { path, name: format!("fast-{}", path.name()) }));
        }
        subjects.push(Box::new(OneByOne));
        #[cfg(feature = "parquet")]
        subjects.push(Box::new(crate::subject::parquet_rs::PlainDecimal::default()));
        subjects
    }

    fn exhibits() -> Vec<Exhibit<Self>> {
        super::museum::exhibits()
    }
}
