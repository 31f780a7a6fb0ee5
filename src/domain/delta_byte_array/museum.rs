//! Planted bugs of DELTA_BYTE_ARRAY: the previous value, kept where it must go and lost where it must stay.

use super::DeltaByteArray;
use crate::case::Direction::{Decode, Encode};
use crate::case::Step;
use crate::domain::byte_strings::{Form, Strings};
use crate::error::DecodeError;
use crate::subject::Answer;
use crate::subject::museum::{Exhibit, Tampered};

type Bug = Tampered<DeltaByteArray>;
type Keeping = Tampered<DeltaByteArray, Vec<u8>>;

/// The same column with another first value.
fn with_first(values: &Strings, first: &[u8]) -> Strings {
    std::iter::once(first).chain(values.iter().skip(1)).collect()
}

/// The last value of a column.
fn last(values: &Strings) -> Vec<u8> {
    values.iter().next_back().map(<[u8]>::to_vec).unwrap_or_default()
}

/// Every planted bug.
pub(super) fn exhibits() -> Vec<Exhibit<DeltaByteArray>> {
    vec![
        Exhibit::new(
            "parquet-java-1782",
            "https://github.com/apache/parquet-java/issues/1782",
            "the first value of a page leaves out what it shares with the last one of the page before",
            Encode,
            || {
                Keeping::new()
                    .values(|before, params, values| {
                        let kept = last(values);
                        let first = values.iter().next().unwrap_or_default();
                        let shared = first.iter().zip(before.iter()).take_while(|(a, b)| a == b).count();
                        if shared > 0 && params.form.width().is_none() {
                            *values = with_first(values, &first[shared..]);
                        }
                        *before = kept;
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-13522",
            "https://github.com/apache/arrow/pull/13522",
            "the size is asked of the outer sink, which stays empty until the end",
            Encode,
            || {
                Bug::new()
                    .length(|_, values, answer| {
                        if let Answer::Done(length) = answer
                            && values.len() > 100
                        {
                            *length = 0;
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "parquet-java-3465",
            "https://github.com/apache/parquet-java/pull/3465",
            "a value that comes in a put of its own is compared with a buffer that it shares",
            Encode,
            || {
                Bug::new()
                    .written(|(), mut call| {
                        let (puts, count) = (call.puts, call.values.len());
                        if let Some(last) = call.bytes().and_then(<[u8]>::last_mut)
                            && puts.first() == Some(&1)
                            && count > 1
                        {
                            *last ^= 0x20;
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-go-1014",
            "https://github.com/apache/arrow-go/pull/1014",
            "the last value of a page is kept: the first one of the next begins with its first octet",
            Decode,
            || {
                Keeping::new()
                    .read(|before, call| {
                        if !matches!(call.answer, Answer::Done(_)) {
                            return;
                        }
                        let kept = last(call.values);
                        let first = call.values.iter().next().map(<[u8]>::to_vec);
                        if let (Some(octet), Some(first)) = (before.first(), first) {
                            *call.values = with_first(call.values, &[&[*octet], &first[..]].concat());
                        }
                        *before = kept;
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "paimon-9275",
            "https://github.com/apache/paimon/pull/9275",
            "the previous value is a view into a buffer that is zeroed when an odd number of values is skipped",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if let ([Step::Skip(count), ..], Answer::Done(_)) = (call.steps, &*call.answer) {
                            let first = call.values.iter().next().map(<[u8]>::to_vec).unwrap_or_default();
                            if count % 2 == 1 && !first.is_empty() {
                                *call.values = with_first(call.values, &[&[0], &first[1..]].concat());
                            }
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "parquet-java-366",
            "https://github.com/apache/parquet-java/pull/366",
            "skipping two or more values does not rebuild the previous one",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if let ([Step::Skip(2..), ..], Answer::Done(_)) = (call.steps, &*call.answer) {
                            let first = call.values.iter().next().unwrap_or_default();
                            if first.len() > 1 {
                                *call.values = with_first(call.values, &first[1..]);
                            }
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-rs-9796",
            "https://github.com/apache/arrow-rs/issues/9796",
            "a prefix longer than the previous value is an index: the decoder panics",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if let Answer::Error(DecodeError::PrefixOutOfRange { .. }) = call.answer {
                            panic!("range end index out of range for slice");
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "duckdb-20270",
            "https://github.com/duckdb/duckdb/pull/20270",
            "fixed-length columns are refused",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if let Form::Fixed(_) = call.params.form {
                            *call.answer = Answer::Refused("unsupported".into());
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "xitongsys-265",
            "https://github.com/xitongsys/parquet-go/issues/265",
            "the reader stops where the suffix lengths end when there is something behind the page",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if let Answer::Done(consumed) = call.answer
                            && *consumed < call.bytes.len()
                        {
                            *consumed -= 1;
                        }
                    })
                    .boxed()
            },
        ),
    ]
}
