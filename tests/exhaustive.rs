//! Every value of 16 bits at every width from 1 to 32 bytes, on every path, against arithmetic that shares nothing with
//! either twin. And every value of 32 bits, where `BYTETWIN_EXHAUSTIVE=1` asks for it:
//!
//! ```text
//! BYTETWIN_EXHAUSTIVE=1 cargo test --release --test exhaustive -- --nocapture
//! ```

#![cfg(feature = "harness")]

#[path = "support/not_run.rs"]
mod not_run;

use bytetwin::codec::decimal::{
    Column, ColumnOptions, I256, Physical, PrecisionCheck, Rounding, Values, ValuesMut, decode_into_with,
    encode_into_with, naive,
};
use bytetwin::codec::path::Path;
use bytetwin::{DecodeError, EncodeError};
use not_run::not_run;
use std::sync::atomic::{AtomicU64, Ordering};

const SKIP: ColumnOptions = ColumnOptions { precision_check: PrecisionCheck::Skip, rounding: Rounding::Exact };

/// A column of `width` bytes, with the fewest digits: only the width limits the values when the precision is not checked.
fn column(width: u32) -> Column {
    Column::new(1, 0, Physical::Fixed(width)).expect("one digit fits one byte")
}

/// What the specification says of one value: its digits to the base 256, the quotients rounded down, the most
/// significant first.
fn fixed(value: i64, width: usize, out: &mut Vec<u8>) {
    let start = out.len();
    let mut rest = value;
    for _ in 0..width {
        out.push(rest.rem_euclid(256) as u8);
        rest = rest.div_euclid(256);
    }
    out[start..].reverse();
}

/// Whether a value fits the width, by the definition of the range.
fn fits(value: i64, width: u32) -> bool {
    width >= 8 || (-(1i64 << (8 * width - 1))..1i64 << (8 * width - 1)).contains(&value)
}

/// The values of one batch in every form, and buffers for what comes of them.
#[derive(Default)]
struct Batch {
    narrow: Vec<i32>,
    long: Vec<i64>,
    wide: Vec<i128>,
    widest: Vec<I256>,
    right: Vec<u8>,
    out: Vec<u8>,
}

impl Batch {
    fn fill(&mut self, values: impl Iterator<Item = i64>) {
        self.long.clear();
        self.long.extend(values);
        self.narrow.clear();
        self.narrow.extend(self.long.iter().map(|value| *value as i32));
        self.wide.clear();
        self.wide.extend(self.long.iter().map(|value| i128::from(*value)));
        self.widest.clear();
        self.widest.extend(self.long.iter().map(|value| I256::from(*value)));
    }

