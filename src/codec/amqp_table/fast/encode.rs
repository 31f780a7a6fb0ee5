//! Writing: [`Measure`] walks the tree, checks everything and counts; [`Writer`] walks it again and cannot fail.

use alloc::vec;
use alloc::vec::Vec;

use super::super::amqp_decimal::{self, Raw};
use super::super::{Array, Duplicates, Entry, Field, Params, Profile, Table};
use super::names;
use crate::EncodeError;

/// Octets that `table` takes, its length included.
///
/// # Errors
/// The first thing that is refused, in the order that [`amqp_table`](crate::codec::amqp_table) gives:
/// [`EncodeError::NestingTooDeep`], [`EncodeError::ShortStringTooLong`], [`EncodeError::DuplicateFieldName`],
/// [`EncodeError::FieldTypeWithoutTag`], [`EncodeError::LongLengthOverflow`], and those of a decimal.
pub fn encoded_len(table: &Table, params: Params) -> Result<usize, EncodeError> {
    Measure::new(params).table(table, 1)
}

/// Octets that `array` takes, its length included.
///
/// # Errors
/// As [`encoded_len`].
pub fn array_encoded_len(array: &Array, params: Params) -> Result<usize, EncodeError> {
    Measure::new(params).array(array, 1)
}

/// Writes `table` to the front of `out`; returns the octets written, [`encoded_len`].
///
/// # Errors
/// As [`encoded_len`], then [`EncodeError::BufferTooSmall`]. `out` is untouched.
pub fn encode_into(table: &Table, params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
    let needed = encoded_len(table, params)?;
    Writer::new(out, needed, params)?.table(table);
    Ok(needed)
}

/// Writes `array` to the front of `out`; returns the octets written, [`array_encoded_len`].
///
/// # Errors
/// As [`encode_into`].
pub fn encode_array_into(array: &Array, params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
    let needed = array_encoded_len(array, params)?;
    Writer::new(out, needed, params)?.array(array);
    Ok(needed)
}

/// [`encode_into`] a fresh vector.
///
/// # Errors
/// As [`encoded_len`].
pub fn encode(table: &Table, params: Params) -> Result<Vec<u8>, EncodeError> {
    let mut out = vec![0; encoded_len(table, params)?];
    let needed = out.len();
    Writer::new(&mut out, needed, params)?.table(table);
    Ok(out)
}

/// [`encode_array_into`] a fresh vector.
///
/// # Errors
/// As [`encoded_len`].
pub fn encode_array(array: &Array, params: Params) -> Result<Vec<u8>, EncodeError> {
    let mut out = vec![0; array_encoded_len(array, params)?];
    let needed = out.len();
    Writer::new(&mut out, needed, params)?.array(array);
    Ok(out)
}

/// Counts octets and refuses what cannot be written.
struct Measure {
    at: usize,
    params: Params,
}

impl Measure {
    fn new(params: Params) -> Self {
        Self { at: 0, params }
    }

    fn table(&mut self, table: &Table, level: usize) -> Result<usize, EncodeError> {
        let start = self.enter(level)?;
        let duplicate = match self.params.duplicates {
            Duplicates::Refuse => names::first_duplicate(&table.entries),
            Duplicates::Accept => None,
        };
        for (index, Entry { name, value }) in table.entries.iter().enumerate() {
            let offset = self.at;
            self.short_string(name.len())?;
            if duplicate == Some(index) {
                return Err(EncodeError::DuplicateFieldName { offset });
            }
            self.field(value, level)?;
            self.check_length(start)?;
        }
        Ok(self.at - start)
    }

    fn array(&mut self, array: &Array, level: usize) -> Result<usize, EncodeError> {
        let start = self.enter(level)?;
        for value in array.values.iter() {
            self.field(value, level)?;
            self.check_length(start)?;
        }
        Ok(self.at - start)
    }

    fn enter(&mut self, level: usize) -> Result<usize, EncodeError> {
        let (offset, max) = (self.at, self.params.max_depth.into());
        if level > max {
            return Err(EncodeError::NestingTooDeep { offset, max });
        }
        self.add(4, offset)?;
        Ok(offset)
    }

