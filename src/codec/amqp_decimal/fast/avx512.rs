//! AVX-512 kernels: eight values in 16-byte lanes, two registers of four, are checked together and permuted into 48
//! octets (40 without tags), and back. [`Raw`] and `Decimal` differ only in where in its lane a part lies: [`Lane`].
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::{NegativeZero, Params, Profile, Raw, TAG};
use crate::codec::Path;
use crate::codec::path::Kind;

/// A 16-byte number whose parts are four 32-bit words without padding.
///
/// # Safety
/// The words lie where the constants say, and any magnitude of 32 bits with sign and scale, the scale at most
/// [`Self::MAX_SCALE`] and all other bits 0, is a value of the type.
pub(super) unsafe trait Lane: Copy {
    /// Whether this is `Raw`: low, high, scale, sign (0 or 1). Otherwise: sign in bit 31 and scale in bits 16 to 23, high
    /// two words, low: the order of `Decimal` is flags, high, low, middle.
    const RAW: bool;
    /// The largest scale of the type.
    const MAX_SCALE: u8;
}

// SAFETY: `Raw` is `repr(C)`, has no padding, and its sign is a `repr(u32)` enum of 0 and 1.
unsafe impl Lane for Raw {
    const RAW: bool = true;
    const MAX_SCALE: u8 = 255;
}

// SAFETY: with its feature `c-repr`, `Decimal` is `repr(C)`; the assertion below looks where its parts lie. It takes
// scales up to 28, any magnitude, and negative zero (`set_sign_negative` makes one).
#[cfg(feature = "rust_decimal")]
unsafe impl Lane for rust_decimal::Decimal {
    const RAW: bool = false;
    const MAX_SCALE: u8 = 28;
}

#[cfg(feature = "rust_decimal")]
const _: () = {
    let value = rust_decimal::Decimal::from_parts(1, 2, 3, true, 4);
    // SAFETY: both types have 16 bytes (or this does not compile), and any bits are four integers.
    let words: [u32; 4] = unsafe { core::mem::transmute(value) };
    assert!(words[0] == 0x8004_0000 && words[1] == 3 && words[2] == 1 && words[3] == 2);
};

/// Where the parts lie in a lane: words by number, octets by number.
struct Places {
    low_word: usize,
    /// The words that are 0 unless the magnitude has more than 32 bits, in each lane of a register.
    high_words: u16,
    scale_octet: usize,
}

const fn places(raw: bool) -> Places {
    if raw {
        Places { low_word: 0, high_words: 0x2222, scale_octet: 8 }
    } else {
        Places { low_word: 2, high_words: 0xaaaa, scale_octet: 2 }
    }
}

/// As [`portable::encode_batch`](super::portable::encode_batch), for values that are not normalised.
pub(super) fn encode_batch<L: Lane>(path: Path, values: &[L], params: Params, out: &mut [u8]) -> bool {
    assert_eq!(path.kind(), Kind::Avx512);
    assert_eq!(out.len(), values.len() * params.value_len());
    // SAFETY: a path of this kind proves that the processor has the features; the lengths have been compared.
    unsafe { encode(values, params, out) }
}

/// As [`portable::decode_batch`](super::portable::decode_batch).
pub(super) fn decode_batch<L: Lane>(path: Path, input: &[u8], params: Params, out: &mut [L]) -> bool {
    assert_eq!(path.kind(), Kind::Avx512);
    assert_eq!(input.len(), out.len() * params.value_len());
    // SAFETY: a path of this kind proves that the processor has the features; the lengths have been compared.
    unsafe { decode(input, params, out) }
}

/// For each octet of eight encoded values, which octet of the two registers it is; and which octets are tags.
const fn encode_index(raw: bool, tag: bool) -> ([u8; 64], u64) {
    let Places { low_word, scale_octet, .. } = places(raw);
    let (mut index, mut tags) = ([0; 64], 0);
    let len = 5 + tag as usize;
    let mut value = 0;
    while value < 8 {
        let (lane, mut at) = (value * 16, value * len);
        if tag {
            tags |= 1 << at;
            at += 1;
        }
        index[at] = (lane + scale_octet) as u8;
        let mut octet = 0;
        while octet < 4 {
            index[at + 1 + octet] = (lane + 4 * low_word + 3 - octet) as u8;
            octet += 1;
        }
        value += 1;
    }
    (index, tags)
}

/// For each octet of eight lanes, which octet of eight encoded values it is, and whether it is one at all.
const fn decode_index(raw: bool, tag: bool) -> ([u8; 128], u128) {
    let Places { low_word, scale_octet, .. } = places(raw);
    let (mut index, mut taken) = ([0; 128], 0);
    let len = 5 + tag as usize;
    let mut value = 0;
    while value < 8 {
        let (lane, at) = (value * 16, value * len + tag as usize);
        index[lane + scale_octet] = at as u8;
        taken |= 1 << (lane + scale_octet);
        let mut octet = 0;
        while octet < 4 {
            let place = lane + 4 * low_word + octet;
            index[place] = (at + 4 - octet) as u8;
            taken |= 1 << place;
            octet += 1;
        }
        value += 1;
    }
    (index, taken)
}

