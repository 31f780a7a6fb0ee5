//! Values of up to 16 bytes, 32 at a time: no branch, and nothing that waits for the value before.
//!
//! A value is a window of 16 bytes of the data, four windows to a register. What is found out about its bytes is one bit
//! each, 16 bits to a value, and a register for all 32 values: there the prefixes are found. The bits from the end of the
//! prefix to the end of the value say which bytes of the windows are pressed together, to be staged.
//!
//! What goes from scalar to vector registers or back goes through memory, which [`through_memory`] keeps the compiler from
//! replacing by moves of lanes: those all compete for one port.

use core::arch::x86_64::*;
use core::hint::black_box;

/// Values that are split together.
pub(super) const BATCH: usize = 32;

/// The most bytes that a value has.
pub(super) const LANE: usize = 16;

/// Splits the values that start at `at` in `data` and end `ends` bytes after it, unless one is longer than [`LANE`].
/// `previous` is where the value before them starts. With `STAGE` the suffixes go to `staged`. Gives the bytes of them.
///
/// # Safety
/// `previous` is at most `at`. All bytes of `data` up to [`LANE`] after the last end can be read. As many bytes as there are
/// from `at` to the last end, and 64 more, can be written to `staged`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt")]
pub(super) unsafe fn split<const STAGE: bool>(
    data: *const u8,
    [previous, at]: [usize; 2],
    ends: &[i32; BATCH],
    [prefixes, suffixes]: [&mut [i32; BATCH]; 2],
    staged: *mut u8,
) -> Option<usize> {
    let lengths = lengths(ends);
    let most = _mm512_set1_epi32(LANE as i32);
    // A negative length is very long.
    if (_mm512_cmpgt_epu32_mask(lengths[0], most) | _mm512_cmpgt_epu32_mask(lengths[1], most)) != 0 {
        return None;
    }
    // SAFETY: as no length is negative, each end is at most the last; and as the caller vouches.
    let windows = &unsafe { windows(data.add(at), through_memory(ends)) };
    let windows = through_memory(windows);
    // SAFETY: as the caller vouches.
    let before = unsafe { _mm_loadu_si128(data.add(previous).cast()) };
    let differ = differences(windows, before);

    // Bytes differ too that are past the end of the value, or of the one before.
    let all = _mm512_set1_epi16(-1);
    let past = _mm512_sllv_epi16(all, narrowed(lengths));
    let before = u16::MAX.unbounded_shl((at - previous) as u32);
    let past_before = _mm512_mask_permutexvar_epi16(_mm512_set1_epi16(before as i16), !1, one_back(), past);
    let differ = _mm512_or_si512(_mm512_or_si512(differ, past_before), past);
    put_lengths(differ, lengths, prefixes, suffixes);

    // All from the first difference on, but nothing that is past the end.
    let from_prefix = _mm512_or_si512(differ, _mm512_sub_epi16(_mm512_setzero_si512(), differ));
    let mut suffix_bytes = [0_u64; BATCH / 4];
    // SAFETY: as many bytes as there are.
    unsafe { _mm512_storeu_si512(suffix_bytes.as_mut_ptr().cast(), _mm512_andnot_si512(past, from_prefix)) }
    let mut bytes = 0;
    for (&window, &suffix) in windows.iter().zip(through_memory(&suffix_bytes)) {
        if STAGE {
            // SAFETY: what has been staged is not more than the values that it was taken from.
            unsafe { _mm512_storeu_si512(staged.add(bytes).cast(), _mm512_maskz_compress_epi8(suffix, window)) }
        }
        bytes += suffix.count_ones() as usize;
    }
    Some(bytes)
}

/// The lengths of values by their ends, in 32-bit lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn lengths(ends: &[i32; BATCH]) -> [__m512i; 2] {
    // SAFETY: two halves of 16.
    let (low, high) = unsafe {
        let ends = ends.as_ptr();
        (_mm512_loadu_si512(ends.cast()), _mm512_loadu_si512(ends.add(16).cast()))
    };
    [
        _mm512_sub_epi32(low, _mm512_alignr_epi32::<15>(low, _mm512_setzero_si512())),
        _mm512_sub_epi32(high, _mm512_alignr_epi32::<15>(high, low)),
    ]
}

