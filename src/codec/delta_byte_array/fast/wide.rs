//! Kernels that run over the end of a value where the data goes on behind it, which is cheaper than to stop right there.
#![allow(unsafe_code)]

use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

use super::split::{BATCH, Kernel, Position};

/// Compares and copies in steps. The methods that are unsafe read and write whole steps.
pub(super) trait Wide: Copy {
    /// Bytes of a step: at most 64.
    const STEP: usize;

    /// Which bytes of a step differ, a bit each.
    ///
    /// # Safety
    /// A step can be read from both on.
    unsafe fn differences(self, a: *const u8, b: *const u8) -> u64;

    /// Whether four steps are equal.
    ///
    /// # Safety
    /// Four steps can be read from both on.
    unsafe fn equal(self, a: *const u8, b: *const u8) -> bool;

    /// Copies `len` bytes, and maybe a part of a step more.
    ///
    /// # Safety
    /// `len` bytes and a step more can be read from `from` on, and written from `to` on; the two do not overlap.
    unsafe fn copy_over(self, from: *const u8, to: *mut u8, len: usize);

    /// The length of the common prefix of two slices that are as long as each other, and no longer than a step.
    fn prefix_of_short(self, a: &[u8], b: &[u8]) -> usize;

    /// Copies as [`Kernel::copy`] does.
    fn copy_slice(self, from: &[u8], out: &mut [u8], at: usize);
}

/// Bytes of a cache line.
pub(super) const LINE: usize = 64;

/// How far ahead of what is compared to ask for more.
const AHEAD: usize = 8192;

/// From so many bytes on memcpy is faster: it spares the reading of what it writes to.
const LONG: usize = 1 << 14;

impl<K: Wide> Kernel for K {
    const BATCHES: bool = true;

    #[inline(always)]
    fn prefix_at(self, data: &[u8], previous: usize, at: usize, most: usize) -> usize {
        prefix_in::<K, false>(self, data, previous, at, most)
    }

    #[inline(always)]
    fn long_prefix_at(self, data: &[u8], previous: usize, at: usize, most: usize) -> usize {
        prefix_in::<K, true>(self, data, previous, at, most)
    }

    #[inline(always)]
    fn stage(self, data: &[u8], from: usize, to: usize, out: &mut [u8], at: usize) {
        if let Some(len) = to.checked_sub(from)
            && len < LONG
            && to + K::STEP <= data.len()
            && at + len + K::STEP <= out.len()
        {
            // SAFETY: in both, a step follows these bytes; `out` is borrowed for itself.
            unsafe { self.copy_over(data.as_ptr().add(from), out.as_mut_ptr().add(at), len) }
        } else {
            copy_long_or_last(&data[from..to], &mut out[at..at + (to - from)]);
        }
    }

    #[inline(always)]
    fn batch<const STAGE: bool>(
        self,
        data: &[u8],
        ends: &[i32; BATCH],
        [prefixes, suffixes]: [&mut [i32; BATCH]; 2],
        staged: &mut [u8],
        Position { mut previous, mut at, mut bytes }: Position,
    ) -> Option<Position> {
        // The signs of all ends and lengths.
        let mut signs = 0;
        let mut start = 0;
        for &end in ends {
            signs |= end | end.wrapping_sub(start);
            start = end;
        }
        let first = at;
        let needed = usize::try_from(start).ok()? + K::STEP;
        let within =
            data.len().saturating_sub(at) >= needed && (!STAGE || staged.len().saturating_sub(bytes) >= needed);
        if signs < 0 || !within || !in_order(previous, at) {
            return None;
        }
        for (&end, (prefix_len, suffix_len)) in ends.iter().zip(prefixes.iter_mut().zip(suffixes)) {
            let end = first + end as usize;
            // SAFETY: a step follows the last end, no end is later than the next one, and `previous` is no later than `at`. Of what
            // has been staged there is no more than of the values it was taken from, and a step more can be written.
            let prefix = unsafe {
                let prefix = prefix_over(
                    self,
                    data.as_ptr().add(previous),
                    data.as_ptr().add(at),
                    (at - previous).min(end - at),
                );
                if STAGE {
                    self.copy_over(data.as_ptr().add(at + prefix), staged.as_mut_ptr().add(bytes), end - at - prefix);
                }
                prefix
            };
            let suffix = end - at - prefix;
            (*prefix_len, *suffix_len) = (prefix as i32, suffix as i32);
            bytes += suffix;
            (previous, at) = (at, end);
        }
        Some(Position { previous, at, bytes })
    }

