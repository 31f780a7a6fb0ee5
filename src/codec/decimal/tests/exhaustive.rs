//! Every 16-bit value at every width from 1 to 32, in both directions, on every path.

use super::samples::{SKIP, column};
use crate::EncodeError;
use crate::codec::Path;
use crate::codec::decimal::{I256, Physical, fast, naive};

#[test]
fn every_16_bit_value_at_every_width() {
    let all: Vec<i32> = (i16::MIN..=i16::MAX).map(i32::from).collect();
    let one_byte: Vec<i32> = (-128..=127).collect();
    for width in 1..=32 {
        let column = column(1, Physical::Fixed(width));
        let values = if width == 1 { &one_byte } else { &all };
        let longs: Vec<i64> = values.iter().map(|v| i64::from(*v)).collect();
        let wides: Vec<i128> = values.iter().map(|v| i128::from(*v)).collect();
        let widest: Vec<I256> = values.iter().map(|v| I256::from(*v)).collect();
        // One value after the other, from the text of the specification.
        let width = width as usize;
        let mut expected = Vec::new();
        for value in values {
            let fill = if *value < 0 { 0xff } else { 0 };
            let two = (*value as i16).to_be_bytes();
            expected.extend((2..width).map(|_| fill));
            expected.extend(&two[2usize.saturating_sub(width)..]);
        }
        assert_eq!(naive::encode(values, &column, SKIP).as_ref(), Ok(&expected), "naive, width {width}");
        for path in Path::available() {
            let mut out = vec![0x33; expected.len()];
            let what = format!("{}, width {width}", path.name());
            assert_eq!(fast::encode_into_with(path, values, &column, SKIP, &mut out), Ok(expected.len()));
            assert!(out == expected, "i32, {what}");
            out.fill(0x33);
            assert_eq!(fast::encode_into_with(path, &longs, &column, SKIP, &mut out), Ok(expected.len()));
            assert!(out == expected, "i64, {what}");
            out.fill(0x33);
            assert_eq!(fast::encode_into_with(path, &wides, &column, SKIP, &mut out), Ok(expected.len()));
            assert!(out == expected, "i128, {what}");
            out.fill(0x33);
            assert_eq!(fast::encode_into_with(path, &widest, &column, SKIP, &mut out), Ok(expected.len()));
            assert!(out == expected, "I256, {what}");

            let mut back = vec![0i32; values.len()];
            assert_eq!(fast::decode_into_with(path, &expected, &column, SKIP, &mut back), Ok(expected.len()));
            assert!(&back == values, "to i32, {what}");
            let mut back = vec![0i64; values.len()];
            assert_eq!(fast::decode_into_with(path, &expected, &column, SKIP, &mut back), Ok(expected.len()));
            assert!(back == longs, "to i64, {what}");
            let mut back = vec![0i128; values.len()];
            assert_eq!(fast::decode_into_with(path, &expected, &column, SKIP, &mut back), Ok(expected.len()));
            assert!(back == wides, "to i128, {what}");
            let mut back = vec![I256::ZERO; values.len()];
            assert_eq!(fast::decode_into_with(path, &expected, &column, SKIP, &mut back), Ok(expected.len()));
            assert!(back == widest, "to I256, {what}");
        }
    }
}

#[test]
fn every_16_bit_value_is_accepted_in_one_byte_exactly_where_it_fits() {
    let column = column(2, Physical::Fixed(1));
    for value in i16::MIN..=i16::MAX {
        let result = fast::encode(&[i32::from(value)], &column, SKIP);
        match i8::try_from(value) {
            Ok(byte) => assert_eq!(result, Ok(vec![byte as u8])),
            Err(_) => assert_eq!(result, Err(EncodeError::ValueExceedsWidth { index: 0, width: 1 })),
        }
    }
}
