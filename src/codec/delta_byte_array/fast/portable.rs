//! Safe kernels: words of 8 and 16 bytes where there is room for them.

use super::super::super::byte_arrays::Form;
use super::super::ByteArrays;

/// The length of the longest common prefix.
#[inline(always)]
pub(super) fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let len = a.len().min(b.len());
    let (a, b) = (&a[..len], &b[..len]);
    let mut at = 0;
    for (x, y) in a.as_chunks::<32>().0.iter().zip(b.as_chunks::<32>().0) {
        // One branch for 32 bytes.
        if x != y {
            break;
        }
        at += 32;
    }
    for (x, y) in a[at..].as_chunks::<8>().0.iter().zip(b[at..].as_chunks::<8>().0) {
        let difference = u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y);
        if difference != 0 {
            return at + first_byte(difference);
        }
        at += 8;
    }
    match (a.last_chunk::<8>(), b.last_chunk::<8>()) {
        // The last 8 bytes, some of which are known to be equal.
        (Some(x), Some(y)) => match u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y) {
            0 => len,
            difference => len - 8 + first_byte(difference),
        },
        _ => at + a[at..].iter().zip(&b[at..]).take_while(|(x, y)| x == y).count(),
    }
}

#[inline(always)]
fn first_byte(difference: u64) -> usize {
    difference.trailing_zeros() as usize / 8
}

/// See [`split`](super::split).
pub(super) fn split<const STAGE: bool>(
    values: &ByteArrays<'_>,
    prefixes: &mut [i32],
    suffixes: &mut [i32],
    staged: &mut [u8],
) -> usize {
    let lengths = prefixes.iter_mut().zip(suffixes);
    match values.0 {
        _ if values.is_empty() => 0,
        Form::Arrow32(offsets, data) => {
            let ends = offsets[1..].iter().map(|&offset| offset as usize);
            split_run::<STAGE>(data, offsets[0] as usize, ends, lengths, staged)
        }
        Form::Arrow64(offsets, data) => {
            let ends = offsets[1..].iter().map(|&offset| offset as usize);
            split_run::<STAGE>(data, offsets[0] as usize, ends, lengths, staged)
        }
        Form::FixedLen(width, data) => {
            let ends = (1..=data.len() / width).map(|index| index * width);
            split_run::<STAGE>(data, 0, ends, lengths, staged)
        }
        Form::Slices(values) => split_slices::<STAGE>(values, lengths, staged),
    }
}

/// Values that lie back to back, the first at `start`. A value is compared and copied by 16 bytes, even where it is
/// shorter, as long as `data` goes on.
#[inline(always)]
fn split_run<'a, const STAGE: bool>(
    data: &[u8],
    start: usize,
    ends: impl Iterator<Item = usize>,
    lengths: impl Iterator<Item = (&'a mut i32, &'a mut i32)>,
    staged: &mut [u8],
) -> usize {
    const W: usize = 16;
    let mut bytes = 0;
    let (mut previous, mut at) = (start, start);
    for (end, (prefix_len, suffix_len)) in ends.zip(lengths) {
        let most = (at - previous).min(end - at);
        let prefix = match (window::<W>(data, previous), window::<W>(data, at)) {
            (Some(x), Some(y)) => {
                let difference = u128::from_le_bytes(*x) ^ u128::from_le_bytes(*y);
                if difference == 0 && most > W {
                    W + common_prefix(&data[previous + W..previous + most], &data[at + W..at + most])
                } else {
                    (difference.trailing_zeros() as usize / 8).min(most)
                }
            }
            _ => common_prefix(&data[previous..previous + most], &data[at..at + most]),
        };
        let suffix = end - at - prefix;
        *prefix_len = prefix as i32;
        *suffix_len = suffix as i32;
        if STAGE {
            let from = at + prefix;
            match window::<W>(data, from) {
                Some(window) if suffix <= W => {
                    if let Some(to) = staged[bytes..].first_chunk_mut::<W>() {
                        *to = *window;
                    }
                }
                _ => staged[bytes..bytes + suffix].copy_from_slice(&data[from..end]),
            }
        }
        bytes += suffix;
        (previous, at) = (at, end);
    }
    bytes
}

#[inline(always)]
fn window<const W: usize>(data: &[u8], at: usize) -> Option<&[u8; W]> {
    data.get(at..)?.first_chunk()
}

#[inline(always)]
fn split_slices<'a, const STAGE: bool>(
    values: &[&[u8]],
    lengths: impl Iterator<Item = (&'a mut i32, &'a mut i32)>,
    staged: &mut [u8],
) -> usize {
    let mut bytes = 0;
    let mut previous: &[u8] = &[];
    for (&value, (prefix_len, suffix_len)) in values.iter().zip(lengths) {
        let prefix = common_prefix(previous, value);
        let suffix = &value[prefix..];
        *prefix_len = prefix as i32;
        *suffix_len = suffix.len() as i32;
        if STAGE {
            staged[bytes..bytes + suffix.len()].copy_from_slice(suffix);
        }
        bytes += suffix.len();
        previous = value;
    }
    bytes
}

/// See [`copy_suffixes`](super::copy_suffixes).
pub(super) fn copy_suffixes(values: &ByteArrays<'_>, suffixes: &[i32], out: &mut [u8]) {
    let mut rest = out;
    for (value, &suffix) in values.iter().zip(suffixes) {
        let suffix = suffix as usize;
        let (to, after) = rest.split_at_mut(suffix);
        to.copy_from_slice(&value[value.len() - suffix..]);
        rest = after;
    }
}
