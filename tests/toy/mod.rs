//! A codec that fits on a page, for tests of the harness itself: a count octet, then 16-bit big-endian words below 40000.
//! It streams, so that every oracle has something to judge.

use bytetwin::case::{ByteReader, ByteWriter, Case, Domain, Fields, Job, Step, TextError};
use bytetwin::domain::{Explain, Span};
use bytetwin::generate::{Draw, Source, simpler_list};
use bytetwin::matrix::{Axis, Cells, Plane};
use bytetwin::subject::{Answer, Order, Subject, Twins};
use bytetwin::{DecodeError, EncodeError};
use std::sync::LazyLock;

/// The largest value that the codec takes.
pub const MAX: u16 = 40_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toy;

impl Domain for Toy {
    const CODEC: &'static str = "toy";
    const ID: u8 = 250;
    type Params = ();
    type Values = Vec<u16>;

    fn params_to_text(_: &(), _: &mut Fields) {}
    fn params_from_text(_: &Fields) -> Result<(), TextError> {
        Ok(())
    }
    fn values_to_text(_: &(), values: &Vec<u16>) -> String {
        values.iter().map(u16::to_string).collect::<Vec<_>>().join(", ")
    }
    fn values_from_text(_: &(), text: &str) -> Result<Vec<u16>, TextError> {
        let numbers = text.split(',').map(str::trim).filter(|number| !number.is_empty());
        numbers.map(|number| number.parse().map_err(|_| TextError::new("values", number, "a 16-bit number"))).collect()
    }
    fn params_to_bytes(_: &(), _: &mut ByteWriter) {}
    fn params_from_bytes(_: &mut ByteReader<'_>) {}
    fn values_to_bytes(_: &(), values: &Vec<u16>, writer: &mut ByteWriter) {
        writer.usize(values.len());
        values.iter().for_each(|value| writer.usize((*value).into()));
    }
    fn values_from_bytes(_: &(), reader: &mut ByteReader<'_>, values: &mut Vec<u16>) {
        values.clear();
        for _ in 0..reader.usize(255) {
            values.push(reader.usize(u16::MAX.into()) as u16);
        }
    }
    fn count(values: &Vec<u16>) -> usize {
        values.len()
    }
    fn select(values: &Vec<u16>, steps: &[Step]) -> Vec<u16> {
        select(values, steps)
    }
}

/// The values that are left when `steps` have been taken.
pub fn select(values: &[u16], steps: &[Step]) -> Vec<u16> {
    let (mut at, mut kept) = (0, Vec::new());
    for step in steps {
        match *step {
            Step::Get(count) => {
                let end = values.len().min(at + usize::from(count));
                kept.extend_from_slice(&values[at..end]);
                at = end;
            }
            Step::Skip(count) => at = values.len().min(at + usize::from(count)),
        }
    }
    kept.extend_from_slice(&values[at..]);
    kept
}

impl Draw for Toy {
    const STREAMS: bool = true;
    fn draw_params<S: Source>(_: &mut S) {}
    fn draw_values<S: Source>(_: &(), source: &mut S, values: &mut Vec<u16>) {
        values.clear();
        for _ in 0..source.below(6) {
            values.push(if source.chance(1, 8) { source.u64() as u16 } else { source.below(MAX.into()) as u16 });
        }
    }
    fn mutate_params<S: Source>(_: &mut (), _: &mut S) {}
    fn mutate_values<S: Source>(_: &(), values: &mut Vec<u16>, source: &mut S) {
        values.push(source.u64() as u16);
    }
    fn simpler_values(_: &(), values: &Vec<u16>, emit: &mut dyn FnMut(Vec<u16>) -> bool) {
        let simpler = |value: &u16, emit: &mut dyn FnMut(u16) -> bool| {
            let candidates = [0, value / 2, value & value.saturating_sub(1), value.saturating_sub(1)];
            candidates.into_iter().any(|candidate| candidate < *value && emit(candidate))
        };
        simpler_list(values, simpler, emit);
    }
    fn draw_bytes<S: Source>(_: &(), source: &mut S, bytes: &mut Vec<u8>) {
        let mut values = Vec::new();
        Self::draw_values(&(), source, &mut values);
        values.iter_mut().for_each(|value| *value %= MAX + 1);
        *bytes = encode(&values);
    }
}

static PLANES: LazyLock<[Plane; 1]> =
    LazyLock::new(|| [Plane::new("count", vec![Axis::new("count", ["0", "1", "more", "never"])], |_| true)]);

impl Cells for Toy {
    fn planes() -> &'static [Plane] {
        &*PLANES
    }
    fn cells(case: &Case<Self>, visit: &mut dyn FnMut(usize, usize)) {
        if let Job::Encode { values, .. } = &case.job {
            visit(0, values.len().min(2));
        }
    }
}

