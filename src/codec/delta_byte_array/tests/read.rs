//! Pages that are read: values, bytes consumed, skips.

use super::*;
use crate::DecodeError;
use crate::codec::Path;
use crate::codec::byte_arrays::shapes::{geometries, shapes};

fn page_of(values: &[Vec<u8>], geometry: Geometry) -> Vec<u8> {
    let slices: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
    naive::encode(&ByteArrays::slices(&slices), geometry).unwrap()
}

#[test]
fn every_path_and_way_of_reading_gives_the_values() {
    for shape in shapes() {
        for geometry in geometries() {
            let page = page_of(&shape.values, geometry);
            let expected = Ok((shape.values.clone(), page.len()));
            assert!(naive::decode(&page, &DecodeOptions::default()) == expected, "{}", shape.name);
            assert!(decode(&page, &DecodeOptions::default()) == expected, "{}", shape.name);
            for path in Path::available() {
                assert!(decode_with(path, &page, &DecodeOptions::default()) == expected, "{}, {path:?}", shape.name);
                assert!(read_with(path, &page, &DecodeOptions::default()) == expected, "{}, {path:?}", shape.name);
            }
        }
    }
}

#[test]
fn offsets_of_64_bits_are_the_same_numbers() {
    let mut scratch = Scratch::new();
    let (mut narrow, mut wide, mut data) = (Vec::<i32>::new(), Vec::<i64>::new(), Vec::new());
    for shape in shapes() {
        let page = page_of(&shape.values, SPEC);
        decode_into(&page, &DecodeOptions::default(), &mut scratch, &mut narrow, &mut data).unwrap();
        decode_into(&page, &DecodeOptions::default(), &mut scratch, &mut wide, &mut data).unwrap();
        assert!(narrow.iter().map(|&offset| i64::from(offset)).eq(wide.iter().copied()));
        assert_eq!(data, shape.values.concat());
    }
}

#[test]
fn skipping_and_getting_give_the_value_at_every_position() {
    for shape in shapes().into_iter().filter(|shape| shape.values.len() < 70) {
        let page = page_of(&shape.values, SPEC);
        let mut scratch = Scratch::new();
        for at in 0..=shape.values.len() + 1 {
            let mut reader = PageReader::new(&page, &DecodeOptions::default(), &mut scratch).unwrap();
            assert_eq!(reader.skip(at), at.min(shape.values.len()));
            let rest = shape.values.get(at..).unwrap_or_default();
            assert_eq!(reader.remaining(), rest.len());
            for value in rest {
                assert_eq!(reader.next_value(), Some(&value[..]));
                assert_eq!(reader.last_value(), value);
            }
            assert_eq!(reader.next_value(), None);
            assert_eq!(reader.skip(1), 0);
            assert_eq!(reader.consumed(), page.len());
        }
        // By turns: skip one, get one.
        let mut reader = PageReader::new(&page, &DecodeOptions::default(), &mut scratch).unwrap();
        for pair in shape.values.chunks(2) {
            assert_eq!(reader.skip(1), 1);
            assert_eq!(reader.next_value(), pair.get(1).map(Vec::as_slice));
        }
    }
}

/// <https://github.com/apache/paimon/pull/9275>
#[test]
fn values_after_two_skips_have_their_prefixes() {
    let page = bytes("8001040300000100000001000000800104030401010000000200000078797a77");
    let mut scratch = Scratch::new();
    let mut reader = PageReader::new(&page, &DecodeOptions::default(), &mut scratch).unwrap();
    assert_eq!((reader.skip(1), reader.skip(1)), (1, 1));
    assert_eq!(reader.next_value(), Some(&b"xw"[..]));
}

#[test]
fn a_stream_behind_the_page_is_left_alone() {
    for shape in shapes() {
        let page = page_of(&shape.values, SPEC);
        let twice = [&page[..], &page].concat();
        let expected = Ok((shape.values.clone(), page.len()));
        assert!(naive::decode(&twice, &DecodeOptions::default()) == expected, "{}", shape.name);
        for path in Path::available() {
            assert!(decode_with(path, &twice, &DecodeOptions::default()) == expected, "{}", shape.name);
            assert!(read_with(path, &twice, &DecodeOptions::default()) == expected, "{}", shape.name);
        }
        let strict = DecodeOptions {
            limits: DecodeLimits { trailing: Trailing::Refused, ..DecodeLimits::default() },
            ..DecodeOptions::default()
        };
        assert!(naive::decode(&page, &strict) == expected, "{}", shape.name);
        let refused = Err(DecodeError::TrailingBytes { offset: page.len(), available: page.len() });
        assert_eq!(naive::decode(&twice, &strict), refused);
        for path in Path::available() {
            assert!(decode_with(path, &page, &strict) == expected, "{}", shape.name);
            assert_eq!(decode_with(path, &twice, &strict), refused);
            assert_eq!(read_with(path, &twice, &strict), refused);
        }
    }
}

