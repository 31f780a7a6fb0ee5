//! A stream of lengths: 32-bit integers, and the DELTA_BINARY_PACKED stream in which a page stores them.

use alloc::vec::Vec;

use super::super::Path;
use super::super::delta_binary_packed::{self, Geometry};
use crate::DecodeError;

/// The lengths of one page, in buffers that the next page uses again. They grow when a page needs more, and never
/// shrink.
#[derive(Clone, Debug, Default)]
pub(in crate::codec) struct Lengths {
    /// The first `count` are the page's.
    values: Vec<i32>,
    count: usize,
    /// What all lengths of the page are; then `values` has none of them.
    equal: Option<i32>,
    encoded: Vec<u8>,
}

impl Lengths {
    /// Room for the lengths of a page of `count` values; what is in it is left over.
    pub(in crate::codec) fn start(&mut self, count: usize) -> &mut [i32] {
        if self.values.len() < count {
            self.values.resize(count, 0);
        }
        (self.count, self.equal) = (count, None);
        &mut self.values[..count]
    }

    /// The lengths of a page whose values all have this one. They can be encoded, and not looked at.
    pub(in crate::codec) fn start_equal(&mut self, count: usize, length: i32) {
        (self.count, self.equal) = (count, Some(length));
    }

    /// Forgets the page.
    pub(in crate::codec) fn clear(&mut self) {
        (self.count, self.equal) = (0, None);
    }

    /// Adds one length.
    #[inline]
    pub(in crate::codec) fn push(&mut self, length: i32) {
        match self.values.get_mut(self.count) {
            Some(slot) => *slot = length,
            None => self.values.push(length),
        }
        self.count += 1;
    }

    /// The lengths of the page.
    pub(in crate::codec) fn get(&self) -> &[i32] {
        &self.values[..self.count]
    }

    /// Encodes the lengths. They go to a buffer with room for the worst case, where the encoder need not find out first
    /// how long they get; the copy from there is about a byte per value.
    pub(in crate::codec) fn encode(&mut self, path: Path, geometry: Geometry) -> &[u8] {
        let room = delta_binary_packed::max_encoded_len::<i32>(self.count, geometry);
        if self.encoded.len() < room {
            self.encoded.resize(room, 0);
        }
        let len = match self.equal {
            Some(length) => delta_binary_packed::encode_equal(length, self.count, geometry, &mut self.encoded),
            None => {
                let values = &self.values[..self.count];
                let len = delta_binary_packed::encode_into_with(path, values, geometry, &mut self.encoded);
                len.expect("the buffer has room for the worst case")
            }
        };
        &self.encoded[..len]
    }

    /// Decodes the stream at the front of `bytes`, and gives the bytes that it took.
    pub(in crate::codec) fn decode(&mut self, path: Path, bytes: &[u8], max: usize) -> Result<usize, DecodeError> {
        let mut reader = delta_binary_packed::PageReader::<i32>::with_path(path, bytes)?;
        let count = reader.len();
        if count > max {
            return Err(DecodeError::TooManyValues { count, max });
        }
        reader.get(self.start(count))?;
        Ok(reader.consumed())
    }
}
