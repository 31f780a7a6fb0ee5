//! Big integers of which each word has none of its bits, all, or one in either half or both: what is done word by word, or
//! half by half, must leave none out.

use num_bigint::BigInt;

use super::samples::{SKIP, column};
use crate::codec::Path;
use crate::codec::decimal::{Decimal, I256, Physical, fast, naive};

fn numbers() -> Vec<BigInt> {
    let word = |digit: usize| [0, 1, 1 << 32, 1 << 32 | 1, u64::MAX][digit % 5];
    (0..625).map(|n| BigInt::from(I256::from_words([word(n), word(n / 5), word(n / 25), word(n / 125)]))).collect()
}

#[test]
fn columns_keep_every_word() {
    let numbers = numbers();
    for physical in [Physical::Fixed(32), Physical::Fixed(33), Physical::ByteArray] {
        let column = column(70, physical);
        let bytes = naive::encode(&numbers, &column, SKIP).expect("fits the bytes");
        assert_eq!(fast::encode(&numbers, &column, SKIP).as_ref(), Ok(&bytes));
        for path in Path::available() {
            let mut out = vec![BigInt::from(5); numbers.len()];
            assert_eq!(fast::decode_into_with(path, &bytes, &column, SKIP, &mut out), Ok(bytes.len()));
            assert_eq!(out, numbers, "{column}, {}", path.name());
        }
    }
}

#[test]
fn a_single_number_keeps_every_word() {
    for number in numbers() {
        let decimal = Decimal::new(number.clone(), 80, 0).expect("up to 78 digits");
        assert_eq!(BigInt::from_signed_bytes_be(&decimal.to_bytes()), number);
    }
}
