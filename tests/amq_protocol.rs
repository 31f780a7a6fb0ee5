//! lapin's codec against ours: the same octets under the profile that it follows, and the same values read.
#![cfg(feature = "amq-protocol")]

use bytetwin::codec::amqp_decimal::{self, Profile, Raw};
use bytetwin::codec::amqp_table::{self, Duplicates, Entry, Field, Params, Table};
use bytetwin::subject::amq_protocol::{self, Refused};

const UNSIGNED: amqp_decimal::Params = amqp_decimal::Params::new(Profile::Unsigned);

fn table_params() -> Params {
    Params { duplicates: Duplicates::Accept, ..Params::default().with_decimals(Profile::Unsigned) }
}

/// Every type that both have, in the order of the names.
fn every_type() -> Table<'static> {
    let nested = vec![Entry::new(b"one", Field::LongInt(54321)), Entry::new(b"two", Field::LongString(b"2".into()))];
    let array = vec![Field::LongInt(-1), Field::Void, Field::Table(nested.clone().into())];
    let values = [
        Field::Boolean(true),
        Field::ShortShortInt(-128),
        Field::ShortShortUint(250),
        Field::ShortInt(-655),
        Field::ShortUint(65530),
        Field::LongInt(i32::MIN),
        Field::LongUint(u32::MAX),
        Field::LongLongInt(i64::MIN),
        Field::Float(1.5),
        Field::Double(-0.0),
        Field::Decimal(Raw::new(4294967295, 255)),
        Field::LongString(b"text".into()),
        Field::Array(array.into()),
        Field::Timestamp(u64::MAX),
        Field::Table(nested.into()),
        Field::Binary(vec![0, 255].into()),
        Field::Void,
    ];
    let entries: Vec<Entry> = (b'a'..).zip(values).map(|(name, value)| Entry::new(vec![name], value)).collect();
    entries.into()
}

#[test]
fn decimals_have_the_same_octets_and_values() {
    let magnitudes = [0, 1, 110, 0x7fff_ffff, 0x8000_0000, 0xffff_fff1, 0xffff_ffff];
    let values: Vec<Raw> = [0, 1, 2, 28, 29, 255]
        .into_iter()
        .flat_map(|scale| magnitudes.map(|magnitude| Raw::new(magnitude, scale)))
        .collect();
    let ours = amqp_decimal::encode(&values, UNSIGNED).unwrap();
    let mut theirs = vec![0; ours.len()];
    assert_eq!(amq_protocol::encode_decimals(&values, &mut theirs), Some(Ok(ours.len())));
    assert_eq!(theirs, ours);
    let mut back = vec![Raw::default(); values.len()];
    assert_eq!(amq_protocol::decode_decimals(&ours, &mut back), Ok(ours.len()));
    assert_eq!(back, values);
    let short = ours.len() - 1;
    assert_eq!(amq_protocol::encode_decimals(&values, &mut theirs[..short]), Some(Err(Refused)));
    assert_eq!(amq_protocol::decode_decimals(&ours[..short], &mut back), Err(Refused));
}

#[test]
fn what_lapin_has_no_place_for_is_no_question() {
    for value in [Raw::new(-1, 0), Raw::negative_zero(0), Raw::new(1, 256), Raw::new(1 << 32, 0)] {
        assert_eq!(amq_protocol::encode_decimals(&[value], &mut [0; 6]), None, "{value:?}");
        assert!(amqp_decimal::encode(&[value], UNSIGNED).is_err(), "{value:?} is refused here");
    }
    let unsorted: Table = vec![Entry::new(b"b", Field::Void), Entry::new(b"a", Field::Void)].into();
    assert_eq!(amq_protocol::encode_table(&unsorted, &mut [0; 99]), None);
    let no_text: Table = vec![Entry::new(&[0xff], Field::Void)].into();
    assert_eq!(amq_protocol::encode_table(&no_text, &mut [0; 99]), None);
}

#[test]
fn a_table_of_every_type_has_the_same_octets_and_values() {
    let table = every_type();
    let ours = amqp_table::encode(&table, table_params()).unwrap();
    let mut theirs = vec![0; ours.len()];
    assert_eq!(amq_protocol::encode_table(&table, &mut theirs), Some(Ok(ours.len())));
    assert_eq!(theirs, ours);
    assert_eq!(amq_protocol::decode_table(&ours), Some(Ok((table, ours.len()))));
}

/// Of equal names lapin keeps the last, and its names are text; beyond that, both take and refuse the same.
#[test]
fn every_change_of_one_octet_is_read_alike() {
    let octets = amqp_table::encode(&every_type(), table_params()).unwrap();
    let (mut taken, mut refused, mut no_text) = (0, 0, 0);
    for at in 0..octets.len() {
        for value in 0..=255 {
            let mut changed = octets.clone();
            changed[at] = value;
            let ours = amqp_table::decode(&changed, table_params());
            match (ours, amq_protocol::decode_table(&changed).expect("shallow")) {
                (Ok((table, read)), Ok((theirs, read_too))) => {
                    assert_eq!((as_map(&table.to_table()), read), (as_map(&theirs), read_too), "{changed:02x?}");
                    taken += 1;
                }
                (Ok((table, _)), Err(Refused)) => {
                    assert!(!names_are_text(&table.to_table()), "{changed:02x?}");
                    no_text += 1;
                }
                (Err(_), Err(Refused)) => refused += 1,
                (Err(error), Ok(theirs)) => panic!("{error}, but lapin reads {theirs:?}"),
            }
        }
    }
    assert!(taken > 10_000 && refused > 10_000 && no_text > 100, "{taken} {refused} {no_text}");
}

/// The table as lapin would keep it.
fn as_map(table: &Table) -> Table<'static> {
    let mut entries: Vec<Entry<'static>> = Vec::new();
    for Entry { name, value } in table.clone().into_owned().entries.iter() {
        entries.retain(|earlier| earlier.name != *name);
        entries.push(Entry::new(name.clone(), field_as_map(value.clone())));
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    entries.into()
}

fn field_as_map(field: Field<'static>) -> Field<'static> {
    match field {
        Field::Table(table) => Field::Table(as_map(&table)),
        Field::Array(array) => Field::Array(array.values.iter().cloned().map(field_as_map).collect::<Vec<_>>().into()),
        other => other,
    }
}

fn names_are_text(table: &Table) -> bool {
    table.entries.iter().all(|Entry { name, value }| str::from_utf8(name).is_ok() && inner_names_are_text(value))
}

fn inner_names_are_text(field: &Field) -> bool {
    match field {
        Field::Table(table) => names_are_text(table),
        Field::Array(array) => array.values.iter().all(inner_names_are_text),
        _ => true,
    }
}
