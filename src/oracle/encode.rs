//! The oracles of an encode case.

use super::{Answer, Detail, Difference, FILLS, Judge, Judged, NO_STEPS, Oracle, Sweep, Written, plain};
use crate::case::Capacity;
use crate::error::EncodeError;
use crate::subject::{Subject, Twins};

/// Above this many bytes a sweep of every length looks at the first and the last so many only.
const SWEPT_WHOLE: usize = 1024;

/// From so many bytes on an encoding is long: every length takes a whole encode.
const LONG: usize = 4 * SWEPT_WHOLE + 1;

/// Of long ones a sweep looks at so many lengths at both ends.
const ENDS_OF_LONG: usize = 16;

/// One call of an encoder.
struct Call<'a, D: Twins> {
    params: &'a D::Params,
    values: &'a D::Values,
    puts: &'a [u16],
    /// Length of `out`.
    room: usize,
    /// What it holds.
    fill: u8,
}

impl<D: Twins> Clone for Call<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Twins> Copy for Call<'_, D> {}

impl<D: Twins> Judge<D> {
    pub(super) fn prepare_encode(&mut self, params: &D::Params, values: &D::Values) {
        // Mostly there is room from a longer case before, and naive, which is slow, need not be asked for the length first.
        let mut answer = self.naive.encode(params, values, &[], &mut self.room);
        if let Answer::Error(EncodeError::BufferTooSmall { needed, .. }) = answer {
            self.room.resize(needed, 0);
            answer = self.naive.encode(params, values, &[], &mut self.room);
        }
        let wrote = &mut self.naive_wrote;
        wrote.answer = plain(answer, "encode");
        wrote.bytes.clear();
        if let Some(written) = wrote.answer.done() {
            wrote.bytes.extend_from_slice(&self.room[..written]);
            wrote.needed = wrote.answer.clone();
        } else {
            wrote.needed = plain(self.naive.encoded_len(params, values), "length");
        }
    }

    /// What the subject must answer: as naive, or as it answered itself.
    fn wrote(&self) -> &Written {
        if self.own_differs { &self.own_wrote } else { &self.naive_wrote }
    }

    pub(super) fn judge_encode(
        &mut self,
        params: &D::Params,
        values: &D::Values,
        puts: &[u16],
        capacity: Capacity,
        subject: &mut dyn Subject<D>,
    ) -> Judged<D> {
        let plain = Call { params, values, puts: &[], room: self.naive_wrote.room(), fill: FILLS[0] };
        let mut compared = self.own_encoding(plain, subject)?;
        let exact = self.wrote().room();
        let plain = Call { room: exact, ..plain };
        let room = capacity.of(exact);
        let quick = self.sweep == Sweep::Case;
        if subject.keeps_contract() {
            if self.asks(Oracle::Length) {
                compared |= self.length(params, values, subject)?;
            }
            if self.asks(Oracle::Capacity) && !(quick && room == exact) {
                compared |= self.encode_at(Oracle::Capacity, Call { room, fill: FILLS[1], ..plain }, subject)?;
                compared |= self.sweep_capacity(plain, subject)?;
            }
        }
        if self.asks(Oracle::Chunks) && !puts.is_empty() {
            if subject.keeps_contract() {
                compared |= self.encode_at(Oracle::Chunks, Call { puts, room, ..plain }, subject)?;
            }
            if !(quick && subject.keeps_contract() && room >= exact) {
                compared |= self.encode_at(Oracle::Chunks, Call { puts, fill: FILLS[1], ..plain }, subject)?;
            }
        }
        if self.asks_again(Oracle::Reuse) {
            if subject.keeps_contract() {
                // A call that fails, and what it leaves behind.
                self.asking = Oracle::Reuse;
                self.out.resize(exact / 2, 0);
                subject.encode(params, values, &[], &mut self.out);
            }
            compared |= self.encode_at(Oracle::Reuse, Call { fill: FILLS[1], ..plain }, subject)?;
        }
        if self.wrote().answer.done().is_some() {
            if self.asks_again(Oracle::RoundTrip) && D::reads_back(params, values) {
                compared |= self.read_back(params, values, subject)?;
            }
            if self.asks_again(Oracle::Order) {
                let bytes = core::mem::take(&mut self.naive_wrote.bytes);
                let judged = self.order(params, &bytes, subject);
                self.naive_wrote.bytes = bytes;
                compared |= judged?;
            }
        }
        Ok(compared)
    }

