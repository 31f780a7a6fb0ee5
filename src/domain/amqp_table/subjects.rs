//! The twins of AMQP tables. There is one fast twin: its code has no SIMD path.

use super::{AmqpTable, Params, Top, Values};
use crate::case::Step;
use crate::codec::amqp_table::{self, naive};
use crate::error::{DecodeError, EncodeError};
use crate::subject::museum::Exhibit;
use crate::subject::{Answer, Subject, Twins};

struct Naive;

impl Subject<AmqpTable> for Naive {
    fn name(&self) -> &str {
        "naive"
    }

    fn encoded_len(&mut self, params: &Params, values: &Values) -> Answer<EncodeError> {
        let encoding = match values {
            Values::Table(table) => naive::encode(table, params.codec),
            Values::Array(array) => naive::encode_array(array, params.codec),
        };
        Answer::of(encoding.map(|encoding| encoding.len()))
    }

    fn encode(&mut self, params: &Params, values: &Values, _puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        Answer::of(match values {
            Values::Table(table) => naive::encode_into(table, params.codec, out),
            Values::Array(array) => naive::encode_array_into(array, params.codec, out),
        })
    }

    fn decode(&mut self, params: &Params, bytes: &[u8], _steps: &[Step], values: &mut Values) -> Answer<DecodeError> {
        let read = match params.top {
            Top::Table => {
                naive::decode(bytes, params.codec).map(|(table, end)| (Values::Table(table.into_owned()), end))
            }
            Top::Array => {
                naive::decode_array(bytes, params.codec).map(|(array, end)| (Values::Array(array.into_owned()), end))
            }
        };
        answer(params, read, values)
    }
}

struct Fast;

impl Subject<AmqpTable> for Fast {
    fn name(&self) -> &str {
        "fast-portable"
    }

    fn encoded_len(&mut self, params: &Params, values: &Values) -> Answer<EncodeError> {
        Answer::of(encoded_len(params.codec, values))
    }

    fn encode(&mut self, params: &Params, values: &Values, _puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        Answer::of(match values {
            Values::Table(table) => amqp_table::encode_into(table, params.codec, out),
            Values::Array(array) => amqp_table::encode_array_into(array, params.codec, out),
        })
    }

    fn decode(&mut self, params: &Params, bytes: &[u8], _steps: &[Step], values: &mut Values) -> Answer<DecodeError> {
        answer(params, read(params, bytes), values)
    }
}

fn answer(params: &Params, read: Result<(Values, usize), DecodeError>, values: &mut Values) -> Answer<DecodeError> {
    let (read, answer) = match read {
        Ok((read, end)) => (read, Answer::Done(end)),
        Err(error) => (Values::empty(params.top), Answer::Error(error)),
    };
    *values = read;
    answer
}

/// Octets that the fast twin needs.
pub(super) fn encoded_len(params: amqp_table::Params, values: &Values) -> Result<usize, EncodeError> {
    match values {
        Values::Table(table) => amqp_table::encoded_len(table, params),
        Values::Array(array) => amqp_table::encoded_array_len(array, params),
    }
}

/// What the fast twin reads.
pub(super) fn read(params: &Params, bytes: &[u8]) -> Result<(Values, usize), DecodeError> {
    match params.top {
        Top::Table => {
            let (view, end) = amqp_table::decode(bytes, params.codec)?;
            Ok((Values::Table(view.to_table().into_owned()), end))
        }
        Top::Array => {
            let (view, end) = amqp_table::decode_array(bytes, params.codec)?;
            Ok((Values::Array(view.to_array().into_owned()), end))
        }
    }
}

/// lapin's codec. It is asked about tables of RabbitMQ's profile with unsigned decimals, names in order and UTF-8, that
/// are in its type and allowed here: of refusals, depth and duplicates it has a mind of its own.
#[cfg(feature = "amq-protocol")]
mod foreign {
    use super::*;
    use crate::codec::amqp_decimal;
    use crate::codec::amqp_table::{Profile, Table};
    use crate::subject::amq_protocol;

    pub(super) struct AmqProtocol;

    /// Levels that its recursion is asked for.
    const LEVELS: usize = 64;

    fn comparable(params: &Params, table: &Table) -> bool {
        let plain = amqp_decimal::Params::new(amqp_decimal::Profile::Unsigned);
        params.codec.profile == Profile::RabbitMq
            && params.codec.decimal == plain
            && super::super::tree::size(&Values::Table(table.clone().into_owned())).1 < LEVELS
            && amqp_table::encoded_len(table, params.codec).is_ok()
            && amq_protocol::table(table).is_some()
    }

    impl Subject<AmqpTable> for AmqProtocol {
        fn name(&self) -> &str {
            "amq-protocol"
        }

        fn keeps_contract(&self) -> bool {
            false
        }

        fn encode(&mut self, params: &Params, values: &Values, _puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
            let Values::Table(table) = values else { return Answer::Unsupported };
            if !comparable(params, table) {
                return Answer::Unsupported;
            }
            match amq_protocol::encode_table(table, out) {
                Some(Ok(written)) => Answer::Done(written),
                Some(Err(_)) => Answer::Refused("amq-protocol refused".into()),
                None => Answer::Unsupported,
            }
        }

        /// Only what this crate would write the same: other octets for true, tags `L` and `U`, are read its way.
        fn decode(
            &mut self,
            params: &Params,
            bytes: &[u8],
            _steps: &[Step],
            values: &mut Values,
        ) -> Answer<DecodeError> {
            let Ok((Values::Table(table), end)) = read(params, bytes) else { return Answer::Unsupported };
            let same = amqp_table::encode(&table, params.codec).is_ok_and(|encoding| encoding == bytes[..end]);
            if !same || !comparable(params, &table) {
                return Answer::Unsupported;
            }
            match amq_protocol::decode_table(bytes) {
                Some(Ok((table, end))) => {
                    *values = Values::Table(table);
                    Answer::Done(end)
                }
                Some(Err(_)) => Answer::Refused("amq-protocol refused".into()),
                None => Answer::Unsupported,
            }
        }
    }
}

impl Twins for AmqpTable {
    fn naive() -> Box<dyn Subject<Self>> {
        Box::new(Naive)
    }

    fn subjects() -> Vec<Box<dyn Subject<Self>>> {
        vec![
            Box::new(Fast),
            #[cfg(feature = "amq-protocol")]
            Box::new(foreign::AmqProtocol),
        ]
    }

    fn exhibits() -> Vec<Exhibit<Self>> {
        super::museum::exhibits()
    }
}
