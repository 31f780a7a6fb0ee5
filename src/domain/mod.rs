//! What the harness knows of each codec. One folder per codec, all of one shape:
//!
//! | file | trait | what |
//! |---|---|---|
//! | `mod.rs` | [`Domain`] | parameters and values, as text and as bytes |
//! | `draw.rs` | [`Draw`] | borders, mutants, simplifications |
//! | `cells.rs` | [`Cells`] | the cells that must be visited |
//! | `spans.rs` | [`Explain`] | what each byte of an encoding means |
//! | `subjects.rs` | [`Twins`] | naive, fast on each path, other crates |
//! | `museum.rs` | [`Twins::exhibits`] | planted bugs, each from a public report |
//!
//! What several of them share has a file beside them, named for what it is: `layout` (how delta
//! pages are cut), `byte_strings` (the columns of the two delta codecs for byte arrays).
//!
//! A codec is known to the harness when its domain is listed in [`registry::CODECS`](crate::registry::CODECS).

use crate::case::Domain;
use crate::generate::Draw;
use crate::matrix::Cells;
use crate::subject::Twins;
use std::ops::Range;

pub mod amqp_decimal;
pub mod amqp_table;
pub mod byte_strings;
pub mod decimal;
pub mod delta_binary_packed;
pub mod delta_byte_array;
pub mod delta_length_byte_array;
pub mod layout;

/// All that the harness has to know of one codec.
pub trait Codec: Draw + Cells + Twins + Explain {}

impl<D: Draw + Cells + Twins + Explain> Codec for D {}

/// What a run of bytes of an encoding means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Which bytes.
    pub bytes: Range<usize>,
    /// What they are: `value 3, unscaled`.
    pub field: String,
    /// What they say: `-12345`.
    pub value: String,
}

/// How an encoding of the codec is read aloud.
pub trait Explain: Domain {
    /// The fields of `bytes`, in order. Bytes that cannot be read (a hostile page) are one last span that says so.
    fn spans(params: &Self::Params, bytes: &[u8]) -> Vec<Span>;
}
