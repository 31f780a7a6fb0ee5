//! The twins of DELTA_LENGTH_BYTE_ARRAY.

use super::DeltaLengthByteArray;
use crate::codec::delta_length_byte_array::{self, Decoder};

crate::domain::byte_strings::subjects!(
    DeltaLengthByteArray,
    delta_length_byte_array,
    options: Params::options,
    // A writer knows nothing of fixed-length columns: it is for BYTE_ARRAY.
    writes: |form: Form| form.width().is_none(),
    direct: slices,
    peer: DeltaLengths,
);

/// Slices of the page itself.
fn slices(
    decoder: &mut Decoder,
    params: &Params,
    bytes: &[u8],
    out: &mut Strings,
) -> Option<Result<usize, DecodeError>> {
    (params.form == Form::Slices).then(|| {
        let range = decoder.decode_offsets_into(bytes, &params.options(), &mut out.offsets)?;
        out.data.extend_from_slice(&bytes[range.clone()]);
        Ok(range.end)
    })
}
