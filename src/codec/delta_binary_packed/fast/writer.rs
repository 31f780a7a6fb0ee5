//! A page from many slices.

use super::encode::{self, MAX_HEADER};
use crate::EncodeError;
use crate::codec::Path;
use crate::codec::delta_binary_packed::{Geometry, Integer};
use alloc::vec::Vec;

/// Encodes pages whose values come in pieces: the bytes of [`encode_into`](crate::codec::delta_binary_packed::encode_into)
/// for all of them at once.
///
/// It keeps the blocks that are full in their encoded form, and the values of the one that is not: `block_size + 1`
/// of them at most. Both buffers stay for the next page: a page for which one as long has made room, in pieces as long,
/// allocates nothing. Nothing else is carried over a page.
#[derive(Clone, Debug)]
pub struct PageWriter<T> {
    path: Path,
    geometry: Geometry,
    count: usize,
    first: T,
    /// The last value of the last full block (or the first of the page), and the values since.
    pending: Vec<T>,
    /// The full blocks are `blocks[..blocks_len]`; the rest is room.
    blocks: Vec<u8>,
    blocks_len: usize,
}

impl<T: Integer> PageWriter<T> {
    /// A writer of pages of `geometry`.
    pub fn new(geometry: Geometry) -> Self {
        Self::with_path(Path::best(), geometry)
    }

    /// [`new`](Self::new) by the instructions of `path`: for tests and benches.
    pub fn with_path(path: Path, geometry: Geometry) -> Self {
        let (pending, blocks) = (Vec::new(), Vec::new());
        Self { path, geometry, count: 0, first: T::default(), pending, blocks, blocks_len: 0 }
    }

    /// Values of the page so far.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the page has no value yet.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Appends `values` to the page.
    pub fn put(&mut self, mut values: &[T]) {
        let Some(&first) = values.first() else { return };
        if self.count == 0 {
            self.first = first;
        }
        self.count += values.len();

        // Fill up the block that was begun, if there are values enough.
        let full = self.geometry.block_size() + 1;
        if self.pending.capacity() == 0 {
            // Blocks of a page's own making may be very large, and need not fill.
            self.pending.reserve_exact(full.min(Geometry::MAX_BLOCK_SIZE + 1));
        }
        if !self.pending.is_empty() {
            let missing = full - self.pending.len();
            if values.len() < missing {
                self.pending.extend_from_slice(values);
                return;
            }
            self.pending.extend_from_slice(&values[..missing]);
            let pending = core::mem::take(&mut self.pending);
            self.push_blocks(&pending);
            self.pending = pending;
            self.pending.clear();
            // The last of them is where the next block starts from.
            values = &values[missing - 1..];
        }

        let direct = (values.len() - 1) / self.geometry.block_size() * self.geometry.block_size();
        self.push_blocks(&values[..=direct]);
        self.pending.extend_from_slice(&values[direct..]);
    }

    /// Bytes that the page takes, should it be finished now.
    pub fn encoded_len(&self) -> usize {
        let header = encode::put_header(&mut [0; MAX_HEADER], self.geometry, self.count, self.first);
        header + self.blocks_len + T::blocks_len_with(self.path, &self.pending, self.geometry)
    }

    /// Writes the page to the front of `out`, gives its bytes, and starts the next one.
    ///
    /// # Errors
    ///
    /// [`EncodeError::BufferTooSmall`]; `out` is untouched, and the page can be finished again, or go on.
    pub fn finish_page(&mut self, out: &mut [u8]) -> Result<usize, EncodeError> {
        let needed = self.encoded_len();
        if out.len() < needed {
            return Err(EncodeError::BufferTooSmall { needed, available: out.len() });
        }
        let mut header = [0; MAX_HEADER];
        let header_len = encode::put_header(&mut header, self.geometry, self.count, self.first);
        let (head, rest) = out.split_at_mut(header_len);
        head.copy_from_slice(&header[..header_len]);
        let (full, last) = rest.split_at_mut(self.blocks_len);
        full.copy_from_slice(&self.blocks[..self.blocks_len]);
        T::encode_blocks_with(self.path, &self.pending, self.geometry, last);
        self.reset();
        Ok(needed)
    }

    /// Drops the values of the page.
    pub fn reset(&mut self) {
        self.count = 0;
        self.first = T::default();
        self.pending.clear();
        self.blocks_len = 0;
    }

    /// Encodes full blocks.
    fn push_blocks(&mut self, values: &[T]) {
        let room = self.blocks_len + encode::max_blocks_len::<T>(values.len() - 1, self.geometry);
        if self.blocks.len() < room {
            self.blocks.resize(room, 0);
        }
        let out = &mut self.blocks[self.blocks_len..];
        self.blocks_len += T::encode_blocks_with(self.path, values, self.geometry, out);
    }
}
