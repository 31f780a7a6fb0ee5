//! What the tests of both codecs have in common.

/// Defines the ways to read a page, and the tests that hold for both codecs.
///
/// `$type` is what a codec decodes by, and `$options` one of it with the given limits.
macro_rules! twin_tests {
    ($type:ty, |$limits:ident| $options:expr) => {
        /// The smallest geometry, which most writers take.
        const SPEC: Geometry = Geometry::SPEC_128_4;

        fn bytes(hex: &str) -> Vec<u8> {
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
        }

        fn page_of(values: &[Vec<u8>], geometry: Geometry) -> Vec<u8> {
            let slices: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
            naive::encode(&ByteArrays::slices(&slices), geometry).unwrap()
        }

        /// Decodes to Arrow form by `path`, and takes the values out.
        fn decode_with(path: Path, page: &[u8], options: &$type) -> Result<(Vec<Vec<u8>>, usize), DecodeError> {
            let (mut offsets, mut data) = (vec![7_i32], vec![7; 3]);
            let consumed = decode_into_with(path, page, options, &mut Scratch::new(), &mut offsets, &mut data)?;
            assert_eq!((offsets[0], offsets[offsets.len() - 1] as usize), (0, data.len()));
            let values = offsets.windows(2).map(|pair| data[pair[0] as usize..pair[1] as usize].to_vec()).collect();
            Ok((values, consumed))
        }

        /// Reads one by one by `path`.
        fn read_with(path: Path, page: &[u8], options: &$type) -> Result<(Vec<Vec<u8>>, usize), DecodeError> {
            let mut scratch = Scratch::new();
            let mut reader = PageReader::with_path(path, page, options, &mut scratch)?;
            let mut values = Vec::new();
            while let Some(value) = reader.next_value() {
                values.push(value.to_vec());
            }
            Ok((values, reader.consumed()))
        }

        #[track_caller]
        fn refused(page: &[u8], options: &$type, error: DecodeError) {
            assert_eq!(naive::decode(page, options), Err(error));
            assert_eq!(decode(page, options), Err(error));
            for path in Path::available() {
                assert_eq!(decode_with(path, page, options), Err(error), "{path:?}");
                if !matches!(error, DecodeError::OutputTooLarge { .. }) {
                    assert_eq!(read_with(path, page, options), Err(error), "{path:?}");
                }
            }
        }

        #[test]
        fn fast_writes_what_naive_writes_for_every_path_form_and_geometry() {
            let mut used = Scratch::new();
            for shape in shapes() {
                for geometry in geometries() {
                    let page = page_of(&shape.values, geometry);
                    for_each_form(&shape.values, |form, column| {
                        let right = naive::encode(&column, geometry);
                        let not_taken = matches!(right, Err(EncodeError::NotByteArray { .. }));
                        assert!(not_taken || right.as_ref() == Ok(&page), "{}, {form}", shape.name);
                        let len = right.map(|page| page.len());
                        assert_eq!(naive::encoded_len(&column, geometry), len);
                        for path in Path::available() {
                            let context = format!("{}, {form}, {geometry:?}, {path:?}", shape.name);
                            let mut out = vec![0xA5; page.len() + 80];
                            // One that was used would hold the right lengths already, from the path before.
                            let written = encode_into_with(path, &column, geometry, &mut Scratch::new(), &mut out);
                            assert_eq!(written, len, "{context}");
                            assert_eq!(encoded_len_with(path, &column, geometry, &mut used), len, "{context}");
                            let end = len.unwrap_or(0);
                            assert!(out[..end] == page[..end], "{context}");
                            assert!(out[end..].iter().all(|&byte| byte == 0xA5), "{context}: wrote past the page");
                        }
                    });
                }
            }
        }

        #[test]
        fn every_capacity_below_the_length_is_refused_and_nothing_touched() {
            let mut scratch = Scratch::new();
            // 13 short values, which DELTA_BYTE_ARRAY stages, and some long ones, which it does not.
            let short: Vec<Vec<u8>> = (0..13).map(|i| format!("value {}", i / 2).into_bytes()).collect();
            let mut numbers = Numbers::new(1);
            let long: Vec<Vec<u8>> = (0..5).map(|_| numbers.bytes(90)).collect();
            let mixed: Vec<Vec<u8>> = [0, 3, 5, 9, 17, 33, 40].map(|len| vec![b'v'; len]).to_vec();
            for values in [&short[..], &long, &mixed, &[]] {
                for_each_form(values, |form, column| {
                    // A column that the codec does not take is refused, whatever the room.
                    let Ok(needed) = naive::encoded_len(&column, SPEC) else { return };
                    for available in 0..=needed + 1 {
                        for fill in [0, 0xFF] {
                            let mut expected = vec![fill; available];
                            let result = naive::encode_into(&column, SPEC, &mut expected);
                            let refused = Err(EncodeError::BufferTooSmall { needed, available });
                            assert_eq!(result, if available < needed { refused } else { Ok(needed) });
                            if available < needed {
                                assert!(expected.iter().all(|&byte| byte == fill));
                            }
                            for path in Path::available() {
                                let mut out = vec![fill; available];
                                let got = encode_into_with(path, &column, SPEC, &mut scratch, &mut out);
                                assert_eq!(got, result, "{form}, {available}, {path:?}");
                                assert_eq!(out, expected, "{form}, {available}, {path:?}");
                            }
                        }
                    }
                });
            }
        }

        #[test]
        fn a_writer_gives_the_pages_of_the_column_encoder() {
            for path in Path::available() {
                for geometry in geometries() {
                    let mut writer = PageWriter::with_path(path, geometry);
                    // One writer for all pages: what it kept of a page would show in the next.
                    for shape in shapes() {
                        let page = page_of(&shape.values, geometry);
                        let mut array = Vec::new();
                        for value in &shape.values {
                            // One array for all values: what the writer did not copy would show as the last value.
                            array.clone_from(value);
                            writer.push(&array).unwrap();
                        }
                        assert_eq!((writer.len(), writer.is_empty()), (shape.values.len(), shape.values.is_empty()));
                        assert_eq!(writer.encoded_len(), page.len());
                        let mut small = vec![0xA5; page.len() - 1];
                        let refused = EncodeError::BufferTooSmall { needed: page.len(), available: page.len() - 1 };
                        assert_eq!(writer.finish_page(&mut small), Err(refused));
                        assert!(small.iter().all(|&byte| byte == 0xA5));
                        let spare = shape.values.len() % 4;
                        let mut out = vec![0xA5; page.len() + spare];
                        assert_eq!(writer.finish_page(&mut out), Ok(page.len()), "{}", shape.name);
                        assert_eq!(out[..page.len()], page, "{}", shape.name);
                        assert_eq!(out[page.len()..], [0xA5; 3][..spare]);
                        assert!(writer.is_empty());
                        assert_eq!(writer.buffered_bytes(), 0);
                    }
                }
            }
        }

        #[test]
        fn every_path_and_way_of_reading_gives_the_values() {
            for shape in shapes() {
                for geometry in geometries() {
                    let page = page_of(&shape.values, geometry);
                    let expected = Ok((shape.values.clone(), page.len()));
                    assert!(naive::decode(&page, &Default::default()) == expected, "{}", shape.name);
                    assert!(decode(&page, &Default::default()) == expected, "{}", shape.name);
                    for path in Path::available() {
                        assert!(decode_with(path, &page, &Default::default()) == expected, "{}, {path:?}", shape.name);
                        assert!(read_with(path, &page, &Default::default()) == expected, "{}, {path:?}", shape.name);
                    }
                }
            }
        }

        #[test]
        fn one_scratch_reads_many_pages_to_either_kind_of_offsets_as_fresh_ones_do() {
            for path in Path::available() {
                let mut scratch = Scratch::new();
                let (mut narrow, mut wide, mut data) = (Vec::<i32>::new(), Vec::<i64>::new(), Vec::new());
                for shape in shapes().iter().chain(shapes().iter().rev()) {
                    let page = page_of(&shape.values, SPEC);
                    let options = Default::default();
                    // A page that is refused on the way must not leave anything either.
                    let half = &page[..page.len() / 2];
                    assert!(decode_into_with(path, half, &options, &mut scratch, &mut narrow, &mut data).is_err());
                    let consumed = decode_into_with(path, &page, &options, &mut scratch, &mut narrow, &mut data);
                    assert_eq!(consumed, Ok(page.len()), "{}", shape.name);
                    assert_eq!(narrow.len(), shape.values.len() + 1);
                    assert!(data == shape.values.concat(), "{}, {path:?}", shape.name);
                    let consumed = decode_into_with(path, &page, &options, &mut scratch, &mut wide, &mut data);
                    assert_eq!(consumed, Ok(page.len()), "{}", shape.name);
                    assert!(narrow.iter().map(|&offset| i64::from(offset)).eq(wide.iter().copied()));
                    assert!(data == shape.values.concat(), "{}, {path:?}", shape.name);
                }
            }
        }

        #[test]
        fn skipping_and_getting_give_the_value_at_every_position() {
            for shape in shapes().into_iter().filter(|shape| shape.values.len() < 70) {
                let page = page_of(&shape.values, SPEC);
                let mut scratch = Scratch::new();
                for at in 0..=shape.values.len() + 1 {
                    let mut reader = PageReader::new(&page, &Default::default(), &mut scratch).unwrap();
                    assert_eq!(reader.skip(at), at.min(shape.values.len()));
                    let rest = shape.values.get(at..).unwrap_or_default();
                    assert_eq!(reader.remaining(), rest.len());
                    for value in rest {
                        assert_eq!(reader.next_value(), Some(&value[..]));
                    }
                    assert_eq!(reader.next_value(), None);
                    assert_eq!(reader.skip(1), 0);
                    assert_eq!(reader.consumed(), page.len());
                }
                // By turns: skip one, get one.
                let mut reader = PageReader::new(&page, &Default::default(), &mut scratch).unwrap();
                for pair in shape.values.chunks(2) {
                    assert_eq!(reader.skip(1), 1);
                    assert_eq!(reader.next_value(), pair.get(1).map(Vec::as_slice));
                }
            }
        }

        #[test]
        fn a_stream_behind_the_page_is_left_alone() {
            let $limits = DecodeLimits { trailing: Trailing::Refused, ..DecodeLimits::default() };
            let (strict, default) = ($options, Default::default());
            for shape in shapes() {
                let page = page_of(&shape.values, SPEC);
                let twice = [&page[..], &page].concat();
                let expected = Ok((shape.values.clone(), page.len()));
                assert!(naive::decode(&twice, &default) == expected, "{}", shape.name);
                assert!(naive::decode(&page, &strict) == expected, "{}", shape.name);
                for path in Path::available() {
                    assert!(decode_with(path, &twice, &default) == expected, "{}", shape.name);
                    assert!(read_with(path, &twice, &default) == expected, "{}", shape.name);
                    assert!(decode_with(path, &page, &strict) == expected, "{}", shape.name);
                }
                refused(&twice, &strict, DecodeError::TrailingBytes { offset: page.len(), available: page.len() });
            }
        }

        #[test]
        fn every_cut_of_a_page_is_an_error() {
            for shape in shapes().into_iter().filter(|shape| shape.values.len() < 40) {
                let page = page_of(&shape.values, SPEC);
                for len in (0..page.len()).rev().take(400) {
                    let error = naive::decode(&page[..len], &Default::default()).expect_err("a page that was cut");
                    refused(&page[..len], &Default::default(), error);
                }
            }
        }
    };
}

pub(in crate::codec) use twin_tests;
