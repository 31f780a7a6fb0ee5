//! Columns for the tests of the two codecs: what has gone wrong elsewhere, and the edges of words and registers.

use super::super::delta_binary_packed::Geometry;
use super::ByteArrays;

/// A column by name.
pub(in crate::codec) struct Shape {
    pub name: String,
    pub values: Vec<Vec<u8>>,
}

/// Numbers that look random and are the same in every run.
pub(in crate::codec) struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.below(256) as u8).collect()
    }
}

/// Lengths around the edges of 8, 16, 32 and 64 bytes, and of a few registers.
pub(in crate::codec) const EDGES: [usize; 27] =
    [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 66, 127, 128, 129, 191, 192, 193, 256, 300];

/// Geometries: the smallest, one miniblock to the block, and what Parquet.Net writes.
pub(in crate::codec) fn geometries() -> [Geometry; 4] {
    [(128, 4), (128, 1), (256, 8), (1024, 32)].map(|(block, minis)| Geometry::new(block, minis).unwrap())
}

/// All columns.
pub(in crate::codec) fn shapes() -> Vec<Shape> {
    let mut numbers = Numbers::new(7);
    let mut shapes = Vec::new();
    let mut add = |name: &str, values: Vec<Vec<u8>>| shapes.push(Shape { name: name.into(), values });
    let texts = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect::<Vec<_>>();

    add("none", vec![]);
    add("one empty value", vec![vec![]]);
    add("empty values", vec![vec![]; 300]);
    add("the specification's example", texts(&["axis", "axle", "babble", "babyhood"]));
    add("a value, then strict prefixes of it", texts(&["abcd", "abc", "ab", "a", "", "a", "abcd"]));
    add("empty values between others", texts(&["", "a", "", "ab", "", "", "abc", ""]));
    for len in EDGES {
        add(&format!("equal values of {len} bytes"), vec![vec![b'x'; len]; 130]);
        let value = numbers.bytes(len);
        // Every prefix of one value, and back.
        add(
            &format!("prefixes up to {len} bytes"),
            (0..=len).chain((0..len).rev()).map(|n| value[..n].to_vec()).collect(),
        );
    }
    // Runs of equal values, which differ from the next run in the last byte, in all, or in the length only.
    let runs = [1, 5, 2, 20, 3, 21, 22, 4, 37, 6, 1, 1, 70, 19, 36];
    for len in EDGES {
        let last = |run: usize| [vec![b'x'; len], vec![run as u8]].concat();
        let all = |run: usize| vec![run as u8; len];
        let longer = |run: usize| vec![b'x'; len + run % 2];
        let values: [&dyn Fn(usize) -> Vec<u8>; 3] = [&last, &all, &longer];
        for (name, value) in ["their last byte", "all bytes", "their length"].iter().zip(values) {
            let values = runs.iter().enumerate().flat_map(|(run, &count)| vec![value(run); count]);
            add(&format!("runs of {len} bytes that differ in {name}"), values.collect());
        }
    }
    // Values repeat up to the edge of any batch, and then come longer ones that go on just as they do.
    for count in 0..40 {
        add(
            &format!("{count} times a letter, then longer"),
            [vec![vec![b'x'; 20]; count], vec![vec![b'x'; 45]; 3]].concat(),
        );
    }
    // Letters whose number changes once, when a walk over them looks for repeats.
    for len in 0..40 {
        add(&format!("4 times two letters, then {len}"), [vec![vec![b'x'; 2]; 4], vec![vec![b'x'; len]; 20]].concat());
    }
    // For each prefix length a value that shares just that much with its neighbour, with long and short suffixes.
    let stem = numbers.bytes(400);
    for suffix in [0, 1, 16, 65] {
        let values = EDGES.iter().chain(EDGES.iter().rev()).enumerate().map(|(index, &prefix)| {
            let mut value = stem[..prefix].to_vec();
            value.extend((0..suffix).map(|_| index as u8 ^ 0x55));
            value
        });
        add(&format!("shared prefixes at the edges, suffixes of {suffix}"), values.collect());
    }
    add("every length from 0 to 300", (0..=300).map(|len| numbers.bytes(len)).collect());
    add("every length from 300 to 0, one letter", (0..=300).rev().map(|len| vec![b'a'; len]).collect());
    for (letters, longest) in [(1, 20), (2, 12), (2, 40), (2, 300), (256, 20), (256, 300)] {
        let mut values: Vec<Vec<u8>> = (0..400)
            .map(|_| {
                let len = numbers.below(longest + 1);
                (0..len).map(|_| b'a'.wrapping_add(numbers.below(letters) as u8)).collect()
            })
            .collect();
        add(&format!("up to {longest} of {letters} letters"), values.clone());
        values.sort();
        add(&format!("up to {longest} of {letters} letters, sorted"), values);
    }
    // Short ones that go together 32 at a time, and now and then one that is too long for that.
    let values = (0..400).map(|index| {
        let longest = if index % 37 == 5 { 90 } else { 16 };
        let len = numbers.below(longest + 1);
        vec![b'a'; len.saturating_sub(2)].into_iter().chain(numbers.bytes(len.min(2))).collect()
    });
    add("short values and a few long ones, most of one letter", values.collect());
    for count in [1, 2, 31, 32, 33, 34, 127, 128, 129, 130, 257] {
        add(
            &format!("{count} values of 12 bytes"),
            (0..count).map(|i| format!("{:012}", i * 7).into_bytes()).collect(),
        );
    }
    shapes
}

/// Calls `f` with the column in every form that can hold it, and the form's name.
pub(in crate::codec) fn for_each_form(values: &[Vec<u8>], mut f: impl FnMut(&str, ByteArrays<'_>)) {
    let slices: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
    f("slices", ByteArrays::slices(&slices));

    let data = values.concat();
    let mut offsets = vec![0_i32];
    for value in values {
        offsets.push(offsets[offsets.len() - 1] + value.len() as i32);
    }
    f("arrow, 32 bits", ByteArrays::arrow(&offsets, &data).unwrap());

    // Data before and behind, which must not be taken for values; behind, it continues the last value.
    let mut wide = vec![b'a'; 3];
    wide.extend_from_slice(&data);
    wide.extend_from_slice(&[b'a'; 70]);
    let moved: Vec<i64> = offsets.iter().map(|&offset| i64::from(offset) + 3).collect();
    f("arrow, 64 bits, a part", ByteArrays::arrow(&moved, &wide).unwrap());

    if let Some(first) = values.first()
        && !first.is_empty()
        && values.iter().all(|value| value.len() == first.len())
    {
        f("fixed length", ByteArrays::fixed_len(first.len(), &data).unwrap());
    }
}
