//! The byte form of tables: a count, then for each value its name, its kind and its contents. Reading is total: counts
//! end where the bytes or [`COUNT_LIMIT`] do, and a table below [`LEVEL_LIMIT`] is void.

use super::{COUNT_LIMIT, Field, LEVEL_LIMIT, Top, Values};
use crate::case::{ByteReader, ByteWriter};
use crate::codec::amqp_decimal::{Raw, Sign};
use crate::codec::amqp_table::Entry;

const KINDS: usize = 19;

pub(super) fn write(values: &Values, writer: &mut ByteWriter) {
    match values {
        Values::Table(table) => write_entries(&table.entries, writer),
        Values::Array(array) => write_fields(&array.values, writer),
    }
}

fn write_entries(entries: &[Entry<'static>], writer: &mut ByteWriter) {
    writer.usize(entries.len());
    for entry in entries {
        writer.blob(&entry.name);
        write_field(&entry.value, writer);
    }
}

fn write_fields(values: &[Field], writer: &mut ByteWriter) {
    writer.usize(values.len());
    values.iter().for_each(|value| write_field(value, writer));
}

/// The number of a kind of value.
pub(super) fn kind(field: &Field) -> u8 {
    match field {
        Field::Void => 0,
        Field::Boolean(_) => 1,
        Field::ShortShortInt(_) => 2,
        Field::ShortShortUint(_) => 3,
        Field::ShortInt(_) => 4,
        Field::ShortUint(_) => 5,
        Field::LongInt(_) => 6,
        Field::LongUint(_) => 7,
        Field::LongLongInt(_) => 8,
        Field::LongLongUint(_) => 9,
        Field::Float(_) => 10,
        Field::Double(_) => 11,
        Field::Decimal(_) => 12,
        Field::ShortString(_) => 13,
        Field::LongString(_) => 14,
        Field::Array(_) => 15,
        Field::Timestamp(_) => 16,
        Field::Table(_) => 17,
        Field::Binary(_) => 18,
    }
}

fn write_field(field: &Field, writer: &mut ByteWriter) {
    writer.u8(kind(field));
    match field {
        Field::Void => {}
        Field::Boolean(value) => writer.u8(u8::from(*value)),
        Field::ShortShortInt(value) => writer.i128((*value).into()),
        Field::ShortShortUint(value) => writer.u128((*value).into()),
        Field::ShortInt(value) => writer.i128((*value).into()),
        Field::ShortUint(value) => writer.u128((*value).into()),
        Field::LongInt(value) => writer.i128((*value).into()),
        Field::LongUint(value) => writer.u128((*value).into()),
        Field::LongLongInt(value) => writer.i128((*value).into()),
        Field::LongLongUint(value) | Field::Timestamp(value) => writer.u128((*value).into()),
        Field::Float(value) => writer.u128(value.to_bits().into()),
        Field::Double(value) => writer.u128(value.to_bits().into()),
        Field::Decimal(raw) => {
            writer.u128(u128::from(raw.magnitude) << 1 | u128::from(raw.sign == Sign::Minus));
            writer.usize(raw.scale as usize);
        }
        Field::ShortString(octets) | Field::LongString(octets) | Field::Binary(octets) => writer.blob(octets),
        Field::Array(array) => write_fields(&array.values, writer),
        Field::Table(table) => write_entries(&table.entries, writer),
    }
}

pub(super) fn read(top: Top, reader: &mut ByteReader<'_>) -> Values {
    let mut left = reader.limit(COUNT_LIMIT);
    match top {
        Top::Table => Values::table(read_entries(reader, 1, &mut left)),
        Top::Array => Values::array(read_fields(reader, 1, &mut left)),
    }
}

/// Whether there is one more value to read.
fn more(reader: &ByteReader<'_>, left: &mut usize) -> bool {
    let more = *left > 0 && !reader.rest().is_empty();
    *left = left.saturating_sub(1);
    more
}

fn read_entries(reader: &mut ByteReader<'_>, level: usize, left: &mut usize) -> Vec<Entry<'static>> {
    let mut entries = Vec::new();
    for _ in 0..reader.count(COUNT_LIMIT) {
        if !more(reader, left) {
            break;
        }
        let name = reader.blob().to_vec();
        entries.push(Entry::new(name, read_field(reader, level, left)));
    }
    entries
}

fn read_fields(reader: &mut ByteReader<'_>, level: usize, left: &mut usize) -> Vec<Field> {
    let mut values = Vec::new();
    for _ in 0..reader.count(COUNT_LIMIT) {
        if !more(reader, left) {
            break;
        }
        values.push(read_field(reader, level, left));
    }
    values
}

/// A value inside `level` tables and arrays.
fn read_field(reader: &mut ByteReader<'_>, level: usize, left: &mut usize) -> Field {
    match reader.choice(KINDS) {
        1 => Field::Boolean(reader.u8() & 1 == 1),
        2 => Field::ShortShortInt(reader.i128() as i8),
        3 => Field::ShortShortUint(reader.u128() as u8),
        4 => Field::ShortInt(reader.i128() as i16),
        5 => Field::ShortUint(reader.u128() as u16),
        6 => Field::LongInt(reader.i128() as i32),
        7 => Field::LongUint(reader.u128() as u32),
        8 => Field::LongLongInt(reader.i128() as i64),
        9 => Field::LongLongUint(reader.u128() as u64),
        10 => Field::Float(f32::from_bits(reader.u128() as u32)),
        11 => Field::Double(f64::from_bits(reader.u128() as u64)),
        12 => {
            let number = reader.u128();
            let scale = reader.usize(u32::MAX as usize) as u32;
            let sign = if number & 1 == 1 { Sign::Minus } else { Sign::Plus };
            Field::Decimal(Raw { magnitude: (number >> 1) as u64, scale, sign })
        }
        13 => Field::ShortString(reader.blob().to_vec().into()),
        14 => Field::LongString(reader.blob().to_vec().into()),
        15 if level < LEVEL_LIMIT => Field::Array(read_fields(reader, level + 1, left).into()),
        16 => Field::Timestamp(reader.u128() as u64),
        17 if level < LEVEL_LIMIT => Field::Table(read_entries(reader, level + 1, left).into()),
        18 => Field::Binary(reader.blob().to_vec().into()),
        _ => Field::Void,
    }
}
