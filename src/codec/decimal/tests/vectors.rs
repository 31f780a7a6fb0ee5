//! Expected bytes from outside: the vector file, and the rows that Parquet.Net's tests use, with their right bytes.

use num_bigint::BigInt;

use super::samples::{SKIP, column};
use crate::codec::Path;
use crate::codec::decimal::{
    Column, ColumnOptions, Decimal, I256, Physical, PrecisionCheck, Values, fast, fixed_width, max_precision, naive,
};
use crate::{DecodeError, EncodeError};

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).expect("hex")).collect()
}

/// What both twins make of one value, in every input type that holds it; and the way back.
fn both_ways(value: &BigInt, column: &Column, options: ColumnOptions, expected: &Result<Vec<u8>, EncodeError>) {
    let big = [value.clone()];
    let wide = I256::try_from(value).map(|v| [v]);
    let narrow = i128::try_from(value).map(|v| [v]);
    let small = i64::try_from(value).map(|v| [v]);
    let tiny = i32::try_from(value).map(|v| [v]);
    let mut inputs = vec![Values::BigInt(&big)];
    inputs.extend(wide.iter().map(|v| Values::I256(v)));
    inputs.extend(narrow.iter().map(|v| Values::I128(v)));
    inputs.extend(small.iter().map(|v| Values::I64(v)));
    inputs.extend(tiny.iter().map(|v| Values::I32(v)));
    for values in inputs {
        assert_eq!(&naive::encode(values, column, options), expected, "naive, {column}, {values:?}");
        assert_eq!(&fast::encode(values, column, options), expected, "fast, {column}, {values:?}");
    }
    if let Ok(bytes) = expected {
        let mut out = [BigInt::from(77)];
        assert_eq!(naive::decode_into(bytes, column, options, &mut out), Ok(bytes.len()));
        assert_eq!(&out[0], value);
        for path in Path::available() {
            let mut out = [BigInt::from(77)];
            assert_eq!(fast::decode_into_with(path, bytes, column, options, &mut out), Ok(bytes.len()));
            assert_eq!(&out[0], value, "{column}");
        }
    }
}

#[test]
fn every_row_of_the_vector_file_is_reproduced() {
    let rows = include_str!("../../../../corpus/vectors/decimal_flba.tsv").lines().filter(|row| !row.starts_with('#'));
    let mut seen = 0;
    for row in rows {
        let fields: Vec<_> = row.split('\t').collect();
        let [value, precision, width, hex] = fields[..] else { panic!("four fields: {row}") };
        let value: BigInt = value.parse().expect("an integer");
        let precision: u32 = precision.parse().expect("a precision");
        let width: u32 = width.parse().expect("a width");
        assert_eq!(fixed_width(precision), width, "{row}");
        let column = column(precision, Physical::always_fixed(precision));
        let bytes =
            if hex == "refused" { Err(EncodeError::ValueExceedsWidth { index: 0, width }) } else { Ok(unhex(hex)) };
        both_ways(&value, &column, SKIP, &bytes);
        let enforced = if bytes.is_ok() && value.magnitude() >= BigInt::from(10).pow(precision).magnitude() {
            Err(EncodeError::ValueExceedsPrecision { index: 0, precision })
        } else {
            bytes
        };
        both_ways(&value, &column, ColumnOptions::default(), &enforced);
        seen += 1;
    }
    assert_eq!(seen, 342);
}

