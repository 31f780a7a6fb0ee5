//! Where cases come from: draws with a bias for borders, mutants, and simpler versions of a case.
//!
//! One set of tables serves every driver. A [`Source`] gives numbers: a seeded generator for runs, `arbitrary`'s
//! bytes, proptest's runner. [`Draw`] is what a codec's domain adds.

use crate::case::{Capacity, Case, Direction, Domain, Job, Step};
use core::cell::Cell;

#[cfg(feature = "arbitrary")]
pub mod arbitrary;
pub mod edges;
#[cfg(feature = "proptest")]
pub mod proptest;

/// A source of numbers to draw from.
pub trait Source {
    /// 64 bits.
    fn u64(&mut self) -> u64;

    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.u64()) * bound as u128) >> 64) as usize
    }

    /// True in `hits` of `of` draws.
    fn chance(&mut self, hits: usize, of: usize) -> bool {
        self.below(of) < hits
    }

    /// One of `items`, which is not empty.
    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T
    where
        Self: Sized,
    {
        &items[self.below(items.len())]
    }
}

impl Source for fastrand::Rng {
    fn u64(&mut self) -> u64 {
        fastrand::Rng::u64(self, ..)
    }
}

impl<S: Source> Source for &mut S {
    fn u64(&mut self) -> u64 {
        (**self).u64()
    }
}

/// How cases of a codec are drawn, changed and simplified.
pub trait Draw: Domain {
    /// Parameters, every legal one within reach, and now and then an illegal one.
    fn draw_params<S: Source>(source: &mut S) -> Self::Params;
    /// Values into `values`, whose buffers are reused; biased for the borders that `params` set.
    fn draw_values<S: Source>(params: &Self::Params, source: &mut S, values: &mut Self::Values);
    /// Changes the parameters a little.
    fn mutate_params<S: Source>(params: &mut Self::Params, source: &mut S);
    /// Changes the values a little: one value to a border or a neighbour, one more, one fewer, two swapped.
    fn mutate_values<S: Source>(params: &Self::Params, values: &mut Self::Values, source: &mut S);
    /// Calls `emit` with values that are simpler than these, the boldest simplification first, until it returns true.
    fn simpler_values(params: &Self::Params, values: &Self::Values, emit: &mut dyn FnMut(Self::Values) -> bool);
    /// Calls `emit` with simpler parameters until it returns true.
    fn simpler_params(_params: &Self::Params, _emit: &mut dyn FnMut(Self::Params) -> bool) {}
    /// A valid encoding of drawn values, written into `bytes`, for decode cases. Often mutated afterwards.
    fn draw_bytes<S: Source>(params: &Self::Params, source: &mut S, bytes: &mut Vec<u8>);
    /// Whether the codec streams: puts on the way in, skips on the way out.
    const STREAMS: bool = false;
}

fn draw_capacity<S: Source>(source: &mut S) -> Capacity {
    match source.below(8) {
        0 => Capacity::Short(1),
        1 => Capacity::Short(1 + source.below(24) as u16),
        2 => Capacity::Short(u16::MAX),
        3 => Capacity::Slack(1),
        // So much that an encoder need not ask first how long it gets.
        4 if source.chance(1, 4) => Capacity::Slack(2048 + source.below(4096) as u16),
        4 => Capacity::Slack(1 + source.below(80) as u16),
        _ => Capacity::Exact,
    }
}

fn draw_puts<S: Source>(source: &mut S, puts: &mut Vec<u16>) {
    puts.clear();
    if source.chance(1, 2) {
        for _ in 0..1 + source.below(4) {
            puts.push(*source.pick(&[0u16, 1, 2, 31, 32, 33, 127, 128, 129, 7]));
        }
    }
}

fn draw_steps<S: Source>(source: &mut S, steps: &mut Vec<Step>) {
    steps.clear();
    if source.chance(1, 2) {
        for _ in 0..1 + source.below(5) {
            let count = *source.pick(&[0u16, 1, 2, 3, 31, 32, 33, 127, 128, 129, 255, 256]);
            steps.push(if source.chance(1, 2) { Step::Get(count) } else { Step::Skip(count) });
        }
    }
}

/// Changes bytes: flips a bit, sets, inserts, deletes, cuts.
pub fn mutate_bytes<S: Source>(bytes: &mut Vec<u8>, source: &mut S) {
    let at = source.below(bytes.len() + 1);
    match source.below(6) {
        0 | 1 if at < bytes.len() => bytes[at] ^= 1 << source.below(8),
        2 if at < bytes.len() => bytes[at] = *source.pick(&[0, 1, 0x7f, 0x80, 0xfe, 0xff]),
        3 => bytes.insert(at, source.u64() as u8),
        4 if at < bytes.len() => {
            bytes.remove(at);
        }
        5 => bytes.truncate(at),
        _ => bytes.push(source.u64() as u8),
    }
}

impl<D: Draw> Case<D> {
    /// An empty encode case, to be drawn or read into.
    pub fn empty_encode() -> Self {
        Self::encode(Self::first_params(), D::Values::default())
    }

    /// An empty decode case, to be drawn or read into.
    pub fn empty_decode() -> Self {
        Self::decode(Self::first_params(), Vec::new())
    }

