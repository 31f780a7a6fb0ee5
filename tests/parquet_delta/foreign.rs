//! The delta files of parquet-testing. Their pages give the values that lie beside them, by both twins, and writing
//! those values in the geometry that the page names gives the page again, but for the bits that do not count.
//!
//! `delta_length_byte_array.parquet` is compressed with zstd, which the crate is built without here: its page is the case
//! `parquet-testing-delta-length` of the corpus.

use super::csv;
use super::not_run::not_run;
use bytetwin::codec::delta_binary_packed::{self, Geometry, Integer, dont_care_mask};
use bytetwin::codec::{delta_byte_array, delta_length_byte_array};
use parquet::basic::{Encoding, Type};
use parquet::column::page::Page;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::path::PathBuf;

/// Where the files are: `BYTETWIN_PARQUET_TESTING`, or beside this checkout. `None`, and said so, when they are nowhere.
fn folder() -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data/parquet-testing");
    let folder = std::env::var_os("BYTETWIN_PARQUET_TESTING").map_or(beside, PathBuf::from);
    if folder.join("delta_binary_packed.parquet").is_file() {
        return Some(folder);
    }
    not_run(&format!(
        "no files of parquet-testing in {}; set BYTETWIN_PARQUET_TESTING to the `data` folder of \
         https://github.com/apache/parquet-testing",
        folder.display()
    ));
    None
}

/// A column of a file: its type, and the values part of each of its pages with the encoding.
struct Column {
    name: String,
    kind: Type,
    pages: Vec<(Encoding, Vec<u8>)>,
}

fn read_columns(folder: &std::path::Path, file: &str) -> Vec<Column> {
    let opened = std::fs::File::open(folder.join(file)).expect("the file is there");
    let reader = SerializedFileReader::new(opened).expect("a parquet file");
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let mut columns = Vec::new();
    for at in 0..schema.num_columns() {
        let descr = schema.column(at);
        let nullable = descr.max_def_level() > 0;
        let mut pages = Vec::new();
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group).expect("a row group");
            let mut reader = group.get_column_page_reader(at).expect("a column");
            while let Some(page) = reader.get_next_page().expect("a page") {
                pages.push(match page {
                    Page::DataPage { buf, encoding, .. } => {
                        let levels = match buf.first_chunk() {
                            Some(length) if nullable => 4 + u32::from_le_bytes(*length) as usize,
                            _ => 0,
                        };
                        (encoding, buf[levels..].to_vec())
                    }
                    Page::DataPageV2 { buf, encoding, def_levels_byte_len, rep_levels_byte_len, .. } => {
                        (encoding, buf[(def_levels_byte_len + rep_levels_byte_len) as usize..].to_vec())
                    }
                    Page::DictionaryPage { .. } => panic!("{file}: a dictionary"),
                });
            }
        }
        columns.push(Column { name: descr.name().to_string(), kind: descr.physical_type(), pages });
    }
    columns
}

/// Compares a stream of integers with the page's, under the mask. Gives its length.
fn same_stream<T: Integer>(page: &[u8], ours: &[u8], what: &str) -> usize {
    let mask = dont_care_mask::<T>(page).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(ours.len(), mask.len(), "{what}: length of the stream");
    for (at, mask) in mask.iter().enumerate() {
        assert_eq!(ours[at] & !mask, page[at] & !mask, "{what}: byte {at}, don't-care bits {mask:#04x}");
    }
    mask.len()
}

fn integers<T: Integer>(page: &[u8], what: &str) -> Vec<T> {
    let (values, consumed) = delta_binary_packed::decode::<T>(page, 1 << 20).expect(what);
    assert_eq!(delta_binary_packed::naive::decode(page, 1 << 20), Ok((values.clone(), consumed)), "{what}");
    assert_eq!(consumed, page.len(), "{what}: bytes consumed");
    let ours = delta_binary_packed::encode(&values, geometry::<T>(page));
    same_stream::<T>(page, &ours, what);
    values
}

fn geometry<T: Integer>(page: &[u8]) -> Geometry {
    delta_binary_packed::PageReader::<T>::new(page).expect("a header").geometry()
}

