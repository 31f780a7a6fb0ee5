//! Which byte goes where, by width: what the permutations of `pack` and `unpack` are told.

/// A register's worth of bytes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Bytes(pub [u8; 64]);

/// How one register of values becomes packed bytes.
///
/// A lane is rotated so that its value starts at the bit of the byte in which it starts in the output. Each byte of
/// the output has bits of one value (`low`), or of two (the next one's from `high`): `from_low` says which.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Pack {
    pub rotation: Bytes,
    pub low: Bytes,
    pub high: Bytes,
    pub from_low: Bytes,
}

/// How packed bytes become one register of values: each lane gets the bytes from the one in which its value starts,
/// in `high` those after them, and drops `shift` bits.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Unpack {
    pub low: Bytes,
    pub high: Bytes,
    pub shift: Bytes,
}

/// How the packed bytes of a whole chunk become one register of 16-bit lanes: each 64-bit lane gets the bytes that its
/// four values are in, and from those every byte the eight bits from a bit on, of which some may be the next value's.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct UnpackPairs {
    pub bytes: Bytes,
    pub bits: Bytes,
    pub mask: Bytes,
}

/// INT32 deltas of 17 to 32 bits, in 32-bit lanes.
pub static PACK_32: [Pack; 33] = {
    let mut tables = [Pack::NONE; 33];
    let mut width = 17;
    while width <= 32 {
        tables[width] = Pack::new(width, 4, &in_order::<16>(4));
        width += 1;
    }
    tables
};

/// INT64 deltas of 33 to 64 bits, in 64-bit lanes.
pub static PACK_64: [Pack; 65] = {
    let mut tables = [Pack::NONE; 65];
    let mut width = 33;
    while width <= 64 {
        tables[width] = Pack::new(width, 8, &in_order::<8>(8));
        width += 1;
    }
    tables
};

/// 32 deltas of 2 to 16 bits, in the 16-bit lanes that two registers of 32-bit lanes are narrowed to. A byte of the output
/// must not have bits of three lanes: below 8 bits the lanes are pairs of deltas, below 4 bits fours.
pub static PACK_16: [Pack; 17] = {
    let mut tables = [Pack::NONE; 17];
    let mut width = 2;
    while width <= 16 {
        let joined = if width >= 8 {
            1
        } else if width >= 4 {
            2
        } else {
            4
        };
        let mut places = [0; 32];
        let mut lane = 0;
        while lane < 32 / joined {
            // Narrowing takes four values of the first register, four of the second, and so on.
            let value = lane * joined;
            places[lane] = value % 16 / 4 * 16 + value / 16 * 8 + value % 4 * 2;
            lane += 1;
        }
        tables[width] = Pack::new(width * joined, 2 * joined, &places);
        width += 1;
    }
    tables
};

/// What pairs of 16-bit lanes of 2 to 7 bits are multiplied by to join them: the even ones by 1, the odd ones by `2^width`.
pub static JOIN: [i32; 8] = {
    let mut factors = [0; 8];
    let mut width = 2;
    while width < 8 {
        factors[width] = 1 | 1 << (16 + width);
        width += 1;
    }
    factors
};

pub static UNPACK_32: [Unpack; 33] = unpack_tables::<33, 4>();
pub static UNPACK_64: [Unpack; 65] = unpack_tables::<65, 8>();

/// Up to this width a chunk is in one register.
pub const MAX_PAIRS: usize = 16;

pub static UNPACK_PAIRS: [UnpackPairs; MAX_PAIRS + 1] = {
    let none = Bytes([0; 64]);
    let mut tables = [UnpackPairs { bytes: none, bits: none, mask: none }; MAX_PAIRS + 1];
    let mut width = 1;
    while width <= MAX_PAIRS {
        let mask = (1_u32 << width) - 1;
        let mut byte = 0;
        while byte < 64 {
            // Four values start at a whole or a half byte, and so are always within eight.
            let lane = byte / 8 * 4 * width;
            tables[width].bytes.0[byte] = (lane / 8 + byte % 8) as u8;
            // What is past the 64 bits of the lane comes from its start, and is masked away.
            tables[width].bits.0[byte] = ((lane % 8 + byte % 8 / 2 * width + byte % 2 * 8) % 64) as u8;
            tables[width].mask.0[byte] = mask.to_le_bytes()[byte % 2];
            byte += 1;
        }
        width += 1;
    }
    tables
};

/// Which of the 32-bit lanes of two registers, in turns from both, become the 64-bit lanes of four.
pub static WIDEN: [Bytes; 4] = {
    let mut tables = [Bytes([0; 64]); 4];
    let mut lane = 0;
    while lane < 32 {
        tables[lane / 8].0[lane % 8 * 8] = (lane / 2 + lane % 2 * 16) as u8;
        lane += 1;
    }
    tables
};

impl Pack {
    const NONE: Self = {
        let none = Bytes([0; 64]);
        Self { rotation: none, low: none, high: none, from_low: none }
    };

    /// For values of `width` bits, 8 or more, in lanes of `size` bytes that are at these places.
    const fn new<const N: usize>(width: usize, size: usize, places: &[usize; N]) -> Self {
        let mut table = Self::NONE;
        let lanes = if N * size > 64 { 64 / size } else { N };
        let mut lane = 0;
        while lane < lanes {
            table.rotation.0[places[lane]] = (lane * width % 8) as u8;
            lane += 1;
        }
        let mut byte = 0;
        while byte < lanes * width / 8 {
            // The lane that has the lowest bit of this byte; and which byte this is, counted from the value's first.
            let lane = 8 * byte / width;
            let nth = byte - lane * width / 8;
            // One byte too many has what the rotation carried round to the first.
            table.low.0[byte] = (places[lane] + nth % size) as u8;
            let bits_left = (lane + 1) * width - 8 * byte;
            if bits_left < 8 {
                table.high.0[byte] = places[lane + 1] as u8;
                table.from_low.0[byte] = (1 << bits_left) - 1;
            } else {
                table.high.0[byte] = table.low.0[byte];
                table.from_low.0[byte] = 0xFF;
            }
            byte += 1;
        }
        table
    }
}

/// The places of lanes of `size` bytes.
const fn in_order<const N: usize>(size: usize) -> [usize; N] {
    let mut places = [0; N];
    let mut lane = 0;
    while lane < N {
        places[lane] = lane * size;
        lane += 1;
    }
    places
}

const fn unpack_tables<const WIDTHS: usize, const LANE: usize>() -> [Unpack; WIDTHS] {
    let none = Bytes([0; 64]);
    let mut tables = [Unpack { low: none, high: none, shift: none }; WIDTHS];
    let mut width = 1;
    while width < WIDTHS {
        let table = &mut tables[width];
        let mut lane = 0;
        while lane < 64 / LANE {
            let first = lane * width / 8;
            table.shift.0[lane * LANE] = (lane * width % 8) as u8;
            let mut byte = 0;
            while byte < LANE {
                // Past the register are only bits that are masked away.
                let (low, high) = (first + byte, first + LANE + byte);
                table.low.0[lane * LANE + byte] = if low < 64 { low as u8 } else { 63 };
                table.high.0[lane * LANE + byte] = if high < 64 { high as u8 } else { 63 };
                byte += 1;
            }
            lane += 1;
        }
        width += 1;
    }
    tables
}
