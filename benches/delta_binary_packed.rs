//! DELTA_BINARY_PACKED, both directions: naive, every path of fast, the `parquet` crate set to the same geometry, and memcpy.
//!
//! `cargo bench --bench delta_binary_packed [-- [--quick] words of the tables]`; tables: `encode i32`, `decode i64`,
//! `geometries`, `lean` (exact room; pages in pieces).

mod harness;

use bytetwin::codec::Path;
use bytetwin::codec::delta_binary_packed::{self as dbp, Geometry, Integer, PageWriter, Profile, naive};
use harness::{MEMCPY, Race, Session, print_head, print_lines};
use parquet::data_type::{DataType, Int32Type, Int64Type};
use parquet::encodings::decoding::{Decoder as _, DeltaBitPackDecoder};
use parquet::encodings::encoding::{DeltaBinaryPackedEncoderOptions, DeltaBitPackEncoder, Encoder as _};

const PARQUET: &str = "parquet";

/// The type of the `parquet` crate for a type of ours, and its decoder over its own page of the values.
trait Column: Integer {
    type Peer: DataType<T = Self>;
    fn peer_decoder(values: &[Self], geometry: Geometry) -> impl FnMut(&mut [Self]);
}

macro_rules! column {
    ($type:ty, $peer:ty) => {
        impl Column for $type {
            type Peer = $peer;

            fn peer_decoder(values: &[Self], geometry: Geometry) -> impl FnMut(&mut [Self]) {
                let mut encoder = peer::<Self>(geometry);
                encoder.put(values).expect("values of the type");
                let page = encoder.flush_buffer().expect("a page");
                move |out| {
                    let mut decoder = DeltaBitPackDecoder::<$peer>::new();
                    decoder.set_data(page.clone(), out.len()).expect("its own page");
                    assert_eq!(decoder.get(out).expect("its own page"), out.len());
                }
            }
        }
    };
}

column!(i32, Int32Type);
column!(i64, Int64Type);

fn main() {
    let session = Session::start("DELTA_BINARY_PACKED");
    let count = if session.quick() { 1025 } else { 32_769 };
    table("i32", &session, &shapes_i32(count), &[Geometry::SPEC_128_4]);
    table("i64", &session, &shapes_i64(count), &[Geometry::SPEC_128_4, Profile::ParquetRs.geometry::<i64>()]);
    let geometries =
        [(128, 1), (256, 4), (1024, 32), (2048, 8), (384, 3)].map(|(b, m)| Geometry::new(b, m).expect("a legal one"));
    let narrow: Vec<_> = shapes_i32(count).into_iter().filter(|shape| shape.0 == "sorted-w4").collect();
    table("i32 geometries", &session, &narrow, &geometries);
    let wide: Vec<_> = shapes_i64(count).into_iter().filter(|shape| shape.0 == "sorted-w16").collect();
    table("i64 geometries", &session, &wide, &geometries);
    lean(&session, &narrow[0].1);
}

