//! The kernels in safe code. Every other path has functions of the same names and shapes.
//!
//! A value is cut into 64-bit words, and the words are stored big-endian and overlapping, the top one first: no shift
//! across words (two-word shifts are slow, and compilers make them of every 128-bit shift) and no loop over bytes. Widths
//! up to 32 are compiled one by one. The range is checked in the same loop, while the words are in registers; what was
//! outside is collected, and asked for once.

use super::integer::Integer;
use super::lanes::Order;
use super::little_endian;

/// Calls `$function::<T, N>` for a width of 1 to 32, `$wide` for any other.
macro_rules! by_width {
    ($width:expr, $function:ident::<$type:ty>($($argument:expr),*), $wide:expr) => {
        by_width!(@ $width, $function, $type, ($($argument),*), $wide,
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)
    };
    (@ $width:expr, $function:ident, $type:ty, $arguments:tt, $wide:expr, $($n:literal)*) => {
        match $width {
            $( $n => by_width!(@call $function, $type, $n, $arguments), )*
            _ => $wide,
        }
    };
    (@call $function:ident, $type:ty, $n:literal, ($($argument:expr),*)) => {
        $function::<$type, $n>($($argument),*)
    };
}

/// Stores the low N bytes of a value big-endian, N in 1..=32.
#[inline(always)]
pub(super) fn store<const N: usize>(words: [u64; 4], out: &mut [u8; N]) {
    match N {
        8.. => {
            let top = N.div_ceil(8) - 1;
            // The top word holds N - 8 * top bytes of the value; what its store leaves behind is stored over next.
            out[..8].copy_from_slice(&(words[top] << (8 * (8 * (top + 1) - N))).to_be_bytes());
            for i in (0..top).rev() {
                out[N - 8 * (i + 1)..N - 8 * i].copy_from_slice(&words[i].to_be_bytes());
            }
        }
        4.. => {
            out[..4].copy_from_slice(&((words[0] >> (8 * (N - 4))) as u32).to_be_bytes());
            out[N - 4..].copy_from_slice(&(words[0] as u32).to_be_bytes());
        }
        _ => out.copy_from_slice(&(words[0] as u32).to_be_bytes()[4 - N..]),
    }
}

/// Loads N big-endian bytes, N in 1..=32, and extends them with their sign.
#[inline(always)]
pub(super) fn load<const N: usize>(bytes: &[u8; N]) -> [u64; 4] {
    let word = |at: usize| u64::from_be_bytes(*bytes[at..].first_chunk().expect("N is 8 or more"));
    let half = |at: usize| u32::from_be_bytes(*bytes[at..].first_chunk().expect("N is 4 or more"));
    match N {
        8.. => {
            let top = N.div_ceil(8) - 1;
            let head = (word(0) as i64) >> (8 * (8 * (top + 1) - N));
            let mut words = [(head >> 63) as u64; 4];
            words[top] = head as u64;
            for (i, below) in words[..top].iter_mut().enumerate() {
                *below = word(N - 8 * (i + 1));
            }
            words
        }
        4.. => {
            // The two halves overlap in 8 - N bytes, and agree there.
            let low = (i64::from(half(0) as i32) << (8 * (N - 4))) | i64::from(half(N - 4));
            let sign = (low >> 63) as u64;
            [low as u64, sign, sign, sign]
        }
        _ => {
            let mut padded = [0; 4];
            padded[..N].copy_from_slice(bytes);
            let low = i64::from(i32::from_be_bytes(padded) >> (8 * (4 - N)));
            let sign = (low >> 63) as u64;
            [low as u64, sign, sign, sign]
        }
    }
}

fn encode_items<T: Integer, const N: usize>(values: &[T], range: Option<(T, T)>, out: &mut [u8]) -> bool {
    let (items, _) = out.as_chunks_mut::<N>();
    let pairs = values.iter().zip(items);
    let (min, max) = range.unwrap_or((T::MIN, T::MAX));
    let mut outside = false;
    // Narrow items have narrow bounds: of one word, and then the words above it must repeat its sign.
    if N <= 8
        && T::BITS > 64
        && let ((min, 0), (max, 0)) = (min.word(), max.word())
    {
        let mut spill = 0;
        for (value, item) in pairs {
            let (word, rest) = value.word();
            spill |= rest;
            outside |= word.outside((min, max));
            store(value.words(), item);
        }
        return spill == 0 && !outside;
    }
    for (value, item) in pairs {
        outside |= value.outside((min, max));
        store(value.words(), item);
    }
    !outside
}