    /// Every form on every path writes `right`, and reads it back.
    fn agree(&mut self, column: &Column) {
        let Self { narrow, long, wide, widest, right, out } = self;
        let forms: [Values<'_>; 4] = [narrow[..].into(), long[..].into(), wide[..].into(), widest[..].into()];
        for path in Path::available() {
            for values in forms {
                out.clear();
                out.resize(right.len(), 0xa5);
                let written = encode_into_with(path, values, column, SKIP, out);
                assert_eq!(written, Ok(right.len()), "{column} {}", path.name());
                if out != right {
                    let at = out.iter().zip(&*right).position(|(a, b)| a != b).expect("they differ");
                    panic!("{column} {}: byte {at} is {:02x}, not {:02x}", path.name(), out[at], right[at]);
                }
            }
            let read = |read: Result<usize, DecodeError>| assert_eq!(read, Ok(right.len()), "{column} {}", path.name());
            let mut got = vec![0i32; narrow.len()];
            read(decode_into_with(path, right, column, SKIP, &mut got));
            assert!(got == *narrow, "{column} {} i32", path.name());
            let mut got = vec![0i64; long.len()];
            read(decode_into_with(path, right, column, SKIP, &mut got));
            assert!(got == *long, "{column} {} i64", path.name());
            let mut got = vec![0i128; wide.len()];
            read(decode_into_with(path, right, column, SKIP, &mut got));
            assert!(got == *wide, "{column} {} i128", path.name());
            let mut got = vec![I256::ZERO; widest.len()];
            read(decode_into_with(path, right, column, SKIP, &mut got));
            assert!(got == *widest, "{column} {} i256", path.name());
        }
    }
}

#[test]
fn every_value_of_16_bits_is_written_and_read_at_every_width() {
    let mut batch = Batch::default();
    for width in 1..=32u32 {
        let column = column(width);
        batch.fill((-(1i64 << 15)..1 << 15).filter(|value| fits(*value, width)));
        batch.right.clear();
        for value in &batch.long {
            fixed(*value, width as usize, &mut batch.right);
        }
        assert_eq!(batch.long.len(), if width == 1 { 1 << 8 } else { 1 << 16 });
        assert_eq!(naive::encode(&batch.long, &column, SKIP).as_ref(), Ok(&batch.right), "naive, {column}");
        batch.agree(&column);
    }
}

#[test]
fn every_value_of_16_bits_that_does_not_fit_one_byte_is_refused() {
    let column = column(1);
    let refused = Err(EncodeError::ValueExceedsWidth { index: 1, width: 1 });
    let mut out = [0; 2];
    for value in (-(1i32 << 15)..1 << 15).filter(|value| !fits((*value).into(), 1)) {
        assert_eq!(naive::encode_into(&[0, value], &column, SKIP, &mut out), refused, "{value}");
        for path in Path::available() {
            assert_eq!(encode_into_with(path, &[0, value], &column, SKIP, &mut out), refused, "{value}");
        }
    }
}

#[test]
fn every_value_of_16_bits_is_written_in_the_fewest_bytes() {
    let column = Column::new(5, 0, Physical::ByteArray).expect("a column");
    let values: Vec<i32> = (-(1 << 15)..1 << 15).collect();
    let mut right = Vec::new();
    for value in &values {
        let width = if fits((*value).into(), 1) { 1 } else { 2 };
        right.extend_from_slice(&[width as u8, 0, 0, 0]);
        fixed((*value).into(), width, &mut right);
    }
    assert_eq!(naive::encode(&values, &column, SKIP).as_ref(), Ok(&right));
    let wide: Vec<i128> = values.iter().map(|value| i128::from(*value)).collect();
    let mut out = vec![0; right.len()];
    for path in Path::available() {
        for values in [Values::from(&values), Values::from(&wide)] {
            assert_eq!(encode_into_with(path, values, &column, SKIP, &mut out), Ok(right.len()));
            assert!(out == right, "{}", path.name());
        }
    }
}

#[test]
fn every_precision_refuses_exactly_the_values_of_16_bits_with_more_digits() {
    for precision in 1..=4u32 {
        let column = Column::new(precision, 0, Physical::Int32).expect("a column");
        let limit = 10i32.pow(precision);
        let mut out = [0; 4];
        for value in -(1 << 15)..1 << 15 {
            let right = if -limit < value && value < limit {
                Ok(4)
            } else {
                Err(EncodeError::ValueExceedsPrecision { index: 0, precision })
            };
            assert_eq!(naive::encode_into(&[value], &column, ColumnOptions::default(), &mut out), right, "{value}");
            for path in Path::available() {
                let got = encode_into_with(path, &[value], &column, ColumnOptions::default(), &mut out);
                assert_eq!(got, right, "{value} {}", path.name());
            }
        }
    }
}

/// Values per batch of the long sweep: with what is made of them they stay in the inner caches.
const BATCH: usize = 1 << 9;

/// In both directions, with the type that is made for the width: i32 up to 4 bytes, then i64, i128 and I256; the other
/// types meet every width in the sweeps of 16 bits. Up to 16 bytes on every path; beyond, where a value is little but
/// sign and the narrow paths take most of the time, on the path that users get, and on the others in every 16th batch.
/// Naive is held against every 4096th. Batches at borders have everything.
#[test]
fn every_value_of_32_bits_is_written_and_read_at_every_width() {
    if std::env::var_os("BYTETWIN_EXHAUSTIVE").is_none_or(|value| value != "1") {
        not_run(
            "every 32-bit value at every width. It takes minutes: \
             BYTETWIN_EXHAUSTIVE=1 cargo test --release --test exhaustive -- --nocapture",
        );
        return;
    }
    let started = std::time::Instant::now();
    // A batch is of values that are not negative, and goes with its complement.
    let batches = (1u64 << 31) / BATCH as u64;
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                let mut sweep = Sweep::default();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= batches {
                        break;
                    }
                    sweep.batch(number);
                    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                    if done.is_multiple_of(batches / 256) {
                        let part = done as f64 / batches as f64;
                        let seconds = started.elapsed().as_secs_f64();
                        eprintln!("{:.1} % after {seconds:.0} s", 100.0 * part);
                    }
                }
            });
        }
    });
    assert_eq!(done.into_inner(), batches);
}

