//! Why an encoder or a decoder refused.
//!
//! One enum per direction. Every variant is `Copy + Eq` and carries numbers, so that twins can be compared on it:
//! they must agree on the variant, on its numbers, and on which value they name first.

use core::fmt;

/// Why an encoder refused. No encoded byte is left behind (see the contract in [`codec`](crate::codec)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodeError {
    /// `out` is shorter than the encoding. Not one byte of it was touched.
    BufferTooSmall {
        /// Bytes that the encoding takes.
        needed: usize,
        /// Bytes that `out` has.
        available: usize,
    },
    /// An offset of an Arrow array is negative, below its predecessor, or past the data.
    OffsetOutOfRange {
        /// Which offset, counted from 0.
        index: usize,
        /// What it is.
        offset: i64,
        /// The least that it may be: the offset before it, or 0.
        min: i64,
        /// The most that it may be: the length of the data in bytes.
        max: i64,
    },
    /// Data of fixed-length values is not a whole number of values.
    PartialValue {
        /// Bytes of one value.
        width: usize,
        /// Bytes of the data.
        available: usize,
    },
    /// The column is FIXED_LEN_BYTE_ARRAY, the encoding is for BYTE_ARRAY only.
    NotByteArray {
        /// Bytes of one value.
        width: usize,
    },
    /// A byte string is longer than 2^31 - 1 bytes, the most that a length of the encoding can say.
    ValueTooLong {
        /// Which value, counted from 0.
        index: usize,
        /// Its length in bytes.
        len: usize,
    },
    /// The bytes to store of the values up to this one are more than 2^31 - 1, the most that a page can hold.
    PageTooLong {
        /// Which value, counted from 0.
        index: usize,
        /// Bytes to store up to and with this value.
        len: usize,
    },
    /// The scale of an AMQP decimal is beyond its profile.
    DecimalScaleOutOfRange {
        /// Index of the value; in a field table, the offset of the value's tag in the encoding.
        at: usize,
        /// The scale, after normalisation.
        scale: u32,
        /// The largest scale of the profile.
        max: u32,
    },
    /// The mantissa of an AMQP decimal is beyond the 32-bit word of its profile.
    DecimalMantissaOutOfRange {
        /// Index of the value; in a field table, the offset of the value's tag in the encoding.
        at: usize,
        /// The smallest mantissa of the profile.
        min: i64,
        /// The largest mantissa of the profile.
        max: i64,
    },
    /// An AMQP decimal is negative zero, which its profile does not have.
    DecimalNegativeZero {
        /// Index of the value; in a field table, the offset of the value's tag in the encoding.
        at: usize,
    },
    /// A field name or short string is longer than its length octet can say.
    ShortStringTooLong {
        /// Where its length octet would stand in the encoding.
        offset: usize,
        /// Its length; the limit is 255.
        length: usize,
    },
    /// A long string, binary value, table or array is longer than its 32-bit length can say.
    LongLengthOverflow {
        /// Where its length would stand in the encoding.
        offset: usize,
        /// Its length so far.
        length: u64,
    },
    /// A field name stands twice in one table.
    DuplicateFieldName {
        /// Where the length octet of the second would stand in the encoding.
        offset: usize,
    },
    /// A table or array is nested too deep.
    NestingTooDeep {
        /// Where its length would stand in the encoding.
        offset: usize,
        /// Levels that are allowed, the outermost included.
        max: usize,
    },
    /// A field type that the profile has no tag for.
    FieldTypeWithoutTag {
        /// Where the tag would stand in the encoding.
        offset: usize,
    },
    /// The block is no multiple of 128 values (or too large), or its miniblocks are no multiples of 32.
    InvalidGeometry {
        /// Values per block.
        block_size: usize,
        /// Miniblocks per block.
        miniblock_count: usize,
    },
    /// A decimal does not fit the bytes that its column has for one value.
    ValueExceedsWidth {
        /// Which value, counted from 0.
        index: usize,
        /// Bytes that the column has for one value.
        width: u32,
    },
    /// A decimal has more digits than its column's precision: its absolute value is 10^precision or more.
    ValueExceedsPrecision {
        /// Which value, counted from 0.
        index: usize,
        /// The column's precision, in decimal digits.
        precision: u32,
    },
    /// A decimal cannot be brought to its column's scale without losing digits, and no rounding was asked for.
    InexactScale {
        /// Which value, counted from 0.
        index: usize,
        /// The column's scale, in decimal digits.
        scale: u32,
    },
    /// Precision, scale and physical type that make no DECIMAL column.
    InvalidDecimalColumn {
        /// The precision asked for; at least 1 was expected.
        precision: u32,
        /// The scale asked for; at most the precision was expected.
        scale: u32,
        /// The most digits that the physical type holds; `None` for BYTE_ARRAY, which has no limit.
        max_precision: Option<u64>,
    },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BufferTooSmall { needed, available } => {
                write!(f, "the output buffer has {available} bytes, the encoding needs {needed}")
            }
            Self::OffsetOutOfRange { index, offset, min, max } => {
                write!(f, "offset {index} is {offset}, it must be from {min} to {max}")
            }
            Self::PartialValue { width, available } => {
                write!(f, "{available} bytes are not a whole number of values of {width} bytes")
            }
            Self::NotByteArray { width } => {
                write!(f, "the column is FIXED_LEN_BYTE_ARRAY({width}), the encoding is for BYTE_ARRAY only")
            }
            Self::ValueTooLong { index, len } => {
                write!(f, "value {index} has {len} bytes, at most {} were expected", i32::MAX)
            }
            Self::PageTooLong { index, len } => {
                write!(f, "the values up to value {index} take {len} bytes, a page holds at most {}", i32::MAX)
            }
            Self::DecimalScaleOutOfRange { at, scale, max } => {
                write!(f, "decimal at {at}: scale {scale} is above {max}, the largest of the profile")
            }
            Self::DecimalMantissaOutOfRange { at, min, max } => {
                write!(f, "decimal at {at}: the mantissa is not within {min} to {max}")
            }
            Self::DecimalNegativeZero { at } => {
                write!(f, "decimal at {at}: the profile has no negative zero")
            }
            Self::ShortStringTooLong { offset, length } => {
                write!(f, "at byte {offset}: a name or short string of {length} bytes, 255 are the limit")
            }
            Self::LongLengthOverflow { offset, length } => {
                write!(f, "at byte {offset}: {length} bytes or more do not fit a 32-bit length")
            }
            Self::DuplicateFieldName { offset } => {
                write!(f, "at byte {offset}: a field name that the table has already")
            }
            Self::NestingTooDeep { offset, max } => {
                write!(f, "at byte {offset}: a table or array deeper than {max} levels")
            }
            Self::FieldTypeWithoutTag { offset } => {
                write!(f, "at byte {offset}: a field type that the profile has no tag for")
            }
            Self::InvalidGeometry { block_size, miniblock_count } => {
                write!(
                    f,
                    "a block of {block_size} values in {miniblock_count} miniblocks: expected a multiple of 128 up to \
                     65536, cut into multiples of 32"
                )
            }
            Self::ValueExceedsWidth { index, width } => {
                write!(f, "value {index} does not fit the {width} bytes that the column has for one value")
            }
            Self::ValueExceedsPrecision { index, precision } => {
                write!(f, "value {index} has more than the {precision} digits of the column's precision")
            }
            Self::InexactScale { index, scale } => {
                write!(f, "value {index} has digits beyond the {scale} decimal places of the column's scale")
            }
            Self::InvalidDecimalColumn { precision, scale, max_precision } => {
                write!(f, "DECIMAL({precision},{scale}) is no column: expected a precision of 1 ")?;
                match max_precision {
                    Some(max) => write!(f, "to {max}")?,
                    None => f.write_str("or more")?,
                }
                f.write_str(" and a scale of at most the precision")
            }
        }
    }
}

