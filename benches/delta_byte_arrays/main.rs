//! DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY, both directions: naive, every path of fast, the `parquet` crate's encoders
//! and decoders, whole files through `ArrowWriter` and the arrow reader, and memcpy.
//!
//! `cargo bench --bench delta_byte_arrays --features arrow [-- [--quick] words of the tables]`; tables: `DBA encode`, `DBA
//! decode`, `DLBA encode`, `DLBA decode`, each `matrix` (100,000 strings, out of the caches when they are long), `cached`
//! (fewer) and, for DBA, `FLBA`.
//!
//! `ArrowWriter` and the arrow reader also write and read the metadata of a file; what that takes is printed, so that it
//! can be subtracted where it matters, which is in `cached`.

mod data;
#[path = "../harness/mod.rs"]
mod harness;
mod peers;

use bytetwin::codec::Path;
use bytetwin::codec::byte_arrays::{ByteArrays, DecodeLimits};
use bytetwin::codec::delta_binary_packed::Geometry;
use bytetwin::codec::{delta_byte_array as dba, delta_length_byte_array as dlba};
use data::Column;
use harness::{MEMCPY, Race, Session, print_head, print_lines};
use parquet::basic::Encoding;

const GEOMETRY: Geometry = Geometry::SPEC_128_4;
const CRATE: &str = "parquet crate";
const ARROW: &str = "arrow";

/// One table's line.
type Run = fn(&Column, Option<usize>, &Session);

fn main() {
    data::check_generator();
    let session = Session::start("DELTA byte arrays");
    print_fixed_cost();
    let quick = session.quick();
    let lens: &[usize] = if quick { &[10, 100] } else { &[10, 100, 1000] };
    for (name, count) in [("matrix", if quick { 1000 } else { 100_000 }), ("cached", if quick { 0 } else { 4096 })] {
        let wanted = |codec: &str, way: &str| count > 0 && session.wants(&format!("{codec} {way} {name}"));
        let columns = |len: usize| {
            let count = if name == "cached" && len == 1000 { count / 8 } else { count };
            let mut columns = data::strings(count, len);
            if len == 10 {
                columns.push(data::variable(count, 37));
            }
            columns
        };
        let tables: [(&str, &str, Run); 4] = [
            ("DBA", "encode", encode_dba),
            ("DBA", "decode", decode_dba),
            ("DLBA", "encode", encode_dlba),
            ("DLBA", "decode", decode_dlba),
        ];
        for (codec, way, run) in tables {
            if wanted(codec, way) {
                print_head(&format!("{codec} {way} {name}, {count} values"), &[CRATE, ARROW]);
                for &len in lens {
                    columns(len).iter().for_each(|column| run(column, None, &session));
                }
            }
        }
    }
    for (way, run) in [("encode", encode_dba as Run), ("decode", decode_dba)] {
        let count = if quick { 1000 } else { 100_000 };
        if session.wants(&format!("DBA {way} FLBA")) {
            print_head(&format!("DBA {way} FLBA, {count} values"), &[CRATE, ARROW]);
            for width in [2, 12, 16] {
                data::fixed_len(count, width).iter().for_each(|column| run(column, Some(width), &session));
            }
        }
    }
}

/// What a file of one value takes.
fn print_fixed_cost() {
    let column = data::variable(1, 3);
    let arrow = peers::Arrow::new(&column, None, Encoding::DELTA_BYTE_ARRAY);
    let mut file = Vec::new();
    let time = |f: &mut dyn FnMut()| {
        let samples = (0..2000).map(|_| {
            let start = std::time::Instant::now();
            f();
            start.elapsed().as_nanos()
        });
        samples.min().unwrap_or(0)
    };
    let write = time(&mut || arrow.write(&mut file));
    let bytes = arrow.file();
    let read = time(&mut || assert!(arrow.read(&bytes) > 0));
    println!("* a file of one value takes {ARROW} {write} ns to write and {read} ns to read");
}

fn column_of(column: &Column, width: Option<usize>) -> ByteArrays<'_> {
    match width {
        Some(width) => ByteArrays::fixed_len(width, &column.data).expect("values of this width"),
        None => ByteArrays::arrow(&column.offsets, &column.data).expect("offsets that rise"),
    }
}

/// What all contenders of an encoding race share.
struct Encoded {
    out: Vec<u8>,
    file: Vec<u8>,
}

/// Bytes that an encoder reads and writes, or a decoder.
fn traffic(column: &Column, page: &[u8]) -> usize {
    column.data.len() + column.offsets.len() * 4 + page.len()
}

