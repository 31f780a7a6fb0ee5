//! Bytes that are no page: the same error from both twins, at the same offset, however they are read.

use super::super::fast::LOOKED_AT;
use super::super::{Geometry, Integer, PageReader, decode, dont_care_mask, naive};
use super::{Random, geometries, hex, shapes};
use crate::DecodeError;
use crate::codec::Path;
use alloc::vec;
use alloc::vec::Vec;

#[track_caller]
fn assert_refused<T: Integer>(page: &[u8], error: DecodeError) {
    assert_eq!(naive::decode::<T>(page, 1 << 20), Err(error));
    assert_eq!(decode::<T>(page, 1 << 20), Err(error));
    assert_eq!(dont_care_mask::<T>(page), Err(error));
}

#[test]
fn an_error_comes_again_however_often_and_for_whatever_is_asked() {
    let values: Vec<i64> = (0..500).map(|index| index * index % 977).collect();
    let whole = naive::encode(&values, Geometry::SPEC_128_4);
    // Cut everywhere, and with a width above the type's in the second block.
    let mut pages: Vec<_> = (8..whole.len()).map(|end| whole[..end].to_vec()).collect();
    let mut wide = whole.clone();
    let second = naive::encode(&values[..129], Geometry::SPEC_128_4).len();
    wide[second + 3] = 65;
    pages.push(wide);
    for page in pages {
        let Ok(mut right) = naive::PageReader::<i64>::new(&page) else { continue };
        let mut out = [0; 500];
        let error = right.get(&mut out).expect_err("the page is broken");
        let there = right.remaining();
        for ask in [1, 2, 33, 500] {
            assert_eq!(right.get(&mut out[..ask]), Err(error));
            assert_eq!(right.skip(ask), Err(error));
            assert_eq!(right.remaining(), there);
        }
        for path in Path::available() {
            let mut fast = PageReader::<i64>::with_path(path, &page).expect("naive opened it");
            assert_eq!(fast.get(&mut out), Err(error), "{path:?}");
            let there = fast.remaining();
            for ask in [1, 2, 33, 500] {
                assert_eq!(fast.get(&mut out[..ask]), Err(error), "{path:?}");
                assert_eq!(fast.skip(ask), Err(error), "{path:?}");
                assert_eq!(fast.remaining(), there, "{path:?}");
            }
        }
    }
}

#[test]
fn illegal_geometry_is_refused() {
    // Zero miniblocks (apache/arrow-rs #8888), miniblocks of eight (apache/parquet-java #2639), and others.
    for (page, block_size, miniblock_count) in [
        ("8001000200", 128, 0),
        ("80011002000200000000000000000000000000000000", 128, 16),
        ("00040200", 0, 4),
        ("0000000000", 0, 0),
        ("40020200", 64, 2),
        ("8001030200", 128, 3),
        ("808080800801020002", 1 << 31, 1),
        ("80018080808080808080800102000200", 128, 1 << 63),
    ] {
        assert_refused::<i32>(&hex(page), DecodeError::InvalidGeometry { offset: 0, block_size, miniblock_count });
    }
}

#[test]
fn more_values_than_the_input_has_blocks_for_are_refused() {
    // apache/arrow #51128: block 2^30 in 2^25 miniblocks, two values, and nothing more.
    let page = hex("8080808004808080100200");
    assert_refused::<i32>(&page, DecodeError::CountExceedsInput { offset: 9, count: 2, possible: 1 });
    // apache/arrow #49627: the header says three values. (There is room for them, but not for the block of a 130th.)
    let page = hex("80010482010202000000000000");
    assert_refused::<i32>(&page, DecodeError::CountExceedsInput { offset: 3, count: 130, possible: 129 });
    let page = hex("800104ffffffffffffffffff010202000000000000");
    assert_refused::<i64>(&page, DecodeError::CountExceedsInput { offset: 3, count: u64::MAX, possible: 129 });
}

#[test]
fn counts_near_2_to_the_63_and_64_are_refused_whatever_the_geometry() {
    // Block sizes of 128 and 2^30, in one miniblock or four; a block's worth of zeros behind the header.
    for (geometry, block_size, miniblock_count) in
        [("800101", 128, 1), ("800104", 128, 4), ("808080800401", 1 << 30, 1), ("808080800404", 1 << 30, 4)]
    {
        for (count, number) in [
            ("ffffffffffffffff7f", (1 << 63) - 1),
            ("80808080808080808001", 1 << 63),
            ("81808080808080808001", (1 << 63) + 1),
            ("ffffffffffffffffff01", u64::MAX),
        ] {
            let page = hex(&[geometry, count, "00", &"00".repeat(1 + miniblock_count)].concat());
            let (offset, possible) = (geometry.len() / 2, block_size + 1);
            assert_refused::<i32>(&page, DecodeError::CountExceedsInput { offset, count: number, possible });
            assert_refused::<i64>(&page, DecodeError::CountExceedsInput { offset, count: number, possible });
        }
    }
}

