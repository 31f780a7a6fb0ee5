//! Whole columns of one width.

use bytetwin::codec::Path;
use bytetwin::codec::decimal::{
    Column, ColumnOptions, Physical, decode_into_with, encode_into_with, max_precision, naive,
};
use rust_decimal::Decimal;

use super::harness::{MEMCPY, Race, Session, print_head, print_lines};
use super::values::{Buffers, Input, Unscaled};
use super::{assert_no_allocation, peers};

/// Above this, naive and the peers that allocate per value are left out: they would take minutes to say the same.
const SLOW: usize = 1 << 20;

/// Both directions of one type.
pub fn tables<T: Unscaled>(session: &Session, suffix: &str, count: usize, widths: &[usize]) {
    let title = format!("encode {}{suffix}", T::NAME);
    if session.wants(&title) {
        let names = ["to_be_bytes", peers::PLAIN, peers::BUILD, peers::ARROW];
        print_head(&title, &names);
        for width in widths {
            encode(session, &Input::<T>::fixed(count, *width), *width, &names);
        }
    }
    let title = format!("decode {}{suffix}", T::NAME);
    if session.wants(&title) {
        let names = [peers::PLAIN_READ, peers::ARROW_READ];
        print_head(&title, &names);
        for width in widths {
            decode(session, &Input::<T>::fixed(count, *width), *width, &names);
        }
    }
}

fn encode<T: Unscaled>(session: &Session, input: &Input<T>, width: usize, names: &[&str]) {
    let Input { column, values, encoded } = input;
    let options = ColumnOptions::default();
    let traffic = size_of_val(&values[..]) + encoded.len();
    let source = vec![1; traffic / 2];
    let prebuilt = peers::fixed_len_byte_arrays(encoded, width);
    let arrow = peers::Arrow::new(T::values(values), column);
    let buffers = Buffers { bytes: vec![0; encoded.len().max(traffic / 2)], values: vec![T::ZERO; 0] };
    let mut race = Race::new(format!("{} -> {width}", T::NAME), values.len(), traffic, buffers);
    race.add(MEMCPY, |b| b.bytes[..source.len()].copy_from_slice(&source));
    race.add("to_be_bytes", |b| T::bare_loop(values, width, &mut b.bytes[..encoded.len()]));
    for path in Path::available() {
        let run = move |out: &mut [u8]| encode_into_with(path, T::values(values), column, options, out);
        let mut out = vec![0; encoded.len()];
        run(&mut out).expect("values of the precision");
        assert!(out == *encoded, "{path:?}, {width} bytes");
        race.add(path.name(), move |b| {
            run(&mut b.bytes).expect("values of the precision");
        });
    }
    assert!(peers::plain(&prebuilt) == *encoded, "parquet, {width} bytes");
    race.add(peers::PLAIN, |_| drop(peers::plain(&prebuilt)));
    if values.len() <= SLOW {
        race.add("naive", |b| {
            naive::encode_into(T::values(values), column, options, &mut b.bytes).expect("values of the precision");
        });
        race.add(peers::BUILD, |b| {
            T::bare_loop(values, width, &mut b.bytes[..encoded.len()]);
            drop(peers::plain(&peers::fixed_len_byte_arrays(&b.bytes[..encoded.len()], width)));
        });
    }
    if let Some(arrow) = &arrow {
        // A large column is cut into pages.
        let page = &encoded[..encoded.len().min(1 << 16)];
        assert!(peers::contains(&arrow.file(), page), "arrow, {width} bytes");
        let mut file = Vec::new();
        race.add(peers::ARROW, move |_| arrow.write(&mut file));
    }
    let times = race.run(session);
    assert_no_allocation(&times);
    print_lines(&times, names);
}

