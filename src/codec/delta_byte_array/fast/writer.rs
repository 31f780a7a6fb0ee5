//! Pages from values that come one by one.

use alloc::vec::Vec;

use super::super::super::Path;
use super::super::super::byte_arrays::Lengths;
use super::super::Geometry;
use super::portable::common_prefix;
use crate::EncodeError;

/// Takes the values of a page one by one and writes the page: the bytes of [`encode_into`](super::encode_into).
///
/// Of each value what differs from the value before is copied, so the caller may use its buffer again. Buffers are kept
/// from page to page, and nothing else is: the first value of a page has prefix 0.
#[derive(Clone, Debug)]
pub struct PageWriter {
    path: Path,
    geometry: Geometry,
    prefixes: Lengths,
    suffixes: Lengths,
    bytes: Vec<u8>,
    previous: Vec<u8>,
}

impl PageWriter {
    /// A writer without values.
    pub fn new(geometry: Geometry) -> Self {
        Self::with_path(Path::best(), geometry)
    }

    /// [`new`](Self::new) by the named path.
    pub fn with_path(path: Path, geometry: Geometry) -> Self {
        Self {
            path,
            geometry,
            prefixes: Lengths::default(),
            suffixes: Lengths::default(),
            bytes: Vec::new(),
            previous: Vec::new(),
        }
    }

    /// Adds a value to the page.
    ///
    /// # Errors
    /// [`EncodeError::ValueTooLong`] or [`EncodeError::PageTooLong`]; the page is as before then.
    #[inline]
    pub fn push(&mut self, value: &[u8]) -> Result<(), EncodeError> {
        let index = self.len();
        if value.len() > i32::MAX as usize {
            return Err(EncodeError::ValueTooLong { index, len: value.len() });
        }
        let prefix = common_prefix(&self.previous, value);
        let suffix = &value[prefix..];
        let len = self.bytes.len() + suffix.len();
        if len > i32::MAX as usize {
            return Err(EncodeError::PageTooLong { index, len });
        }
        self.prefixes.push(prefix as i32);
        self.suffixes.push(suffix.len() as i32);
        self.bytes.extend_from_slice(suffix);
        self.previous.truncate(prefix);
        self.previous.extend_from_slice(suffix);
        Ok(())
    }

    /// Values in the page.
    pub fn len(&self) -> usize {
        self.prefixes.get().len()
    }

    /// Whether the page has no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of the suffixes in the page: what a writer compares with its page size. The lengths come on top, about two
    /// bytes per value.
    pub fn buffered_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes that [`finish_page`](Self::finish_page) writes. It takes time for each value of the page.
    pub fn encoded_len(&mut self) -> usize {
        self.prefixes.encode(self.path, self.geometry).len()
            + self.suffixes.encode(self.path, self.geometry).len()
            + self.bytes.len()
    }

    /// Writes the page to the start of `out`, says how many bytes it takes, and starts the next page.
    ///
    /// # Errors
    /// [`EncodeError::BufferTooSmall`]: `out` is untouched, and the page is as before.
    pub fn finish_page(&mut self, out: &mut [u8]) -> Result<usize, EncodeError> {
        let prefixes = self.prefixes.encode(self.path, self.geometry);
        let suffixes = self.suffixes.encode(self.path, self.geometry);
        let suffixes_end = prefixes.len() + suffixes.len();
        let needed = suffixes_end + self.bytes.len();
        if out.len() < needed {
            return Err(EncodeError::BufferTooSmall { needed, available: out.len() });
        }
        out[..prefixes.len()].copy_from_slice(prefixes);
        out[prefixes.len()..suffixes_end].copy_from_slice(suffixes);
        out[suffixes_end..needed].copy_from_slice(&self.bytes);
        self.reset();
        Ok(needed)
    }

    /// Drops the values of the page.
    pub fn reset(&mut self) {
        self.prefixes.clear();
        self.suffixes.clear();
        self.bytes.clear();
        self.previous.clear();
    }
}
