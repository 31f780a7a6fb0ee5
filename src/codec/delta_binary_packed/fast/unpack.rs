//! Unpacking 32 deltas at a width known to the compiler, summed up on the way.

use super::Word;
use super::pack::{by_width, seq32};

/// Reads 32 deltas from the first `4 * width` bytes, adds the least delta to each, and writes the running sums from a value.
pub type Unpacker<T> = fn(&[u8], T, T, &mut [T; 32]);

fn unpack<T: Word, const WIDTH: usize>(bytes: &[u8], min: T, mut value: T, out: &mut [T; 32]) {
    if WIDTH == 0 {
        // Equal steps: no sum waits for the one before.
        for (index, slot) in out.iter_mut().enumerate() {
            *slot = value.add(min.times(index + 1));
        }
        return;
    }
    let bytes = &bytes[..4 * WIDTH];
    seq32!(step, {
        value = value.add(min.add(T::from_bits(delta::<WIDTH>(bytes, step))));
        out[step] = value;
    });
}

/// The `index`th delta: from the eight bytes it starts in, and a ninth if it goes on there.
#[inline(always)]
fn delta<const WIDTH: usize>(bytes: &[u8], index: usize) -> u64 {
    let mask = u64::MAX >> (64 - WIDTH);
    let bit = index * WIDTH;
    if 4 * WIDTH < 8 {
        return u64::from(u32::from_le_bytes(*bytes.first_chunk().expect("a chunk has four bytes or more"))) >> bit
            & mask;
    }
    // Eight bytes that hold the start of it, without reading past the chunk.
    let start = if bit / 8 + 8 <= 4 * WIDTH { bit / 8 } else { 4 * WIDTH - 8 };
    let shift = bit - 8 * start;
    let word = u64::from_le_bytes(*bytes[start..].first_chunk().expect("within the chunk"));
    let rest = if shift + WIDTH > 64 { u64::from(bytes[start + 8]) << ((64 - shift) & 63) } else { 0 };
    (word >> shift | rest) & mask
}

pub const I32: [Unpacker<i32>; 33] = by_width!(unpack, i32, 32);
pub const I64: [Unpacker<i64>; 65] = by_width!(unpack, i64, 64);
