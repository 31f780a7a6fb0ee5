//! Miniblocks of a page that were looked at: all is there that their widths ask for.

use crate::codec::delta_binary_packed::Integer;

#[cfg(all(test, feature = "naive"))]
std::thread_local! {
    /// How many widths of whole miniblocks this thread has looked at.
    pub static LOOKED_AT: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// Neighbouring miniblocks of a block, all of them whole.
///
/// Kernels rely on what the constructors have checked.
#[derive(Clone, Copy)]
pub struct Miniblocks<'a> {
    /// One for each.
    widths: &'a [u8],
    /// What each has of the chunks of 32 values: one at least.
    chunks: usize,
    /// The miniblocks, and what follows them in the page.
    bytes: &'a [u8],
    /// The bytes of the miniblocks.
    len: usize,
}

impl<'a> Miniblocks<'a> {
    /// Some of the chunks, one at least, of the miniblock of this width, at the front of `bytes`; nothing if `chunks` is zero, if the
    /// width is above the bits of `T`, or if `bytes` is too short.
    #[inline(always)]
    pub fn part<T: Integer>(width: &'a [u8; 1], chunks: usize, bytes: &'a [u8]) -> Option<Self> {
        let len = (4 * usize::from(width[0])).checked_mul(chunks)?;
        (chunks > 0 && u32::from(width[0]) <= T::BITS && len <= bytes.len()).then_some(Self {
            widths: width,
            chunks,
            bytes,
            len,
        })
    }

    /// `count` miniblocks, one at least, of `chunks` chunks each: their widths are at the front of `widths`, and they at that of `bytes`.
    /// Nothing if `chunks` is zero, if a width is above the bits of `T`, if `bytes` is too short, or if `widths` is too short for looking
    /// at eight at a time.
    #[inline(always)]
    pub fn new<T: Integer>(widths: &'a [u8], count: usize, chunks: usize, bytes: &'a [u8]) -> Option<Self> {
        #[cfg(all(test, feature = "naive"))]
        LOOKED_AT.set(LOOKED_AT.get() + count);
        let mut sum = sum_of_eight::<T>(widths, count)?;
        if count > 8 {
            sum += sum_of_more::<T>(&widths[8..], count - 8)?;
        }
        let widths = widths.get(..count)?;
        let len = (4 * sum).checked_mul(chunks)?;
        (chunks > 0 && len <= bytes.len()).then_some(Self { widths, chunks, bytes, len })
    }

    /// How many chunks they have together.
    #[inline(always)]
    pub fn chunks(self) -> usize {
        self.widths.len() * self.chunks
    }

    /// How many chunks each miniblock has.
    #[inline(always)]
    pub fn chunks_of_each(self) -> usize {
        self.chunks
    }

    /// The width of each miniblock.
    #[inline(always)]
    pub fn widths(self) -> &'a [u8] {
        self.widths
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

    /// What follows them in the page.
    #[inline(always)]
    pub fn rest(self) -> &'a [u8] {
        &self.bytes[self.len..]
    }
}

/// The sum of `count` widths, of which the first eight are looked at; nothing if one of those is above the bits of `T`.
#[inline(always)]
fn sum_of_eight<T: Integer>(widths: &[u8], count: usize) -> Option<usize> {
    let eight = u64::from_le_bytes(*widths.first_chunk()?) & u64::MAX >> (64 - 8 * count.min(8));
    // The highest bit of each byte that is above the type's.
    let above = eight | eight.wrapping_add(u64::from(0x7F - T::BITS) * 0x0101_0101_0101_0101);
    if above & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    // In 16 bits each.
    let pairs = (eight & 0x00FF_00FF_00FF_00FF) + (eight >> 8 & 0x00FF_00FF_00FF_00FF);
    Some((pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as usize)
}

/// The sum of `count` widths; nothing if one is above the bits of `T`.
#[inline(always)]
fn sum_of_more<T: Integer>(widths: &[u8], count: usize) -> Option<usize> {
    let steps = (0..count).step_by(8);
    steps.map(|at| sum_of_eight::<T>(widths.get(at..)?, count - at)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_told_apart<T: Integer>() {
        let page = [0; 5000];
        for count in 1..=19 {
            for place in 0..count {
                for width in 0..=u8::MAX {
                    let mut widths = [7; 19 + 8];
                    widths[count..].fill(0xFF); // belong to others
                    widths[place] = width;
                    let sum: usize = widths[..count].iter().map(|&width| usize::from(width)).sum();
                    let of = |len: usize| Miniblocks::new::<T>(&widths, count, 3, &page[..len]);
                    let right = u32::from(width) <= T::BITS;
                    for len in [12 * sum, 12 * sum + 1] {
                        let found = of(len).map(|it| (it.widths(), it.len(), it.chunks(), it.rest().len()));
                        let expected = (&widths[..count], 12 * sum, 3 * count, len - 12 * sum);
                        assert_eq!(found, right.then_some(expected), "{count} {place} {width}");
                    }
                    assert!(sum == 0 || of(12 * sum - 1).is_none());
                    let part = Miniblocks::part::<T>(&[width], 3, &page).map(|it| (it.len(), it.chunks()));
                    assert_eq!(part, right.then_some((12 * usize::from(width), 3)));
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
    fn a_length_that_is_no_number_is_not_taken() {
        assert!(Miniblocks::new::<i64>(&[64; 8], 8, usize::MAX / 2048 + 1, &[]).is_none());
        assert!(Miniblocks::part::<i64>(&[64], usize::MAX / 256 + 1, &[]).is_none());
    }

    #[test]
    fn miniblocks_of_no_chunk_are_not_taken() {
        // A kernel decodes one before it asks whether there is another.
        assert!(Miniblocks::new::<i64>(&[1; 8], 1, 0, &[0; 64]).is_none());
        assert!(Miniblocks::part::<i64>(&[1], 0, &[0; 64]).is_none());
    }

    #[test]
    fn widths_are_looked_at_only_where_there_are_eight() {
        assert!(Miniblocks::new::<i64>(&[0; 8], 3, 1, &[]).is_some());
        assert!(Miniblocks::new::<i64>(&[0; 7], 3, 1, &[]).is_none());
        assert!(Miniblocks::new::<i64>(&[0; 16], 9, 1, &[]).is_some());
        assert!(Miniblocks::new::<i64>(&[0; 15], 9, 1, &[]).is_none());
    }
}
