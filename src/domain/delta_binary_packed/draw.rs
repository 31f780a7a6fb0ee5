//! Borders of DELTA_BINARY_PACKED: edges of miniblocks and blocks, every width, differences that wrap, runs that cost no
//! bits, and blocks that leave something behind for the next one to trip over.

use super::{DeltaBinaryPacked, Kind, MAX_VALUES, Params, Values, pages};
use crate::codec::delta_binary_packed::Geometry;
use crate::domain::layout::{self, Layout};
use crate::generate::{Draw, Source, edges, simpler_list};

impl Params {
    /// How pages are cut.
    pub(super) fn geometry(&self) -> Geometry {
        match self.kind {
            Kind::I32 => self.layout.geometry::<i32>(),
            Kind::I64 => self.layout.geometry::<i64>(),
        }
    }
}

/// Calls `push` with the values of a column.
fn column<S: Source>(params: &Params, source: &mut S, mut push: impl FnMut(i64)) {
    let bits = params.kind.bits();
    let geometry = params.geometry();
    let count = layout::count(geometry, source);
    let any = |source: &mut S| edges::integer(source, bits) as i64;
    let (lowest, highest) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
    let mut value = any(source);
    match source.below(10) {
        // Deltas of a width that is drawn for each miniblock; see below.
        0..=4 => {
            let mut least = if source.chance(1, 2) { source.below(5) as i64 - 2 } else { any(source) };
            let mut width = 0;
            for at in 0..count {
                push(value);
                let in_block = at % geometry.block_size();
                if in_block == 0 && source.chance(1, 3) {
                    least = any(source);
                }
                let in_mini = at % geometry.miniblock_size();
                if in_mini == 0 {
                    width = if source.chance(1, 8) { 0 } else { source.below(bits as usize + 1) as u32 };
                }
                let mask = if width == 0 { 0 } else { u64::MAX >> (64 - width) };
                // The first deltas of a miniblock are the least one and the one that takes all bits.
                let relative = match in_mini {
                    0 if in_block == 0 => 0,
                    0 | 1 => mask ^ (source.u64() & (mask >> 1)),
                    _ => source.u64() & mask,
                };
                value = value.wrapping_add(least).wrapping_add(relative as i64);
            }
        }
        // One step, up or down: width 0.
        5 => {
            let step = if source.chance(1, 2) { source.below(5) as i64 - 2 } else { any(source) };
            let jump = source.below(2 * count + 1);
            for at in 0..count {
                push(value);
                value = value.wrapping_add(if at == jump { any(source) } else { step });
            }
        }
        // From one end of the type to the other.
        6 => (0..count).for_each(|at| push(if at % 2 == 0 { lowest } else { highest })),
        // A block of wide deltas, and then hardly any: what stale widths and stale bits show up behind.
        7 => {
            for at in 0..count {
                let wide = at < geometry.block_size() && source.chance(3, 4);
                value = value.wrapping_add(if wide { any(source) } else { source.below(2) as i64 });
                push(value);
            }
        }
        8 => (0..count).for_each(|_| push(any(source))),
        _ => {
            for _ in 0..count {
                push(value);
                value = value.wrapping_add(source.below(7) as i64 - 3);
            }
        }
    }
}

impl Draw for DeltaBinaryPacked {
    const STREAMS: bool = true;

    fn draw_params<S: Source>(source: &mut S) -> Params {
        Params {
            kind: if source.chance(1, 2) { Kind::I32 } else { Kind::I64 },
            layout: Layout::draw(source),
            max_values: if source.chance(1, 24) { source.below(300) as u32 } else { MAX_VALUES },
        }
    }

    fn draw_values<S: Source>(params: &Params, source: &mut S, values: &mut Values) {
        values.clear(params.kind);
        column(params, source, |value| values.push(value));
    }

    fn mutate_params<S: Source>(params: &mut Params, source: &mut S) {
        let drawn = Self::draw_params(source);
        if source.chance(1, 4) {
            params.max_values = drawn.max_values;
        } else {
            params.layout = drawn.layout;
        }
    }

    fn mutate_values<S: Source>(params: &Params, values: &mut Values, source: &mut S) {
        let mut wide = values.wide();
        let at = source.below(wide.len() + 1);
        match source.below(6) {
            0 if at < wide.len() => {
                wide.remove(at);
            }
            1 if at < wide.len() => wide[at] = wide[at].wrapping_add(source.below(3) as i64 - 1),
            2 if at < wide.len() => wide[at] = edges::integer(source, params.kind.bits()) as i64,
            3 if at < wide.len() => {
                let with = source.below(wide.len());
                wide.swap(at, with);
            }
            4 => {
                let copies = *source.pick(&[1, 2, 31, 32, 33, 128]);
                let value = wide.get(at).copied().unwrap_or(0);
                wide.splice(at..at, core::iter::repeat_n(value, copies));
            }
            _ => wide.insert(at, edges::integer(source, params.kind.bits()) as i64),
        }
        wide.truncate(super::COUNT_LIMIT);
        *values = Values::of(params.kind, wide);
    }

    fn simpler_values(params: &Params, values: &Values, emit: &mut dyn FnMut(Values) -> bool) {
        let wide = values.wide();
        // All values alike first: a fault of counts needs no other. Zeros are simpler than ones, and not the other way round.
        if wide.iter().any(|value| *value != 0) && emit(Values::of(params.kind, wide.iter().map(|_| 0))) {
            return;
        }
        if wide.iter().any(|value| !matches!(value, 0 | 1)) && emit(Values::of(params.kind, wide.iter().map(|_| 1))) {
            return;
        }
        let simpler = |value: &i64, emit: &mut dyn FnMut(i64) -> bool| {
            edges::simpler((*value).into()).into_iter().any(|value| emit(value as i64))
        };
        simpler_list(&wide, simpler, &mut |list| emit(Values::of(params.kind, list)));
    }

    fn simpler_params(params: &Params, emit: &mut dyn FnMut(Params) -> bool) {
        for layout in params.layout.simpler() {
            if emit(Params { layout, ..*params }) {
                return;
            }
        }
        if params.max_values != MAX_VALUES {
            emit(Params { max_values: MAX_VALUES, ..*params });
        }
    }

    fn draw_bytes<S: Source>(params: &Params, source: &mut S, bytes: &mut Vec<u8>) {
        bytes.clear();
        if source.chance(1, 8) {
            pages::hostile(params.kind.bits(), source, bytes);
            return;
        }
        let mut values = Vec::new();
        column(params, source, |value| values.push(value << (64 - params.kind.bits()) >> (64 - params.kind.bits())));
        pages::foreign(&values, params.kind.bits(), params.geometry(), source, bytes);
    }
}