    #[inline(always)]
    fn prefix(self, a: &[u8], b: &[u8]) -> usize {
        let most = a.len().min(b.len());
        let Some(last) = most.checked_sub(K::STEP) else { return self.prefix_of_short(&a[..most], &b[..most]) };
        // SAFETY: both have `last` bytes and a step more.
        unsafe {
            let prefix = prefix_over(self, a.as_ptr(), b.as_ptr(), last);
            if prefix < last {
                return prefix;
            }
            match self.differences(a.as_ptr().add(last), b.as_ptr().add(last)) {
                0 => most,
                differ => last + differ.trailing_zeros() as usize,
            }
        }
    }

    #[inline(always)]
    fn copy(self, from: &[u8], out: &mut [u8], at: usize) {
        self.copy_slice(from, out, at);
    }
}

/// Not inlined: the kernel's own copies would become calls of memcpy, too, which take up to half as long again for single values.
#[inline(never)]
fn copy_long_or_last(from: &[u8], to: &mut [u8]) {
    to.copy_from_slice(from);
}

/// The length of the common prefix of `most` bytes at two places of the data; `MUCH` of it, or little.
#[inline(always)]
fn prefix_in<K: Wide, const MUCH: bool>(kernel: K, data: &[u8], previous: usize, at: usize, most: usize) -> usize {
    if in_order(previous, at) && at + (most + K::STEP) <= data.len() {
        // SAFETY: a step follows the `most` bytes from `at` on, and `previous` is no later.
        unsafe {
            let (a, b) = (data.as_ptr().add(previous), data.as_ptr().add(at));
            if MUCH { long_prefix_over(kernel, a, b, most) } else { prefix_over(kernel, a, b, most) }
        }
    } else {
        kernel.prefix(&data[previous..previous + most], &data[at..at + most])
    }
}

/// True of any value and the one before it, which unsafe code had better not take for granted.
#[inline(always)]
pub(super) fn in_order(previous: usize, at: usize) -> bool {
    previous <= at
}

/// The length of the common prefix, at most `most`.
///
/// # Safety
/// From both on, `most` bytes and a step more can be read.
#[inline(always)]
unsafe fn prefix_over<K: Wide>(kernel: K, a: *const u8, b: *const u8, most: usize) -> usize {
    let mut at = 0;
    loop {
        // SAFETY: `at` is 0 or below `most`, so the caller vouches for a step from it on.
        let differ = unsafe { kernel.differences(a.add(at), b.add(at)) };
        if differ != 0 {
            return (at + differ.trailing_zeros() as usize).min(most);
        }
        at += K::STEP;
        if at >= most {
            return most;
        }
        // With shorter steps it takes longer than it spares.
        if K::STEP == LINE {
            prefetch(b, at + AHEAD, LINE);
        }
    }
}

/// [`prefix_over`], where much is equal: four steps to a branch.
///
/// # Safety
/// As for [`prefix_over`].
#[inline(always)]
unsafe fn long_prefix_over<K: Wide>(kernel: K, a: *const u8, b: *const u8, most: usize) -> usize {
    let mut at = 0;
    // SAFETY: the last of four steps starts below `most`, so the caller vouches for them. As `at` is no more than a step above
    // `most`, he does so for what is left, too.
    unsafe {
        while at + 3 * K::STEP < most && kernel.equal(a.add(at), b.add(at)) {
            at += 4 * K::STEP;
            prefetch(b, at + AHEAD, 4 * K::STEP);
        }
        if at >= most { most } else { at + prefix_over(kernel, a.add(at), b.add(at), most - at) }
    }
}

/// Asks for the `len` bytes that lie `ahead` of `bytes`. In jumps like those from value to value, or where two places are read at
/// once, the processor does not see in time what comes.
#[inline(always)]
pub(super) fn prefetch(bytes: *const u8, ahead: usize, len: usize) {
    for line in (0..len).step_by(LINE) {
        // SAFETY: a prefetch does nothing but that, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(bytes.wrapping_add(ahead + line).cast()) }
    }
}
