//! A page, in as many steps as the caller likes.

use super::miniblocks::{MANY, Miniblocks};
use super::portable::Kernel;
use super::varint;
use crate::DecodeError;
use crate::codec::Path;
use crate::codec::delta_binary_packed::{Geometry, Integer};
use core::slice;

/// Reads the values of a page, some at a time.
///
/// It allocates nothing. After an error the values ahead of it are read, and the next call gives the error again.
#[derive(Clone, Debug)]
pub struct Decoder<'a, T> {
    path: Path,
    cursor: Cursor<'a, T>,
}

impl<'a, T: Integer> Decoder<'a, T> {
    /// Reads the header of the page at the front of `bytes`.
    ///
    /// # Errors
    ///
    /// What is wrong with the header, at its offset; [`DecodeError::CountExceedsInput`] when it claims more values than
    /// `bytes` has blocks for.
    pub fn new(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        Self::with_path(Path::best(), bytes)
    }

    /// [`new`](Self::new) by the instructions of `path`: for tests and benches.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_path(path: Path, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        Ok(Self { path, cursor: Cursor::new(bytes)? })
    }

    /// Starts over with another page.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new); the decoder stays with its page.
    pub fn reset(&mut self, bytes: &'a [u8]) -> Result<(), DecodeError> {
        self.cursor = Cursor::new(bytes)?;
        Ok(())
    }

    /// How the page is cut.
    pub fn geometry(&self) -> Geometry {
        self.cursor.geometry
    }

    /// Values of the page.
    pub fn len(&self) -> usize {
        self.cursor.count
    }

    /// Whether the page has no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Values that are still to be read.
    pub fn remaining(&self) -> usize {
        self.cursor.remaining
    }

    /// Bytes read so far: header, width bytes and the miniblocks begun; the whole stream when nothing remains.
    pub fn consumed(&self) -> usize {
        self.cursor.place.position
    }

    /// Fills the front of `out` with the next values; gives how many: all of `out`, or all that remain.
    ///
    /// # Errors
    ///
    /// What is wrong with the page, at its offset.
    pub fn get(&mut self, out: &mut [T]) -> Result<usize, DecodeError> {
        T::get_with(self.path, &mut self.cursor, out)
    }

    /// Passes over the next `count` values; gives how many there were.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get) of as many.
    pub fn skip(&mut self, count: usize) -> Result<usize, DecodeError> {
        T::skip_with(self.path, &mut self.cursor, count)
    }
}

/// Where a decoder is in its page, and what it has decoded ahead.
#[derive(Clone, Debug)]
pub struct Cursor<'a, T> {
    bytes: &'a [u8],
    geometry: Geometry,
    chunks_per_miniblock: usize,
    count: usize,
    remaining: usize,
    place: Place<T>,
    /// The last value decoded.
    value: T,
    /// The last values of `chunk` are decoded, but not handed out.
    waiting: usize,
    chunk: [T; 32],
}

/// A chunk in a miniblock of a page. Loops keep it in registers.
#[derive(Clone, Copy, Debug)]
struct Place<T> {
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

impl<T: Integer> Place<T> {
    /// Goes to the next block. After an error it is where it was.
    #[inline(always)]
    fn next_block(&mut self, bytes: &[u8], miniblock_count: usize) -> Result<(), DecodeError> {
        let mut position = self.position;
        let min_delta = varint::get_integer(bytes, &mut position)?;
        let available = bytes.len() - position;
        if available < miniblock_count {
            return Err(DecodeError::UnexpectedEnd { offset: position, needed: miniblock_count, available });
        }
        self.min_delta = min_delta;
        self.widths = position;
        self.widths_left = miniblock_count;
        self.position = position + miniblock_count;
        Ok(())
    }

