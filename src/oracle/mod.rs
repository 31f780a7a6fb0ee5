//! The rules that judge a subject on a case.
//!
//! | oracle | what must hold |
//! |---|---|
//! | identity | bytes, values and errors equal naive's, under the case's profile |
//! | length | `encoded_len` equals the bytes written, and refuses what naive refuses |
//! | capacity | at every length of `out`: the same answer as the contract derives from naive's; nothing touched that must not be |
//! | chunks | many puts give what one put gives |
//! | reuse | an encoder or decoder that was used, or that failed, gives what a fresh one gives |
//! | skip | `skip` then `get` gives what `get` alone gives |
//! | consumed | with other bytes behind the page: the same values and the same end |
//! | round trip | what naive wrote is read back as the values; last, since it misses sign conventions and stale bytes |
//!
//! Unsupported and not compared are never the same as agreed. Nothing is formatted before there is a difference.

use crate::case::{Case, Domain, Job, Step};
use crate::error::{DecodeError, EncodeError};
use crate::subject::{Answer, Subject, Twins};
use std::panic::{AssertUnwindSafe, catch_unwind};

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
}

impl Oracle {
    /// Every oracle, in the order in which they are asked.
    pub const ALL: [Self; 8] = [
        Self::Identity,
        Self::Length,
        Self::Capacity,
        Self::Chunks,
        Self::Reuse,
        Self::Skip,
        Self::Consumed,
        Self::RoundTrip,
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
    /// The room that the case asks for, and nothing twice: no reuse, no bytes behind, unless that is all that is asked.
    Case,
    /// The lengths 0, 1, half, needed - 1, needed and needed + 1.
    Borders,
    /// Every length from 0 to needed + 1, each with two fills.
    Every,
}

/// What naive answers to an encode case.
#[derive(Clone, Debug, PartialEq)]
struct ExpectedBytes {
    /// Bytes that are needed, or why that cannot be said.
    needed: Result<usize, EncodeError>,
    /// With enough room.
    written: Result<usize, EncodeError>,
    /// The encoding, when `written` is `Ok`.
    bytes: Vec<u8>,
}

impl ExpectedBytes {
    /// What must be answered when `out` has `capacity` bytes: the contract's order of errors.
    fn at(&self, capacity: usize) -> Result<usize, EncodeError> {
        let needed = self.needed?;
        if capacity < needed {
            return Err(EncodeError::BufferTooSmall { needed, available: capacity });
        }
        self.written
    }
}

/// Asks naive once per case, then judges any number of subjects on it. Its buffers are reused from case to case.
pub struct Judge<D: Twins> {
    naive: Box<dyn Subject<D>>,
    sweep: Sweep,
    oracles: Vec<Oracle>,
    expected: ExpectedBytes,
    expected_values: D::Values,
    expected_read: Result<usize, DecodeError>,
    selected: D::Values,
    out: Vec<u8>,
    values: D::Values,
    scratch: Vec<u8>,
}

impl<D: Twins> Judge<D> {
    /// A judge that asks every oracle.
    pub fn new(sweep: Sweep) -> Self {
        Self {
            naive: D::naive(),
            sweep,
            oracles: Oracle::ALL.to_vec(),
            expected: ExpectedBytes { needed: Ok(0), written: Ok(0), bytes: Vec::new() },
            expected_values: D::Values::default(),
            expected_read: Ok(0),
            selected: D::Values::default(),
            out: Vec::new(),
            values: D::Values::default(),
            scratch: Vec::new(),
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
                let answer = self.naive.decode(&case.params, bytes, &[], &mut self.expected_values);
                self.expected_read = plain(answer, "decode");
            }
        }
    }

    /// Judges one subject on the case that was prepared.
    pub fn judge(&mut self, case: &Case<D>, subject: &mut dyn Subject<D>) -> Verdict<D> {
        let judged = catch_unwind(AssertUnwindSafe(|| match &case.job {
            Job::Encode { values, puts, capacity } => {
                self.judge_encode(&case.params, values, puts, *capacity, &mut *subject)
            }
            Job::Decode { bytes, steps } => self.judge_decode(&case.params, bytes, steps, &mut *subject),
        }));
        let difference = match judged {
            Ok(Ok(true)) => return Verdict::Agree,
            Ok(Ok(false)) => return Verdict::Unsupported,
            Ok(Err(difference)) => difference,
            Err(panic) => Box::new(Difference { oracle: Oracle::Identity, detail: Detail::panicked(&*panic) }),
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
                let room = capacity.of(self.expected.needed.unwrap_or(0));
                match self.expected.at(room) {
                    Ok(_) => crate::case::text::hex(&self.expected.bytes),
                    Err(error) => format!("error {error:?}"),
                }
            }
            Job::Decode { .. } => match self.expected_read {
                Ok(consumed) => {
                    let values = D::values_to_text(&case.params, &self.expected_values);
                    format!("{values} | consumed {consumed}").trim_start().to_string()
                }
                Err(error) => format!("error {error:?}"),
            },
        }
    }

    /// The bytes that naive wrote for the encode case that was prepared, when it wrote any.
    pub fn expected_bytes(&self) -> Option<&[u8]> {
        self.expected.written.is_ok().then_some(&self.expected.bytes[..])
    }

    fn asks(&self, oracle: Oracle) -> bool {
        self.oracles.contains(&oracle)
    }

    /// Asks of an oracle that repeats what was asked before; a quick judge leaves it out.
    fn asks_again(&self, oracle: Oracle) -> bool {
        (self.sweep != Sweep::Case || self.oracles == [oracle]) && self.asks(oracle)
    }
}

/// Naive answers everything, in comparable terms; anything else is a bug of the harness.
fn plain<E: core::fmt::Debug>(answer: Answer<E>, question: &str) -> Result<usize, E> {
    match answer {
        Answer::Done(count) => Ok(count),
        Answer::Error(error) => Err(error),
        other => panic!("naive must answer every {question}, and said {other:?}"),
    }
}

/// Whether an answer equals what was expected, by the subject's own terms: an error of another make equals any error.
fn answers_equal<E: PartialEq + core::fmt::Debug>(
    expected: &Result<usize, E>,
    answer: &Answer<E>,
    count_matters: bool,
) -> bool {
    match (expected, answer) {
        (Ok(expected), Answer::Done(count)) => !count_matters || expected == count,
        (Err(expected), Answer::Error(error)) => expected == error,
        (Err(expected), Answer::Text(text)) => format!("{expected:?}") == *text,
        (Err(_), Answer::Refused(_)) => true,
        _ => false,
    }
}

type Judged<D> = Result<bool, Box<Difference<D>>>;

const FILLS: [u8; 2] = [0xa5, 0x5a];

/// Steps and puts that do not change anything.
const NO_STEPS: &[Step] = &[];
