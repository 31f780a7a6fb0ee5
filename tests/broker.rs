//! A real RabbitMQ server as a judge: headers go through it unchanged, and what it has parsed and written anew reads the
//! same. Run by `tests/broker.sh`, which starts a server and names its address in `BYTETWIN_BROKER`; by themselves these tests
//! are ignored.
#![cfg(feature = "naive")]

#[path = "support/amqp_client.rs"]
mod amqp_client;

use amqp_client::Client;
use bytetwin::codec::amqp_decimal::{self, Profile, Raw};
use bytetwin::codec::amqp_table::{self, Entry, Field, Params, Table};
use std::time::{Duration, Instant};

fn broker() -> Client {
    let address = std::env::var("BYTETWIN_BROKER").expect("BYTETWIN_BROKER names a server; tests/broker.sh starts one");
    Client::connect(&address)
}

fn entry(name: impl Into<String>, value: Field<'static>) -> Entry<'static> {
    Entry::new(name.into().into_bytes(), value)
}

/// Every decimal border of a profile.
fn decimals(profile: Profile) -> Table<'static> {
    let mantissas = [profile.min_mantissa(), profile.min_mantissa() + 1, -1, 0, 1, 110, profile.max_mantissa()];
    let mut values: Vec<Raw> = [0, 1, 2, 28, profile.max_scale()]
        .into_iter()
        .flat_map(|scale| mantissas.map(|mantissa| Raw::new(mantissa, scale)))
        .filter(|value| profile != Profile::Unsigned || !value.is_negative())
        .collect();
    if profile == Profile::DotNet {
        values.push(Raw::negative_zero(2));
    }
    let entries =
        values.into_iter().enumerate().map(|(i, value)| entry(format!("decimal{i:02}"), Field::Decimal(value)));
    entries.collect::<Vec<_>>().into()
}

/// Every type of RabbitMQ's reading.
fn every_type() -> Table<'static> {
    let text = |text: &'static str| Field::LongString(text.as_bytes().into());
    let array = vec![Field::LongInt(54321), text("A long string"), Field::Array(vec![Field::Void].into())];
    vec![
        entry("array", Field::Array(array.into())),
        entry("binary", Field::Binary(vec![0, 0x80, 0xff].into())),
        entry("bool", Field::Boolean(true)),
        entry("byte", Field::ShortShortInt(-128)),
        entry("decimal", Field::Decimal(Raw::new(-15, 1))),
        entry("double", Field::Double(-1.5e300)),
        entry("empty array", Field::Array(Vec::new().into())),
        entry("empty string", text("")),
        entry("empty table", Field::Table(Vec::new().into())),
        entry("false", Field::Boolean(false)),
        entry("float", Field::Float(0.15625)),
        entry("long", Field::LongLongInt(i64::MIN)),
        entry("short", Field::ShortInt(i16::MIN)),
        entry("signedint", Field::LongInt(i32::MIN)),
        entry("string", text("Gr\u{fc}\u{df}e")),
        entry("table", Field::Table(decimals(Profile::Errata))),
        entry("timestamp", Field::Timestamp(u64::MAX)),
        entry("unsignedbyte", Field::ShortShortUint(u8::MAX)),
        entry("unsignedint", Field::LongUint(u32::MAX)),
        entry("unsignedshort", Field::ShortUint(u16::MAX)),
        entry("void", Field::Void),
    ]
    .into()
}

/// As many levels of tables and arrays as are read by default.
fn deep() -> Table<'static> {
    let mut table: Table = vec![entry("bottom", Field::Decimal(Raw::new(1234, 2)))].into();
    for level in 1..Params::DEFAULT_MAX_DEPTH / 2 {
        let array = Field::Array(vec![Field::Table(table)].into());
        table = vec![entry(format!("level{level}"), array)].into();
    }
    vec![entry("top", Field::Table(table))].into()
}

/// Tables with the parameters under which they are written.
fn messages() -> Vec<(Table<'static>, Params)> {
    let with = |profile| (decimals(profile), Params::default().with_decimals(profile));
    let mut messages: Vec<_> = Profile::ALL.map(with).into();
    messages.extend([(every_type(), Params::default()), (deep(), Params::default())]);
    messages.push((Table::default(), Params::default()));
    messages
}

