//! AMQP decimals and field tables: naive, each fast path, lapin's codec (amq-protocol-types), and memcpy.
//!
//! `cargo bench --bench amqp`; `-- --quick` for a smoke test, `-- table` for the tables whose name has that word.

mod harness;

use amq_protocol_types::generation::{gen_field_table, gen_value};
use amq_protocol_types::parsing::{parse_field_table, parse_value};
use amq_protocol_types::{AMQPValue, DecimalValue};
use bytetwin::codec::Path;
use bytetwin::codec::amqp_decimal::{self as decimal, NegativeZero, Params, Profile, Raw};
use bytetwin::codec::amqp_table::{self as table, Entry, Field, FieldView, Table};
use bytetwin::subject::amq_protocol;
use cookie_factory::gen_simple;
use harness::{MEMCPY, Race, Session, print_head, print_lines};
use rust_decimal::Decimal;
use std::hint::black_box;

const PEER: &str = "amq-protocol-types";
const PEERS: [&str; 2] = [PEER, "naive"];
const UNSIGNED: Params = Params::new(Profile::Unsigned);

fn main() {
    let session = Session::start("AMQP");
    if session.wants("one decimal") {
        one_decimal(&session);
    }
    if session.wants("batch of decimals") {
        print_head("batch of decimals", &PEERS);
        let large = if session.quick() { 1 << 12 } else { 1_000_000 };
        for count in [8192, large] {
            batch_of_raw(&session, count);
            batch_of_rust_decimal(&session, count);
        }
    }
    if session.wants("field table") {
        field_table(&session);
    }
}

/// Mantissas of every width in an order that no branch predictor knows, all of them fit for every profile.
fn values(count: usize) -> Vec<Raw> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state >> 33
    };
    (0..count).map(|_| Raw::new((next() & 0x7fff_ffff) as i64 >> (next() % 31), (next() % 29) as u32)).collect()
}

fn decimal_of(value: &Raw) -> Decimal {
    Decimal::from_i128_with_scale(value.mantissa(), value.scale)
}

fn peer_value(value: &Raw) -> AMQPValue {
    AMQPValue::DecimalValue(DecimalValue { scale: value.scale as u8, value: value.magnitude as u32 })
}

fn peer_encode(values: &[AMQPValue], out: &mut [u8]) {
    let rest = values.iter().try_fold(out, |rest, value| gen_simple(gen_value(value), rest));
    assert!(rest.is_ok_and(|rest| rest.is_empty()));
}

/// Buffers that the contenders share.
struct Buffers {
    octets: Vec<u8>,
    raw: Vec<Raw>,
    decimals: Vec<Decimal>,
    copied: Vec<u8>,
}

impl Buffers {
    fn new(values: &[Raw]) -> Self {
        Self {
            octets: decimal::encode(values, UNSIGNED).unwrap(),
            raw: values.to_vec(),
            decimals: values.iter().map(decimal_of).collect(),
            copied: vec![0; values.len() * 11],
        }
    }

    /// Copies half of the 6 + 16 bytes for each value.
    fn memcpy(&mut self, from: &[u8]) {
        self.copied.copy_from_slice(from);
        black_box(&mut self.copied);
    }
}

// A call that is not inlined, with a profile that is known at run time only.
#[inline(never)]
fn write_raw_as(value: Raw, params: Params, out: &mut [u8]) -> usize {
    decimal::encode_one(value, params, out).unwrap()
}

#[inline(never)]
fn read_raw_as(input: &[u8], params: Params) -> (Raw, usize) {
    decimal::decode_one(input, params).unwrap()
}

