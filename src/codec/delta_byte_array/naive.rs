//! DELTA_BYTE_ARRAY as the specification tells it.

use super::super::delta_binary_packed::naive as delta_binary_packed;
use super::{ByteArrays, DecodeOptions, Geometry, Trailing};
use crate::{DecodeError, EncodeError};

/// The page as a `Vec`: all prefix lengths, all suffix lengths, all suffixes.
///
/// # Errors
/// As the [contract](super) says.
pub fn encode(values: &ByteArrays<'_>, geometry: Geometry) -> Result<Vec<u8>, EncodeError> {
    let mut prefix_lengths = Vec::new();
    let mut suffix_lengths = Vec::new();
    let mut suffixes = Vec::new();
    let mut previous: &[u8] = &[];
    for (index, value) in values.iter().enumerate() {
        if i32::try_from(value.len()).is_err() {
            return Err(EncodeError::ValueTooLong { index, len: value.len() });
        }
        let prefix = previous.iter().zip(value).take_while(|(a, b)| a == b).count();
        let suffix = &value[prefix..];
        let len = suffixes.len() + suffix.len();
        if i32::try_from(len).is_err() {
            return Err(EncodeError::PageTooLong { index, len });
        }
        prefix_lengths.push(prefix as i32);
        suffix_lengths.push(suffix.len() as i32);
        suffixes.extend_from_slice(suffix);
        previous = value;
    }
    let mut page = delta_binary_packed::encode(&prefix_lengths, geometry);
    page.extend(delta_binary_packed::encode(&suffix_lengths, geometry));
    page.extend(suffixes);
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
pub fn decode(bytes: &[u8], options: &DecodeOptions<'_>) -> Result<(Vec<Vec<u8>>, usize), DecodeError> {
    let limits = options.limits;
    let (prefix_lengths, suffix_stream) = delta_binary_packed::decode::<i32>(bytes, limits.max_values)?;
    let (suffix_lengths, consumed) = delta_binary_packed::decode::<i32>(&bytes[suffix_stream..], limits.max_values)
        .map_err(|error| error.moved_by(suffix_stream))?;
    if prefix_lengths.len() != suffix_lengths.len() {
        let (prefixes, suffixes) = (prefix_lengths.len(), suffix_lengths.len());
        return Err(DecodeError::CountMismatch { offset: suffix_stream, prefixes, suffixes });
    }
    let mut at = suffix_stream + consumed;
    let mut values = Vec::new();
    let mut total: usize = 0;
    let mut previous = options.first_prefix.bytes().to_vec();
    for (index, (prefix, suffix)) in prefix_lengths.into_iter().zip(suffix_lengths).enumerate() {
        if prefix < 0 || prefix as usize > previous.len() {
            return Err(DecodeError::PrefixOutOfRange { offset: 0, index, prefix, previous: previous.len() });
        }
        if suffix < 0 {
            return Err(DecodeError::NegativeLength { offset: suffix_stream, index, length: suffix });
        }
        let (prefix, suffix) = (prefix as usize, suffix as usize);
        let available = bytes.len() - at;
        if suffix > available {
            return Err(DecodeError::UnexpectedEnd { offset: at, needed: suffix, available });
        }
        if let Some(expected) = options.value_len
            && prefix + suffix != expected
        {
            return Err(DecodeError::WrongLength { offset: at, index, len: prefix + suffix, expected });
        }
        total = total.saturating_add(prefix + suffix);
        if total > limits.max_bytes {
            return Err(DecodeError::OutputTooLarge { index, needed: total, limit: limits.max_bytes });
        }
        let value = [&previous[..prefix], &bytes[at..at + suffix]].concat();
        at += suffix;
        previous.clone_from(&value);
        values.push(value);
    }
    if limits.trailing == Trailing::Refused && at < bytes.len() {
        return Err(DecodeError::TrailingBytes { offset: at, available: bytes.len() - at });
    }
    Ok((values, at))
}
