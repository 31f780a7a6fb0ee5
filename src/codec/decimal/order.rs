//! The order of encoded values, without decoding them: signed, by numeric value (parquet-format, LogicalTypes.md,
//! section DECIMAL, "the sort order"). What statistics need.

use core::cmp::Ordering;

use super::{Column, Physical};
use crate::DecodeError;

/// Compares two big-endian two's complement integers of any lengths: bodies of FIXED_LEN_BYTE_ARRAY or BYTE_ARRAY.
///
/// Surplus sign bytes do not matter: `ff` equals `ffff`. No bytes at all count as 0.
pub fn compare_big_endian(a: &[u8], b: &[u8]) -> Ordering {
    let (sign_a, sign_b) = (sign_byte(a), sign_byte(b));
    if sign_a != sign_b {
        return sign_b.cmp(&sign_a);
    }
    if a.len() == b.len() {
        // Of one sign, two's complement of one length orders like unsigned bytes.
        return a.cmp(b);
    }
    let (a, b) = (without_surplus(a, sign_a), without_surplus(b, sign_b));
    // The longer one lies further from 0.
    let by_length = a.len().cmp(&b.len());
    let by_length = if sign_a == 0 { by_length } else { by_length.reverse() };
    by_length.then_with(|| a.cmp(b))
}

/// Compares two little-endian two's complement integers of any lengths: INT32 or INT64. No bytes at all count as 0.
pub fn compare_little_endian(a: &[u8], b: &[u8]) -> Ordering {
    let sign = |bytes: &[u8]| bytes.last().map_or(0, |top| sign_byte(&[*top]));
    let (sign_a, sign_b) = (sign(a), sign(b));
    if sign_a != sign_b {
        return sign_b.cmp(&sign_a);
    }
    let at = |bytes: &[u8], i| bytes.get(i).copied().unwrap_or(sign_a);
    (0..a.len().max(b.len()))
        .rev()
        .map(|i| at(a, i).cmp(&at(b, i)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Compares two encoded values of a column: for BYTE_ARRAY their bodies, without the length.
pub fn compare(physical: Physical, a: &[u8], b: &[u8]) -> Ordering {
    match physical {
        Physical::Int32 | Physical::Int64 => compare_little_endian(a, b),
        Physical::Fixed(_) | Physical::ByteArray => compare_big_endian(a, b),
    }
}

/// The smallest and the largest value of an encoded column, as statistics have them: for BYTE_ARRAY without the length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinMax<'a> {
    /// The smallest.
    pub min: &'a [u8],
    /// The largest.
    pub max: &'a [u8],
}

/// The smallest and the largest value of an encoded column. Of equal values the first is taken. `None`: the column is
/// empty.
///
/// Neither precision nor width is checked.
///
/// # Errors
/// `UnexpectedEnd` and `EmptyDecimal`, for the first item that is no item.
pub fn min_max<'a>(bytes: &'a [u8], column: &Column) -> Result<Option<MinMax<'a>>, DecodeError> {
    let physical = column.physical();
    let mut found: Option<MinMax<'a>> = None;
    let (mut at, mut index) = (0, 0);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let available = rest.len();
        let (skip, len) = match physical.width() {
            Some(width) => (0, width as usize),
            None => match rest.first_chunk::<4>() {
                Some(prefix) => (4, u32::from_le_bytes(*prefix) as usize),
                None => return Err(DecodeError::UnexpectedEnd { offset: at, needed: 4, available }),
            },
        };
        let needed = len.saturating_add(skip);
        let Some(item) = rest.get(skip..needed) else {
            return Err(DecodeError::UnexpectedEnd { offset: at, needed, available });
        };
        if item.is_empty() {
            return Err(DecodeError::EmptyDecimal { offset: at, index });
        }
        let MinMax { min, max } = found.unwrap_or(MinMax { min: item, max: item });
        found = Some(MinMax {
            min: if compare(physical, item, min).is_lt() { item } else { min },
            max: if compare(physical, item, max).is_gt() { item } else { max },
        });
        at += needed;
        index += 1;
    }
    Ok(found)
}

/// The byte that the value is extended with: 00 or ff.
fn sign_byte(bytes: &[u8]) -> u8 {
    match bytes.first() {
        Some(0x80..) => 0xff,
        _ => 0,
    }
}

/// The value without leading bytes that only repeat its sign; 0 and -1 lose all of theirs.
fn without_surplus(bytes: &[u8], sign: u8) -> &[u8] {
    let surplus = bytes.iter().take_while(|byte| **byte == sign).count();
    &bytes[surplus..]
}
