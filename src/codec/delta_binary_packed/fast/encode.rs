//! A page from a slice.

use super::Word;
use super::portable::Kernel;
use super::varint;
use crate::EncodeError;
use crate::codec::Path;
use crate::codec::delta_binary_packed::{Geometry, Integer};

/// Kernels may write this far past a chunk, where that is written again.
const OVERHANG: usize = 64;

/// The longest page header.
pub const MAX_HEADER: usize = 4 * varint::MAX_LEN;

/// The most bytes that the blocks of `deltas` deltas take.
pub fn max_blocks_len<T: Integer>(deltas: usize, geometry: Geometry) -> usize {
    let header = varint::MAX_LEN + geometry.miniblock_count();
    let padded = deltas.div_ceil(geometry.miniblock_size()).saturating_mul(geometry.miniblock_size());
    let bodies = padded.saturating_mul(T::BITS as usize / 8);
    deltas.div_ceil(geometry.block_size()).saturating_mul(header).saturating_add(bodies)
}

pub fn encoded_len<T: Integer>(path: Path, values: &[T], geometry: Geometry) -> usize {
    let mut header = [0; MAX_HEADER];
    let first = values.first().copied().unwrap_or_default();
    put_header(&mut header, geometry, values.len(), first) + T::blocks_len_with(path, values, geometry)
}

pub fn encode_into<T: Integer>(
    path: Path,
    values: &[T],
    geometry: Geometry,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    let mut header = [0; MAX_HEADER];
    let first = values.first().copied().unwrap_or_default();
    let header_len = put_header(&mut header, geometry, values.len(), first);
    let deltas = values.len().saturating_sub(1);
    if out.len() < max_blocks_len::<T>(deltas, geometry).saturating_add(header_len) {
        let needed = header_len + T::blocks_len_with(path, values, geometry);
        if out.len() < needed {
            return Err(EncodeError::BufferTooSmall { needed, available: out.len() });
        }
    }
    out[..header_len].copy_from_slice(&header[..header_len]);
    Ok(header_len + T::encode_blocks_with(path, values, geometry, &mut out[header_len..]))
}

/// Writes a page header; gives the bytes written.
pub fn put_header<T: Integer>(out: &mut [u8; MAX_HEADER], geometry: Geometry, count: usize, first: T) -> usize {
    let mut at = varint::put(out, geometry.block_size() as u64);
    at += varint::put(&mut out[at..], geometry.miniblock_count() as u64);
    at += varint::put(&mut out[at..], count as u64);
    at + varint::put(&mut out[at..], varint::zigzag(first.to_i64()))
}

/// The bytes that [`encode_blocks`] writes.
#[inline(always)]
pub fn blocks_len<T: Word + Integer, K: Kernel<T>>(kernel: K, values: &[T], geometry: Geometry) -> usize {
    let mut len = 0;
    for block in blocks(values, geometry.block_size()) {
        let min = kernel.min_delta(block);
        len += varint::len(varint::zigzag(min.to_i64())) + geometry.miniblock_count();
        for miniblock in blocks(block, geometry.miniblock_size()) {
            len += geometry.miniblock_size() / 8 * kernel.width(miniblock, min);
        }
    }
    len
}

/// Encodes the blocks of `values[1..]`, after `values[0]`, into the front of `out`, which has room for them; gives the bytes written.
#[inline(always)]
pub fn encode_blocks<T: Word + Integer, K: Kernel<T>>(
    kernel: K,
    values: &[T],
    geometry: Geometry,
    out: &mut [u8],
) -> usize {
    let mut at = 0;
    let mut blocks_left = values.len().saturating_sub(1).div_ceil(geometry.block_size());
    for block in blocks(values, geometry.block_size()) {
        blocks_left -= 1;
        // The blocks that follow take at least their headers.
        let loose = blocks_left * (1 + geometry.miniblock_count()) >= OVERHANG;
        at += encode_block(kernel, block, geometry, &mut out[at..], loose);
    }
    at
}

#[inline(always)]
fn encode_block<T: Word + Integer, K: Kernel<T>>(
    kernel: K,
    values: &[T],
    geometry: Geometry,
    out: &mut [u8],
    loose: bool,
) -> usize {
    let min = kernel.min_delta(values);
    let widths = varint::put(out, varint::zigzag(min.to_i64()));
    let mut at = widths + geometry.miniblock_count();
    out[widths..at].fill(0);
    for (index, miniblock) in blocks(values, geometry.miniblock_size()).enumerate() {
        let width = kernel.width(miniblock, min);
        out[widths + index] = width as u8;
        let end = at + geometry.miniblock_size() / 8 * width;
        for chunk in blocks(miniblock, 32) {
            match chunk.first_chunk() {
                Some(full) => kernel.pack(full, min, width, &mut out[at..], loose),
                None => kernel.pack(&padded(chunk, min), min, width, &mut out[at..], loose),
            }
            at += 4 * width;
        }
        out[at..end].fill(0);
        at = end;
    }
    at
}

/// Runs of `size` neighbour differences: `size + 1` values, of which the first is the last of the run before. The last run may be
/// shorter.
#[inline(always)]
fn blocks<T>(values: &[T], size: usize) -> impl Iterator<Item = &[T]> {
    (0..values.len().saturating_sub(1))
        .step_by(size)
        .map(move |start| &values[start..values.len().min(start.saturating_add(size + 1))])
}

/// A chunk whose last differences are `min`: zero when packed.
fn padded<T: Word>(values: &[T], min: T) -> [T; 33] {
    let mut chunk = [T::default(); 33];
    chunk[..values.len()].copy_from_slice(values);
    for index in values.len()..33 {
        chunk[index] = chunk[index - 1].add(min);
    }
    chunk
}
