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
pub fn encoded_array_len(array: &Array, params: Params) -> Result<usize, EncodeError> {
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

/// Writes `array` to the front of `out`; returns the octets written, [`encoded_array_len`].
///
/// # Errors
/// As [`encode_into`].
pub fn encode_array_into(array: &Array, params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
    let needed = encoded_array_len(array, params)?;
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
    let mut out = vec![0; encoded_array_len(array, params)?];
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

    /// Counts `table`, and gives the octets counted so far.
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
        Ok(self.at)
    }

    /// Counts `array`, and gives the octets counted so far.
    fn array(&mut self, array: &Array, level: usize) -> Result<usize, EncodeError> {
        let start = self.enter(level)?;
        for value in array.values.iter() {
            self.field(value, level)?;
            self.check_length(start)?;
        }
        Ok(self.at)
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
        self.add(1, offset)?;
        let octets = match (field, self.params.profile) {
            (Field::LongLongUint(_) | Field::ShortString(_), Profile::RabbitMq)
            | (Field::Binary(_), Profile::Specification) => return Err(EncodeError::FieldTypeWithoutTag { offset }),
            (Field::Void, _) => 0,
            (Field::Boolean(_) | Field::ShortShortInt(_) | Field::ShortShortUint(_), _) => 1,
            (Field::ShortInt(_) | Field::ShortUint(_), _) => 2,
            (Field::LongInt(_) | Field::LongUint(_) | Field::Float(_), _) => 4,
            (Field::LongLongInt(_) | Field::LongLongUint(_) | Field::Double(_) | Field::Timestamp(_), _) => 8,
            (Field::Decimal(value), _) => {
                self.decimal(*value)?;
                5
            }
            (Field::ShortString(octets), _) => return self.short_string(octets.len()),
            (Field::LongString(octets) | Field::Binary(octets), _) => return self.long_string(octets.len()),
            (Field::Array(array), _) => return self.array(array, level + 1).map(|_| ()),
            (Field::Table(table), _) => return self.table(table, level + 1).map(|_| ()),
        };
        self.add(octets, offset)
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
        copy(octets, &mut self.out[self.at..][..octets.len()]);
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
        copy(octets, &mut room[1..]);
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
        let rabbitmq = self.params.profile == Profile::RabbitMq;
        match field {
            Field::Boolean(value) => self.tagged(b't', [u8::from(*value)]),
            Field::ShortShortInt(value) => self.tagged(b'b', value.to_be_bytes()),
            Field::ShortShortUint(value) => self.tagged(b'B', [*value]),
            Field::ShortInt(value) => self.tagged(if rabbitmq { b's' } else { b'U' }, value.to_be_bytes()),
            Field::ShortUint(value) => self.tagged(b'u', value.to_be_bytes()),
            Field::LongInt(value) => self.tagged(b'I', value.to_be_bytes()),
            Field::LongUint(value) => self.tagged(b'i', value.to_be_bytes()),
            Field::LongLongInt(value) => self.tagged(if rabbitmq { b'l' } else { b'L' }, value.to_be_bytes()),
            Field::LongLongUint(value) => self.tagged(b'l', value.to_be_bytes()),
            Field::Float(value) => self.tagged(b'f', value.to_bits().to_be_bytes()),
            Field::Double(value) => self.tagged(b'd', value.to_bits().to_be_bytes()),
            Field::Decimal(value) => {
                let params = amqp_decimal::Params { tag: true, ..self.params.decimal };
                let written = amqp_decimal::encode_one(*value, params, &mut self.out[self.at..]);
                debug_assert_eq!(written, Ok(6));
                self.at += 6;
            }
            Field::ShortString(octets) => {
                self.put(b"s");
                self.short_string(octets);
            }
            Field::LongString(octets) => self.long_string(b'S', octets),
            Field::Array(array) => {
                self.put(b"A");
                self.array(array);
            }
            Field::Timestamp(value) => self.tagged(b'T', value.to_be_bytes()),
            Field::Table(table) => {
                self.put(b"F");
                self.table(table);
            }
            Field::Binary(octets) => self.long_string(b'x', octets),
            Field::Void => self.put(b"V"),
        }
    }

    #[inline]
    fn long_string(&mut self, tag: u8, octets: &[u8]) {
        self.tagged(tag, (octets.len() as u32).to_be_bytes());
        self.put(octets);
    }
}

/// Copies `from` to all of `to`, which is as long. Names are short, and a call of `memcpy` costs more than they do.
#[inline(always)]
fn copy(from: &[u8], to: &mut [u8]) {
    match from.len() {
        4..8 => ends::<4>(from, to),
        8..=16 => ends::<8>(from, to),
        0..4 => to.iter_mut().zip(from).for_each(|(to, from)| *to = *from),
        _ => to.copy_from_slice(from),
    }
}

/// Copies the first and the last `N` octets, which overlap or meet.
#[inline(always)]
fn ends<const N: usize>(from: &[u8], to: &mut [u8]) {
    let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) else { return };
    if let Some(to) = to.first_chunk_mut() {
        *to = *first;
    }
    if let Some(to) = to.last_chunk_mut() {
        *to = *last;
    }
}
