//! Every subject of Parquet DECIMAL against naive.
#![cfg_attr(fuzzing, no_main)]

use bytetwin::domain::decimal::Decimal;

bytetwin::prove!(encode_decimal: encode Decimal);
