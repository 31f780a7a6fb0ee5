//! A file of our pages: integers, strings, text with lengths and decimals, with nulls, in several pages each.

use bytetwin::codec::delta_binary_packed::{Geometry, Integer, PageWriter, Profile};
use bytetwin::codec::{delta_byte_array, delta_length_byte_array};
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{CompressedPage, Page, PageWriter as _};
use parquet::column::reader::get_typed_column_reader;
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::{
    ByteArray, ByteArrayType, DataType, FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int64Type,
};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnDescPtr;
use std::sync::Arc;

const ROWS: usize = 1000;
/// Rows of a page: block borders lie inside and on the ends of pages.
const PAGES: [usize; 5] = [129, 1, 0, 385, 485];

const SCHEMA: &str = "message ours {
    required int32 id;
    optional int64 moment;
    optional binary name (UTF8);
    optional binary path (UTF8);
    required fixed_len_byte_array(9) price (DECIMAL(20, 4));
    optional fixed_len_byte_array(16) total (DECIMAL(38, 2));
}";

/// The definition levels of a page as one bit-packed run, with or without a null in it.
fn levels(present: &[bool]) -> Vec<u8> {
    let groups = present.len().div_ceil(8);
    let mut run = Vec::new();
    let mut head = (groups << 1 | 1) as u32;
    while head >= 0x80 {
        run.push(head as u8 | 0x80);
        head >>= 7;
    }
    run.push(head as u8);
    run.extend(present.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit))));
    [&(run.len() as u32).to_le_bytes()[..], &run].concat()
}

