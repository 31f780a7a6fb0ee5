//! Tables as trees: what writers take and [`TableView::to_table`](super::TableView::to_table) gives.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Deref;

use super::amqp_decimal::Raw;

/// A field value, over the types that hold octets (`B`), nested tables (`T`) and nested arrays (`A`).
///
/// [`Field`] is the one to write, [`FieldView`](super::FieldView) the one that readers give. The names are those of
/// the specification's grammar. Equality compares what is written: floats bit by bit, so that a NaN equals itself and
/// -0.0 is not 0.0, decimals by their parts.
#[derive(Clone, Copy, Debug)]
pub enum FieldValue<B, T, A> {
    /// True or false.
    Boolean(bool),
    /// 8 bits, signed.
    ShortShortInt(i8),
    /// 8 bits, unsigned.
    ShortShortUint(u8),
    /// 16 bits, signed.
    ShortInt(i16),
    /// 16 bits, unsigned.
    ShortUint(u16),
    /// 32 bits, signed.
    LongInt(i32),
    /// 32 bits, unsigned.
    LongUint(u32),
    /// 64 bits, signed.
    LongLongInt(i64),
    /// 64 bits, unsigned; `Specification` only.
    LongLongUint(u64),
    /// IEEE 754 single precision.
    Float(f32),
    /// IEEE 754 double precision.
    Double(f64),
    /// A scale and a mantissa.
    Decimal(Raw),
    /// Up to 255 octets; `Specification` only.
    ShortString(B),
    /// Octets, by convention text.
    LongString(B),
    /// Values.
    Array(A),
    /// Seconds since 1970-01-01 00:00 UTC.
    Timestamp(u64),
    /// Names and values.
    Table(T),
    /// Octets; `RabbitMq` only.
    Binary(B),
    /// No value.
    Void,
}

impl<B: PartialEq, T: PartialEq, A: PartialEq> PartialEq for FieldValue<B, T, A> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Boolean(a), Self::Boolean(b)) => a == b,
            (Self::ShortShortInt(a), Self::ShortShortInt(b)) => a == b,
            (Self::ShortShortUint(a), Self::ShortShortUint(b)) => a == b,
            (Self::ShortInt(a), Self::ShortInt(b)) => a == b,
            (Self::ShortUint(a), Self::ShortUint(b)) => a == b,
            (Self::LongInt(a), Self::LongInt(b)) => a == b,
            (Self::LongUint(a), Self::LongUint(b)) => a == b,
            (Self::LongLongInt(a), Self::LongLongInt(b)) => a == b,
            (Self::LongLongUint(a), Self::LongLongUint(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            (Self::Double(a), Self::Double(b)) => a.to_bits() == b.to_bits(),
            (Self::Decimal(a), Self::Decimal(b)) => a == b,
            (Self::Timestamp(a), Self::Timestamp(b)) => a == b,
            (Self::ShortString(a), Self::ShortString(b))
            | (Self::LongString(a), Self::LongString(b))
            | (Self::Binary(a), Self::Binary(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => a == b,
            (Self::Table(a), Self::Table(b)) => a == b,
            (Self::Void, Self::Void) => true,
            _ => false,
        }
    }
}

impl<B: Eq, T: Eq, A: Eq> Eq for FieldValue<B, T, A> {}

/// A field value to write, borrowed or owned.
pub type Field<'a> = FieldValue<Cow<'a, [u8]>, Table<'a>, Array<'a>>;

/// A field name with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The name, 255 octets at most.
    pub name: Cow<'a, [u8]>,
    /// The value.
    pub value: Field<'a>,
}

impl<'a> Entry<'a> {
    /// `name` with `value`.
    pub fn new(name: impl Into<Cow<'a, [u8]>>, value: Field<'a>) -> Self {
        Self { name: name.into(), value }
    }
}

/// A table to write: entries in the order in which they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table<'a> {
    /// The entries.
    pub entries: List<'a, Entry<'a>>,
}

/// An array to write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Array<'a> {
    /// The values.
    pub values: List<'a, Field<'a>>,
}

impl Field<'_> {
    /// The same value with nothing borrowed.
    pub fn into_owned(self) -> Field<'static> {
        let octets = |octets: Cow<'_, [u8]>| Cow::Owned(octets.into_owned());
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
            Self::ShortString(value) => Field::ShortString(octets(value)),
            Self::LongString(value) => Field::LongString(octets(value)),
            Self::Array(array) => Field::Array(array.into_owned()),
            Self::Timestamp(value) => Field::Timestamp(value),
            Self::Table(table) => Field::Table(table.into_owned()),
            Self::Binary(value) => Field::Binary(octets(value)),
            Self::Void => Field::Void,
        }
    }
}

impl Table<'_> {
    /// The same table with nothing borrowed.
    pub fn into_owned(self) -> Table<'static> {
        let own = |Entry { name, value }| Entry { name: Cow::Owned(name.into_owned()), value: value.into_owned() };
        self.entries.into_vec().into_iter().map(own).collect::<Vec<Entry>>().into()
    }
}

impl Array<'_> {
    /// The same array with nothing borrowed.
    pub fn into_owned(self) -> Array<'static> {
        self.values.into_vec().into_iter().map(Field::into_owned).collect::<Vec<Field>>().into()
    }
}

impl<'a, L: Into<List<'a, Entry<'a>>>> From<L> for Table<'a> {
    fn from(entries: L) -> Self {
        Self { entries: entries.into() }
    }
}

impl<'a, L: Into<List<'a, Field<'a>>>> From<L> for Array<'a> {
    fn from(values: L) -> Self {
        Self { values: values.into() }
    }
}

/// A slice, borrowed or owned. (`Cow` would tie a recursive tree to one lifetime for good: it is invariant in its
/// element.)
#[derive(Clone, Debug)]
pub enum List<'a, T> {
    /// Borrowed.
    Borrowed(&'a [T]),
    /// Owned.
    Owned(Vec<T>),
}

impl<T: Clone> List<'_, T> {
    /// The elements, cloned where they are borrowed.
    pub fn into_vec(self) -> Vec<T> {
        match self {
            Self::Borrowed(slice) => slice.to_vec(),
            Self::Owned(vec) => vec,
        }
    }
}

impl<T> Deref for List<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Borrowed(slice) => slice,
            Self::Owned(vec) => vec,
        }
    }
}

impl<T> Default for List<'_, T> {
    fn default() -> Self {
        Self::Borrowed(&[])
    }
}

impl<T: PartialEq> PartialEq for List<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for List<'_, T> {}

impl<'a, T> From<&'a [T]> for List<'a, T> {
    fn from(slice: &'a [T]) -> Self {
        Self::Borrowed(slice)
    }
}

impl<'a, T, const N: usize> From<&'a [T; N]> for List<'a, T> {
    fn from(array: &'a [T; N]) -> Self {
        Self::Borrowed(array)
    }
}

impl<T> From<Vec<T>> for List<'_, T> {
    fn from(vec: Vec<T>) -> Self {
        Self::Owned(vec)
    }
}
