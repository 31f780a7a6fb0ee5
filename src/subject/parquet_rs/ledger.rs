//! Known disagreements of the crate, in which the specification is on naive's side.
//!
//! Each has a file in `corpus/ledger` with its case, its cause, what the crate answers, and the sentence of the
//! specification. Whether a difference is one of them is not guessed from the case: both are asked again, and the pair
//! of their answers has to fit.

use crate::case::{Case, Job, Step};
use crate::codec::delta_binary_packed::{dont_care_mask, naive};
use crate::error::DecodeError;
use crate::oracle::BEHIND;
use crate::subject::{Answer, Subject, Twins};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A body that is cut in its padding is read.
pub const CUT_PADDING: &str = "parquet-reads-a-miniblock-cut-in-its-padding";
/// So is a stream of lengths, and then the crate slices past the page.
pub const CUT_PADDING_OF_LENGTHS: &str = "parquet-panics-on-lengths-cut-in-their-padding";
/// A block of 0 values is taken, where no block is needed.
pub const EMPTY_BLOCK: &str = "parquet-takes-a-block-of-no-values";
/// A block of more than 2^31 - 1 values is taken.
pub const GIANT_BLOCK: &str = "parquet-takes-a-block-of-more-than-an-int";
/// Bits past the 64th of a number are dropped.
pub const DROPPED_BITS: &str = "parquet-drops-bits-past-the-64th";
/// A number of eleven bytes is a panic.
pub const LONG_NUMBER: &str = "parquet-panics-on-a-number-of-eleven-bytes";
/// A skip over equal steps that wrap is refused.
pub const SKIPPED_STEPS: &str = "parquet-refuses-to-skip-steps-that-wrap";
/// A value that is not in the page is a panic.
pub const ABSENT_VALUE: &str = "parquet-panics-on-a-value-past-the-page";
/// A skip does not look whether what is skipped is there.
pub const SKIPPED_ABSENT: &str = "parquet-skips-values-past-the-page";
/// Fewer suffixes than prefixes, or more, are taken.
pub const UNEQUAL_COUNTS: &str = "parquet-takes-unequal-numbers-of-prefixes-and-suffixes";

/// What a sum or a product says that is checked, as in builds without optimization.
const OVERFLOW: &str = "with overflow";

/// The names of the files.
pub fn names() -> [&'static str; 10] {
    [
        CUT_PADDING,
        CUT_PADDING_OF_LENGTHS,
        EMPTY_BLOCK,
        GIANT_BLOCK,
        DROPPED_BITS,
        LONG_NUMBER,
        SKIPPED_STEPS,
        ABSENT_VALUE,
        SKIPPED_ABSENT,
        UNEQUAL_COUNTS,
    ]
}

/// What the crate answered.
#[derive(Debug)]
pub enum Theirs {
    Answer(Answer<DecodeError>),
    Panic(String),
}

impl Theirs {
    /// It gave values.
    pub fn read(&self) -> bool {
        matches!(self, Self::Answer(Answer::Done(_)))
    }

    /// It panicked, and said one of these.
    pub fn panicked_with(&self, words: &[&str]) -> bool {
        matches!(self, Self::Panic(message) if words.iter().any(|words| message.contains(words)))
    }

    /// It sliced bytes that are not there: the words of `Bytes::slice`, and of sums where they are checked.
    pub fn sliced_past_the_end(&self) -> bool {
        let words = ["range start must not be greater than end", "range end out of bounds", OVERFLOW];
        self.panicked_with(&words)
    }

    /// It gave an error of which the text holds `part`.
    pub fn said(&self, part: &str) -> bool {
        matches!(self, Self::Answer(Answer::Refused(text)) if text.contains(part))
    }
}

/// A question on which the two disagree.
pub struct Disagreement<'a> {
    pub bytes: &'a [u8],
    pub steps: &'a [Step],
    pub right: Result<usize, DecodeError>,
    pub theirs: Theirs,
}

