//! Every codec that the harness knows, behind one interface.
//!
//! Adding a codec is a folder in `codec/`, a folder in `domain/`, and one line in `codecs!`: command line, tests,
//! matrix and the table of the README follow from it, and a tidy test fails where a fuzz target or a corpus is missing.

use crate::case::{Case, CaseFile, Direction, Fields, TextError};
use crate::domain;
pub use crate::domain::Codec;
use crate::hunt::{self, Catch, Label, Method};
use crate::matrix::{Holes, Plane, Tally};
use crate::oracle::Oracle;
use crate::prove::{AnyDriver, Driver, Target};
use crate::report::{self, Summary};
use crate::run::{Bench, Config, run};
use crate::subject::process::{self, Program};
use core::marker::PhantomData;
use std::io::{self, BufRead, Write};

/// Something to do with every codec, its types known.
pub trait Visit {
    /// Does it with one.
    fn codec<D: Codec>(&mut self);
}

macro_rules! codecs {
    ($($domain:ty,)*) => {
        /// Every codec, in the order in which it is shown.
        pub static CODECS: &[&dyn AnyCodec] = &[$(&Of::<$domain>::new()),*];

        /// Calls `visitor` with every codec, in the same order.
        pub fn visit(visitor: &mut impl Visit) {
            $(visitor.codec::<$domain>();)*
        }
    };
}

codecs! {
    domain::decimal::Decimal,
    domain::amqp_decimal::AmqpDecimal,
    domain::amqp_table::AmqpTable,
    domain::delta_binary_packed::DeltaBinaryPacked,
    domain::delta_length_byte_array::DeltaLengthByteArray,
    domain::delta_byte_array::DeltaByteArray,
}

/// The codec of that name.
pub fn find(name: &str) -> Option<&'static dyn AnyCodec> {
    CODECS.iter().copied().find(|codec| codec.name() == name)
}

/// The codec that a case in bytes belongs to.
pub fn of_bytes(bytes: &[u8]) -> Option<&'static dyn AnyCodec> {
    let id = crate::case::bytes::codec_id(bytes)?;
    CODECS.iter().copied().find(|codec| codec.id() == id)
}

/// What came of replaying one case.
#[derive(Debug)]
pub struct Replayed {
    /// The case as text.
    pub text: String,
    /// What naive answered.
    pub answer: String,
    /// What the file expects, when naive answered something else: the reference contradicts its vectors.
    pub contradicted: Option<String>,
    /// What was seen, for the report.
    pub summary: Summary,
}

/// Judges one case after the other.
pub trait Replay {
    /// Judges the case of a corpus file.
    ///
    /// # Errors
    /// What cannot be read of it.
    fn file(&mut self, file: &CaseFile) -> Result<Replayed, TextError>;
    /// Judges a case in bytes. `None` when they are not a case of this codec.
    fn bytes(&mut self, bytes: &[u8]) -> Option<Replayed>;
}

/// Subjects, and the programs among them.
struct Replayer<D: Codec> {
    bench: Bench<D>,
    programs: Vec<Program>,
}

impl<D: Codec> Replayer<D> {
    fn case(&mut self, case: &Case<D>, expect: Option<&str>) -> Replayed {
        let outcome = self.bench.replay(case);
        let answer = self.bench.expectation(case);
        let contradicted = expect.filter(|expect| *expect != answer).map(str::to_string);
        Replayed { text: case.to_text(), answer, contradicted, summary: report::summarize(outcome, &self.programs) }
    }
}

impl<D: Codec> Replay for Replayer<D> {
    fn file(&mut self, file: &CaseFile) -> Result<Replayed, TextError> {
        let case = Case::<D>::from_fields(&file.fields)?;
        Ok(self.case(&case, file.expect()))
    }

    fn bytes(&mut self, bytes: &[u8]) -> Option<Replayed> {
        Case::<D>::from_bytes(bytes).map(|case| self.case(&case, None))
    }
}

/// A codec whose types have been erased.
pub trait AnyCodec: Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// Its number in the byte form.
    fn id(&self) -> u8;
    /// Its profiles.
    fn profiles(&self) -> &'static [&'static str];
    /// Its subjects, naive first.
    fn subjects(&self) -> Vec<String>;
    /// Its planes of cells.
    fn planes(&self) -> &'static [Plane];
    /// A run.
    ///
    /// # Errors
    /// A program among the subjects that cannot be started, or that does not speak the protocol.
    fn run(&self, config: &Config, progress: &(dyn Fn(u64) + Sync)) -> io::Result<Summary>;
    /// Answers for a subject or a planted bug of that name in another process's run, until the input ends. `Ok(false)`,
    /// and nothing said, when there is none.
    fn serve(&self, subject: &str, from: &mut dyn BufRead, to: &mut dyn Write) -> io::Result<bool>;
    /// What judges given cases.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    fn replay(&self, config: &Config) -> io::Result<Box<dyn Replay>>;
    /// The byte form of a case in text.
    fn text_to_bytes(&self, fields: &Fields) -> Result<(Direction, Vec<u8>), TextError>;
    /// Every field of a case: what each byte of its encoding means.
    fn explain(&self, fields: &Fields) -> Result<String, TextError>;
    /// The text form of a case in bytes.
    fn bytes_to_text(&self, bytes: &[u8]) -> Option<String>;
    /// Required cells that were not visited.
    fn holes(&self, tally: &Tally) -> Vec<Holes>;
    /// The planted bugs.
    fn exhibits(&self) -> Vec<Label>;
    /// Looks for a planted bug by its name with the given method and oracles. `None` when no exhibit is called so, or
    /// when it was not caught.
    fn hunt(&self, exhibit: &str, method: &Method<'_>, oracles: &[Oracle]) -> Option<Catch>;
    /// A driver for a fuzz target that looks for a planted bug.
    fn museum_driver(&self, exhibit: &str) -> Option<Box<dyn AnyDriver>>;
    /// The simplest drawn case for each required cell that `tally` does not have, as text.
    fn fill(&self, tally: &Tally, seed: u64, draws: u64) -> Vec<String>;
}

