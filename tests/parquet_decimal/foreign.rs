//! We read what they wrote.

use super::files::pages;
use arrow_array::types::Decimal256Type;
use arrow_array::{ArrayRef, ArrowPrimitiveType, Decimal128Array, Decimal256Array, RecordBatch};
use bytetwin::codec::decimal::{Column, ColumnOptions, I256, Physical, decode_into_with, fixed_width, naive};
use bytetwin::codec::path::Path;
use num_bigint::BigInt;
use parquet::arrow::ArrowWriter;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

/// Arrow's 256-bit integer.
#[allow(non_camel_case_types, reason = "as Arrow has it")]
type i256 = <Decimal256Type as ArrowPrimitiveType>::Native;

/// Every value of the pages, by our decoders: naive, and fast on every path, into every type that holds them.
pub fn decoded(pages: &super::files::Pages, whole: &[(bytes::Bytes, usize)]) -> Vec<BigInt> {
    let (column, options) = (&pages.column, ColumnOptions::default());
    let mut all = Vec::new();
    for (page, count) in whole {
        let mut right = vec![BigInt::ZERO; *count];
        let consumed = naive::decode_into(page, column, options, &mut right).expect("their page");
        for path in Path::available() {
            let mut big = vec![BigInt::ZERO; *count];
            assert_eq!(decode_into_with(path, page, column, options, &mut big), Ok(consumed), "{column}");
            assert!(big == right, "{column} {} BigInt", path.name());
            if column.precision() <= 76 {
                let mut wide = vec![I256::ZERO; *count];
                assert_eq!(decode_into_with(path, page, column, options, &mut wide), Ok(consumed), "{column}");
                assert!(wide.into_iter().map(BigInt::from).eq(right.iter().cloned()), "{column} {} i256", path.name());
            }
            if column.precision() <= 38 {
                let mut long = vec![0i128; *count];
                assert_eq!(decode_into_with(path, page, column, options, &mut long), Ok(consumed), "{column}");
                assert!(long.into_iter().map(BigInt::from).eq(right.iter().cloned()), "{column} {} i128", path.name());
            }
        }
        assert_eq!(consumed, page.len(), "{column}: bytes are left in a page");
        all.extend(right);
    }
    all
}

fn properties(version: WriterVersion) -> WriterProperties {
    WriterProperties::builder()
        .set_writer_version(version)
        .set_dictionary_enabled(false)
        .set_encoding(parquet::basic::Encoding::PLAIN)
        .set_data_page_row_count_limit(37)
        .set_write_batch_size(10)
        .build()
}

/// Any number of at most `precision` digits.
fn number(precision: u32, random: &mut fastrand::Rng) -> I256 {
    let largest = I256::max_of_precision(precision).expect("up to 76");
    let any = BigInt::from(I256::from_words([random.u64(..), random.u64(..), random.u64(..), random.u64(..)]));
    let value = match random.u8(..5) {
        0 => largest,
        1 => largest.wrapping_neg(),
        _ => I256::try_from(&(any % (BigInt::from(largest) + 1) / BigInt::from(1u128 << random.u32(..60))))
            .expect("smaller"),
    };
    assert!(value <= largest);
    value
}

#[test]
fn decimals_of_arrow_are_read_as_they_were_written() {
    let mut random = fastrand::Rng::with_seed(3);
    for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
        for precision in 1..=76u32 {
            let scale = random.u32(..=precision) as i8;
            let nulls = precision % 2 == 0;
            let values: Vec<Option<I256>> =
                (0..150).map(|_| (!nulls || random.bool()).then(|| number(precision, &mut random))).collect();
            let wide = values.iter().map(|value| value.map(|value| i256::from_be_bytes(value.to_be_bytes())));
            let wide = Decimal256Array::from_iter(wide).with_precision_and_scale(precision as u8, scale).expect("fits");
            let mut arrays: Vec<(String, ArrayRef)> = vec![("wide".into(), Arc::new(wide))];
            if precision <= 38 {
                let narrow = values.iter().map(|value| value.map(|value| value.to_i128().expect("38 digits")));
                let narrow = Decimal128Array::from_iter(narrow);
                let narrow = narrow.with_precision_and_scale(precision as u8, scale).expect("fits");
                arrays.push(("narrow".into(), Arc::new(narrow)));
            }
            let count = arrays.len();
            let batch =
                RecordBatch::try_from_iter_with_nullable(arrays.into_iter().map(|(name, array)| (name, array, nulls)))
                    .expect("a batch");
            let mut file = Vec::new();
            let mut writer =
                ArrowWriter::try_new(&mut file, batch.schema(), Some(properties(version))).expect("a writer");
            writer.write(&batch).expect("written");
            writer.close().expect("closed");
            let pages = pages(file.into());
            assert_eq!(pages.len(), count);
            for column in &pages {
                assert_eq!((column.column.precision(), column.column.scale()), (precision, scale as u32));
                assert!(column.plain.len() > 1, "one page only");
                let right: Vec<BigInt> = values.iter().flatten().map(|value| BigInt::from(*value)).collect();
                assert!(decoded(column, &column.plain) == right, "{}", column.column);
            }
        }
    }
}