impl Explain for Toy {
    fn spans(_: &(), bytes: &[u8]) -> Vec<Span> {
        let value = |at| Span { bytes: at..at + 2, field: format!("value {}", at / 2), value: String::new() };
        let count = Span { bytes: 0..1, field: "count".into(), value: String::new() };
        std::iter::once(count).chain((1..bytes.len()).step_by(2).map(value)).collect()
    }
}

fn encode(values: &[u16]) -> Vec<u8> {
    let mut bytes = vec![values.len() as u8];
    values.iter().for_each(|value| bytes.extend(value.to_be_bytes()));
    bytes
}

/// How a subject lies; `Honest` does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    Honest,
    /// The two bytes of 512.. are swapped.
    ByteOrder,
    /// `encoded_len` forgets the count octet.
    Length,
    /// The byte behind the encoding is written, when all values come in one put.
    Past,
    /// A buffer that is too small is filled as far as it goes.
    Partial,
    /// `available` of the error is wrong.
    ErrorNumbers,
    /// The value that is named is the last bad one.
    WhichValue,
    /// Every put but the first loses its first value's low bit.
    Chunks,
    /// After 300 in a call, the next call writes its first value as 300.
    Stale,
    /// `skip` skips one too few.
    Skip,
    /// Everything is consumed, what stands behind too.
    Greedy,
    /// Reads 512.. byte-swapped; writes correctly.
    ReadsWrong,
    /// Writes everything byte-swapped, and reads it so.
    Mirrored,
    /// Compares values by their second byte.
    Order,
    /// Names the wrong value as the largest.
    Bounds,
    /// The byte behind the encoding is written, when values come in many puts.
    ChunksPast,
    /// After a buffer that was too small, the next call loses its first value's low bit.
    Failed,
    /// After bytes that were refused, the next call reads one value too few.
    FailedRead,
    /// What was written before a value was refused stays there.
    Dirty,
    /// Once the first value was 512.., loses the low bit of first values for good; of 256..512 it always does.
    Ill,
    /// Panics on numbers in 777..=999.
    Panics,
    /// Supports nothing.
    Mute,
}

impl Lie {
    /// Those that some oracle catches.
    pub const CAUGHT: [Self; 19] = [
        Self::ByteOrder,
        Self::Length,
        Self::Past,
        Self::Partial,
        Self::ErrorNumbers,
        Self::WhichValue,
        Self::Chunks,
        Self::Stale,
        Self::Skip,
        Self::Greedy,
        Self::ReadsWrong,
        Self::Mirrored,
        Self::Order,
        Self::Bounds,
        Self::ChunksPast,
        Self::Failed,
        Self::FailedRead,
        Self::Dirty,
        Self::Panics,
    ];
}

pub struct Liar {
    pub lie: Lie,
    name: String,
    stale: bool,
}

impl Liar {
    pub fn new(lie: Lie) -> Self {
        Self { lie, name: format!("{lie:?}"), stale: false }
    }

    fn check(&self, values: &[u16]) -> Result<(), EncodeError> {
        let mut bad = values.iter().enumerate().filter(|(_, value)| **value > MAX);
        let bad = if self.lie == Lie::WhichValue { bad.next_back() } else { bad.next() };
        bad.map_or(Ok(()), |(index, _)| Err(EncodeError::ValueTooLong { index, len: 2 }))
    }

    fn write(&mut self, values: &[u16], puts: &[u16], out: &mut [u8]) -> Result<usize, EncodeError> {
        let mut bytes = encode(values);
        let needed = bytes.len();
        if out.len() < needed {
            if self.lie == Lie::Partial {
                out.copy_from_slice(&bytes[..out.len()]);
            }
            self.stale |= self.lie == Lie::Failed;
            let available = if self.lie == Lie::ErrorNumbers { 0 } else { out.len() };
            return Err(EncodeError::BufferTooSmall { needed, available });
        }
        if let Err(refused) = self.check(values) {
            if self.lie == Lie::Dirty {
                out[0] = 1;
            }
            return Err(refused);
        }
        if self.lie == Lie::Failed && !values.is_empty() && core::mem::take(&mut self.stale) {
            bytes[2] ^= 1;
        }
        if self.lie == Lie::Panics
            && let Some(value) = values.iter().find(|value| (777..1000).contains(*value))
        {
            panic!("{value} is too much");
        }
        if let Lie::ByteOrder | Lie::Mirrored = self.lie {
            bytes[1..]
                .chunks_mut(2)
                .filter(|word| word[0] >= 2 || self.lie == Lie::Mirrored)
                .for_each(|word| word.swap(0, 1));
        }
        let first = usize::from(puts.first().copied().unwrap_or(0));
        if self.lie == Lie::Chunks && first > 0 && first < values.len() {
            bytes[2 * first + 2] ^= 1;
        }
        if self.lie == Lie::Stale && !values.is_empty() {
            if self.stale {
                bytes[1..3].copy_from_slice(&300u16.to_be_bytes());
            }
            self.stale = values[0] < 1000;
        }
        if self.lie == Lie::Ill && !values.is_empty() {
            bytes[2] ^= u8::from(self.stale || (256..512).contains(&values[0]));
            self.stale |= values[0] >= 512;
        }
        out[..needed].copy_from_slice(&bytes);
        if (self.lie == Lie::Past && puts.is_empty() || self.lie == Lie::ChunksPast && !puts.is_empty())
            && out.len() > needed
        {
            out[needed] = 0;
        }
        Ok(needed)
    }

