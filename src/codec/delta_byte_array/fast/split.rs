//! The walk over the values of a column, which is the same on every path, and what differs: a [`Kernel`].

use super::super::super::byte_arrays::Ends;

/// How prefixes are found and suffixes copied.
pub(super) trait Kernel: Copy {
    /// Whether it has a [`batch`](Self::batch).
    const BATCHES: bool;

    /// The length of the common prefix of what lies at `previous` and at `at`, at most `most`. Both have `most` bytes in
    /// `data`.
    fn prefix_at(self, data: &[u8], previous: usize, at: usize, most: usize) -> usize;

    /// [`prefix_at`](Self::prefix_at), where much is equal.
    fn long_prefix_at(self, data: &[u8], previous: usize, at: usize, most: usize) -> usize;

    /// Copies `data[from..to]` to `out` from `at` on. As many bytes of `out` as it likes after those may be written, too,
    /// with anything.
    fn stage(self, data: &[u8], from: usize, to: usize, out: &mut [u8], at: usize);

    /// Splits the values of a batch, which end `ends` bytes after `position`. `None` where one check does not tell that all of
    /// them are within their buffers.
    fn batch<const STAGE: bool>(
        self,
        data: &[u8],
        ends: &[i32; BATCH],
        lengths: [&mut [i32; BATCH]; 2],
        staged: &mut [u8],
        position: Position,
    ) -> Option<Position>;

    /// The length of the common prefix of two values.
    fn prefix(self, a: &[u8], b: &[u8]) -> usize;

    /// Copies `from` to `out` from `at` on; may write after it as [`stage`](Self::stage) may.
    fn copy(self, from: &[u8], out: &mut [u8], at: usize);
}

/// Values that are checked at once.
pub(super) const BATCH: usize = 16;

/// How far a walk over values that lie back to back has come.
#[derive(Clone, Copy)]
pub(super) struct Position {
    /// Where the value before the next one starts, and where that one starts.
    pub(super) previous: usize,
    pub(super) at: usize,
    /// Bytes of suffixes so far.
    pub(super) bytes: usize,
}

impl Position {
    /// At the first value.
    pub(super) fn new(start: usize) -> Self {
        Self { previous: start, at: start, bytes: 0 }
    }
}

/// Splits all values of a column; see [`split`](super::split).
#[inline(always)]
pub(super) fn run<K: Kernel, E: Ends, const STAGE: bool>(
    kernel: K,
    data: &[u8],
    ends: E,
    lengths: [&mut [i32]; 2],
    staged: &mut [u8],
) -> usize {
    part_of_run::<K, E, STAGE>(kernel, data, ends, lengths, staged, Position::new(ends.start())).bytes
}

/// Splits the values from a position on, as many as there are lengths, which is at most as many as there are ends.
#[inline(always)]
pub(super) fn part_of_run<K: Kernel, E: Ends, const STAGE: bool>(
    kernel: K,
    data: &[u8],
    mut ends: E,
    [mut prefixes, mut suffixes]: [&mut [i32]; 2],
    staged: &mut [u8],
    mut position: Position,
) -> Position {
    // Values until the next look at whether they repeat: few where they just did, and ever more where they do not.
    let mut step = FEW;
    loop {
        let count = step.min(prefixes.len());
        let (now_prefixes, next_prefixes) = prefixes.split_at_mut(count);
        let (now_suffixes, next_suffixes) = suffixes.split_at_mut(count);
        let lengths = [&mut *now_prefixes, &mut *now_suffixes];
        position = by_batches::<K, E, STAGE>(kernel, data, ends, lengths, staged, position);
        if next_prefixes.is_empty() {
            return position;
        }
        (ends, prefixes, suffixes) = (ends.skip(count), next_prefixes, next_suffixes);
        step = (2 * step).min(MANY);
        if let ([.., a, b], [.., 0, 0]) = (&*now_prefixes, &*now_suffixes)
            && a == b
        {
            let count;
            (count, position) = repeats(kernel, data, ends, [&mut *prefixes, &mut *suffixes], position);
            (ends, prefixes, suffixes) = (ends.skip(count), &mut prefixes[count..], &mut suffixes[count..]);
            step = FEW;
        }
    }
}

/// The least and the most values that are split one by one without a look at whether they repeat.
const FEW: usize = 4;
const MANY: usize = 128;

/// Splits the values from a position on, as many as there are lengths: by batches, or one by one where that cannot be done.
#[inline(always)]
fn by_batches<K: Kernel, E: Ends, const STAGE: bool>(
    kernel: K,
    data: &[u8],
    mut ends: E,
    [prefixes, suffixes]: [&mut [i32]; 2],
    staged: &mut [u8],
    mut position: Position,
) -> Position {
    if !K::BATCHES {
        return one_by_one::<K, STAGE>(kernel, data, ends.iter(), [prefixes, suffixes], staged, position);
    }
    for (prefixes, suffixes) in prefixes.chunks_mut(BATCH).zip(suffixes.chunks_mut(BATCH)) {
        let batch = match (ends.batch::<BATCH>(), prefixes.first_chunk_mut(), suffixes.first_chunk_mut()) {
            (Some(ends), Some(prefixes), Some(suffixes)) => {
                kernel.batch::<STAGE>(data, &ends, [prefixes, suffixes], staged, position)
            }
            _ => None,
        };
        position = match batch {
            Some(position) => position,
            None => one_by_one::<K, STAGE>(kernel, data, ends.iter(), [prefixes, suffixes], staged, position),
        };
        ends = ends.skip(prefixes.len());
    }
    position
}

