//! What both codecs for byte arrays offer above a call by a named path.

/// Defines `encoded_len` and `encode_into`, which take the best path, and `encode`, over a codec's
/// `encoded_len_with`, `encode_into_with` and `Scratch`.
macro_rules! by_the_best_path {
    () => {
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
    };
}

pub(in crate::codec) use by_the_best_path;
