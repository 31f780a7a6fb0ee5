//! Cells of Parquet DECIMAL.
//!
//! Behind a refused value no other is looked at, so only the values up to the first refused one count as visited.

use super::draw::{takes, takes_big};
use super::values::extended;
use super::{Decimal, FORMS, Form, Items, Number, Params, position};
use crate::case::{Case, Job};
use crate::codec::decimal::{ColumnOptions, I256, Physical, PrecisionCheck, Rounding};
use crate::matrix::{Axis, Cells, Plane};
use num_bigint::BigInt;
use std::sync::LazyLock;

/// Precisions that have a step of their own; all larger ones share one.
const PRECISIONS: u32 = 76;
const MAGNITUDES: [&str; 6] = ["0", "1", "10^k border", "2^(8k-1) border", "limb border", "other"];
const OUTCOMES: [&str; 4] = ["taken", "beyond the width", "beyond the precision", "inexact"];
const COUNTS: [&str; 4] = ["0", "1", "2..15", "16.."];
const ROOMS: [&str; 5] = ["none", "some", "one short", "exact", "slack"];
const ITEMS: [&str; 5] = ["shortest", "surplus sign bytes", "beyond the form", "empty", "cut"];

/// A border and which it is, as steps of [`MAGNITUDES`]; sorted.
static BORDERS: LazyLock<Vec<([u64; 4], usize)>> = LazyLock::new(|| {
    let mut borders = Vec::new();
    let mut around = |border: &BigInt, step: usize| {
        for near in [border - 1, border.clone(), border + 1] {
            if let Ok(near) = I256::try_from(&near) {
                borders.push((key(near.words()), step));
            }
        }
    };
    (1..=76).for_each(|k| around(&BigInt::from(10).pow(k), 2));
    (1..=32).for_each(|k| around(&(BigInt::from(1) << (8 * k - 1)), 3));
    (1..=8).for_each(|k| around(&(BigInt::from(1) << (32 * k)), 4));
    // Where two meet (none but near 1 do), the first one stays.
    borders.sort_by_key(|(words, step)| (*words, *step));
    borders.dedup_by_key(|(words, _)| *words);
    borders
});

/// Words in an order in which they compare as numbers.
fn key(words: [u64; 4]) -> [u64; 4] {
    [words[3], words[2], words[1], words[0]]
}

fn magnitude(value: I256) -> usize {
    let words = value.unsigned_abs();
    match words {
        [0, 0, 0, 0] => 0,
        [1, 0, 0, 0] => 1,
        _ => match BORDERS.binary_search_by_key(&key(words), |(words, _)| *words) {
            Ok(at) => BORDERS[at].1,
            Err(_) => 5,
        },
    }
}

/// The sign and the magnitude of an unscaled value.
fn class(number: &Number) -> (usize, usize) {
    match number {
        Number::Whole(value) => (usize::from(value.is_negative()), magnitude(*value)),
        Number::Big(value) => match I256::try_from(value) {
            Ok(value) => (usize::from(value.is_negative()), magnitude(value)),
            Err(_) => (usize::from(value.sign() == num_bigint::Sign::Minus), 5),
        },
        Number::Scaled(_) => (0, 5),
    }
}

/// What becomes of a value: a step of [`OUTCOMES`].
fn outcome(params: &Params, number: &Number) -> usize {
    if let Number::Scaled(value) = number
        && params.options.rounding == Rounding::Exact
        && params.scale < value.scale()
        && value.mantissa() % 10i128.pow(value.scale() - params.scale) != 0
    {
        return 3;
    }
    let fits = |params: &Params, number: &Number| match number {
        Number::Whole(value) => takes(params, *value),
        other => takes_big(params, &other.to_big()),
    };
    let unscaled = number.unscaled(params.scale);
    let unchecked = ColumnOptions { precision_check: PrecisionCheck::Skip, ..params.options };
    match (fits(params, &unscaled), fits(&Params { options: unchecked, ..*params }, &unscaled)) {
        (true, _) => 0,
        (false, false) => 1,
        (false, true) => 2,
    }
}

