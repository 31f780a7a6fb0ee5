//! `rust_decimal` columns: every value is brought to the column's scale, exactly or by a named rounding.

use rust_decimal::Decimal;

use super::samples::{Random, SKIP};
use crate::codec::Path;
use crate::codec::decimal::{Column, ColumnOptions, Physical, PrecisionCheck, Rounding, Values, fast, naive};
use crate::{DecodeError, EncodeError};

fn encode(values: &[Decimal], column: &Column, options: ColumnOptions) -> Result<Vec<u8>, EncodeError> {
    let expected = naive::encode(values, column, options);
    assert_eq!(fast::encoded_len(values, column, options), naive::encoded_len(values, column, options));
    for path in Path::available() {
        let mut out = vec![0x66; values.len() * 200];
        let fast = fast::encode_into_with(path, values, column, options, &mut out);
        assert_eq!(fast.map(|len| out[..len].to_vec()), expected, "{column}, {options:?}, {}, {values:?}", path.name());
    }
    expected
}

fn column(precision: u32, scale: u32, physical: Physical) -> Column {
    Column::new(precision, scale, physical).expect("a valid column")
}

fn decimal(text: &str) -> Decimal {
    text.parse().expect("a decimal")
}

/// Mantissas at borders, with every scale.
fn samples() -> Vec<Decimal> {
    let mut mantissas: Vec<i128> =
        (0..96).step_by(5).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1]).collect();
    mantissas.extend(
        (0..29).step_by(3).flat_map(|k| [10i128.pow(k) - 1, 10i128.pow(k), 10i128.pow(k) * 5, 10i128.pow(k) * 15]),
    );
    mantissas.extend([(1 << 96) - 1, 1 << 94]);
    mantissas.retain(|mantissa| mantissa >> 96 == 0);
    let mut random = Random(5);
    mantissas
        .into_iter()
        .flat_map(|mantissa| [mantissa, -mantissa])
        .flat_map(|mantissa| {
            let scale = random.below(29) as u32;
            [0, scale, 28].map(|scale| Decimal::from_i128_with_scale(mantissa, scale))
        })
        .collect()
}

#[test]
fn one_value_unlike_all_others_is_found_at_any_place() {
    for scale in [0, 2] {
        // Another scale, inexact and exact; more than 63 and more than 64 bits.
        let strays = [decimal("0.007"), decimal("0.070"), decimal("-7.1"), decimal("7.0"), decimal("7")];
        let large = [1 << 63, 1 << 64, (1 << 64) + 5, -(1 << 80)];
        let large = large.map(|value| Decimal::from_i128_with_scale(value, scale));
        for stray in strays.into_iter().chain(large) {
            for at in [0, 1, 7, 8, 9, 63, 255, 256, 257, 299] {
                let mut values = vec![Decimal::new(-6, scale); 300];
                values[at] = stray;
                for physical in [Physical::Int32, Physical::Fixed(4), Physical::Fixed(8), Physical::Fixed(9)] {
                    for options in [SKIP, ColumnOptions::default()] {
                        _ = encode(&values, &column(9, scale, physical), options);
                    }
                }
            }
        }
    }
}

#[test]
fn columns_of_every_scale_and_rounding_agree() {
    let values = samples();
    let shapes = [
        (1, 0, Physical::Fixed(1)),
        (9, 4, Physical::Int32),
        (9, 4, Physical::Fixed(4)),
        (18, 2, Physical::Int64),
        (18, 18, Physical::Fixed(8)),
        (21, 5, Physical::Fixed(9)),
        (29, 0, Physical::Fixed(13)),
        (29, 28, Physical::Fixed(13)),
        (38, 10, Physical::Fixed(16)),
        (38, 38, Physical::Fixed(16)),
        (38, 20, Physical::Fixed(20)),
        (60, 30, Physical::Fixed(26)),
        (76, 47, Physical::Fixed(32)),
        (90, 60, Physical::Fixed(40)),
        (200, 150, Physical::ByteArray),
        (38, 9, Physical::ByteArray),
        (5, 5, Physical::ByteArray),
    ];
    for (precision, scale, physical) in shapes {
        let column = column(precision, scale, physical);
        for rounding in [Rounding::Exact, Rounding::TowardZero, Rounding::HalfEven] {
            for precision_check in [PrecisionCheck::Enforce, PrecisionCheck::Skip] {
                let options = ColumnOptions { precision_check, rounding };
                let mut good = Vec::new();
                for value in &values {
                    if encode(&[*value], &column, options).is_ok() {
                        good.push(*value);
                    }
                }
                let whole = encode(&good, &column, options).expect("all are acceptable");
                assert!(!whole.is_empty(), "{column}: no value was accepted");
                let bad = values.iter().filter(|value| !good.contains(value)).step_by(9);
                for (i, value) in bad.enumerate() {
                    let mut some: Vec<Decimal> = good.iter().cycle().skip(i).take(70).copied().collect();
                    some[i % 70] = *value;
                    assert!(encode(&some, &column, options).is_err());
                }
            }
        }
    }
}

