//! Decimals and integers are encoded without allocation: every path, every form of values, taken and refused.
//! The other codecs have a file each.

#![cfg(feature = "harness")]

#[path = "../benches/harness/allocations.rs"]
mod allocations;

use bytetwin::EncodeError;
use bytetwin::case::{Case, Job};
use bytetwin::codec::path::Path;
use bytetwin::codec::{decimal, delta_binary_packed};
use bytetwin::domain;

/// Whether it was written. Fails when it allocated.
fn without_allocation(what: &str, encode: impl FnOnce() -> Result<usize, EncodeError>) -> bool {
    let mut result = Ok(0);
    let allocations = allocations::during(|| result = encode());
    assert_eq!(allocations, 0, "{what}: {result:?}");
    result.is_ok()
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations::during(|| drop(std::hint::black_box(vec![1u8; 100]))), 1);
    assert_eq!(allocations::during(|| ()), 0);
}

#[test]
fn decimal_columns_are_encoded_without_allocation() {
    let mut source = fastrand::Rng::with_seed(1);
    let mut case = Case::<domain::decimal::Decimal>::empty_encode();
    let mut out = vec![0; 1 << 20];
    let (mut written, mut refused) = (0, 0);
    for _ in 0..20_000 {
        case.draw(&mut source);
        let (Ok(column), Job::Encode { values, .. }) = (case.params.column(), &case.job) else { continue };
        let options = case.params.options;
        for path in Path::available() {
            let encode = || decimal::encode_into_with(path, values.borrowed(), &column, options, &mut out);
            if without_allocation(&format!("{}: {case:?}", path.name()), encode) { written += 1 } else { refused += 1 }
        }
        let encode = || decimal::encode_into(values.borrowed(), &column, options, &mut out);
        without_allocation("the best path", encode);
        let length = || decimal::encoded_len(values.borrowed(), &column, options);
        without_allocation("the length", length);
        if let domain::decimal::Values::I128(values) = values {
            let limits = decimal::Limits::new(&column, options);
            for value in values {
                without_allocation("one value", || limits.encode_one(*value, &mut out));
            }
        }
    }
    assert!(written > 10_000 && refused > 1000, "{written} written, {refused} refused");
}

#[test]
fn one_decimal_of_any_size_is_written_without_allocation() {
    let mut out = [0; 64];
    for precision in [1u32, 9, 18, 38, 39, 76, 77, 120] {
        let largest: num_bigint::BigInt = num_bigint::BigInt::from(10).pow(precision) - 1;
        for unscaled in [largest.clone(), -largest, num_bigint::BigInt::ZERO] {
            let number = decimal::Decimal::new(unscaled, precision, 0).expect("within its precision");
            assert!(without_allocation("a decimal", || number.write_bytes(&mut out)), "{precision}");
        }
    }
}

#[test]
fn delta_binary_packed_columns_are_encoded_without_allocation() {
    let mut source = fastrand::Rng::with_seed(1);
    let mut out = vec![0; 1 << 20];
    for (block, miniblocks) in [(128, 4), (128, 1), (256, 8), (1024, 32)] {
        let geometry = delta_binary_packed::Geometry::new(block, miniblocks).expect("legal");
        for count in [0, 1, 2, 31, 32, 33, 128, 129, 130, 1000, 5000] {
            for shift in [0, 20, 40, 63] {
                let longs: Vec<i64> = (0..count).map(|_| source.i64(..) >> shift).collect();
                let ints: Vec<i32> = longs.iter().map(|value| *value as i32).collect();
                for path in Path::available() {
                    let what = format!("{} {geometry:?} {count}", path.name());
                    let encode = || delta_binary_packed::encode_into_with(path, &longs[..], geometry, &mut out);
                    assert!(without_allocation(&what, encode));
                    let encode = || delta_binary_packed::encode_into_with(path, &ints[..], geometry, &mut out);
                    assert!(without_allocation(&what, encode));
                }
            }
        }
    }
}
