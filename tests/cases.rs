//! Cases as text and as bytes, for every codec: each form is the inverse of the other, every byte string is read, and
//! what an old version wrote is still read.

#![cfg(feature = "proptest")]

use bytetwin::case::{ByteWriter, Case, Direction, Fields};
use bytetwin::generate::proptest::cases;
use bytetwin::registry::{self, Codec, Visit};
use bytetwin::shrink::shrink;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};

/// Draws per codec and direction.
const CASES: u32 = 1000;

fn runner() -> TestRunner {
    TestRunner::new(Config { cases: CASES, failure_persistence: None, ..Config::default() })
}

/// Does the same for every codec and direction.
struct Every<F: FnMut(Subject)>(F);

/// What a property needs of a codec, its types erased but for the strategy.
struct Subject {
    name: &'static str,
    id: u8,
    direction: Direction,
    /// Draws a case, and gives its text and bytes.
    drawn: BoxedStrategy<Drawn>,
    /// Reads bytes into a case that was used for another one before.
    reread: fn(&[u8], &[u8]) -> Option<Vec<u8>>,
}

#[derive(Debug, Clone)]
struct Drawn {
    text: String,
    bytes: Vec<u8>,
    /// `from_text(text)` and `from_bytes(bytes)` are the case.
    equal: (bool, bool),
}

fn reread<D: Codec>(first: &[u8], second: &[u8]) -> Option<Vec<u8>> {
    let mut case = Case::<D>::from_bytes(first)?;
    case.read_bytes(second).then(|| {
        let mut writer = ByteWriter::default();
        case.write_bytes(&mut writer);
        writer.bytes().to_vec()
    })
}

impl<F: FnMut(Subject)> Visit for Every<F> {
    fn codec<D: Codec>(&mut self) {
        for direction in Direction::BOTH {
            let drawn = cases::<D>(direction)
                .prop_map(|case| {
                    let (text, bytes) = (case.to_text(), case.to_bytes());
                    let from_text = Case::<D>::from_text(&text).is_ok_and(|read| read == case);
                    let from_bytes = Case::<D>::from_bytes(&bytes).is_some_and(|read| read == case);
                    Drawn { text, bytes, equal: (from_text, from_bytes) }
                })
                .boxed();
            (self.0)(Subject { name: D::CODEC, id: D::ID, direction, drawn, reread: reread::<D> });
        }
    }
}

fn every(property: impl FnMut(Subject)) {
    registry::visit(&mut Every(property));
}

#[test]
fn text_and_bytes_give_the_case_back() {
    every(|subject| {
        let verdict = runner().run(&subject.drawn, |drawn| {
            prop_assert!(drawn.equal.0, "{} is not read back from\n{}", subject.name, drawn.text);
            prop_assert!(drawn.equal.1, "{} is not read back from the bytes of\n{}", subject.name, drawn.text);
            Ok(())
        });
        verdict.unwrap_or_else(|error| panic!("{} {}: {error}", subject.direction.name(), subject.name));
    });
}

#[test]
fn the_text_of_a_case_is_the_text_of_its_bytes() {
    every(|subject| {
        let codec = registry::find(subject.name).expect("in the registry");
        let verdict = runner().run(&subject.drawn, |drawn| {
            let text = codec.bytes_to_text(&drawn.bytes);
            prop_assert_eq!(text.as_deref(), Some(drawn.text.as_str()));
            let (direction, bytes) = codec.text_to_bytes(&Fields::parse(&drawn.text).unwrap()).unwrap();
            prop_assert_eq!(direction, subject.direction);
            prop_assert_eq!(bytes, drawn.bytes);
            Ok(())
        });
        verdict.unwrap_or_else(|error| panic!("{} {}: {error}", subject.direction.name(), subject.name));
    });
}

#[test]
fn every_byte_string_behind_a_head_is_a_case_and_its_canonical_form_is_stable() {
    every(|subject| {
        let codec = registry::find(subject.name).expect("in the registry");
        let anything = proptest::collection::vec(any::<u8>(), 0..200);
        let verdict = runner().run(&anything, |tail| {
            let mut bytes = vec![1, subject.id, subject.direction as u8];
            bytes.extend(&tail);
            let text = codec.bytes_to_text(&bytes);
            prop_assert!(text.is_some(), "no case of {}: {:02x?}", subject.name, bytes);
            let text = text.unwrap_or_default();
            let (_, canonical) = codec.text_to_bytes(&Fields::parse(&text).unwrap()).unwrap();
            prop_assert_eq!(codec.bytes_to_text(&canonical), Some(text));
            Ok(())
        });
        verdict.unwrap_or_else(|error| panic!("{} {}: {error}", subject.direction.name(), subject.name));
    });
}

#[test]
fn a_mutant_of_a_case_is_a_case() {
    every(|subject| {
        let codec = registry::find(subject.name).expect("in the registry");
        let mutants = (subject.drawn.clone(), any::<prop::sample::Index>(), any::<u8>());
        let verdict = runner().run(&mutants, |(drawn, at, byte)| {
            let mut bytes = drawn.bytes;
            let at = 3 + at.index(bytes.len() - 2);
            match bytes.get_mut(at) {
                Some(there) => *there = byte,
                None => bytes.push(byte),
            }
            let text = codec.bytes_to_text(&bytes).expect("a case");
            let (_, canonical) = codec.text_to_bytes(&Fields::parse(&text).unwrap()).unwrap();
            prop_assert_eq!(codec.bytes_to_text(&canonical), Some(text));
            Ok(())
        });
        verdict.unwrap_or_else(|error| panic!("{} {}: {error}", subject.direction.name(), subject.name));
    });
}