/// A codec, by its domain.
pub struct Of<D>(PhantomData<fn() -> D>);

impl<D> Of<D> {
    /// The codec.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<D> Default for Of<D> {
    fn default() -> Self {
        Self::new()
    }
}

/// Whether a subject is one of ours, which must support every case.
pub fn builtin(subject: &str) -> bool {
    subject == "naive" || subject.starts_with("fast-")
}

impl<D: Codec> AnyCodec for Of<D> {
    fn name(&self) -> &'static str {
        D::CODEC
    }

    fn id(&self) -> u8 {
        D::ID
    }

    fn profiles(&self) -> &'static [&'static str] {
        D::PROFILES
    }

    fn subjects(&self) -> Vec<String> {
        D::naive_and_subjects().iter().map(|subject| subject.name().to_string()).collect()
    }

    fn planes(&self) -> &'static [Plane] {
        D::planes()
    }

    fn run(&self, config: &Config, progress: &(dyn Fn(u64) + Sync)) -> io::Result<Summary> {
        run::<D>(config, progress).map(|outcome| report::summarize(outcome, &config.programs))
    }

    fn serve(&self, subject: &str, mut from: &mut dyn BufRead, mut to: &mut dyn Write) -> io::Result<bool> {
        let mut twins = D::naive_and_subjects().into_iter();
        let planted = || D::exhibits().into_iter().find(|exhibit| exhibit.name == subject).map(|it| (it.make)());
        match twins.find(|known| known.name() == subject).or_else(planted) {
            Some(mut found) => process::serve(&mut *found, &mut from, &mut to).map(|()| true),
            None => Ok(false),
        }
    }

    fn replay(&self, config: &Config) -> io::Result<Box<dyn Replay>> {
        Ok(Box::new(Replayer { bench: Bench::<D>::new(config)?, programs: config.programs.clone() }))
    }

    fn text_to_bytes(&self, fields: &Fields) -> Result<(Direction, Vec<u8>), TextError> {
        let case = Case::<D>::from_fields(fields)?;
        Ok((case.direction(), case.to_bytes()))
    }

    fn explain(&self, fields: &Fields) -> Result<String, TextError> {
        Ok(report::explain(&Case::<D>::from_fields(fields)?))
    }

    fn bytes_to_text(&self, bytes: &[u8]) -> Option<String> {
        Case::<D>::from_bytes(bytes).map(|case| case.to_text())
    }

    fn holes(&self, tally: &Tally) -> Vec<Holes> {
        tally.holes(D::planes(), builtin)
    }

    fn exhibits(&self) -> Vec<Label> {
        D::exhibits().iter().map(hunt::label).collect()
    }

    fn hunt(&self, exhibit: &str, method: &Method<'_>, oracles: &[Oracle]) -> Option<Catch> {
        let exhibit = D::exhibits().into_iter().find(|known| known.name == exhibit)?;
        hunt::hunt(&exhibit, method, oracles)
    }

    fn museum_driver(&self, exhibit: &str) -> Option<Box<dyn AnyDriver>> {
        let exhibit = D::exhibits().into_iter().find(|known| known.name == exhibit)?;
        let subjects = move || vec![(exhibit.make)()];
        Some(Box::new(Driver::<D>::new(Target::new(exhibit.name, exhibit.direction, false, subjects))))
    }

    fn fill(&self, tally: &Tally, seed: u64, draws: u64) -> Vec<String> {
        let mut filled: Vec<Vec<bool>> = D::planes()
            .iter()
            .enumerate()
            .map(|(number, plane)| {
                let visited = |cell| tally.subjects.get("naive").is_some_and(|v| v.compared[number][cell] > 0);
                (0..plane.size()).map(|cell| !plane.required[cell] || visited(cell)).collect()
            })
            .collect();
        let mut source = fastrand::Rng::with_seed(seed);
        let mut cases = [Case::<D>::empty_encode(), Case::<D>::empty_decode()];
        let mut texts = Vec::new();
        for turn in 0..draws {
            let case = &mut cases[turn as usize % 2];
            case.draw(&mut source);
            let mut new = Vec::new();
            D::cells(case, &mut |plane, cell| {
                if !filled[plane][cell] {
                    new.push((plane, cell));
                }
            });
            for cell in new {
                if filled[cell.0][cell.1] {
                    continue;
                }
                // One cell at a time, whatever the case falls into besides: small cases are the readable ones.
                let keeps = |case: &Case<D>| {
                    let mut kept = false;
                    D::cells(case, &mut |plane, number| kept |= (plane, number) == cell);
                    kept
                };
                let smallest = crate::shrink::shrink(case.clone(), 20_000, keeps).case;
                D::cells(&smallest, &mut |plane, cell| filled[plane][cell] = true);
                texts.push(smallest.to_text());
            }
        }
        texts
    }
}
