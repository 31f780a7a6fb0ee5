//! Each oracle catches the kind of lie that it is there for, and an honest subject passes them all.

mod toy;

use bytetwin::case::{Capacity, Case, Direction, Job};
use bytetwin::oracle::{Detail, Judge, Oracle, Sweep, Verdict};
use bytetwin::registry::{AnyCodec, Of};
use bytetwin::run::{Bench, Budget, Config, Outcome, run_with};
use bytetwin::subject::Subject;
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
    assert_eq!(difference.detail, Detail::Panicked { message: "777 is too much".into() });
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
    assert_eq!(holes[0].first, ["count never"], "what nobody asked it is");
}

#[test]
fn a_required_cell_that_was_never_visited_is_a_hole_for_every_subject_that_compared_anything() {
    let outcome = outcome(Lie::Honest, &Oracle::ALL);
    let holes = Of::<Toy>::new().holes(&outcome.tally);
    assert_eq!(holes.len(), 1);
    assert_eq!((holes[0].missed, holes[0].of), (1, 4));
    assert_eq!(holes[0].first, ["count never"]);
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
    let text = bytetwin::report::written_out(&outcome.findings[0]).text;
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
