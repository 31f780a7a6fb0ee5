//! Borders of AMQP tables: the ends of each integer, octets that fill a length, levels around the limit, names twice.

use super::simplify::{simpler_entry, simpler_field};
use super::{AmqpTable, COUNT_LIMIT, DECIMALS, DUPLICATES, Field, LEVEL_LIMIT, NEGATIVE_ZEROS, NORMALIZATIONS};
use super::{PROFILES, Params, TOPS, Top, Values, tree};
use crate::codec::amqp_decimal::{Params as DecimalParams, Profile as DecimalProfile, Raw, Sign};
use crate::codec::amqp_table::{self, Duplicates, Entry, Params as CodecParams, Profile};
use crate::domain::Explain;
use crate::generate::{Draw, Source, edges, simpler_list};

const LEVELS: [u8; 10] = [0, 1, 1, 2, 2, 3, 4, 32, 32, 255];
const MAGNITUDES: [u64; 6] = [0, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, (1 << 32) - 1, 1 << 32];
const SCALES: [u32; 6] = [0, 28, 29, 255, 256, u32::MAX];

/// Draws one tree.
struct Drawer<'s, S> {
    params: CodecParams,
    /// Whether values may be drawn that are refused.
    reckless: bool,
    /// Values that may still be drawn.
    left: usize,
    source: &'s mut S,
}

