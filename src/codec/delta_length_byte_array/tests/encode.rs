//! Pages that are written: the twins agree, room and canaries are kept.

use super::*;

#[test]
fn fixed_length_columns_are_refused() {
    let column = ByteArrays::fixed_len(2, b"abcd").unwrap();
    let refused = EncodeError::NotByteArray { width: 2 };
    assert_eq!(naive::encode_into(&column, SPEC, &mut []), Err(refused));
    assert_eq!(naive::encoded_len(&column, SPEC), Err(refused));
    assert_eq!(encode_into(&column, SPEC, &mut Scratch::new(), &mut []), Err(refused));
    assert_eq!(encoded_len(&column, SPEC, &mut Scratch::new()), Err(refused));
}

#[test]
#[cfg(target_pointer_width = "64")]
fn values_that_a_page_cannot_hold_are_refused_at_the_first_too_many() {
    // Few bytes of memory: the value is the same array again and again.
    let value = vec![b'a'; 1 << 20];
    let values = vec![&value[..]; 2100];
    let refused = EncodeError::PageTooLong { index: 2047, len: 1 << 31 };
    let column = ByteArrays::slices(&values);
    for path in Path::available() {
        assert_eq!(encoded_len_with(path, &column, SPEC, &mut Scratch::new()), Err(refused));
        assert_eq!(encode_into_with(path, &column, SPEC, &mut Scratch::new(), &mut []), Err(refused));
    }
    assert_eq!(naive::encode(&column, SPEC), Err(refused));
}

#[test]
#[cfg(all(target_pointer_width = "64", target_os = "linux"))]
fn a_value_longer_than_a_length_can_say_is_refused() {
    // Zeroed memory that nobody reads takes no room.
    let value = vec![0; 1 << 31];
    let values = [b"ab", &value[..]];
    let column = ByteArrays::slices(&values);
    let refused = EncodeError::ValueTooLong { index: 1, len: 1 << 31 };
    assert_eq!(naive::encode(&column, SPEC), Err(refused));
    assert_eq!(encode_into(&column, SPEC, &mut Scratch::new(), &mut []), Err(refused));
    assert_eq!(PageWriter::new(SPEC).push(&value), Err(EncodeError::ValueTooLong { index: 0, len: 1 << 31 }));
}

/// 2^31 - 1 bytes are no fault, in a value and in a page: the fault is the byte behind them.
#[test]
#[cfg(all(target_pointer_width = "64", target_os = "linux"))]
fn the_most_that_a_page_holds_is_not_refused() {
    // Zeroed memory that nobody reads takes no room.
    let most = vec![0; i32::MAX as usize];
    let (half, rest) = most.split_at(1 << 30);
    for (values, index) in [(&[&most[..], b"a"][..], 1), (&[half, rest, b"", b"a"], 3)] {
        let refused = Err(EncodeError::PageTooLong { index, len: 1 << 31 });
        let (fits, too_long) = (ByteArrays::slices(&values[..index]), ByteArrays::slices(values));
        assert_eq!(naive::encode(&too_long, SPEC).map(|page| page.len()), refused);
        let mut scratch = Scratch::new();
        assert!(encoded_len(&fits, SPEC, &mut scratch).is_ok_and(|len| len > i32::MAX as usize));
        assert_eq!(encoded_len(&too_long, SPEC, &mut scratch), refused);
    }
    let mut writer = PageWriter::new(SPEC);
    writer.push(b"ab").unwrap();
    assert_eq!(writer.push(&most), Err(EncodeError::PageTooLong { index: 1, len: (1 << 31) + 1 }));
    assert_eq!((writer.len(), writer.buffered_bytes()), (1, 2));
}

#[test]
fn one_length_that_differs_is_seen_wherever_it_stands() {
    let mut scratch = Scratch::new();
    for count in [1, 2, 255, 256, 257, 258, 513] {
        // The last round has lengths that are all the same.
        for odd in (0..count).rev().take(4).chain((0..count).step_by(51)).chain([count]) {
            let values: Vec<&[u8]> =
                (0..count).map(|index| if index == odd { &b"longer"[..] } else { b"short" }).collect();
            let page = naive::encode(&ByteArrays::slices(&values), SPEC).unwrap();
            let owned: Vec<Vec<u8>> = values.iter().map(|value| value.to_vec()).collect();
            for_each_form(&owned, |form, column| {
                if column.fixed_width().is_some() {
                    return;
                }
                let mut out = vec![0; page.len()];
                let written = encode_into_with(Path::PORTABLE, &column, SPEC, &mut scratch, &mut out);
                assert_eq!(written, Ok(page.len()), "{form}, {odd} of {count}");
                assert!(out == page, "{form}, {odd} of {count}");
            });
        }
    }
}

#[test]
fn what_a_writer_holds_is_seen_before_the_page_is_finished() {
    let mut writer = PageWriter::new(SPEC);
    writer.push(&[1; 100]).unwrap();
    writer.push(&[1; 100]).unwrap();
    assert_eq!(writer.buffered_bytes(), 200);
}
