//! Some groups of differences: measured, then packed as blocks.

use super::portable::{GROUP, Kernel};
use super::{Word, varint};
use crate::codec::delta_binary_packed::{Geometry, Integer};
use core::ops::Range;

/// The differences of some groups, and what is known of each.
#[repr(align(64))]
pub struct Batch<T: Word, K: Kernel<T>, const N: usize> {
    deltas: [[T; GROUP]; N],
    mins: [T; N],
    spans: [K::Span; N],
    widths: [[u8; 4]; N],
    kernel: K,
}

impl<T: Word + Integer, K: Kernel<T>, const N: usize> Batch<T, K, N> {
    #[inline(always)]
    pub fn new(kernel: K) -> Self {
        let (mins, spans) = ([T::default(); N], [kernel.no_span(); N]);
        Self { deltas: [[T::default(); GROUP]; N], mins, spans, widths: [[0; 4]; N], kernel }
    }

    /// Looks at the differences of these groups of the values.
    #[inline(always)]
    pub fn measure_groups(&mut self, values: &[T], groups: Range<usize>) {
        for index in groups {
            let values = values[index * GROUP..].first_chunk().expect("a full group");
            (self.mins[index], self.spans[index]) = self.kernel.differences(values, &mut self.deltas[index]);
        }
    }

    /// Looks at the differences of the values, no more than there is room for; gives the least.
    #[inline(always)]
    fn measure(&mut self, values: &[T]) -> T {
        let full = (values.len() - 1) / GROUP;
        self.measure_groups(values, 0..full);
        let mut groups = full;
        if full * GROUP + 1 < values.len() {
            self.measure_group_padded(values, full);
            groups += 1;
        }
        self.mins[..groups].iter().fold(T::LARGEST, |min, &other| min.min(other))
    }

    /// The least difference.
    #[inline(always)]
    pub fn min(&mut self, values: &[T]) -> T {
        // No fold: its closure is compiled without the path's instructions where it is not inlined.
        let mut min = T::LARGEST;
        for piece in pieces(values, N * GROUP) {
            min = min.min(self.measure(piece));
        }
        min
    }

    /// The bits that the largest difference of a miniblock has over `min`.
    #[inline(always)]
    pub fn width(&mut self, miniblock: &[T], min: T) -> usize {
        let mut width = 0;
        for piece in pieces(miniblock, N * GROUP) {
            self.measure(piece);
            self.find_widths(piece.len() - 1, min);
            let widths = &self.widths.as_flattened()[..(piece.len() - 1).div_ceil(32)];
            width = widths.iter().fold(width, |most, &width| most.max(width));
        }
        usize::from(width)
    }

    /// The widths of the chunks of the first differences, so many.
    #[inline(always)]
    pub fn find_widths(&mut self, deltas: usize, min: T) {
        for index in 0..deltas.div_ceil(GROUP) {
            self.widths[index] = self.kernel.widths(&self.deltas[index], &self.spans[index], min, 1);
        }
    }

    /// Gives each chunk the width of its miniblock, which is of `size` chunks; gives the bytes that the miniblocks take.
    #[inline(always)]
    pub fn level_widths(&mut self, chunks: Range<usize>, size: usize) -> usize {
        let mut bytes = 0_usize;
        for widths in self.widths.as_flattened_mut()[chunks].chunks_mut(size) {
            let width = widths.iter().fold(0, |most, &width| most.max(width));
            widths.fill(width);
            bytes = bytes.saturating_add((4 * size).saturating_mul(usize::from(width)));
        }
        bytes
    }

    /// The bytes that the full block of these groups takes.
    #[inline(always)]
    pub fn block_len(&mut self, groups: Range<usize>, geometry: Geometry) -> usize {
        let (min, chunks) = (self.min_of(groups.clone()), geometry.miniblock_size() / 32);
        let header = varint::len(varint::zigzag(min.to_i64())) + geometry.miniblock_count();
        let mut bytes = 0;
        for index in groups.clone() {
            self.widths[index] = self.kernel.widths(&self.deltas[index], &self.spans[index], min, levelled(chunks));
            bytes += bytes_of(self.widths[index]);
        }
        if chunks != levelled(chunks) {
            bytes = self.level_widths(4 * groups.start..4 * groups.end, chunks);
        }
        header + bytes
    }

    /// The least difference of these groups.
    #[inline(always)]
    fn min_of(&self, groups: Range<usize>) -> T {
        let mut min = self.mins[groups.start];
        for index in groups.start + 1..groups.end {
            min = min.min(self.mins[index]);
        }
        min
    }

