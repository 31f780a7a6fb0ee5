//! ULEB128 and zigzag: the numbers of page and block headers.

use crate::DecodeError;
use crate::codec::delta_binary_packed::Integer;

/// The most bytes that 64 bits take.
pub const MAX_LEN: usize = 10;

/// Writes `value` to the front of `out`; gives the bytes written.
#[inline(always)]
pub fn put(out: &mut [u8], mut value: u64) -> usize {
    let mut at = 0;
    while value >= 0x80 {
        out[at] = value as u8 | 0x80;
        value >>= 7;
        at += 1;
    }
    out[at] = value as u8;
    at + 1
}

/// [`put`] of a long number, all bytes at once where it and the `after` bytes that will be written behind it are ten: by what
/// moves each seven of the lower 56 bits to a byte of their own.
#[inline(always)]
pub fn put_by(out: &mut [u8], value: u64, after: usize, apart: impl FnOnce(u64) -> u64) -> usize {
    // Up to four bytes are written sooner one by one.
    if value < 1 << 28 {
        return put(out, value);
    }
    let len = len(value);
    let Some(bytes) = out[..len + after].first_chunk_mut::<MAX_LEN>() else { return put(out, value) };
    // The highest bit of all bytes but the last.
    let more = 0x8080_8080_8080_8080 & u64::MAX >> (64 - 8 * (len - 1).min(8));
    let (low, high) = bytes.split_at_mut(8);
    low.copy_from_slice(&(apart(value) | more).to_le_bytes());
    // The 64th bit, where it is set, says of the ninth byte that there is a tenth.
    high.copy_from_slice(&[(value >> 56) as u8, 1]);
    len
}

/// The bytes that [`put`] writes.
#[inline(always)]
pub fn len(value: u64) -> usize {
    // Seven bits to a byte, and one byte for zero.
    (70 - (value | 1).leading_zeros() as usize) / 7
}

#[inline(always)]
pub fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

#[inline(always)]
pub fn unzigzag(stored: u64) -> i64 {
    (stored >> 1) as i64 ^ -((stored & 1) as i64)
}

/// The number at `*position`, which is moved past it.
#[inline(always)]
pub fn get(bytes: &[u8], position: &mut usize) -> Result<u64, DecodeError> {
    let rest = &bytes[*position..];
    let (value, len) = match front(rest) {
        Some(found) => found,
        None => get_any(rest, *position)?,
    };
    *position += len;
    Ok(value)
}

/// The number at the front of `bytes`, and its length; nothing if it is wrong, or too near to the end to be read at once.
#[inline(always)]
pub fn front(bytes: &[u8]) -> Option<(u64, usize)> {
    front_by(bytes, |word| {
        // Ones, twos, fours.
        let word = word & 0x007F_007F_007F_007F | (word & 0x7F00_7F00_7F00_7F00) >> 1;
        let word = word & 0x0000_3FFF_0000_3FFF | (word & 0x3FFF_0000_3FFF_0000) >> 2;
        word & 0x0FFF_FFFF | (word & 0x0FFF_FFFF_0000_0000) >> 4
    })
}

/// [`front`] of any length, all bytes at once, for there is a number for each block: by what moves the lower seven bits of bytes together.
#[inline(always)]
pub fn front_by(bytes: &[u8], together: impl FnOnce(u64) -> u64) -> Option<(u64, usize)> {
    let &first = bytes.first()?;
    if first < 0x80 {
        return Some((u64::from(first), 1));
    }
    let word = u64::from_le_bytes(*bytes.first_chunk()?);
    let ends = !word & 0x8080_8080_8080_8080;
    // The bytes up to the first without the highest bit.
    let value = together(word & (ends ^ ends.wrapping_sub(1)) & 0x7F7F_7F7F_7F7F_7F7F);
    if ends != 0 {
        return Some((value, ends.trailing_zeros() as usize / 8 + 1));
    }
    let &[.., ninth] = bytes.first_chunk::<9>()?;
    let value = value | u64::from(ninth & 0x7F) << 56;
    if ninth < 0x80 {
        return Some((value, 9));
    }
    let &[.., tenth] = bytes.first_chunk::<MAX_LEN>()?;
    (tenth <= 1).then_some((value | u64::from(tenth) << 63, MAX_LEN))
}