/// Files by parquet-mr before 1.8.0: the second page continues the first.
/// <https://github.com/apache/parquet-java/issues/1782>
#[test]
fn a_page_that_continues_the_page_before_is_read_when_its_last_value_is_handed_in() {
    let page = bytes("8001040104800104010264");
    let refused = Err(DecodeError::PrefixOutOfRange { offset: 0, index: 0, prefix: 2, previous: 0 });
    let options = DecodeOptions { first_prefix: FirstPrefix::Previous(b"abc"), ..DecodeOptions::default() };
    let expected = Ok((vec![b"abd".to_vec()], page.len()));
    assert_eq!(naive::decode(&page, &DecodeOptions::default()), refused);
    assert_eq!(naive::decode(&page, &options), expected);
    for path in Path::available() {
        assert_eq!(decode_with(path, &page, &DecodeOptions::default()), refused);
        assert_eq!(read_with(path, &page, &DecodeOptions::default()), refused);
        assert_eq!(decode_with(path, &page, &options), expected);
        assert_eq!(read_with(path, &page, &options), expected);
    }
}

#[test]
fn a_previous_value_of_any_length_is_continued() {
    for shape in shapes().into_iter().filter(|shape| shape.values.len() > 1) {
        for at in [1, shape.values.len() / 2, shape.values.len() - 1] {
            // The page of all values, cut: prefixes and suffixes of the values from `at` on.
            let (previous, rest) = (&shape.values[at - 1], &shape.values[at..]);
            let (mut prefixes, mut suffixes, mut tail) = (vec![], vec![], vec![]);
            let mut before = previous;
            for value in rest {
                let prefix = before.iter().zip(value).take_while(|(a, b)| a == b).count();
                prefixes.push(prefix as i32);
                suffixes.push((value.len() - prefix) as i32);
                tail.extend_from_slice(&value[prefix..]);
                before = value;
            }
            let encode = crate::codec::delta_binary_packed::naive::encode::<i32>;
            let page = [encode(&prefixes, SPEC), encode(&suffixes, SPEC), tail].concat();
            let options = DecodeOptions { first_prefix: FirstPrefix::Previous(previous), ..DecodeOptions::default() };
            let expected = Ok((rest.to_vec(), page.len()));
            assert!(naive::decode(&page, &options) == expected, "{}", shape.name);
            for path in Path::available() {
                assert!(decode_with(path, &page, &options) == expected, "{}, {path:?}", shape.name);
                assert!(read_with(path, &page, &options) == expected, "{}, {path:?}", shape.name);
            }
        }
    }
}

/// Just behind the lengths there is not as much before a suffix as a prefix takes.
#[test]
fn a_page_of_one_value_continues_one_by_any_prefix_and_suffix() {
    let all: Vec<u8> = (0..150).collect();
    let encode = crate::codec::delta_binary_packed::naive::encode::<i32>;
    for prefix in 0..70 {
        for suffix in 0..80 {
            let page = [&encode(&[prefix as i32], SPEC)[..], &encode(&[suffix as i32], SPEC), &all[70..][..suffix]];
            let page = page.concat();
            let options = DecodeOptions { first_prefix: FirstPrefix::Previous(&all[..70]), ..DecodeOptions::default() };
            let expected = Ok((vec![[&all[..prefix], &all[70..][..suffix]].concat()], page.len()));
            assert_eq!(naive::decode(&page, &options), expected);
            for path in Path::available() {
                assert_eq!(decode_with(path, &page, &options), expected, "{path:?}");
            }
        }
    }
}

#[test]
fn one_scratch_reads_many_pages_as_fresh_ones_do() {
    for path in Path::available() {
        let mut scratch = Scratch::new();
        let (mut offsets, mut data) = (Vec::<i32>::new(), Vec::new());
        for shape in shapes().iter().chain(shapes().iter().rev()) {
            let page = page_of(&shape.values, SPEC);
            // A page that is refused on the way must not leave anything either.
            assert!(
                decode_into_with(
                    path,
                    &page[..page.len() / 2],
                    &DecodeOptions::default(),
                    &mut scratch,
                    &mut offsets,
                    &mut data
                )
                .is_err()
            );
            let consumed =
                decode_into_with(path, &page, &DecodeOptions::default(), &mut scratch, &mut offsets, &mut data);
            assert_eq!(consumed, Ok(page.len()), "{}", shape.name);
            assert_eq!(offsets.len(), shape.values.len() + 1);
            assert!(data == shape.values.concat(), "{}, {path:?}", shape.name);
        }
    }
}
