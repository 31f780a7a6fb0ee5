//! Tables as they lie in the input: what readers give. Views exist only over octets that a reader has checked whole.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::{Array, Entry, Field, FieldValue, Params, Table, fast};

/// A field value that borrows from the input.
pub type FieldView<'a> = FieldValue<&'a [u8], TableView<'a>, ArrayView<'a>>;

/// A checked table that lies in the input.
#[derive(Clone, Copy, Debug)]
pub struct TableView<'a> {
    body: &'a [u8],
    params: Params,
}

/// A checked array that lies in the input.
#[derive(Clone, Copy, Debug)]
pub struct ArrayView<'a> {
    body: &'a [u8],
    params: Params,
}

impl<'a> TableView<'a> {
    /// `body` has to be checked, or about to be, under `params`.
    pub(super) const fn new(body: &'a [u8], params: Params) -> Self {
        Self { body, params }
    }

    /// The octets behind the table's length.
    pub const fn body(self) -> &'a [u8] {
        self.body
    }

    /// Whether the table has no entries.
    pub const fn is_empty(self) -> bool {
        self.body.is_empty()
    }

    /// The entries in the order of the input.
    pub const fn iter(self) -> Entries<'a> {
        Entries { rest: self.body, params: self.params }
    }

    /// The value of the first entry with this name. Takes time in proportion to the entries before it.
    pub fn get(self, name: &[u8]) -> Option<FieldView<'a>> {
        self.iter().find_map(|(found, value)| (found == name).then_some(value))
    }

    /// The table as a tree, whose octets still borrow from the input.
    pub fn to_table(self) -> Table<'a> {
        let entries: Vec<Entry<'a>> =
            self.iter().map(|(name, value)| Entry { name: name.into(), value: value.to_field() }).collect();
        entries.into()
    }
}

impl<'a> ArrayView<'a> {
    /// `body` has to be checked, or about to be, under `params`.
    pub(super) const fn new(body: &'a [u8], params: Params) -> Self {
        Self { body, params }
    }

    /// The octets behind the array's length.
    pub const fn body(self) -> &'a [u8] {
        self.body
    }

    /// Whether the array has no values.
    pub const fn is_empty(self) -> bool {
        self.body.is_empty()
    }

    /// The values in the order of the input.
    pub const fn iter(self) -> Values<'a> {
        Values { rest: self.body, params: self.params }
    }

    /// The array as a tree, whose octets still borrow from the input.
    pub fn to_array(self) -> Array<'a> {
        let values: Vec<Field<'a>> = self.iter().map(FieldView::to_field).collect();
        values.into()
    }
}

impl<'a> FieldView<'a> {
    /// The value as a tree, whose octets still borrow from the input.
    pub fn to_field(self) -> Field<'a> {
        match self {
            Self::Boolean(value) => Field::Boolean(value),
            Self::ShortShortInt(value) => Field::ShortShortInt(value),
            Self::ShortShortUint(value) => Field::ShortShortUint(value),
            Self::ShortInt(value) => Field::ShortInt(value),
            Self::ShortUint(value) => Field::ShortUint(value),
            Self::LongInt(value) => Field::LongInt(value),
            Self::LongUint(value) => Field::LongUint(value),
            Self::LongLongInt(value) => Field::LongLongInt(value),
            Self::LongLongUint(value) => Field::LongLongUint(value),
            Self::Float(value) => Field::Float(value),
            Self::Double(value) => Field::Double(value),
            Self::Decimal(value) => Field::Decimal(value),
            Self::ShortString(octets) => Field::ShortString(Cow::Borrowed(octets)),
            Self::LongString(octets) => Field::LongString(Cow::Borrowed(octets)),
            Self::Array(array) => Field::Array(array.to_array()),
            Self::Timestamp(value) => Field::Timestamp(value),
            Self::Table(table) => Field::Table(table.to_table()),
            Self::Binary(octets) => Field::Binary(Cow::Borrowed(octets)),
            Self::Void => Field::Void,
        }
    }
}

impl PartialEq for TableView<'_> {
    /// Whether the entries are equal, in their order.
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for TableView<'_> {}

impl PartialEq for ArrayView<'_> {
    /// Whether the values are equal, in their order.
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for ArrayView<'_> {}

impl<'a> IntoIterator for TableView<'a> {
    type Item = (&'a [u8], FieldView<'a>);
    type IntoIter = Entries<'a>;

    fn into_iter(self) -> Entries<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for ArrayView<'a> {
    type Item = FieldView<'a>;
    type IntoIter = Values<'a>;

    fn into_iter(self) -> Values<'a> {
        self.iter()
    }
}

/// The entries of a [`TableView`]: names and values.
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    rest: &'a [u8],
    params: Params,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (&'a [u8], FieldView<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (name, value, rest) = fast::checked_entry(self.rest, self.params)?;
        self.rest = rest;
        Some((name, value))
    }
}

/// The values of an [`ArrayView`].
#[derive(Clone, Debug)]
pub struct Values<'a> {
    rest: &'a [u8],
    params: Params,
}

impl<'a> Iterator for Values<'a> {
    type Item = FieldView<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (value, rest) = fast::checked_value(self.rest, self.params)?;
        self.rest = rest;
        Some(value)
    }
}
