//! A target under libFuzzer: one input after another, a mutator that works on the case, a finding written out.

use super::{Target, coverage, kept::Kept, watched::Watched};
use crate::case::{ByteWriter, Case, Domain, Job};
use crate::domain::Codec;
use crate::generate::Source;
use crate::oracle::{Difference, Judge, Sweep, Verdict};
use crate::report::finding;
use crate::run::Finding;
use core::fmt;
use core::marker::PhantomData;

/// An input of a fuzzer, before it is read. `cargo fuzz fmt`, and `cargo fuzz run` after a crash, show it as a case.
pub struct Input<'a, D>(pub &'a [u8], PhantomData<D>);

impl<'a, D> Input<'a, D> {
    /// The input `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes, PhantomData)
    }
}

impl<D: Domain> fmt::Debug for Input<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Case::<D>::from_bytes(self.0) {
            Some(case) => f.write_str(&case.to_text()),
            None => write!(f, "not a case of {}: {:02x?}", D::CODEC, self.0),
        }
    }
}

/// The whole byte form, as it is.
#[cfg(feature = "arbitrary")]
impl<'a, D> arbitrary::Arbitrary<'a> for Input<'a, D> {
    fn arbitrary(bytes: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
        bytes.bytes(bytes.len()).map(Self::new)
    }

    fn arbitrary_take_rest(bytes: arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self::new(bytes.take_rest()))
    }
}

/// One input in so many is judged in full.
const THOROUGH: u64 = 32;

/// The environment variable that has every input judged in full, for the replay of a corpus.
pub const ALWAYS_THOROUGH: &str = "BYTETWIN_THOROUGH";

/// How the line begins that says which input differs, before it is shrunk.
pub const INPUT_DIFFERS: &str = "bytetwin: input number";

/// Inputs above so many bytes are made smaller three times in four: long cases are slow.
const LONG: usize = 48;

/// A number for an input that depends on every byte of it: FNV-1a, eight bytes at a time, folded.
fn number_of(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let hash = words.iter().chain([&last]).fold(0xcbf2_9ce4_8422_2325u64 ^ bytes.len() as u64, |hash, word| {
        let hash = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^ hash >> 32
    });
    hash ^ hash >> 15
}

/// Judges one input of a fuzzer after another. Its buffers are reused.
pub struct Driver<D: Codec> {
    target: Target<D>,
    case: Case<D>,
    judge: Judge<D>,
    subjects: Vec<Watched<D>>,
    writer: ByteWriter,
    kept: Option<Kept>,
    always_thorough: bool,
    /// A merge keeps inputs that are to be forgotten, too: none is judged in full there, or it would stand for others.
    merging: bool,
    taken: u64,
    /// What `case` was read from, unless it was changed since.
    read: Vec<u8>,
    as_read: bool,
}

/// What a fuzzer is to do with an input that was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// Keep it when it reached something new.
    Keep,
    /// Forget it: it is no case of this target, or it was judged in full. What repetition reaches is no news.
    Forget,
}

impl<D: Codec> Driver<D> {
    /// A driver of a target.
    pub fn new(target: Target<D>) -> Self {
        let case = Case::empty(target.direction);
        let subjects = (target.subjects)().into_iter().map(Watched).collect();
        Self {
            target,
            case,
            judge: Judge::new(Sweep::Borders),
            subjects,
            writer: ByteWriter::default(),
            kept: Kept::from_environment(),
            always_thorough: std::env::var_os(ALWAYS_THOROUGH).is_some(),
            merging: std::env::args().any(|arg| arg.starts_with("-merge")),
            taken: 0,
            read: Vec::new(),
            as_read: false,
        }
    }

    /// Reads a case; a fuzzer changes the input that was just judged, mostly. False when it is none of this direction.
    fn read(&mut self, bytes: &[u8]) -> bool {
        if !(self.as_read && self.read == bytes) {
            self.as_read = self.case.read_bytes(bytes);
            self.read.clear();
            self.read.extend_from_slice(bytes);
        }
        self.as_read
    }

