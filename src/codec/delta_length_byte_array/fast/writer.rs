//! Pages from values that come one by one.

use alloc::vec::Vec;

use super::super::super::Path;
use super::super::super::byte_arrays::Lengths;
use super::super::Geometry;
use crate::EncodeError;

/// Takes the values of a page one by one and writes the page: the bytes of [`encode_into`](super::encode_into).
///
/// Each value is copied, so the caller may use its buffer again. Buffers are kept from page to page, and nothing else is.
#[derive(Clone, Debug)]
pub struct PageWriter {
    path: Path,
    geometry: Geometry,
    lengths: Lengths,
    bytes: Vec<u8>,
}

impl PageWriter {
    /// A writer without values.
    pub fn new(geometry: Geometry) -> Self {
        Self::with_path(Path::best(), geometry)
    }

    /// [`new`](Self::new) by the named path.
    pub fn with_path(path: Path, geometry: Geometry) -> Self {
        Self { path, geometry, lengths: Lengths::default(), bytes: Vec::new() }
    }

    /// Adds a value to the page.
    ///
    /// # Errors
    /// [`EncodeError::ValueTooLong`] or [`EncodeError::PageTooLong`]; the page is as before then.
    #[inline]
    pub fn push(&mut self, value: &[u8]) -> Result<(), EncodeError> {
        let index = self.len();
        let Ok(length) = i32::try_from(value.len()) else {
            return Err(EncodeError::ValueTooLong { index, len: value.len() });
        };
        let len = self.bytes.len() + value.len();
        if i32::try_from(len).is_err() {
            return Err(EncodeError::PageTooLong { index, len });
        }
        self.lengths.push(length);
        self.bytes.extend_from_slice(value);
        Ok(())
    }

    /// Values in the page.
    pub fn len(&self) -> usize {
        self.lengths.get().len()
    }

    /// Whether the page has no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of the values in the page: what a writer compares with its page size. The lengths come on top, about one
    /// byte per value.
    pub fn buffered_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes that [`finish_page`](Self::finish_page) writes. It takes time for each value of the page.
    pub fn encoded_len(&mut self) -> usize {
        self.lengths.encode(self.path, self.geometry).len() + self.bytes.len()
    }

    /// Writes the page to the start of `out`, says how many bytes it takes, and starts the next page.
    ///
    /// # Errors
    /// [`EncodeError::BufferTooSmall`]: `out` is untouched, and the page is as before.
    pub fn finish_page(&mut self, out: &mut [u8]) -> Result<usize, EncodeError> {
        let head = self.lengths.encode(self.path, self.geometry);
        let needed = head.len() + self.bytes.len();
        if out.len() < needed {
            return Err(EncodeError::BufferTooSmall { needed, available: out.len() });
        }
        out[..head.len()].copy_from_slice(head);
        out[head.len()..needed].copy_from_slice(&self.bytes);
        self.reset();
        Ok(needed)
    }

    /// Drops the values of the page.
    pub fn reset(&mut self) {
        self.lengths.clear();
        self.bytes.clear();
    }
}
