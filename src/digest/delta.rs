//! The slice of DELTA_BINARY_PACKED: geometries, counts around their edges, every width.

use super::{Sink, Twin};
use crate::codec::delta_binary_packed::{Geometry, Integer, encode_into_with, naive};

/// The next number of a small generator of its own: digests must not move when a library's generator does.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state ^ *state >> 29
}

fn put<T: Integer>(twin: Twin, values: &[T], geometry: Geometry, out: &mut Vec<u8>, sink: &mut Sink<'_>) {
    out.resize(naive::encoded_len(values, geometry), 0);
    let written = match twin {
        Twin::Naive => naive::encode_into(values, geometry, out),
        Twin::Fast(path) => encode_into_with(path, values, geometry, out),
    };
    match written {
        Ok(written) => sink.put(&out[..written]),
        Err(error) => sink.put(format!("{error:?}").as_bytes()),
    }
}

/// Values whose deltas have at most `width` bits, now and then all of them.
fn wide(count: usize, width: u32, state: &mut u64) -> Vec<i64> {
    let mask = if width == 64 { u64::MAX } else { (1u64 << width) - 1 };
    let mut value = 0i64;
    (0..count)
        .map(|_| {
            value = value.wrapping_add((next(state) & mask) as i64);
            value
        })
        .collect()
}

pub(super) fn geometries(twin: Twin, sink: &mut Sink<'_>) {
    let mut out = Vec::new();
    let mut state = 1;
    for block in (128..=1024).step_by(128) {
        for minis in (1..=block / 32).filter(|minis| block % minis == 0) {
            let Ok(geometry) = Geometry::new(block, minis) else { continue };
            let mini = block / minis;
            for edge in [0, mini, block] {
                for count in [edge, edge + 1, edge + 2] {
                    // Every width once over the counts of a geometry, and the widest and narrowest at each.
                    for width in [0, 1, (count % 65) as u32, (minis * 7 % 65) as u32, 31, 32, 63, 64] {
                        let values = wide(count, width, &mut state);
                        put(twin, &values, geometry, &mut out, sink);
                        let values: Vec<i32> = values.iter().map(|value| *value as i32).collect();
                        put(twin, &values, geometry, &mut out, sink);
                    }
                }
            }
        }
    }
    let Ok(geometry) = Geometry::new(128, 4) else { return };
    for width in 0..=64 {
        let values = wide(385, width, &mut state);
        put(twin, &values, geometry, &mut out, sink);
        let values: Vec<i32> = values.iter().map(|value| *value as i32).collect();
        put(twin, &values, geometry, &mut out, sink);
    }
}
