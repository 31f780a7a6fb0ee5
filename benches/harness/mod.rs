//! An interleaving stopwatch. Every round runs all contenders once forward and once backward, so that a neighbour's
//! load or a change of clock hits all of them; the minimum and the median over the rounds are kept. Ratios are within
//! one [`Race`], never between runs.
//!
//! A bench asserts that the contenders agree on its inputs before it times them, adds them to a [`Race`] (the one that
//! is named [`MEMCPY`] is the limit), and prints Markdown tables.
#![allow(dead_code)] // Each bench uses the part it needs.

pub mod allocations;
pub mod session;

use std::time::Instant;

pub use session::Session;

/// The contender that copies half of the traffic: the limit of what memory allows.
pub const MEMCPY: &str = "memcpy";

/// Contenders that turn the same input into the same output. `S` holds the buffers, which all of them share.
pub struct Race<'a, S> {
    case: String,
    values: usize,
    traffic: usize,
    state: S,
    contenders: Vec<Contender<'a, S>>,
}

struct Contender<'a, S> {
    name: String,
    run: Box<dyn FnMut(&mut S) + 'a>,
    allocations: u64,
    repeat: u32,
    samples: Vec<f64>,
}

/// What one contender took.
#[derive(Clone, Debug)]
pub struct Time {
    pub case: String,
    pub contender: String,
    /// Nanoseconds per value, of the fastest round and of the middle one.
    pub min: f64,
    pub median: f64,
    /// Bytes read and written, per value.
    pub bytes: f64,
    /// Allocations in one warm call.
    pub allocations: u64,
}

impl<'a, S> Race<'a, S> {
    /// A race over `values` values that reads and writes `traffic` bytes in all.
    pub fn new(case: impl Into<String>, values: usize, traffic: usize, state: S) -> Self {
        Self { case: case.into(), values, traffic, state, contenders: Vec::new() }
    }

    /// Adds a contender, which must do the whole work at every call.
    pub fn add(&mut self, name: impl Into<String>, run: impl FnMut(&mut S) + 'a) -> &mut Self {
        let (name, run) = (name.into(), Box::new(run));
        self.contenders.push(Contender { name, run, allocations: 0, repeat: 1, samples: Vec::new() });
        self
    }

    /// Runs all contenders, interleaved.
    pub fn run(mut self, session: &Session) -> Vec<Time> {
        for c in &mut self.contenders {
            (c.run)(&mut self.state); // Warms caches and lets the contender grow its buffers.
            c.allocations = allocations::during(|| (c.run)(&mut self.state));
            let once = time(|| (c.run)(&mut self.state));
            c.repeat = (session.sample_ns() / once.max(1.0)).clamp(1.0, 1e6) as u32;
        }
        let count = self.contenders.len();
        for _ in 0..session.rounds(self.traffic) {
            for i in (0..count).chain((0..count).rev()) {
                let c = &mut self.contenders[i];
                let state = &mut self.state;
                (c.run)(state); // Brings this contender's data back into the cache; not timed.
                let ns = time(|| (0..c.repeat).for_each(|_| (c.run)(state)));
                c.samples.push(ns / f64::from(c.repeat) / self.values as f64);
            }
        }
        let bytes = self.traffic as f64 / self.values as f64;
        let finish = |mut c: Contender<'a, S>| {
            c.samples.sort_by(f64::total_cmp);
            let (min, median) = (c.samples[0], c.samples[c.samples.len() / 2]);
            let case = self.case.clone();
            Time { case, contender: c.name, min, median, bytes, allocations: c.allocations }
        };
        self.contenders.into_iter().map(finish).collect()
    }
}

fn time(f: impl FnOnce()) -> f64 {
    let start = Instant::now();
    f();
    start.elapsed().as_nanos() as f64
}

/// Prints the head of a Markdown table; `peers` are the contenders that every line is set in relation to.
pub fn print_head(title: &str, peers: &[&str]) {
    println!("\n### {title}\n");
    print!("| case | contender | ns/value | median | GB/s | % {MEMCPY} |");
    peers.iter().for_each(|p| print!(" x {p} |"));
    print!(" allocations |\n|---|---|---|---|---|---|");
    peers.iter().for_each(|_| print!("---|"));
    println!("---|");
}

/// Prints the lines of one race. A peer that did not take part gives `-`.
pub fn print_lines(times: &[Time], peers: &[&str]) {
    let min_of = |name: &str| times.iter().find(|t| t.contender == name).map(|t| t.min);
    for t in times {
        let percent = min_of(MEMCPY).map_or("-".into(), |m| format!("{:.0}", 100.0 * m / t.min));
        let rate = t.bytes / t.min;
        print!("| {} | {} | {:.3} | {:.3} | {rate:.1} | {percent} |", t.case, t.contender, t.min, t.median);
        for peer in peers {
            print!(" {} |", min_of(peer).map_or("-".into(), |m| format!("{:.1}", m / t.min)));
        }
        println!(" {} |", t.allocations);
    }
}
