//! Tests of the codec: twins against each other, both against expected bytes.

#[cfg(feature = "naive")]
mod samples;
#[cfg(feature = "naive")]
mod twins;