#[test]
fn numbers_of_more_than_64_bits_are_refused_and_padded_ones_read() {
    let long = "ff".repeat(9) + "02";
    assert_refused::<i32>(&hex(&long), DecodeError::VarintOverflow { offset: 0 });
    assert_refused::<i32>(&hex(&("8001".to_owned() + &"80".repeat(11))), DecodeError::VarintOverflow { offset: 2 });
    let padded = hex("8081008480008180008e8000");
    assert_eq!(decode::<i32>(&padded, 1), Ok((vec![7], 12)));
    assert_eq!(naive::decode::<i32>(&padded, 1), Ok((vec![7], 12)));
}

#[test]
fn integers_outside_int32_are_refused() {
    // The first value is 2^31, then -2^31 - 1, and the page has no values or one.
    for count in ["00", "01"] {
        let page = hex(&alloc::format!("800104{count}8080808010"));
        let value = 1 << 31;
        assert_refused::<i32>(&page, DecodeError::IntegerOutOfRange { offset: 4, value, bits: 32 });
        let page = hex(&alloc::format!("800104{count}8180808010"));
        assert_refused::<i32>(&page, DecodeError::IntegerOutOfRange { offset: 4, value: -value - 1, bits: 32 });
    }
    // As arrow-go wrote before its #1027: differences in 64 bits.
    let page = hex(&alloc::format!("8001040300fdffffff1f21000000{}", "00".repeat(132)));
    let value = -4_294_967_295;
    assert_refused::<i32>(&page, DecodeError::IntegerOutOfRange { offset: 5, value, bits: 32 });
}

#[test]
fn a_width_above_the_type_is_refused_where_it_counts() {
    let body = "00".repeat(400);
    let page = hex(&alloc::format!("80010422000200210000{body}"));
    assert_refused::<i32>(&page, DecodeError::InvalidBitWidth { offset: 7, width: 33, max: 32 });
    assert_eq!(decode::<i64>(&page, 34).unwrap().1, 10 + 132);
    let page = hex(&alloc::format!("80010422000241ff0000{body}"));
    assert_refused::<i64>(&page, DecodeError::InvalidBitWidth { offset: 6, width: 65, max: 64 });
    // One value less, and the second width does not count.
    let page = hex(&alloc::format!("80010421000200ffffff{body}"));
    assert_eq!(decode::<i32>(&page, 33).unwrap().1, 10);
}

#[test]
fn a_page_cut_anywhere_is_refused_alike() {
    for geometry in geometries().filter(|geometry| geometry.block_size() <= 384) {
        for values in [&shapes::<i32>(2 * geometry.block_size() + 40)[8], &shapes::<i32>(40)[3]] {
            let page = naive::encode(values, geometry);
            for end in 0..page.len() {
                let cut = &page[..end];
                let error = naive::decode::<i32>(cut, values.len()).unwrap_err();
                assert_refused::<i32>(cut, error);
                assert!(matches!(error, DecodeError::UnexpectedEnd { .. } | DecodeError::CountExceedsInput { .. }));
            }
        }
    }
}

#[test]
fn a_fault_at_the_end_of_a_block_is_found_without_looking_at_all_widths_again_and_again() {
    // 2^18 miniblocks of equal steps, and a last one that is wrong, or cut. Where the widths that are left are looked at for each
    // miniblock, that is 2^35 of them.
    let count = 1 << 18;
    for (last, body) in [(200, 0), (1, 3)] {
        let mut page = hex("80808004" /* 2^23 */);
        page.extend(hex("808010" /* miniblocks */));
        page.extend(hex("81808004" /* 2^23 + 1 values */));
        page.extend(hex("0006" /* first, steps of 3 */));
        page.resize(page.len() + count - 1, 0);
        page.push(last);
        page.resize(page.len() + body, 0);
        let mut out = vec![0; 32 * count + 1];
        for path in Path::available() {
            let mut reader = PageReader::<i32>::with_path(path, &page).unwrap();
            LOOKED_AT.set(0);
            assert!(reader.get(&mut out).is_err(), "{path:?}");
            assert!((count..8 * count).contains(&LOOKED_AT.get()), "{path:?}: {}", LOOKED_AT.get());
            assert_eq!((reader.remaining(), out[32 * (count - 1)]), (32, 96 * (count as i32 - 1)), "{path:?}");
        }
    }
}

