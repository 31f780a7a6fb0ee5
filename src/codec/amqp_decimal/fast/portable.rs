//! Safe code for every machine: one value, a batch, and the naming of what was refused.

use super::super::{NegativeZero, Normalization, Params, Profile, Raw, Sign, TAG};
use crate::{DecodeError, EncodeError};

/// A value as the checks want it.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    /// 1 for minus.
    minus: u32,
    /// The low 32 bits of the magnitude.
    low: u32,
    /// Not 0 where the magnitude has more than 32 bits.
    high: u32,
    scale: u32,
}

/// What can be written.
pub(super) trait Source: Copy {
    fn parts(self) -> Parts;
    fn magnitude(self) -> u128;
}

/// What can be read.
pub(super) trait Sink: Sized {
    /// The largest scale that the type has.
    const MAX_SCALE: u32;
    fn from_parts(minus: bool, magnitude: u32, scale: u32) -> Self;
}

impl Source for Raw {
    #[inline(always)]
    fn parts(self) -> Parts {
        let Self { magnitude, scale, sign } = self;
        Parts { minus: sign as u32, low: magnitude as u32, high: (magnitude >> 32) as u32, scale }
    }

    fn magnitude(self) -> u128 {
        self.magnitude.into()
    }
}

impl Sink for Raw {
    const MAX_SCALE: u32 = 255;

    #[inline(always)]
    fn from_parts(minus: bool, magnitude: u32, scale: u32) -> Self {
        let sign = if minus { Sign::Minus } else { Sign::Plus };
        Self { magnitude: magnitude.into(), scale, sign }
    }
}

#[cfg(feature = "rust_decimal")]
impl Source for rust_decimal::Decimal {
    #[inline(always)]
    fn parts(self) -> Parts {
        let u = self.unpack();
        Parts { minus: u.negative as u32, low: u.lo, high: u.mid | u.hi, scale: u.scale }
    }

    fn magnitude(self) -> u128 {
        self.mantissa().unsigned_abs()
    }
}

#[cfg(feature = "rust_decimal")]
impl Sink for rust_decimal::Decimal {
    const MAX_SCALE: u32 = 28;

    #[inline(always)]
    fn from_parts(minus: bool, magnitude: u32, scale: u32) -> Self {
        // Unlike `from_parts`, which drops the sign of a zero.
        let mut value = Self::from_parts(magnitude, 0, 0, false, scale);
        value.set_sign_negative(minus);
        value
    }
}

impl Parts {
    fn of<S: Source>(value: S, normalization: Normalization) -> Self {
        match normalization {
            Normalization::Keep => value.parts(),
            Normalization::StripTrailingZeros => Self::stripped(value),
        }
    }

    fn stripped<S: Source>(value: S) -> Self {
        let mut parts = value.parts();
        let mut magnitude = value.magnitude();
        if magnitude == 0 {
            parts.scale = 0;
        }
        while parts.scale > 0 && magnitude.is_multiple_of(10) {
            magnitude /= 10;
            parts.scale -= 1;
        }
        parts.low = magnitude as u32;
        parts.high = u32::from(magnitude >> 32 != 0);
        parts
    }

    #[inline(always)]
    fn is_negative_zero(self) -> bool {
        self.minus == 1 && self.low == 0 && self.high == 0
    }

    #[inline(always)]
    fn fits(self, params: Params) -> bool {
        let limit = match params.profile {
            Profile::Errata => i32::MAX as u32 + self.minus,
            Profile::DotNet => i32::MAX as u32,
            Profile::Unsigned => self.minus.wrapping_sub(1),
        };
        let zero_is_fine = params.profile == Profile::DotNet || params.negative_zero == NegativeZero::WriteZero;
        (self.scale <= params.profile.max_scale())
            & (self.high == 0)
            & (self.low <= limit)
            & (zero_is_fine | !self.is_negative_zero())
    }

