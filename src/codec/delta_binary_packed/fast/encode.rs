//! A page from a slice.

use super::Word;
use super::batch::{Batch, pieces};
use super::portable::{GROUP, Kernel};
use super::varint;
use crate::EncodeError;
use crate::codec::Path;
use crate::codec::delta_binary_packed::{Geometry, Integer};

/// Groups that are looked at before any is packed, so that one block's sums and widths are found while another's are
/// waited for. Their differences are kept, in the innermost cache.
const BATCH: usize = 4;

/// The same for blocks that are larger than that; still larger ones are gone through in pieces of so many groups.
const LARGE_BATCH: usize = 16;

/// The longest page header.
pub const MAX_HEADER: usize = 4 * varint::MAX_LEN;

/// The most bytes that the page of `count` values takes.
pub fn max_encoded_len<T: Integer>(count: usize, geometry: Geometry) -> usize {
    max_blocks_len::<T>(count.saturating_sub(1), geometry).saturating_add(MAX_HEADER)
}

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
    put_header(&mut header, geometry, values.len(), first).saturating_add(T::blocks_len_with(path, values, geometry))
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
        let needed = T::blocks_len_with(path, values, geometry).saturating_add(header_len);
        if out.len() < needed {
            return Err(EncodeError::BufferTooSmall { needed, available: out.len() });
        }
    }
    out[..header_len].copy_from_slice(&header[..header_len]);
    Ok(header_len + T::encode_blocks_with(path, values, geometry, &mut out[header_len..]))
}

/// Writes the page of `count` values that are all `value` to the front of `out`, which has room for it; gives the bytes
/// written. Least deltas and widths are zero, and there are no others.
pub fn encode_equal<T: Integer>(value: T, count: usize, geometry: Geometry, out: &mut [u8]) -> usize {
    let mut header = [0; MAX_HEADER];
    let header_len = put_header(&mut header, geometry, count, if count == 0 { T::default() } else { value });
    out[..header_len].copy_from_slice(&header[..header_len]);
    let blocks = count.saturating_sub(1).div_ceil(geometry.block_size());
    let end = header_len + blocks * (1 + geometry.miniblock_count());
    out[header_len..end].fill(0);
    end
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
    if geometry.block_size() <= BATCH * GROUP {
        blocks_len_in::<T, K, BATCH>(kernel, values, geometry)
    } else {
        blocks_len_in::<T, K, LARGE_BATCH>(kernel, values, geometry)
    }
}

#[inline(always)]
fn blocks_len_in<T: Word + Integer, K: Kernel<T>, const N: usize>(
    kernel: K,
    values: &[T],
    geometry: Geometry,
) -> usize {
    let block_size = geometry.block_size();
    let mut batch = Batch::<T, K, N>::new(kernel);
    let mut len = 0_usize;
    let mut rest = values;
    let groups = block_size / GROUP;
    while rest.len() > block_size && groups <= N {
        let blocks = (N / groups).min((rest.len() - 1) / block_size);
        batch.measure_groups(rest, 0..blocks * groups);
        for block in 0..blocks {
            len = len.saturating_add(batch.block_len(block * groups..(block + 1) * groups, geometry));
        }
        rest = &rest[blocks * block_size..];
    }
    while rest.len() > 1 {
        let block = &rest[..rest.len().min(geometry.block_size() + 1)];
        let min = batch.min(block);
        len = len.saturating_add(varint::len(varint::zigzag(min.to_i64())) + geometry.miniblock_count());
        if block.len() - 1 <= N * GROUP {
            batch.find_widths(block.len() - 1, min);
            let chunks = 0..(block.len() - 1).div_ceil(32);
            len = len.saturating_add(batch.level_widths(chunks, geometry.miniblock_size() / 32));
        } else {
            for miniblock in pieces(block, geometry.miniblock_size()) {
                let width = batch.width(miniblock, min);
                len = len.saturating_add((geometry.miniblock_size() / 8).saturating_mul(width));
            }
        }
        rest = &rest[block.len() - 1..];
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
    if geometry.block_size() <= BATCH * GROUP {
        encode_batches::<T, K, BATCH>(kernel, values, geometry, out)
    } else {
        encode_batches::<T, K, LARGE_BATCH>(kernel, values, geometry, out)
    }
}

#[inline(always)]
fn encode_batches<T: Word + Integer, K: Kernel<T>, const N: usize>(
    kernel: K,
    values: &[T],
    geometry: Geometry,
    out: &mut [u8],
) -> usize {
    let (block_size, miniblock_count) = (geometry.block_size(), geometry.miniblock_count());
    let chunks = geometry.miniblock_size() / 32;
    let mut batch = Batch::<T, K, N>::new(kernel);
    let mut at = 0;
    let mut rest = values;
    // What the blocks take at least that are still to come.
    let mut to_come = values.len().saturating_sub(1).div_ceil(block_size) * (1 + miniblock_count);
    let groups = block_size / GROUP;
    while rest.len() > block_size && groups <= N {
        let mut there = 0;
        while there + groups <= N && (there + groups) * GROUP < rest.len() {
            batch.measure_groups(rest, there..there + groups);
            there += groups;
        }
        let mut from = 0;
        while from < there {
            to_come -= 1 + miniblock_count;
            at += batch.encode_block(from..from + groups, miniblock_count, chunks, &mut out[at..], to_come);
            from += groups;
        }
        rest = &rest[there * GROUP..];
    }
    while rest.len() > 1 {
        let block = &rest[..rest.len().min(block_size + 1)];
        at += if block_size <= N * GROUP {
            batch.encode_last_block(block, geometry, &mut out[at..])
        } else {
            batch.encode_huge_block(block, geometry, &mut out[at..])
        };
        rest = &rest[block.len() - 1..];
    }
    at
}
