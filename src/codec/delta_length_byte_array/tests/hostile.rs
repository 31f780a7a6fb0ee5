//! Pages that lie: a clear error from both twins, and no allocation that the page cannot justify.

use super::*;
use crate::codec::delta_binary_packed::naive::encode as packed;

/// <https://github.com/apache/arrow-go/pull/1013>
#[test]
fn negative_lengths_and_lengths_past_the_data_are_refused() {
    let limits = DecodeLimits::default();
    refused(&bytes("8001040101"), &limits, DecodeError::NegativeLength { offset: 0, index: 0, length: -1 });
    refused(&bytes("800104010a61"), &limits, DecodeError::UnexpectedEnd { offset: 5, needed: 5, available: 1 });
    // <https://github.com/apache/paimon/issues/9570>
    refused(&bytes("800104010661"), &limits, DecodeError::UnexpectedEnd { offset: 5, needed: 3, available: 1 });
}

#[test]
fn the_first_fault_is_named() {
    let lengths = packed(&[2, -1, 100], SPEC);
    let page = [&lengths[..], b"abc"].concat();
    let negative = DecodeError::NegativeLength { offset: 0, index: 1, length: -1 };
    refused(&page, &DecodeLimits::default(), negative);
    let lengths = packed(&[2, 100, -1], SPEC);
    let page = [&lengths[..], b"abc"].concat();
    let end = DecodeError::UnexpectedEnd { offset: lengths.len() + 2, needed: 100, available: 1 };
    refused(&page, &DecodeLimits::default(), end);
}

#[test]
fn lengths_whose_sum_passes_32_bits_are_refused() {
    let lengths = packed(&[1 << 30; 5], SPEC);
    let page = [&lengths[..], b"abc"].concat();
    let end = DecodeError::UnexpectedEnd { offset: lengths.len(), needed: 1 << 30, available: 3 };
    refused(&page, &DecodeLimits::default(), end);
}

/// Two of them, whose signs cancel out, on a page that is as long as their sum without signs.
#[test]
#[cfg(all(target_pointer_width = "64", target_os = "linux"))]
fn negative_lengths_are_refused_however_long_the_page_is() {
    let lengths = packed(&[i32::MIN; 2], SPEC);
    // Zeroed memory that nobody reads takes no room.
    let mut page = vec![0; lengths.len() + (1 << 32)];
    page[..lengths.len()].copy_from_slice(&lengths);
    let limits = DecodeLimits { max_bytes: usize::MAX, ..DecodeLimits::default() };
    let negative = DecodeError::NegativeLength { offset: 0, index: 0, length: i32::MIN };
    refused(&page, &limits, negative);
    let mut offsets = Vec::<i64>::new();
    assert_eq!(decode_offsets_into(&page, &limits, &mut Scratch::new(), &mut offsets), Err(negative));
}

#[test]
fn the_callers_limits_bound_what_a_few_bytes_can_ask_for() {
    // 2^20 zeros in one block of 2^20. <https://github.com/apache/arrow/pull/49806>
    let page = bytes("80804004808040000000000000");
    let count = 1 << 20;
    let limited = |max_values, max_bytes| DecodeLimits { max_values, max_bytes, ..DecodeLimits::default() };
    refused(&page, &limited(1000, 1000), DecodeError::TooManyValues { count, max: 1000 });
    for path in Path::available() {
        let (values, consumed) = decode_with(path, &page, &limited(count, 0)).unwrap();
        assert_eq!((values.len(), consumed), (count, page.len()));
    }
    let page = page_of(&vec![b"abc".to_vec(); 4], SPEC);
    for limit in [11, 9] {
        refused(&page, &limited(4, limit), DecodeError::OutputTooLarge { index: 3, needed: 12, limit });
    }
    assert_eq!(naive::decode(&page, &limited(4, 12)).unwrap().0.len(), 4);
    for path in Path::available() {
        assert_eq!(decode_with(path, &page, &limited(4, 12)).unwrap().0.len(), 4);
        assert_eq!(read_with(path, &page, &limited(4, 0)).unwrap().0.len(), 4);
    }
}

#[test]
fn twins_agree_on_mutated_pages() {
    let mut numbers = Numbers::new(5);
    let limits = DecodeLimits { max_values: 2000, max_bytes: 50_000, ..DecodeLimits::default() };
    let (mut decoded, mut failed) = (0, 0);
    for shape in shapes() {
        let page = page_of(&shape.values, SPEC);
        let lengths = page.len() - shape.values.concat().len();
        for _ in 0..60 {
            let mut page = page.clone();
            for _ in 0..=numbers.below(3) {
                // The lengths are where it matters.
                let anywhere = numbers.below(8) == 0;
                let at = numbers.below(if anywhere { page.len() } else { lengths });
                match numbers.below(4) {
                    0 => page[at] ^= 1 << numbers.below(8),
                    1 => page[at] = numbers.below(256) as u8,
                    2 => page.insert(at, numbers.below(256) as u8),
                    _ if page.len() > lengths => drop(page.remove(at)),
                    _ => page[at] = 0xFF,
                }
            }
            let expected = naive::decode(&page, &limits);
            if expected.is_ok() {
                decoded += 1
            } else {
                failed += 1
            }
            for path in Path::available() {
                assert!(decode_with(path, &page, &limits) == expected, "{}, {path:?}: {page:02x?}", shape.name);
                if !matches!(expected, Err(DecodeError::OutputTooLarge { .. })) {
                    assert!(read_with(path, &page, &limits) == expected, "{}, {path:?}: {page:02x?}", shape.name);
                }
            }
        }
    }
    assert!(decoded > 200 && failed > 2000, "{decoded} decoded, {failed} failed");
}
