//! Both twins against the vectors, each other and the borders of every profile.

use std::vec;
use std::vec::Vec;

use super::*;
use crate::codec::Path;
use crate::{DecodeError, EncodeError};

const VECTORS: &str = include_str!("../../../corpus/vectors/amqp_decimal.tsv");

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.chars().filter(|c| *c != ' ').map(|c| c.to_digit(16).unwrap() as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// Every way to write a batch of `Raw`, with the result of the naive twin after all of them agreed with it.
fn encode_all_ways(values: &[Raw], params: Params) -> Result<Vec<u8>, EncodeError> {
    let needed = encoded_len(values, params);
    let mut naive = vec![0; needed];
    let expected = naive::encode_into(values, params, &mut naive);
    for path in Path::available() {
        let mut out = vec![0xa5; needed + 9];
        assert_eq!(encode_into_with(path, values, params, &mut out), expected, "{} {params:?}", path.name());
        assert_eq!(out[needed..], [0xa5; 9], "{}", path.name());
        if expected.is_ok() {
            assert_eq!(out[..needed], naive, "{} {params:?} {values:?}", path.name());
        } else {
            assert!(out[..needed].iter().all(|octet| *octet == 0), "a refused batch leaves zeros");
        }
    }
    if let [value] = *values {
        let mut out = vec![0x5a; needed + 1];
        assert_eq!(encode_one(value, params, &mut out), expected);
        assert_eq!(out[needed], 0x5a);
        assert_eq!(out[..needed], if expected.is_ok() { naive.clone() } else { vec![0x5a; needed] });
    }
    assert_eq!(encode(values, params), expected.map(|_| naive.clone()), "on the path that nobody named");
    expected.map(|_| naive)
}

/// Every way to read `count` values, with the result of the naive twin after all of them agreed with it.
fn decode_all_ways(input: &[u8], params: Params, count: usize) -> Result<(Vec<Raw>, usize), DecodeError> {
    let mut naive = vec![Raw::default(); count];
    let expected = naive::decode_into(input, params, &mut naive);
    for path in Path::available() {
        let mut out = vec![Raw::default(); count];
        assert_eq!(decode_into_with(path, input, params, &mut out), expected, "{} {input:?}", path.name());
        if expected.is_ok() {
            assert_eq!(out, naive, "{}", path.name());
        }
    }
    if count == 1 {
        assert_eq!(decode_one(input, params), expected.map(|read| (naive[0], read)), "{input:?}");
    }
    let mut out = vec![Raw::default(); count];
    assert_eq!(decode_into(input, params, &mut out), expected, "on the path that nobody named");
    assert!(expected.is_err() || out == naive, "on the path that nobody named");
    expected.map(|read| (naive, read))
}

fn every_params() -> impl Iterator<Item = Params> {
    Profile::ALL.into_iter().flat_map(|profile| {
        (0..8).map(move |bits| Params {
            profile,
            tag: bits & 1 == 1,
            normalization: [Normalization::Keep, Normalization::StripTrailingZeros][bits >> 1 & 1],
            negative_zero: [NegativeZero::Refuse, NegativeZero::WriteZero][bits >> 2],
        })
    })
}

fn border_values() -> Vec<Raw> {
    let mut magnitudes = vec![0, 1, 9, 10, 11, 99, 100, 101, 1_000_000_000, u64::MAX, u64::MAX / 10 * 10];
    for border in [1 << 31, 1 << 32, 1 << 63, (1 << 31) * 10, (1 << 32) * 10, (1 << 31) * 1_000] {
        magnitudes.extend([border - 10, border - 1, border, border + 1]);
    }
    let scales = [0, 1, 2, 27, 28, 29, 30, 254, 255, 256, 257, 283, 284, 1 << 16, 1 << 24, u32::MAX];
    let signs = [Sign::Plus, Sign::Minus];
    let all = magnitudes
        .iter()
        .flat_map(|&magnitude| scales.iter().flat_map(move |&scale| signs.map(|sign| Raw { magnitude, scale, sign })));
    all.collect()
}

#[test]
fn the_vectors_hold_in_both_directions() {
    let mut rows = 0;
    for row in VECTORS.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [scale, mantissa, errata, dotnet] = columns[..] else { panic!("row {row:?}") };
        let value = Raw::new(mantissa.parse().unwrap(), scale.parse().unwrap());
        let unsigned = if value.is_negative() { "-" } else { errata };
        for (profile, octets) in [(Profile::Errata, errata), (Profile::DotNet, dotnet), (Profile::Unsigned, unsigned)] {
            let bare = Params::new(profile).without_tag();
            if octets == "-" {
                assert!(encode_all_ways(&[value], bare).is_err(), "{row} {profile:?}");
                continue;
            }
            let octets = hex(octets);
            assert_eq!(encode_all_ways(&[value], bare).as_ref(), Ok(&octets), "{row} {profile:?}");
            assert_eq!(decode_all_ways(&octets, bare, 1), Ok((vec![value], 5)), "{row} {profile:?}");
            let tagged = [&[TAG], &octets[..]].concat();
            assert_eq!(encode_all_ways(&[value], Params::new(profile)).as_ref(), Ok(&tagged), "{row} {profile:?}");
            assert_eq!(decode_all_ways(&tagged, Params::new(profile), 1), Ok((vec![value], 6)), "{row} {profile:?}");
        }
        rows += 1;
    }
    assert_eq!(rows, 54);
}

