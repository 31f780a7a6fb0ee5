//! Third-party proof: the `parquet` and `arrow` crates read files whose pages our encoder wrote, and our decoder reads
//! pages that they wrote.

#![cfg(feature = "arrow")]

mod files;
mod foreign;
mod ours;
mod testing;
