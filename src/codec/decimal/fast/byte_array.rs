//! BYTE_ARRAY: a 4-byte little-endian length, then the shortest two's complement form, big-endian.

use super::columns::check;
use super::integer::{Integer, minimal_len};
use super::portable::{load, load_any, store};
use crate::DecodeError;
use crate::codec::decimal::Column;

/// The longest item of a value of 256 bits or less.
const LONGEST: usize = 4 + 32;

/// Bytes that [`encode`] writes; `None` if a value lies outside `range`.
#[inline(always)]
pub(super) fn len<T: Integer>(values: &[T], range: Option<(T, T)>) -> Option<usize> {
    let within = range.is_none_or(|range| T::all_within(values, range));
    within.then(|| values.iter().map(|value| 4 + minimal_len(value.words())).sum())
}

/// Writes every value; `out` has room for all. Says how many bytes that took.
///
/// While the longest item fits what is left, a value is stored left-aligned in whole words and the next one overwrites
/// the surplus; neither sign nor length is branched on.
#[inline(always)]
pub(super) fn encode<T: Integer>(values: &[T], out: &mut [u8]) -> usize {
    let mut at = 0;
    for value in values {
        let words = value.words();
        let len = minimal_len(words);
        if let Some(window) = out[at..].first_chunk_mut::<LONGEST>() {
            let (prefix, body) = window.split_first_chunk_mut::<4>().expect("4 of 36 bytes");
            *prefix = (len as u32).to_le_bytes();
            let body: &mut [u8; 32] = body.first_chunk_mut().expect("32 of 36 bytes");
            if T::BITS <= 128 {
                store_left_aligned(words[0], words[1], len, body);
            } else {
                let mut whole = [0; 32];
                store(words, &mut whole);
                body[..len].copy_from_slice(&whole[32 - len..]);
            }
        } else {
            let mut whole = [0; 32];
            store(words, &mut whole);
            out[at..at + 4].copy_from_slice(&(len as u32).to_le_bytes());
            out[at + 4..at + 4 + len].copy_from_slice(&whole[32 - len..]);
        }
        at += 4 + len;
    }
    at
}

/// The low `len` bytes, 1 to 16, of a 128-bit value at the start of `body`; bytes past them are arbitrary.
#[inline(always)]
fn store_left_aligned(low: u64, high: u64, len: usize, body: &mut [u8; 32]) {
    let long = len > 8;
    let head = (if long { high } else { low }) << (8 * (16 - len) % 64);
    // Up to 8 bytes: the same word a second time, at the same place.
    let tail = if long { low } else { head };
    let tail_at = (len.max(8) - 8) & 15;
    body[..8].copy_from_slice(&head.to_be_bytes());
    body[tail_at..tail_at + 8].copy_from_slice(&tail.to_be_bytes());
}

/// The body of the item at `offset`, at least one byte long.
#[inline(always)]
pub(super) fn body(bytes: &[u8], offset: usize, index: usize) -> Result<&[u8], DecodeError> {
    let item = &bytes[offset..];
    let Some((prefix, rest)) = item.split_first_chunk::<4>() else {
        return Err(DecodeError::UnexpectedEnd { offset, needed: 4, available: item.len() });
    };
    let len = u32::from_le_bytes(*prefix) as usize;
    match rest.get(..len) {
        Some([]) => Err(DecodeError::EmptyDecimal { offset, index }),
        Some(body) => Ok(body),
        None => Err(DecodeError::UnexpectedEnd { offset, needed: len.saturating_add(4), available: item.len() }),
    }
}

pub(super) fn decode<T: Integer>(
    bytes: &[u8],
    range: Option<(T, T)>,
    column: &Column,
    out: &mut [T],
) -> Result<usize, DecodeError> {
    let mut at = 0;
    for (index, value) in out.iter_mut().enumerate() {
        let body = body(bytes, at, index)?;
        let words = match bytes[..at + 4 + body.len()].last_chunk::<16>() {
            // The bytes in front of the body are read along and shifted out.
            Some(window) if body.len() <= 16 => Some(load_right_aligned(window, body.len())),
            _ => load_any(body),
        };
        *value = check(words, range, column, at, index)?;
        at += 4 + body.len();
    }
    Ok(at)
}

/// The last `len` bytes, 1 to 16, of `window`, extended with the sign.
#[inline(always)]
fn load_right_aligned(window: &[u8; 16], len: usize) -> [u64; 4] {
    let [low, high, ..] = load(window);
    let shift = 8 * (16 - len) % 64;
    let long = len > 8;
    let head = ((if long { high } else { low } as i64) << shift) >> shift;
    let sign = (head >> 63) as u64;
    let (low, high) = if long { (low, head as u64) } else { (head as u64, sign) };
    [low, high, sign, sign]
}
