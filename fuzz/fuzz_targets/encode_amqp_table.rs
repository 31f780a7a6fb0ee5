//! Every subject of AMQP tables against naive.
#![cfg_attr(fuzzing, no_main)]

use bytetwin::domain::amqp_table::AmqpTable;

bytetwin::prove!(encode_amqp_table: encode AmqpTable);
