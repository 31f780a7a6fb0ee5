//! DELTA_BINARY_PACKED as Encodings.md tells it: exact arithmetic, one bit at a time.

use super::{Decoded, Geometry, Integer};
use crate::{DecodeError, EncodeError};
use core::marker::PhantomData;

/// Bytes that `values` take.
pub fn encoded_len<T: Integer>(values: &[T], geometry: Geometry) -> usize {
    encode(values, geometry).len()
}

/// Encodes `values` as one page into the front of `out`; gives the bytes written.
///
/// # Errors
///
/// [`EncodeError::BufferTooSmall`]; `out` is untouched.
pub fn encode_into<T: Integer>(values: &[T], geometry: Geometry, out: &mut [u8]) -> Result<usize, EncodeError> {
    let page = encode(values, geometry);
    if out.len() < page.len() {
        return Err(EncodeError::BufferTooSmall { needed: page.len(), available: out.len() });
    }
    out[..page.len()].copy_from_slice(&page);
    Ok(page.len())
}

/// Encodes `values` as one page.
pub fn encode<T: Integer>(values: &[T], geometry: Geometry) -> Vec<u8> {
    let mut page = Vec::new();

    // "<block size in values> <number of miniblocks in a block> <total value count> <first value>"
    write_uleb128(&mut page, geometry.block_size() as u128);
    write_uleb128(&mut page, geometry.miniblock_count() as u128);
    write_uleb128(&mut page, values.len() as u128);
    write_uleb128(&mut page, zigzag(values.first().map_or(0, |first| first.to_i64())));

    // "1. Compute the differences between consecutive elements. For the first element in the block, use the last
    // element in the previous block or, in the case of the first block, use the first value of the whole sequence"
    let deltas: Vec<i64> =
        values.windows(2).map(|pair| wrap::<T>(i128::from(pair[1].to_i64()) - i128::from(pair[0].to_i64()))).collect();

    for block in deltas.chunks(geometry.block_size()) {
        // "2. Compute the frame of reference (the minimum of the deltas in the block). Subtract this min delta from all
        // deltas in the block. This guarantees that all values are non-negative."
        let min_delta = *block.iter().min().expect("chunks are not empty");
        let relative: Vec<u64> =
            block.iter().map(|&delta| unsigned::<T>(i128::from(delta) - i128::from(min_delta))).collect();

        // "3. Encode the frame of reference (min delta) as a zigzag ULEB128 int followed by the bit widths of the
        // miniblocks and the delta values (minus the min delta) bit packed per miniblock."
        write_uleb128(&mut page, zigzag(min_delta));
        let miniblocks: Vec<&[u64]> = relative.chunks(geometry.miniblock_size()).collect();
        let widths: Vec<u32> = miniblocks.iter().map(|miniblock| bits_needed(miniblock)).collect();
        for index in 0..geometry.miniblock_count() {
            // "the bytes storing the bit widths of the unneeded miniblocks are still present, their value should be zero"
            page.push(widths.get(index).map_or(0, |&width| width as u8));
        }
        for (miniblock, &width) in miniblocks.iter().zip(&widths) {
            // "we pad the miniblock so that its length is always the number of values in a full miniblock times the bit
            // width. The padding bits should be zero"
            let start = page.len();
            page.resize(start + geometry.miniblock_size() * width as usize / 8, 0);
            for (index, &value) in miniblock.iter().enumerate() {
                for bit in 0..width as usize {
                    // The lowest bit of a value, and of a byte, comes first.
                    let place = index * width as usize + bit;
                    page[start + place / 8] |= ((value >> bit & 1) as u8) << (place % 8);
                }
            }
        }
    }
    page
}

/// Decodes the stream at the front of `bytes` into the front of `out`.
///
/// # Errors
///
/// What is wrong with the page, at its offset; [`DecodeError::OutputTooSmall`].
pub fn decode_into<T: Integer>(bytes: &[u8], out: &mut [T]) -> Result<Decoded, DecodeError> {
    let mut reader = PageReader::<T>::new(bytes)?;
    let values = reader.len();
    if values > out.len() {
        return Err(DecodeError::OutputTooSmall { needed: values, available: out.len() });
    }
    for slot in &mut out[..values] {
        *slot = reader.next_value()?;
    }
    Ok(Decoded { values, consumed: reader.consumed() })
}

