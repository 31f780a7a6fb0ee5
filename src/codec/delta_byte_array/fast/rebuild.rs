//! Values from prefixes and suffixes, in safe code.
//!
//! Reading a prefix back from the output just written is slow: the load has to wait for the stores. So the first bytes of
//! the value before are kept in a local array, and the next value is a blend of that and of the window of the page that
//! lies where its suffix, moved back by its prefix, would start.

use alloc::vec::Vec;

use super::decode::Checked;

/// What the values are rebuilt from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) page: &'a [u8],
    pub(super) checked: Checked,
    pub(super) prefixes: &'a [i32],
    pub(super) suffixes: &'a [i32],
    /// What the first prefix refers to.
    pub(super) first: &'a [u8],
}

impl Source<'_> {
    /// Writes the first value to the front of `data`, and gives its length.
    pub(super) fn first_value(&self, data: &mut [u8]) -> usize {
        let (Some(&prefix), Some(&suffix)) = (self.prefixes.first(), self.suffixes.first()) else { return 0 };
        let (prefix, suffix) = (prefix as usize, suffix as usize);
        let start = self.checked.start;
        data[..prefix].copy_from_slice(&self.first[..prefix]);
        data[prefix..prefix + suffix].copy_from_slice(&self.page[start..start + suffix]);
        prefix + suffix
    }
}

/// Bytes of a value that are kept, and the longest value that is blended.
const W: usize = 32;

/// Replaces `data` by the values.
pub(super) fn rebuild(source: &Source<'_>, data: &mut Vec<u8>) {
    rebuild_body(source, data);
}

/// [`rebuild`], to be compiled for other features too.
#[inline(always)]
pub(super) fn rebuild_body(source: &Source<'_>, data: &mut Vec<u8>) {
    let Source { page, checked, prefixes, suffixes, .. } = *source;
    // What is beyond a value is overwritten by the next one; beyond the last it is cut off.
    data.resize(checked.decoded + W, 0);
    let mut at = source.first_value(data);
    let mut previous = 0;
    let mut kept = [0; W];
    kept.copy_from_slice(&data[..W]);
    let mut from = checked.start + suffixes.first().map_or(0, |&suffix| suffix as usize);
    for (&prefix, &suffix) in prefixes.iter().zip(suffixes).skip(1) {
        let (prefix, suffix) = (prefix as usize, suffix as usize);
        let len = prefix + suffix;
        if len <= W {
            let window = from.checked_sub(prefix).and_then(|start| page.get(start..)?.first_chunk::<W>());
            let window = match window {
                Some(window) => *window,
                // Near the ends of the page.
                None => {
                    let mut window = [0; W];
                    window[prefix..len].copy_from_slice(&page[from..from + suffix]);
                    window
                }
            };
            blend(&mut kept, &window, prefix);
            if let Some(to) = data[at..].first_chunk_mut::<W>() {
                *to = kept;
            }
        } else {
            data.copy_within(previous..previous + prefix, at);
            data[at + prefix..at + len].copy_from_slice(&page[from..from + suffix]);
            kept.copy_from_slice(&data[at..at + W]);
        }
        previous = at;
        at += len;
        from += suffix;
    }
    data.truncate(checked.decoded);
}

/// `0xFF` bytes, then as many `0` bytes: from byte `W - n` on, it selects the first `n` of `W` bytes.
const SELECT: [u8; 2 * W] = {
    let mut select = [0; 2 * W];
    let mut index = 0;
    while index < W {
        select[index] = 0xFF;
        index += 1;
    }
    select
};

/// Replaces all but the first `prefix` bytes by those of `window`, eight at a time.
#[inline(always)]
fn blend(kept: &mut [u8; W], window: &[u8; W], prefix: usize) {
    let Some(select) = SELECT[W - prefix..].first_chunk::<W>() else { return };
    let select = select.as_chunks::<8>().0;
    for ((kept, window), select) in kept.as_chunks_mut::<8>().0.iter_mut().zip(window.as_chunks::<8>().0).zip(select) {
        let (old, new, select) = (u64::from_ne_bytes(*kept), u64::from_ne_bytes(*window), u64::from_ne_bytes(*select));
        *kept = (new ^ (old ^ new) & select).to_ne_bytes();
    }
}