fn decode<T: Unscaled>(session: &Session, input: &Input<T>, width: usize, names: &[&str]) {
    let Input { column, values, encoded } = input;
    let options = ColumnOptions::default();
    let traffic = size_of_val(&values[..]) + encoded.len();
    let source = vec![1; traffic / 2];
    let page = peers::plain(&peers::fixed_len_byte_arrays(encoded, width));
    let arrow = peers::Arrow::new(T::values(values), column);
    let buffers = Buffers { bytes: vec![0; traffic / 2], values: vec![T::ZERO; values.len()] };
    let mut race = Race::new(format!("{width} -> {}", T::NAME), values.len(), traffic, buffers);
    race.add(MEMCPY, |b| b.bytes.copy_from_slice(&source));
    // How fast the cache takes the result alone: with narrow items, most of the traffic is written.
    race.add("fill the result", |b| b.values.fill(std::hint::black_box(T::ZERO)));
    for path in Path::available() {
        let run = move |out: &mut [T]| decode_into_with(path, encoded, column, options, T::values_mut(out));
        let mut out = vec![T::ZERO; values.len()];
        run(&mut out).expect("its own bytes");
        assert!(out == *values, "{path:?}, {width} bytes");
        race.add(path.name(), move |b| {
            run(&mut b.values).expect("its own bytes");
        });
    }
    if values.len() <= SLOW {
        race.add("naive", |b| {
            naive::decode_into(encoded, column, options, T::values_mut(&mut b.values)).expect("its own bytes");
        });
        race.add(peers::PLAIN_READ, |_| peers::read_plain(&page, values.len(), width));
    }
    if let Some(arrow) = &arrow {
        let file = arrow.file();
        race.add(peers::ARROW_READ, move |_| assert_eq!(arrow.read(&file), values.len()));
    }
    let times = race.run(session);
    assert_no_allocation(&times);
    print_lines(&times, names);
}

/// INT32 and INT64.
pub fn little_endian(session: &Session, count: usize) {
    let title = "INT32 and INT64";
    if !session.wants(title) {
        return;
    }
    print_head(title, &["naive"]);
    integers::<i128>(session, count, Physical::Int32, 9);
    integers::<i128>(session, count, Physical::Int64, 18);
    integers::<i64>(session, count, Physical::Int32, 9);
    integers::<i64>(session, count, Physical::Int64, 18);
    integers::<i32>(session, count, Physical::Int32, 9);
    integers::<i32>(session, count, Physical::Int64, 9);
}

fn integers<T: Unscaled>(session: &Session, count: usize, physical: Physical, precision: u32) {
    let Input { column, values, encoded } = &Input::<T>::new(count, precision, physical);
    let options = ColumnOptions::default();
    let traffic = size_of_val(&values[..]) + encoded.len();
    let source = vec![1; traffic / 2];
    let buffers = || Buffers { bytes: vec![0; encoded.len().max(traffic / 2)], values: vec![T::ZERO; values.len()] };
    let mut encode = Race::new(format!("{} -> {physical}", T::NAME), count, traffic, buffers());
    let mut decode = Race::new(format!("{physical} -> {}", T::NAME), count, traffic, buffers());
    for race in [&mut encode, &mut decode] {
        race.add(MEMCPY, |b| b.bytes[..source.len()].copy_from_slice(&source));
    }
    for path in Path::available() {
        let (mut bytes, mut read) = (vec![0; encoded.len()], vec![T::ZERO; count]);
        let write = move |out: &mut [u8]| encode_into_with(path, T::values(values), column, options, out);
        let decoder = move |out: &mut [T]| decode_into_with(path, encoded, column, options, T::values_mut(out));
        write(&mut bytes).expect("values of the precision");
        decoder(&mut read).expect("its own bytes");
        assert!(bytes == *encoded && read == *values, "{path:?}, {physical}");
        encode.add(path.name(), move |b| {
            write(&mut b.bytes).expect("values of the precision");
        });
        decode.add(path.name(), move |b| {
            decoder(&mut b.values).expect("its own bytes");
        });
    }
    encode.add("naive", |b| {
        naive::encode_into(T::values(values), column, options, &mut b.bytes).expect("values of the precision");
    });
    decode.add("naive", |b| {
        naive::decode_into(encoded, column, options, T::values_mut(&mut b.values)).expect("its own bytes");
    });
    for race in [encode, decode] {
        let times = race.run(session);
        assert_no_allocation(&times);
        print_lines(&times, &["naive"]);
    }
}