    /// An empty case of a direction.
    pub fn empty(direction: Direction) -> Self {
        match direction {
            Direction::Encode => Self::empty_encode(),
            Direction::Decode => Self::empty_decode(),
        }
    }

    fn first_params() -> D::Params {
        D::params_from_bytes(&mut crate::case::ByteReader::new(&[]))
    }

    /// Draws a new case of the same direction into this one; its buffers are reused.
    pub fn draw<S: Source>(&mut self, source: &mut S) {
        self.params = D::draw_params(source);
        match &mut self.job {
            Job::Encode { values, puts, capacity } => {
                D::draw_values(&self.params, source, values);
                *capacity = draw_capacity(source);
                puts.clear();
                if D::STREAMS {
                    draw_puts(source, puts);
                }
            }
            Job::Decode { bytes, steps } => {
                D::draw_bytes(&self.params, source, bytes);
                if source.chance(1, 2) {
                    for _ in 0..1 + source.below(3) {
                        mutate_bytes(bytes, source);
                    }
                }
                steps.clear();
                if D::STREAMS {
                    draw_steps(source, steps);
                }
            }
        }
    }

    /// Changes the case a little; it stays a case.
    pub fn mutate<S: Source>(&mut self, source: &mut S) {
        if source.chance(1, 6) {
            D::mutate_params(&mut self.params, source);
            return;
        }
        match &mut self.job {
            Job::Encode { values, puts, capacity } => match source.below(6) {
                0 => *capacity = draw_capacity(source),
                1 if D::STREAMS => draw_puts(source, puts),
                _ => D::mutate_values(&self.params, values, source),
            },
            Job::Decode { bytes, steps } => match source.below(6) {
                0 if D::STREAMS => draw_steps(source, steps),
                1 => D::draw_bytes(&self.params, source, bytes),
                _ => mutate_bytes(bytes, source),
            },
        }
    }

    /// Calls `emit` with simpler cases, the boldest first, until it returns true. True when it did.
    pub fn simpler(&self, emit: &mut dyn FnMut(Self) -> bool) -> bool {
        let done = Cell::new(false);
        let mut offer = |case: Self| {
            done.set(done.get() || emit(case));
            done.get()
        };
        match &self.job {
            Job::Encode { values, puts, capacity } => {
                let with = |values: &D::Values, puts: &[u16], capacity| Self {
                    params: self.params.clone(),
                    job: Job::Encode { values: values.clone(), puts: puts.to_vec(), capacity },
                };
                if *capacity != Capacity::Exact && offer(with(values, puts, Capacity::Exact)) {
                    return true;
                }
                if !puts.is_empty()
                    && (offer(with(values, &[], *capacity)) || offer(with(values, &puts[1..], *capacity)))
                {
                    return true;
                }
                D::simpler_values(&self.params, values, &mut |values| offer(with(&values, puts, *capacity)));
            }
            Job::Decode { bytes, steps } => {
                let with = |bytes: &[u8], steps: &[Step]| Self {
                    params: self.params.clone(),
                    job: Job::Decode { bytes: bytes.to_vec(), steps: steps.to_vec() },
                };
                if !steps.is_empty() && (offer(with(bytes, &[])) || offer(with(bytes, &steps[1..]))) {
                    return true;
                }
                simpler_bytes(bytes, &mut |bytes| offer(with(bytes, steps)));
            }
        }
        if !done.get() {
            D::simpler_params(&self.params, &mut |params| offer(Self { params, job: self.job.clone() }));
        }
        done.get()
    }
}

/// Calls `emit` with shorter bytes, then with smaller ones, until it returns true.
pub fn simpler_bytes(bytes: &[u8], emit: &mut dyn FnMut(&[u8]) -> bool) {
    let mut piece = bytes.len().next_power_of_two();
    while piece > 0 {
        for start in (0..bytes.len()).step_by(piece) {
            let end = (start + piece).min(bytes.len());
            if emit(&[&bytes[..start], &bytes[end..]].concat()) {
                return;
            }
        }
        piece /= 2;
    }
    for at in 0..bytes.len() {
        for smaller in edges::simpler(bytes[at].into()) {
            let mut changed = bytes.to_vec();
            changed[at] = smaller as u8;
            if emit(&changed) {
                return;
            }
        }
    }
}

/// Calls `emit` with lists that are shorter than `items`, then with lists in which one item is simpler, until it returns
/// true. True when it did.
///
/// `simpler` does the same with one item, simplest first.
pub fn simpler_list<T: Clone>(
    items: &[T],
    simpler: impl Fn(&T, &mut dyn FnMut(T) -> bool) -> bool,
    emit: &mut dyn FnMut(Vec<T>) -> bool,
) -> bool {
    let mut piece = items.len().next_power_of_two();
    while piece > 0 {
        for start in (0..items.len()).step_by(piece) {
            let end = (start + piece).min(items.len());
            if emit([&items[..start], &items[end..]].concat()) {
                return true;
            }
        }
        piece /= 2;
    }
    (0..items.len()).any(|at| {
        simpler(&items[at], &mut |item| {
            let mut changed = items.to_vec();
            changed[at] = item;
            emit(changed)
        })
    })
}