impl<S: Source> Drawer<'_, S> {
    fn values(&mut self, top: Top) -> Values {
        let mut values = match top {
            Top::Table => Values::table(self.entries(1)),
            Top::Array => Values::array(self.fields(1)),
        };
        if self.source.chance(1, 12) {
            self.chain(&mut values);
        }
        values
    }

    /// Adds a value whose innermost table or array is on a level near the limit.
    fn chain(&mut self, values: &mut Values) {
        let limit = usize::from(self.params.max_depth);
        let levels =
            if self.reckless { limit + self.source.below(3) } else { limit.saturating_sub(self.source.below(2)) };
        let mut value =
            if self.source.chance(1, 2) { Field::Table(Vec::new().into()) } else { Field::Array(Vec::new().into()) };
        if levels < 2 || limit > 40 && self.source.chance(3, 4) {
            return;
        }
        for _ in 2..levels.min(LEVEL_LIMIT) {
            value = match self.source.chance(1, 2) {
                true => Field::Table(vec![Entry::new(&b"c"[..], value)].into()),
                false => Field::Array(vec![value].into()),
            };
        }
        match values {
            Values::Table(table) => tree::owned(&mut table.entries).push(Entry::new(&b"chain"[..], value)),
            Values::Array(array) => tree::owned(&mut array.values).push(value),
        }
    }

    fn count(&mut self, level: usize) -> usize {
        let count = match self.source.below(if level == 1 { 16 } else { 8 }) {
            0 | 1 => 0,
            2..=5 => 1 + self.source.below(2),
            6..=12 => 1 + self.source.below(8),
            13 => 14 + self.source.below(6),
            14 => 17 + self.source.below(30),
            _ => 1,
        };
        let count = count.min(self.left);
        self.left -= count;
        count
    }

    fn entries(&mut self, level: usize) -> Vec<Entry<'static>> {
        let mut entries: Vec<Entry<'static>> = Vec::new();
        for number in 0..self.count(level) {
            let mut name = self.name();
            let twice = self.params.duplicates == Duplicates::Accept || self.reckless && self.source.chance(1, 4);
            if !twice && entries.iter().any(|entry| *entry.name == *name) {
                name = format!("k{number}").into_bytes();
            }
            if twice || entries.iter().all(|entry| *entry.name != *name) {
                let value = self.field(level);
                entries.push(Entry::new(name, value));
            }
        }
        entries
    }

    fn fields(&mut self, level: usize) -> Vec<Field> {
        (0..self.count(level)).map(|_| self.field(level)).collect()
    }

    fn name(&mut self) -> Vec<u8> {
        match self.source.below(24) {
            0 => Vec::new(),
            1 => vec![b'k'; 255],
            2 if self.reckless => vec![b'k'; 256 + self.source.below(2) * 44],
            3 | 4 => self.octets(30),
            5..=12 => format!("name-{}", self.source.below(40)).into_bytes(),
            _ => vec![b'a' + self.source.below(26) as u8],
        }
    }

    fn octets(&mut self, limit: usize) -> Vec<u8> {
        let length = match self.source.below(12) {
            0 => 0,
            1 => 1,
            2 => 254 + self.source.below(2),
            3 => 256 + self.source.below(2),
            _ => self.source.below(24),
        };
        let text = self.source.chance(3, 4);
        let length = length.min(limit);
        (0..length).map(|_| if text { b'a' + self.source.below(26) as u8 } else { self.source.u64() as u8 }).collect()
    }

    fn decimal(&mut self) -> Raw {
        let sign = |negative| if negative { Sign::Minus } else { Sign::Plus };
        if self.reckless && self.source.chance(1, 2) {
            let magnitude = match self.source.chance(3, 4) {
                true => *self.source.pick(&MAGNITUDES),
                false => edges::integer(self.source, 65) as u64,
            };
            let scale = *self.source.pick(&SCALES);
            let scale = if self.source.chance(1, 2) { scale } else { self.source.below(29) as u32 };
            return Raw { magnitude, scale, sign: sign(self.source.chance(1, 2)) };
        }
        let profile = self.params.decimal.profile;
        let number = edges::integer(self.source, 34) as i64;
        let number = number.clamp(profile.min_mantissa(), profile.max_mantissa());
        let most = if profile == DecimalProfile::DotNet { 29 } else { 256 };
        let scale = if self.source.chance(1, 4) { self.source.below(most) } else { self.source.below(4) };
        Raw { magnitude: number.unsigned_abs(), scale: scale as u32, sign: sign(number < 0) }
    }

    /// A value inside `level` tables and arrays.
    fn field(&mut self, level: usize) -> Field {
        let limit = usize::from(self.params.max_depth);
        let nests = level < if self.reckless { (limit + 1).min(6) } else { limit.min(6) };
        let rabbit = self.params.profile == Profile::RabbitMq;
        let any = self.reckless && self.source.chance(1, 4);
        let integer = |source: &mut S, bits| edges::integer(source, bits);
        let kind = self.source.below(23);
        match kind {
            0 => Field::Boolean(self.source.chance(1, 2)),
            1 => Field::ShortShortInt(integer(self.source, 8) as i8),
            2 => Field::ShortShortUint(integer(self.source, 9) as u8),
            3 => Field::ShortInt(integer(self.source, 16) as i16),
            4 => Field::ShortUint(integer(self.source, 17) as u16),
            5 => Field::LongInt(integer(self.source, 32) as i32),
            6 => Field::LongUint(integer(self.source, 33) as u32),
            7 => Field::LongLongInt(integer(self.source, 64) as i64),
            8 if any || !rabbit => Field::LongLongUint(integer(self.source, 65) as u64),
            9 => {
                let bits = self.source.u64() as u32;
                Field::Float(*self.source.pick(&[0.0, -0.0, 1.5, f32::NAN, f32::NEG_INFINITY, f32::from_bits(bits)]))
            }
            10 => {
                let bits = self.source.u64();
                Field::Double(*self.source.pick(&[0.0, -0.0, 0.1, f64::NAN, f64::INFINITY, f64::from_bits(bits)]))
            }
            11 | 12 => Field::Decimal(self.decimal()),
            13 if any || !rabbit => {
                let limit = if any { usize::MAX } else { 255 };
                Field::ShortString(self.octets(limit).into())
            }
            14 => Field::LongString(self.octets(usize::MAX).into()),
            15 | 16 if nests => Field::Array(self.fields(level + 1).into()),
            17 => Field::Timestamp(integer(self.source, 65) as u64),
            18 | 19 if nests => Field::Table(self.entries(level + 1).into()),
            20 if any || rabbit => Field::Binary(self.octets(usize::MAX).into()),
            21 | 22 if nests && level > 1 => Field::Array(self.fields(level + 1).into()),
            _ => Field::Void,
        }
    }
}

