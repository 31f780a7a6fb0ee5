//! Which value is refused, and why.

use num_bigint::BigInt;

use super::samples::{SKIP, column};
use crate::EncodeError::{ValueExceedsPrecision, ValueExceedsWidth};
use crate::codec::Path;
use crate::codec::decimal::{ColumnOptions, I256, Physical, Values, fast, naive};
use crate::{DecodeError, EncodeError};

fn encode(
    values: Values<'_>,
    physical: Physical,
    precision: u32,
    options: ColumnOptions,
) -> Result<Vec<u8>, EncodeError> {
    let column = column(precision, physical);
    let expected = naive::encode(values, &column, options);
    for path in Path::available() {
        let mut out = [0; 4096];
        let fast = fast::encode_into_with(path, values, &column, options, &mut out);
        assert_eq!(fast.map(|len| out[..len].to_vec()), expected, "{column}, {}", path.name());
    }
    expected
}

#[test]
fn the_first_refused_value_is_named_wherever_it_stands() {
    for at in [0, 1, 3, 63, 64, 65, 127, 128, 129, 198, 199] {
        for (physical, precision) in [(Physical::Fixed(1), 2), (Physical::Fixed(4), 9), (Physical::Fixed(8), 18)] {
            let limit = 10i64.pow(precision);
            let mut values = [1 - limit; 200];
            values[at] = limit;
            values[199] = i64::MAX;
            let long = encode(Values::I64(&values), physical, precision, ColumnOptions::default());
            let expected = match (at, physical) {
                (199, Physical::Fixed(8)) => ValueExceedsPrecision { index: 199, precision },
                (199, Physical::Fixed(width)) => ValueExceedsWidth { index: 199, width },
                _ => ValueExceedsPrecision { index: at, precision },
            };
            assert_eq!(long, Err(expected));
            let wider = values.map(i128::from);
            assert_eq!(encode(Values::I128(&wider), physical, precision, ColumnOptions::default()), Err(expected));
            let widest = wider.map(I256::from);
            assert_eq!(encode(Values::I256(&widest), physical, precision, ColumnOptions::default()), Err(expected));
            let big = wider.map(BigInt::from);
            assert_eq!(encode(Values::BigInt(&big), physical, precision, ColumnOptions::default()), Err(expected));
        }
    }
}

#[test]
fn where_both_limits_fail_the_width_is_named() {
    let fixed = Physical::Fixed(1);
    let narrow = ValueExceedsWidth { index: 0, width: 1 };
    assert_eq!(encode(Values::I32(&[128]), fixed, 2, ColumnOptions::default()), Err(narrow));
    assert_eq!(
        encode(Values::I32(&[127]), fixed, 2, ColumnOptions::default()),
        Err(ValueExceedsPrecision { index: 0, precision: 2 })
    );
    assert_eq!(encode(Values::I32(&[-128]), fixed, 2, SKIP), Ok(vec![0x80]));
    assert_eq!(encode(Values::I32(&[-129]), fixed, 2, SKIP), Err(narrow));
}

/// https://github.com/apache/arrow-go/pull/1122: 2^31 became -2^31.
#[test]
fn a_value_beyond_the_integer_type_is_refused_not_cut() {
    let too_wide = ValueExceedsWidth { index: 0, width: 4 };
    for options in [ColumnOptions::default(), SKIP] {
        assert_eq!(encode(Values::I64(&[1 << 31]), Physical::Int32, 9, options), Err(too_wide));
        assert_eq!(encode(Values::I128(&[1 << 64]), Physical::Int32, 9, options), Err(too_wide));
        assert_eq!(
            encode(Values::I256(&[I256::MIN]), Physical::Int64, 18, options),
            Err(ValueExceedsWidth { index: 0, width: 8 })
        );
    }
    assert_eq!(
        encode(Values::I64(&[(1 << 31) - 1]), Physical::Int32, 9, ColumnOptions::default()),
        Err(ValueExceedsPrecision { index: 0, precision: 9 })
    );
    assert_eq!(encode(Values::I64(&[(1 << 31) - 1]), Physical::Int32, 9, SKIP), Ok(vec![0xff, 0xff, 0xff, 0x7f]));
}

/// https://github.com/aloneguid/parquet-dotnet/issues/732: 2^80 in DECIMAL(20,0), 11 bytes for 9.
#[test]
fn a_value_beyond_the_column_names_the_value_and_the_column() {
    let error =
        encode(Values::I128(&[5, 1 << 80]), Physical::always_fixed(20), 20, ColumnOptions::default()).unwrap_err();
    assert_eq!(error, ValueExceedsWidth { index: 1, width: 9 });
    assert_eq!(error.to_string(), "value 1 does not fit the 9 bytes that the column has for one value");
}

#[test]
fn the_smallest_machine_integers_are_encoded_or_refused_never_wrapped() {
    assert_eq!(encode(Values::I32(&[i32::MIN]), Physical::Fixed(4), 9, SKIP), Ok(vec![0x80, 0, 0, 0]));
    assert_eq!(
        encode(Values::I32(&[i32::MIN]), Physical::Fixed(4), 9, ColumnOptions::default()),
        Err(ValueExceedsPrecision { index: 0, precision: 9 })
    );
    assert_eq!(
        encode(Values::I128(&[i128::MIN]), Physical::Fixed(16), 38, ColumnOptions::default()),
        Err(ValueExceedsPrecision { index: 0, precision: 38 })
    );
    let mut lowest = vec![0; 17];
    (lowest[0], lowest[1]) = (0xff, 0x80);
    assert_eq!(encode(Values::I128(&[i128::MIN]), Physical::Fixed(17), 40, ColumnOptions::default()), Ok(lowest));
    assert_eq!(
        encode(Values::I256(&[I256::MIN]), Physical::Fixed(32), 76, ColumnOptions::default()),
        Err(ValueExceedsPrecision { index: 0, precision: 76 })
    );
}

#[test]
fn decoding_names_the_first_value_beyond_the_precision() {
    for (physical, count) in [(Physical::Fixed(2), 300), (Physical::Fixed(20), 300), (Physical::Int32, 300)] {
        for at in [0, 150, 299] {
            let mut values = vec![999i32; count];
            values[at] = -1000;
            values[299] = -1000;
            let bytes = naive::encode(&values, &column(3, physical), SKIP).expect("fits the bytes");
            let offset = at * physical.width().expect("a fixed width") as usize;
            let expected = Err(DecodeError::ValueExceedsPrecision { offset, index: at, precision: 3 });
            let mut out = vec![0i128; count];
            assert_eq!(naive::decode_into(&bytes, &column(3, physical), ColumnOptions::default(), &mut out), expected);
            assert_eq!(fast::decode_into(&bytes, &column(3, physical), ColumnOptions::default(), &mut out), expected);
        }
    }
}
