//! Third-party proof: the `parquet` and `arrow` crates read files whose pages our encoder wrote, and our decoder reads
//! pages that they wrote.

#![cfg(feature = "arrow")]

mod files;
mod foreign;
#[path = "../support/not_run.rs"]
mod not_run;
mod ours;
mod testing;