/// Makes a column chunk of pages: of each its rows, whether they are there, and its values.
fn chunk(descr: &ColumnDescPtr, encoding: Encoding, pages: &[(Vec<bool>, Vec<u8>)]) -> (Vec<u8>, ColumnCloseResult) {
    let mut bytes = Vec::new();
    let mut sink = TrackedWrite::new(&mut bytes);
    let mut writer = SerializedPageWriter::new(&mut sink);
    let mut total = 0;
    for (present, values) in pages {
        let mut buf = if descr.max_def_level() > 0 { levels(present) } else { Vec::new() };
        buf.extend_from_slice(values);
        let size = buf.len();
        let page = Page::DataPage {
            buf: buf.into(),
            num_values: present.len() as u32,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        total += writer.write_page(CompressedPage::new(page, size)).expect("a page").bytes_written;
    }
    drop(sink);
    assert_eq!(bytes.len() as u64, total);
    let metadata = ColumnChunkMetaData::builder(descr.clone())
        .set_encodings(vec![encoding, Encoding::RLE])
        .set_compression(Compression::UNCOMPRESSED)
        .set_num_values(ROWS as i64)
        .set_total_compressed_size(total as i64)
        .set_total_uncompressed_size(total as i64)
        .set_data_page_offset(0)
        .build()
        .expect("metadata");
    let close = ColumnCloseResult {
        bytes_written: total,
        rows_written: ROWS as u64,
        metadata,
        bloom_filter: None,
        column_index: None,
        offset_index: None,
    };
    (bytes, close)
}

/// The column's rows by page.
fn by_page<T: Clone>(rows: &[Option<T>], mut encode: impl FnMut(&[T]) -> Vec<u8>) -> Vec<(Vec<bool>, Vec<u8>)> {
    let mut rest = rows;
    PAGES
        .iter()
        .filter(|size| **size > 0)
        .map(|size| {
            let (here, after) = rest.split_at(*size);
            rest = after;
            let values: Vec<T> = here.iter().flatten().cloned().collect();
            (here.iter().map(Option::is_some).collect(), encode(&values))
        })
        .collect()
}

fn integers<T: Integer>(rows: &[Option<T>]) -> Vec<(Vec<bool>, Vec<u8>)> {
    // One writer for all pages, in the geometry of the crate's own.
    let mut writer = PageWriter::new(Profile::ParquetRs.geometry::<T>());
    by_page(rows, |values| {
        values.chunks(50).for_each(|put| writer.put(put));
        let mut page = vec![0; writer.encoded_len()];
        writer.finish_page(&mut page).expect("just the room");
        page
    })
}

fn with_lengths(rows: &[Option<Vec<u8>>]) -> Vec<(Vec<bool>, Vec<u8>)> {
    let mut writer = delta_length_byte_array::PageWriter::new(Geometry::SPEC_128_4);
    by_page(rows, |values| {
        values.iter().for_each(|value| writer.push(value).expect("short values"));
        let mut page = vec![0; writer.encoded_len()];
        writer.finish_page(&mut page).expect("room");
        page
    })
}

fn with_prefixes(rows: &[Option<Vec<u8>>]) -> Vec<(Vec<bool>, Vec<u8>)> {
    let mut writer = delta_byte_array::PageWriter::new(Geometry::new(256, 8).expect("legal"));
    by_page(rows, |values| {
        values.iter().for_each(|value| writer.push(value).expect("short values"));
        let mut page = vec![0; writer.encoded_len()];
        writer.finish_page(&mut page).expect("room");
        page
    })
}

/// All rows of a column, as the crate reads them in batches, some of which are skipped over again first.
fn read<T: DataType>(file: &SerializedFileReader<bytes::Bytes>, column: usize) -> Vec<Option<T::T>> {
    let reader = || {
        let group = file.get_row_group(0).expect("a row group");
        get_typed_column_reader::<T>(group.get_column_reader(column).expect("a column"))
    };
    let nullable = file.metadata().file_metadata().schema_descr().column(column).max_def_level() > 0;
    let rows = |mut reader: parquet::column::reader::ColumnReaderImpl<T>| {
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        loop {
            let (records, _, _) = reader.read_records(333, Some(&mut levels), None, &mut values).expect("values");
            if records == 0 {
                break;
            }
        }
        let mut values = values.into_iter();
        if nullable {
            levels.iter().map(|level| (*level == 1).then(|| values.next().expect("a value"))).collect()
        } else {
            values.map(Some).collect::<Vec<Option<T::T>>>()
        }
    };
    let all = rows(reader());
    for skipped in [1, 128, 129, 130, 500, 999] {
        let mut reader = reader();
        assert_eq!(reader.skip_records(skipped).expect("rows to skip"), skipped);
        assert_eq!(rows(reader), all[skipped..], "column {column} behind {skipped} rows");
    }
    all
}

#[test]
fn the_parquet_crate_reads_a_file_of_our_pages() {
    // Some 64 rows in a row are null, and a page is without any value.
    let there = |row: usize| !row.is_multiple_of(7) && !(200..264).contains(&row) && row != 129;
    // Wide deltas that wrap. No constant step that wraps: the crate refuses to skip those (see corpus/ledger).
    let ids: Vec<Option<i32>> =
        (0..ROWS as i32).map(|row| Some(row.wrapping_mul(row).wrapping_mul(0x4f1b_bcdd))).collect();
    let moments: Vec<Option<i64>> = (0..ROWS)
        .map(|row| there(row).then_some((1_700_000_000_000 + 37 * row as i64 - (row as i64 % 5)) << (row % 9)))
        .collect();
    let names: Vec<Option<Vec<u8>>> =
        (0..ROWS).map(|row| there(row + 3).then(|| "n".repeat(row % 40).into_bytes())).collect();
    let paths: Vec<Option<Vec<u8>>> = (0..ROWS)
        .map(|row| {
            there(row + 1).then(|| format!("/data/year={}/month={:02}/{row}", 2000 + row / 100, row / 10 % 12).into())
        })
        .collect();
    let decimal = |value: i128, width: usize| value.to_be_bytes()[16 - width..].to_vec();
    let prices: Vec<Option<Vec<u8>>> =
        (0..ROWS as i128).map(|row| Some(decimal(row * 12_345 - 5_000_000, 9))).collect();
    let totals: Vec<Option<Vec<u8>>> =
        (0..ROWS).map(|row| there(row + 5).then(|| decimal((row as i128 - 500) * 10_i128.pow(33), 16))).collect();

    let schema = Arc::new(parse_message_type(SCHEMA).expect("a schema"));
    let mut writer =
        SerializedFileWriter::new(Vec::new(), schema, Arc::new(WriterProperties::builder().build())).expect("a writer");
    let columns: Vec<ColumnDescPtr> = writer.schema_descr().columns().to_vec();
    let mut group = writer.next_row_group().expect("a row group");
    let chunks = [
        (Encoding::DELTA_BINARY_PACKED, integers(&ids)),
        (Encoding::DELTA_BINARY_PACKED, integers(&moments)),
        (Encoding::DELTA_LENGTH_BYTE_ARRAY, with_lengths(&names)),
        (Encoding::DELTA_BYTE_ARRAY, with_prefixes(&paths)),
        (Encoding::DELTA_BYTE_ARRAY, with_prefixes(&prices)),
        (Encoding::DELTA_BYTE_ARRAY, with_prefixes(&totals)),
    ];
    for (descr, (encoding, pages)) in columns.iter().zip(&chunks) {
        assert!(pages.len() > 3);
        let (bytes, close) = chunk(descr, *encoding, pages);
        group.append_column(&bytes::Bytes::from(bytes), close).expect("a column");
    }
    group.close().expect("a row group");
    let file = SerializedFileReader::new(bytes::Bytes::from(writer.into_inner().expect("a file"))).expect("a file");

    assert_eq!(read::<Int32Type>(&file, 0), ids);
    assert_eq!(read::<Int64Type>(&file, 1), moments);
    let binary = |rows: Vec<Option<ByteArray>>| {
        rows.into_iter().map(|row| row.map(|value| value.data().to_vec())).collect::<Vec<_>>()
    };
    assert_eq!(binary(read::<ByteArrayType>(&file, 2)), names);
    assert_eq!(binary(read::<ByteArrayType>(&file, 3)), paths);
    let fixed = |rows: Vec<Option<FixedLenByteArray>>| {
        rows.into_iter().map(|row| row.map(|value| value.data().to_vec())).collect::<Vec<_>>()
    };
    assert_eq!(fixed(read::<FixedLenByteArrayType>(&file, 4)), prices);
    assert_eq!(fixed(read::<FixedLenByteArrayType>(&file, 5)), totals);
}
