//! The rules that judge a subject on a case.
//!
//! | oracle | what must hold |
//! |---|---|
//! | identity | one put into exact room gives the bytes, and one read of everything the values, or the error, that naive gives under the case's profile |
//! | length | `encoded_len` equals the bytes written, and refuses what is refused |
//! | capacity | at every length of `out`: the answer that the contract derives from exact room; nothing touched that must not be |
//! | chunks | many puts give what one put gives |
//! | reuse | an encoder or decoder that was used, or that failed, gives what a fresh one gives |
//! | skip | `skip` then `get` gives what `get` alone gives |
//! | consumed | a page ends where naive says; other bytes behind it change neither the values nor the end |
//! | round trip | what was written is read back as the values; misses sign conventions and stale bytes |
//! | order | encoded values are ordered, without decoding them, as the values are |
//!
//! Each rule is judged for itself. Only identity (and where a page ends, and order) compares with naive. The others compare a
//! subject with its own answer to the plain call (one put, exact room; everything read), which is naive's unless
//! identity says otherwise. A difference that goes away when the subject is [renewed](Subject::renew) is reuse's.
//!
//! Unsupported and not compared are never the same as agreed. Nothing is formatted before there is a difference.

use crate::case::{Case, Domain, Job, Step};
use crate::error::{DecodeError, EncodeError};
use crate::subject::{Answer, Order, Subject, Twins, panics};

mod decode;
mod difference;
mod encode;

#[cfg(feature = "parquet")]
pub(crate) use decode::BEHIND;
pub use difference::{Detail, Difference};

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the table above says it")]
pub enum Oracle {
    Identity,
    Length,
    Capacity,
    Chunks,
    Reuse,
    Skip,
    Consumed,
    RoundTrip,
    Order,
}

impl Oracle {
    /// Every oracle, in the order in which they are asked.
    pub const ALL: [Self; 9] = [
        Self::Identity,
        Self::Length,
        Self::Capacity,
        Self::Chunks,
        Self::Reuse,
        Self::Skip,
        Self::Consumed,
        Self::RoundTrip,
        Self::Order,
    ];

    /// Its name, as in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Length => "length",
            Self::Capacity => "capacity",
            Self::Chunks => "chunks",
            Self::Reuse => "reuse",
            Self::Skip => "skip",
            Self::Consumed => "consumed",
            Self::RoundTrip => "round trip",
            Self::Order => "order",
        }
    }
}

/// What a judge says of a subject on a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict<D: Domain> {
    /// Everything that was compared is equal.
    Agree,
    /// The subject cannot be asked this.
    Unsupported,
    /// A difference that the ledger knows: the entry's name.
    Excused(&'static str),
    /// A difference.
    Differ(Box<Difference<D>>),
}

/// How thoroughly the capacity oracle sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// The room that the case asks for, and nothing twice: no reuse, no bytes behind, no way back, unless that is all that
    /// is asked.
    Case,
    /// The lengths 0, 1, half, needed - 1, needed and needed + 1.
    Borders,
    /// Every length from 0 to needed + 1 (of long encodings, those near both ends), each with two fills.
    Every,
}

/// An answer to an encode case.
#[derive(Clone, Debug, PartialEq)]
struct Written {
    /// Bytes that are needed, or why that cannot be said.
    needed: Answer<EncodeError>,
    /// With enough room.
    answer: Answer<EncodeError>,
    /// The encoding, when there is one.
    bytes: Vec<u8>,
}

impl Written {
    fn nothing() -> Self {
        Self { needed: Answer::Done(0), answer: Answer::Done(0), bytes: Vec::new() }
    }

    /// Exact room.
    fn room(&self) -> usize {
        self.needed.done().unwrap_or(0)
    }

