//! They read what we wrote.

use super::files::{Written, file};
use arrow_array::{Array, Decimal128Array, Decimal256Array};
use arrow_schema::DataType;
use bytes::Bytes;
use bytetwin::codec::decimal::{Column, Physical, fixed_width};
use bytetwin::codec::path::Path;
use num_bigint::BigInt;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::record::Field;

/// The columns of a file as the record reader of the `parquet` crate sees them: unscaled, precision, scale.
fn by_records(file: Bytes) -> Vec<Vec<Option<(BigInt, u32, u32)>>> {
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let mut columns = vec![Vec::new(); reader.metadata().file_metadata().schema_descr().num_columns()];
    for row in reader.get_row_iter(None).expect("rows") {
        for (column, (_, field)) in columns.iter_mut().zip(row.expect("a row").get_column_iter()) {
            column.push(match field {
                Field::Null => None,
                Field::Decimal(decimal) => Some((
                    BigInt::from_signed_bytes_be(decimal.data()),
                    decimal.precision() as u32,
                    decimal.scale() as u32,
                )),
                other => panic!("{other:?} is no decimal"),
            });
        }
    }
    columns
}

/// The columns of a file as Arrow sees them.
fn by_arrow(file: Bytes) -> Vec<(DataType, Vec<Option<BigInt>>)> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("a Parquet file").build().expect("a reader");
    let mut columns: Vec<(DataType, Vec<Option<BigInt>>)> = Vec::new();
    for batch in reader {
        let batch = batch.expect("a batch");
        columns.resize_with(batch.num_columns(), || (DataType::Null, Vec::new()));
        for (array, (data_type, values)) in batch.columns().iter().zip(&mut columns) {
            *data_type = array.data_type().clone();
            let any = array.as_any();
            if let Some(array) = any.downcast_ref::<Decimal128Array>() {
                values.extend(array.iter().map(|value| value.map(BigInt::from)));
            } else if let Some(array) = any.downcast_ref::<Decimal256Array>() {
                values.extend(array.iter().map(|v| v.map(|v| BigInt::from_signed_bytes_be(&v.to_be_bytes()))));
            } else {
                panic!("{data_type} is no decimal that is looked for");
            }
        }
    }
    columns
}

/// Both readers see what was written, and the bounds are those of the values.
fn seen_by_both(columns: &[Written], rows: usize, path: Path) {
    let file = file(columns, rows, path);
    let records = by_records(file.clone());
    assert_eq!(records.len(), columns.len());
    for (written, read) in columns.iter().zip(records) {
        let (precision, scale) = (written.column.precision(), written.column.scale());
        let right: Vec<_> = written.values.iter().cloned().map(|v| v.map(|v| (v, precision, scale))).collect();
        assert!(read == right, "records: {} on {}: {read:?}\nnot {right:?}", written.column, path.name());
    }
    // Arrow ends at 76 digits.
    if columns.iter().all(|written| written.column.precision() <= 76) {
        let arrays = by_arrow(file.clone());
        assert_eq!(arrays.len(), columns.len());
        for (written, (data_type, read)) in columns.iter().zip(arrays) {
            let (precision, scale) = (written.column.precision() as u8, written.column.scale() as i8);
            // By the digits, and by the bytes where they are more than these take.
            let narrow = !matches!(written.column.physical(), Physical::Fixed(17..));
            let right = if precision <= 38 && narrow {
                DataType::Decimal128(precision, scale)
            } else {
                DataType::Decimal256(precision, scale)
            };
            assert_eq!(data_type, right, "{}", written.column);
            assert!(read == written.values, "arrow: {} on {}", written.column, path.name());
        }
    }
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    for (written, chunk) in columns.iter().zip(reader.metadata().row_group(0).columns()) {
        let Some(min) = written.values.iter().flatten().min() else { continue };
        let max = written.values.iter().flatten().max().expect("as there is a smallest");
        let (low, high) = match chunk.statistics().expect("statistics") {
            Statistics::Int32(found) => {
                (found.min_opt().copied().map(BigInt::from), found.max_opt().copied().map(BigInt::from))
            }
            Statistics::Int64(found) => {
                (found.min_opt().copied().map(BigInt::from), found.max_opt().copied().map(BigInt::from))
            }
            other => (
                other.min_bytes_opt().map(BigInt::from_signed_bytes_be),
                other.max_bytes_opt().map(BigInt::from_signed_bytes_be),
            ),
        };
        assert_eq!((low.as_ref(), high.as_ref()), (Some(min), Some(max)), "bounds of {}", written.column);
    }
}

