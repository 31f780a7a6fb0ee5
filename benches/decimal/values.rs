//! The values of the races, and what the types that hold them have in common.

use bytetwin::codec::decimal::{Column, ColumnOptions, I256, Physical, Values, ValuesMut, max_precision, naive};

/// A machine integer that columns are made of.
pub trait Unscaled: Copy + PartialEq + std::fmt::Debug + 'static {
    const NAME: &'static str;
    const ZERO: Self;
    /// At most 10^precision - 1 in magnitude, uniformly.
    fn random(random: &mut fastrand::Rng, precision: u32) -> Self;
    /// What everybody writes first.
    fn bare_loop(values: &[Self], width: usize, out: &mut [u8]);
    fn values(values: &[Self]) -> Values<'_>;
    fn values_mut(values: &mut [Self]) -> ValuesMut<'_>;
}

macro_rules! unscaled {
    ($($type:ty)*) => { $(
        impl Unscaled for $type {
            const NAME: &'static str = stringify!($type);
            const ZERO: Self = 0;

            fn random(random: &mut fastrand::Rng, precision: u32) -> Self {
                // The type may hold fewer digits than were asked for.
                let max = (10 as $type).checked_pow(precision).map_or(<$type>::MAX, |power| power - 1);
                let magnitude = (random.u128(..) % (max as u128 + 1)) as $type;
                if random.bool() { magnitude } else { -magnitude }
            }

            fn bare_loop(values: &[Self], width: usize, out: &mut [u8]) {
                for (item, value) in out.chunks_exact_mut(width).zip(values) {
                    item.copy_from_slice(&value.to_be_bytes()[size_of::<Self>() - width..]);
                }
            }

            fn values(values: &[Self]) -> Values<'_> {
                values.into()
            }

            fn values_mut(values: &mut [Self]) -> ValuesMut<'_> {
                values.into()
            }
        }
    )* };
}

unscaled! { i32 i64 i128 }

impl Unscaled for I256 {
    const NAME: &'static str = "i256";
    const ZERO: Self = I256::ZERO;

    fn random(random: &mut fastrand::Rng, precision: u32) -> Self {
        let max = I256::max_of_precision(precision).expect("a precision of 256 bits");
        let bits = 256 - max.to_be_bytes().iter().position(|b| *b != 0).unwrap_or(31) * 8;
        loop {
            let mut bytes = [0; 32];
            random.fill(&mut bytes[32 - bits / 8..]);
            let value = I256::from_be_bytes(bytes);
            if value >= I256::ZERO && value <= max {
                return if random.bool() { value } else { value.wrapping_neg() };
            }
        }
    }

    fn bare_loop(values: &[Self], width: usize, out: &mut [u8]) {
        for (item, value) in out.chunks_exact_mut(width).zip(values) {
            item.copy_from_slice(&value.to_be_bytes()[32 - width..]);
        }
    }

    fn values(values: &[Self]) -> Values<'_> {
        values.into()
    }

    fn values_mut(values: &mut [Self]) -> ValuesMut<'_> {
        values.into()
    }
}

/// A column, its values and the bytes that the naive twin makes of them.
pub struct Input<T> {
    pub column: Column,
    pub values: Vec<T>,
    pub encoded: Vec<u8>,
}

impl<T: Unscaled> Input<T> {
    pub fn fixed(count: usize, width: usize) -> Self {
        let precision = max_precision(width as u32).min(76) as u32;
        Self::new(count, precision, Physical::Fixed(width as u32))
    }

    pub fn new(count: usize, precision: u32, physical: Physical) -> Self {
        let mut random = fastrand::Rng::with_seed(1);
        let values: Vec<T> = (0..count).map(|_| T::random(&mut random, precision)).collect();
        let column = Column::new(precision, 0, physical).expect("a precision that the type holds");
        let encoded =
            naive::encode(T::values(&values), &column, ColumnOptions::default()).expect("values of the precision");
        Self { column, values, encoded }
    }
}

/// The buffers that contenders write to.
pub struct Buffers<T> {
    pub bytes: Vec<u8>,
    pub values: Vec<T>,
}
