//! Makes a failing case as simple as it can be while it keeps failing.

use crate::case::Case;
use crate::generate::Draw;
use core::ops::Range;

/// The simplest case that was found, and how many were tried.
#[derive(Debug)]
pub struct Shrunk<D: Draw> {
    /// The case; it fails.
    pub case: Case<D>,
    /// Cases that were tried on the way.
    pub tried: usize,
}

/// Simplifies `case` greedily, until no simpler version of it fails or `budget` cases have been tried.
///
/// Each simpler case that still fails is the next one. It is simplified from where it was found on, and what is bolder is tried
/// again at the end: it passed a moment ago. So a number comes to its border in as many steps as it has bits.
pub fn shrink<D: Draw>(case: Case<D>, budget: usize, mut fails: impl FnMut(&Case<D>) -> bool) -> Shrunk<D> {
    let mut best = case;
    let (mut tried, mut start) = (0, 0);
    loop {
        let mut try_from = |range: Range<usize>| {
            let (mut at, mut found) = (0, None);
            best.simpler(&mut |candidate| {
                at += 1;
                if at <= range.start {
                    return false;
                }
                if at > range.end || tried >= budget {
                    return true;
                }
                tried += 1;
                if fails(&candidate) {
                    found = Some((at - 1, candidate));
                }
                found.is_some()
            });
            found
        };
        match try_from(start..usize::MAX).or_else(|| try_from(0..start)) {
            Some((at, case)) => (start, best) = (at, case),
            None => return Shrunk { case: best, tried },
        }
    }
}
