//! How much a page may decode to.

/// What may follow the values of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Trailing {
    /// Anything: the decoder says how many bytes it consumed.
    #[default]
    Allowed,
    /// Nothing: a byte more is [`DecodeError::TrailingBytes`](crate::DecodeError::TrailingBytes).
    Refused,
}

/// Limits for the decoding of one page.
///
/// A few bytes can legally stand for very many values (equal lengths take no space), and the values of a
/// DELTA_BYTE_ARRAY page can be larger than the page by the square of its size. So the caller sets both limits; the
/// page header's number of values is the best `max_values`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DecodeLimits {
    /// The most values that the page may hold. Default 2^24.
    pub max_values: usize,
    /// The most bytes that all values of the page may take when they are decoded into one array. Default 2^28
    /// (256 MiB). Reading one by one needs no more memory than the page's size, and has no such limit.
    pub max_bytes: usize,
    /// Whether bytes may follow the values. Default [`Trailing::Allowed`].
    pub trailing: Trailing,
}

impl Default for DecodeLimits {
    fn default() -> Self {
        Self { max_values: 1 << 24, max_bytes: 1 << 28, trailing: Trailing::Allowed }
    }
}