/// parquet-dotnet, BigDecimalTest.cs, GetBytes_roundtrip_preserves_value: unscaled, precision, scale; bytes computed.
const ROUND_TRIP: [(&str, u32, u32, &str); 41] = [
    ("0", 10, 0, "0000000000"),
    ("0", 10, 5, "0000000000"),
    ("0", 38, 18, "00000000000000000000000000000000"),
    ("1", 1, 0, "01"),
    ("9", 1, 0, "09"),
    ("42", 5, 0, "00002a"),
    ("127", 5, 0, "00007f"),
    ("255", 5, 0, "0000ff"),
    ("256", 5, 0, "000100"),
    ("65535", 10, 0, "000000ffff"),
    ("12345", 10, 2, "0000003039"),
    ("100", 10, 2, "0000000064"),
    ("1", 10, 5, "0000000001"),
    ("999999", 10, 4, "00000f423f"),
    ("-1", 1, 0, "ff"),
    ("-9", 1, 0, "f7"),
    ("-42", 5, 0, "ffffd6"),
    ("-128", 5, 0, "ffff80"),
    ("-256", 5, 0, "ffff00"),
    ("-65535", 10, 0, "ffffff0001"),
    ("-12345", 10, 2, "ffffffcfc7"),
    ("-100", 10, 2, "ffffffff9c"),
    ("-1", 10, 5, "ffffffffff"),
    ("12345678901234", 18, 4, "00000b3a73ce2ff2"),
    ("999999999999999999", 18, 0, "0de0b6b3a763ffff"),
    ("-12345678901234", 18, 4, "fffff4c58c31d00e"),
    ("-999999999999999999", 18, 0, "f21f494c589c0001"),
    ("1234567890123456789012", 28, 6, "00000042ed123b0bd8203a14"),
    ("9999999999999999999999999999", 28, 0, "204fce5e3e2502610fffffff"),
    ("-1234567890123456789012", 28, 6, "ffffffbd12edc4f427dfc5ec"),
    ("-9999999999999999999999999999", 28, 0, "dfb031a1c1dafd9ef0000001"),
    ("12345678901234567890123456789012345678", 38, 2, "0949b0f6f0023313c4499050de38f34e"),
    ("99999999999999999999999999999999999999", 38, 0, "4b3b4ca85a86c47a098a223fffffffff"),
    ("99999999999999999999999999999999999", 38, 5, "0013426172c74d822b878fe7ffffffff"),
    ("-12345678901234567890123456789012345678", 38, 2, "f6b64f090ffdccec3bb66faf21c70cb2"),
    ("-99999999999999999999999999999999999999", 38, 0, "b4c4b357a5793b85f675ddc000000001"),
    ("-99999999999999999999999999999999999", 38, 5, "ffecbd9e8d38b27dd478701800000001"),
    ("123456789012345678", 38, 20, "000000000000000001b69b4ba630f34e"),
    ("-123456789012345678", 38, 20, "fffffffffffffffffe4964b459cf0cb2"),
    ("1", 38, 37, "00000000000000000000000000000001"),
    ("-1", 38, 37, "ffffffffffffffffffffffffffffffff"),
];

#[test]
fn the_round_trip_rows_have_their_right_bytes() {
    for (value, precision, scale, hex) in ROUND_TRIP {
        let unscaled: BigInt = value.parse().expect("an integer");
        let column = Column::new(precision, scale, Physical::always_fixed(precision)).expect("a valid column");
        both_ways(&unscaled, &column, ColumnOptions::default(), &Ok(unhex(hex)));
        let number = Decimal::new(unscaled, precision, scale).expect("within its precision");
        assert_eq!(number.to_bytes(), unhex(hex), "{value}");
        assert_eq!(Decimal::from_be_bytes(&unhex(hex), precision, scale), Ok(number));
    }
}

#[test]
fn the_width_of_a_precision_follows_the_specification() {
    let table =
        [1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 6, 7, 7, 8, 8, 9, 9, 9, 10, 10, 11, 11, 11, 12, 12, 13, 13, 13, 14, 14];
    for (precision, width) in (1..).zip(table) {
        assert_eq!(fixed_width(precision), width, "precision {precision}");
    }
    let steps = [
        (34, 15),
        (35, 15),
        (36, 16),
        (38, 16),
        (39, 17),
        (40, 17),
        (41, 18),
        (43, 18),
        (44, 19),
        (45, 19),
        (46, 20),
        (47, 20),
        (48, 21),
        (50, 21),
        (51, 22),
        (52, 22),
        (53, 23),
        (55, 23),
        (56, 24),
        (57, 24),
        (58, 25),
        (59, 25),
        (60, 26),
        (62, 26),
        (63, 27),
        (64, 27),
        (65, 28),
        (67, 28),
        (68, 29),
        (69, 29),
        (70, 30),
        (71, 30),
        (72, 31),
        (74, 31),
        (75, 32),
        (76, 32),
        (77, 33),
    ];
    for (precision, width) in steps {
        assert_eq!(fixed_width(precision), width, "precision {precision}");
    }
}

#[test]
fn widths_and_precisions_are_exact_for_thousands_of_digits() {
    let mut power = BigInt::from(1);
    for precision in 1..=3000u32 {
        power *= 10;
        // 10^p - 1 fits n bytes where 10^p <= 2^(8n - 1).
        let width = u64::from(fixed_width(precision));
        assert!(power.bits() < 8 * width, "precision {precision} in {width} bytes");
        assert!(power.bits() >= 8 * (width - 1), "precision {precision} in fewer than {width} bytes");
        assert!(max_precision(width as u32) >= u64::from(precision));
        assert!(max_precision(width as u32 - 1) < u64::from(precision));
    }
    // Where p * log2(10) comes closest to a whole number: convergents of its continued fraction, and their neighbours.
    for close in [579_001_193u32, 475_127_550, 103_873_643, 59_632_978, 44_240_665] {
        for precision in close - 3..=close + 3 {
            let width = fixed_width(precision);
            assert!(max_precision(width) >= u64::from(precision) && max_precision(width - 1) < u64::from(precision));
        }
    }
    assert_eq!(max_precision(0), 0);
    assert_eq!(max_precision(u32::MAX), 10_343_311_889, "floor((2^35 - 9) * log10(2))");
}

