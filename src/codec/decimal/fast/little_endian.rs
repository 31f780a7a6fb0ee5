//! INT32 and INT64: little-endian words. Plain loops, which compilers turn into vector code by themselves.

use super::integer::Integer;

/// Writes every value in N bytes, N = 4 or 8; says whether all lay in `range`.
pub(super) fn encode<T: Integer, const N: usize>(values: &[T], range: Option<(T, T)>, out: &mut [u8]) -> bool {
    let (items, _) = out.as_chunks_mut::<N>();
    for (value, item) in values.iter().zip(items) {
        item.copy_from_slice(&value.words()[0].to_le_bytes()[..N]);
    }
    range.is_none_or(|range| T::all_within(values, range))
}

/// Reads every value; says whether all fit the type and lay in `range`.
pub(super) fn decode<T: Integer, const N: usize>(bytes: &[u8], range: Option<(T, T)>, out: &mut [T]) -> bool {
    let (items, _) = bytes.as_chunks::<N>();
    let mut spill = 0;
    for (item, value) in items.iter().zip(out.iter_mut()) {
        let (low, rest) = T::from_words(load(item));
        *value = low;
        spill |= rest;
    }
    spill == 0 && range.is_none_or(|range| T::all_within(out, range))
}

/// N bytes, N = 4 or 8, extended with the sign.
#[inline(always)]
fn load<const N: usize>(item: &[u8; N]) -> [u64; 4] {
    let mut padded = [0; 8];
    padded[8 - N..].copy_from_slice(item);
    let low = i64::from_le_bytes(padded) >> (8 * (8 - N));
    let sign = (low >> 63) as u64;
    [low as u64, sign, sign, sign]
}

/// [`load`] for an item of 4 or 8 bytes.
pub(super) fn load_any(item: &[u8]) -> Option<[u64; 4]> {
    match item.len() {
        4 => item.first_chunk::<4>().map(load),
        _ => item.first_chunk::<8>().map(load),
    }
}
