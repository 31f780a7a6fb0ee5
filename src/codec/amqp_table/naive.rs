//! The reference twin: the grammar of 4.2.1, rule by rule, recursive as it is, into vectors and out of them.

use std::borrow::Cow;
use std::vec;
use std::vec::Vec;

use super::amqp_decimal::{self, Raw, naive as decimal};
use super::{Array, Duplicates, Entry, Field, Params, Profile, Table};
use crate::{DecodeError, EncodeError};

/// Writes `table`, its length first.
///
/// # Errors
/// The first thing that is refused, in the order that [`amqp_table`](super) gives.
pub fn encode(table: &Table, params: Params) -> Result<Vec<u8>, EncodeError> {
    let mut encoding = Vec::new();
    write_table(table, params, 1, &mut encoding)?;
    Ok(encoding)
}

/// Writes `array`, its length first.
///
/// # Errors
/// As [`encode`].
pub fn encode_array(array: &Array, params: Params) -> Result<Vec<u8>, EncodeError> {
    let mut encoding = Vec::new();
    write_array(array, params, 1, &mut encoding)?;
    Ok(encoding)
}

/// Writes `table` to the front of `out`.
///
/// # Errors
/// As [`encode`], then [`EncodeError::BufferTooSmall`]. `out` is untouched.
pub fn encode_into(table: &Table, params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
    copy(&encode(table, params)?, out)
}

/// Writes `array` to the front of `out`.
///
/// # Errors
/// As [`encode_into`].
pub fn encode_array_into(array: &Array, params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
    copy(&encode_array(array, params)?, out)
}

/// Reads the table at the front of `bytes`; returns it and the octets consumed.
///
/// # Errors
/// The first thing that is refused, in the order that [`amqp_table`](super) gives.
pub fn decode(bytes: &[u8], params: Params) -> Result<(Table<'_>, usize), DecodeError> {
    let mut reader = Reader { bytes, offset: 0, end: bytes.len(), level: 0, params };
    let table = reader.table()?;
    Ok((table, reader.offset))
}

/// Reads the array at the front of `bytes`; returns it and the octets consumed.
///
/// # Errors
/// As [`decode`].
pub fn decode_array(bytes: &[u8], params: Params) -> Result<(Array<'_>, usize), DecodeError> {
    let mut reader = Reader { bytes, offset: 0, end: bytes.len(), level: 0, params };
    let array = reader.array()?;
    Ok((array, reader.offset))
}

fn copy(encoding: &[u8], out: &mut [u8]) -> Result<usize, EncodeError> {
    let (needed, available) = (encoding.len(), out.len());
    if available < needed {
        return Err(EncodeError::BufferTooSmall { needed, available });
    }
    out[..needed].copy_from_slice(encoding);
    Ok(needed)
}

fn write_table(table: &Table, params: Params, level: usize, encoding: &mut Vec<u8>) -> Result<(), EncodeError> {
    let offset = encoding.len();
    check_depth(level, params, offset)?;
    encoding.extend([0; 4]);
    let mut names: Vec<&[u8]> = Vec::new();
    for Entry { name, value } in table.entries.iter() {
        let name_offset = encoding.len();
        write_short_string(name, encoding)?;
        if params.duplicates == Duplicates::Refuse && names.contains(&&name[..]) {
            return Err(EncodeError::DuplicateFieldName { offset: name_offset });
        }
        names.push(name);
        write_field(value, params, level, encoding)?;
        set_length(offset, encoding)?;
    }
    Ok(())
}

fn write_array(array: &Array, params: Params, level: usize, encoding: &mut Vec<u8>) -> Result<(), EncodeError> {
    let offset = encoding.len();
    check_depth(level, params, offset)?;
    encoding.extend([0; 4]);
    for value in array.values.iter() {
        write_field(value, params, level, encoding)?;
        set_length(offset, encoding)?;
    }
    Ok(())
}

fn check_depth(level: usize, params: Params, offset: usize) -> Result<(), EncodeError> {
    let max = usize::from(params.max_depth);
    if level > max { Err(EncodeError::NestingTooDeep { offset, max }) } else { Ok(()) }
}

/// Sets the length at `offset` to the number of octets behind it.
fn set_length(offset: usize, encoding: &mut [u8]) -> Result<(), EncodeError> {
    let length = encoding.len() - offset - 4;
    let length = length_octets(length, offset)?;
    encoding[offset..offset + 4].copy_from_slice(&length);
    Ok(())
}

fn length_octets(length: usize, offset: usize) -> Result<[u8; 4], EncodeError> {
    match u32::try_from(length) {
        Ok(length) => Ok(length.to_be_bytes()),
        Err(_) => Err(EncodeError::LongLengthOverflow { offset, length: length as u64 }),
    }
}

fn write_short_string(octets: &[u8], encoding: &mut Vec<u8>) -> Result<(), EncodeError> {
    let Ok(length) = u8::try_from(octets.len()) else {
        return Err(EncodeError::ShortStringTooLong { offset: encoding.len(), length: octets.len() });
    };
    encoding.push(length);
    encoding.extend(octets);
    Ok(())
}

