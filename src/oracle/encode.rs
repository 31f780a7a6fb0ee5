//! The oracles of an encode case.

use super::{Answer, Detail, Difference, FILLS, Judge, Judged, NO_STEPS, Oracle, Sweep, answers_equal, plain};
use crate::case::Capacity;
use crate::error::EncodeError;
use crate::subject::{Subject, Twins};

/// Above this many bytes a sweep of every length looks at the first and the last so many only.
const SWEPT_WHOLE: usize = 1024;

impl<D: Twins> Judge<D> {
    pub(super) fn prepare_encode(&mut self, params: &D::Params, values: &D::Values) {
        let needed = plain(self.naive.encoded_len(params, values), "length");
        self.expected.needed = needed;
        self.expected.bytes.clear();
        self.expected.bytes.resize(needed.unwrap_or(0), FILLS[0]);
        self.expected.written = plain(self.naive.encode(params, values, &[], &mut self.expected.bytes), "encode");
    }

    pub(super) fn judge_encode(
        &mut self,
        params: &D::Params,
        values: &D::Values,
        puts: &[u16],
        capacity: Capacity,
        subject: &mut dyn Subject<D>,
    ) -> Judged<D> {
        let mut compared = false;
        let needed = self.expected.needed.unwrap_or(0);
        if self.asks(Oracle::Identity) {
            compared |= self.encode_at(Oracle::Identity, params, values, &[], needed, FILLS[0], subject)?;
        }
        if subject.keeps_contract() {
            if self.asks(Oracle::Length) {
                compared |= self.length(params, values, subject)?;
            }
            if self.asks(Oracle::Capacity) {
                let room = capacity.of(needed);
                compared |= self.encode_at(Oracle::Capacity, params, values, &[], room, FILLS[1], subject)?;
                compared |= self.sweep_capacity(needed, params, values, subject)?;
            }
        }
        if self.asks(Oracle::Chunks) && !puts.is_empty() {
            if subject.keeps_contract() {
                let room = capacity.of(needed);
                compared |= self.encode_at(Oracle::Chunks, params, values, puts, room, FILLS[0], subject)?;
            }
            compared |= self.encode_at(Oracle::Chunks, params, values, puts, needed, FILLS[1], subject)?;
        }
        if self.asks_again(Oracle::Reuse) {
            // Twice, so that the oracle means something when it is the only one that is asked.
            for fill in FILLS {
                compared |= self.encode_at(Oracle::Reuse, params, values, &[], needed, fill, subject)?;
            }
        }
        if self.asks(Oracle::RoundTrip) && self.expected.written.is_ok() && D::reads_back(params, values) {
            compared |= self.read_back(params, values, subject)?;
        }
        Ok(compared)
    }

    fn length(&mut self, params: &D::Params, values: &D::Values, subject: &mut dyn Subject<D>) -> Judged<D> {
        let got = subject.encoded_len(params, values);
        if got.supported() && !answers_equal(&self.expected.needed, &got, true) {
            let detail = Detail::Length { expected: self.expected.needed, got };
            return Err(Box::new(Difference { oracle: Oracle::Length, detail }));
        }
        Ok(got.supported())
    }

    fn sweep_capacity(
        &mut self,
        needed: usize,
        params: &D::Params,
        values: &D::Values,
        subject: &mut dyn Subject<D>,
    ) -> Judged<D> {
        let mut compared = false;
        match self.sweep {
            Sweep::Case => {}
            Sweep::Borders => {
                for (turn, room) in
                    [0, 1, needed / 2, needed.saturating_sub(1), needed, needed + 1].into_iter().enumerate()
                {
                    let fill = FILLS[turn % 2];
                    compared |= self.encode_at(Oracle::Capacity, params, values, &[], room, fill, subject)?;
                }
            }
            Sweep::Every => {
                for room in (0..=needed + 1).filter(|room| *room <= SWEPT_WHOLE || room + SWEPT_WHOLE >= needed) {
                    for fill in FILLS {
                        compared |= self.encode_at(Oracle::Capacity, params, values, &[], room, fill, subject)?;
                    }
                }
            }
        }
        Ok(compared)
    }

    /// Encodes into `room` bytes that all hold `fill`, and compares answer, bytes and what must be left alone.
    #[allow(clippy::too_many_arguments, reason = "a question and the rule that asks it, never stored")]
    fn encode_at(
        &mut self,
        oracle: Oracle,
        params: &D::Params,
        values: &D::Values,
        puts: &[u16],
        room: usize,
        fill: u8,
        subject: &mut dyn Subject<D>,
    ) -> Judged<D> {
        self.out.clear();
        self.out.resize(room, fill);
        let got = subject.encode(params, values, puts, &mut self.out);
        if !got.supported() {
            return Ok(false);
        }
        let expected = self.expected.at(room);
        let written = expected.unwrap_or(0);
        // What was refused after its neighbours had been written is zeroed, and never longer than the encoding.
        let zeroed = match expected {
            Err(EncodeError::BufferTooSmall { .. }) | Ok(_) => 0,
            Err(_) => self.expected.needed.unwrap_or(0),
        };
        if !answers_equal(&expected, &got, true) || self.out[..written] != self.expected.bytes[..written] {
            let detail = Detail::Encoded {
                capacity: room,
                expected,
                expected_bytes: self.expected.bytes[..written].to_vec(),
                bytes: self.out[..match got {
                    Answer::Done(count) => count.min(room),
                    _ => 0,
                }]
                    .to_vec(),
                got,
            };
            return Err(Box::new(Difference { oracle, detail }));
        }
        let touched = |(at, byte): (usize, &u8)| *byte != fill && !(*byte == 0 && at < zeroed);
        if let Some(at) = self.out.iter().enumerate().skip(written).position(touched) {
            let at = at + written;
            let detail = Detail::Touched { capacity: room, at, fill, found: self.out[at], got };
            return Err(Box::new(Difference { oracle, detail }));
        }
        Ok(true)
    }

    /// Has the subject read what naive wrote.
    fn read_back(&mut self, params: &D::Params, values: &D::Values, subject: &mut dyn Subject<D>) -> Judged<D> {
        let expected = Ok(self.expected.bytes.len());
        let got = subject.decode(params, &self.expected.bytes, NO_STEPS, &mut self.values);
        if !got.supported() {
            return Ok(false);
        }
        let equal = answers_equal(&expected, &got, subject.says_consumed());
        if !equal || !D::same_values(params, values, &self.values) {
            let detail =
                Detail::Decoded { expected, expected_values: values.clone(), got, values: self.values.clone() };
            return Err(Box::new(Difference { oracle: Oracle::RoundTrip, detail }));
        }
        Ok(true)
    }
}
