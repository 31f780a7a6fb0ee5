//! As much of an AMQP 0-9-1 client as a test of headers needs, over the codec under test: one connection, one channel,
//! queues, publish and get. Everything that surprises it is a panic.

use bytetwin::codec::amqp_table::{self, Params, Table};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const FRAME_END: u8 = 0xce;
const METHOD: u8 = 1;
const HEADER: u8 = 2;
const BODY: u8 = 3;
const CHANNEL: u16 = 1;
/// The bit of the `headers` property among a message's property flags.
const HEADERS_FLAG: u16 = 1 << 13;

/// Class and method.
type Method = (u16, u16);

const CONNECTION_START: Method = (10, 10);
const CONNECTION_START_OK: Method = (10, 11);
const CONNECTION_TUNE: Method = (10, 30);
const CONNECTION_TUNE_OK: Method = (10, 31);
const CONNECTION_OPEN: Method = (10, 40);
const CONNECTION_OPEN_OK: Method = (10, 41);
const CONNECTION_CLOSE: Method = (10, 50);
const CONNECTION_CLOSE_OK: Method = (10, 51);
const CHANNEL_OPEN: Method = (20, 10);
const CHANNEL_OPEN_OK: Method = (20, 11);
const QUEUE_DECLARE: Method = (50, 10);
const QUEUE_DECLARE_OK: Method = (50, 11);
const BASIC_PUBLISH: Method = (60, 40);
const BASIC_GET: Method = (60, 70);
const BASIC_GET_OK: Method = (60, 71);
const BASIC_GET_EMPTY: Method = (60, 72);
const BASIC_REJECT: Method = (60, 90);

pub struct Client {
    stream: TcpStream,
    /// The server's properties, as their octets.
    pub server_properties: Vec<u8>,
}

/// A message that was got.
pub struct Message {
    pub delivery_tag: u64,
    /// The field table of its headers, as its octets.
    pub headers: Vec<u8>,
    pub body: Vec<u8>,
}

impl Client {
    /// Connects as `guest`, opens one channel.
    pub fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("a broker that listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut client = Self { stream, server_properties: Vec::new() };
        client.stream.write_all(b"AMQP\x00\x00\x09\x01").unwrap();

        let start = client.expect(CONNECTION_START);
        let table = &start[2..];
        let (_, length) = amqp_table::decode(table, Params::default()).expect("the server's properties");
        client.server_properties = table[..length].to_vec();
        let properties = amqp_table::encode(&Table::default(), Params::default()).unwrap();
        let credentials = b"\0guest\0guest";
        let mut arguments = properties;
        short_string(&mut arguments, "PLAIN");
        arguments.extend((credentials.len() as u32).to_be_bytes());
        arguments.extend(credentials);
        short_string(&mut arguments, "en_US");
        client.method(0, CONNECTION_START_OK, &arguments);

        let tune = client.expect(CONNECTION_TUNE);
        // The limits that the server proposes, and no heartbeats.
        client.method(0, CONNECTION_TUNE_OK, &[&tune[..6], &[0, 0]].concat());
        let mut arguments = Vec::new();
        short_string(&mut arguments, "/");
        arguments.extend([0, 0]);
        client.method(0, CONNECTION_OPEN, &arguments);
        client.expect(CONNECTION_OPEN_OK);
        client.method(CHANNEL, CHANNEL_OPEN, &[0]);
        client.expect(CHANNEL_OPEN_OK);
        client
    }

    /// Declares an exclusive queue, which is gone with the connection.
    pub fn declare(&mut self, queue: &str, arguments: &[u8]) {
        let mut declare = vec![0, 0];
        short_string(&mut declare, queue);
        declare.push(0b0000_0100);
        declare.extend(arguments);
        self.method(CHANNEL, QUEUE_DECLARE, &declare);
        self.expect(QUEUE_DECLARE_OK);
    }

