//! Miniblocks of a page that were looked at: all is there that their widths ask for.

use crate::codec::delta_binary_packed::Integer;
use core::iter;

/// Neighbouring miniblocks of a block, all of them whole.
///
/// Kernels rely on what [`new`](Self::new) has checked.
#[derive(Clone, Copy)]
pub struct Miniblocks<'a> {
    /// One for each.
    widths: &'a [u8],
    /// What each has of the chunks of 32 values.
    chunks: usize,
    /// The miniblocks, and what follows them in the page.
    bytes: &'a [u8],
    /// The bytes of the miniblocks.
    len: usize,
}

/// The most miniblocks that are looked at together. Those of a page that is cut are looked at again, one by one.
pub const MANY: usize = 64;

impl<'a> Miniblocks<'a> {
    /// The miniblocks of these widths, [`MANY`] at most, at the front of `bytes`; nothing if a width is above the bits of `T`,
    /// or `bytes` too short.
    #[inline(always)]
    pub fn new<T: Integer>(widths: &'a [u8], chunks: usize, bytes: &'a [u8]) -> Option<Self> {
        if widths.len() > MANY {
            return None;
        }
        // Four at a time: their sums in 16 bits, and the highest bit of each byte that is above the type's.
        let above = (0x7F - T::BITS) * 0x0101_0101;
        let (fours, rest) = widths.as_chunks();
        let (mut sums, mut wrong) = (0, 0);
        for &four in fours {
            let four = u32::from_le_bytes(four);
            sums += (four & 0x00FF_00FF) + (four >> 8 & 0x00FF_00FF);
            wrong |= four | four.wrapping_add(above);
        }
        let mut sum = (sums & 0xFFFF) + (sums >> 16);
        for &width in rest {
            let width = u32::from(width);
            sum += width;
            wrong |= width | width.wrapping_add(above);
        }
        let len = (4 * sum as usize).checked_mul(chunks)?;
        // Of `rest` only the lowest byte says anything, and `above` is without the highest bit in the others.
        let right = wrong & 0x8080_8080 == 0 && len <= bytes.len();
        right.then_some(Self { widths, chunks, bytes, len })
    }

    /// How many chunks they have.
    #[inline(always)]
    pub fn chunks(self) -> usize {
        self.widths.len() * self.chunks
    }

    /// The width of each chunk.
    #[inline(always)]
    pub fn widths(self) -> impl Iterator<Item = usize> {
        let mut widths = self.widths.iter();
        let (mut width, mut left) = (0, 0);
        iter::from_fn(move || {
            if left == 0 {
                (width, left) = (usize::from(*widths.next()?), self.chunks);
            }
            left -= 1;
            Some(width)
        })
    }

    /// The miniblocks, of [`len`](Self::len) bytes, and what follows them in the page.
    #[inline(always)]
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The bytes of the miniblocks: for each chunk four times the width, and no more than there are.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_told_apart<T: Integer>() {
        let page = [0; 20_000];
        for count in 1..=9 {
            for place in 0..count {
                for width in 0..=u8::MAX {
                    let mut widths = [7; 9];
                    widths[place] = width;
                    let widths = &widths[..count];
                    let len = 3 * widths.iter().map(|&width| 4 * usize::from(width)).sum::<usize>();
                    let miniblocks = Miniblocks::new::<T>(widths, 3, &page);
                    let expected = (u32::from(width) <= T::BITS).then_some((len, 3 * count));
                    assert_eq!(miniblocks.map(|it| (it.len(), it.chunks())), expected, "{widths:?}");
                    let Some(miniblocks) = miniblocks else { continue };
                    assert!(miniblocks.widths().eq(widths.iter().flat_map(|&width| [usize::from(width); 3])));
                    assert!(Miniblocks::new::<T>(widths, 3, &page[..len]).is_some());
                    assert!(len == 0 || Miniblocks::new::<T>(widths, 3, &page[..len - 1]).is_none());
                }
            }
        }
    }

    #[test]
    fn only_whole_miniblocks_of_widths_of_the_type_are_taken() {
        assert_told_apart::<i32>();
        assert_told_apart::<i64>();
    }

    #[test]
    fn no_more_are_taken_than_sums_have_room_for() {
        let page = [0; 4 * 64 * MANY];
        assert!(Miniblocks::new::<i64>(&[64; MANY], 1, &page).is_some_and(|it| it.len() == page.len()));
        assert!(Miniblocks::new::<i64>(&[0; MANY + 1], 1, &page).is_none());
        assert!(Miniblocks::new::<i64>(&[64; MANY], usize::MAX, &page).is_none());
    }
}