/// Splits the values from a position on.
#[inline(always)]
fn one_by_one<K: Kernel, const STAGE: bool>(
    kernel: K,
    data: &[u8],
    ends: impl Iterator<Item = usize>,
    [prefixes, suffixes]: [&mut [i32]; 2],
    staged: &mut [u8],
    Position { mut previous, mut at, mut bytes }: Position,
) -> Position {
    for (end, (prefix_len, suffix_len)) in ends.zip(prefixes.iter_mut().zip(suffixes)) {
        let prefix = kernel.prefix_at(data, previous, at, (at - previous).min(end - at));
        let suffix = end - at - prefix;
        if STAGE {
            kernel.stage(data, at + prefix, end, staged, bytes);
        }
        *prefix_len = prefix as i32;
        *suffix_len = suffix as i32;
        bytes += suffix;
        (previous, at) = (at, end);
    }
    Position { previous, at, bytes }
}

/// Values that are compared at once, where values repeat.
const REPEATS: usize = 16;

/// Splits values that repeat the value before; gives how many there were. Of values of one length, as many repeat it as the
/// data repeats itself after that length: one long comparison, that does not stop at each value.
#[inline(always)]
fn repeats<K: Kernel, E: Ends>(
    kernel: K,
    data: &[u8],
    ends: E,
    [prefixes, suffixes]: [&mut [i32]; 2],
    mut position: Position,
) -> (usize, Position) {
    let len = position.at - position.previous;
    let mut count = 0;
    let batches = prefixes.as_chunks_mut::<REPEATS>().0.iter_mut().zip(suffixes.as_chunks_mut::<REPEATS>().0);
    for (prefixes, suffixes) in batches {
        let Some(ends) = ends.skip(count).batch::<REPEATS>() else { break };
        let same_len =
            ends.iter().zip(1..).fold(true, |same, (&end, count)| same & (end == (len as i32).wrapping_mul(count)));
        if !same_len {
            break;
        }
        let bytes = REPEATS * len;
        let equal = kernel.long_prefix_at(data, position.previous, position.at, bytes);
        let whole = if equal == bytes { REPEATS } else { equal / len };
        // Those that are no repeats are overwritten.
        (*prefixes, *suffixes) = ([len as i32; REPEATS], [0; REPEATS]);
        (position.previous, position.at) = (position.previous + whole * len, position.at + whole * len);
        count += whole;
        if whole < REPEATS {
            break;
        }
    }
    (count, position)
}

/// Splits values that lie anywhere; see [`split`](super::split).
#[inline(always)]
pub(super) fn slices<K: Kernel, const STAGE: bool>(
    kernel: K,
    values: &[&[u8]],
    [prefixes, suffixes]: [&mut [i32]; 2],
    staged: &mut [u8],
) -> usize {
    let mut bytes: usize = 0;
    let mut previous: &[u8] = &[];
    for (&value, (prefix_len, suffix_len)) in values.iter().zip(prefixes.iter_mut().zip(suffixes)) {
        let prefix = kernel.prefix(previous, value);
        let suffix = &value[prefix..];
        if STAGE {
            kernel.copy(suffix, staged, bytes);
        }
        *prefix_len = prefix as i32;
        *suffix_len = suffix.len() as i32;
        // Values may share their memory: on 32 bits there can be more of them than a number counts.
        bytes = bytes.saturating_add(suffix.len());
        previous = value;
    }
    bytes
}

/// Copies the suffixes to `out`, which is just as long as all of them.
#[inline(always)]
pub(super) fn copy_suffixes<K: Kernel>(
    kernel: K,
    data: &[u8],
    ends: impl Ends,
    [prefixes, suffixes]: [&[i32]; 2],
    out: &mut [u8],
) {
    let mut bytes = 0;
    let whole = prefixes.iter().filter(|&&prefix| prefix == 0).count();
    if whole < prefixes.len() / 2 {
        let mut rest = ends;
        for suffixes in suffixes.chunks(REPEATS) {
            // Where values repeat there are many without.
            if suffixes.iter().fold(0, |any, suffix| any | suffix) != 0 {
                for (end, &suffix) in rest.iter().zip(suffixes) {
                    let suffix = suffix as usize;
                    if suffix > 0 {
                        kernel.stage(data, end - suffix, end, out, bytes);
                    }
                    bytes += suffix;
                }
            }
            rest = rest.skip(suffixes.len());
        }
        return;
    }
    // Those that follow one another are copied at once.
    let (mut from, mut to) = (ends.start(), ends.start());
    for (end, &suffix) in ends.iter().zip(suffixes) {
        let start = end - suffix as usize;
        if start != to {
            kernel.stage(data, from, to, out, bytes);
            bytes += to - from;
            from = start;
        }
        to = end;
    }
    kernel.stage(data, from, to, out, bytes);
}

/// [`copy_suffixes`] of values that lie anywhere.
#[inline(always)]
pub(super) fn copy_suffixes_of_slices<K: Kernel>(kernel: K, values: &[&[u8]], suffixes: &[i32], out: &mut [u8]) {
    let mut bytes = 0;
    for (value, &suffix) in values.iter().zip(suffixes) {
        kernel.copy(&value[value.len() - suffix as usize..], out, bytes);
        bytes += suffix as usize;
    }
}
