//! Parquet DECIMAL, both directions: naive, a bare loop over bytes, every path of fast, the `parquet` crate, arrow, and
//! memcpy.
//!
//! `cargo bench --features arrow --bench decimal [-- [--quick] words of the tables]`; tables: `encode i128`, `decode i256`,
//! `out of cache` and so on, `BYTE_ARRAY`, `rust_decimal`, `one value`, `pull request`.
//!
//! Values are uniform over the precision that the width holds, and every one is held against it. Peers: `PlainEncoder`
//! copies values that somebody else has turned into bytes; `build + Plain` also turns them; `ArrowWriter` starts from
//! the same integers as we do.

#[path = "../harness/mod.rs"]
mod harness;

mod byte_array;
mod columns;
mod peers;
mod singles;
mod values;

use bytetwin::codec::decimal::I256;
use harness::{Session, Time};

/// Values of a column that stays in the L2 cache, and of one that does not fit the L3 share of a core.
const IN_CACHE: usize = 8192;
const OUT_OF_CACHE: usize = 4 << 20;

fn main() {
    let session = Session::start("DECIMAL");
    let count = if session.quick() { 512 } else { IN_CACHE };
    let large = if session.quick() { 4096 } else { OUT_OF_CACHE };
    columns::tables::<i128>(&session, "", count, &[1, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    columns::tables::<i64>(&session, "", count, &[1, 2, 3, 4, 5, 6, 7, 8]);
    columns::tables::<i32>(&session, "", count, &[1, 2, 3, 4]);
    columns::tables::<I256>(&session, "", count, &[17, 20, 21, 24, 25, 28, 32]);
    columns::tables::<i128>(&session, ", out of cache", large, &[5, 8, 9, 13, 16]);
    columns::tables::<i64>(&session, ", out of cache", 2 * large, &[5, 8]);
    columns::tables::<i32>(&session, ", out of cache", 4 * large, &[3, 4]);
    columns::tables::<I256>(&session, ", out of cache", large / 2, &[17, 24, 32]);
    columns::little_endian(&session, count);
    byte_array::table(&session, count);
    columns::rust_decimal(&session, count);
    singles::one_value(&session, if session.quick() { 64 } else { 1024 });
    singles::pull_request(&session);
}

/// What `encode_into` promises.
fn assert_no_allocation(times: &[Time]) {
    for t in times.iter().filter(|t| ["portable", "avx2", "avx512"].contains(&t.contender.as_str())) {
        assert_eq!(t.allocations, 0, "{}, {}", t.case, t.contender);
    }
}