    #[inline(always)]
    fn word(self, profile: Profile) -> u32 {
        match profile {
            Profile::Errata => (self.low ^ self.minus.wrapping_neg()).wrapping_add(self.minus),
            Profile::DotNet => self.low | self.minus << 31,
            Profile::Unsigned => self.low,
        }
    }

    /// The six octets of a tagged value.
    #[inline(always)]
    fn octets(self, profile: Profile) -> [u8; 6] {
        let all = u64::from(TAG) | u64::from(self.scale & 255) << 8 | u64::from(self.word(profile).swap_bytes()) << 16;
        let [a, b, c, d, e, f, ..] = all.to_le_bytes();
        [a, b, c, d, e, f]
    }

    #[cold]
    fn refusal(self, profile: Profile, at: usize) -> EncodeError {
        if self.scale > profile.max_scale() {
            return EncodeError::DecimalScaleOutOfRange { at, scale: self.scale, max: profile.max_scale() };
        }
        if self.is_negative_zero() {
            return EncodeError::DecimalNegativeZero { at };
        }
        EncodeError::DecimalMantissaOutOfRange { at, min: profile.min_mantissa(), max: profile.max_mantissa() }
    }
}

#[inline]
pub(super) fn encode_one<S: Source>(value: &S, params: Params, out: &mut [u8]) -> Result<usize, EncodeError> {
    let available = out.len();
    let Some(out) = out.get_mut(..params.value_len()) else {
        return Err(EncodeError::BufferTooSmall { needed: params.value_len(), available });
    };
    let parts = Parts::of(*value, params.normalization);
    if !parts.fits(params) {
        return Err(parts.refusal(params.profile, 0));
    }
    let octets = parts.octets(params.profile);
    if params.tag {
        out.copy_from_slice(&octets)
    } else {
        out.copy_from_slice(&octets[1..])
    }
    Ok(params.value_len())
}

/// Writes all of `values`, whose room is exactly `out`; false where one does not fit, and `out` is then in no state.
pub(super) fn encode_batch<S: Source>(values: &[S], params: Params, out: &mut [u8]) -> bool {
    // One loop per profile and length of value: the checks of each fold to two or three instructions.
    let Params { profile, tag, negative_zero, normalization } = params;
    if normalization == Normalization::StripTrailingZeros {
        return encode_loop(values, params, out);
    }
    let params = |profile, tag| Params { profile, tag, negative_zero, normalization: Normalization::Keep };
    match (profile, tag) {
        (Profile::Errata, true) => encode_loop(values, params(Profile::Errata, true), out),
        (Profile::Errata, false) => encode_loop(values, params(Profile::Errata, false), out),
        (Profile::DotNet, true) => encode_loop(values, params(Profile::DotNet, true), out),
        (Profile::DotNet, false) => encode_loop(values, params(Profile::DotNet, false), out),
        (Profile::Unsigned, true) => encode_loop(values, params(Profile::Unsigned, true), out),
        (Profile::Unsigned, false) => encode_loop(values, params(Profile::Unsigned, false), out),
    }
}

#[inline(always)]
fn encode_loop<S: Source>(values: &[S], params: Params, out: &mut [u8]) -> bool {
    let mut fit = true;
    if params.tag {
        for (&value, out) in values.iter().zip(out.as_chunks_mut::<6>().0) {
            let parts = Parts::of(value, params.normalization);
            fit &= parts.fits(params);
            *out = parts.octets(params.profile);
        }
    } else {
        for (&value, out) in values.iter().zip(out.as_chunks_mut::<5>().0) {
            let parts = Parts::of(value, params.normalization);
            fit &= parts.fits(params);
            let [_, octets @ ..] = parts.octets(params.profile);
            *out = octets;
        }
    }
    fit
}

/// Names the first value that does not fit, and clears `out`.
#[cold]
pub(super) fn refuse_batch<S: Source>(values: &[S], params: Params, out: &mut [u8]) -> EncodeError {
    out.fill(0);
    let refused = values.iter().enumerate().find_map(|(at, &value)| {
        let parts = Parts::of(value, params.normalization);
        (!parts.fits(params)).then(|| parts.refusal(params.profile, at))
    });
    refused.expect("a batch is refused only for one of its values")
}

