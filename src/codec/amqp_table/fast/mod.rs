//! The fast twin: one walk that checks and measures, one that writes into exactly the room measured; reading is one
//! checking walk without a tree. All of it safe code without vectors: a table is a chain of short, unlike items.

mod decode;
mod encode;
mod names;

pub(super) use decode::{checked_entry, checked_value};
pub use decode::{decode, decode_array};
pub use encode::{encode, encode_array, encode_array_into, encode_into, encoded_array_len, encoded_len};
