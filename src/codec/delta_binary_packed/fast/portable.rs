//! What a kernel does, and the kernels in safe code.

use super::Word;
use super::miniblocks::Miniblocks;
use super::varint;
use crate::codec::delta_binary_packed::Integer;

/// Differences that are looked at together: the smallest block.
pub const GROUP: usize = 128;

/// The inner loops: all that differs from path to path.
///
/// A chunk is 32 values: the unit in which miniblocks come, and `4 * width` whole bytes.
pub trait Kernel<T: Word>: Copy {
    /// The last value decoded, in whatever form the kernel carries it from chunk to chunk.
    type Carry: Copy;

    /// The least delta of a block, in whatever form the kernel adds it to a chunk.
    type Step: Copy;

    /// What is kept of the differences of a group to find their widths.
    type Span: Copy;

    /// Of a group that was not looked at.
    fn no_span(self) -> Self::Span;

    /// The 128 differences of neighbours; gives the least.
    fn differences(self, values: &[T; GROUP + 1], deltas: &mut [T; GROUP]) -> (T, Self::Span);

    /// For each chunk the bits that the largest difference of its miniblock has over `min`, which is not above any. A miniblock
    /// is one, two or four chunks.
    fn widths(self, deltas: &[T; GROUP], span: &Self::Span, min: T, chunks: usize) -> [u8; 4];

    /// Packs what the differences have over `min`, each chunk at its width, into the front of `out`; gives the bytes written.
    /// May write to the 64 bytes after those, too, where `out` has them.
    fn pack(self, chunks: &[[T; 32]], min: T, widths: &[u8], out: &mut [u8]) -> usize;

    /// Writes a number to the front of `out`, and gives its length. May write to so many bytes after it, too, which `out` has.
    #[inline(always)]
    fn put_number(self, out: &mut [u8], value: u64, _after: usize) -> usize {
        varint::put(out, value)
    }

    /// The number at the front of `bytes`, and its length; nothing if it is wrong, or too near to the end to be read at once.
    #[inline(always)]
    fn number(self, bytes: &[u8]) -> Option<(u64, usize)> {
        varint::front(bytes)
    }

    /// `value` as a carry.
    fn carry(self, value: T) -> Self::Carry;

    /// A carry as a value.
    fn value(self, carry: Self::Carry) -> T;

    /// `min` as a step.
    fn step(self, min: T) -> Self::Step;

    /// Unpacks `miniblocks`, adds the step to each delta, and sums up from `carry`. `out` is as many chunks as those have.
    fn unpack(
        self,
        miniblocks: Miniblocks<'_>,
        step: Self::Step,
        carry: Self::Carry,
        out: &mut [[T; 32]],
    ) -> Self::Carry;
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
    type Span = ();
    type Carry = T;
    type Step = T;

    #[inline(always)]
    fn no_span(self) {}

    #[inline(always)]
    fn differences(self, values: &[T; GROUP + 1], deltas: &mut [T; GROUP]) -> (T, ()) {
        for (index, delta) in deltas.iter_mut().enumerate() {
            *delta = values[index + 1].sub(values[index]);
        }
        (self.min(deltas.iter().copied()), ())
    }

    #[inline(always)]
    fn widths(self, deltas: &[T; GROUP], (): &(), min: T, chunks: usize) -> [u8; 4] {
        let mut any = [T::default(); 4];
        for (chunk, any) in deltas.as_chunks::<32>().0.iter().zip(&mut any) {
            *any = chunk.iter().fold(T::default(), |any, &delta| any.or(delta.sub(min)));
        }
        let [a, b, c, d] = any;
        let any = match chunks {
            1 => any,
            2 => [a.or(b), a.or(b), c.or(d), c.or(d)],
            _ => [a.or(b).or(c.or(d)); 4],
        };
        any.map(|any| (u64::BITS - any.bits().leading_zeros()) as u8)
    }

    #[inline(always)]
    fn pack(self, chunks: &[[T; 32]], min: T, widths: &[u8], out: &mut [u8]) -> usize {
        let mut at = 0;
        for (chunk, &width) in chunks.iter().zip(widths) {
            let less = chunk.map(|delta| delta.sub(min));
            T::PACK[usize::from(width)](&less, &mut out[at..]);
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
    fn unpack(self, miniblocks: Miniblocks<'_>, step: T, mut carry: T, mut out: &mut [[T; 32]]) -> T {
        let mut bytes = miniblocks.bytes();
        for &width in miniblocks.widths() {
            let width = usize::from(width);
            let chunks = out.split_off_mut(..miniblocks.chunks_of_each()).expect("`out` is as many chunks");
            for chunk in chunks {
                T::UNPACK[width](bytes, step, carry, chunk);
                carry = chunk[31];
                bytes = &bytes[4 * width..];
            }
        }
        carry
    }
}
