//! The oracles of a decode case.

use super::{Detail, Difference, Judge, Judged, NO_STEPS, Oracle, answers_equal, plain};
use crate::case::Step;
use crate::subject::{Subject, Twins};

/// What is put behind a page to see that it is left alone.
pub(crate) const BEHIND: [u8; 7] = [0xff, 0x00, 0x80, 0x01, 0x04, 0x7f, 0xff];

impl<D: Twins> Judge<D> {
    pub(super) fn judge_decode(
        &mut self,
        params: &D::Params,
        bytes: &[u8],
        steps: &[Step],
        subject: &mut dyn Subject<D>,
    ) -> Judged<D> {
        let mut compared = false;
        if self.asks(Oracle::Identity) {
            compared |= self.decode(Oracle::Identity, params, bytes, NO_STEPS, subject)?;
        }
        if self.asks_again(Oracle::Reuse) {
            for _ in 0..2 {
                compared |= self.decode(Oracle::Reuse, params, bytes, NO_STEPS, subject)?;
            }
        }
        if self.asks(Oracle::Skip) && !steps.is_empty() {
            compared |= self.decode(Oracle::Skip, params, bytes, steps, subject)?;
        }
        if self.asks_again(Oracle::Consumed) {
            compared |= self.with_bytes_behind(params, bytes, subject)?;
        }
        Ok(compared)
    }

    fn decode(
        &mut self,
        oracle: Oracle,
        params: &D::Params,
        bytes: &[u8],
        steps: &[Step],
        subject: &mut dyn Subject<D>,
    ) -> Judged<D> {
        let got = subject.decode(params, bytes, steps, &mut self.values);
        if !got.supported() {
            return Ok(false);
        }
        let expected = self.expected_read;
        let right = if steps.is_empty() {
            &self.expected_values
        } else {
            self.selected = D::select(&self.expected_values, steps);
            &self.selected
        };
        let equal = answers_equal(&expected, &got, subject.says_consumed());
        if !equal || (expected.is_ok() && *right != self.values) {
            let detail = Detail::Decoded { expected, expected_values: right.clone(), got, values: self.values.clone() };
            return Err(Box::new(Difference { oracle, detail }));
        }
        Ok(true)
    }

    /// The page with other bytes behind it. Naive is asked too: a format without an end of its own reads them.
    fn with_bytes_behind(&mut self, params: &D::Params, bytes: &[u8], subject: &mut dyn Subject<D>) -> Judged<D> {
        let mut longer = core::mem::take(&mut self.scratch);
        longer.clear();
        longer.extend_from_slice(bytes);
        longer.extend_from_slice(&BEHIND);
        let (read, mut values) = (self.expected_read, core::mem::take(&mut self.expected_values));
        self.expected_read = plain(self.naive.decode(params, &longer, NO_STEPS, &mut self.expected_values), "decode");
        let judged = self.decode(Oracle::Consumed, params, &longer, NO_STEPS, subject);
        core::mem::swap(&mut self.expected_values, &mut values);
        (self.expected_read, self.scratch) = (read, longer);
        judged
    }
}
