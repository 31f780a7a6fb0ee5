//! A fuzz target and a test from one line: [`prove!`](crate::prove!).
//!
//! ```ignore
//! struct Mine;
//! impl bytetwin::subject::Subject<Decimal> for Mine { /* name, encode, decode */ }
//! bytetwin::prove!(mine: encode Decimal = Mine);
//! ```
//!
//! Under `cargo fuzz` that is a target with a mutator that works on the case; under `cargo test` it is a test of that
//! name; otherwise it is a `main` that judges the files it is given, or a bounded run when there are none.

use crate::case::{ByteWriter, Case, Direction};
use crate::oracle::{Judge, Sweep, Verdict};
use crate::registry::Codec;
use crate::report::{finding, written_out};
use crate::run::{Bench, Budget, Config, Finding, run_with};
use crate::shrink::shrink;
use crate::subject::Subject;

/// The subjects that are judged, made anew for every thread.
pub type Subjects<D> = Vec<Box<dyn Subject<D>>>;

/// Cases that a `#[test]` made by [`prove!`](crate::prove!) draws.
pub const TEST_CASES: u64 = 20_000;

fn empty<D: Codec>(direction: Direction) -> Case<D> {
    match direction {
        Direction::Encode => Case::empty_encode(),
        Direction::Decode => Case::empty_decode(),
    }
}

/// Judges one input of a fuzzer after another. Its buffers are reused.
pub struct Driver<D: Codec> {
    direction: Direction,
    case: Case<D>,
    judge: Judge<D>,
    subjects: Subjects<D>,
    writer: ByteWriter,
}

impl<D: Codec> Driver<D> {
    /// A driver for one direction.
    pub fn new(direction: Direction, subjects: Subjects<D>) -> Self {
        Self {
            direction,
            case: empty(direction),
            judge: Judge::new(Sweep::Borders),
            subjects,
            writer: ByteWriter::default(),
        }
    }

    /// Judges the case that `bytes` are. `None` when they are none of this codec and direction.
    ///
    /// # Panics
    /// With a finding, shrunk and written out, when a subject differs: that is how a fuzzer is told.
    pub fn take(&mut self, bytes: &[u8]) -> Option<()> {
        if !self.case.read_bytes(bytes) {
            return None;
        }
        self.judge.prepare(&self.case);
        for at in 0..self.subjects.len() {
            if let Verdict::Differ(difference) = self.judge.judge(&self.case, &mut *self.subjects[at]) {
                self.report(at, *difference);
            }
        }
        Some(())
    }

    /// Shrinks, prints and panics.
    fn report(&mut self, at: usize, first: crate::oracle::Difference<D>) -> ! {
        let subject = self.subjects[at].name().to_string();
        let mut judge = Judge::<D>::new(Sweep::Borders).with_oracles(&[first.oracle]);
        let mut last = first;
        let shrunk = shrink(self.case.clone(), 20_000, |case| {
            judge.prepare(case);
            match judge.judge(case, &mut *self.subjects[at]) {
                Verdict::Differ(difference) => {
                    last = *difference;
                    true
                }
                _ => false,
            }
        });
        let found = Finding { case: shrunk.case, subject, difference: last, after: 0, shrunk_by: shrunk.tried };
        panic!("\n{}", finding::text(&found));
    }