/// Defines the race of all that writes pages of an encoding.
macro_rules! encode_race {
    ($name:ident, $codec:ident, $encoding:expr) => {
        fn $name(column: &Column, width: Option<usize>, session: &Session) {
            let values = column_of(column, width);
            let slices = column.slices();
            let as_slices = ByteArrays::slices(&slices);
            let page = $codec::naive::encode(&values, GEOMETRY).expect("a page");
            let peers_values = peers::Values::new(column, width);
            let mut encoder = peers::encoder($encoding, &peers_values);
            let arrow = peers::Arrow::new(column, width, $encoding);
            let traffic = traffic(column, &page);
            let state = Encoded { out: vec![0; page.len()], file: Vec::new() };
            let mut race = Race::new(&column.name, column.len(), traffic, state);

            assert!(encoder() == page, "{}: the parquet crate writes other bytes", column.name);
            race.add("naive", |s| {
                $codec::naive::encode_into(&values, GEOMETRY, &mut s.out).expect("room");
            });
            for path in Path::available() {
                let mut scratch = $codec::Scratch::new();
                let mut out = vec![0; page.len()];
                $codec::encode_into_with(path, &values, GEOMETRY, &mut scratch, &mut out).expect("room");
                assert!(out == page, "{}: {path:?} writes other bytes", column.name);
                race.add(path.name(), move |s| {
                    $codec::encode_into_with(path, &values, GEOMETRY, &mut scratch, &mut s.out).expect("room");
                });
            }
            let mut scratch = $codec::Scratch::new();
            race.add("best, slices", move |s| {
                $codec::encode_into(&as_slices, GEOMETRY, &mut scratch, &mut s.out).expect("room");
            });
            let mut writer = $codec::PageWriter::new(GEOMETRY);
            let pushed = &slices;
            race.add("best, pushed", move |s| {
                pushed.iter().for_each(|value| writer.push(value).expect("a value"));
                writer.finish_page(&mut s.out).expect("room");
            });
            race.add(CRATE, |_| drop(encoder()));
            race.add(ARROW, |s| arrow.write(&mut s.file));
            add_memcpy(&mut race, traffic);
            print_lines(&race.run(session), &[CRATE, ARROW]);
        }
    };
}

encode_race!(encode_dba, dba, Encoding::DELTA_BYTE_ARRAY);
encode_race!(encode_dlba, dlba, Encoding::DELTA_LENGTH_BYTE_ARRAY);

/// Adds the copy of half of the traffic.
fn add_memcpy<S>(race: &mut Race<'_, S>, traffic: usize) {
    let from = vec![1_u8; traffic / 2];
    let mut to = vec![0_u8; traffic / 2];
    race.add(MEMCPY, move |_| {
        to.copy_from_slice(&from);
        std::hint::black_box(&mut to);
    });
}

/// The Arrow array that all contenders of ours decode into.
#[derive(Default)]
struct Decoded {
    offsets: Vec<i32>,
    data: Vec<u8>,
}

/// Defines the race of all that reads pages of an encoding. Decoders have their own options, and ways of reading.
macro_rules! decode_race {
    ($name:ident, $codec:ident, $encoding:expr, |$width:ident, $limits:ident| $options:expr, $others:expr) => {
        fn $name(column: &Column, $width: Option<usize>, session: &Session) {
            let page = $codec::naive::encode(&column_of(column, $width), GEOMETRY).expect("a page");
            let $limits = DecodeLimits { max_bytes: usize::MAX, ..DecodeLimits::default() };
            let options = $options;
            let (page, options) = (&page, &options);
            let traffic = traffic(column, page);
            let mut race = Race::new(&column.name, column.len(), traffic, Decoded::default());
            race.add("naive", |_| drop($codec::naive::decode(page, options).expect("a page")));
            for path in Path::available() {
                let mut scratch = $codec::Scratch::new();
                let mut s = Decoded::default();
                let (offsets, data) = (&mut s.offsets, &mut s.data);
                $codec::decode_into_with(path, page, options, &mut scratch, offsets, data).expect("a page");
                let right = s.offsets == column.offsets && s.data == column.data;
                assert!(right, "{}: {path:?} reads other values", column.name);
                race.add(path.name(), move |s| {
                    let (offsets, data) = (&mut s.offsets, &mut s.data);
                    $codec::decode_into_with(path, page, options, &mut scratch, offsets, data).expect("a page");
                });
            }
            $others(&mut race, page, options);
            let mut scratch = $codec::Scratch::new();
            race.add("best, one by one", move |_| {
                let mut reader = $codec::PageReader::new(page, options, &mut scratch).expect("a page");
                while let Some(value) = reader.next_value() {
                    std::hint::black_box(value);
                }
            });
            let mut peer = peers::decoder($encoding, $width, column.len());
            let bytes = bytes::Bytes::from(page.clone());
            race.add(CRATE, move |_| peer(&bytes));
            let arrow = peers::Arrow::new(column, $width, $encoding);
            let file = arrow.file();
            race.add(ARROW, move |_| assert_eq!(arrow.read(&file), column.data.len()));
            add_memcpy(&mut race, traffic);
            print_lines(&race.run(session), &[CRATE, ARROW]);
        }
    };
}

decode_race!(
    decode_dba,
    dba,
    Encoding::DELTA_BYTE_ARRAY,
    |width, limits| dba::DecodeOptions { limits, value_len: width, ..dba::DecodeOptions::default() },
    |_: &mut Race<'_, Decoded>, _, _| {}
);
decode_race!(decode_dlba, dlba, Encoding::DELTA_LENGTH_BYTE_ARRAY, |width, limits| limits, add_offsets);

/// Adds the decoder that leaves the bytes of DELTA_LENGTH_BYTE_ARRAY where they are.
fn add_offsets<'a>(race: &mut Race<'a, Decoded>, page: &'a [u8], limits: &'a DecodeLimits) {
    let mut scratch = dlba::Scratch::new();
    race.add("best, offsets only", move |s| {
        dlba::decode_offsets_into(page, limits, &mut scratch, &mut s.offsets).expect("a page");
    });
}
