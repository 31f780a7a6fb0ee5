//! `rust_decimal::Decimal` columns of one scale: sign and magnitude to two's complement and back in the register.
//!
//! A `Decimal` is four words of 32 bits: flags, high, low, middle (`codec::rust_decimal_layout` sees to it).
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use rust_decimal::Decimal;

use super::decode::Decoder;
use super::encode::{encode, low_table, table};
use super::intake::Intake;
use super::register::{Index, first, load, load_part, store, store_part};
use crate::codec::decimal::fast::form;
use crate::codec::decimal::fast::lanes::Order;
use crate::codec::decimal::fast::windows::Windows;

/// Values between two looks at what was collected.
const BLOCK: usize = 256;
/// The largest magnitude of a `Decimal`.
const LARGEST: i128 = (1 << 96) - 1;

/// The memory of `values`.
fn bytes(values: &[Decimal]) -> &[u8] {
    // SAFETY: the memory of a live slice, of its whole size: four `u32` each, without padding.
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// The memory of `values`.
///
/// # Safety
/// It is written with valid flags only: a sign, a scale of at most 28, and zeros.
unsafe fn bytes_mut(values: &mut [Decimal]) -> &mut [u8] {
    // SAFETY: as above, borrowed uniquely; any pattern is a value of four `u32`.
    unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}

/// Encodes values whose scale is `scale`, and stops in front of a block of 256 that holds another. Returns how many
/// values were encoded, and whether all of them were in `range`.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2")]
pub fn encode_rust_decimal(
    values: &[Decimal],
    scale: u32,
    width: usize,
    order: Order,
    range: Option<(i128, i128)>,
    out: &mut [u8],
) -> (usize, bool) {
    assert!((1..=16).contains(&width) && values.len() * width == out.len());
    let (min, max) = range.unwrap_or((i128::MIN, i128::MAX));
    let (min, max) = (min.max(-LARGEST), max.min(LARGEST));
    // Where one more is allowed below zero, a block that needs it is looked at again.
    let bound = max.min(-min).unsigned_abs();
    let low = width <= 8 && bound < 1 << 63;
    let index = if low { low_table(width, order) } else { table::<16>(width, order) };
    let mut passed = true;
    for (number, block) in values.chunks(BLOCK).enumerate() {
        let out = &mut out[number * BLOCK * width..];
        let (of_one_scale, in_bound) = if low {
            encode_block::<{ form::DECIMAL_LOW }>(block, scale, width, index, bound, out)
        } else {
            encode_block::<{ form::DECIMAL }>(block, scale, width, index, bound, out)
        };
        if !of_one_scale {
            return (number * BLOCK, passed);
        }
        passed &= in_bound || -min != max && block.iter().all(|v| (min..=max).contains(&v.mantissa()));
    }
    (values.len(), passed)
}

/// Encodes one block. Returns whether all values had the scale, and whether all magnitudes were at most `bound`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2")]
fn encode_block<const FORM: u8>(
    values: &[Decimal],
    scale: u32,
    width: usize,
    index: &Index,
    bound: u128,
    out: &mut [u8],
) -> (bool, bool) {
    let mut intake = Intake::<FORM>::of_scale(scale, bound);
    encode::<16, FORM>(bytes(values), width, index, &mut intake, out);
    (intake.of_one_scale(), intake.passed())
}

/// Reads values of `width` bytes, 1 to 16, and gives them the scale `scale`, 0 to 28. Returns whether all of them were
/// in `range` and had at most 96 bits and a sign.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2")]
pub fn decode_rust_decimal(
    src: &[u8],
    width: usize,
    order: Order,
    scale: u32,
    range: Option<(i128, i128)>,
    out: &mut [Decimal],
) -> bool {
    assert!((1..=16).contains(&width) && scale <= Decimal::MAX_SCALE && out.len() * width == src.len());
    let (min, max) = range.unwrap_or((-LARGEST, LARGEST));
    let range = Some((min.max(-LARGEST), max.min(LARGEST)));
    // SAFETY: `decode` writes the sign and `scale`, which the assertion above holds against the largest.
    let out = unsafe { bytes_mut(out) };
    match form::of(range) {
        form::I128 => decode::<{ form::I128 }>(src, width, order, scale, Intake::new(range), out),
        _ => decode::<{ form::I128_NARROW }>(src, width, order, scale, Intake::new(range), out),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2")]
fn decode<const FORM: u8>(
    mut src: &[u8],
    width: usize,
    order: Order,
    scale: u32,
    mut intake: Intake<FORM>,
    mut out: &mut [u8],
) -> bool {
    let stride = 4 * width;
    let decoder = Decoder::<16>::new(width, order);
    let flags = _mm512_set1_epi64(i64::from(scale << 16));
    // The values of a register take at most 64 bytes.
    let (mut windows, rounds) = Windows::<128, 128>::over(src, out, (2 * stride, 128));
    while let Some((x, to)) = windows.next() {
        let [to_a, to_b] = to.as_chunks_mut::<64>().0 else { unreachable!() };
        let (Some(a), Some(b)) = (x.first_chunk(), x[stride..].first_chunk()) else { unreachable!() };
        let (a, b) = (decoder.values(load(a)), decoder.values(load(b)));
        intake.take(a, b);
        let (a, b) = decimals(a, b, flags);
        store(to_a, a);
        store(to_b, b);
    }
    (src, out) = (&src[rounds * 2 * stride..], &mut out[rounds * 128..]);
    while !src.is_empty() {
        let bytes = src.len().min(stride);
        let size = bytes / width * 16;
        let x = decoder.values(load_part(&src[..bytes], intake.fill));
        let x = _mm512_mask_mov_epi8(intake.fill, first(size), x);
        intake.take(x, x);
        let (to, rest) = out.split_at_mut(size);
        store_part(to, decimals(x, x, flags).0);
        (src, out) = (&src[bytes..], rest);
    }
    intake.passed()
}

/// Two's complement to flags, high, low, middle; `flags` has those of a positive value in every half.
#[inline]
#[target_feature(enable = "avx512f")]
fn decimals(a: __m512i, b: __m512i, flags: __m512i) -> (__m512i, __m512i) {
    let (low, high) = (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    let sign = _mm512_srai_epi64::<63>(high);
    // Where the low half is zero, its negation carries.
    let high = _mm512_xor_si512(high, sign);
    let high = _mm512_mask_sub_epi64(high, _mm512_testn_epi64_mask(low, low), high, sign);
    let low = _mm512_sub_epi64(_mm512_xor_si512(low, sign), sign);
    // flags | (sign & sign bit)
    let flags = _mm512_ternarylogic_epi64::<0xF8>(flags, sign, _mm512_set1_epi64(1 << 31));
    let rest = _mm512_or_si512(_mm512_slli_epi64::<32>(high), flags);
    (_mm512_unpacklo_epi64(rest, low), _mm512_unpackhi_epi64(rest, low))
}
