//! A page, in as many steps as the caller likes.

use super::portable::Kernel;
use super::varint;
use crate::DecodeError;
use crate::codec::Path;
use crate::codec::delta_binary_packed::{Geometry, Integer};

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
        self.cursor.position
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

/// Where a decoder is in its page.
#[derive(Clone, Debug)]
pub struct Cursor<'a, T> {
    bytes: &'a [u8],
    geometry: Geometry,
    count: usize,
    remaining: usize,
    /// The end of what was read: of a header, or of the current miniblock.
    position: usize,
    /// The last value decoded.
    value: T,
    min_delta: T,
    /// Where the width bytes of the current block are, and how many of them are still to come.
    widths: usize,
    widths_left: usize,
    /// Chunks of the current miniblock that are still to be decoded, and their width.
    chunks_left: usize,
    width: usize,
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
        Ok(Self {
            bytes,
            geometry,
            count,
            remaining: count,
            position,
            value,
            min_delta: T::default(),
            widths: position,
            widths_left: 0,
            chunks_left: 0,
            width: 0,
            // The first value.
            waiting: 1,
            chunk,
        })
    }

    /// Goes to the next miniblock, and to the next block where there is none.
    #[inline(always)]
    fn next_miniblock(&mut self) -> Result<(), DecodeError> {
        if self.widths_left == 0 {
            let mut position = self.position;
            let min_delta = varint::get_integer(self.bytes, &mut position)?;
            let needed = self.geometry.miniblock_count();
            let available = self.bytes.len() - position;
            if available < needed {
                return Err(DecodeError::UnexpectedEnd { offset: position, needed, available });
            }
            self.min_delta = min_delta;
            self.widths = position;
            self.widths_left = needed;
            self.position = position + needed;
        }
        let width = self.bytes[self.widths];
        if u32::from(width) > T::BITS {
            return Err(DecodeError::InvalidBitWidth { offset: self.widths, width, max: T::BITS });
        }
        let needed = self.geometry.miniblock_size() / 8 * usize::from(width);
        let available = self.bytes.len() - self.position;
        if available < needed {
            return Err(DecodeError::UnexpectedEnd { offset: self.position, needed, available });
        }
        self.widths += 1;
        self.widths_left -= 1;
        self.width = usize::from(width);
        self.chunks_left = self.geometry.miniblock_size() / 32;
        self.position += needed;
        Ok(())
    }

    /// The next chunk of the current miniblock, from its first byte.
    #[inline(always)]
    fn next_chunk(&mut self) -> &'a [u8] {
        let start = self.position - 4 * self.width * self.chunks_left;
        self.chunks_left -= 1;
        &self.bytes[start..]
    }

    /// Takes up to `most` of the decoded values.
    #[inline(always)]
    fn take_waiting(&mut self, most: usize) -> &[T] {
        let start = 32 - self.waiting;
        let taken = self.waiting.min(most);
        self.waiting -= taken;
        self.remaining -= taken;
        &self.chunk[start..start + taken]
    }

    #[inline(always)]
    pub fn get<K: Kernel<T>>(&mut self, kernel: K, out: &mut [T]) -> Result<usize, DecodeError> {
        let count = out.len().min(self.remaining);
        let out = &mut out[..count];
        let mut at = 0;
        let mut carry = kernel.carry(self.value);
        while at < count {
            if self.waiting > 0 {
                let taken = self.take_waiting(count - at);
                out[at..at + taken.len()].copy_from_slice(taken);
                at += taken.len();
                continue;
            }
            if self.chunks_left == 0
                && let Err(error) = self.next_miniblock()
            {
                self.value = kernel.value(carry);
                return Err(error);
            }
            let (width, min) = (self.width, self.min_delta);
            while self.chunks_left > 0
                && let Some(chunk) = out[at..].first_chunk_mut()
            {
                carry = kernel.unpack(self.next_chunk(), width, min, carry, chunk);
                self.remaining -= 32;
                at += 32;
            }
            if self.chunks_left > 0 && at < count {
                carry = self.decode_chunk(kernel, carry);
                self.waiting = 32;
            }
        }
        self.value = kernel.value(carry);
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
            if self.chunks_left == 0 {
                self.next_miniblock()?;
            }
            let full = self.chunks_left.min(rest / 32);
            if self.width == 0 {
                // Equal steps: no loop, for a page of a few bytes may hold very many.
                self.value = self.value.add(self.min_delta.times(32 * full));
                self.chunks_left -= full;
            } else {
                let mut carry = kernel.carry(self.value);
                for _ in 0..full {
                    carry = self.decode_chunk(kernel, carry);
                }
                self.value = kernel.value(carry);
            }
            self.remaining -= 32 * full;
            rest -= 32 * full;
            if self.chunks_left > 0 && rest > 0 {
                let carry = self.decode_chunk(kernel, kernel.carry(self.value));
                self.value = kernel.value(carry);
                self.waiting = 32;
            }
        }
        Ok(count)
    }

    /// Decodes the next chunk into `self.chunk`.
    #[inline(always)]
    fn decode_chunk<K: Kernel<T>>(&mut self, kernel: K, carry: K::Carry) -> K::Carry {
        let bytes = self.next_chunk();
        kernel.unpack(bytes, self.width, self.min_delta, carry, &mut self.chunk)
    }
}
