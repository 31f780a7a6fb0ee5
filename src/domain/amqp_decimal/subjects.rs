//! The twins of the AMQP decimal.

use super::{AmqpDecimal, Params, Parts, Values};
use crate::case::Step;
use crate::codec::amqp_decimal::{Raw, Value, decode_into_with, encode_into_with, encoded_len, naive};
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

impl Twin {
    fn encode<V: Value + naive::Value>(
        self,
        values: &[V],
        params: &Params,
        out: &mut [u8],
    ) -> Result<usize, EncodeError> {
        match self {
            Twin::Naive => naive::encode_into(values, params.codec, out),
            Twin::Fast(path) => encode_into_with(path, values, params.codec, out),
        }
    }

    fn decode<V: Value + naive::Value>(
        self,
        bytes: &[u8],
        params: &Params,
        out: &mut [V],
    ) -> Result<usize, DecodeError> {
        match self {
            Twin::Naive => naive::decode_into(bytes, params.codec, out),
            Twin::Fast(path) => decode_into_with(path, bytes, params.codec, out),
        }
    }
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
            Values::Raw(list) => self.twin.encode(list, params, out),
            Values::Decimal(list) => {
                self.decimals.clear();
                self.decimals.extend(list.iter().map(|parts| parts.0));
                self.twin.encode(&self.decimals, params, out)
            }
        })
    }

    fn decode(&mut self, params: &Params, bytes: &[u8], _steps: &[Step], values: &mut Values) -> Answer<DecodeError> {
        values.clear(params.form);
        let count = params.count_in(bytes.len());
        Answer::of(match values {
            Values::Raw(list) => {
                list.resize(count, Raw::default());
                self.twin.decode(bytes, params, list)
            }
            Values::Decimal(list) => {
                self.decimals.clear();
                self.decimals.resize(count, Decimal::ZERO);
                let read = self.twin.decode(bytes, params, &mut self.decimals);
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
