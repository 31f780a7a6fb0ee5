//! After the first page, the DELTA byte array codecs allocate nothing, in either direction and for any form of column.

#[path = "../benches/harness/allocations.rs"]
mod allocations;

use bytetwin::codec::Path;
use bytetwin::codec::byte_arrays::{ByteArrays, DecodeLimits};
use bytetwin::codec::delta_binary_packed::Geometry;
use bytetwin::codec::{delta_byte_array as dba, delta_length_byte_array as dlba};

const GEOMETRY: Geometry = Geometry::SPEC_128_4;

/// A column of `count` values of `len` bytes, as offsets and data.
fn column(count: usize, len: usize) -> (Vec<i32>, Vec<u8>) {
    let data = (0..count).flat_map(|i| format!("{i:0len$}").into_bytes()).collect();
    ((0..=count).map(|i| (i * len) as i32).collect(), data)
}

#[track_caller]
fn only_at_first(name: &str, mut call: impl FnMut()) {
    assert_ne!(allocations::during(&mut call), 0, "{name}: the first call makes room, or nothing is counted");
    assert_eq!(allocations::during(&mut call), 0, "{name}");
}

#[test]
fn nothing_is_allocated_after_the_first_page() {
    for path in Path::available() {
        // Short values, which are staged, and long ones, which are not.
        for len in [12, 150] {
            let (offsets, data) = column(1000, len);
            let slices: Vec<&[u8]> = data.chunks(len).collect();
            let forms = [
                ByteArrays::arrow(&offsets, &data).unwrap(),
                ByteArrays::slices(&slices),
                ByteArrays::fixed_len(len, &data).unwrap(),
            ];
            let mut out = vec![0; 2 * data.len() + 1000];
            for form in forms {
                let mut scratch = dba::Scratch::new();
                only_at_first("dba encode", || {
                    dba::encoded_len_with(path, &form, GEOMETRY, &mut scratch).unwrap();
                    dba::encode_into_with(path, &form, GEOMETRY, &mut scratch, &mut out).unwrap();
                });
            }
            for form in &forms[..2] {
                let mut scratch = dlba::Scratch::new();
                only_at_first("dlba encode", || {
                    dlba::encoded_len_with(path, form, GEOMETRY, &mut scratch).unwrap();
                    dlba::encode_into_with(path, form, GEOMETRY, &mut scratch, &mut out).unwrap();
                });
            }
            let mut writer = dba::PageWriter::with_path(path, GEOMETRY);
            only_at_first("dba writer", || {
                slices.iter().for_each(|value| writer.push(value).unwrap());
                writer.finish_page(&mut out).unwrap();
            });
            let mut writer = dlba::PageWriter::with_path(path, GEOMETRY);
            only_at_first("dlba writer", || {
                slices.iter().for_each(|value| writer.push(value).unwrap());
                writer.finish_page(&mut out).unwrap();
            });

            let (mut offsets, mut data) = (Vec::<i32>::new(), Vec::new());
            let page = dba::encode(&forms[0], GEOMETRY).unwrap();
            let options = dba::DecodeOptions::default();
            let mut scratch = dba::Scratch::new();
            only_at_first("dba decode", || {
                dba::decode_into_with(path, &page, &options, &mut scratch, &mut offsets, &mut data).unwrap();
            });
            let mut scratch = dba::Scratch::new();
            only_at_first("dba reader", || {
                let mut reader = dba::PageReader::with_path(path, &page, &options, &mut scratch).unwrap();
                assert_eq!(reader.skip(1), 1);
                while reader.next_value().is_some() {}
            });
            let page = dlba::encode(&forms[0], GEOMETRY).unwrap();
            let limits = DecodeLimits::default();
            let mut scratch = dlba::Scratch::new();
            only_at_first("dlba decode and read", || {
                dlba::decode_into_with(path, &page, &limits, &mut scratch, &mut offsets, &mut data).unwrap();
                dlba::PageReader::with_path(path, &page, &limits, &mut scratch).unwrap();
            });
        }
    }
}
