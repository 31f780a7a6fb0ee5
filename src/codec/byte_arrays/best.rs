//! What both codecs for byte arrays offer above a call by a named path.

/// Defines `encoded_len`, `encode_into` and `decode_into`, which take the best path, and `encode` and `decode`, over a
/// codec's `encoded_len_with`, `encode_into_with`, `decode_into_with`, `Scratch`, and what it decodes by.
macro_rules! by_the_best_path {
    ($options:ident: $type:ty) => {
        /// The bytes that [`encode_into`] writes.
        ///
        /// # Errors
        /// As the [contract](super) says.
        pub fn encoded_len(
            values: &ByteArrays<'_>,
            geometry: Geometry,
            scratch: &mut Scratch,
        ) -> Result<usize, EncodeError> {
            encoded_len_with(Path::best(), values, geometry, scratch)
        }

        /// Writes the page to the start of `out` and says how many bytes it takes.
        ///
        /// # Errors
        /// As the [contract](super) says. `out` is untouched then.
        pub fn encode_into(
            values: &ByteArrays<'_>,
            geometry: Geometry,
            scratch: &mut Scratch,
            out: &mut [u8],
        ) -> Result<usize, EncodeError> {
            encode_into_with(Path::best(), values, geometry, scratch, out)
        }

        /// The page as a new `Vec`.
        ///
        /// # Errors
        /// As the [contract](super) says.
        pub fn encode(values: &ByteArrays<'_>, geometry: Geometry) -> Result<Vec<u8>, EncodeError> {
            let mut scratch = Scratch::new();
            let mut out = alloc::vec![0; encoded_len(values, geometry, &mut scratch)?];
            encode_into(values, geometry, &mut scratch, &mut out)?;
            Ok(out)
        }

        /// Decodes the page at the front of `bytes` to an Arrow array: value `i` will be
        /// `data[offsets[i]..offsets[i + 1]]`. What was in the two is replaced. Gives the bytes consumed.
        ///
        /// # Errors
        /// As the [contract](super) says.
        pub fn decode_into<O: Offset>(
            bytes: &[u8],
            $options: $type,
            scratch: &mut Scratch,
            offsets: &mut Vec<O>,
            data: &mut Vec<u8>,
        ) -> Result<usize, DecodeError> {
            decode_into_with(Path::best(), bytes, $options, scratch, offsets, data)
        }

        /// The values of the page at the front of `bytes`, each a new `Vec`, and the bytes consumed.
        ///
        /// # Errors
        /// As the [contract](super) says.
        pub fn decode(bytes: &[u8], $options: $type) -> Result<(Vec<Vec<u8>>, usize), DecodeError> {
            let (mut offsets, mut data) = (Vec::<i64>::new(), Vec::new());
            let consumed = decode_into(bytes, $options, &mut Scratch::new(), &mut offsets, &mut data)?;
            let values = offsets.windows(2).map(|ends| data[ends[0] as usize..ends[1] as usize].to_vec());
            Ok((values.collect(), consumed))
        }
    };
}

pub(in crate::codec) use by_the_best_path;
