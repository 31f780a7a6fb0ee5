//! Byte strings near what encoders get wrong: equal neighbours, prefixes of each other, prefixes that end at the edge of
//! a word or a register, nothing, and much.

use super::{Form, MAX_BYTES, Params, Strings};
use crate::codec::byte_arrays::Trailing;
use crate::domain::delta_binary_packed::{MAX_VALUES, pages};
use crate::domain::layout::{self, Layout};
use crate::generate::{Source, edges, simpler_list};

/// Lengths at which words and registers end.
const EDGES: [usize; 9] = [8, 16, 24, 32, 48, 64, 96, 128, 256];

impl Params {
    /// Draws parameters.
    pub fn draw<S: Source>(source: &mut S) -> Self {
        let form = match source.below(8) {
            0 | 1 => Form::Arrow32,
            2 => Form::Arrow64,
            3 => Form::Sliced,
            4 => Form::Slices,
            5 => Form::Stream,
            _ => Form::Fixed(match source.below(4) {
                0 => 1 + source.below(20),
                1 => *source.pick(&[2, 4, 8, 12, 16, 32]),
                2 => length(source).clamp(1, 256),
                _ => 1 + source.below(200),
            } as u16),
        };
        Self {
            form,
            layout: Layout::draw(source),
            max_values: if source.chance(1, 24) { source.below(100) as u32 } else { MAX_VALUES },
            max_bytes: if source.chance(1, 24) { source.below(400) as u32 } else { MAX_BYTES },
            trailing: if source.chance(1, 12) { Trailing::Refused } else { Trailing::Allowed },
            previous: Vec::new(),
        }
    }

    /// Changes parameters a little. The width of a fixed-length column stays, as its values have it.
    pub fn mutate<S: Source>(&mut self, source: &mut S) {
        let drawn = Self::draw(source);
        match source.below(5) {
            0 => self.layout = drawn.layout,
            1 => self.max_values = drawn.max_values,
            2 => self.max_bytes = drawn.max_bytes,
            3 => self.trailing = drawn.trailing,
            _ if self.form.width().is_none() && drawn.form.width().is_none() => self.form = drawn.form,
            _ => {}
        }
    }

    /// Simpler parameters, simplest first.
    pub fn simpler(&self, emit: &mut dyn FnMut(Self) -> bool) {
        let mut all = vec![
            Self { max_values: MAX_VALUES, ..self.clone() },
            Self { max_bytes: MAX_BYTES, ..self.clone() },
            Self { trailing: Trailing::Allowed, ..self.clone() },
        ];
        all.extend(self.layout.simpler().into_iter().map(|layout| Self { layout, ..self.clone() }));
        if !self.previous.is_empty() {
            for length in edges::simpler(self.previous.len() as i128) {
                let start = self.previous.len() - length as usize;
                all.push(Self { previous: self.previous[start..].to_vec(), ..self.clone() });
            }
        }
        if self.form.width().is_none() && self.form != Form::Arrow32 {
            all.push(Self { form: Form::Arrow32, ..self.clone() });
        }
        for params in all {
            if params != *self && emit(params) {
                return;
            }
        }
    }
}

/// A length: mostly short, often at an edge, seldom long.
pub fn length<S: Source>(source: &mut S) -> usize {
    match source.below(32) {
        0..=3 => 0,
        4..=11 => source.below(6),
        12..=17 => source.below(20),
        18..=29 => {
            let edge = EDGES[source.below(7)];
            edge + source.below(3) - 1
        }
        30 => {
            let edge = *source.pick(&EDGES);
            edge + source.below(3) - 1
        }
        _ => source.below(300),
    }
}

fn count<S: Source>(params: &Params, source: &mut S) -> usize {
    layout::count(params.layout.geometry::<i32>(), source)
}

/// A regime of a column: how values follow each other.
fn next<S: Source>(form: Form, regime: usize, current: &mut Vec<u8>, source: &mut S) {
    let width = form.width();
    // How many bytes stay.
    let shared = match if regime == 5 { source.below(5) } else { regime } {
        0 => current.len(),
        1 => source.below(current.len() + 1),
        2 => length(source).min(current.len()),
        3 => current.len().saturating_sub(source.below(3)),
        _ => 0,
    };
    let added = match width {
        Some(width) => width - shared,
        // Equal, or a prefix of the value before.
        None if source.chance(1, 4) => 0,
        None => length(source),
    };
    let differs = current.get(shared).copied();
    current.truncate(shared);
    let letter = source.u64() as u8;
    let letters = *source.pick(&[1, 2, 26, 256]);
    for at in 0..added {
        let mut byte = letter.wrapping_add(source.below(letters) as u8);
        if at == 0 && differs == Some(byte) {
            byte ^= 1 << source.below(8);
        }
        current.push(byte);
    }
}