    /// Encodes the full block of these groups; gives the bytes written. After it at least `to_come` bytes will be written.
    #[inline(always)]
    pub fn encode_block(
        &mut self,
        groups: Range<usize>,
        miniblock_count: usize,
        chunks: usize,
        out: &mut [u8],
        to_come: usize,
    ) -> usize {
        let min = self.min_of(groups.clone());
        let header = self.kernel.put_number(out, varint::zigzag(min.to_i64()), miniblock_count + to_come);
        let at = header + miniblock_count;
        let mut end = at;
        let slots = &mut out[header..at];
        let mut slot = 0;
        for index in groups.clone() {
            let widths = self.kernel.widths(&self.deltas[index], &self.spans[index], min, levelled(chunks));
            self.widths[index] = widths;
            let [first, _, third, _] = widths;
            match chunks {
                1 => {
                    slots[slot..slot + 4].copy_from_slice(&widths);
                    slot += 4;
                    end += bytes_of(widths);
                }
                2 => {
                    slots[slot..slot + 2].copy_from_slice(&[first, third]);
                    slot += 2;
                    end += 8 * (usize::from(first) + usize::from(third));
                }
                4 => {
                    slots[slot] = first;
                    slot += 1;
                    end += 16 * usize::from(first);
                }
                _ => {}
            }
        }
        match levelled(chunks) {
            level if level == chunks => {}
            4 => {
                for (slot, widths) in slots.iter_mut().zip(self.widths[groups.clone()].chunks_mut(chunks / 4)) {
                    let most = widths.iter().fold(0, |most, &[width, ..]| most.max(width));
                    widths.fill([most; 4]);
                    *slot = most;
                    end += 4 * chunks * usize::from(most);
                }
            }
            _ => {
                let all = 4 * groups.start..4 * groups.end;
                end = at + self.level_widths(all.clone(), chunks);
                for (slot, &width) in slots.iter_mut().zip(self.widths.as_flattened()[all].iter().step_by(chunks)) {
                    *slot = width;
                }
            }
        }

        if end == at {
            return at;
        }

        // Kernels may write to all that will be written again.
        let out = &mut out[..end + to_come];
        let chunks = self.deltas[groups.clone()].as_flattened().as_chunks().0;
        at + self.kernel.pack(chunks, min, self.widths[groups].as_flattened(), &mut out[at..])
    }

    /// Encodes a block that need not be full, and has no other behind it; gives the bytes written.
    #[inline(always)]
    pub fn encode_last_block(&mut self, block: &[T], geometry: Geometry, out: &mut [u8]) -> usize {
        let (deltas, size) = (block.len() - 1, geometry.miniblock_size() / 32);
        let chunks = deltas.div_ceil(32);
        let min = self.measure(block);
        let header = self.kernel.put_number(out, varint::zigzag(min.to_i64()), geometry.miniblock_count());
        let mut at = header + geometry.miniblock_count();
        self.find_widths(deltas, min);
        let end = at + self.level_widths(0..chunks, size);
        let widths = &self.widths.as_flattened()[..chunks];
        out[header..at].fill(0);
        for (slot, &width) in out[header..at].iter_mut().zip(widths.iter().step_by(size)) {
            *slot = width;
        }
        // What is packed as zero.
        self.deltas.as_flattened_mut()[deltas..32 * chunks].fill(min);
        at += self.kernel.pack(&self.deltas.as_flattened().as_chunks().0[..chunks], min, widths, &mut out[at..end]);
        out[at..end].fill(0);
        end
    }

    /// Encodes a block that is larger than the batch; gives the bytes written. Its differences are not kept, but found for the
    /// least one, for the widths, and to be packed.
    #[inline(always)]
    pub fn encode_huge_block(&mut self, block: &[T], geometry: Geometry, out: &mut [u8]) -> usize {
        let min = self.min(block);
        let header = self.kernel.put_number(out, varint::zigzag(min.to_i64()), geometry.miniblock_count());
        let mut at = header + geometry.miniblock_count();
        out[header..at].fill(0);
        for (index, miniblock) in pieces(block, geometry.miniblock_size()).enumerate() {
            let width = self.width(miniblock, min);
            out[header + index] = width as u8;
            let end = at + geometry.miniblock_size() / 8 * width;
            for piece in pieces(miniblock, N * GROUP) {
                self.measure(piece);
                let (deltas, chunks) = (piece.len() - 1, (piece.len() - 1).div_ceil(32));
                self.deltas.as_flattened_mut()[deltas..32 * chunks].fill(min);
                self.widths = [[width as u8; 4]; N];
                let widths = &self.widths.as_flattened()[..chunks];
                let chunks = &self.deltas.as_flattened().as_chunks().0[..chunks];
                at += self.kernel.pack(chunks, min, widths, &mut out[at..end]);
            }
            out[at..end].fill(0);
            at = end;
        }
        at
    }

    /// Looks at the differences of the last group of the values, which is not full: as if its last one came again and again.
    #[inline(always)]
    fn measure_group_padded(&mut self, values: &[T], index: usize) {
        let values = &values[index * GROUP..];
        let mut padded = [T::default(); GROUP + 1];
        padded[..values.len()].copy_from_slice(values);
        let step = values[values.len() - 1].sub(values[values.len() - 2]);
        for index in values.len()..=GROUP {
            padded[index] = padded[index - 1].add(step);
        }
        (self.mins[index], self.spans[index]) = self.kernel.differences(&padded, &mut self.deltas[index]);
    }
}

/// The chunks whose widths a kernel levels at once, of miniblocks of so many: those of a group, if miniblocks are whole groups.
#[inline(always)]
fn levelled(chunks: usize) -> usize {
    match chunks {
        2 => 2,
        _ if chunks.is_multiple_of(4) => 4,
        _ => 1,
    }
}

/// The bytes that four chunks of these widths take.
#[inline(always)]
fn bytes_of(widths: [u8; 4]) -> usize {
    // In a word, so that no byte is taken out.
    let widths = u32::from_le_bytes(widths);
    let sums = (widths & 0x00FF_00FF) + (widths >> 8 & 0x00FF_00FF);
    4 * ((sums + (sums >> 16)) & 0xFFFF) as usize
}

/// Cuts differences into pieces of `size`; the values around a cut are in both.
pub fn pieces<T>(values: &[T], size: usize) -> impl Iterator<Item = &[T]> {
    (0..values.len() - 1).step_by(size).map(move |from| &values[from..values.len().min(from + size + 1)])
}
