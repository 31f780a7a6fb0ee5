//! Pages that are read: values, bytes consumed, skips.

use super::*;
use crate::codec::byte_arrays::shapes::{geometries, shapes};

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
fn every_path_and_way_of_reading_gives_the_values() {
    for shape in shapes() {
        for geometry in geometries() {
            let page = page_of(&shape.values, geometry);
            let expected = Ok((shape.values.clone(), page.len()));
            assert!(naive::decode(&page, &DecodeLimits::default()) == expected, "{}", shape.name);
            assert!(decode(&page, &DecodeLimits::default()) == expected, "{}", shape.name);
            for path in Path::available() {
                assert!(decode_with(path, &page, &DecodeLimits::default()) == expected, "{}, {path:?}", shape.name);
                assert!(read_with(path, &page, &DecodeLimits::default()) == expected, "{}, {path:?}", shape.name);
            }
        }
    }
}

#[test]
fn one_scratch_reads_many_pages_and_either_kind_of_offsets() {
    for path in Path::available() {
        let mut scratch = Scratch::new();
        let (mut narrow, mut wide, mut data) = (Vec::<i32>::new(), Vec::<i64>::new(), Vec::new());
        for shape in shapes().iter().chain(shapes().iter().rev()) {
            let page = page_of(&shape.values, SPEC);
            let limits = DecodeLimits::default();
            assert!(
                decode_into_with(path, &page[..page.len() / 2], &limits, &mut scratch, &mut narrow, &mut data).is_err()
            );
            assert_eq!(decode_into_with(path, &page, &limits, &mut scratch, &mut narrow, &mut data), Ok(page.len()));
            assert_eq!(data, shape.values.concat());
            let range = decode_offsets_into_with(path, &page, &limits, &mut scratch, &mut wide).unwrap();
            assert_eq!(page[range], data);
            assert!(narrow.iter().map(|&offset| i64::from(offset)).eq(wide.iter().copied()));
            assert_eq!(wide.len(), shape.values.len() + 1);
        }
    }
}

#[test]
fn skipping_and_getting_give_the_value_at_every_position() {
    for shape in shapes().into_iter().filter(|shape| shape.values.len() < 70) {
        let page = page_of(&shape.values, SPEC);
        let mut scratch = Scratch::new();
        for at in 0..=shape.values.len() + 1 {
            let mut reader = PageReader::new(&page, &DecodeLimits::default(), &mut scratch).unwrap();
            assert_eq!(reader.skip(at), at.min(shape.values.len()));
            let rest = shape.values.get(at..).unwrap_or_default();
            assert_eq!(reader.remaining(), rest.len());
            for value in rest {
                assert_eq!(reader.next_value(), Some(&value[..]));
            }
            assert_eq!(reader.next_value(), None);
            assert_eq!(reader.skip(1), 0);
            assert_eq!(reader.consumed(), page.len());
        }
    }
}

#[test]
fn a_stream_behind_the_page_is_left_alone() {
    let strict = DecodeLimits { trailing: Trailing::Refused, ..DecodeLimits::default() };
    for shape in shapes() {
        let page = page_of(&shape.values, SPEC);
        let twice = [&page[..], &page].concat();
        let expected = Ok((shape.values.clone(), page.len()));
        let refused = Err(DecodeError::TrailingBytes { offset: page.len(), available: page.len() });
        assert!(naive::decode(&twice, &DecodeLimits::default()) == expected, "{}", shape.name);
        assert!(naive::decode(&page, &strict) == expected, "{}", shape.name);
        assert_eq!(naive::decode(&twice, &strict), refused);
        for path in Path::available() {
            assert!(decode_with(path, &twice, &DecodeLimits::default()) == expected, "{}", shape.name);
            assert!(read_with(path, &twice, &DecodeLimits::default()) == expected, "{}", shape.name);
            assert!(decode_with(path, &page, &strict) == expected, "{}", shape.name);
            assert_eq!(decode_with(path, &twice, &strict), refused);
            assert_eq!(read_with(path, &twice, &strict), refused);
        }
    }
}