/// Decodes the stream at the front of `bytes` into a new `Vec`, and gives the bytes it took.
///
/// # Errors
///
/// What is wrong with the page, at its offset; [`DecodeError::TooManyValues`].
pub fn decode<T: Integer>(bytes: &[u8], max_values: usize) -> Result<(Vec<T>, usize), DecodeError> {
    let mut reader = PageReader::<T>::new(bytes)?;
    if reader.len() > max_values {
        return Err(DecodeError::TooManyValues { count: reader.len(), max: max_values });
    }
    let mut values = Vec::new();
    while reader.remaining() > 0 {
        values.push(reader.next_value()?);
    }
    Ok((values, reader.consumed()))
}

/// Reads a page value by value.
#[derive(Clone, Debug)]
pub struct PageReader<'a, T> {
    bytes: &'a [u8],
    geometry: Geometry,
    count: usize,
    /// Values handed out.
    read: usize,
    /// The value last handed out; at first, the page's first value.
    value: i64,
    min_delta: i64,
    /// Where the width bytes of the current block are.
    widths: usize,
    /// Where the current miniblock is, and the width of its values.
    miniblock: usize,
    width: usize,
    /// The end of what was read.
    position: usize,
    /// What was wrong: there is no way on.
    failed: Option<DecodeError>,
    _type: PhantomData<T>,
}

impl<'a, T: Integer> PageReader<'a, T> {
    /// Reads the header of the page at the front of `bytes`.
    ///
    /// # Errors
    ///
    /// What is wrong with the header, at its offset.
    pub fn new(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut position = 0;
        let block_size = read_uleb128(bytes, &mut position)?;
        let miniblock_count = read_uleb128(bytes, &mut position)?;
        let count_offset = position;
        let count = read_uleb128(bytes, &mut position)?;
        let value = read_zigzag::<T>(bytes, &mut position)?;
        let Some(geometry) = Geometry::legal(block_size, miniblock_count) else {
            return Err(DecodeError::InvalidGeometry { offset: 0, block_size, miniblock_count });
        };
        let possible = geometry.most_values(bytes.len() - position);
        match usize::try_from(count) {
            Ok(values) if count <= possible => Ok(Self {
                bytes,
                geometry,
                count: values,
                read: 0,
                value,
                min_delta: 0,
                widths: 0,
                miniblock: 0,
                width: 0,
                position,
                failed: None,
                _type: PhantomData,
            }),
            _ => Err(DecodeError::CountExceedsInput { offset: count_offset, count, possible }),
        }
    }

    /// Starts over with another page.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new); the reader stays with its page.
    pub fn reset(&mut self, bytes: &'a [u8]) -> Result<(), DecodeError> {
        *self = Self::new(bytes)?;
        Ok(())
    }

    /// How the page is cut.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Values of the page.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the page has no value.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Values that are still to be read.
    pub fn remaining(&self) -> usize {
        self.count - self.read
    }

    /// Bytes read so far: header, width bytes and the miniblocks begun; the whole stream when nothing remains.
    pub fn consumed(&self) -> usize {
        self.position
    }

    /// Fills the front of `out` with the next values; gives how many.
    ///
    /// # Errors
    ///
    /// What is wrong with the page, at its offset.
    pub fn get(&mut self, out: &mut [T]) -> Result<usize, DecodeError> {
        let count = out.len().min(self.remaining());
        for slot in &mut out[..count] {
            *slot = self.next_value()?;
        }
        Ok(count)
    }

    /// Passes over the next `count` values; gives how many there were.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get) of as many.
    pub fn skip(&mut self, count: usize) -> Result<usize, DecodeError> {
        let count = count.min(self.remaining());
        for _ in 0..count {
            self.next_value()?;
        }
        Ok(count)
    }

