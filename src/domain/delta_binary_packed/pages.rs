//! Pages as other writers lay them out, and hostile ones: what decoders must cope with and our encoders never write.

use crate::codec::delta_binary_packed::Geometry;
use crate::generate::Source;

/// How a page differs from the one that our encoders write.
#[derive(Clone, Copy, Debug, Default)]
struct Habits {
    /// Least deltas are smaller than need be by so much, so that widths are larger.
    below: i64,
    /// Bits that each width is larger than need be.
    wider: u32,
    /// Width bytes of miniblocks without values and padding bits hold whatever was there: parquet-java, polars.
    stale: bool,
    /// Numbers of the header take more bytes than need be.
    padded: bool,
}

/// Appends a page of `values`, of a type of `bits` bits, as some writer lays it out.
pub fn foreign<S: Source>(values: &[i64], bits: u32, geometry: Geometry, source: &mut S, page: &mut Vec<u8>) {
    let habits = Habits {
        below: if source.chance(1, 6) { source.below(4) as i64 } else { 0 },
        wider: if source.chance(1, 6) { source.below(bits as usize + 1) as u32 } else { 0 },
        stale: source.chance(1, 2),
        padded: source.chance(1, 12),
    };
    let numbers = [geometry.block_size() as u64, geometry.miniblock_count() as u64, values.len() as u64];
    for number in numbers {
        uleb128(page, number, if habits.padded { 1 + source.below(10) } else { 1 });
    }
    let first = match values.first() {
        Some(first) => *first,
        // parquet-java writes the first value of an earlier page here.
        None if habits.stale => cut(source.u64() as i64, bits),
        None => 0,
    };
    zigzag(page, first);
    let deltas: Vec<i64> = values.windows(2).map(|pair| cut(pair[1].wrapping_sub(pair[0]), bits)).collect();
    for block in deltas.chunks(geometry.block_size()) {
        let min = block.iter().min().copied().unwrap_or(0);
        let min = cut(min.wrapping_sub(habits.below), bits);
        zigzag(page, min);
        let mask = u64::MAX >> (64 - bits);
        let widths = page.len();
        page.extend((0..geometry.miniblock_count()).map(|_| if habits.stale { source.u64() as u8 } else { 0 }));
        for (index, miniblock) in block.chunks(geometry.miniblock_size()).enumerate() {
            let packed = |delta: i64| delta.wrapping_sub(min) as u64 & mask;
            let needed = 64 - miniblock.iter().fold(0, |all, delta| all | packed(*delta)).leading_zeros();
            let width = (needed + habits.wider).min(bits);
            page[widths + index] = width as u8;
            let start = page.len();
            page.resize(start + geometry.miniblock_size() / 8 * width as usize, 0);
            let mut at = 8 * start;
            for delta in miniblock {
                put_bits(page, at, packed(*delta), width);
                at += width as usize;
            }
            if habits.stale && width > 0 {
                for _ in miniblock.len()..geometry.miniblock_size() {
                    put_bits(page, at, source.u64() & (u64::MAX >> (64 - width)), width);
                    at += width as usize;
                }
            }
        }
    }
}

/// Appends a page whose header cannot be believed.
pub fn hostile<S: Source>(bits: u32, source: &mut S, page: &mut Vec<u8>) {
    const SIZES: [u64; 14] = [0, 1, 32, 64, 127, 128, 128, 128, 256, 384, 65_536, 1 << 30, 1 << 31, u64::MAX];
    const MINIS: [u64; 10] = [0, 1, 2, 3, 4, 4, 8, 16, 1 << 25, u64::MAX];
    const COUNTS: [u64; 12] = [0, 1, 2, 5, 33, 129, 1 << 14, (1 << 14) + 1, 1 << 20, 1 << 31, 1 << 63, u64::MAX];
    uleb128(page, *source.pick(&SIZES), 1);
    uleb128(page, *source.pick(&MINIS), 1);
    uleb128(page, *source.pick(&COUNTS), 1);
    if bits == 32 && source.chance(1, 4) {
        zigzag(page, if source.chance(1, 2) { 1 << 31 } else { -(1 << 31) - 1 });
    } else {
        zigzag(page, source.below(3) as i64 - 1);
    }
    for _ in 0..source.below(4) {
        zigzag(page, if source.chance(1, 4) { source.u64() as i64 } else { source.below(3) as i64 - 1 });
        for _ in 0..source.below(5) {
            page.push(*source.pick(&[0, 0, 0, 1, 2, 32, 33, 64, 65, 255]));
        }
        for _ in 0..source.below(9) {
            page.push(source.u64() as u8);
        }
    }
    if source.chance(1, 8) {
        // A number that never ends.
        let at = source.below(page.len().min(6));
        page.splice(at..at, [0xff; 11]);
    }
}

/// The low `bits` bits, as a signed number.
fn cut(value: i64, bits: u32) -> i64 {
    value << (64 - bits) >> (64 - bits)
}

/// Appends a number in at least `least` bytes.
pub fn uleb128(page: &mut Vec<u8>, mut number: u64, least: usize) {
    let mut written = 1;
    while number >= 0x80 || written < least {
        page.push(number as u8 | 0x80);
        number >>= 7;
        written += 1;
    }
    page.push(number as u8);
}

/// Appends a signed number.
pub fn zigzag(page: &mut Vec<u8>, value: i64) {
    uleb128(page, ((value << 1) ^ (value >> 63)) as u64, 1);
}

fn put_bits(page: &mut [u8], at: usize, value: u64, width: u32) {
    let wide = u128::from(value) << (at % 8);
    for index in 0..(at % 8 + width as usize).div_ceil(8) {
        page[at / 8 + index] |= (wide >> (8 * index)) as u8;
    }
}
