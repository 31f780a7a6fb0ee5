//! `PlainEncoder` and `PlainDecoder` on decimal columns.
//!
//! For FIXED_LEN_BYTE_ARRAY and BYTE_ARRAY the crate copies bytes that its caller has built; they are built here, from
//! `to_signed_bytes_be` of `num-bigint`. INT32 and INT64 it writes from integers.

use super::{NAME, refused};
use crate::case::Step;
use crate::codec::decimal::{Physical, PrecisionCheck};
use crate::domain::decimal::{Decimal, Form, Number, Params, Values};
use crate::error::{DecodeError, EncodeError};
use crate::subject::{Answer, Subject};
use num_bigint::{BigInt, Sign};
use parquet::data_type::{
    ByteArray, ByteArrayType, DataType, FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int64Type,
};
use parquet::decoding::{Decoder, PlainDecoder};
use parquet::encoding::{Encoder, PlainEncoder};
use parquet::errors::Result;

/// The `parquet` crate on PLAIN decimal columns.
#[derive(Default)]
pub struct PlainDecimal {
    values: Vec<BigInt>,
}

impl PlainDecimal {
    /// Takes the unscaled values over. `false` when one is none that the crate's caller may hand over: it does not
    /// check widths and precisions, and does not rescale.
    fn take(&mut self, params: &Params, values: &Values) -> bool {
        self.values.clear();
        for number in values.numbers() {
            let value = match number {
                Number::Whole(value) => BigInt::from(value),
                Number::Big(value) => value,
                Number::Scaled(value) if value.scale() <= params.scale => {
                    BigInt::from(value.mantissa()) * BigInt::from(10).pow(params.scale - value.scale())
                }
                Number::Scaled(_) => return false,
            };
            if !within(params, &value) {
                return false;
            }
            self.values.push(value);
        }
        true
    }
}

/// Whether a value is within the column's limits.
fn within(params: &Params, value: &BigInt) -> bool {
    let fits = params.physical.width().is_none_or(|width| value.to_signed_bytes_be().len() <= width as usize);
    let checked = params.options.precision_check == PrecisionCheck::Enforce;
    fits && (!checked || value.magnitude() < BigInt::from(10).pow(params.precision).magnitude())
}

fn encoded<T: DataType>(values: &[T::T]) -> Result<Vec<u8>> {
    let mut encoder = PlainEncoder::<T>::new();
    encoder.put(values)?;
    Ok(encoder.flush_buffer()?.to_vec())
}

fn decoded<T: DataType>(bytes: &[u8], count: usize, width: u32) -> Result<Vec<T::T>> {
    let mut decoder = PlainDecoder::<T>::new(width as i32);
    decoder.set_data(bytes.to_vec().into(), count)?;
    let mut values = vec![T::T::default(); count];
    let read = decoder.get(&mut values)?;
    values.truncate(read);
    Ok(values)
}

/// Two's complement, big-endian, extended with the sign to `width` bytes.
fn extended(value: &BigInt, width: u32) -> Vec<u8> {
    let bytes = value.to_signed_bytes_be();
    let sign = if value.sign() == Sign::Minus { 0xff } else { 0x00 };
    let mut wide = vec![sign; width as usize - bytes.len()];
    wide.extend(bytes);
    wide
}

fn encode(values: &[BigInt], physical: Physical) -> Result<Vec<u8>> {
    match physical {
        Physical::Int32 => {
            let values: Vec<i32> = values.iter().map(|value| value.try_into().expect("within 4 bytes")).collect();
            encoded::<Int32Type>(&values)
        }
        Physical::Int64 => {
            let values: Vec<i64> = values.iter().map(|value| value.try_into().expect("within 8 bytes")).collect();
            encoded::<Int64Type>(&values)
        }
        Physical::Fixed(width) => {
            let values: Vec<FixedLenByteArray> =
                values.iter().map(|value| ByteArray::from(extended(value, width)).into()).collect();
            encoded::<FixedLenByteArrayType>(&values)
        }
        Physical::ByteArray => {
            let values: Vec<ByteArray> = values.iter().map(|value| value.to_signed_bytes_be().into()).collect();
            encoded::<ByteArrayType>(&values)
        }
    }
}

