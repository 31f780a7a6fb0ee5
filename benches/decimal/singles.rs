//! One value at a time.

use std::hint::black_box;

use bytetwin::codec::decimal::{Column, ColumnOptions, Decimal, Limits, Physical, fixed_width, naive};
use num_bigint::{BigInt, Sign};

use super::harness::{Race, Session, print_head, print_lines};
use super::values::{Input, Unscaled};

/// A call per value that is not inlined, as in a row by row writer.
pub fn one_value(session: &Session, count: usize) {
    let title = "one value";
    if !session.wants(title) {
        return;
    }
    let names = ["to_be_bytes"];
    print_head(title, &names);
    for width in [4, 5, 8, 9, 13, 16] {
        let Input { column, values, encoded } = &Input::<i128>::fixed(count, width);
        let limits = Limits::new(column, ColumnOptions::default());
        let limits = &limits;
        let mut race = Race::new(format!("i128 -> {width}"), count, count * (16 + width), vec![0; encoded.len()]);
        race.add("Limits::encode_one", |out| {
            for (value, item) in values.iter().zip(out.chunks_exact_mut(width)) {
                black_box(encode_one(limits, *value, item));
            }
        });
        race.add("to_be_bytes", |out| {
            for (value, item) in values.iter().zip(out.chunks_exact_mut(width)) {
                copy_one(*value, black_box(item));
            }
        });
        print_lines(&race.run(session), &names);
        let mut race = Race::new(format!("{width} -> i128"), count, count * (16 + width), vec![0; count]);
        race.add("Limits::decode_one", |out: &mut Vec<i128>| {
            for (item, value) in encoded.chunks_exact(width).zip(out) {
                *value = decode_one(limits, item);
            }
        });
        race.add("to_be_bytes", |out| {
            for (item, value) in encoded.chunks_exact(width).zip(out) {
                *value = fold_one(black_box(item));
            }
        });
        print_lines(&race.run(session), &names);
    }
}

#[inline(never)]
fn encode_one(limits: &Limits, value: i128, item: &mut [u8]) -> bool {
    limits.encode_one(value, item).is_ok()
}

#[inline(never)]
fn copy_one(value: i128, item: &mut [u8]) {
    let from = 16 - item.len();
    item.copy_from_slice(&value.to_be_bytes()[from..]);
}

#[inline(never)]
fn decode_one(limits: &Limits, item: &[u8]) -> i128 {
    limits.decode_one(item).expect("its own bytes").0
}

#[inline(never)]
fn fold_one(item: &[u8]) -> i128 {
    let sign = if item[0] < 0x80 { 0 } else { -1 };
    item.iter().fold(sign, |value, byte| value << 8 | i128::from(*byte))
}

/// The benchmark of the pull request that asked for a caller's buffer (aloneguid/parquet-dotnet): a vector per value
/// against one buffer, for values of any precision and for i128.
pub fn pull_request(session: &Session) {
    let title = "pull request";
    if !session.wants(title) {
        return;
    }
    let names = ["heap form"];
    print_head(title, &names);
    for count in if session.quick() { [10, 100, 1000] } else { [10_000, 100_000, 1_000_000] } {
        for precision in [10, 38] {
            let width = fixed_width(precision) as usize;
            let mut random = fastrand::Rng::with_seed(4);
            let unscaled: Vec<i128> = (0..count).map(|_| i128::random(&mut random, precision)).collect();
            any_precision(session, &unscaled, precision, width, &names);
            i128s(session, &unscaled, precision, width, &names);
        }
    }
}

fn any_precision(session: &Session, unscaled: &[i128], precision: u32, width: usize, names: &[&str]) {
    let values: Vec<Decimal> =
        unscaled.iter().map(|value| Decimal::new(*value, precision, 0).expect("a legal value")).collect();
    let big: Vec<BigInt> = unscaled.iter().map(|value| BigInt::from(*value)).collect();
    let column = Column::new(precision, 0, Physical::Fixed(width as u32)).expect("a legal column");
    let encoded = naive::encode(&big[..], &column, ColumnOptions::default()).expect("values of the precision");
    let mut out = vec![0; encoded.len()];
    write_all(&values, width, &mut out);
    assert!(out == encoded, "Decimal::write_bytes");
    assert!(values.iter().zip(encoded.chunks_exact(width)).all(|(value, item)| value.to_bytes() == item));
    let case = format!("{} x Decimal({precision})", values.len());
    let mut race = Race::new(case, values.len(), 2 * encoded.len(), out);
    race.add("caller's buffer", |out| write_all(&values, width, out));
    race.add("heap form", |out| {
        for (value, item) in values.iter().zip(out.chunks_exact_mut(width)) {
            item.copy_from_slice(&black_box(value.to_bytes()));
        }
    });
    race.add("to_signed_bytes_be", |out| {
        for (value, item) in big.iter().zip(out.chunks_exact_mut(width)) {
            let bytes = value.to_signed_bytes_be();
            let (front, back) = item.split_at_mut(width - bytes.len());
            front.fill(if value.sign() == Sign::Minus { 0xff } else { 0 });
            back.copy_from_slice(&bytes);
        }
    });
    print_lines(&race.run(session), names);
}

fn write_all(values: &[Decimal], width: usize, out: &mut [u8]) {
    for (value, item) in values.iter().zip(out.chunks_exact_mut(width)) {
        value.write_bytes(item).expect("room for a value");
    }
}

fn i128s(session: &Session, values: &[i128], precision: u32, width: usize, names: &[&str]) {
    let column = Column::new(precision, 0, Physical::Fixed(width as u32)).expect("a legal column");
    let encoded = naive::encode(values, &column, ColumnOptions::default()).expect("values of the precision");
    let limits = Limits::new(&column, ColumnOptions::default());
    let mut out = vec![0; encoded.len()];
    write_i128s(&limits, values, width, &mut out);
    assert!(out == encoded, "Limits::encode_one");
    let case = format!("{} x i128({precision})", values.len());
    let mut race = Race::new(case, values.len(), 16 * values.len() + encoded.len(), out);
    race.add("caller's buffer", |out| write_i128s(&limits, values, width, out));
    race.add("heap form", |out| {
        for (value, item) in values.iter().zip(out.chunks_exact_mut(width)) {
            item.copy_from_slice(&black_box(value.to_be_bytes()[16 - width..].to_vec()));
        }
    });
    print_lines(&race.run(session), names);
}

fn write_i128s(limits: &Limits, values: &[i128], width: usize, out: &mut [u8]) {
    for (value, item) in values.iter().zip(out.chunks_exact_mut(width)) {
        limits.encode_one(*value, item).expect("a value of the precision");
    }
}