#[test]
fn digits_beyond_the_scale_are_an_error_unless_they_are_zeros() {
    let column = column(4, 1, Physical::Fixed(2));
    let inexact = Err(EncodeError::InexactScale { index: 1, scale: 1 });
    assert_eq!(
        encode(&[decimal("1.5"), decimal("10.44"), decimal("0.01")], &column, ColumnOptions::default()),
        inexact
    );
    assert_eq!(encode(&[decimal("10.40000")], &column, ColumnOptions::default()), Ok(vec![0, 104]));
}

/// parquet-dotnet, EndToEndTypeTest: a nullable (4,1) column turns 10.44 into 10.4.
#[test]
fn the_named_roundings() {
    let rounded = |text: &str, rounding| {
        let column = column(9, 1, Physical::Int32);
        let bytes =
            encode(&[decimal(text)], &column, ColumnOptions { rounding, ..ColumnOptions::default() }).expect("rounded");
        i32::from_le_bytes(bytes.try_into().expect("4 bytes"))
    };
    for (text, toward_zero, half_even) in [
        ("10.44", 104, 104),
        ("-10.44", -104, -104),
        ("0.05", 0, 0),
        ("0.15", 1, 2),
        ("0.25", 2, 2),
        ("-0.25", -2, -2),
        ("-0.35", -3, -4),
        ("0.2500000000000000000000000001", 2, 3),
        ("0.2499999999999999999999999999", 2, 2),
        ("0.99", 9, 10),
        ("-0.04", 0, 0),
        ("-0.0", 0, 0),
    ] {
        assert_eq!(rounded(text, Rounding::TowardZero), toward_zero, "{text}");
        assert_eq!(rounded(text, Rounding::HalfEven), half_even, "{text}");
    }
}

#[test]
fn the_scale_is_held_first_then_the_width_then_the_precision() {
    let column = column(2, 0, Physical::Fixed(1));
    let one = |text| encode(&[decimal(text)], &column, ColumnOptions::default());
    assert_eq!(one("1000.5"), Err(EncodeError::InexactScale { index: 0, scale: 0 }));
    assert_eq!(one("1000"), Err(EncodeError::ValueExceedsWidth { index: 0, width: 1 }));
    assert_eq!(one("100"), Err(EncodeError::ValueExceedsPrecision { index: 0, precision: 2 }));
    assert_eq!(one("-99"), Ok(vec![0x9d]));
    // Rounding up into a digit too many.
    let rounding = ColumnOptions { rounding: Rounding::HalfEven, ..ColumnOptions::default() };
    assert_eq!(
        encode(&[decimal("99.5")], &column, rounding),
        Err(EncodeError::ValueExceedsPrecision { index: 0, precision: 2 })
    );
}

#[test]
fn the_first_number_beyond_the_precision_is_refused_beyond_128_bits_too() {
    let refused = Err(EncodeError::ValueExceedsPrecision { index: 1, precision: 50 });
    for physical in [Physical::Fixed(22), Physical::ByteArray] {
        let column = column(50, 30, physical);
        let largest = decimal("99999999999999999999");
        for beyond in [decimal("100000000000000000000"), decimal("-100000000000000000000.00000000")] {
            assert!(encode(&[largest, -largest], &column, ColumnOptions::default()).is_ok());
            assert_eq!(encode(&[largest, beyond], &column, ColumnOptions::default()), refused);
            assert!(encode(&[largest, beyond], &column, SKIP).is_ok());
        }
    }
    // 1 has 46 digits at scale 45, 0 has none.
    let fraction = column(45, 45, Physical::ByteArray);
    assert_eq!(
        encode(&[Decimal::ZERO, Decimal::ONE], &fraction, ColumnOptions::default()),
        Err(EncodeError::ValueExceedsPrecision { index: 1, precision: 45 })
    );
}

