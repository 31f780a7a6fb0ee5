//! Each oracle catches the kind of lie that it is there for, and an honest subject passes them all.

mod metamorphic;
#[path = "../toy/mod.rs"]
mod toy;

use bytetwin::case::{Capacity, Case, Direction, Job, Step};
use bytetwin::error::{DecodeError, EncodeError};
use bytetwin::oracle::{Detail, Judge, Oracle, Sweep, Verdict};
use bytetwin::registry::{AnyCodec, Of};
use bytetwin::run::{Bench, Budget, Config, Outcome, run_with};
use bytetwin::subject::{Answer, Order, Subject};
use toy::{Liar, Lie, Toy};

fn outcome(lie: Lie, oracles: &[Oracle]) -> Outcome<Toy> {
    outcome_of(lie, oracles, &Direction::BOTH)
}

fn outcome_of(lie: Lie, oracles: &[Oracle], directions: &[Direction]) -> Outcome<Toy> {
    let (oracles, directions) = (oracles.to_vec(), directions.to_vec());
    let config = Config { budget: Budget::Cases(3000), oracles, directions, ..Config::default() };
    run_with(&config, &|| Bench::with_subjects(&config, vec![Box::new(Liar::new(lie))]), &|_| ())
}

fn caught(lie: Lie, oracle: Oracle) -> bool {
    !outcome(lie, &[oracle]).findings.is_empty()
}

#[test]
fn an_honest_subject_passes_every_oracle() {
    let outcome = outcome(Lie::Honest, &Oracle::ALL);
    assert!(outcome.findings.is_empty());
    assert_eq!(outcome.verdicts["Honest"].agreed, 3000);
}

#[test]
fn each_oracle_catches_a_lie_that_no_other_oracle_catches() {
    let alone = [
        (Lie::Mirrored, Oracle::Identity),
        (Lie::WhichValue, Oracle::Identity),
        (Lie::Length, Oracle::Length),
        (Lie::Past, Oracle::Capacity),
        (Lie::Partial, Oracle::Capacity),
        (Lie::ErrorNumbers, Oracle::Capacity),
        (Lie::Chunks, Oracle::Chunks),
        (Lie::Stale, Oracle::Reuse),
        (Lie::Skip, Oracle::Skip),
        (Lie::Greedy, Oracle::Consumed),
        (Lie::Order, Oracle::Order),
        (Lie::Bounds, Oracle::Order),
        (Lie::ChunksPast, Oracle::Chunks),
        (Lie::Failed, Oracle::Reuse),
        (Lie::FailedRead, Oracle::Reuse),
        (Lie::Dirty, Oracle::Capacity),
        (Lie::Panics, Oracle::Identity),
    ];
    for (lie, only) in alone {
        for oracle in Oracle::ALL {
            assert_eq!(caught(lie, oracle), oracle == only, "{lie:?} by {}", oracle.name());
        }
    }
}

#[test]
fn identity_catches_wrong_bytes_wrong_errors_and_panics() {
    for lie in [Lie::ByteOrder, Lie::WhichValue, Lie::ReadsWrong] {
        assert!(caught(lie, Oracle::Identity), "{lie:?}");
    }
    let case = Case::<Toy>::encode((), vec![777]);
    let mut judge = Judge::new(Sweep::Borders).with_oracles(&[Oracle::Identity]);
    judge.prepare(&case);
    let Verdict::Differ(difference) = judge.judge(&case, &mut Liar::new(Lie::Panics)) else { panic!("not caught") };
    let Detail::Panicked(panicked) = difference.detail else { panic!("it panicked") };
    assert_eq!(panicked.message, "777 is too much");
    let place = panicked.place.expect("a place");
    assert!(place.contains("toy/mod.rs:"), "{place}");
}

#[test]
fn capacity_catches_partial_writes_and_wrong_numbers_in_the_error() {
    for lie in [Lie::Partial, Lie::ErrorNumbers] {
        assert!(caught(lie, Oracle::Capacity), "{lie:?}");
        assert!(!caught(lie, Oracle::Identity), "{lie:?}");
    }
}

