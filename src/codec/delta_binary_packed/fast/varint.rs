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

/// The number at `*position`, which is moved past it.
#[inline(always)]
pub fn get(bytes: &[u8], position: &mut usize) -> Result<u64, DecodeError> {
    let offset = *position;
    match bytes.get(offset) {
        Some(&byte) if byte < 0x80 => {
            *position = offset + 1;
            Ok(u64::from(byte))
        }
        _ => get_long(bytes, position),
    }
}

fn get_long(bytes: &[u8], position: &mut usize) -> Result<u64, DecodeError> {
    let offset = *position;
    let rest = &bytes[offset..];
    let mut value = 0;
    for (index, &byte) in rest.iter().take(MAX_LEN).enumerate() {
        value |= u64::from(byte & 0x7F) << (7 * index);
        if byte < 0x80 {
            if index == MAX_LEN - 1 && byte > 1 {
                break;
            }
            *position = offset + index + 1;
            return Ok(value);
        }
    }
    if rest.len() >= MAX_LEN {
        return Err(DecodeError::VarintOverflow { offset });
    }
    Err(DecodeError::UnexpectedEnd { offset, needed: rest.len() + 1, available: rest.len() })
}

/// The zigzag number at `*position`, which must be a `T`.
#[inline(always)]
pub fn get_integer<T: Integer>(bytes: &[u8], position: &mut usize) -> Result<T, DecodeError> {
    let offset = *position;
    let stored = get(bytes, position)?;
    let value = (stored >> 1) as i64 ^ -((stored & 1) as i64);
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
            let mut position = 0;
            assert_eq!(get(&out[..written], &mut position), Ok(value));
            assert_eq!(position, written);
            let cut = written - 1;
            let end = DecodeError::UnexpectedEnd { offset: 0, needed: cut + 1, available: cut };
            assert_eq!(get(&out[..cut], &mut 0), Err(end));
        }
    }

    #[test]
    fn a_padded_number_is_read_and_a_65_bit_one_is_not() {
        assert_eq!(get(&[0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], &mut 0), Ok(1));
        let too_long = [0x80; 11];
        assert_eq!(get(&too_long, &mut 0), Err(DecodeError::VarintOverflow { offset: 0 }));
        let mut too_large = [0xFF; 10];
        too_large[9] = 2;
        assert_eq!(get(&too_large, &mut 0), Err(DecodeError::VarintOverflow { offset: 0 }));
    }
}