/// The unscaled values; `None` for one without bytes.
fn decode(bytes: &[u8], count: usize, physical: Physical) -> Result<Vec<Option<BigInt>>> {
    let number = |bytes: &[u8]| (!bytes.is_empty()).then(|| BigInt::from_signed_bytes_be(bytes));
    Ok(match physical {
        Physical::Int32 => decoded::<Int32Type>(bytes, count, 4)?.into_iter().map(|v| Some(v.into())).collect(),
        Physical::Int64 => decoded::<Int64Type>(bytes, count, 8)?.into_iter().map(|v| Some(v.into())).collect(),
        Physical::Fixed(width) => {
            decoded::<FixedLenByteArrayType>(bytes, count, width)?.iter().map(|v| number(v.data())).collect()
        }
        Physical::ByteArray => decoded::<ByteArrayType>(bytes, count, 0)?.iter().map(|v| number(v.data())).collect(),
    })
}

impl Subject<Decimal> for PlainDecimal {
    fn name(&self) -> &str {
        NAME
    }

    fn encode(&mut self, params: &Params, values: &Values, _puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        if params.column().is_err() || !self.take(params, values) {
            return Answer::Unsupported;
        }
        match encode(&self.values, params.physical) {
            Ok(bytes) if bytes.len() <= out.len() => {
                out[..bytes.len()].copy_from_slice(&bytes);
                Answer::Done(bytes.len())
            }
            // More than naive needs: that it wrote so many is all that can be said.
            Ok(bytes) => Answer::Done(bytes.len()),
            Err(error) => refused(error),
        }
    }

    fn decode(&mut self, params: &Params, bytes: &[u8], _steps: &[Step], values: &mut Values) -> Answer<DecodeError> {
        // A form that cannot hold the column's scale is ours to refuse, whether there are values or not.
        let scale_fits = params.form != Form::RustDecimal || params.scale <= 28;
        if params.column().is_err() || !scale_fits {
            return Answer::Unsupported;
        }
        let count = params.count_in(bytes);
        if params.physical == Physical::ByteArray && length_is_cut(bytes, count) {
            return Answer::Unsupported;
        }
        let read = match decode(bytes, count, params.physical) {
            Ok(read) => read,
            Err(error) => return refused(error),
        };
        values.clear(params.form);
        for value in read {
            // What a caller does with them is the caller's: limits and types are ours to check, not the crate's.
            let number = match value.filter(|value| within(params, value)).map(|value| in_form(params, value)) {
                Some(Some(number)) => number,
                _ => return Answer::Unsupported,
            };
            values.push(&number);
        }
        Answer::Done(0)
    }

    fn says_consumed(&self) -> bool {
        false
    }

    fn keeps_contract(&self) -> bool {
        false
    }
}

/// Whether a page ends inside the length of one of its first `count` values. The crate (60.1) panics there, so that it
/// cannot be asked; a test fails when that is no longer so.
pub fn length_is_cut(bytes: &[u8], count: usize) -> bool {
    let mut rest = bytes;
    for _ in 0..count {
        let Some((length, behind)) = rest.split_first_chunk() else { return true };
        match behind.get(u32::from_le_bytes(*length) as usize..) {
            Some(behind) => rest = behind,
            // That a body is cut, it says.
            None => return false,
        }
    }
    false
}

/// The number in the caller's form, where that can hold it.
fn in_form(params: &Params, value: BigInt) -> Option<Number> {
    let fits = match params.form {
        Form::BigInt => true,
        Form::RustDecimal => params.scale <= 28 && value.magnitude().bits() <= 96,
        form => value.to_signed_bytes_be().len() <= form.bits() as usize / 8,
    };
    if !fits {
        return None;
    }
    Some(match params.form {
        Form::RustDecimal => {
            let mantissa: i128 = value.try_into().expect("96 bits and a sign");
            Number::Scaled(rust_decimal::Decimal::from_i128_with_scale(mantissa, params.scale))
        }
        _ => Number::Big(value),
    })
}
