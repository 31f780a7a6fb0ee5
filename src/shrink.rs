//! Makes a failing case as simple as it can be while it keeps failing.

use crate::case::Case;
use crate::generate::Draw;

/// The simplest case that was found, and how many were tried.
#[derive(Debug)]
pub struct Shrunk<D: Draw> {
    /// The case; it fails.
    pub case: Case<D>,
    /// Cases that were tried on the way.
    pub tried: usize,
}

/// Simplifies `case` greedily: the first simpler case that still fails is the next one, until none fails or `budget`
/// cases have been tried.
pub fn shrink<D: Draw>(case: Case<D>, budget: usize, mut fails: impl FnMut(&Case<D>) -> bool) -> Shrunk<D> {
    let mut best = case;
    let mut tried = 0;
    loop {
        let mut simpler = None;
        best.simpler(&mut |candidate| {
            tried += 1;
            if fails(&candidate) {
                simpler = Some(candidate);
            }
            simpler.is_some() || tried >= budget
        });
        match simpler {
            Some(case) => best = case,
            None => return Shrunk { case: best, tried },
        }
        if tried >= budget {
            return Shrunk { case: best, tried };
        }
    }
}
