//! BYTE_ARRAY in the fewest bytes.

use bytetwin::codec::Path;
use bytetwin::codec::decimal::{Column, ColumnOptions, Physical, decode_into_with, encode_into_with, naive};
use parquet::data_type::ByteArray;

use super::harness::{MEMCPY, Race, Session, print_head, print_lines};
use super::values::Buffers;
use super::{assert_no_allocation, peers};

pub fn table(session: &Session, count: usize) {
    let title = "BYTE_ARRAY";
    if !session.wants(title) {
        return;
    }
    let names = [peers::PLAIN, "naive"];
    print_head(title, &names);
    let mut random = fastrand::Rng::with_seed(3);
    let mut bits = |most: fn(&mut fastrand::Rng) -> u32| -> Vec<i128> {
        (0..count).map(|_| random.i128(..) >> (127 - most(&mut random))).collect()
    };
    let shapes = [
        ("8 bytes", bits(|_| 60)),
        ("1 to 16 bytes", bits(|random| random.u32(..126))),
        ("1 or 2 bytes", bits(|random| random.u32(..15))),
    ];
    for (shape, values) in &shapes {
        race(session, shape, values, &names);
    }
}

fn race(session: &Session, shape: &str, values: &[i128], names: &[&str]) {
    let column = &Column::new(38, 0, Physical::ByteArray).expect("a legal column");
    let options = ColumnOptions::default();
    let encoded = &naive::encode(values, column, options).expect("values of the precision");
    let traffic = size_of_val(values) + encoded.len();
    let source = vec![1; traffic / 2];
    let prebuilt: Vec<ByteArray> = items(encoded).map(|item| ByteArray::from(item.to_vec())).collect();
    assert!(peers::plain_byte_arrays(&prebuilt) == *encoded, "parquet, {shape}");
    let buffers = || Buffers { bytes: vec![0; encoded.len().max(traffic / 2)], values: vec![0; values.len()] };
    let mut encode = Race::new(format!("i128 -> {shape}"), values.len(), traffic, buffers());
    let mut decode = Race::new(format!("{shape} -> i128"), values.len(), traffic, buffers());
    for race in [&mut encode, &mut decode] {
        race.add(MEMCPY, |b| b.bytes[..source.len()].copy_from_slice(&source));
    }
    for path in Path::available() {
        let write = move |out: &mut [u8]| encode_into_with(path, values, column, options, out);
        let read = move |out: &mut [i128]| decode_into_with(path, encoded, column, options, out);
        let (mut bytes, mut decoded) = (vec![0; encoded.len()], vec![0; values.len()]);
        write(&mut bytes).expect("values of the precision");
        read(&mut decoded).expect("its own bytes");
        assert!(bytes == *encoded && decoded == values, "{path:?}, {shape}");
        encode.add(path.name(), move |b| {
            write(&mut b.bytes).expect("values of the precision");
        });
        decode.add(path.name(), move |b| {
            read(&mut b.values).expect("its own bytes");
        });
    }
    encode.add(peers::PLAIN, |_| drop(peers::plain_byte_arrays(&prebuilt)));
    encode.add("naive", |b| {
        naive::encode_into(values, column, options, &mut b.bytes).expect("values of the precision");
    });
    decode.add("naive", |b| {
        naive::decode_into(encoded, column, options, &mut b.values[..]).expect("its own bytes");
    });
    for race in [encode, decode] {
        let times = race.run(session);
        assert_no_allocation(&times);
        print_lines(&times, names);
    }
}

/// The values without their lengths.
fn items(mut encoded: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (len, rest) = encoded.split_first_chunk::<4>()?;
        let (item, rest) = rest.split_at(u32::from_le_bytes(*len) as usize);
        encoded = rest;
        Some(item)
    })
}