#[test]
fn round_trip_alone_catches_a_reader_that_nobody_asks_to_read_anything_else() {
    for oracle in Oracle::ALL {
        let outcome = outcome_of(Lie::ReadsWrong, &[oracle], &[Direction::Encode]);
        assert_eq!(!outcome.findings.is_empty(), oracle == Oracle::RoundTrip, "{}", oracle.name());
    }
}

/// With every oracle asked, each lie is found by the one that the table names, or by one that is asked before it.
#[test]
fn what_one_oracle_sees_is_seen_when_all_are_asked_and_its_finding_can_be_shown_again() {
    for lie in Lie::CAUGHT {
        let found = outcome(lie, &Oracle::ALL).findings;
        assert!(!found.is_empty(), "{lie:?}");
        assert!(found.iter().any(|finding| finding.shrunk_by > 0), "{lie:?}");
        // What needed a case before it is kept as it was found.
        for finding in found.into_iter().filter(|finding| finding.shrunk_by > 0) {
            let oracle = finding.difference.oracle;
            let oracles = if oracle == Oracle::Reuse { &Oracle::ALL[..] } else { &[oracle] };
            let mut judge = Judge::new(Sweep::Borders).with_oracles(oracles);
            judge.prepare(&finding.case);
            let again = judge.judge(&finding.case, &mut Liar::new(lie));
            assert_eq!(again, Verdict::Differ(Box::new(finding.difference)), "{lie:?}");
        }
    }
}

#[test]
fn an_oracle_that_has_nothing_to_ask_does_not_agree() {
    let encode = Case::<Toy>::encode((), vec![7]);
    let decode = Case::<Toy>::decode((), vec![1, 0, 7]);
    for (case, oracle) in [(encode, Oracle::Chunks), (decode, Oracle::Skip)] {
        let mut judge = Judge::new(Sweep::Borders).with_oracles(&[oracle]);
        judge.prepare(&case);
        assert_eq!(judge.judge(&case, &mut Liar::new(Lie::Honest)), Verdict::Unsupported, "{}", oracle.name());
    }
}

#[test]
fn each_oracle_that_is_asked_alone_agrees_with_an_honest_subject() {
    let encode = |capacity| Job::Encode { values: vec![7, 8], puts: vec![1], capacity };
    let (exact, slack) = (encode(Capacity::Exact), encode(Capacity::Slack(1)));
    let decode = Job::Decode { bytes: vec![2, 0, 7, 0, 8], steps: vec![Step::Skip(1)] };
    use Oracle::{Capacity as Room, Chunks, Consumed, Identity, Length, Order, Reuse, RoundTrip, Skip};
    for (job, oracles) in [
        (exact, &[Identity, Length, Chunks, Reuse, RoundTrip, Order][..]),
        (slack, &[Room]),
        (decode, &[Identity, Reuse, Skip, Consumed, Order]),
    ] {
        let case = Case::<Toy> { params: (), job };
        for (oracle, sweep) in oracles.iter().flat_map(|o| [(o, Sweep::Case), (o, Sweep::Borders), (o, Sweep::Every)]) {
            let mut judge = Judge::new(sweep).with_oracles(&[*oracle]);
            judge.prepare(&case);
            let verdict = judge.judge(&case, &mut Liar::new(Lie::Honest));
            assert_eq!(verdict, Verdict::Agree, "{} {sweep:?}", oracle.name());
        }
    }
}

/// A page that is cut goes on in what stands behind it, and a put in the room that a short one had not.
#[test]
fn what_only_other_bytes_or_another_room_than_the_cases_show_is_seen() {
    let cut = Job::Decode { bytes: vec![2, 0, 7], steps: vec![] };
    let short = Job::Encode { values: vec![7, 8], puts: vec![1], capacity: Capacity::Short(1) };
    for (job, lie, oracle, quick) in
        [(cut, Lie::ReadsWrong, Oracle::Identity, false), (short, Lie::Chunks, Oracle::Chunks, true)]
    {
        let case = Case::<Toy> { params: (), job };
        let mut judge = Judge::new(Sweep::Case).with_oracles(&[oracle]);
        for (sweep, seen) in [(Sweep::Case, quick), (Sweep::Borders, true)] {
            judge.set_sweep(sweep);
            judge.prepare(&case);
            let found = match judge.judge(&case, &mut Liar::new(lie)) {
                Verdict::Differ(difference) => Some(difference.oracle),
                _ => None,
            };
            assert_eq!(found, seen.then_some(oracle), "{lie:?} {sweep:?}");
        }
    }
}

