//! **bytetwin**: optimized wire encoders beside naive reference twins, and the harness that proves that both write
//! the same bytes.
//!
//! | where | what |
//! |---|---|
//! | [`codec`] | the encodings: for each its contract, its naive and its fast implementation, both directions |
//! | [`error`] | why an encoder or a decoder refused: one comparable enum per direction |
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