#[test]
#[ignore = "needs a RabbitMQ server: tests/broker.sh starts one"]
fn headers_come_back_octet_for_octet_and_value_for_value() {
    let mut client = broker();
    client.declare("octets", &[0; 4]);
    for (table, params) in messages() {
        let headers = amqp_table::encode(&table, params).unwrap();
        assert_eq!(amqp_table::naive::encode(&table, params).as_ref(), Ok(&headers));
        client.publish("octets", &headers, b"body");
        let message = client.get("octets").expect("the message");
        assert_eq!(message.headers, headers);
        assert_eq!(message.body, b"body");
        assert_eq!(amqp_table::decode(&message.headers, params).unwrap().0.to_table(), table);
        assert_eq!(amqp_table::naive::decode(&message.headers, params), Ok((table, headers.len())));
    }
    client.close();
}

/// A message that goes to a dead-letter queue gets new headers: the server parses the table and writes it anew.
#[test]
#[ignore = "needs a RabbitMQ server: tests/broker.sh starts one"]
fn headers_that_the_server_writes_anew_have_the_same_values() {
    let mut client = broker();
    let text = |text: &'static str| Field::LongString(text.as_bytes().into());
    let arguments: Table =
        vec![entry("x-dead-letter-exchange", text("")), entry("x-dead-letter-routing-key", text("dead"))].into();
    client.declare("alive", &amqp_table::encode(&arguments, Params::default()).unwrap());
    client.declare("dead", &[0; 4]);
    for (table, params) in messages() {
        client.publish("alive", &amqp_table::encode(&table, params).unwrap(), b"body");
        let alive = client.get("alive").expect("the message");
        client.reject(alive.delivery_tag);
        let start = Instant::now();
        let dead = loop {
            match client.get("dead") {
                Some(message) => break message,
                None => assert!(start.elapsed() < Duration::from_secs(20), "the message never arrived"),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let (view, read) = amqp_table::decode(&dead.headers, params).unwrap();
        assert_eq!(read, dead.headers.len());
        assert_eq!(amqp_table::naive::decode(&dead.headers, params), Ok((view.to_table(), read)));
        for Entry { name, value } in table.entries.iter() {
            let found = view.get(name).map(|value| value.to_field());
            assert_eq!(found.as_ref(), Some(value), "{}", String::from_utf8_lossy(name));
        }
        assert!(view.get(b"x-death").is_some(), "the server has written the table anew");
        // And its octets are those that we would write, entry for entry.
        assert_eq!(amqp_table::encode(&view.to_table(), params), Ok(dead.headers));
    }
    client.close();
}

#[test]
#[ignore = "needs a RabbitMQ server: tests/broker.sh starts one"]
fn what_the_server_says_of_itself_is_read_and_written_back() {
    let client = broker();
    let (view, _) = amqp_table::decode(&client.server_properties, Params::default()).unwrap();
    assert!(view.get(b"product").is_some() && view.get(b"capabilities").is_some());
    assert_eq!(amqp_table::encode(&view.to_table(), Params::default()).as_ref(), Ok(&client.server_properties));
    client.close();
}

/// The server keeps the 32-bit word whatever a client means by it: what .NET writes, the others read as another number.
#[test]
#[ignore = "needs a RabbitMQ server: tests/broker.sh starts one"]
fn a_decimal_of_one_profile_is_silently_another_number_in_the_next() {
    let mut client = broker();
    client.declare("words", &[0; 4]);
    let params = |profile| Params::default().with_decimals(profile);
    let table: Table = vec![entry("k", Field::Decimal(Raw::new(-15, 1)))].into();
    client.publish("words", &amqp_table::encode(&table, params(Profile::DotNet)).unwrap(), b"body");
    let headers = client.get("words").expect("the message").headers;
    for (profile, mantissa) in [(Profile::DotNet, -15), (Profile::Errata, -2147483633), (Profile::Unsigned, 2147483663)]
    {
        let (view, _) = amqp_table::decode(&headers, params(profile)).unwrap();
        let Some(amqp_table::FieldView::Decimal(found)) = view.get(b"k") else { panic!() };
        assert_eq!(found, amqp_decimal::Raw::new(mantissa, 1), "{}", profile.name());
    }
    client.close();
}
