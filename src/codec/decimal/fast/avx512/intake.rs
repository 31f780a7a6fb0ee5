//! What happens to values between load and permutation: the range check, in whichever form is cheapest for the type and
//! the bounds, and for `rust_decimal` the way to two's complement.
//!
//! Nothing branches on a value. What was out of range is collected, and asked for once, at the end.

use core::arch::x86_64::*;

use crate::codec::decimal::fast::form;
use crate::codec::decimal::fast::lanes::Lane;

/// Takes in two vectors of values at a time.
#[derive(Clone, Copy)]
pub struct Intake<const FORM: u8> {
    /// Stands for values that are not there.
    pub fill: __m512i,
    bounds: [__m512i; 2],
    /// What the form collects.
    seen: [__m512i; 3],
    fine: u32,
    min: i64,
    max: [u64; 4],
}

impl<const FORM: u8> Intake<FORM> {
    /// For values in `range`, which must be [balanced](crate::codec::decimal::fast::lanes::balanced).
    #[target_feature(enable = "avx512f")]
    pub fn new<T: Lane>(range: Option<(T, T)>) -> Self {
        let (min, max) = range.unwrap_or((T::MIN, T::MAX));
        let (min, max) = (min.words(), max.words());
        let each = |w: u64| _mm512_set1_epi64(w as i64);
        let four = |w: [u64; 4]| {
            let [w0, w1, w2, w3] = w.map(|w| w as i64);
            _mm512_set_epi64(w3, w2, w1, w0, w3, w2, w1, w0)
        };
        // For values of either sign; negative ones are inverted.
        let bounds = match FORM {
            form::I256 => [four(max), four(min.map(|w| !w))],
            _ => [each(max[0]), each(!min[0])],
        };
        let zero = _mm512_setzero_si512();
        Self { fill: zero, bounds, seen: [zero; 3], fine: LENT, min: min[0] as i64, max }
    }

    /// For `rust_decimal` values of a scale and magnitudes of at most `max`.
    #[cfg(feature = "rust_decimal")]
    #[target_feature(enable = "avx512f")]
    pub fn of_scale(scale: u32, max: u128) -> Self {
        // The flags of a positive value; of a zero, in the first of four words.
        let flags = _mm512_set1_epi64(i64::from(scale << 16));
        let fill = _mm512_maskz_mov_epi64(0x55, flags);
        let bounds = [_mm512_set1_epi64(max as i64), flags];
        let max = [max as u64, (max >> 64) as u64, 0, 0];
        Self { fill, bounds, seen: [_mm512_setzero_si512(); 3], fine: LENT, min: 0, max }
    }

