//! Planted bugs of Parquet DECIMAL: signs, widths, byte order, borders, rounding, silent narrowing, stale bytes.

use super::subjects::order_by;
use super::{Decimal, Form, Number, Params, Values};
use crate::case::Direction::{Decode, Encode};
use crate::codec::decimal::order::compare;
use crate::codec::decimal::{I256, Physical, PrecisionCheck, Rounding};
use crate::error::EncodeError;
use crate::subject::Answer;
use crate::subject::museum::{Exhibit, Tampered};
use core::cmp::Ordering;
use rust_decimal::RoundingStrategy;

type Bug = Tampered<Decimal>;
type Stale = Tampered<Decimal, Vec<u8>>;

/// Bytes of a value of a fixed-length column.
fn width(params: &Params) -> Option<usize> {
    match params.physical {
        Physical::Fixed(width) => Some(width as usize),
        _ => None,
    }
}

/// Calls `change` with every value of a fixed-length page.
fn each_fixed(params: &Params, bytes: &mut [u8], change: impl Fn(&mut [u8])) {
    if let Some(width) = width(params).filter(|width| *width > 0) {
        bytes.chunks_exact_mut(width).for_each(change);
    }
}

/// Replaces the numbers for which `change` has another one.
fn replace(values: &mut Values, change: impl Fn(&Number) -> Option<Number>) {
    for at in 0..values.len() {
        if let Some(number) = change(&values.get(at)) {
            values.set(at, &number);
        }
    }
}

fn whole(value: i128) -> Number {
    Number::Whole(I256::from_i128(value))
}

/// As a 128-bit integer, when it is one.
fn narrow(number: &Number) -> Option<i128> {
    match number {
        Number::Whole(value) => Some(number.low_i128()).filter(|low| I256::from_i128(*low) == *value),
        _ => None,
    }
}

/// Every planted bug.
pub(super) fn exhibits() -> Vec<Exhibit<Decimal>> {
    let mut all = writers();
    all.extend(readers());
    all.extend(statistics());
    all
}

