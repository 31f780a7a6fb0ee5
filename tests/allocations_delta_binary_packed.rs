//! DELTA_BINARY_PACKED allocates nothing in either direction, and its page writer nothing after the first page.

#[path = "../benches/harness/allocations.rs"]
mod allocations;

use allocations::during;
use bytetwin::codec::Path;
use bytetwin::codec::delta_binary_packed::{self as dbp, Geometry, PageReader, PageWriter};

#[test]
fn pages_are_written_and_read_without_an_allocation() {
    let values: Vec<i64> = (0..3000).map(|i| i * i % 1009).collect();
    for (block_size, miniblock_count) in [(128, 4), (256, 4), (384, 4), (1024, 32), (2048, 8), (2176, 17)] {
        let geometry = Geometry::new(block_size, miniblock_count).unwrap();
        let page = dbp::encode(&values, geometry);
        for path in Path::available() {
            let mut out = vec![0; 8 * values.len() + 10_000];
            let mut read = vec![0; values.len()];
            let count = during(|| {
                dbp::encoded_len(&values, geometry);
                dbp::encode_into_with(path, &values, geometry, &mut out).unwrap();
                dbp::encode_into_with(path, &values, geometry, &mut out[..page.len()]).unwrap();
                dbp::encode_into_with(path, &values, geometry, &mut out[..page.len() - 1]).unwrap_err();
                dbp::decode_into_with(path, &page, &mut read).unwrap();
                dbp::decode_into_with(path, &page[..page.len() - 1], &mut read).unwrap_err();
                let mut reader = PageReader::<i64>::with_path(path, &page).unwrap();
                while reader.remaining() > 0 {
                    reader.skip(100).unwrap();
                    reader.get(&mut read[..77]).unwrap();
                }
                reader.reset(&page).unwrap();
            });
            assert_eq!(count, 0, "{block_size}/{miniblock_count} {}", path.name());
        }
    }
}

#[test]
fn the_page_writer_keeps_its_buffers_for_the_next_page() {
    let values: Vec<i32> = (0..3000).map(|i| i * i % 1009).collect();
    for path in Path::available() {
        let mut writer = PageWriter::with_path(path, Geometry::SPEC_128_4);
        let mut out = vec![0; 20_000];
        let mut page = |piece| {
            during(|| {
                values.chunks(piece).for_each(|values| writer.put(values));
                writer.finish_page(&mut out).unwrap();
            })
        };
        assert_ne!(page(3000), 0, "the first page makes room, or nothing is counted");
        for piece in [3000, 1, 33, 128, 1000] {
            assert_eq!(page(piece), 0, "pieces of {piece}, {}", path.name());
        }
    }
}
