//! BYTE_ARRAY: a 4-byte little-endian length, then the shortest two's complement form, big-endian.

use core::hint::select_unpredictable;

use super::columns::check;
use super::integer::{Integer, minimal_len};
use super::portable::{load_any, store};
use crate::DecodeError;
use crate::codec::decimal::Column;

/// The longest item of a value of 256 bits or less.
const LONGEST: usize = 4 + 32;

/// Bytes that [`encode`] writes; `None` if a value lies outside `range`.
#[inline(always)]
pub(super) fn len<T: Integer>(values: &[T], range: Option<(T, T)>) -> Option<usize> {
    let range = range.unwrap_or((T::MIN, T::MAX));
    let (mut outside, mut sum) = (false, 4 * values.len());
    for value in values {
        outside |= value.outside(range);
        sum += minimal_len(value.words());
    }
    (!outside).then_some(sum)
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
    let head = select_unpredictable(long, high, low) << (8 * (16 - len) % 64);
    // Up to 8 bytes: the same word a second time, at the same place.
    let tail = select_unpredictable(long, low, head);
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
    let bounds = range.unwrap_or((T::MIN, T::MAX));
    let mut at = 0;
    for (index, value) in out.iter_mut().enumerate() {
        // What takes 16 bytes at most and is right, which is nearly everything. The rest goes the long way.
        if let Some((read, len)) = bytes[at..].first_chunk().and_then(read_short::<T>)
            && !read.outside(bounds)
        {
            *value = read;
            at += 4 + len;
            continue;
        }
        let body = body(bytes, at, index)?;
        *value = check(load_any(body), range, column, at, index)?;
        at += 4 + body.len();
    }
    Ok(at)
}

/// The value at the start of `window` and the length of its body, if that is 1 to 16 and `T` holds the value.
#[inline(always)]
fn read_short<T: Integer>(window: &[u8; 20]) -> Option<(T, usize)> {
    let (prefix, body) = window.split_first_chunk::<4>()?;
    let len = u32::from_le_bytes(*prefix) as usize;
    if !(1..=16).contains(&len) {
        return None;
    }
    // Neither the length nor the sign is branched on. The head is the high word, or the low one of up to 8 bytes.
    let long = len > 8;
    let head = i64::from_be_bytes(*body.first_chunk()?) >> (8 * (16 - len) % 64);
    let tail = u64::from_be_bytes(*body[(len.max(8) - 8) & 15..].first_chunk()?);
    let sign = (head >> 63) as u64;
    let low = select_unpredictable(long, tail, head as u64);
    let high = select_unpredictable(long, head as u64, sign);
    let (value, 0) = T::from_words([low, high, sign, sign]) else { return None };
    Some((value, len))
}
