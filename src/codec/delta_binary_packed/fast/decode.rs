//! A page, in as many steps as the caller likes.

use super::place::Place;
use super::portable::Kernel;
use super::varint;
use crate::DecodeError;
use crate::codec::Path;
use crate::codec::delta_binary_packed::{Geometry, Integer};
use core::{mem, slice};

/// Reads the values of a page, some at a time.
///
/// It allocates nothing. After an error the values ahead of it are read, and the next call gives the error again.
#[derive(Clone, Debug)]
pub struct PageReader<'a, T> {
    path: Path,
    cursor: Cursor<'a, T>,
}

impl<'a, T: Integer> PageReader<'a, T> {
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
    /// As [`new`](Self::new); the reader stays with its page.
    pub fn reset(&mut self, bytes: &'a [u8]) -> Result<(), DecodeError> {
        self.cursor = Cursor::new(bytes)?;
        Ok(())
    }

    /// How the page is cut.
    pub fn geometry(&self) -> Geometry {
        self.cursor.place.geometry()
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
        self.cursor.place.position()
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

/// Where a reader is in its page, and what it has decoded ahead.
#[derive(Clone, Debug)]
pub struct Cursor<'a, T> {
    place: Place<'a, T>,
    count: usize,
    remaining: usize,
    /// The last value decoded.
    value: T,
    /// The last values of `chunk` are decoded, but not handed out.
    waiting: usize,
    chunk: [T; 32],
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
        let mut chunk = [T::default(); 32];
        chunk[31] = value;
        // The first value waits.
        Ok(Self { place: Place::new(bytes, geometry, position), count, remaining: count, value, waiting: 1, chunk })
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
                self.place.next_miniblock_if_needed()?;
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
            self.place.next_miniblock_if_needed()?;
            if *self.place.width() == [0] && rest >= 32 {
                // Equal steps: no loop, for a page of a few bytes may hold very many.
                let chunks = self.place.chunks_left().min(rest / 32);
                self.value = self.value.add(self.place.min_delta().times(32 * chunks));
                self.place.pass(chunks);
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

    /// Decodes the next chunk into `self.chunk`.
    #[inline(always)]
    fn decode_chunk<K: Kernel<T>>(&mut self, kernel: K) {
        let (step, carry) = (kernel.step(self.place.min_delta()), kernel.carry(self.value));
        let chunk = self.place.next_chunks(1);
        self.value = kernel.value(kernel.unpack(chunk, step, carry, slice::from_mut(&mut self.chunk)));
    }

    /// Decodes whole chunks, as many as `out` has room for; gives the values decoded.
    #[inline(always)]
    fn get_chunks<K: Kernel<T>>(&mut self, kernel: K, out: &mut [T]) -> Result<usize, DecodeError> {
        let mut out = out.as_chunks_mut::<32>().0;
        let room = out.len();
        let mut result = Ok(());
        loop {
            self.get_blocks(kernel, &mut out);
            if out.is_empty() {
                break;
            }
            // A part of a block, or the end of the page, or what is wrong.
            let next = match self.place.next(out.len()) {
                Ok(next) => next,
                Err(error) => {
                    result = Err(error);
                    break;
                }
            };
            let now = out.split_off_mut(..next.chunks()).expect("they fit");
            let (step, carry) = (kernel.step(self.place.min_delta()), kernel.carry(self.value));
            self.value = kernel.value(kernel.unpack(next, step, carry, now));
        }
        let decoded = 32 * (room - out.len());
        self.remaining -= decoded;
        result.map(|()| decoded)
    }

    /// Decodes whole blocks to the front of `out`, and leaves the rest of it.
    #[inline(always)]
    fn get_blocks<K: Kernel<T>>(&mut self, kernel: K, out: &mut &mut [[T; 32]]) {
        let Some(mut blocks) = self.place.blocks() else { return };
        let mut left = mem::take(out);
        let mut carry = kernel.carry(self.value);
        while left.len() >= blocks.chunks()
            && let Some((min_delta, miniblocks)) = blocks.next(kernel)
        {
            let now = left.split_off_mut(..blocks.chunks()).expect("there is room");
            carry = kernel.unpack(miniblocks, kernel.step(min_delta), carry, now);
        }
        *out = left;
        self.value = kernel.value(carry);
        self.place.go_on(blocks);
    }
}