fn one_decimal(session: &Session) {
    let values = values(1024);
    let count = values.len();
    let peer: Vec<AMQPValue> = values.iter().map(peer_value).collect();
    let source = vec![7; count * 11];
    let expected = Buffers::new(&values);
    let mut checked = vec![0; count * 6];
    peer_encode(&peer, &mut checked);
    assert_eq!(checked, expected.octets, "one decimal: {PEER}");

    print_head("one decimal", &PEERS);
    let mut race = Race::new("encode one", count, count * 22, Buffers::new(&values));
    race.add("naive", |b: &mut Buffers| {
        for (value, out) in b.raw.iter().zip(b.octets.chunks_exact_mut(6)) {
            decimal::naive::encode_into(&[*value], black_box(UNSIGNED), out).unwrap();
        }
    });
    race.add("fast, Raw", |b| {
        let mut out = &mut b.octets[..];
        for value in &b.raw {
            let written = decimal::encode_one(*value, UNSIGNED, out).unwrap();
            out = &mut out[written..];
        }
    });
    race.add("fast, Decimal", |b| {
        let mut out = &mut b.octets[..];
        for value in &b.decimals {
            let written = decimal::encode_one(*value, UNSIGNED, out).unwrap();
            out = &mut out[written..];
        }
    });
    let params = black_box(UNSIGNED);
    race.add("fast, Raw, called, profile at run time", |b| {
        let mut out = &mut b.octets[..];
        for value in &b.raw {
            let written = write_raw_as(*value, params, out);
            out = &mut out[written..];
        }
    });
    race.add(PEER, |b| peer_encode(black_box(&peer), &mut b.octets));
    race.add(MEMCPY, |b| b.memcpy(&source));
    print_lines(&race.run(session), &PEERS);

    let mut race = Race::new("decode one", count, count * 22, Buffers::new(&values));
    race.add("naive", |b: &mut Buffers| {
        for (input, value) in b.octets.chunks_exact(6).zip(b.raw.chunks_exact_mut(1)) {
            decimal::naive::decode_into(input, black_box(UNSIGNED), value).unwrap();
        }
    });
    race.add("fast, Raw", |b| {
        let mut input = &b.octets[..];
        for place in &mut b.raw {
            let (value, read) = decimal::decode_one(input, UNSIGNED).unwrap();
            *place = value;
            input = &input[read..];
        }
    });
    race.add("fast, Decimal", |b| {
        let mut input = &b.octets[..];
        for place in &mut b.decimals {
            let (value, read) = decimal::decode_one(input, UNSIGNED).unwrap();
            *place = value;
            input = &input[read..];
        }
    });
    race.add("fast, Raw, called, profile at run time", |b| {
        let mut input = &b.octets[..];
        for place in &mut b.raw {
            let (value, read) = read_raw_as(input, params);
            *place = value;
            input = &input[read..];
        }
    });
    race.add(PEER, |b| peer_decode(&b.octets, &mut b.raw));
    race.add(MEMCPY, |b| b.memcpy(&source));
    print_lines(&race.run(session), &PEERS);
}

fn peer_decode(input: &[u8], out: &mut [Raw]) {
    let mut rest = input;
    for place in out {
        let (behind, value) = parse_value(rest).unwrap();
        let AMQPValue::DecimalValue(value) = value else { panic!("not a decimal") };
        *place = Raw { magnitude: value.value.into(), scale: value.scale.into(), ..Raw::default() };
        rest = behind;
    }
}

fn batch_of_raw(session: &Session, count: usize) {
    let values = values(count);
    let peer: Vec<AMQPValue> = values.iter().map(peer_value).collect();
    let source = vec![7; count * 11];
    let expected = Buffers::new(&values);
    let mut out = vec![0; count * 6];
    decimal::naive::encode_into(&values, UNSIGNED, &mut out).unwrap();
    assert_eq!(out, expected.octets, "naive");
    peer_encode(&peer, &mut out);
    assert_eq!(out, expected.octets, "{PEER}");
    let mut back = vec![Raw::default(); count];
    for path in Path::available() {
        decimal::encode_into_with(path, &values, UNSIGNED, &mut out).unwrap();
        assert_eq!(out, expected.octets, "{}", path.name());
        decimal::decode_into_with(path, &out, UNSIGNED, &mut back).unwrap();
        assert_eq!(back, values, "{}", path.name());
    }
    peer_decode(&out, &mut back);
    assert_eq!(back, values, "{PEER}");

    let mut race = Race::new(format!("encode {count} Raw"), count, count * 22, Buffers::new(&values));
    race.add("naive", |b: &mut Buffers| {
        decimal::naive::encode_into(&b.raw, UNSIGNED, &mut b.octets).unwrap();
    });
    for path in Path::available() {
        race.add(path.name(), move |b| {
            decimal::encode_into_with(path, &b.raw, black_box(UNSIGNED), &mut b.octets).unwrap();
        });
    }
    race.add(PEER, |b| peer_encode(black_box(&peer), &mut b.octets));
    race.add(MEMCPY, |b| b.memcpy(&source));
    print_lines(&race.run(session), &PEERS);

    let mut race = Race::new(format!("decode {count} Raw"), count, count * 22, Buffers::new(&values));
    race.add("naive", |b: &mut Buffers| {
        decimal::naive::decode_into(&b.octets, UNSIGNED, &mut b.raw).unwrap();
    });
    for path in Path::available() {
        race.add(path.name(), move |b| {
            decimal::decode_into_with(path, &b.octets, black_box(UNSIGNED), &mut b.raw).unwrap();
        });
    }
    race.add(PEER, |b| peer_decode(&b.octets, &mut b.raw));
    race.add(MEMCPY, |b| b.memcpy(&source));
    print_lines(&race.run(session), &PEERS);
}

