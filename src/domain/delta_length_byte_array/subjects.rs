//! The twins of DELTA_LENGTH_BYTE_ARRAY.

use super::DeltaLengthByteArray;
use crate::codec::delta_length_byte_array::{self, Scratch};

crate::domain::byte_strings::subjects!(
    DeltaLengthByteArray,
    delta_length_byte_array,
    options: Params::limits,
    // A writer knows nothing of fixed-length columns: it is for BYTE_ARRAY.
    writes: |form: Form| form.width().is_none(),
    direct: slices,
    peer: DeltaLengths,
);

/// Slices of the page itself.
fn slices(
    path: Path,
    scratch: &mut Scratch,
    params: &Params,
    bytes: &[u8],
    out: &mut Strings,
) -> Option<Result<usize, DecodeError>> {
    (params.form == Form::Slices).then(|| {
        let (limits, offsets) = (params.limits(), &mut out.offsets);
        let range = delta_length_byte_array::decode_offsets_into_with(path, bytes, &limits, scratch, offsets)?;
        out.data.extend_from_slice(&bytes[range.clone()]);
        Ok(range.end)
    })
}