fn lengths(page: &[u8], what: &str) -> Vec<Vec<u8>> {
    let options = Default::default();
    let (values, consumed) = delta_length_byte_array::naive::decode(page, &options).expect(what);
    assert_eq!(consumed, page.len(), "{what}: bytes consumed");
    let (mut offsets, mut data) = (Vec::<i32>::new(), Vec::new());
    let mut scratch = delta_length_byte_array::Scratch::new();
    let read = delta_length_byte_array::decode_into(page, &options, &mut scratch, &mut offsets, &mut data);
    assert_eq!(read, Ok(page.len()), "{what}");
    assert_eq!(cut(&offsets, &data), values, "{what}");
    let arrays = delta_length_byte_array::ByteArrays::arrow(&offsets, &data).expect("offsets of ours");
    let ours = delta_length_byte_array::encode(&arrays, geometry::<i32>(page)).expect(what);
    assert_eq!(ours.len(), page.len(), "{what}: length");
    let end = same_stream::<i32>(page, &ours[..ours.len() - data.len()], what);
    assert_eq!(ours[end..], page[end..], "{what}: data");
    values
}

fn strings(page: &[u8], what: &str) -> Vec<Vec<u8>> {
    let options = Default::default();
    let (values, consumed) = delta_byte_array::naive::decode(page, &options).expect(what);
    assert_eq!(consumed, page.len(), "{what}: bytes consumed");
    let (mut offsets, mut data) = (Vec::<i32>::new(), Vec::new());
    let mut scratch = delta_byte_array::Scratch::new();
    let read = delta_byte_array::decode_into(page, &options, &mut scratch, &mut offsets, &mut data);
    assert_eq!(read, Ok(page.len()), "{what}");
    assert_eq!(cut(&offsets, &data), values, "{what}");
    let arrays = delta_byte_array::ByteArrays::arrow(&offsets, &data).expect("offsets of ours");
    let ours = delta_byte_array::encode(&arrays, geometry::<i32>(page)).expect(what);
    assert_eq!(ours.len(), page.len(), "{what}: length");
    let first = dont_care_mask::<i32>(&ours).expect("a page of ours").len();
    assert_eq!(same_stream::<i32>(page, &ours[..first], what), first);
    let second = dont_care_mask::<i32>(&ours[first..]).expect("a page of ours").len();
    same_stream::<i32>(&page[first..], &ours[first..first + second], what);
    assert_eq!(ours[first + second..], page[first + second..], "{what}: data");
    values
}

fn cut(offsets: &[i32], data: &[u8]) -> Vec<Vec<u8>> {
    offsets.windows(2).map(|pair| data[pair[0] as usize..pair[1] as usize].to_vec()).collect()
}

/// Reads every page of a file, and gives its columns as texts, nulls left out.
fn texts(folder: &std::path::Path, file: &str) -> Vec<(String, Vec<String>)> {
    let utf8 = |value: Vec<u8>| String::from_utf8(value).expect("text");
    read_columns(folder, file)
        .into_iter()
        .map(|column| {
            let mut values = Vec::new();
            for (number, (encoding, page)) in column.pages.iter().enumerate() {
                let what = format!("{file}, column {}, page {number}", column.name);
                match (encoding, column.kind) {
                    (Encoding::DELTA_BINARY_PACKED, Type::INT32) => {
                        values.extend(integers::<i32>(page, &what).iter().map(i32::to_string));
                    }
                    (Encoding::DELTA_BINARY_PACKED, Type::INT64) => {
                        values.extend(integers::<i64>(page, &what).iter().map(i64::to_string));
                    }
                    (Encoding::DELTA_LENGTH_BYTE_ARRAY, _) => values.extend(lengths(page, &what).into_iter().map(utf8)),
                    (Encoding::DELTA_BYTE_ARRAY, _) => values.extend(strings(page, &what).into_iter().map(utf8)),
                    (other, kind) => panic!("{what}: {other} of {kind}"),
                }
            }
            (column.name, values)
        })
        .collect()
}

fn check(file: &str, filled: usize) {
    let Some(folder) = folder() else { return };
    let texts = texts(&folder, &format!("{file}.parquet"));
    let expected = std::fs::read_to_string(folder.join(format!("{file}_expect.csv"))).expect("the values are there");
    let expected = csv::columns(&expected);
    assert_eq!(texts.len(), expected.len(), "{file}: columns");
    let mut compared = 0;
    for ((name, values), expected) in texts.iter().zip(expected) {
        let expected: Vec<String> = expected.into_iter().flatten().collect();
        compared += usize::from(!expected.is_empty());
        assert_eq!(*values, expected, "{file}, {name}");
    }
    assert_eq!(compared, filled, "{file}: columns that are not all null");
}

#[test]
fn integers_of_every_width_by_parquet_mr() {
    check("delta_binary_packed", 66);
}

#[test]
fn strings_by_parquet_mr() {
    check("delta_byte_array", 8);
}

#[test]
fn optional_columns_by_parquet_mr() {
    check("delta_encoding_optional_column", 17);
}

#[test]
fn required_columns_by_parquet_mr() {
    check("delta_encoding_required_column", 17);
}