fn precision(params: &Params) -> usize {
    params.precision.clamp(1, PRECISIONS + 1) as usize - 1
}

/// INT32, INT64, FIXED of 1 to 32 bytes, wider ones, BYTE_ARRAY.
fn physical(physical: Physical) -> usize {
    match physical {
        Physical::Int32 => 0,
        Physical::Int64 => 1,
        Physical::Fixed(width) => 1 + width.clamp(1, 33) as usize,
        Physical::ByteArray => 35,
    }
}

fn physical_axis() -> Axis {
    let fixed = (1..=32).map(|width| format!("FIXED({width})"));
    let names = ["INT32", "INT64"].map(String::from).into_iter().chain(fixed);
    Axis::new("type", names.chain(["FIXED(33..)", "BYTE_ARRAY"].map(String::from)))
}

/// Types whose kernels have something in common.
const KINDS: [&str; 7] =
    ["INT32", "INT64", "FIXED(1..8)", "FIXED(9..16)", "FIXED(17..32)", "FIXED(33..)", "BYTE_ARRAY"];

fn kind(physical: Physical) -> usize {
    match physical {
        Physical::Int32 => 0,
        Physical::Int64 => 1,
        Physical::Fixed(..=8) => 2,
        Physical::Fixed(..=16) => 3,
        Physical::Fixed(..=32) => 4,
        Physical::Fixed(_) => 5,
        Physical::ByteArray => 6,
    }
}

fn count(count: usize) -> usize {
    match count {
        0 | 1 => count,
        2..16 => 2,
        _ => 3,
    }
}

/// Whether a value of the form, in a column of the type, can end so.
fn ends_so(form: usize, physical: usize, outcome: usize) -> bool {
    let form = FORMS[form].1;
    let width = match physical {
        0 => 4,
        1 => 8,
        35 => u32::MAX,
        fixed => fixed as u32 - 1,
    };
    match outcome {
        // A `rust_decimal` is scaled up as far as the column's scale goes.
        1 if form == Form::RustDecimal || form == Form::BigInt => width != u32::MAX,
        1 => width < form.bits() / 8,
        3 => form == Form::RustDecimal,
        _ => true,
    }
}

static PLANES: LazyLock<[Plane; 6]> = LazyLock::new(|| {
    let precisions =
        || Axis::new("precision", (1..=PRECISIONS).map(|p| p.to_string()).chain([format!("{}..", PRECISIONS + 1)]));
    let signs = || Axis::new("sign", ["+", "-"]);
    let forms = || Axis::new("form", FORMS.map(|(name, _)| name));
    let kinds = || Axis::new("type", KINDS);
    let counts = || Axis::new("count", COUNTS);
    // There is no negative zero.
    let exists = |steps: &[usize]| steps[1] == 0 || steps[2] > 0;
    let numbers = || vec![precisions(), signs(), Axis::new("magnitude", MAGNITUDES)];
    [
        Plane::new("values to write", numbers(), exists),
        Plane::new("columns to write", vec![physical_axis(), forms(), Axis::new("value", OUTCOMES)], |steps| {
            ends_so(steps[1], steps[0], steps[2])
        }),
        // No values need no room, so there is none to be short of; and one value may have no part.
        Plane::new("calls", vec![kinds(), forms(), counts(), Axis::new("room", ROOMS)], |steps| {
            steps[2] > 1 || steps[3] >= 3 || (steps[2] == 1 && steps[3] != 1)
        }),
        Plane::new("values to read", numbers(), exists),
        Plane::new("columns to read", vec![physical_axis(), forms()], |_| true),
        Plane::new("items to read", vec![kinds(), forms(), Axis::new("item", ITEMS)], |steps| {
            let bytes = FORMS[steps[1]].1.bits() / 8;
            // The fewest and the most bytes of an item of the kind.
            let (fewest, most) = [(4, 4), (8, 8), (1, 8), (9, 16), (17, 32), (33, 256), (1, 256)][steps[0]];
            match steps[2] {
                0 => bytes >= fewest,
                2 => bytes < most,
                3 => steps[0] == 6,
                _ => true,
            }
        }),
    ]
});

