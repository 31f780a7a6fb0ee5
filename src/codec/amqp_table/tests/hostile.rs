//! Inputs that nobody should send.

use super::*;

/// A table of every type of `profile`.
fn every_type(profile: Profile) -> Table<'static> {
    let mut entries = server_table().entries.to_vec();
    entries.push(entry("float", Field::Float(1.5)));
    entries.push(entry("double", Field::Double(-1.5)));
    if profile == Profile::Specification {
        entries.retain(|entry| !matches!(entry.value, Field::Binary(_)));
        entries.push(entry("unsignedlong", Field::LongLongUint(u64::MAX)));
        entries.push(entry("shortstr", Field::ShortString(b"abc".into())));
    }
    entries.into()
}

#[test]
fn every_change_of_one_octet_gets_the_same_answer_from_both_twins() {
    for profile in Profile::ALL {
        let params = Params::new(profile);
        let octets = write(&every_type(profile), params).unwrap();
        let mut refused = 0;
        for at in 0..octets.len() {
            for value in 0..=255 {
                let mut hostile = octets.clone();
                hostile[at] = value;
                refused += usize::from(read(&hostile, params).is_err());
            }
        }
        assert!(refused > octets.len() * 32, "{refused} of {} were refused", octets.len() * 256);
    }
}

#[test]
fn every_cut_is_an_end_of_the_input() {
    let octets = hex(SERVER);
    for cut in 0..octets.len() {
        let needed = if cut < 4 { 4 } else { octets.len() };
        let refusal = DecodeError::UnexpectedEnd { offset: 0, needed, available: cut };
        assert_eq!(read(&octets[..cut], Params::default()), Err(refusal));
    }
    let longer = [&octets[..], &[0xff; 9]].concat();
    assert_eq!(read(&longer, Params::default()).unwrap().1, octets.len(), "what follows is not looked at");
}

#[test]
fn a_value_may_not_overrun_its_table_though_the_input_goes_on() {
    let octets = hex(SERVER);
    let mut cut_between_entries = 0;
    for length in 0..octets.len() - 4 {
        let mut hostile = octets.clone();
        hostile[..4].copy_from_slice(&(length as u32).to_be_bytes());
        match read(&hostile, Params::default()) {
            Ok((_, read)) => {
                assert_eq!(read, 4 + length);
                cut_between_entries += 1;
            }
            Err(DecodeError::BeyondEnclosing { offset, needed, available }) => {
                assert_eq!(offset + available, 4 + length);
                assert!(needed > available);
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(cut_between_entries, 15);
}

#[test]
fn a_nested_table_may_not_overrun_its_own_or_the_enclosing_one() {
    let beyond = |offset, needed, available| Err(DecodeError::BeyondEnclosing { offset, needed, available });
    // { k: { a: 32 bits in 3 octets }, b: void }
    let value = hex("00000010 016b 46 00000006 0161 49 000000 0162 56");
    assert_eq!(read(&value, Params::default()), beyond(14, 4, 3));
    // The nested table says 10 octets, the enclosing one has 9 more.
    let length = hex("00000010 016b 46 0000000a 0161 49 000000 0162 56");
    assert_eq!(read(&length, Params::default()), beyond(7, 14, 13));
}

#[test]
fn lengths_that_were_bugs_elsewhere_are_refused() {
    let beyond = |offset, needed, available| Err(DecodeError::BeyondEnclosing { offset, needed, available });
    let table = |value: &str| {
        let value = hex(value);
        [&[0, 0, 0, value.len() as u8 + 2, 1, b'k'][..], &value].concat()
    };
    // A negative length, for who reads it as signed; the sum with an offset, for who has 32 bits for it.
    assert_eq!(read(&table("78 ffffffff"), Params::default()), beyond(7, 0x1_0000_0003, 4));
    assert_eq!(read(&table("78 fffffffb"), Params::default()), beyond(7, 0xffff_ffff, 4));
    // An array of one octet that holds none: an endless loop for who takes nothing for progress.
    assert_eq!(read(&table("41 00000001"), Params::default()), beyond(7, 5, 4));
    assert_eq!(
        naive::decode_array(&hex("00000001"), Params::default()).unwrap_err(),
        DecodeError::UnexpectedEnd { offset: 0, needed: 5, available: 4 }
    );
    assert_eq!(
        decode_array(&hex("ffffffff 56"), Params::default()).unwrap_err(),
        DecodeError::UnexpectedEnd { offset: 0, needed: 0x1_0000_0003, available: 5 }
    );
    assert_eq!(read(&table(""), Params::default()), beyond(6, 1, 0));
}

#[test]
fn ten_thousand_levels_are_refused_without_recursion() {
    let mut octets = vec![];
    for level in 0..10_000_u32 {
        octets.extend((60_000 - 6 * level - 4).to_be_bytes());
        octets.extend([0, b'F']);
    }
    octets.truncate(60_000);
    octets.extend([0; 6]);
    for max_depth in [1, 32, 255] {
        let params = Params { max_depth, ..Params::default() };
        let max = usize::from(max_depth);
        assert_eq!(read(&octets, params), Err(DecodeError::NestingTooDeep { offset: 6 * max, max }));
    }
}

#[test]
fn a_hundred_thousand_names_are_checked_at_once() {
    let mut octets = vec![0; 4];
    for name in 0..100_000_u32 {
        octets.push(4);
        octets.extend(name.to_be_bytes());
        octets.push(b'V');
    }
    let length = octets.len() as u32 - 4;
    octets[..4].copy_from_slice(&length.to_be_bytes());
    assert_eq!(decode(&octets, Params::default()).unwrap().0.iter().count(), 100_000);
    octets.copy_within(4..9, 4 + 6 * 77_777);
    let refusal = DecodeError::DuplicateFieldName { offset: 4 + 6 * 77_777 };
    assert_eq!(decode(&octets, Params::default()), Err(refusal));
}
