//! A run: cases drawn within a budget, every subject judged on each, a tally kept, findings shrunk.

use crate::case::{Case, Direction};
use crate::domain::Codec;
use crate::matrix::Tally;
use crate::oracle::{Difference, Judge, Oracle, Sweep, Verdict};
use crate::shrink::{Shrunk, shrink};
use crate::subject::Subject;
use crate::subject::process::{Process, Program};
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long a run goes on.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// So many cases, over all jobs.
    Cases(u64),
    /// So long.
    Time(Duration),
}

/// What a run does.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where the draws start. The same seed, jobs and number of cases give the same cases.
    pub seed: u64,
    /// When it ends.
    pub budget: Budget,
    /// Threads.
    pub jobs: usize,
    /// Which way; both when empty.
    pub directions: Vec<Direction>,
    /// Names of the subjects; all when empty.
    pub subjects: Vec<String>,
    /// Which oracles are asked.
    pub oracles: Vec<Oracle>,
    /// How thorough the capacity oracle is.
    pub sweep: Sweep,
    /// Programs that are subjects too.
    pub programs: Vec<Program>,
    /// Most findings that are shrunk and kept, at most one for each subject, direction and oracle.
    pub keep: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            seed: 1,
            budget: Budget::Cases(10_000),
            jobs: 1,
            directions: Direction::BOTH.to_vec(),
            subjects: Vec::new(),
            oracles: Oracle::ALL.to_vec(),
            sweep: Sweep::Borders,
            programs: Vec::new(),
            keep: 16,
        }
    }
}

/// A difference, shrunk.
pub struct Finding<D: Codec> {
    /// The simplest case that shows it.
    pub case: Case<D>,
    /// Who differs.
    pub subject: String,
    /// How, on that case.
    pub difference: Difference<D>,
    /// Which draw of the run found it, counted per job from 1.
    pub after: u64,
    /// Cases tried while shrinking.
    pub shrunk_by: usize,
}

impl<D: Codec> Finding<D> {
    /// Shrinks a case on which `judge` saw the difference `first`: with the same oracle only, so that one difference does
    /// not slide into another. Reuse is seen in the calls of every oracle.
    pub fn shrunk(
        case: &Case<D>,
        subject: &mut dyn Subject<D>,
        judge: Judge<D>,
        first: Difference<D>,
        after: u64,
    ) -> Self {
        let kind = first.oracle;
        let mut judge = if kind == Oracle::Reuse { judge } else { judge.with_oracles(&[kind]) };
        let mut last = None;
        let mut fails = |case: &Case<D>| {
            judge.prepare(case);
            // What other cases left behind is not this one's.
            subject.renew();
            match judge.judge(case, subject) {
                Verdict::Differ(difference) if difference.oracle == kind => {
                    last = Some(*difference);
                    true
                }
                _ => false,
            }
        };
        // A difference that needs what the subject went through before cannot be shrunk alone; it is kept as it is.
        let shrunk = match fails(case) {
            true => shrink(case.clone(), 20_000, &mut fails),
            false => Shrunk { case: case.clone(), tried: 0 },
        };
        let (subject, difference) = (subject.name().to_string(), last.unwrap_or(first));
        Self { case: shrunk.case, subject, difference, after, shrunk_by: shrunk.tried }
    }
}

/// What a run saw.
pub struct Outcome<D: Codec> {
    /// Cases drawn.
    pub cases: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// Cells, per subject.
    pub tally: Tally,
    /// Verdicts per subject: compared, unsupported, differing; and excuses by ledger entry.
    pub verdicts: BTreeMap<String, Counts>,
    /// Differences, shrunk.
    pub findings: Vec<Finding<D>>,
}

/// Verdicts of one subject.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Cases on which it agreed.
    pub agreed: u64,
    /// Cases that it does not support.
    pub unsupported: u64,
    /// Cases on which it differed.
    pub differed: u64,
    /// Cases that the ledger excuses, by entry.
    pub excused: BTreeMap<&'static str, u64>,
}

impl Counts {
    /// Cases that were compared, whatever came of it.
    pub fn compared(&self) -> u64 {
        self.agreed + self.differed + self.excused.values().sum::<u64>()
    }
}

impl<D: Codec> Outcome<D> {
    fn empty() -> Self {
        Self {
            cases: 0,
            elapsed: Duration::ZERO,
            tally: Tally::default(),
            verdicts: BTreeMap::new(),
            findings: Vec::new(),
        }
    }

    fn add(&mut self, other: Self) {
        self.cases += other.cases;
        self.tally.add(&other.tally);
        for (name, counts) in other.verdicts {
            let mine = self.verdicts.entry(name).or_default();
            mine.agreed += counts.agreed;
            mine.unsupported += counts.unsupported;
            mine.differed += counts.differed;
            for (entry, times) in counts.excused {
                *mine.excused.entry(entry).or_default() += times;
            }
        }
        for finding in other.findings {
            if !self.findings.iter().any(|known| same_kind(known, &finding.subject, &finding.case, &finding.difference))
            {
                self.findings.push(finding);
            }
        }
    }
}

fn same_kind<D: Codec>(known: &Finding<D>, subject: &str, case: &Case<D>, difference: &Difference<D>) -> bool {
    known.subject == subject
        && known.case.direction() == case.direction()
        && known.difference.oracle == difference.oracle
}

/// Judges subjects on cases and keeps count. A run, a replay and the matrix all go through it.
pub struct Bench<D: Codec> {
    judge: Judge<D>,
    subjects: Vec<Box<dyn Subject<D>>>,
    cells: Vec<(usize, usize)>,
    config: Config,
    outcome: Outcome<D>,
}