/// Reads `bytes` by all readers in the same random steps, and holds them to one result.
fn assert_readers_agree<T: Integer>(bytes: &[u8], random: &mut Random) {
    const MOST: usize = 5000;
    let expected = naive::decode::<T>(bytes, MOST);
    for path in Path::available() {
        match (naive::PageReader::<T>::new(bytes), PageReader::<T>::with_path(path, bytes)) {
            (Err(naive), Err(fast)) => {
                assert_eq!(naive, fast);
                assert_eq!(expected.as_ref().err(), Some(&naive));
            }
            (Ok(mut naive), Ok(mut fast)) => {
                assert_eq!((naive.len(), naive.geometry()), (fast.len(), fast.geometry()));
                let mut whole = vec![T::default(); fast.len().min(MOST)];
                let at_once = fast.clone().get(&mut whole);
                if let Ok((values, _)) = &expected {
                    assert_eq!(at_once, Ok(values.len()));
                    assert!(whole == *values, "{path:?} {bytes:02x?}");
                }
                let mut read = 0;
                while fast.remaining() > 0 && read < MOST {
                    let most = random.pick(&[3, 40, 400]);
                    let step = random.below(most);
                    let mut outs = [vec![T::default(); step], vec![T::default(); step]];
                    let results = if random.below(3) == 0 {
                        [naive.skip(step), fast.skip(step)]
                    } else {
                        let [a, b] = &mut outs;
                        [naive.get(a), fast.get(b)]
                    };
                    assert_eq!(results[0], results[1], "{path:?} {bytes:02x?}");
                    let Ok(count) = results[0] else {
                        assert!(at_once.is_err() || fast.len() > MOST, "{path:?}");
                        break;
                    };
                    assert!(outs[0][..count] == outs[1][..count], "{path:?} {bytes:02x?}");
                    assert_eq!(naive.consumed(), fast.consumed());
                    assert_eq!(naive.remaining(), fast.remaining());
                    read += count;
                }
            }
            (naive, fast) => panic!("{path:?}: {:?} {:?} {bytes:02x?}", naive.err(), fast.err()),
        }
    }
    let consumed = expected.map(|(_, consumed)| consumed);
    match dont_care_mask::<T>(bytes) {
        Ok(mask) if consumed.is_ok() => assert_eq!(consumed, Ok(mask.len())),
        Err(error) if consumed != Err(error) => {
            assert!(matches!(consumed, Err(DecodeError::TooManyValues { .. })), "{consumed:?} {error:?}")
        }
        _ => {}
    }
}

#[test]
fn mutated_pages_are_read_or_refused_alike() {
    let mut random = Random(2026);
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for geometry in [Geometry::SPEC_128_4, Geometry::new(256, 4).unwrap(), Geometry::new(384, 3).unwrap()] {
        for count in [0, 1, 2, 33, 130, 300] {
            seeds.extend(shapes::<i64>(count).iter().map(|values| naive::encode(values, geometry)));
            seeds.extend(shapes::<i32>(count).iter().map(|values| naive::encode(values, geometry)));
        }
    }
    for round in 0..12_000 {
        let mut page = seeds[random.below(seeds.len())].clone();
        for _ in 0..1 + random.below(4) {
            // Mostly in the headers, where it matters.
            let at = if random.below(2) == 0 { random.below(page.len().min(12)) } else { random.below(page.len()) };
            match random.below(6) {
                0 => page[at] ^= 1 << random.below(8),
                1 => page[at] = random.next() as u8,
                2 => page[at] = random.pick(&[0x00, 0x7F, 0x80, 0xFF, 32, 33, 64, 65]),
                3 => page.truncate(at.max(1)),
                4 => page.insert(at, random.next() as u8),
                _ => {
                    page.remove(at);
                }
            }
            if page.is_empty() {
                page.push(0x80);
            }
        }
        if round % 2 == 0 {
            assert_readers_agree::<i32>(&page, &mut random);
        } else {
            assert_readers_agree::<i64>(&page, &mut random);
        }
    }
}