/// An honest subject that writes down each call: bytes of room and the first of them, or bytes of input.
struct Witness {
    honest: Liar,
    foreign: bool,
    /// Zeroes what is too small.
    zeroes: bool,
    calls: Vec<(usize, Option<u8>)>,
}

impl Subject<Toy> for Witness {
    fn name(&self) -> &str {
        "Witness"
    }
    fn keeps_contract(&self) -> bool {
        !self.foreign
    }
    fn encoded_len(&mut self, params: &(), values: &Vec<u16>) -> Answer<EncodeError> {
        self.honest.encoded_len(params, values)
    }
    fn encode(&mut self, params: &(), values: &Vec<u16>, puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        self.calls.push((out.len(), out.first().copied()));
        let answer = self.honest.encode(params, values, puts, out);
        if self.zeroes && answer.done().is_none() {
            out.fill(0);
        }
        answer
    }
    fn decode(&mut self, params: &(), bytes: &[u8], steps: &[Step], values: &mut Vec<u16>) -> Answer<DecodeError> {
        self.calls.push((bytes.len(), None));
        self.honest.decode(params, bytes, steps, values)
    }
    fn order(&mut self, params: &(), bytes: &[u8], order: &mut Order) -> bool {
        self.honest.order(params, bytes, order)
    }
}

fn witness(job: Job<Vec<u16>>, oracle: Oracle, sweep: Sweep, foreign: bool, zeroes: bool) -> (Witness, Verdict<Toy>) {
    let mut witness = Witness { honest: Liar::new(Lie::Honest), foreign, zeroes, calls: vec![] };
    let case = Case::<Toy> { params: (), job };
    let mut judge = Judge::new(sweep).with_oracles(&[oracle]);
    judge.prepare(&case);
    let verdict = judge.judge(&case, &mut witness);
    (witness, verdict)
}

/// Five bytes are needed, and each case begins with the plain call.
#[test]
fn what_an_oracle_calls_has_the_room_and_the_fill_that_it_should() {
    let encode = |puts, capacity| Job::Encode { values: vec![7, 8], puts, capacity };
    let (a, b) = (Some(0xa5), Some(0x5a));
    let decode = Job::Decode { bytes: vec![2, 0, 7, 0, 8], steps: vec![] };
    let borders = [(5, a), (6, b), (0, None), (1, b), (2, a), (4, b), (5, a), (6, b)];
    for (job, oracle, foreign, calls) in [
        (encode(vec![], Capacity::Slack(1)), Oracle::Capacity, false, &borders[..]),
        (encode(vec![1], Capacity::Exact), Oracle::Chunks, false, &[(5, a), (5, a), (5, b)]),
        (encode(vec![1], Capacity::Exact), Oracle::Chunks, true, &[(5, a), (5, b)]),
        // The first of two bytes is what the call before has left.
        (encode(vec![], Capacity::Exact), Oracle::Reuse, false, &[(5, a), (2, Some(2)), (5, b)]),
        (decode, Oracle::Reuse, false, &[(5, None), (2, None), (5, None)]),
    ] {
        let (witness, verdict) = witness(job, oracle, Sweep::Borders, foreign, false);
        assert_eq!((verdict, &witness.calls[..]), (Verdict::Agree, calls), "{} {foreign}", oracle.name());
    }
}

#[test]
fn a_sweep_of_every_room_takes_both_ends_of_long_encodings() {
    let all = |rooms: &[std::ops::RangeInclusive<usize>]| rooms.iter().cloned().flatten().collect::<Vec<_>>();
    for (count, rooms) in [
        (2, all(&[0..=6])),
        (1024, all(&[0..=2050])),
        (2047, all(&[0..=1024, 3071..=4096])),
        (2048, all(&[0..=16, 4081..=4098])),
    ] {
        let job = Job::Encode { values: vec![7; count], puts: vec![], capacity: Capacity::Exact };
        let (witness, _) = witness(job, Oracle::Capacity, Sweep::Every, false, false);
        let fills = |room: usize| [0xa5, 0x5a].map(|fill| (room, (room > 0).then_some(fill)));
        assert_eq!(witness.calls[2..], rooms.into_iter().flat_map(fills).collect::<Vec<_>>(), "{count} values");
    }
}