    /// What must be answered when `out` has `capacity` bytes: the contract's order of errors.
    fn at(&self, capacity: usize) -> Answer<EncodeError> {
        match self.needed {
            Answer::Done(needed) if capacity < needed => {
                Answer::Error(EncodeError::BufferTooSmall { needed, available: capacity })
            }
            Answer::Done(_) => self.answer.clone(),
            _ => self.needed.clone(),
        }
    }
}

/// An answer to a decode case.
#[derive(Clone, Debug, PartialEq)]
struct Read<V> {
    answer: Answer<DecodeError>,
    /// The values, when there are any.
    values: V,
}

impl<V: Default> Read<V> {
    fn nothing() -> Self {
        Self { answer: Answer::Done(0), values: V::default() }
    }
}

/// Asks naive once per case, then judges any number of subjects on it. Its buffers are reused from case to case.
pub struct Judge<D: Twins> {
    naive: Box<dyn Subject<D>>,
    sweep: Sweep,
    oracles: Vec<Oracle>,
    /// The oracle that asks just now: a panic is its own.
    asking: Oracle,
    /// Naive's answer, and the subject's own where that is another one.
    naive_wrote: Written,
    own_wrote: Written,
    naive_read: Read<D::Values>,
    own_read: Read<D::Values>,
    own_differs: bool,
    selected: D::Values,
    /// Where naive writes: as long as its longest answer so far.
    room: Vec<u8>,
    out: Vec<u8>,
    values: D::Values,
    longer: Vec<u8>,
    order: [Order; 2],
}

impl<D: Twins> Judge<D> {
    /// A judge that asks every oracle.
    pub fn new(sweep: Sweep) -> Self {
        Self {
            naive: D::naive(),
            sweep,
            oracles: Oracle::ALL.to_vec(),
            asking: Oracle::Identity,
            naive_wrote: Written::nothing(),
            own_wrote: Written::nothing(),
            naive_read: Read::nothing(),
            own_read: Read::nothing(),
            own_differs: false,
            selected: D::Values::default(),
            room: Vec::new(),
            out: Vec::new(),
            values: D::Values::default(),
            longer: Vec::new(),
            order: Default::default(),
        }
    }

    /// Asks only these oracles.
    pub fn with_oracles(mut self, oracles: &[Oracle]) -> Self {
        self.oracles = oracles.to_vec();
        self
    }

    /// How thorough it is from now on.
    pub fn set_sweep(&mut self, sweep: Sweep) {
        self.sweep = sweep;
    }

    /// Asks naive. Must be called before [`judge`](Self::judge) for every new case.
    pub fn prepare(&mut self, case: &Case<D>) {
        match &case.job {
            Job::Encode { values, .. } => self.prepare_encode(&case.params, values),
            Job::Decode { bytes, .. } => {
                let answer = self.naive.decode(&case.params, bytes, &[], &mut self.naive_read.values);
                self.naive_read.answer = plain(answer, "decode");
            }
        }
    }

    /// Judges one subject on the case that was prepared.
    pub fn judge(&mut self, case: &Case<D>, subject: &mut dyn Subject<D>) -> Verdict<D> {
        self.own_differs = false;
        let judged = panics::caught(|| match &case.job {
            Job::Encode { values, puts, capacity } => {
                self.judge_encode(&case.params, values, puts, *capacity, &mut *subject)
            }
            Job::Decode { bytes, steps } => self.judge_decode(&case.params, bytes, steps, &mut *subject),
        });
        let difference = match judged {
            Ok(Ok(true)) => return Verdict::Agree,
            Ok(Ok(false)) => return Verdict::Unsupported,
            Ok(Err(difference)) => difference,
            Err(_) if !self.asks(self.asking) => return Verdict::Unsupported,
            Err(panic) => {
                subject.renew();
                Box::new(Difference { oracle: self.asking, detail: Detail::Panicked(panic) })
            }
        };
        match subject.excuse(case) {
            Some(entry) => Verdict::Excused(entry),
            None => Verdict::Differ(difference),
        }
    }

