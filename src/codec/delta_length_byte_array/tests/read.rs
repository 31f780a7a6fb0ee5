//! Pages that are read: values, bytes consumed, skips.

use super::*;

#[track_caller]
fn both_ways(values: &[&str], page: &str) {
    let values: Vec<&[u8]> = values.iter().map(|value| value.as_bytes()).collect();
    let column = ByteArrays::slices(&values);
    let page = bytes(page);
    assert_eq!(naive::encode(&column, SPEC), Ok(page.clone()));
    assert_eq!(encode(&column, SPEC), Ok(page.clone()));
    let decoded = Ok((values.iter().map(|value| value.to_vec()).collect::<Vec<_>>(), page.len()));
    assert_eq!(naive::decode(&page, &DecodeLimits::default()), decoded);
    for path in Path::available() {
        assert_eq!(decode_with(path, &page, &DecodeLimits::default()), decoded);
        assert_eq!(read_with(path, &page, &DecodeLimits::default()), decoded);
    }
}

#[test]
fn the_pages_of_the_parquet_crate() {
    both_ways(
        &["Hello", "World", "Foobar", "ABCDEF"],
        "800104040a00010000000200000048656c6c6f576f726c64466f6f626172414243444546",
    );
    both_ways(&[], "8001040000");
}

/// A page of null, "a", null. <https://github.com/apache/arrow/issues/36318>
#[test]
fn a_page_holds_values_and_no_nulls() {
    both_ways(&["a"], "800104010261");
}

#[test]
fn the_lengths_of_parquet_javas_example() {
    let values: [&[u8]; 3] = [b"parquet", b"hadoop", b"mapreduce"];
    let page = encode(&ByteArrays::slices(&values), SPEC).unwrap();
    let lengths = crate::codec::delta_binary_packed::naive::encode(&[7, 6, 9], SPEC);
    assert_eq!(page, [&lengths[..], b"parquethadoopmapreduce"].concat());
}

#[test]
fn offsets_alone_say_where_the_values_lie_in_the_page() {
    let mut scratch = Scratch::new();
    let (mut offsets, mut decoded, mut data) = (Vec::<i64>::new(), Vec::<i64>::new(), Vec::new());
    for shape in shapes() {
        let page = page_of(&shape.values, SPEC);
        for path in Path::available() {
            let limits = DecodeLimits::default();
            let range = decode_offsets_into_with(path, &page, &limits, &mut scratch, &mut offsets).unwrap();
            decode_into_with(path, &page, &limits, &mut scratch, &mut decoded, &mut data).unwrap();
            assert_eq!((&page[range.clone()], range.end, &offsets), (&data[..], page.len(), &decoded));
        }
    }
}
