//! Naive and fast write the same bytes, or refuse with the same error: every width, precision, input type and path.

use num_bigint::BigInt;

use super::samples::{Random, SKIP, borders, columns, fitting};
use crate::codec::Path;
use crate::codec::decimal::{Column, ColumnOptions, I256, Values, fast, naive};

/// Both twins on one input; the fast one on every path.
fn agree(values: Values<'_>, column: &Column, options: ColumnOptions) {
    let expected = naive::encode(values, column, options);
    assert_eq!(fast::encode(values, column, options), expected, "{column}, {options:?}, {values:?}");
    let len = fast::encoded_len(values, column, options);
    assert_eq!(len, naive::encoded_len(values, column, options), "{column}, {options:?}, {values:?}");
    let room = len.unwrap_or(0);
    for path in Path::available() {
        let mut out = vec![0xa5; room + 70];
        let written = fast::encode_into_with(path, values, column, options, &mut out);
        match &expected {
            Ok(bytes) => {
                assert_eq!(written, Ok(bytes.len()), "{column}, {}", path.name());
                assert!(out.starts_with(bytes), "{column}, {}, {values:?}", path.name());
            }
            Err(error) => {
                assert_eq!(written, Err(*error), "{column}, {}, {values:?}", path.name());
                assert!(out[..room].iter().all(|b| *b == 0xa5 || *b == 0), "{column}: encoded bytes were left");
            }
        }
        assert!(out[room..].iter().all(|byte| *byte == 0xa5), "{column}, {}: past the end", path.name());
    }
}

/// Whole columns of acceptable values of many lengths, then each refused value alone at a random place among them.
fn sweep<T: Copy>(values: &[T], column: &Column, wrap: fn(&[T]) -> Values<'_>) {
    let mut random = Random(7 + u64::from(column.precision()));
    for options in [ColumnOptions::default(), SKIP] {
        let (good, bad): (Vec<T>, Vec<T>) = values
            .iter()
            .partition(|value| naive::encode(wrap(core::slice::from_ref(*value)), column, options).is_ok());
        agree(wrap(&good), column, options);
        for len in [0, 1, 2, 3, 5, 8, 13, 31, 67] {
            let some: Vec<T> = (0..len).map(|_| good[random.below(good.len())]).collect();
            agree(wrap(&some), column, options);
        }
        for value in bad {
            let mut some: Vec<T> = (0..20).map(|_| good[random.below(good.len())]).collect();
            some[random.below(20)] = value;
            agree(wrap(&some[..]), column, options);
        }
    }
}

fn samples() -> Vec<I256> {
    let mut random = Random(1);
    let mut found = borders();
    found.extend((0..200).map(|_| random.i256()));
    found
}

/// The smallest and the largest precision of every type get a fifth of the samples, every other precision fewer: which
/// ones turns with the precision. All get 0 and its neighbours.
fn sweep_all<T: Copy>(narrow: fn(I256) -> Option<T>, wrap: fn(&[T]) -> Values<'_>) {
    let samples = samples();
    let turn = |column: &Column, step: usize| -> Vec<T> {
        let first = column.precision() as usize % step;
        let near_zero = samples.iter().filter(|v| v.to_i128().is_some_and(|v| (-1..=1).contains(&v)));
        fitting(samples.iter().skip(first).step_by(step).chain(near_zero), narrow)
    };
    columns(false).iter().for_each(|column| sweep(&turn(column, 5), column, wrap));
    columns(true).iter().for_each(|column| sweep(&turn(column, 53), column, wrap));
}

#[test]
fn columns_of_i32_agree() {
    sweep_all(|v| i32::try_from(v.to_i128()?).ok(), |v| Values::I32(v));
}

#[test]
fn columns_of_i64_agree() {
    sweep_all(|v| i64::try_from(v.to_i128()?).ok(), |v| Values::I64(v));
}

#[test]
fn columns_of_i128_agree() {
    sweep_all(I256::to_i128, |v| Values::I128(v));
}

#[test]
fn columns_of_i256_agree() {
    sweep_all(Some, |v| Values::I256(v));
}

#[test]
fn every_precision_is_held_against_the_same_limit_by_both_twins() {
    for column in columns(true) {
        let limit = BigInt::from(10).pow(column.precision());
        for value in [&limit - 1, limit.clone(), &limit + 1] {
            for value in [value.clone(), -value] {
                agree(Values::BigInt(core::slice::from_ref(&value)), &column, ColumnOptions::default());
                if let Ok(narrow) = I256::try_from(&value) {
                    agree(Values::I256(&[narrow]), &column, ColumnOptions::default());
                }
                if let Ok(narrow) = i128::try_from(&value) {
                    agree(Values::I128(&[narrow]), &column, ColumnOptions::default());
                }
                if let Ok(narrow) = i64::try_from(&value) {
                    agree(Values::I64(&[narrow]), &column, ColumnOptions::default());
                }
            }
        }
    }
}

#[test]
fn columns_of_big_integers_agree() {
    let narrow = samples();
    let mut values: Vec<BigInt> = narrow.iter().step_by(3).map(|v| BigInt::from(*v)).collect();
    for bits in [256, 263, 264, 265, 319, 320, 321, 4095, 4096] {
        let power: BigInt = BigInt::from(1) << bits;
        values.extend([&power - 1, power.clone(), -&power, -&power - 1]);
    }
    for column in columns(false) {
        for options in [ColumnOptions::default(), SKIP] {
            let (good, bad): (Vec<BigInt>, Vec<BigInt>) = values
                .iter()
                .cloned()
                .partition(|value| naive::encode(core::slice::from_ref(value), &column, options).is_ok());
            agree(Values::BigInt(&good), &column, options);
            for (i, value) in bad.into_iter().enumerate() {
                let mut some: Vec<BigInt> = good.iter().cycle().skip(i).take(5).cloned().collect();
                some[i % 5] = value;
                agree(Values::BigInt(&some), &column, options);
            }
        }
    }
}
