//! The twins of Parquet DECIMAL.

use super::{Decimal, Item, Items, Params, Values};
use crate::case::Step;
use crate::codec::decimal::order::{compare, min_max};
use crate::codec::decimal::{self, Physical, naive};
use crate::codec::path::Path;
use crate::error::{DecodeError, EncodeError};
use crate::subject::museum::Exhibit;
use crate::subject::{Answer, Order, Subject, Twins};
use core::cmp::Ordering;
use num_bigint::BigInt;

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

    fn order(&mut self, params: &Params, bytes: &[u8], order: &mut Order) -> bool {
        let number = |body: &[u8]| match params.physical {
            Physical::Int32 | Physical::Int64 => BigInt::from_signed_bytes_le(body),
            Physical::Fixed(_) | Physical::ByteArray => BigInt::from_signed_bytes_be(body),
        };
        let Some(bodies) = bodies(params, bytes) else { return false };
        let numbers: Vec<BigInt> = bodies.into_iter().map(number).collect();
        order.of(&numbers, BigInt::cmp);
        true
    }
}

/// The order of the values of a column by a comparison of two of them, and by no more than that. False when the bytes
/// are not a column of whole values.
pub(super) fn order_by(
    params: &Params,
    bytes: &[u8],
    order: &mut Order,
    compare: impl Fn(&[u8], &[u8]) -> Ordering,
) -> bool {
    let Some(bodies) = bodies(params, bytes) else { return false };
    order.of(&bodies, |a, b| compare(a, b));
    true
}

/// The values of a column, each encoded; those of BYTE_ARRAY without their lengths. `None` when one is not whole.
fn bodies<'a>(params: &Params, bytes: &'a [u8]) -> Option<Vec<&'a [u8]>> {
    params.column().ok()?;
    match params.physical.width() {
        Some(0) => None,
        Some(width) => {
            let items = bytes.chunks_exact(width as usize);
            items.remainder().is_empty().then(|| items.collect())
        }
        None => {
            let body = |item: Item<'a>| item.bytes.get(4..).filter(|body| item.whole && !body.is_empty());
            Items::new(bytes).map(body).collect()
        }
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
        Answer::of(
            params
                .column()
                .and_then(|column| decimal::encoded_len_with(self.path, values.borrowed(), &column, params.options)),
        )
    }

    fn encode(&mut self, params: &Params, values: &Values, _puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        Answer::of(
            params.column().and_then(|column| {
                decimal::encode_into_with(self.path, values.borrowed(), &column, params.options, out)
            }),
        )
    }

    fn decode(&mut self, params: &Params, bytes: &[u8], _steps: &[Step], values: &mut Values) -> Answer<DecodeError> {
        values.zeros(params.form, params.count_in(bytes));
        Answer::of(params.column_to_read().and_then(|column| {
            decimal::decode_into_with(self.path, bytes, &column, params.options, values.borrowed_mut())
        }))
    }

    fn order(&mut self, params: &Params, bytes: &[u8], order: &mut Order) -> bool {
        let (Some(bodies), Ok(column)) = (bodies(params, bytes), params.column()) else { return false };
        let Ok(found) = min_max(bytes, &column) else { return false };
        order.neighbours.clear();
        order.neighbours.extend(bodies.windows(2).map(|pair| compare(params.physical, pair[0], pair[1])));
        // Which of equal values it is, only its place tells.
        let place = |body: &[u8]| bodies.iter().position(|known| core::ptr::eq(*known, body)).unwrap_or(usize::MAX);
        order.min_max = found.map(|found| (place(found.min), place(found.max)));
        true
    }
}

/// [`decimal::Limits`], one value after another. It has no answer for a whole column, so only bytes and errors are asked.
struct OneByOne;

impl Subject<Decimal> for OneByOne {
    fn name(&self) -> &str {
        "one-by-one"
    }

    fn encode(&mut self, params: &Params, values: &Values, _puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        let (Values::I128(values), Ok(column)) = (values, params.column()) else { return Answer::Unsupported };
        let limits = decimal::Limits::new(&column, params.options);
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
        let limits = decimal::Limits::new(&column, params.options);
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