fn write_long_string(octets: &[u8], encoding: &mut Vec<u8>) -> Result<(), EncodeError> {
    let length = length_octets(octets.len(), encoding.len())?;
    encoding.extend(length);
    encoding.extend(octets);
    Ok(())
}

fn write_decimal(value: Raw, params: Params, encoding: &mut Vec<u8>) -> Result<(), EncodeError> {
    let at = encoding.len();
    let params = amqp_decimal::Params { tag: true, ..params.decimal };
    let mut octets = [0; 6];
    match decimal::encode_into(&[value], params, &mut octets) {
        Err(EncodeError::DecimalScaleOutOfRange { scale, max, .. }) => {
            Err(EncodeError::DecimalScaleOutOfRange { at, scale, max })
        }
        Err(EncodeError::DecimalMantissaOutOfRange { min, max, .. }) => {
            Err(EncodeError::DecimalMantissaOutOfRange { at, min, max })
        }
        Err(EncodeError::DecimalNegativeZero { .. }) => Err(EncodeError::DecimalNegativeZero { at }),
        Err(other) => Err(other),
        Ok(_) => {
            encoding.extend(octets);
            Ok(())
        }
    }
}

fn write_field(field: &Field, params: Params, level: usize, encoding: &mut Vec<u8>) -> Result<(), EncodeError> {
    use Profile::{RabbitMq, Specification};

    let offset = encoding.len();
    let mut tag = |tag: u8| encoding.push(tag);
    match (params.profile, field) {
        (_, Field::Boolean(value)) => {
            tag(b't');
            encoding.push(if *value { 1 } else { 0 });
        }
        (_, Field::ShortShortInt(value)) => {
            tag(b'b');
            encoding.extend(value.to_be_bytes());
        }
        (_, Field::ShortShortUint(value)) => {
            tag(b'B');
            encoding.push(*value);
        }
        (RabbitMq, Field::ShortInt(value)) => {
            tag(b's');
            encoding.extend(value.to_be_bytes());
        }
        (Specification, Field::ShortInt(value)) => {
            tag(b'U');
            encoding.extend(value.to_be_bytes());
        }
        (_, Field::ShortUint(value)) => {
            tag(b'u');
            encoding.extend(value.to_be_bytes());
        }
        (_, Field::LongInt(value)) => {
            tag(b'I');
            encoding.extend(value.to_be_bytes());
        }
        (_, Field::LongUint(value)) => {
            tag(b'i');
            encoding.extend(value.to_be_bytes());
        }
        (RabbitMq, Field::LongLongInt(value)) => {
            tag(b'l');
            encoding.extend(value.to_be_bytes());
        }
        (Specification, Field::LongLongInt(value)) => {
            tag(b'L');
            encoding.extend(value.to_be_bytes());
        }
        (Specification, Field::LongLongUint(value)) => {
            tag(b'l');
            encoding.extend(value.to_be_bytes());
        }
        (_, Field::Float(value)) => {
            tag(b'f');
            encoding.extend(value.to_bits().to_be_bytes());
        }
        (_, Field::Double(value)) => {
            tag(b'd');
            encoding.extend(value.to_bits().to_be_bytes());
        }
        (_, Field::Decimal(value)) => write_decimal(*value, params, encoding)?,
        (Specification, Field::ShortString(octets)) => {
            tag(b's');
            write_short_string(octets, encoding)?;
        }
        (_, Field::LongString(octets)) => {
            tag(b'S');
            write_long_string(octets, encoding)?;
        }
        (_, Field::Array(array)) => {
            tag(b'A');
            write_array(array, params, level + 1, encoding)?;
        }
        (_, Field::Timestamp(value)) => {
            tag(b'T');
            encoding.extend(value.to_be_bytes());
        }
        (_, Field::Table(table)) => {
            tag(b'F');
            write_table(table, params, level + 1, encoding)?;
        }
        (RabbitMq, Field::Binary(octets)) => {
            tag(b'x');
            write_long_string(octets, encoding)?;
        }
        (_, Field::Void) => tag(b'V'),
        (RabbitMq, Field::LongLongUint(_) | Field::ShortString(_)) | (Specification, Field::Binary(_)) => {
            return Err(EncodeError::FieldTypeWithoutTag { offset });
        }
    }
    Ok(())
}

struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
    /// Where the innermost table or array ends; outside of all, where the bytes does.
    end: usize,
    /// Tables and arrays around `offset`.
    level: usize,
    params: Params,
}

impl<'a> Reader<'a> {
    /// Whether `needed` octets of an item are there.
    fn require(&self, needed: usize) -> Result<(), DecodeError> {
        let (offset, available) = (self.offset, self.end - self.offset);
        match (needed > available, self.level) {
            (false, _) => Ok(()),
            (true, 0) => Err(DecodeError::UnexpectedEnd { offset, needed, available }),
            (true, _) => Err(DecodeError::BeyondEnclosing { offset, needed, available }),
        }
    }

    fn octets(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        self.require(count)?;
        let octets = &self.bytes[self.offset..self.offset + count];
        self.offset += count;
        Ok(octets)
    }

