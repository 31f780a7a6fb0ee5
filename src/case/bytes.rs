//! The byte form of a case, for the fuzzer.
//!
//! Three bytes of head (version, codec, direction), then parameters, call pattern and values in the order in which
//! they are read. Reading is total: behind the end there are zeros, a choice is taken modulo the number of choices,
//! and bytes left over are ignored. So every mutant of a case is a case, and [`Case::to_bytes`] of what was read is its
//! canonical form. Numbers are LEB128, zigzag where they are signed: a field that grows does not move its neighbours.

use super::{Capacity, Case, Direction, Domain, Job, Step};

/// The version that is written. Older ones are read for ever: a reader per version, chosen in [`Case::read_bytes`].
pub const VERSION: u8 = 1;

/// Most steps or puts of a case in the byte form.
const PATTERN_LIMIT: usize = 64;

/// Writes the byte form.
#[derive(Debug, Default)]
pub struct ByteWriter {
    bytes: Vec<u8>,
}

impl ByteWriter {
    /// Appends one byte.
    pub fn u8(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Appends an unsigned number as LEB128.
    pub fn u128(&mut self, mut number: u128) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Appends an unsigned number as LEB128.
    pub fn usize(&mut self, number: usize) {
        self.u128(number as u128);
    }

    /// Appends a signed number as zigzag LEB128.
    pub fn i128(&mut self, number: i128) {
        self.u128(((number << 1) ^ (number >> 127)) as u128);
    }

    /// Appends bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends a length and so many bytes.
    pub fn blob(&mut self, bytes: &[u8]) {
        self.usize(bytes.len());
        self.raw(bytes);
    }

    /// What was written.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Empties the writer, keeping its buffer.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }
}

/// Most bytes or values of a message.
const MESSAGE_LIMIT: usize = 1 << 30;

/// Reads the byte form. Total: behind the end there are zeros.
#[derive(Clone, Debug)]
pub struct ByteReader<'a> {
    bytes: &'a [u8],
    message: bool,
}