#[test]
fn minimal_byte_arrays_have_their_right_bytes() {
    let rows = [
        (0, "0100000000"),
        (1, "0100000001"),
        (-1, "01000000ff"),
        (127, "010000007f"),
        (128, "020000000080"),
        (-128, "0100000080"),
        (-129, "02000000ff7f"),
        (255, "0200000000ff"),
        (256, "020000000100"),
        (32_767, "020000007fff"),
        (32_768, "03000000008000"),
        (-32_768, "020000008000"),
        (-32_769, "03000000ff7fff"),
        (i128::MAX, "100000007fffffffffffffffffffffffffffffff"),
        (i128::MIN, "1000000080000000000000000000000000000000"),
    ];
    for (value, hex) in rows {
        both_ways(&BigInt::from(value), &column(39, Physical::ByteArray), ColumnOptions::default(), &Ok(unhex(hex)));
    }
}

#[test]
fn integers_are_little_endian() {
    both_ways(&BigInt::from(-2), &column(9, Physical::Int32), ColumnOptions::default(), &Ok(unhex("feffffff")));
    both_ways(
        &BigInt::from(0x0102_0304),
        &column(9, Physical::Int32),
        ColumnOptions::default(),
        &Ok(unhex("04030201")),
    );
    both_ways(
        &BigInt::from(1i64 << 40),
        &column(18, Physical::Int64),
        ColumnOptions::default(),
        &Ok(unhex("0000000000010000")),
    );
}

/// Readers that failed on these: see the addresses.
#[test]
fn reported_bytes_decode_to_their_right_values() {
    let read = |hex: &str, column: &Column| {
        let (bytes, mut naive, mut fast) = (unhex(hex), [BigInt::ZERO], [BigInt::ZERO]);
        let expected = naive::decode_into(&bytes, column, ColumnOptions::default(), &mut naive);
        assert_eq!(fast::decode_into(&bytes, column, ColumnOptions::default(), &mut fast), expected);
        assert!(expected.is_err() || naive == fast);
        expected.map(|_| naive[0].clone())
    };
    // https://github.com/jorgecarleitao/arrow2/issues/679
    assert_eq!(read("ff", &column(2, Physical::Fixed(1))), Ok((-1).into()));
    // https://github.com/apache/arrow-go/pull/711
    assert_eq!(
        read("fdffffffffffffffffffffffffffffffff", &column(40, Physical::Fixed(17))),
        Ok(-BigInt::from(1i128 << 126) * 8 - 1)
    );
    // https://github.com/xitongsys/parquet-go/issues/433
    assert_eq!(read("01000000ff", &column(2, Physical::ByteArray)), Ok((-1).into()));
    assert_eq!(read("010000009d", &column(2, Physical::ByteArray)), Ok((-99).into()));
    // https://github.com/dask/fastparquet/issues/417
    assert_eq!(read("0100", &column(4, Physical::Fixed(2))), Ok(256.into()));
    // https://github.com/platypii/hyparquet/issues/115
    assert_eq!(read("ffffffffffffffffffffffffff", &column(29, Physical::Fixed(13))), Ok((-1).into()));
    // https://github.com/duckdb/duckdb/pull/10183
    assert_eq!(read("ffffffffffffffffffffffffffffff9c", &column(4, Physical::Fixed(16))), Ok((-100).into()));
}

#[test]
fn surplus_bytes_are_accepted_where_the_value_fits_and_refused_where_not() {
    // https://github.com/trinodb/trino/issues/9971
    let nine = column(18, Physical::Fixed(9));
    let mut out = [0i64];
    assert_eq!(fast::decode_into(&[0xff; 9], &nine, ColumnOptions::default(), &mut out), Ok(9));
    assert_eq!(out, [-1]);
    let too_wide = unhex("008000000000000000");
    let refusal = Err(DecodeError::ValueExceedsTarget { offset: 0, index: 0, bits: 64 });
    assert_eq!(fast::decode_into(&too_wide, &nine, ColumnOptions::default(), &mut out), refusal);
    assert_eq!(naive::decode_into(&too_wide, &nine, ColumnOptions::default(), &mut out), refusal);
    let options = ColumnOptions { precision_check: PrecisionCheck::Skip, ..ColumnOptions::default() };
    let mut out = [0i128];
    assert_eq!(fast::decode_into(&too_wide, &nine, options, &mut out), Ok(9));
    assert_eq!(out, [1 << 63]);
}
