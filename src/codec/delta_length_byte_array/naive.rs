//! DELTA_LENGTH_BYTE_ARRAY as the specification tells it.

use super::super::delta_binary_packed::naive as delta_binary_packed;
use super::{ByteArrays, DecodeLimits, Geometry, Trailing};
use crate::{DecodeError, EncodeError};

/// The page as a `Vec`: first all lengths, delta encoded, then all bytes.
///
/// # Errors
/// As the [contract](super) says.
pub fn encode(values: &ByteArrays<'_>, geometry: Geometry) -> Result<Vec<u8>, EncodeError> {
    if let Some(width) = values.fixed_width() {
        return Err(EncodeError::NotByteArray { width });
    }
    let mut lengths = Vec::new();
    let mut bytes = 0;
    for (index, value) in values.iter().enumerate() {
        let length = i32::try_from(value.len()).map_err(|_| EncodeError::ValueTooLong { index, len: value.len() })?;
        bytes += value.len();
        if bytes > i32::MAX as usize {
            return Err(EncodeError::PageTooLong { index, len: bytes });
        }
        lengths.push(length);
    }
    let mut page = delta_binary_packed::encode(&lengths, geometry);
    for value in values.iter() {
        page.extend_from_slice(value);
    }
    Ok(page)
}

/// The bytes that [`encode_into`] writes.
///
/// # Errors
/// As [`encode`].
pub fn encoded_len(values: &ByteArrays<'_>, geometry: Geometry) -> Result<usize, EncodeError> {
    Ok(encode(values, geometry)?.len())
}

/// Writes the page to the start of `out` and says how many bytes it takes.
///
/// # Errors
/// As [`encode`], and [`EncodeError::BufferTooSmall`].
pub fn encode_into(values: &ByteArrays<'_>, geometry: Geometry, out: &mut [u8]) -> Result<usize, EncodeError> {
    let page = encode(values, geometry)?;
    if out.len() < page.len() {
        return Err(EncodeError::BufferTooSmall { needed: page.len(), available: out.len() });
    }
    out[..page.len()].copy_from_slice(&page);
    Ok(page.len())
}

/// The values of the page at the front of `bytes`, and the bytes consumed.
///
/// # Errors
/// As the [contract](super) says.
pub fn decode(bytes: &[u8], limits: &DecodeLimits) -> Result<(Vec<Vec<u8>>, usize), DecodeError> {
    let (lengths, mut at) = delta_binary_packed::decode::<i32>(bytes, limits.max_values)?;
    let mut values = Vec::new();
    let mut total: usize = 0;
    for (index, length) in lengths.into_iter().enumerate() {
        if length < 0 {
            return Err(DecodeError::NegativeLength { offset: 0, index, length });
        }
        let length = length as usize;
        let available = bytes.len() - at;
        if length > available {
            return Err(DecodeError::UnexpectedEnd { offset: at, needed: length, available });
        }
        total = total.saturating_add(length);
        if total > limits.max_bytes {
            return Err(DecodeError::OutputTooLarge { index, needed: total, limit: limits.max_bytes });
        }
        values.push(bytes[at..at + length].to_vec());
        at += length;
    }
    if limits.trailing == Trailing::Refused && at < bytes.len() {
        return Err(DecodeError::TrailingBytes { offset: at, available: bytes.len() - at });
    }
    Ok((values, at))
}
