//! AVX-512 kernels (with VBMI, and VBMI2 for BYTE_ARRAY): byte permutations of whole registers. The last values of a
//! column are loaded and stored under masks.

mod byte_array;
mod decode;
mod encode;
mod intake;
mod register;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;

pub use byte_array::{byte_array_len, encode_byte_array};
#[cfg(feature = "rust_decimal")]
pub use rust_decimal::{decode_rust_decimal, encode_rust_decimal};

use self::intake::Intake;
use super::form;
use super::lanes::{Lane, Order, bytes, bytes_mut};

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2")]
pub fn encode<T: Lane, const SIZE: usize, const FORM: u8>(
    values: &[T],
    width: usize,
    order: Order,
    range: Option<(T, T)>,
    out: &mut [u8],
) -> bool {
    if FORM == form::I128_NARROW && width <= 8 {
        let mut intake = Intake::<{ form::I128_LOW }>::new(range);
        encode::encode::<16, _>(bytes(values), width, encode::low_table(width, order), &mut intake, out);
        return intake.passed();
    }
    let mut intake = Intake::<FORM>::new(range);
    encode::encode::<SIZE, FORM>(bytes(values), width, encode::table::<SIZE>(width, order), &mut intake, out);
    intake.passed()
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2")]
pub fn decode<T: Lane, const SIZE: usize, const FORM: u8>(
    src: &[u8],
    width: usize,
    order: Order,
    range: Option<(T, T)>,
    out: &mut [T],
) -> bool {
    if let (16 | 32, Some(limit)) = (SIZE, form::top_limit(range, width, order)) {
        let intake = Intake::new(Some((-limit, limit)));
        return decode::decode::<SIZE, { form::TOP }>(src, width, order, intake, bytes_mut(out))
            || range.is_none_or(|range| T::all_within(out, range));
    }
    decode::decode::<SIZE, FORM>(src, width, order, Intake::new(range), bytes_mut(out))
}