    fn check_length(&self, start: usize) -> Result<(), EncodeError> {
        let length = (self.at - start - 4) as u64;
        if length > u32::MAX.into() {
            return Err(EncodeError::LongLengthOverflow { offset: start, length });
        }
        Ok(())
    }

    /// Counts `octets`; where `usize` has 32 bits, no length that a buffer could have is let through.
    #[inline(always)]
    fn add(&mut self, octets: usize, offset: usize) -> Result<(), EncodeError> {
        match self.at.checked_add(octets) {
            Some(at) => self.at = at,
            None => return Err(EncodeError::LongLengthOverflow { offset, length: octets as u64 }),
        }
        Ok(())
    }

    #[inline]
    fn short_string(&mut self, length: usize) -> Result<(), EncodeError> {
        if length > u8::MAX.into() {
            return Err(EncodeError::ShortStringTooLong { offset: self.at, length });
        }
        self.add(1 + length, self.at)
    }

    #[inline]
    fn long_string(&mut self, length: usize) -> Result<(), EncodeError> {
        let offset = self.at;
        if length as u64 > u32::MAX.into() {
            return Err(EncodeError::LongLengthOverflow { offset, length: length as u64 });
        }
        self.add(4, offset)?;
        self.add(length, offset)
    }

    fn decimal(&self, value: Raw) -> Result<(), EncodeError> {
        let at = self.at - 1;
        let mut room = [0; 6];
        let written = amqp_decimal::encode_one(value, self.params.decimal, &mut room);
        written.map(|_| ()).map_err(|refusal| match refusal {
            EncodeError::DecimalScaleOutOfRange { scale, max, .. } => {
                EncodeError::DecimalScaleOutOfRange { at, scale, max }
            }
            EncodeError::DecimalMantissaOutOfRange { min, max, .. } => {
                EncodeError::DecimalMantissaOutOfRange { at, min, max }
            }
            EncodeError::DecimalNegativeZero { .. } => EncodeError::DecimalNegativeZero { at },
            other => other,
        })
    }

    fn field(&mut self, field: &Field, level: usize) -> Result<(), EncodeError> {
        let offset = self.at;
        if tag(field, self.params.profile).is_none() {
            return Err(EncodeError::FieldTypeWithoutTag { offset });
        }
        self.add(1, offset)?;
        let octets = match field {
            Field::Void => 0,
            Field::Boolean(_) | Field::ShortShortInt(_) | Field::ShortShortUint(_) => 1,
            Field::ShortInt(_) | Field::ShortUint(_) => 2,
            Field::LongInt(_) | Field::LongUint(_) | Field::Float(_) => 4,
            Field::LongLongInt(_) | Field::LongLongUint(_) | Field::Double(_) | Field::Timestamp(_) => 8,
            Field::Decimal(value) => {
                self.decimal(*value)?;
                5
            }
            Field::ShortString(octets) => return self.short_string(octets.len()),
            Field::LongString(octets) | Field::Binary(octets) => return self.long_string(octets.len()),
            Field::Array(array) => return self.array(array, level + 1).map(|_| ()),
            Field::Table(table) => return self.table(table, level + 1).map(|_| ()),
        };
        self.add(octets, offset)
    }
}

#[inline(always)]
fn tag(field: &Field, profile: Profile) -> Option<u8> {
    let either = |rabbitmq, specification| match profile {
        Profile::RabbitMq => rabbitmq,
        Profile::Specification => specification,
    };
    match field {
        Field::Boolean(_) => Some(b't'),
        Field::ShortShortInt(_) => Some(b'b'),
        Field::ShortShortUint(_) => Some(b'B'),
        Field::ShortInt(_) => either(Some(b's'), Some(b'U')),
        Field::ShortUint(_) => Some(b'u'),
        Field::LongInt(_) => Some(b'I'),
        Field::LongUint(_) => Some(b'i'),
        Field::LongLongInt(_) => either(Some(b'l'), Some(b'L')),
        Field::LongLongUint(_) => either(None, Some(b'l')),
        Field::Float(_) => Some(b'f'),
        Field::Double(_) => Some(b'd'),
        Field::Decimal(_) => Some(b'D'),
        Field::ShortString(_) => either(None, Some(b's')),
        Field::LongString(_) => Some(b'S'),
        Field::Array(_) => Some(b'A'),
        Field::Timestamp(_) => Some(b'T'),
        Field::Table(_) => Some(b'F'),
        Field::Binary(_) => either(Some(b'x'), None),
        Field::Void => Some(b'V'),
    }
}

