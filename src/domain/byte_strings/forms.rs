//! The forms in which a column is handed over, made from one column of a case.

use super::{Form, Strings};
use crate::codec::byte_arrays::ByteArrays;

/// Bytes of another column before and behind the data of a sliced one.
const BEFORE: &[u8] = b"\xffjunk";
const BEHIND: &[u8] = b"\x80more";

/// Memory of the forms, used again and again.
#[derive(Debug, Default)]
pub struct Forms {
    offsets: Vec<i32>,
    wide: Vec<i64>,
    data: Vec<u8>,
    slices: Vec<&'static [u8]>,
}

impl Forms {
    /// Calls `ask` with `values` in the form that `form` says.
    pub fn hand_over<R>(&mut self, form: Form, values: &Strings, ask: impl FnOnce(&ByteArrays<'_>) -> R) -> R {
        let legal = "offsets rise to the length of the data";
        match form {
            Form::Arrow32 => ask(&values.arrays()),
            Form::Arrow64 => {
                self.wide.clear();
                self.wide.extend(values.offsets.iter().map(|offset| i64::from(*offset)));
                ask(&ByteArrays::arrow(&self.wide, &values.data).expect(legal))
            }
            Form::Sliced => {
                self.data.clear();
                [BEFORE, &values.data, BEHIND].iter().for_each(|part| self.data.extend_from_slice(part));
                self.offsets.clear();
                self.offsets.extend(values.offsets.iter().map(|offset| offset + BEFORE.len() as i32));
                ask(&ByteArrays::arrow(&self.offsets, &self.data).expect(legal))
            }
            Form::Fixed(width) => {
                ask(&ByteArrays::fixed_len(width.into(), &values.data).expect("values of that many bytes"))
            }
            Form::Slices | Form::Stream => {
                // Back to front, and apart, so that neighbours in the column are none in memory.
                self.data.clear();
                for value in values.iter().rev() {
                    self.data.extend_from_slice(value);
                    self.data.push(0xa5);
                }
                let mut slices = emptied(core::mem::take(&mut self.slices));
                let mut end = self.data.len();
                for value in values.iter() {
                    slices.push(&self.data[end - 1 - value.len()..end - 1]);
                    end -= value.len() + 1;
                }
                let answer = ask(&ByteArrays::slices(&slices));
                self.slices = emptied(slices);
                answer
            }
        }
    }
}

/// The empty list of another lifetime, in the same memory.
fn emptied<'b>(mut slices: Vec<&[u8]>) -> Vec<&'b [u8]> {
    slices.clear();
    slices.into_iter().map(|_| -> &'b [u8] { unreachable!("cleared") }).collect()
}