impl Cells for Decimal {
    fn planes() -> &'static [Plane] {
        &*PLANES
    }

    fn cells(case: &Case<Self>, visit: &mut dyn FnMut(usize, usize)) {
        let params = &case.params;
        if params.column().is_err() {
            return;
        }
        let (form, physical, kind) = (position(&FORMS, &params.form), physical(params.physical), kind(params.physical));
        match &case.job {
            Job::Encode { values, capacity, .. } => {
                let mut needed = Some(0);
                for number in values.numbers() {
                    let outcome = outcome(params, &number);
                    visit(1, PLANES[1].cell(&[physical, form, outcome]));
                    if outcome > 0 {
                        // The length of a BYTE_ARRAY column is known only when all its values are taken.
                        needed = params.physical.width().map(|width| values.len() * width as usize);
                        break;
                    }
                    let unscaled = number.unscaled(params.scale);
                    let (sign, magnitude) = class(&unscaled);
                    visit(0, PLANES[0].cell(&[precision(params), sign, magnitude]));
                    needed = needed.map(|needed| match params.physical.width() {
                        Some(width) => needed + width as usize,
                        None => needed + 4 + length(&unscaled),
                    });
                }
                if let Some(needed) = needed {
                    let room = match capacity.of(needed) {
                        room if room > needed => 4,
                        room if room == needed => 3,
                        room if room + 1 == needed => 2,
                        0 => 0,
                        _ => 1,
                    };
                    visit(2, PLANES[2].cell(&[kind, form, count(values.len()), room]));
                }
            }
            Job::Decode { bytes, .. } => {
                visit(4, PLANES[4].cell(&[physical, form]));
                let mut see = |body: &[u8], whole: bool| -> bool {
                    let item = item(params.form, body, whole);
                    visit(5, PLANES[5].cell(&[kind, form, item]));
                    if item > 1 {
                        return false;
                    }
                    let number = match body {
                        short if short.len() <= 32 => Number::Whole(extended(short)),
                        long => Number::Big(BigInt::from_signed_bytes_be(long)),
                    };
                    let (sign, magnitude) = class(&number);
                    visit(3, PLANES[3].cell(&[precision(params), sign, magnitude]));
                    outcome(params, &number) == 0
                };
                let count = params.count_in(bytes);
                match params.physical.width() {
                    None => {
                        for item in Items::new(bytes).take(count) {
                            if !see(item.bytes.get(4..).unwrap_or(&[]), item.whole) {
                                break;
                            }
                        }
                    }
                    Some(width) => {
                        let width = width as usize;
                        // That an item is cut is said before any is read.
                        if bytes.len() < count * width {
                            see(&[], false);
                            return;
                        }
                        for item in bytes.chunks_exact(width).take(count) {
                            let mut big_endian = [0; 8];
                            let body = match params.physical {
                                Physical::Int32 | Physical::Int64 => {
                                    let body = &mut big_endian[..width];
                                    body.copy_from_slice(item);
                                    body.reverse();
                                    &*body
                                }
                                _ => item,
                            };
                            if !see(body, true) {
                                break;
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Bytes of the shortest form.
fn length(number: &Number) -> usize {
    match number {
        Number::Whole(value) => super::values::shortest(&value.to_be_bytes()).len(),
        other => other.to_big().to_signed_bytes_be().len(),
    }
}

/// Which step of [`ITEMS`] an item is.
fn item(form: Form, body: &[u8], whole: bool) -> usize {
    if !whole {
        return 4;
    }
    if body.is_empty() {
        return 3;
    }
    let shortest = super::values::shortest(body);
    let fits = match form {
        Form::BigInt => true,
        // 96 bits and a sign, but not -2^96.
        Form::RustDecimal => {
            shortest.len() <= 13 && {
                let words = extended(shortest).unsigned_abs();
                words[1] >> 32 == 0 && words[2] | words[3] == 0
            }
        }
        _ => shortest.len() <= form.bits() as usize / 8,
    };
    match (fits, shortest.len() < body.len()) {
        (false, _) => 2,
        (true, true) => 1,
        (true, false) => 0,
    }
}