#[test]
fn a_buffer_that_is_too_small_and_was_zeroed_is_touched() {
    let job = Job::Encode { values: vec![7, 8], puts: vec![], capacity: Capacity::Exact };
    let (_, verdict) = witness(job, Oracle::Capacity, Sweep::Borders, false, true);
    let Verdict::Differ(found) = verdict else { panic!("not caught") };
    assert!(matches!(found.detail, Detail::Touched { at: 0, found: 0, .. }), "{found:?}");
}

#[test]
fn what_naive_says_is_what_a_corpus_file_expects() {
    let job = |capacity| Job::Encode { values: vec![7, 512], puts: vec![], capacity };
    let decode = |bytes: &[u8]| Job::Decode { bytes: bytes.to_vec(), steps: vec![] };
    let wrote = &[2, 0, 7, 2, 0][..];
    let short = EncodeError::BufferTooSmall { needed: 5, available: 4 }.to_string();
    let end = DecodeError::UnexpectedEnd { offset: 1, needed: 2, available: 1 }.to_string();
    for (job, expected, refusal, bytes) in [
        (job(Capacity::Exact), "0200070200", None, Some(wrote)),
        (job(Capacity::Short(1)), "error BufferTooSmall { needed: 5, available: 4 }", Some(short), Some(wrote)),
        (decode(&[1, 0, 7, 9]), "7 | consumed 3", None, None),
        (decode(&[1, 0]), "error UnexpectedEnd { offset: 1, needed: 2, available: 1 }", Some(end), None),
    ] {
        let case = Case::<Toy> { params: (), job };
        let mut judge = Judge::new(Sweep::Borders);
        judge.prepare(&case);
        assert_eq!(judge.expectation(&case), expected);
        assert_eq!(judge.refusal(&case), refusal);
        if bytes.is_some() {
            assert_eq!(judge.expected_bytes(), bytes);
        }
    }
}

/// Whatever the draws are: a plain case, and the sweep does the rest; or the room of the case, and no sweep.
#[test]
fn plain_cases_are_judged_at_other_rooms_after_failures_and_with_bytes_behind_and_quick_ones_at_their_own_room() {
    let encode = Case::<Toy>::encode((), vec![7]);
    let slack = Job::Encode { values: vec![7], puts: vec![], capacity: Capacity::Slack(1) };
    for (case, sweep, lie, oracle) in [
        (encode.clone(), Sweep::Borders, Lie::Past, Oracle::Capacity),
        (encode, Sweep::Every, Lie::Partial, Oracle::Capacity),
        (Case { params: (), job: slack }, Sweep::Case, Lie::Past, Oracle::Capacity),
        (Case::decode((), vec![1, 0, 7]), Sweep::Borders, Lie::Greedy, Oracle::Consumed),
        (Case::decode((), vec![1, 0, 7]), Sweep::Borders, Lie::FailedRead, Oracle::Reuse),
    ] {
        let mut judge = Judge::<Toy>::new(sweep);
        judge.prepare(&case);
        let Verdict::Differ(found) = judge.judge(&case, &mut Liar::new(lie)) else { panic!("{lie:?} is not caught") };
        assert_eq!(found.oracle, oracle, "{lie:?}");
    }
}

/// A judge that repeats nothing (a fuzz target's) sees state, too, when another case comes.
#[test]
fn what_goes_away_when_a_subject_is_renewed_is_not_laid_at_another_oracles_door() {
    let (first, second) = (Case::<Toy>::encode((), vec![7]), Case::<Toy>::encode((), vec![2000]));
    for (oracles, seen) in [(&Oracle::ALL[..], Some(Oracle::Reuse)), (&[Oracle::Identity], None)] {
        let mut judge = Judge::new(Sweep::Case).with_oracles(oracles);
        let mut liar = Liar::new(Lie::Stale);
        // Asked once only, so that nothing but the next case can show it.
        Subject::<Toy>::encode(&mut liar, &(), &vec![7], &[], &mut [0; 3]);
        judge.prepare(&first);
        judge.prepare(&second);
        let oracle = match judge.judge(&second, &mut liar) {
            Verdict::Differ(difference) => Some(difference.oracle),
            _ => None,
        };
        assert_eq!(oracle, seen);
    }
}

