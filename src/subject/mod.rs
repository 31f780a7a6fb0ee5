//! Whatever encodes or decodes: naive, fast on each path, other crates, other processes, the last release, planted
//! bugs, and a user's own encoder.

#[cfg(feature = "amq-protocol")]
pub mod amq_protocol;

use crate::case::{Case, Domain, Step};
use crate::error::{DecodeError, EncodeError};
use core::cmp::Ordering;
use core::fmt::Debug;
use std::borrow::Cow;

pub mod group;
pub mod museum;
pub mod panics;
#[cfg(feature = "parquet")]
pub mod parquet_rs;
pub mod process;

/// What a subject says to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<E> {
    /// It cannot be asked this. Never counted as agreement.
    Unsupported,
    /// Encode: bytes written. Decode: bytes consumed (or 0 from a subject that does not say).
    Done(usize),
    /// An error that can be compared with the twin's.
    Error(E),
    /// An error of ours from another process, as its debug text; compared as such.
    Text(String),
    /// An error of another make: all that can be compared is that it is one.
    Refused(Cow<'static, str>),
}

impl<E> Answer<E> {
    /// From a result of ours.
    pub fn of(result: Result<usize, E>) -> Self {
        match result {
            Ok(count) => Self::Done(count),
            Err(error) => Self::Error(error),
        }
    }

    /// Whether it was answered at all.
    pub fn supported(&self) -> bool {
        !matches!(self, Self::Unsupported)
    }

    /// The count, when there is one.
    pub fn done(&self) -> Option<usize> {
        match self {
            Self::Done(count) => Some(*count),
            _ => None,
        }
    }
}

impl<E: PartialEq + Debug> Answer<E> {
    /// Whether two answers are the same in terms that both have: an error of another make equals any error.
    pub fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Done(a), Self::Done(b)) => a == b,
            (Self::Error(a), Self::Error(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Error(error), Self::Text(text)) | (Self::Text(text), Self::Error(error)) => {
                format!("{error:?}") == *text
            }
            (Self::Refused(_), Self::Error(_) | Self::Text(_) | Self::Refused(_)) => true,
            (Self::Error(_) | Self::Text(_), Self::Refused(_)) => true,
            _ => false,
        }
    }
}

/// The order of an encoded column, as statistics need it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// How each value compares with the next one.
    pub neighbours: Vec<Ordering>,
    /// Which value is the smallest, and which the largest; the first of equals. `None` when there are no values.
    pub min_max: Option<(usize, usize)>,
}

impl Order {
    /// Becomes the order of these values.
    pub fn of<T>(&mut self, values: &[T], compare: impl Fn(&T, &T) -> Ordering) {
        self.neighbours.clear();
        self.neighbours.extend(values.windows(2).map(|pair| compare(&pair[0], &pair[1])));
        self.min_max = (!values.is_empty()).then_some((0, 0));
        if let Some((min, max)) = &mut self.min_max {
            for (at, value) in values.iter().enumerate() {
                if compare(value, &values[*min]).is_lt() {
                    *min = at;
                }
                if compare(value, &values[*max]).is_gt() {
                    *max = at;
                }
            }
        }
    }
}

/// Something that encodes, decodes, or both.
///
/// A subject may keep state between calls, as an encoder object does; the harness asks the same object again and
/// again, and compares with naive, which has none, and with the same object [renewed](Self::renew).
pub trait Subject<D: Domain>: Send {
    /// Its name, in findings and tallies.
    fn name(&self) -> &str;

    /// How many bytes [`encode`](Self::encode) will write.
    fn encoded_len(&mut self, _params: &D::Params, _values: &D::Values) -> Answer<EncodeError> {
        Answer::Unsupported
    }

    /// Encodes `values` into `out`, handed over in `puts` where it streams.
    fn encode(
        &mut self,
        _params: &D::Params,
        _values: &D::Values,
        _puts: &[u16],
        _out: &mut [u8],
    ) -> Answer<EncodeError> {
        Answer::Unsupported
    }

    /// Decodes `bytes` into `values`, whose buffers are reused, taking `steps` where it streams.
    fn decode(
        &mut self,
        _params: &D::Params,
        _bytes: &[u8],
        _steps: &[Step],
        _values: &mut D::Values,
    ) -> Answer<DecodeError> {
        Answer::Unsupported
    }

    /// The order of the values that `bytes` encode, without decoding them, into `order`. False when it does not have one,
    /// or when the bytes are not a column of whole values.
    fn order(&mut self, _params: &D::Params, _bytes: &[u8], _order: &mut Order) -> bool {
        false
    }

    /// Forgets all that earlier calls left behind, as if it had just been made. A subject that keeps nothing does nothing.
    fn renew(&mut self) {}

    /// Whether `Done` of a decode says how many bytes were consumed.
    fn says_consumed(&self) -> bool {
        true
    }

    /// Whether it is bound by the whole contract (room in `out`, canaries, `encoded_len`), or only by its bytes. A
    /// subject that writes into its own buffer says no.
    fn keeps_contract(&self) -> bool {
        true
    }

    /// The entry of the ledger that excuses a difference on this case, where there is one: a known disagreement in
    /// which the specification is on naive's side.
    fn excuse(&self, _case: &Case<D>) -> Option<&'static str> {
        None
    }
}

/// The subjects that a codec comes with.
pub trait Twins: Domain {
    /// The reference. It keeps no state and supports every case.
    fn naive() -> Box<dyn Subject<Self>>;
    /// Fast, on every path of this machine, and every other implementation that the features bring.
    fn subjects() -> Vec<Box<dyn Subject<Self>>>;
    /// All of them, naive first.
    fn naive_and_subjects() -> Vec<Box<dyn Subject<Self>>> {
        let mut all = vec![Self::naive()];
        all.extend(Self::subjects());
        all
    }
    /// The planted bugs that the harness must catch.
    fn exhibits() -> Vec<museum::Exhibit<Self>> {
        Vec::new()
    }
}
