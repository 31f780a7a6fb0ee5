//! Pages that lie: a clear error from both twins, and no allocation that the page cannot justify.

use super::*;
use crate::codec::delta_binary_packed::naive::encode as packed;

/// A page of any lengths, however wrong.
fn page_of(prefixes: &[i32], suffixes: &[i32], tail: &[u8]) -> Vec<u8> {
    [&packed(prefixes, SPEC)[..], &packed(suffixes, SPEC), tail].concat()
}

/// <https://github.com/apache/arrow-rs/issues/9796>
#[test]
fn a_prefix_beyond_the_value_before_is_refused() {
    let refuse = |page: &[u8], index, prefix, previous| {
        refused(page, &DecodeOptions::default(), DecodeError::PrefixOutOfRange { offset: 0, index, prefix, previous });
    };
    refuse(&bytes("8001040102800104010278"), 0, 1, 0);
    refuse(&bytes("8001040101800104010278"), 0, -1, 0);
    refuse(&page_of(&[0, 3, 6], &[3, 2, 1], b"abcdef"), 2, 6, 5);
    refuse(&page_of(&[0, i32::MAX, 0], &[3, 2, 1], b"abcdef"), 1, i32::MAX, 3);
    refuse(&page_of(&[0, i32::MIN, 0], &[3, 2, 1], b"abcdef"), 1, i32::MIN, 3);
}

#[test]
fn the_first_fault_is_named_wherever_it_stands() {
    for at in 1..70 {
        let mut prefixes = [1; 70];
        prefixes[0] = 0;
        prefixes[at] = 3;
        // The first value has one byte, the others have two.
        let previous = if at == 1 { 1 } else { 2 };
        let error = DecodeError::PrefixOutOfRange { offset: 0, index: at, prefix: 3, previous };
        refused(&page_of(&prefixes, &[1; 70], &[b'x'; 70]), &DecodeOptions::default(), error);
    }
}

#[test]
fn a_negative_suffix_is_refused() {
    let offset = packed(&[0, 0, 0], SPEC).len();
    for length in [-1, i32::MIN] {
        let page = page_of(&[0, 0, 0], &[3, length, 1], b"abcdef");
        refused(&page, &DecodeOptions::default(), DecodeError::NegativeLength { offset, index: 1, length });
    }
}

/// <https://github.com/duckdb/duckdb/pull/6412>
#[test]
fn suffixes_longer_than_the_data_are_refused() {
    let page = page_of(&[0, 0], &[1, 200], b"a");
    let end = DecodeError::UnexpectedEnd { offset: page.len(), needed: 200, available: 0 };
    refused(&page, &DecodeOptions::default(), end);
    // Sums that pass 32 bits, which must not come round to a small number.
    let page = page_of(&[0; 5], &[1 << 30; 5], b"abc");
    let end = DecodeError::UnexpectedEnd { offset: page.len() - 3, needed: 1 << 30, available: 3 };
    refused(&page, &DecodeOptions::default(), end);
}

#[test]
fn different_counts_are_refused() {
    for (prefixes, suffixes) in [(2, 3), (3, 2), (0, 1), (1, 0)] {
        let (p, s) = (vec![0; prefixes], vec![1; suffixes]);
        let offset = packed(&p, SPEC).len();
        let page = page_of(&p, &s, b"abc");
        refused(&page, &DecodeOptions::default(), DecodeError::CountMismatch { offset, prefixes, suffixes });
    }
}

#[test]
fn errors_of_the_second_stream_have_offsets_in_the_page() {
    let first = packed(&[0, 0, 0], SPEC);
    let page = [&first[..], &[0x80]].concat();
    let end = DecodeError::UnexpectedEnd { offset: first.len(), needed: 2, available: 1 };
    refused(&page, &DecodeOptions::default(), end);
    let page = [&first[..], &[0x81, 0x01, 4, 3, 0]].concat();
    let geometry = DecodeError::InvalidGeometry { offset: first.len(), block_size: 129, miniblock_count: 4 };
    refused(&page, &DecodeOptions::default(), geometry);
}

