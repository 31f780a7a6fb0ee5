//! Where a decoder is in its page.

use super::miniblocks::Miniblocks;
use super::portable::Kernel;
use super::{Word, varint};
use crate::DecodeError;
use crate::codec::delta_binary_packed::{Geometry, Integer};

/// A chunk in a miniblock of a page.
#[derive(Clone, Debug)]
pub struct Place<'a, T> {
    bytes: &'a [u8],
    geometry: Geometry,
    chunks_per_miniblock: usize,
    /// The end of what was read: of a header, or of the miniblock.
    position: usize,
    /// Where the width bytes that are still to come are in the current block, and how many they are.
    widths: usize,
    widths_left: usize,
    min_delta: T,
    /// Where the next chunk is, and how many of the miniblock are still to be decoded.
    chunk: usize,
    chunks_left: usize,
}

impl<'a, T: Integer> Place<'a, T> {
    /// The first block of a page, behind the header, which ends at `position`.
    pub fn new(bytes: &'a [u8], geometry: Geometry, position: usize) -> Self {
        let chunks_per_miniblock = geometry.miniblock_size() / 32;
        let (min_delta, widths, chunk) = (T::default(), position, position);
        Self {
            bytes,
            geometry,
            chunks_per_miniblock,
            position,
            widths,
            widths_left: 0,
            min_delta,
            chunk,
            chunks_left: 0,
        }
    }

    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    pub fn position(&self) -> usize {
        self.position
    }

    /// Of the block.
    #[inline(always)]
    pub fn min_delta(&self) -> T {
        self.min_delta
    }

    /// The chunks of the miniblock that are still to be decoded.
    #[inline(always)]
    pub fn chunks_left(&self) -> usize {
        self.chunks_left
    }

    /// The width byte of the miniblock.
    #[inline(always)]
    pub fn width(&self) -> &'a [u8; 1] {
        self.bytes[..self.widths].last_chunk().expect("it was read")
    }

    /// Goes to the next block. After an error it is where it was.
    #[inline(always)]
    fn next_block(&mut self) -> Result<(), DecodeError> {
        let mut position = self.position;
        let min_delta = varint::get_integer(self.bytes, &mut position)?;
        let (needed, available) = (self.geometry.miniblock_count(), self.bytes.len() - position);
        if available < needed {
            return Err(DecodeError::UnexpectedEnd { offset: position, needed, available });
        }
        self.min_delta = min_delta;
        self.widths = position;
        self.widths_left = needed;
        self.position = position + needed;
        Ok(())
    }

    /// Goes to the next miniblock of the block. After an error it is where it was.
    #[inline(always)]
    fn next_miniblock(&mut self) -> Result<(), DecodeError> {
        let width = self.bytes[self.widths];
        if u32::from(width) > T::BITS {
            return Err(DecodeError::InvalidBitWidth { offset: self.widths, width, max: T::BITS });
        }
        let needed = (4 * usize::from(width)).saturating_mul(self.chunks_per_miniblock);
        let available = self.bytes.len() - self.position;
        if available < needed {
            return Err(DecodeError::UnexpectedEnd { offset: self.position, needed, available });
        }
        self.widths += 1;
        self.widths_left -= 1;
        self.chunk = self.position;
        self.chunks_left = self.chunks_per_miniblock;
        self.position += needed;
        Ok(())
    }

    /// Goes to the next miniblock, if nothing is left of this one. After an error it is where it was, or at the start of a block.
    #[inline(always)]
    pub fn next_miniblock_if_needed(&mut self) -> Result<(), DecodeError> {
        if self.chunks_left == 0 {
            if self.widths_left == 0 {
                self.next_block()?;
            }
            self.next_miniblock()?;
        }
        Ok(())
    }

    /// Goes past the next chunks of the miniblock, which has as many.
    #[inline(always)]
    pub fn next_chunks(&mut self, chunks: usize) -> Miniblocks<'a> {
        let chunks_of_one = Miniblocks::part::<T>(self.width(), chunks, &self.bytes[self.chunk..]);
        let part = chunks_of_one.expect("the miniblock is whole");
        self.chunk += part.len();
        self.pass(chunks);
        part
    }

    /// Counts chunks of the miniblock, which has as many, and no bytes, as decoded.
    #[inline(always)]
    pub fn pass(&mut self, chunks: usize) {
        self.chunks_left -= chunks;
    }

    /// Goes past the next miniblocks of the block, if they are whole: as many as fit into `room` chunks, or fewer.
    #[inline(always)]
    fn next_miniblocks(&mut self, room: usize) -> Option<Miniblocks<'a>> {
        let chunks = self.chunks_per_miniblock;
        let mut many = if self.widths_left * chunks <= room { self.widths_left } else { room / chunks };
        while many > 0 {
            let widths = &self.bytes[self.widths..];
            if let Some(miniblocks) = Miniblocks::new::<T>(widths, many, chunks, &self.bytes[self.position..]) {
                self.widths += many;
                self.widths_left -= many;
                self.position += miniblocks.len();
                return Some(miniblocks);
            }
            // The fault may be far away: one by one, all widths up to it would be looked at for each.
            many /= 2;
        }
        None
    }

    /// Goes past what comes next, and fits into `room` chunks: miniblocks, or a part of one. After an error it is where it was, or
    /// at the start of a block.
    #[inline(always)]
    pub fn next(&mut self, room: usize) -> Result<Miniblocks<'a>, DecodeError> {
        if self.chunks_left == 0 {
            if self.widths_left == 0 {
                self.next_block()?;
            }
            if let Some(miniblocks) = self.next_miniblocks(room) {
                return Ok(miniblocks);
            }
            self.next_miniblock()?;
        }
        Ok(self.next_chunks(self.chunks_left.min(room)))
    }

    /// The blocks from here on, if one starts here.
    #[inline(always)]
    pub fn blocks(&self) -> Option<Blocks<'a>> {
        (self.widths_left == 0 && self.chunks_left == 0).then(|| Blocks {
            bytes: &self.bytes[self.position..],
            miniblock_count: self.geometry.miniblock_count(),
            chunks_per_miniblock: self.chunks_per_miniblock,
        })
    }

    /// Goes on behind blocks that were read; `left` are those that were not.
    #[inline(always)]
    pub fn go_on(&mut self, left: Blocks<'_>) {
        self.position = self.bytes.len() - left.bytes.len();
    }
}

/// Blocks of a page that are whole, up to the first that must be looked at more closely.
pub struct Blocks<'a> {
    /// The page from here on.
    bytes: &'a [u8],
    miniblock_count: usize,
    chunks_per_miniblock: usize,
}

impl<'a> Blocks<'a> {
    /// The chunks of a block.
    #[inline(always)]
    pub fn chunks(&self) -> usize {
        self.miniblock_count * self.chunks_per_miniblock
    }

    /// The least delta of the next block, and its miniblocks.
    #[inline(always)]
    pub fn next<T: Integer + Word>(&mut self, kernel: impl Kernel<T>) -> Option<(T, Miniblocks<'a>)> {
        let (stored, len) = kernel.number(self.bytes)?;
        let min_delta = T::from_i64(varint::unzigzag(stored))?;
        let (widths, count) = (self.bytes.get(len..)?, self.miniblock_count);
        let miniblocks = Miniblocks::new::<T>(widths, count, self.chunks_per_miniblock, widths.get(count..)?)?;
        self.bytes = miniblocks.rest();
        Some((min_delta, miniblocks))
    }
}
