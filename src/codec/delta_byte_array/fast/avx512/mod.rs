//! AVX-512: values of up to 16 bytes 32 at a time ([`short`]), others one by one, 64 bytes at a time.
//!
//! Where the data goes on behind a value, steps run over its end, which is cheaper than a masked load; the last values of
//! a column, and values that do not lie back to back, take masked loads. Neither reads past the caller's buffers: lanes
//! that are masked off are not read.
#![allow(unsafe_code)]

mod rebuild;
mod short;

use core::arch::x86_64::{
    _bzhi_u64, _mm512_cmpneq_epi8_mask, _mm512_loadu_si512, _mm512_mask_storeu_epi8, _mm512_maskz_loadu_epi8,
    _mm512_store_si512, _mm512_storeu_si512,
};

use super::super::super::Path;
use super::super::super::byte_arrays::Ends;
use super::super::super::path::Kind;
use super::super::Options;
use super::decode::Sums;
use super::split::{self, Kernel, Position};

pub(super) use rebuild::rebuild;

/// Bytes that are compared and copied at a time. As many may be read and written past the end of a value.
const W: usize = 64;

/// The kernel. A value exists only in functions that are compiled with these features, and are called
/// only when a [`Path`] proves that the processor has them.
#[derive(Clone, Copy)]
struct Avx512(());

compiled_for! {
    Avx512, "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,movbe,popcnt";

    fn split_run[E, STAGE][E: Ends, const STAGE: bool](
        data: &[u8], ends: E, lengths: [&mut [i32]; 2], staged: &mut [u8]
    ) -> usize {
        if ends.mean() <= short::LANE {
            split_short::<E, STAGE>(data, ends, lengths, staged)
        } else {
            split::run::<_, E, STAGE>(Avx512(()), data, ends, lengths, staged)
        }
    }

    fn split_slices[STAGE][const STAGE: bool](
        values: &[&[u8]], lengths: [&mut [i32]; 2], staged: &mut [u8]
    ) -> usize {
        split::slices::<_, STAGE>(Avx512(()), values, lengths, staged)
    }

    fn copy_suffixes[E][E: Ends](data: &[u8], ends: E, lengths: [&[i32]; 2], out: &mut [u8]) -> () {
        split::copy_suffixes(Avx512(()), data, ends, lengths, out)
    }

    fn copy_suffixes_of_slices[][](values: &[&[u8]], suffixes: &[i32], out: &mut [u8]) -> () {
        split::copy_suffixes_of_slices(Avx512(()), values, suffixes, out)
    }

    fn sums[][](prefixes: &[i32], suffixes: &[i32], options: &Options<'_>) -> Sums {
        Sums::of(prefixes, suffixes, options)
    }
}

/// Splits values most of which are short: by batches, or one by one where a value is too long for that, and at the end.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt")]
fn split_short<E: Ends, const STAGE: bool>(
    data: &[u8],
    ends: E,
    [prefixes, suffixes]: [&mut [i32]; 2],
    staged: &mut [u8],
) -> usize {
    use short::{BATCH, LANE};
    let kernel = Avx512(());
    let mut position = Position::new(ends.start());
    let batches = prefixes.as_chunks_mut::<BATCH>().0.iter_mut().zip(suffixes.as_chunks_mut::<BATCH>().0);
    let mut rest = ends;
    for (prefixes, suffixes) in batches {
        let Position { previous, at, bytes } = position;
        let mut split = None;
        if let Some(ends) = rest.batch::<BATCH>() {
            let total = ends[BATCH - 1] as usize;
            let readable = data.len().saturating_sub(at) >= total + LANE;
            let room = !STAGE || staged.len().saturating_sub(bytes) >= total + W;
            if readable && room && previous <= at {
                let staged = staged.as_mut_ptr().wrapping_add(bytes);
                // SAFETY: just compared.
                split = unsafe {
                    short::split::<STAGE>(data.as_ptr(), [previous, at], &ends, [prefixes, suffixes], staged)
                };
            }
            if let Some(suffixes) = split {
                position =
                    Position { previous: at + ends[BATCH - 2] as usize, at: at + total, bytes: bytes + suffixes };
            }
        }
        if split.is_none() {
            let ends = rest.iter().take(BATCH);
            position = split::part_of_run::<_, STAGE>(kernel, data, ends, [prefixes, suffixes], staged, position);
        }
        rest = rest.skip(BATCH);
    }
    let done = prefixes.len() / BATCH * BATCH;
    let lengths = [&mut prefixes[done..], &mut suffixes[done..]];
    split::part_of_run::<_, STAGE>(kernel, data, rest.iter(), lengths, staged, position).bytes
}

impl Kernel for Avx512 {
    #[inline(always)]
    fn prefix_at(self, data: &[u8], previous: usize, at: usize, most: usize) -> usize {
        if previous <= at && at + most + W <= data.len() {
            // SAFETY: the features are there; a step follows the `most` bytes from `at` on, and `previous` is no later.
            unsafe { prefix_over(data.as_ptr().add(previous), data.as_ptr().add(at), most) }
        } else {
            self.prefix(&data[previous..previous + most], &data[at..at + most])
        }
    }