/// <https://github.com/apache/arrow/pull/49806>: a few bytes that hold very many values.
#[test]
fn the_callers_limits_bound_what_a_few_bytes_can_ask_for() {
    // 2^20 zeros in one block of 2^20.
    let zeros = bytes("80804004808040000000000000");
    let page = [&zeros[..], &zeros].concat();
    let count = 1 << 20;
    let limited = |max_values, max_bytes| DecodeOptions {
        limits: DecodeLimits { max_values, max_bytes, ..DecodeLimits::default() },
        ..DecodeOptions::default()
    };
    let max = count - 1;
    refused(&page, &limited(max, 1000), DecodeError::TooManyValues { count, max });
    for path in Path::available() {
        let (values, consumed) = decode_with(path, &page, &limited(count, 0)).unwrap();
        assert_eq!((values.len(), consumed), (count, page.len()));
    }

    // 1000 values that are all 1000 bytes long, from 1000 bytes.
    let mut prefixes = [1000; 1000];
    let mut suffixes = [0; 1000];
    (prefixes[0], suffixes[0]) = (0, 1000);
    let page = page_of(&prefixes, &suffixes, &[b'x'; 1000]);
    for limit in [500_999, 500_000] {
        let (index, needed) = (500, 501_000);
        refused(&page, &limited(1000, limit), DecodeError::OutputTooLarge { index, needed, limit });
    }
    assert_eq!(naive::decode(&page, &limited(1000, 1_000_000)).unwrap().0.len(), 1000);
    for path in Path::available() {
        assert_eq!(decode_with(path, &page, &limited(1000, 1_000_000)).unwrap().0.len(), 1000);
        assert_eq!(read_with(path, &page, &limited(1000, 0)).unwrap().0.len(), 1000);
    }
}

/// As much as 32-bit offsets can say is a limit too, whatever the caller's: and found before anything is made room for.
#[test]
fn more_bytes_than_offsets_of_32_bits_reach_are_refused() {
    let len = 1 << 20;
    let (mut prefixes, mut suffixes) = ([len; 2048], [0; 2048]);
    (prefixes[0], suffixes[0]) = (0, len);
    let page = page_of(&prefixes, &suffixes, &vec![b'x'; len as usize]);
    let unlimited = DecodeLimits { max_bytes: usize::MAX, ..DecodeLimits::default() };
    let options = DecodeOptions { limits: unlimited, ..DecodeOptions::default() };
    for path in Path::available() {
        let (mut offsets, mut data) = (Vec::<i32>::new(), Vec::new());
        let result = decode_into_with(path, &page, &options, &mut Scratch::new(), &mut offsets, &mut data);
        let (needed, limit) = (1 << 31, i32::MAX as usize);
        assert_eq!(result, Err(DecodeError::OutputTooLarge { index: 2047, needed, limit }), "{path:?}");
        assert_eq!(data.capacity(), 0);
    }
}

#[test]
fn counts_and_geometries_that_no_page_has_are_refused_in_either_stream() {
    let header = |geometry: &str, count: &str| bytes(&[geometry, count, "00", "00000000000000"].concat());
    let first = packed(&[0, 0, 0], SPEC);
    for at in [0, first.len()] {
        let refuse = |stream: Vec<u8>, error: DecodeError| {
            refused(&[&first[..at], &stream].concat(), &DecodeOptions::default(), error.moved_by(at));
        };
        let (count, possible) = (1 << 63, 129);
        let stream = header("800104", "80808080808080808001");
        refuse(stream, DecodeError::CountExceedsInput { offset: 3, count, possible });
        let (block_size, miniblock_count) = (1 << 63, 1);
        let stream = header("8080808080808080800101", "01");
        refuse(stream, DecodeError::InvalidGeometry { offset: 0, block_size, miniblock_count });
    }
}

