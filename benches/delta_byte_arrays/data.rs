//! The columns: those of parquet-java's `BinaryEncodingBenchmark`, value for value, and some that share prefixes.

/// `java.util.Random`: a linear congruential generator of 48 bits.
pub struct JavaRandom(u64);

const MASK: u64 = (1 << 48) - 1;

impl JavaRandom {
    pub fn new(seed: u64) -> Self {
        Self((seed ^ 0x5_DEEC_E66D) & MASK)
    }

    /// The top 31 of 48 bits.
    fn next_31(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(0x5_DEEC_E66D).wrapping_add(0xB) & MASK;
        (self.0 >> 17) as u32
    }

    /// `nextInt(bound)`, for a bound that is not a power of two.
    pub fn next_int(&mut self, bound: u32) -> u32 {
        assert!(!bound.is_power_of_two());
        loop {
            let bits = self.next_31();
            let rest = bits % bound;
            // Rejects the incomplete last run of `bound` numbers.
            if bits - rest + (bound - 1) < 1 << 31 {
                return rest;
            }
        }
    }

    fn letters(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| b'a' + self.next_int(26) as u8).collect()
    }
}

/// An Arrow column by name.
pub struct Column {
    pub name: String,
    pub offsets: Vec<i32>,
    pub data: Vec<u8>,
}

impl Column {
    fn new(name: String, values: &[Vec<u8>]) -> Self {
        let mut offsets = vec![0];
        let mut data = Vec::with_capacity(values.iter().map(Vec::len).sum());
        for value in values {
            data.extend_from_slice(value);
            offsets.push(i32::try_from(data.len()).expect("less than 2 GiB"));
        }
        Self { name, offsets, data }
    }

    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn slices(&self) -> Vec<&[u8]> {
        self.offsets.windows(2).map(|pair| &self.data[pair[0] as usize..pair[1] as usize]).collect()
    }
}

/// `count` strings of `len` letters: 100 distinct ones (LOW) and all different (HIGH), as drawn and sorted; and sorted
/// ones that share all but the last quarter with most of their neighbours.
pub fn strings(count: usize, len: usize) -> Vec<Column> {
    let mut random = JavaRandom::new(42);
    let dictionary: Vec<Vec<u8>> = (0..100).map(|_| random.letters(len)).collect();
    let mut low: Vec<Vec<u8>> = (0..count).map(|_| dictionary[random.next_int(100) as usize].clone()).collect();
    let mut random = JavaRandom::new(42);
    let mut high: Vec<Vec<u8>> = (0..count).map(|_| random.letters(len)).collect();
    let mut columns = vec![Column::new(format!("LOW {len}"), &low), Column::new(format!("HIGH {len}"), &high)];
    low.sort();
    columns.push(Column::new(format!("LOW {len} SORTED"), &low));
    drop(low);
    high.sort();
    columns.push(Column::new(format!("HIGH {len} SORTED"), &high));
    drop(high);
    let mut random = JavaRandom::new(42);
    let shared = len - len / 4;
    let stems: Vec<Vec<u8>> = (0..count.div_ceil(100)).map(|_| random.letters(shared)).collect();
    let mut values: Vec<Vec<u8>> =
        (0..count).map(|index| [&stems[index / 100][..], &random.letters(len - shared)].concat()).collect();
    values.sort();
    columns.push(Column::new(format!("SHARED {len}"), &values));
    columns
}

/// `count` strings of up to `longest` letters.
pub fn variable(count: usize, longest: u32) -> Column {
    let mut random = JavaRandom::new(42);
    let values: Vec<Vec<u8>> = (0..count)
        .map(|_| {
            let len = 1 + random.next_int(longest) as usize;
            random.letters(len)
        })
        .collect();
    Column::new(format!("VARIABLE 1..{longest}"), &values)
}

/// `count` values of `width` bytes, as drawn and sorted.
pub fn fixed_len(count: usize, width: usize) -> Vec<Column> {
    let mut random = JavaRandom::new(42);
    let mut values: Vec<Vec<u8>> =
        (0..count).map(|_| (0..width).map(|_| (random.next_31() >> 23) as u8).collect()).collect();
    let drawn = Column::new(format!("FLBA({width}) RANDOM"), &values);
    values.sort();
    vec![drawn, Column::new(format!("FLBA({width}) SORTED"), &values)]
}

/// What a JDK draws from `new java.util.Random(42)`.
pub fn check_generator() {
    let mut random = JavaRandom::new(42);
    let first: Vec<u32> = (0..8).map(|_| random.next_int(100)).collect();
    assert_eq!(first, [30, 63, 48, 84, 70, 25, 5, 18]);
    assert_eq!(JavaRandom::new(42).letters(10), b"ahwmarnqdp");
}
