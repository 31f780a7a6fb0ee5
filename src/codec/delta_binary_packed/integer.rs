//! The two types that the encoding is defined for.

use core::fmt::Debug;
use core::hash::Hash;

/// A value of an INT32 (`i32`) or INT64 (`i64`) column.
pub trait Integer: sealed::Sealed + Copy + Default + Ord + Hash + Debug + Send + Sync + 'static {
    /// Bits of the type: the most that a packed delta takes.
    const BITS: u32;

    /// The value, widened.
    fn to_i64(self) -> i64;

    /// The value, if it is one of the type.
    fn from_i64(value: i64) -> Option<Self>;
}

/// Keeps the trait to these two types, whose kernels are in `fast`.
pub(super) mod sealed {
    pub trait Sealed: super::super::fast::Word {}
    impl Sealed for i32 {}
    impl Sealed for i64 {}
}

impl Integer for i32 {
    const BITS: u32 = 32;

    #[inline]
    fn to_i64(self) -> i64 {
        i64::from(self)
    }

    #[inline]
    fn from_i64(value: i64) -> Option<Self> {
        value.try_into().ok()
    }
}

impl Integer for i64 {
    const BITS: u32 = 64;

    #[inline]
    fn to_i64(self) -> i64 {
        self
    }

    #[inline]
    fn from_i64(value: i64) -> Option<Self> {
        Some(value)
    }
}
