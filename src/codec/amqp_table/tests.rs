//! Both twins against the tables of other implementations, each other and the borders of lengths and depths.

use std::vec;
use std::vec::Vec;

use super::amqp_decimal::{NegativeZero, Raw};
use super::*;
use crate::{DecodeError, EncodeError};

mod hostile;
mod random;

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.chars().filter(|c| *c != ' ').map(|c| c.to_digit(16).unwrap() as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

fn text(text: &str) -> Field<'_> {
    Field::LongString(text.as_bytes().into())
}

fn entry<'a>(name: &'a str, value: Field<'a>) -> Entry<'a> {
    Entry::new(name.as_bytes(), value)
}

/// What both twins say, after they were seen to agree in every form of the call.
fn write(table: &Table, params: Params) -> Result<Vec<u8>, EncodeError> {
    let expected = naive::encode(table, params);
    assert_eq!(encoded_len(table, params), expected.as_ref().map(Vec::len).map_err(|e| *e), "{table:?}");
    assert_eq!(encode(table, params), expected, "{table:?}");
    let mut out = vec![0xa5; expected.as_ref().map_or(64, Vec::len) + 3];
    let written = encode_into(table, params, &mut out);
    assert_eq!(written, expected.as_ref().map(Vec::len).map_err(|e| *e));
    let written = written.unwrap_or(0);
    assert_eq!(out[..written], expected.as_deref().unwrap_or_default()[..written]);
    assert!(out[written..].iter().all(|octet| *octet == 0xa5));
    expected
}

/// What both twins say, after they were seen to agree.
fn read(input: &[u8], params: Params) -> Result<(Table<'_>, usize), DecodeError> {
    let expected = naive::decode(input, params);
    let found = decode(input, params);
    assert_eq!(found.map(|(view, read)| (view.to_table(), read)), expected, "{input:02x?}");
    if let Ok((view, read)) = found {
        assert_eq!(view.body(), &input[4..read]);
    }
    expected
}

fn dotnet_table() -> Table<'static> {
    static NESTED: &[(&str, &str)] = &[("test", "test")];
    let nested: Vec<Entry> = NESTED.iter().map(|(name, value)| entry(name, text(value))).collect();
    let array = vec![text("longstring"), Field::LongInt(1234)];
    vec![
        entry("string", text("Hello")),
        entry("int", Field::LongInt(1234)),
        entry("uint", Field::LongUint(1234)),
        entry("decimal", Field::Decimal(Raw::new(1234, 2))),
        entry("timestamp", Field::Timestamp(0)),
        entry("fieldtable", Field::Table(nested.into())),
        entry("fieldarray", Field::Array(array.into())),
    ]
    .into()
}

/// The table of RabbitMQ's server codec test: every type that it knows but floats.
fn server_table() -> Table<'static> {
    let nested = vec![entry("one", Field::LongInt(54321)), entry("two", text("A long string"))];
    let array = vec![Field::LongInt(54321), text("A long string")];
    vec![
        entry("longstr", text("Here is a long string")),
        entry("signedint", Field::LongInt(12345)),
        entry("decimal", Field::Decimal(Raw::new(123456, 3))),
        entry("timestamp", Field::Timestamp(109876543209876)),
        entry("table", Field::Table(nested.into())),
        entry("byte", Field::ShortShortInt(-128)),
        entry("long", Field::LongLongInt(1234567890)),
        entry("short", Field::ShortInt(655)),
        entry("bool", Field::Boolean(true)),
        entry("binary", Field::Binary(b"a binary string".into())),
        entry("unsignedbyte", Field::ShortShortUint(250)),
        entry("unsignedshort", Field::ShortUint(65530)),
        entry("unsignedint", Field::LongUint(4294967290)),
        entry("void", Field::Void),
        entry("array", Field::Array(array.into())),
    ]
    .into()
}

const DOTNET: &str = "00000087 06737472696e67530000000548656c6c6f 03696e7449000004d2 0475696e7469000004d2 \
    07646563696d616c4402000004d2 0974696d657374616d70540000000000000000 \
    0a6669656c647461626c65460000000e04746573745300000004 74657374 \
    0a6669656c6461727261794100000014530000000a6c6f6e67737472696e6749000004d2";