fn drawer<'s, S: Source>(params: &Params, reckless: bool, source: &'s mut S) -> Drawer<'s, S> {
    Drawer { params: params.codec, reckless, left: 80, source }
}

/// Changes one thing of a valid encoding as a foreign or a hostile writer would.
fn tamper<S: Source>(params: &Params, source: &mut S, bytes: &mut [u8]) {
    let spans = AmqpTable::spans(params, bytes);
    if spans.is_empty() {
        return;
    }
    let want = *source.pick(&["length", "length", " tag", " tag", "value", "scale"]);
    let start = source.below(spans.len());
    let turned = spans[start..].iter().chain(&spans[..start]);
    let Some(span) = turned.into_iter().find(|span| span.field.ends_with(want)) else { return };
    let place = &mut bytes[span.bytes.clone()];
    match (want, &mut *place) {
        ("length", [length]) => {
            *length = *source.pick(&[length.wrapping_add(1), length.wrapping_sub(1), 0, 255]);
        }
        ("length", _) => {
            let Some(word) = place.last_chunk_mut::<4>() else { return };
            let length = u32::from_be_bytes(*word);
            let near = [length.wrapping_add(1), length.wrapping_sub(1), length.wrapping_add(source.below(40) as u32)];
            let far = [0, 0x7fff_ffff, 0x8000_0000, 0xffff_fffb, u32::MAX];
            *word = if source.chance(2, 3) { *source.pick(&near) } else { *source.pick(&far) }.to_be_bytes();
        }
        (" tag", [tag]) => {
            *tag = match (params.codec.profile, *tag) {
                // Two tags that are read and never written.
                (Profile::RabbitMq, b's') if source.chance(2, 3) => b'U',
                (Profile::RabbitMq, b'l') if source.chance(2, 3) => b'L',
                _ => *source.pick(b"tbBsUuIilLfdDSATFxVz\0\xff"),
            }
        }
        (_, [first, ..]) => *first = *source.pick(&[0, 1, 2, 28, 29, 0x80, 0xff]),
        _ => {}
    }
}

impl Draw for AmqpTable {
    fn draw_params<S: Source>(source: &mut S) -> Params {
        let plain = source.chance(3, 4);
        let choice = |source: &mut S| usize::from(!plain && source.chance(1, 2));
        let mut codec = super::params(
            source.pick(&PROFILES).1,
            source.pick(&DECIMALS).1,
            NORMALIZATIONS[choice(source)].1,
            NEGATIVE_ZEROS[choice(source)].1,
        );
        codec.duplicates = DUPLICATES[usize::from(source.chance(1, 4))].1;
        codec.max_depth = if source.chance(1, 2) { CodecParams::DEFAULT_MAX_DEPTH } else { *source.pick(&LEVELS) };
        Params { codec, top: TOPS[usize::from(source.chance(1, 3))].1 }
    }

    fn draw_values<S: Source>(params: &Params, source: &mut S, values: &mut Values) {
        let reckless = source.chance(1, 4);
        *values = drawer(params, reckless, source).values(params.top);
    }

    /// What is outermost stays: the values are of that kind.
    fn mutate_params<S: Source>(params: &mut Params, source: &mut S) {
        let drawn = Self::draw_params(source).codec;
        match source.below(4) {
            0 => params.codec.profile = drawn.profile,
            1 => params.codec.decimal = drawn.decimal,
            2 => params.codec.duplicates = drawn.duplicates,
            _ => params.codec.max_depth = drawn.max_depth,
        }
    }