/// The order of bytes that stand for numbers is not the order of bytes.
fn statistics() -> Vec<Exhibit<Decimal>> {
    vec![
        Exhibit::new(
            "arrow-rs-1532",
            "https://github.com/apache/arrow-rs/issues/1532",
            "fixed-length values are compared as unsigned bytes: negative ones come out on top",
            Encode,
            || {
                Bug::new()
                    .order(|params, bytes, order| {
                        if width(params).is_some() {
                            order_by(params, bytes, order, <[u8]>::cmp);
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-rs-11073",
            "https://github.com/apache/arrow-rs/issues/11073",
            "values of unequal lengths are compared from their first byte on, unsigned",
            Decode,
            || {
                Bug::new()
                    .order(|params, bytes, order| {
                        if params.physical == Physical::ByteArray {
                            order_by(params, bytes, order, <[u8]>::cmp);
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-42906",
            "https://github.com/apache/arrow/issues/42906",
            "every byte is compared as a signed one, where only the first has a sign",
            Encode,
            || {
                Bug::new()
                    .order(|params, bytes, order| {
                        if width(params) == Some(16) {
                            order_by(params, bytes, order, |a, b| {
                                a.iter().map(|byte| *byte as i8).cmp(b.iter().map(|byte| *byte as i8))
                            });
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-rs-5075",
            "https://github.com/apache/arrow-rs/issues/5075",
            "bounds are cut to a prefix, as those of text are",
            Decode,
            || {
                Bug::new()
                    .order(|params, bytes, order| {
                        if width(params).is_some_and(|width| width > 8) {
                            order_by(params, bytes, order, |a, b| compare(params.physical, &a[..8], &b[..8]));
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "duckdb-10183",
            "https://github.com/duckdb/duckdb/pull/10183",
            "surplus sign bytes make a value longer, and a longer value lies further from zero",
            Decode,
            || {
                Bug::new()
                    .order(|params, bytes, order| {
                        if params.physical == Physical::ByteArray {
                            order_by(params, bytes, order, |a, b| match a.len().cmp(&b.len()) {
                                Ordering::Equal => compare(params.physical, a, b),
                                longer if a[0] < 0x80 && b[0] < 0x80 => longer,
                                longer if a[0] >= 0x80 && b[0] >= 0x80 => longer.reverse(),
                                _ => compare(params.physical, a, b),
                            });
                        }
                    })
                    .boxed()
            },
        ),
    ]
}

fn writers() -> Vec<Exhibit<Decimal>> {
    vec![
        Exhibit::new(
            "num-bigint-72",
            "https://github.com/rust-num/num-bigint/pull/72",
            "2^(8k-1) loses its leading zero octet, and the fill takes it for a negative number",
            Encode,
            || {
                Bug::new()
                    .written(|(), mut call| {
                        let params = call.params;
                        let Some(bytes) = call.bytes() else { return };
                        each_fixed(params, bytes, |value| {
                            let first = value.iter().position(|byte| *byte != 0).unwrap_or(0);
                            if first > 0 && value[first] == 0x80 && value[first + 1..].iter().all(|byte| *byte == 0) {
                                value[..first].fill(0xff);
                            }
                        });
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow2-1412",
            "https://github.com/jorgecarleitao/arrow2/pull/1412",
            "values wider than 16 octets are written least significant octet first",
            Encode,
            || {
                Bug::new()
                    .written(|(), mut call| {
                        let params = call.params;
                        if width(params).is_some_and(|width| width > 16) {
                            call.bytes().into_iter().for_each(|bytes| each_fixed(params, bytes, <[u8]>::reverse));
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "nanoarrow-732",
            "https://github.com/apache/arrow-nanoarrow/pull/732",
            "INT64 is written from the halves of the word in the other order",
            Encode,
            || {
                Bug::new()
                    .written(|(), mut call| {
                        if call.params.physical == Physical::Int64 {
                            call.bytes()
                                .into_iter()
                                .flat_map(|bytes| bytes.chunks_exact_mut(8))
                                .for_each(|word| word.rotate_left(4));
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-go-1122",
            "https://github.com/apache/arrow-go/pull/1122",
            "a value beyond INT32 is cut to its low 32 bits instead of being refused",
            Encode,
            || {
                Bug::new()
                    .values(|(), params, values| {
                        if params.physical == Physical::Int32 {
                            replace(values, |number| narrow(number).map(|value| whole((value as i32).into())));
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-rs-3223",
            "https://github.com/apache/arrow-rs/issues/3223",
            "10^p is taken for a number of p digits, and written as the largest one",
            Encode,
            || {
                Bug::new()
                    .values(|(), params, values| {
                        if let Some(limit) = 10i128.checked_pow(params.precision) {
                            replace(values, |number| {
                                narrow(number).filter(|value| *value == limit).map(|value| whole(value - 1))
                            });
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "parquet-dotnet-732",
            "https://github.com/aloneguid/parquet-dotnet/issues/732",
            "with the precision check off, octets that do not fit the width are dropped",
            Encode,
            || {
                Bug::new()
                    .values(|(), params, values| {
                        let skipped = params.options.precision_check == PrecisionCheck::Skip;
                        if let Some(width) = width(params).filter(|width| skipped && (1..16).contains(width)) {
                            let unused = 128 - 8 * width as u32;
                            replace(values, |number| narrow(number).map(|value| whole(value << unused >> unused)));
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "parquet-dotnet-503",
            "https://github.com/aloneguid/parquet-dotnet/issues/503",
            "a column whose scale equals its precision is refused",
            Encode,
            || {
                Bug::new()
                    .written(|(), mut call| {
                        if call.params.scale == call.params.precision && call.bytes().is_some() {
                            call.out.fill(0);
                            *call.answer = Answer::Error(EncodeError::InvalidDecimalColumn {
                                precision: call.params.precision,
                                scale: call.params.scale,
                                max_precision: Some(call.params.precision.into()),
                            });
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-rs-9410",
            "https://github.com/apache/arrow-rs/issues/9410",
            "half-even rounds halves away from zero",
            Encode,
            || {
                Bug::new()
                    .values(|(), params, values| {
                        if params.options.rounding == Rounding::HalfEven {
                            replace(values, |number| match number {
                                Number::Scaled(value) => Some(Number::Scaled(
                                    value.round_dp_with_strategy(params.scale, RoundingStrategy::MidpointAwayFromZero),
                                )),
                                _ => None,
                            });
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-50641",
            "https://github.com/apache/arrow/issues/50641",
            "rounding toward zero rounds down",
            Encode,
            || {
                Bug::new()
                    .values(|(), params, values| {
                        if params.options.rounding == Rounding::TowardZero {
                            replace(values, |number| match number {
                                Number::Scaled(value) => Some(Number::Scaled(
                                    value.round_dp_with_strategy(params.scale, RoundingStrategy::ToNegativeInfinity),
                                )),
                                _ => None,
                            });
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "rust-decimal-244",
            "https://github.com/paupino/rust-decimal/pull/244",
            "the smallest i128 is negated without a check and written as zero",
            Encode,
            || {
                Bug::new()
                    .values(|(), _, values| {
                        replace(values, |number| narrow(number).filter(|value| *value == i128::MIN).map(|_| whole(0)));
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "delta-3233",
            "https://github.com/delta-io/delta/pull/3233",
            "the room that is asked for is one octet short at precisions 7, 12, 17 and 19",
            Encode,
            || {
                Bug::new()
                    .length(|params, values, answer| {
                        if let Answer::Done(length) = answer
                            && [7, 12, 17, 19].contains(&params.precision)
                            && !values.is_empty()
                        {
                            *length -= 1;
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "iceberg-17002",
            "https://github.com/apache/iceberg/pull/17002",
            "values are laid into a 16-octet buffer whatever the width: what stands behind the column is cleared",
            Encode,
            || {
                Bug::new()
                    .written(|(), mut call| {
                        let narrow = width(call.params).is_some_and(|width| width < 16);
                        if let Some(written) = call.bytes().map(|bytes| bytes.len()).filter(|_| narrow) {
                            let end = call.out.len().min(written + 16);
                            call.out[written..end].fill(0);
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-rs-1722",
            "https://github.com/apache/arrow-rs/pull/1722",
            "only the low 8 octets of a value of 9 to 16 are written; the others are what the buffer held before",
            Encode,
            || {
                Stale::new()
                    .written(|before, mut call| {
                        let params = call.params;
                        let Some(bytes) = call.bytes() else { return };
                        let right = bytes.to_vec();
                        if let Some(width) = width(params).filter(|width| (9..=16).contains(width)) {
                            for (at, byte) in bytes.iter_mut().enumerate().filter(|(at, _)| at % width < width - 8) {
                                *byte = before.get(at).copied().unwrap_or(*byte);
                            }
                        }
                        *before = right;
                    })
                    .boxed()
            },
        ),
    ]
}

fn readers() -> Vec<Exhibit<Decimal>> {
    vec![
        Exhibit::new(
            "arrow2-679",
            "https://github.com/jorgecarleitao/arrow2/pull/679",
            "fixed-length values of fewer than 16 octets are widened with zeros",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if let Some(width) = width(call.params).filter(|width| (1..16).contains(width))
                            && call.params.form == Form::I128
                        {
                            let mask = (1i128 << (8 * width)) - 1;
                            replace(call.values, |number| Some(whole(number.low_i128() & mask)));
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-go-711",
            "https://github.com/apache/arrow-go/pull/711",
            "the partial word of a 256-bit value is filled with ones when the value is negative",
            Decode,
            || {
                Bug::new()
                    .bytes(|(), params, bytes| {
                        if params.form == Form::I256 {
                            each_fixed(params, bytes, |value| {
                                let partial = value.len() % 8;
                                if value.len() > 8 && value[0] >= 0x80 {
                                    value[..partial].fill(0xff);
                                }
                            });
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "trino-9971",
            "https://github.com/trinodb/trino/pull/9971",
            "surplus leading octets of a 64-bit decimal are not looked at",
            Decode,
            || {
                Bug::new()
                    .bytes(|(), params, bytes| {
                        if params.form == Form::I64 {
                            each_fixed(params, bytes, |value| {
                                if value.len() > 8 {
                                    let surplus = value.len() - 8;
                                    let sign = if value[surplus] >= 0x80 { 0xff } else { 0 };
                                    value[..surplus].fill(sign);
                                }
                            });
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "fastparquet-417",
            "https://github.com/dask/fastparquet/issues/417",
            "trailing zero octets of a fixed-length value are dropped as if it were text",
            Decode,
            || {
                Bug::new()
                    .bytes(|(), params, bytes| {
                        each_fixed(params, bytes, |value| {
                            if value.last() == Some(&0) {
                                value.rotate_right(1);
                            }
                        });
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "hyparquet-115",
            "https://github.com/hyparam/hyparquet/issues/115",
            "octets are added up in a double, which has 53 bits",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        replace(call.values, |number| narrow(number).map(|value| whole(value as f64 as i128)));
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "duckdb-23567",
            "https://github.com/duckdb/duckdb/pull/23567",
            "a value of no octets is read as zero instead of being refused",
            Decode,
            || {
                Bug::new()
                    .bytes(|(), params, bytes| {
                        if params.physical == Physical::ByteArray && bytes.starts_with(&[0; 4]) {
                            bytes.splice(..4, [1, 0, 0, 0, 0]);
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "xitongsys-433",
            "https://github.com/xitongsys/parquet-go/pull/433",
            "a BYTE_ARRAY value is taken for a magnitude",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if call.params.physical == Physical::ByteArray && call.params.form == Form::I64 {
                            replace(call.values, |number| {
                                narrow(number).filter(|value| (-128..0).contains(value)).map(|value| whole(value + 256))
                            });
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "parquet-dotnet-old-275",
            "https://github.com/elastacloud/parquet-dotnet/issues/275",
            "what the right writer wrote is read without its sign",
            Encode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if call.params.physical == Physical::ByteArray {
                            replace(call.values, |number| narrow(number).and_then(i128::checked_abs).map(whole));
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "trino-18271",
            "https://github.com/trinodb/trino/issues/18271",
            "an INT64 column of more than 16 digits is refused",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if call.params.physical == Physical::Int64 && call.params.precision > 16 {
                            *call.answer = Answer::Refused("precision is too large".into());
                        }
                    })
                    .boxed()
            },
        ),
    ]
}