/// BYTE_ARRAY decimals, which the Arrow writer does not make: shortest, and with surplus sign bytes.
#[test]
fn byte_arrays_of_the_column_writer_are_read_as_they_were_written() {
    let mut random = fastrand::Rng::with_seed(4);
    for precision in [1u32, 2, 9, 18, 19, 38, 39, 76] {
        for surplus in [0, 3] {
            let values: Vec<I256> = (0..200).map(|_| number(precision, &mut random)).collect();
            let bytes: Vec<ByteArray> = values
                .iter()
                .map(|value| {
                    let sign = if value.is_negative() { 0xff } else { 0 };
                    let mut bytes = vec![sign; random.usize(..=surplus)];
                    bytes.extend(BigInt::from(*value).to_signed_bytes_be());
                    bytes.into()
                })
                .collect();
            let schema = format!("message m {{ REQUIRED BYTE_ARRAY d (DECIMAL({precision}, 0)); }}");
            let schema = Arc::new(parse_message_type(&schema).expect("a schema"));
            let properties = Arc::new(properties(WriterVersion::PARQUET_1_0));
            let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).expect("a writer");
            let mut group = writer.next_row_group().expect("a row group");
            let mut column = group.next_column().expect("a column").expect("one");
            column.typed::<ByteArrayType>().write_batch(&bytes, None, None).expect("written");
            column.close().expect("closed");
            group.close().expect("closed");
            let pages = pages(writer.into_inner().expect("a file").into());
            let right: Vec<BigInt> = values.into_iter().map(BigInt::from).collect();
            assert_eq!(pages[0].column, Column::new(precision, 0, Physical::ByteArray).expect("a column"));
            assert!(decoded(&pages[0], &pages[0].plain) == right, "{precision}");
        }
    }
}

#[test]
fn the_arrow_writer_chooses_the_widths_that_we_do() {
    for precision in 19..=76u32 {
        let array =
            Decimal256Array::from_iter([Some(i256::ONE)]).with_precision_and_scale(precision as u8, 0).expect("fits");
        let batch = RecordBatch::try_from_iter([("d", Arc::new(array) as ArrayRef)]).expect("a batch");
        let mut file = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), None).expect("a writer");
        writer.write(&batch).expect("written");
        writer.close().expect("closed");
        assert_eq!(pages(file.into())[0].column.physical(), Physical::Fixed(fixed_width(precision)), "{precision}");
    }
}

/// As long as this holds, the subject `parquet` is not asked for such pages.
#[test]
fn the_crate_panics_where_a_length_is_cut() {
    use bytetwin::subject::parquet_rs::length_is_cut;
    use parquet::decoding::{Decoder, PlainDecoder};
    let read = |page: &'static [u8], count: usize| {
        std::panic::catch_unwind(|| {
            let mut decoder = PlainDecoder::<ByteArrayType>::new(0);
            decoder.set_data(page.into(), count).expect("a page");
            let mut values = vec![ByteArray::new(); count];
            decoder.get(&mut values).is_ok()
        })
    };
    for (page, count, cut) in [
        (&[1u8, 0, 0, 0, 7][..], 1, false),
        (&[1, 0, 0, 0, 7, 1, 0], 2, true),
        (&[1, 0, 0, 0, 7], 2, true),
        (&[2, 0, 0, 0, 7], 1, false),
    ] {
        assert_eq!(length_is_cut(page, count), cut, "{page:?}");
        assert_eq!(read(page, count).is_err(), cut, "{page:?}");
    }
}