/// More than 32 bytes: the sign in front of the 32.
fn encode_wide<T: Integer>(values: &[T], width: usize, range: Option<(T, T)>, out: &mut [u8]) -> bool {
    for (value, item) in values.iter().zip(out.chunks_exact_mut(width)) {
        let (front, last) = item.split_last_chunk_mut::<32>().expect("wider than 32 bytes");
        let words = value.words();
        front.fill(((words[3] as i64) >> 63) as u8);
        store(words, last);
    }
    range.is_none_or(|range| T::all_within(values, range))
}

/// Writes every value; says whether all lay in `range`.
pub(super) fn encode<T: Integer>(
    values: &[T],
    width: usize,
    order: Order,
    range: Option<(T, T)>,
    out: &mut [u8],
) -> bool {
    debug_assert_eq!(out.len(), values.len() * width);
    match (order, width) {
        (Order::Big, _) => {}
        (Order::Little, 4) => return little_endian::encode::<T, 4>(values, range, out),
        (Order::Little, _) => return little_endian::encode::<T, 8>(values, range, out),
    }
    by_width!(width, encode_items::<T>(values, range, out), encode_wide(values, width, range, out))
}

fn decode_items<T: Integer, const N: usize>(bytes: &[u8], range: Option<(T, T)>, out: &mut [T]) -> bool {
    let (items, _) = bytes.as_chunks::<N>();
    let pairs = items.iter().zip(out);
    let (min, max) = range.unwrap_or((T::MIN, T::MAX));
    let mut outside = false;
    if N <= 8 {
        // The low word is the whole value: to hold it against the range says whether it fits the type, too.
        let range = (clamp(min), clamp(max));
        for (item, value) in pairs {
            let words = load(item);
            outside |= (words[0] as i64).outside(range);
            *value = T::from_words(words).0;
        }
        return !outside;
    }
    let mut spill = 0;
    for (item, value) in pairs {
        let (low, rest) = T::from_words(load(item));
        *value = low;
        spill |= rest;
        outside |= low.outside((min, max));
    }
    spill == 0 && !outside
}

/// The nearest number of 64 bits.
fn clamp<T: Integer>(value: T) -> i64 {
    match value.word() {
        (word, 0) => word,
        _ if value < T::from_words([0; 4]).0 => i64::MIN,
        _ => i64::MAX,
    }
}

/// More than 32 bytes: those in front of the 32 must repeat the sign.
fn decode_wide<T: Integer>(bytes: &[u8], width: usize, range: Option<(T, T)>, out: &mut [T]) -> bool {
    let mut ok = true;
    for (item, value) in bytes.chunks_exact(width).zip(out.iter_mut()) {
        let words = load_wide(item);
        ok &= words.is_some();
        let (low, spill) = T::from_words(words.unwrap_or_default());
        *value = low;
        ok &= spill == 0;
    }
    ok && range.is_none_or(|range| T::all_within(out, range))
}

/// Loads more than 32 bytes. `None`: the value does not fit 256 bits.
fn load_wide(item: &[u8]) -> Option<[u64; 4]> {
    let (front, last) = item.split_last_chunk::<32>()?;
    let words = load(last);
    let sign = ((words[3] as i64) >> 63) as u8;
    front.iter().all(|byte| *byte == sign).then_some(words)
}

/// Loads one item of any length of at least 1. `None`: the value does not fit 256 bits.
pub(super) fn load_any(item: &[u8]) -> Option<[u64; 4]> {
    if item.len() > 32 {
        return load_wide(item);
    }
    let sign = if *item.first()? < 0x80 { 0 } else { 0xff };
    let mut padded = [sign; 32];
    padded[32 - item.len()..].copy_from_slice(item);
    Some(load(&padded))
}

/// Reads every value; says whether all fit the type and lay in `range`.
pub(super) fn decode<T: Integer>(
    bytes: &[u8],
    width: usize,
    order: Order,
    range: Option<(T, T)>,
    out: &mut [T],
) -> bool {
    debug_assert_eq!(bytes.len(), out.len() * width);
    match (order, width) {
        (Order::Big, _) => {}
        (Order::Little, 4) => return little_endian::decode::<T, 4>(bytes, range, out),
        (Order::Little, _) => return little_endian::decode::<T, 8>(bytes, range, out),
    }
    by_width!(width, decode_items::<T>(bytes, range, out), decode_wide(bytes, width, range, out))
}
