//! AVX-512 kernels: eight values in 16-byte lanes, two registers of four, are checked together and permuted into 48
//! octets (40 without tags), and back. [`Raw`] and `Decimal` differ only in where in its lane a part lies: [`Lane`].
#![allow(unsafe_code)]

use core::arch::x86_64::*;
use core::marker::PhantomData;

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

// SAFETY: `codec::rust_decimal_layout` looks where the parts of a `Decimal` lie. It takes scales up to 28, any magnitude,
// and negative zero (`set_sign_negative` makes one).
#[cfg(feature = "rust_decimal")]
unsafe impl Lane for rust_decimal::Decimal {
    const RAW: bool = false;
    const MAX_SCALE: u8 = 28;
}

const ERRATA: u8 = 0;
const DOTNET: u8 = 1;
const UNSIGNED: u8 = 2;

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
    let encode = match (params.profile, params.negative_zero) {
        (Profile::Errata, NegativeZero::Refuse) => encode::<L, ERRATA, false>,
        (Profile::Errata, NegativeZero::WriteZero) => encode::<L, ERRATA, true>,
        (Profile::DotNet, _) => encode::<L, DOTNET, true>,
        (Profile::Unsigned, NegativeZero::Refuse) => encode::<L, UNSIGNED, false>,
        (Profile::Unsigned, NegativeZero::WriteZero) => encode::<L, UNSIGNED, true>,
    };
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
unsafe fn encode<L: Lane, const PROFILE: u8, const ZERO_FITS: bool>(
    values: &[L],
    params: Params,
    out: &mut [u8],
) -> bool {
    let len = params.value_len();
    let (index, tags) = match params.tag {
        true => const { encode_index(L::RAW, true) },
        false => const { encode_index(L::RAW, false) },
    };
    // SAFETY: the index is 64 bytes.
    let index = unsafe { _mm512_loadu_si512(index.as_ptr().cast()) };
    let tag = _mm512_set1_epi8(TAG as i8);
    let mut checks = Checks::<L, PROFILE, ZERO_FITS>::new();
    let (source, target) = (values.as_ptr(), out.as_mut_ptr());
    let mut at = 0;
    // A whole register is stored although only 48 or 40 octets of it count: the rest is written over by the next one.
    while (values.len() - at) * len >= 64 {
        // SAFETY: 64 bytes of room are at least 10 values, of which 8 are loaded.
        let (first, second) =
            unsafe { (_mm512_loadu_si512(source.add(at).cast()), _mm512_loadu_si512(source.add(at + 4).cast())) };
        let (first, second) = (checks.words(first), checks.words(second));
        let octets = _mm512_mask_mov_epi8(_mm512_permutex2var_epi8(first, index, second), tags, tag);
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
        let (first, second) = (checks.words(first), checks.words(second));
        let octets = _mm512_mask_mov_epi8(_mm512_permutex2var_epi8(first, index, second), tags, tag);
        // SAFETY: the mask selects `len` bytes for each of the `count` values from `at` on.
        unsafe { _mm512_mask_storeu_epi8(target.add(at * len).cast(), low_bits(count * len), octets) };
        at += count;
    }
    checks.passed()
}

/// The checks of one profile, and the bits that have failed one so far.
struct Checks<L, const PROFILE: u8, const ZERO_FITS: bool> {
    failed: __m512i,
    /// Bits that fail a value in which they are set.
    forbidden: __m512i,
    /// Bit 31 of the low word.
    bit_31: __m512i,
    lane: PhantomData<L>,
}

impl<L: Lane, const PROFILE: u8, const ZERO_FITS: bool> Checks<L, PROFILE, ZERO_FITS> {
    const LOW: u16 = 0x1111 << places(L::RAW).low_word;

    #[target_feature(enable = "avx512f")]
    fn new() -> Self {
        let words = |mask, value| _mm512_maskz_set1_epi32(mask, value);
        let Places { high_words, .. } = places(L::RAW);
        let bit_31 = words(Self::LOW, i32::MIN);
        let mut forbidden = words(high_words, -1);
        // Scales above 255; a `Decimal` has none.
        if L::RAW {
            forbidden = _mm512_or_si512(forbidden, words(0x4444, !0xff));
        }
        if PROFILE == DOTNET {
            forbidden = _mm512_or_si512(forbidden, bit_31);
        }
        // Any minus, that of zero included.
        if PROFILE == UNSIGNED && !ZERO_FITS {
            let minus = if L::RAW { words(0x8888, -1) } else { words(0x1111, i32::MIN) };
            forbidden = _mm512_or_si512(forbidden, minus);
        }
        Self { failed: _mm512_setzero_si512(), forbidden, bit_31, lane: PhantomData }
    }

    #[target_feature(enable = "avx512f")]
    fn passed(self) -> bool {
        _mm512_test_epi32_mask(self.failed, self.failed) == 0
    }

    /// Notes that bits set in both have failed.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn fail(&mut self, bits: __m512i, of: __m512i) {
        self.failed = _mm512_ternarylogic_epi32::<OR_AND>(self.failed, bits, of);
    }

    /// Four lanes with the low word replaced by the one to write.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn words(&mut self, lanes: __m512i) -> __m512i {
        self.fail(lanes, self.forbidden);
        if PROFILE == UNSIGNED && !ZERO_FITS {
            return lanes;
        }
        // Bit 31 of every word is the sign.
        let sign = if L::RAW {
            _mm512_slli_epi32::<31>(_mm512_shuffle_epi32::<0b11_11_11_11>(lanes))
        } else {
            _mm512_shuffle_epi32::<0>(lanes)
        };
        match PROFILE {
            DOTNET => {
                if L::RAW {
                    let too_deep = _mm512_mask_cmpgt_epu32_mask(0x4444, lanes, _mm512_set1_epi32(28));
                    self.fail(_mm512_maskz_set1_epi32(too_deep, -1), _mm512_set1_epi32(-1));
                }
                _mm512_ternarylogic_epi32::<OR_AND>(lanes, sign, self.bit_31)
            }
            UNSIGNED => {
                let not_zero = _mm512_mask_test_epi32_mask(Self::LOW, lanes, lanes);
                self.fail(_mm512_maskz_mov_epi32(not_zero, sign), self.bit_31);
                lanes
            }
            _ => {
                // Two's complement: bit 31 of the word must be the sign, which negative zero does not fulfil either.
                let flip = _mm512_srai_epi32::<31>(sign);
                let word = _mm512_mask_sub_epi32(lanes, Self::LOW, _mm512_xor_si512(lanes, flip), flip);
                let differs = _mm512_xor_si512(word, flip);
                if ZERO_FITS {
                    let not_zero = _mm512_mask_test_epi32_mask(Self::LOW, lanes, lanes);
                    self.fail(_mm512_maskz_mov_epi32(not_zero, differs), self.bit_31);
                } else {
                    self.fail(differs, self.bit_31);
                }
                word
            }
        }
    }
}

/// The truth table of `a | (b & c)`.
const OR_AND: i32 = 0xf8;

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
