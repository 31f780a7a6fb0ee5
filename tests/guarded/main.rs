//! No kernel reads past its input or writes past its output: both end at a wall of memory that must not be touched.
//!
//! A kernel that moves whole registers goes past the end of things in a way that no comparison of bytes shows. A test that
//! fails here ends with a signal, and its name is the last that was printed.
#![cfg(all(unix, feature = "harness"))]

mod walled;

use bytetwin::codec::amqp_decimal::{self, Raw};
use bytetwin::codec::decimal::{self, Column, I256, Physical};
use bytetwin::codec::delta_binary_packed::{self as dbp, Geometry, Integer};
use bytetwin::codec::path::Path;
use bytetwin::codec::{delta_byte_array as dba, delta_length_byte_array as dlba};
use walled::Walled;

fn geometries() -> [Geometry; 4] {
    [(128, 4), (128, 1), (256, 4), (1024, 32)]
        .map(|(block, miniblocks)| Geometry::new(block, miniblocks).expect("legal"))
}

/// Values whose differences take `width` bits at one time and none at the next.
fn of_width<T: Integer>(width: u32, count: usize) -> Vec<T> {
    let step = if width == 0 { 0 } else { u64::MAX >> (64 - width) };
    let mut value = 0_u64;
    let mut values = Vec::new();
    for index in 0..count {
        values.push(
            T::from_i64(if T::BITS == 32 { value as i32 as i64 } else { value as i64 }).expect("cut to the type"),
        );
        value = value.wrapping_add(if index % 3 == 0 { step } else { 0 });
    }
    values
}

fn delta_binary_packed<T: Integer>() {
    for geometry in geometries() {
        for width in 0..=T::BITS {
            for count in
                [1, 2, 33, geometry.miniblock_size() + 1, geometry.block_size() + 1, geometry.block_size() + 40]
            {
                let values = Walled::new(&of_width::<T>(width, count));
                let page = dbp::naive::encode(&values, geometry);
                for path in Path::available() {
                    let mut out = Walled::new(&vec![0; page.len()]);
                    assert_eq!(dbp::encode_into_with(path, &values, geometry, &mut out), Ok(page.len()));
                    assert!(out[..] == page[..], "{path:?} {geometry:?} {count} of {width} bits");
                    for trailing in [0, 1, 63] {
                        let mut followed = page.clone();
                        followed.resize(page.len() + trailing, 0xFF);
                        let followed = Walled::new(&followed);
                        let mut out = Walled::new(&vec![T::default(); count]);
                        let decoded = dbp::decode_into_with(path, &followed, &mut out);
                        assert_eq!(decoded, Ok(dbp::Decoded { values: count, consumed: page.len() }));
                        assert!(out[..] == values[..], "{path:?} {geometry:?} {count} of {width} bits");
                    }
                }
            }
        }
    }
}

#[test]
fn delta_binary_packed_of_32_bits_stays_within() {
    delta_binary_packed::<i32>();
}

#[test]
fn delta_binary_packed_of_64_bits_stays_within() {
    delta_binary_packed::<i64>();
}

/// Values of up to `longest` bytes that share `shared` with the one before.
fn strings(count: usize, longest: usize, shared: usize, equal: bool) -> Vec<Vec<u8>> {
    let len = |index: usize| if equal { longest } else { index * 7 % (longest + 1) };
    let byte = |index: usize, at: usize| if at < shared { b'a' } else { (index * 31 + at * 7) as u8 };
    (0..count).map(|index| (0..len(index)).map(|at| byte(index, at)).collect()).collect()
}

#[test]
fn byte_arrays_stay_within() {
    for count in [1, 2, 9, 40, 140] {
        for longest in [1, 2, 8, 15, 16, 17, 33, 64, 65, 130] {
            for shared in [0, 1, longest / 2, longest] {
                for equal in [true, false] {
                    byte_arrays(&strings(count, longest, shared, equal), equal.then_some(longest));
                }
            }
        }
    }
}

fn byte_arrays(values: &[Vec<u8>], width: Option<usize>) {
    let geometry = Geometry::SPEC_128_4;
    let data = Walled::new(&values.concat());
    let mut ends = vec![0_i32];
    ends.extend(values.iter().scan(0, |end, value| {
        *end += value.len() as i32;
        Some(*end)
    }));
    let ends = Walled::new(&ends);
    let slices: Vec<&[u8]> = ends.windows(2).map(|ends| &data[ends[0] as usize..ends[1] as usize]).collect();
    let mut forms = vec![dba::ByteArrays::arrow(&ends, &data).expect("offsets"), dba::ByteArrays::slices(&slices)];
    forms.extend(width.map(|width| dba::ByteArrays::fixed_len(width, &data).expect("whole values")));
    let (mut dba_scratch, mut dlba_scratch) = (dba::Scratch::new(), dlba::Scratch::new());
    for path in Path::available() {
        let (mut offsets, mut bytes) = (Vec::<i32>::new(), Vec::new());
        for form in &forms {
            let page = dba::naive::encode(form, geometry).expect("short values");
            let mut out = Walled::new(&vec![0; page.len()]);
            assert_eq!(dba::encode_into_with(path, form, geometry, &mut dba_scratch, &mut out), Ok(page.len()));
            assert!(out[..] == page[..], "{path:?} {values:?}");
            let (options, scratch) = (dba::DecodeOptions::default(), &mut dba_scratch);
            let consumed = dba::decode_into_with(path, &out, &options, scratch, &mut offsets, &mut bytes);
            assert_eq!((consumed, &offsets[..], &bytes[..]), (Ok(page.len()), &ends[..], &data[..]));

            if form.fixed_width().is_some() {
                continue;
            }
            let page = dlba::naive::encode(form, geometry).expect("short values");
            let mut out = Walled::new(&vec![0; page.len()]);
            assert_eq!(dlba::encode_into_with(path, form, geometry, &mut dlba_scratch, &mut out), Ok(page.len()));
            assert!(out[..] == page[..], "{path:?} {values:?}");
            let (limits, scratch) = (dlba::DecodeLimits::default(), &mut dlba_scratch);
            let consumed = dlba::decode_into_with(path, &out, &limits, scratch, &mut offsets, &mut bytes);
            assert_eq!((consumed, &offsets[..], &bytes[..]), (Ok(page.len()), &ends[..], &data[..]));
        }
    }
}

