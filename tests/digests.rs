//! The committed digests of the quick slices are what every path of the fast twins gives, and a changed byte changes
//! the digest that names its slice. The long slices are `bytetwin digest --all`; this test says which it left out.

#![cfg(feature = "harness")]

use bytetwin::codec::Path;
use bytetwin::digest::{SLICES, Twin, parse};

const COMMITTED: &str = include_str!("../corpus/digests.txt");

#[test]
fn every_path_gives_the_committed_digest_of_every_quick_slice() {
    let committed = parse(COMMITTED);
    for slice in SLICES.iter().filter(|slice| slice.quick) {
        let known = committed.iter().find(|(name, _)| *name == slice.name).map(|(_, digest)| *digest);
        for path in Path::available() {
            let digest = slice.digest(Twin::Fast(path), &|_| ());
            assert_eq!(Some(digest.as_str()), known, "{} on {}", slice.name, path.name());
        }
    }
    let long: Vec<_> = SLICES.iter().filter(|slice| !slice.quick).map(|slice| slice.name).collect();
    eprintln!("not computed here, but by `bytetwin digest --all`: {}", long.join(", "));
}

#[test]
fn every_slice_is_committed_once_and_nothing_else_is() {
    let names: Vec<_> = parse(COMMITTED).into_iter().map(|(name, _)| name).collect();
    let slices: Vec<_> = SLICES.iter().map(|slice| slice.name).collect();
    assert_eq!(names, slices);
}
