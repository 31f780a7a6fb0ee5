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

fn widen<T: Lane>(value: T) -> T::Wide {
    T::Wide::from_words(value.words()).0
}