/// A column as walled values, encoded and decoded.
macro_rules! decimals {
    ($column:expr, $values:expr, $zero:expr) => {
        let (column, values, options) = ($column, Walled::new($values), decimal::ColumnOptions::default());
        let page = decimal::naive::encode(&values[..], &column, options).expect("values of the precision");
        for path in Path::available() {
            let mut out = Walled::new(&vec![0; page.len()]);
            assert_eq!(decimal::encode_into_with(path, &values[..], &column, options, &mut out), Ok(page.len()));
            assert!(out[..] == page[..], "{path:?} {column:?} {:?}", &values[..]);
            let mut decoded = Walled::new(&vec![$zero; values.len()]);
            assert_eq!(decimal::decode_into_with(path, &out, &column, options, &mut decoded[..]), Ok(page.len()));
            assert!(decoded[..] == values[..], "{path:?} {column:?} {:?}", &values[..]);
        }
    };
}

#[test]
fn decimals_stay_within() {
    let counts = || (1..20).chain([31, 32, 33, 63, 64, 65, 100]);
    let physicals = (1..=32).map(Physical::Fixed).chain([Physical::ByteArray, Physical::Int32, Physical::Int64]);
    for physical in physicals {
        // Digits that every width has: one byte holds two of them.
        let columns = [1, 2, 9, 18, 38, 76].map(|precision| (precision, Column::new(precision, 0, physical)));
        for (precision, column) in columns.into_iter().filter_map(|(precision, column)| Some((precision, column.ok()?)))
        {
            for count in counts() {
                let most = 10_i128.pow(precision.min(38)) - 1;
                let wide: Vec<i128> =
                    (0..count as i128).map(|index| [most, -most, index % 10, -1][index as usize % 4]).collect();
                if precision <= 9 {
                    let narrow: Vec<i32> = wide.iter().map(|&value| value as i32).collect();
                    decimals!(column, &narrow, 0_i32);
                }
                if precision <= 18 {
                    let narrow: Vec<i64> = wide.iter().map(|&value| value as i64).collect();
                    decimals!(column, &narrow, 0_i64);
                }
                if precision <= 28 {
                    let decimals: Vec<_> =
                        wide.iter().map(|&value| rust_decimal::Decimal::from_i128_with_scale(value, 0)).collect();
                    decimals!(column, &decimals, rust_decimal::Decimal::ZERO);
                }
                decimals!(column, &wide, 0_i128);
                let wider: Vec<I256> = wide.iter().map(|&value| I256::from(value)).collect();
                decimals!(column, &wider, I256::from(0));
            }
        }
    }
}

#[test]
fn amqp_decimals_stay_within() {
    for profile in amqp_decimal::Profile::ALL {
        for tag in [true, false] {
            let params = amqp_decimal::Params { tag, ..amqp_decimal::Params::new(profile) };
            for count in (1..40).chain([63, 64, 65, 130]) {
                let raws: Vec<Raw> = (0..count).map(|index| Raw::new(index * 12_345, index as u32 % 29)).collect();
                let raws = Walled::new(&raws);
                let decimals: Vec<_> =
                    raws.iter().map(|raw| rust_decimal::Decimal::new(raw.mantissa() as i64, raw.scale)).collect();
                let decimals = Walled::new(&decimals);
                let mut octets = vec![0; 6 * raws.len()];
                let written = amqp_decimal::naive::encode_into(&raws, params, &mut octets).expect("small values");
                octets.truncate(written);
                for path in Path::available() {
                    let mut out = Walled::new(&vec![0; octets.len()]);
                    let written = amqp_decimal::encode_into_with(path, &raws, params, &mut out);
                    assert_eq!((written, &out[..]), (Ok(octets.len()), &octets[..]), "{path:?} {params:?}");
                    let mut out = Walled::new(&vec![0; octets.len()]);
                    let written = amqp_decimal::encode_into_with(path, &decimals, params, &mut out);
                    assert_eq!((written, &out[..]), (Ok(octets.len()), &octets[..]), "{path:?} {params:?}");
                    let mut read = Walled::new(&vec![Raw::default(); raws.len()]);
                    let consumed = amqp_decimal::decode_into_with(path, &out, params, &mut read);
                    assert_eq!((consumed, &read[..]), (Ok(octets.len()), &raws[..]), "{path:?} {params:?}");
                    let mut read = Walled::new(&vec![rust_decimal::Decimal::ZERO; raws.len()]);
                    let consumed = amqp_decimal::decode_into_with(path, &out, params, &mut read);
                    assert_eq!((consumed, &read[..]), (Ok(octets.len()), &decimals[..]), "{path:?} {params:?}");
                }
            }
        }
    }
}
