//! Looks for a planted bug, and says after how many inputs which oracle caught it.

use crate::case::{Case, CaseFile, Direction};
use crate::domain::Codec;
use crate::oracle::{Judge, Oracle, Sweep, Verdict};
use crate::subject::Subject;
use crate::subject::museum::Exhibit;

/// What is known of a planted bug.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// Its name.
    pub name: &'static str,
    /// Where it was reported.
    pub source: &'static str,
    /// What it does.
    pub fault: &'static str,
    /// Which way it goes wrong.
    pub direction: Direction,
}

/// The label of an exhibit.
pub fn label<D: Codec>(exhibit: &Exhibit<D>) -> Label {
    Label { name: exhibit.name, source: exhibit.source, fault: exhibit.fault, direction: exhibit.direction }
}

/// How a bug is looked for.
#[derive(Clone, Copy, Debug)]
pub enum Method<'a> {
    /// The cases of a corpus, in order.
    Corpus(&'a [CaseFile]),
    /// Draws, as a run makes them.
    Random {
        /// Where they start.
        seed: u64,
        /// Most of them.
        limit: u64,
    },
    /// Cases from the proptest strategy.
    #[cfg(feature = "proptest")]
    Proptest {
        /// Where they start.
        seed: u64,
        /// Most of them.
        limit: u64,
    },
}

/// A catch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Catch {
    /// Which input it was, from 1.
    pub after: u64,
    /// Which oracle saw it.
    pub oracle: Oracle,
}

/// Judges one subject on one case after another.
struct Hunter<D: Codec> {
    judge: Judge<D>,
    subject: Box<dyn Subject<D>>,
    done: u64,
}

impl<D: Codec> Hunter<D> {
    fn take(&mut self, case: &Case<D>) -> Option<Catch> {
        self.done += 1;
        self.judge.prepare(case);
        match self.judge.judge(case, &mut *self.subject) {
            Verdict::Differ(difference) => Some(Catch { after: self.done, oracle: difference.oracle }),
            _ => None,
        }
    }
}

/// Looks for a bug until it is caught or there are no more inputs.
pub fn hunt<D: Codec>(exhibit: &Exhibit<D>, method: &Method<'_>, oracles: &[Oracle]) -> Option<Catch> {
    let judge = Judge::new(Sweep::Borders).with_oracles(oracles);
    let mut hunter = Hunter::<D> { judge, subject: (exhibit.make)(), done: 0 };
    match *method {
        Method::Corpus(files) => files
            .iter()
            .filter(|file| file.codec() == Ok(D::CODEC))
            .filter_map(|file| Case::from_fields(&file.fields).ok())
            .find_map(|case| hunter.take(&case)),
        Method::Random { seed, limit } => {
            let mut source = fastrand::Rng::with_seed(seed);
            let mut case = Case::empty(exhibit.direction);
            (0..limit).find_map(|_| {
                case.draw(&mut source);
                hunter.take(&case)
            })
        }
        #[cfg(feature = "proptest")]
        Method::Proptest { seed, limit } => {
            use proptest::strategy::{Strategy, ValueTree};
            use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
            let mut bytes = [0; 32];
            bytes[..8].copy_from_slice(&seed.to_le_bytes());
            let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
            let mut runner = TestRunner::new_with_rng(Config::default(), random);
            let cases = crate::generate::proptest::cases::<D>(exhibit.direction);
            (0..limit).find_map(|_| hunter.take(&cases.new_tree(&mut runner).ok()?.current()))
        }
    }
}