#[test]
fn what_a_case_was_before_leaves_no_trace_when_another_is_read_into_it() {
    every(|subject| {
        let verdict = runner().run(&(subject.drawn.clone(), subject.drawn.clone()), |(first, second)| {
            prop_assert_eq!((subject.reread)(&first.bytes, &second.bytes), Some(second.bytes));
            Ok(())
        });
        verdict.unwrap_or_else(|error| panic!("{} {}: {error}", subject.direction.name(), subject.name));
    });
}

#[test]
fn another_version_codec_or_direction_is_no_case() {
    every(|subject| {
        let codec = registry::find(subject.name).expect("in the registry");
        for head in [[0, subject.id, 0], [2, subject.id, 0], [1, 0, 0], [1, 255, 0], [1, subject.id, 2]] {
            assert_eq!(codec.bytes_to_text(&head), None, "{head:?}");
        }
        assert_eq!(codec.bytes_to_text(&[1, subject.id]), None);
    });
}

/// Cases of version 1 as they were written when it was new: hex, a tab, and the text with its lines joined by " | ".
///
/// A new codec gets its file once, with `BYTETWIN_FREEZE=1`. A file that is there is never written again.
#[test]
fn version_1_is_still_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen/version_1");
    let freeze = std::env::var_os("BYTETWIN_FREEZE").is_some();
    every(|subject| {
        let path = folder.join(subject.name).with_extension("tsv");
        let of_direction = format!("# {}\n", subject.direction.name());
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        if freeze && !known.contains(&of_direction) {
            std::fs::write(&path, known + &of_direction + &frozen(&subject)).expect("written");
        }
        let file = std::fs::read_to_string(&path).unwrap_or_default();
        let codec = registry::find(subject.name).expect("in the registry");
        let mut read = 0;
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            let (hex, text) = line.split_once('\t').expect("hex, tab, text");
            let bytes = bytetwin::case::text::parse_hex("case", hex).expect("hex");
            let found = codec.bytes_to_text(&bytes).map(|text| text.trim_end().replace('\n', " | "));
            assert_eq!(found.as_deref(), Some(text), "{}", path.display());
            read += usize::from(bytes[2] == subject.direction as u8);
        }
        assert!(read >= 20, "{read} frozen cases in {}: BYTETWIN_FREEZE=1 writes them for a new codec", path.display());
    });
}

/// Lines of a frozen file: drawn cases that are short enough to be read.
fn frozen(subject: &Subject) -> String {
    let mut runner = TestRunner::deterministic();
    let mut lines = Vec::new();
    while lines.len() < 24 {
        let drawn = subject.drawn.new_tree(&mut runner).expect("a case").current();
        let text = drawn.text.trim_end().replace('\n', " | ");
        if text.len() < 400 {
            lines.push(format!("{}\t{text}\n", bytetwin::case::text::hex(&drawn.bytes)));
        }
    }
    lines.concat()
}

#[test]
fn a_misspelt_line_is_refused_by_name() {
    let right = "codec: amqp_decimal\njob: encode\nnegative zero: refuse\nvalues: 15e-1\n";
    let text_of = |text: &str| {
        let codec = registry::find("amqp_decimal").expect("in the registry");
        codec.text_to_bytes(&Fields::parse(text).expect("lines"))
    };
    assert_eq!(text_of(right).map(|(direction, _)| direction), Ok(Direction::Encode));
    for misspelt in ["negative zeros: refuse", "capcity: short 1", "steps: skip 1", "key: "] {
        let error = text_of(&format!("{right}{misspelt}\n")).expect_err(misspelt);
        assert_eq!(error.key, misspelt.split_once(':').unwrap().0);
    }
    // A blank before the colon is no misspelling.
    assert!(text_of(&format!("{right}capacity : short 1\n")) != text_of(right));
    // Lines of the file that are not the case's.
    assert_eq!(text_of(&format!("{right}expect: 00\ntheirs: 00\n")), text_of(right));
}

#[test]
fn a_text_that_the_byte_form_cannot_hold_is_refused_and_not_replayed_as_another_case() {
    let puts = vec!["1"; 65].join(", ");
    let values = vec!["7"; 5000].join(", ");
    for (codec, lines, key) in [
        ("delta_binary_packed", format!("values: 1\nputs: {puts}"), "puts"),
        ("delta_binary_packed", format!("values: {values}"), "values"),
        ("delta_binary_packed", "values: 1\nmax values: 4294967295".into(), "max values"),
    ] {
        let fields = Fields::parse(&format!("codec: {codec}\njob: encode\n{lines}\n")).expect("lines");
        let error = registry::find(codec).expect("in the registry").text_to_bytes(&fields).expect_err(codec);
        assert_eq!(error.key, key, "{codec}: {error}");
    }
}

/// Takes the first simplification again and again, as for a fault that depends on nothing.
struct ToTheEnd;

impl Visit for ToTheEnd {
    fn codec<D: Codec>(&mut self) {
        const BUDGET: usize = 20_000;
        for direction in Direction::BOTH {
            let verdict = runner().run(&cases::<D>(direction), |case| {
                let shrunk = shrink(case.clone(), BUDGET, |_| true);
                prop_assert!(shrunk.tried < BUDGET, "{:?} goes round in circles, at {:?}", case, shrunk.case);
                Ok(())
            });
            verdict.unwrap_or_else(|error| panic!("{} {}: {error}", direction.name(), D::CODEC));
        }
    }
}

#[test]
fn a_case_that_always_fails_comes_to_the_simplest_one() {
    registry::visit(&mut ToTheEnd);
}
