//! `amq-protocol-types`, lapin's codec, as a subject: a foreign implementation of AMQP tables in RabbitMQ's reading
//! with decimals of the profile `unsigned`.
//!
//! It cannot be asked everything: its names are UTF-8 in a sorted map, its scales are octets and its mantissas unsigned.
//! `None` says that a question does not exist there, which is no agreement.

use crate::codec::amqp_decimal::{Raw, Sign};
use crate::codec::amqp_table::{self, Array, Duplicates, Entry, Field, Params, Table};
use crate::error::DecodeError;
use amq_protocol_types::generation::{gen_field_table, gen_value};
use amq_protocol_types::parsing::{parse_field_table, parse_value};
use amq_protocol_types::{AMQPValue, DecimalValue, FieldArray, FieldTable, ShortString};
use cookie_factory::gen_simple;

/// Levels of nesting that its parser, which recurses without a limit, is asked for.
const MAX_DEPTH: u8 = 64;

/// That it refused. Its errors are of another make and say nothing that could be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// `value` in its type; `None` where that has no place for it.
pub fn decimal(value: Raw) -> Option<DecimalValue> {
    match value.sign {
        Sign::Plus => {
            Some(DecimalValue { scale: value.scale.try_into().ok()?, value: value.magnitude.try_into().ok()? })
        }
        Sign::Minus => None,
    }
}

/// Writes tagged decimals one after another; returns the octets written.
pub fn encode_decimals(values: &[Raw], out: &mut [u8]) -> Option<Result<usize, Refused>> {
    let values: Option<Vec<_>> = values.iter().map(|&value| decimal(value).map(AMQPValue::DecimalValue)).collect();
    let room = out.len();
    let rest = values?.iter().try_fold(out, |rest, value| gen_simple(gen_value(value), rest));
    Some(rest.map(|rest| room - rest.len()).map_err(|_| Refused))
}

/// Reads as many tagged decimals as `out` has places; returns the octets read.
pub fn decode_decimals(input: &[u8], out: &mut [Raw]) -> Result<usize, Refused> {
    let mut rest = input;
    for place in out {
        let (behind, AMQPValue::DecimalValue(DecimalValue { scale, value })) =
            parse_value(rest).map_err(|_| Refused)?
        else {
            return Err(Refused);
        };
        *place = Raw { magnitude: value.into(), scale: scale.into(), sign: Sign::Plus };
        rest = behind;
    }
    Ok(input.len() - rest.len())
}

/// `table` in its type; `None` where that has no place for it or would put it into another order.
pub fn table(table: &Table) -> Option<FieldTable> {
    let mut fields = FieldTable::default();
    if !table.entries.is_sorted_by(|a, b| a.name < b.name) {
        return None;
    }
    for entry in table.entries.iter() {
        let name = str::from_utf8(&entry.name).ok()?;
        fields.insert(ShortString::try_new(name).ok()?, value(&entry.value)?);
    }
    Some(fields)
}

fn value(field: &Field) -> Option<AMQPValue> {
    Some(match field {
        Field::Boolean(value) => AMQPValue::Boolean(*value),
        Field::ShortShortInt(value) => AMQPValue::ShortShortInt(*value),
        Field::ShortShortUint(value) => AMQPValue::ShortShortUInt(*value),
        Field::ShortInt(value) => AMQPValue::ShortInt(*value),
        Field::ShortUint(value) => AMQPValue::ShortUInt(*value),
        Field::LongInt(value) => AMQPValue::LongInt(*value),
        Field::LongUint(value) => AMQPValue::LongUInt(*value),
        Field::LongLongInt(value) => AMQPValue::LongLongInt(*value),
        Field::Float(value) => AMQPValue::Float(*value),
        Field::Double(value) => AMQPValue::Double(*value),
        Field::Decimal(value) => AMQPValue::DecimalValue(decimal(*value)?),
        Field::LongString(octets) => AMQPValue::LongString(octets.to_vec().into()),
        Field::Array(array) => {
            AMQPValue::FieldArray(array.values.iter().map(value).collect::<Option<Vec<_>>>()?.into())
        }
        Field::Timestamp(value) => AMQPValue::Timestamp(*value),
        Field::Table(nested) => AMQPValue::FieldTable(table(nested)?),
        Field::Binary(octets) => AMQPValue::ByteArray(octets.to_vec().into()),
        Field::Void => AMQPValue::Void,
        Field::LongLongUint(_) | Field::ShortString(_) => return None,
    })
}

/// Writes a table; returns the octets written.
pub fn encode_table(values: &Table, out: &mut [u8]) -> Option<Result<usize, Refused>> {
    let fields = table(values)?;
    let room = out.len();
    let rest = gen_simple(gen_field_table(&fields), out);
    Some(rest.map(|rest| room - rest.len()).map_err(|_| Refused))
}

/// Reads a table; returns it, sorted by names and with the last of equal ones, and the octets read. `None` where the
/// input is nested so deep that the parser might run out of stack.
pub fn decode_table(input: &[u8]) -> Option<Result<(Table<'static>, usize), Refused>> {
    let shallow = Params { max_depth: MAX_DEPTH, duplicates: Duplicates::Accept, ..Params::default() };
    if let Err(DecodeError::NestingTooDeep { .. }) = amqp_table::decode(input, shallow) {
        return None;
    }
    let read = parse_field_table(input);
    Some(read.map(|(rest, fields)| (table_of(&fields), input.len() - rest.len())).map_err(|_| Refused))
}

fn table_of(fields: &FieldTable) -> Table<'static> {
    let entries =
        fields.into_iter().map(|(name, value)| Entry::new(name.as_str().as_bytes().to_vec(), field_of(value)));
    entries.collect::<Vec<_>>().into()
}

fn array_of(values: &FieldArray) -> Array<'static> {
    values.as_slice().iter().map(field_of).collect::<Vec<_>>().into()
}

fn field_of(value: &AMQPValue) -> Field<'static> {
    match value {
        AMQPValue::Boolean(value) => Field::Boolean(*value),
        AMQPValue::ShortShortInt(value) => Field::ShortShortInt(*value),
        AMQPValue::ShortShortUInt(value) => Field::ShortShortUint(*value),
        AMQPValue::ShortInt(value) => Field::ShortInt(*value),
        AMQPValue::ShortUInt(value) => Field::ShortUint(*value),
        AMQPValue::LongInt(value) => Field::LongInt(*value),
        AMQPValue::LongUInt(value) => Field::LongUint(*value),
        AMQPValue::LongLongInt(value) => Field::LongLongInt(*value),
        AMQPValue::Float(value) => Field::Float(*value),
        AMQPValue::Double(value) => Field::Double(*value),
        AMQPValue::DecimalValue(DecimalValue { scale, value }) => {
            Field::Decimal(Raw { magnitude: u64::from(*value), scale: u32::from(*scale), sign: Sign::Plus })
        }
        AMQPValue::ShortString(text) => Field::ShortString(text.as_str().as_bytes().to_vec().into()),
        AMQPValue::LongString(octets) => Field::LongString(octets.as_bytes().to_vec().into()),
        AMQPValue::FieldArray(array) => Field::Array(array_of(array)),
        AMQPValue::Timestamp(value) => Field::Timestamp(*value),
        AMQPValue::FieldTable(table) => Field::Table(table_of(table)),
        AMQPValue::ByteArray(octets) => Field::Binary(octets.as_slice().to_vec().into()),
        AMQPValue::Void => Field::Void,
    }
}
