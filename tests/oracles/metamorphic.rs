//! Oracles that compare a subject with its own plain answer go by that, also where it is not naive's, and say no more than
//! their own rule.

use crate::toy::{Liar, Lie, Toy};
use bytetwin::case::{Case, Domain, Job, Step};
use bytetwin::codec::decimal::Physical;
use bytetwin::domain::decimal::{self, Decimal, Form};
use bytetwin::error::{DecodeError, EncodeError};
use bytetwin::oracle::{Judge, Oracle, Sweep, Verdict};
use bytetwin::subject::{Answer, Subject, Twins};

type Encode = fn(&mut Liar, &[u16], &mut [u8]) -> Answer<EncodeError>;
type Decode = fn(&mut Liar, &[u8], &[Step], &mut Vec<u16>) -> Answer<DecodeError>;

/// Answers as its functions say, and otherwise honestly.
struct Says {
    honest: Liar,
    encode: Encode,
    decode: Decode,
    says_consumed: bool,
}

impl Says {
    fn honestly() -> Self {
        Self {
            honest: Liar::new(Lie::Honest),
            encode: |honest, values, out| honest.encode(&(), &values.to_vec(), &[], out),
            decode: |honest, bytes, steps, values| honest.decode(&(), bytes, steps, values),
            says_consumed: true,
        }
    }
}

impl Subject<Toy> for Says {
    fn name(&self) -> &str {
        "Says"
    }
    fn says_consumed(&self) -> bool {
        self.says_consumed
    }
    fn encoded_len(&mut self, params: &(), values: &Vec<u16>) -> Answer<EncodeError> {
        self.honest.encoded_len(params, values)
    }
    fn encode(&mut self, _: &(), values: &Vec<u16>, _: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        (self.encode)(&mut self.honest, values, out)
    }
    fn decode(&mut self, _: &(), bytes: &[u8], steps: &[Step], values: &mut Vec<u16>) -> Answer<DecodeError> {
        (self.decode)(&mut self.honest, bytes, steps, values)
    }
}

/// The oracle that a difference was of; `None` when the subject agrees.
fn differs<D: Domain + Twins>(case: &Case<D>, oracle: Oracle, subject: &mut dyn Subject<D>) -> Option<Oracle> {
    let mut judge = Judge::new(Sweep::Borders).with_oracles(&[oracle]);
    judge.prepare(case);
    match judge.judge(case, subject) {
        Verdict::Differ(difference) => Some(difference.oracle),
        Verdict::Agree => None,
        other => panic!("neither agrees nor differs: {other:?}"),
    }
}

#[test]
fn a_subject_that_says_it_wrote_more_than_there_was_room_for_is_measured_by_naive() {
    let case = Case::<Toy>::encode((), vec![7, 8]);
    let mut boaster = Says { encode: |_, _, out| Answer::Done(out.len() + 1), ..Says::honestly() };
    assert_eq!(differs(&case, Oracle::Length, &mut boaster), None);
    assert_eq!(differs(&case, Oracle::Identity, &mut boaster), Some(Oracle::Identity));
}

#[test]
fn a_shorter_encoding_is_swept_at_the_borders_of_its_own_length() {
    // Thirteen bytes by naive; the last value is dropped, and what is too small by one byte is written to.
    let shorter = |honest: &mut Liar, values: &[u16], out: &mut [u8]| {
        if out.len() == 10 {
            out.fill(0);
        }
        honest.encode(&(), &values[..values.len() - 1].to_vec(), &[], out)
    };
    let case = Case::<Toy>::encode((), vec![1, 2, 3, 4, 5, 6]);
    let mut subject = Says { encode: shorter, ..Says::honestly() };
    assert_eq!(differs(&case, Oracle::Capacity, &mut subject), Some(Oracle::Capacity));
}

/// Refuses everything in its own words.
struct Refuses;

impl Subject<Decimal> for Refuses {
    fn name(&self) -> &str {
        "Refuses"
    }
    fn encoded_len(&mut self, _: &decimal::Params, _: &decimal::Values) -> Answer<EncodeError> {
        Answer::Error(EncodeError::ValueTooLong { index: 9, len: 9 })
    }
    fn encode(
        &mut self,
        params: &decimal::Params,
        values: &decimal::Values,
        _: &[u16],
        _: &mut [u8],
    ) -> Answer<EncodeError> {
        self.encoded_len(params, values)
    }
}

#[test]
fn a_length_that_is_refused_as_the_values_are_is_no_fault_of_the_length() {
    // Naive refuses the length of this column, too: 100 has three digits.
    let params = decimal::Params::new(2, 0, Physical::ByteArray, Form::I32);
    let case = Case::<Decimal>::encode(params, decimal::Values::I32(vec![100]));
    assert_eq!(differs(&case, Oracle::Length, &mut Refuses), None);
    assert_eq!(differs(&case, Oracle::Identity, &mut Refuses), Some(Oracle::Identity));
}

#[test]
fn the_way_back_ends_where_the_bytes_do_for_those_who_say_where_it_ends() {
    let case = Case::<Toy>::encode((), vec![7, 8]);
    for (says_consumed, found) in [(true, Some(Oracle::RoundTrip)), (false, None)] {
        let mut subject = Says {
            decode: |honest, bytes, steps, values| {
                honest.decode(&(), bytes, steps, values);
                Answer::Done(0)
            },
            says_consumed,
            ..Says::honestly()
        };
        assert_eq!(differs(&case, Oracle::RoundTrip, &mut subject), found);
    }
}

#[test]
fn where_a_page_ends_is_judged_by_its_own_end_when_its_values_are_read_otherwise() {
    let case = Case::<Toy>::decode((), vec![1, 2, 0]);
    let mut mirrored = Liar::new(Lie::Mirrored);
    assert_eq!(differs(&case, Oracle::Consumed, &mut mirrored), None);
    let mut greedy = Says {
        decode: |_, bytes, steps, values| {
            Liar::new(Lie::Mirrored).decode(&(), bytes, steps, values);
            Answer::Done(bytes.len())
        },
        ..Says::honestly()
    };
    assert_eq!(differs(&case, Oracle::Consumed, &mut greedy), Some(Oracle::Consumed));
}

#[test]
fn a_page_that_is_cut_goes_on_in_the_bytes_behind_it_and_may_be_refused_elsewhere() {
    // Nine values are wanted, so both pages are refused before a value is read, at other places.
    let params = decimal::Params { count: Some(9), ..decimal::Params::new(9, 0, Physical::Fixed(4), Form::I32) };
    let case = Case::<Decimal>::decode(params, vec![0, 0, 7]);
    assert_eq!(differs(&case, Oracle::Consumed, &mut *Decimal::naive()), None);
}

#[test]
fn an_end_that_only_skipping_moves_is_a_fault_of_skip() {
    let job = Job::Decode { bytes: vec![2, 0, 7, 0, 8], steps: vec![Step::Skip(1)] };
    let mut subject = Says {
        decode: |honest, bytes, steps, values| {
            let answer = honest.decode(&(), bytes, steps, values);
            if steps.is_empty() { answer } else { Answer::Done(0) }
        },
        ..Says::honestly()
    };
    assert_eq!(differs(&Case::<Toy> { params: (), job }, Oracle::Skip, &mut subject), Some(Oracle::Skip));
}
