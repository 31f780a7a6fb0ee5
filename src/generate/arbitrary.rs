//! `arbitrary::Arbitrary` for cases: the same draws, from the bytes of a fuzzer that knows nothing of cases.

use super::{Draw, Source};
use crate::case::Case;
use arbitrary::{Arbitrary, Result, Unstructured};

struct Bytes<'a, 'b>(&'a mut Unstructured<'b>);

impl Source for Bytes<'_, '_> {
    fn u64(&mut self) -> u64 {
        self.0.arbitrary().unwrap_or(0)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0.int_in_range(0..=bound - 1).unwrap_or(0)
    }
}

impl<'b, D: Draw> Arbitrary<'b> for Case<D> {
    fn arbitrary(bytes: &mut Unstructured<'b>) -> Result<Self> {
        let mut case = if bytes.arbitrary()? { Self::empty_encode() } else { Self::empty_decode() };
        case.draw(&mut Bytes(bytes));
        Ok(case)
    }
}