/// What the clients of 2026 write: .NET's under `dotnet`, Java's and pamqp's under `errata`.
#[test]
fn the_clients_bytes_are_written() {
    let refused = "";
    let rows: [(i64, u32, &str, &str); 13] = [
        (15, 1, "44 01 0000000f", "44 01 0000000f"),
        (-15, 1, "44 01 8000000f", "44 01 fffffff1"),
        (0, 2, "44 02 00000000", "44 02 00000000"),
        (110, 2, "44 02 0000006e", "44 02 0000006e"),
        (2147483647, 0, "44 00 7fffffff", "44 00 7fffffff"),
        (2147483648, 0, refused, refused),
        (2147483648, 2, refused, refused),
        (-2147483648, 0, refused, "44 00 80000000"),
        (-2147483649, 0, refused, refused),
        (4294967295, 2, refused, refused),
        (1, 28, "44 1c 00000001", "44 1c 00000001"),
        (1, 255, refused, "44 ff 00000001"),
        (1, 256, refused, refused),
    ];
    for (mantissa, scale, dotnet, errata) in rows {
        for (profile, octets) in [(Profile::DotNet, dotnet), (Profile::Errata, errata)] {
            let written = encode_all_ways(&[Raw::new(mantissa, scale)], Params::new(profile));
            assert_eq!(written.unwrap_or_default(), hex(octets), "{mantissa}e-{scale} {profile:?}");
        }
    }
}

/// The same five octets, three numbers: what goes wrong between clients of different profiles.
#[test]
fn one_word_is_a_number_of_its_own_in_each_profile() {
    let rows: [(&str, Raw, Raw, Raw); 4] = [
        ("01 fffffff1", Raw::new(-2147483633, 1), Raw::new(-15, 1), Raw::new(4294967281, 1)),
        ("01 8000000f", Raw::new(-15, 1), Raw::new(-2147483633, 1), Raw::new(2147483663, 1)),
        ("00 80000000", Raw::negative_zero(0), Raw::new(-2147483648, 0), Raw::new(2147483648, 0)),
        ("00 ffffffff", Raw::new(-2147483647, 0), Raw::new(-1, 0), Raw::new(4294967295, 0)),
    ];
    for (octets, dotnet, errata, unsigned) in rows {
        for (profile, value) in [(Profile::DotNet, dotnet), (Profile::Errata, errata), (Profile::Unsigned, unsigned)] {
            let bare = Params::new(profile).without_tag();
            assert_eq!(decode_all_ways(&hex(octets), bare, 1), Ok((vec![value], 5)), "{octets} {profile:?}");
            assert_eq!(encode_all_ways(&[value], bare), Ok(hex(octets)), "{octets} {profile:?}");
        }
    }
    let scale_29 = hex("1d 00000001");
    let refusal = DecodeError::DecimalScaleOutOfRange { offset: 0, scale: 29, max: 28 };
    assert_eq!(decode_all_ways(&scale_29, Params::new(Profile::DotNet).without_tag(), 1), Err(refusal));
    assert_eq!(decode_all_ways(&scale_29, Params::default().without_tag(), 1), Ok((vec![Raw::new(1, 29)], 5)));
}

