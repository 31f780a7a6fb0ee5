//! The codecs are called alike, as docs/design.md says: each is called through the same macros, so that one that lacks a name,
//! or has its arguments in another order, does not compile.

#![cfg(feature = "naive")]

use bytetwin::codec::Path;
use bytetwin::codec::{
    amqp_decimal, amqp_table, decimal, delta_binary_packed, delta_byte_array, delta_length_byte_array,
};
use core::fmt::Debug;

/// What a call gave: some cannot fail.
trait Sure {
    type Value;
    fn sure(self) -> Self::Value;
}

impl<T, E: Debug> Sure for Result<T, E> {
    type Value = T;

    fn sure(self) -> T {
        self.expect("right values, or a page of ours")
    }
}

impl Sure for usize {
    type Value = Self;

    fn sure(self) -> Self {
        self
    }
}

impl Sure for Vec<u8> {
    type Value = Self;

    fn sure(self) -> Self {
        self
    }
}

/// `values`, what describes them, and the scratch if the codec takes one; gives the encoding.
macro_rules! encode {
    ($codec:ident, $values:expr, ($($by:expr),*) $(, $scratch:expr)?) => {{
        let bytes = $codec::encode($values, $($by),*).sure();
        let mut out = vec![0; $codec::encoded_len($values, $($by),* $(, $scratch)?).sure()];
        assert_eq!($codec::encode_into($values, $($by,)* $($scratch,)? &mut out).sure(), bytes.len());
        assert_eq!(out, bytes);
        assert_eq!($codec::naive::encode_into($values, $($by,)* &mut out).sure(), bytes.len());
        assert_eq!(out, bytes);
        bytes
    }};
}

/// [`encode`] by a path.
macro_rules! encode_with {
    ($codec:ident, $values:expr, ($($by:expr),*) $(, $scratch:expr)?) => {{
        let bytes = encode!($codec, $values, ($($by),*) $(, $scratch)?);
        let mut out = vec![0; bytes.len()];
        $codec::encode_into_with(Path::PORTABLE, $values, $($by,)* $($scratch,)? &mut out).sure();
        assert_eq!(out, bytes);
        bytes
    }};
}

/// Decodes to places of the caller's; gives the bytes consumed.
macro_rules! decode_into {
    ($codec:ident, $bytes:expr, ($($by:expr),*), $($out:expr),*) => {{
        let consumed = $codec::decode_into($bytes, $($by,)* $($out),*).sure();
        assert_eq!($codec::decode_into_with(Path::PORTABLE, $bytes, $($by,)* $($out),*).sure(), consumed);
        consumed
    }};
}

/// Decodes to new places, by both twins; gives what was read, and the bytes consumed.
macro_rules! decode {
    ($codec:ident $([$type:ty])?, $bytes:expr, $by:expr) => {{
        let (read, consumed) = $codec::decode $(::<$type>)? ($bytes, $by).sure();
        assert_eq!($codec::naive::decode $(::<$type>)? ($bytes, $by).sure().1, consumed);
        (read, consumed)
    }};
}

/// A page whose values come one after another, and go so.
macro_rules! page {
    ($codec:ident $([$type:ty])?, $geometry:expr, $put:expr, $bytes:expr, ($($by:expr),*)) => {{
        let mut writer = $codec::PageWriter::new($geometry);
        $put(&mut writer);
        writer.reset();
        assert!(writer.is_empty());
        let mut writer = $codec::PageWriter::with_path(Path::PORTABLE, $geometry);
        $put(&mut writer);
        let count = writer.len();
        let mut out = vec![0; writer.encoded_len()];
        assert_eq!(writer.finish_page(&mut out).sure(), $bytes.len());
        assert_eq!(out, *$bytes);

        let reader = $codec::PageReader$(::<$type>)?::new($bytes, $($by),*).sure();
        assert_eq!(reader.remaining(), count);
        let mut reader = $codec::PageReader$(::<$type>)?::with_path(Path::PORTABLE, $bytes, $($by),*).sure();
        let _ = reader.skip(count);
        assert_eq!((reader.remaining(), reader.consumed()), (0, $bytes.len()));
    }};
}

#[test]
fn decimal() {
    let column = decimal::Column::new(9, 2, decimal::Physical::Fixed(4)).expect("a column");
    let options = decimal::ColumnOptions::default();
    let (values, mut out) = ([1_i64, -2, 300], [0_i64; 3]);
    let bytes = encode_with!(decimal, &values, (&column, options));
    assert_eq!(decimal::encoded_len_with(Path::PORTABLE, &values, &column, options), Ok(bytes.len()));
    assert_eq!(decode_into!(decimal, &bytes, (&column, options), &mut out), bytes.len());
    assert_eq!(decimal::naive::decode_into(&bytes, &column, options, &mut out), Ok(bytes.len()));
    assert_eq!(out, values);

    let limits = decimal::Limits::new(&column, options);
    let written = limits.encode_one(-2, &mut [0; 4]);
    assert_eq!((written, limits.decode_one(&bytes[4..])), (Ok(4), Ok((-2, 4))));
}

