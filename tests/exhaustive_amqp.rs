//! Every 32-bit word of one scale, under each profile, read and written by the fast twin on every path of this machine
//! that has a kernel of its own, against the rule of the profile spelled out here.
//!
//! `BYTETWIN_EXHAUSTIVE=1` walks all 2^32 words, which takes about two minutes on two cores with `--release`; without it
//! a sample is walked: every word near a power of two, and every 4099th. Which of the two was run is written to
//! standard error, past the test's captured output.
#![cfg(feature = "rust_decimal")]

use bytetwin::codec::Path;
use bytetwin::codec::amqp_decimal::{Params, Profile, Raw, Sign, decode_into_with, encode_into_with};
use bytetwin::codec::path::Kind;
use rust_decimal::Decimal;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

const SCALE: u8 = 7;
const BATCH: u64 = 1 << 12;
const ALL_WORDS: u64 = 1 << 32;

/// What a word means, by the definition of its profile.
fn meaning(word: u32, profile: Profile) -> (Sign, u32) {
    let bit_31 = word >= 1 << 31;
    let sign = if bit_31 && profile != Profile::Unsigned { Sign::Minus } else { Sign::Plus };
    let magnitude = match profile {
        Profile::Errata if bit_31 => (ALL_WORDS - u64::from(word)) as u32,
        Profile::DotNet if bit_31 => word - (1 << 31),
        _ => word,
    };
    (sign, magnitude)
}

/// The words to walk, in batches: a first word and a step.
fn batches(exhaustive: bool) -> Vec<(u64, u64)> {
    if exhaustive {
        return (0..ALL_WORDS / BATCH).map(|batch| (batch * BATCH, 1)).collect();
    }
    let borders = (12..33).map(|power| ((1 << power) - BATCH / 2, 1));
    let spaced = (0..ALL_WORDS / (4099 * BATCH)).map(|batch| (batch * 4099 * BATCH, 4099));
    borders.chain([(0, 1)]).chain(spaced).collect()
}

/// Buffers of one thread.
struct Walk {
    octets: Vec<u8>,
    written: Vec<u8>,
    raw: Vec<Raw>,
    decimals: Vec<Decimal>,
}

impl Walk {
    fn new() -> Self {
        let count = BATCH as usize;
        Self {
            octets: [[0; 6]; BATCH as usize].concat(),
            written: vec![0; 6 * count],
            raw: vec![Raw::default(); count],
            decimals: vec![Decimal::ZERO; count],
        }
    }

    fn batch(&mut self, path: Path, profile: Profile, first: u64, step: u64) {
        let params = Params::new(profile);
        let words = || (0..BATCH).map(|i| (first + i * step) as u32);
        for (octets, word) in self.octets.as_chunks_mut::<6>().0.iter_mut().zip(words()) {
            let [a, b, c, d] = word.to_be_bytes();
            *octets = [b'D', SCALE, a, b, c, d];
        }
        let context = || format!("{} on {}: words from {first:#x} on", profile.name(), path.name());

        // Differences are gathered without a branch: 2^32 words are many.
        assert_eq!(decode_into_with(path, &self.octets, params, &mut self.raw), Ok(self.octets.len()));
        let mut difference = 0;
        for (raw, word) in self.raw.iter().zip(words()) {
            let (sign, magnitude) = meaning(word, profile);
            difference |= raw.magnitude ^ u64::from(magnitude);
            difference |= u64::from(raw.scale ^ u32::from(SCALE)) | u64::from(raw.sign as u32 ^ sign as u32);
        }
        assert_eq!(difference, 0, "{}", context());
        assert_eq!(encode_into_with(path, &self.raw, params, &mut self.written), Ok(self.octets.len()));
        assert!(self.written == self.octets, "{}", context());

        assert_eq!(decode_into_with(path, &self.octets, params, &mut self.decimals), Ok(self.octets.len()));
        for (decimal, raw) in self.decimals.iter().zip(&self.raw) {
            let parts = decimal.unpack();
            difference |= u64::from(parts.lo) ^ raw.magnitude;
            difference |= u64::from(parts.hi | parts.mid | (parts.scale ^ raw.scale));
            difference |= u64::from(parts.negative ^ raw.is_negative());
        }
        assert_eq!(difference, 0, "{}", context());
        self.written.fill(0);
        assert_eq!(encode_into_with(path, &self.decimals, params, &mut self.written), Ok(self.octets.len()));
        assert!(self.written == self.octets, "{}", context());
    }
}

#[test]
fn every_word_is_read_by_the_rule_and_written_back() {
    let exhaustive = std::env::var_os("BYTETWIN_EXHAUSTIVE").is_some_and(|value| value == "1");
    let batches = batches(exhaustive);
    let start = std::time::Instant::now();
    // AVX2 has no kernel here: it takes the portable one. The widest path, the one that is used, comes first.
    let mut paths: Vec<Path> = Path::available().filter(|path| path.kind() != Kind::Avx2).collect();
    paths.reverse();
    for path in paths {
        for profile in Profile::ALL {
            let walked = AtomicU64::new(0);
            let next = AtomicU64::new(0);
            std::thread::scope(|scope| {
                for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                    scope.spawn(|| {
                        let mut walk = Walk::new();
                        // Taken in turn, so that no thread waits for a slower one.
                        while let Some(&(first, step)) = batches.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
                            walk.batch(path, profile, first, step);
                            walked.fetch_add(BATCH, Ordering::Relaxed);
                        }
                    });
                }
            });
            let walked = walked.into_inner();
            assert!(!exhaustive || walked == ALL_WORDS);
            assert!(walked > 1 << 20);
            let what = if exhaustive { "all" } else { "a sample; BYTETWIN_EXHAUSTIVE=1 walks all" };
            let (profile, path, seconds) = (profile.name(), path.name(), start.elapsed().as_secs_f64());
            let line =
                format!("{profile} on {path}: {walked} words of scale {SCALE} ({what}), {seconds:.1} s so far\n");
            std::io::stderr().write_all(line.as_bytes()).unwrap();
        }
    }
}
