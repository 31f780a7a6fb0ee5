//! Bytes to values: a shuffle in each lane of 16 bytes, and the sign in the bytes that the input does not have.

use core::arch::x86_64::*;

use super::check::{Check, negative};
use super::register::{load, load_lanes, store};
use crate::codec::decimal::fast::form;
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
    /// What a register of loaded lanes becomes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn values(&self, x: __m256i) -> __m256i {
        let sign = _mm256_shuffle_epi8(x, load(&self.sign));
        let negative = _mm256_cmpgt_epi8(_mm256_setzero_si256(), sign);
        let fill = _mm256_and_si256(negative, load(&self.fill));
        _mm256_or_si256(_mm256_shuffle_epi8(x, load(&self.index)), fill)
    }

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
    if SIZE == 16 && width <= 8 {
        return decode_halves(src, width, order, check, out);
    }
    let plan = Plan::new::<SIZE>(width, order);
    // Where the lanes of the two registers of a round come from.
    let lanes = match SIZE {
        32 => [width.saturating_sub(16), 0, width + width.saturating_sub(16), width],
        _ => [0, 1, 2, 3].map(|lane| lane * (16 / SIZE) * width),
    };
    let per_round = 64 / SIZE;
    let (mut windows, rounds) = Windows::<64, 64>::over(src, out, (per_round * width, 64));
    while let Some((x, to)) = windows.next() {
        let (a, b) = (load_lanes(x, lanes[0], lanes[1]), load_lanes(x, lanes[2], lanes[3]));
        if FORM == form::TOP {
            check.look_at_words(tops::<SIZE>(a, b));
        }
        let (a, b) = (plan.values(a), plan.values(b));
        check.look(a, b);
        let [to_a, to_b] = to.as_chunks_mut().0 else { unreachable!() };
        store(to_a, a);
        store(to_b, b);
    }
    rounds * per_round
}

/// The first eight bytes of every item, most significant first, as words.
#[inline]
#[target_feature(enable = "avx2")]
fn tops<const SIZE: usize>(a: __m256i, b: __m256i) -> __m256i {
    // An item in each lane, or one in two of which the upper starts with it.
    let heads = if SIZE == 16 { _mm256_unpacklo_epi64(a, b) } else { _mm256_permute2x128_si256::<0x31>(a, b) };
    let swap = if SIZE == 16 { [0x0001_0203_0405_0607, 0x0809_0A0B_0C0D_0E0F] } else { [0x0001_0203_0405_0607; 2] };
    _mm256_shuffle_epi8(heads, _mm256_set_epi64x(swap[1], swap[0], swap[1], swap[0]))
}

/// Of values of 16 bytes, those of up to 8: four low words at a time, whose signs are the high ones.
#[inline]
#[target_feature(enable = "avx2")]
fn decode_halves<const FORM: u8>(
    src: &[u8],
    width: usize,
    order: Order,
    check: &mut Check<FORM>,
    out: &mut [u8],
) -> usize {
    let plan = Plan::new::<8>(width, order);
    let (mut windows, rounds) = Windows::<32, 64>::over(src, out, (4 * width, 64));
    while let Some((x, to)) = windows.next() {
        let low = plan.values(load_lanes(x, 0, 2 * width));
        // Wider bounds hold every word.
        if FORM == form::I128_NARROW {
            check.look_at_words(low);
        }
        let low = _mm256_permute4x64_epi64::<0b11_01_10_00>(low);
        let high = negative(low);
        let [to_a, to_b] = to.as_chunks_mut().0 else { unreachable!() };
        store(to_a, _mm256_unpacklo_epi64(low, high));
        store(to_b, _mm256_unpackhi_epi64(low, high));
    }
    rounds * 4
}
