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
    #[cfg(target_arch = "x86_64")]
    pub(super) fn lengths(&self) -> impl Iterator<Item = [usize; 3]> + use<'a> {
        let next = self.prefixes.iter().skip(1).chain(&[0]);
        let lengths = self.prefixes.iter().zip(self.suffixes).zip(next);
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
        let (kind, count) = run(&source.prefixes[done..], &source.suffixes[done..]);
        let range = done..done + count;
        let ends = &mut ends[range.clone()];
        match kind {
            Batch::Repeats => values.rebuild::<O, false, true>(source, range, ends, data),
            Batch::Short => values.rebuild::<O, true, false>(source, range, ends, data),
            Batch::Any => values.rebuild::<O, true, true>(source, range, ends, data),
        }
        done += count;
    }
    data.truncate(checked.decoded);
}

/// What is known of some values that follow one another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Batch {
    /// None has a suffix.
    Repeats,
    /// None is as long as the local array, which stays in registers, as no copy is a call.
    Short,
    Any,
}

impl Batch {
    #[inline(always)]
    fn of(prefixes: &[i32], suffixes: &[i32]) -> Self {
        // The bits of all.
        let (mut stored, mut lengths) = (0, 0);
        for (&prefix, &suffix) in prefixes.iter().zip(suffixes) {
            stored |= suffix;
            lengths |= prefix as u32 + suffix as u32;
        }
        match stored {
            0 => Self::Repeats,
            _ if lengths < W as u32 => Self::Short,
            _ => Self::Any,
        }
    }
}

/// Values that are asked at once what they are like. To ask each would cost more than it spares, where they are mixed.
const BATCH: usize = 16;

/// What the first batch is like, and how many values there are in all the batches like it that follow.
#[inline(always)]
fn run(prefixes: &[i32], suffixes: &[i32]) -> (Batch, usize) {
    let first = prefixes.len().min(BATCH);
    let kind = Batch::of(&prefixes[..first], &suffixes[..first]);
    let batches = prefixes[first..].chunks(BATCH).zip(suffixes[first..].chunks(BATCH));
    let alike = batches.take_while(|&(prefixes, suffixes)| Batch::of(prefixes, suffixes) == kind);
    (kind, first + alike.map(|(batch, _)| batch.len()).sum::<usize>())
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
    /// Appends some values to `data`; if not `SUFFIXES`, none of them has one, and if not `LONG`, none is longer than `W`.
    #[inline(always)]
    fn rebuild<O: Offset, const SUFFIXES: bool, const LONG: bool>(
        &mut self,
        source: &Source<'_>,
        values: Range<usize>,
        ends: &mut [O],
        data: &mut [u8],
    ) {
        let page = source.page;
        // Copies, which the compiler keeps in registers.
        let Self { mut head, ref mut kept, mut from, mut at } = *self;
        let lengths = source.prefixes[values.clone()].iter().zip(&source.suffixes[values.clone()]);
        for (index, ((&prefix, &suffix), end)) in values.zip(lengths.zip(ends)) {
            let (prefix, suffix) = (prefix as usize, suffix as usize);
            let len = prefix + suffix;
            if SUFFIXES && prefix < W {
                head = blend(head, page, from, prefix, suffix);
            }
            if let Some(to) = data[at..].first_chunk_mut::<W>() {
                *to = head;
            }
            if LONG && len > W {
                // Where the bytes of the suffix start that are not in the head.
                let start = prefix.max(W);
                data[at + W..at + start].copy_from_slice(&kept[W..start]);
                if SUFFIXES {
                    let rest = &page[from + start - prefix..from + suffix];
                    data[at + start..at + len].copy_from_slice(rest);
                    let next = source.prefixes.get(index + 1).map_or(0, |&next| next as usize);
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

/// `head` with all but its first `prefix` bytes, of which there are fewer than `W`, replaced by those of the suffix at `from`; eight
/// at a time, without a branch on the lengths. By value: what has an address does not stay in registers.
#[inline(always)]
fn blend(mut head: [u8; W], page: &[u8], from: usize, prefix: usize, suffix: usize) -> [u8; W] {
    let window = match from.checked_sub(prefix).and_then(|start| page.get(start..)?.first_chunk::<W>()) {
        Some(&window) => window,
        None => window_at_an_end(&page[from..from + suffix], prefix),
    };
    let Some(select) = SELECT[W - prefix..].first_chunk::<W>() else { return head };
    let select = select.as_chunks::<8>().0;
    for ((head, window), select) in head.as_chunks_mut::<8>().0.iter_mut().zip(window.as_chunks::<8>().0).zip(select) {
        let (old, new, select) = (u64::from_ne_bytes(*head), u64::from_ne_bytes(*window), u64::from_ne_bytes(*select));
        *head = (new ^ (old ^ new) & select).to_ne_bytes();
    }
    head
}

/// The window where the page does not have as many bytes around the suffix.
#[cold]
#[inline(never)]
fn window_at_an_end(suffix: &[u8], prefix: usize) -> [u8; W] {
    let mut window = [0; W];
    let len = suffix.len().min(W - prefix);
    window[prefix..prefix + len].copy_from_slice(&suffix[..len]);
    window
}