/// Parquet.Net, EndToEndTypeTest.Type_bigdecimal_write_read_roundtrip: unscaled, precision, scale; where a row has a
/// sign, both signs.
const END_TO_END: [(&str, u32, u32); 28] = [
    ("0", 38, 2),
    ("0", 10, 0),
    ("1", 10, 0),
    ("42", 10, 0),
    ("12345", 10, 2),
    ("100", 10, 2),
    ("1", 10, 5),
    ("-1", 10, 0),
    ("-42", 10, 0),
    ("-12345", 10, 2),
    ("-100", 10, 2),
    ("-1", 10, 5),
    ("12345678901234", 18, 4),
    ("-12345678901234", 18, 4),
    ("999999999999999999", 18, 0),
    ("-999999999999999999", 18, 0),
    ("1234567890123456789012", 28, 6),
    ("-1234567890123456789012", 28, 6),
    ("12345678901234567890123456789012345678", 38, 2),
    ("-12345678901234567890123456789012345678", 38, 2),
    ("99999999999999999999999999999999999999", 38, 0),
    ("-99999999999999999999999999999999999999", 38, 0),
    ("99999999999999999999999999999999999", 38, 5),
    ("-99999999999999999999999999999999999", 38, 5),
    ("123456789012345678", 38, 20),
    ("-123456789012345678", 38, 20),
    ("1", 38, 37),
    ("-1", 38, 37),
];

#[test]
fn the_rows_of_the_end_to_end_test_are_read_as_they_were_written() {
    for path in Path::available() {
        for rule in [Physical::always_fixed, Physical::smallest, |_| Physical::ByteArray] {
            let columns: Vec<Written> = END_TO_END
                .iter()
                .map(|(unscaled, precision, scale)| {
                    let column = Column::new(*precision, *scale, rule(*precision)).expect("a column");
                    Written::new(column, [unscaled.parse().expect("an integer")])
                })
                .collect();
            seen_by_both(&columns, 1, path);
        }
    }
}

/// A number of at most `precision` digits: any size, or at its end.
fn number(precision: u32, random: &mut fastrand::Rng) -> BigInt {
    let limit = BigInt::from(10).pow(precision);
    let value = match random.u8(..6) {
        0 => &limit - 1,
        1 => BigInt::ZERO,
        2 => BigInt::from(10).pow(random.u32(..precision)),
        _ => {
            let bytes: Vec<u8> =
                (0..1 + random.usize(..fixed_width(precision) as usize)).map(|_| random.u8(..)).collect();
            BigInt::from_bytes_be(num_bigint::Sign::Plus, &bytes) % limit
        }
    };
    if random.bool() { -value } else { value }
}

/// Columns of every physical type for one precision, random values, every third one null where that is allowed.
fn columns(precision: u32, rows: usize, random: &mut fastrand::Rng) -> Vec<Written> {
    let mut types = vec![Physical::always_fixed(precision), Physical::ByteArray];
    // Arrow ends at 32 bytes.
    types.push(Physical::Fixed((fixed_width(precision) + random.u32(..4)).min(fixed_width(precision).max(32))));
    if precision <= 9 {
        types.push(Physical::Int32);
    }
    if precision <= 18 {
        types.push(Physical::Int64);
    }
    let mut columns = Vec::new();
    for physical in types {
        for nullable in [false, true] {
            let scale = random.u32(..=precision);
            let column = Column::new(precision, scale, physical).expect("a column");
            let mut value =
                |at: usize| (!nullable || !(at % 7 == 2 || random.bool())).then(|| number(precision, random));
            columns.push(Written { column, nullable, values: (0..rows).map(&mut value).collect() });
        }
    }
    columns
}

#[test]
fn random_columns_of_every_precision_and_type_are_read_as_they_were_written() {
    let mut random = fastrand::Rng::with_seed(1);
    let paths: Vec<Path> = Path::available().collect();
    for precision in 1..=76 {
        let rows = 50 + random.usize(..100);
        let page = 1 + random.usize(..rows);
        seen_by_both(&columns(precision, rows, &mut random), page, paths[precision as usize % paths.len()]);
    }
}

#[test]
fn precisions_beyond_arrow_are_read_by_the_record_reader() {
    let mut random = fastrand::Rng::with_seed(2);
    for precision in [77, 100, 308] {
        for path in Path::available() {
            seen_by_both(&columns(precision, 40, &mut random), 17, path);
        }
    }
}

#[test]
fn columns_of_nulls_only_and_without_rows_are_read() {
    for physical in [Physical::Int32, Physical::Int64, Physical::Fixed(4), Physical::ByteArray] {
        let column = Column::new(9, 2, physical).expect("a column");
        let nulls = Written { column, nullable: true, values: vec![None; 10] };
        seen_by_both(&[nulls], 10, Path::best());
    }
}
