//! Pages of other writers, and pages from reports of faults in them.

use super::super::{Geometry, Integer, Profile, decode, dont_care_mask, encode, naive};
use super::{geometries, hex, shapes};
use crate::DecodeError;
use alloc::vec::Vec;

const VECTORS: &str = include_str!("../../../../corpus/vectors/delta_binary_packed.tsv");

/// Whether only a mask makes the pages equal.
fn row_matches<T: Integer>(page: &[u8], values: &[i64], profile: Profile) -> bool {
    let values: Vec<T> = values.iter().map(|&value| T::from_i64(value).unwrap()).collect();
    let read = Ok((values.clone(), page.len()));
    assert_eq!(naive::decode(page, values.len()), read);
    assert_eq!(decode(page, values.len()), read);
    let ours = naive::encode(&values, profile.geometry::<T>());
    assert_eq!(encode(&values, profile.geometry::<T>()), ours);
    if ours == page {
        return false;
    }
    assert_eq!(ours.len(), page.len());
    let mask = dont_care_mask::<T>(page).unwrap();
    assert_eq!(mask, dont_care_mask::<T>(&ours).unwrap());
    for ((ours, theirs), mask) in ours.iter().zip(page).zip(mask) {
        assert_eq!(ours & !mask, theirs & !mask);
    }
    true
}

#[test]
fn the_pages_of_other_writers_are_read_and_written() {
    let mut masked = Vec::new();
    let mut rows = 0;
    for line in VECTORS.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, layout, page, values] = fields[..] else { panic!("{line}") };
        let values: Vec<i64> = values.split(',').filter(|v| !v.is_empty()).map(|v| v.parse().unwrap()).collect();
        let (page, writer) = (hex(page), layout.split('_').next().unwrap());
        let profile = match writer {
            "canon" => Profile::Spec128x4,
            "rs" => Profile::ParquetRs,
            "java" => Profile::ParquetJava,
            "parquetnet" => Profile::ParquetNet,
            _ => panic!("{line}"),
        };
        let needs_mask = if layout.contains("_i32_") {
            row_matches::<i32>(&page, &values, profile)
        } else {
            row_matches::<i64>(&page, &values, profile)
        };
        if needs_mask {
            masked.push((name, writer));
        }
        rows += 1;
    }
    assert_eq!(rows, 81);
    assert_eq!(masked, [("sq97_130", "java"), ("rnd300", "java")]);
}

#[test]
fn what_an_old_java_writer_leaves_behind_is_read_past_and_masked() {
    // The same values from a fresh writer, and from one that wrote 300 random values and was reset.
    let fresh = hex("800104080e0302000000c03f000000000000");
    let used = hex("800104080e03020b0b0bc0ffd61b71fc7561");
    let mask = hex("00000000000000ffffff00c0ffffffffffff");
    for page in [&fresh, &used] {
        assert_eq!(decode::<i32>(page, 8), Ok((Vec::from([7, 5, 3, 1, 2, 3, 4, 5]), page.len())));
        assert_eq!(dont_care_mask::<i32>(page).as_ref(), Ok(&mask));
        assert_eq!(dont_care_mask::<i64>(page).as_ref(), Ok(&mask));
    }
    for (at, &mask) in mask.iter().enumerate() {
        assert_eq!(fresh[at] & !mask, used[at] & !mask, "at {at}");
    }
    // An empty page after that: the first value is of the page before.
    assert_eq!(decode::<i32>(&hex("80010400b20f"), 0), Ok((Vec::new(), 6)));
}

#[test]
fn the_bits_that_the_mask_marks_are_all_those_that_do_not_count() {
    for geometry in geometries().filter(|geometry| geometry.block_size() < 1024) {
        for count in
            [0, 1, 2, 20, 33, geometry.miniblock_size() + 2, geometry.block_size() + 1, geometry.block_size() + 9]
        {
            let values = &shapes::<i32>(count)[8];
            let page = encode(values, geometry);
            let mask = dont_care_mask::<i32>(&page).unwrap();
            assert_eq!(mask.len(), page.len());
            let expected = Ok((values.clone(), page.len()));
            let noisy: Vec<u8> = page.iter().zip(&mask).map(|(byte, mask)| byte | mask).collect();
            assert_eq!(decode::<i32>(&noisy, count), expected, "{geometry:?} {count}");
            assert_eq!(naive::decode::<i32>(&noisy, count), expected, "{geometry:?} {count}");
            if count < 2 {
                continue;
            }
            // And no bit of the blocks that is not marked is without effect.
            let header = encode(&values[..1], geometry).len() + usize::from(count > 127);
            for bit in 8 * header..8 * page.len() {
                if mask[bit / 8] >> (bit % 8) & 1 == 0 {
                    let mut changed = page.clone();
                    changed[bit / 8] ^= 1 << (bit % 8);
                    assert_ne!(decode::<i32>(&changed, count), expected, "{geometry:?} {count} bit {bit}");
                }
            }
        }
    }
}

