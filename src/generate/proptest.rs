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
        Ok(CaseTree { failing: case.clone(), offered: case, next: 0 })
    }
}

/// A case and where its simplification stands.
pub struct CaseTree<D: Draw> {
    failing: Case<D>,
    offered: Case<D>,
    next: usize,
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
            self.next = 0;
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
        let mut at = 0;
        let next = self.next;
        let mut found = None;
        self.failing.simpler(&mut |case| {
            at += 1;
            let taken = at > next;
            if taken {
                found = Some(case);
            }
            taken
        });
        self.next += 1;
        match found {
            Some(case) => {
                self.offered = case;
                true
            }
            None => {
                self.offered = self.failing.clone();
                false
            }
        }
    }
}
