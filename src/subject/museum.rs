//! The museum: bugs that shipped somewhere, planted into right twins, to see that the harness catches them.
//!
//! An [`Exhibit`] cites the public report that it comes from. Its subject is thin: a right twin, and what the bug does
//! to the values, to the bytes, or to the answer on their way ([`Tampered`]).

use super::{Answer, Order, Subject, Twins};
use crate::case::{Direction, Domain, Step};
use crate::error::{DecodeError, EncodeError};

/// A planted bug.
pub struct Exhibit<D: Domain> {
    /// Its name: the report's id, and a word where a report gives several.
    pub name: &'static str,
    /// Where it was reported.
    pub source: &'static str,
    /// What the bug does, in a sentence.
    pub fault: &'static str,
    /// Which way it goes wrong.
    pub direction: Direction,
    /// Makes the subject.
    pub make: fn() -> Box<dyn Subject<D>>,
}

impl<D: Domain> Exhibit<D> {
    /// An exhibit.
    pub fn new(
        name: &'static str,
        source: &'static str,
        fault: &'static str,
        direction: Direction,
        make: fn() -> Box<dyn Subject<D>>,
    ) -> Self {
        Self { name, source, fault, direction, make }
    }
}

/// What a bug sees of an encode call.
pub struct Encoding<'a, D: Domain> {
    /// Profile, column, form.
    pub params: &'a D::Params,
    /// What was to be written.
    pub values: &'a D::Values,
    /// How it came.
    pub puts: &'a [u16],
    /// The output.
    pub out: &'a mut [u8],
    /// The answer.
    pub answer: &'a mut Answer<EncodeError>,
}

impl<D: Domain> Encoding<'_, D> {
    /// What was written, when it was.
    pub fn bytes(&mut self) -> Option<&mut [u8]> {
        match *self.answer {
            Answer::Done(written) => self.out.get_mut(..written),
            _ => None,
        }
    }
}

/// What a bug sees of a decode call.
pub struct Decoding<'a, D: Domain> {
    /// Profile, column, form.
    pub params: &'a D::Params,
    /// What was read.
    pub bytes: &'a [u8],
    /// How it was taken.
    pub steps: &'a [Step],
    /// The values.
    pub values: &'a mut D::Values,
    /// The answer.
    pub answer: &'a mut Answer<DecodeError>,
}

type OrderBug<D> = fn(&<D as Domain>::Params, &[u8], &mut Order);
type LengthBug<D> = fn(&<D as Domain>::Params, &<D as Domain>::Values, &mut Answer<EncodeError>);
type ValuesBug<D, S> = fn(&mut S, &<D as Domain>::Params, &mut <D as Domain>::Values);
type BytesBug<D, S> = fn(&mut S, &<D as Domain>::Params, &mut Vec<u8>);

/// A right twin, and what a bug does on the way. `S` is what the bug keeps between calls.
pub struct Tampered<D: Domain, S = ()> {
    twin: Box<dyn Subject<D>>,
    state: S,
    length: Option<LengthBug<D>>,
    values: Option<ValuesBug<D, S>>,
    written: Option<fn(&mut S, Encoding<'_, D>)>,
    bytes: Option<BytesBug<D, S>>,
    read: Option<fn(&mut S, Decoding<'_, D>)>,
    order: Option<OrderBug<D>>,
}

impl<D: Twins, S: Default + Send + 'static> Tampered<D, S> {
    /// A right twin: the portable fast one.
    pub fn new() -> Self {
        let twin = D::subjects().into_iter().find(|subject| subject.name() == "fast-portable").unwrap_or_else(D::naive);
        Self {
            twin,
            state: S::default(),
            length: None,
            values: None,
            written: None,
            bytes: None,
            read: None,
            order: None,
        }
    }

    /// The bug changes what `encoded_len` says.
    pub fn length(mut self, bug: LengthBug<D>) -> Self {
        self.length = Some(bug);
        self
    }

    /// The bug changes the values before they are written.
    pub fn values(mut self, bug: ValuesBug<D, S>) -> Self {
        self.values = Some(bug);
        self
    }

    /// The bug changes what was written, or the answer.
    pub fn written(mut self, bug: fn(&mut S, Encoding<'_, D>)) -> Self {
        self.written = Some(bug);
        self
    }

    /// The bug changes the bytes before they are read.
    pub fn bytes(mut self, bug: BytesBug<D, S>) -> Self {
        self.bytes = Some(bug);
        self
    }

    /// The bug changes the values that were read, or the answer.
    pub fn read(mut self, bug: fn(&mut S, Decoding<'_, D>)) -> Self {
        self.read = Some(bug);
        self
    }

    /// The bug changes the order of an encoded column.
    pub fn order(mut self, bug: OrderBug<D>) -> Self {
        self.order = Some(bug);
        self
    }

    /// The subject.
    pub fn boxed(self) -> Box<dyn Subject<D>> {
        Box::new(self)
    }
}

impl<D: Twins, S: Default + Send + 'static> Default for Tampered<D, S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D: Twins, S: Default + Send + 'static> Subject<D> for Tampered<D, S> {
    fn name(&self) -> &str {
        "planted"
    }

    fn encoded_len(&mut self, params: &D::Params, values: &D::Values) -> Answer<EncodeError> {
        let mut answer = self.twin.encoded_len(params, values);
        if let Some(bug) = self.length {
            bug(params, values, &mut answer);
        }
        answer
    }

    fn encode(&mut self, params: &D::Params, values: &D::Values, puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        let mut answer = match self.values {
            None => self.twin.encode(params, values, puts, out),
            Some(bug) => {
                let mut changed = values.clone();
                bug(&mut self.state, params, &mut changed);
                self.twin.encode(params, &changed, puts, out)
            }
        };
        if let Some(bug) = self.written {
            bug(&mut self.state, Encoding { params, values, puts, out, answer: &mut answer });
        }
        answer
    }

    fn decode(
        &mut self,
        params: &D::Params,
        bytes: &[u8],
        steps: &[Step],
        values: &mut D::Values,
    ) -> Answer<DecodeError> {
        let mut answer = match self.bytes {
            None => self.twin.decode(params, bytes, steps, values),
            Some(bug) => {
                let mut changed = bytes.to_vec();
                bug(&mut self.state, params, &mut changed);
                self.twin.decode(params, &changed, steps, values)
            }
        };
        if let Some(bug) = self.read {
            bug(&mut self.state, Decoding { params, bytes, steps, values, answer: &mut answer });
        }
        answer
    }

    fn order(&mut self, params: &D::Params, bytes: &[u8], order: &mut Order) -> bool {
        let answered = self.twin.order(params, bytes, order);
        if let Some(bug) = self.order.filter(|_| answered) {
            bug(params, bytes, order);
        }
        answered
    }

    fn renew(&mut self) {
        self.twin.renew();
        self.state = S::default();
    }
}
