//! Fast reads what naive reads, in any steps.

use super::super::{Decoded, Geometry, Integer, PageReader, decode, decode_into, decode_into_with, naive};
use super::{Random, counts, geometries, shapes, values_of_width};
use crate::DecodeError;
use crate::codec::Path;
use alloc::vec;
use alloc::vec::Vec;

#[track_caller]
fn assert_round_trip<T: Integer>(values: &[T], geometry: Geometry) {
    let page = naive::encode(values, geometry);
    let whole = Decoded { values: values.len(), consumed: page.len() };
    let mut out = vec![T::default(); values.len()];
    assert_eq!(naive::decode_into(&page, &mut out), Ok(whole));
    assert!(out == values, "naive {geometry:?}");
    // A second stream follows, or nothing does.
    let mut followed = page.clone();
    followed.extend_from_slice(&[0xFF; 100]);
    for path in Path::available() {
        for bytes in [&page, &followed] {
            let spare = T::from_i64(77).unwrap();
            let mut out = vec![spare; values.len() + 40];
            assert_eq!(decode_into_with(path, bytes, &mut out), Ok(whole), "{path:?} {geometry:?}");
            assert!(out[..values.len()] == *values, "{path:?} {geometry:?} {} values", values.len());
            assert!(out[values.len()..].iter().all(|&value| value == spare), "{path:?} {geometry:?}: overrun");
        }
    }
}

fn every_width<T: Integer>() {
    for geometry in geometries() {
        for width in 0..=T::BITS {
            for count in [2, 34, geometry.miniblock_size() + 17, geometry.block_size() + 1, geometry.block_size() + 98]
            {
                assert_round_trip(&values_of_width::<T>(width, count, u64::from(width)), geometry);
            }
        }
    }
}

#[test]
fn every_width_of_both_types_is_unpacked() {
    every_width::<i32>();
    every_width::<i64>();
}

#[test]
fn every_count_around_an_edge_is_unpacked() {
    for geometry in geometries() {
        for count in counts(geometry) {
            for values in shapes::<i32>(count) {
                assert_round_trip(&values, geometry);
            }
            for values in shapes::<i64>(count) {
                assert_round_trip(&values, geometry);
            }
        }
    }
}

#[test]
fn values_are_the_same_in_any_steps_and_after_any_skip() {
    let mut random = Random(11);
    for geometry in geometries() {
        for path in Path::available() {
            for values in shapes::<i32>(2 * geometry.block_size() + 45) {
                let page = naive::encode(&values, geometry);
                let mut fast = PageReader::with_path(path, &page).unwrap();
                let mut naive = naive::PageReader::<i32>::new(&page).unwrap();
                assert_eq!((fast.len(), fast.geometry()), (values.len(), geometry));
                let mut read = 0;
                while read < values.len() {
                    assert_eq!(fast.remaining(), values.len() - read);
                    let most = random.pick(&[2, 5, 40, 70, 300]);
                    let step = random.below(most);
                    let expected = step.min(values.len() - read);
                    if random.below(2) == 0 {
                        assert_eq!(fast.skip(step), Ok(expected));
                        assert_eq!(naive.skip(step), Ok(expected));
                    } else {
                        let mut out = vec![0; step];
                        assert_eq!(fast.get(&mut out), Ok(expected));
                        assert!(out[..expected] == values[read..read + expected], "{path:?} {geometry:?} at {read}");
                        assert_eq!(naive.get(&mut out), Ok(expected));
                    }
                    read += expected;
                }
                assert_eq!((fast.consumed(), fast.remaining()), (page.len(), 0));
                assert_eq!((naive.consumed(), naive.remaining()), (page.len(), 0));
                assert_eq!(fast.get(&mut [0; 3]), Ok(0));
                assert_eq!(fast.skip(3), Ok(0));
            }
        }
    }
}

#[test]
fn a_skip_to_any_position_leads_to_the_value_there() {
    for geometry in [Geometry::SPEC_128_4, Geometry::new(384, 3).unwrap()] {
        for values in shapes::<i64>(geometry.block_size() + 70) {
            let page = naive::encode(&values, geometry);
            for path in Path::available() {
                for position in 0..values.len() {
                    let mut reader = PageReader::with_path(path, &page).unwrap();
                    assert_eq!(reader.skip(position), Ok(position));
                    let mut out = [0; 40];
                    let got = reader.get(&mut out).unwrap();
                    assert_eq!(out[..got], values[position..position + got], "{path:?} at {position}");
                    let consumed = reader.consumed();
                    let mut naive = naive::PageReader::<i64>::new(&page).unwrap();
                    naive.skip(position + got).unwrap();
                    assert_eq!(naive.consumed(), consumed);
                }
            }
        }
    }
}

