//! Random trees and random damage, from a fixed seed.

use super::*;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn octets(&mut self, most: usize) -> Vec<u8> {
        (0..self.below(most + 1)).map(|_| self.next() as u8).collect()
    }

    fn border(&mut self) -> u64 {
        let power = 1_u64 << self.below(64);
        [0, 1, u64::MAX, power, power - 1, power.wrapping_neg(), self.next()][self.below(7)]
    }

    fn field(&mut self, levels: usize) -> Field<'static> {
        match self.below(if levels > 0 { 23 } else { 18 }) {
            0 => Field::Boolean(self.below(2) == 1),
            1 => Field::ShortShortInt(self.border() as i8),
            2 => Field::ShortShortUint(self.border() as u8),
            3 => Field::ShortInt(self.border() as i16),
            4 => Field::ShortUint(self.border() as u16),
            5 => Field::LongInt(self.border() as i32),
            6 => Field::LongUint(self.border() as u32),
            7 => Field::LongLongInt(self.border() as i64),
            8 if self.below(4) == 0 => Field::LongLongUint(self.border()),
            9 => Field::Float(f32::from_bits(self.border() as u32)),
            10 => Field::Double(f64::from_bits(self.border())),
            11 => Field::Decimal(Raw::new(self.border() as i32 as i64, self.below(29) as u32)),
            12 if self.below(4) == 0 => Field::Decimal(Raw::new(self.border() as i64, self.border() as u32)),
            13 if self.below(4) == 0 => Field::ShortString(self.octets(270).into()),
            14 => Field::LongString(self.octets(30).into()),
            15 => Field::Timestamp(self.border()),
            16 => Field::Binary(self.octets(30).into()),
            18..=20 => Field::Table(self.table(levels - 1)),
            21 | 22 => {
                let values: Vec<Field> = (0..self.below(5)).map(|_| self.field(levels - 1)).collect();
                Field::Array(values.into())
            }
            _ => Field::Void,
        }
    }

    fn table(&mut self, levels: usize) -> Table<'static> {
        let count = if self.below(10) == 0 { 15 + self.below(12) } else { self.below(6) };
        let entries: Vec<Entry> = (0..count)
            .map(|_| {
                let longest = if self.below(100) == 0 { 258 } else { 8 };
                Entry::new(self.octets(longest), self.field(levels))
            })
            .collect();
        entries.into()
    }

    fn params(&mut self) -> Params {
        let profile = Profile::ALL[self.below(2)];
        let decimal = amqp_decimal::Profile::ALL[self.below(3)];
        let duplicates = [Duplicates::Refuse, Duplicates::Accept][self.below(2)];
        let max_depth = [32, 32, 32, 3, 2][self.below(5)];
        Params { duplicates, max_depth, ..Params::new(profile).with_decimals(decimal) }
    }
}

#[test]
fn random_trees_are_written_alike_and_read_back() {
    let mut random = Random(1);
    let mut written = 0;
    for _ in 0..20_000 {
        let (table, params) = (random.table(4), random.params());
        let Ok(octets) = write(&table, params) else { continue };
        written += 1;
        assert_eq!(read(&octets, params), Ok((table, octets.len())));
    }
    assert!(written > 5_000, "{written}");
}

#[test]
fn random_damage_gets_the_same_answer_from_both_twins() {
    let mut random = Random(2);
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..10_000 {
        let (table, params) = (random.table(3), random.params());
        let Ok(octets) = write(&table, params) else { continue };
        for _ in 0..8 {
            let mut hostile = octets.clone();
            for _ in 0..1 + random.below(4) {
                let at = random.below(hostile.len());
                match random.below(4) {
                    0 => hostile[at] = b"tbBsUuIilLfdDSATFxV?"[random.below(20)],
                    1 => hostile[at] = hostile[at].wrapping_add([1, 255][random.below(2)]),
                    2 => hostile[at] = random.next() as u8,
                    _ => {
                        let from = random.below(hostile.len());
                        let length = random.below(8).min(hostile.len() - from.max(at));
                        hostile.copy_within(from..from + length, at);
                    }
                }
            }
            match read(&hostile, params) {
                Ok(_) => taken += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(taken > 5_000 && refused > 5_000, "{taken} taken, {refused} refused");
}