    /// Publishes to the queue by the default exchange. `headers` is an encoded field table.
    pub fn publish(&mut self, queue: &str, headers: &[u8], body: &[u8]) {
        let mut publish = vec![0, 0];
        short_string(&mut publish, "");
        short_string(&mut publish, queue);
        publish.push(0);
        self.method(CHANNEL, BASIC_PUBLISH, &publish);

        let mut header = Vec::new();
        header.extend(BASIC_PUBLISH.0.to_be_bytes());
        header.extend([0, 0]);
        header.extend((body.len() as u64).to_be_bytes());
        header.extend(HEADERS_FLAG.to_be_bytes());
        header.extend(headers);
        self.frame(HEADER, CHANNEL, &header);
        self.frame(BODY, CHANNEL, body);
    }

    /// The next message of the queue, if there is one; it has to be rejected or acknowledged.
    pub fn get(&mut self, queue: &str) -> Option<Message> {
        let mut get = vec![0, 0];
        short_string(&mut get, queue);
        get.push(0);
        self.method(CHANNEL, BASIC_GET, &get);
        let (method, arguments) = self.next_method();
        if method == BASIC_GET_EMPTY {
            return None;
        }
        assert_eq!(method, BASIC_GET_OK, "{arguments:?}");
        let delivery_tag = u64::from_be_bytes(arguments[..8].try_into().unwrap());

        let (kind, header) = self.next_frame();
        assert_eq!(kind, HEADER);
        let size = u64::from_be_bytes(header[4..12].try_into().unwrap());
        let flags = u16::from_be_bytes(header[12..14].try_into().unwrap());
        assert_eq!(flags, HEADERS_FLAG);
        let mut body = Vec::new();
        while (body.len() as u64) < size {
            let (kind, part) = self.next_frame();
            assert_eq!(kind, BODY);
            body.extend(part);
        }
        Some(Message { delivery_tag, headers: header[14..].to_vec(), body })
    }

    /// Rejects a message, which goes to the dead-letter exchange of its queue.
    pub fn reject(&mut self, delivery_tag: u64) {
        let mut reject = delivery_tag.to_be_bytes().to_vec();
        reject.push(0);
        self.method(CHANNEL, BASIC_REJECT, &reject);
    }

    /// Takes leave, so that the broker's log stays clean.
    pub fn close(mut self) {
        let mut close = 200_u16.to_be_bytes().to_vec();
        short_string(&mut close, "done");
        close.extend([0; 4]);
        self.method(0, CONNECTION_CLOSE, &close);
        self.expect(CONNECTION_CLOSE_OK);
    }

    fn method(&mut self, channel: u16, (class, method): Method, arguments: &[u8]) {
        let payload = [&class.to_be_bytes()[..], &method.to_be_bytes(), arguments].concat();
        self.frame(METHOD, channel, &payload);
    }

    fn frame(&mut self, kind: u8, channel: u16, payload: &[u8]) {
        let mut frame = vec![kind];
        frame.extend(channel.to_be_bytes());
        frame.extend((payload.len() as u32).to_be_bytes());
        frame.extend(payload);
        frame.push(FRAME_END);
        self.stream.write_all(&frame).unwrap();
    }

    fn next_frame(&mut self) -> (u8, Vec<u8>) {
        let mut head = [0; 7];
        self.stream.read_exact(&mut head).expect("a frame of the broker");
        let [kind, _, _, length @ ..] = head;
        let mut payload = vec![0; u32::from_be_bytes(length) as usize + 1];
        self.stream.read_exact(&mut payload).unwrap();
        assert_eq!(payload.pop(), Some(FRAME_END));
        (kind, payload)
    }

    fn next_method(&mut self) -> (Method, Vec<u8>) {
        let (kind, payload) = self.next_frame();
        assert_eq!(kind, METHOD);
        let [a, b, c, d, ref arguments @ ..] = payload[..] else { panic!("a method without a number") };
        let method = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
        (method, arguments.to_vec())
    }

    fn expect(&mut self, expected: Method) -> Vec<u8> {
        let (method, arguments) = self.next_method();
        // A refusal is a close with a code and a text.
        assert_eq!(method, expected, "{}", String::from_utf8_lossy(&arguments));
        arguments
    }
}

fn short_string(out: &mut Vec<u8>, text: &str) {
    out.push(text.len().try_into().unwrap());
    out.extend(text.as_bytes());
}