#[test]
fn a_value_that_is_not_of_the_columns_length_is_refused() {
    let page = page_of(&[0, 1, 2], &[2, 1, 1], b"abcd");
    let options = DecodeOptions { value_len: Some(2), ..DecodeOptions::default() };
    let offset = page.len() - 1;
    refused(&page, &options, DecodeError::WrongLength { offset, index: 2, len: 3, expected: 2 });
    for count in 1..80 {
        for index in 0..count {
            let mut suffixes = vec![2; count];
            suffixes[index] = 1;
            let page = page_of(&vec![0; count], &suffixes, &vec![b'x'; 2 * count - 1]);
            let offset = page.len() - (2 * count - 1) + 2 * index;
            refused(&page, &options, DecodeError::WrongLength { offset, index, len: 1, expected: 2 });
        }
    }
}

/// Two faults must not cancel out, nor may a prefix and a suffix only look right together.
#[test]
fn wrong_lengths_are_refused_however_many_there_are() {
    let options = |expected| DecodeOptions {
        first_prefix: FirstPrefix::Previous(b"ab"),
        value_len: Some(expected),
        ..DecodeOptions::default()
    };
    let page = page_of(&[0, 0], &[1, 1], b"ab");
    let wrong = |offset, len, expected| DecodeError::WrongLength { offset, index: 0, len, expected };
    refused(&page, &options(2), wrong(page.len() - 2, 1, 2));
    let page = page_of(&[2], &[3], b"abc");
    refused(&page, &options(6), wrong(page.len() - 3, 5, 6));
}

/// Both lengths of a value are negative, and the page has as many bytes as the second takes when read without a sign.
#[test]
#[cfg(all(target_pointer_width = "64", target_os = "linux"))]
fn two_negative_lengths_are_refused_in_a_page_of_any_size() {
    let lengths = page_of(&[0, -1], &[1, i32::MIN], b"");
    // Zeroed memory that nobody reads takes no room.
    let mut page = vec![0; lengths.len() + (1 << 31) + 1];
    page[..lengths.len()].copy_from_slice(&lengths);
    let error = DecodeError::PrefixOutOfRange { offset: 0, index: 1, prefix: -1, previous: 1 };
    refused(&page, &DecodeOptions::default(), error);
}

#[test]
fn twins_agree_on_mutated_pages() {
    let mut numbers = Numbers::new(3);
    let options = DecodeOptions {
        limits: DecodeLimits { max_values: 2000, max_bytes: 200_000, ..DecodeLimits::default() },
        first_prefix: FirstPrefix::Previous(b"a previous value"),
        ..DecodeOptions::default()
    };
    let (mut decoded, mut failed) = (0, 0);
    for shape in shapes() {
        let page = super::page_of(&shape.values, SPEC);
        let streams = page.len() - naive_suffix_bytes(&page);
        for _ in 0..60 {
            let mut page = page.clone();
            for _ in 0..=numbers.below(3) {
                // The streams of lengths are where it matters.
                let anywhere = numbers.below(8) == 0;
                let at = numbers.below(if anywhere { page.len() } else { streams });
                match numbers.below(5) {
                    0 => page[at] ^= 1 << numbers.below(8),
                    1 => page[at] = numbers.below(256) as u8,
                    2 => page[at] = page[at].wrapping_add(1),
                    3 => page.insert(at, numbers.below(256) as u8),
                    _ if page.len() > streams.max(1) => drop(page.remove(at)),
                    _ => page[at] = 0xFF,
                }
            }
            let expected = naive::decode(&page, &options);
            if expected.is_ok() {
                decoded += 1
            } else {
                failed += 1
            }
            for path in Path::available() {
                assert!(decode_with(path, &page, &options) == expected, "{}, {path:?}: {page:02x?}", shape.name);
                if !matches!(expected, Err(DecodeError::OutputTooLarge { .. })) {
                    assert!(read_with(path, &page, &options) == expected, "{}, {path:?}: {page:02x?}", shape.name);
                }
            }
        }
    }
    assert!(decoded > 200 && failed > 2000, "{decoded} decoded, {failed} failed");
}

/// Bytes of the suffixes of a valid page.
fn naive_suffix_bytes(page: &[u8]) -> usize {
    let decode = crate::codec::delta_binary_packed::naive::decode::<i32>;
    let (_, at) = decode(page, usize::MAX).unwrap();
    let (_, len) = decode(&page[at..], usize::MAX).unwrap();
    page.len() - at - len
}
