//! Decoding: twins agree on values, on bytes consumed, and on which item is refused, also for hostile bytes.

use num_bigint::BigInt;

use super::samples::{Random, SKIP, borders, column, columns};
use crate::DecodeError;
use crate::codec::Path;
use crate::codec::decimal::{Column, ColumnOptions, I256, Physical, ValuesMut, fast, naive};

/// Decodes `count` values into a type, on the naive twin and on every path of the fast one.
fn agree<T: Clone + PartialEq + core::fmt::Debug>(
    bytes: &[u8],
    column: &Column,
    options: ColumnOptions,
    count: usize,
    blank: T,
) where
    for<'a> ValuesMut<'a>: From<&'a mut [T]>,
{
    let mut naive = vec![blank.clone(); count];
    let expected = naive::decode_into(bytes, column, options, &mut naive[..]);
    for path in Path::available() {
        let mut fast = vec![blank.clone(); count];
        let found = fast::decode_into_with(path, bytes, column, options, &mut fast[..]);
        assert_eq!(found, expected, "{column}, {}, {count} of {bytes:02x?}", path.name());
        assert!(found.is_err() || fast == naive, "{column}, {}, {count} of {bytes:02x?}", path.name());
    }
}

fn agree_on_all_types(bytes: &[u8], column: &Column, options: ColumnOptions, count: usize) {
    agree(bytes, column, options, count, 5i32);
    agree(bytes, column, options, count, 5i64);
    agree(bytes, column, options, count, 5i128);
    agree(bytes, column, options, count, I256::ONE);
    agree(bytes, column, options, count, BigInt::from(5));
    #[cfg(feature = "rust_decimal")]
    agree(bytes, column, options, count, rust_decimal::Decimal::ONE);
}

#[test]
fn columns_of_borders_decode_alike_into_every_type() {
    let borders = borders();
    let mut random = Random(3);
    for column in columns(false) {
        for options in [ColumnOptions::default(), SKIP] {
            let good: Vec<I256> =
                borders.iter().copied().filter(|v| naive::encode(&[*v], &column, SKIP).is_ok()).collect();
            // Those of few bits, so that the narrow types read whole columns too.
            for bits in [31, 95, 256] {
                let narrow: Vec<I256> = good.iter().copied().filter(|v| BigInt::from(*v).bits() <= bits).collect();
                for count in [1, 7, 33, 70] {
                    let some: Vec<I256> = (0..count).map(|_| narrow[random.below(narrow.len())]).collect();
                    let bytes = naive::encode(&some, &column, SKIP).expect("fits the bytes");
                    agree_on_all_types(&bytes, &column, options, count);
                }
            }
        }
    }
}

#[test]
fn every_cut_is_named_alike() {
    for physical in [Physical::Int32, Physical::Int64, Physical::Fixed(3), Physical::Fixed(17), Physical::ByteArray] {
        let column = column(4, physical);
        let bytes = naive::encode(&[1i32, -1, 9999, -129, 0], &column, SKIP).expect("fits the bytes");
        for len in 0..=bytes.len() {
            for count in 0..=6 {
                agree_on_all_types(&bytes[..len], &column, ColumnOptions::default(), count);
            }
        }
    }
}

#[test]
fn hostile_bytes_are_refused_alike() {
    let mut random = Random(11);
    let columns = columns(false);
    for round in 0..4000 {
        let column = &columns[round % columns.len()];
        let mut bytes: Vec<u8> = (0..random.below(90)).map(|_| random.next() as u8).collect();
        if column.physical() == Physical::ByteArray {
            // Lengths that are small, or huge, or 0.
            let mut at = 0;
            while at + 4 <= bytes.len() {
                let len = match random.below(8) {
                    0 => 0,
                    1 => u32::MAX - random.below(3) as u32,
                    2 => 1 << 31,
                    _ => random.below(40) as u32,
                };
                bytes[at..at + 4].copy_from_slice(&len.to_le_bytes());
                at = at.saturating_add(4).saturating_add(len as usize);
            }
        } else if random.below(2) == 0 {
            let fill = if random.below(2) == 0 { 0 } else { 0xff };
            bytes.iter_mut().skip(1).step_by(2).for_each(|byte| *byte = fill);
        }
        let count = random.below(6);
        agree_on_all_types(&bytes, column, ColumnOptions::default(), count);
        agree_on_all_types(&bytes, column, SKIP, count);
    }
}

#[test]
fn a_byte_array_of_length_0_is_refused_and_surplus_sign_bytes_are_not() {
    let column = column(5, Physical::ByteArray);
    let mut out = [0i32; 2];
    // https://github.com/duckdb/duckdb/issues/23567
    let empty = fast::decode_into(&[0, 0, 0, 0, 1, 0, 0, 0, 0xff], &column, ColumnOptions::default(), &mut out);
    assert_eq!(empty, Err(DecodeError::EmptyDecimal { offset: 0, index: 0 }));
    // https://github.com/apache/paimon/issues/9562
    let two = [1, 0, 0, 0, 0x64, 2, 0, 0, 0, 0, 0xc8];
    assert_eq!(fast::decode_into(&two, &column, ColumnOptions::default(), &mut out), Ok(11));
    assert_eq!(out, [100, 200]);
    let mut long = vec![40, 0, 0, 0];
    long.extend([0xff; 39]);
    long.push(0x9c);
    long.extend([9, 9, 9]);
    assert_eq!(fast::decode_into(&long, &column, ColumnOptions::default(), &mut out[..1]), Ok(44));
    assert_eq!(out[0], -100);
}

#[test]
fn fixed_items_wider_than_every_machine_integer() {
    let wide = column(90, Physical::Fixed(40));
    let mut bytes = vec![0xff; 80];
    bytes[79] = 7;
    let mut out = [0i64; 2];
    assert_eq!(fast::decode_into(&bytes, &wide, ColumnOptions::default(), &mut out), Ok(80));
    assert_eq!(out, [-1, -249]);
    bytes[40] = 0;
    agree_on_all_types(&bytes, &wide, ColumnOptions::default(), 2);
    assert_eq!(
        fast::decode_into(&bytes, &wide, ColumnOptions::default(), &mut out),
        Err(DecodeError::ValueExceedsTarget { offset: 40, index: 1, bits: 64 })
    );
}