fn batch_of_rust_decimal(session: &Session, count: usize) {
    let values = values(count);
    let source = vec![7; count * 11];
    let expected = Buffers::new(&values);
    let mut out = vec![0; count * 6];
    let mut back = vec![Decimal::ZERO; count];
    for path in Path::available() {
        decimal::encode_into_with(path, &expected.decimals, UNSIGNED, &mut out).unwrap();
        assert_eq!(out, expected.octets, "{}", path.name());
        decimal::decode_into_with(path, &out, UNSIGNED, &mut back).unwrap();
        assert!(back.iter().map(Decimal::serialize).eq(expected.decimals.iter().map(Decimal::serialize)));
    }
    let peer_encode_decimals = |decimals: &[Decimal], out: &mut [u8]| {
        let rest = decimals.iter().try_fold(out, |rest, decimal| {
            let (scale, value) = (decimal.scale() as u8, decimal.mantissa() as u32);
            gen_simple(gen_value(&AMQPValue::DecimalValue(DecimalValue { scale, value })), rest)
        });
        assert!(rest.is_ok_and(|rest| rest.is_empty()));
    };
    peer_encode_decimals(&expected.decimals, &mut out);
    assert_eq!(out, expected.octets, "{PEER}");

    let mut race = Race::new(format!("encode {count} Decimal"), count, count * 22, Buffers::new(&values));
    race.add("naive", |b: &mut Buffers| {
        decimal::naive::encode_into(&b.decimals, UNSIGNED, &mut b.octets).unwrap();
    });
    for path in Path::available() {
        race.add(path.name(), move |b| {
            decimal::encode_into_with(path, &b.decimals, black_box(UNSIGNED), &mut b.octets).unwrap();
        });
    }
    race.add(PEER, |b| peer_encode_decimals(&b.decimals, &mut b.octets));
    race.add(MEMCPY, |b| b.memcpy(&source));
    print_lines(&race.run(session), &PEERS);

    let mut race = Race::new(format!("decode {count} Decimal"), count, count * 22, Buffers::new(&values));
    race.add("naive", |b: &mut Buffers| {
        decimal::naive::decode_into(&b.octets, UNSIGNED, &mut b.decimals).unwrap();
    });
    for path in Path::available() {
        race.add(path.name(), move |b| {
            decimal::decode_into_with(path, &b.octets, black_box(UNSIGNED), &mut b.decimals).unwrap();
        });
    }
    race.add(PEER, |b| {
        let mut rest = &b.octets[..];
        for place in &mut b.decimals {
            let (behind, value) = parse_value(rest).unwrap();
            let AMQPValue::DecimalValue(value) = value else { panic!("not a decimal") };
            *place = Decimal::from_parts(value.value, 0, 0, false, value.scale.into());
            rest = behind;
        }
    });
    race.add(MEMCPY, |b| b.memcpy(&source));
    print_lines(&race.run(session), &PEERS);
}

/// The populated table of the .NET client's benchmarks: a string, an integer, a decimal, a timestamp.
fn field_table(session: &Session) {
    let params = table::Params {
        decimal: decimal::Params { negative_zero: NegativeZero::Refuse, ..UNSIGNED },
        ..Default::default()
    };
    let entries = [
        Entry::new(b"decimal", Field::Decimal(Raw::new(1234, 2))),
        Entry::new(b"int", Field::LongInt(1234)),
        Entry::new(b"string", Field::LongString(b"longstring".into())),
        Entry::new(b"timestamp", Field::Timestamp(1_767_225_600)),
    ];
    let ours = Table::from(&entries);
    let theirs = amq_protocol::table(&ours).expect("sorted, and without a sign");
    let octets = table::encode(&ours, params).unwrap();
    assert_eq!(table::naive::encode(&ours, params).as_ref(), Ok(&octets), "naive");
    let mut out = vec![0; octets.len()];
    assert!(gen_simple(gen_field_table(&theirs), &mut out[..]).is_ok());
    assert_eq!(out, octets, "{PEER}");
    assert_eq!(parse_field_table(&octets[..]).unwrap().1, theirs, "{PEER}");
    assert_eq!(table::decode(&octets, params).unwrap().0.to_table(), ours);

    let source = vec![7; octets.len()];
    print_head("field table (ns and bytes are for the table)", &PEERS);
    let mut race = Race::new("encode table", 1, 2 * octets.len(), (octets.clone(), octets.clone()));
    race.add("naive", |(out, _): &mut (Vec<u8>, Vec<u8>)| {
        table::naive::encode_into(black_box(&ours), params, out).unwrap();
    });
    race.add("fast", |(out, _)| {
        table::encode_into(black_box(&ours), params, out).unwrap();
    });
    race.add(PEER, |(out, _)| assert!(gen_simple(gen_field_table(black_box(&theirs)), &mut out[..]).is_ok()));
    race.add(MEMCPY, |(out, _)| black_box(out).copy_from_slice(black_box(&source)));
    print_lines(&race.run(session), &PEERS);

    let mut race = Race::new("decode table", 1, 2 * octets.len(), (octets.clone(), octets.clone()));
    race.add("naive", |(octets, _): &mut (Vec<u8>, Vec<u8>)| {
        black_box(table::naive::decode(black_box(octets), params).unwrap());
    });
    race.add("fast, checked", |(octets, _)| {
        black_box(table::decode(black_box(octets), params).unwrap());
    });
    race.add("fast, checked and every value read", |(octets, _)| {
        let (view, _) = table::decode(black_box(octets), params).unwrap();
        view.iter().for_each(|entry: (&[u8], FieldView)| {
            black_box(entry);
        });
    });
    race.add(PEER, |(octets, _)| {
        black_box(parse_field_table(black_box(&octets[..])).unwrap());
    });
    race.add(MEMCPY, |(_, out)| black_box(out).copy_from_slice(black_box(&source)));
    print_lines(&race.run(session), &PEERS);
}