    fn octet(&mut self) -> Result<u8, DecodeError> {
        Ok(self.octets(1)?[0])
    }

    fn short(&mut self) -> Result<[u8; 2], DecodeError> {
        Ok(self.octets(2)?.try_into().unwrap())
    }

    fn long(&mut self) -> Result<[u8; 4], DecodeError> {
        Ok(self.octets(4)?.try_into().unwrap())
    }

    fn long_long(&mut self) -> Result<[u8; 8], DecodeError> {
        Ok(self.octets(8)?.try_into().unwrap())
    }

    fn short_string(&mut self) -> Result<&'a [u8], DecodeError> {
        self.require(1)?;
        let length = usize::from(self.bytes[self.offset]);
        Ok(&self.octets(1 + length)?[1..])
    }

    fn long_string(&mut self) -> Result<&'a [u8], DecodeError> {
        self.require(4)?;
        let length = self.bytes[self.offset..self.offset + 4].try_into().unwrap();
        let length = u32::from_be_bytes(length) as usize;
        Ok(&self.octets(length.saturating_add(4))?[4..])
    }

    /// Enters a table or array: the readers to use for its contents, and where to go on after it.
    fn enter(&mut self) -> Result<Reader<'a>, DecodeError> {
        let (offset, max) = (self.offset, usize::from(self.params.max_depth));
        if self.level + 1 > max {
            return Err(DecodeError::NestingTooDeep { offset, max });
        }
        self.long_string()?;
        Ok(Reader { offset: offset + 4, end: self.offset, level: self.level + 1, ..*self })
    }

    fn table(&mut self) -> Result<Table<'a>, DecodeError> {
        let mut inner = self.enter()?;
        let mut entries: Vec<Entry<'a>> = vec![];
        while inner.offset < inner.end {
            let offset = inner.offset;
            let name = inner.short_string()?;
            let refuse = inner.params.duplicates == Duplicates::Refuse;
            if refuse && entries.iter().any(|entry| entry.name == name) {
                return Err(DecodeError::DuplicateFieldName { offset });
            }
            let value = inner.field()?;
            entries.push(Entry::new(name, value));
        }
        Ok(entries.into())
    }

    fn array(&mut self) -> Result<Array<'a>, DecodeError> {
        let mut inner = self.enter()?;
        let mut values: Vec<Field<'a>> = vec![];
        while inner.offset < inner.end {
            values.push(inner.field()?);
        }
        Ok(values.into())
    }

    fn decimal(&mut self) -> Result<Raw, DecodeError> {
        let offset = self.offset;
        let params = self.params.decimal.without_tag();
        let mut value = [Raw::default()];
        match decimal::decode_into(self.octets(5)?, params, &mut value) {
            Err(DecodeError::DecimalScaleOutOfRange { scale, max, .. }) => {
                Err(DecodeError::DecimalScaleOutOfRange { offset, scale, max })
            }
            other => other.map(|_| value[0]),
        }
    }

    fn field(&mut self) -> Result<Field<'a>, DecodeError> {
        use Profile::{RabbitMq, Specification};

        let offset = self.offset;
        let tag = self.octet()?;
        Ok(match (self.params.profile, tag) {
            (_, b't') => Field::Boolean(self.octet()? != 0),
            (_, b'b') => Field::ShortShortInt(self.octet()? as i8),
            (_, b'B') => Field::ShortShortUint(self.octet()?),
            (RabbitMq, b's') => Field::ShortInt(i16::from_be_bytes(self.short()?)),
            (Specification, b's') => Field::ShortString(Cow::Borrowed(self.short_string()?)),
            (_, b'U') => Field::ShortInt(i16::from_be_bytes(self.short()?)),
            (_, b'u') => Field::ShortUint(u16::from_be_bytes(self.short()?)),
            (_, b'I') => Field::LongInt(i32::from_be_bytes(self.long()?)),
            (_, b'i') => Field::LongUint(u32::from_be_bytes(self.long()?)),
            (RabbitMq, b'l') => Field::LongLongInt(i64::from_be_bytes(self.long_long()?)),
            (Specification, b'l') => Field::LongLongUint(u64::from_be_bytes(self.long_long()?)),
            (_, b'L') => Field::LongLongInt(i64::from_be_bytes(self.long_long()?)),
            (_, b'f') => Field::Float(f32::from_bits(u32::from_be_bytes(self.long()?))),
            (_, b'd') => Field::Double(f64::from_bits(u64::from_be_bytes(self.long_long()?))),
            (_, b'D') => Field::Decimal(self.decimal()?),
            (_, b'S') => Field::LongString(Cow::Borrowed(self.long_string()?)),
            (_, b'A') => Field::Array(self.array()?),
            (_, b'T') => Field::Timestamp(u64::from_be_bytes(self.long_long()?)),
            (_, b'F') => Field::Table(self.table()?),
            (RabbitMq, b'x') => Field::Binary(Cow::Borrowed(self.long_string()?)),
            (_, b'V') => Field::Void,
            _ => return Err(DecodeError::UnknownFieldTag { offset, tag }),
        })
    }
}
