//! The values of a call, in the form in which they are handed over.

use super::number::Number;
use super::{FORMS, WIDTH_LIMIT, position};
use crate::case::{ByteReader, ByteWriter};
use crate::codec::decimal::{self, I256};
use num_bigint::BigInt;
use rust_decimal::Decimal;

/// The form in which values are handed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the types")]
pub enum Form {
    I32,
    I64,
    #[default]
    I128,
    I256,
    BigInt,
    RustDecimal,
}

impl Form {
    /// Its name.
    pub fn name(self) -> &'static str {
        FORMS[position(&FORMS, &self)].0
    }

    /// Bits that an unscaled value has at most, sign included.
    pub fn bits(self) -> u32 {
        match self {
            Self::I32 => 32,
            Self::I64 => 64,
            Self::I128 => 128,
            Self::I256 => 256,
            Self::BigInt => 8 * WIDTH_LIMIT,
            Self::RustDecimal => 97,
        }
    }
}

/// Values of a call, in one of the forms.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names of the types")]
pub enum Values {
    I32(Vec<i32>),
    I64(Vec<i64>),
    I128(Vec<i128>),
    I256(Vec<I256>),
    BigInt(Vec<BigInt>),
    RustDecimal(Vec<Decimal>),
}

/// The same on the list of any form.
macro_rules! each {
    ($values:expr, $list:ident => $what:expr) => {
        match $values {
            Values::I32($list) => $what,
            Values::I64($list) => $what,
            Values::I128($list) => $what,
            Values::I256($list) => $what,
            Values::BigInt($list) => $what,
            Values::RustDecimal($list) => $what,
        }
    };
}

impl Default for Values {
    fn default() -> Self {
        Self::I128(Vec::new())
    }
}

/// `rust_decimal` values are equal only when scale and sign are: 1.0 is not 1, and -0 is not 0.
impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::I32(a), Self::I32(b)) => a == b,
            (Self::I64(a), Self::I64(b)) => a == b,
            (Self::I128(a), Self::I128(b)) => a == b,
            (Self::I256(a), Self::I256(b)) => a == b,
            (Self::BigInt(a), Self::BigInt(b)) => a == b,
            (Self::RustDecimal(a), Self::RustDecimal(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.serialize() == b.serialize())
            }
            _ => false,
        }
    }
}