    /// The plain call. Where its answer is not naive's and nobody is asked who says so, it is what the others go by.
    fn own_encoding(&mut self, call: Call<'_, D>, subject: &mut dyn Subject<D>) -> Judged<D> {
        let judged = self.encode_at(Oracle::Identity, call, subject);
        if let Err(difference) = &judged
            && !self.asks(difference.oracle)
            && let Detail::Encoded { got, bytes, .. } = &difference.detail
        {
            let needed = match got {
                Answer::Done(written) if *written == bytes.len() => got,
                // It contradicts itself: naive's answer stays the measure.
                Answer::Done(_) | Answer::Error(EncodeError::BufferTooSmall { .. }) => return Ok(true),
                _ if self.naive_wrote.needed.done().is_some() => &self.naive_wrote.needed,
                refused => refused,
            };
            self.own_wrote = Written { needed: needed.clone(), answer: got.clone(), bytes: bytes.clone() };
            self.own_differs = difference.oracle == Oracle::Identity;
        }
        self.told(judged).map(|compared| compared && self.asks(Oracle::Identity))
    }

    fn length(&mut self, params: &D::Params, values: &D::Values, subject: &mut dyn Subject<D>) -> Judged<D> {
        self.asking = Oracle::Length;
        let got = subject.encoded_len(params, values);
        if got.supported() && !self.wrote().needed.agrees(&got) {
            let detail = Detail::Length { expected: self.wrote().needed.clone(), got };
            return Err(Box::new(Difference { oracle: Oracle::Length, detail }));
        }
        Ok(got.supported())
    }

    fn sweep_capacity(&mut self, exact: Call<'_, D>, subject: &mut dyn Subject<D>) -> Judged<D> {
        let mut compared = false;
        let needed = exact.room;
        match self.sweep {
            Sweep::Case => {}
            Sweep::Borders => {
                for (turn, room) in
                    [0, 1, needed / 2, needed.saturating_sub(1), needed, needed + 1].into_iter().enumerate()
                {
                    compared |=
                        self.encode_at(Oracle::Capacity, Call { room, fill: FILLS[turn % 2], ..exact }, subject)?;
                }
            }
            Sweep::Every => {
                let ends = if needed < LONG { SWEPT_WHOLE } else { ENDS_OF_LONG };
                for room in (0..=needed + 1).filter(|room| *room <= ends || room + ends >= needed) {
                    for fill in FILLS {
                        compared |= self.encode_at(Oracle::Capacity, Call { room, fill, ..exact }, subject)?;
                    }
                }
            }
        }
        Ok(compared)
    }

    /// Encodes, and compares. A difference that many puts have in common with one put is capacity's.
    fn encode_at(&mut self, oracle: Oracle, call: Call<'_, D>, subject: &mut dyn Subject<D>) -> Judged<D> {
        if oracle == Oracle::Reuse {
            return self.encode_once(oracle, call, subject);
        }
        let mut judged = self.ask(subject, |judge, subject| judge.encode_once(oracle, call, subject));
        if oracle == Oracle::Chunks
            && let Err(difference) = &mut judged
            && difference.oracle == Oracle::Chunks
            && self.encode_once(Oracle::Capacity, Call { puts: &[], ..call }, subject).is_err()
        {
            difference.oracle = Oracle::Capacity;
        }
        if oracle == Oracle::Identity { judged } else { self.told(judged) }
    }