/// Writes what [`Measure`] has let through into the room that it has measured.
struct Writer<'o> {
    out: &'o mut [u8],
    at: usize,
    params: Params,
}

impl<'o> Writer<'o> {
    fn new(out: &'o mut [u8], needed: usize, params: Params) -> Result<Self, EncodeError> {
        let available = out.len();
        match out.get_mut(..needed) {
            Some(out) => Ok(Self { out, at: 0, params }),
            None => Err(EncodeError::BufferTooSmall { needed, available }),
        }
    }

    #[inline(always)]
    fn put(&mut self, octets: &[u8]) {
        self.out[self.at..][..octets.len()].copy_from_slice(octets);
        self.at += octets.len();
    }

    #[inline(always)]
    fn tagged<const N: usize>(&mut self, tag: u8, octets: [u8; N]) {
        let room = &mut self.out[self.at..][..N + 1];
        room[0] = tag;
        room[1..].copy_from_slice(&octets);
        self.at += N + 1;
    }

    #[inline]
    fn short_string(&mut self, octets: &[u8]) {
        let room = &mut self.out[self.at..][..octets.len() + 1];
        room[0] = octets.len() as u8;
        room[1..].copy_from_slice(octets);
        self.at += octets.len() + 1;
    }

    /// Leaves room for a length; returns where.
    fn enter(&mut self) -> usize {
        self.at += 4;
        self.at - 4
    }

    fn leave(&mut self, start: usize) {
        let length = (self.at - start - 4) as u32;
        self.out[start..start + 4].copy_from_slice(&length.to_be_bytes());
    }

    fn table(&mut self, table: &Table) {
        let start = self.enter();
        for Entry { name, value } in table.entries.iter() {
            self.short_string(name);
            self.field(value);
        }
        self.leave(start);
    }

    fn array(&mut self, array: &Array) {
        let start = self.enter();
        for value in array.values.iter() {
            self.field(value);
        }
        self.leave(start);
    }

    fn field(&mut self, field: &Field) {
        let Some(tag) = tag(field, self.params.profile) else { return };
        match field {
            Field::Boolean(value) => self.tagged(tag, [u8::from(*value)]),
            Field::ShortShortInt(value) => self.tagged(tag, value.to_be_bytes()),
            Field::ShortShortUint(value) => self.tagged(tag, [*value]),
            Field::ShortInt(value) => self.tagged(tag, value.to_be_bytes()),
            Field::ShortUint(value) => self.tagged(tag, value.to_be_bytes()),
            Field::LongInt(value) => self.tagged(tag, value.to_be_bytes()),
            Field::LongUint(value) => self.tagged(tag, value.to_be_bytes()),
            Field::LongLongInt(value) => self.tagged(tag, value.to_be_bytes()),
            Field::LongLongUint(value) | Field::Timestamp(value) => self.tagged(tag, value.to_be_bytes()),
            Field::Float(value) => self.tagged(tag, value.to_bits().to_be_bytes()),
            Field::Double(value) => self.tagged(tag, value.to_bits().to_be_bytes()),
            Field::Decimal(value) => {
                let params = amqp_decimal::Params { tag: true, ..self.params.decimal };
                let written = amqp_decimal::encode_one(*value, params, &mut self.out[self.at..]);
                debug_assert_eq!(written, Ok(6));
                self.at += 6;
            }
            Field::ShortString(octets) => {
                self.put(&[tag]);
                self.short_string(octets);
            }
            Field::LongString(octets) | Field::Binary(octets) => {
                self.tagged(tag, (octets.len() as u32).to_be_bytes());
                self.put(octets);
            }
            Field::Array(array) => {
                self.put(&[tag]);
                self.array(array);
            }
            Field::Table(table) => {
                self.put(&[tag]);
                self.table(table);
            }
            Field::Void => self.put(&[tag]),
        }
    }
}