/// Bits `first`, `first + step`, ... of 64, eight of them.
const fn every(first: usize, step: usize) -> u64 {
    let (mut bits, mut i) = (0, 0);
    while i < 8 {
        bits |= 1 << (first + i * step);
        i += 1;
    }
    bits
}

/// The lowest `count` bits of 64.
fn low_bits(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// # Safety
/// `out` has `values.len() * params.value_len()` bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
unsafe fn encode<L: Lane>(values: &[L], params: Params, out: &mut [u8]) -> bool {
    let len = params.value_len();
    let (index, tags) = match params.tag {
        true => const { encode_index(L::RAW, true) },
        false => const { encode_index(L::RAW, false) },
    };
    // SAFETY: both are 64 bytes.
    let index = unsafe { _mm512_loadu_si512(index.as_ptr().cast()) };
    let checks = Checks::new(params);
    let (source, target) = (values.as_ptr(), out.as_mut_ptr());
    let mut bad = 0;
    let mut at = 0;
    // A whole register is stored although only 48 or 40 octets of it count: the rest is written over by the next one.
    while (values.len() - at) * len >= 64 {
        // SAFETY: 64 bytes of room are at least 10 values, of which 8 are loaded.
        let (first, second) =
            unsafe { (_mm512_loadu_si512(source.add(at).cast()), _mm512_loadu_si512(source.add(at + 4).cast())) };
        let (first, refused) = checks.words::<L>(first);
        let (second, refused_too) = checks.words::<L>(second);
        bad |= refused | refused_too;
        let octets = _mm512_permutex2var_epi8(first, index, second);
        let octets = _mm512_mask_mov_epi8(octets, tags, _mm512_set1_epi8(TAG as i8));
        // SAFETY: `out` has `len` bytes for each value from `at` on, 64 or more.
        unsafe { _mm512_storeu_si512(target.add(at * len).cast(), octets) };
        at += 8;
    }
    while at < values.len() {
        let count = (values.len() - at).min(8);
        let words = low_bits(4 * count);
        // SAFETY: the masks select 4 words of each of the `count` values from `at` on.
        let (first, second) = unsafe {
            let source: *const i32 = source.add(at).cast();
            let second = source.wrapping_add(16);
            (_mm512_maskz_loadu_epi32(words as u16, source), _mm512_maskz_loadu_epi32((words >> 16) as u16, second))
        };
        let (first, refused) = checks.words::<L>(first);
        let (second, refused_too) = checks.words::<L>(second);
        bad |= refused | refused_too;
        let octets = _mm512_permutex2var_epi8(first, index, second);
        let octets = _mm512_mask_mov_epi8(octets, tags, _mm512_set1_epi8(TAG as i8));
        // SAFETY: the mask selects `len` bytes for each of the `count` values from `at` on.
        unsafe { _mm512_mask_storeu_epi8(target.add(at * len).cast(), low_bits(count * len), octets) };
        at += count;
    }
    bad == 0
}

/// What a profile checks and how it forms its word, as constants: the same instructions serve all three.
struct Checks {
    /// All ones where the word is two's complement.
    complement: __m512i,
    /// Bit 31 where the word has a sign bit.
    sign_bit: __m512i,
    /// Bit 31 where a word whose own bit 31 is not the sign is refused.
    overflow: __m512i,
    /// Bit 31 where minus is refused.
    minus: __m512i,
    /// All ones where zero is refused like any other number, all zeros where it is not.
    zero: __m512i,
    max_scale: __m512i,
}

impl Checks {
    #[target_feature(enable = "avx512f")]
    fn new(params: Params) -> Self {
        let Params { profile, negative_zero, .. } = params;
        let bit = |set| _mm512_set1_epi32(if set { i32::MIN } else { 0 });
        let all = |set| _mm512_set1_epi32(if set { -1 } else { 0 });
        Self {
            complement: all(profile == Profile::Errata),
            sign_bit: bit(profile == Profile::DotNet),
            overflow: bit(profile != Profile::Unsigned),
            minus: bit(profile == Profile::Unsigned),
            zero: all(negative_zero == NegativeZero::Refuse),
            max_scale: _mm512_set1_epi32(profile.max_scale() as i32),
        }
    }

    /// Four lanes with the low word replaced by the one to write, and the words for which a value is refused.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn words<L: Lane>(&self, lanes: __m512i) -> (__m512i, u16) {
        let Places { low_word, high_words, .. } = places(L::RAW);
        let low = 0x1111 << low_word;
        let sign = if L::RAW {
            _mm512_slli_epi32::<31>(_mm512_shuffle_epi32::<0b11_11_11_11>(lanes))
        } else {
            _mm512_shuffle_epi32::<0>(lanes)
        };
        let sign = _mm512_srai_epi32::<31>(sign);

        let flip = _mm512_and_si512(sign, self.complement);
        let word = _mm512_sub_epi32(_mm512_xor_si512(lanes, flip), flip);
        // Two's complement: bit 31 must be the sign. Sign and magnitude: bit 31 must be free. Unsigned: no minus.
        let overflow = _mm512_and_si512(_mm512_xor_si512(word, flip), self.overflow);
        let refused = _mm512_or_si512(overflow, _mm512_and_si512(sign, self.minus));
        let counts = _mm512_or_si512(lanes, self.zero);
        let refused = _mm512_mask_test_epi32_mask(_mm512_mask_test_epi32_mask(low, counts, counts), refused, refused);
        let too_wide = _mm512_mask_test_epi32_mask(high_words, lanes, lanes);
        // The scales of a `Decimal` are fine under every profile.
        let too_deep = if L::RAW { _mm512_mask_cmpgt_epu32_mask(0x4444, lanes, self.max_scale) } else { 0 };

        let word = _mm512_or_si512(word, _mm512_and_si512(sign, self.sign_bit));
        (_mm512_mask_mov_epi32(lanes, low, word), refused | too_wide | too_deep)
    }
}

