//! Which bits of a page say nothing.

use super::{Geometry, Integer};
use crate::DecodeError;
use alloc::vec::Vec;

/// Marks, in a mask as long as the stream at the front of `page`, the bits that the specification leaves open: the width
/// bytes of miniblocks that hold no value, and the padding of the last miniblock.
///
/// Two pages that differ only in such bits hold the same values and are read alike. A comparison that needs the mask
/// should say so: writers that leave such bits set are legal, but their output depends on more than the values.
/// (The first value of an empty page says nothing either; it is not marked, as its length may differ too.)
///
/// # Errors
///
/// As the decoders, at the same offsets.
pub fn dont_care_mask<T: Integer>(page: &[u8]) -> Result<Vec<u8>, DecodeError> {
    let mut at = Walk::<T> { page, position: 0, _type: core::marker::PhantomData };
    let block_size = at.uleb128()?;
    let miniblock_count = at.uleb128()?;
    let count_offset = at.position;
    let count = at.uleb128()?;
    at.integer()?;
    let geometry = Geometry::legal(block_size, miniblock_count).ok_or(DecodeError::InvalidGeometry {
        offset: 0,
        block_size,
        miniblock_count,
    })?;
    let possible = geometry.most_values(page.len() - at.position);
    if count > possible {
        return Err(DecodeError::CountExceedsInput { offset: count_offset, count, possible });
    }

    let mut mask = alloc::vec![0; at.position];
    let mut deltas = count.saturating_sub(1);
    while deltas > 0 {
        at.integer()?;
        let widths = at.take(geometry.miniblock_count())?;
        mask.resize(at.position, 0);
        for offset in widths {
            if deltas == 0 {
                mask[offset] = 0xFF;
                continue;
            }
            let width = page[offset];
            if u32::from(width) > T::BITS {
                return Err(DecodeError::InvalidBitWidth { offset, width, max: T::BITS });
            }
            let body = at.take((geometry.miniblock_size() / 8).saturating_mul(usize::from(width)))?;
            mask.resize(at.position, 0);
            let here = deltas.min(geometry.miniblock_size() as u64);
            deltas -= here;
            let used_bits = here as usize * usize::from(width);
            for bit in used_bits..8 * body.len() {
                mask[body.start + bit / 8] |= 1 << (bit % 8);
            }
        }
    }
    Ok(mask)
}

/// Goes through a page item by item.
struct Walk<'a, T> {
    page: &'a [u8],
    position: usize,
    _type: core::marker::PhantomData<T>,
}

impl<T: Integer> Walk<'_, T> {
    fn take(&mut self, needed: usize) -> Result<core::ops::Range<usize>, DecodeError> {
        let (offset, available) = (self.position, self.page.len() - self.position);
        if available < needed {
            return Err(DecodeError::UnexpectedEnd { offset, needed, available });
        }
        self.position += needed;
        Ok(offset..self.position)
    }

    fn uleb128(&mut self) -> Result<u64, DecodeError> {
        let offset = self.position;
        let mut value = 0_u64;
        for index in 0..10 {
            let available = self.page.len() - offset;
            let Some(&byte) = self.page.get(offset + index) else {
                return Err(DecodeError::UnexpectedEnd { offset, needed: available + 1, available });
            };
            if index == 9 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7F) << (7 * index);
            if byte < 0x80 {
                self.position = offset + index + 1;
                return Ok(value);
            }
        }
        Err(DecodeError::VarintOverflow { offset })
    }

    fn integer(&mut self) -> Result<(), DecodeError> {
        let offset = self.position;
        let stored = self.uleb128()?;
        let value = (stored >> 1) as i64 ^ -((stored & 1) as i64);
        T::from_i64(value).ok_or(DecodeError::IntegerOutOfRange { offset, value, bits: T::BITS })?;
        Ok(())
    }
}
