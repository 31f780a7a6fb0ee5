//! How many values a block and a miniblock hold, and which writer takes which.

use super::Integer;
use crate::EncodeError;

/// Values per block and miniblocks per block.
///
/// Legal, by Encodings.md: the block is a multiple of 128 values, and each miniblock a multiple of 32. Every value of
/// this type is legal. One that was found in a page may have blocks of up to `i32::MAX` values: before it is written with,
/// which pads the last miniblock, take it through [`new`](Self::new).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Geometry {
    block_size: usize,
    miniblock_count: usize,
}

impl Geometry {
    /// The largest block that [`new`](Self::new) takes: parquet-go refuses to read larger ones.
    pub const MAX_BLOCK_SIZE: usize = 65_536;

    /// The geometry of parquet-java, and the smallest legal block with the smallest legal miniblocks.
    pub const SPEC_128_4: Self = Self { block_size: 128, miniblock_count: 4 };

    /// A geometry to write with.
    ///
    /// # Errors
    ///
    /// [`EncodeError::InvalidGeometry`] unless `block_size` is a multiple of 128 in `128..=65536`, and
    /// `miniblock_count` cuts it into multiples of 32.
    pub const fn new(block_size: usize, miniblock_count: usize) -> Result<Self, EncodeError> {
        match Self::legal(block_size as u64, miniblock_count as u64) {
            Some(geometry) if block_size <= Self::MAX_BLOCK_SIZE => Ok(geometry),
            _ => Err(EncodeError::InvalidGeometry { block_size, miniblock_count }),
        }
    }

    /// A geometry found in a page. The specification stores both numbers as "ULEB128 int": no more than `i32::MAX`.
    pub(super) const fn legal(block_size: u64, miniblock_count: u64) -> Option<Self> {
        let legal = block_size != 0
            && block_size <= i32::MAX as u64
            && block_size.is_multiple_of(128)
            && miniblock_count != 0
            && block_size.is_multiple_of(miniblock_count)
            && (block_size / miniblock_count).is_multiple_of(32);
        if legal {
            Some(Self { block_size: block_size as usize, miniblock_count: miniblock_count as usize })
        } else {
            None
        }
    }

    /// Values in a block.
    pub const fn block_size(self) -> usize {
        self.block_size
    }

    /// Miniblocks in a block.
    pub const fn miniblock_count(self) -> usize {
        self.miniblock_count
    }

    /// Values in a miniblock: a multiple of 32.
    pub const fn miniblock_size(self) -> usize {
        self.block_size / self.miniblock_count
    }

    /// The most values that a page can hold when `bytes` bytes follow its header: a block takes at least one byte of
    /// minimum delta and its width bytes. A page that claims more is refused before anything is made ready for it.
    pub(super) const fn most_values(self, bytes: usize) -> u64 {
        let blocks = (bytes / (1 + self.miniblock_count)) as u64;
        blocks.saturating_mul(self.block_size as u64).saturating_add(1)
    }
}

/// The geometries that writers have pinned. Unused width bytes and padding are zero in each of ours; where a writer
/// leaves other bits there, compare under [`dont_care_mask`](super::dont_care_mask).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// 128 values in 4 miniblocks for both types.
    Spec128x4,
    /// The `parquet` crate, and Arrow C++: INT32 128/4, INT64 256/4.
    ParquetRs,
    /// parquet-java: 128/4 for both types. It leaves the widths and deltas of earlier blocks and pages in the bits that
    /// do not count; a fresh writer with a single block leaves zeros.
    ParquetJava,
    /// Parquet.Net: 1024 values in 32 miniblocks. Some of its versions write no byte at all for an empty column; here, as in
    /// the specification, an empty page is a header.
    ParquetNet,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 4] = [Self::Spec128x4, Self::ParquetRs, Self::ParquetJava, Self::ParquetNet];

    /// The profile of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// `spec-128-4`, `parquet-rs`, `parquet-java` or `parquet-net`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spec128x4 => "spec-128-4",
            Self::ParquetRs => "parquet-rs",
            Self::ParquetJava => "parquet-java",
            Self::ParquetNet => "parquet-net",
        }
    }

    /// What it writes columns of `T` with.
    pub const fn geometry<T: Integer>(self) -> Geometry {
        match self {
            Self::Spec128x4 | Self::ParquetJava => Geometry::SPEC_128_4,
            Self::ParquetRs if T::BITS == 64 => Geometry { block_size: 256, miniblock_count: 4 },
            Self::ParquetRs => Geometry::SPEC_128_4,
            Self::ParquetNet => Geometry { block_size: 1024, miniblock_count: 32 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blocks_of_128s_cut_into_32s_are_geometries() {
        for (block, minis) in [(128, 1), (128, 2), (128, 4), (256, 4), (256, 8), (384, 3), (1024, 32), (65_536, 2048)] {
            let geometry = Geometry::new(block, minis).unwrap();
            assert_eq!((geometry.block_size(), geometry.miniblock_count()), (block, minis));
            assert_eq!(geometry.miniblock_size() * minis, block);
        }
        for (block, minis) in [(0, 0), (0, 1), (128, 0), (128, 8), (128, 3), (64, 2), (192, 6), (65_664, 1), (256, 16)]
        {
            let refused = Err(EncodeError::InvalidGeometry { block_size: block, miniblock_count: minis });
            assert_eq!(Geometry::new(block, minis), refused);
        }
        assert!(Geometry::legal(1 << 31, 1).is_none());
        assert!(Geometry::legal(1 << 30, 1).is_some());
    }

    #[test]
    fn profiles_are_found_by_their_names() {
        for profile in Profile::ALL {
            assert_eq!(Profile::named(profile.name()), Some(profile));
        }
        assert_eq!(Profile::named("parquet"), None);
        let of = |name| {
            let profile = Profile::named(name).unwrap();
            let (a, b) = (profile.geometry::<i32>(), profile.geometry::<i64>());
            [a.block_size(), a.miniblock_count(), b.block_size(), b.miniblock_count()]
        };
        assert_eq!(of("spec-128-4"), [128, 4, 128, 4]);
        assert_eq!(of("parquet-rs"), [128, 4, 256, 4]);
        assert_eq!(of("parquet-java"), [128, 4, 128, 4]);
        assert_eq!(of("parquet-net"), [1024, 32, 1024, 32]);
    }
}
