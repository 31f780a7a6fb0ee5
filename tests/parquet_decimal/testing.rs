//! The decimal files of <https://github.com/apache/parquet-testing>, which are no part of this project.
//!
//! They are looked for in `$BYTETWIN_PARQUET_TESTING` and in `../shared/data/parquet-testing` beside the manifest.
//! Without them this says so on standard error and checks nothing.

use super::files::pages;
use super::foreign::decoded;
use super::not_run::not_run;
use num_bigint::BigInt;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::path::PathBuf;

const FILES: [&str; 5] = [
    "byte_array_decimal.parquet",
    "fixed_length_decimal.parquet",
    "fixed_length_decimal_legacy.parquet",
    "int32_decimal.parquet",
    "int64_decimal.parquet",
];

fn folder() -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data/parquet-testing");
    let named = std::env::var_os("BYTETWIN_PARQUET_TESTING").map(PathBuf::from);
    if let Some(named) = &named {
        assert!(named.is_dir(), "BYTETWIN_PARQUET_TESTING names {}, which is no folder", named.display());
    }
    named.into_iter().chain([beside]).find(|folder| folder.is_dir())
}

/// The column as the record reader sees it.
fn seen(file: bytes::Bytes) -> Vec<BigInt> {
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let rows = reader.get_row_iter(None).expect("rows");
    rows.filter_map(|row| match row.expect("a row").get_column_iter().next().expect("a column").1 {
        Field::Null => None,
        Field::Decimal(decimal) => Some(BigInt::from_signed_bytes_be(decimal.data())),
        other => panic!("{other:?} is no decimal"),
    })
    .collect()
}

#[test]
fn the_decimal_files_of_parquet_testing_decode_to_what_the_parquet_crate_sees() {
    let Some(folder) = folder() else {
        not_run(
            "the files of parquet-testing are not here. Clone https://github.com/apache/parquet-testing and set \
             BYTETWIN_PARQUET_TESTING to its folder `data`",
        );
        return;
    };
    for name in FILES {
        let path = folder.join(name);
        let file: bytes::Bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).into();
        let right = seen(file.clone());
        assert!(!right.is_empty(), "{name}: no rows");
        let pages = pages(file).swap_remove(0);
        if pages.dictionary.is_none() {
            assert_eq!(decoded(&pages, &pages.plain), right, "{name}");
        } else {
            // The data pages are indices. Every value of the column is in the dictionary and the other way round.
            let dictionary = decoded(&pages, pages.dictionary.as_slice());
            assert!(pages.plain.is_empty(), "{name}: a dictionary, and PLAIN pages");
            assert!(right.iter().all(|value| dictionary.contains(value)), "{name}: {dictionary:?}");
            assert!(dictionary.iter().all(|value| right.contains(value)), "{name}: {dictionary:?}");
        }
    }
}
