//! Fast writes what naive writes, into any room, in any pieces.

use super::super::{
    Geometry, Integer, PageWriter, Profile, encode, encode_equal, encode_into, encode_into_with, encoded_len,
    max_encoded_len, naive,
};
use super::{Random, counts, geometries, shapes, values_of_width};
use crate::EncodeError;
use crate::codec::Path;
use alloc::vec;
use alloc::vec::Vec;

/// With room for the worst case, and with just enough.
#[track_caller]
fn assert_twins_agree<T: Integer>(values: &[T], geometry: Geometry) {
    let expected = naive::encode(values, geometry);
    assert_eq!(encoded_len(values, geometry), expected.len());
    for path in Path::available() {
        for spare in [0, 1, 13 * values.len() + 100_000] {
            let mut out = vec![0xA5; expected.len() + spare];
            let written = encode_into_with(path, values, geometry, &mut out);
            assert_eq!(written, Ok(expected.len()), "{path:?} {geometry:?}");
            assert!(out[..expected.len()] == expected, "{path:?} {geometry:?} {} values", values.len());
            assert!(out[expected.len()..].iter().all(|&byte| byte == 0xA5), "{path:?} {geometry:?}");
        }
    }
}

fn every_width<T: Integer>() {
    for geometry in geometries() {
        for width in 0..=T::BITS {
            for count in [2, 34, geometry.miniblock_size() + 17, geometry.block_size() + 1, geometry.block_size() + 98]
            {
                let values = values_of_width::<T>(width, count, u64::from(width));
                assert_twins_agree(&values, geometry);
            }
            // The page has the width that it is named for.
            let values = values_of_width::<T>(width, 40, 7);
            let page = encode(&values, Geometry::SPEC_128_4);
            let min_delta = page.len() - 4 - if width == 0 { 0 } else { 4 * 2 * width as usize };
            assert!(u32::from(page[min_delta]) == width, "{width}: {page:?}");
        }
    }
}

#[test]
fn every_width_of_both_types_is_packed_as_naive_does() {
    every_width::<i32>();
    every_width::<i64>();
}

#[test]
fn naive_says_how_long_its_pages_are() {
    for values in shapes::<i64>(40) {
        let len = naive::encode(&values, Geometry::SPEC_128_4).len();
        assert_eq!(naive::encoded_len(&values, Geometry::SPEC_128_4), len);
    }
}

#[test]
fn pages_of_equal_values_are_those_of_naive() {
    for geometry in geometries() {
        for count in counts(geometry) {
            let expected = naive::encode(&vec![-7_i32; count], geometry);
            let mut out = vec![0xA5; expected.len() + 3];
            assert_eq!(encode_equal(-7_i32, count, geometry, &mut out), expected.len(), "{geometry:?}, {count}");
            assert_eq!((&out[..expected.len()], &out[expected.len()..]), (&expected[..], &[0xA5; 3][..]));
        }
    }
}

#[test]
fn no_page_is_longer_than_the_longest() {
    for geometry in geometries() {
        for blocks in [0, 1, 40] {
            // Each block has a least delta of ten bytes, and a largest that takes all bits over it.
            let count = blocks * geometry.block_size() + 1;
            let deltas = (0..count).map(|index| if index % 2 == 0 { 0 } else { i64::MIN + (index % 3 / 2) as i64 });
            let values: Vec<i64> = deltas.collect();
            let len = naive::encode(&values, geometry).len();
            // More blocks, too, than are looked at at a time.
            assert_twins_agree(&values, geometry);
            let most = max_encoded_len::<i64>(count, geometry);
            assert!((len..len + 40).contains(&most), "{geometry:?}, {blocks} blocks: {len}, {most}");
        }
    }
}

#[test]
fn the_least_and_the_largest_delta_count_wherever_they_stand() {
    for geometry in geometries() {
        for at in 1..geometry.block_size().min(300) + 3 {
            // All deltas are the same but one, of either sign.
            for (others, step) in [(5, -9), (5, 1000), (-5, 1000)] {
                let values = |value: usize| others * value as i64 + if value >= at { step } else { 0 };
                let long: Vec<i64> = (0..at + 40).map(values).collect();
                let short: Vec<i32> = long.iter().map(|value| *value as i32).collect();
                assert_twins_agree(&long, geometry);
                assert_twins_agree(&short, geometry);
            }
        }
    }
}

#[test]
fn every_count_around_an_edge_is_packed_as_naive_does() {
    for geometry in geometries() {
        for count in counts(geometry) {
            for values in shapes::<i32>(count) {
                assert_twins_agree(&values, geometry);
            }
            for values in shapes::<i64>(count) {
                assert_twins_agree(&values, geometry);
            }
        }
    }
}