/// [`front`] byte by byte, at the end of a page; or what is wrong.
#[cold]
fn get_any(bytes: &[u8], offset: usize) -> Result<(u64, usize), DecodeError> {
    let mut value = 0;
    for (index, &byte) in bytes.iter().take(MAX_LEN).enumerate() {
        value |= u64::from(byte & 0x7F) << (7 * index);
        if byte < 0x80 {
            if index == MAX_LEN - 1 && byte > 1 {
                break;
            }
            return Ok((value, index + 1));
        }
    }
    if bytes.len() >= MAX_LEN {
        return Err(DecodeError::VarintOverflow { offset });
    }
    Err(DecodeError::UnexpectedEnd { offset, needed: bytes.len() + 1, available: bytes.len() })
}

/// The zigzag number at `*position`, which must be a `T`.
#[inline(always)]
pub fn get_integer<T: Integer>(bytes: &[u8], position: &mut usize) -> Result<T, DecodeError> {
    let offset = *position;
    let value = unzigzag(get(bytes, position)?);
    T::from_i64(value).ok_or(DecodeError::IntegerOutOfRange { offset, value, bits: T::BITS })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_of_number_is_put_and_got() {
        let edges = (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, (1 << bit) + 1]).chain([u64::MAX]);
        for value in edges {
            let mut out = [0xAA; MAX_LEN + 1];
            let written = put(&mut out, value);
            assert_eq!(written, len(value), "{value}");
            assert_eq!(out[written], 0xAA);
            // With bytes behind it, and without.
            for bytes in [&out[..], &out[..written]] {
                let mut position = 0;
                assert_eq!(get(bytes, &mut position), Ok(value));
                assert_eq!(position, written);
            }
            let cut = written - 1;
            let end = DecodeError::UnexpectedEnd { offset: 0, needed: cut + 1, available: cut };
            assert_eq!(get(&out[..cut], &mut 0), Err(end));
        }
    }

    #[test]
    fn a_number_is_put_at_once_into_ten_bytes_that_will_be_written() {
        // The oracle of the instruction that moves bits to where a mask has them.
        let apart = |value: u64| (0..8).fold(0, |bytes, index| bytes | (value >> (7 * index) & 0x7F) << (8 * index));
        for value in (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, (1 << bit) + 1, u64::MAX >> bit]) {
            let mut right = [0xAA; MAX_LEN + 5];
            let len = put(&mut right, value);
            for after in 0..=MAX_LEN {
                let mut out = [0xAA; 2 * MAX_LEN + 5];
                assert_eq!(put_by(&mut out, value, after, apart), len, "{value}");
                assert_eq!(out[..len], right[..len], "{value}");
                assert_eq!(out[len + after..], [0xAA; 2 * MAX_LEN + 5][len + after..], "{value}");
            }
        }
    }

    #[test]
    fn a_padded_number_is_read_and_a_65_bit_one_is_not() {
        assert_eq!(get(&[0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], &mut 0), Ok(1));
        let padded = [0x81, 0x80, 0x80, 0x00, 0xFF, 0xFF, 0xFF, 0xFF];
        assert_eq!(get(&padded, &mut 0), Ok(1));
        let too_long = [0x80; 11];
        assert_eq!(get(&too_long, &mut 0), Err(DecodeError::VarintOverflow { offset: 0 }));
        let mut too_large = [0xFF; 10];
        too_large[9] = 2;
        assert_eq!(get(&too_large, &mut 0), Err(DecodeError::VarintOverflow { offset: 0 }));
    }
}
