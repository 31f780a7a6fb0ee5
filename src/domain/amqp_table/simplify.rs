//! Simpler versions of entries and of values, simplest first. Each function calls `emit` until it returns true, and returns
//! whether it did.

use super::Field;
use crate::codec::amqp_decimal::{Raw, Sign};
use crate::codec::amqp_table::Entry;
use crate::generate::{edges, simpler_list};

fn simpler_octets(octets: &[u8], emit: &mut dyn FnMut(Vec<u8>) -> bool) -> bool {
    let plain = vec![b'k'; octets.len()];
    edges::simpler(octets.len() as i128).into_iter().any(|length| emit(octets[..length as usize].to_vec()))
        || plain != octets && emit(plain)
}

pub(super) fn simpler_entry(entry: &Entry<'static>, emit: &mut dyn FnMut(Entry<'static>) -> bool) -> bool {
    simpler_field(&entry.value, &mut |value| emit(Entry { name: entry.name.clone(), value }))
        || simpler_octets(&entry.name, &mut |name| emit(Entry::new(name, entry.value.clone())))
}

pub(super) fn simpler_field(field: &Field, emit: &mut dyn FnMut(Field) -> bool) -> bool {
    if *field != Field::Void && emit(Field::Void) {
        return true;
    }
    match field {
        Field::Void | Field::Boolean(_) => false,
        Field::ShortShortInt(value) => number(*value, |v| emit(Field::ShortShortInt(v as i8))),
        Field::ShortShortUint(value) => number(*value, |v| emit(Field::ShortShortUint(v as u8))),
        Field::ShortInt(value) => number(*value, |v| emit(Field::ShortInt(v as i16))),
        Field::ShortUint(value) => number(*value, |v| emit(Field::ShortUint(v as u16))),
        Field::LongInt(value) => number(*value, |v| emit(Field::LongInt(v as i32))),
        Field::LongUint(value) => number(*value, |v| emit(Field::LongUint(v as u32))),
        Field::LongLongInt(value) => number(*value, |v| emit(Field::LongLongInt(v as i64))),
        Field::LongLongUint(value) => number(*value, |v| emit(Field::LongLongUint(v as u64))),
        Field::Timestamp(value) => number(*value, |v| emit(Field::Timestamp(v as u64))),
        Field::Float(value) => value.to_bits() != 0 && emit(Field::Float(0.0)),
        Field::Double(value) => value.to_bits() != 0 && emit(Field::Double(0.0)),
        Field::Decimal(raw) => {
            number(raw.magnitude, |v| emit(Field::Decimal(Raw { magnitude: v as u64, ..*raw })))
                || number(raw.scale, |v| emit(Field::Decimal(Raw { scale: v as u32, ..*raw })))
                || raw.sign == Sign::Minus && emit(Field::Decimal(Raw { sign: Sign::Plus, ..*raw }))
        }
        Field::ShortString(value) => simpler_octets(value, &mut |v| emit(Field::ShortString(v.into()))),
        Field::LongString(value) => simpler_octets(value, &mut |v| emit(Field::LongString(v.into()))),
        Field::Binary(value) => simpler_octets(value, &mut |v| emit(Field::Binary(v.into()))),
        Field::Array(array) => {
            array.values.iter().any(|value| emit(value.clone()))
                || simpler_list(&array.values, simpler_field, &mut |list| emit(Field::Array(list.into())))
        }
        Field::Table(table) => {
            table.entries.iter().any(|entry| emit(entry.value.clone()))
                || simpler_list(&table.entries, simpler_entry, &mut |list| emit(Field::Table(list.into())))
        }
    }
}

fn number(value: impl Into<i128>, emit: impl FnMut(i128) -> bool) -> bool {
    edges::simpler(value.into()).into_iter().any(emit)
}
