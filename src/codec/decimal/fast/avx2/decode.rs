//! Bytes to values: a shuffle in each lane of 16 bytes, and the sign in the bytes that the input does not have.

use core::arch::x86_64::*;

use super::check::Check;
use super::register::{load, load_lanes, store};
use crate::codec::decimal::fast::lanes::Order;
use crate::codec::decimal::fast::windows::Windows;

/// For the two lanes of a register: where each byte of the values comes from, where the byte with its sign is, and
/// which bytes have nothing but the sign.
struct Plan {
    index: [u8; 32],
    sign: [u8; 32],
    fill: [u8; 32],
}

impl Plan {
    fn new<const SIZE: usize>(width: usize, order: Order) -> Self {
        let mut plan = Self { index: [0x80; 32], sign: [0; 32], fill: [0; 32] };
        for at in 0..32 {
            // A value of 32 bytes takes both lanes; the upper one starts 16 bytes into it.
            let (value, significance) = (at % 16 / SIZE, if SIZE == 32 { at } else { at % SIZE });
            let start = if SIZE == 32 { 0 } else { value * width };
            // What a lane loads ends with its own bytes, or starts with the value if that is shorter.
            let loaded = if SIZE == 32 && at >= 16 || width <= 16 { width } else { 16 };
            let offset = |significance: usize| match order {
                Order::Big => loaded - 1 - significance,
                Order::Little => significance,
            };
            if significance < width {
                plan.index[at] = (start + offset(significance)) as u8;
            } else {
                plan.fill[at] = 0xFF;
            }
            plan.sign[at] = (start + offset(width.min(loaded) - 1)) as u8;
        }
        plan
    }
}

/// Reads the first values of `width <= SIZE` bytes into `out`, the memory of values of `SIZE` bytes. Returns how many
/// were read.
#[inline]
#[target_feature(enable = "avx2")]
pub fn decode<const SIZE: usize, const FORM: u8>(
    src: &[u8],
    width: usize,
    order: Order,
    check: &mut Check<FORM>,
    out: &mut [u8],
) -> usize {
    assert!((1..=SIZE).contains(&width) && out.len() / SIZE * width == src.len());
    let plan = Plan::new::<SIZE>(width, order);
    let (index, sign, fill) = (load(&plan.index), load(&plan.sign), load(&plan.fill));
    let values = |x: __m256i| {
        let negative = _mm256_cmpgt_epi8(_mm256_setzero_si256(), _mm256_shuffle_epi8(x, sign));
        _mm256_or_si256(_mm256_shuffle_epi8(x, index), _mm256_and_si256(negative, fill))
    };
    // Where the lanes of the two registers of a round come from.
    let lanes = match SIZE {
        32 => [width.saturating_sub(16), 0, width + width.saturating_sub(16), width],
        _ => [0, 1, 2, 3].map(|lane| lane * (16 / SIZE) * width),
    };
    let per_round = 64 / SIZE;
    let (mut windows, rounds) = Windows::<64, 64>::over(src, out, (per_round * width, 64));
    while let Some((x, to)) = windows.next() {
        let a = values(load_lanes(x, lanes[0], lanes[1]));
        let b = values(load_lanes(x, lanes[2], lanes[3]));
        check.look(a, b);
        let [to_a, to_b] = to.as_chunks_mut().0 else { unreachable!() };
        store(to_a, a);
        store(to_b, b);
    }
    rounds * per_round
}