/// One batch of the long sweep at a time; its buffers are reused.
struct Sweep {
    paths: Vec<Path>,
    /// The values, and their complements.
    batches: [Batch; 2],
    out: Vec<u8>,
    read: (Vec<i32>, Vec<i64>, Vec<i128>, Vec<I256>),
}

impl Default for Sweep {
    fn default() -> Self {
        let read = (vec![0; BATCH], vec![0; BATCH], vec![0; BATCH], vec![I256::ZERO; BATCH]);
        Self { paths: Path::available().collect(), batches: Default::default(), out: Vec::new(), read }
    }
}

impl Sweep {
    /// The values of a batch, and their complements, as far as they fit the width. Right bytes are made without
    /// either twin: the sign in all, and the last four, or as many as there are, from the value.
    fn batch(&mut self, number: u64) {
        let Self { paths, batches, out, read } = self;
        let (first, end) = (number as i64 * BATCH as i64, (number as i64 + 1) * BATCH as i64);
        let border = (0..32).any(|bit| (first..end).contains(&(1 << bit)));
        let with_naive = border || number.is_multiple_of(1 << 12);
        let all_paths = border || number.is_multiple_of(1 << 4);
        batches[0].fill(first..end);
        batches[1].fill((first..end).map(|value| !value));
        for width in 1..=32u32 {
            let count = ((1i64 << (8 * width.min(5) - 1)).clamp(first, end) - first) as usize;
            let (column, size) = (&column(width), width as usize);
            if count == 0 {
                continue;
            }
            let kept = size.min(4);
            for (Batch { narrow, long, right, .. }, sign) in batches.iter_mut().zip([0, 0xff]) {
                right.clear();
                right.resize(count * size, sign);
                for (value, item) in narrow.iter().zip(right.chunks_exact_mut(size)) {
                    item[size - kept..].copy_from_slice(&value.to_be_bytes()[4 - kept..]);
                }
                if with_naive {
                    assert_eq!(naive::encode(&long[..count], column, SKIP).as_ref(), Ok(&*right), "naive, {column}");
                }
            }
            out.clear();
            out.resize(count * size, 0xa5);
            for path in paths.iter().filter(|path| width <= 16 || all_paths || **path == Path::best()) {
                let mut judge = Judge { path: *path, column, out: &mut *out };
                for batch in &*batches {
                    match width {
                        1..=4 => judge.agree(&batch.narrow[..count], &batch.right, &mut read.0[..count]),
                        5..=8 => judge.agree(&batch.long[..count], &batch.right, &mut read.1[..count]),
                        9..=16 => judge.agree(&batch.wide[..count], &batch.right, &mut read.2[..count]),
                        _ => judge.agree(&batch.widest[..count], &batch.right, &mut read.3[..count]),
                    }
                }
            }
        }
    }
}

/// One path at one width.
struct Judge<'a> {
    path: Path,
    column: &'a Column,
    out: &'a mut [u8],
}

impl Judge<'_> {
    /// The path writes `right`, and reads it back. The buffers hold the complement's results: a byte that is left as it
    /// was is a wrong one.
    fn agree<T: PartialEq>(&mut self, values: &[T], right: &[u8], read: &mut [T])
    where
        for<'a> Values<'a>: From<&'a [T]>,
        for<'a> ValuesMut<'a>: From<&'a mut [T]>,
    {
        let written = encode_into_with(self.path, values, self.column, SKIP, self.out);
        let consumed = decode_into_with(self.path, right, self.column, SKIP, &mut *read);
        let lens = (Ok(right.len()), Ok(right.len()));
        let agreed = (written, consumed) == lens && self.out == right && read == values;
        assert!(agreed, "{} {}", self.column, self.path.name());
    }
}
