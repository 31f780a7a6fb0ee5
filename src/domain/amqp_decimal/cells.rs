//! Cells of the AMQP decimal.

use super::{AmqpDecimal, Form, PROFILES, Params, Values};
use crate::case::{Case, Job};
use crate::matrix::{Axis, Cells, Plane};
use std::sync::LazyLock;

const MAGNITUDES: [&str; 8] = ["0", "1", "small", "2^31-1", "2^31", "2^31+1..2^32-2", "2^32-1", "2^32.."];
const SCALES: [&str; 7] = ["0", "1..27", "28", "29", "30..254", "255", "256.."];
const COUNTS: [&str; 5] = ["0", "1", "2..7", "8..63", "64.."];
const ROOMS: [&str; 5] = ["none", "some", "one short", "exact", "slack"];

fn magnitude(magnitude: u128) -> usize {
    const TOP: u128 = 1 << 31;
    match magnitude {
        0 => 0,
        1 => 1,
        _ if magnitude < TOP - 1 => 2,
        _ if magnitude == TOP - 1 => 3,
        _ if magnitude == TOP => 4,
        _ if magnitude < 2 * TOP - 1 => 5,
        _ if magnitude == 2 * TOP - 1 => 6,
        _ => 7,
    }
}

fn scale(scale: u32) -> usize {
    match scale {
        0 => 0,
        1..28 => 1,
        28 => 2,
        29 => 3,
        30..255 => 4,
        255 => 5,
        _ => 6,
    }
}

fn count(count: usize) -> usize {
    match count {
        0 | 1 => count,
        2..8 => 2,
        8..64 => 3,
        _ => 4,
    }
}

fn profile(params: &Params) -> usize {
    PROFILES.iter().position(|(_, profile)| *profile == params.codec.profile).unwrap_or(0)
}

static PLANES: LazyLock<[Plane; 4]> = LazyLock::new(|| {
    let profiles = || Axis::new("profile", PROFILES.map(|(name, _)| name));
    let forms = || Axis::new("form", ["raw", "rust_decimal"]);
    [
        Plane::new(
            "values to write",
            vec![profiles(), forms(), Axis::new("sign", ["+", "-"]), Axis::new("magnitude", MAGNITUDES)],
            |_| true,
        ),
        // A `Decimal` has no scale above 28.
        Plane::new("scales to write", vec![profiles(), forms(), Axis::new("scale", SCALES)], |steps| {
            steps[1] == 0 || steps[2] <= 2
        }),
        // No values need no room, so there is none to be short of.
        Plane::new("calls", vec![forms(), Axis::new("count", COUNTS), Axis::new("room", ROOMS)], |steps| {
            steps[1] > 0 || steps[2] >= 3
        }),
        Plane::new(
            "bytes to read",
            vec![profiles(), forms(), Axis::new("count", COUNTS), Axis::new("end", ["whole", "cut"])],
            |steps| !(steps[2] == 0 && steps[3] == 1),
        ),
    ]
});

impl Cells for AmqpDecimal {
    fn planes() -> &'static [Plane] {
        &*PLANES
    }

    fn cells(case: &Case<Self>, visit: &mut dyn FnMut(usize, usize)) {
        let form = usize::from(case.params.form == Form::Decimal);
        let profile = profile(&case.params);
        match &case.job {
            Job::Encode { values, capacity, .. } => {
                let mut see = |negative: bool, wide: u128, places: u32| {
                    visit(0, PLANES[0].cell(&[profile, form, usize::from(negative), magnitude(wide)]));
                    visit(1, PLANES[1].cell(&[profile, form, scale(places)]));
                };
                let number = match values {
                    Values::Raw(list) => {
                        list.iter().for_each(|raw| see(raw.is_negative(), raw.magnitude.into(), raw.scale));
                        list.len()
                    }
                    Values::Decimal(list) => {
                        for parts in list {
                            let decimal = parts.0;
                            see(decimal.is_sign_negative(), decimal.mantissa().unsigned_abs(), decimal.scale());
                        }
                        list.len()
                    }
                };
                let needed = number * case.params.codec.value_len();
                let room = capacity.of(needed);
                let room = match room {
                    _ if room > needed => 4,
                    _ if room == needed => 3,
                    _ if room + 1 == needed => 2,
                    0 => 0,
                    _ => 1,
                };
                visit(2, PLANES[2].cell(&[form, count(number), room]));
            }
            Job::Decode { bytes, .. } => {
                let number = case.params.count_in(bytes.len());
                let cut = usize::from(bytes.len() < number * case.params.codec.value_len());
                visit(3, PLANES[3].cell(&[profile, form, count(number), cut]));
            }
        }
    }
}
