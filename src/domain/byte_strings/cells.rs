//! Axes of the planes of both codecs.

use super::{FORMS, Params};
use crate::case::{Job, Step};
use crate::domain::delta_binary_packed::cells::{PUTS, ROOMS, STEPS, puts_step, room_step, steps_step};
use crate::domain::layout::{COUNTS, NAMES, count_step};
use crate::matrix::{Axis, Plane};

const SPANS: [&str; 4] = ["0", "1", "..miniblock", "more"];

/// An axis of forms.
pub fn forms() -> Axis {
    Axis::new("form", FORMS)
}

/// Layouts by counts.
pub fn counts_plane() -> Plane {
    Plane::new("values to write", vec![Axis::new("layout", NAMES), Axis::new("count", COUNTS)], |_| true)
}

/// Forms by how an encoder is called. `refused` are forms that the codec does not take.
pub fn calls_plane(refused: Option<usize>) -> Plane {
    let axes = vec![forms(), Axis::new("puts", PUTS), Axis::new("room", ROOMS)];
    Plane::new("calls", axes, move |steps| refused != Some(steps[0]) || steps[2] >= 3)
}

/// Forms by how a decoder is called.
pub fn steps_plane() -> Plane {
    Plane::new("steps to read", vec![forms(), Axis::new("count", SPANS), Axis::new("steps", STEPS)], |_| true)
}

/// The step of a number of values on the axis of [`counts_plane`].
pub fn counts_cell(params: &Params, count: usize) -> [usize; 2] {
    [params.layout.step(), count_step(params.layout.geometry::<i32>(), count)]
}

/// The steps of a call that encodes into what an encoding of `needed` bytes is given.
pub fn calls_cell<V>(params: &Params, job: &Job<V>, needed: usize) -> Option<[usize; 3]> {
    let Job::Encode { puts, capacity, .. } = job else { return None };
    Some([params.form.step(), puts_step(puts), room_step(capacity.of(needed), needed)])
}

/// The steps of a decode of so many values.
pub fn steps_cell(params: &Params, count: usize, steps: &[Step]) -> [usize; 3] {
    let mini = params.layout.geometry::<i32>().miniblock_size();
    let span = match count {
        0 | 1 => count,
        _ if count <= mini + 1 => 2,
        _ => 3,
    };
    [params.form.step(), span, steps_step(steps)]
}
