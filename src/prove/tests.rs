//! A driver with wrong subjects: what a fuzzer is told, and what is kept.

use super::driver::{Driver, Input, Taken};
use super::kept::Kept;
use super::plain;
use crate::case::{ByteWriter, Case, Direction};
use crate::domain::amqp_decimal::{AmqpDecimal, Params, Values};
use crate::error::EncodeError;
use crate::subject::{Answer, Subject, Twins};

/// Naive with a fault for columns of more than one value.
struct Wrong {
    naive: Box<dyn Subject<AmqpDecimal>>,
    panics: bool,
}

impl Subject<AmqpDecimal> for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }

    fn encode(&mut self, params: &Params, values: &Values, puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        let many = values.numbers().len() > 1;
        assert!(!(many && self.panics), "more than \x1b[31mone\nreplay");
        let answer = self.naive.encode(params, values, puts, out);
        match (&answer, out.last_mut()) {
            (Answer::Done(_), Some(last)) if many => *last ^= 1,
            _ => {}
        }
        answer
    }
}

fn driver(panics: bool) -> Driver<AmqpDecimal> {
    Driver::new(Direction::Encode, vec![Box::new(Wrong { naive: AmqpDecimal::naive(), panics })])
}

fn case(values: &str) -> Vec<u8> {
    let text = format!("job: encode\nprofile: errata\ntag: with\nform: raw\nvalues: {values}\n");
    Case::<AmqpDecimal>::from_text(&text).expect("a case").to_bytes()
}

fn report(panics: bool) -> String {
    let bytes = case("7e-1, 15e-1, 3e-0, 4e-0");
    let mut driver = driver(panics);
    let panic = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| driver.take(&bytes)));
    let message = panic.expect_err("a finding");
    message.downcast_ref::<String>().expect("a text").clone()
}

#[test]
fn a_wrong_subject_is_reported_shrunk_and_with_a_replay_command() {
    let report = report(false);
    assert!(report.contains("FINDING encode_amqp_decimal: wrong differs from naive (identity)"), "{report}");
    assert!(report.contains("values: 0e-0, 0e-0\n"), "{report}");
    let hex = report.split("bytetwin replay --hex ").nth(1).expect("a command").trim();
    let bytes = crate::case::text::parse_hex("hex", hex).expect("hex");
    for line in format!("{:?}", Input::<AmqpDecimal>::new(&bytes)).lines() {
        assert!(report.contains(line), "the command replays another case: {line}");
    }
}

#[test]
fn a_subject_that_panics_is_a_finding() {
    let report = report(true);
    assert!(report.contains(&format!("\npanicked at {}:", file!())), "{report}");
    assert!(report.contains(": more than \\u{1b}[31mone\n    replay\nreplay\n  bytetwin"), "{report}");
    assert!(report.contains("values: 0e-0, 0e-0\n"), "{report}");
}

#[test]
fn kept_findings_are_case_files_and_the_run_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut driver = driver(false);
    driver.keep(Kept::new(folder.path().into()));
    for values in ["7e-1, 15e-1", "1e-0", "3e-0, 4e-0, 5e-0"] {
        driver.take(&case(values));
    }
    let files: Vec<_> =
        std::fs::read_dir(folder.path()).expect("the folder").map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    assert!(files[0].ends_with("encode_amqp_decimal--wrong--identity.case"));
    let text = std::fs::read_to_string(&files[0]).expect("a case file");
    assert!(text.starts_with("# FINDING encode_amqp_decimal"), "{text}");
    let file = crate::case::CaseFile::parse(&text).expect("a case file");
    assert_eq!(file.expect(), Some("440000000000440000000000"));
}

#[test]
fn inputs_of_other_targets_are_rejected() {
    let mut driver = driver(false);
    let decode = Case::<AmqpDecimal>::empty_decode().to_bytes();
    assert_eq!(driver.take(&decode), Taken::Forget);
    assert_eq!(driver.take(&[]), Taken::Forget);
    assert!(format!("{:?}", Input::<AmqpDecimal>::new(&[9, 9])).starts_with("not a case of amqp_decimal"));
}

