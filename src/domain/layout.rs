//! How the pages of a delta codec are cut, as a case says it: by the name of a profile, or as `geometry: 384/3`.

use crate::case::{ByteReader, ByteWriter, Fields, TextError};
use crate::codec::delta_binary_packed::{Geometry, Integer, Profile};
use crate::generate::Source;

/// The names of the steps of an axis of layouts: every profile, then what has no name.
pub const NAMES: [&str; 5] = ["spec-128-4", "parquet-rs", "parquet-java", "parquet-net", "unnamed"];

/// Largest block that a draw takes, in units of 128 values.
const DRAWN_UNITS: usize = 8;

/// Values per block and miniblocks per block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// By name: it may differ with the type.
    Named(Profile),
    /// By numbers.
    Unnamed(Geometry),
}

impl Default for Layout {
    fn default() -> Self {
        Self::Named(Profile::Spec128x4)
    }
}

impl Layout {
    /// The geometry for values of `T`.
    pub fn geometry<T: Integer>(self) -> Geometry {
        match self {
            Self::Named(profile) => profile.geometry::<T>(),
            Self::Unnamed(geometry) => geometry,
        }
    }

    /// Which of [`NAMES`] it is.
    pub fn step(self) -> usize {
        match self {
            Self::Named(profile) => Profile::ALL.iter().position(|known| *known == profile).unwrap_or(0),
            Self::Unnamed(_) => Profile::ALL.len(),
        }
    }

    /// Adds `profile` or `geometry` to a text.
    pub fn to_text(self, fields: &mut Fields) {
        match self {
            Self::Named(profile) => fields.push("profile", profile.name()),
            Self::Unnamed(geometry) => {
                fields.push("geometry", format!("{}/{}", geometry.block_size(), geometry.miniblock_count()));
            }
        }
    }

    /// Reads what [`to_text`](Self::to_text) wrote; `spec-128-4` when neither line is there.
    pub fn from_text(fields: &Fields) -> Result<Self, TextError> {
        let Some(text) = fields.get("geometry") else {
            return Ok(Self::Named(fields.choice("profile", &Profile::ALL.map(|profile| (profile.name(), profile)))?));
        };
        let error = || TextError::new("geometry", text, "values per block / miniblocks per block, as 128/4");
        let (block, minis) = text.split_once('/').ok_or_else(error)?;
        let number = |text: &str| text.trim().parse().map_err(|_| error());
        let geometry = Geometry::new(number(block)?, number(minis)?);
        geometry.map(Self::Unnamed).map_err(|problem| TextError::new("geometry", text, problem))
    }

    /// Appends the byte form.
    pub fn to_bytes(self, writer: &mut ByteWriter) {
        writer.u8(self.step() as u8);
        if let Self::Unnamed(geometry) = self {
            writer.usize(geometry.block_size() / 128 - 1);
            writer
                .u8(choices(geometry.block_size() / 128).position(|of| of == geometry.miniblock_count()).unwrap_or(0)
                    as u8);
        }
    }

    /// Reads the byte form.
    pub fn from_bytes(reader: &mut ByteReader<'_>) -> Self {
        let step = reader.choice(NAMES.len());
        if let Some(profile) = Profile::ALL.get(step) {
            return Self::Named(*profile);
        }
        let units = 1 + reader.usize(Geometry::MAX_BLOCK_SIZE / 128 - 1);
        let at = reader.choice(choices(units).count());
        let geometry = Geometry::new(128 * units, choices(units).nth(at).unwrap_or(1));
        Self::Unnamed(geometry.unwrap_or(Geometry::SPEC_128_4))
    }

    /// Draws one: every profile, and blocks of up to 1024 values cut in every legal way.
    pub fn draw<S: Source>(source: &mut S) -> Self {
        // Parquet.Net's block is large: less often, so that runs stay fast.
        match source.below(16) {
            0..=3 => Self::Named(Profile::Spec128x4),
            4..=6 => Self::Named(Profile::ParquetRs),
            7 | 8 => Self::Named(Profile::ParquetJava),
            9 => Self::Named(Profile::ParquetNet),
            _ => {
                let most = 1 + source.below(DRAWN_UNITS);
                let units = 1 + source.below(most);
                let at = source.below(choices(units).count());
                let geometry = Geometry::new(128 * units, choices(units).nth(at).unwrap_or(1));
                Self::Unnamed(geometry.unwrap_or(Geometry::SPEC_128_4))
            }
        }
    }

    /// Simpler ones, simplest first.
    pub fn simpler(self) -> Vec<Self> {
        let all = [Self::default(), Self::Named(Profile::ParquetRs), Self::Unnamed(Geometry::SPEC_128_4)];
        all.into_iter().take_while(|simpler| *simpler != self).collect()
    }
}

/// Into how many miniblocks a block of `units` times 128 values can be cut.
fn choices(units: usize) -> impl Iterator<Item = usize> {
    (1..=4 * units).filter(move |minis| (4 * units).is_multiple_of(*minis))
}

/// A number of values near what `geometry` makes an edge: of a miniblock, of a block, of an unpacking kernel. Mostly
/// few, as a case has to be fast.
pub fn count<S: Source>(geometry: Geometry, source: &mut S) -> usize {
    let (mini, block) = (geometry.miniblock_size(), geometry.block_size());
    let near = |edge: usize, source: &mut S| edge + source.below(4);
    match source.below(32) {
        0 => 0,
        1 => 1,
        2..=19 => source.below(9),
        20..=23 => near(31, source),
        24 | 25 => source.below(40),
        26..=28 if mini <= 256 => near(mini - 1, source),
        29 if block <= 256 => near(block - 1, source),
        30 if block <= 1024 && source.chance(1, 4) => near(block - 1, source),
        30 if block <= 256 => near(block + mini - 1, source),
        31 if source.chance(1, 8) => near(mini - 1, source),
        31 if block <= 256 && source.chance(1, 4) => near(2 * block - 1, source),
        31 if source.chance(1, 16) => near(block - 1, source),
        _ => source.below(70),
    }
}

/// The names of the steps of an axis of counts, by the edges of a geometry.
pub const COUNTS: [&str; 10] =
    ["0", "1", "..mini", "mini", "mini+1", "mini+2", "..block", "block", "block+1", "block+2.."];

/// Which of [`COUNTS`] a number of values is. The first value is in no block: `mini + 1` fill a miniblock.
pub fn count_step(geometry: Geometry, count: usize) -> usize {
    let (mini, block) = (geometry.miniblock_size(), geometry.block_size());
    match count {
        0 | 1 => count,
        _ if count > block + 1 => 9,
        _ if count == block + 1 => 8,
        _ if count == block => 7,
        _ if count < mini => 2,
        _ if count <= mini + 2 => 3 + count - mini,
        _ => 6,
    }
}