/// 32-bit lanes as 16-bit lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn narrowed([low, high]: [__m512i; 2]) -> __m512i {
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(_mm512_cvtepi32_epi16(low)), _mm512_cvtepi32_epi16(high))
}

/// The first 16 bytes of the values, four to a register.
///
/// # Safety
/// From `data` and from each end but the last on, 16 bytes can be read.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn windows(data: *const u8, ends: &[i32; BATCH]) -> [__m512i; BATCH / 4] {
    let mut windows = [_mm512_setzero_si512(); BATCH / 4];
    for (index, window) in windows.iter_mut().enumerate() {
        let first = 4 * index;
        // A value starts where the one before it ends.
        let start = |value: usize| if value == 0 { 0 } else { ends[value - 1] as usize };
        // SAFETY: as the caller vouches.
        *window = unsafe {
            let load = |value: usize| _mm_loadu_si128(data.add(start(value)).cast());
            let lanes = _mm512_castsi128_si512(load(first));
            let lanes = _mm512_mask_broadcast_i32x4(lanes, 0x00F0, load(first + 1));
            let lanes = _mm512_mask_broadcast_i32x4(lanes, 0x0F00, load(first + 2));
            _mm512_mask_broadcast_i32x4(lanes, 0xF000, load(first + 3))
        };
    }
    windows
}

/// Which bytes of each window differ from the window before, the first one's from `before`: 16 bits to a window.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn differences(windows: &[__m512i; BATCH / 4], before: __m128i) -> __m512i {
    let mut differ = [0; BATCH / 4];
    let mut previous = _mm512_broadcast_i32x4(before);
    for (&window, differ) in windows.iter().zip(&mut differ) {
        // The last window of the register before, and all but the last of this one.
        *differ = _mm512_cmpneq_epi8_mask(window, _mm512_alignr_epi64::<6>(window, previous));
        previous = window;
    }
    // SAFETY: as many bytes as there are.
    unsafe { _mm512_loadu_si512(through_memory(&differ).as_ptr().cast()) }
}

/// Writes prefix and suffix lengths: a prefix ends at the first difference.
#[inline]
#[target_feature(enable = "avx512f,avx512cd")]
fn put_lengths(differ: __m512i, lengths: [__m512i; 2], prefixes: &mut [i32; BATCH], suffixes: &mut [i32; BATCH]) {
    let halves = [_mm512_castsi512_si256(differ), _mm512_extracti64x4_epi64::<1>(differ)];
    for (half, (differ, length)) in halves.into_iter().zip(lengths).enumerate() {
        let differ = _mm512_or_si512(_mm512_cvtepu16_epi32(differ), _mm512_set1_epi32(1 << LANE));
        let first = _mm512_and_si512(differ, _mm512_sub_epi32(_mm512_setzero_si512(), differ));
        let prefix = _mm512_sub_epi32(_mm512_set1_epi32(31), _mm512_lzcnt_epi32(first));
        // SAFETY: two halves of 16.
        unsafe {
            _mm512_storeu_si512(prefixes.as_mut_ptr().add(16 * half).cast(), prefix);
            _mm512_storeu_si512(suffixes.as_mut_ptr().add(16 * half).cast(), _mm512_sub_epi32(length, prefix));
        }
    }
}

/// For each 16-bit lane the one before.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn one_back() -> __m512i {
    let lanes: [i16; BATCH] = const {
        let mut lanes = [0; BATCH];
        let mut lane = 1;
        while lane < BATCH {
            lanes[lane] = lane as i16 - 1;
            lane += 1;
        }
        lanes
    };
    // SAFETY: as many bytes as there are.
    unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
}

/// Has the compiler forget what it knows of the array.
#[inline(always)]
fn through_memory<T, const N: usize>(array: &[T; N]) -> &[T; N] {
    black_box(array)
}