const SERVER: &str = "00000115 076c6f6e677374725300000015486572652069732061206c6f6e6720737472696e67 \
    097369676e6564696e744900003039 07646563696d616c44030001e240 0974696d657374616d7054000063eea053c194 \
    057461626c65460000001f036f6e65490000d4310374776f530000000d41206c6f6e6720737472696e67 0462797465 6280 \
    046c6f6e676c00000000499602d2 0573686f727473028f 04626f6f6c7401 \
    0662696e617279780000000f612062696e61727920737472696e67 0c756e7369676e65646279746542fa \
    0d756e7369676e656473686f727475fffa 0b756e7369676e6564696e7469fffffffa 04766f696456 \
    0561727261794100000017490000d431530000000d41206c6f6e6720737472696e67";

#[test]
fn the_tables_of_other_implementations_tests_hold_octet_for_octet() {
    for (table, octets) in [(dotnet_table(), DOTNET), (server_table(), SERVER)] {
        let octets = hex(octets);
        assert_eq!(write(&table, Params::default()).as_ref(), Ok(&octets));
        assert_eq!(read(&octets, Params::default()), Ok((table, octets.len())));
    }
}

#[test]
fn single_entries_have_the_octets_that_clients_test_for() {
    let rows: [(&str, Field, &str); 19] = [
        ("a", text("bc"), "00000009 01 61 53 00000002 6263"),
        ("a", Field::Binary(vec![0xaa, 0x55].into()), "00000009 01 61 78 00000002 aa55"),
        ("B", Field::ShortShortUint(255), "00000004 01 42 42 ff"),
        ("b", Field::ShortShortInt(-128), "00000004 01 62 62 80"),
        ("d", Field::Double(123.0), "0000000b 01 64 64 405ec00000000000"),
        ("f", Field::Float(123.0), "00000007 01 66 66 42f60000"),
        ("l", Field::LongLongInt(123), "0000000b 01 6c 6c 000000000000007b"),
        ("l", Field::LongLongInt(-1), "0000000b 01 6c 6c ffffffffffffffff"),
        ("s", Field::ShortInt(123), "00000005 01 73 73 007b"),
        ("k", Field::ShortInt(128), "00000005 01 6b 73 0080"),
        ("u", Field::ShortUint(123), "00000005 01 75 75 007b"),
        ("t", Field::Boolean(true), "00000004 01 74 74 01"),
        ("f", Field::Boolean(false), "00000004 01 66 74 00"),
        ("V", Field::Void, "00000003 01 56 56"),
        ("k", Field::LongInt(-1), "00000007 01 6b 49 ffffffff"),
        ("k", Field::Decimal(Raw::new(15, 1)), "00000008 01 6b 44 01 0000000f"),
        ("k", Field::Decimal(Raw::new(-1, 1)), "00000008 01 6b 44 01 ffffffff"),
        ("k", Field::Array(Array::default()), "00000007 01 6b 41 00000000"),
        ("", Field::Table(Table::default()), "00000006 00 46 00000000"),
    ];
    for (name, value, octets) in rows {
        let table: Table = vec![entry(name, value)].into();
        let octets = hex(octets);
        assert_eq!(write(&table, Params::default()).as_ref(), Ok(&octets));
        assert_eq!(read(&octets, Params::default()), Ok((table, octets.len())));
    }
}

