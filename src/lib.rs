//! **bytetwin**: optimized wire encoders beside naive reference twins, and the harness that proves that both write
//! the same bytes.
//!
//! | where | what |
//! |---|---|
//! | [`codec`] | the encodings: for each its contract, its naive and its fast implementation, both directions |
//! | [`error`] | why an encoder or a decoder refused: one comparable enum per direction |
//!
//! With the feature `harness`, what proves them, from the bottom up:
//!
//! | where | what |
//! |---|---|
//! | `case`, `generate`, `matrix` | one input, as text and as bytes; where inputs come from; which have been visited |
//! | `subject`, `oracle`, `shrink` | whatever is judged; the rules that judge it; the smallest case that still differs |
//! | `domain`, `registry` | what the harness knows of each codec; the list of codecs |
//! | `run`, `hunt`, `digest`, `report` | runs within a budget, for differences and for planted bugs; hashes; findings |
//! | `prove`, `cli` | a fuzz target and a test from one line; the `bytetwin` command |
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

#[cfg(feature = "harness")]
pub mod case;
#[cfg(feature = "cli")]
pub mod cli;
pub mod codec;
#[cfg(feature = "harness")]
pub mod digest;
#[cfg(feature = "harness")]
pub mod domain;
pub mod error;
#[cfg(feature = "harness")]
pub mod generate;
#[cfg(feature = "harness")]
pub mod hunt;
#[cfg(feature = "harness")]
pub mod matrix;
#[cfg(feature = "harness")]
pub mod oracle;
#[cfg(feature = "harness")]
pub mod prove;
#[cfg(feature = "harness")]
pub mod registry;
#[cfg(feature = "harness")]
pub mod report;
#[cfg(feature = "harness")]
pub mod run;
#[cfg(feature = "harness")]
pub mod shrink;
#[cfg(feature = "harness")]
pub mod subject;

pub use error::{DecodeError, EncodeError};

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