#[test]
fn pages_go_through_one_decoder_as_through_new_ones() {
    // The second page of a reader that keeps its place is out of step: arrow #38399.
    let first = super::hex("8001040102");
    let second = super::hex("800104020a0400000000");
    for path in Path::available() {
        let mut reader = PageReader::<i64>::with_path(path, &first).unwrap();
        let mut out = [0; 5];
        assert_eq!(reader.get(&mut out), Ok(1));
        assert_eq!(out[0], 1);
        reader.reset(&second).unwrap();
        assert_eq!(reader.get(&mut out[..1]), Ok(1));
        reader.reset(&second).unwrap();
        assert_eq!(reader.get(&mut out), Ok(2));
        assert_eq!(out[..2], [5, 7]);
        // A page that is refused leaves the reader where it was.
        reader.reset(&second).unwrap();
        reader.get(&mut out[..1]).unwrap();
        assert!(reader.reset(&[]).is_err());
        assert_eq!(reader.get(&mut out), Ok(1));
        assert_eq!(out[0], 7);
    }
}

#[test]
fn naive_starts_over_too_and_both_know_an_empty_page() {
    let (page, empty) = (super::hex("800104020a0400000000"), super::hex("8001040000"));
    let mut reader = naive::PageReader::<i64>::new(&page).unwrap();
    for _ in 0..2 {
        let mut out = [0; 1];
        assert_eq!((reader.get(&mut out), out), (Ok(1), [5]));
        reader.reset(&page).unwrap();
    }
    for (page, is_empty) in [(page, false), (empty, true)] {
        assert_eq!(naive::PageReader::<i64>::new(&page).unwrap().is_empty(), is_empty);
        assert_eq!(PageReader::<i64>::new(&page).unwrap().is_empty(), is_empty);
    }
}

#[test]
fn equal_steps_of_any_number_are_skipped_without_a_loop() {
    // 2^30 equal steps in each block, in 13 bytes and a few.
    let mut page = super::hex("8080808004" /* 2^30 */);
    page.extend(super::hex("01" /* miniblock */));
    page.extend(super::hex("8180808020" /* 2^33 + 1 values */));
    page.extend(super::hex("00" /* first */));
    for _ in 0..8 {
        page.extend(super::hex("0600" /* steps of 3, width 0 */));
    }
    for path in Path::available() {
        let mut reader = PageReader::<i32>::with_path(path, &page).unwrap();
        assert_eq!(reader.len(), (1 << 33) + 1);
        assert_eq!(reader.skip((1 << 33) - 1), Ok((1 << 33) - 1));
        let mut out = [0; 3];
        assert_eq!(reader.get(&mut out), Ok(2));
        let at = |index: u64| index.wrapping_mul(3) as i32;
        assert_eq!(out[..2], [at((1 << 33) - 1), at(1 << 33)]);
        assert_eq!(reader.consumed(), page.len());
    }
}

#[test]
fn a_page_of_few_bytes_and_many_values_is_bounded_by_the_caller() {
    // 2^20 zeros in 13 bytes: legal (arrow #49806).
    let page = super::hex("80804004808040000000000000");
    let count = 1 << 20;
    let refused = DecodeError::TooManyValues { count, max: count - 1 };
    assert_eq!(decode::<i32>(&page, count - 1), Err(refused));
    assert_eq!(naive::decode::<i32>(&page, count - 1), Err(refused));
    let (values, consumed) = decode::<i32>(&page, count).unwrap();
    assert_eq!((values.len(), consumed), (count, page.len()));
    assert!(values.iter().all(|&value| value == 0));
    let too_small = DecodeError::OutputTooSmall { needed: count, available: 5 };
    assert_eq!(decode_into(&page, &mut [0_i32; 5]), Err(too_small));
    assert_eq!(naive::decode_into(&page, &mut [0_i32; 5]), Err(too_small));
    let mut reader = PageReader::<i32>::new(&page).unwrap();
    let mut chunk = [1; 1000];
    let mut read = 0;
    while reader.remaining() > 0 {
        read += reader.get(&mut chunk).unwrap();
    }
    assert_eq!((read, reader.consumed()), (count, page.len()));
}

#[test]
fn streams_back_to_back_are_read_one_after_the_other() {
    let pages: Vec<Vec<i32>> = [300, 0, 1, 129, 33].into_iter().map(|count| shapes::<i32>(count).remove(8)).collect();
    let mut bytes = Vec::new();
    for (values, geometry) in pages.iter().zip(geometries()) {
        bytes.extend(naive::encode(values, geometry));
    }
    let mut at = 0;
    for values in &pages {
        let (read, consumed) = decode::<i32>(&bytes[at..], 1000).unwrap();
        assert_eq!(read, *values);
        at += consumed;
    }
    assert_eq!(at, bytes.len());
}
