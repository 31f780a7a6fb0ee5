//! BYTE_ARRAY: lengths for eight values at a time, then three values a round. They are laid out at full size, length and
//! sixteen bytes each, and the leading bytes that carry nothing but the sign are squeezed out of the register.

use core::arch::x86_64::*;

use super::intake::Intake;
use super::register::{Index, load, load_part, load_two, store, store_part};
use crate::codec::decimal::fast::form;
use crate::codec::decimal::fast::lanes::{balanced, bytes};
use crate::codec::decimal::fast::windows::{INPUT_AHEAD, OUTPUT_AHEAD, prefetch};

/// Values whose lengths are worked out at a time: rounds and registers of them, both whole.
const BLOCK: usize = 48;
/// Values of one round, and the bytes of one at full size: its length, and all of it.
const ROUND: usize = 3;
const FULL: usize = 20;

/// The bytes of three values, most significant first, each behind room for its length.
const LAYOUT: Index = {
    let mut table = [0; 64];
    let mut at = 0;
    while at < ROUND * FULL {
        if at % FULL >= 4 {
            table[at] = (at / FULL * 16 + 15 - (at % FULL - 4)) as u8;
        }
        at += 1;
    }
    table
};
/// The number of the value that a byte belongs to.
const OWNER: Index = {
    let mut table = [0; 64];
    let mut at = 0;
    while at < ROUND * FULL {
        table[at] = (at / FULL) as u8;
        at += 1;
    }
    table
};
/// A byte is kept if this and the length of its value make sixteen; bytes of the length always are.
const RANK: Index = {
    let mut table = [0; 64];
    let mut at = 0;
    while at < ROUND * FULL {
        table[at] = if at % FULL < 4 { 16 } else { (at % FULL - 4) as u8 };
        at += 1;
    }
    table
};
/// Where the lengths go, and where the bytes of the values go.
const LENGTHS: u64 = 1 | 1 << FULL | 1 << (2 * FULL);
const BODIES: u64 = 0xFFFF0 | 0xFFFF0 << FULL | 0xFFFF0 << (2 * FULL);

/// The bytes that [`encode_byte_array`] writes, where all values are in `range`.
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2")]
pub fn byte_array_len(values: &[i128], range: Option<(i128, i128)>) -> Option<usize> {
    assert!(range.is_none_or(balanced));
    match form::of(range) {
        form::NONE => len::<{ form::NONE }>(values, range),
        form::I128 => len::<{ form::I128 }>(values, range),
        _ => len::<{ form::I128_NARROW }>(values, range),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2")]
fn len<const FORM: u8>(values: &[i128], range: Option<(i128, i128)>) -> Option<usize> {
    let mut intake = Intake::<FORM>::new(range);
    let mut sum = _mm512_setzero_si512();
    let (whole, rest) = bytes(values).as_chunks::<128>();
    let mut add = |(a, b)| {
        intake.take(a, b);
        sum = _mm512_add_epi64(sum, lengths(a, b));
    };
    whole.iter().for_each(|x| add(load_two(x)));
    // Zeros stand for values that are not there: of one byte each.
    let absent = if rest.is_empty() { 0 } else { 8 - rest.len() / 16 };
    if !rest.is_empty() {
        add(load_two_parts(rest));
    }
    intake.passed().then(|| _mm512_reduce_add_epi64(sum) as usize - absent + 4 * values.len())
}

/// Writes every value as its length (4 bytes, little-endian) and its shortest two's complement, most significant byte
/// first. Returns the bytes written; `out` has at least as many.
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub fn encode_byte_array(values: &[i128], out: &mut [u8]) -> usize {
    let tables = [load(&LAYOUT), load(&OWNER), load(&RANK)];
    let mut at = 0;
    for block in values.chunks(BLOCK) {
        let block = bytes(block);
        let mut sizes = [0; BLOCK + 16];
        for (x, to) in block.chunks(128).zip(sizes.as_chunks_mut::<8>().0) {
            let (a, b) = if let Some(x) = x.first_chunk() { load_two(x) } else { load_two_parts(x) };
            *to = in_order(lengths(a, b));
        }
        for (x, sizes) in block.chunks(16 * ROUND).zip(sizes.chunks(ROUND)) {
            let sizes = u32::from_le_bytes([sizes[0], sizes[1], sizes[2], 0]);
            // A value that is not there has a length of 0, and no bytes.
            let absent = (ROUND - x.len() / 16) as u64;
            let x = load_part(x, _mm512_setzero_si512());
            let (packed, kept) = pack(tables, x, sizes, (1 << (FULL as u64 * (ROUND as u64 - absent))) - 1);
            prefetch(out.as_ptr().wrapping_add(at + OUTPUT_AHEAD));
            match out.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
                Some(to) => store(to, packed),
                None => store_part(&mut out[at..at + kept], packed),
            }
            at += kept;
        }
        prefetch(block.as_ptr().wrapping_add(INPUT_AHEAD));
    }
    at
}

/// The lengths of eight values, in the order 0, 4, 1, 5, 2, 6, 3, 7.
#[inline]
#[target_feature(enable = "avx512f,avx512cd")]
fn lengths(a: __m512i, b: __m512i) -> __m512i {
    let (low, high) = (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    let sign = _mm512_srai_epi64::<63>(high);
    // Bits that differ from the sign; a value takes these and the sign.
    let (low, high) = (_mm512_xor_si512(low, sign), _mm512_xor_si512(high, sign));
    let zeros = _mm512_add_epi64(_mm512_lzcnt_epi64(low), _mm512_set1_epi64(64));
    let zeros = _mm512_mask_lzcnt_epi64(zeros, _mm512_test_epi64_mask(high, high), high);
    let bits = _mm512_sub_epi64(_mm512_set1_epi64(128 + 8), zeros);
    _mm512_srli_epi64::<3>(bits)
}

/// The low bytes of what [`lengths`] gives, by value.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
fn in_order(lengths: __m512i) -> [u8; 8] {
    let index = _mm512_castsi128_si512(_mm_cvtsi64_si128(0x38_28_18_08_30_20_10_00));
    let packed = _mm512_permutexvar_epi8(index, lengths);
    _mm_cvtsi128_si64(_mm512_castsi512_si128(packed)).to_le_bytes()
}

/// The encoding of the values that `present` covers, and its length.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
fn pack([layout, owner, rank]: [__m512i; 3], x: __m512i, sizes: u32, present: u64) -> (__m512i, usize) {
    let length = _mm512_shuffle_epi8(_mm512_set1_epi32(sizes as i32), owner);
    let kept = _mm512_cmpge_epu8_mask(_mm512_add_epi8(rank, length), _mm512_set1_epi8(16));
    let kept = kept & present;
    let full = _mm512_mask_mov_epi8(_mm512_maskz_permutexvar_epi8(BODIES, layout, x), LENGTHS, length);
    (_mm512_maskz_compress_epi8(kept, full), kept.count_ones() as usize)
}

/// Up to eight values; zeros stand for those that are not there.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_two_parts(x: &[u8]) -> (__m512i, __m512i) {
    let (a, b) = x.split_at(x.len().min(64));
    let zero = _mm512_setzero_si512();
    (load_part(a, zero), load_part(b, zero))
}