    /// Changes the input in `data[..size]` into another case and returns its size. `None` when it is not a case, or
    /// when the new one has no room: then the fuzzer's own mutator is the one to ask.
    pub fn mutate(&mut self, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize> {
        let mut source = fastrand::Rng::with_seed(seed.into());
        if !self.case.read_bytes(&data[..size]) {
            self.case = empty(self.direction);
            self.case.draw(&mut source);
        } else if seed.is_multiple_of(4) {
            return None;
        } else {
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

/// A driver whose codec has been erased, for the target that looks for planted bugs.
pub trait AnyDriver {
    /// [`Driver::take`].
    fn take(&mut self, bytes: &[u8]) -> Option<()>;
    /// [`Driver::mutate`].
    fn mutate(&mut self, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize>;
}

impl<D: Codec> AnyDriver for Driver<D> {
    fn take(&mut self, bytes: &[u8]) -> Option<()> {
        self.take(bytes)
    }

    fn mutate(&mut self, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize> {
        self.mutate(data, size, max_size, seed)
    }
}

/// A bounded run in a `#[test]`.
///
/// # Panics
/// With every finding written out, or when nothing was compared.
pub fn test<D: Codec>(direction: Direction, subjects: &(dyn Fn() -> Subjects<D> + Sync)) {
    let config = Config { budget: Budget::Cases(TEST_CASES), directions: vec![direction], ..Config::default() };
    let outcome = run_with(&config, &|| Bench::with_subjects(&config, subjects()), &|_| ());
    let findings: Vec<String> = outcome.findings.iter().map(|finding| written_out(finding).text).collect();
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
    for (subject, counts) in &outcome.verdicts {
        assert!(counts.compared() > 0, "{subject}: nothing was compared, every case is unsupported");
    }
}

/// The `main` of a target that is built without a fuzzer: judges the files that it is given, or runs for a while.
/// Returns the exit status: 0 when all agree, 1 when something differs, 2 when a file cannot be used.
pub fn main<D: Codec>(direction: Direction, subjects: &(dyn Fn() -> Subjects<D> + Sync)) -> u8 {
    let files: Vec<std::path::PathBuf> = std::env::args_os().skip(1).map(Into::into).collect();
    if files.is_empty() {
        let config = Config { budget: Budget::Cases(TEST_CASES), directions: vec![direction], ..Config::default() };
        let outcome = run_with(&config, &|| Bench::with_subjects(&config, subjects()), &|_| ());
        for finding in &outcome.findings {
            println!("{}", written_out(finding).text);
        }
        println!("{} cases, {} findings", outcome.cases, outcome.findings.len());
        return u8::from(!outcome.findings.is_empty());
    }
    let mut bench = Bench::with_subjects(&Config::default(), subjects());
    for file in files {
        let case = std::fs::read(&file).map_err(|error| error.to_string()).and_then(|bytes| {
            let from_text = || std::str::from_utf8(&bytes).ok().and_then(|text| Case::<D>::from_text(text).ok());
            Case::from_bytes(&bytes).or_else(from_text).ok_or_else(|| format!("not a case of {}", D::CODEC))
        });
        match case {
            Ok(case) => bench.take(&case),
            Err(problem) => {
                eprintln!("{}: {problem}", file.display());
                return 2;
            }
        }
    }
    let outcome = bench.finish();
    for finding in &outcome.findings {
        println!("{}", written_out(finding).text);
    }
    println!("{} cases replayed, {} findings", outcome.cases, outcome.findings.len());
    u8::from(!outcome.findings.is_empty())
}

/// A fuzz target, a test and a `main` for a subject, from one line. See [`prove`](mod@crate::prove).
///
/// `prove!(name: encode Domain = subject)` judges one subject; `prove!(name: encode Domain)` judges every subject
/// that the codec comes with. `decode` instead of `encode` goes the other way. A crate that fuzzes needs
/// `libfuzzer-sys` among its dependencies and `#![cfg_attr(fuzzing, no_main)]` on top of the target.
#[macro_export]
macro_rules! prove {
    ($name:ident: $direction:ident $domain:ty) => {
        $crate::prove!(@ $name, $direction, $domain, <$domain as $crate::subject::Twins>::subjects());
    };
    ($name:ident: $direction:ident $domain:ty = $subject:expr) => {
        $crate::prove!(@ $name, $direction, $domain, {
            let subject: ::std::boxed::Box<dyn $crate::subject::Subject<$domain>> = ::std::boxed::Box::new($subject);
            ::std::vec![subject]
        });
    };
    (@direction encode) => { $crate::case::Direction::Encode };
    (@direction decode) => { $crate::case::Direction::Decode };
    (@ $name:ident, $direction:ident, $domain:ty, $subjects:expr) => {
        #[cfg(fuzzing)]
        mod fuzzing {
            use super::*;
            ::std::thread_local! {
                pub(super) static DRIVER: ::std::cell::RefCell<$crate::prove::Driver<$domain>> =
                    ::std::cell::RefCell::new($crate::prove::Driver::new($crate::prove!(@direction $direction), $subjects));
            }
        }

        #[cfg(fuzzing)]
        ::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> ::libfuzzer_sys::Corpus {
            match fuzzing::DRIVER.with_borrow_mut(|driver| driver.take(bytes)) {
                Some(()) => ::libfuzzer_sys::Corpus::Keep,
                None => ::libfuzzer_sys::Corpus::Reject,
            }
        });

        #[cfg(fuzzing)]
        ::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            fuzzing::DRIVER
                .with_borrow_mut(|driver| driver.mutate(data, size, max_size, seed))
                .unwrap_or_else(|| ::libfuzzer_sys::fuzzer_mutate(data, size, max_size))
        });

        #[cfg(test)]
        #[test]
        fn $name() {
            $crate::prove::test::<$domain>($crate::prove!(@direction $direction), &|| $subjects);
        }

        #[cfg(not(any(fuzzing, test)))]
        fn main() -> ::std::process::ExitCode {
            $crate::prove::main::<$domain>($crate::prove!(@direction $direction), &|| $subjects).into()
        }
    };
}