#[test]
fn every_border_is_refused_or_written_alike_by_both_twins() {
    for params in every_params() {
        let mut written = 0;
        let mut refused = 0;
        for value in border_values() {
            match encode_all_ways(&[value], params) {
                Err(_) => refused += 1,
                Ok(octets) => {
                    written += 1;
                    let (back, _) = decode_all_ways(&octets, params, 1).unwrap();
                    if params.normalization == Normalization::Keep && (value.magnitude, value.sign) != (0, Sign::Minus)
                    {
                        assert_eq!(back, [value], "{params:?}");
                    }
                }
            }
        }
        assert!(written > 50 && refused > 500, "{params:?}: {written} written, {refused} refused");
    }
}

#[test]
fn the_first_refused_value_is_named_wherever_it_stands() {
    let fine = Raw::new(-15, 1);
    for params in every_params().filter(|params| params.profile != Profile::Unsigned) {
        let max = params.profile.max_scale();
        for count in 1..40 {
            for (at, scale) in (0..count).flat_map(|at| [(at, max + 1), (at, 300)]) {
                let mut values = vec![fine; count];
                values[at] = Raw::new(1, scale);
                values[count - 1].scale = scale;
                let refusal = EncodeError::DecimalScaleOutOfRange { at, scale, max };
                assert_eq!(encode_all_ways(&values, params), Err(refusal), "{params:?}");
            }
            assert!(encode_all_ways(&vec![fine; count], params).is_ok());
        }
    }
}

#[test]
fn a_value_gets_the_same_answer_wherever_it_stands_in_a_batch() {
    for params in every_params() {
        let fits = |value: &Raw| naive::encode_into(&[*value], params, &mut [0; 6]).is_ok();
        let (fine, refused): (Vec<Raw>, Vec<Raw>) = border_values().into_iter().partition(fits);
        for skipped in 0..8 {
            let octets = encode_all_ways(&fine[skipped..], params).unwrap();
            decode_all_ways(&octets, params, fine.len() - skipped).unwrap();
        }
        for (i, value) in refused.into_iter().enumerate() {
            let mut values = fine[..19].to_vec();
            values[i % 19] = value;
            let (EncodeError::DecimalScaleOutOfRange { at, .. }
            | EncodeError::DecimalMantissaOutOfRange { at, .. }
            | EncodeError::DecimalNegativeZero { at }) = encode_all_ways(&values, params).unwrap_err()
            else {
                panic!("{value:?}")
            };
            assert_eq!(at, i % 19);
        }
    }
}

#[test]
fn each_refusal_has_its_own_error_and_scale_comes_first() {
    let errata = Params::default();
    let mantissa = |min, max| EncodeError::DecimalMantissaOutOfRange { at: 0, min, max };
    let cases = [
        (Raw::new(1 << 31, 256), errata, EncodeError::DecimalScaleOutOfRange { at: 0, scale: 256, max: 255 }),
        (Raw::new(1 << 31, 255), errata, mantissa(-2147483648, 2147483647)),
        (Raw::new(-1 << 31, 28), Params::new(Profile::DotNet), mantissa(-2147483647, 2147483647)),
        (Raw::new(-1, 0), Params::new(Profile::Unsigned), mantissa(0, 4294967295)),
        (Raw::new(1 << 32, 0), Params::new(Profile::Unsigned), mantissa(0, 4294967295)),
        (Raw::negative_zero(3), errata, EncodeError::DecimalNegativeZero { at: 0 }),
        (Raw::negative_zero(3), Params::new(Profile::Unsigned), EncodeError::DecimalNegativeZero { at: 0 }),
        (Raw::negative_zero(256), errata, EncodeError::DecimalScaleOutOfRange { at: 0, scale: 256, max: 255 }),
    ];
    for (value, params, refusal) in cases {
        assert_eq!(encode_all_ways(&[value], params), Err(refusal), "{value:?} {params:?}");
    }
}

