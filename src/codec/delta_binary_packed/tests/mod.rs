//! What the twins are held to. Naive is checked against other writers' pages, fast against naive, on every path.

mod decode;
mod encode;
mod foreign;
mod hostile;

use super::{Geometry, Integer};
use alloc::vec::Vec;

/// Geometries of writers, and odd ones: a single miniblock, miniblocks of 96 and 192 values, an odd number of miniblocks.
const GEOMETRIES: [(usize, usize); 11] =
    [(128, 4), (128, 1), (128, 2), (256, 4), (256, 1), (384, 2), (384, 3), (384, 4), (640, 4), (1024, 32), (2048, 8)];

fn geometries() -> impl Iterator<Item = Geometry> {
    GEOMETRIES.into_iter().map(|(block_size, miniblock_count)| Geometry::new(block_size, miniblock_count).unwrap())
}

/// The counts around the edges of miniblocks and blocks.
fn counts(geometry: Geometry) -> Vec<usize> {
    let (block, miniblock) = (geometry.block_size(), geometry.miniblock_size());
    let edges = [0, 1, 2, 3, 31, 32, 33, 34, 65, miniblock, block, 2 * block, 2 * block + miniblock];
    let mut counts: Vec<_> =
        edges.into_iter().flat_map(|edge| [edge.saturating_sub(1), edge, edge + 1, edge + 2]).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// `count` values whose deltas, less the least of them, take `width` bits: all of them reach from 0 to 2^width - 1.
fn values_of_width<T: Integer>(width: u32, count: usize, seed: u64) -> Vec<T> {
    let mut random = Random(seed ^ 0x9E37_79B9_7F4A_7C15);
    let mask = if width == 0 { 0 } else { u64::MAX >> (64 - width) };
    // As low a least delta as the width needs to stay within the type, shifted at random where there is room.
    let lowest = -1_i128 << (T::BITS - 1);
    let room = (1_i128 << T::BITS) - (1_i128 << width);
    let min = lowest + i128::from(random.next()) % (room + 1);
    let mut value = random.next() as i64;
    let mut values = Vec::new();
    for index in 0..count {
        let relative = match index % 32 {
            1 => 0,
            2 => mask,
            _ => random.next() & mask,
        };
        value = value.wrapping_add((min + i128::from(relative)) as i64);
        // Wrapped to the type.
        let shift = 64 - T::BITS;
        values.push(T::from_i64(value << shift >> shift).unwrap());
    }
    values
}

/// Shapes of real columns, and of nasty ones.
fn shapes<T: Integer>(count: usize) -> Vec<Vec<T>> {
    let bits = T::BITS;
    let wrap = move |value: i64| T::from_i64(value << (64 - bits) >> (64 - bits)).unwrap();
    let mut random = Random(count as u64 + 1);
    let (min, max) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
    let index = 0..count as i64;
    let mut running = 0_i64;
    let shapes: [Vec<i64>; 9] = [
        index.clone().collect(),
        index.clone().map(|i| -3 * i).collect(),
        index.clone().map(|_| 42).collect(),
        index.clone().map(|_| random.next() as i64).collect(),
        index.clone().map(|i| if i % 2 == 0 { min } else { max }).collect(),
        index.clone().map(|i| i.wrapping_mul(max / 3)).collect(),
        index.clone().map(|i| if i % 97 == 96 { max } else { i % 5 }).collect(),
        index.clone().map(|i| (i / 100) << (i / 100 % i64::from(bits))).collect(),
        index
            .map(|i| {
                // Each miniblock of 32 has a width of its own.
                running = running.wrapping_add((random.next() >> (63 - (i / 32) % 64)) as i64);
                running
            })
            .collect(),
    ];
    shapes.map(|values| values.into_iter().map(wrap).collect()).into()
}

fn hex(text: &str) -> Vec<u8> {
    assert_eq!(text.len() % 2, 0, "{text}");
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}