/// # Safety
/// `input` has `out.len() * params.value_len()` bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
unsafe fn decode<L: Lane>(input: &[u8], params: Params, out: &mut [L]) -> bool {
    let len = params.value_len();
    let (index, taken) = match params.tag {
        true => const { decode_index(L::RAW, true) },
        false => const { decode_index(L::RAW, false) },
    };
    // SAFETY: each is 64 of the 128 bytes.
    let (first_index, second_index) =
        unsafe { (_mm512_loadu_si512(index.as_ptr().cast()), _mm512_loadu_si512(index.as_ptr().add(64).cast())) };
    let tags = if params.tag { every(0, 6) } else { 0 };
    let scales = if params.tag { every(1, 6) } else { every(0, 5) };
    let max_scale = _mm512_set1_epi8(params.profile.max_scale().min(L::MAX_SCALE.into()) as i8);
    let tag = _mm512_set1_epi8(TAG as i8);
    let (source, target) = (input.as_ptr(), out.as_mut_ptr());
    let mut bad = 0;
    let mut at = 0;
    while at < out.len() {
        let count = (out.len() - at).min(8);
        let counted = low_bits(count * len);
        let room = input.len() - at * len;
        // SAFETY: 64 bytes or, by the mask, those of `count` values, are left from `at * len` on.
        let octets = unsafe {
            let source = source.add(at * len).cast();
            if room >= 64 { _mm512_loadu_epi8(source) } else { _mm512_maskz_loadu_epi8(counted, source) }
        };
        bad |= _mm512_mask_cmpneq_epi8_mask(tags & counted, octets, tag);
        bad |= _mm512_mask_cmpgt_epu8_mask(scales & counted, octets, max_scale);
        // A scale that is refused anyway is cut, so that no `Decimal` is ever made with it.
        let octets = _mm512_mask_min_epu8(octets, scales, octets, max_scale);
        let first = _mm512_maskz_permutexvar_epi8(taken as u64, first_index, octets);
        let second = _mm512_maskz_permutexvar_epi8((taken >> 64) as u64, second_index, octets);
        let (first, second) = (parts::<L>(first, params.profile), parts::<L>(second, params.profile));
        if count == 8 {
            // SAFETY: `out` has 8 values, 128 bytes, from `at` on; they are values by the contract of `Lane`.
            unsafe {
                _mm512_storeu_si512(target.add(at).cast(), first);
                _mm512_storeu_si512(target.add(at + 4).cast(), second);
            }
        } else {
            let words = low_bits(4 * count);
            // SAFETY: the masks select 4 words of each of the `count` values from `at` on; values as above.
            unsafe {
                let target: *mut i32 = target.add(at).cast();
                _mm512_mask_storeu_epi32(target, words as u16, first);
                _mm512_mask_storeu_epi32(target.wrapping_add(16), (words >> 16) as u16, second);
            }
        }
        at += count;
    }
    bad == 0
}

/// Four lanes that hold scale and word, made into four values.
#[inline]
#[target_feature(enable = "avx512f")]
fn parts<L: Lane>(lanes: __m512i, profile: Profile) -> __m512i {
    let low = 0x1111 << places(L::RAW).low_word;
    let magnitude = match profile {
        Profile::Errata => _mm512_mask_abs_epi32(lanes, low, lanes),
        Profile::DotNet => _mm512_mask_and_epi32(lanes, low, lanes, _mm512_set1_epi32(i32::MAX)),
        Profile::Unsigned => return lanes,
    };
    if L::RAW {
        let sign = _mm512_srli_epi32::<31>(_mm512_shuffle_epi32::<0>(lanes));
        _mm512_mask_mov_epi32(magnitude, 0x8888, sign)
    } else {
        let sign = _mm512_shuffle_epi32::<0b10_10_10_10>(lanes);
        let sign = _mm512_maskz_and_epi32(0x1111, sign, _mm512_set1_epi32(i32::MIN));
        _mm512_or_si512(magnitude, sign)
    }
}
