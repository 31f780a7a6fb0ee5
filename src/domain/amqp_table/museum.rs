//! Planted bugs of AMQP tables. Most are about tags that do not mean the same to everybody.

use super::{AmqpTable, Field, Values, subjects, tree};
use crate::case::Direction::{Decode, Encode};
use crate::codec::amqp_table::{Params as CodecParams, Profile};
use crate::domain::Explain;
use crate::error::DecodeError;
use crate::subject::Answer;
use crate::subject::museum::{Exhibit, Tampered};

type Bug = Tampered<AmqpTable>;

/// Every planted bug.
pub(super) fn exhibits() -> Vec<Exhibit<AmqpTable>> {
    vec![
        Exhibit {
            name: "amq-protocol-rb-52",
            source: "https://github.com/ruby-amqp/amq-protocol/issues/52",
            fault: "a signed integer of 32 bits is read as unsigned, so that -1 becomes 4294967295",
            direction: Decode,
            make: || {
                Bug::new()
                    .read(|(), call| {
                        tree::each(call.values, &mut |field| {
                            if let Field::LongInt(value @ ..0) = field {
                                *field = Field::LongUint(*value as u32);
                            }
                        });
                    })
                    .boxed()
            },
        },
        Exhibit {
            name: "pamqp-58",
            source: "https://github.com/gmr/pamqp/pull/58",
            fault: "unsigned octets of 129 to 255 are written with the tag of signed ones, so that 200 becomes -56",
            direction: Encode,
            make: || {
                Bug::new()
                    .values(|(), _, values| {
                        tree::each(values, &mut |field| {
                            if let Field::ShortShortUint(value @ 129..) = field {
                                *field = Field::ShortShortInt(*value as i8);
                            }
                        });
                    })
                    .boxed()
            },
        },
        Exhibit {
            name: "pika-601",
            source: "https://github.com/pika/pika/issues/601",
            fault: "the tags b and B are swapped, and l is read as unsigned",
            direction: Decode,
            make: || {
                Bug::new()
                    .read(|(), call| {
                        tree::each(call.values, &mut |field| match field {
                            Field::ShortShortInt(value) => *field = Field::ShortShortUint(*value as u8),
                            Field::ShortShortUint(value) => *field = Field::ShortShortInt(*value as i8),
                            Field::LongLongInt(value) => *field = Field::LongLongUint(*value as u64),
                            _ => {}
                        });
                    })
                    .boxed()
            },
        },
        Exhibit {
            name: "py-amqp-469",
            source: "https://github.com/celery/py-amqp/pull/469",
            fault: "tag s is read as a short string where peers use it for an integer of 16 bits",
            direction: Decode,
            make: || {
                Bug::new()
                    .read(|(), call| {
                        let mut derailed = false;
                        tree::look(call.values, &mut |_, field, _| derailed |= matches!(field, Field::ShortInt(_)));
                        if derailed && call.params.codec.profile == Profile::RabbitMq {
                            let mut params = *call.params;
                            params.codec = CodecParams { profile: Profile::Specification, ..params.codec };
                            *call.answer = match subjects::read(&params, call.bytes) {
                                Ok((values, end)) => {
                                    *call.values = values;
                                    Answer::Done(end)
                                }
                                Err(error) => Answer::Error(error),
                            };
                        }
                    })
                    .boxed()
            },
        },
        Exhibit {
            name: "rabbitmq-server-1093",
            source: "https://github.com/rabbitmq/rabbitmq-server/issues/1093",
            fault: "there is no clause for tag L, which stops the whole connection",
            direction: Decode,
            make: || {
                Bug::new()
                    .read(|(), call| {
                        if matches!(call.answer, Answer::Done(_)) {
                            let spans = AmqpTable::spans(call.params, call.bytes);
                            let long = spans.iter().find(|span| span.field.ends_with(" tag") && span.value == "'L'");
                            if let Some(span) = long {
                                let offset = span.bytes.start;
                                *call.answer = Answer::Error(DecodeError::UnknownFieldTag { offset, tag: b'L' });
                            }
                        }
                    })
                    .boxed()
            },
        },
        Exhibit {
            name: "pamqp-71",
            source: "https://github.com/gmr/pamqp/pull/71",
            fault: "a table that was cut is no error (there the loop to its declared end never ended; here it gives up)",
            direction: Decode,
            make: || {
                Bug::new()
                    .read(|(), call| {
                        if matches!(call.answer, Answer::Error(DecodeError::UnexpectedEnd { offset: 0, .. })) {
                            *call.values = Values::empty(call.params.top);
                            *call.answer = Answer::Done(call.bytes.len());
                        }
                    })
                    .boxed()
            },
        },
        Exhibit {
            name: "amqp091-go-6494",
            source: "https://github.com/golang/vulndb/issues/6494",
            fault: "the length of a binary value is read as signed, and a negative one crashes the reader",
            direction: Decode,
            make: || {
                Bug::new()
                    .read(|(), call| {
                        if let Answer::Error(DecodeError::BeyondEnclosing { offset, needed, .. }) = *call.answer {
                            let length = needed.wrapping_sub(4) as u32 as i32;
                            assert!(call.bytes[offset - 1] != b'x' || length >= 0, "makeslice: len out of range");
                        }
                    })
                    .boxed()
            },
        },
        Exhibit {
            name: "amqp091-go-6498",
            source: "https://github.com/golang/vulndb/issues/6498",
            fault: "the length of a name is cut to its low 8 bits instead of being refused",
            direction: Encode,
            make: || {
                Bug::new()
                    .values(|(), _, values| {
                        tree::each_table(values, &mut |entries| {
                            for entry in entries {
                                if entry.name.len() > 255 {
                                    let length = entry.name.len() & 255;
                                    entry.name.to_mut().truncate(length);
                                }
                            }
                        });
                    })
                    .boxed()
            },
        },
        Exhibit {
            name: "php-amqp-265",
            source: "https://github.com/php-amqp/php-amqp/issues/265",
            fault: "entries that are decimals are silently left out",
            direction: Decode,
            make: || {
                Bug::new()
                    .read(|(), call| {
                        tree::each_table(call.values, &mut |entries| {
                            entries.retain(|entry| !matches!(entry.value, Field::Decimal(_)));
                        });
                    })
                    .boxed()
            },
        },
    ]
}
