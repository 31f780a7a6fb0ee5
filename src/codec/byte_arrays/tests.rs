//! Columns of byte arrays in every shape: what is a column and what is refused.

use alloc::vec::Vec;

use super::*;

fn out_of_range(index: usize, offset: i64, min: i64, max: i64) -> Option<EncodeError> {
    Some(EncodeError::OffsetOutOfRange { index, offset, min, max })
}

#[test]
fn every_form_gives_the_same_values() {
    let values: [&[u8]; 3] = [b"ab", b"cd", b"ef"];
    let forms = [
        ByteArrays::slices(&values),
        ByteArrays::arrow(&[1i32, 3, 5, 7], b"-abcdef-").unwrap(),
        ByteArrays::arrow(&[0i64, 2, 4, 6], b"abcdef").unwrap(),
        ByteArrays::fixed_len(2, b"abcdef").unwrap(),
    ];
    for form in forms {
        assert_eq!(form.len(), 3);
        assert!(!form.is_empty());
        assert_eq!(form.iter().collect::<Vec<_>>(), values, "{form:?}");
    }
}

#[test]
fn an_empty_column_may_have_one_offset_or_none() {
    for offsets in [&[][..], &[0], &[3]] {
        let column = ByteArrays::arrow::<i32>(offsets, b"abc").unwrap();
        assert_eq!((column.len(), column.iter().count()), (0, 0));
    }
    assert!(ByteArrays::fixed_len(2, b"").unwrap().is_empty());
    assert!(ByteArrays::slices(&[]).is_empty());
}

#[test]
fn the_first_bad_offset_is_named() {
    assert_eq!(ByteArrays::arrow(&[-1i32, 0], b"abc").err(), out_of_range(0, -1, 0, 3));
    assert_eq!(ByteArrays::arrow(&[0i32, 2, 1, 0], b"abc").err(), out_of_range(2, 1, 2, 3));
    assert_eq!(ByteArrays::arrow(&[3i32, 2], b"abc").err(), out_of_range(1, 2, 3, 3));
    assert_eq!(ByteArrays::arrow(&[0i32, 3, 1], b"abc").err(), out_of_range(2, 1, 3, 3));
    assert_eq!(ByteArrays::arrow(&[0i32, 2, 4, 3], b"abc").err(), out_of_range(2, 4, 2, 3));
    assert_eq!(ByteArrays::arrow(&[4i32], b"abc").err(), out_of_range(0, 4, 0, 3));
    assert_eq!(ByteArrays::arrow(&[i64::MIN], b"abc").err(), out_of_range(0, i64::MIN, 0, 3));
    assert_eq!(ByteArrays::arrow(&[0, i64::MAX], b"abc").err(), out_of_range(1, i64::MAX, 0, 3));
}

#[test]
fn a_bad_offset_is_found_wherever_it_stands() {
    for at in 1..70 {
        let mut offsets: Vec<i32> = (0..70).map(|i| 10 + i).collect();
        offsets[at] = 9;
        let min = 9 + at as i64;
        assert_eq!(ByteArrays::arrow(&offsets, &[0; 100]).err(), out_of_range(at, 9, min, 100));
    }
}

#[test]
fn fixed_length_data_must_be_whole_values() {
    assert_eq!(ByteArrays::fixed_len(3, b"abcd").err(), Some(EncodeError::PartialValue { width: 3, available: 4 }));
    assert_eq!(ByteArrays::fixed_len(0, b"").err(), Some(EncodeError::PartialValue { width: 0, available: 0 }));
}
