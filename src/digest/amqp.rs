//! Slices of the AMQP decimal: every word that a profile has.

use super::{Sink, Twin};
use crate::codec::amqp_decimal::{Params, Profile, Raw, encode_into_with, encoded_len, naive};

const SCALE: u32 = 2;

fn every_word(twin: Twin, profile: Profile, sink: &mut Sink<'_>) {
    let params = Params::new(profile);
    let mut list = vec![Raw::default(); 1 << 16];
    let mut out = vec![0; encoded_len(&list, params)];
    for high in 0..1u32 << 16 {
        for (low, value) in list.iter_mut().enumerate() {
            let word = high << 16 | low as u32;
            *value = match profile {
                Profile::Errata => Raw::new((word as i32).into(), SCALE),
                Profile::Unsigned => Raw::new(word.into(), SCALE),
                Profile::DotNet if word == 1 << 31 => Raw::negative_zero(SCALE),
                Profile::DotNet if word >> 31 == 1 => Raw::new(-i64::from(word & 0x7fff_ffff), SCALE),
                Profile::DotNet => Raw::new(word.into(), SCALE),
            };
        }
        let written = match twin {
            Twin::Naive => naive::encode_into(&list, params, &mut out),
            Twin::Fast(path) => encode_into_with(path, &list, params, &mut out),
        };
        match written {
            Ok(written) => sink.put(&out[..written]),
            Err(error) => sink.put(format!("{error:?}").as_bytes()),
        }
    }
}

pub(super) fn errata(twin: Twin, sink: &mut Sink<'_>) {
    every_word(twin, Profile::Errata, sink);
}

pub(super) fn dotnet(twin: Twin, sink: &mut Sink<'_>) {
    every_word(twin, Profile::DotNet, sink);
}

pub(super) fn unsigned(twin: Twin, sink: &mut Sink<'_>) {
    every_word(twin, Profile::Unsigned, sink);
}