    fn next_value(&mut self) -> Result<T, DecodeError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.read > 0 {
            let delta_index = self.read - 1;
            let index_in_block = delta_index % self.geometry.block_size();
            let index_in_miniblock = index_in_block % self.geometry.miniblock_size();
            if index_in_block == 0 {
                self.start_block().inspect_err(|&error| self.failed = Some(error))?;
            }
            if index_in_miniblock == 0 {
                let index = index_in_block / self.geometry.miniblock_size();
                self.start_miniblock(index).inspect_err(|&error| self.failed = Some(error))?;
            }
            let mut relative = 0_u64;
            for bit in 0..self.width {
                let at = index_in_miniblock * self.width + bit;
                let set = self.bytes[self.miniblock + at / 8] >> (at % 8) & 1;
                relative |= u64::from(set) << bit;
            }
            self.value = wrap::<T>(i128::from(self.value) + i128::from(self.min_delta) + i128::from(relative));
        }
        self.read += 1;
        Ok(T::from_i64(self.value).expect("wrapped to the type"))
    }

    fn start_block(&mut self) -> Result<(), DecodeError> {
        let mut position = self.position;
        let min_delta = read_zigzag::<T>(self.bytes, &mut position)?;
        let needed = self.geometry.miniblock_count();
        let available = self.bytes.len() - position;
        if available < needed {
            return Err(DecodeError::UnexpectedEnd { offset: position, needed, available });
        }
        self.min_delta = min_delta;
        self.widths = position;
        self.position = position + needed;
        Ok(())
    }

    fn start_miniblock(&mut self, index: usize) -> Result<(), DecodeError> {
        let offset = self.widths + index;
        let width = self.bytes[offset];
        if u32::from(width) > T::BITS {
            return Err(DecodeError::InvalidBitWidth { offset, width, max: T::BITS });
        }
        let needed = (self.geometry.miniblock_size() / 8).saturating_mul(usize::from(width));
        let available = self.bytes.len() - self.position;
        if available < needed {
            return Err(DecodeError::UnexpectedEnd { offset: self.position, needed, available });
        }
        self.miniblock = self.position;
        self.width = usize::from(width);
        self.position += needed;
        Ok(())
    }
}

/// "Overflow should be allowed and handled as wrapping around in 2's complement notation": at the width of the type,
/// for "INT32 data must not use more than 32 bits".
fn wrap<T: Integer>(exact: i128) -> i64 {
    let modulus = 1_i128 << T::BITS;
    let residue = exact.rem_euclid(modulus);
    let signed = if residue < modulus / 2 { residue } else { residue - modulus };
    signed as i64
}

/// A difference as the unsigned number that is packed.
fn unsigned<T: Integer>(exact: i128) -> u64 {
    exact.rem_euclid(1_i128 << T::BITS) as u64
}

/// The width that holds the largest of `values`.
fn bits_needed(values: &[u64]) -> u32 {
    let largest = values.iter().copied().max().unwrap_or(0);
    (0..=64).find(|&width| u128::from(largest) < 1_u128 << width).expect("64 bits hold every u64")
}

/// 0, -1, 1, -2, 2 ... become 0, 1, 2, 3, 4 ...
fn zigzag(value: i64) -> u128 {
    let value = i128::from(value);
    (if value >= 0 { 2 * value } else { -2 * value - 1 }) as u128
}

/// Seven bits to a byte, lowest first; the high bit says that more follow.
fn write_uleb128(page: &mut Vec<u8>, mut value: u128) {
    while value >= 128 {
        page.push((value % 128 + 128) as u8);
        value /= 128;
    }
    page.push(value as u8);
}

fn read_uleb128(bytes: &[u8], position: &mut usize) -> Result<u64, DecodeError> {
    let offset = *position;
    let mut value = 0_u128;
    for index in 0..10 {
        let Some(&byte) = bytes.get(offset + index) else {
            return Err(DecodeError::UnexpectedEnd { offset, needed: index + 1, available: index });
        };
        value += u128::from(byte % 128) << (7 * index);
        if byte < 128 {
            *position = offset + index + 1;
            return u64::try_from(value).map_err(|_| DecodeError::VarintOverflow { offset });
        }
    }
    Err(DecodeError::VarintOverflow { offset })
}

fn read_zigzag<T: Integer>(bytes: &[u8], position: &mut usize) -> Result<i64, DecodeError> {
    let offset = *position;
    let stored = i128::from(read_uleb128(bytes, position)?);
    let value = (if stored % 2 == 0 { stored / 2 } else { -(stored + 1) / 2 }) as i64;
    match T::from_i64(value) {
        Some(_) => Ok(value),
        None => Err(DecodeError::IntegerOutOfRange { offset, value, bits: T::BITS }),
    }
}
