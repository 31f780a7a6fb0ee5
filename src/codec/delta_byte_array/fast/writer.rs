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
    previous: Previous,
}

/// The value before: its first bytes as a word, the others in a buffer. (What was just written in pieces is slow to read
/// back in others, and most values are short.)
#[derive(Clone, Debug, Default)]
struct Previous {
    head: u128,
    len: usize,
    tail: Vec<u8>,
}

/// Bytes of the head.
const HEAD: usize = 16;

impl Previous {
    /// The prefix that it shares with a value, of which the head is given.
    #[inline]
    fn common_prefix(&self, value: &[u8], head: u128) -> usize {
        let most = self.len.min(value.len());
        let equal = (self.head ^ head).trailing_zeros() as usize / 8;
        if equal < HEAD || most <= HEAD {
            return equal.min(most);
        }
        HEAD + common_prefix(&self.tail, &value[HEAD..])
    }

    /// Becomes a value, of which the head is given, and which shares `prefix` bytes with it.
    #[inline]
    fn replace(&mut self, value: &[u8], head: u128, prefix: usize) {
        (self.head, self.len) = (head, value.len());
        let kept = prefix.max(HEAD);
        self.tail.truncate(kept - HEAD);
        if value.len() > kept {
            self.tail.extend_from_slice(&value[kept..]);
        }
    }
}

/// The first bytes of a value, and zeros where it is shorter.
#[inline]
fn head(value: &[u8]) -> u128 {
    let len = value.len();
    if let Some(head) = value.first_chunk::<HEAD>() {
        return u128::from_le_bytes(*head);
    }
    // Two words that overlap where the value is no whole number of them.
    if let (Some(low), Some(high)) = (value.first_chunk::<8>(), value.last_chunk::<8>()) {
        return u128::from(u64::from_le_bytes(*low)) | u128::from(u64::from_le_bytes(*high)) << (8 * (len - 8));
    }
    if let (Some(low), Some(high)) = (value.first_chunk::<4>(), value.last_chunk::<4>()) {
        return u128::from(u32::from_le_bytes(*low)) | u128::from(u32::from_le_bytes(*high)) << (8 * (len - 4));
    }
    value.iter().rev().fold(0, |head, &byte| (head << 8) + u128::from(byte))
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
            previous: Previous::default(),
        }
    }

    /// Adds a value to the page.
    ///
    /// # Errors
    /// [`EncodeError::ValueTooLong`] or [`EncodeError::PageTooLong`]; the page is as before then.
    #[inline]
    pub fn push(&mut self, value: &[u8]) -> Result<(), EncodeError> {
        let index = self.len();
        if i32::try_from(value.len()).is_err() {
            return Err(EncodeError::ValueTooLong { index, len: value.len() });
        }
        let head = head(value);
        let prefix = self.previous.common_prefix(value, head);
        let suffix = &value[prefix..];
        let len = self.bytes.len() + suffix.len();
        if i32::try_from(len).is_err() {
            return Err(EncodeError::PageTooLong { index, len });
        }
        self.prefixes.push(prefix as i32);
        self.suffixes.push(suffix.len() as i32);
        if value.len() <= HEAD {
            // As many bytes as a word has, and back: cheaper than a copy of any length.
            self.bytes.extend_from_slice(&head.unbounded_shr(8 * prefix as u32).to_le_bytes());
            self.bytes.truncate(len);
        } else {
            self.bytes.extend_from_slice(suffix);
        }
        self.previous.replace(value, head, prefix);
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
        self.previous.len = 0;
    }
}
