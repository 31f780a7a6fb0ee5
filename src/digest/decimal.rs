//! Slices of Parquet DECIMAL.

use super::{Sink, Twin};
use crate::codec::decimal::{
    Column, ColumnOptions, I256, Physical, PrecisionCheck, Values, encode_into_with, max_precision, naive,
};

const UNCHECKED: ColumnOptions =
    ColumnOptions { precision_check: PrecisionCheck::Skip, rounding: crate::codec::decimal::Rounding::Exact };

fn put(twin: Twin, values: Values<'_>, column: &Column, out: &mut Vec<u8>, sink: &mut Sink<'_>) {
    let needed = naive::encoded_len(values, column, UNCHECKED).unwrap_or(0);
    out.resize(needed, 0);
    let written = match twin {
        Twin::Naive => naive::encode_into(values, column, UNCHECKED, out),
        Twin::Fast(path) => encode_into_with(path, values, column, UNCHECKED, out),
    };
    match written {
        Ok(written) => sink.put(&out[..written]),
        // A refusal is part of the slice too.
        Err(error) => sink.put(format!("{error:?}").as_bytes()),
    }
}

fn fixed(width: u32) -> Option<Column> {
    let precision = u32::try_from(max_precision(width)).ok()?;
    Column::new(precision.max(1), 0, Physical::Fixed(width)).ok()
}

pub(super) fn every_i16(twin: Twin, sink: &mut Sink<'_>) {
    let mut out = Vec::new();
    for column in (1..=32).filter_map(fixed) {
        let narrow = column.physical() == Physical::Fixed(1);
        let all: Vec<i16> = (i16::MIN..=i16::MAX).filter(|value| !narrow || i8::try_from(*value).is_ok()).collect();
        let list: Vec<i32> = all.iter().map(|value| (*value).into()).collect();
        put(twin, Values::I32(&list), &column, &mut out, sink);
        let list: Vec<i64> = all.iter().map(|value| (*value).into()).collect();
        put(twin, Values::I64(&list), &column, &mut out, sink);
        let list: Vec<i128> = all.iter().map(|value| (*value).into()).collect();
        put(twin, Values::I128(&list), &column, &mut out, sink);
        let list: Vec<I256> = list.into_iter().map(I256::from_i128).collect();
        put(twin, Values::I256(&list), &column, &mut out, sink);
    }
}

pub(super) fn byte_arrays(twin: Twin, sink: &mut Sink<'_>) {
    let Ok(column) = Column::new(38, 0, Physical::ByteArray) else { return };
    let mut list: Vec<i128> = (i16::MIN..=i16::MAX).map(i128::from).collect();
    for power in (0..127).map(|k| 1i128 << k).chain((0..39).map(|k| 10i128.pow(k))) {
        list.extend([power - 1, power, power + 1, -power - 1, -power, -power + 1]);
    }
    put(twin, Values::I128(&list), &column, &mut Vec::new(), sink);
}

pub(super) fn every_i32(twin: Twin, sink: &mut Sink<'_>) {
    let mut out = Vec::new();
    let mut list = vec![0i32; 1 << 16];
    for column in (4..=16).filter_map(fixed) {
        for high in 0..1u32 << 16 {
            for (low, value) in list.iter_mut().enumerate() {
                *value = (high << 16 | low as u32) as i32;
            }
            put(twin, Values::I32(&list), &column, &mut out, sink);
        }
    }
}
