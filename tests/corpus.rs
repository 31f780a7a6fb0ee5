//! The regression corpus: every committed case is replayed, and what it expects is what naive answers.

#![cfg(feature = "harness")]

use bytetwin::case::{CaseFile, Fields};
use bytetwin::codec::decimal::{Column, Physical, fixed_width, max_precision, order};
use bytetwin::oracle::Sweep;
use bytetwin::registry;
use bytetwin::run::Config;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every case: its path from the corpus, and the file.
fn cases() -> Vec<(PathBuf, CaseFile)> {
    let mut found = Vec::new();
    let mut folders = vec![corpus()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("the corpus is there") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "case") {
                let file = CaseFile::parse(&read(&path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                found.push((path.strip_prefix(corpus()).expect("below the corpus").to_path_buf(), file));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// The rows of a table, without its comments.
fn rows(table: &str) -> Vec<Vec<String>> {
    read(&corpus().join("vectors").join(table))
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').map(str::to_string).collect())
        .collect()
}

#[test]
fn every_case_gets_the_answer_that_it_expects_and_every_subject_agrees() {
    let config = Config { sweep: Sweep::Every, ..Config::default() };
    let mut wrong = Vec::new();
    for (path, file) in cases() {
        let codec =
            file.codec().ok().and_then(registry::find).unwrap_or_else(|| panic!("{}: no codec", path.display()));
        let replayed = codec
            .replay(&config)
            .expect("no program")
            .file(&file)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if let Some(expect) = &replayed.contradicted {
            wrong.push(format!("{}: expected {expect}\n  naive says {}", path.display(), replayed.answer));
        }
        wrong.extend(replayed.summary.findings.iter().map(|finding| format!("{}:\n{}", path.display(), finding.text)));
        for (subject, counts) in &replayed.summary.verdicts {
            let must_answer = registry::builtin(subject);
            if must_answer && counts.compared() != 1 {
                wrong.push(format!("{}: {subject} was not compared", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_case_says_where_it_comes_from_what_is_right_and_lies_in_the_folder_of_its_codec() {
    for (path, file) in cases() {
        let path_text = path.display();
        assert!(file.comments.iter().any(|line| line.len() > 15), "{path_text}: no comment");
        assert!(file.expect().is_some(), "{path_text}: no expect");
        let folder = path.components().next().expect("a folder").as_os_str();
        // A known disagreement of another implementation lies in the ledger, whatever its codec.
        assert!(folder == file.codec().expect("a codec") || folder == "ledger", "{path_text}");
    }
}

#[test]
fn every_case_is_the_same_case_after_a_way_through_its_bytes() {
    for (path, file) in cases() {
        let codec = registry::find(file.codec().expect("a codec")).expect("a known codec");
        let (_, bytes) = codec.text_to_bytes(&file.fields).expect("a case");
        let text = codec.bytes_to_text(&bytes).expect("its own bytes");
        let (_, again) = codec.text_to_bytes(&Fields::parse(&text).expect("a text")).expect("its own text");
        assert_eq!(again, bytes, "{}", path.display());
    }
}

#[test]
fn no_case_is_there_twice_from_one_source() {
    let mut seen = std::collections::BTreeMap::new();
    for (path, file) in cases() {
        let codec = registry::find(file.codec().expect("a codec")).expect("a known codec");
        let (_, bytes) = codec.text_to_bytes(&file.fields).expect("a case");
        // The same case may come from several sources; its comments then say so.
        if let Some(known) = seen.insert((bytes, file.comments), path.clone()) {
            panic!("{} and {} are the same", known.display(), path.display());
        }
    }
}

/// The public reports on decimals, each with a case of its name.
const DECIMAL_REPORTS: [&str; 45] = [
    "arrow-42906",
    "arrow-50641",
    "arrow-go-1122",
    "arrow-go-711",
    "arrow-rs-11073",
    "arrow-rs-1532",
    "arrow-rs-3223",
    "arrow-rs-5075",
    "arrow-rs-5793",
    "arrow-rs-9410",
    "arrow2-1412",
    "arrow2-679",
    "bigdecimal-115",
    "bigdecimal-90",
    "delta-3233",
    "duckdb-10183",
    "duckdb-23567",
    "fastparquet-417",
    "hyparquet-115",
    "iceberg-17002",
    "nanoarrow-732",
    "num-bigint-72",
    "paimon-9562",
    "parquet-dotnet-306",
    "parquet-dotnet-482",
    "parquet-dotnet-503",
    "parquet-dotnet-689",
    "parquet-dotnet-732",
    "parquet-dotnet-old-243",
    "parquet-dotnet-old-275",
    "parquet-format-292",
    "parquet-python-82",
    "rust-decimal-127",
    "rust-decimal-244",
    "rust-decimal-319",
    "rust-decimal-645",
    "rust-decimal-697",
    "rust-decimal-705",
    "rust-decimal-807",
    "spark-34212",
    "trino-18271",
    "trino-22546",
    "trino-9338",
    "trino-9971",
    "xitongsys-433",
];

#[test]
fn every_public_report_on_decimals_has_a_case_of_its_name() {
    let names: BTreeSet<String> = cases()
        .into_iter()
        .filter(|(_, file)| file.comments.iter().any(|line| line.starts_with("https://")))
        .map(|(path, _)| path.with_extension("").display().to_string())
        .collect();
    for report in DECIMAL_REPORTS {
        assert!(names.contains(&format!("decimal/{report}")), "no case of {report} that names its source");
    }
}

#[test]
fn decimals_are_shown_and_parsed_as_the_table_says() {
    use bytetwin::codec::decimal::Decimal;
    let rows = rows("decimal_text.tsv");
    assert!(rows.len() >= 35, "{}", rows.len());
    for row in rows {
        let [id, direction, unscaled, precision, scale, text] = &row[..] else { panic!("six columns: {row:?}") };
        let parsed = text.parse::<Decimal>();
        if direction == "refuse" {
            assert!(parsed.is_err(), "{id}: {text:?} became {parsed:?}");
            continue;
        }
        let number = |text: &str| text.parse::<u32>().expect("a number");
        let unscaled: num_bigint::BigInt = unscaled.parse().expect("an integer");
        let right = Decimal::new(unscaled, number(precision), number(scale)).expect("within its precision");
        match direction.as_str() {
            "show" => {
                assert_eq!(right.to_string(), *text, "{id}");
                let parsed = parsed.expect("what is shown can be parsed");
                assert_eq!((parsed.unscaled(), parsed.scale()), (right.unscaled(), right.scale()), "{id}");
            }
            "parse" => assert_eq!(parsed, Ok(right), "{id}"),
            other => panic!("{id}: {other}"),
        }
    }
}

#[test]
fn the_order_of_encoded_decimals_is_as_the_table_says() {
    let hex = |text: &str| bytetwin::case::text::parse_hex("value", text).expect("hex");
    let rows = rows("decimal_statistics.tsv");
    assert!(rows.len() >= 8, "{}", rows.len());
    for row in rows {
        let [report, physical, values, min, max] = &row[..] else { panic!("five columns: {row:?}") };
        let physical = match physical.as_str() {
            "INT32" => Physical::Int32,
            "INT64" => Physical::Int64,
            "BYTE_ARRAY" => Physical::ByteArray,
            fixed => Physical::Fixed(fixed.trim_matches(|c: char| !c.is_ascii_digit()).parse().expect("a width")),
        };
        let column = Column::new(1, 0, physical).expect("a column");
        let mut page = Vec::new();
        for value in values.split(' ').map(hex) {
            if physical == Physical::ByteArray {
                page.extend((value.len() as u32).to_le_bytes());
            }
            page.extend(value);
        }
        let found = order::min_max(&page, &column).expect("a page").expect("not empty");
        let found = format!("{:02x?} {:02x?}", found.min, found.max);
        assert_eq!(found, format!("{:02x?} {:02x?}", hex(min), hex(max)), "{report}");
    }
}

/// By whole numbers of any size: the formula of the specification, and none of its approximations.
#[test]
fn widths_follow_from_the_precision_as_the_specification_says() {
    use num_bigint::BigInt;
    let mut width = 1u32;
    for precision in 1..=400u32 {
        let largest = BigInt::from(10).pow(precision) - 1;
        while largest > (BigInt::from(1) << (8 * width - 1)) - 1 {
            assert_eq!(max_precision(width), u64::from(precision) - 1, "{width} bytes");
            width += 1;
        }
        assert_eq!(fixed_width(precision), width, "{precision} digits");
    }
}
