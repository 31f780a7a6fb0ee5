//! Safe kernels: words of 8 and 16 bytes where there is room for them.

use super::super::super::byte_arrays::copy_value;
use super::split::{BATCH, Kernel, Position};

/// The length of the longest common prefix.
#[inline(always)]
pub(super) fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let len = a.len().min(b.len());
    let (a, b) = (&a[..len], &b[..len]);
    let mut at = common_blocks(a, b);
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

/// Bytes of the common prefix, in whole blocks: one branch for 32 bytes.
#[inline(always)]
fn common_blocks(a: &[u8], b: &[u8]) -> usize {
    let mut at = 0;
    for (x, y) in a.as_chunks::<32>().0.iter().zip(b.as_chunks::<32>().0) {
        if x != y {
            break;
        }
        at += 32;
    }
    at
}

#[inline(always)]
fn first_byte(difference: u64) -> usize {
    difference.trailing_zeros() as usize / 8
}

/// Words of 8 and 16 bytes, where there is room for them. So many bytes of a suffix are copied even where it is shorter:
/// cheaper than a copy of any length, and than a branch on a length that nobody can predict.
#[derive(Clone, Copy)]
pub(super) struct Portable<const COPIED: usize>;

/// What is compared of a value even where it is shorter, as long as the data goes on.
const COMPARED: usize = 16;

impl<const COPIED: usize> Kernel for Portable<COPIED> {
    const BATCHES: bool = false;

    fn batch<const STAGE: bool>(
        self,
        _: &[u8],
        _: &[i32; BATCH],
        _: [&mut [i32; BATCH]; 2],
        _: &mut [u8],
        _: Position,
    ) -> Option<Position> {
        None
    }

    #[inline(always)]
    fn prefix_at(self, data: &[u8], previous: usize, at: usize, most: usize) -> usize {
        match (window::<COMPARED>(data, previous), window::<COMPARED>(data, at)) {
            (Some(x), Some(y)) => {
                let difference = u128::from_le_bytes(*x) ^ u128::from_le_bytes(*y);
                if difference == 0 && most > COMPARED {
                    let rest = |start: usize| &data[start + COMPARED..start + most];
                    COMPARED + common_prefix(rest(previous), rest(at))
                } else {
                    (difference.trailing_zeros() as usize / 8).min(most)
                }
            }
            _ => common_prefix(&data[previous..previous + most], &data[at..at + most]),
        }
    }

    // Not inlined: it would cost the loop over single values its registers.
    #[inline(never)]
    fn long_prefix_at(self, data: &[u8], previous: usize, at: usize, most: usize) -> usize {
        common_prefix(&data[previous..previous + most], &data[at..at + most])
    }

    #[inline(always)]
    fn stage(self, data: &[u8], from: usize, to: usize, out: &mut [u8], at: usize) {
        let len = to - from;
        match window::<COPIED>(data, from) {
            Some(window) if len <= COPIED && at + COPIED <= out.len() => {
                out[at..at + COPIED].copy_from_slice(window);
            }
            _ => copy_any(&data[from..to], &mut out[at..at + len]),
        }
    }

    #[inline(always)]
    fn prefix(self, a: &[u8], b: &[u8]) -> usize {
        common_prefix(a, b)
    }

    #[inline(always)]
    fn copy(self, from: &[u8], out: &mut [u8], at: usize) {
        copy_value(from, &mut out[at..at + from.len()]);
    }
}

/// Not inlined: the compiler would make one call of this copy and of the one of a fixed length.
#[inline(never)]
fn copy_any(from: &[u8], to: &mut [u8]) {
    to.copy_from_slice(from);
}

#[inline(always)]
fn window<const LEN: usize>(data: &[u8], at: usize) -> Option<&[u8; LEN]> {
    data.get(at..)?.first_chunk()
}

#[cfg(test)]
mod tests {
    use super::super::super::super::path::Kind;
    use super::*;

    #[test]
    fn keeps_to_the_plain_meaning() {
        super::super::kernel_tests::check(Kind::Portable, Portable::<16>);
        super::super::kernel_tests::check(Kind::Portable, Portable::<64>);
    }
}
