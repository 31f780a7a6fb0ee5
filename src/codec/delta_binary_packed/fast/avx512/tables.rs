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

/// How the packed bytes of a whole chunk become two registers of 32-bit lanes: the even ones of its values, and the
/// odd ones.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct UnpackPairs {
    pub even: Bytes,
    pub even_shift: Bytes,
    pub odd: Bytes,
    pub odd_shift: Bytes,
}

/// Widths below 8 would have bytes of three values; those are joined to wider ones first.
const MIN_PACK: usize = 8;

pub static PACK_32: [Pack; 33] = pack_tables::<33, 4>();
pub static PACK_64: [Pack; 65] = pack_tables::<65, 8>();
pub static UNPACK_32: [Unpack; 33] = unpack_tables::<33, 4>();
pub static UNPACK_64: [Unpack; 65] = unpack_tables::<65, 8>();

/// Up to this width a chunk is in one register.
pub const MAX_PAIRS: usize = 16;

pub static UNPACK_PAIRS: [UnpackPairs; MAX_PAIRS + 1] = {
    let none = Bytes([0; 64]);
    let mut tables = [UnpackPairs { even: none, even_shift: none, odd: none, odd_shift: none }; MAX_PAIRS + 1];
    let mut width = 1;
    while width <= MAX_PAIRS {
        let mut lane = 0;
        while lane < 16 {
            let (even, odd) = (2 * lane * width, (2 * lane + 1) * width);
            tables[width].even_shift.0[4 * lane] = (even % 8) as u8;
            tables[width].odd_shift.0[4 * lane] = (odd % 8) as u8;
            let mut byte = 0;
            while byte < 4 {
                let (even, odd) = (even / 8 + byte, odd / 8 + byte);
                // Past the register are only bits that are masked away.
                tables[width].even.0[4 * lane + byte] = if even < 64 { even as u8 } else { 63 };
                tables[width].odd.0[4 * lane + byte] = if odd < 64 { odd as u8 } else { 63 };
                byte += 1;
            }
            lane += 1;
        }
        width += 1;
    }
    tables
};

/// The lowest byte of each 32-bit lane of two registers.
pub static LOW_BYTES: Bytes = {
    let mut index = [0; 64];
    let mut value = 0;
    while value < 32 {
        index[value] = 4 * value as u8;
        value += 1;
    }
    Bytes(index)
};

const fn pack_tables<const WIDTHS: usize, const LANE: usize>() -> [Pack; WIDTHS] {
    let none = Bytes([0; 64]);
    let mut tables = [Pack { rotation: none, low: none, high: none, from_low: none }; WIDTHS];
    let mut width = MIN_PACK;
    while width < WIDTHS {
        let table = &mut tables[width];
        let lanes = 64 / LANE;
        let mut lane = 0;
        while lane < lanes {
            table.rotation.0[lane * LANE] = (lane * width % 8) as u8;
            lane += 1;
        }
        let mut byte = 0;
        while byte < lanes * width / 8 {
            // The value that has the lowest bit of this byte; and which byte this is, counted from the value's first.
            let value = 8 * byte / width;
            let nth = byte - value * width / 8;
            // A ninth byte has what the rotation carried round to the first.
            table.low.0[byte] = (LANE * value + nth % LANE) as u8;
            let bits_left = (value + 1) * width - 8 * byte;
            if bits_left < 8 {
                table.high.0[byte] = (LANE * (value + 1)) as u8;
                table.from_low.0[byte] = (1 << bits_left) - 1;
            } else {
                table.high.0[byte] = table.low.0[byte];
                table.from_low.0[byte] = 0xFF;
            }
            byte += 1;
        }
        width += 1;
    }
    tables
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
