//! Pages that are read: values, bytes consumed, skips.

use super::*;

#[test]
fn values_without_suffixes_are_read_in_runs_of_any_length() {
    for len in [1, 10, 31, 32, 33, 70] {
        for (before, run) in [0, 1, 5, 16].into_iter().flat_map(|before| (0..70).map(move |run| (before, run))) {
            let mut values: Vec<Vec<u8>> = (0..=before).map(|index| vec![b'a' + index; len]).collect();
            let mut last = values[values.len() - 1].clone();
            for index in 0..run {
                // Some get shorter: a prefix of the value before, and no more.
                last.truncate(if index % 11 == 7 { len - len / 3 } else { last.len() });
                values.push(last.clone());
            }
            // What begins with the last one, and what begins with half of it.
            values.push([&last[..], b"xyz"].concat());
            values.push([&last[..last.len() / 2], &[b'w'; 50]].concat());
            let page = page_of(&values, SPEC);
            let expected = Ok((values, page.len()));
            for path in Path::available() {
                assert!(
                    decode_with(path, &page, &DecodeOptions::default()) == expected,
                    "{len} {before} {run} {path:?}"
                );
            }
        }
    }
}

#[test]
fn the_last_value_is_the_one_that_was_read_or_skipped() {
    // One for all pages: what it kept of a page would be the last value of the next.
    let mut scratch = Scratch::new();
    for shape in shapes().into_iter().filter(|shape| shape.values.len() < 70) {
        let page = page_of(&shape.values, SPEC);
        let mut reader = PageReader::new(&page, &DecodeOptions::default(), &mut scratch).unwrap();
        assert_eq!(reader.last_value(), b"");
        for (index, value) in shape.values.iter().enumerate() {
            match index % 3 {
                0 => assert_eq!(reader.skip(1), 1),
                _ => assert_eq!(reader.next_value(), Some(&value[..])),
            }
            assert_eq!(reader.last_value(), value);
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
