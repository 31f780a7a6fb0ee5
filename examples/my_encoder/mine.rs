//! The encoder under proof: i128 columns as FIXED_LEN_BYTE_ARRAY and BYTE_ARRAY.

use bytetwin::EncodeError;
use bytetwin::codec::decimal::{Physical, PrecisionCheck};
use bytetwin::domain::decimal::{Decimal, Params, Values};
use bytetwin::subject::{Answer, Subject};

/// My encoder. Its buffer is reused.
#[derive(Default)]
pub struct Mine {
    encoded: Vec<u8>,
}

/// Two's complement, big-endian, in the fewest bytes.
///
/// The bug: the byte that is saved for `80 00 .. 00` is right for negative numbers only. 128 becomes `80`, which is -128.
fn shortest(value: i128) -> Vec<u8> {
    let magnitude = value.unsigned_abs().to_be_bytes();
    let start = magnitude.iter().position(|byte| *byte != 0).unwrap_or(15);
    let mut bytes = magnitude[start..].to_vec();
    let power_of_two = bytes[0] == 0x80 && bytes[1..].iter().all(|byte| *byte == 0);
    if bytes[0] >= 0x80 && !power_of_two {
        bytes.insert(0, 0);
    }
    if value < 0 {
        let mut carry = true;
        for byte in bytes.iter_mut().rev() {
            (*byte, carry) = (!*byte).overflowing_add(carry.into());
        }
    }
    bytes
}

impl Mine {
    /// `Err` says why the column is refused.
    fn fill(&mut self, params: &Params, values: &[i128]) -> Result<(), &'static str> {
        self.encoded.clear();
        for value in values {
            let bytes = shortest(*value);
            let digits = value.unsigned_abs().checked_ilog10().map_or(1, |log| log + 1);
            if params.physical.width().is_some_and(|width| bytes.len() > width as usize) {
                return Err("too wide");
            }
            if params.options.precision_check == PrecisionCheck::Enforce && digits > params.precision {
                return Err("too many digits");
            }
            if let Physical::Fixed(width) = params.physical {
                let sign = if *value < 0 { 0xff } else { 0 };
                self.encoded.resize(self.encoded.len() + width as usize - bytes.len(), sign);
            } else {
                self.encoded.extend((bytes.len() as u32).to_le_bytes());
            }
            self.encoded.extend(bytes);
        }
        Ok(())
    }
}

impl Subject<Decimal> for Mine {
    fn name(&self) -> &str {
        "mine"
    }

    fn encode(&mut self, params: &Params, values: &Values, _puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        // What it does not do is not judged, and never counted as agreement.
        let (Values::I128(values), Physical::Fixed(_) | Physical::ByteArray) = (values, params.physical) else {
            return Answer::Unsupported;
        };
        if params.column().is_err() {
            return Answer::Refused("no such column".into());
        }
        // Errors of one's own make are only compared as errors.
        if let Err(why) = self.fill(params, values) {
            return Answer::Refused(why.into());
        }
        let needed = self.encoded.len();
        let Some(room) = out.get_mut(..needed) else {
            return Answer::Error(EncodeError::BufferTooSmall { needed, available: out.len() });
        };
        room.copy_from_slice(&self.encoded);
        Answer::Done(needed)
    }
}
