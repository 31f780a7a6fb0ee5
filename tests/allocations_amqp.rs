//! The fast twins of AMQP allocate nothing, but for the one list of names that reading a table of more than 16 takes.
#![cfg(feature = "rust_decimal")]

#[path = "../benches/harness/allocations.rs"]
mod allocations;

use allocations::during;
use bytetwin::codec::Path;
use bytetwin::codec::amqp_decimal::{self as decimal, Params, Profile, Raw};
use bytetwin::codec::amqp_table::{self as table, Entry, Field, Table};
use rust_decimal::Decimal;

#[test]
fn decimals_are_written_and_read_without_an_allocation() {
    let mut raw: Vec<Raw> = (0..1000).map(|i| Raw::new(i * 1_000_000, i as u32 % 29)).collect();
    let mut decimals: Vec<Decimal> = raw.iter().map(|v| Decimal::new(v.magnitude as i64, v.scale)).collect();
    let mut out = vec![0; 6000];
    for profile in Profile::ALL {
        let params = Params::new(profile);
        for path in Path::available() {
            let count = during(|| {
                decimal::encode_into_with(path, &raw, params, &mut out).unwrap();
                decimal::decode_into_with(path, &out, params, &mut raw).unwrap();
                decimal::encode_into_with(path, &decimals, params, &mut out).unwrap();
                decimal::decode_into_with(path, &out, params, &mut decimals).unwrap();
                decimal::encode_one(raw[1], params, &mut out).unwrap();
                decimal::decode_one::<Raw>(&out, params).unwrap();
                // Refusals do not either.
                decimal::encode_into_with(path, &[Raw::new(1, 256)], params, &mut out).unwrap_err();
                decimal::decode_into_with(path, &out[..5], params, &mut raw).unwrap_err();
            });
            assert_eq!(count, 0, "{} {}", profile.name(), path.name());
        }
    }
}

fn entries(count: usize) -> Vec<Entry<'static>> {
    let nested = Table::from(vec![Entry::new(b"n", Field::Array(vec![Field::Void, Field::LongInt(1)].into()))]);
    (0..count).map(|i| Entry::new(i.to_string().into_bytes(), Field::Table(nested.clone()))).collect()
}

#[test]
fn tables_are_written_without_an_allocation_and_small_ones_read_so() {
    for (names, reading) in [(0, 0..=0), (1, 0..=0), (16, 0..=0), (17, 1..=2), (2000, 1..=10)] {
        let tree: Table = entries(names).into();
        let mut out = vec![0; table::encoded_len(&tree, table::Params::default()).unwrap()];
        let count = during(|| {
            table::encoded_len(&tree, table::Params::default()).unwrap();
            table::encode_into(&tree, table::Params::default(), &mut out).unwrap();
        });
        assert_eq!(count, 0, "writing {names} names");
        let count = during(|| {
            let (view, _) = table::decode(&out, table::Params::default()).unwrap();
            assert_eq!(view.iter().count(), names);
        });
        assert!(reading.contains(&count), "reading {names} names took {count} allocations");
    }
}
