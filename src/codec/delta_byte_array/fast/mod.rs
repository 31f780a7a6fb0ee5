//! DELTA_BYTE_ARRAY, fast.
//!
//! Encoding is three steps: `split` finds the prefixes, wide compares that differ by path; the two streams of lengths
//! are encoded; the suffixes follow. Where values are short, `split` also copies the suffixes, into working memory, while
//! it has the value at hand. Where they are long, a second pass copies them straight to their place. Where values repeat,
//! many are compared at once.

/// Defines functions that check the path, with a body that is compiled with the instructions of this kind of path.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled_for {
    ($kind:ident, $features:literal; $(fn $name:ident[$($generic:ident),*][$($parameter:tt)*](
        $($argument:ident: $type:ty),*
    ) -> $result:ty $body:block)*) => {$(
        pub(super) fn $name<$($parameter)*>(path: Path, $($argument: $type),*) -> $result {
            #[target_feature(enable = $features)]
            fn compiled<$($parameter)*>($($argument: $type),*) -> $result $body
            assert!(path.kind() == Kind::$kind);
            // SAFETY: a path of this kind proves that the processor has these features.
            unsafe { compiled::<$($generic),*>($($argument),*) }
        }
    )*};
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod decode;
#[cfg(test)]
mod kernel_tests;
mod portable;
mod reader;
mod rebuild;
mod split;
#[cfg(target_arch = "x86_64")]
mod wide;
mod writer;

pub use decode::decode_into_with;
pub use reader::PageReader;
pub use writer::PageWriter;

use alloc::vec::Vec;

use super::super::Path;
use super::super::byte_arrays::{Ends, FixedEnds, Form, Lengths, by_the_best_path};
use super::super::path::Kind;
use super::{ByteArrays, DecodeOptions, Geometry, Offset};
use crate::{DecodeError, EncodeError};

/// Working memory, in either direction. It belongs to the caller, grows when a page needs more than any page before, and
/// can be used for any column.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    prefixes: Lengths,
    suffixes: Lengths,
    /// Suffixes on their way to the page.
    staged: Vec<u8>,
    /// The value last read one by one; what a kernel keeps of a value.
    current: Vec<u8>,
}

impl Scratch {
    /// Empty: the first page makes room.
    pub fn new() -> Self {
        Self::default()
    }
}