#[test]
fn tags_with_two_readings_are_read_as_the_profile_says() {
    use Profile::{RabbitMq, Specification};
    let unknown = |tag| Err(DecodeError::UnknownFieldTag { offset: 6, tag });
    type Reading = Result<Field<'static>, DecodeError>;
    let rows: [(&str, Reading, Reading); 7] = [
        ("s 0061", Ok(Field::ShortInt(97)), Ok(Field::ShortString(vec![].into()))),
        ("s 0161", Ok(Field::ShortInt(0x161)), Ok(Field::ShortString(b"a".into()))),
        ("l ffffffffffffffff", Ok(Field::LongLongInt(-1)), Ok(Field::LongLongUint(u64::MAX))),
        ("L 0000000000000bb8", Ok(Field::LongLongInt(3000)), Ok(Field::LongLongInt(3000))),
        ("U ffff", Ok(Field::ShortInt(-1)), Ok(Field::ShortInt(-1))),
        ("x 00000001ff", Ok(Field::Binary(vec![0xff].into())), unknown(b'x')),
        ("Z", unknown(b'Z'), unknown(b'Z')),
    ];
    for (value, rabbitmq, specification) in rows {
        let (tag, contents) = value.split_at(1);
        let mut octets = vec![0, 0, 0, 0, 1, b'k', tag.as_bytes()[0]];
        octets.extend(hex(contents));
        octets[3] = octets.len() as u8 - 4;
        for (profile, expected) in [(RabbitMq, rabbitmq), (Specification, specification)] {
            let found = read(&octets, Params::new(profile));
            if value == "s 0061" && profile == Specification {
                // An empty short string; what follows it is a name of 97 octets.
                let refusal = DecodeError::BeyondEnclosing { offset: 8, needed: 98, available: 1 };
                assert_eq!(found, Err(refusal));
                continue;
            }
            assert_eq!(found.map(|(table, _)| table.entries[0].value.clone()), expected, "{value} {profile:?}");
        }
    }
}

#[test]
fn each_profile_writes_its_own_tags_and_refuses_types_that_it_has_none_for() {
    let refused = EncodeError::FieldTypeWithoutTag { offset: 6 };
    type Octets = Result<&'static str, EncodeError>;
    let rows: [(Field, Octets, Octets); 5] = [
        (Field::ShortInt(-2), Ok("00000005 01 6b 73 fffe"), Ok("00000005 01 6b 55 fffe")),
        (Field::LongLongInt(-2), Ok("0000000b 01 6b 6c fffffffffffffffe"), Ok("0000000b 01 6b 4c fffffffffffffffe")),
        (Field::LongLongUint(u64::MAX), Err(refused), Ok("0000000b 01 6b 6c ffffffffffffffff")),
        (Field::ShortString(b"a".into()), Err(refused), Ok("00000005 01 6b 73 01 61")),
        (Field::Binary(b"a".into()), Ok("00000008 01 6b 78 00000001 61"), Err(refused)),
    ];
    for (value, rabbitmq, specification) in rows {
        let table: Table = vec![entry("k", value)].into();
        for (profile, expected) in [(Profile::RabbitMq, rabbitmq), (Profile::Specification, specification)] {
            let params = Params::new(profile);
            let written = write(&table, params);
            assert_eq!(written, expected.map(hex), "{table:?} {profile:?}");
            if let Ok(octets) = written {
                assert_eq!(read(&octets, params), Ok((table.clone(), octets.len())));
            }
        }
    }
}

#[test]
fn any_octet_but_zero_is_true() {
    for octet in 0..=255 {
        let input = [0, 0, 0, 4, 1, b'k', b't', octet];
        let (table, _) = read(&input, Params::default()).unwrap();
        assert_eq!(table.entries[0].value, Field::Boolean(octet != 0));
        assert_eq!(write(&table, Params::default()).unwrap()[7], u8::from(octet != 0));
    }
}

#[test]
fn floats_keep_every_bit() {
    for bits in [0, 1 << 63, 0x7ff0_0000_0000_0001, 0xfff8_dead_beef_0001, u64::MAX] {
        let (single, double) = (f32::from_bits((bits >> 32) as u32), f64::from_bits(bits));
        let table: Table = vec![entry("f", Field::Float(single)), entry("d", Field::Double(double))].into();
        let octets = write(&table, Params::default()).unwrap();
        assert_eq!(octets[7..11], (bits >> 32).to_be_bytes()[4..]);
        assert_eq!(octets[14..], bits.to_be_bytes());
        assert_eq!(read(&octets, Params::default()), Ok((table, octets.len())));
    }
}

