//! Files: those of other writers are read, and written again byte by byte; one of ours is read by the `parquet` crate.

#![cfg(feature = "parquet")]

mod csv;
mod foreign;
#[path = "../support/not_run.rs"]
mod not_run;
mod ours;
