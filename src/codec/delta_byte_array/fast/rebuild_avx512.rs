//! Values from prefixes and suffixes, for AVX-512.
//!
//! The first 128 bytes of the value before stay in two registers, and the bytes of the suffix are merged into them by a
//! masked load. Longer values have an aligned copy for the rest: chunks that lie in the prefix are only read there, so that
//! no load waits for a store to the output.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m512i, _bzhi_u64, _mm512_load_si512, _mm512_loadu_si512, _mm512_mask_loadu_epi8, _mm512_maskz_loadu_epi8,
    _mm512_store_si512, _mm512_storeu_si512,
};

use alloc::vec::Vec;

use super::super::super::Path;
use super::super::super::path::Kind;
use super::rebuild::Source;

/// 64 bytes of the value before.
#[repr(align(64))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk(#[expect(dead_code, reason = "read as bytes, through a pointer")] [u8; 64]);

/// Bytes that are written past the last value, into capacity of the output.
const SLACK: usize = 64;

/// Replaces `data` by the values. `chunks` is working memory.
pub(super) fn rebuild(path: Path, source: &Source<'_>, chunks: &mut Vec<Chunk>, data: &mut Vec<u8>) {
    assert!(path.kind() == Kind::Avx512);
    data.clear();
    data.reserve(source.checked.decoded + SLACK);
    let needed = source.checked.longest / 64 + 2;
    if chunks.len() < needed {
        chunks.resize(needed, Chunk([0; 64]));
    }
    // SAFETY: a path of this kind proves that the processor has these features. `data` has the capacity and `chunks` the
    // length that are asked for, and `Source` holds lengths that have been checked.
    unsafe { rebuild_compiled(source, chunks, data.as_mut_ptr()) };
    // SAFETY: the values, `decoded` bytes together, have been written to the front of the reserved capacity.
    unsafe { data.set_len(source.checked.decoded) };
}

/// # Safety
/// `out` has room for all values and [`SLACK`] bytes, `chunks` for the longest value and a chunk, and the lengths of
/// `source` have been checked against its page.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn rebuild_compiled(source: &Source<'_>, chunks: &mut [Chunk], out: *mut u8) {
    let first = &source.first[..source.prefixes.first().map_or(0, |&prefix| prefix as usize)];
    let kept = chunks.as_mut_ptr().cast::<u8>();
    let mut suffix_at = source.page[source.checked.start..].as_ptr();
    let mut to = out;
    // SAFETY: lanes select bytes of `first` only; it is no longer than the longest value, for which `chunks` has room.
    let (mut chunk_0, mut chunk_1) = unsafe {
        let from = first.as_ptr();
        core::ptr::copy_nonoverlapping(from, kept, first.len());
        (
            _mm512_maskz_loadu_epi8(first_lanes(first.len()), from.cast()),
            _mm512_maskz_loadu_epi8(first_lanes(first.len().saturating_sub(64)), from.wrapping_add(64).cast()),
        )
    };
    for (&prefix, &suffix) in source.prefixes.iter().zip(source.suffixes) {
        let (prefix, suffix) = (prefix as usize, suffix as usize);
        let len = prefix + suffix;
        // Byte `i` of the value, if it is not of the prefix, is byte `i` from here.
        let from = suffix_at.wrapping_sub(prefix);
        // SAFETY: lanes select bytes of the suffix only. The store ends within 64 bytes of the value's start.
        unsafe {
            chunk_0 = _mm512_mask_loadu_epi8(chunk_0, lanes_between(prefix, len, 0), from.cast());
            _mm512_storeu_si512(to.cast(), chunk_0);
        }
        if len > 64 {
            // SAFETY: as before; the value goes on past its first 64 bytes, so the store ends within 64 bytes of its end.
            unsafe {
                let lanes = lanes_between(prefix, len, 64);
                chunk_1 = _mm512_mask_loadu_epi8(chunk_1, lanes, from.wrapping_add(64).cast());
                _mm512_storeu_si512(to.add(64).cast(), chunk_1);
            }
        }
        if len > 128 {
            // SAFETY: `kept` and `to` have room for the value up to a whole chunk; `from` as before.
            unsafe { rebuild_rest(prefix, len, from, kept, to) }
        }
        // SAFETY: both stay within, or at the end of, the suffixes and the output.
        unsafe {
            suffix_at = suffix_at.add(suffix);
            to = to.add(len);
        }
    }
}

/// Writes the bytes from 128 on of a value of `len` bytes to `to`, and keeps them.
///
/// # Safety
/// `kept` is aligned to 64 and holds `prefix` bytes of the value before; it and `to` have room for `len` bytes up to a
/// whole chunk. Bytes `prefix..len` from `from` on can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,movbe,popcnt")]
unsafe fn rebuild_rest(prefix: usize, len: usize, from: *const u8, kept: *mut u8, to: *mut u8) {
    let mut at = 128;
    // SAFETY: each chunk starts below `len`, so that it is within what the caller vouches for; `at` is a multiple of 64.
    // Chunks in the prefix are read from `kept`, those behind it are whole in the suffix, and lanes select bytes of the
    // suffix only.
    unsafe {
        while at + 64 <= prefix {
            _mm512_storeu_si512(to.add(at).cast(), _mm512_load_si512(kept.add(at).cast()));
            at += 64;
        }
        if at < prefix {
            let old = _mm512_load_si512(kept.add(at).cast());
            let lanes = lanes_between(prefix, len, at);
            keep(_mm512_mask_loadu_epi8(old, lanes, from.wrapping_add(at).cast()), kept.add(at), to.add(at));
            at += 64;
        }
        while at + 64 <= len {
            keep(_mm512_loadu_si512(from.wrapping_add(at).cast()), kept.add(at), to.add(at));
            at += 64;
        }
        if at < len {
            let lanes = first_lanes(len - at);
            keep(_mm512_maskz_loadu_epi8(lanes, from.wrapping_add(at).cast()), kept.add(at), to.add(at));
        }
    }
}

/// # Safety
/// Both have room for 64 bytes, and `kept` is aligned to them.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn keep(chunk: __m512i, kept: *mut u8, to: *mut u8) {
    // SAFETY: as the caller vouches.
    unsafe {
        _mm512_store_si512(kept.cast(), chunk);
        _mm512_storeu_si512(to.cast(), chunk);
    }
}

/// Of the 64 bytes from `at` on, those from `start` to `end`.
#[inline]
#[target_feature(enable = "bmi2")]
fn lanes_between(start: usize, end: usize, at: usize) -> u64 {
    first_lanes(end.saturating_sub(at)) & !first_lanes(start.saturating_sub(at))
}

/// The first `count` lanes of 64, or all of them.
#[inline]
#[target_feature(enable = "bmi2")]
fn first_lanes(count: usize) -> u64 {
    _bzhi_u64(u64::MAX, count.min(64) as u32)
}
