//! One value at a time, with what a column demands worked out beforehand.

use super::byte_array;
use super::columns::{check, room};
use super::integer::{Integer, exceeds_width, minimal_len};
use super::little_endian;
use super::portable::load_any;
use crate::codec::decimal::{Column, ColumnOptions, Physical};
use crate::{DecodeError, EncodeError};

/// What a column demands of one value: the bytes of its type and the range that it leaves to i128.
///
/// The small path, for callers that have one value at a time; columns go faster whole. Errors name value 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    column: Column,
    min: i128,
    /// The largest less the smallest value that is accepted: one compare for both ends.
    span: u128,
    /// Bytes of a FIXED value of up to 16; for other types more than any slice has, which sends them the long way.
    width: usize,
}

impl Limits {
    /// Works out the range of a column.
    pub fn new(column: &Column, options: ColumnOptions) -> Self {
        let (min, max) = i128::range(column, options).unwrap_or((i128::MIN, i128::MAX));
        let width = match column.physical() {
            Physical::Fixed(width @ 1..=16) => width as usize,
            _ => usize::MAX,
        };
        Self { column: *column, min, span: max.wrapping_sub(min) as u128, width }
    }

    /// The values that [`Limits::encode_one`] accepts, both ends included.
    pub fn range(&self) -> (i128, i128) {
        (self.min, self.min.wrapping_add(self.span as i128))
    }

    /// Encodes one unscaled value to the start of `out` and says how many bytes that took.
    ///
    /// # Errors
    /// Those of [`encode_into`](super::encode_into). Nothing is written then.
    // Small enough to be inlined always: a call that returns a `Result` through memory costs more than the work.
    #[inline(always)]
    pub fn encode_one(&self, value: i128, out: &mut [u8]) -> Result<usize, EncodeError> {
        match out.get_mut(..self.width) {
            Some(item) if self.accepts(value) => {
                store_short(value, item);
                Ok(self.width)
            }
            _ => self.encode_other(value, out),
        }
    }

    /// Every type, and every refusal.
    #[inline(never)]
    fn encode_other(&self, value: i128, out: &mut [u8]) -> Result<usize, EncodeError> {
        let physical = self.column.physical();
        if physical == Physical::ByteArray && !self.accepts(value) {
            return Err(self.refusal(value));
        }
        let needed = physical.width().map_or_else(|| 4 + minimal_len(value.words()), |width| width as usize);
        let item = room(out, needed)?;
        if !self.accepts(value) {
            return Err(self.refusal(value));
        }
        match physical {
            Physical::ByteArray => _ = byte_array::encode(&[value], item),
            Physical::Int32 | Physical::Int64 => item.copy_from_slice(&value.to_le_bytes()[..needed]),
            Physical::Fixed(_) => store_any(value, item),
        }
        Ok(needed)
    }

    /// Decodes one unscaled value from the start of `bytes`; also says how many bytes it took.
    ///
    /// # Errors
    /// Those of [`decode_into`](super::decode_into).
    #[inline(always)]
    pub fn decode_one(&self, bytes: &[u8]) -> Result<(i128, usize), DecodeError> {
        if let Some(item) = bytes.get(..self.width) {
            let value = load_short(item);
            if self.accepts(value) {
                return Ok((value, self.width));
            }
        }
        self.decode_other(bytes)
    }

    /// Every type, and every refusal.
    #[inline(never)]
    fn decode_other(&self, bytes: &[u8]) -> Result<(i128, usize), DecodeError> {
        let (words, len) = match self.column.physical().width() {
            None => {
                let body = byte_array::body(bytes, 0, 0)?;
                (load_any(body), 4 + body.len())
            }
            Some(width) => {
                let width = width as usize;
                let Some(item) = bytes.get(..width) else {
                    return Err(DecodeError::UnexpectedEnd { offset: 0, needed: width, available: bytes.len() });
                };
                let little = matches!(self.column.physical(), Physical::Int32 | Physical::Int64);
                (if little { little_endian::load_any(item) } else { load_any(item) }, width)
            }
        };
        Ok((check(words, Some(self.range()), &self.column, 0, 0)?, len))
    }

    #[inline(always)]
    fn accepts(&self, value: i128) -> bool {
        value.wrapping_sub(self.min) as u128 <= self.span
    }

    #[cold]
    fn refusal(&self, value: i128) -> EncodeError {
        match exceeds_width(value.words(), self.column.physical()) {
            Some(width) => EncodeError::ValueExceedsWidth { index: 0, width },
            None => EncodeError::ValueExceedsPrecision { index: 0, precision: self.column.precision() },
        }
    }
}

/// Stores the low bytes of a value big-endian in the whole of `item`.
#[inline(always)]
pub(super) fn store_any(value: i128, item: &mut [u8]) {
    match item.split_last_chunk::<16>() {
        Some(_) => {
            let (front, last) = item.split_last_chunk_mut::<16>().expect("16 bytes or more");
            front.fill((value >> 127) as u8);
            *last = value.to_be_bytes();
        }
        None => store_short(value, item),
    }
}

/// [`store_any`] for 1 to 16 bytes: two words that overlap.
#[inline(always)]
fn store_short(value: i128, item: &mut [u8]) {
    let len = item.len();
    let (low, high) = (value as u64, (value >> 64) as u64);
    if len >= 8 {
        // At 8 bytes, both words are the low one.
        let head = if len == 8 { low } else { high << ((8 * (16 - len)) & 63) };
        *item.first_chunk_mut().expect("8 bytes") = head.to_be_bytes();
        *item.last_chunk_mut().expect("8 bytes") = low.to_be_bytes();
    } else if len >= 4 {
        let head = low >> (8 * (len - 4));
        *item.first_chunk_mut().expect("4 bytes") = (head as u32).to_be_bytes();
        *item.last_chunk_mut().expect("4 bytes") = (low as u32).to_be_bytes();
    } else if len >= 2 {
        // By one byte where there are three.
        let head = low >> (8 * (len & 1));
        *item.first_chunk_mut().expect("2 bytes") = (head as u16).to_be_bytes();
        *item.last_chunk_mut().expect("2 bytes") = (low as u16).to_be_bytes();
    } else if let [byte] = item {
        *byte = low as u8;
    }
}

/// Loads 1 to 16 big-endian bytes and extends them with their sign.
#[inline(always)]
fn load_short(item: &[u8]) -> i128 {
    let len = item.len();
    if let (Some(head), Some(low)) = (item.first_chunk(), item.last_chunk()) {
        // At 8 bytes the head is the low word itself, and only its sign is left to take.
        let head = i64::from_be_bytes(*head) >> (8 * (16 - len)).min(63);
        return i128::from(head) << 64 | i128::from(u64::from_be_bytes(*low));
    }
    if let (Some(head), Some(low)) = (item.first_chunk(), item.last_chunk()) {
        let head = i64::from(i32::from_be_bytes(*head)) << (8 * (len - 4));
        return i128::from(head | i64::from(u32::from_be_bytes(*low)));
    }
    match item {
        [a, b, c] => i128::from(i32::from_be_bytes([*a, *b, *c, 0]) >> 8),
        [a, b] => i128::from(i16::from_be_bytes([*a, *b])),
        [a] => i128::from(*a as i8),
        _ => 0,
    }
}
