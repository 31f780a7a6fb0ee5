//! One value at a time does what a column of one does.

use super::samples::{SKIP, borders, columns};
use crate::codec::decimal::fast::{self, Limits};
use crate::codec::decimal::{ColumnOptions, I256, naive};
use crate::{DecodeError, EncodeError};

#[test]
fn one_value_is_encoded_and_decoded_as_a_column_of_one() {
    let values: Vec<i128> = borders().into_iter().filter_map(I256::to_i128).collect();
    for column in columns(false) {
        for options in [ColumnOptions::default(), SKIP] {
            let limits = Limits::new(&column, options);
            for value in &values {
                let expected = naive::encode(&[*value], &column, options);
                let mut out = [0x44; 60];
                let written = limits.encode_one(*value, &mut out);
                assert_eq!(written.map(|len| out[..len].to_vec()), expected, "{column}, {value}");
                let len = written.unwrap_or(0);
                assert!(out[len..].iter().all(|byte| *byte == 0x44), "{column}, {value}: past the end");
                let (min, max) = limits.range();
                assert_eq!((min..=max).contains(value), expected.is_ok(), "{column}, {value}");
                let no_room = naive::encode_into(&[*value], &column, options, &mut []);
                assert_eq!(limits.encode_one(*value, &mut []), no_room, "{column}, {value}");
                if let Ok(bytes) = expected {
                    assert_eq!(limits.decode_one(&bytes), Ok((*value, bytes.len())), "{column}, {value}");
                    let cut = limits.decode_one(&bytes[..bytes.len() - 1]);
                    assert!(matches!(cut, Err(DecodeError::UnexpectedEnd { offset: 0, .. })), "{column}, {value}");
                    let short = limits.encode_one(*value, &mut out[..len - 1]);
                    assert_eq!(short, Err(EncodeError::BufferTooSmall { needed: len, available: len - 1 }));
                }
            }
        }
    }
}

#[test]
fn one_value_is_refused_as_a_column_refuses_it() {
    for column in columns(false) {
        let limits = Limits::new(&column, ColumnOptions::default());
        for bytes in [&[0x80; 40][..], &[0x7f; 40], &[0; 40], &[1, 0, 0, 0, 0x80], &[40, 0, 0, 0, 1]] {
            let mut one = [0i128];
            let expected = fast::decode_into(bytes, &column, ColumnOptions::default(), &mut one);
            assert_eq!(limits.decode_one(bytes), expected.map(|len| (one[0], len)), "{column}, {bytes:02x?}");
        }
    }
}