    fn read(&self, bytes: &[u8], steps: &[Step], values: &mut Vec<u16>) -> Result<usize, DecodeError> {
        values.clear();
        let count =
            usize::from(*bytes.first().ok_or(DecodeError::UnexpectedEnd { offset: 0, needed: 1, available: 0 })?);
        for number in 0..count {
            let offset = 1 + 2 * number;
            let word = bytes.get(offset..offset + 2).ok_or(DecodeError::UnexpectedEnd {
                offset,
                needed: 2,
                available: bytes.len() - offset,
            })?;
            let word = [word[0], word[1]];
            let swapped = match self.lie {
                Lie::ReadsWrong => word[0] >= 2,
                Lie::Mirrored => true,
                _ => false,
            };
            values.push(if swapped { u16::from_le_bytes(word) } else { u16::from_be_bytes(word) });
        }
        let steps: Vec<Step> = match self.lie {
            Lie::Skip => steps
                .iter()
                .map(|step| match step {
                    Step::Skip(count) => Step::Skip(count.saturating_sub(1)),
                    get => *get,
                })
                .collect(),
            _ => steps.to_vec(),
        };
        *values = select(values, &steps);
        Ok(if self.lie == Lie::Greedy { bytes.len() } else { 1 + 2 * count })
    }
}

impl Subject<Toy> for Liar {
    fn name(&self) -> &str {
        &self.name
    }
    fn encoded_len(&mut self, _: &(), values: &Vec<u16>) -> Answer<EncodeError> {
        match self.lie {
            Lie::Mute => Answer::Unsupported,
            Lie::Length => Answer::Done(2 * values.len()),
            _ => Answer::Done(2 * values.len() + 1),
        }
    }
    fn encode(&mut self, _: &(), values: &Vec<u16>, puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        if self.lie == Lie::Mute { Answer::Unsupported } else { Answer::of(self.write(values, puts, out)) }
    }
    fn decode(&mut self, _: &(), bytes: &[u8], steps: &[Step], values: &mut Vec<u16>) -> Answer<DecodeError> {
        if self.lie == Lie::Mute {
            return Answer::Unsupported;
        }
        let read = self.read(bytes, steps, values);
        if self.lie == Lie::FailedRead && core::mem::replace(&mut self.stale, read.is_err()) {
            values.pop();
        }
        Answer::of(read)
    }
    fn order(&mut self, _: &(), bytes: &[u8], order: &mut Order) -> bool {
        let words: Vec<_> = bytes.get(1..).unwrap_or(&[]).chunks(2).collect();
        let from = usize::from(self.lie == Lie::Order);
        order.neighbours = words.windows(2).map(|pair| pair[0][from..].cmp(&pair[1][from..])).collect();
        let bound = |largest: bool| {
            let mut found = 0;
            for at in 0..words.len() {
                let order = words[at].cmp(words[found]);
                if if largest { order.is_gt() } else { order.is_lt() } {
                    found = at;
                }
            }
            found
        };
        order.min_max = (!words.is_empty()).then(|| (bound(false), bound(self.lie != Lie::Bounds)));
        self.lie != Lie::Mute && words.iter().all(|word| word.len() == 2)
    }
    fn renew(&mut self) {
        self.stale = false;
    }
}

impl Twins for Toy {
    fn naive() -> Box<dyn Subject<Self>> {
        Box::new(Liar::new(Lie::Honest))
    }
    fn subjects() -> Vec<Box<dyn Subject<Self>>> {
        vec![Box::new(Liar::new(Lie::Honest))]
    }
}
