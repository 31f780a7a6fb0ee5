//! Every kernel of every path against a transcription of what it promises.
use alloc::vec;
use alloc::vec::Vec;

use super::dispatch::{byte_array_len_i128, decode, encode, encode_byte_array_i128};
#[cfg(feature = "rust_decimal")]
use super::dispatch::{decode_rust_decimal, encode_rust_decimal};
use super::integer::minimal_len;
use super::lanes::{Lane, Order};
use crate::codec::Path;
use crate::codec::decimal::I256;
use crate::codec::path::Kind;

fn paths() -> impl Iterator<Item = Path> {
    Path::available().filter(|path| path.kind() != Kind::Portable)
}

/// The low `width` bytes, as the specification orders them.
fn expected_bytes<T: Lane>(value: T, width: usize, order: Order) -> Vec<u8> {
    let mut bytes: Vec<u8> = value.words().iter().flat_map(|w| w.to_le_bytes()).collect();
    bytes.truncate(width);
    if order == Order::Big {
        bytes.reverse();
    }
    bytes
}

/// The value of `bytes`, and whether `T` holds it.
fn expected_value<T: Lane>(bytes: &[u8], order: Order) -> (T, bool) {
    let mut bytes = bytes.to_vec();
    if order == Order::Big {
        bytes.reverse();
    }
    let sign = if bytes[bytes.len() - 1] < 0x80 { 0 } else { 0xFF };
    bytes.resize(32, sign);
    let words: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|w| u64::from_le_bytes(*w)).collect();
    let (value, rest) = T::from_words([words[0], words[1], words[2], words[3]]);
    (value, rest == 0)
}

/// Bytes of every kind: random ones, long runs of signs, borders.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A value of at most `bits` bits and a sign.
    fn value<T: Lane>(&mut self, bits: u32) -> T {
        let bits = self.next() as u32 % (bits + 1);
        let sign = (self.next() as i64 >> 63) as u64;
        let words = core::array::from_fn(|i| {
            let kept = bits.saturating_sub(64 * i as u32).min(64);
            let mask = if kept == 64 { u64::MAX } else { (1 << kept) - 1 };
            let w = match self.next() % 4 {
                0 => 0,
                1 => u64::MAX,
                _ => self.next(),
            };
            (w & mask) ^ sign
        });
        T::from_words(words).0
    }
}

/// All widths in both orders, as far as a column can have them.
fn shapes() -> impl Iterator<Item = (usize, Order)> {
    (1..=32).map(|width| (width, Order::Big)).chain([(4, Order::Little), (8, Order::Little)])
}

/// All that end in or near the first rounds of a kernel, and some of several rounds.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=70).chain((71..=200).step_by(13))
}

const CANARY: u8 = 0xA5;

fn encodes_every_length_and_width<T: Lane>() {
    let mut random = Random(1);
    for path in paths() {
        for (width, order) in shapes() {
            for len in lengths() {
                let values: Vec<T> = (0..len).map(|_| random.value(T::BITS - 1)).collect();
                let want: Vec<u8> = values.iter().flat_map(|v| expected_bytes(*v, width, order)).collect();
                let mut out = vec![CANARY; 64 + want.len() + 64];
                assert!(encode(path, &values, width, order, None, &mut out[64..64 + want.len()]));
                assert_eq!(out[64..64 + want.len()], want, "{path:?}, {len} values to {width} bytes");
                assert!(
                    out[..64].iter().chain(&out[64 + want.len()..]).all(|b| *b == CANARY),
                    "{path:?} {len} {width}"
                );
            }
        }
    }
}

fn decodes_every_length_and_width<T: Lane>() {
    let mut random = Random(2);
    for path in paths() {
        for (width, order) in shapes() {
            for len in lengths() {
                // Only values that fit both the bytes and the type.
                let bits = (8 * width as u32 - 1).min(T::BITS - 1);
                let src: Vec<u8> =
                    (0..len).flat_map(|_| expected_bytes(random.value::<T>(bits), width, order)).collect();
                let want: Vec<T> = src.chunks_exact(width).map(|item| expected_value(item, order).0).collect();
                let canary = T::from_words([0x5A5A; 4]).0;
                let mut out = vec![canary; 4 + len + 4];
                assert!(decode(path, &src, width, order, None, &mut out[4..4 + len]));
                assert!(out[4..4 + len] == want, "{path:?}, {len} values of {width} bytes");
                assert!(out[..4].iter().chain(&out[4 + len..]).all(|v| *v == canary), "{path:?} {len} {width}");
            }
        }
    }
}

