//! BYTE_ARRAY: three values a round. They are laid out at full size, length and sixteen bytes each, and the leading
//! bytes that carry nothing but the sign are squeezed out of the register.

use core::arch::x86_64::*;

use super::register::{Index, load, load_part, store, store_part};
use crate::codec::decimal::fast::lanes::bytes;

/// Bytes of a value at full size: its length, and all of it.
const FULL: usize = 20;
/// Values of one round.
const ROUND: usize = 3;

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
/// The number of the value that a byte belongs to, as the position of its first byte.
const OWNER: Index = {
    let mut table = [0; 64];
    let mut at = 0;
    while at < ROUND * FULL {
        table[at] = (at / FULL * 16) as u8;
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

/// Writes every value as its length (4 bytes, little-endian) and its shortest two's complement, most significant byte
/// first. Returns the bytes written; `out` has at least as many.
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub fn encode_byte_array(values: &[i128], out: &mut [u8]) -> usize {
    let packer = Packer::new();
    let (mut src, mut at) = (bytes(values), 0);
    // 64 bytes are loaded, of which 48 are used.
    while let (Some(x), Some(to)) = (src.first_chunk(), out.get_mut(at..).and_then(<[u8]>::first_chunk_mut)) {
        let (packed, kept) = packer.pack(load(x));
        store(to, packed);
        at += kept;
        src = &src[16 * ROUND..];
    }
    while !src.is_empty() {
        let count = (src.len() / 16).min(ROUND);
        let (packed, kept) = packer.pack(load_part(&src[..16 * count], _mm512_setzero_si512()));
        // A value that is not there is a zero of one byte.
        let kept = kept - (ROUND - count) * 5;
        store_part(&mut out[at..at + kept], packed);
        at += kept;
        src = &src[16 * count..];
    }
    at
}

struct Packer {
    layout: __m512i,
    owner: __m512i,
    rank: __m512i,
}

impl Packer {
    #[target_feature(enable = "avx512f")]
    fn new() -> Self {
        Self { layout: load(&LAYOUT), owner: load(&OWNER), rank: load(&RANK) }
    }

    /// The encoding of the first three values of `x`, and its length.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
    fn pack(&self, x: __m512i) -> (__m512i, usize) {
        let sign = _mm512_srai_epi64::<63>(_mm512_unpackhi_epi64(x, x));
        // Bits that differ from the sign; a value takes these and the sign.
        let digits = _mm512_xor_si512(x, sign);
        let high = _mm512_unpackhi_epi64(digits, digits);
        let zeros = _mm512_lzcnt_epi64(digits);
        let high_zeros = _mm512_unpackhi_epi64(zeros, zeros);
        let short = _mm512_testn_epi64_mask(high, high);
        let bits = _mm512_sub_epi64(_mm512_set1_epi64(128), high_zeros);
        let bits = _mm512_mask_sub_epi64(bits, short, _mm512_set1_epi64(64), zeros);
        let length = _mm512_add_epi64(_mm512_srli_epi64::<3>(bits), _mm512_set1_epi64(1));
        let length = _mm512_permutexvar_epi8(self.owner, length);
        let kept = _mm512_cmpge_epu8_mask(_mm512_add_epi8(self.rank, length), _mm512_set1_epi8(16));
        let kept = kept & (LENGTHS * 0xF | BODIES);
        let full = _mm512_mask_mov_epi8(_mm512_maskz_permutexvar_epi8(BODIES, self.layout, x), LENGTHS, length);
        (_mm512_maskz_compress_epi8(kept, full), kept.count_ones() as usize)
    }
}
