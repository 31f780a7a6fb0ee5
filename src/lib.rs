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

pub mod codec;
pub mod error;

pub use error::{DecodeError, EncodeError};
