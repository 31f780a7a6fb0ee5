//! One hash per exhaustive slice of a codec's inputs: a changed byte anywhere changes the digest that names its slice.
//!
//! The digests are committed in `corpus/digests.txt`. The fast twin recomputes them in seconds to minutes, naive in the
//! long run. A digest says that nothing changed, not what is right: that is what naive and the vectors are for.

use crate::codec::path::Path;
use std::hash::Hasher;
use twox_hash::XxHash3_64;

mod amqp;
mod decimal;
mod delta;

/// Who computes a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twin {
    /// The reference.
    Naive,
    /// The fast twin on a path.
    Fast(Path),
}

/// A slice: a set of inputs that is gone through to the last one.
pub struct Slice {
    /// Its name: codec and set.
    pub name: &'static str,
    /// What is in it.
    pub about: &'static str,
    /// Whether the fast twin goes through it in a moment.
    pub quick: bool,
    compute: fn(Twin, &mut Sink<'_>),
}

/// Where encodings go. The hash covers the length of each, so that bytes cannot move from one to the next.
pub struct Sink<'a> {
    hash: XxHash3_64,
    bytes: u64,
    progress: &'a dyn Fn(u64),
}

impl Sink<'_> {
    fn put(&mut self, encoding: &[u8]) {
        self.hash.write_u64(encoding.len() as u64);
        self.hash.write(encoding);
        self.bytes += encoding.len() as u64;
        (self.progress)(self.bytes);
    }
}

/// Every slice.
pub const SLICES: &[Slice] = &[
    Slice {
        name: "decimal/i16",
        about: "every 16-bit value at every width from 1 to 32 octets, as i32, i64, i128 and i256",
        quick: true,
        compute: decimal::every_i16,
    },
    Slice {
        name: "decimal/byte_array",
        about: "every 16-bit value, and both neighbours of every power of two and of ten, as BYTE_ARRAY",
        quick: true,
        compute: decimal::byte_arrays,
    },
    Slice {
        name: "decimal/i32",
        about: "every 32-bit value at every width from 4 to 16 octets",
        quick: false,
        compute: decimal::every_i32,
    },
    Slice {
        name: "amqp_decimal/errata",
        about: "every word of scale 2, two's complement",
        quick: false,
        compute: amqp::errata,
    },
    Slice {
        name: "amqp_decimal/dotnet",
        about: "every word of scale 2, sign and magnitude",
        quick: false,
        compute: amqp::dotnet,
    },
    Slice {
        name: "amqp_decimal/unsigned",
        about: "every word of scale 2, unsigned",
        quick: false,
        compute: amqp::unsigned,
    },
    Slice {
        name: "delta_binary_packed/geometry",
        about: "every geometry up to 1024 values a block, counts around its edges, every width, INT32 and INT64",
        quick: true,
        compute: delta::geometries,
    },
];

impl Slice {
    /// The digest, as 16 hex digits. `progress` is told the bytes done so far.
    pub fn digest(&self, twin: Twin, progress: &dyn Fn(u64)) -> String {
        let mut sink = Sink { hash: XxHash3_64::new(), bytes: 0, progress };
        (self.compute)(twin, &mut sink);
        format!("{:016x}", sink.hash.finish())
    }
}

/// The digests of a file: `name digest` lines, `#` for comments.
pub fn parse(text: &str) -> Vec<(&str, &str)> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.trim().split_once(' ')).collect()
}
