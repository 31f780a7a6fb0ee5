//! An encoder of one's own, proven by one line.
//!
//! [`mine`] is an encoder as somebody might write it, with a bug that num-bigint really had
//! (<https://github.com/rust-num/num-bigint/pull/72>). `prove!` below makes of it
//!
//! * a bounded run, with `cargo run --example my_encoder` (and judges of files: name them behind `--`),
//! * a `#[test]`, where the line stands in a crate's tests,
//! * a target of `cargo fuzz`, where it stands in `fuzz_targets/`.
//!
//! What this one prints, in well under a second:
//!
//! ```text
//! FINDING encode_decimal: mine differs from naive (identity)
//!   codec: decimal
//!   job: encode
//!   column: DECIMAL(3,0) BYTE_ARRAY
//!   form: i128
//!   values: 128
//! encode into 6 bytes
//!   byte 0 (value 0, length = 2)
//!     right [02]000000
//!     wrong [01]000000
//!   byte 4 (value 0, unscaled, big-endian = 128)
//!     right [00]80
//!     wrong [80]
//!   1 byte too few
//! replay
//!   target/debug/examples/my_encoder --hex 0101000300020c00000000018002
//! ```

mod mine;

use bytetwin::domain::decimal::Decimal;

bytetwin::prove!(my_encoder: encode Decimal = mine::Mine::default());