    /// Goes to the next miniblock of the block. After an error it is where it was.
    #[inline(always)]
    fn next_miniblock(&mut self, bytes: &[u8], chunks: usize) -> Result<(), DecodeError> {
        let width = bytes[self.widths];
        if u32::from(width) > T::BITS {
            return Err(DecodeError::InvalidBitWidth { offset: self.widths, width, max: T::BITS });
        }
        let needed = (4 * usize::from(width)).saturating_mul(chunks);
        let available = bytes.len() - self.position;
        if available < needed {
            return Err(DecodeError::UnexpectedEnd { offset: self.position, needed, available });
        }
        self.widths += 1;
        self.widths_left -= 1;
        self.chunk = self.position;
        self.chunks_left = chunks;
        self.position += needed;
        Ok(())
    }

    /// The width byte of the miniblock.
    #[inline(always)]
    fn width<'b>(&self, bytes: &'b [u8]) -> &'b [u8; 1] {
        bytes[..self.widths].last_chunk().expect("it was read")
    }

    /// Goes past the next chunks of the miniblock, which has as many.
    #[inline(always)]
    fn next_chunks<'b>(&mut self, bytes: &'b [u8], chunks: usize) -> Miniblocks<'b> {
        let miniblock = Miniblocks::new::<T>(self.width(bytes), chunks, &bytes[self.chunk..]);
        let miniblock = miniblock.expect("the miniblock is whole");
        self.chunk += miniblock.len();
        self.chunks_left -= chunks;
        miniblock
    }

    /// Goes past the next miniblocks, if they are whole, and as many as fit into `room` chunks.
    #[inline(always)]
    fn next_miniblocks<'b>(&mut self, bytes: &'b [u8], chunks: usize, room: usize) -> Option<Miniblocks<'b>> {
        let fit = if self.widths_left * chunks <= room { self.widths_left } else { room / chunks };
        let many = fit.min(MANY);
        if many == 0 {
            return None;
        }
        let miniblocks = Miniblocks::new::<T>(&bytes[self.widths..][..many], chunks, &bytes[self.position..])?;
        self.widths += many;
        self.widths_left -= many;
        self.position += miniblocks.len();
        Some(miniblocks)
    }

    /// Goes past what comes next, and fits into `room` chunks: miniblocks, or a part of one. After an error it is where it was, or
    /// at the start of a block.
    #[inline(always)]
    fn next<'b>(
        &mut self,
        bytes: &'b [u8],
        miniblock_count: usize,
        chunks: usize,
        room: usize,
    ) -> Result<Miniblocks<'b>, DecodeError> {
        if self.chunks_left == 0 {
            if self.widths_left == 0 {
                self.next_block(bytes, miniblock_count)?;
            }
            // Most of a page passes here.
            if let Some(miniblocks) = self.next_miniblocks(bytes, chunks, room) {
                return Ok(miniblocks);
            }
            self.next_miniblock(bytes, chunks)?;
        }
        Ok(self.next_chunks(bytes, self.chunks_left.min(room)))
    }
}

impl<'a, T: Integer> Cursor<'a, T> {
    fn new(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut position = 0;
        let block_size = varint::get(bytes, &mut position)?;
        let miniblock_count = varint::get(bytes, &mut position)?;
        let count_offset = position;
        let count = varint::get(bytes, &mut position)?;
        let value = varint::get_integer::<T>(bytes, &mut position)?;
        let geometry = Geometry::legal(block_size, miniblock_count).ok_or(DecodeError::InvalidGeometry {
            offset: 0,
            block_size,
            miniblock_count,
        })?;
        let possible = geometry.most_values(bytes.len() - position);
        let values = usize::try_from(count).ok().filter(|_| count <= possible);
        let count = values.ok_or(DecodeError::CountExceedsInput { offset: count_offset, count, possible })?;
        let min_delta = T::default();
        let place = Place { position, widths: position, widths_left: 0, min_delta, chunk: position, chunks_left: 0 };
        let mut chunk = [T::default(); 32];
        chunk[31] = value;
        let chunks_per_miniblock = geometry.miniblock_size() / 32;
        // The first value waits.
        Ok(Self { bytes, geometry, chunks_per_miniblock, count, remaining: count, place, value, waiting: 1, chunk })
    }