/// Ranges of every form: digits of some precision, the limits of some bytes.
fn ranges<T: Lane>() -> Vec<(T, T)> {
    let mut ranges = Vec::new();
    for digits in [1, 2, 4, 9, 10, 18, 19, 20, 28, 29, 38, 39, 40, 57, 58, 76] {
        if let Some(max) = I256::max_of_precision(digits)
            && let (max, 0) = T::from_words(max.words())
        {
            ranges.push((T::from_words(I256::from_words(max.words()).wrapping_neg().words()).0, max));
        }
    }
    for bits in (8..T::BITS).step_by(8) {
        let word = |i: u32| match bits.saturating_sub(1).saturating_sub(64 * i) {
            0 => 0,
            kept @ 1..64 => (1 << kept) - 1,
            _ => u64::MAX,
        };
        let max = [word(0), word(1), word(2), word(3)];
        ranges.push((T::from_words(max.map(|w| !w)).0, T::from_words(max).0));
    }
    ranges
}

/// The number next to `value`, where the type has one.
fn next<T: Lane>(value: T, up: bool) -> Option<T> {
    let mut words = value.words();
    for w in &mut words {
        let (sum, carry) = if up { w.overflowing_add(1) } else { w.overflowing_sub(1) };
        *w = sum;
        if !carry {
            break;
        }
    }
    match T::from_words(words) {
        (next, 0) if next != value && (next > value) == up => Some(next),
        _ => None,
    }
}

const LEN: usize = 75;

/// Columns of values in `range` with one stray value; and whether a kernel must accept them.
fn columns<T: Lane>(range: (T, T)) -> Vec<(Vec<T>, bool)> {
    let mut random = Random(3);
    let (min, max) = range;
    let inside = |random: &mut Random| random.value::<T>(T::BITS - 1).clamp(min, max);
    let good: Vec<T> = (0..LEN).map(|_| inside(&mut random)).collect();
    let outside = [next(min, false), next(max, true), Some(T::MIN), Some(T::MAX), flip(max), flip(min)];
    let outside: Vec<T> = outside.into_iter().flatten().filter(|v| *v < min || *v > max).collect();
    let mut columns = vec![(good.clone(), true), (vec![min; LEN], true), (vec![max; LEN], true)];
    for at in 0..LEN {
        for stray in &outside {
            let mut column = good.clone();
            column[at] = *stray;
            columns.push((column, false));
        }
    }
    columns
}

/// The value with the sign of its top word flipped alone: low words that look innocent.
fn flip<T: Lane>(value: T) -> Option<T> {
    let mut words = value.words();
    let top = (T::BITS as usize).div_ceil(64) - 1;
    words[top] ^= if T::BITS == 32 { !0 << 31 } else { 1 << 63 };
    let sign = (words[top] as i64 >> 63) as u64;
    words[top + 1..].fill(sign);
    Some(T::from_words(words).0)
}

fn refuses_a_stray_value_at_any_place_when_encoding<T: Lane>() {
    for path in paths() {
        for range in ranges::<T>() {
            for (column, accepted) in columns(range) {
                for width in [1, 3, T::BITS as usize / 8 - 1, T::BITS as usize / 8, 24] {
                    let mut out = vec![0; LEN * width];
                    let passed = encode(path, &column, width, Order::Big, Some(range), &mut out);
                    assert_eq!(passed, accepted, "{path:?}, {width} bytes");
                }
            }
        }
    }
}

fn refuses_a_stray_value_at_any_place_when_decoding<T: Lane>() {
    for path in paths() {
        for range in ranges::<T>() {
            for (column, accepted) in columns(range) {
                // In the narrowest items, bounds and strays differ in the first bytes; not all strays fit them.
                let narrowest = minimal_len(range.1.words());
                for width in [narrowest, T::BITS as usize / 8, (T::BITS as usize / 8 + 3).min(32)] {
                    let src: Vec<u8> = column.iter().flat_map(|v| expected_bytes(*v, width, Order::Big)).collect();
                    if column.iter().any(|v| minimal_len(v.words()) > width) {
                        continue;
                    }
                    let mut out = column.clone();
                    let passed = decode(path, &src, width, Order::Big, Some(range), &mut out);
                    assert_eq!(passed, accepted, "{path:?}, {width} bytes");
                    if accepted {
                        assert!(out == column);
                    }
                }
            }
        }
    }
}

