//! The oracles of a decode case.

use super::{Detail, Difference, Judge, Judged, NO_STEPS, Oracle, Read, Sweep, plain};
use crate::case::Step;
use crate::subject::{Subject, Twins};

/// What is put behind a page to see that it is left alone.
pub(crate) const BEHIND: [u8; 7] = [0xff, 0x00, 0x80, 0x01, 0x04, 0x7f, 0xff];

/// One call of a decoder.
struct Call<'a, D: Twins> {
    params: &'a D::Params,
    bytes: &'a [u8],
    steps: &'a [Step],
}

impl<D: Twins> Clone for Call<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Twins> Copy for Call<'_, D> {}

impl<D: Twins> Judge<D> {
    pub(super) fn judge_decode(
        &mut self,
        params: &D::Params,
        bytes: &[u8],
        steps: &[Step],
        subject: &mut dyn Subject<D>,
    ) -> Judged<D> {
        let plain = Call { params, bytes, steps: NO_STEPS };
        let mut compared = self.own_values(plain, subject)?;
        if self.asks_again(Oracle::Reuse) {
            if subject.keeps_contract() {
                // A page that is cut, and what it leaves behind.
                self.asking = Oracle::Reuse;
                subject.decode(params, &bytes[..bytes.len() / 2], NO_STEPS, &mut self.values);
            }
            compared |= self.decode_at(Oracle::Reuse, plain, subject)?;
        }
        if self.asks(Oracle::Skip) && !steps.is_empty() {
            compared |= self.decode_at(Oracle::Skip, Call { steps, ..plain }, subject)?;
        }
        if self.asks_again(Oracle::Consumed) || self.asks(Oracle::Identity) && self.sweep != Sweep::Case {
            compared |= self.with_bytes_behind(plain, subject)?;
        }
        if self.asks_again(Oracle::Order) {
            compared |= self.order(params, bytes, subject)?;
        }
        Ok(compared)
    }

    /// The plain call. Where its answer is not naive's and nobody is asked who says so, it is what the others go by.
    fn own_values(&mut self, call: Call<'_, D>, subject: &mut dyn Subject<D>) -> Judged<D> {
        let judged = self.decode_at(Oracle::Identity, call, subject);
        if let Err(difference) = &judged
            && !self.asks(difference.oracle)
            && let Detail::Decoded { got, values, .. } = &difference.detail
        {
            self.own_read = Read { answer: got.clone(), values: values.clone() };
            self.own_differs = difference.oracle != Oracle::Reuse;
        }
        self.told(judged).map(|compared| compared && self.asks(Oracle::Identity))
    }

    /// Decodes, and compares.
    fn decode_at(&mut self, oracle: Oracle, call: Call<'_, D>, subject: &mut dyn Subject<D>) -> Judged<D> {
        if oracle == Oracle::Reuse {
            return self.decode_once(oracle, call, subject);
        }
        let judged = self.ask(subject, |judge, subject| judge.decode_once(oracle, call, subject));
        if oracle == Oracle::Identity { judged } else { self.told(judged) }
    }

    fn decode_once(&mut self, oracle: Oracle, call: Call<'_, D>, subject: &mut dyn Subject<D>) -> Judged<D> {
        let Call { params, bytes, steps } = call;
        self.asking = oracle;
        let got = subject.decode(params, bytes, steps, &mut self.values);
        if !got.supported() {
            return Ok(false);
        }
        let Read { answer: expected, values } = if self.own_differs { &self.own_read } else { &self.naive_read };
        let right = if steps.is_empty() {
            values
        } else {
            self.selected = D::select(values, steps);
            &self.selected
        };
        let done = (expected.done(), got.done());
        let same_end = expected.agrees(&got) || matches!(done, (Some(_), Some(_))) && !subject.says_consumed();
        let oracle = match done {
            (Some(_), Some(_)) if *right != self.values => oracle,
            _ if same_end => return Ok(true),
            // Where a page ends is another rule than what is in it.
            (Some(_), Some(_)) if oracle == Oracle::Identity => Oracle::Consumed,
            _ => oracle,
        };
        let detail = Detail::Decoded {
            expected: expected.clone(),
            expected_values: right.clone(),
            got,
            values: self.values.clone(),
        };
        Err(Box::new(Difference { oracle, detail }))
    }

    /// The page with other bytes behind it. Naive is asked too: a format without an end of its own reads them, and a page
    /// that is cut goes on in them, which makes them another page, for identity to judge.
    fn with_bytes_behind(&mut self, page: Call<'_, D>, subject: &mut dyn Subject<D>) -> Judged<D> {
        let mut longer = core::mem::take(&mut self.longer);
        longer.clear();
        longer.extend_from_slice(page.bytes);
        longer.extend_from_slice(&BEHIND);
        let page = Call { bytes: &longer, ..page };
        let answer = plain(self.naive.decode(page.params, page.bytes, NO_STEPS, &mut self.selected), "decode");
        let ends = answer == self.naive_read.answer && self.selected == self.naive_read.values;
        let judged = if ends {
            self.decode_at(Oracle::Consumed, page, subject)
        } else if self.own_differs {
            Ok(false)
        } else {
            self.own_read.answer = answer;
            core::mem::swap(&mut self.own_read.values, &mut self.selected);
            self.own_differs = true;
            let judged = self.decode_at(Oracle::Identity, page, subject);
            self.own_differs = false;
            self.told(judged)
        };
        self.longer = longer;
        judged
    }
}
