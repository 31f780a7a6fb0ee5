//! proptest strategies for cases: the same draws, and the same simplifications.

use super::{Draw, Source};
use crate::case::{Case, Direction};
use core::fmt;
use core::marker::PhantomData;
use proptest::prelude::Rng;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::{TestRng, TestRunner};

struct Runner<'a>(&'a mut TestRng);

impl Source for Runner<'_> {
    fn u64(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// A strategy that draws cases of one direction.
pub struct Cases<D> {
    direction: Direction,
    domain: PhantomData<D>,
}

/// Cases of `D` in the given direction.
pub fn cases<D: Draw>(direction: Direction) -> Cases<D> {
    Cases { direction, domain: PhantomData }
}

impl<D> fmt::Debug for Cases<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cases to {}", self.direction.name())
    }
}

impl<D: Draw> Strategy for Cases<D> {
    type Tree = CaseTree<D>;
    type Value = Case<D>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let mut case = Case::empty(self.direction);
        case.draw(&mut Runner(runner.rng()));
        Ok(CaseTree { failing: case.clone(), offered: case, next: 0, start: 0, again: false })
    }
}

/// A case and where its simplification stands.
pub struct CaseTree<D: Draw> {
    failing: Case<D>,
    offered: Case<D>,
    /// Which of its simplifications is the next one.
    next: usize,
    /// The first that was tried; what is bolder is tried again at the end.
    start: usize,
    again: bool,
}

impl<D: Draw> ValueTree for CaseTree<D> {
    type Value = Case<D>;

    fn current(&self) -> Case<D> {
        self.offered.clone()
    }

    /// The case that was offered fails: it is the one to simplify from now on.
    fn simplify(&mut self) -> bool {
        if self.offered != self.failing {
            self.failing = self.offered.clone();
            self.next -= 1;
            (self.start, self.again) = (self.next, false);
        }
        self.offer()
    }

    /// The case that was offered passes: the next simplification of the failing one, or the failing one itself.
    fn complicate(&mut self) -> bool {
        self.offered != self.failing && self.offer()
    }
}

impl<D: Draw> CaseTree<D> {
    fn offer(&mut self) -> bool {
        let mut found = self.simplification();
        if found.is_none() && !self.again {
            (self.next, self.again) = (0, true);
            found = self.simplification();
        }
        self.next += 1;
        let offers = found.is_some();
        self.offered = found.unwrap_or_else(|| self.failing.clone());
        offers
    }

    /// The next simplification, when this round has one.
    fn simplification(&self) -> Option<Case<D>> {
        if self.again && self.next >= self.start {
            return None;
        }
        let (mut at, mut found) = (0, None);
        self.failing.simpler(&mut |case| {
            at += 1;
            if at > self.next {
                found = Some(case);
            }
            found.is_some()
        });
        found
    }
}
