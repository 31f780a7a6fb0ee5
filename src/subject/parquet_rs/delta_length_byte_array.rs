//! `DeltaLengthByteArrayEncoder` and `DeltaLengthByteArrayDecoder`.

use super::delta_binary_packed::{Kept, encode};
use super::ledger::{self, Disagreement};
use super::{NAME, refused};
use crate::case::{Case, Step};
use crate::codec::byte_arrays::Trailing;
use crate::domain::byte_strings::{Params, Strings};
use crate::domain::delta_length_byte_array::DeltaLengthByteArray;
use crate::error::{DecodeError, EncodeError};
use crate::subject::panics::quietly;
use crate::subject::{Answer, Subject};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type};
use parquet::decoding::{Decoder, DeltaBitPackDecoder, DeltaLengthByteArrayDecoder};
use parquet::encoding::DeltaLengthByteArrayEncoder;
use parquet::errors::Result;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The `parquet` crate on DELTA_LENGTH_BYTE_ARRAY. Its encoders and its decoder live as long as it does.
#[derive(Default)]
pub struct DeltaLengths {
    encoders: Kept<DeltaLengthByteArrayEncoder<ByteArrayType>>,
    decoder: DeltaLengthByteArrayDecoder<ByteArrayType>,
}

/// Whether a stream of lengths claims more values than `max`: the crate makes room for as many as are claimed, before
/// it looks at one of them (`8001 04 ffffffff7f 00` asks for 137 GB), so it is not asked.
pub(super) fn claims_more(stream: &[u8], max: usize) -> bool {
    let mut decoder = DeltaBitPackDecoder::<Int32Type>::new();
    decoder.set_data(stream.to_vec().into(), 0).is_ok() && decoder.values_left() > max
}

/// Reads an opened page in steps.
pub(super) fn take_steps<T: DataType>(
    decoder: &mut impl Decoder<T>,
    steps: &[Step],
    mut push: impl FnMut(&T::T),
) -> Result<()> {
    let mut take = |decoder: &mut dyn Decoder<T>, count: usize| {
        let mut values = vec![T::T::default(); count.min(decoder.values_left())];
        let read = decoder.get(&mut values)?;
        values[..read].iter().for_each(&mut push);
        Ok(())
    };
    for step in steps {
        match *step {
            Step::Get(count) => take(decoder, count.into())?,
            Step::Skip(count) => {
                // As a reader of pages asks: not for more than there are.
                let count = decoder.values_left().min(count.into());
                decoder.skip(count)?;
            }
        }
    }
    take(decoder, usize::MAX)
}

/// The crate has no limits: to look at them is its caller's part.
const TOO_MANY_BYTES: &str = "more bytes than the case allows";

fn name(disagreement: &Disagreement<'_>) -> Option<&'static str> {
    let cut = ledger::lacks_padding::<i32>(disagreement.bytes);
    of_absent(disagreement, cut).or_else(|| disagreement.of_integers())
}

/// Values that are not in the page, or, where a stream of lengths is `cut` in its padding, no data at all.
pub(super) fn of_absent(disagreement: &Disagreement<'_>, cut: bool) -> Option<&'static str> {
    match disagreement.right {
        Err(DecodeError::UnexpectedEnd { .. }) if cut && disagreement.theirs.sliced_past_the_end() => {
            Some(ledger::CUT_PADDING_OF_LENGTHS)
        }
        // Naive may have refused the page before it got there.
        Err(_) if disagreement.theirs.sliced_past_the_end() => Some(ledger::ABSENT_VALUE),
        Err(
            DecodeError::UnexpectedEnd { .. } | DecodeError::NegativeLength { .. } | DecodeError::OutputTooLarge { .. },
        ) if disagreement.theirs.read() && disagreement.skips() => Some(ledger::SKIPPED_ABSENT),
        _ => None,
    }
}

impl DeltaLengths {
    fn read(&mut self, bytes: &[u8], steps: &[Step], out: &mut Strings) -> Result<()> {
        self.decoder.set_data(bytes.to_vec().into(), 0)?;
        take_steps(&mut self.decoder, steps, |value: &ByteArray| out.push(value.data()))
    }

    /// All values of the page, if they can be read.
    fn whole(&mut self, bytes: &[u8]) -> Option<Strings> {
        let mut all = Strings::default();
        let read = catch_unwind(AssertUnwindSafe(|| quietly(|| self.read(bytes, &[], &mut all))));
        matches!(read, Ok(Ok(()))).then_some(all)
    }
}

impl Subject<DeltaLengthByteArray> for DeltaLengths {
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
        if params.form.width().is_some() {
            // Its type says BYTE_ARRAY.
            return Answer::Unsupported;
        }
        let list: Vec<ByteArray> = values.iter().map(|value| value.to_vec().into()).collect();
        let geometry = params.layout.geometry::<i32>();
        quietly(|| {
            let encoder = self.encoders.get(geometry, DeltaLengthByteArrayEncoder::new_with_options);
            encode(encoder, &list, puts, out)
        })
    }

    fn decode(&mut self, params: &Params, bytes: &[u8], steps: &[Step], values: &mut Strings) -> Answer<DecodeError> {
        values.clear();
        let claims_more = || claims_more(bytes, params.max_values as usize);
        if params.trailing == Trailing::Refused || quietly(claims_more) {
            return Answer::Unsupported;
        }
        if !steps.is_empty() && self.whole(bytes).is_some_and(|whole| whole.data.len() > params.max_bytes as usize) {
            // The limit is one of the whole page, so what is skipped counts.
            return Answer::Refused(TOO_MANY_BYTES.into());
        }
        match quietly(|| self.read(bytes, steps, values)) {
            Ok(()) if values.data.len() <= params.max_bytes as usize => Answer::Done(0),
            Ok(()) => Answer::Refused(TOO_MANY_BYTES.into()),
            Err(error) => refused(error),
        }
    }

    fn excuse(&self, case: &Case<DeltaLengthByteArray>) -> Option<&'static str> {
        ledger::excuse(Self::default(), case, name)
    }
}