impl<D: Codec> Bench<D> {
    /// The built-in subjects, naive first, and the programs that have the codec; of these the ones that `config` names.
    ///
    /// # Errors
    /// A program that cannot be started, or that does not speak the protocol.
    pub fn new(config: &Config) -> io::Result<Self> {
        let mut subjects = D::naive_and_subjects();
        for program in &config.programs {
            if let Some(process) = Process::start(program, D::CODEC)? {
                subjects.push(Box::new(process));
            }
        }
        Ok(Self::with_subjects(config, subjects))
    }

    /// Given subjects.
    pub fn with_subjects(config: &Config, mut subjects: Vec<Box<dyn Subject<D>>>) -> Self {
        if !config.subjects.is_empty() {
            subjects.retain(|subject| config.subjects.iter().any(|name| name == subject.name()));
        }
        Self {
            judge: Judge::new(config.sweep).with_oracles(&config.oracles),
            subjects,
            cells: Vec::new(),
            config: config.clone(),
            outcome: Outcome::empty(),
        }
    }

    /// Judges every subject on one case.
    pub fn take(&mut self, case: &Case<D>) {
        self.outcome.cases += 1;
        self.judge.prepare(case);
        self.cells.clear();
        D::cells(case, &mut |plane, cell| self.cells.push((plane, cell)));
        for at in 0..self.subjects.len() {
            let verdict = self.judge.judge(case, &mut *self.subjects[at]);
            self.note(case, at, verdict);
        }
    }

    /// Judges every subject, as if it had just been made, on one case, and gives what was seen of that case alone.
    pub fn replay(&mut self, case: &Case<D>) -> Outcome<D> {
        for subject in &mut self.subjects {
            subject.renew();
        }
        self.take(case);
        std::mem::replace(&mut self.outcome, Outcome::empty())
    }

    /// What naive answered to the case that was taken last, as a corpus file expects it.
    pub fn expectation(&self, case: &Case<D>) -> String {
        self.judge.expectation(case)
    }

    /// What was seen.
    pub fn finish(self) -> Outcome<D> {
        self.outcome
    }

    fn note(&mut self, case: &Case<D>, at: usize, verdict: Verdict<D>) {
        let name = self.subjects[at].name().to_string();
        let compared = verdict != Verdict::Unsupported;
        self.outcome.tally.count(D::planes(), &name, compared, &self.cells);
        let counts = self.outcome.verdicts.entry(name.clone()).or_default();
        match verdict {
            Verdict::Agree => counts.agreed += 1,
            Verdict::Unsupported => counts.unsupported += 1,
            Verdict::Excused(entry) => *counts.excused.entry(entry).or_default() += 1,
            Verdict::Differ(difference) => {
                counts.differed += 1;
                let known = self.outcome.findings.iter().any(|known| same_kind(known, &name, case, &difference));
                if !known && self.outcome.findings.len() < self.config.keep {
                    let judge = Judge::new(self.config.sweep).with_oracles(&self.config.oracles);
                    let finding =
                        Finding::shrunk(case, &mut *self.subjects[at], judge, *difference, self.outcome.cases);
                    self.outcome.findings.push(finding);
                }
            }
        }
    }
}

/// Draws and judges until the budget is spent. `progress` is called now and then with the cases done so far.
///
/// # Errors
/// As [`Bench::new`].
pub fn run<D: Codec>(config: &Config, progress: &(dyn Fn(u64) + Sync)) -> io::Result<Outcome<D>> {
    let benches = (0..config.jobs.max(1)).map(|_| Bench::new(config)).collect::<io::Result<_>>()?;
    Ok(run_on(config, benches, progress))
}

/// [`run`] with given subjects, made anew for every job.
pub fn run_with<D: Codec>(
    config: &Config,
    bench: &dyn Fn() -> Bench<D>,
    progress: &(dyn Fn(u64) + Sync),
) -> Outcome<D> {
    run_on(config, (0..config.jobs.max(1)).map(|_| bench()).collect(), progress)
}

fn run_on<D: Codec>(config: &Config, benches: Vec<Bench<D>>, progress: &(dyn Fn(u64) + Sync)) -> Outcome<D> {
    let started = Instant::now();
    let done = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let jobs = benches.len() as u64;
    let directions: &[Direction] = if config.directions.is_empty() { &Direction::BOTH } else { &config.directions };
    let mut outcome = Outcome::empty();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs)
            .zip(benches)
            .map(|(job, mut bench)| {
                let (done, stop) = (&done, &stop);
                scope.spawn(move || {
                    let mut source = fastrand::Rng::with_seed(config.seed.wrapping_add(job << 32));
                    let mut cases: Vec<Case<D>> = directions.iter().copied().map(Case::empty).collect();
                    let mut mine = 0u64;
                    loop {
                        let over = match config.budget {
                            Budget::Cases(cases) => mine >= cases / jobs + u64::from(job < cases % jobs),
                            Budget::Time(time) => started.elapsed() >= time,
                        };
                        if over || stop.load(Ordering::Relaxed) {
                            return bench.finish();
                        }
                        let turn = mine as usize % cases.len();
                        cases[turn].draw(&mut source);
                        bench.take(&cases[turn]);
                        mine += 1;
                        if mine.is_multiple_of(256) {
                            progress(done.fetch_add(256, Ordering::Relaxed) + 256);
                        }
                    }
                })
            })
            .collect();
        for thread in threads {
            match thread.join() {
                Ok(part) => outcome.add(part),
                Err(panic) => {
                    stop.store(true, Ordering::Relaxed);
                    std::panic::resume_unwind(panic);
                }
            }
        }
    });
    outcome.elapsed = started.elapsed();
    outcome
}