/// Draws the values of a column.
pub fn values<S: Source>(params: &Params, source: &mut S, values: &mut Strings) {
    values.clear();
    let regime = source.below(6);
    let mut current = Vec::new();
    for _ in 0..count(params, source) {
        next(params.form, regime, &mut current, source);
        values.push(&current);
        if values.data.len() > super::DATA_LIMIT / 2 {
            break;
        }
    }
}

/// Changes values a little.
pub fn mutate<S: Source>(params: &Params, values: &mut Strings, source: &mut S) {
    let mut list = values.to_vecs();
    let at = source.below(list.len() + 1);
    match source.below(8) {
        0 if at < list.len() => {
            list.remove(at);
        }
        1 if at < list.len() => {
            let with = source.below(list.len());
            list.swap(at, with);
        }
        2 if at < list.len() && !list[at].is_empty() => {
            let byte = source.below(list[at].len());
            list[at][byte] ^= 1 << source.below(8);
        }
        3 if at < list.len() && at > 0 => list[at] = list[at - 1].clone(),
        4 if at < list.len() && params.form.width().is_none() => {
            let length = source.below(list[at].len() + 2);
            list[at].resize(length, b'a');
        }
        5 => {
            let copies = *source.pick(&[1, 2, 31, 32, 33]);
            let value = list.get(at).cloned().unwrap_or_else(|| vec![b'a'; params.form.width().unwrap_or(1)]);
            list.splice(at..at, std::iter::repeat_n(value, copies));
        }
        _ => {
            let mut value = if at > 0 { list[at - 1].clone() } else { Vec::new() };
            let regime = source.below(6);
            next(params.form, regime, &mut value, source);
            list.insert(at, value);
        }
    }
    list.truncate(super::COUNT_LIMIT);
    *values = list.iter().map(Vec::as_slice).collect();
}

/// What a byte is when it does not matter.
const PLAIN: u8 = b'a';

/// Simpler values.
pub fn simpler(params: &Params, values: &Strings, emit: &mut dyn FnMut(Strings) -> bool) {
    let list = values.to_vecs();
    let fixed = params.form.width();
    if fixed.is_none() && !values.data.is_empty() && emit(list.iter().map(|_| &[][..]).collect()) {
        return;
    }
    let simpler = |value: &Vec<u8>, emit: &mut dyn FnMut(Vec<u8>) -> bool| {
        let plain = vec![PLAIN; value.len()];
        if *value != plain && emit(plain) {
            return true;
        }
        if fixed.is_none() {
            let lengths = edges::simpler(value.len() as i128);
            if lengths.iter().any(|length| emit(value[..*length as usize].to_vec()))
                || lengths.iter().any(|length| emit(value[value.len() - *length as usize..].to_vec()))
            {
                return true;
            }
        }
        (0..value.len()).any(|at| {
            // How far it is from a plain one.
            edges::simpler(i128::from(value[at]) - i128::from(PLAIN)).into_iter().any(|distance| {
                let mut nearer = value.clone();
                nearer[at] = (i128::from(PLAIN) + distance) as u8;
                emit(nearer)
            })
        })
    };
    simpler_list(&list, simpler, &mut |list| emit(list.iter().map(Vec::as_slice).collect()));
}

/// Appends a stream of lengths as some writer lays it out; now and then one that cannot be believed.
pub fn lengths<S: Source>(params: &Params, lengths: &[i64], source: &mut S, page: &mut Vec<u8>) {
    if source.chance(1, 40) {
        pages::hostile(32, source, page);
        return;
    }
    let geometry = params.layout.geometry::<i32>();
    pages::foreign(lengths, 32, geometry, source, page);
}

/// Spoils one of the lengths: negative, too long, so long that sums overflow.
pub fn spoil<S: Source>(lengths: &mut [i64], source: &mut S) {
    if lengths.is_empty() {
        return;
    }
    let at = source.below(lengths.len());
    lengths[at] = match source.below(5) {
        0 => -1,
        1 => i32::MIN.into(),
        2 => i32::MAX.into(),
        3 => lengths[at] + 1,
        _ => 1 << source.below(31),
    };
}