fn table<T: Column>(name: &str, session: &Session, shapes: &[(&'static str, Vec<T>)], geometries: &[Geometry]) {
    for (direction, race) in [("encode", encode as fn(_, &[T], _, &_) -> _), ("decode", decode)] {
        let title = format!("{direction} {name}");
        if !session.wants(&title) {
            continue;
        }
        print_head(&title, &[PARQUET]);
        for &geometry in geometries {
            for (shape, values) in shapes {
                let case = format!("{shape} {}/{}", geometry.block_size(), geometry.miniblock_count());
                print_lines(&race(case, values, geometry, session), &[PARQUET]);
            }
        }
    }
}

fn peer<T: Column>(geometry: Geometry) -> DeltaBitPackEncoder<T::Peer> {
    let options = DeltaBinaryPackedEncoderOptions::try_new(geometry.block_size(), geometry.miniblock_count());
    DeltaBitPackEncoder::new_with_options(options.expect("a legal geometry"))
}

fn encode<T: Column>(case: String, values: &[T], geometry: Geometry, session: &Session) -> Vec<harness::Time> {
    let page = naive::encode(values, geometry);
    let mut peer = peer::<T>(geometry);
    peer.put(values).expect("values of the type");
    assert_eq!(page, peer.flush_buffer().expect("a page"), "{case}: the peer writes another page");

    // As much as the worst case takes.
    let room = vec![0_u8; size_of_val(values) + values.len() / 4 + 20_000];
    let traffic = size_of_val(values) + page.len();
    let mut race = Race::new(case, values.len(), traffic, room);
    race.add("naive", |out| {
        naive::encode_into(values, geometry, out).expect("there is room");
    });
    for path in Path::available() {
        let mut out = vec![0; page.len()];
        assert_eq!(dbp::encode_into_with(path, values, geometry, &mut out), Ok(page.len()));
        assert!(out == page, "{path:?} writes another page");
        race.add(path.name(), move |out| {
            dbp::encode_into_with(path, values, geometry, out).expect("there is room");
        });
    }
    race.add(PARQUET, move |_| {
        peer.put(values).expect("values of the type");
        std::hint::black_box(peer.flush_buffer().expect("a page"));
    });
    add_memcpy(&mut race, traffic);
    race.run(session)
}

fn decode<T: Column>(case: String, values: &[T], geometry: Geometry, session: &Session) -> Vec<harness::Time> {
    let page = naive::encode(values, geometry);
    let mut out = vec![T::default(); values.len()];
    let traffic = size_of_val(values) + page.len();
    let mut peer = T::peer_decoder(values, geometry);
    peer(&mut out);
    assert!(out == values, "{case}: the peer reads other values");

    let mut race = Race::new(case, values.len(), traffic, out);
    race.add("naive", |out| {
        naive::decode_into(&page, out).expect("our page");
    });
    for path in Path::available() {
        let mut out = vec![T::default(); values.len()];
        dbp::decode_into_with(path, &page, &mut out).expect("our page");
        assert!(out == values, "{path:?} reads other values");
        let page = &page;
        race.add(path.name(), move |out| {
            dbp::decode_into_with(path, page, out).expect("our page");
        });
    }
    race.add(PARQUET, move |out| peer(out));
    add_memcpy(&mut race, traffic);
    race.run(session)
}

/// What it costs to have no more room than the page takes, and to put a page in pieces.
fn lean(session: &Session, values: &[i32]) {
    if !session.wants("lean") {
        return;
    }
    let geometry = Geometry::SPEC_128_4;
    let page = dbp::encode(values, geometry);
    print_head("lean", &[]);
    let mut race = Race::new("sorted-w4 128/4", values.len(), size_of_val(values) + page.len(), vec![0; 200_000]);
    let len = page.len();
    race.add("encoded_len", |_| assert_eq!(dbp::encoded_len(values, geometry), len));
    race.add("into all room", |out| {
        dbp::encode_into(values, geometry, out).expect("there is room");
    });
    race.add("into just the room", |out| {
        dbp::encode_into(values, geometry, &mut out[..len]).expect("there is room");
    });
    let mut writer = PageWriter::new(geometry);
    race.add("in pieces of 1000", move |out| {
        values.chunks(1000).for_each(|piece| writer.put(piece));
        assert_eq!(writer.finish_page(out), Ok(len));
    });
    let mut writer = PageWriter::new(geometry);
    race.add("in pieces of 10", move |out| {
        values.chunks(10).for_each(|piece| writer.put(piece));
        assert_eq!(writer.finish_page(out), Ok(len));
    });
    print_lines(&race.run(session), &[]);
}

fn add_memcpy<S>(race: &mut Race<'_, S>, traffic: usize) {
    let (from, mut to) = (vec![1_u8; traffic / 2], vec![0_u8; traffic / 2]);
    race.add(MEMCPY, move |_| to.copy_from_slice(std::hint::black_box(&from)));
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// The top `bits` of the next.
    fn bits(&mut self, bits: u32) -> i64 {
        (self.next() >> (64 - bits)) as i64
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

fn running(count: usize, mut delta: impl FnMut() -> i64) -> Vec<i64> {
    let mut value = 1_000_000_i64;
    (0..count)
        .map(|_| {
            value = value.wrapping_add(delta());
            value
        })
        .collect()
}

fn shuffled(count: usize, random: &mut Random) -> Vec<i64> {
    let mut values: Vec<i64> = (0..count as i64).collect();
    (1..count).rev().for_each(|last| values.swap(last, random.below(last + 1)));
    values
}

fn low_cardinality(count: usize, random: &mut Random) -> Vec<i64> {
    let dictionary: Vec<i64> = (0..100).map(|_| random.bits(31)).collect();
    (0..count).map(|_| dictionary[random.below(100)]).collect()
}

fn shapes_i32(count: usize) -> Vec<(&'static str, Vec<i32>)> {
    let r = &mut Random(42);
    let shapes = [
        ("sequential", (0..count as i64).collect()),
        ("sorted-w4", running(count, || r.bits(4))),
        ("lengths-w7", (0..count).map(|_| r.bits(6)).collect()),
        ("w12", running(count, || r.bits(12) - 2048)),
        ("w20", running(count, || r.bits(20))),
        ("outliers", (0..count).map(|i| if i % 1000 == 999 { 1 << 30 } else { r.bits(4) }).collect()),
        ("shuffled", shuffled(count, r)),
        ("low cardinality", low_cardinality(count, r)),
        ("random", (0..count).map(|_| r.next() as i64).collect()),
    ];
    shapes.into_iter().map(|(name, values): (_, Vec<i64>)| (name, values.iter().map(|&v| v as i32).collect())).collect()
}

fn shapes_i64(count: usize) -> Vec<(&'static str, Vec<i64>)> {
    let r = &mut Random(42);
    Vec::from([
        ("sequential", (0..count as i64).collect()),
        ("ts-jitter-w10", running(count, || 1_000_000 + r.bits(10) - 512)),
        ("sorted-w16", running(count, || r.bits(16))),
        ("shuffled", shuffled(count, r)),
        ("low cardinality", low_cardinality(count, r)),
        ("w40", running(count, || r.bits(40))),
        ("random", (0..count).map(|_| r.next() as i64).collect()),
    ])
}
