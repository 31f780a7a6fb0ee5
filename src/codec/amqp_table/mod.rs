//! AMQP 0-9-1 field tables and field arrays (specification 4.2.1 and 4.2.5.5), as they travel in message headers,
//! arguments and client properties.
//!
//! > field-table = long-uint *( field-name field-value ) ; the length in octets of what follows
//!
//! > field-array = long-uint *field-value ; the length in octets of what follows
//!
//! A field name is one octet of length and that many octets; a field value is a tag and what the tag calls for. All
//! numbers are big-endian. What the tags mean depends on whom one asks, see [`Profile`].
//!
//! ```
//! use bytetwin::codec::amqp_decimal::Raw;
//! use bytetwin::codec::amqp_table::{Entry, Field, FieldValue, Params, Table, decode, encode};
//!
//! let entries = [Entry::new(&b"price"[..], Field::Decimal(Raw::new(1999, 2)))];
//! let table = Table { entries: (&entries).into() };
//! let octets = encode(&table, Params::default())?;
//! assert_eq!(octets, b"\0\0\0\x0c\x05priceD\x02\0\0\x07\xcf");
//! let (view, _) = decode(&octets, Params::default())?;
//! assert!(matches!(view.get(b"price"), Some(FieldValue::Decimal(price)) if price == Raw::new(1999, 2)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Contract
//!
//! The contract of [`codec`](crate::codec), and:
//!
//! * Writers take a borrowed or owned tree, [`Table`] or [`Array`], and allocate nothing. The length depends on the
//!   values, so all of them are checked before the room in `out`: where anything is refused, `out` is untouched.
//! * Readers borrow from the input. They check it whole, nested tables included, before they hand out a
//!   [`TableView`] or [`ArrayView`], whose iterators therefore cannot fail. Only a table of more than 16 names
//!   allocates, four octets for each, to look for duplicates. What follows the table in the input is ignored.
//! * Names and strings are octets: the specification asks for UTF-8 in short strings, the broker passes on what it
//!   gets, and so do these twins.
//! * Any octet but 0 is read as true; true is written as 1.
//!
//! # Order of checks
//!
//! In the order of the octets, and for each item:
//!
//! 1. table or array: depth ([`Params::max_depth`]), then its length; for the outermost one against the input
//!    (`UnexpectedEnd`), for a nested one against its enclosing table or array (`BeyondEnclosing`);
//! 2. name: its length (writing: 255 at most; reading: within the table), then whether the table has it already;
//! 3. value: its tag, then its contents;
//! 4. writing: after each value, whether the enclosing length still fits 32 bits.
//!
//! Offsets count octets of the encoding from its start, in both directions, and name where the item starts: the length
//! octet of a name, the tag of a value without a tag in the profile or of a refused decimal, the length of a string,
//! table or array, otherwise the first octet of the value.

mod fast;
#[cfg(feature = "naive")]
pub mod naive;
mod value;
mod view;

#[cfg(all(test, feature = "naive"))]
mod tests;

#[doc(inline)]
pub use fast::{
    decode, decode_array, encode, encode_array, encode_array_into, encode_into, encoded_array_len, encoded_len,
};
pub use value::{Array, Entry, Field, FieldValue, List, Table};
pub use view::{ArrayView, Entries, FieldView, TableView, Values};

use super::amqp_decimal;

/// What the tags of field values mean.
///
/// | type | [`RabbitMq`](Self::RabbitMq) | [`Specification`](Self::Specification) |
/// |---|---|---|
/// | boolean | `t` | `t` |
/// | 8 bits, signed and unsigned | `b`, `B` | `b`, `B` |
/// | 16 bits, signed | `s`; `U` is read too | `U` |
/// | 16 bits, unsigned | `u` | `u` |
/// | 32 bits, signed and unsigned | `I`, `i` | `I`, `i` |
/// | 64 bits, signed | `l`; `L` is read too | `L` |
/// | 64 bits, unsigned | - | `l` |
/// | float, double | `f`, `d` | `f`, `d` |
/// | decimal | `D` | `D` |
/// | short string | - | `s` |
/// | long string | `S` | `S` |
/// | array, table | `A`, `F` | `A`, `F` |
/// | timestamp | `T` | `T` |
/// | binary | `x` | - |
/// | void | `V` | `V` |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Profile {
    /// RabbitMQ's errata, section 3, which its server and nearly every client follow. The server itself does not take
    /// `U`; other brokers and stored definitions have it, and it has no second meaning.
    #[default]
    RabbitMq,
    /// The letter of the 0-9-1 grammar.
    Specification,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 2] = [Self::RabbitMq, Self::Specification];

    /// `rabbitmq` or `specification`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RabbitMq => "rabbitmq",
            Self::Specification => "specification",
        }
    }
}

/// What happens when a table has a field name twice. The specification leaves it undefined; of the clients that take
/// it, some keep the first value and some the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Duplicates {
    /// It is an error at the second one.
    #[default]
    Refuse,
    /// Both are written and read, in their order.
    Accept,
}

/// How tables are written and read. The default is RabbitMQ's reading of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    /// What the tags mean.
    pub profile: Profile,
    /// How decimals are written and read. Its `tag` is not looked at: in a table they have theirs.
    pub decimal: amqp_decimal::Params,
    /// Levels of tables and arrays, the outermost included.
    pub max_depth: u8,
    /// What happens when a table has a field name twice.
    pub duplicates: Duplicates,
}

impl Params {
    /// Levels that are taken unless the caller says otherwise.
    pub const DEFAULT_MAX_DEPTH: u8 = 32;

    /// `profile`, decimals by RabbitMQ's errata, 32 levels, no duplicates.
    pub const fn new(profile: Profile) -> Self {
        Self {
            profile,
            decimal: amqp_decimal::Params::new(amqp_decimal::Profile::Errata),
            max_depth: Self::DEFAULT_MAX_DEPTH,
            duplicates: Duplicates::Refuse,
        }
    }

    /// The same with decimals of another profile.
    pub const fn with_decimals(self, profile: amqp_decimal::Profile) -> Self {
        Self { decimal: amqp_decimal::Params { profile, ..self.decimal }, ..self }
    }
}

impl Default for Params {
    fn default() -> Self {
        Self::new(Profile::RabbitMq)
    }
}