#[test]
fn mutants_of_cases_are_cases_and_the_same_seed_gives_the_same_one() {
    let start = case(&vec!["15e-1"; 100].join(", "));
    let (mut changed, mut shorter) = (0, 0);
    for seed in 0..400 {
        let mutant = |driver: &mut Driver<AmqpDecimal>| {
            let mut data = start.clone();
            data.resize(4096, 0);
            driver.mutate(&mut data, start.len(), 4096, seed).map(|size| data[..size].to_vec())
        };
        let (first, second) = (mutant(&mut driver(false)), mutant(&mut driver(false)));
        assert_eq!(first, second, "seed {seed}");
        let Some(bytes) = first else {
            assert!(seed % 4 == 0, "seed {seed}: the default mutator is asked once in four");
            continue;
        };
        let case = Case::<AmqpDecimal>::from_bytes(&bytes).expect("a case");
        let mut canonical = ByteWriter::default();
        case.write_bytes(&mut canonical);
        assert_eq!(canonical.bytes(), bytes);
        changed += usize::from(bytes != start);
        shorter += usize::from(bytes.len() <= start.len() / 2);
    }
    assert!(changed > 250, "{changed}");
    assert!(shorter > 50, "long cases are cut: {shorter}");
}

#[test]
fn what_was_judged_or_changed_before_does_not_change_a_mutant() {
    let start = case("7e-1, 15e-1, 3e-0");
    let other = case("1e-0");
    let mutant = |driver: &mut Driver<AmqpDecimal>, start: &[u8], seed| {
        let mut data = start.to_vec();
        data.resize(4096, 0);
        driver.mutate(&mut data, start.len(), 4096, seed).map(|size| data[..size].to_vec())
    };
    let mut used = Driver::new(Direction::Encode, AmqpDecimal::subjects());
    for seed in 0..100 {
        let fresh = mutant(&mut driver(false), &start, seed);
        used.take(if seed % 3 == 0 { &other } else { &start });
        assert_eq!(mutant(&mut used, &start, seed), fresh, "seed {seed}, after a judgement");
        assert_eq!(mutant(&mut used, &start, seed), fresh, "seed {seed}, after a mutant");
    }
}

/// Cannot be asked anything.
struct Mute;

impl Subject<AmqpDecimal> for Mute {
    fn name(&self) -> &str {
        "mute"
    }
}

#[test]
fn a_main_whose_subject_is_never_compared_or_missing_ends_with_3_and_its_test_panics() {
    let mute = || -> super::Subjects<AmqpDecimal> { vec![Box::new(Mute)] };
    let nobody = || Vec::new();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("crash");
    std::fs::write(&file, case("7e-1")).expect("a crash file");
    for subjects in [&mute as &dyn Fn() -> super::Subjects<AmqpDecimal>, &nobody] {
        assert_eq!(plain::judge(Direction::Encode, subjects, &[]), 3);
        assert_eq!(plain::judge(Direction::Encode, subjects, std::slice::from_ref(&file)), 3);
        let panic = core::panic::AssertUnwindSafe(|| plain::test(Direction::Encode, subjects));
        let message = std::panic::catch_unwind(panic).expect_err("nothing was compared");
        assert!(message.downcast_ref::<String>().expect("a text").contains("nothing was compared"));
    }
}

#[test]
fn a_main_shows_the_finding_of_every_file_and_ends_with_1_or_2_or_0() {
    let wrong =
        || -> super::Subjects<AmqpDecimal> { vec![Box::new(Wrong { naive: AmqpDecimal::naive(), panics: false })] };
    let folder = tempfile::tempdir().expect("a folder");
    let files = ["7e-1, 15e-1", "3e-0, 4e-0", "1e-0"].map(|values| {
        let file = folder.path().join(values);
        std::fs::write(&file, case(values)).expect("a crash file");
        file
    });
    assert_eq!(
        plain::replay(&wrong, &files).expect("cases").iter().map(|outcome| outcome.findings.len()).sum::<usize>(),
        2
    );
    assert_eq!(plain::judge(Direction::Encode, &wrong, &files), 1);
    assert_eq!(plain::judge(Direction::Encode, &wrong, &files[2..]), 0);
    assert_eq!(plain::judge(Direction::Encode, &wrong, &[folder.path().join("missing")]), 2);
}

#[test]
fn a_main_says_why_a_file_is_no_case() {
    let nobody = || -> super::Subjects<AmqpDecimal> { Vec::new() };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("misspelt.case");
    std::fs::write(&file, "codec: amqp_decimal\njob: encode\nprofil: errata\nvalues: 1e-0\n").expect("a file");
    let refused = plain::replay(&nobody, std::slice::from_ref(&file)).map(drop).expect_err("no case");
    assert!(refused.contains("misspelt.case: not a case of amqp_decimal: profil"), "{refused}");
}
