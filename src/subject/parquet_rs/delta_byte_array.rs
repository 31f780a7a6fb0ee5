//! `DeltaByteArrayEncoder` and `DeltaByteArrayDecoder`, for BYTE_ARRAY and for FIXED_LEN_BYTE_ARRAY.

use super::delta_binary_packed::{Kept, encode};
use super::delta_length_byte_array::{claims_more, of_absent, take_steps};
use super::ledger::{self, Disagreement};
use super::{NAME, refused};
use crate::case::{Case, Step};
use crate::codec::byte_arrays::Trailing;
use crate::domain::byte_strings::{Params, Strings};
use crate::domain::delta_byte_array::DeltaByteArray;
use crate::error::{DecodeError, EncodeError};
use crate::subject::panics::quietly;
use crate::subject::{Answer, Subject};
use parquet::data_type::{ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, Int32Type};
use parquet::decoding::{Decoder, DeltaBitPackDecoder, DeltaByteArrayDecoder};
use parquet::encoding::DeltaByteArrayEncoder;
use parquet::errors::Result;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The `parquet` crate on DELTA_BYTE_ARRAY. Its encoders and decoders live as long as it does.
#[derive(Default)]
pub struct DeltaStrings {
    encoders: Kept<DeltaByteArrayEncoder<ByteArrayType>>,
    fixed_encoders: Kept<DeltaByteArrayEncoder<FixedLenByteArrayType>>,
    decoder: DeltaByteArrayDecoder<ByteArrayType>,
    fixed_decoder: DeltaByteArrayDecoder<FixedLenByteArrayType>,
}

/// Where the crate sees the second stream of lengths; `None` when it does not get there.
fn second_stream(bytes: &[u8]) -> Option<usize> {
    let mut decoder = DeltaBitPackDecoder::<Int32Type>::new();
    decoder.set_data(bytes.to_vec().into(), 0).ok()?;
    decoder.get(&mut vec![0; decoder.values_left()]).ok()?;
    Some(decoder.get_offset()).filter(|offset| *offset <= bytes.len())
}

fn name(disagreement: &Disagreement<'_>) -> Option<&'static str> {
    let bytes = disagreement.bytes;
    let second = second_stream(bytes).map_or(&[][..], |second| &bytes[second..]);
    let cut = ledger::lacks_padding::<i32>(bytes) || ledger::lacks_padding::<i32>(second);
    match disagreement.right {
        Err(DecodeError::CountMismatch { .. }) if disagreement.theirs.read() => Some(ledger::UNEQUAL_COUNTS),
        // No suffix at all, so that there is none to go on with: it takes one that was never filled.
        Err(_) if disagreement.theirs.panicked_with(&["set_data should have been called"]) => {
            Some(ledger::UNEQUAL_COUNTS)
        }
        _ => of_absent(disagreement, cut).or_else(|| disagreement.of_integers()),
    }
}

impl DeltaStrings {
    fn read(&mut self, fixed: bool, bytes: &[u8], steps: &[Step], out: &mut Strings) -> Result<()> {
        let bytes = bytes.to_vec().into();
        if fixed {
            self.fixed_decoder.set_data(bytes, 0)?;
            take_steps(&mut self.fixed_decoder, steps, |value: &FixedLenByteArray| out.push(value.data()))
        } else {
            self.decoder.set_data(bytes, 0)?;
            take_steps(&mut self.decoder, steps, |value: &ByteArray| out.push(value.data()))
        }
    }

    /// All values of the page, if they can be read.
    fn whole(&mut self, fixed: bool, bytes: &[u8]) -> Option<Strings> {
        let mut all = Strings::default();
        let read = catch_unwind(AssertUnwindSafe(|| quietly(|| self.read(fixed, bytes, &[], &mut all))));
        matches!(read, Ok(Ok(()))).then_some(all)
    }
}

/// What the crate's caller looks at: the crate has no limits, and its decoder does not know the length of values.
fn accepted(params: &Params, values: &Strings) -> bool {
    params.form.width().is_none_or(|width| values.iter().all(|value| value.len() == width))
        && values.data.len() <= params.max_bytes as usize
}

impl Subject<DeltaByteArray> for DeltaStrings {
    fn name(&self) -> &str {
        NAME
    }

    fn keeps_contract(&self) -> bool {
        false
    }

    fn says_consumed(&self) -> bool {
        false
    }

    fn encode(&mut self, params: &Params, values: &Strings, puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        let geometry = params.layout.geometry::<i32>();
        quietly(|| {
            if params.form.width().is_some() {
                let list: Vec<FixedLenByteArray> = values.iter().map(|value| value.to_vec().into()).collect();
                let encoder = self.fixed_encoders.get(geometry, DeltaByteArrayEncoder::new_with_options);
                encode(encoder, &list, puts, out)
            } else {
                let list: Vec<ByteArray> = values.iter().map(|value| value.to_vec().into()).collect();
                encode(self.encoders.get(geometry, DeltaByteArrayEncoder::new_with_options), &list, puts, out)
            }
        })
    }

    fn decode(&mut self, params: &Params, bytes: &[u8], steps: &[Step], values: &mut Strings) -> Answer<DecodeError> {
        values.clear();
        let max = params.max_values as usize;
        let claims_more =
            || claims_more(bytes, max) || second_stream(bytes).is_some_and(|second| claims_more(&bytes[second..], max));
        // It knows no page before this one.
        if params.trailing == Trailing::Refused || !params.previous.is_empty() || quietly(claims_more) {
            return Answer::Unsupported;
        }
        let fixed = params.form.width().is_some();
        // Limits and lengths are of the whole page, so what is skipped counts.
        if self.whole(fixed, bytes).is_some_and(|whole| !accepted(params, &whole)) {
            return Answer::Refused("values that the column or the case does not allow".into());
        }
        match quietly(|| self.read(fixed, bytes, steps, values)) {
            Ok(()) => Answer::Done(0),
            Err(error) => refused(error),
        }
    }

    fn excuse(&self, case: &Case<DeltaByteArray>) -> Option<&'static str> {
        ledger::excuse(Self::default(), case, name)
    }
}
