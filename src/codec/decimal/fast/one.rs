//! One value at a time, with what a column demands worked out beforehand.

use super::byte_array;
use super::columns::check;
use super::integer::{Integer, exceeds_width, minimal_len};
use super::little_endian;
use super::portable::load_any;
use crate::codec::decimal::{Column, Options, Physical};
use crate::{DecodeError, EncodeError};

/// What a column demands of one value: the bytes of its type and the range that it leaves to i128.
///
/// The small path, for callers that have one value at a time; columns go faster whole. Errors name value 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    column: Column,
    min: i128,
    max: i128,
}

impl Limits {
    /// Works out the range of a column.
    pub fn new(column: &Column, options: Options) -> Self {
        let (min, max) = i128::range(column, options).unwrap_or((i128::MIN, i128::MAX));
        Self { column: *column, min, max }
    }

    /// The values that [`Limits::encode_one`] accepts, both ends included.
    pub fn range(&self) -> (i128, i128) {
        (self.min, self.max)
    }

    /// Encodes one unscaled value to the start of `out` and says how many bytes that took.
    ///
    /// # Errors
    /// Those of [`encode_into`](super::encode_into). Nothing is written then.
    #[inline]
    pub fn encode_one(&self, value: i128, out: &mut [u8]) -> Result<usize, EncodeError> {
        let (needed, prefix) = match self.column.physical() {
            Physical::Int32 => (4, 0),
            Physical::Int64 => (8, 0),
            Physical::Fixed(width) => (width as usize, 0),
            Physical::ByteArray => {
                self.accept(value)?;
                (4 + minimal_len(value.words()), 4)
            }
        };
        let available = out.len();
        let Some(item) = out.get_mut(..needed) else {
            return Err(EncodeError::BufferTooSmall { needed, available });
        };
        self.accept(value)?;
        match self.column.physical() {
            Physical::Int32 => item.copy_from_slice(&(value as i32).to_le_bytes()),
            Physical::Int64 => item.copy_from_slice(&(value as i64).to_le_bytes()),
            Physical::Fixed(_) => store_any(value, item),
            Physical::ByteArray => {
                let (length, body) = item.split_at_mut(prefix);
                length.copy_from_slice(&(body.len() as u32).to_le_bytes());
                store_any(value, body);
            }
        }
        Ok(needed)
    }

    /// Decodes one unscaled value from the start of `bytes`; also says how many bytes it took.
    ///
    /// # Errors
    /// Those of [`decode_into`](super::decode_into).
    #[inline]
    pub fn decode_one(&self, bytes: &[u8]) -> Result<(i128, usize), DecodeError> {
        let range = Some((self.min, self.max));
        let Some(width) = self.column.physical().width() else {
            let body = byte_array::body(bytes, 0, 0)?;
            return Ok((check(load_any(body), range, &self.column, 0, 0)?, 4 + body.len()));
        };
        let width = width as usize;
        let Some(item) = bytes.get(..width) else {
            return Err(DecodeError::UnexpectedEnd { offset: 0, needed: width, available: bytes.len() });
        };
        let words = match self.column.physical() {
            Physical::Int32 | Physical::Int64 => little_endian::load_any(item),
            Physical::Fixed(9..=16) => Some(load_two_words(item)),
            Physical::Fixed(_) | Physical::ByteArray => load_any(item),
        };
        Ok((check(words, range, &self.column, 0, 0)?, width))
    }

    #[inline(always)]
    fn accept(&self, value: i128) -> Result<(), EncodeError> {
        if value < self.min || value > self.max { Err(self.refusal(value)) } else { Ok(()) }
    }

    #[cold]
    fn refusal(&self, value: i128) -> EncodeError {
        match exceeds_width(value.words(), self.column.physical()) {
            Some(width) => EncodeError::ValueExceedsWidth { index: 0, width },
            None => EncodeError::ValueExceedsPrecision { index: 0, precision: self.column.precision() },
        }
    }
}

/// Stores the low bytes of a value big-endian in the whole of `item`, in words that overlap.
#[inline(always)]
fn store_any(value: i128, item: &mut [u8]) {
    let [low, high, sign, _] = value.words();
    let len = item.len();
    if let 9..=16 = len {
        item[..8].copy_from_slice(&(high << (8 * (16 - len))).to_be_bytes());
        item[len - 8..].copy_from_slice(&low.to_be_bytes());
    } else if len > 16 {
        let (front, last) = item.split_at_mut(len - 16);
        front.fill(sign as u8);
        last.copy_from_slice(&value.to_be_bytes());
    } else if len == 8 {
        item.copy_from_slice(&low.to_be_bytes());
    } else if len >= 4 {
        item[..4].copy_from_slice(&((low >> (8 * (len - 4))) as u32).to_be_bytes());
        item[len - 4..].copy_from_slice(&(low as u32).to_be_bytes());
    } else if len >= 2 {
        item[..2].copy_from_slice(&((low >> (8 * (len - 2))) as u16).to_be_bytes());
        item[len - 2..].copy_from_slice(&(low as u16).to_be_bytes());
    } else if let [only] = item {
        *only = low as u8;
    }
}

/// Loads 9 to 16 big-endian bytes.
#[inline(always)]
fn load_two_words(item: &[u8]) -> [u64; 4] {
    let head = i64::from_be_bytes(*item.first_chunk().expect("at least 9 bytes")) >> (8 * (16 - item.len()));
    let low = u64::from_be_bytes(*item.last_chunk().expect("at least 9 bytes"));
    let sign = (head >> 63) as u64;
    [low, head as u64, sign, sign]
}