#[test]
fn names_and_short_strings_hold_255_octets_and_no_more() {
    let long = [b'a'; 256];
    for profile in Profile::ALL {
        let table: Table = vec![Entry::new(&long[..255], Field::Void)].into();
        let octets = write(&table, Params::new(profile)).unwrap();
        assert_eq!(octets[..5], [0, 0, 1, 1, 255]);
        assert_eq!(read(&octets, Params::new(profile)), Ok((table, 261)));
        let table: Table = vec![entry("k", Field::Void), Entry::new(&long, Field::Void)].into();
        let refusal = EncodeError::ShortStringTooLong { offset: 7, length: 256 };
        assert_eq!(write(&table, Params::new(profile)), Err(refusal));
    }
    for length in [0, 1, 255, 256] {
        let table: Table = vec![entry("k", Field::ShortString(long[..length].into()))].into();
        let written = write(&table, Params::new(Profile::Specification));
        let refusal = EncodeError::ShortStringTooLong { offset: 7, length };
        assert_eq!(written.err(), (length > 255).then_some(refusal));
    }
}

#[test]
fn a_decimal_in_a_table_obeys_its_own_profile() {
    use amqp_decimal::Profile::{DotNet, Errata, Unsigned};
    let table = |value| Table::from(vec![entry("a", Field::Void), entry("k", Field::Decimal(value))]);
    for (profile, word) in [(Errata, "fffffff1"), (DotNet, "8000000f")] {
        let octets = write(&table(Raw::new(-15, 1)), Params::default().with_decimals(profile)).unwrap();
        assert_eq!(octets[9..], hex(&std::format!("44 01 {word}")));
    }
    let out_of_range = EncodeError::DecimalMantissaOutOfRange { at: 9, min: 0, max: 4294967295 };
    assert_eq!(write(&table(Raw::new(-15, 1)), Params::default().with_decimals(Unsigned)), Err(out_of_range));
    let scale = EncodeError::DecimalScaleOutOfRange { at: 9, scale: 29, max: 28 };
    assert_eq!(write(&table(Raw::new(1, 29)), Params::default().with_decimals(DotNet)), Err(scale));
    let zero = table(Raw::negative_zero(0));
    assert_eq!(write(&zero, Params::default()), Err(EncodeError::DecimalNegativeZero { at: 9 }));
    let mut params = Params::default();
    params.decimal.negative_zero = NegativeZero::WriteZero;
    params.decimal.tag = false;
    assert_eq!(write(&zero, params).unwrap()[9..], hex("44 00 00000000"), "the tag of a table is always there");
    let octets = write(&table(Raw::new(1, 29)), Params::default()).unwrap();
    assert_eq!(read(&octets, params), Ok((table(Raw::new(1, 29)), octets.len())));
    let refusal = DecodeError::DecimalScaleOutOfRange { offset: 10, scale: 29, max: 28 };
    assert_eq!(read(&octets, Params::default().with_decimals(DotNet)), Err(refusal));
}

/// `levels` of tables and arrays, each within the other.
fn nested(levels: usize) -> Table<'static> {
    let mut table = Table::default();
    for level in 1..levels {
        let inner = Field::Table(table);
        let inner = if level % 2 == 0 { Field::Array(vec![inner].into()) } else { inner };
        table = vec![entry("k", inner)].into();
    }
    table
}

#[test]
fn nesting_is_taken_to_the_limit_and_refused_one_level_beyond() {
    let depth = |table: &Table| {
        let deepest =
            (0..=255).find(|&max_depth| encoded_len(table, Params { max_depth, ..Params::default() }).is_ok());
        usize::from(deepest.unwrap())
    };
    for levels in 1..100 {
        let table = nested(levels);
        let actual = levels + (levels - 1) / 2;
        assert_eq!(depth(&table), actual);
        let octets = write(&table, Params { max_depth: 255, ..Params::default() }).unwrap();
        for max_depth in [0, 1, 2, 31, 32, 33, 149, 150, 255] {
            let params = Params { max_depth, ..Params::default() };
            let (written, found) = (write(&table, params), read(&octets, params));
            if actual <= usize::from(max_depth) {
                assert_eq!(written.as_ref(), Ok(&octets));
                assert_eq!(found, Ok((table.clone(), octets.len())));
            } else {
                let EncodeError::NestingTooDeep { offset, max } = written.unwrap_err() else { panic!() };
                assert_eq!(max, usize::from(max_depth));
                assert_eq!(found, Err(DecodeError::NestingTooDeep { offset, max }));
            }
        }
    }
}

