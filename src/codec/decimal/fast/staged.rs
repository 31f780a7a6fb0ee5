//! Values through a wider type, block by block: for widths that the kernels of a type do not have.

use super::integer::Integer;
use super::lanes::Lane;

/// Values of one block.
const BLOCK: usize = 64;

/// Decodes through `T::Wide`; what `T` cannot hold fails the range check of the wider type.
pub fn decode<T: Lane>(
    src: &[u8],
    width: usize,
    range: Option<(T, T)>,
    out: &mut [T],
    decode_wide: impl Fn(&[u8], Option<(T::Wide, T::Wide)>, &mut [T::Wide]) -> bool,
) -> bool {
    let (min, max) = range.unwrap_or((T::MIN, T::MAX));
    let range = Some((widen(min), widen(max)));
    let mut block = [T::Wide::from_words([0; 4]).0; BLOCK];
    let mut passed = true;
    for (src, out) in src.chunks(BLOCK * width).zip(out.chunks_mut(BLOCK)) {
        let block = &mut block[..out.len()];
        passed &= decode_wide(src, range, block);
        for (to, wide) in out.iter_mut().zip(block) {
            *to = T::from_words(wide.words()).0;
        }
    }
    passed
}

/// Encodes through `T::Wide`.
pub fn encode<T: Lane>(
    values: &[T],
    width: usize,
    range: Option<(T, T)>,
    out: &mut [u8],
    encode_wide: impl Fn(&[T::Wide], Option<(T::Wide, T::Wide)>, &mut [u8]) -> bool,
) -> bool {
    let range = range.map(|(min, max)| (widen(min), widen(max)));
    let mut block = [T::Wide::from_words([0; 4]).0; BLOCK];
    let mut passed = true;
    for (values, out) in values.chunks(BLOCK).zip(out.chunks_mut(BLOCK * width)) {
        let block = &mut block[..values.len()];
        for (wide, value) in block.iter_mut().zip(values) {
            *wide = widen(*value);
        }
        passed &= encode_wide(block, range, out);
    }
    passed
}

fn widen<T: Lane>(value: T) -> T::Wide {
    T::Wide::from_words(value.words()).0
}
