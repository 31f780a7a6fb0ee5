//! Pages known to be right: the `parquet` crate 60.1.0 and Arrow Go wrote them, or they come from a bug report.

use super::*;

#[track_caller]
fn both_ways(values: &[&str], page: &str) {
    let values: Vec<&[u8]> = values.iter().map(|value| value.as_bytes()).collect();
    let column = ByteArrays::slices(&values);
    let page = bytes(page);
    assert_eq!(naive::encode(&column, SPEC), Ok(page.clone()));
    assert_eq!(encode(&column, SPEC), Ok(page.clone()));
    let decoded = Ok((values.iter().map(|value| value.to_vec()).collect::<Vec<_>>(), page.len()));
    assert_eq!(naive::decode(&page, &DecodeOptions::default()), decoded);
    for path in Path::available() {
        assert_eq!(decode_with(path, &page, &DecodeOptions::default()), decoded);
        assert_eq!(read_with(path, &page, &DecodeOptions::default()), decoded);
    }
}

#[test]
fn the_specifications_example() {
    both_ways(
        &["axis", "axle", "babble", "babyhood"],
        "8001040400030300000044010000000000000000000080010404080303000000700000000000000000000000\
         617869736c65626162626c6579686f6f64",
    );
}

#[test]
fn an_equal_value_a_shorter_one_and_an_empty_one() {
    both_ways(
        &["abc", "abc", "ab", "abcd", ""],
        "800104050003030000008d0000000000000000000000800104050605030000005803000000000000000000006162636364",
    );
}

#[test]
fn one_empty_value_and_none() {
    both_ways(&[""], "80010401008001040100");
    both_ways(&[], "80010400008001040000");
}

/// <https://github.com/apache/parquet-java/issues/1782>
#[test]
fn the_first_value_of_a_page_has_no_prefix() {
    both_ways(&["abd"], "80010401008001040106616264");
}

/// <https://github.com/apache/arrow-go/pull/1014>
#[test]
fn a_page_does_not_continue_the_page_before() {
    both_ways(&["ab"], "800104010080010401046162");
    both_ways(&["cd", "ce"], "8001040200020000000080010402040100000000636465");
    let mut scratch = Scratch::new();
    let (mut offsets, mut data) = (Vec::<i64>::new(), Vec::new());
    for (page, values) in
        [("800104010080010401046162", &b"ab"[..]), ("8001040200020000000080010402040100000000636465", b"cdce")]
    {
        decode_into(&bytes(page), &DecodeOptions::default(), &mut scratch, &mut offsets, &mut data).unwrap();
        assert_eq!(data, values);
    }
}

/// <https://github.com/duckdb/duckdb/pull/20270>
#[test]
fn fixed_length_decimals() {
    let page = bytes("80010402000000000000800104020400000000000001ffff");
    let column = ByteArrays::fixed_len(2, &[0, 1, 0xFF, 0xFF]).unwrap();
    assert_eq!(naive::encode(&column, SPEC), Ok(page.clone()));
    assert_eq!(encode(&column, SPEC), Ok(page.clone()));
    let options = DecodeOptions { value_len: Some(2), ..DecodeOptions::default() };
    for path in Path::available() {
        assert_eq!(decode_with(path, &page, &options), Ok((vec![vec![0, 1], vec![0xFF, 0xFF]], page.len())));
    }
}

/// The three values of parquet-java's `TestDeltaByteArray`: prefixes 0, 7, 7 and suffixes of 10, 0, 7 bytes.
#[test]
fn the_lengths_that_parquet_java_asserts() {
    let values: [&[u8]; 3] = [b"parquet-mr", b"parquet", b"parquet-format"];
    let page = encode(&ByteArrays::slices(&values), SPEC).unwrap();
    let streams =
        [[0, 7, 7], [10, 0, 7]].map(|lengths| crate::codec::delta_binary_packed::naive::encode(&lengths, SPEC));
    assert_eq!(page, [&streams[0][..], &streams[1], b"parquet-mr-format"].concat());
}
