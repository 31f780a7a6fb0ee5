//! Both forms of a case come back as they were.

use super::{AmqpTable, COUNT_LIMIT, Field, LEVEL_LIMIT, Top, text, tree};
use crate::case::Case;

#[test]
fn drawn_and_mutated_cases_come_back_from_text_and_from_bytes() {
    let mut source = fastrand::Rng::with_seed(6);
    let mut cases = [Case::<AmqpTable>::empty_encode(), Case::empty_decode()];
    for turn in 0..4000 {
        let case = &mut cases[turn % 2];
        if turn % 5 < 2 {
            case.draw(&mut source);
        } else {
            case.mutate(&mut source);
        }
        let written = case.to_text();
        assert_eq!(Case::from_text(&written).as_ref(), Ok(&*case), "{written}");
        let bytes = case.to_bytes();
        assert_eq!(Case::from_bytes(&bytes).as_ref(), Some(&*case), "{written}");
    }
}

#[test]
fn any_bytes_are_a_case_whose_byte_form_is_stable() {
    let mut source = fastrand::Rng::with_seed(7);
    for turn in 0..4000 {
        let mut bytes = vec![1, 6, (turn % 2) as u8];
        bytes.extend((0..turn % 300).map(|_| if source.bool() { source.u8(..) } else { source.u8(..20) }));
        let case = Case::<AmqpTable>::from_bytes(&bytes).unwrap();
        assert_eq!(Case::from_bytes(&case.to_bytes()), Some(case));
    }
}

#[test]
fn hostile_bytes_and_texts_are_bounded_in_levels_and_values() {
    let deep = [&[1, 6, 0, 0, 0, 8, 0, 0, 0, 0][..], &[1, 15].repeat(2000)].concat();
    let Some(Case { job: crate::case::Job::Encode { values, .. }, .. }) = Case::<AmqpTable>::from_bytes(&deep) else {
        panic!("a head and anything is a case")
    };
    assert_eq!(tree::size(&values).1, LEVEL_LIMIT);
    let nested = format!("{}{}", "[A ".repeat(LEVEL_LIMIT + 5), "]".repeat(LEVEL_LIMIT + 5));
    assert!(text::read(Top::Array, &nested).unwrap_err().to_string().contains("levels"));
    let wide = format!("[{}]", "V,".repeat(COUNT_LIMIT + 1));
    assert!(text::read(Top::Array, &wide).unwrap_err().to_string().contains("values"));
}

#[test]
fn texts_at_fault_are_refused_with_the_place() {
    for (wrong, place) in [
        (r#"{"k": I 2147483648}"#, "32 bits at byte 8"),
        (r#"{"k" I 1}"#, "a colon at byte 5"),
        (r#"{"k": J 1}"#, "a type, one of t b B s u I i l Q f d D z S A T F x V at byte 6"),
        (r#"{"k": S "a"#, "a closing quote at byte 10"),
        (r#"{"k": V} x"#, "nothing behind the last bracket at byte 9"),
        (r#"{"k": D 1.5}"#, "a mantissa and a scale, as -15e-1 at byte 8"),
        (r#"["k"]"#, "{ at byte 0"),
    ] {
        let error = text::read(Top::Table, wrong).unwrap_err().to_string();
        assert!(error.contains(place), "{wrong}: {error}");
    }
    let read = text::read(Top::Array, r#"[S "\x00\"\\é", f bits:7fc00001, d -0.0, x hex:aa55]"#).unwrap();
    let super::Values::Array(array) = &read else { panic!("an array was asked for") };
    assert_eq!(array.values[0], Field::LongString(b"\0\"\\\xc3\xa9".to_vec().into()));
    assert_eq!(text::write(&read), r#"[S "\x00\"\\\xc3\xa9", f bits:7fc00001, d -0.0, x hex:aa55]"#);
}