#[test]
fn amqp_decimal() {
    let params = amqp_decimal::Params::default();
    let values = [amqp_decimal::Raw::new(1, 2), amqp_decimal::Raw::new(-3, 0)];
    let mut out = [amqp_decimal::Raw::default(); 2];
    let bytes = encode_with!(amqp_decimal, &values, (params));
    assert_eq!(decode_into!(amqp_decimal, &bytes, (params), &mut out), bytes.len());
    assert_eq!(amqp_decimal::naive::decode_into(&bytes, params, &mut out), Ok(bytes.len()));
    assert_eq!(out, values);

    let written = amqp_decimal::encode_one(values[0], params, &mut [0; 6]);
    assert_eq!((written, amqp_decimal::decode_one(&bytes, params)), (Ok(6), Ok((values[0], 6))));
}

#[test]
fn amqp_table() {
    use amqp_table::{Entry, Field, Params, Table};

    let table: Table = vec![Entry::new(&b"name"[..], Field::Void)].into();
    let bytes = encode!(amqp_table, &table, (Params::default()));
    let (view, consumed) = decode!(amqp_table, &bytes, Params::default());
    assert_eq!((view.to_table(), consumed), (table, bytes.len()));
}

#[test]
fn delta_binary_packed() {
    use delta_binary_packed::{Decoded, Geometry};

    let (values, mut out) = ([7, 5, 3, 1], [0; 4]);
    let bytes = encode_with!(delta_binary_packed, &values, (Geometry::SPEC_128_4));
    assert_eq!(delta_binary_packed::encoded_len_with(Path::PORTABLE, &values, Geometry::SPEC_128_4), bytes.len());
    let decoded = Decoded { values: 4, consumed: bytes.len() };
    assert_eq!(decode_into!(delta_binary_packed, &bytes, (), &mut out), decoded);
    assert_eq!(delta_binary_packed::naive::decode_into(&bytes, &mut out), Ok(decoded));
    assert_eq!(decode!(delta_binary_packed[i32], &bytes, 4), (values.to_vec(), bytes.len()));
    let put = |writer: &mut delta_binary_packed::PageWriter<i32>| writer.put(&values);
    page!(delta_binary_packed[i32], Geometry::SPEC_128_4, put, &bytes, ());
    let mut reader = delta_binary_packed::naive::PageReader::<i32>::new(&bytes).expect("a page");
    assert_eq!((reader.skip(1), reader.remaining(), reader.consumed() < bytes.len()), (Ok(1), 3, true));
}

/// The two codecs for byte arrays.
macro_rules! byte_arrays {
    ($codec:ident, $options:expr) => {
        #[test]
        fn $codec() {
            use $codec::{ByteArrays, Geometry, PageWriter, Scratch};

            let values = [&b"axis"[..], b"axle", b"babble"];
            let column = ByteArrays::slices(&values);
            let scratch = &mut Scratch::new();
            let bytes = encode_with!($codec, &column, (Geometry::SPEC_128_4), scratch);
            let len = $codec::encoded_len_with(Path::PORTABLE, &column, Geometry::SPEC_128_4, scratch);
            assert_eq!(len, Ok(bytes.len()));
            let (mut offsets, mut data) = (Vec::<i32>::new(), Vec::new());
            let consumed = decode_into!($codec, &bytes, (&$options), scratch, &mut offsets, &mut data);
            assert_eq!((consumed, &offsets[..], data), (bytes.len(), &[0, 4, 8, 14][..], values.concat()));
            let values = values.map(<[u8]>::to_vec).to_vec();
            assert_eq!($codec::naive::decode(&bytes, &$options), Ok((values.clone(), bytes.len())));
            assert_eq!(decode!($codec, &bytes, &$options), (values.clone(), bytes.len()));
            let put = |writer: &mut PageWriter| values.iter().for_each(|value| writer.push(value).sure());
            page!($codec, Geometry::SPEC_128_4, put, &bytes, (&$options, scratch));
        }
    };
}

byte_arrays!(delta_length_byte_array, delta_length_byte_array::DecodeLimits::default());
byte_arrays!(delta_byte_array, delta_byte_array::DecodeOptions::default());
