//! Reading: one walk over the octets checks everything; views walk again, one entry at a time, and find no fault.

use super::super::amqp_decimal::{self, Raw};
use super::super::view::{ArrayView, FieldView, TableView};
use super::super::{Duplicates, Params, Profile};
use super::names::Seen;
use crate::DecodeError;

/// Checks the table at the front of `bytes`, to its deepest level; returns it and the octets consumed.
///
/// # Errors
/// The first thing that is refused, in the order that [`amqp_table`](crate::codec::amqp_table) gives:
/// [`DecodeError::NestingTooDeep`], [`DecodeError::UnexpectedEnd`], [`DecodeError::BeyondEnclosing`],
/// [`DecodeError::DuplicateFieldName`], [`DecodeError::UnknownFieldTag`], [`DecodeError::DecimalScaleOutOfRange`].
pub fn decode(bytes: &[u8], params: Params) -> Result<(TableView<'_>, usize), DecodeError> {
    let body = outermost(bytes, params)?;
    Reader { bytes: &bytes[..4 + body.len()], at: 4, params }.check_entries(1)?;
    Ok((TableView::new(body, params), 4 + body.len()))
}

/// Checks the array at the front of `bytes`, to its deepest level; returns it and the octets consumed.
///
/// # Errors
/// As [`decode`], without duplicates on the outermost level.
pub fn decode_array(bytes: &[u8], params: Params) -> Result<(ArrayView<'_>, usize), DecodeError> {
    let body = outermost(bytes, params)?;
    Reader { bytes: &bytes[..4 + body.len()], at: 4, params }.check_values(1)?;
    Ok((ArrayView::new(body, params), 4 + body.len()))
}

/// The entry at the front of a table's body that has been checked, and what follows it.
#[inline]
pub(in super::super) fn checked_entry(body: &[u8], params: Params) -> Option<(&[u8], FieldView<'_>, &[u8])> {
    let mut reader = Reader { bytes: body, at: 0, params };
    let name = reader.short_string().ok()?;
    let value = reader.field().ok()?;
    Some((name, value, &body[reader.at..]))
}

/// The value at the front of an array's body that has been checked, and what follows it.
#[inline]
pub(in super::super) fn checked_value(body: &[u8], params: Params) -> Option<(FieldView<'_>, &[u8])> {
    let mut reader = Reader { bytes: body, at: 0, params };
    let value = reader.field().ok()?;
    Some((value, &body[reader.at..]))
}

fn outermost(bytes: &[u8], params: Params) -> Result<&[u8], DecodeError> {
    if params.max_depth == 0 {
        return Err(DecodeError::NestingTooDeep { offset: 0, max: 0 });
    }
    let available = bytes.len();
    let end = |needed| DecodeError::UnexpectedEnd { offset: 0, needed, available };
    let (length, rest) = bytes.split_first_chunk().ok_or(end(4))?;
    let length = u32::from_be_bytes(*length) as usize;
    rest.get(..length).ok_or(end(length.saturating_add(4)))
}

/// `bytes` ends where the innermost table or array does.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    params: Params,
}

impl<'a> Reader<'a> {
    fn check_entries(&mut self, level: usize) -> Result<(), DecodeError> {
        if self.params.duplicates == Duplicates::Accept {
            while self.at < self.bytes.len() {
                self.short_string()?;
                self.check_field(level)?;
            }
            return Ok(());
        }
        let start = self.at;
        let table = &self.bytes[start..];
        let mut seen = Seen::new();
        let mut walk = || {
            while self.at < self.bytes.len() {
                let offset = self.at;
                self.short_string()?;
                if seen.add(table, offset - start) {
                    return Err(DecodeError::DuplicateFieldName { offset });
                }
                self.check_field(level)?;
            }
            Ok(())
        };
        // A duplicate among many names comes to light only here, and stands before whatever else was refused.
        let walked = walk();
        match seen.first_duplicate(table) {
            Some(offset) => Err(DecodeError::DuplicateFieldName { offset: start + offset }),
            None => walked,
        }
    }

    fn check_values(&mut self, level: usize) -> Result<(), DecodeError> {
        while self.at < self.bytes.len() {
            self.check_field(level)?;
        }
        Ok(())
    }

