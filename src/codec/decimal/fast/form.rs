//! The forms of the range check in the SIMD kernels: which one is cheapest for a type and its bounds. A form is a
//! constant of the kernel, so that each loop has one, and no branches.

use super::lanes::{Lane, Order};

/// Nothing is checked.
pub const NONE: u8 = 0;
/// 32-bit values: the smallest and the largest are kept.
pub const I32: u8 = 1;
/// 64-bit values, likewise.
pub const I64: u8 = 2;
/// 128-bit values, bounds of 63 bits: as for 64 bits, and the high word must be the sign of the low one.
pub const I128_NARROW: u8 = 3;
/// The same, to be written in 8 bytes at most: taken in as the low words of all values.
pub const I128_LOW: u8 = 4;
/// 128-bit values, inverted where negative: two words against the bound.
pub const I128: u8 = 5;
/// 256-bit values, inverted where negative: four words against the bound.
pub const I256: u8 = 6;
/// `rust_decimal` values of 8 bytes at most, bounds of 63 bits: taken in as the low words of all values.
pub const DECIMAL_LOW: u8 = 7;
/// `rust_decimal` values: taken in as values of 128 bits.
pub const DECIMAL: u8 = 8;
/// Big-endian items of more than 8 bytes, to be read: by their first eight. Finds values near the bounds, too.
pub const TOP: u8 = 9;

/// For the form [`TOP`]: items of `width` bytes whose first eight, as a signed number, have at most this magnitude are in
/// `range`. `None` where that says too little.
pub fn top_limit<T: Lane>(range: Option<(T, T)>, width: usize, order: Order) -> Option<i64> {
    let (_, max) = range?;
    if width <= 8 || order == Order::Little {
        return None;
    }
    let bytes: [u8; 32] = core::array::from_fn(|i| (max.words()[i / 8] >> (i % 8 * 8)) as u8);
    let (below, above) = bytes.split_at(width.min(32));
    let top = match u64::from_le_bytes(*below.last_chunk()?) {
        top if above.iter().all(|byte| *byte == 0) => i64::try_from(top).unwrap_or(i64::MAX),
        _ => i64::MAX,
    };
    // With few bits, ordinary values would be near the bounds.
    (top >= 1 << 16).then_some(top - 1)
}

/// The form for a type and a range.
pub fn of<T: Lane>(range: Option<(T, T)>) -> u8 {
    let Some((_, max)) = range else { return NONE };
    match (size_of::<T>(), max.words()) {
        (4, _) => I32,
        (8, _) => I64,
        (16, [low, 0, ..]) if low >> 63 == 0 => I128_NARROW,
        (16, _) => I128,
        _ => I256,
    }
}

/// `$module::$function::<T, SIZE, FORM>($arguments)` for the size of `T` and the form of `$range`.
macro_rules! by_form {
    ($type:ty, $range:expr, $module:ident::$function:ident($($argument:expr),*)) => {{
        use $crate::codec::decimal::fast::form;
        match (size_of::<$type>(), form::of::<$type>($range)) {
            (4, form::NONE) => $module::$function::<$type, 4, { form::NONE }>($($argument),*),
            (4, _) => $module::$function::<$type, 4, { form::I32 }>($($argument),*),
            (8, form::NONE) => $module::$function::<$type, 8, { form::NONE }>($($argument),*),
            (8, _) => $module::$function::<$type, 8, { form::I64 }>($($argument),*),
            (16, form::NONE) => $module::$function::<$type, 16, { form::NONE }>($($argument),*),
            (16, form::I128) => $module::$function::<$type, 16, { form::I128 }>($($argument),*),
            (16, _) => $module::$function::<$type, 16, { form::I128_NARROW }>($($argument),*),
            (_, form::NONE) => $module::$function::<$type, 32, { form::NONE }>($($argument),*),
            (_, _) => $module::$function::<$type, 32, { form::I256 }>($($argument),*),
        }
    }};
}
pub(super) use by_form;