/// Columns of `rust_decimal::Decimal`, of one scale and of several.
pub fn rust_decimal(session: &Session, count: usize) {
    let title = "rust_decimal";
    if !session.wants(title) {
        return;
    }
    let names = ["rescale", "naive"];
    print_head(title, &names);
    for width in [5, 8, 9, 13, 16] {
        let precision = max_precision(width as u32).min(28) as u32;
        let column = Column::new(precision, 4, Physical::Fixed(width as u32)).expect("a precision of the width");
        for mixed in [false, true] {
            let mut random = fastrand::Rng::with_seed(2);
            // Of mixed values, some have fewer digits behind the point than the column.
            let values: Vec<Decimal> = (0..count)
                .map(|_| {
                    let less = if mixed { random.u32(..3) } else { 0 };
                    Decimal::from_i128_with_scale(i128::random(&mut random, precision - less), 4 - less)
                })
                .collect();
            rust_decimal_race(session, &values, &column, width, mixed, &names);
        }
    }
}

fn rust_decimal_race(
    session: &Session,
    values: &[Decimal],
    column: &Column,
    width: usize,
    mixed: bool,
    names: &[&str],
) {
    let options = ColumnOptions::default();
    let encoded = naive::encode(values, column, options).expect("values of the precision");
    let encoded = &encoded;
    let traffic = size_of_val(values) + encoded.len();
    let source = vec![1; traffic / 2];
    let suffix = if mixed { ", mixed scales" } else { "" };
    let buffers =
        || Buffers { bytes: vec![0; encoded.len().max(traffic / 2)], values: vec![Decimal::ZERO; values.len()] };
    let mut race = Race::new(format!("rust_decimal -> {width}{suffix}"), values.len(), traffic, buffers());
    race.add(MEMCPY, |b| b.bytes[..source.len()].copy_from_slice(&source));
    for path in Path::available() {
        let run = move |out: &mut [u8]| encode_into_with(path, values, column, options, out);
        let mut out = vec![0; encoded.len()];
        run(&mut out).expect("values of the precision");
        assert!(out == *encoded, "{path:?}, {width} bytes");
        race.add(path.name(), move |b| {
            run(&mut b.bytes).expect("values of the precision");
        });
    }
    race.add("rescale", |b| {
        for (item, value) in b.bytes.chunks_exact_mut(width).zip(values) {
            let mut value = *value;
            value.rescale(column.scale());
            item.copy_from_slice(&value.mantissa().to_be_bytes()[16 - width..]);
        }
    });
    race.add("naive", |b| {
        naive::encode_into(values, column, options, &mut b.bytes).expect("values of the precision");
    });
    let times = race.run(session);
    assert_no_allocation(&times);
    print_lines(&times, names);
    if mixed {
        return;
    }
    let mut race = Race::new(format!("{width} -> rust_decimal"), values.len(), traffic, buffers());
    race.add(MEMCPY, |b| b.bytes[..source.len()].copy_from_slice(&source));
    for path in Path::available() {
        let run = move |out: &mut [Decimal]| decode_into_with(path, encoded, column, options, out);
        let mut out = vec![Decimal::ZERO; values.len()];
        run(&mut out).expect("its own bytes");
        assert!(out == values, "{path:?}, {width} bytes");
        race.add(path.name(), move |b| {
            run(&mut b.values).expect("its own bytes");
        });
    }
    race.add("naive", |b| {
        naive::decode_into(encoded, column, options, &mut b.values[..]).expect("its own bytes");
    });
    let times = race.run(session);
    assert_no_allocation(&times);
    print_lines(&times, names);
}
