//! Cells of AMQP tables.

use super::subjects::{encoded_len, read};
use super::{AmqpTable, Field, PROFILES, Params, TOPS, Values, bytes, position, tree};
use crate::case::{Case, Domain, Job};
use crate::codec::amqp_table::{Duplicates, Params as CodecParams};
use crate::error::{DecodeError, EncodeError};
use crate::matrix::{Axis, Cells, Plane};
use std::sync::LazyLock;

/// Kinds of values by their letters in the text form, in the order of [`bytes::kind`].
const KINDS: [&str; 19] =
    ["V", "t", "b", "B", "s", "u", "I", "i", "l", "Q", "f", "d", "D", "z", "S", "A", "T", "F", "x"];
/// Kinds that RabbitMQ has no tag for.
const NOT_RABBITMQ: [usize; 2] = [9, 13];
/// The kind that the specification has no tag for.
const NOT_SPECIFICATION: usize = 18;
const INSIDE: [&str; 3] = ["1", "2", "3.."];
const OCTETS: [&str; 4] = ["name", "z", "S", "x"];
const LENGTHS: [&str; 6] = ["0", "1", "2..254", "255", "256", "257.."];
const COUNTS: [&str; 4] = ["0", "1", "2..16", "17.."];
const ROOMS: [&str; 5] = ["none", "some", "one short", "exact", "slack"];
const WRITTEN: [&str; 8] = [
    "written",
    "long name or short string",
    "name twice",
    "too deep",
    "no tag",
    "decimal scale",
    "decimal mantissa",
    "negative zero",
];
const READ: [&str; 7] =
    ["read", "input ends", "beyond the enclosing", "unknown tag", "name twice", "too deep", "decimal scale"];
const LIMITS: [&str; 4] = ["0", "1", "2..31", "32.."];
const DEEPEST: [&str; 3] = ["below", "at the limit", "above"];

fn length(length: usize) -> usize {
    match length {
        0 | 1 => length,
        2..255 => 2,
        255 => 3,
        256 => 4,
        _ => 5,
    }
}

fn count(count: usize) -> usize {
    match count {
        0 | 1 => count,
        2..17 => 2,
        _ => 3,
    }
}

static PLANES: LazyLock<[Plane; 7]> = LazyLock::new(|| {
    let profiles = || Axis::new("profile", PROFILES.map(|(name, _)| name));
    let tops = || Axis::new("top", TOPS.map(|(name, _)| name));
    let kinds = || Axis::new("type", KINDS);
    let inside = || Axis::new("levels around it", INSIDE);
    [
        Plane::new("values to write", vec![profiles(), kinds(), inside()], |_| true),
        Plane::new("values to read", vec![profiles(), kinds(), inside()], |steps| match steps[0] {
            0 => !NOT_RABBITMQ.contains(&steps[1]),
            _ => steps[1] != NOT_SPECIFICATION,
        }),
        Plane::new("octets to write", vec![profiles(), Axis::new("of", OCTETS), Axis::new("length", LENGTHS)], |_| {
            true
        }),
        Plane::new("calls", vec![tops(), Axis::new("count", COUNTS), Axis::new("room", ROOMS)], |_| true),
        Plane::new("answers of writers", vec![profiles(), tops(), Axis::new("answer", WRITTEN)], |_| true),
        Plane::new("answers of readers", vec![profiles(), tops(), Axis::new("answer", READ)], |_| true),
        // The outermost table is a level.
        Plane::new("levels to write", vec![Axis::new("limit", LIMITS), Axis::new("deepest", DEEPEST)], |steps| {
            steps[0] + steps[1] >= 2
        }),
    ]
});

fn written(answer: &Result<usize, EncodeError>) -> usize {
    match answer {
        Ok(_) => 0,
        Err(EncodeError::ShortStringTooLong { .. }) => 1,
        Err(EncodeError::DuplicateFieldName { .. }) => 2,
        Err(EncodeError::NestingTooDeep { .. }) => 3,
        Err(EncodeError::FieldTypeWithoutTag { .. }) => 4,
        Err(EncodeError::DecimalScaleOutOfRange { .. }) => 5,
        Err(EncodeError::DecimalMantissaOutOfRange { .. }) => 6,
        Err(_) => 7,
    }
}

fn answered(error: &DecodeError) -> usize {
    match error {
        DecodeError::UnexpectedEnd { .. } => 1,
        DecodeError::BeyondEnclosing { .. } => 2,
        DecodeError::UnknownFieldTag { .. } => 3,
        DecodeError::DuplicateFieldName { .. } => 4,
        DecodeError::NestingTooDeep { .. } => 5,
        _ => 6,
    }
}

fn kinds(values: &Values, plane: usize, profile: usize, visit: &mut dyn FnMut(usize, usize)) {
    tree::look(values, &mut |_, field, level| {
        visit(plane, PLANES[plane].cell(&[profile, bytes::kind(field).into(), level.min(INSIDE.len()) - 1]));
    });
}

fn to_write(params: &Params, values: &Values, profile: usize, visit: &mut dyn FnMut(usize, usize)) {
    kinds(values, 0, profile, visit);
    tree::look(values, &mut |name, field, _| {
        let mut see = |of: usize, octets: &[u8]| visit(2, PLANES[2].cell(&[profile, of, length(octets.len())]));
        if let Some(name) = name {
            see(0, name);
        }
        match field {
            Field::ShortString(octets) => see(1, octets),
            Field::LongString(octets) => see(2, octets),
            Field::Binary(octets) => see(3, octets),
            _ => {}
        }
    });
    let limit = usize::from(params.codec.max_depth);
    let (_, levels) = tree::size(values);
    let class = match limit {
        0 | 1 => limit,
        2..32 => 2,
        _ => 3,
    };
    let deepest = usize::from(levels >= limit) + usize::from(levels > limit);
    visit(6, PLANES[6].cell(&[class, deepest]));
}

impl Cells for AmqpTable {
    fn planes() -> &'static [Plane] {
        &*PLANES
    }

    fn cells(case: &Case<Self>, visit: &mut dyn FnMut(usize, usize)) {
        let params = &case.params;
        let (profile, top) = (position(&PROFILES, &params.codec.profile), position(&TOPS, &params.top));
        match &case.job {
            Job::Encode { values, capacity, .. } => {
                to_write(params, values, profile, visit);
                let answer = encoded_len(params.codec, values);
                visit(4, PLANES[4].cell(&[profile, top, written(&answer)]));
                let Ok(needed) = answer else { return };
                let room = match capacity.of(needed) {
                    room if room > needed => 4,
                    room if room == needed => 3,
                    room if room + 1 == needed => 2,
                    0 => 0,
                    _ => 1,
                };
                visit(3, PLANES[3].cell(&[top, count(Self::count(values)), room]));
            }
            Job::Decode { bytes, .. } => {
                let answer = read(params, bytes);
                visit(5, PLANES[5].cell(&[profile, top, answer.as_ref().err().map_or(0, answered)]));
                // Behind a refusal for depth or duplicates there are values all the same.
                let wide = CodecParams { duplicates: Duplicates::Accept, max_depth: u8::MAX, ..params.codec };
                if let Ok((values, _)) = answer.or_else(|_| read(&Params { codec: wide, ..*params }, bytes)) {
                    kinds(&values, 1, profile, visit);
                }
            }
        }
    }
}
