//! What the harness knows of each codec. One folder per codec, all of one shape:
//!
//! | file | trait | what |
//! |---|---|---|
//! | `mod.rs` | [`Domain`](crate::case::Domain) | parameters and values, as text and as bytes |
//! | `draw.rs` | [`Draw`](crate::generate::Draw) | borders, mutants, simplifications |
//! | `cells.rs` | [`Cells`](crate::matrix::Cells) | the cells that must be visited |
//! | `spans.rs` | [`Explain`](crate::report::Explain) | what each byte of an encoding means |
//! | `subjects.rs` | [`Twins`](crate::subject::Twins) | naive, fast on each path, other crates |
//! | `museum.rs` | [`Twins::exhibits`](crate::subject::Twins::exhibits) | planted bugs, each from a public report |
//!
//! What several of them share has a file beside them, named for what it is: `layout` (how delta
//! pages are cut), `byte_strings` (the columns of the two delta codecs for byte arrays).
//!
//! A codec is known to the harness when its domain is listed in [`registry::CODECS`](crate::registry::CODECS).

pub mod amqp_decimal;
pub mod amqp_table;
pub mod byte_strings;
pub mod decimal;
pub mod delta_binary_packed;
pub mod delta_byte_array;
pub mod delta_length_byte_array;
pub mod layout;