impl<'a> ByteReader<'a> {
    /// Reads from the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, message: false }
    }

    /// Reads what a [`ByteWriter`] wrote for another process: as much as there is. The limits that keep a fuzzer's
    /// inputs small would change it.
    pub fn of_message(bytes: &'a [u8]) -> Self {
        Self { bytes, message: true }
    }

    /// Whether it is a message: then values are read as they are, even such as no case has.
    pub fn is_message(&self) -> bool {
        self.message
    }

    /// The most that is read of something that has a `limit` in a fuzzer's input.
    pub fn limit(&self, limit: usize) -> usize {
        if self.message { MESSAGE_LIMIT } else { limit }
    }

    /// How many things follow that take a byte or more each: at most `limit` in a fuzzer's input, and never more than
    /// there are bytes in a message.
    pub fn count(&mut self, limit: usize) -> usize {
        let count = self.usize(self.limit(limit));
        if self.message { count.min(self.bytes.len()) } else { count }
    }

    /// What is left.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    /// The next byte.
    pub fn u8(&mut self) -> u8 {
        let Some((&first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        first
    }

    /// A choice among `choices`, which is not 0.
    pub fn choice(&mut self, choices: usize) -> usize {
        usize::from(self.u8()) % choices
    }

    /// An unsigned LEB128; bits past 128 are dropped.
    pub fn u128(&mut self) -> u128 {
        // Mostly it is short, and read without a look at every byte: under a fuzzer each branch is counted.
        if let Some(&next) = self.bytes.first_chunk() {
            let next = u64::from_le_bytes(next);
            let last = !next & 0x8080_8080_8080_8080;
            if last != 0 {
                // The bits up to the last byte's, then groups of 7, 14 and 28 bits moved together.
                let groups = next & (last ^ (last - 1)) & 0x7f7f_7f7f_7f7f_7f7f;
                let groups = (groups & 0x7f00_7f00_7f00_7f00) >> 1 | groups & 0x007f_007f_007f_007f;
                let groups = (groups & 0x3fff_0000_3fff_0000) >> 2 | groups & 0x0000_3fff_0000_3fff;
                let number = (groups & 0x0fff_ffff_0000_0000) >> 4 | groups & 0x0fff_ffff;
                self.bytes = &self.bytes[last.trailing_zeros() as usize / 8 + 1..];
                return number.into();
            }
        }
        let mut number = 0u128;
        for shift in (0..128).step_by(7) {
            let byte = self.u8();
            number |= u128::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        number
    }

    /// An unsigned number, at most `limit`.
    pub fn usize(&mut self, limit: usize) -> usize {
        let number = self.u128();
        if number <= limit as u128 { number as usize } else { (number % (limit as u128 + 1)) as usize }
    }

    /// A signed zigzag LEB128.
    pub fn i128(&mut self) -> i128 {
        let number = self.u128();
        (number >> 1) as i128 ^ -((number & 1) as i128)
    }

    /// `length` bytes, or what is left of them.
    pub fn raw(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(length.min(self.bytes.len()));
        self.bytes = rest;
        taken
    }

    /// A length, and so many bytes or what is left of them.
    pub fn blob(&mut self) -> &'a [u8] {
        let length = self.usize(self.bytes.len());
        self.raw(length)
    }
}

fn write_capacity(capacity: Capacity, writer: &mut ByteWriter) {
    let (kind, by) = match capacity {
        Capacity::Exact => (0, 0),
        Capacity::Short(by) => (1, by),
        Capacity::Slack(by) => (2, by),
    };
    writer.u8(kind);
    writer.usize(by.into());
}

fn read_capacity(reader: &mut ByteReader<'_>) -> Capacity {
    let kind = reader.choice(3);
    let by = reader.usize(u16::MAX.into()) as u16;
    [Capacity::Exact, Capacity::Short(by), Capacity::Slack(by)][kind]
}

impl<D: Domain> Case<D> {
    /// The byte form, canonical.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = ByteWriter::default();
        self.write_bytes(&mut writer);
        writer.bytes
    }

    /// Appends the byte form to a writer that is reused.
    pub fn write_bytes(&self, writer: &mut ByteWriter) {
        writer.u8(VERSION);
        writer.u8(D::ID);
        writer.u8(self.direction() as u8);
        D::params_to_bytes(&self.params, writer);
        match &self.job {
            Job::Encode { values, puts, capacity } => {
                write_capacity(*capacity, writer);
                writer.usize(puts.len());
                for put in puts {
                    writer.usize((*put).into());
                }
                D::values_to_bytes(&self.params, values, writer);
            }
            Job::Decode { bytes, steps } => {
                writer.usize(steps.len());
                for step in steps {
                    match *step {
                        Step::Get(count) => writer.usize(usize::from(count) << 1),
                        Step::Skip(count) => writer.usize(usize::from(count) << 1 | 1),
                    }
                }
                writer.raw(bytes);
            }
        }
    }

    /// Reads a case of this codec. `None` when the head is of another version, codec or direction.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Self::read(ByteReader::new(bytes))
    }

    /// Reads a case that another process sent.
    pub fn from_message(bytes: &[u8]) -> Option<Self> {
        Self::read(ByteReader::of_message(bytes))
    }

    fn read(reader: ByteReader<'_>) -> Option<Self> {
        let (direction, mut reader) = head::<D>(reader)?;
        let params = D::params_from_bytes(&mut reader);
        let mut case = match direction {
            Direction::Encode => Self::encode(params, D::Values::default()),
            Direction::Decode => Self::decode(params, Vec::new()),
        };
        case.read_job(reader);
        Some(case)
    }

    /// Reads a case into this one, whose buffers are reused. `false`, and nothing changed, when the head is of another
    /// version, codec or direction.
    pub fn read_bytes(&mut self, bytes: &[u8]) -> bool {
        match head::<D>(ByteReader::new(bytes)) {
            Some((direction, mut reader)) if direction == self.direction() => {
                self.params = D::params_from_bytes(&mut reader);
                self.read_job(reader);
                true
            }
            _ => false,
        }
    }

    fn read_job(&mut self, mut reader: ByteReader<'_>) {
        match &mut self.job {
            Job::Encode { values, puts, capacity } => {
                *capacity = read_capacity(&mut reader);
                puts.clear();
                for _ in 0..reader.count(PATTERN_LIMIT) {
                    puts.push(reader.usize(u16::MAX.into()) as u16);
                }
                D::values_from_bytes(&self.params, &mut reader, values);
            }
            Job::Decode { bytes, steps } => {
                steps.clear();
                for _ in 0..reader.count(PATTERN_LIMIT) {
                    let step = reader.usize(usize::from(u16::MAX) << 1 | 1);
                    let count = (step >> 1) as u16;
                    steps.push(if step & 1 == 0 { Step::Get(count) } else { Step::Skip(count) });
                }
                bytes.clear();
                bytes.extend_from_slice(reader.rest());
            }
        }
    }
}

/// The codec number of a byte form, when its version is known.
pub fn codec_id(bytes: &[u8]) -> Option<u8> {
    match bytes {
        [VERSION, id, _, ..] => Some(*id),
        _ => None,
    }
}

fn head<D: Domain>(mut reader: ByteReader<'_>) -> Option<(Direction, ByteReader<'_>)> {
    match *reader.raw(3) {
        [VERSION, id, direction @ (0 | 1)] if id == D::ID => Some((Direction::BOTH[usize::from(direction)], reader)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
