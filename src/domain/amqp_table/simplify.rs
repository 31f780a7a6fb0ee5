//! Simpler versions of entries and of values, simplest first.

use super::Field;
use crate::codec::amqp_decimal::{Raw, Sign};
use crate::codec::amqp_table::Entry;
use crate::generate::{edges, simpler_list};

fn simpler_octets(octets: &[u8]) -> Vec<Vec<u8>> {
    let plain = vec![b'k'; octets.len()];
    let mut simpler: Vec<_> = [0, 1, octets.len() / 2, octets.len().saturating_sub(1)]
        .into_iter()
        .filter(|length| *length < octets.len())
        .map(|length| octets[..length].to_vec())
        .collect();
    if plain != octets {
        simpler.push(plain);
    }
    simpler
}

pub(super) fn simpler_entry(entry: &Entry<'static>) -> Vec<Entry<'static>> {
    let names = simpler_octets(&entry.name).into_iter().map(|name| Entry::new(name, entry.value.clone()));
    let values = simpler_field(&entry.value).into_iter().map(|value| Entry { name: entry.name.clone(), value });
    values.chain(names).collect()
}

/// Lists with one item fewer, and with one item simpler.
fn simpler_items<T: Clone>(items: &[T], simpler: impl Fn(&T) -> Vec<T>) -> Vec<Vec<T>> {
    let mut lists = Vec::new();
    simpler_list(items, simpler, &mut |list| {
        lists.push(list);
        lists.len() > 60
    });
    lists
}

pub(super) fn simpler_field(field: &Field) -> Vec<Field> {
    let number = |value: i128, make: &dyn Fn(i128) -> Field| edges::simpler(value).into_iter().map(make).collect();
    let octets =
        |octets: &[u8], make: &dyn Fn(Vec<u8>) -> Field| simpler_octets(octets).into_iter().map(make).collect();
    let mut simpler = if *field == Field::Void { vec![] } else { vec![Field::Void] };
    let own: Vec<Field> = match field {
        Field::Void | Field::Boolean(_) => vec![],
        Field::ShortShortInt(value) => number((*value).into(), &|v| Field::ShortShortInt(v as i8)),
        Field::ShortShortUint(value) => number((*value).into(), &|v| Field::ShortShortUint(v as u8)),
        Field::ShortInt(value) => number((*value).into(), &|v| Field::ShortInt(v as i16)),
        Field::ShortUint(value) => number((*value).into(), &|v| Field::ShortUint(v as u16)),
        Field::LongInt(value) => number((*value).into(), &|v| Field::LongInt(v as i32)),
        Field::LongUint(value) => number((*value).into(), &|v| Field::LongUint(v as u32)),
        Field::LongLongInt(value) => number((*value).into(), &|v| Field::LongLongInt(v as i64)),
        Field::LongLongUint(value) => number((*value).into(), &|v| Field::LongLongUint(v as u64)),
        Field::Timestamp(value) => number((*value).into(), &|v| Field::Timestamp(v as u64)),
        Field::Float(value) => vec![Field::Float(0.0); usize::from(value.to_bits() != 0)],
        Field::Double(value) => vec![Field::Double(0.0); usize::from(value.to_bits() != 0)],
        Field::Decimal(raw) => {
            let mut list: Vec<Field> =
                number(raw.magnitude.into(), &|v| Field::Decimal(Raw { magnitude: v as u64, ..*raw }));
            list.extend(number(raw.scale.into(), &|v| Field::Decimal(Raw { scale: v as u32, ..*raw })));
            if raw.sign == Sign::Minus {
                list.push(Field::Decimal(Raw { sign: Sign::Plus, ..*raw }));
            }
            list
        }
        Field::ShortString(value) => octets(value, &|v| Field::ShortString(v.into())),
        Field::LongString(value) => octets(value, &|v| Field::LongString(v.into())),
        Field::Binary(value) => octets(value, &|v| Field::Binary(v.into())),
        Field::Array(array) => {
            let lists = simpler_items(&array.values, simpler_field).into_iter().map(|list| Field::Array(list.into()));
            array.values.iter().cloned().chain(lists).collect()
        }
        Field::Table(table) => {
            let lists = simpler_items(&table.entries, simpler_entry).into_iter().map(|list| Field::Table(list.into()));
            table.entries.iter().map(|entry| entry.value.clone()).chain(lists).collect()
        }
    };
    simpler.extend(own);
    simpler
}