#[inline(always)]
fn max_scale<S: Sink>(params: Params) -> u32 {
    params.profile.max_scale().min(S::MAX_SCALE)
}

#[inline(always)]
fn number<S: Sink>(scale: u8, word: [u8; 4], profile: Profile) -> S {
    let word = u32::from_be_bytes(word);
    let (minus, magnitude) = match profile {
        Profile::Errata => ((word as i32) < 0, (word as i32).unsigned_abs()),
        Profile::DotNet => ((word as i32) < 0, word & i32::MAX as u32),
        Profile::Unsigned => (false, word),
    };
    S::from_parts(minus, magnitude, scale.into())
}

#[inline]
pub(super) fn decode_one<S: Sink>(bytes: &[u8], params: Params) -> Result<(S, usize), DecodeError> {
    let (tag, [scale, word @ ..]) = match (params.tag, bytes) {
        (true, &[tag, scale, a, b, c, d, ..]) => (tag, [scale, a, b, c, d]),
        (false, &[scale, a, b, c, d, ..]) => (TAG, [scale, a, b, c, d]),
        _ => return Err(refuse_input::<S>(bytes, params)),
    };
    if (tag != TAG) | (u32::from(scale) > max_scale::<S>(params)) {
        return Err(refuse_input::<S>(bytes, params));
    }
    Ok((number(scale, word, params.profile), params.value_len()))
}

/// Reads `out.len()` values, whose octets are exactly `bytes`; false where one is refused.
pub(super) fn decode_batch<S: Sink>(bytes: &[u8], params: Params, out: &mut [S]) -> bool {
    let with = |profile, tag| Params { profile, tag, ..params };
    match (params.profile, params.tag) {
        (Profile::Errata, true) => decode_loop(bytes, with(Profile::Errata, true), out),
        (Profile::Errata, false) => decode_loop(bytes, with(Profile::Errata, false), out),
        (Profile::DotNet, true) => decode_loop(bytes, with(Profile::DotNet, true), out),
        (Profile::DotNet, false) => decode_loop(bytes, with(Profile::DotNet, false), out),
        (Profile::Unsigned, true) => decode_loop(bytes, with(Profile::Unsigned, true), out),
        (Profile::Unsigned, false) => decode_loop(bytes, with(Profile::Unsigned, false), out),
    }
}

#[inline(always)]
fn decode_loop<S: Sink>(bytes: &[u8], params: Params, out: &mut [S]) -> bool {
    let max = max_scale::<S>(params);
    let mut good = true;
    // A scale that is refused anyway is cut to the largest one, for `Decimal` is never built with another.
    if params.tag {
        for (out, &[tag, scale, ref word @ ..]) in out.iter_mut().zip(bytes.as_chunks::<6>().0) {
            good &= (tag == TAG) & (u32::from(scale) <= max);
            *out = number(scale.min(max as u8), *word, params.profile);
        }
    } else {
        for (out, &[scale, ref word @ ..]) in out.iter_mut().zip(bytes.as_chunks::<5>().0) {
            good &= u32::from(scale) <= max;
            *out = number(scale.min(max as u8), *word, params.profile);
        }
    }
    good
}

/// Names the first thing in `bytes` that is refused, its end included.
#[cold]
pub(super) fn refuse_input<S: Sink>(bytes: &[u8], params: Params) -> DecodeError {
    let needed = params.value_len();
    let max = max_scale::<S>(params);
    let mut values = bytes.chunks_exact(needed);
    let mut offset = 0;
    for value in values.by_ref() {
        if params.tag && value[0] != TAG {
            return DecodeError::UnexpectedTag { offset, found: value[0], expected: TAG };
        }
        let scale = value[usize::from(params.tag)].into();
        if scale > max {
            return DecodeError::DecimalScaleOutOfRange { offset: offset + usize::from(params.tag), scale, max };
        }
        offset += needed;
    }
    DecodeError::UnexpectedEnd { offset, needed, available: values.remainder().len() }
}