    #[inline(always)]
    pub fn get<K: Kernel<T>>(&mut self, kernel: K, out: &mut [T]) -> Result<usize, DecodeError> {
        let count = out.len().min(self.remaining);
        let out = &mut out[..count];
        let mut at = 0;
        while at < count {
            if self.waiting > 0 {
                let taken = self.take_waiting(count - at);
                out[at..at + taken.len()].copy_from_slice(taken);
                at += taken.len();
            } else if count - at >= 32 {
                at += self.get_chunks(kernel, &mut out[at..])?;
            } else {
                self.next_miniblock_if_needed()?;
                self.decode_chunk(kernel);
                self.waiting = 32;
            }
        }
        Ok(count)
    }

    #[inline(always)]
    pub fn skip<K: Kernel<T>>(&mut self, kernel: K, count: usize) -> Result<usize, DecodeError> {
        let count = count.min(self.remaining);
        let mut rest = count;
        while rest > 0 {
            if self.waiting > 0 {
                rest -= self.take_waiting(rest).len();
                continue;
            }
            self.next_miniblock_if_needed()?;
            if *self.place.width(self.bytes) == [0] && rest >= 32 {
                // Equal steps: no loop, for a page of a few bytes may hold very many.
                let chunks = self.place.chunks_left.min(rest / 32);
                self.value = self.value.add(self.place.min_delta.times(32 * chunks));
                self.place.chunks_left -= chunks;
                self.remaining -= 32 * chunks;
                rest -= 32 * chunks;
            } else {
                self.decode_chunk(kernel);
                self.waiting = 32;
            }
        }
        Ok(count)
    }

    /// Takes up to `most` of the values that are decoded.
    #[inline(always)]
    fn take_waiting(&mut self, most: usize) -> &[T] {
        let start = 32 - self.waiting;
        let taken = self.waiting.min(most);
        self.waiting -= taken;
        self.remaining -= taken;
        &self.chunk[start..start + taken]
    }

    #[inline(always)]
    fn next_miniblock_if_needed(&mut self) -> Result<(), DecodeError> {
        if self.place.chunks_left == 0 {
            if self.place.widths_left == 0 {
                self.place.next_block(self.bytes, self.geometry.miniblock_count())?;
            }
            self.place.next_miniblock(self.bytes, self.chunks_per_miniblock)?;
        }
        Ok(())
    }

    /// Decodes the next chunk into `self.chunk`.
    #[inline(always)]
    fn decode_chunk<K: Kernel<T>>(&mut self, kernel: K) {
        let (step, carry) = (kernel.step(self.place.min_delta), kernel.carry(self.value));
        let chunk = self.place.next_chunks(self.bytes, 1);
        self.value = kernel.value(kernel.unpack(chunk, step, carry, slice::from_mut(&mut self.chunk)));
    }

    /// Decodes whole chunks, as many as `out` has room for; gives the values decoded.
    #[inline(always)]
    fn get_chunks<K: Kernel<T>>(&mut self, kernel: K, out: &mut [T]) -> Result<usize, DecodeError> {
        let (bytes, miniblock_count, chunks) = (self.bytes, self.geometry.miniblock_count(), self.chunks_per_miniblock);
        let mut place = self.place;
        let mut carry = kernel.carry(self.value);
        let mut out = out.as_chunks_mut::<32>().0;
        let room = out.len();
        let mut result = Ok(());
        while !out.is_empty() {
            let next = match place.next(bytes, miniblock_count, chunks, out.len()) {
                Ok(next) => next,
                Err(error) => {
                    result = Err(error);
                    break;
                }
            };
            // Most often this is a block.
            let step = kernel.step(place.min_delta);
            let now = out.split_off_mut(..next.chunks()).expect("they fit");
            carry = kernel.unpack(next, step, carry, now);
        }
        let decoded = 32 * (room - out.len());
        self.place = place;
        self.value = kernel.value(carry);
        self.remaining -= decoded;
        result.map(|()| decoded)
    }
}