#[test]
fn decoding_gives_the_column_s_scale() {
    let column = column(10, 2, Physical::Fixed(5));
    let mut out = [Decimal::ONE; 3];
    let bytes = [0, 0, 0, 0x30, 0x39, 0xff, 0xff, 0xff, 0xff, 0x9c, 0, 0, 0, 0, 0];
    for path in Path::available() {
        assert_eq!(fast::decode_into_with(path, &bytes, &column, ColumnOptions::default(), &mut out), Ok(15));
        assert_eq!(out.map(|value| value.to_string()), ["123.45", "-1.00", "0.00"]);
    }
}

#[test]
fn zeros_are_read_without_a_sign_and_the_largest_values_with_theirs() {
    let values = [0, 99_999, -99_999].map(|value| Decimal::new(value, 2));
    for physical in [Physical::Int32, Physical::Fixed(4), Physical::Fixed(16), Physical::Fixed(33), Physical::ByteArray]
    {
        let column = column(5, 2, physical);
        let bytes = naive::encode(&values, &column, ColumnOptions::default()).expect("fits");
        for path in Path::available() {
            let mut out = [Decimal::ONE; 3];
            assert_eq!(
                fast::decode_into_with(path, &bytes, &column, ColumnOptions::default(), &mut out),
                Ok(bytes.len()),
                "{column}, {path:?}"
            );
            // A negative zero is equal to zero, but not the same bytes.
            assert_eq!(out.map(|value| value.serialize()), values.map(|value| value.serialize()), "{column}, {path:?}");
        }
    }
}

#[test]
fn products_between_127_and_128_bits_are_kept_whole() {
    // 2^127 = 1.70 * 10^38.
    let value = Decimal::from_i128_with_scale(17_014_118_346_046_923_173_168_730_372, 0);
    for value in [value, -value] {
        for physical in [Physical::Fixed(17), Physical::Fixed(33), Physical::ByteArray] {
            assert!(encode(&[value], &column(39, 10, physical), ColumnOptions::default()).is_ok());
        }
    }
}

#[test]
fn decoding_beyond_96_bits_or_scale_28_is_refused() {
    let decode = |bytes: &[u8], scale, options| {
        let column = column(38, scale, Physical::Fixed(16));
        let (mut naive, mut out) = ([Decimal::ONE], [Decimal::ONE]);
        let expected = naive::decode_into(bytes, &column, options, &mut naive);
        for path in Path::available() {
            assert_eq!(fast::decode_into_with(path, bytes, &column, options, &mut out), expected, "{path:?}");
            assert!(expected.is_err() || out == naive, "{path:?}");
        }
        expected.map(|_| out[0])
    };
    // https://github.com/paupino/rust-decimal/issues/645
    let refused = Err(DecodeError::ScaleExceedsTarget { scale: 29, max: 28 });
    assert_eq!(decode(&[0; 16], 29, ColumnOptions::default()), refused);
    let mut bytes = [0; 16];
    bytes[4..].fill(0xff);
    let largest = Decimal::MAX / Decimal::from_i128_with_scale(1, 0) * Decimal::new(1, 28);
    assert_eq!(decode(&bytes, 28, ColumnOptions::default()), Ok(largest));
    bytes[3] = 1;
    let refused = Err(DecodeError::ValueExceedsTarget { offset: 0, index: 0, bits: 96 });
    assert_eq!(decode(&bytes, 28, ColumnOptions::default()), refused);
    // https://github.com/paupino/rust-decimal/pull/244
    assert_eq!(decode(&i128::MIN.to_be_bytes(), 28, SKIP), refused);
}

#[test]
fn negative_zero_is_zero() {
    let mut zero = Decimal::ZERO;
    zero.set_sign_negative(true);
    assert_eq!(encode(&[zero], &column(3, 1, Physical::Fixed(2)), ColumnOptions::default()), Ok(vec![0, 0]));
    assert_eq!(encode(&[zero], &column(3, 1, Physical::ByteArray), ColumnOptions::default()), Ok(vec![1, 0, 0, 0, 0]));
    assert_eq!(Values::RustDecimal(&[zero]).len(), 1);
}