#[test]
fn a_name_that_stands_twice_is_refused_where_it_stands_again_unless_accepted() {
    let names: Vec<std::string::String> = (0..1700).map(|i| std::format!("{i}")).collect();
    let accept = Params { duplicates: Duplicates::Accept, ..Params::default() };
    for count in [2, 3, 15, 16, 17, 18, 40, 511, 512, 513, 1025, 1700] {
        let ends = [(0, 1), (0, count - 1), (count - 2, count - 1), (count / 2 - 1, count / 2)];
        let blocks = [(511, 512), (511, 1699), (512, 513), (512, 1699), (1024, 1699)];
        for (first, second) in ends.into_iter().chain(blocks.into_iter().filter(|pair| pair.1 < count)) {
            let mut entries: Vec<Entry> = names[..count].iter().map(|name| entry(name, Field::Void)).collect();
            assert!(write(&entries.clone().into(), Params::default()).is_ok());
            entries[second].name = entries[first].name.clone();
            let offset = 4 + entries[..second].iter().map(|entry| entry.name.len() + 2).sum::<usize>();
            let table: Table = entries.into();
            let octets = write(&table, accept).unwrap();
            assert_eq!(write(&table, Params::default()), Err(EncodeError::DuplicateFieldName { offset }));
            assert_eq!(read(&octets, accept), Ok((table, octets.len())));
            assert_eq!(read(&octets, Params::default()), Err(DecodeError::DuplicateFieldName { offset }));
            // A fault behind the second name does not hide it, one before it comes first.
            let mut faulty = octets.clone();
            *faulty.last_mut().unwrap() = b'?';
            assert_eq!(read(&faulty, Params::default()), Err(DecodeError::DuplicateFieldName { offset }));
            faulty[offset - 1] = b'!';
            let refusal = DecodeError::UnknownFieldTag { offset: offset - 1, tag: b'!' };
            assert_eq!(read(&faulty, Params::default()), Err(refusal));
        }
    }
}

#[test]
fn of_many_names_that_stand_twice_the_first_is_named() {
    let names: Vec<std::string::String> = (0..1000).map(|i| std::format!("{i:04}")).collect();
    let mut entries: Vec<Entry> = names.iter().map(|name| entry(name, Field::Void)).collect();
    let accept = Params { duplicates: Duplicates::Accept, ..Params::default() };
    for (first, second) in [(3, 999), (600, 998), (2, 997), (990, 996), (0, 515), (1, 514), (4, 20), (5, 18)] {
        entries[second].name = entries[first].name.clone();
        let table: Table = entries.clone().into();
        let offset = 4 + 6 * second;
        assert_eq!(write(&table, Params::default()), Err(EncodeError::DuplicateFieldName { offset }));
        let octets = write(&table, accept).unwrap();
        assert_eq!(read(&octets, Params::default()), Err(DecodeError::DuplicateFieldName { offset }));
    }
}

#[test]
fn the_same_name_on_two_levels_is_no_duplicate() {
    let inner: Table = vec![entry("k", Field::Void)].into();
    let table: Table = vec![entry("k", Field::Table(inner.clone())), entry("l", Field::Table(inner))].into();
    let octets = write(&table, Params::default()).unwrap();
    assert_eq!(read(&octets, Params::default()), Ok((table, octets.len())));
}

#[test]
fn every_capacity_is_answered_alike_and_nothing_beyond_is_touched() {
    for table in [Table::default(), dotnet_table(), server_table()] {
        let needed = encoded_len(&table, Params::default()).unwrap();
        for capacity in 0..=needed + 1 {
            for canary in [0x00, 0xff] {
                let mut out = vec![canary; capacity];
                let mut naive = vec![canary; capacity];
                let answer = encode_into(&table, Params::default(), &mut out);
                assert_eq!(naive::encode_into(&table, Params::default(), &mut naive), answer);
                assert_eq!(out, naive);
                if capacity < needed {
                    assert_eq!(answer, Err(EncodeError::BufferTooSmall { needed, available: capacity }));
                    assert!(out.iter().all(|octet| *octet == canary));
                }
            }
        }
    }
}