impl core::error::Error for EncodeError {}

/// Why a decoder refused. Offsets count bytes from the start of the input that was handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeError {
    /// The input ends inside the item that starts at `offset`.
    UnexpectedEnd {
        /// Where the item that was cut starts.
        offset: usize,
        /// Bytes that the item takes, or takes at least where its end is not seen: one more than there are.
        needed: usize,
        /// Bytes that are left from `offset` on.
        available: usize,
    },
    /// A length of a byte string is negative.
    NegativeLength {
        /// Where the stream of lengths starts that says so.
        offset: usize,
        /// Which value, counted from 0.
        index: usize,
        /// The length.
        length: i32,
    },
    /// A prefix is negative or longer than the value before it.
    PrefixOutOfRange {
        /// Where the stream of prefix lengths starts that says so.
        offset: usize,
        /// Which value, counted from 0.
        index: usize,
        /// The prefix length.
        prefix: i32,
        /// The length of the value before, in bytes.
        previous: usize,
    },
    /// There are not as many suffix lengths as prefix lengths.
    CountMismatch {
        /// Where the stream of suffix lengths starts.
        offset: usize,
        /// The number of prefix lengths.
        prefixes: usize,
        /// The number of suffix lengths.
        suffixes: usize,
    },
    /// A value does not have the length of its FIXED_LEN_BYTE_ARRAY column.
    WrongLength {
        /// Where the value's own bytes start.
        offset: usize,
        /// Which value, counted from 0.
        index: usize,
        /// Its length in bytes.
        len: usize,
        /// The column's length in bytes.
        expected: usize,
    },
    /// The decoded values take more bytes than the caller, or the type of the offsets, allows.
    OutputTooLarge {
        /// The first value that does not fit, counted from 0.
        index: usize,
        /// Bytes up to and with this value.
        needed: usize,
        /// Bytes that are allowed.
        limit: usize,
    },
    /// Bytes follow the last value.
    TrailingBytes {
        /// Where they start.
        offset: usize,
        /// How many there are.
        available: usize,
    },
    /// A value does not start with its tag.
    UnexpectedTag {
        /// Where the tag stands.
        offset: usize,
        /// The octet found.
        found: u8,
        /// The octet expected.
        expected: u8,
    },
    /// A tag that the profile does not have.
    UnknownFieldTag {
        /// Where the tag stands.
        offset: usize,
        /// The tag.
        tag: u8,
    },
    /// The scale of an AMQP decimal is beyond its profile, or beyond the type it is read into.
    DecimalScaleOutOfRange {
        /// Where the scale stands.
        offset: usize,
        /// The scale.
        scale: u32,
        /// The largest scale that is read.
        max: u32,
    },
    /// An item runs past the end of the table or array that it belongs to.
    BeyondEnclosing {
        /// Where the item starts.
        offset: usize,
        /// Bytes that the item takes.
        needed: usize,
        /// Bytes that are left in the enclosing table or array from `offset` on.
        available: usize,
    },
    /// A field name stands twice in one table.
    DuplicateFieldName {
        /// Where the length octet of the second stands.
        offset: usize,
    },
    /// A table or array is nested too deep.
    NestingTooDeep {
        /// Where its length stands.
        offset: usize,
        /// Levels that are allowed, the outermost included.
        max: usize,
    },
    /// A ULEB128 number does not fit 64 bits.
    VarintOverflow {
        /// Where the number starts.
        offset: usize,
    },
    /// A page header has an illegal block size or miniblock count.
    InvalidGeometry {
        /// Where the block size starts.
        offset: usize,
        /// Values per block, as stored.
        block_size: u64,
        /// Miniblocks per block, as stored.
        miniblock_count: u64,
    },
    /// A page claims more values than the rest of the input can hold.
    CountExceedsInput {
        /// Where the count starts.
        offset: usize,
        /// The count.
        count: u64,
        /// The most values that the rest of the input can hold.
        possible: u64,
    },
    /// A stored integer is not one of the column's type.
    IntegerOutOfRange {
        /// Where the integer starts.
        offset: usize,
        /// The integer.
        value: i64,
        /// Bits of the column's type.
        bits: u32,
    },
    /// A packed width exceeds the column's type.
    InvalidBitWidth {
        /// Where the width byte is.
        offset: usize,
        /// The width.
        width: u8,
        /// Bits of the column's type.
        max: u32,
    },
    /// The output has no room for the values of the page.
    OutputTooSmall {
        /// Values in the page.
        needed: usize,
        /// Values that the output has room for.
        available: usize,
    },
    /// The page has more values than the caller allows.
    TooManyValues {
        /// Values in the page.
        count: usize,
        /// The caller's limit.
        max: usize,
    },
    /// A decimal of length 0. The shortest encoding of 0 is the one byte `00`.
    EmptyDecimal {
        /// Where the item starts (its length prefix, not its body).
        offset: usize,
        /// Which value, counted from 0.
        index: usize,
    },
    /// A decimal has more digits than its column's precision: its absolute value is 10^precision or more.
    ValueExceedsPrecision {
        /// Where the item starts.
        offset: usize,
        /// Which value, counted from 0.
        index: usize,
        /// The column's precision, in decimal digits.
        precision: u32,
    },
    /// A decimal does not fit the type that the caller wants it in.
    ValueExceedsTarget {
        /// Where the item starts.
        offset: usize,
        /// Which value, counted from 0.
        index: usize,
        /// Bits of the caller's type (96 for `rust_decimal`, whose sign is apart).
        bits: u32,
    },
    /// The column's scale is larger than the caller's type can carry. Says nothing about the bytes: none was read.
    ScaleExceedsTarget {
        /// The column's scale, in decimal digits.
        scale: u32,
        /// The largest scale of the caller's type.
        max: u32,
    },
    /// Precision, scale and physical type that make no DECIMAL column.
    InvalidDecimalColumn {
        /// The precision asked for; at least 1 was expected.
        precision: u32,
        /// The scale asked for; at most the precision was expected.
        scale: u32,
        /// The most digits that the physical type holds; `None` for BYTE_ARRAY, which has no limit.
        max_precision: Option<u64>,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::UnexpectedEnd { offset, needed, available } => {
                let bytes = if needed == 1 { "byte" } else { "bytes" };
                let end = offset.saturating_add(available);
                write!(
                    f,
                    "at byte {offset}: expected at least {needed} {bytes}, found {available}: the input ends at byte {end}"
                )
            }
            Self::NegativeLength { offset, index, length } => {
                write!(f, "in the lengths at byte {offset}: value {index} has the length {length}")
            }
            Self::PrefixOutOfRange { offset, index, prefix, previous } => write!(
                f,
                "in the prefix lengths at byte {offset}: value {index} has the prefix {prefix}, 0 to {previous} were expected"
            ),
            Self::CountMismatch { offset, prefixes, suffixes } => {
                write!(f, "at byte {offset}: {suffixes} suffix lengths for {prefixes} prefix lengths")
            }
            Self::WrongLength { offset, index, len, expected } => {
                write!(f, "at byte {offset}: value {index} has {len} bytes, {expected} were expected")
            }
            Self::OutputTooLarge { index, needed, limit } => {
                write!(f, "value {index} takes the output to {needed} bytes, at most {limit} are allowed")
            }
            Self::TrailingBytes { offset, available } => {
                write!(f, "at byte {offset}: {available} bytes follow the last value, none was expected")
            }
            Self::UnexpectedTag { offset, found, expected } => {
                write!(f, "at byte {offset}: tag {found:#04x}, {expected:#04x} was expected")
            }
            Self::UnknownFieldTag { offset, tag } => {
                write!(f, "at byte {offset}: {tag:#04x} is no field tag of the profile")
            }
            Self::DecimalScaleOutOfRange { offset, scale, max } => {
                write!(f, "at byte {offset}: scale {scale} is above {max}")
            }
            Self::BeyondEnclosing { offset, needed, available } => {
                write!(
                    f,
                    "at byte {offset}: {needed} bytes are needed, the enclosing table or array has {available} left"
                )
            }
            Self::DuplicateFieldName { offset } => {
                write!(f, "at byte {offset}: a field name that the table has already")
            }
            Self::NestingTooDeep { offset, max } => {
                write!(f, "at byte {offset}: a table or array deeper than {max} levels")
            }
            Self::VarintOverflow { offset } => {
                write!(f, "at byte {offset}: the ULEB128 number does not fit 64 bits")
            }
            Self::InvalidGeometry { offset, block_size, miniblock_count } => {
                write!(
                    f,
                    "at byte {offset}: a block of {block_size} values in {miniblock_count} miniblocks, expected a \
                     multiple of 128 cut into multiples of 32"
                )
            }
            Self::CountExceedsInput { offset, count, possible } => {
                write!(f, "at byte {offset}: {count} values are claimed, the input can hold at most {possible}")
            }
            Self::IntegerOutOfRange { offset, value, bits } => {
                write!(f, "at byte {offset}: {value} is not a {bits}-bit integer")
            }
            Self::InvalidBitWidth { offset, width, max } => {
                write!(f, "at byte {offset}: a packed width of {width} bits, expected at most {max}")
            }
            Self::OutputTooSmall { needed, available } => {
                write!(f, "the output has room for {available} values, the page has {needed}")
            }
            Self::TooManyValues { count, max } => {
                write!(f, "the page has {count} values, at most {max} are allowed")
            }
            Self::EmptyDecimal { offset, index } => {
                write!(f, "at byte {offset}: value {index} is a decimal of length 0, at least 1 byte was expected")
            }
            Self::ValueExceedsPrecision { offset, index, precision } => {
                write!(
                    f,
                    "at byte {offset}: value {index} has more than the {precision} digits of the column's precision"
                )
            }
            Self::ValueExceedsTarget { offset, index, bits } => {
                write!(f, "at byte {offset}: value {index} does not fit the {bits} bits of the type it is read into")
            }
            Self::ScaleExceedsTarget { scale, max } => {
                write!(f, "the column's scale is {scale}, the type it is read into has at most {max} decimal places")
            }
            Self::InvalidDecimalColumn { precision, scale, max_precision } => {
                write!(f, "DECIMAL({precision},{scale}) is no column: expected a precision of 1 ")?;
                match max_precision {
                    Some(max) => write!(f, "to {max}")?,
                    None => f.write_str("or more")?,
                }
                f.write_str(" and a scale of at most the precision")
            }
        }
    }
}

impl core::error::Error for DecodeError {}

impl DecodeError {
    /// What an integer stream refused, as seen from an input in which that stream starts at byte `base`.
    pub(crate) fn moved_by(mut self, base: usize) -> Self {
        match &mut self {
            Self::UnexpectedEnd { offset, .. }
            | Self::VarintOverflow { offset }
            | Self::InvalidGeometry { offset, .. }
            | Self::CountExceedsInput { offset, .. }
            | Self::IntegerOutOfRange { offset, .. }
            | Self::InvalidBitWidth { offset, .. } => *offset += base,
            // The others of an integer stream name no place.
            _ => {}
        }
        self
    }
}
