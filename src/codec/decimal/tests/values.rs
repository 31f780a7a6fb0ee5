//! The value type: text, bytes, scales, conversions.

use num_bigint::BigInt;

use crate::EncodeError;
use crate::codec::decimal::{ColumnError, Decimal, DecimalError, ParseDecimalError, Rounding};

fn decimal(unscaled: i128, precision: u32, scale: u32) -> Decimal {
    Decimal::new(unscaled, precision, scale).expect("a valid number")
}

/// parquet-dotnet, BigDecimalTest.cs, ToString_formats_correctly.
#[test]
fn text_has_exactly_the_digits_of_the_scale() {
    let long = 12_345_678_901_234_567_890_123_456_789_012_345_678;
    for (number, text) in [
        (decimal(12345, 10, 2), "123.45"),
        (decimal(-12345, 10, 2), "-123.45"),
        (decimal(0, 10, 2), "0.00"),
        (decimal(100, 10, 2), "1.00"),
        (decimal(-100, 10, 2), "-1.00"),
        (decimal(1, 10, 5), "0.00001"),
        (decimal(-1, 10, 5), "-0.00001"),
        (decimal(42, 5, 0), "42"),
        (decimal(-42, 5, 0), "-42"),
        (decimal(long, 38, 2), "123456789012345678901234567890123456.78"),
        (decimal(-long, 38, 2), "-123456789012345678901234567890123456.78"),
        (decimal(-5, 6, 6), "-0.000005"),
        (decimal(0, 3, 0), "0"),
    ] {
        assert_eq!(number.to_string(), text);
        let back: Decimal = text.parse().expect("our own text");
        assert_eq!((back.unscaled(), back.scale()), (number.unscaled(), number.scale()), "{text}");
        assert_eq!(back.rescale(number.precision(), number.scale(), Rounding::Exact), Ok(number));
    }
    assert_eq!(
        format!("{:>8}|{:08}|{:+}", decimal(-15, 2, 1), decimal(-15, 2, 1), decimal(15, 2, 1)),
        "    -1.5|-00001.5|+1.5"
    );
}

#[test]
fn more_places_than_a_format_width_can_count_are_shown() {
    for scale in [65_534, 65_535, 65_536, 70_000] {
        let text = format!("-0.{}1", "0".repeat(scale - 1));
        assert_eq!(text.parse::<Decimal>().expect("a number").to_string(), text);
    }
}

#[test]
fn parsed_precision_is_the_least_that_holds_the_number() {
    for (text, unscaled, precision, scale) in [
        ("0", 0, 1, 0),
        ("-0", 0, 1, 0),
        ("-0.00", 0, 2, 2),
        ("007", 7, 1, 0),
        ("0.05", 5, 2, 2),
        ("1.50", 150, 3, 2),
        ("+12.5", 125, 3, 1),
        ("-99999", -99999, 5, 0),
    ] {
        assert_eq!(text.parse(), Ok(decimal(unscaled, precision, scale)), "{text}");
    }
    assert_eq!("-0.00".parse::<Decimal>().expect("zero").to_string(), "0.00");
}

#[test]
fn text_that_is_no_number_is_refused_with_its_place() {
    use ParseDecimalError::{NoDigits, UnexpectedCharacter};
    // https://github.com/paupino/rust-decimal/pull/807: 31 digits and a letter.
    let letter = "1234567890123456789012345678901x";
    for (text, error) in [
        ("", NoDigits),
        ("-", NoDigits),
        ("+", NoDigits),
        (".", NoDigits),
        ("1.", NoDigits),
        (".5", NoDigits),
        ("--1", UnexpectedCharacter { offset: 1 }),
        ("+-1", UnexpectedCharacter { offset: 1 }),
        ("1.2.3", UnexpectedCharacter { offset: 3 }),
        ("1 ", UnexpectedCharacter { offset: 1 }),
        ("1_000", UnexpectedCharacter { offset: 1 }),
        ("١", UnexpectedCharacter { offset: 0 }),
        (letter, UnexpectedCharacter { offset: 31 }),
        // https://github.com/paupino/rust-decimal/issues/697, https://github.com/akubera/bigdecimal-rs/issues/115
        ("1.5e-4294967295", UnexpectedCharacter { offset: 3 }),
        ("1e-9223372036854775808", UnexpectedCharacter { offset: 1 }),
        ("NaN", UnexpectedCharacter { offset: 0 }),
    ] {
        assert_eq!(text.parse::<Decimal>(), Err(error), "{text:?}");
    }
}

/// parquet-dotnet, BigDecimalTest.cs: WriteBytes_*.
#[test]
fn bytes_take_the_width_of_the_precision() {
    for (precision, size) in
        [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (9, 4), (10, 5), (18, 8), (28, 12), (38, 16), (76, 32)]
    {
        let mut out = [0xff; 40];
        assert_eq!(decimal(1, precision, 0).write_bytes(&mut out), Ok(size), "precision {precision}");
        assert_eq!(out[size - 1], 1);
        assert!(out[..size - 1].iter().all(|byte| *byte == 0) && out[size..].iter().all(|byte| *byte == 0xff));
        assert_eq!(decimal(0, precision, 0).write_bytes(&mut out), Ok(size));
        assert!(out[..size].iter().all(|byte| *byte == 0));
    }
    for (unscaled, precision, scale) in [(1, 10, 0), (12345, 10, 2), (12_345_678_901_234_567_890, 38, 2)] {
        assert!(decimal(unscaled, precision, scale).to_bytes()[0] < 0x80);
        assert!(decimal(-unscaled, precision, scale).to_bytes()[0] >= 0x80);
    }
    let mut out = [0x12; 8];
    assert_eq!(
        decimal(12345, 38, 2).write_bytes(&mut out),
        Err(EncodeError::BufferTooSmall { needed: 16, available: 8 })
    );
    assert_eq!(out, [0x12; 8]);
}

