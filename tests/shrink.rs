//! A shrinker comes to the border of a fault in as many steps as a number has bits, whatever the number is part of, and no
//! chain of simplifications goes round in circles.

#![cfg(feature = "harness")]

use bytetwin::case::{Case, Direction, Job};
use bytetwin::domain::amqp_decimal::AmqpDecimal;
use bytetwin::domain::amqp_table::AmqpTable;
use bytetwin::domain::decimal::Decimal;
use bytetwin::domain::delta_binary_packed::DeltaBinaryPacked;
use bytetwin::domain::delta_byte_array::DeltaByteArray;
use bytetwin::registry::{self, Codec, Visit};
use bytetwin::shrink::shrink;
use num_bigint::BigInt;

/// What a case in text says behind a key.
fn line<'a>(text: &'a str, key: &str) -> &'a str {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).unwrap_or_default()
}

/// The first run of digits in each of the words behind a key.
fn numbers(text: &str, key: &str) -> Vec<BigInt> {
    let digits = |word: &str| word.split(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty())?.parse().ok();
    line(text, key).split(", ").filter_map(digits).collect()
}

/// The simplest case that fails, and how many were tried.
fn simplest<D: Codec>(text: &str, fails: impl Fn(&str) -> bool) -> (String, usize) {
    let case = Case::<D>::from_text(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert!(fails(&case.to_text()), "{text}");
    let shrunk = shrink(case, 20_000, |case| fails(&case.to_text()));
    (shrunk.case.to_text(), shrunk.tried)
}

/// Shrinks a case whose key holds one large number, while the number is not below `border`.
fn comes_to<D: Codec>(border: &BigInt, text: &str, key: &str) {
    let (simplest, tried) = simplest::<D>(text, |text| numbers(text, key).iter().any(|number| number >= border));
    assert_eq!(numbers(&simplest, key), std::slice::from_ref(border), "{simplest}");
    assert!(tried as u64 <= 60 + 3 * border.bits(), "{tried} tries for a border of {} bits", border.bits());
}

#[test]
fn a_number_of_every_form_comes_to_its_border_in_as_many_steps_as_it_has_bits() {
    let power = |bits: u32| BigInt::from(1) << bits;
    for (form, bits) in [("i32", 31), ("i64", 63), ("i128", 127), ("i256", 255), ("BigInt", 1000), ("rust_decimal", 96)]
    {
        for border in [BigInt::from(128), power(bits - 2), power(bits - 1) + 1, power(bits) - 3] {
            let largest: BigInt = power(bits) - 1;
            for sign in ["", "-"] {
                let text = format!(
                    "column: DECIMAL(9,0) BYTE_ARRAY\njob: encode\nform: {form}\nvalues: 5, {sign}{largest}, 7\n"
                );
                comes_to::<Decimal>(&border, &text, "values");
            }
        }
    }
    for border in [1000u64, (1 << 31) + 1, (1 << 62) + 12345] {
        let border = BigInt::from(border);
        let largest = i64::MAX;
        for sign in ["", "-"] {
            let values = |end| format!("values: 1{end}, {sign}{largest}{end}\n");
            comes_to::<AmqpDecimal>(&border, &format!("job: encode\nform: raw\n{}", values("e-3")), "values");
            comes_to::<DeltaBinaryPacked>(&border, &format!("job: encode\ntype: i64\n{}", values("")), "values");
        }
        let nested = format!("[I 4, F {{\"b\": S \"text\", \"c\": A [V, l {largest}]}}]");
        comes_to::<AmqpTable>(&border, &format!("job: encode\ntop: array\nvalues: {nested}\n"), "values");
    }
}

#[test]
fn bytes_lengths_and_digits_of_a_column_come_to_their_borders() {
    let strings = |text: &str, fails: &dyn Fn(&[u8]) -> bool| {
        let case = Case::<DeltaByteArray>::from_text(&format!("job: encode\nform: slices\nvalues: {text}\n"));
        let fails = |case: &Case<DeltaByteArray>| {
            let Job::Encode { values, .. } = &case.job else { return false };
            values.iter().any(fails)
        };
        let shrunk = shrink(case.expect("a case"), 20_000, fails);
        let Job::Encode { values, .. } = &shrunk.case.job else { panic!("it writes") };
        (values.to_vecs(), shrunk.tried)
    };
    let (values, tried) = strings("\"b\"*900, \"c\"*4000", &|value| value.len() > 2500);
    assert_eq!(values, [vec![b'a'; 2501]]);
    assert!(tried < 120, "{tried}");
    let (values, tried) = strings("0x61ff62fe63", &|value| value.iter().any(|byte| *byte > 0xc8));
    assert_eq!(values, [[0xc9]]);
    assert!(tried < 120, "{tried}");
    // Not at the end either.
    let (values, _) = strings("\"b\"*900", &|value| value.iter().filter(|byte| **byte == b'b').count() > 20);
    assert_eq!(values, [vec![b'b'; 21]]);

    let text = format!("job: decode\ncolumn: DECIMAL(9,0) INT32\nform: i32\nbytes: {}\n", "ff".repeat(40));
    let big = |text: &str| line(text, "bytes").as_bytes().chunks(2).any(|byte| byte >= b"c8".as_slice());
    let (simplest, tried) = simplest::<Decimal>(&text, big);
    assert_eq!(line(&simplest, "bytes"), "c8");
    assert!(tried < 120, "{tried}");

    let text = "job: encode\ncolumn: DECIMAL(590,580) FIXED(250)\nform: i32\nvalues: 1\n";
    let column = |text: &str| -> Vec<u32> {
        let parts = line(text, "column").split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        parts.map(|part| part.parse().expect("a number")).collect()
    };
    let (simplest, tried) = self::simplest::<Decimal>(text, |text| {
        let column = column(text);
        column.len() == 3 && column[0] >= 234 && column[1] >= 77 && column[2] >= 201
    });
    assert_eq!(line(&simplest, "column"), "DECIMAL(234,77) FIXED(201)");
    assert!(tried < 200, "{tried}");
}

/// Takes three simplifications in four, whichever.
struct AnyChain;

impl Visit for AnyChain {
    fn codec<D: Codec>(&mut self) {
        const BUDGET: usize = 20_000;
        for direction in Direction::BOTH {
            for seed in 0..50 {
                let mut source = fastrand::Rng::with_seed(seed);
                let mut case = Case::<D>::empty(direction);
                case.draw(&mut source);
                let shrunk = shrink(case.clone(), BUDGET, |_| source.u8(..) < 192);
                assert!(shrunk.tried < BUDGET, "{} goes round in circles, at {:?}", D::CODEC, shrunk.case);
            }
        }
    }
}

#[test]
fn no_chain_of_simplifications_goes_round_in_circles() {
    registry::visit(&mut AnyChain);
}
