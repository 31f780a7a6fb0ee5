//! The range check, 64 bytes of values at a time. What was out of range is collected, and asked for once, at the end.

use core::arch::x86_64::*;

use crate::codec::decimal::fast::form;
use crate::codec::decimal::fast::lanes::Lane;

/// Looks at two registers of values at a time.
pub struct Check<const FORM: u8> {
    /// For values of either sign; for the forms that invert, those of negative values inverted.
    max: __m256i,
    min: __m256i,
    high: __m256i,
    /// Not zero once a value was outside.
    outside: __m256i,
    failed: bool,
}

impl<const FORM: u8> Check<FORM> {
    /// For values in `range`, which must be [balanced](crate::codec::decimal::fast::lanes::balanced).
    #[target_feature(enable = "avx2")]
    pub fn new<T: Lane>(range: Option<(T, T)>) -> Self {
        let (min, max) = range.unwrap_or((T::MIN, T::MAX));
        let (min, max) = (min.words().map(|w| w as i64), max.words().map(|w| w as i64));
        let each = |w: i64| _mm256_set1_epi64x(w);
        // Comparisons are signed: words that are not are compared with the top bit flipped.
        let four = |w: [i64; 4]| {
            let [w0, w1, w2, w3] = w.map(|w| w ^ i64::MIN);
            _mm256_set_epi64x(w3, w2, w1, w0)
        };
        let (max, min, high) = match FORM {
            form::I32 => (_mm256_set1_epi32(max[0] as i32), _mm256_set1_epi32(min[0] as i32), each(0)),
            form::I64 | form::I128_NARROW | form::TOP => (each(max[0]), each(min[0]), each(0)),
            form::I128 => (each(max[0] ^ i64::MIN), each(!min[0] ^ i64::MIN), each(max[1])),
            _ => (four(max), four(min.map(|w| !w)), each(0)),
        };
        Self { max, min, high, outside: each(0), failed: false }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn look(&mut self, a: __m256i, b: __m256i) {
        match FORM {
            form::I32 => {
                let large = _mm256_or_si256(_mm256_cmpgt_epi32(a, self.max), _mm256_cmpgt_epi32(b, self.max));
                let small = _mm256_or_si256(_mm256_cmpgt_epi32(self.min, a), _mm256_cmpgt_epi32(self.min, b));
                self.collect(_mm256_or_si256(large, small));
            }
            form::I64 => {
                self.look_at_words(a);
                self.look_at_words(b);
            }
            form::I128_NARROW => {
                let (low, high) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
                self.collect(_mm256_xor_si256(high, negative(low)));
                self.look_at_words(low);
            }
            form::I128 => {
                let (low, high) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
                let sign = negative(high);
                let high = _mm256_xor_si256(high, sign);
                let low = _mm256_xor_si256(low, _mm256_xor_si256(sign, _mm256_set1_epi64x(i64::MIN)));
                let low = _mm256_cmpgt_epi64(low, _mm256_blendv_epi8(self.max, self.min, sign));
                let level = _mm256_and_si256(_mm256_cmpeq_epi64(high, self.high), low);
                self.collect(_mm256_or_si256(_mm256_cmpgt_epi64(high, self.high), level));
            }
            form::I256 => {
                self.look_at_wide(a);
                self.look_at_wide(b);
            }
            _ => {}
        }
    }

    /// Looks at four values of 64 bits.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn look_at_words(&mut self, x: __m256i) {
        self.collect(_mm256_or_si256(_mm256_cmpgt_epi64(x, self.max), _mm256_cmpgt_epi64(self.min, x)));
    }

    /// One value of 256 bits. Of the words that differ from the bound, the highest decides: with one bit per word in
    /// `over` and in `under`, that is what the comparison of the two numbers says.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn look_at_wide(&mut self, x: __m256i) {
        let sign = negative(_mm256_permute4x64_epi64::<0xFF>(x));
        let bound = _mm256_blendv_epi8(self.max, self.min, sign);
        let x = _mm256_xor_si256(x, _mm256_xor_si256(sign, _mm256_set1_epi64x(i64::MIN)));
        let bits = |mask: __m256i| _mm256_movemask_pd(_mm256_castsi256_pd(mask));
        self.failed |= bits(_mm256_cmpgt_epi64(x, bound)) > bits(_mm256_cmpgt_epi64(bound, x));
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn collect(&mut self, outside: __m256i) {
        self.outside = _mm256_or_si256(self.outside, outside);
    }

    /// Whether all values were in the range.
    #[target_feature(enable = "avx2")]
    pub fn passed(&self) -> bool {
        !self.failed && _mm256_testz_si256(self.outside, self.outside) == 1
    }
}

/// All ones in the words that are negative.
#[inline]
#[target_feature(enable = "avx2")]
pub fn negative(x: __m256i) -> __m256i {
    _mm256_cmpgt_epi64(_mm256_setzero_si256(), x)
}
