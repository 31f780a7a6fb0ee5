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
    let (block_size, miniblock_size) = (geometry.block_size(), geometry.miniblock_size());
    let mut len = 0;
    let mut rest = values;
    while rest.len() > 1 {
        let block = &rest[..rest.len().min(block_size + 1)];
        let min = kernel.min_delta(block);
        len += varint::len(varint::zigzag(min.to_i64())) + geometry.miniblock_count();
        let mut at = 0;
        while at + 1 < block.len() {
            let miniblock = &block[at..block.len().min(at + miniblock_size + 1)];
            let width = kernel.width(&any_delta(kernel, miniblock, min));
            len = len.saturating_add((miniblock_size / 8).saturating_mul(width));
            at += miniblock_size;
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
    let (block_size, miniblock_count) = (geometry.block_size(), geometry.miniblock_count());
    let chunks = geometry.miniblock_size() / 32;
    let mut at = 0;
    let mut rest = values;
    // What the blocks take at least that are still to come.
    let mut to_come = values.len().saturating_sub(1).div_ceil(block_size) * (1 + miniblock_count);
    while rest.len() > block_size {
        to_come -= 1 + miniblock_count;
        let block = &rest[..=block_size];
        at += encode_full_block(kernel, block, miniblock_count, chunks, &mut out[at..], to_come >= OVERHANG);
        rest = &rest[block_size..];
    }
    if rest.len() > 1 {
        at += encode_last_block(kernel, rest, geometry, &mut out[at..]);
    }
    at
}

#[inline(always)]
fn encode_full_block<T: Word + Integer, K: Kernel<T>>(
    kernel: K,
    values: &[T],
    miniblock_count: usize,
    chunks: usize,
    out: &mut [u8],
    loose: bool,
) -> usize {
    if let Ok(values) = values.try_into() {
        // The smallest block: its values are looked at once.
        let group = kernel.group(values);
        let min = kernel.min_of_group(&group);
        let header = varint::put(out, varint::zigzag(min.to_i64()));
        let (widths, bodies) = out[header..].split_at_mut(miniblock_count);
        let deltas = kernel.less(&group, min);
        let chunk_widths = put_widths(kernel.widths(&deltas), widths);
        return header + miniblock_count + kernel.pack_group(&deltas, chunk_widths, bodies, loose);
    }
    let min = kernel.min_delta(values);
    let header = varint::put(out, varint::zigzag(min.to_i64()));
    let (widths, bodies) = out[header..].split_at_mut(miniblock_count);
    let mut at = 0;
    if chunks <= 4 && chunks != 3 {
        // One, two or four miniblocks to a group.
        for (index, widths) in widths.chunks_exact_mut(4 / chunks).enumerate() {
            let deltas = relative_group(kernel, values, index, min);
            let chunk_widths = put_widths(kernel.widths(&deltas), widths);
            at += kernel.pack_group(&deltas, chunk_widths, &mut bodies[at..], loose);
        }
    } else if chunks.is_multiple_of(4) {
        // Groups to a miniblock.
        for (index, width) in widths.iter_mut().enumerate() {
            let groups = index * chunks / 4..(index + 1) * chunks / 4;
            *width = 0;
            for index in groups.clone() {
                let [a, b, c, d] = kernel.widths(&relative_group(kernel, values, index, min));
                *width = (*width).max(a.max(b)).max(c.max(d));
            }
            for index in groups {
                let deltas = relative_group(kernel, values, index, min);
                at += kernel.pack_group(&deltas, [*width; 4], &mut bodies[at..], loose);
            }
        }
    } else {
        at = encode_chunks(kernel, values, min, chunks, widths, bodies, loose);
    }
    header + miniblock_count + at
}

/// Writes the widths of the four, two or one miniblocks of a group; gives the chunks theirs.
#[inline(always)]
fn put_widths([a, b, c, d]: [u8; 4], widths: &mut [u8]) -> [u8; 4] {
    let (left, right) = (a.max(b), c.max(d));
    match widths {
        [all] => {
            *all = left.max(right);
            [*all; 4]
        }
        [first, second] => {
            (*first, *second) = (left, right);
            [left, left, right, right]
        }
        _ => {
            widths.copy_from_slice(&[a, b, c, d]);
            [a, b, c, d]
        }
    }
}

/// The 128 differences of the `index`th group, less `min`.
#[inline(always)]
fn relative_group<T: Word + Integer, K: Kernel<T>>(kernel: K, values: &[T], index: usize, min: T) -> K::Group {
    kernel.less(&kernel.group(group(values, 128 * index)), min)
}

/// Encodes the miniblocks of a full block, chunk by chunk.
#[inline(always)]
fn encode_chunks<T: Word + Integer, K: Kernel<T>>(
    kernel: K,
    values: &[T],
    min: T,
    chunks: usize,
    widths: &mut [u8],
    out: &mut [u8],
    loose: bool,
) -> usize {
    let (mut at, mut from) = (0, 0);
    for width in widths {
        let bits = kernel.width(&any_delta(kernel, &values[from..=from + 32 * chunks], min));
        *width = bits as u8;
        for _ in 0..chunks {
            let deltas = kernel.deltas(chunk(values, from), min);
            kernel.pack(&deltas, bits, &mut out[at..], loose);
            at += 4 * bits;
            from += 32;
        }
    }
    at
}

/// A block that is padded, or lacks miniblocks, and has no other behind it.
#[inline(always)]
fn encode_last_block<T: Word + Integer, K: Kernel<T>>(
    kernel: K,
    values: &[T],
    geometry: Geometry,
    out: &mut [u8],
) -> usize {
    let miniblock_size = geometry.miniblock_size();
    let min = kernel.min_delta(values);
    let widths = varint::put(out, varint::zigzag(min.to_i64()));
    let mut at = widths + geometry.miniblock_count();
    out[widths..at].fill(0);
    let mut from = 0;
    let mut index = widths;
    while from + 1 < values.len() {
        let miniblock = &values[from..values.len().min(from + miniblock_size + 1)];
        let width = kernel.width(&any_delta(kernel, miniblock, min));
        out[index] = width as u8;
        let end = at + miniblock_size / 8 * width;
        let mut rest = miniblock;
        while rest.len() > 1 {
            kernel.pack(&kernel.deltas(&padded(rest, min), min), width, &mut out[at..], false);
            at += 4 * width;
            rest = &rest[rest.len().min(33) - 1..];
        }
        out[at..end].fill(0);
        at = end;
        from += miniblock_size;
        index += 1;
    }
    at
}

/// The bitwise or of all deltas of a miniblock.
#[inline(always)]
fn any_delta<T: Word + Integer, K: Kernel<T>>(kernel: K, miniblock: &[T], min: T) -> K::Deltas {
    let mut any = kernel.zero_deltas();
    let mut at = 0;
    while at + 32 < miniblock.len() {
        any = kernel.or(any, kernel.deltas(chunk(miniblock, at), min));
        at += 32;
    }
    if at + 1 < miniblock.len() {
        any = kernel.or(any, kernel.deltas(&padded(&miniblock[at..], min), min));
    }
    any
}

/// The values of the 32 differences from `at` on.
#[inline(always)]
fn chunk<T>(values: &[T], at: usize) -> &[T; 33] {
    values[at..].first_chunk().expect("a full chunk")
}

/// The values of the 128 differences from `at` on.
#[inline(always)]
fn group<T>(values: &[T], at: usize) -> &[T; 129] {
    values[at..].first_chunk().expect("four full chunks")
}

/// The first 32 differences of `values`; where there are fewer, the rest are `min`, which is zero when packed.
fn padded<T: Word>(values: &[T], min: T) -> [T; 33] {
    let mut chunk = [T::default(); 33];
    let there = values.len().min(33);
    chunk[..there].copy_from_slice(&values[..there]);
    for index in there..33 {
        chunk[index] = chunk[index - 1].add(min);
    }
    chunk
}
