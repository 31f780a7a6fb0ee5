//! Planted bugs of the AMQP decimal. Sign and range are where clients differ without noticing.

use super::{AmqpDecimal, Params, Values};
use crate::case::Direction::{Decode, Encode};
use crate::codec::amqp_decimal::Profile;
use crate::subject::Answer;
use crate::subject::museum::{Exhibit, Tampered};

type Bug = Tampered<AmqpDecimal>;

/// Rewrites every number.
fn each(params: &Params, values: &mut Values, change: impl Fn(bool, u128, u32) -> (bool, u128, u32)) {
    let changed = values.numbers().into_iter().map(|(negative, magnitude, scale)| change(negative, magnitude, scale));
    *values = Values::of(params.form, changed.collect::<Vec<_>>());
}

/// Every planted bug.
pub(super) fn exhibits() -> Vec<Exhibit<AmqpDecimal>> {
    vec![
        Exhibit {
            name: "pamqp-65",
            source: "https://github.com/gmr/pamqp/issues/65",
            fault: "the word is read as unsigned, so that -1.5 becomes 429496728.1",
            direction: Decode,
            make: || {
                Bug::new()
                    .read(|(), call| {
                        if call.params.codec.profile == Profile::Errata {
                            each(call.params, call.values, |negative, magnitude, scale| match negative {
                                true => (false, (1 << 32) - magnitude, scale),
                                false => (false, magnitude, scale),
                            });
                        }
                    })
                    .boxed()
            },
        },
        Exhibit {
            name: "rabbitmq-java-617",
            source: "https://github.com/rabbitmq/rabbitmq-java-client/issues/617",
            fault: "a mantissa beyond 32 bits is cut to its low word instead of being refused",
            direction: Encode,
            make: || {
                Bug::new()
                    .values(|(), params, values| {
                        let (max, min) = (params.codec.profile.max_mantissa(), params.codec.profile.min_mantissa());
                        each(params, values, |negative, magnitude, scale| {
                            let limit = if negative { min.unsigned_abs() } else { max.unsigned_abs() };
                            let cut = if magnitude > limit.into() { magnitude & 0x7fff_ffff } else { magnitude };
                            (negative && cut != 0, cut, scale)
                        });
                    })
                    .boxed()
            },
        },
        Exhibit {
            name: "pika-1704",
            source: "https://github.com/pika/pika/pull/1704",
            fault: "scale 256 wraps to 0 in its octet",
            direction: Encode,
            make: || {
                Bug::new()
                    .values(|(), params, values| {
                        each(params, values, |sign, magnitude, scale| (sign, magnitude, scale & 255))
                    })
                    .boxed()
            },
        },
        Exhibit {
            name: "rabbitmq-dotnet-sign",
            source: "https://github.com/rabbitmq/rabbitmq-dotnet-client/pull/984",
            fault: "sign and magnitude are written where every other client expects two's complement",
            direction: Encode,
            make: || {
                Bug::new()
                    .written(|(), call| {
                        if call.params.codec.profile != Profile::Errata {
                            return;
                        }
                        if let Answer::Done(written) = *call.answer {
                            let length = call.params.codec.value_len();
                            for value in call.out[..written].chunks_mut(length) {
                                if let Some(word) = value.last_chunk_mut::<4>() {
                                    let number = i32::from_be_bytes(*word);
                                    let sign = u32::from(number < 0) << 31;
                                    *word = (number.unsigned_abs() | sign).to_be_bytes();
                                }
                            }
                        }
                    })
                    .boxed()
            },
        },
        Exhibit {
            name: "dotnet-scale-28",
            source: "https://github.com/rabbitmq/rabbitmq-dotnet-client/pull/984",
            fault: "a scale of 29 or more is read under a profile that ends at 28",
            direction: Decode,
            make: || {
                Bug::new()
                    .bytes(|(), params, bytes| {
                        if params.codec.profile == Profile::DotNet {
                            let length = params.codec.value_len();
                            bytes
                                .chunks_exact_mut(length)
                                .for_each(|value| value[length - 5] = value[length - 5].min(28));
                        }
                    })
                    .boxed()
            },
        },
    ]
}