impl Disagreement<'_> {
    /// Whether something is skipped.
    pub fn skips(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Skip(count) if *count > 0))
    }

    /// A number that is longer than the crate's reader allows: its assertion, or before it a shift where shifts are
    /// checked. Naive may have refused the page before it got there.
    fn long_number(&self) -> Option<&'static str> {
        (self.right.is_err() && self.theirs.panicked_with(&["MAX_VLQ_BYTE_LEN", "shift left with overflow"]))
            .then_some(LONG_NUMBER)
    }

    /// What the codecs share: numbers and blocks of the stream that naive refuses.
    pub fn of_integers(&self) -> Option<&'static str> {
        match self.right {
            Err(DecodeError::VarintOverflow { .. }) if self.theirs.read() => Some(DROPPED_BITS),
            // Asked for the values in two goes, it looks for the width of a miniblock before the first.
            Err(DecodeError::InvalidGeometry { block_size: 0, .. })
                if self.theirs.read() || self.theirs.panicked_with(&["the index is 18446744073709551615"]) =>
            {
                Some(EMPTY_BLOCK)
            }
            Err(DecodeError::InvalidGeometry { block_size, miniblock_count, .. })
                if block_size > i32::MAX as u64
                    && block_size.is_multiple_of(128)
                    && miniblock_count > 0
                    && block_size.is_multiple_of(miniblock_count)
                    && (block_size / miniblock_count).is_multiple_of(32)
                    && (self.theirs.read() || self.theirs.panicked_with(&[OVERFLOW])) =>
            {
                Some(GIANT_BLOCK)
            }
            _ => None,
        }
    }
}

/// Whether all that the stream at the front of `bytes` lacks is padding of its last miniblock.
pub fn lacks_padding<T: crate::codec::delta_binary_packed::Integer>(bytes: &[u8]) -> bool {
    let Err(DecodeError::UnexpectedEnd { needed, available, .. }) = naive::decode::<T>(bytes, usize::MAX) else {
        return false;
    };
    let mut whole = bytes.to_vec();
    whole.resize(bytes.len() + needed - available, 0);
    let mask = dont_care_mask::<T>(&whole);
    mask.is_ok_and(|mask| mask.len() == whole.len() && mask[bytes.len()..].iter().all(|bits| *bits == 0xff))
}

/// The entry that excuses the difference on `case`: every question of the judge on which the two disagree must have
/// one, by `name`; the last one is given.
pub fn excuse<D: Twins>(
    mut subject: impl Subject<D>,
    case: &Case<D>,
    name: impl Fn(&Disagreement<'_>) -> Option<&'static str>,
) -> Option<&'static str> {
    let Job::Decode { bytes, steps } = &case.job else { return None };
    let longer = [bytes, &BEHIND[..]].concat();
    let mut naive = D::naive();
    let mut entry = None;
    for (bytes, steps) in [(bytes, &[][..]), (bytes, &steps[..]), (&longer, &[])] {
        let (mut ours, mut values) = (D::Values::default(), D::Values::default());
        let right = match naive.decode(&case.params, bytes, steps, &mut ours) {
            Answer::Done(count) => Ok(count),
            Answer::Error(error) => Err(error),
            _ => return None,
        };
        let asked = catch_unwind(AssertUnwindSafe(|| subject.decode(&case.params, bytes, steps, &mut values)));
        let agree = match (&right, &asked) {
            (_, Ok(Answer::Unsupported)) | (Err(_), Ok(Answer::Refused(_))) => true,
            (Ok(count), Ok(Answer::Done(theirs))) => ours == values && (!subject.says_consumed() || count == theirs),
            _ => false,
        };
        if !agree {
            let theirs = asked.map_or_else(|panic| Theirs::Panic(message(&*panic)), Theirs::Answer);
            let disagreement = Disagreement { bytes, steps, right, theirs };
            entry = Some(disagreement.long_number().or_else(|| name(&disagreement))?);
        }
    }
    entry
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or_default().to_string()
}
