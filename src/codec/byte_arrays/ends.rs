//! Where values end that lie back to back: in an Arrow array, or with one length for all.

use super::Offset;

/// The ends of values that lie back to back. They never fall.
pub(in crate::codec) trait Ends: Copy {
    /// Where the first value starts.
    fn start(self) -> usize;

    /// Bytes of a value, on average.
    fn mean(self) -> usize;

    /// Where each value ends.
    fn iter(self) -> impl Iterator<Item = usize>;

    /// All but the first `count` values.
    fn skip(self, count: usize) -> Self;

    /// Where the first `N` values end, counted from the start of the first. `None` when there are fewer, or when they take
    /// more than 2^31 - 1 bytes.
    fn batch<const N: usize>(self) -> Option<[i32; N]>;
}

/// The offsets of a [`Form`](super::Form) that is not empty.
impl<O: Offset> Ends for &[O] {
    #[inline(always)]
    fn start(self) -> usize {
        self[0].to_i64() as usize
    }

    #[inline(always)]
    fn mean(self) -> usize {
        let last = self.len() - 1;
        self[last].since(self[0]).to_i64() as usize / last
    }

    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = usize> {
        self[1..].iter().map(|&offset| offset.to_i64() as usize)
    }

    #[inline(always)]
    fn skip(self, count: usize) -> Self {
        &self[count..]
    }

    #[inline(always)]
    fn batch<const N: usize>(self) -> Option<[i32; N]> {
        let ends = self[1..].first_chunk::<N>()?;
        i32::try_from(ends[N - 1].since(self[0]).to_i64()).ok()?;
        Some(ends.map(|end| end.since(self[0]).to_i64() as i32))
    }
}

/// Values of one length.
#[derive(Clone, Copy)]
pub(in crate::codec) struct FixedEnds {
    start: usize,
    width: usize,
    count: usize,
}

impl FixedEnds {
    /// Of as many values of `width` bytes as `data` has.
    pub(in crate::codec) fn new(width: usize, data: &[u8]) -> Self {
        Self { start: 0, width, count: data.len() / width }
    }
}

impl Ends for FixedEnds {
    #[inline(always)]
    fn start(self) -> usize {
        self.start
    }

    #[inline(always)]
    fn mean(self) -> usize {
        self.width
    }

    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = usize> {
        (1..self.count + 1).map(move |index| self.start + index * self.width)
    }

    #[inline(always)]
    fn skip(self, count: usize) -> Self {
        Self { start: self.start + count * self.width, count: self.count - count, ..self }
    }

    #[inline(always)]
    fn batch<const N: usize>(self) -> Option<[i32; N]> {
        i32::try_from(self.width.checked_mul(N)?).ok().filter(|_| self.count >= N)?;
        Some(core::array::from_fn(|index| (self.width * (index + 1)) as i32))
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec::Vec};

    use super::*;

    /// After any number of values, `ends` tells of the others what `all` does, which begins with where the first one starts.
    fn check_ends(ends: impl Ends, all: &[usize]) {
        for skipped in 0..all.len() - 1 {
            let (rest, all) = (ends.skip(skipped), &all[skipped..]);
            let context = format!("{skipped} skipped, of {all:?}");
            let batch = |count: usize| {
                (all.len() > count).then(|| all[1..=count].iter().map(|end| (end - all[0]) as i32).collect())
            };
            assert_eq!((rest.start(), rest.iter().collect::<Vec<_>>()), (all[0], all[1..].to_vec()), "{context}");
            assert_eq!(rest.mean(), (all[all.len() - 1] - all[0]) / (all.len() - 1), "{context}");
            assert_eq!(rest.batch::<1>().map(Vec::from), batch(1), "{context}");
            assert_eq!(rest.batch::<3>().map(Vec::from), batch(3), "{context}");
        }
    }

    #[test]
    fn ends_are_told_of_what_is_left() {
        let offsets = [2i32, 7, 7, 30, 31, 50];
        let all = offsets.map(|offset| offset as usize);
        check_ends(&offsets[..], &all);
        check_ends(&offsets.map(i64::from)[..], &all);
        check_ends(FixedEnds::new(5, &[0; 20]), &[0, 5, 10, 15, 20]);
        assert_eq!((&[1i64, 5 << 30][..]).batch::<1>(), None);
        let wide = FixedEnds { start: 0, width: 1 << 30, count: 2 };
        assert_eq!((wide.batch::<1>(), wide.batch::<2>()), (Some([1 << 30]), None));
    }
}