impl Values {
    /// The form.
    pub fn form(&self) -> Form {
        match self {
            Self::I32(_) => Form::I32,
            Self::I64(_) => Form::I64,
            Self::I128(_) => Form::I128,
            Self::I256(_) => Form::I256,
            Self::BigInt(_) => Form::BigInt,
            Self::RustDecimal(_) => Form::RustDecimal,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        each!(self, list => list.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An empty list of a form; the buffer is kept when the form stays.
    pub fn clear(&mut self, form: Form) {
        if self.form() == form {
            each!(self, list => list.clear());
            return;
        }
        *self = match form {
            Form::I32 => Self::I32(Vec::new()),
            Form::I64 => Self::I64(Vec::new()),
            Form::I128 => Self::I128(Vec::new()),
            Form::I256 => Self::I256(Vec::new()),
            Form::BigInt => Self::BigInt(Vec::new()),
            Form::RustDecimal => Self::RustDecimal(Vec::new()),
        };
    }

    /// So many zeros of a form.
    pub fn zeros(&mut self, form: Form, count: usize) {
        self.clear(form);
        match self {
            Self::I32(list) => list.resize(count, 0),
            Self::I64(list) => list.resize(count, 0),
            Self::I128(list) => list.resize(count, 0),
            Self::I256(list) => list.resize(count, I256::ZERO),
            Self::BigInt(list) => list.resize(count, BigInt::ZERO),
            Self::RustDecimal(list) => list.resize(count, Decimal::ZERO),
        }
    }

    /// One value.
    pub fn get(&self, at: usize) -> Number {
        match self {
            Self::I32(list) => Number::Whole(list[at].into()),
            Self::I64(list) => Number::Whole(list[at].into()),
            Self::I128(list) => Number::Whole(list[at].into()),
            Self::I256(list) => Number::Whole(list[at]),
            Self::BigInt(list) => Number::Big(list[at].clone()),
            Self::RustDecimal(list) => Number::Scaled(list[at]),
        }
    }

    /// Every value.
    pub fn numbers(&self) -> impl Iterator<Item = Number> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Appends a number, cut to what the form can hold.
    pub fn push(&mut self, number: &Number) {
        match self {
            Self::I32(list) => list.push(number.low().words()[0] as i32),
            Self::I64(list) => list.push(number.low().words()[0] as i64),
            Self::I128(list) => list.push(number.low_i128()),
            Self::I256(list) => list.push(number.low()),
            Self::BigInt(list) => list.push(number.to_big()),
            Self::RustDecimal(list) => list.push(number.to_decimal()),
        }
    }

    /// Puts another number in the place of one.
    pub fn set(&mut self, at: usize, number: &Number) {
        self.push(number);
        each!(self, list => { list.swap_remove(at); });
    }

    /// Takes one away.
    pub fn remove(&mut self, at: usize) {
        each!(self, list => { list.remove(at); });
    }

    /// Two change places.
    pub fn swap(&mut self, a: usize, b: usize) {
        each!(self, list => list.swap(a, b));
    }

    /// From numbers, each cut to what the form can hold.
    pub fn of(form: Form, numbers: &[Number]) -> Self {
        let mut values = Self::default();
        values.clear(form);
        numbers.iter().for_each(|number| values.push(number));
        values
    }

    /// As the codec takes them.
    pub fn borrowed(&self) -> decimal::Values<'_> {
        each!(self, list => list.into())
    }

    /// As the codec fills them.
    pub fn borrowed_mut(&mut self) -> decimal::ValuesMut<'_> {
        each!(self, list => list.into())
    }

    pub(super) fn write(&self, writer: &mut ByteWriter) {
        match self {
            Self::I32(list) => list.iter().for_each(|value| writer.i128((*value).into())),
            Self::I64(list) => list.iter().for_each(|value| writer.i128((*value).into())),
            Self::I128(list) => list.iter().for_each(|value| writer.i128(*value)),
            Self::I256(list) => {
                for value in list {
                    let bytes = value.to_be_bytes();
                    writer.blob(shortest(&bytes));
                }
            }
            Self::BigInt(list) => list.iter().for_each(|value| writer.blob(&value.to_signed_bytes_be())),
            Self::RustDecimal(list) => {
                for value in list {
                    writer.u8((value.scale() << 1) as u8 | u8::from(value.is_sign_negative()));
                    writer.u128(value.mantissa().unsigned_abs());
                }
            }
        }
    }

    pub(super) fn read(&mut self, count: usize, reader: &mut ByteReader<'_>) {
        for _ in 0..count {
            match self {
                Self::I32(list) => list.push(reader.i128() as i32),
                Self::I64(list) => list.push(reader.i128() as i64),
                Self::I128(list) => list.push(reader.i128()),
                Self::I256(list) => list.push(extended(blob(reader, 32))),
                Self::BigInt(list) => {
                    let limit = reader.limit(WIDTH_LIMIT as usize);
                    list.push(BigInt::from_signed_bytes_be(blob(reader, limit)));
                }
                Self::RustDecimal(list) => {
                    let flags = reader.u8();
                    let magnitude = reader.u128();
                    list.push(super::number::decimal(flags & 1 == 1, magnitude, u32::from(flags >> 1)));
                }
            }
            if reader.rest().is_empty() {
                break;
            }
        }
    }
}

fn blob<'a>(reader: &mut ByteReader<'a>, limit: usize) -> &'a [u8] {
    let length = reader.usize(limit);
    reader.raw(length)
}

/// Big-endian bytes without those that only repeat the sign; at least one is left.
pub(super) fn shortest(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    while let [0x00, 0x00..=0x7f, ..] | [0xff, 0x80..=0xff, ..] = rest {
        rest = &rest[1..];
    }
    rest
}

/// At most 32 big-endian bytes, extended with the sign.
pub(super) fn extended(bytes: &[u8]) -> I256 {
    let sign = if bytes.first().is_some_and(|byte| *byte >= 0x80) { 0xff } else { 0x00 };
    let mut wide = [sign; 32];
    wide[32 - bytes.len()..].copy_from_slice(bytes);
    I256::from_be_bytes(wide)
}
