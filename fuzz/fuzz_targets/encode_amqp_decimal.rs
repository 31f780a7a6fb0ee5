//! Every subject of AMQP decimals against naive.
#![cfg_attr(fuzzing, no_main)]

use bytetwin::domain::amqp_decimal::AmqpDecimal;

bytetwin::prove!(encode_amqp_decimal: encode AmqpDecimal);