    fn mutate_values<S: Source>(params: &Params, values: &mut Values, source: &mut S) {
        let before = values.clone();
        let (count, _) = tree::size(values);
        let chosen = source.below(count.max(1));
        let kind = source.below(6);
        let mut drawer = drawer(params, true, source);
        let mut at = 0;
        match (kind, &mut *values) {
            (0, Values::Table(table)) => {
                let entry = Entry::new(drawer.name(), drawer.field(1));
                let entries = tree::owned(&mut table.entries);
                entries.insert(drawer.source.below(entries.len() + 1), entry);
            }
            (0, Values::Array(array)) => {
                let value = drawer.field(1);
                let list = tree::owned(&mut array.values);
                list.insert(drawer.source.below(list.len() + 1), value);
            }
            (1, Values::Table(table)) if !table.entries.is_empty() => {
                let entries = tree::owned(&mut table.entries);
                entries.remove(drawer.source.below(entries.len()));
            }
            (1, Values::Array(array)) if !array.values.is_empty() => {
                let list = tree::owned(&mut array.values);
                list.remove(drawer.source.below(list.len()));
            }
            (2, Values::Table(table)) if !table.entries.is_empty() => {
                let entries = tree::owned(&mut table.entries);
                let other = drawer.source.below(entries.len());
                entries[drawer.source.below(other + 1)].name = drawer.name().into();
            }
            (3, values) => tree::each(values, &mut |field| {
                if at == chosen {
                    *field = Field::Array(vec![field.clone()].into());
                }
                at += 1;
            }),
            (_, values) => tree::each(values, &mut |field| {
                if at == chosen {
                    *field = drawer.field(1);
                }
                at += 1;
            }),
        }
        let (count, levels) = tree::size(values);
        if count > COUNT_LIMIT || levels > LEVEL_LIMIT {
            *values = before;
        }
    }

    fn simpler_values(_params: &Params, values: &Values, emit: &mut dyn FnMut(Values) -> bool) {
        match values {
            Values::Table(table) => {
                simpler_list(&table.entries, simpler_entry, &mut |entries| emit(Values::table(entries)));
            }
            Values::Array(array) => {
                simpler_list(&array.values, simpler_field, &mut |list| emit(Values::array(list)));
            }
        }
    }

    fn simpler_params(params: &Params, emit: &mut dyn FnMut(Params) -> bool) {
        let plain = CodecParams::new(params.codec.profile);
        let decimal = DecimalParams::new(params.codec.decimal.profile);
        for codec in [
            CodecParams { decimal, ..params.codec },
            CodecParams { duplicates: plain.duplicates, ..params.codec },
            CodecParams { max_depth: plain.max_depth, ..params.codec },
            CodecParams { decimal: plain.decimal, ..params.codec },
        ] {
            if codec != params.codec && emit(Params { codec, ..*params }) {
                return;
            }
        }
    }

    fn draw_bytes<S: Source>(params: &Params, source: &mut S, bytes: &mut Vec<u8>) {
        bytes.clear();
        // What is written by a writer with other limits than the reader's.
        let mut wide = *params;
        if source.chance(1, 4) {
            wide.codec.decimal = DecimalParams::new(DecimalProfile::Errata);
            wide.codec.duplicates = Duplicates::Accept;
            wide.codec.max_depth = params.codec.max_depth.saturating_add(1).max(1);
        }
        let values = drawer(&wide, false, source).values(params.top);
        let encoding = match &values {
            Values::Table(table) => amqp_table::encode(table, wide.codec),
            Values::Array(array) => amqp_table::encode_array(array, wide.codec),
        };
        // Refused is only what has a limit of no levels at all.
        match encoding {
            Ok(encoding) => *bytes = encoding,
            Err(_) => bytes.resize(4, 0),
        }
        if source.chance(1, 2) {
            for _ in 0..1 + source.below(2) {
                tamper(params, source, bytes);
            }
        }
        if source.chance(1, 8) {
            bytes.extend((0..source.below(6)).map(|_| source.u64() as u8));
        }
    }
}
