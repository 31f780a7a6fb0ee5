//! Every length of `out` from 0 to one more than needed, over two fills.

use num_bigint::BigInt;

use super::samples::{SKIP, column};
use crate::EncodeError;
use crate::codec::Path;
use crate::codec::decimal::{Column, ColumnOptions, I256, Physical, Values, fast, naive};

type Encode<'a> = &'a dyn Fn(&mut [u8]) -> Result<usize, EncodeError>;

/// Runs `encode` on every capacity and holds it against the contract, `expected` being what it should do with room.
fn sweep(encode: Encode<'_>, expected: &Result<Vec<u8>, EncodeError>, needed: usize, values_first: bool, what: &str) {
    for fill in [0x5a, 0xa5] {
        for capacity in 0..=needed + 1 {
            let mut out = vec![fill; capacity];
            let result = encode(&mut out);
            if let (Err(refused), true) = (expected, values_first) {
                assert_eq!(result, Err(*refused), "{what}, {capacity} of {needed}");
                assert!(out.iter().all(|byte| *byte == fill), "{what}: out was touched");
            } else if capacity < needed {
                assert_eq!(result, Err(EncodeError::BufferTooSmall { needed, available: capacity }), "{what}");
                assert!(out.iter().all(|byte| *byte == fill), "{what}: out was touched");
            } else {
                assert_eq!(result, expected.as_ref().map(Vec::len).map_err(|error| *error), "{what}");
                let (encoding, past) = out.split_at(needed);
                assert!(past.iter().all(|byte| *byte == fill), "{what}: past the end");
                match expected {
                    Ok(bytes) => assert_eq!(encoding, bytes, "{what}"),
                    Err(_) => assert!(encoding.iter().all(|byte| *byte == fill || *byte == 0), "{what}: left bytes"),
                }
            }
        }
    }
}

fn sweep_twins(values: Values<'_>, column: &Column, options: ColumnOptions) {
    let expected = naive::encode(values, column, options);
    let fixed = column.physical().width().map(|width| values.len() * width as usize);
    let needed = fixed.unwrap_or_else(|| expected.as_ref().map_or(9, Vec::len));
    let naive = |out: &mut [u8]| naive::encode_into(values, column, options, out);
    sweep(&naive, &expected, needed, fixed.is_none(), &format!("naive, {column}, {values:?}"));
    for path in Path::available() {
        let fast = |out: &mut [u8]| fast::encode_into_with(path, values, column, options, out);
        sweep(&fast, &expected, needed, fixed.is_none(), &format!("{}, {column}, {values:?}", path.name()));
    }
}

#[test]
fn too_small_a_buffer_is_refused_untouched_and_bytes_past_the_end_stay() {
    let narrow = [0i128, 1, -1, 99, -99, 7, 3, -8, 50];
    let wide = narrow.map(I256::from);
    let big = narrow.map(BigInt::from);
    let (long, int) = (narrow.map(|v| v as i64), narrow.map(|v| v as i32));
    let mut types: Vec<_> = [1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 24, 29, 32, 33].map(Physical::Fixed).to_vec();
    types.extend([Physical::Int32, Physical::Int64, Physical::ByteArray]);
    for physical in types {
        let column = column(2, physical);
        let mut inputs = vec![
            Values::I32(&int),
            Values::I64(&long),
            Values::I128(&narrow),
            Values::I256(&wide),
            Values::BigInt(&big),
        ];
        #[cfg(feature = "rust_decimal")]
        let scaled = narrow.map(|v| rust_decimal::Decimal::from_i128_with_scale(v, 0));
        #[cfg(feature = "rust_decimal")]
        inputs.push(Values::RustDecimal(&scaled));
        inputs.push(Values::I128(&[]));
        for values in inputs {
            sweep_twins(values, &column, ColumnOptions::default());
            sweep_twins(values, &column, SKIP);
        }
    }
}

#[test]
fn a_refused_value_leaves_no_encoded_bytes_behind() {
    for physical in [Physical::Fixed(1), Physical::Fixed(9), Physical::Fixed(17), Physical::Int32, Physical::ByteArray]
    {
        let column = column(2, physical);
        for at in [0, 4, 8] {
            let mut values = [11i128; 9];
            values[at] = -100;
            sweep_twins(Values::I128(&values), &column, ColumnOptions::default());
            sweep_twins(Values::I256(&values.map(I256::from)), &column, ColumnOptions::default());
            sweep_twins(Values::BigInt(&values.map(BigInt::from)), &column, ColumnOptions::default());
            values[at] = i128::MIN;
            sweep_twins(Values::I128(&values), &column, SKIP);
        }
    }
}

#[test]
fn a_retry_with_room_gives_what_a_first_try_gives() {
    let values = [1i128, -2, 3];
    let column = column(10, Physical::Fixed(5));
    let mut out = [0x77; 15];
    assert!(fast::encode_into(&values, &column, ColumnOptions::default(), &mut out[..14]).is_err());
    assert_eq!(fast::encode_into(&values, &column, ColumnOptions::default(), &mut out), Ok(15));
    assert_eq!(out.to_vec(), naive::encode(&values, &column, ColumnOptions::default()).expect("acceptable values"));
}
