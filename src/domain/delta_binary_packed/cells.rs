//! Cells of DELTA_BINARY_PACKED.

use super::{DeltaBinaryPacked, KINDS, Kind, Params, Values};
use crate::case::{Case, Job, Step};
use crate::codec::delta_binary_packed::{Geometry, Integer, PageReader};
use crate::domain::layout::{COUNTS, NAMES, count_step};
use crate::error::DecodeError;
use crate::matrix::{Axis, Cells, Plane};
use std::sync::LazyLock;

const SPANS: [&str; 5] = ["0", "1", "..miniblock", "..block", "blocks"];
pub(in crate::domain) const PUTS: [&str; 4] = ["none", "one", "several", "an empty one"];
pub(in crate::domain) const ROOMS: [&str; 5] = ["none", "some", "one short", "exact", "slack"];
pub(in crate::domain) const STEPS: [&str; 4] = ["none", "get", "skip", "get and skip"];
const OUTCOMES: [&str; 8] = [
    "values",
    "unexpected end",
    "varint overflow",
    "invalid geometry",
    "count exceeds input",
    "too many values",
    "integer out of range",
    "invalid bit width",
];

static PLANES: LazyLock<[Plane; 5]> = LazyLock::new(|| {
    let kinds = || Axis::new("type", KINDS.map(|(name, _)| name));
    let layouts = || Axis::new("layout", NAMES);
    [
        Plane::new("values to write", vec![layouts(), kinds(), Axis::new("count", COUNTS)], |_| true),
        Plane::new("widths to write", vec![kinds(), Axis::new("width", 0..=64)], |steps| {
            steps[0] == 1 || steps[1] <= 32
        }),
        Plane::new(
            "calls",
            vec![kinds(), Axis::new("count", SPANS), Axis::new("puts", PUTS), Axis::new("room", ROOMS)],
            |_| true,
        ),
        // Every number that fits a varint is an INT64.
        Plane::new("pages to read", vec![layouts(), kinds(), Axis::new("outcome", OUTCOMES)], |steps| {
            steps[1] == 0 || steps[2] != 6
        }),
        Plane::new("steps to read", vec![kinds(), Axis::new("count", SPANS), Axis::new("steps", STEPS)], |_| true),
    ]
});

fn span(geometry: Geometry, count: usize) -> usize {
    match count {
        0 | 1 => count,
        _ if count <= geometry.miniblock_size() + 1 => 2,
        _ if count <= geometry.block_size() + 1 => 3,
        _ => 4,
    }
}

/// Which of [`PUTS`] these are.
pub(in crate::domain) fn puts_step(puts: &[u16]) -> usize {
    match puts {
        [] => 0,
        _ if puts.contains(&0) => 3,
        [_] => 1,
        _ => 2,
    }
}

/// Which of [`STEPS`] these are.
pub(in crate::domain) fn steps_step(steps: &[Step]) -> usize {
    let gets = steps.iter().any(|step| matches!(step, Step::Get(_)));
    let skips = steps.iter().any(|step| matches!(step, Step::Skip(_)));
    usize::from(gets) + 2 * usize::from(skips)
}

/// Which of [`ROOMS`] this is.
pub(in crate::domain) fn room_step(room: usize, needed: usize) -> usize {
    match room {
        _ if room > needed => 4,
        _ if room == needed => 3,
        _ if room + 1 == needed => 2,
        0 => 0,
        _ => 1,
    }
}

fn widths<T: Integer>(values: &[T], geometry: Geometry, mut visit: impl FnMut(usize)) {
    let cut = |value: i64| value << (64 - T::BITS) >> (64 - T::BITS);
    let mask = u64::MAX >> (64 - T::BITS);
    let deltas: Vec<i64> = values.windows(2).map(|pair| cut(pair[1].to_i64().wrapping_sub(pair[0].to_i64()))).collect();
    for block in deltas.chunks(geometry.block_size()) {
        let min = block.iter().min().copied().unwrap_or(0);
        for miniblock in block.chunks(geometry.miniblock_size()) {
            let bits = miniblock.iter().fold(0, |all, delta| all | (delta.wrapping_sub(min) as u64 & mask));
            visit(64 - bits.leading_zeros() as usize);
        }
    }
}

/// What reading a page comes to, how many values it claims, and how it is cut.
fn outcome<T: Integer>(bytes: &[u8], max: usize) -> (usize, Option<(usize, Geometry)>) {
    let step = |error| match error {
        DecodeError::UnexpectedEnd { .. } => 1,
        DecodeError::VarintOverflow { .. } => 2,
        DecodeError::InvalidGeometry { .. } => 3,
        DecodeError::CountExceedsInput { .. } => 4,
        DecodeError::IntegerOutOfRange { .. } => 6,
        _ => 7,
    };
    let mut reader = match PageReader::<T>::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return (step(error), None),
    };
    let header = Some((reader.len(), reader.geometry()));
    if reader.len() > max {
        return (5, header);
    }
    match reader.skip(max) {
        Ok(_) => (0, header),
        Err(error) => (step(error), header),
    }
}

fn needed(params: &Params, values: &Values) -> usize {
    match values {
        Values::I32(list) => crate::codec::delta_binary_packed::encoded_len(list, params.layout.geometry::<i32>()),
        Values::I64(list) => crate::codec::delta_binary_packed::encoded_len(list, params.layout.geometry::<i64>()),
    }
}

impl Cells for DeltaBinaryPacked {
    fn planes() -> &'static [Plane] {
        &*PLANES
    }

    fn cells(case: &Case<Self>, visit: &mut dyn FnMut(usize, usize)) {
        let params = &case.params;
        let (kind, layout, geometry) = (params.kind as usize, params.layout.step(), params.geometry());
        match &case.job {
            Job::Encode { values, puts, capacity } => {
                let count = <Self as crate::case::Domain>::count(values);
                visit(0, PLANES[0].cell(&[layout, kind, count_step(geometry, count)]));
                let mut see = |width: usize| visit(1, PLANES[1].cell(&[kind, width]));
                match values {
                    Values::I32(list) => widths(list, geometry, &mut see),
                    Values::I64(list) => widths(list, geometry, &mut see),
                }
                let needed = needed(params, values);
                let room = room_step(capacity.of(needed), needed);
                visit(2, PLANES[2].cell(&[kind, span(geometry, count), puts_step(puts), room]));
            }
            Job::Decode { bytes, steps } => {
                let max = params.max_values as usize;
                let (outcome, header) = match params.kind {
                    Kind::I32 => outcome::<i32>(bytes, max),
                    Kind::I64 => outcome::<i64>(bytes, max),
                };
                visit(3, PLANES[3].cell(&[layout, kind, outcome]));
                if let (0, Some((count, geometry))) = (outcome, header) {
                    visit(4, PLANES[4].cell(&[kind, span(geometry, count), steps_step(steps)]));
                }
            }
        }
    }
}
