//! `DeltaBitPackEncoder` and `DeltaBitPackDecoder`.

use super::ledger::{self, Disagreement};
use super::{NAME, refused};
use crate::case::{Case, Step};
use crate::codec::delta_binary_packed::Geometry;
use crate::domain::delta_binary_packed::{DeltaBinaryPacked, Kind, Params, Values};
use crate::error::{DecodeError, EncodeError};
use crate::subject::panics::quietly;
use crate::subject::{Answer, Subject};
use parquet::data_type::{DataType, Int32Type, Int64Type};
use parquet::decoding::{Decoder, DeltaBitPackDecoder};
use parquet::encoding::{DeltaBinaryPackedEncoderOptions, DeltaBitPackEncoder, Encoder};
use parquet::errors::Result;

/// Encoders that are kept from case to case.
const KEPT: usize = 8;

/// The `parquet` crate on DELTA_BINARY_PACKED. Its encoders and decoders live as long as it does.
#[derive(Default)]
pub struct DeltaBitPack {
    encoders_i32: Kept<DeltaBitPackEncoder<Int32Type>>,
    encoders_i64: Kept<DeltaBitPackEncoder<Int64Type>>,
    decoder_i32: DeltaBitPackDecoder<Int32Type>,
    decoder_i64: DeltaBitPackDecoder<Int64Type>,
}

/// Encoders, one for each of the last few geometries.
pub(super) struct Kept<E>(Vec<(Geometry, E)>);

impl<E> Default for Kept<E> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<E> Kept<E> {
    /// The encoder for `geometry`, made by `make` when there is none.
    pub(super) fn get(
        &mut self,
        geometry: Geometry,
        make: impl FnOnce(DeltaBinaryPackedEncoderOptions) -> E,
    ) -> Result<&mut E> {
        let at = match self.0.iter().position(|(known, _)| *known == geometry) {
            Some(at) => at,
            None => {
                if self.0.len() == KEPT {
                    self.0.remove(0);
                }
                let options =
                    DeltaBinaryPackedEncoderOptions::try_new(geometry.block_size(), geometry.miniblock_count())?;
                self.0.push((geometry, make(options)));
                self.0.len() - 1
            }
        };
        Ok(&mut self.0[at].1)
    }
}

/// Writes one page in several puts.
pub(super) fn encode<T: DataType>(
    encoder: Result<&mut impl Encoder<T>>,
    values: &[T::T],
    puts: &[u16],
    out: &mut [u8],
) -> Answer<EncodeError> {
    let write = |encoder: &mut dyn Encoder<T>| {
        let mut rest = values;
        for put in puts {
            let (now, later) = rest.split_at(rest.len().min((*put).into()));
            encoder.put(now)?;
            rest = later;
        }
        encoder.put(rest)?;
        encoder.flush_buffer()
    };
    match encoder.and_then(|encoder| write(encoder)) {
        // One with a buffer of its own is asked with room for all of naive's bytes; more than that is a difference.
        Ok(page) => {
            let shown = page.len().min(out.len());
            out[..shown].copy_from_slice(&page[..shown]);
            Answer::Done(page.len())
        }
        Err(error) => refused(error),
    }
}

/// Reads a page in steps, and gives the bytes that it took. `None` when it claims more than `max` values: to look at
/// that is the caller's part.
macro_rules! reading {
    ($name:ident, $type:ty, $native:ty) => {
        fn $name(
            decoder: &mut DeltaBitPackDecoder<$type>,
            bytes: &[u8],
            max: usize,
            steps: &[Step],
            out: &mut Vec<$native>,
        ) -> Result<Option<usize>> {
            decoder.set_data(bytes.to_vec().into(), 0)?;
            if decoder.values_left() > max {
                return Ok(None);
            }
            for step in steps.iter().chain(&[Step::Get(u16::MAX)]) {
                match *step {
                    Step::Get(count) => {
                        let start = out.len();
                        out.resize(start + decoder.values_left().min(count.into()), 0);
                        let read = decoder.get(&mut out[start..])?;
                        out.truncate(start + read);
                    }
                    Step::Skip(count) => {
                        decoder.skip(count.into())?;
                    }
                }
            }
            // More than the longest step takes.
            let start = out.len();
            out.resize(start + decoder.values_left(), 0);
            decoder.get(&mut out[start..])?;
            // The end comes from a fresh decoder: one that read a page before gives that page's end when it lies further
            // (`set_data` leaves `block_end_offset` as it was; tests/ledger.rs shows it).
            let mut fresh = DeltaBitPackDecoder::<$type>::new();
            fresh.set_data(bytes.to_vec().into(), 0)?;
            fresh.get(&mut vec![0; fresh.values_left()])?;
            Ok(Some(fresh.get_offset()))
        }
    };
}

reading!(read_i32, Int32Type, i32);
reading!(read_i64, Int64Type, i64);

fn name(kind: Kind, disagreement: &Disagreement<'_>) -> Option<&'static str> {
    let lacks_padding = match kind {
        Kind::I32 => ledger::lacks_padding::<i32>,
        Kind::I64 => ledger::lacks_padding::<i64>,
    };
    match disagreement.right {
        Err(DecodeError::UnexpectedEnd { .. }) if disagreement.theirs.read() && lacks_padding(disagreement.bytes) => {
            Some(ledger::CUT_PADDING)
        }
        Ok(_) if disagreement.skips() && disagreement.theirs.said("delta*n overflow in skip") => {
            Some(ledger::SKIPPED_STEPS)
        }
        _ => disagreement.of_integers(),
    }
}

impl Subject<DeltaBinaryPacked> for DeltaBitPack {
    fn name(&self) -> &str {
        NAME
    }

    fn keeps_contract(&self) -> bool {
        false
    }

    fn encode(&mut self, params: &Params, values: &Values, puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        quietly(|| match values {
            Values::I32(list) => {
                let geometry = params.layout.geometry::<i32>();
                encode(self.encoders_i32.get(geometry, DeltaBitPackEncoder::new_with_options), list, puts, out)
            }
            Values::I64(list) => {
                let geometry = params.layout.geometry::<i64>();
                encode(self.encoders_i64.get(geometry, DeltaBitPackEncoder::new_with_options), list, puts, out)
            }
        })
    }

    fn decode(&mut self, params: &Params, bytes: &[u8], steps: &[Step], values: &mut Values) -> Answer<DecodeError> {
        values.clear(params.kind);
        let max = params.max_values as usize;
        let read = quietly(|| match values {
            Values::I32(list) => read_i32(&mut self.decoder_i32, bytes, max, steps, list),
            Values::I64(list) => read_i64(&mut self.decoder_i64, bytes, max, steps, list),
        });
        match read {
            Ok(Some(consumed)) => Answer::Done(consumed),
            Ok(None) => Answer::Refused("more values than the case allows".into()),
            Err(error) => refused(error),
        }
    }

    fn excuse(&self, case: &Case<DeltaBinaryPacked>) -> Option<&'static str> {
        ledger::excuse(Self::default(), case, |disagreement| name(case.params.kind, disagreement))
    }
}
