//! The encodings. Each is a folder of one shape: `mod.rs` (contract, parameters, the functions to call), `naive.rs`
//! (a transcription of the specification), `fast.rs` or `fast/` (the code under proof).
//!
//! # The contract of every encoder
//!
//! 1. `encode_into(values, params, out: &mut [u8]) -> Result<usize, EncodeError>` and `encoded_len(values, params)`;
//!    `encode`, to a new `Vec`, is a thin wrapper. `encode_into` does not allocate: what it needs is in the caller's `Scratch`, which
//!    grows on its first use (DELTA byte arrays), or on the stack (but for decimals of more than 1233 digits).
//! 2. `encoded_len` equals the bytes written, always.
//! 3. Too small a buffer is [`BufferTooSmall`](crate::EncodeError::BufferTooSmall): the same numbers from both twins,
//!    not one byte of `out` touched, no state advanced; a retry with room gives what a fresh encoder gives.
//! 4. Bytes of `out` past the written length are never touched.
//! 5. Errors are values: the twins agree on the variant, on its numbers, and on which value is named first. Order of
//!    checks: parameters first, then the room in `out` wherever the length does not depend on the values, then the
//!    values in order. No error leaves encoded bytes behind: every byte of `out` is as it was or, where a value was
//!    refused after its neighbours had been written, zero.
//! 6. Output depends on input and profile only: a reused or reset encoder equals a fresh one, one put equals many.
//! 7. Width, scale and precision come from the column, and values are checked against it.
//!
//! Decoders take hostile bytes: a [`DecodeError`](crate::DecodeError) with an offset, never a panic, never an
//! allocation larger than the input, or the limits that the caller sets, can justify, and never a loop longer than
//! these. They say how many bytes they consumed. After an error the contents of the output are unspecified.
//!
//! What can be forced on a [`Path`] has a second form, `encode_into_with(path, …)` and so on: for tests and benches.
//!
//! Inside a codec, naive and fast never call each other; both call only what `mod.rs` declares (parameters, errors).

pub mod amqp_decimal;
pub mod amqp_table;
pub mod byte_arrays;
pub mod decimal;
pub mod delta_binary_packed;
pub mod delta_byte_array;
pub mod delta_length_byte_array;
pub mod path;
#[cfg(all(feature = "rust_decimal", target_arch = "x86_64"))]
mod rust_decimal_layout;

pub use path::Path;