#[test]
fn negative_zero_is_written_as_zero_only_on_request() {
    let zero = hex("44 02 00000000");
    for profile in [Profile::Errata, Profile::Unsigned] {
        let params = Params { negative_zero: NegativeZero::WriteZero, ..Params::new(profile) };
        assert_eq!(encode_all_ways(&[Raw::negative_zero(2)], params).as_ref(), Ok(&zero));
    }
    for negative_zero in [NegativeZero::Refuse, NegativeZero::WriteZero] {
        let params = Params { negative_zero, ..Params::new(Profile::DotNet) };
        assert_eq!(encode_all_ways(&[Raw::negative_zero(2)], params), Ok(hex("44 02 80000000")));
    }
}

#[test]
fn trailing_zeros_are_dropped_only_on_request_and_before_the_checks() {
    let strip = Params { normalization: Normalization::StripTrailingZeros, ..Params::default() };
    assert_eq!(encode_all_ways(&[Raw::new(110, 2)], strip), Ok(hex("44 01 0000000b")));
    assert_eq!(encode_all_ways(&[Raw::new(-1000, 2)], strip), Ok(hex("44 00 fffffff6")));
    assert_eq!(encode_all_ways(&[Raw::new(100, 0)], strip), Ok(hex("44 00 00000064")));
    assert_eq!(encode_all_ways(&[Raw::new(0, u32::MAX)], strip), Ok(hex("44 00 00000000")));
    assert_eq!(encode_all_ways(&[Raw::new(10, 256)], strip), Ok(hex("44 ff 00000001")));
    assert_eq!(encode_all_ways(&[Raw::new(21474836470, 1)], strip), Ok(hex("44 00 7fffffff")));
    let refusal = EncodeError::DecimalMantissaOutOfRange { at: 0, min: -2147483648, max: 2147483647 };
    assert_eq!(encode_all_ways(&[Raw::new(21474836480, 1)], strip), Err(refusal));
}

#[test]
fn every_capacity_is_answered_alike_and_nothing_beyond_is_touched() {
    for params in every_params() {
        for count in [0, 1, 2, 3, 4, 5, 8, 9, 17, 33] {
            let values: Vec<Raw> = (0..count).map(|i| Raw::new(i * 1_000_003, i as u32 % 29)).collect();
            let needed = encoded_len(&values, params);
            for capacity in 0..=needed + 1 {
                for canary in [0x00, 0xff] {
                    let mut naive = vec![canary; capacity];
                    let expected = naive::encode_into(&values, params, &mut naive);
                    for path in Path::available() {
                        let mut out = vec![canary; capacity];
                        assert_eq!(encode_into_with(path, &values, params, &mut out), expected);
                        assert_eq!(out, naive, "{} {params:?} {count} in {capacity}", path.name());
                    }
                    if capacity < needed {
                        assert_eq!(expected, Err(EncodeError::BufferTooSmall { needed, available: capacity }));
                        assert!(naive.iter().all(|octet| *octet == canary));
                    }
                }
            }
        }
    }
}

#[test]
fn a_cut_input_is_named_where_its_last_value_starts() {
    for params in every_params() {
        let len = params.value_len();
        let octets = encode(&[Raw::new(7, 3); 20], params).unwrap();
        for cut in 0..=octets.len() {
            let whole = cut / len;
            let (values, read) = decode_all_ways(&octets[..cut], params, whole).unwrap();
            assert_eq!((values.len(), read), (whole, whole * len));
            let refusal = DecodeError::UnexpectedEnd { offset: whole * len, needed: len, available: cut - whole * len };
            assert_eq!(decode_all_ways(&octets[..cut], params, whole + 1), Err(refusal));
        }
    }
}