    /// Encodes into `room` bytes that all hold `fill`, and compares answer, bytes and what must be left alone.
    fn encode_once(&mut self, oracle: Oracle, call: Call<'_, D>, subject: &mut dyn Subject<D>) -> Judged<D> {
        let Call { params, values, puts, room, fill } = call;
        self.asking = oracle;
        self.out.clear();
        self.out.resize(room, fill);
        let got = subject.encode(params, values, puts, &mut self.out);
        if !got.supported() {
            return Ok(false);
        }
        let expected = self.wrote().at(room);
        let written = expected.done().unwrap_or(0);
        if !expected.agrees(&got) || self.out[..written] != self.wrote().bytes[..written] {
            let detail = Detail::Encoded {
                capacity: room,
                expected,
                expected_bytes: self.wrote().bytes[..written].to_vec(),
                bytes: self.out[..got.done().unwrap_or(0).min(room)].to_vec(),
                got,
            };
            return Err(Box::new(Difference { oracle, detail }));
        }
        if oracle == Oracle::Reuse || !subject.keeps_contract() {
            return Ok(true);
        }
        // What was refused after its neighbours had been written is zeroed, and never longer than the encoding.
        let zeroed = match expected {
            Answer::Done(_) | Answer::Error(EncodeError::BufferTooSmall { .. }) => 0,
            _ => self.wrote().room(),
        };
        if let Some(at) = touched(&self.out, written, zeroed, fill) {
            let detail = Detail::Touched { capacity: room, at, fill, found: self.out[at], got };
            let oracle = if oracle == Oracle::Identity { Oracle::Capacity } else { oracle };
            return Err(Box::new(Difference { oracle, detail }));
        }
        Ok(true)
    }

    /// Has the subject read what it wrote: what naive wrote, unless identity says otherwise.
    fn read_back(&mut self, params: &D::Params, values: &D::Values, subject: &mut dyn Subject<D>) -> Judged<D> {
        let judged = self.ask(subject, |judge, subject| judge.read_back_once(params, values, subject));
        self.told(judged)
    }

    fn read_back_once(&mut self, params: &D::Params, values: &D::Values, subject: &mut dyn Subject<D>) -> Judged<D> {
        self.asking = Oracle::RoundTrip;
        let wrote = if self.own_differs { &self.own_wrote } else { &self.naive_wrote };
        let expected = Answer::Done(wrote.bytes.len());
        let got = subject.decode(params, &wrote.bytes, NO_STEPS, &mut self.values);
        if !got.supported() {
            return Ok(false);
        }
        let read = expected.agrees(&got) || got.done().is_some() && !subject.says_consumed();
        if !read || !D::same_values(params, values, &self.values) {
            let detail =
                Detail::Decoded { expected, expected_values: values.clone(), got, values: self.values.clone() };
            return Err(Box::new(Difference { oracle: Oracle::RoundTrip, detail }));
        }
        Ok(true)
    }
}

/// The first byte of `out` that must be as it was, and is not. Behind `written` that is every byte, but that a zero may
/// stand before `zeroed`.
fn touched(out: &[u8], written: usize, zeroed: usize, fill: u8) -> Option<usize> {
    let start = written.max(zeroed.min(out.len()));
    let (refused, rest) = (&out[written..start], &out[start..]);
    let at = refused.iter().position(|byte| *byte != fill && *byte != 0);
    // A slice is compared with itself, one byte further on: under a fuzzer a loop over the bytes is dear.
    let all_fill = rest.first().is_none_or(|first| *first == fill && rest[1..] == rest[..rest.len() - 1]);
    let behind = || if all_fill { None } else { rest.iter().position(|byte| *byte != fill) };
    at.map(|at| written + at).or_else(|| behind().map(|at| start + at))
}

#[cfg(test)]
mod tests {
    use super::touched;

    #[test]
    fn one_byte_that_was_touched_is_found_wherever_it_is() {
        for len in 0..20 {
            for written in 0..=len {
                assert_eq!(touched(&vec![7; len], written, 0, 7), None);
                for at in written..len {
                    let mut out = vec![7; len];
                    out[at] = 8;
                    assert_eq!(touched(&out, written, 0, 7), Some(at), "{written} of {len}");
                    // A zero may stand where a refused encoding would have, and another byte may not.
                    assert_eq!(touched(&out, written, len, 7), Some(at), "{written} of {len}");
                    out[at] = 0;
                    assert_eq!(touched(&out, written, at + 1, 7), None, "{written} of {len}");
                    assert_eq!(touched(&out, written, at, 7), Some(at), "{written} of {len}");
                }
            }
        }
    }
}
