//! The twins of DELTA_BYTE_ARRAY.

use super::DeltaByteArray;
use crate::codec::delta_byte_array::{self, DecodeOptions, FirstPrefix, Scratch};

crate::domain::byte_strings::subjects!(
    DeltaByteArray,
    delta_byte_array,
    options: options,
    writes: |_| true,
    direct: |_, _: &mut Scratch, _, _, _: &mut Strings| None,
    peer: DeltaStrings,
);

fn options(params: &Params) -> DecodeOptions<'_> {
    let first_prefix = match params.previous.as_slice() {
        [] => FirstPrefix::Empty,
        previous => FirstPrefix::Previous(previous),
    };
    DecodeOptions { limits: params.limits(), first_prefix, value_len: params.form.width() }
}
