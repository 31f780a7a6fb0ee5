//! Every subject of DELTA_LENGTH_BYTE_ARRAY against naive.
#![cfg_attr(fuzzing, no_main)]

use bytetwin::domain::delta_length_byte_array::DeltaLengthByteArray;

bytetwin::prove!(decode_delta_length_byte_array: decode DeltaLengthByteArray);
