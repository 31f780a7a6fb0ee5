//! Planted bugs of DELTA_BINARY_PACKED: overflow, widths, state kept over pages, junk that is believed, the end.

use super::{DeltaBinaryPacked, Kind, Values};
use crate::case::Direction::{Decode, Encode};
use crate::case::{Domain, Step};
use crate::error::DecodeError;
use crate::subject::Answer;
use crate::subject::museum::{Exhibit, Tampered};

type Bug = Tampered<DeltaBinaryPacked>;

/// Where a number behind the header ends: the header has four.
fn header_end(bytes: &[u8]) -> Option<usize> {
    let mut ends = bytes.iter().enumerate().filter(|(_, byte)| **byte < 0x80).map(|(at, _)| at + 1);
    ends.nth(3)
}

/// How many values there are.
fn count(values: &Values) -> usize {
    DeltaBinaryPacked::count(values)
}

/// Every planted bug.
pub(super) fn exhibits() -> Vec<Exhibit<DeltaBinaryPacked>> {
    let mut all = writers();
    all.extend(readers());
    all
}

fn writers() -> Vec<Exhibit<DeltaBinaryPacked>> {
    vec![
        Exhibit::new(
            "parquet-dotnet-389",
            "https://github.com/aloneguid/parquet-dotnet/issues/389",
            "a delta that wraps is taken for its neighbour",
            Encode,
            || {
                Bug::new()
                    .values(|(), params, values| {
                        let wide = values.wide();
                        let wraps = |pair: &[i64]| match params.kind {
                            Kind::I32 => (pair[1] as i32).checked_sub(pair[0] as i32).is_none(),
                            Kind::I64 => pair[1].checked_sub(pair[0]).is_none(),
                        };
                        if let Some(at) = wide.windows(2).position(wraps) {
                            let changed =
                                wide.iter().enumerate().map(|(n, value)| if n == at + 1 { value ^ 1 } else { *value });
                            *values = Values::of(params.kind, changed.collect::<Vec<_>>());
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-rs-1416",
            "https://github.com/apache/arrow-rs/issues/1416",
            "width octets of miniblocks without values are what the last page left there",
            Encode,
            || {
                Tampered::<DeltaBinaryPacked, bool>::new()
                    .written(|used, mut call| {
                        let Some(bytes) = call.bytes() else { return };
                        let small = bytes.len() < 30 && bytes.starts_with(&[0x80, 0x01, 0x04]);
                        if let Some(end) = header_end(bytes).filter(|_| small && *used) {
                            // The last of four widths behind a minimum of one octet.
                            if let Some(width) = bytes.get_mut(end + 4) {
                                *width = 7;
                            }
                        }
                        *used = bytes.len() > 30;
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-14959",
            "https://github.com/apache/arrow/pull/14959",
            "the first value of the page before is written again",
            Encode,
            || {
                Tampered::<DeltaBinaryPacked, Option<i64>>::new()
                    .values(|before, params, values| {
                        let mut wide = values.wide();
                        let first = wide.first().copied();
                        if let (Some(place), Some(before)) = (wide.first_mut(), *before) {
                            *place = before;
                        }
                        *before = first;
                        *values = Values::of(params.kind, wide);
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "cudf-15075",
            "https://github.com/NVIDIA/cudf/pull/15075",
            "the last value of a page is lost when the page holds one block and one value",
            Encode,
            || {
                Bug::new()
                    .values(|(), params, values| {
                        let mut wide = values.wide();
                        if wide.len() == 129 {
                            wide[128] = wide[127];
                            *values = Values::of(params.kind, wide);
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "questdb-7212",
            "https://github.com/questdb/questdb/pull/7212",
            "no values give no octets at all instead of a header",
            Encode,
            || {
                Bug::new()
                    .written(|(), call| {
                        if count(call.values) == 0
                            && let Answer::Done(written) = call.answer
                        {
                            *written = 0;
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "parquet-dotnet-486-puts",
            "https://github.com/aloneguid/parquet-dotnet/issues/486",
            "a put that does not fill a miniblock moves what follows by one",
            Encode,
            || {
                Bug::new()
                    .written(|(), mut call| {
                        let broken = call.puts.first().is_some_and(|put| put % 32 != 0 && *put > 1);
                        if let Some(last) = call.bytes().and_then(<[u8]>::last_mut).filter(|_| broken) {
                            *last ^= 1;
                        }
                    })
                    .boxed()
            },
        ),
    ]
}

fn readers() -> Vec<Exhibit<DeltaBinaryPacked>> {
    vec![
        Exhibit::new(
            "spark-56543",
            "https://github.com/apache/spark/pull/56543",
            "sums of INT32 saturate instead of wrapping",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if let Values::I32(list) = call.values {
                            for at in 1..list.len() {
                                let delta = i64::from(list[at]) - i64::from(list[at - 1]);
                                if delta.unsigned_abs() > 1 << 31 {
                                    list[at] = if delta < 0 { i32::MAX } else { i32::MIN };
                                }
                            }
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "clickhouse-91929",
            "https://github.com/ClickHouse/ClickHouse/pull/91929",
            "a page of equal values is refused: at least one bit is expected of each",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if let Answer::Done(consumed) = *call.answer {
                            let needed = count(call.values) / 8;
                            if consumed < needed {
                                *call.answer = Answer::Error(DecodeError::UnexpectedEnd {
                                    offset: 0,
                                    needed,
                                    available: consumed,
                                });
                            }
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "parquet-rs-37",
            "https://github.com/sunchao/parquet-rs/pull/37",
            "the padding of the last miniblock is left to whoever reads on",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        let partly = count(call.values) % 32 > 1;
                        if let Answer::Done(consumed) = call.answer {
                            // Only a width above 0 has padding.
                            if partly && *consumed > 12 {
                                *consumed -= 1;
                            }
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-rs-1417",
            "https://github.com/apache/arrow-rs/issues/1417",
            "widths of miniblocks without values are believed: a wide one is refused",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        let few = count(call.values) < 30;
                        if let (Some(end), Answer::Done(consumed)) = (header_end(call.bytes), call.answer.clone()) {
                            let widths = call.bytes.get(end + 1..end + 5).unwrap_or(&[]);
                            if few
                                && consumed > end
                                && call.bytes.starts_with(&[0x80, 0x01, 0x04])
                                && widths.iter().any(|w| *w > 64)
                            {
                                *call.answer = Answer::Refused("bit width".into());
                            }
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-38399",
            "https://github.com/apache/arrow/issues/38399",
            "the first value of a page after the first is taken for a delta",
            Decode,
            || {
                Tampered::<DeltaBinaryPacked, i64>::new()
                    .read(|before, call| {
                        let mut wide = call.values.wide();
                        let last = wide.last().copied();
                        if let Some(first) = wide.first_mut() {
                            *first = first.wrapping_add(*before);
                        }
                        *before = last.unwrap_or(0);
                        *call.values = Values::of(call.params.kind, wide);
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-15124",
            "https://github.com/apache/arrow/pull/15124",
            "after a skip the value before it is given once more",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if let [Step::Skip(1..), ..] = call.steps {
                            let mut wide = call.values.wide();
                            if let Some(first) = wide.first_mut() {
                                *first = first.wrapping_add(1);
                            }
                            *call.values = Values::of(call.params.kind, wide);
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-49627",
            "https://github.com/apache/arrow/pull/49627",
            "a page that ends early gives the values that are there, without an error",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if let Answer::Error(DecodeError::UnexpectedEnd { offset, .. }) = *call.answer {
                            *call.answer = Answer::Done(offset);
                        }
                    })
                    .boxed()
            },
        ),
    ]
}
