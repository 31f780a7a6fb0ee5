//! Every subject of DELTA_BINARY_PACKED against naive.
#![cfg_attr(fuzzing, no_main)]

use bytetwin::domain::delta_binary_packed::DeltaBinaryPacked;

bytetwin::prove!(decode_delta_binary_packed: decode DeltaBinaryPacked);
