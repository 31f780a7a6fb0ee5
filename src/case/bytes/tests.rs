//! Bytes are read as they were written, within limits, and what is no case is refused.

use super::*;
use crate::domain::delta_byte_array::DeltaByteArray;

#[test]
fn a_number_reads_the_same_at_the_end_and_before_other_bytes() {
    for shift in 0..128 {
        for number in [1u128 << shift, (1 << shift) - 1, u128::MAX >> shift, 0x0123_4567_89ab_cdef << shift] {
            let mut writer = ByteWriter::default();
            writer.u128(number);
            let behind = [0xff; 9];
            for more in 0..=behind.len() {
                let bytes = [writer.bytes(), &behind[..more]].concat();
                let mut reader = ByteReader::new(&bytes);
                assert_eq!(reader.u128(), number, "{more} bytes behind it");
                assert_eq!(reader.rest(), &behind[..more]);
            }
        }
    }
}

#[test]
fn a_number_that_is_longer_than_need_be_is_read() {
    let mut reader = ByteReader::new(&[0x81, 0x80, 0x80, 0x00, 7, 0, 0, 0, 0]);
    assert_eq!((reader.u128(), reader.u8()), (1, 7));
}

#[test]
fn a_fuzzer_s_input_is_read_within_limits_and_a_message_as_far_as_it_goes() {
    let bytes = [5, 7, 7, 7, 7, 7, 7];
    let (mut input, mut message) = (ByteReader::new(&bytes), ByteReader::of_message(&bytes));
    assert_eq!((input.is_message(), input.limit(3), input.count(3)), (false, 3, 1));
    assert_eq!((message.is_message(), message.limit(3), message.count(3)), (true, 1 << 30, 5));
    assert_eq!(ByteReader::new(&[9, 0, 0]).count(20), 9);
    assert_eq!(ByteReader::of_message(&[9, 0, 0]).count(20), 2);
}

#[test]
fn a_message_holds_cases_that_are_longer_than_a_fuzzer_s() {
    let mut case = Case::<DeltaByteArray>::empty_encode();
    let Job::Encode { values, puts, .. } = &mut case.job else { panic!("an encode") };
    (0..6000_u32).for_each(|value| values.push(format!("{value:040}").as_bytes()));
    puts.resize(100, 3);
    let bytes = case.to_bytes();
    assert!(Case::from_message(&bytes).as_ref() == Some(&case));
    assert!(Case::from_bytes(&bytes).is_some_and(|short| short != case));
    assert!(Case::<DeltaByteArray>::from_message(&bytes[..2]).is_none());
}

#[test]
fn signed_numbers_and_blobs_are_read_as_they_were_written() {
    let mut writer = ByteWriter::default();
    for (number, bytes) in [(0, &[0_u8][..]), (-1, &[1]), (1, &[2]), (-64, &[0x7f]), (64, &[0x80, 0x01])] {
        writer.clear();
        writer.i128(number);
        assert_eq!(writer.bytes(), bytes, "{number}");
    }
    for number in [i128::MIN, i128::MAX, -1, 0, 1, 0x0123_4567_89ab_cdef_0123, -0x0123_4567_89ab_cdef_0123] {
        writer.clear();
        writer.i128(number);
        writer.blob(b"abc");
        let mut reader = ByteReader::new(writer.bytes());
        assert_eq!((reader.i128(), reader.blob(), reader.rest()), (number, &b"abc"[..], &b""[..]));
    }
    assert_eq!(ByteReader::new(&[5, 1, 2]).blob(), [1], "5 modulo the lengths from 0 to 3, all bytes there are");
}

#[test]
fn steps_puts_and_rooms_of_every_size_come_back_and_nothing_stays_of_the_case_before() {
    let most = u16::MAX;
    let mut read = Case::<DeltaByteArray>::empty_encode();
    for capacity in [Capacity::Exact, Capacity::Short(1), Capacity::Short(most), Capacity::Slack(most)] {
        let mut case = Case::<DeltaByteArray>::empty_encode();
        case.job = Job::Encode { values: Default::default(), puts: vec![0, 1, 300, most], capacity };
        assert!(read.read_bytes(&case.to_bytes()) && read == case, "{capacity:?}");
    }
    let mut read = Case::<DeltaByteArray>::decode(read.params, vec![5]);
    for steps in [vec![Step::Get(0), Step::Skip(0), Step::Get(most), Step::Skip(most)], vec![Step::Skip(1)]] {
        let job = Job::Decode { bytes: vec![1, 2, 3], steps };
        let case = Case { params: read.params.clone(), job };
        assert!(read.read_bytes(&case.to_bytes()) && read == case);
    }
}

#[test]
fn a_head_of_another_version_codec_or_direction_is_no_case_and_changes_none() {
    let id = DeltaByteArray::ID;
    let mut case = Case::<DeltaByteArray>::empty_encode();
    let before = case.clone();
    for (head, known, read) in [
        (&[VERSION, id, 0][..], Some(id), true),
        (&[VERSION, id, 1], Some(id), true),
        (&[VERSION, id, 2], Some(id), false),
        (&[VERSION, id + 1, 0], Some(id + 1), false),
        (&[VERSION + 1, id, 0], None, false),
        (&[VERSION, id], None, false),
        (&[], None, false),
    ] {
        assert_eq!(codec_id(head), known, "{head:?}");
        assert_eq!(Case::<DeltaByteArray>::from_bytes(head).is_some(), read, "{head:?}");
        let encode = read && head[2] == 0;
        assert_eq!(case.read_bytes(&[head, &[9; 20]].concat()), encode, "{head:?}");
        if !encode {
            assert!(case == before, "{head:?}");
        }
        case = before.clone();
    }
}
