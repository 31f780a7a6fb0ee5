//! Numbers beyond 256 bits, for the rare columns that need them.

use alloc::vec::Vec;

/// An unsigned integer of any size: words, least significant first, none of them a leading zero. The first 64 words (4096
/// bits, 1233 digits) lie on the stack.
pub(super) struct Magnitude {
    stack: [u64; Self::STACK],
    len: usize,
    /// All words, once they are more than the stack takes.
    heap: Vec<u64>,
}

impl Magnitude {
    const STACK: usize = 64;

    pub(super) fn new(value: u128) -> Self {
        let mut it = Self { stack: [0; Self::STACK], len: 0, heap: Vec::new() };
        it.push(value as u64);
        it.push((value >> 64) as u64);
        while it.words().last() == Some(&0) {
            it.len -= 1;
        }
        it
    }

    /// `value * 10^exponent`.
    pub(super) fn scaled(value: u128, exponent: u32) -> Self {
        let mut it = Self::new(value);
        let mut left = exponent;
        while left > 0 {
            let step = left.min(19);
            it.multiply(10u64.pow(step));
            left -= step;
        }
        it
    }

    /// Least significant first, without leading zeros.
    pub(super) fn words(&self) -> &[u64] {
        if self.heap.is_empty() { &self.stack[..self.len] } else { &self.heap }
    }

    fn push(&mut self, word: u64) {
        if self.heap.is_empty() && self.len < Self::STACK {
            self.stack[self.len] = word;
            self.len += 1;
            return;
        }
        if self.heap.is_empty() {
            self.heap.extend_from_slice(&self.stack);
        }
        self.heap.push(word);
    }

    fn multiply(&mut self, factor: u64) {
        let mut carry = 0;
        let words = if self.heap.is_empty() { &mut self.stack[..self.len] } else { &mut self.heap[..] };
        for word in words {
            let product = u128::from(*word) * u128::from(factor) + carry;
            *word = product as u64;
            carry = product >> 64;
        }
        if carry != 0 {
            self.push(carry as u64);
        }
    }

    /// Bits without leading zeros.
    #[cfg(feature = "rust_decimal")]
    pub(super) fn bits(&self) -> u64 {
        let words = self.words();
        words.last().map_or(0, |top| 64 * words.len() as u64 - u64::from(top.leading_zeros()))
    }
}

/// Stores a magnitude with a sign in the whole of `item`: two's complement, big-endian, extended with the sign. The
/// words come least significant first; the value is known to fit.
pub(super) fn store_signed(words: impl Iterator<Item = u64>, negative: bool, item: &mut [u8]) {
    let sign = if negative { u64::MAX } else { 0 };
    let mut carry = negative;
    let mut words = words.chain(core::iter::repeat(0));
    for chunk in item.rchunks_mut(8) {
        let (word, over) = (words.next().unwrap_or(0) ^ sign).overflowing_add(u64::from(carry));
        carry = over;
        let bytes = word.to_be_bytes();
        chunk.copy_from_slice(&bytes[8 - chunk.len()..]);
    }
}
