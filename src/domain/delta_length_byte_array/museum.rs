//! Planted bugs of DELTA_LENGTH_BYTE_ARRAY: lengths that are believed, ends that are not where they should be.

use super::DeltaLengthByteArray;
use crate::case::Direction::{Decode, Encode};
use crate::case::Step;
use crate::domain::byte_strings::Strings;
use crate::error::DecodeError;
use crate::subject::Answer;
use crate::subject::museum::{Exhibit, Tampered};

type Bug = Tampered<DeltaLengthByteArray>;

/// Every planted bug.
pub(super) fn exhibits() -> Vec<Exhibit<DeltaLengthByteArray>> {
    vec![
        Exhibit::new(
            "arrow-13522",
            "https://github.com/apache/arrow/pull/13522",
            "the size is asked of the lengths alone; the bytes behind them are forgotten",
            Encode,
            || {
                Bug::new()
                    .length(|_, values, answer| {
                        if let Answer::Done(length) = answer {
                            *length -= values.data.len().min(*length);
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-36318",
            "https://github.com/apache/arrow/issues/36318",
            "one length too few is read when the last value is empty",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        let read = matches!(call.answer, Answer::Done(_));
                        if read && call.values.iter().next_back().is_some_and(<[u8]>::is_empty) {
                            call.values.offsets.pop();
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "arrow-go-1013",
            "https://github.com/apache/arrow-go/pull/1013",
            "a negative length is an index: the decoder panics",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if let Answer::Error(DecodeError::NegativeLength { .. }) = call.answer {
                            panic!("slice bounds out of range");
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "paimon-9570",
            "https://github.com/apache/paimon/issues/9570",
            "skipping in a truncated page reports nothing",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        let skips = call.steps.iter().any(|step| matches!(step, Step::Skip(1..)));
                        if skips && matches!(call.answer, Answer::Error(DecodeError::UnexpectedEnd { .. })) {
                            *call.answer = Answer::Done(call.bytes.len());
                        }
                    })
                    .boxed()
            },
        ),
        Exhibit::new(
            "duckdb-6412",
            "https://github.com/duckdb/duckdb/pull/6412",
            "the sum of the lengths is not compared with the bytes that remain",
            Decode,
            || {
                Bug::new()
                    .read(|(), call| {
                        if let Answer::Error(DecodeError::UnexpectedEnd { needed: 17.., .. }) = call.answer {
                            *call.answer = Answer::Done(call.bytes.len());
                            *call.values = Strings::default();
                        }
                    })
                    .boxed()
            },
        ),
    ]
}
