//! Every value of 16 bits at every width from 1 to 32 bytes, on every path, against arithmetic that shares nothing with
//! either twin. And every value of 32 bits, where `BYTETWIN_EXHAUSTIVE=1` asks for it:
//!
//! ```text
//! BYTETWIN_EXHAUSTIVE=1 cargo test --release --test exhaustive -- --nocapture
//! ```

#![cfg(feature = "harness")]

use bytetwin::codec::decimal::{Column, I256, Options, Physical, PrecisionCheck, Rounding, Values, fast, naive};
use bytetwin::codec::path::Path;
use bytetwin::{DecodeError, EncodeError};
use std::sync::atomic::{AtomicU64, Ordering};

const SKIP: Options = Options { precision_check: PrecisionCheck::Skip, rounding: Rounding::Exact };

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
                let written = fast::encode_into_with(path, values, column, SKIP, out);
                assert_eq!(written, Ok(right.len()), "{column} {}", path.name());
                if out != right {
                    let at = out.iter().zip(&*right).position(|(a, b)| a != b).expect("they differ");
                    panic!("{column} {}: byte {at} is {:02x}, not {:02x}", path.name(), out[at], right[at]);
                }
            }
            let read = |read: Result<usize, DecodeError>| assert_eq!(read, Ok(right.len()), "{column} {}", path.name());
            let mut got = vec![0i32; narrow.len()];
            read(fast::decode_into_with(path, right, column, SKIP, &mut got));
            assert!(got == *narrow, "{column} {} i32", path.name());
            let mut got = vec![0i64; long.len()];
            read(fast::decode_into_with(path, right, column, SKIP, &mut got));
            assert!(got == *long, "{column} {} i64", path.name());
            let mut got = vec![0i128; wide.len()];
            read(fast::decode_into_with(path, right, column, SKIP, &mut got));
            assert!(got == *wide, "{column} {} i128", path.name());
            let mut got = vec![I256::ZERO; widest.len()];
            read(fast::decode_into_with(path, right, column, SKIP, &mut got));
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
            assert_eq!(fast::encode_into_with(path, &[0, value], &column, SKIP, &mut out), refused, "{value}");
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
            assert_eq!(fast::encode_into_with(path, values, &column, SKIP, &mut out), Ok(right.len()));
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
            assert_eq!(naive::encode_into(&[value], &column, Options::default(), &mut out), right, "{value}");
            for path in Path::available() {
                let got = fast::encode_into_with(path, &[value], &column, Options::default(), &mut out);
                assert_eq!(got, right, "{value} {}", path.name());
            }
        }
    }
}

/// Values per batch of the long sweep: what stays in cache at 32 bytes each.
const BATCH: i64 = 1 << 13;

#[test]
fn every_value_of_32_bits_is_written_and_read_at_every_width() {
    if std::env::var_os("BYTETWIN_EXHAUSTIVE").is_none_or(|value| value != "1") {
        eprintln!(
            "NOT RUN: every 32-bit value at every width. It takes minutes: \
             BYTETWIN_EXHAUSTIVE=1 cargo test --release --test exhaustive -- --nocapture"
        );
        return;
    }
    let started = std::time::Instant::now();
    let batches = (1u64 << 32) / BATCH as u64;
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
                    sweep.batch(i64::from(i32::MIN) + number as i64 * BATCH);
                    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                    if done.is_multiple_of(batches / 100) {
                        eprintln!("{} % after {:.0} s", done * 100 / batches, started.elapsed().as_secs_f64());
                    }
                }
            });
        }
    });
    assert_eq!(done.into_inner(), batches);
}

/// One batch of the long sweep at a time; its buffers are reused.
#[derive(Default)]
struct Sweep {
    batch: Batch,
    narrow: Vec<i32>,
    wide: Vec<i128>,
}

impl Sweep {
    /// i32 on every path at every width, i128 too; both ways. Right bytes are made without either twin: those of four
    /// bytes from `to_be_bytes`, cut where the value fits, with sign bytes in front where there is room.
    fn batch(&mut self, first: i64) {
        let Self { batch: Batch { right, out, .. }, narrow, wide } = self;
        for width in 1..=32u32 {
            narrow.clear();
            narrow.extend((first..first + BATCH).filter(|value| fits(*value, width)).map(|value| value as i32));
            if narrow.is_empty() {
                continue;
            }
            wide.clear();
            wide.extend(narrow.iter().map(|value| i128::from(*value)));
            let column = column(width);
            let width = width as usize;
            right.clear();
            right.resize(narrow.len() * width, 0);
            for (value, item) in narrow.iter().zip(right.chunks_exact_mut(width)) {
                let bytes = value.to_be_bytes();
                let kept = width.min(4);
                item[..width - kept].fill(if *value < 0 { 0xff } else { 0 });
                item[width - kept..].copy_from_slice(&bytes[4 - kept..]);
            }
            out.resize(right.len(), 0);
            let mut read_narrow = vec![0i32; narrow.len()];
            let mut read_wide = vec![0i128; wide.len()];
            for path in Path::available() {
                for values in [Values::I32(narrow), Values::I128(wide)] {
                    let written = fast::encode_into_with(path, values, &column, SKIP, out);
                    assert_eq!(written, Ok(right.len()), "{column} {} from {first}", path.name());
                    assert!(out == right, "{column} {} from {first}", path.name());
                }
                let read = fast::decode_into_with(path, right, &column, SKIP, &mut read_narrow);
                assert_eq!(read, Ok(right.len()), "{column} {} from {first}", path.name());
                assert!(read_narrow == *narrow, "{column} {} from {first}", path.name());
                let read = fast::decode_into_with(path, right, &column, SKIP, &mut read_wide);
                assert_eq!(read, Ok(right.len()), "{column} {} from {first}", path.name());
                assert!(read_wide == *wide, "{column} {} from {first}", path.name());
            }
        }
    }
}
