//! Values to bytes: one permutation for as many values as fill a register, and stores that overlap.
//!
//! A store writes 64 bytes of which only the first are encoded values; the next store overwrites the rest. Where less
//! than 64 bytes are left, stores are masked, so that nothing past `out` is touched. Stores are what limits these
//! loops, so each carries as many values as it can: two registers are permuted into one where that is more.

use core::arch::x86_64::*;

use super::intake::Intake;
use super::register::{Index, load, load_part, load_two, store, store_part};
use crate::codec::decimal::fast::form;
use crate::codec::decimal::fast::lanes::Order;
use crate::codec::decimal::fast::windows::Windows;

/// Values of `SIZE` bytes that one store carries.
pub const fn per_store<const SIZE: usize>(width: usize) -> usize {
    let one = 64 / SIZE;
    let fit = 64 / width;
    // Beyond `SIZE`, the second register of the permutation holds the signs. Below, it pays if a store carries about twice
    // as much: values that are loaded twice are also checked twice.
    if width > SIZE || 4 * fit <= 7 * one {
        if fit < one { fit } else { one }
    } else if fit < 2 * one {
        fit
    } else {
        2 * one
    }
}

/// Where each byte of the output comes from: `v * SIZE + p` is byte `p` of value `v`; for widths beyond `SIZE`,
/// `64 + v * SIZE + SIZE - 1` is its sign.
const fn index<const SIZE: usize>(width: usize, order: Order) -> Index {
    let mut table = [0; 64];
    let mut at = 0;
    while at < per_store::<SIZE>(width) * width {
        let (v, i) = (at / width, at % width);
        let significance = match order {
            Order::Big => width - 1 - i,
            Order::Little => i,
        };
        table[at] = if significance < SIZE { v * SIZE + significance } else { 64 + v * SIZE + SIZE - 1 } as u8;
        at += 1;
    }
    table
}

/// For widths of up to 8, where the bytes come from in a register of the low words of the values 0, 4, 1, 5, 2, 6, 3, 7.
const fn low_index(width: usize, order: Order) -> Index {
    let mut table = [0; 64];
    let mut at = 0;
    while at < 8 * width {
        let value = at / width;
        let significance = match order {
            Order::Big => width - 1 - at % width,
            Order::Little => at % width,
        };
        table[at] = (8 * (value % 4 * 2 + value / 4) + significance) as u8;
        at += 1;
    }
    table
}

/// The table for the low words of values of 16 bytes, in the order that the forms for them have.
pub fn low_table(width: usize, order: Order) -> &'static Index {
    const BIG: [Index; 9] = {
        let mut tables = [[0; 64]; 9];
        let mut width = 1;
        while width <= 8 {
            tables[width] = low_index(width, Order::Big);
            width += 1;
        }
        tables
    };
    const LITTLE: [Index; 2] = [low_index(4, Order::Little), low_index(8, Order::Little)];
    match order {
        Order::Big => const { &BIG }.get(width),
        Order::Little => const { &LITTLE }.get(width / 8),
    }
    .expect("a width of 1 to 8")
}

/// The index tables of one size of values.
struct Tables<const SIZE: usize>;

impl<const SIZE: usize> Tables<SIZE> {
    /// By width.
    const BIG: [Index; 33] = {
        let mut tables = [[0; 64]; 33];
        let mut width = 1;
        while width <= 32 {
            tables[width] = index::<SIZE>(width, Order::Big);
            width += 1;
        }
        tables
    };
    /// For 4 and 8 bytes.
    const LITTLE: [Index; 2] = [index::<SIZE>(4, Order::Little), index::<SIZE>(8, Order::Little)];
}

/// The table for values of `SIZE` bytes.
pub fn table<const SIZE: usize>(width: usize, order: Order) -> &'static Index {
    match order {
        Order::Big => const { &Tables::<SIZE>::BIG }.get(width),
        Order::Little => const { &Tables::<SIZE>::LITTLE }.get(width / 8),
    }
    .expect("a width of 1 to 32, or of 4 or 8")
}

/// Writes the low `width` bytes of every value to the start of `out`; `src` is the memory of values of `SIZE` bytes.
/// What lies behind in `out` may be overwritten.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2")]
pub fn encode<const SIZE: usize, const FORM: u8>(
    mut src: &[u8],
    width: usize,
    index: &Index,
    intake: &mut Intake<FORM>,
    mut out: &mut [u8],
) {
    assert!((1..=32).contains(&width) && src.len() / SIZE * width <= out.len());
    let count = per_store::<SIZE>(width);
    let index = load(index);
    let steps = (count * SIZE, count * width);
    let done = if width > SIZE {
        let (mut windows, rounds) = Windows::<64, 64>::over(src, out, steps);
        while let Some((x, to)) = windows.next() {
            let x = load(x);
            intake.take(x, x);
            store(to, _mm512_permutex2var_epi8(x, index, signs(x)));
        }
        rounds
    } else if count * SIZE > 64 {
        let (mut windows, rounds) = Windows::<128, 64>::over(src, out, steps);
        while let Some((x, to)) = windows.next() {
            let (a, b) = load_two(x);
            let (a, b) = intake.take(a, b);
            let low = matches!(FORM, form::I128_LOW | form::DECIMAL_LOW);
            let x = if low { _mm512_permutexvar_epi8(index, a) } else { _mm512_permutex2var_epi8(a, index, b) };
            store(to, x);
        }
        rounds
    } else {
        // A store carries just one register; its bytes are at most 64.
        let (mut windows, rounds) = Windows::<128, 128>::over(src, out, (128, 2 * count * width));
        while let Some((x, to)) = windows.next() {
            let (a, b) = load_two(x);
            let (a, b) = intake.take(a, b);
            store(to.first_chunk_mut().expect("64 of 128"), _mm512_permutexvar_epi8(index, a));
            let to = to[count * width..].first_chunk_mut().expect("64 of 128");
            store(to, _mm512_permutexvar_epi8(index, b));
        }
        2 * rounds
    };
    (src, out) = (&src[done * steps.0..], &mut out[done * steps.1..]);
    let count = count.min(64 / SIZE);
    while !src.is_empty() {
        let bytes = src.len().min(count * SIZE);
        let x = load_part(&src[..bytes], intake.fill);
        let (x, _) = intake.take(x, x);
        let (to, rest) = out.split_at_mut(bytes / SIZE * width);
        store_part(to, _mm512_permutex2var_epi8(x, index, signs(x)));
        (src, out) = (&src[bytes..], rest);
    }
}

/// Every 16 bits the sign of themselves: the last byte of each value is then the value's sign.
#[inline]
#[target_feature(enable = "avx512bw")]
fn signs(x: __m512i) -> __m512i {
    _mm512_srai_epi16::<15>(x)
}