/// Reads and writes as the report says it should be.
#[track_caller]
fn assert_page<T: Integer>(page: &str, values: &[T]) {
    let page = hex(page);
    let read = Ok((values.to_vec(), page.len()));
    assert_eq!(decode(&page, values.len()), read);
    assert_eq!(naive::decode(&page, values.len()), read);
}

#[track_caller]
fn assert_canonical<T: Integer>(page: &str, values: &[T]) {
    assert_page(page, values);
    assert_eq!(naive::encode(values, Geometry::SPEC_128_4), hex(page));
    assert_eq!(encode(values, Geometry::SPEC_128_4), hex(page));
}

#[test]
fn int32_wraps_at_32_bits() {
    // apache/parquet-format #290, aloneguid/parquet-dotnet #389, apache/arrow-go #1027, apache/spark #56543
    assert_canonical("80010402ffffffff0f0100000000", &[i32::MIN, i32::MAX]);
    assert_canonical("80010402feffffff0f0200000000", &[i32::MAX, i32::MIN]);
    let values = [0, i32::MAX, i32::MIN];
    let page = encode(&values, Geometry::SPEC_128_4);
    assert_eq!(page[..17], hex("8001040300021f000000feffff7f000000")[..17]);
    assert_page::<i32>(&hex_of(&page), &values);
}

fn hex_of(bytes: &[u8]) -> alloc::string::String {
    bytes.iter().map(|byte| alloc::format!("{byte:02x}")).collect()
}

#[test]
fn a_delta_of_64_bits_is_read() {
    // duckdb/duckdb #7652
    let page = alloc::format!("80010403000240000000feffffffffffffff0000000000000000{}", "00".repeat(240));
    // 1 + (2^64 - 2) = -1, 1 + 0 = 1.
    assert_page::<i64>(&page, &[0, -1, 0]);
}

#[test]
fn equal_values_take_no_bits() {
    // ClickHouse/ClickHouse #91929
    assert_canonical::<i32>("8001048101000000000000", &[0; 129]);
}

#[test]
fn widths_of_miniblocks_without_values_are_not_believed() {
    // apache/arrow-rs #1417
    assert_page::<i32>("80010402020200070707", &[1, 2]);
}

#[test]
fn the_stream_ends_behind_its_padding() {
    // sunchao/parquet-rs #37
    let page = hex("8001040300020100000002000000ffffff");
    assert_eq!(decode::<i32>(&page, 3), Ok((Vec::from([0, 1, 3]), 14)));
}

#[test]
fn padding_is_not_taken_for_values() {
    // aloneguid/parquet-dotnet #486
    assert_page::<i32>("80010403121104000000a0000000000000000000000000000000", &[9, 0, 1]);
}

#[test]
fn the_least_delta_is_zigzag() {
    // Parquet/parquet-format #108
    assert_canonical::<i32>("80010402020100000000", &[1, 0]);
}

#[test]
fn wide_and_narrow_miniblocks_follow_each_other() {
    // apache/arrow-rs #1722
    let mut values = Vec::from([0_i64]);
    for index in 0..65 {
        let delta = if index == 5 { 1 << 40 } else { index % 2 };
        values.push(values[index as usize] + delta);
    }
    let page = encode(&values, Geometry::SPEC_128_4);
    assert_page(&hex_of(&page), &values);
}

#[test]
fn any_miniblock_size_is_read() {
    // NVIDIA/cudf #23314
    let values: Vec<i64> = (0..300).map(|i| i * i).collect();
    for (block_size, miniblock_count) in [(512, 4), (384, 2), (1024, 1)] {
        let page = naive::encode(&values, Geometry::new(block_size, miniblock_count).unwrap());
        assert_eq!(decode(&page, 300), Ok((values.clone(), page.len())));
    }
}

#[test]
fn an_empty_page_is_a_header_and_no_page_is_an_error() {
    // questdb/questdb #7212
    assert_canonical::<i32>("8001040000", &[]);
    let end = Err(DecodeError::UnexpectedEnd { offset: 0, needed: 1, available: 0 });
    assert_eq!(decode::<i32>(&[], 0), end);
    assert_eq!(naive::decode::<i32>(&[], 0), end);
}
