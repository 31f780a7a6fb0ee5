//! What was expected and what came instead, kept as data; the report writes it out.

use super::Oracle;
use crate::case::Domain;
use crate::error::{DecodeError, EncodeError};
use crate::subject::panics::Panicked;
use crate::subject::{Answer, Order};

/// A difference, and the oracle that saw it.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference<D: Domain> {
    /// Which rule was broken.
    pub oracle: Oracle,
    /// How.
    pub detail: Detail<D>,
}

/// How a rule was broken.
#[derive(Clone, Debug, PartialEq)]
pub enum Detail<D: Domain> {
    /// `encoded_len` says something else.
    Length {
        /// What is needed.
        expected: Answer<EncodeError>,
        /// What was said.
        got: Answer<EncodeError>,
    },
    /// Other bytes, or another answer.
    Encoded {
        /// Length of `out`.
        capacity: usize,
        /// What must be answered at this capacity.
        expected: Answer<EncodeError>,
        /// The bytes that must be there.
        expected_bytes: Vec<u8>,
        /// What was answered.
        got: Answer<EncodeError>,
        /// The bytes that are there.
        bytes: Vec<u8>,
    },
    /// A byte of `out` was touched that must not be.
    Touched {
        /// Length of `out`.
        capacity: usize,
        /// Where.
        at: usize,
        /// What stood there.
        fill: u8,
        /// What stands there now.
        found: u8,
        /// What was answered.
        got: Answer<EncodeError>,
    },
    /// Other values, or another answer.
    Decoded {
        /// What must be answered.
        expected: Answer<DecodeError>,
        /// The values that must be there.
        expected_values: D::Values,
        /// What was answered.
        got: Answer<DecodeError>,
        /// The values that are there.
        values: D::Values,
    },
    /// Another order of encoded values.
    Ordered {
        /// The order of the values.
        expected: Order,
        /// What was answered.
        got: Order,
    },
    /// The subject panicked.
    Panicked(Panicked),
}