    /// Looks at two vectors, and gives them as the permutation takes them. The forms of low words give one, twice: the
    /// low words of the values 0, 4, 1, 5, 2, 6, 3 and 7.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
    pub fn take(&mut self, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        let [largest, smallest, other] = &mut self.seen;
        match FORM {
            form::I32 => {
                *largest = _mm512_max_epi32(*largest, _mm512_max_epi32(a, b));
                *smallest = _mm512_min_epi32(*smallest, _mm512_min_epi32(a, b));
            }
            form::I64 | form::TOP => {
                *largest = _mm512_max_epi64(*largest, _mm512_max_epi64(a, b));
                *smallest = _mm512_min_epi64(*smallest, _mm512_min_epi64(a, b));
            }
            form::I128_NARROW | form::I128_LOW => {
                let (low, high) = (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
                *largest = _mm512_max_epi64(*largest, low);
                *smallest = _mm512_min_epi64(*smallest, low);
                *other = _mm512_ternarylogic_epi64::<OR_DIFFERENCE>(*other, high, _mm512_srai_epi64::<63>(low));
                if FORM == form::I128_LOW {
                    return (low, low);
                }
            }
            form::I128 => {
                let (low, high) = (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
                let sign = _mm512_srai_epi64::<63>(high);
                let bound = _mm512_ternarylogic_epi64::<SELECT>(sign, self.bounds[1], self.bounds[0]);
                let above = _mm512_cmpgt_epu64_mask(_mm512_xor_si512(low, sign), bound);
                let high = _mm512_xor_si512(high, sign);
                let high = _mm512_mask_add_epi64(high, above, high, _mm512_set1_epi64(1));
                *largest = _mm512_max_epu64(*largest, high);
            }
            form::I256 => {
                self.look_at_wide(a);
                self.look_at_wide(b);
            }
            form::DECIMAL_LOW | form::DECIMAL => {
                // Low and middle word; flags and high word.
                let (low, rest) = (_mm512_unpackhi_epi64(a, b), _mm512_unpacklo_epi64(a, b));
                *other = _mm512_ternarylogic_epi64::<OR_DIFFERENCE>(*other, rest, self.bounds[1]);
                let sign = _mm512_srai_epi64::<63>(_mm512_slli_epi64::<32>(rest));
                let negated = _mm512_sub_epi64(_mm512_xor_si512(low, sign), sign);
                if FORM == form::DECIMAL_LOW {
                    *largest = _mm512_max_epu64(*largest, low);
                    return (negated, negated);
                }
                let high = _mm512_srli_epi64::<32>(rest);
                let above = _mm512_cmpgt_epu64_mask(low, self.bounds[0]);
                let reached = _mm512_mask_add_epi64(high, above, high, _mm512_set1_epi64(1));
                *largest = _mm512_max_epu64(*largest, reached);
                // Where the low half is zero, its negation carries.
                let high = _mm512_xor_si512(high, sign);
                let high = _mm512_mask_sub_epi64(high, _mm512_testn_epi64_mask(low, low), high, sign);
                return (_mm512_unpacklo_epi64(negated, high), _mm512_unpackhi_epi64(negated, high));
            }
            _ => {}
        }
        (a, b)
    }

    /// Two values of 256 bits. Of the words that differ from the bound, the highest decides: with one bit per word in
    /// `over` and in `under`, that is what the comparison of the two numbers of four bits says.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,bmi2")]
    fn look_at_wide(&mut self, x: __m512i) {
        let sign = _mm512_srai_epi64::<63>(_mm512_permutex_epi64::<0xFF>(x));
        let bound = _mm512_ternarylogic_epi64::<SELECT>(sign, self.bounds[1], self.bounds[0]);
        let x = _mm512_xor_si512(x, sign);
        let (over, under) = (_mm512_cmpgt_epu64_mask(x, bound), _mm512_cmplt_epu64_mask(x, bound));
        // Each number in a byte of its own. The top bit of the byte is lent, and lost where `over` is larger.
        let spread = |m: u8| _pdep_u32(u32::from(m), 0x0F0F);
        self.fine &= (spread(under) | LENT) - spread(over);
    }

    /// Whether every `rust_decimal` value had the scale.
    #[cfg(feature = "rust_decimal")]
    #[target_feature(enable = "avx512f")]
    pub fn of_one_scale(&self) -> bool {
        // All flags but the sign.
        _mm512_test_epi64_mask(self.seen[2], _mm512_set1_epi64(i64::from(i32::MAX))) == 0
    }

    /// Whether all values were in the range.
    #[target_feature(enable = "avx512f,avx512dq")]
    pub fn passed(&self) -> bool {
        let [largest, smallest, other] = self.seen;
        let [low, high, ..] = self.max;
        match FORM {
            form::I32 => {
                i64::from(_mm512_reduce_max_epi32(largest)) <= low as i64
                    && i64::from(_mm512_reduce_min_epi32(smallest)) >= self.min
            }
            form::I64 | form::I128_NARROW | form::I128_LOW | form::TOP => {
                _mm512_reduce_max_epi64(largest) <= low as i64
                    && _mm512_reduce_min_epi64(smallest) >= self.min
                    && _mm512_test_epi64_mask(other, other) == 0
            }
            form::I128 | form::DECIMAL => _mm512_reduce_max_epu64(largest) <= high,
            form::DECIMAL_LOW => {
                let high = _mm512_test_epi64_mask(other, _mm512_set1_epi64(!i64::from(u32::MAX)));
                _mm512_reduce_max_epu64(largest) <= low && high == 0
            }
            _ => self.fine & LENT == LENT,
        }
    }
}

/// The top bit of each of two bytes.
const LENT: u32 = 0x8080;
/// `a | (b ^ c)`
const OR_DIFFERENCE: i32 = 0xF6;
/// `if a { b } else { c }`
const SELECT: i32 = 0xCA;