by_the_best_path!(options: &DecodeOptions<'_>);

/// [`encoded_len`] by the named path.
///
/// # Errors
/// As the [contract](super) says.
pub fn encoded_len_with(
    path: Path,
    values: &ByteArrays<'_>,
    geometry: Geometry,
    scratch: &mut Scratch,
) -> Result<usize, EncodeError> {
    check_lengths(values)?;
    let bytes = split_into(path, values, scratch, None)?;
    Ok(scratch.prefixes.encode(path, geometry).len() + scratch.suffixes.encode(path, geometry).len() + bytes)
}

/// [`encode_into`] by the named path.
///
/// # Errors
/// As the [contract](super) says. `out` is untouched then.
pub fn encode_into_with(
    path: Path,
    values: &ByteArrays<'_>,
    geometry: Geometry,
    scratch: &mut Scratch,
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    let total = check_lengths(values)?;
    let stage = total <= MOST_STAGED && total <= MEAN_STAGED.saturating_mul(values.len());
    let bytes = split_into(path, values, scratch, stage.then_some(total))?;
    let prefixes = scratch.prefixes.encode(path, geometry);
    let suffixes = scratch.suffixes.encode(path, geometry);
    let needed = prefixes.len() + suffixes.len() + bytes;
    let available = out.len();
    let Some(out) = out.get_mut(..needed) else {
        return Err(EncodeError::BufferTooSmall { needed, available });
    };
    let (out_prefixes, out) = out.split_at_mut(prefixes.len());
    let (out_suffixes, out_bytes) = out.split_at_mut(suffixes.len());
    out_prefixes.copy_from_slice(prefixes);
    out_suffixes.copy_from_slice(suffixes);
    if stage {
        out_bytes.copy_from_slice(&scratch.staged[..bytes]);
    } else {
        copy_suffixes(path, values, [scratch.prefixes.get(), scratch.suffixes.get()], out_bytes);
    }
    Ok(needed)
}

/// Suffixes are staged when values have up to this many bytes on average: above, copying twice costs more than going
/// through the values twice.
const MEAN_STAGED: usize = 64;

/// The most bytes that are staged, which is memory that the scratch keeps.
const MOST_STAGED: usize = 1 << 26;

/// Bytes that a kernel may write past the suffixes that it stages.
const STAGE_SLACK: usize = 64;

/// Lets only columns through of which no value is longer than 2^31 - 1 bytes, and gives the bytes of all values.
fn check_lengths(values: &ByteArrays<'_>) -> Result<usize, EncodeError> {
    let total = match values.0 {
        Form::Slices(values) => values.iter().fold(0, |total: usize, value| total.saturating_add(value.len())),
        _ if values.is_empty() => 0,
        Form::Arrow32(offsets, _) => offsets[offsets.len() - 1].since(offsets[0]) as usize,
        Form::Arrow64(offsets, _) => offsets[offsets.len() - 1].since(offsets[0]) as usize,
        Form::FixedLen(_, data) => data.len(),
    };
    // No value is longer than all values.
    if total > i32::MAX as usize && values.iter().any(|value| value.len() > i32::MAX as usize) {
        return Err(first_fault(values));
    }
    Ok(total)
}

/// Splits the values into the scratch, and gives the bytes of all suffixes. Where the bytes of all values are given, suffixes
/// are staged.
fn split_into(
    path: Path,
    values: &ByteArrays<'_>,
    scratch: &mut Scratch,
    staged: Option<usize>,
) -> Result<usize, EncodeError> {
    let lengths = [scratch.prefixes.start(values.len()), scratch.suffixes.start(values.len())];
    let bytes = match staged {
        Some(total) => {
            let room = total + STAGE_SLACK;
            if scratch.staged.len() < room {
                scratch.staged.resize(room, 0);
            }
            split::<true>(path, values, lengths, &mut scratch.staged)
        }
        None => split::<false>(path, values, lengths, &mut []),
    };
    if bytes > i32::MAX as usize { Err(first_fault(values)) } else { Ok(bytes) }
}

/// Finds the prefix and suffix lengths of values that are at most 2^31 - 1 bytes long, and gives the bytes of all
/// suffixes. With `STAGE` the suffixes go to the start of `staged`, which has [`STAGE_SLACK`] bytes more than all values.
fn split<const STAGE: bool>(path: Path, values: &ByteArrays<'_>, lengths: [&mut [i32]; 2], staged: &mut [u8]) -> usize {
    match values.0 {
        _ if values.is_empty() => 0,
        Form::Arrow32(offsets, data) => split_run::<_, STAGE>(path, data, offsets, lengths, staged),
        Form::Arrow64(offsets, data) => split_run::<_, STAGE>(path, data, offsets, lengths, staged),
        Form::FixedLen(width, data) => split_run::<_, STAGE>(path, data, FixedEnds::new(width, data), lengths, staged),
        Form::Slices(values) => match path.kind() {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => avx512::split_slices::<STAGE>(path, values, lengths, staged),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => avx2::split_slices::<STAGE>(path, values, lengths, staged),
            _ => split::slices::<_, STAGE>(portable::Portable::<16>, values, lengths, staged),
        },
    }
}

/// [`split`] for values that lie back to back; there is one at least.
fn split_run<E: Ends, const STAGE: bool>(
    path: Path,
    data: &[u8],
    ends: E,
    lengths: [&mut [i32]; 2],
    staged: &mut [u8],
) -> usize {
    match path.kind() {
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512 => avx512::split_run::<E, STAGE>(path, data, ends, lengths, staged),
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2 => avx2::split_run::<E, STAGE>(path, data, ends, lengths, staged),
        // What is copied of a suffix at least; most should take no more.
        _ if ends.mean() <= 16 => split::run::<_, E, STAGE>(portable::Portable::<16>, data, ends, lengths, staged),
        _ => split::run::<_, E, STAGE>(portable::Portable::<64>, data, ends, lengths, staged),
    }
}

/// Copies the suffixes to `out`, which is just as long as all of them; there is one at least.
fn copy_suffixes(path: Path, values: &ByteArrays<'_>, lengths: [&[i32]; 2], out: &mut [u8]) {
    match values.0 {
        Form::Arrow32(offsets, data) => copy_suffixes_of_run(path, data, offsets, lengths, out),
        Form::Arrow64(offsets, data) => copy_suffixes_of_run(path, data, offsets, lengths, out),
        Form::FixedLen(width, data) => copy_suffixes_of_run(path, data, FixedEnds::new(width, data), lengths, out),
        Form::Slices(values) => match path.kind() {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => avx512::copy_suffixes_of_slices(path, values, lengths[1], out),
            _ => split::copy_suffixes_of_slices(portable::Portable::<16>, values, lengths[1], out),
        },
    }
}

/// [`copy_suffixes`] of values that lie back to back; there is one at least.
fn copy_suffixes_of_run<E: Ends>(path: Path, data: &[u8], ends: E, lengths: [&[i32]; 2], out: &mut [u8]) {
    match path.kind() {
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512 => avx512::copy_suffixes(path, data, ends, lengths, out),
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2 => avx2::copy_suffixes(path, data, ends, lengths, out),
        _ => split::copy_suffixes(portable::Portable::<64>, data, ends, lengths, out),
    }
}

/// The error for values of which one is too long, or of which the suffixes take more than 2^31 - 1 bytes.
#[cold]
fn first_fault(values: &ByteArrays<'_>) -> EncodeError {
    let mut bytes = 0;
    let mut previous: &[u8] = &[];
    for (index, value) in values.iter().enumerate() {
        if value.len() > i32::MAX as usize {
            return EncodeError::ValueTooLong { index, len: value.len() };
        }
        bytes += value.len() - portable::common_prefix(previous, value);
        if bytes > i32::MAX as usize {
            return EncodeError::PageTooLong { index, len: bytes };
        }
        previous = value;
    }
    unreachable!("called for values of which one is at fault")
}