#[test]
fn a_subject_that_supports_nothing_never_counts_as_agreeing() {
    let outcome = outcome(Lie::Mute, &Oracle::ALL);
    let counts = &outcome.verdicts["Mute"];
    assert_eq!((counts.agreed, counts.compared(), counts.unsupported), (0, 0, 3000));
    let holes = Of::<Toy>::new().holes(&outcome.tally);
    assert_eq!(holes[0].of, 1, "what a foreign subject says it does not support is not required of it");
    assert_eq!(holes[0].cells, ["count never"], "what nobody asked it is");
}

#[test]
fn a_required_cell_that_was_never_visited_is_a_hole_for_every_subject_that_compared_anything() {
    let outcome = outcome(Lie::Honest, &Oracle::ALL);
    let holes = Of::<Toy>::new().holes(&outcome.tally);
    assert_eq!(holes.len(), 1);
    assert_eq!((holes[0].missed, holes[0].of), (1, 4));
    assert_eq!(holes[0].cells, ["count never"]);
}

#[test]
fn findings_are_shrunk_to_the_simplest_case_that_still_differs() {
    let outcome = outcome(Lie::ByteOrder, &[Oracle::Identity]);
    let case = &outcome.findings[0].case;
    let Job::Encode { values, puts, capacity } = &case.job else { panic!("the lie is in the encoder") };
    assert_eq!((values.as_slice(), puts.as_slice(), *capacity), (&[512][..], &[][..], Capacity::Exact));
}

#[test]
fn what_earlier_cases_left_behind_and_what_simpler_ones_show_besides_does_not_lead_a_shrink_astray() {
    let outcome = outcome_of(Lie::Ill, &Oracle::ALL, &[Direction::Encode]);
    let reuse = outcome.findings.iter().find(|finding| finding.difference.oracle == Oracle::Reuse);
    let Job::Encode { values, .. } = &reuse.expect("an illness is reuse's").case.job else { panic!("it writes") };
    assert_eq!(values[..], [512]);
}

#[test]
fn the_same_seed_gives_the_same_findings_and_jobs_share_the_budget() {
    let run = |seed, jobs| {
        let config = Config { seed, jobs, budget: Budget::Cases(999), ..Config::default() };
        run_with(&config, &|| Bench::<Toy>::with_subjects(&config, vec![Box::new(Liar::new(Lie::ByteOrder))]), &|_| ())
    };
    let (first, second, third) = (run(7, 1), run(7, 1), run(7, 3));
    assert_eq!(first.findings[0].after, second.findings[0].after);
    assert_eq!((first.cases, third.cases), (999, 999));
}

#[test]
fn a_direction_that_was_not_asked_for_is_not_drawn() {
    let config = Config { directions: vec![Direction::Decode], budget: Budget::Cases(100), ..Config::default() };
    let outcome =
        run_with(&config, &|| Bench::<Toy>::with_subjects(&config, vec![Box::new(Liar::new(Lie::Past))]), &|_| ());
    assert!(outcome.findings.is_empty());
    assert!(outcome.tally.subjects["Past"].compared[0].iter().all(|visits| *visits == 0));
}

#[test]
fn a_finding_names_the_byte_the_field_and_the_command_that_shows_it_again() {
    let outcome = outcome(Lie::ByteOrder, &[Oracle::Identity]);
    let text = bytetwin::report::written_out(&outcome.findings[0], &bytetwin::report::by_bytetwin).text;
    for part in [
        "FINDING encode_toy: ByteOrder differs from naive (identity)",
        "values: 512",
        "byte 1 (value 0)",
        "right [02]00",
        "wrong [00]02",
        "bytetwin replay --hex 01fa000000000180",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}
