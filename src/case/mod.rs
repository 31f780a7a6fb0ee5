//! A case: one input of the harness. Codec, parameters (profile, column, form of the input), values or bytes, call
//! pattern and output capacity.
//!
//! A case has a text form ([`text`]), in which the committed corpus is kept, and a byte form ([`bytes`]) for the
//! fuzzer. Each is the inverse of the other side of itself, neither depends on the environment, on the order of the
//! targets or on the layout of a struct, and the byte form carries a version.

use core::fmt::Debug;

pub mod bytes;
pub mod file;
mod printable;
pub mod text;

pub use bytes::{ByteReader, ByteWriter};
pub use file::CaseFile;
pub use printable::printable;
pub use text::{Fields, TextError};

/// The kinds of input that one codec takes, and how they are written down.
///
/// Everything above it (generation, cells, subjects) is a further trait on the same type, so that a codec's domain is
/// one unit struct, with the usual derives.
pub trait Domain: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// Name of the codec, as in `encode_<codec>`.
    const CODEC: &'static str;
    /// Number of the codec in the byte form; never given to another codec.
    const ID: u8;
    /// The profiles under which "the same bytes" is judged; one where the specification leaves no choice.
    const PROFILES: &'static [&'static str] = &["the specification"];
    /// What is fixed for a whole call: profile, column, options, the form in which values are handed over.
    type Params: Clone + PartialEq + Debug + Send + Sync;
    /// The values of one call.
    type Values: Clone + PartialEq + Debug + Default + Send + Sync;

    /// Adds the fields of `params` to a text.
    fn params_to_text(params: &Self::Params, fields: &mut Fields);
    /// Reads what [`params_to_text`](Self::params_to_text) wrote.
    fn params_from_text(fields: &Fields) -> Result<Self::Params, TextError>;
    /// One line: the values, readable.
    fn values_to_text(params: &Self::Params, values: &Self::Values) -> String;
    /// Reads what [`values_to_text`](Self::values_to_text) wrote.
    fn values_from_text(params: &Self::Params, text: &str) -> Result<Self::Values, TextError>;

    /// Appends the byte form of `params`.
    fn params_to_bytes(params: &Self::Params, writer: &mut ByteWriter);
    /// Reads parameters; total: every byte string is some parameters.
    fn params_from_bytes(reader: &mut ByteReader<'_>) -> Self::Params;
    /// Appends the byte form of `values`.
    fn values_to_bytes(params: &Self::Params, values: &Self::Values, writer: &mut ByteWriter);
    /// Reads values into `values`, whose buffers are reused; total.
    fn values_from_bytes(params: &Self::Params, reader: &mut ByteReader<'_>, values: &mut Self::Values);

    /// How many values there are.
    fn count(values: &Self::Values) -> usize;
    /// The values that remain when `steps` say which were skipped. Values behind the last step are all taken.
    ///
    /// Only called for codecs whose decoders can skip; the others keep the default.
    fn select(values: &Self::Values, _steps: &[Step]) -> Self::Values {
        values.clone()
    }
    /// Whether what encodes `values` can be read into the same form at all with `params`: false where the form holds
    /// less than the encoding does, or where the limits of a decode are lower.
    fn reads_back(_params: &Self::Params, _values: &Self::Values) -> bool {
        true
    }
    /// Whether decoding `encoded` may give `decoded` instead (the encoding may have dropped what the profile says it
    /// drops, a scale for example).
    fn same_values(_params: &Self::Params, encoded: &Self::Values, decoded: &Self::Values) -> bool {
        encoded == decoded
    }
}

/// Which way a case goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From values to bytes.
    Encode,
    /// From bytes to values.
    Decode,
}

impl Direction {
    /// Both, in the order of the targets.
    pub const BOTH: [Self; 2] = [Self::Encode, Self::Decode];

    /// `encode` or `decode`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Encode => "encode",
            Self::Decode => "decode",
        }
    }
}

/// Room in the output buffer, relative to what the encoding needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capacity {
    /// As many bytes as needed.
    Exact,
    /// So many bytes too few (an empty buffer when that is more than all).
    Short(u16),
    /// So many bytes more.
    Slack(u16),
}

impl Capacity {
    /// The length of the buffer for an encoding of `needed` bytes.
    pub fn of(self, needed: usize) -> usize {
        match self {
            Self::Exact => needed,
            Self::Short(by) => needed.saturating_sub(by.into()),
            Self::Slack(by) => needed + usize::from(by),
        }
    }
}

/// One step of a reader: take some values, or skip some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Read so many values.
    Get(u16),
    /// Skip so many values.
    Skip(u16),
}

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Job<V> {
    /// Encode `values`.
    Encode {
        /// What to encode.
        values: V,
        /// Sizes of the puts in which a streaming writer gets them; what is left over is one last put.
        puts: Vec<u16>,
        /// Room in the output.
        capacity: Capacity,
    },
    /// Decode `bytes`.
    Decode {
        /// What to decode; may be hostile.
        bytes: Vec<u8>,
        /// How a streaming reader takes the values; what is left over is read.
        steps: Vec<Step>,
    },
}

impl<V> Job<V> {
    /// Which way it goes.
    pub fn direction(&self) -> Direction {
        match self {
            Self::Encode { .. } => Direction::Encode,
            Self::Decode { .. } => Direction::Decode,
        }
    }
}

/// One input of the harness.
pub struct Case<D: Domain> {
    /// Profile, column, form.
    pub params: D::Params,
    /// What is asked.
    pub job: Job<D::Values>,
}

impl<D: Domain> Case<D> {
    /// A plain encode: one put, exact room.
    pub fn encode(params: D::Params, values: D::Values) -> Self {
        Self { params, job: Job::Encode { values, puts: Vec::new(), capacity: Capacity::Exact } }
    }

    /// A plain decode: everything is read.
    pub fn decode(params: D::Params, bytes: Vec<u8>) -> Self {
        Self { params, job: Job::Decode { bytes, steps: Vec::new() } }
    }

    /// Which way it goes.
    pub fn direction(&self) -> Direction {
        self.job.direction()
    }

    /// `encode_decimal` and the like: the fuzz target that runs it.
    pub fn target(&self) -> String {
        format!("{}_{}", self.direction().name(), D::CODEC)
    }
}

impl<D: Domain> Clone for Case<D> {
    fn clone(&self) -> Self {
        Self { params: self.params.clone(), job: self.job.clone() }
    }
}

impl<D: Domain> PartialEq for Case<D> {
    fn eq(&self, other: &Self) -> bool {
        self.params == other.params && self.job == other.job
    }
}

impl<D: Domain> Debug for Case<D> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.to_text())
    }
}