#[test]
fn blocks_of_the_largest_sizes_are_packed_as_naive_does() {
    // The first two are the smallest that is not looked at as a whole, and one whose miniblocks are not of whole groups.
    for (block_size, miniblock_count) in [(2176, 17), (2304, 24), (65_536, 1), (65_536, 2048), (65_408, 7)] {
        let geometry = Geometry::new(block_size, miniblock_count).unwrap();
        for count in [2, 2050, 2178, 70_000] {
            assert_twins_agree(&shapes::<i32>(count)[3], geometry);
            assert_twins_agree(&shapes::<i64>(count)[8], geometry);
            // A least delta of six bytes, and no bits: one that is written as ten must end within the page.
            assert_twins_agree(&(0..count).map(|index| (index as i64) << 40).collect::<Vec<_>>(), geometry);
        }
    }
}

#[test]
fn a_buffer_of_any_length_is_filled_or_left_alone() {
    for geometry in [Geometry::SPEC_128_4, Profile::ParquetRs.geometry::<i64>(), Geometry::new(384, 3).unwrap()] {
        for count in [0, 1, 2, 33, 150, 400] {
            let values = &shapes::<i64>(count)[8];
            let expected = naive::encode(values, geometry);
            let needed = expected.len();
            for available in 0..=needed + 1 {
                for canary in [0x00, 0xFF] {
                    for path in Path::available() {
                        let mut out = vec![canary; available];
                        let written = encode_into_with(path, values, geometry, &mut out);
                        if available < needed {
                            assert_eq!(written, Err(EncodeError::BufferTooSmall { needed, available }));
                            assert!(out.iter().all(|&byte| byte == canary), "{path:?}: touched");
                        } else {
                            assert_eq!(written, Ok(needed));
                            assert_eq!(out[..needed], expected);
                            assert!(out[needed..].iter().all(|&byte| byte == canary), "{path:?}: overrun");
                        }
                    }
                }
                let mut out = vec![0; available];
                assert_eq!(naive::encode_into(values, geometry, &mut out), encode_into(values, geometry, &mut out));
            }
        }
    }
}

fn finish<T: Integer>(writer: &mut PageWriter<T>) -> Vec<u8> {
    let mut page = vec![0; writer.encoded_len()];
    assert_eq!(writer.finish_page(&mut page), Ok(page.len()));
    page
}

#[test]
fn a_page_put_in_pieces_is_the_page_put_at_once() {
    let mut random = Random(3);
    for path in Path::available() {
        for geometry in geometries() {
            let mut writer = PageWriter::<i32>::with_path(path, geometry);
            for _ in 0..20 {
                let count = random.below(3 * geometry.block_size() + 2);
                let values = &shapes::<i32>(count)[random.below(9)];
                let mut rest = &values[..];
                while !rest.is_empty() {
                    let most = random.pick(&[2, 33, geometry.block_size() + 2, 3 * geometry.block_size()]);
                    let (head, tail) = rest.split_at(random.below(most).min(rest.len()));
                    writer.put(head);
                    rest = tail;
                }
                assert_eq!((writer.len(), writer.is_empty()), (count, count == 0));
                let expected = naive::encode(values, geometry);
                assert_eq!(writer.encoded_len(), expected.len());
                assert!(finish(&mut writer) == expected, "{path:?} {geometry:?} {count}");
                assert!(writer.is_empty());
            }
        }
    }
}

#[test]
fn a_page_that_did_not_fit_can_be_finished_again_or_go_on() {
    let geometry = Geometry::SPEC_128_4;
    let values = &shapes::<i64>(300)[3];
    let expected = naive::encode(&values[..200], geometry);
    let needed = expected.len();
    let mut writer = PageWriter::new(geometry);
    writer.put(&values[..200]);
    for available in 0..needed {
        let mut out = vec![0x5A; available];
        assert_eq!(writer.finish_page(&mut out), Err(EncodeError::BufferTooSmall { needed, available }));
        assert!(out.iter().all(|&byte| byte == 0x5A));
    }
    let mut going_on = writer.clone();
    let mut out = vec![0x5A; needed + 64];
    assert_eq!(writer.finish_page(&mut out), Ok(needed));
    assert_eq!(out[..needed], expected);
    assert!(out[needed..].iter().all(|&byte| byte == 0x5A));

    going_on.put(&values[200..]);
    assert_eq!(finish(&mut going_on), naive::encode(values, geometry));
}

#[test]
fn nothing_is_carried_over_a_page() {
    // The second page of a writer that keeps widths, deltas or the first value is another one: ARROW-18437,
    // arrow-rs #1416, parquet-java.
    let mut writer = PageWriter::new(Geometry::SPEC_128_4);
    let noisy: Vec<i32> = (0..129).map(|i| if i % 2 == 0 { 0 } else { 1 << 20 }).collect();
    let mut pages = Vec::new();
    for values in [&noisy[..], &[1, 2], &[], &[3, 4]] {
        writer.put(values);
        pages.push(finish(&mut writer));
    }
    assert_eq!(pages[1], super::hex("80010402020200000000"));
    assert_eq!(pages[2], super::hex("8001040000"));
    assert_eq!(pages[3], super::hex("80010402060200000000"));

    writer.put(&noisy);
    writer.reset();
    writer.put(&[1, 2]);
    assert_eq!(finish(&mut writer), pages[1]);
}
