//! Safe kernels: words of 8 and 16 bytes where there is room for them.

use super::super::super::byte_arrays::copy_value;
use super::split::Kernel;

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

/// Words of 8 and 16 bytes, where there is room for them.
#[derive(Clone, Copy)]
pub(super) struct Portable;

/// What is compared and copied of a value even where it is shorter, as long as the data goes on.
const W: usize = 16;

impl Kernel for Portable {
    #[inline(always)]
    fn prefix_at(self, data: &[u8], previous: usize, at: usize, most: usize) -> usize {
        match (window(data, previous), window(data, at)) {
            (Some(x), Some(y)) => {
                let difference = u128::from_le_bytes(*x) ^ u128::from_le_bytes(*y);
                if difference == 0 && most > W {
                    W + common_prefix(&data[previous + W..previous + most], &data[at + W..at + most])
                } else {
                    (difference.trailing_zeros() as usize / 8).min(most)
                }
            }
            _ => common_prefix(&data[previous..previous + most], &data[at..at + most]),
        }
    }

    #[inline(always)]
    fn stage(self, data: &[u8], from: usize, to: usize, out: &mut [u8], at: usize) {
        match window(data, from) {
            Some(window) if to - from <= W && at + W <= out.len() => out[at..at + W].copy_from_slice(window),
            _ => out[at..at + to - from].copy_from_slice(&data[from..to]),
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

#[inline(always)]
fn window(data: &[u8], at: usize) -> Option<&[u8; W]> {
    data.get(at..)?.first_chunk()
}
