//! Values to bytes: a shuffle in each lane of 16 bytes, and 16-byte stores that overlap.

use core::arch::x86_64::*;

use super::check::Check;
use super::register::{load, load_lanes, store, store_lane};
use crate::codec::decimal::fast::lanes::Order;
use crate::codec::decimal::fast::windows::Windows;

/// For the two lanes of a register, where each byte of the output comes from. Values of 32 bytes have two lanes: the
/// upper one holds the bytes beyond 16.
fn index<const SIZE: usize>(width: usize, order: Order) -> [u8; 32] {
    let mut table = [0x80; 32];
    for lane in 0..2 {
        let (size, skipped, width) = match (SIZE, lane) {
            (32, 0) => (16, 0, width.min(16)),
            (32, _) => (16, 0, width.saturating_sub(16)),
            _ => (SIZE, 0, width),
        };
        for at in 0..16 / size * width {
            let significance = match order {
                Order::Big => width - 1 - at % width,
                Order::Little => at % width,
            };
            table[16 * lane + at] = (skipped + at / width * size + significance) as u8;
        }
    }
    table
}

/// Writes the low `width <= SIZE` bytes of the first values; `src` is the memory of values of `SIZE` bytes. Returns how
/// many were written. What lies behind them in `out` may be overwritten.
#[inline]
#[target_feature(enable = "avx2")]
pub fn encode<const SIZE: usize, const FORM: u8>(
    src: &[u8],
    width: usize,
    order: Order,
    check: &mut Check<FORM>,
    out: &mut [u8],
) -> usize {
    assert!((1..=SIZE).contains(&width) && src.len() / SIZE * width == out.len());
    if SIZE == 16 && width <= 8 {
        return encode_halves(src, width, order, check, out);
    }
    let index = load(&index::<SIZE>(width, order));
    let per_round = 64 / SIZE;
    let (mut windows, rounds) = Windows::<64, 64>::over(src, out, (64, per_round * width));
    if width == SIZE && SIZE <= 16 {
        while let Some((x, to)) = windows.next() {
            let (a, b) = load_two(x);
            check.look(a, b);
            let [to_a, to_b] = to.as_chunks_mut().0 else { unreachable!() };
            store(to_a, _mm256_shuffle_epi8(a, index));
            store(to_b, _mm256_shuffle_epi8(b, index));
        }
    } else {
        // Where the lanes go. A value of 32 bytes: the upper one first, and its surplus is overwritten by the lower.
        let (step, upper) = if SIZE == 32 { (width.saturating_sub(16), 0) } else { (0, 16 / SIZE * width) };
        let second = if SIZE == 32 { width } else { 2 * upper };
        while let Some((x, to)) = windows.next() {
            let (a, b) = load_two(x);
            check.look(a, b);
            for (x, at) in [(a, 0), (b, second)] {
                let x = _mm256_shuffle_epi8(x, index);
                let (low, high) = (_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x));
                if SIZE == 32 {
                    store_lane(to, at, high);
                    store_lane(to, at + step, low);
                } else {
                    store_lane(to, at, low);
                    store_lane(to, at + upper, high);
                }
            }
        }
    }
    rounds * per_round
}

/// Of values of 16 bytes, the low halves: two to a lane, so that a store carries two.
#[inline]
#[target_feature(enable = "avx2")]
fn encode_halves<const FORM: u8>(
    src: &[u8],
    width: usize,
    order: Order,
    check: &mut Check<FORM>,
    out: &mut [u8],
) -> usize {
    let index = load(&index::<8>(width, order));
    let (mut windows, rounds) = Windows::<64, 64>::over(src, out, (64, 4 * width));
    while let Some((x, to)) = windows.next() {
        let (a, b) = (load_lanes(x, 0, 32), load_lanes(x, 16, 48));
        check.look(a, b);
        let x = _mm256_shuffle_epi8(_mm256_unpacklo_epi64(a, b), index);
        store_lane(to, 0, _mm256_castsi256_si128(x));
        store_lane(to, 2 * width, _mm256_extracti128_si256::<1>(x));
    }
    rounds * 4
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_two(x: &[u8; 64]) -> (__m256i, __m256i) {
    let [a, b] = x.as_chunks().0 else { unreachable!() };
    (load(a), load(b))
}
