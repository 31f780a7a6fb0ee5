//! Bytes to values: one byte permutation puts the bytes of every value at the top of its words, and one arithmetic
//! shift brings them down and extends the sign.

use core::arch::x86_64::*;

use super::intake::Intake;
use super::register::{Index, first, load, load_part, store, store_part};
use crate::codec::decimal::fast::form;
use crate::codec::decimal::fast::lanes::Order;
use crate::codec::decimal::fast::windows::Windows;

/// How to decode one width: where each byte of the values comes from, and how far each word is shifted.
struct Plan {
    index: Index,
    shifts: [u64; 8],
}

impl Plan {
    /// For values of `SIZE` bytes, in words of 8 bytes (of 4 where a value is no larger). A word of which the input has
    /// no byte gets the byte with the sign and is shifted until only the sign is left. What lies below the bytes of
    /// the input is shifted out.
    const fn new<const SIZE: usize>(width: usize, order: Order) -> Self {
        let word = if SIZE < 8 { SIZE } else { 8 };
        let mut plan = Self { index: [0; 64], shifts: [0; 8] };
        let mut at = 0;
        while at < 64 {
            let (value, start) = (at / SIZE, at % SIZE / word * word);
            let present = if width <= start {
                1
            } else if width < start + word {
                width - start
            } else {
                word
            };
            let lowest = if width <= start { width - 1 } else { start };
            let shift = if width <= start { 63 } else { 8 * (word - present) as u64 };
            let place = at % word;
            if place >= word - present {
                let significance = lowest + place - (word - present);
                let offset = match order {
                    Order::Big => width - 1 - significance,
                    Order::Little => significance,
                };
                plan.index[at] = (value * width + offset) as u8;
            }
            // With words of 4 bytes, two shifts share an element: see `shift`.
            plan.shifts[at / 8] = if word == 4 { shift << 32 | shift } else { shift };
            at += 1;
        }
        plan
    }
}

/// The plans of one size of values: big-endian by width, then little-endian for 4 and 8 bytes.
struct Plans<const SIZE: usize>;

impl<const SIZE: usize> Plans<SIZE> {
    const BIG: [Plan; 33] = {
        let mut plans = [const { Plan { index: [0; 64], shifts: [0; 8] } }; 33];
        let mut width = 1;
        while width <= SIZE {
            plans[width] = Plan::new::<SIZE>(width, Order::Big);
            width += 1;
        }
        plans
    };
    const LITTLE: [Plan; 2] =
        [Plan::new::<SIZE>(4, Order::Little), Plan::new::<SIZE>(if SIZE < 8 { 4 } else { 8 }, Order::Little)];

    fn get(width: usize, order: Order) -> &'static Plan {
        match order {
            Order::Big => const { &Self::BIG }.get(width).expect("a width of 1 to 32"),
            Order::Little => const { &Self::LITTLE }.get(width / 8).expect("a width of 4 or 8"),
        }
    }
}

/// Turns bytes into values in a register.
#[derive(Clone, Copy)]
pub struct Decoder<const SIZE: usize> {
    index: __m512i,
    shifts: __m512i,
}

impl<const SIZE: usize> Decoder<SIZE> {
    #[target_feature(enable = "avx512f")]
    pub fn new(width: usize, order: Order) -> Self {
        let plan = Plans::<SIZE>::get(width, order);
        let [s0, s1, s2, s3, s4, s5, s6, s7] = plan.shifts.map(|s| s as i64);
        Self { index: load(&plan.index), shifts: _mm512_set_epi64(s7, s6, s5, s4, s3, s2, s1, s0) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi")]
    pub fn values(self, x: __m512i) -> __m512i {
        let x = _mm512_permutexvar_epi8(self.index, x);
        if SIZE < 8 { _mm512_srav_epi32(x, self.shifts) } else { _mm512_srav_epi64(x, self.shifts) }
    }
}

/// Reads values of `width` bytes into `out`, the memory of values of `SIZE >= width` bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2")]
pub fn decode<const SIZE: usize, const FORM: u8>(
    mut src: &[u8],
    width: usize,
    order: Order,
    mut intake: Intake<FORM>,
    mut out: &mut [u8],
) -> bool {
    assert!((1..=SIZE).contains(&width) && out.len() / SIZE * width == src.len());
    let stride = 64 / SIZE * width;
    let decoder = Decoder::<SIZE>::new(width, order);
    let tops = tops::<SIZE>(width);
    // The values of a register take at most 64 bytes.
    let (mut windows, rounds) = Windows::<128, 128>::over(src, out, (2 * stride, 128));
    while let Some((x, to)) = windows.next() {
        let [to_a, to_b] = to.as_chunks_mut::<64>().0 else { unreachable!() };
        let (Some(a), Some(b)) = (x.first_chunk(), x[stride..].first_chunk()) else { unreachable!() };
        let (a, b) = (load(a), load(b));
        if FORM == form::TOP {
            intake.take(_mm512_permutexvar_epi8(tops, a), _mm512_permutexvar_epi8(tops, b));
        }
        let (a, b) = (decoder.values(a), decoder.values(b));
        if FORM != form::TOP {
            intake.take(a, b);
        }
        store(to_a, a);
        store(to_b, b);
    }
    (src, out) = (&src[rounds * 2 * stride..], &mut out[rounds * 128..]);
    while !src.is_empty() {
        let bytes = src.len().min(stride);
        let size = bytes / width * SIZE;
        let x = load_part(&src[..bytes], intake.fill);
        // What is not there is zero, and within any bounds.
        let top = _mm512_maskz_permutexvar_epi8(first(size), tops, x);
        let x = _mm512_mask_mov_epi8(intake.fill, first(size), decoder.values(x));
        let looked_at = if FORM == form::TOP { top } else { x };
        intake.take(looked_at, looked_at);
        let (to, rest) = out.split_at_mut(size);
        store_part(to, x);
        (src, out) = (&src[bytes..], rest);
    }
    intake.passed()
}

/// For the form [`TOP`](form::TOP), where the bytes of the words come from.
#[target_feature(enable = "avx512f")]
fn tops<const SIZE: usize>(width: usize) -> __m512i {
    // Eight bytes from the start of the item on, the last one first.
    let word = |i: usize| (0x0001_0203_0405_0607 + 0x0101_0101_0101_0101 * (8 * i / SIZE * width) as u64) as i64;
    _mm512_set_epi64(word(7), word(6), word(5), word(4), word(3), word(2), word(1), word(0))
}
