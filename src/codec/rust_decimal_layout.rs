//! Where the parts of a `rust_decimal::Decimal` lie, which the kernels of two codecs rely on.
//!
//! With its feature `c-repr` it is `repr(C)`: four words of 32 bits, without padding. These are flags (the sign in bit 31,
//! the scale in bits 16 to 23), then the high, the low and the middle part of the magnitude.
#![allow(unsafe_code)]

const _: () = {
    let value = rust_decimal::Decimal::from_parts(1, 2, 3, true, 4);
    // SAFETY: both types have 16 bytes (or this does not compile), and any bits are four integers.
    let words: [u32; 4] = unsafe { core::mem::transmute(value) };
    assert!(words[0] == 0x8004_0000 && words[1] == 3 && words[2] == 1 && words[3] == 2);
};