#[test]
fn bytes_of_any_length_are_read() {
    assert_eq!(Decimal::from_be_bytes(&[0x9c], 4, 2), Ok(decimal(-100, 4, 2)));
    assert_eq!(Decimal::from_be_bytes(&[0xff; 50], 4, 2), Ok(decimal(-1, 4, 2)));
    assert_eq!(Decimal::from_be_bytes(&[], 4, 2), Err(DecimalError::NoBytes));
    assert_eq!(Decimal::from_be_bytes(&[0x7f, 0xff], 4, 2), Err(DecimalError::ExceedsPrecision { precision: 4 }));
    assert_eq!(Decimal::from_be_bytes(&[1], 0, 0), Err(DecimalError::Column(ColumnError::ZeroPrecision)));
}

#[test]
fn what_does_not_fit_the_precision_is_no_number() {
    // https://github.com/apache/arrow-rs/issues/3223
    assert_eq!(Decimal::new(10, 1, 0), Err(DecimalError::ExceedsPrecision { precision: 1 }));
    assert!(Decimal::new(-9, 1, 0).is_ok());
    assert!(Decimal::new(BigInt::from(10).pow(5000) - 1, 5000, 5000).is_ok());
    assert!(Decimal::new(BigInt::from(10).pow(5000), 5000, 5000).is_err());
    assert_eq!(
        Decimal::new(1, 3, 4),
        Err(DecimalError::Column(ColumnError::ScaleExceedsPrecision { scale: 4, precision: 3 }))
    );
}

#[test]
fn another_scale_is_exact_or_rounded_by_name() {
    let number = decimal(25, 3, 2);
    assert_eq!(number.rescale(10, 4, Rounding::Exact), Ok(decimal(2500, 10, 4)));
    assert_eq!(number.rescale(3, 1, Rounding::Exact), Err(DecimalError::InexactScale { scale: 1 }));
    assert_eq!(number.rescale(3, 1, Rounding::TowardZero), Ok(decimal(2, 3, 1)));
    assert_eq!(number.rescale(3, 1, Rounding::HalfEven), Ok(decimal(2, 3, 1)));
    assert_eq!(decimal(-35, 3, 2).rescale(3, 1, Rounding::HalfEven), Ok(decimal(-4, 3, 1)));
    assert_eq!(decimal(-35, 3, 2).rescale(3, 1, Rounding::TowardZero), Ok(decimal(-3, 3, 1)));
    assert_eq!(
        decimal(95, 2, 1).rescale(1, 0, Rounding::HalfEven),
        Err(DecimalError::ExceedsPrecision { precision: 1 })
    );
    assert_eq!(decimal(1, 1, 0).rescale(9, 9, Rounding::Exact), Err(DecimalError::ExceedsPrecision { precision: 9 }));
    assert_eq!(decimal(0, 1, 0).rescale(u32::MAX, u32::MAX, Rounding::Exact).map(|zero| zero.scale()), Ok(u32::MAX));
    // https://github.com/akubera/bigdecimal-rs/issues/90
    let long = Decimal::new(BigInt::from(2) * BigInt::from(10).pow(38), 40, 39).expect("0.2");
    assert_eq!(long.rescale(1, 0, Rounding::HalfEven), Ok(decimal(0, 1, 0)));
}

#[test]
fn machine_integers() {
    assert_eq!(i128::try_from(&decimal(-7, 3, 1)), Ok(-7));
    let long = Decimal::new(BigInt::from(1) << 127, 40, 0).expect("39 digits");
    assert_eq!(i128::try_from(&long), Err(DecimalError::ExceedsTarget));
    assert_eq!(decimal(i128::MIN, 39, 0).to_string(), i128::MIN.to_string());
}

#[cfg(feature = "rust_decimal")]
#[test]
fn rust_decimal_and_back() {
    use rust_decimal::Decimal as Other;
    let number: Other = "83086059037282.54".parse().expect("a decimal");
    // parquet-dotnet, BigDecimalTest.cs: Parse_from_decimal.
    let ours = Decimal::from_rust_decimal(&number, 38, 16, Rounding::Exact).expect("exact");
    assert_eq!(ours.to_string(), "83086059037282.5400000000000000");
    assert_eq!(Other::try_from(&ours).map(|back| back == number), Err(DecimalError::ExceedsTarget), "99 bits");
    let ours = Decimal::from_rust_decimal(&number, 20, 4, Rounding::Exact).expect("exact");
    assert_eq!(Other::try_from(&ours).map(|back| back.to_string()), Ok("83086059037282.5400".into()));
    let cut = Decimal::from_rust_decimal(&number, 20, 1, Rounding::TowardZero).expect("rounded");
    assert_eq!(cut.to_string(), "83086059037282.5");
    assert_eq!(
        Decimal::from_rust_decimal(&number, 20, 1, Rounding::Exact),
        Err(DecimalError::InexactScale { scale: 1 })
    );
    assert_eq!(Other::try_from(&decimal(1, 29, 29)), Err(DecimalError::ExceedsTarget));
    assert_eq!(Other::try_from(&decimal(1 << 96, 38, 0)), Err(DecimalError::ExceedsTarget));
    assert_eq!(
        Decimal::from_rust_decimal(&Other::MIN, 38, 0, Rounding::Exact).map(|v| v.to_string()),
        Ok(Other::MIN.to_string())
    );
}
