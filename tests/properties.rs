//! proptest on every subject of every codec: drawn by the strategies that users have, judged by every oracle.

#![cfg(feature = "proptest")]

use bytetwin::case::Direction;
use bytetwin::generate::proptest::cases;
use bytetwin::oracle::{Judge, Sweep, Verdict};
use bytetwin::registry::{self, Codec, Visit};
use bytetwin::report::{by_bytetwin, finding};
use bytetwin::run::Finding;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Draws per codec and direction.
const CASES: u32 = 1500;

struct Judged(Direction);

impl Visit for Judged {
    fn codec<D: Codec>(&mut self) {
        let mut runner = TestRunner::new(Config { cases: CASES, failure_persistence: None, ..Config::default() });
        let state = RefCell::new((Judge::<D>::new(Sweep::Borders), D::subjects(), BTreeMap::<String, u32>::new()));
        let verdict = runner.run(&cases::<D>(self.0), |case| {
            let (judge, subjects, compared) = &mut *state.borrow_mut();
            judge.prepare(&case);
            for subject in subjects {
                match judge.judge(&case, &mut **subject) {
                    Verdict::Differ(difference) => {
                        let subject = subject.name().to_string();
                        let found = Finding { case, subject, difference: *difference, after: 0, shrunk_by: 0 };
                        return Err(TestCaseError::fail(finding::text(&found, &by_bytetwin)));
                    }
                    Verdict::Agree => *compared.entry(subject.name().to_string()).or_default() += 1,
                    Verdict::Unsupported | Verdict::Excused(_) => {}
                }
            }
            Ok(())
        });
        verdict.unwrap_or_else(|error| panic!("{} {}: {error}", self.0.name(), D::CODEC));
        let (_, subjects, compared) = state.into_inner();
        for subject in subjects {
            let times = compared.get(subject.name()).copied().unwrap_or(0);
            let all = !registry::builtin(subject.name()) || times == CASES;
            assert!(times > 0 && all, "{} was compared on {times} of {CASES} cases", subject.name());
        }
    }
}

#[test]
fn every_subject_writes_what_naive_writes() {
    registry::visit(&mut Judged(Direction::Encode));
}

#[test]
fn every_subject_reads_what_naive_reads() {
    registry::visit(&mut Judged(Direction::Decode));
}
