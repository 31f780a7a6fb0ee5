//! The `parquet` crate, asked through its public encoders and decoders. One file per codec.
//!
//! It writes into buffers of its own and checks less than the contract asks: what it does not look at (precision, room
//! in `out`) is unsupported, never agreed.

use crate::subject::Answer;
use std::borrow::Cow;

mod decimal;
mod delta_binary_packed;
mod delta_byte_array;
mod delta_length_byte_array;
mod ledger;

pub use decimal::{PlainDecimal, length_is_cut};
pub use delta_binary_packed::DeltaBitPack;
pub use delta_byte_array::DeltaStrings;
pub use delta_length_byte_array::DeltaLengths;
pub use ledger::names as ledger_names;

/// The name of its subjects.
pub const NAME: &str = "parquet";

/// Its error, as an answer.
fn refused<E>(error: parquet::errors::ParquetError) -> Answer<E> {
    Answer::Refused(Cow::Owned(error.to_string()))
}
