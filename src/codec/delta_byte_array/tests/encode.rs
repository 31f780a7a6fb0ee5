//! Pages that are written: the twins agree, prefixes are the longest, room and canaries are kept.

use super::*;

/// parquet-java's `testReusedBackingArrayRegression`.
#[test]
fn a_writer_keeps_values_whose_array_is_used_again() {
    let mut array = *b"parquet-000";
    let mut writer = PageWriter::new(SPEC);
    writer.push(&array).unwrap();
    array[8..].copy_from_slice(b"111");
    writer.push(&array).unwrap();
    array[8..].copy_from_slice(b"222");
    writer.push(&array).unwrap();
    array.fill(b'x');
    let mut out = [0; 80];
    let len = writer.finish_page(&mut out).unwrap();
    let values: [&[u8]; 3] = [b"parquet-000", b"parquet-111", b"parquet-222"];
    assert_eq!(naive::encode(&ByteArrays::slices(&values), SPEC).unwrap(), &out[..len]);
}

#[test]
fn a_dropped_page_leaves_nothing() {
    let mut writer = PageWriter::new(SPEC);
    writer.push(b"abc").unwrap();
    writer.reset();
    writer.push(b"abd").unwrap();
    let mut out = [0; 64];
    let len = writer.finish_page(&mut out).unwrap();
    assert_eq!(out[..len], bytes("80010401008001040106616264"));
}

/// <https://github.com/apache/arrow/pull/13522>
#[test]
fn what_a_writer_holds_is_seen_before_the_page_is_finished() {
    let mut writer = PageWriter::new(SPEC);
    writer.push(&[1; 100]).unwrap();
    writer.push(&[2; 100]).unwrap();
    assert_eq!(writer.buffered_bytes(), 200);
}

#[test]
#[cfg(target_pointer_width = "64")]
fn suffixes_that_a_page_cannot_hold_are_refused_at_the_first_value_too_many() {
    // Few bytes of memory: the values are the same two arrays again and again.
    let (a, b) = (vec![b'a'; 1 << 20], vec![b'b'; 1 << 20]);
    let values: Vec<&[u8]> = (0..2100).map(|i| if i % 2 == 0 { &a[..] } else { &b[..] }).collect();
    let refused = EncodeError::PageTooLong { index: 2047, len: 1 << 31 };
    for path in Path::available() {
        let column = ByteArrays::slices(&values);
        let mut scratch = Scratch::new();
        assert_eq!(encoded_len_with(path, &column, SPEC, &mut scratch), Err(refused));
        assert_eq!(encode_into_with(path, &column, SPEC, &mut scratch, &mut []), Err(refused));
    }
    // As much of equal values is no trouble.
    let values = vec![&a[..]; 2100];
    let needed = encoded_len(&ByteArrays::slices(&values), SPEC, &mut Scratch::new()).unwrap();
    assert!(needed < 2 << 20);
}

#[test]
#[cfg(all(target_pointer_width = "64", target_os = "linux"))]
fn values_and_pages_are_refused_from_2_to_the_31_bytes_on_and_not_before() {
    // Zeroed memory that nobody reads takes no room.
    let long = vec![0; 1 << 31];
    let most = &long[1..];
    let mut scratch = Scratch::new();
    let page_too_long = |index, len| Err(EncodeError::PageTooLong { index, len });
    for (values, refused) in [
        (&[b"ab", &long[..]][..], Err(EncodeError::ValueTooLong { index: 1, len: 1 << 31 })),
        (&[b"ab", most], page_too_long(1, (1 << 31) + 1)),
    ] {
        let column = ByteArrays::slices(values);
        assert_eq!(naive::encode(&column, SPEC), refused);
        assert_eq!(encode_into(&column, SPEC, &mut scratch, &mut []).map(|_| vec![]), refused);
        let mut writer = PageWriter::new(SPEC);
        writer.push(values[0]).unwrap();
        assert_eq!(writer.push(values[1]).map(|()| vec![]), refused);
        assert_eq!((writer.len(), writer.buffered_bytes()), (1, 2));
    }
    // All of these are prefixes of the longest one but `b"b"`, which is one byte too many.
    for values in [&[most][..], &[most, b"\0"], &[b"\0", most]] {
        let len = encoded_len(&ByteArrays::slices(values), SPEC, &mut scratch).unwrap();
        assert!(len > i32::MAX as usize, "{len}");
        let too_long = [values, &[b"b"]].concat();
        let refused = page_too_long(values.len(), 1 << 31);
        assert_eq!(encoded_len(&ByteArrays::slices(&too_long), SPEC, &mut scratch).map(|_| vec![]), refused);
    }
}

#[test]
fn a_column_without_values_has_no_offset_or_one() {
    let page = naive::encode(&ByteArrays::slices(&[]), SPEC).unwrap();
    for column in
        [ByteArrays::arrow(&[0_i32; 0], b""), ByteArrays::arrow(&[0_i64; 0], b""), ByteArrays::arrow(&[3_i32], b"abc")]
    {
        let column = column.unwrap();
        let mut out = vec![0xA5; page.len()];
        assert_eq!(naive::encode(&column, SPEC).as_ref(), Ok(&page));
        for path in Path::available() {
            assert_eq!(encode_into_with(path, &column, SPEC, &mut Scratch::new(), &mut out), Ok(page.len()));
            assert_eq!(out, page);
        }
    }
}

/// The lengths of such values fit 32 bits when their upper bits are left out, and are then those of the values that follow.
#[test]
#[cfg(all(target_pointer_width = "64", target_os = "linux"))]
fn equal_values_of_4_gib_are_refused_and_not_taken_for_empty_ones() {
    const LEN: i64 = 1 << 32;
    // Zeroed memory that nobody reads takes no room.
    let data = vec![0; 2 * LEN as usize];
    let offsets = [&[0, 0, 0, LEN][..], &[2 * LEN; 21]].concat();
    let column = ByteArrays::arrow(&offsets, &data).unwrap();
    let refused = EncodeError::ValueTooLong { index: 2, len: LEN as usize };
    for path in Path::available() {
        let mut scratch = Scratch::new();
        assert_eq!(encoded_len_with(path, &column, SPEC, &mut scratch), Err(refused), "{path:?}");
        assert_eq!(encode_into_with(path, &column, SPEC, &mut scratch, &mut []), Err(refused), "{path:?}");
    }
}