#[test]
fn every_octet_of_hostile_input_gets_the_same_answer_from_both_twins() {
    for params in every_params() {
        let len = params.value_len();
        let octets = encode(&[Raw::new(1234, 2); 19], params).unwrap();
        for at in 0..octets.len() {
            for value in 0..=255 {
                let mut hostile = octets.clone();
                hostile[at] = value;
                let answer = decode_all_ways(&hostile, params, 19);
                match (at % len, params.tag) {
                    (0, true) if value != TAG => {
                        let refusal = DecodeError::UnexpectedTag { offset: at, found: value, expected: TAG };
                        assert_eq!(answer, Err(refusal));
                    }
                    (1, true) | (0, false) if u32::from(value) > params.profile.max_scale() => {
                        let max = params.profile.max_scale();
                        let refusal = DecodeError::DecimalScaleOutOfRange { offset: at, scale: value.into(), max };
                        assert_eq!(answer, Err(refusal));
                    }
                    _ => assert_eq!(answer.unwrap().1, octets.len()),
                }
            }
        }
    }
}

#[cfg(feature = "rust_decimal")]
mod decimals {
    use rust_decimal::Decimal;

    use super::*;

    fn encode_all_ways(values: &[Decimal], params: Params) -> Result<Vec<u8>, EncodeError> {
        let needed = encoded_len(values, params);
        let mut naive = vec![0; needed];
        let expected = naive::encode_into(values, params, &mut naive);
        for path in Path::available() {
            let mut out = vec![0; needed + 3];
            assert_eq!(encode_into_with(path, values, params, &mut out), expected, "{}", path.name());
            assert!(expected.is_err() || out[..needed] == naive, "{} {params:?} {values:?}", path.name());
            assert!(expected.is_ok() || out.iter().all(|octet| *octet == 0), "a refused batch leaves zeros");
        }
        if let [value] = *values {
            let mut out = vec![0; needed];
            assert_eq!(encode_one(value, params, &mut out), expected);
            assert!(expected.is_err() || out == naive);
        }
        let mut out = vec![0; needed];
        assert_eq!(encode_into(values, params, &mut out), expected, "on the path that nobody named");
        assert_eq!(encode(values, params), expected.map(|_| naive.clone()), "on the path that nobody named");
        assert!(expected.is_err() || out == naive, "on the path that nobody named");
        expected.map(|_| naive)
    }

    fn decode_all_ways(input: &[u8], params: Params, count: usize) -> Result<Vec<Decimal>, DecodeError> {
        let parts = |all: &[Decimal]| all.iter().map(|d| (d.serialize(), d.is_sign_negative())).collect::<Vec<_>>();
        let mut naive = vec![Decimal::ONE; count];
        let expected = naive::decode_into(input, params, &mut naive);
        for path in Path::available() {
            let mut out = vec![Decimal::ONE; count];
            assert_eq!(decode_into_with(path, input, params, &mut out), expected, "{}", path.name());
            assert!(expected.is_err() || parts(&out) == parts(&naive), "{} {out:?} {naive:?}", path.name());
            assert!(out.iter().all(|value| value.scale() <= 28), "{}: no value that is none", path.name());
        }
        if count == 1 {
            let one = decode_one(input, params);
            assert_eq!(one.map(|(value, read)| (parts(&[value]), read)), expected.map(|read| (parts(&naive), read)));
        }
        let mut out = vec![Decimal::ONE; count];
        assert_eq!(decode_into(input, params, &mut out), expected, "on the path that nobody named");
        assert!(expected.is_err() || parts(&out) == parts(&naive), "on the path that nobody named");
        expected.map(|_| naive)
    }

    fn border_decimals() -> Vec<Decimal> {
        let mut magnitudes = vec![0, 1, 10, 100, 110, (1 << 96) - 1, ((1 << 96) - 1) / 10 * 10];
        for border in [1 << 31, 1 << 32, 1 << 63, 1 << 64, (1 << 31) * 10, (1 << 32) * 1000, 1i128 << 95] {
            magnitudes.extend([border - 1, border, border + 1]);
        }
        let mut all = Vec::new();
        for magnitude in magnitudes {
            for scale in [0, 1, 2, 3, 27, 28] {
                for negative in [false, true] {
                    let mut value = Decimal::from_i128_with_scale(magnitude, scale);
                    value.set_sign_negative(negative);
                    all.push(value);
                }
            }
        }
        all
    }

