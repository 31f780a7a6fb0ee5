//! Encoded values sort as their numbers do.

use core::cmp::Ordering;

use num_bigint::BigInt;

use super::samples::{SKIP, borders, column};
use crate::DecodeError;
use crate::codec::decimal::order::{MinMax, compare, compare_big_endian, compare_little_endian, min_max};
use crate::codec::decimal::{I256, Physical, naive};

#[test]
fn encoded_borders_sort_as_their_numbers_at_equal_and_unequal_lengths() {
    let values: Vec<I256> = borders().into_iter().step_by(5).collect();
    let minimal: Vec<Vec<u8>> = values.iter().map(|v| BigInt::from(*v).to_signed_bytes_be()).collect();
    for (i, a) in values.iter().enumerate() {
        for (j, b) in values.iter().enumerate() {
            let expected = a.cmp(b);
            assert_eq!(i.cmp(&j), expected, "borders are sorted");
            assert_eq!(compare_big_endian(&minimal[i], &minimal[j]), expected, "{a} and {b}");
            assert_eq!(compare_big_endian(&a.to_be_bytes(), &minimal[j]), expected, "{a} and {b}, surplus on the left");
            assert_eq!(
                compare_big_endian(&minimal[i], &b.to_be_bytes()),
                expected,
                "{a} and {b}, surplus on the right"
            );
            assert_eq!(compare_big_endian(&a.to_be_bytes(), &b.to_be_bytes()), expected, "{a} and {b}");
            assert_eq!(compare_little_endian(&a.to_le_bytes(), &b.to_le_bytes()), expected, "{a} and {b}");
        }
    }
}

#[test]
fn short_byte_strings_sort_as_numbers() {
    let bytes: Vec<u8> = (0..=255).collect();
    for a in &bytes {
        for b in &bytes {
            let expected = (*a as i8).cmp(&(*b as i8));
            assert_eq!(compare_big_endian(&[*a], &[*b]), expected);
            assert_eq!(compare_little_endian(&[*a], &[*b]), expected);
            let wide = i16::from_be_bytes([*a, *b]);
            assert_eq!(compare_big_endian(&[*a, *b], &[*b]), wide.cmp(&i16::from(*b as i8)));
            assert_eq!(compare_little_endian(&[*b, *a], &[*b]), wide.cmp(&i16::from(*b as i8)));
        }
    }
    assert_eq!(compare_big_endian(&[], &[0]), Ordering::Equal);
    assert_eq!(compare_big_endian(&[], &[0xff]), Ordering::Greater);
    assert_eq!(compare_little_endian(&[], &[1]), Ordering::Less);
}

#[test]
fn statistics_are_signed() {
    // https://github.com/apache/arrow-rs/issues/1532
    let two = column(4, Physical::Fixed(2));
    assert_eq!(min_max(&[0, 1, 0xff, 0xff], &two), Ok(Some(MinMax { min: &[0xff, 0xff][..], max: &[0, 1][..] })));
    // https://github.com/apache/arrow/issues/42906
    assert_eq!(min_max(&[0, 0x80, 0, 0x7f], &two), Ok(Some(MinMax { min: &[0, 0x7f][..], max: &[0, 0x80][..] })));
    // https://github.com/apache/arrow-rs/issues/11073
    let arrays = column(3, Physical::ByteArray);
    assert_eq!(
        min_max(&[1, 0, 0, 0, 0x80, 1, 0, 0, 0, 0x7f], &arrays),
        Ok(Some(MinMax { min: &[0x80][..], max: &[0x7f][..] }))
    );
    let int = column(9, Physical::Int32);
    assert_eq!(
        min_max(&[0, 1, 0, 0, 1, 0, 0, 0xff], &int),
        Ok(Some(MinMax { min: &[1, 0, 0, 0xff][..], max: &[0, 1, 0, 0][..] }))
    );
    assert_eq!(min_max(&[], &int), Ok(None));
}

#[test]
fn min_and_max_of_a_column_are_those_of_its_values() {
    let values: Vec<i128> = borders().into_iter().filter_map(I256::to_i128).collect();
    for physical in [Physical::Fixed(16), Physical::Fixed(21), Physical::ByteArray] {
        let column = column(38, physical);
        for some in values.windows(7).step_by(3) {
            let mut some = some.to_vec();
            some.rotate_left(3);
            let bytes = naive::encode(&some, &column, SKIP).expect("fits");
            let MinMax { min, max } = min_max(&bytes, &column).expect("well formed").expect("not empty");
            let number = |bytes| i128::try_from(BigInt::from_signed_bytes_be(bytes)).ok();
            assert_eq!(number(min), some.iter().min().copied());
            assert_eq!(number(max), some.iter().max().copied());
            assert_eq!(compare(physical, min, max), some.iter().min().cmp(&some.iter().max()));
        }
    }
}

#[test]
fn cut_and_empty_items_are_refused() {
    let arrays = column(3, Physical::ByteArray);
    assert_eq!(
        min_max(&[1, 0, 0, 0, 5, 1, 0], &arrays),
        Err(DecodeError::UnexpectedEnd { offset: 5, needed: 4, available: 2 })
    );
    assert_eq!(
        min_max(&[2, 0, 0, 0, 5], &arrays),
        Err(DecodeError::UnexpectedEnd { offset: 0, needed: 6, available: 5 })
    );
    assert_eq!(min_max(&[1, 0, 0, 0, 5, 0, 0, 0, 0], &arrays), Err(DecodeError::EmptyDecimal { offset: 5, index: 1 }));
    assert_eq!(
        min_max(&[1, 2, 3], &column(4, Physical::Fixed(2))),
        Err(DecodeError::UnexpectedEnd { offset: 2, needed: 2, available: 1 })
    );
}