/// Items wider than the type: all bytes in front must repeat the sign.
fn refuses_what_the_type_cannot_hold<T: Lane>() {
    let size = T::BITS as usize / 8;
    let mut random = Random(4);
    for path in paths() {
        for width in size + 1..=32 {
            for len in [1, 2, 5, 64, 75] {
                for at in 0..len {
                    let mut src: Vec<u8> = (0..len)
                        .flat_map(|_| expected_bytes(random.value::<T>(T::BITS - 1), width, Order::Big))
                        .collect();
                    let extra = random.next() as usize % (width - size);
                    src[at * width + extra] ^= 1 << (random.next() % 8);
                    let mut out = vec![T::MIN; len];
                    assert!(
                        !decode(path, &src, width, Order::Big, None, &mut out),
                        "{path:?}, byte {extra} of {width}"
                    );
                }
            }
        }
    }
}

macro_rules! for_every_type {
    ($($check:ident),*) => {
        mod i32s { $( #[test] fn $check() { super::$check::<i32>() } )* }
        mod i64s { $( #[test] fn $check() { super::$check::<i64>() } )* }
        mod i128s { $( #[test] fn $check() { super::$check::<i128>() } )* }
        mod i256s { $( #[test] fn $check() { super::$check::<super::I256>() } )* }
    };
}

for_every_type! {
    encodes_every_length_and_width,
    decodes_every_length_and_width,
    refuses_a_stray_value_at_any_place_when_encoding,
    refuses_a_stray_value_at_any_place_when_decoding,
    refuses_what_the_type_cannot_hold
}

#[test]
fn byte_arrays_are_the_shortest_form_behind_its_length() {
    let mut random = Random(5);
    for path in paths() {
        for len in lengths() {
            for bits in [0, 7, 8, 63, 64, 127] {
                let values: Vec<i128> = (0..len).map(|_| random.value(bits)).collect();
                let mut want = Vec::new();
                for value in &values {
                    let size = (1..16).find(|n| value >> (8 * n - 1) == value >> 127).unwrap_or(16);
                    want.extend((size as u32).to_le_bytes());
                    want.extend(expected_bytes(*value, size, Order::Big));
                }
                let mut out = vec![CANARY; 64 + want.len() + 64];
                assert_eq!(byte_array_len_i128(path, &values, None), Some(want.len()));
                let written = encode_byte_array_i128(path, &values, &mut out[64..64 + want.len()]);
                assert_eq!(written, want.len());
                assert_eq!(out[64..64 + want.len()], want, "{path:?}, {len} values of {bits} bits");
                assert!(out[..64].iter().chain(&out[64 + want.len()..]).all(|b| *b == CANARY), "{path:?} {len}");
            }
        }
    }
}

#[test]
fn the_length_of_byte_arrays_is_refused_where_a_value_is_out_of_range() {
    for path in paths() {
        for range in ranges::<i128>() {
            for (column, accepted) in columns(range) {
                let want = accepted.then(|| byte_array_len_i128(Path::PORTABLE, &column, None)).flatten();
                assert_eq!(byte_array_len_i128(path, &column, Some(range)), want, "{path:?}");
            }
        }
    }
}

#[cfg(feature = "rust_decimal")]
mod rust_decimals {
    use rust_decimal::Decimal;

    use super::*;

    const LARGEST: i128 = (1 << 96) - 1;

    fn wide_paths() -> impl Iterator<Item = Path> {
        paths().filter(|path| path.kind() == Kind::Avx512)
    }

    fn decimal(random: &mut Random, bits: u32, scale: u32) -> Decimal {
        Decimal::from_i128_with_scale(random.value::<i128>(bits).max(-LARGEST), scale)
    }

    fn encode(
        path: Path,
        values: &[Decimal],
        scale: u32,
        width: usize,
        range: Option<(i128, i128)>,
        out: &mut [u8],
    ) -> (usize, bool) {
        encode_rust_decimal(path, values, scale, (width, Order::Big), range, out)
    }

    #[test]
    fn one_scale_encodes_as_its_integers() {
        let mut random = Random(6);
        for path in wide_paths() {
            for width in 1..=16 {
                for len in lengths() {
                    let (scale, bits) = ((len % 29) as u32, [7, 31, 64, 96][len % 4]);
                    let mut values: Vec<_> = (0..len).map(|_| decimal(&mut random, bits, scale)).collect();
                    // A negative zero, and low halves whose negation carries.
                    for (i, value) in values.iter_mut().enumerate().step_by(7) {
                        *value = -Decimal::from_i128_with_scale((i as i128 % 3) << 64, scale);
                    }
                    let want: Vec<u8> =
                        values.iter().flat_map(|v| expected_bytes(v.mantissa(), width, Order::Big)).collect();
                    let mut out = vec![CANARY; 64 + want.len() + 64];
                    let done = encode(path, &values, scale, width, None, &mut out[64..64 + want.len()]);
                    assert_eq!(done, (len, true), "{path:?}, {len} values to {width} bytes");
                    assert_eq!(out[64..64 + want.len()], want, "{path:?}, {len} values to {width} bytes");
                    assert!(out[..64].iter().chain(&out[64 + want.len()..]).all(|b| *b == CANARY), "{len} {width}");
                }
            }
        }
    }

    #[test]
    fn a_block_with_another_scale_is_left_to_the_caller() {
        let others = [
            Decimal::from_i128_with_scale(7, 3),
            Decimal::from_i128_with_scale(-7, 1),
            -Decimal::from_i128_with_scale(0, 28),
        ];
        for path in wide_paths() {
            for other in others {
                for at in (0..600).step_by(7) {
                    let mut values = vec![Decimal::from_i128_with_scale(-5, 2); 600];
                    values[at] = other;
                    let mut out = vec![0; 600 * 9];
                    let (done, passed) = encode(path, &values, 2, 9, Some((-5, 5)), &mut out);
                    assert_eq!((done, passed), (at / 256 * 256, true), "{other} at {at}");
                    assert!(out[..9 * done].chunks(9).all(|item| item == expected_bytes(-5i128, 9, Order::Big)));
                }
            }
        }
    }

    #[test]
    fn a_stray_value_is_refused_at_any_place() {
        for path in wide_paths() {
            for (min, max) in
                [(-9, 9), (-(10i128.pow(18)), 10i128.pow(18)), (-(1 << 71), (1 << 71) - 1), (-1 << 64, 1 << 64)]
            {
                for stray in [min - 1, max + 1, -LARGEST, LARGEST, min, max, min / 2 - 1, 1] {
                    for at in 0..140 {
                        let mut values = vec![Decimal::from_i128_with_scale(3, 0); 140];
                        values[at] = Decimal::from_i128_with_scale(stray, 0);
                        let mut out = vec![0; 140 * 16];
                        let (done, passed) = encode(path, &values, 0, 16, Some((min, max)), &mut out);
                        assert_eq!((done, passed), (140, (min..=max).contains(&stray)), "{stray} at {at}");
                    }
                }
            }
        }
    }

    #[test]
    fn decodes_every_length_and_width() {
        let mut random = Random(7);
        for path in wide_paths() {
            for width in 1..=16 {
                for len in lengths() {
                    let (scale, bits) = ((len % 29) as u32, (8 * width as u32 - 1).min(96));
                    let want: Vec<_> = (0..len).map(|_| decimal(&mut random, bits, scale)).collect();
                    let src: Vec<u8> =
                        want.iter().flat_map(|v| expected_bytes(v.mantissa(), width, Order::Big)).collect();
                    let mut out = vec![Decimal::MAX; len + 8];
                    let layout = (width, Order::Big);
                    let passed = decode_rust_decimal(path, &src, layout, scale, None, &mut out[4..4 + len]);
                    assert_eq!(passed, Some(true));
                    for (value, want) in out[4..4 + len].iter().zip(&want) {
                        assert_eq!(value.unpack(), want.unpack(), "{path:?}, {len} values of {width} bytes");
                    }
                    assert!(out[..4].iter().chain(&out[4 + len..]).all(|v| *v == Decimal::MAX));
                }
            }
        }
    }

    #[test]
    fn decoding_refuses_more_than_96_bits_and_what_is_out_of_range() {
        for path in wide_paths() {
            let ranges =
                [None, Some((-99, 99)), Some((-(10i128.pow(25)), 10i128.pow(25))), Some((i128::MIN, i128::MAX))];
            for range in ranges {
                let (min, max) = range.unwrap_or((-LARGEST, LARGEST));
                let (min, max) = (min.max(-LARGEST), max.min(LARGEST));
                for value in [min - 1, min, max, max + 1, i128::MIN, i128::MAX] {
                    for at in 0..75 {
                        let mut values = vec![max; 75];
                        values[at] = value;
                        let src: Vec<u8> = values.iter().flat_map(|v| v.to_be_bytes()).collect();
                        let mut out = vec![Decimal::ZERO; 75];
                        let passed = decode_rust_decimal(path, &src, (16, Order::Big), 5, range, &mut out);
                        assert_eq!(passed, Some((min..=max).contains(&value)), "{value} at {at}");
                    }
                }
            }
        }
    }
}
