//! The twins of the AMQP decimal.

use super::{AmqpDecimal, Params, Parts, Values};
use crate::case::Step;
use crate::codec::amqp_decimal::{Raw, encoded_len, fast, naive};
use crate::codec::path::Path;
use crate::error::{DecodeError, EncodeError};
use crate::subject::museum::Exhibit;
use crate::subject::{Answer, Subject, Twins};
use rust_decimal::Decimal;

/// Who is asked.
#[derive(Clone, Copy)]
enum Twin {
    Naive,
    Fast(Path),
}

/// A twin and its name.
struct Builtin {
    twin: Twin,
    name: String,
    decimals: Vec<Decimal>,
}

impl Builtin {
    fn new(twin: Twin) -> Self {
        let name = match twin {
            Twin::Naive => "naive".to_string(),
            Twin::Fast(path) => format!("fast-{}", path.name()),
        };
        Self { twin, name, decimals: Vec::new() }
    }
}

impl Subject<AmqpDecimal> for Builtin {
    fn name(&self) -> &str {
        &self.name
    }

    fn encoded_len(&mut self, params: &Params, values: &Values) -> Answer<EncodeError> {
        Answer::Done(match values {
            Values::Raw(list) => encoded_len(list, params.codec),
            Values::Decimal(list) => encoded_len(list, params.codec),
        })
    }

    fn encode(&mut self, params: &Params, values: &Values, _puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        Answer::of(match values {
            Values::Raw(list) => match self.twin {
                Twin::Naive => naive::encode_into(list, params.codec, out),
                Twin::Fast(path) => fast::encode_into_with(path, list, params.codec, out),
            },
            Values::Decimal(list) => {
                self.decimals.clear();
                self.decimals.extend(list.iter().map(|parts| parts.0));
                match self.twin {
                    Twin::Naive => naive::encode_decimals_into(&self.decimals, params.codec, out),
                    Twin::Fast(path) => fast::encode_decimals_into_with(path, &self.decimals, params.codec, out),
                }
            }
        })
    }

    fn decode(&mut self, params: &Params, bytes: &[u8], _steps: &[Step], values: &mut Values) -> Answer<DecodeError> {
        values.clear(params.form);
        let count = params.count_in(bytes.len());
        Answer::of(match values {
            Values::Raw(list) => {
                list.resize(count, Raw::default());
                match self.twin {
                    Twin::Naive => naive::decode_into(bytes, params.codec, list),
                    Twin::Fast(path) => fast::decode_into_with(path, bytes, params.codec, list),
                }
            }
            Values::Decimal(list) => {
                self.decimals.clear();
                self.decimals.resize(count, Decimal::ZERO);
                let read = match self.twin {
                    Twin::Naive => naive::decode_decimals_into(bytes, params.codec, &mut self.decimals),
                    Twin::Fast(path) => fast::decode_decimals_into_with(path, bytes, params.codec, &mut self.decimals),
                };
                list.extend(self.decimals.iter().map(|decimal| Parts(*decimal)));
                read
            }
        })
    }
}

impl Twins for AmqpDecimal {
    fn naive() -> Box<dyn Subject<Self>> {
        Box::new(Builtin::new(Twin::Naive))
    }

    fn subjects() -> Vec<Box<dyn Subject<Self>>> {
        Path::available().map(|path| Box::new(Builtin::new(Twin::Fast(path))) as Box<dyn Subject<Self>>).collect()
    }

    fn exhibits() -> Vec<Exhibit<Self>> {
        super::museum::exhibits()
    }
}