#[test]
fn what_is_refused_is_named_before_the_room_is_looked_at() {
    let table: Table = vec![entry("k", Field::LongLongUint(1))].into();
    let refusal = EncodeError::FieldTypeWithoutTag { offset: 6 };
    assert_eq!(encode_into(&table, Params::default(), &mut []), Err(refusal));
    assert_eq!(naive::encode_into(&table, Params::default(), &mut []), Err(refusal));
}

#[test]
fn arrays_stand_alone_too() {
    let array: Array = vec![text("longstring"), Field::LongInt(1234), Field::Array(vec![Field::Void].into())].into();
    let octets = hex("0000001a 53 0000000a 6c6f6e67737472696e67 49 000004d2 41 00000001 56");
    let params = Params::default();
    assert_eq!(naive::encode_array(&array, params).as_ref(), Ok(&octets));
    assert_eq!(encode_array(&array, params).as_ref(), Ok(&octets));
    assert_eq!(encoded_array_len(&array, params), Ok(30));
    for capacity in 0..=31 {
        let (mut out, mut naive) = ([0xee; 31], [0xee; 31]);
        let answer = encode_array_into(&array, params, &mut out[..capacity]);
        assert_eq!(naive::encode_array_into(&array, params, &mut naive[..capacity]), answer);
        assert_eq!(out, naive);
    }
    for cut in 0..=octets.len() {
        let expected = naive::decode_array(&octets[..cut], params);
        let found = decode_array(&octets[..cut], params);
        assert_eq!(found.map(|(view, read)| (view.to_array(), read)), expected);
    }
    let (view, _) = decode_array(&octets, params).unwrap();
    assert_eq!(view.to_array(), array);
    assert_eq!(view.iter().nth(1), Some(FieldView::LongInt(1234)));
}

#[test]
fn views_find_values_without_copying_them() {
    let octets = hex(DOTNET);
    let (view, _) = decode(&octets, Params::default()).unwrap();
    let Some(FieldView::LongString(hello)) = view.get(b"string") else { panic!() };
    assert!(octets.as_ptr_range().contains(&hello.as_ptr()));
    let Some(FieldView::Table(inner)) = view.get(b"fieldtable") else { panic!() };
    assert_eq!(inner.get(b"test"), Some(FieldView::LongString(b"test")));
    assert_eq!(view.get(b"absent"), None);
    assert_eq!(view.iter().count(), 7);
}

#[cfg(target_pointer_width = "64")]
#[test]
fn lengths_beyond_32_bits_are_refused_and_not_cut() {
    // Pages of a fresh allocation that nobody reads take no memory.
    let giant = vec![0; (1 << 32) + 1];
    for (length, fits) in [
        ((1 << 32) - 1 - 7, true),
        ((1 << 32) - 7, false),
        ((1 << 32) - 1, false),
        (1 << 32, false),
        ((1 << 32) + 1, false),
    ] {
        let table: Table = vec![entry("k", Field::LongString(giant[..length].into()))].into();
        let expected = match length {
            _ if fits => Ok(4 + 7 + length),
            ..=4294967295 => Err(EncodeError::LongLengthOverflow { offset: 0, length: 7 + length as u64 }),
            _ => Err(EncodeError::LongLengthOverflow { offset: 7, length: length as u64 }),
        };
        assert_eq!(encoded_len(&table, Params::default()), expected);
    }
    let part = Field::LongString(giant[..1 << 30].into());
    let inner: Array = vec![part.clone(), part.clone(), part.clone(), part].into();
    let table: Table = vec![entry("k", Field::Array(inner))].into();
    let refusal = EncodeError::LongLengthOverflow { offset: 7, length: 4 * ((1 << 30) + 5) };
    assert_eq!(encoded_len(&table, Params::default()), Err(refusal));
}
