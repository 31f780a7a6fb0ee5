//! Cells of DELTA_BYTE_ARRAY.

use super::DeltaByteArray;
use crate::case::{Case, Job};
use crate::codec::delta_binary_packed::dont_care_mask;
use crate::codec::delta_byte_array::{DecodeOptions, FirstPrefix, PageReader, Scratch, decode_into, encoded_len};
use crate::domain::byte_strings::{FORMS, cells};
use crate::error::DecodeError;
use crate::matrix::{Axis, Cells, Plane};
use std::sync::LazyLock;

const PREFIXES: [&str; 10] = ["0", "1..7", "8", "9..15", "16", "17..31", "32", "33..63", "64", "65.."];
const SUFFIXES: [&str; 7] = ["0", "1..7", "8..15", "16..31", "32", "33..63", "64.."];
const OUTCOMES: [&str; 11] = [
    "values",
    "prefix lengths at fault",
    "suffix lengths at fault",
    "too many values",
    "count mismatch",
    "prefix out of range",
    "negative length",
    "unexpected end",
    "wrong length",
    "output too large",
    "trailing bytes",
];
const FIRSTS: [&str; 3] = ["no page before", "prefix 0 behind a page", "prefix into the page before"];
/// The step of `fixed` among the forms.
const FIXED: usize = FORMS.len() - 1;

static PLANES: LazyLock<[Plane; 6]> = LazyLock::new(|| {
    [
        cells::counts_plane(),
        Plane::new(
            "values to write",
            vec![cells::forms(), Axis::new("prefix", PREFIXES), Axis::new("suffix", SUFFIXES)],
            // An empty suffix behind an empty prefix is an empty value.
            |steps| steps != [FIXED, 0, 0],
        ),
        cells::calls_plane(None),
        // Only a fixed-length column has a length that can be wrong.
        Plane::new("pages to read", vec![cells::forms(), Axis::new("outcome", OUTCOMES)], |steps| {
            steps[0] == FIXED || steps[1] != 8
        }),
        cells::steps_plane(),
        Plane::new("first values to read", vec![cells::forms(), Axis::new("first", FIRSTS)], |_| true),
    ]
});

fn prefix_step(prefix: usize) -> usize {
    match prefix {
        0 => 0,
        1..8 => 1,
        8 => 2,
        9..16 => 3,
        16 => 4,
        17..32 => 5,
        32 => 6,
        33..64 => 7,
        64 => 8,
        _ => 9,
    }
}

fn suffix_step(suffix: usize) -> usize {
    match suffix {
        0 => 0,
        1..8 => 1,
        8..16 => 2,
        16..32 => 3,
        32 => 4,
        33..64 => 5,
        _ => 6,
    }
}

fn outcome_step(bytes: &[u8], error: DecodeError) -> usize {
    match error {
        DecodeError::TooManyValues { .. } => 3,
        DecodeError::CountMismatch { .. } => 4,
        DecodeError::PrefixOutOfRange { .. } => 5,
        DecodeError::NegativeLength { .. } => 6,
        DecodeError::WrongLength { .. } => 8,
        DecodeError::OutputTooLarge { .. } => 9,
        DecodeError::TrailingBytes { .. } => 10,
        _ => match dont_care_mask::<i32>(bytes) {
            Err(_) => 1,
            Ok(prefixes) if dont_care_mask::<i32>(&bytes[prefixes.len()..]).is_err() => 2,
            Ok(_) => 7,
        },
    }
}

impl Cells for DeltaByteArray {
    fn planes() -> &'static [Plane] {
        &*PLANES
    }

    fn cells(case: &Case<Self>, visit: &mut dyn FnMut(usize, usize)) {
        let params = &case.params;
        let form = params.form.step();
        match &case.job {
            Job::Encode { values, .. } => {
                visit(0, PLANES[0].cell(&cells::counts_cell(params, values.len())));
                let mut previous: &[u8] = &[];
                for value in values.iter() {
                    let prefix = previous.iter().zip(value).take_while(|(a, b)| a == b).count();
                    visit(1, PLANES[1].cell(&[form, prefix_step(prefix), suffix_step(value.len() - prefix)]));
                    previous = value;
                }
                let geometry = params.layout.geometry::<i32>();
                let needed = encoded_len(&values.arrays(), geometry, &mut Scratch::new()).unwrap_or(0);
                if let Some(steps) = cells::calls_cell(params, &case.job, needed) {
                    visit(2, PLANES[2].cell(&steps));
                }
            }
            Job::Decode { bytes, steps } => {
                let first_prefix = match params.previous.as_slice() {
                    [] => FirstPrefix::Empty,
                    previous => FirstPrefix::Previous(previous),
                };
                let options = DecodeOptions { limits: params.limits(), first_prefix, value_len: params.form.width() };
                let (mut scratch, mut offsets, mut data) = (Scratch::new(), Vec::<i32>::new(), Vec::new());
                match decode_into(bytes, &options, &mut scratch, &mut offsets, &mut data) {
                    Ok(_) => {
                        visit(3, PLANES[3].cell(&[form, 0]));
                        visit(4, PLANES[4].cell(&cells::steps_cell(params, offsets.len() - 1, steps)));
                        let alone = DecodeOptions { first_prefix: FirstPrefix::Empty, ..options };
                        let first = match PageReader::new(bytes, &alone, &mut scratch) {
                            _ if offsets.len() == 1 => return,
                            _ if params.previous.is_empty() => 0,
                            Ok(_) => 1,
                            Err(_) => 2,
                        };
                        visit(5, PLANES[5].cell(&[form, first]));
                    }
                    Err(error) => visit(3, PLANES[3].cell(&[form, outcome_step(bytes, error)])),
                }
            }
        }
    }
}