    /// Judges the case that `bytes` are: one input in `THOROUGH` with every subject and every oracle, the others with
    /// one subject and without repetition. Which, the bytes say: the same input is always judged in the same way.
    ///
    /// # Panics
    /// With a finding, shrunk and written out, when a subject differs: that is how a fuzzer is told.
    pub fn take(&mut self, bytes: &[u8]) -> Taken {
        self.taken += 1;
        if !self.read(bytes) {
            return Taken::Forget;
        }
        let number = number_of(bytes);
        let thorough = self.always_thorough || !self.merging && number.is_multiple_of(THOROUGH);
        self.judge.set_sweep(if thorough { Sweep::Borders } else { Sweep::Case });
        let only = (number / THOROUGH) as usize % self.subjects.len().max(1);
        self.judge.prepare(&self.case);
        coverage::forget_edges();
        for at in 0..self.subjects.len() {
            if !thorough && at != only {
                continue;
            }
            if let Verdict::Differ(difference) = self.judge.judge(&self.case, &mut self.subjects[at]) {
                self.report(at, *difference);
            }
        }
        if thorough && !self.always_thorough { Taken::Forget } else { Taken::Keep }
    }

    /// Shrinks, then writes a file, where findings are kept, or panics. Later ones of a kind that is kept are dropped.
    fn report(&mut self, at: usize, first: Difference<D>) {
        if self.kept.as_ref().is_some_and(|kept| kept.has((at, first.oracle))) {
            return;
        }
        eprintln!("{INPUT_DIFFERS} {} differs; it is made simpler", self.taken);
        // In full: the plainest rule that is broken is asked first.
        let mut judge = Judge::<D>::new(Sweep::Borders);
        judge.prepare(&self.case);
        let plainest = match judge.judge(&self.case, &mut self.subjects[at]) {
            Verdict::Differ(difference) => *difference,
            _ => first,
        };
        let kind = (at, plainest.oracle);
        if self.kept.as_ref().is_some_and(|kept| kept.has(kind)) {
            return;
        }
        let finding = Finding::shrunk(&self.case, &mut self.subjects[at], judge, plainest, self.taken);
        match &mut self.kept {
            Some(kept) => kept.write(kind, &finding, &|hex| self.target.by_fuzz_target(hex)),
            None => panic!("\n{}", finding::text(&finding, &|hex| self.target.by_fuzz_target(hex))),
        }
    }

    /// Changes the input in `data[..size]` into another case and returns its size. `None` when it is not a case, or
    /// when the new one has no room: then the fuzzer's own mutator is the one to ask.
    pub fn mutate(&mut self, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize> {
        let mut source = fastrand::Rng::with_seed(seed.into());
        let is_case = self.read(&data[..size]);
        if is_case && seed.is_multiple_of(4) {
            return None;
        }
        self.as_read = false;
        if !is_case {
            self.case = Case::empty(self.target.direction);
            self.case.draw(&mut source);
        } else {
            if size > LONG && source.chance(3, 4) {
                for _ in 0..=(size / LONG).ilog2() {
                    self.cut(&mut source);
                }
            }
            for _ in 0..1 + seed / 4 % 3 {
                self.case.mutate(&mut source);
            }
        }
        self.writer.clear();
        self.case.write_bytes(&mut self.writer);
        let bytes = self.writer.bytes();
        if bytes.len() > max_size.min(data.len()) {
            return None;
        }
        data[..bytes.len()].copy_from_slice(bytes);
        Some(bytes.len())
    }
}

impl<D: Codec> Driver<D> {
    /// Findings are kept and the run goes on.
    #[cfg(test)]
    pub(super) fn keep(&mut self, kept: Kept) {
        self.kept = Some(kept);
    }

    /// Makes the case simpler, as the shrinker does: by leaving out all, a half or a quarter of its values.
    fn cut(&mut self, source: &mut impl Source) {
        // Of fewer values nothing is left out, but each is made simpler in every way.
        if matches!(&self.case.job, Job::Encode { values, .. } if D::count(values) < 4) {
            return;
        }
        let mut left = 1 + source.below(4);
        let mut simpler = None;
        self.case.simpler(&mut |candidate| {
            left -= 1;
            if left == 0 {
                simpler = Some(candidate);
            }
            left == 0
        });
        if let Some(case) = simpler {
            self.case = case;
        }
    }
}

/// A driver whose codec has been erased, for the target that looks for planted bugs.
pub trait AnyDriver {
    /// [`Driver::take`].
    fn take(&mut self, bytes: &[u8]) -> Taken;
    /// [`Driver::mutate`].
    fn mutate(&mut self, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize>;
}

impl<D: Codec> AnyDriver for Driver<D> {
    fn take(&mut self, bytes: &[u8]) -> Taken {
        self.take(bytes)
    }

    fn mutate(&mut self, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize> {
        self.mutate(data, size, max_size, seed)
    }
}
