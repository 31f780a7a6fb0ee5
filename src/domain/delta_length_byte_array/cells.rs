//! Cells of DELTA_LENGTH_BYTE_ARRAY.

use super::DeltaLengthByteArray;
use crate::case::{Case, Job};
use crate::codec::delta_binary_packed::dont_care_mask;
use crate::codec::delta_length_byte_array::{Scratch, decode_offsets_into, encoded_len};
use crate::domain::byte_strings::{FORMS, Form, cells};
use crate::error::DecodeError;
use crate::matrix::{Axis, Cells, Plane};
use std::sync::LazyLock;

const LENGTHS: [&str; 9] = ["0", "1..3", "4..7", "8..15", "16", "17..32", "33..63", "64..255", "256.."];
const OUTCOMES: [&str; 7] = [
    "values",
    "stream of lengths at fault",
    "too many values",
    "unexpected end",
    "negative length",
    "output too large",
    "trailing bytes",
];
/// The step of `fixed` among the forms.
const FIXED: usize = FORMS.len() - 1;

static PLANES: LazyLock<[Plane; 5]> = LazyLock::new(|| {
    [
        cells::counts_plane(),
        Plane::new("lengths to write", vec![cells::forms(), Axis::new("length", LENGTHS)], |steps| {
            steps[0] != FIXED || steps[1] > 0
        }),
        cells::calls_plane(Some(FIXED)),
        Plane::new("pages to read", vec![cells::forms(), Axis::new("outcome", OUTCOMES)], |_| true),
        cells::steps_plane(),
    ]
});

fn length_step(length: usize) -> usize {
    match length {
        0 => 0,
        1..4 => 1,
        4..8 => 2,
        8..16 => 3,
        16 => 4,
        17..=32 => 5,
        33..64 => 6,
        64..256 => 7,
        _ => 8,
    }
}

impl Cells for DeltaLengthByteArray {
    fn planes() -> &'static [Plane] {
        &*PLANES
    }

    fn cells(case: &Case<Self>, visit: &mut dyn FnMut(usize, usize)) {
        let params = &case.params;
        let form = params.form.step();
        match &case.job {
            Job::Encode { values, .. } => {
                visit(0, PLANES[0].cell(&cells::counts_cell(params, values.len())));
                values.iter().for_each(|value| visit(1, PLANES[1].cell(&[form, length_step(value.len())])));
                let geometry = params.layout.geometry::<i32>();
                let needed = match params.form {
                    // Refused, whatever the room.
                    Form::Fixed(_) => 0,
                    _ => encoded_len(&values.arrays(), geometry, &mut Scratch::new()).unwrap_or(0),
                };
                if let Some(steps) = cells::calls_cell(params, &case.job, needed) {
                    visit(2, PLANES[2].cell(&steps));
                }
            }
            Job::Decode { bytes, steps } => {
                let mut offsets = Vec::<i32>::new();
                let outcome = match decode_offsets_into(bytes, &params.limits(), &mut Scratch::new(), &mut offsets) {
                    Ok(_) => 0,
                    Err(DecodeError::TooManyValues { .. }) => 2,
                    Err(DecodeError::NegativeLength { .. }) => 4,
                    Err(DecodeError::OutputTooLarge { .. }) => 5,
                    Err(DecodeError::TrailingBytes { .. }) => 6,
                    Err(_) if dont_care_mask::<i32>(bytes).is_ok() => 3,
                    Err(_) => 1,
                };
                visit(3, PLANES[3].cell(&[form, outcome]));
                if outcome == 0 {
                    visit(4, PLANES[4].cell(&cells::steps_cell(params, offsets.len() - 1, steps)));
                }
            }
        }
    }
}