    fn check_field(&mut self, level: usize) -> Result<(), DecodeError> {
        let max = usize::from(self.params.max_depth);
        if level >= max && matches!(self.bytes.get(self.at), Some(b'A' | b'F')) {
            return Err(DecodeError::NestingTooDeep { offset: self.at + 1, max });
        }
        let (body, is_table) = match self.field()? {
            FieldView::Table(table) => (table.body(), true),
            FieldView::Array(array) => (array.body(), false),
            _ => return Ok(()),
        };
        let mut inner = Reader { bytes: &self.bytes[..self.at], at: self.at - body.len(), ..*self };
        if is_table { inner.check_entries(level + 1) } else { inner.check_values(level + 1) }
    }

    #[cold]
    fn beyond(&self, needed: usize) -> DecodeError {
        DecodeError::BeyondEnclosing { offset: self.at, needed, available: self.bytes.len() - self.at }
    }

    #[inline(always)]
    fn octets<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        match self.bytes[self.at..].first_chunk() {
            Some(octets) => {
                self.at += N;
                Ok(*octets)
            }
            None => Err(self.beyond(N)),
        }
    }

    #[inline]
    fn short_string(&mut self) -> Result<&'a [u8], DecodeError> {
        let rest = &self.bytes[self.at..];
        let (&length, rest) = rest.split_first().ok_or_else(|| self.beyond(1))?;
        let octets = rest.get(..length.into()).ok_or_else(|| self.beyond(1 + usize::from(length)))?;
        self.at += 1 + octets.len();
        Ok(octets)
    }

    #[inline]
    fn long_string(&mut self) -> Result<&'a [u8], DecodeError> {
        let rest = &self.bytes[self.at..];
        let (length, rest) = rest.split_first_chunk().ok_or_else(|| self.beyond(4))?;
        let length = u32::from_be_bytes(*length) as usize;
        let octets = rest.get(..length).ok_or_else(|| self.beyond(length.saturating_add(4)))?;
        self.at += 4 + octets.len();
        Ok(octets)
    }

    fn decimal(&mut self) -> Result<Raw, DecodeError> {
        let offset = self.at;
        let octets: [u8; 5] = self.octets()?;
        let read = amqp_decimal::decode_one(&octets, self.params.decimal.without_tag());
        read.map(|(value, _)| value).map_err(|refusal| match refusal {
            DecodeError::DecimalScaleOutOfRange { scale, max, .. } => {
                DecodeError::DecimalScaleOutOfRange { offset, scale, max }
            }
            other => other,
        })
    }

    /// Reads a value; what is in a table or array is not looked at.
    #[inline]
    fn field(&mut self) -> Result<FieldView<'a>, DecodeError> {
        let offset = self.at;
        let [tag] = self.octets()?;
        let params = self.params;
        let rabbitmq = params.profile == Profile::RabbitMq;
        Ok(match tag {
            b't' => FieldView::Boolean(self.octets()? != [0]),
            b'b' => FieldView::ShortShortInt(i8::from_be_bytes(self.octets()?)),
            b'B' => FieldView::ShortShortUint(u8::from_be_bytes(self.octets()?)),
            b's' if rabbitmq => FieldView::ShortInt(i16::from_be_bytes(self.octets()?)),
            b's' => FieldView::ShortString(self.short_string()?),
            b'U' => FieldView::ShortInt(i16::from_be_bytes(self.octets()?)),
            b'u' => FieldView::ShortUint(u16::from_be_bytes(self.octets()?)),
            b'I' => FieldView::LongInt(i32::from_be_bytes(self.octets()?)),
            b'i' => FieldView::LongUint(u32::from_be_bytes(self.octets()?)),
            b'l' if !rabbitmq => FieldView::LongLongUint(u64::from_be_bytes(self.octets()?)),
            b'l' | b'L' => FieldView::LongLongInt(i64::from_be_bytes(self.octets()?)),
            b'f' => FieldView::Float(f32::from_bits(u32::from_be_bytes(self.octets()?))),
            b'd' => FieldView::Double(f64::from_bits(u64::from_be_bytes(self.octets()?))),
            b'D' => FieldView::Decimal(self.decimal()?),
            b'S' => FieldView::LongString(self.long_string()?),
            b'A' => FieldView::Array(ArrayView::new(self.long_string()?, params)),
            b'T' => FieldView::Timestamp(u64::from_be_bytes(self.octets()?)),
            b'F' => FieldView::Table(TableView::new(self.long_string()?, params)),
            b'x' if rabbitmq => FieldView::Binary(self.long_string()?),
            b'V' => FieldView::Void,
            _ => return Err(DecodeError::UnknownFieldTag { offset, tag }),
        })
    }
}
