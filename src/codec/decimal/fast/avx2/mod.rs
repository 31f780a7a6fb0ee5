//! AVX2 kernels: byte shuffles inside lanes of 16 bytes. The last values of a column, for which whole registers would
//! not do, go through the portable kernels, and so do widths beyond the size of a value.

mod check;
mod decode;
mod encode;
mod register;

use self::check::Check;
use super::form;
use super::lanes::{Lane, Order, bytes, bytes_mut};
use super::{byte_array, portable};

#[target_feature(enable = "avx2")]
pub fn encode<T: Lane, const SIZE: usize, const FORM: u8>(
    values: &[T],
    width: usize,
    order: Order,
    range: Option<(T, T)>,
    out: &mut [u8],
) -> bool {
    let mut check = Check::<FORM>::new(range);
    let done = encode::encode::<SIZE, FORM>(bytes(values), width, order, &mut check, out);
    let rest = portable::encode(&values[done..], width, order, range, &mut out[done * width..]);
    check.passed() && rest
}

#[target_feature(enable = "avx2")]
pub fn decode<T: Lane, const SIZE: usize, const FORM: u8>(
    src: &[u8],
    width: usize,
    order: Order,
    range: Option<(T, T)>,
    out: &mut [T],
) -> bool {
    let (done, passed) = if let (16 | 32, Some(limit)) = (SIZE, form::top_limit(range, width, order)) {
        let mut check = Check::<{ form::TOP }>::new(Some((-limit, limit)));
        let done = decode::decode::<SIZE, { form::TOP }>(src, width, order, &mut check, bytes_mut(out));
        (done, check.passed() || range.is_none_or(|range| T::all_within(&out[..done], range)))
    } else {
        let mut check = Check::<FORM>::new(range);
        (decode::decode::<SIZE, FORM>(src, width, order, &mut check, bytes_mut(out)), check.passed())
    };
    let rest = portable::decode(&src[done * width..], width, order, range, &mut out[done..]);
    passed && rest
}

/// The portable code, compiled with the instructions of this path: counts of leading zeros above all.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe")]
pub fn byte_array_len(values: &[i128], range: Option<(i128, i128)>) -> Option<usize> {
    byte_array::len(values, range)
}

/// As above.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe")]
pub fn encode_byte_array(values: &[i128], out: &mut [u8]) -> usize {
    byte_array::encode(values, out)
}