    #[inline(always)]
    fn stage(self, data: &[u8], from: usize, to: usize, out: &mut [u8], at: usize) {
        let len = to.wrapping_sub(from);
        if from <= to && to + W <= data.len() && at + len + W <= out.len() {
            // SAFETY: the features are there; in both, a step follows these bytes.
            unsafe { copy_over(data.as_ptr().add(from), out.as_mut_ptr().add(at), len) }
        } else {
            self.copy(&data[from..to], out, at);
        }
    }

    #[inline(always)]
    fn prefix(self, a: &[u8], b: &[u8]) -> usize {
        // SAFETY: the features are there.
        unsafe { prefix_within(a, b) }
    }

    #[inline(always)]
    fn copy(self, from: &[u8], out: &mut [u8], at: usize) {
        if from.len() <= W && at + W <= out.len() {
            // SAFETY: the features are there; lanes select bytes of `from` only, and `W` bytes of `out` are there.
            unsafe {
                let bytes = _mm512_maskz_loadu_epi8(first_lanes(from.len()), from.as_ptr().cast());
                _mm512_storeu_si512(out.as_mut_ptr().add(at).cast(), bytes);
            }
        } else {
            // SAFETY: the features are there.
            unsafe { copy_within(from, &mut out[at..at + from.len()]) }
        }
    }
}

/// The length of the common prefix, at most `most`.
///
/// # Safety
/// From `a` and from `b` on, `most` bytes and `W` more can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn prefix_over(a: *const u8, b: *const u8, most: usize) -> usize {
    let mut at = 0;
    loop {
        // SAFETY: `at` is 0 or below `most`, so `W` bytes from it on are what the caller vouches for.
        let differ = unsafe {
            _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(a.add(at).cast()), _mm512_loadu_si512(b.add(at).cast()))
        };
        if differ != 0 {
            return (at + differ.trailing_zeros() as usize).min(most);
        }
        at += W;
        if at >= most {
            return most;
        }
    }
}

/// Copies `len` bytes, and of what follows as much as is read with the first `W`.
///
/// # Safety
/// `len` bytes and `W` more can be read from `from` on, and written from `to` on; the two do not overlap.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn copy_over(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: as the caller vouches; after the first `W` bytes there are `len - W`.
    unsafe {
        _mm512_storeu_si512(to.cast(), _mm512_loadu_si512(from.cast()));
        if len > W {
            copy(from.add(W), to.add(W), len - W);
        }
    }
}

/// Copies `len` bytes and touches nothing else.
///
/// # Safety
/// `len` bytes can be read from `from` on, and written from `to` on; the two do not overlap.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
pub(super) unsafe fn copy(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: lanes select `len` bytes only. In the other case there are 64 bytes at either end; what starts at `at` ends
    // within `len`, and `to` is aligned there.
    unsafe {
        if len < 64 {
            let lanes = first_lanes(len);
            _mm512_mask_storeu_epi8(to.cast(), lanes, _mm512_maskz_loadu_epi8(lanes, from.cast()));
            return;
        }
        // Stores that cross a cache line cost double: only the first and the last do.
        let last = _mm512_loadu_si512(from.add(len - 64).cast());
        _mm512_storeu_si512(to.cast(), _mm512_loadu_si512(from.cast()));
        let mut at = 64 - to.addr() % 64;
        while at + 64 <= len {
            _mm512_store_si512(to.add(at).cast(), _mm512_loadu_si512(from.add(at).cast()));
            at += 64;
        }
        _mm512_storeu_si512(to.add(len - 64).cast(), last);
    }
}

/// The length of the common prefix. Reads nothing but the two slices.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
fn prefix_within(a: &[u8], b: &[u8]) -> usize {
    let most = a.len().min(b.len());
    let mut at = 0;
    loop {
        let lanes = first_lanes(most - at);
        // SAFETY: `lanes` selects bytes from `at` up to `most` only, which both have; others are not read.
        let differ = unsafe {
            let x = _mm512_maskz_loadu_epi8(lanes, a.as_ptr().add(at).cast());
            let y = _mm512_maskz_loadu_epi8(lanes, b.as_ptr().add(at).cast());
            _mm512_cmpneq_epi8_mask(x, y)
        };
        if differ != 0 {
            return at + differ.trailing_zeros() as usize;
        }
        if most - at <= 64 {
            return most;
        }
        at += 64;
    }
}

/// Copies `from` to `to`, which is as long.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
fn copy_within(from: &[u8], to: &mut [u8]) {
    assert!(from.len() == to.len());
    // SAFETY: both have this length, and slices of which one is mutable do not overlap.
    unsafe { copy(from.as_ptr(), to.as_mut_ptr(), from.len()) }
}

/// The first `count` lanes of 64, or all of them.
#[inline]
#[target_feature(enable = "bmi2")]
pub(super) fn first_lanes(count: usize) -> u64 {
    _bzhi_u64(u64::MAX, count.min(64) as u32)
}
