//! Every subject of DELTA_BYTE_ARRAY against naive.
#![cfg_attr(fuzzing, no_main)]

use bytetwin::domain::delta_byte_array::DeltaByteArray;

bytetwin::prove!(encode_delta_byte_array: encode DeltaByteArray);
