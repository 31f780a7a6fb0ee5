//! Tests of the codec: twins against each other, and both against expected bytes.

mod columns;
mod integers;

#[cfg(feature = "naive")]
mod capacity;
#[cfg(feature = "naive")]
mod decoding;
#[cfg(feature = "naive")]
mod exhaustive;
#[cfg(feature = "naive")]
mod one_value;
#[cfg(feature = "naive")]
mod ordering;
#[cfg(feature = "naive")]
mod refusals;
#[cfg(feature = "naive")]
mod samples;
#[cfg(all(feature = "naive", feature = "rust_decimal"))]
mod scales;
#[cfg(feature = "naive")]
mod twins;
#[cfg(feature = "naive")]
mod values;
#[cfg(feature = "naive")]
mod vectors;
#[cfg(feature = "naive")]
mod words;
