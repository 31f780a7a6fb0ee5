//! Offsets of Arrow arrays: `i32` (Binary, Utf8) or `i64` (LargeBinary, LargeUtf8).

use super::Form;
use crate::EncodeError;

mod sealed {
    pub trait Sealed {}
    impl Sealed for i32 {}
    impl Sealed for i64 {}
}

/// `i32` or `i64`: where a value of an Arrow array starts in its data, in bytes.
pub trait Offset: Copy + Ord + sealed::Sealed + 'static {
    /// The largest offset, or the largest `Vec` where that is smaller.
    const LIMIT: usize;
    /// Offset 0.
    const ZERO: Self;

    /// `bytes` as an offset. The caller has compared `bytes` with [`LIMIT`](Self::LIMIT).
    fn from_bytes(bytes: usize) -> Self;

    /// The offset as a number.
    fn to_i64(self) -> i64;

    /// Bytes from `start` on, which is not above it.
    fn since(self, start: Self) -> Self;

    #[doc(hidden)]
    #[expect(private_interfaces, reason = "the trait is sealed, nobody else calls this")]
    fn form<'a>(offsets: &'a [Self], data: &'a [u8]) -> Form<'a>;
}

impl Offset for i32 {
    const LIMIT: usize = i32::MAX as usize;
    const ZERO: Self = 0;

    #[inline(always)]
    fn from_bytes(bytes: usize) -> Self {
        bytes as i32
    }

    #[inline(always)]
    fn to_i64(self) -> i64 {
        self.into()
    }

    #[inline(always)]
    fn since(self, start: Self) -> Self {
        self.wrapping_sub(start)
    }

    #[expect(private_interfaces, reason = "the trait is sealed, nobody else calls this")]
    fn form<'a>(offsets: &'a [Self], data: &'a [u8]) -> Form<'a> {
        Form::Arrow32(offsets, data)
    }
}

impl Offset for i64 {
    const LIMIT: usize = isize::MAX as usize;
    const ZERO: Self = 0;

    #[inline(always)]
    fn from_bytes(bytes: usize) -> Self {
        bytes as i64
    }

    #[inline(always)]
    fn to_i64(self) -> i64 {
        self
    }

    #[inline(always)]
    fn since(self, start: Self) -> Self {
        self.wrapping_sub(start)
    }

    #[expect(private_interfaces, reason = "the trait is sealed, nobody else calls this")]
    fn form<'a>(offsets: &'a [Self], data: &'a [u8]) -> Form<'a> {
        Form::Arrow64(offsets, data)
    }
}

/// Offsets must rise from at least 0 to at most `data_len`.
///
/// The usual case is one pass without branches; only when it fails is the first bad offset looked for.
pub(super) fn check<O: Offset>(offsets: &[O], data_len: usize) -> Result<(), EncodeError> {
    let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else { return Ok(()) };
    let max = i64::try_from(data_len).unwrap_or(i64::MAX);
    let falls = offsets.iter().zip(&offsets[1..]).fold(false, |falls, (a, b)| falls | (a > b));
    if !falls && first.to_i64() >= 0 && last.to_i64() <= max {
        return Ok(());
    }
    let mut min = 0;
    for (index, offset) in offsets.iter().enumerate() {
        let offset = offset.to_i64();
        if offset < min || offset > max {
            return Err(EncodeError::OffsetOutOfRange { index, offset, min, max });
        }
        min = offset;
    }
    Ok(())
}
