//! What a kernel does, and the kernels in safe code.

use super::Word;
use crate::codec::delta_binary_packed::Integer;

/// The inner loops: all that differs from path to path.
///
/// A chunk is 32 values: the unit in which miniblocks come, and `4 * width` whole bytes.
pub trait Kernel<T: Word>: Copy {
    /// The last value decoded, in whatever form the kernel carries it from chunk to chunk.
    type Carry: Copy;

    /// The least delta of a block, in whatever form the kernel adds it to a chunk.
    type Step: Copy;

    /// 32 deltas, less the least one of the block.
    type Deltas: Copy;

    /// The least difference of neighbours. There are at least two values.
    fn min_delta(self, values: &[T]) -> T;

    /// The 32 differences of neighbours, less `min`.
    fn deltas(self, values: &[T; 33], min: T) -> Self::Deltas;

    /// 32 deltas of no width.
    fn zero_deltas(self) -> Self::Deltas;

    /// Bitwise: has the width of the wider of two chunks.
    fn or(self, deltas: Self::Deltas, others: Self::Deltas) -> Self::Deltas;

    /// The bits that the largest of the deltas takes.
    fn width(self, deltas: &Self::Deltas) -> usize;

    /// Packs the deltas into the first `4 * width` bytes of `out`. May write to the 64 bytes after those too, if `loose`
    /// says that they will be written again.
    fn pack(self, deltas: &Self::Deltas, width: usize, out: &mut [u8], loose: bool);

    /// The differences of 129 neighbours: of four chunks.
    type Group: Copy;

    /// The 128 differences of neighbours.
    fn group(self, values: &[T; 129]) -> Self::Group;

    /// The least of the differences.
    fn min_of_group(self, group: &Self::Group) -> T;

    /// The differences, less `min`.
    fn less(self, group: &Self::Group, min: T) -> Self::Group;

    /// The widths of the four chunks.
    fn widths(self, group: &Self::Group) -> [u8; 4];

    /// Packs the four chunks at these widths; gives the bytes written. As in [`pack`](Self::pack), `loose` allows to write
    /// to the 64 bytes after those.
    fn pack_group(self, group: &Self::Group, widths: [u8; 4], out: &mut [u8], loose: bool) -> usize;

    /// `value` as a carry.
    fn carry(self, value: T) -> Self::Carry;

    /// A carry as a value.
    fn value(self, carry: Self::Carry) -> T;

    /// `min` as a step.
    fn step(self, min: T) -> Self::Step;

    /// Unpacks the chunk in the first `4 * width` bytes of `bytes`, adds the step to each delta, and sums up from `carry`.
    fn unpack(self, bytes: &[u8], width: usize, step: Self::Step, carry: Self::Carry, out: &mut [T; 32])
    -> Self::Carry;
}

/// The kernels in safe code.
#[derive(Clone, Copy)]
pub struct Portable {
    /// Whether vectors of 64-bit lanes can be compared, which SSE2 does not.
    pub compares_64: bool,
}

impl Portable {
    /// The least of `deltas`, of which there is one at least.
    #[inline(always)]
    fn min<T: Word + Integer>(self, mut deltas: impl Iterator<Item = T>) -> T {
        let mut min = T::LARGEST;
        if T::BITS == 32 || self.compares_64 {
            return deltas.fold(min, |min, delta| min.min(delta));
        }
        // A loop that can end early is compiled to a compare and a move per value: better than emulated vectors.
        deltas.try_for_each(|delta| {
            min = min.min(delta);
            (min != T::SMALLEST).then_some(())
        });
        min
    }
}

impl<T: Word + Integer> Kernel<T> for Portable {
    type Deltas = [T; 32];
    type Group = [T; 128];
    type Carry = T;
    type Step = T;

    #[inline(always)]
    fn min_delta(self, values: &[T]) -> T {
        self.min(values[1..].iter().zip(values).map(|(&next, &value)| next.sub(value)))
    }

    #[inline(always)]
    fn deltas(self, values: &[T; 33], min: T) -> [T; 32] {
        let mut deltas = [T::default(); 32];
        for (index, delta) in deltas.iter_mut().enumerate() {
            *delta = values[index + 1].sub(values[index]).sub(min);
        }
        deltas
    }

    #[inline(always)]
    fn zero_deltas(self) -> [T; 32] {
        [T::default(); 32]
    }

    #[inline(always)]
    fn or(self, mut deltas: [T; 32], others: [T; 32]) -> [T; 32] {
        for (delta, other) in deltas.iter_mut().zip(others) {
            *delta = delta.or(other);
        }
        deltas
    }

    #[inline(always)]
    fn width(self, deltas: &[T; 32]) -> usize {
        let any = deltas.iter().fold(T::default(), |any, &delta| any.or(delta));
        (u64::BITS - any.bits().leading_zeros()) as usize
    }

    #[inline(always)]
    fn pack(self, deltas: &[T; 32], width: usize, out: &mut [u8], _loose: bool) {
        T::PACK[width](deltas, out);
    }

    #[inline(always)]
    fn group(self, values: &[T; 129]) -> [T; 128] {
        let mut deltas = [T::default(); 128];
        for (index, delta) in deltas.iter_mut().enumerate() {
            *delta = values[index + 1].sub(values[index]);
        }
        deltas
    }

    #[inline(always)]
    fn min_of_group(self, group: &[T; 128]) -> T {
        self.min(group.iter().copied())
    }

    #[inline(always)]
    fn less(self, group: &[T; 128], min: T) -> [T; 128] {
        let mut less = *group;
        less.iter_mut().for_each(|delta| *delta = delta.sub(min));
        less
    }

    #[inline(always)]
    fn widths(self, group: &[T; 128]) -> [u8; 4] {
        let mut widths = [0; 4];
        for (chunk, width) in group.as_chunks().0.iter().zip(&mut widths) {
            *width = self.width(chunk) as u8;
        }
        widths
    }

    #[inline(always)]
    fn pack_group(self, group: &[T; 128], widths: [u8; 4], out: &mut [u8], loose: bool) -> usize {
        let mut at = 0;
        for (chunk, width) in group.as_chunks().0.iter().zip(widths) {
            self.pack(chunk, usize::from(width), &mut out[at..], loose);
            at += 4 * usize::from(width);
        }
        at
    }

    #[inline(always)]
    fn carry(self, value: T) -> T {
        value
    }

    #[inline(always)]
    fn value(self, carry: T) -> T {
        carry
    }

    #[inline(always)]
    fn step(self, min: T) -> T {
        min
    }

    #[inline(always)]
    fn unpack(self, bytes: &[u8], width: usize, step: T, carry: T, out: &mut [T; 32]) -> T {
        T::UNPACK[width](bytes, step, carry, out);
        out[31]
    }
}