    #[test]
    fn every_border_is_refused_or_written_alike_by_both_twins() {
        for params in every_params() {
            let mut written = 0;
            for value in border_decimals() {
                let Ok(octets) = encode_all_ways(&[value], params) else { continue };
                written += 1;
                let back = decode_all_ways(&octets, params, 1).unwrap()[0];
                assert_eq!(back, value);
                if params.normalization == Normalization::Keep {
                    assert_eq!(back.scale(), value.scale());
                }
                let keeps_sign = params.profile == Profile::DotNet || !value.is_zero();
                assert_eq!(back.is_sign_negative(), keeps_sign && value.is_sign_negative());
            }
            assert!(written > 30, "{params:?} {written}");
        }
    }

    #[test]
    fn a_refused_value_among_others_is_named_on_every_path() {
        for params in every_params() {
            for bad in border_decimals() {
                let Err(_) = encode_all_ways(&[bad], params) else { continue };
                for at in [0, 1, 6, 7, 8, 9, 15, 16, 18] {
                    let mut values = vec![Decimal::new(15, 1); 19];
                    values[at] = bad;
                    let (EncodeError::DecimalMantissaOutOfRange { at: named, .. }
                    | EncodeError::DecimalNegativeZero { at: named }) = encode_all_ways(&values, params).unwrap_err()
                    else {
                        panic!("{bad}")
                    };
                    assert_eq!(named, at);
                }
            }
        }
    }

    #[test]
    fn a_value_that_fits_gets_the_same_octets_wherever_it_stands_in_a_batch() {
        for params in every_params() {
            let mut values = border_decimals();
            values.retain(|value| naive::encode_into(&[*value], params, &mut [0; 6]).is_ok());
            for skipped in 0..8 {
                let octets = encode_all_ways(&values[skipped..], params).unwrap();
                decode_all_ways(&octets, params, values.len() - skipped).unwrap();
            }
        }
    }

    #[test]
    fn the_sign_of_zero_survives_under_dotnet() {
        let mut zero = Decimal::new(0, 5);
        zero.set_sign_negative(true);
        let params = Params::new(Profile::DotNet);
        let octets = encode_all_ways(&[zero], params).unwrap();
        assert_eq!(octets, hex("44 05 80000000"));
        let back = decode_all_ways(&octets, params, 1).unwrap()[0];
        assert!(back.is_sign_negative() && back.is_zero() && back.scale() == 5);
        assert_eq!(encode_all_ways(&[zero], Params::default()), Err(EncodeError::DecimalNegativeZero { at: 0 }));
    }

    #[test]
    fn a_scale_that_decimal_has_not_is_refused_under_every_profile() {
        for params in every_params() {
            for scale in 0..=255u8 {
                for count in [1, 9] {
                    let value = [&[TAG][usize::from(!params.tag)..], &[scale, 0xff, 0xff, 0xff, 0xf1]].concat();
                    let answer = decode_all_ways(&value.repeat(count), params, count);
                    let offset = usize::from(params.tag);
                    let refusal = DecodeError::DecimalScaleOutOfRange { offset, scale: scale.into(), max: 28 };
                    assert_eq!(answer.err(), (scale > 28).then_some(refusal));
                }
            }
        }
    }
}

/// What is no fault, the deepest scale, is not named; of two faults in one value the first is.
#[test]
fn the_fault_that_is_named_stands_behind_the_deepest_scale_or_in_the_first_octet() {
    for params in every_params() {
        let value = Raw { sign: Sign::Plus, magnitude: 7, scale: params.profile.max_scale() };
        let deepest = encode_all_ways(&[value], params).expect("it fits");
        let (offset, needed) = (deepest.len(), params.value_len());
        for available in 0..needed {
            let cut = [&deepest[..], &deepest[..available]].concat();
            let end = DecodeError::UnexpectedEnd { offset, needed, available };
            assert_eq!(decode_all_ways(&cut, params, 2), Err(end), "{params:?}");
        }
        if params.tag {
            let wrong = [0xff; 6];
            let tag = DecodeError::UnexpectedTag { offset: 0, found: 0xff, expected: b'D' };
            assert_eq!(decode_all_ways(&wrong, params, 1), Err(tag), "{params:?}");
        }
    }
}