    /// What naive answered, as the text that a corpus file expects.
    pub fn expectation(&self, case: &Case<D>) -> String {
        match case.job {
            Job::Encode { capacity, .. } => {
                let room = capacity.of(self.naive_wrote.room());
                match self.naive_wrote.at(room) {
                    Answer::Error(error) => format!("error {error:?}"),
                    _ => crate::case::text::hex(&self.naive_wrote.bytes),
                }
            }
            Job::Decode { .. } => match &self.naive_read.answer {
                Answer::Error(error) => format!("error {error:?}"),
                answer => {
                    let values = D::values_to_text(&case.params, &self.naive_read.values);
                    format!("{values} | consumed {}", answer.done().unwrap_or(0)).trim_start().to_string()
                }
            },
        }
    }

    /// Why naive refused the case that was prepared, in words.
    pub fn refusal(&self, case: &Case<D>) -> Option<String> {
        match case.job {
            Job::Encode { capacity, .. } => match self.naive_wrote.at(capacity.of(self.naive_wrote.room())) {
                Answer::Error(error) => Some(error.to_string()),
                _ => None,
            },
            Job::Decode { .. } => match &self.naive_read.answer {
                Answer::Error(error) => Some(error.to_string()),
                _ => None,
            },
        }
    }

    /// The bytes that naive wrote for the encode case that was prepared, when it wrote any.
    pub fn expected_bytes(&self) -> Option<&[u8]> {
        self.naive_wrote.answer.done().map(|_| &self.naive_wrote.bytes[..])
    }

    fn asks(&self, oracle: Oracle) -> bool {
        self.oracles.contains(&oracle)
    }

    /// Drops the difference of an oracle that is not asked.
    fn told(&self, judged: Judged<D>) -> Judged<D> {
        judged.or_else(|difference| if self.asks(difference.oracle) { Err(difference) } else { Ok(true) })
    }

    /// Asks, and when there is a difference asks the subject once more, [renewed](Subject::renew): a difference that goes
    /// away is reuse's.
    fn ask(
        &mut self,
        subject: &mut dyn Subject<D>,
        question: impl Fn(&mut Self, &mut dyn Subject<D>) -> Judged<D>,
    ) -> Judged<D> {
        let judged = question(self, subject);
        if judged.is_ok() {
            return judged;
        }
        subject.renew();
        match question(self, subject) {
            Ok(_) => judged.map_err(|used| Box::new(Difference { oracle: Oracle::Reuse, ..*used })),
            fresh => fresh,
        }
    }

    /// The order of an encoded column by the subject, and by naive.
    fn order(&mut self, params: &D::Params, bytes: &[u8], subject: &mut dyn Subject<D>) -> Judged<D> {
        self.asking = Oracle::Order;
        let [expected, got] = &mut self.order;
        if !self.naive.order(params, bytes, expected) || !subject.order(params, bytes, got) {
            return Ok(false);
        }
        if expected != got {
            let detail = Detail::Ordered { expected: expected.clone(), got: got.clone() };
            return Err(Box::new(Difference { oracle: Oracle::Order, detail }));
        }
        Ok(true)
    }

    /// Asks of an oracle that repeats what was asked before; a quick judge leaves it out.
    fn asks_again(&self, oracle: Oracle) -> bool {
        (self.sweep != Sweep::Case || self.oracles == [oracle]) && self.asks(oracle)
    }
}

/// Naive answers everything, in comparable terms; anything else is a bug of the harness.
fn plain<E: core::fmt::Debug>(answer: Answer<E>, question: &str) -> Answer<E> {
    match answer {
        Answer::Done(_) | Answer::Error(_) => answer,
        other => panic!("naive must answer every {question}, and said {other:?}"),
    }
}

type Judged<D> = Result<bool, Box<Difference<D>>>;

const FILLS: [u8; 2] = [0xa5, 0x5a];

/// Steps and puts that do not change anything.
const NO_STEPS: &[Step] = &[];
