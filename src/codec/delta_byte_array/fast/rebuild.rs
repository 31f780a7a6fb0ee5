//! Values from prefixes and suffixes, in safe code.
//!
//! Reading a prefix back from the output just written is slow: the load has to wait for the stores. So the first bytes of
//! the value before are kept in a local array, and the next value's are a blend of that and of the window of the page
//! that lies where its suffix, moved back by its prefix, would start. Of the bytes after those, only what the next prefix
//! will ask for is kept.

use alloc::vec::Vec;
use core::ops::Range;

use super::super::Offset;
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

impl<'a> Source<'a> {
    /// The bytes that the first prefix takes.
    pub(super) fn first_prefix(&self) -> &'a [u8] {
        &self.first[..self.prefixes.first().map_or(0, |&prefix| prefix as usize)]
    }

    /// Prefix, suffix and next prefix of each value.
    #[inline(always)]
    pub(super) fn lengths(&self) -> impl Iterator<Item = [usize; 3]> + use<'a> {
        self.lengths_of(0..self.prefixes.len())
    }

    /// [`lengths`](Self::lengths) of some values.
    #[inline(always)]
    fn lengths_of(&self, values: Range<usize>) -> impl Iterator<Item = [usize; 3]> + use<'a> {
        let next = self.prefixes[values.start..].iter().skip(1).chain(&[0]);
        let lengths = self.prefixes[values.clone()].iter().zip(&self.suffixes[values]).zip(next);
        lengths.map(|((&prefix, &suffix), &next)| [prefix as usize, suffix as usize, next as usize])
    }
}

/// Bytes that are kept in the local array.
const W: usize = 32;

/// Replaces `data` by the values, and `ends` by where they end. `kept` is working memory. To be compiled for each path.
#[inline(always)]
pub(super) fn rebuild<O: Offset>(source: &Source<'_>, kept: &mut Vec<u8>, ends: &mut [O], data: &mut Vec<u8>) {
    let checked = source.checked;
    // What is written past a value is overwritten by the next one; past the last it is cut off.
    data.resize(checked.decoded.saturating_add(W), 0);
    if kept.len() < checked.longest {
        kept.resize(checked.longest, 0);
    }
    let first = source.first_prefix();
    kept[..first.len()].copy_from_slice(first);
    let mut head = [0; W];
    let len = first.len().min(W);
    head[..len].copy_from_slice(&first[..len]);
    let mut values = Values { head, kept, from: checked.start, at: 0 };
    let mut done = 0;
    while done < ends.len() {
        for some in [true, false] {
            let end = done + run(&source.suffixes[done..], some);
            let ends = &mut ends[done..end];
            if some {
                values.rebuild::<O, true>(source, done..end, ends, data);
            } else {
                values.rebuild::<O, false>(source, done..end, ends, data);
            }
            done = end;
        }
    }
    data.truncate(checked.decoded);
}

/// Values that are asked at once whether one has a suffix. To ask each would cost more than to blend, where only some have.
const BATCH: usize = 16;

/// How many values there are up to the first batch in which none has a suffix, or, if not `some`, in which one has.
#[inline(always)]
fn run(suffixes: &[i32], some: bool) -> usize {
    let mut count = 0;
    for batch in suffixes.chunks(BATCH) {
        let any = batch.iter().fold(0, |any, suffix| any | suffix);
        if (any != 0) != some {
            break;
        }
        count += batch.len();
    }
    count
}

/// The values so far.
struct Values<'a> {
    /// The first bytes of the last one.
    head: [u8; W],
    /// Its bytes after those, as far as the next one begins with them.
    kept: &'a mut [u8],
    /// Where the next suffix is in the page.
    from: usize,
    /// The bytes of all.
    at: usize,
}

impl Values<'_> {
    /// Appends some values to `data`; if not `SUFFIXES`, none of them has one.
    #[inline(always)]
    fn rebuild<O: Offset, const SUFFIXES: bool>(
        &mut self,
        source: &Source<'_>,
        values: Range<usize>,
        ends: &mut [O],
        data: &mut [u8],
    ) {
        let page = source.page;
        // Copies, which the compiler keeps in registers.
        let Self { mut head, ref mut kept, mut from, mut at } = *self;
        for ([prefix, suffix, next], end) in source.lengths_of(values).zip(ends) {
            let len = prefix + suffix;
            if SUFFIXES && prefix < W {
                blend(&mut head, page, from, prefix, suffix);
            }
            if let Some(to) = data[at..].first_chunk_mut::<W>() {
                *to = head;
            }
            if len > W {
                // Where the bytes of the suffix start that are not in the head.
                let start = prefix.max(W);
                data[at + W..at + start].copy_from_slice(&kept[W..start]);
                if SUFFIXES {
                    let rest = &page[from + start - prefix..from + suffix];
                    data[at + start..at + len].copy_from_slice(rest);
                    if next > start {
                        kept[start..next].copy_from_slice(&rest[..next - start]);
                    }
                }
            }
            from += suffix;
            at += len;
            *end = O::from_bytes(at);
        }
        (self.head, self.from, self.at) = (head, from, at);
    }
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

/// Replaces all but the first `prefix` bytes, of which there are fewer than `W`, by those of the suffix at `from`; eight
/// at a time, without a branch on the lengths.
#[inline(always)]
fn blend(head: &mut [u8; W], page: &[u8], from: usize, prefix: usize, suffix: usize) {
    let window = from.checked_sub(prefix).and_then(|start| page.get(start..)?.first_chunk::<W>());
    let Some(window) = window else {
        // Near the ends of the page.
        let len = suffix.min(W - prefix);
        head[prefix..prefix + len].copy_from_slice(&page[from..from + len]);
        return;
    };
    let Some(select) = SELECT[W - prefix..].first_chunk::<W>() else { return };
    let select = select.as_chunks::<8>().0;
    for ((head, window), select) in head.as_chunks_mut::<8>().0.iter_mut().zip(window.as_chunks::<8>().0).zip(select) {
        let (old, new, select) = (u64::from_ne_bytes(*head), u64::from_ne_bytes(*window), u64::from_ne_bytes(*select));
        *head = (new ^ (old ^ new) & select).to_ne_bytes();
    }
}
