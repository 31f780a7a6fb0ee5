//! A driver with wrong subjects: what a fuzzer is told, and what is kept.

use super::driver::{Driver, Input, Taken};
use super::kept::Kept;
use super::{Subjects, Target, plain};
use crate::case::{ByteWriter, Case, Direction};
use crate::domain::amqp_decimal::{AmqpDecimal, Params, Values};
use crate::error::EncodeError;
use crate::subject::{Answer, Subject, Twins};
use std::ffi::{OsStr, OsString};

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

/// A target of one's own.
fn target(subjects: impl Fn() -> Subjects<AmqpDecimal> + 'static) -> Target<AmqpDecimal> {
    Target::new("newcomer::tests::mine", Direction::Encode, true, subjects)
}

fn wrong(panics: bool) -> Target<AmqpDecimal> {
    target(move || vec![Box::new(Wrong { naive: AmqpDecimal::naive(), panics })])
}

fn driver(panics: bool) -> Driver<AmqpDecimal> {
    Driver::new(wrong(panics))
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
    let (_, command) = report.split_once("replay\n  BYTETWIN_HEX=").expect("a command");
    let (hex, command) = command.split_once(' ').expect("a command");
    let program = std::env::current_exe().expect("a path");
    let program = program.file_stem().expect("a name").to_string_lossy();
    assert_eq!(command.trim_end(), format!("cargo fuzz run {program}"));
    let bytes = crate::case::text::parse_hex("hex", hex).expect("hex");
    for line in format!("{:?}", Input::<AmqpDecimal>::new(&bytes)).lines() {
        assert!(report.contains(line), "the command replays another case: {line}");
    }
}

#[test]
fn a_subject_that_panics_is_a_finding() {
    let report = report(true);
    assert!(report.contains(&format!("\npanicked at {}:", file!())), "{report}");
    assert!(report.contains(": more than \\u{1b}[31mone\n    replay\nreplay\n  BYTETWIN_HEX="), "{report}");
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
    let mut used = Driver::new(target(AmqpDecimal::subjects));
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

/// The exit status of a `main` with these arguments, and what it prints.
fn main(target: &Target<AmqpDecimal>, arguments: &[&OsStr]) -> (u8, String) {
    let arguments: Vec<OsString> = arguments.iter().map(Into::into).collect();
    let mut out = Vec::new();
    (plain::judge(target, &arguments, &mut out), String::from_utf8(out).expect("a text"))
}

/// A crash file with these values.
fn crash(folder: &tempfile::TempDir, values: &str) -> OsString {
    let file = folder.path().join(values);
    std::fs::write(&file, case(values)).expect("a crash file");
    file.into()
}

#[test]
fn a_main_whose_subject_is_never_compared_or_missing_ends_with_3_and_its_test_panics() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = crash(&folder, "7e-1");
    for target in [target(|| vec![Box::new(Mute)]), target(Vec::new)] {
        for arguments in [&[][..], &[&file[..]]] {
            let (status, said) = main(&target, arguments);
            assert_eq!((status, said.contains("VACUOUS ")), (3, true), "{said}");
        }
        let panic = core::panic::AssertUnwindSafe(|| plain::test(&target));
        let message = std::panic::catch_unwind(panic).expect_err("nothing was compared");
        assert!(message.downcast_ref::<String>().expect("a text").contains("nothing was compared"));
    }
}

#[test]
fn a_main_shows_the_finding_of_every_file_and_ends_with_1_or_2_or_0() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = ["7e-1, 15e-1", "3e-0, 4e-0", "1e-0"].map(|values| crash(&folder, values));
    let files = files.each_ref().map(|file| &file[..]);
    let (status, said) = main(&wrong(false), &files);
    assert_eq!((status, said.matches("FINDING ").count()), (1, 2), "{said}");
    assert_eq!(main(&wrong(false), &files[2..]).0, 0);
    assert_eq!(main(&wrong(false), &[folder.path().join("missing").as_os_str()]).0, 2);
}

#[test]
fn a_main_takes_the_bytes_of_a_case_as_its_findings_print_them_and_says_how() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, said) = main(&wrong(false), &[&crash(&folder, "7e-1, 15e-1")]);
    let program = std::env::args().next().expect("a program");
    let (_, hex) = said.split_once(&format!("replay\n  {program} --hex ")).expect("a command");
    let hex = hex.lines().next().expect("hex");
    let (status, again) = main(&wrong(false), &["--hex", hex].map(OsStr::new));
    assert_eq!((status, &again), (1, &said));
    for unusable in [&["--hex"][..], &["--hex", "0"], &["--hex", "00"], &["--hax", hex]] {
        let arguments: Vec<_> = unusable.iter().map(OsStr::new).collect();
        assert_eq!(main(&wrong(false), &arguments), (2, String::new()), "{unusable:?}");
    }
    let (status, help) = main(&wrong(false), &[OsStr::new("--help")]);
    assert_eq!((status, help.contains("--hex HEX"), help.contains("`mine` (encode amqp_decimal)")), (0, true, true));
}

#[test]
fn the_subjects_of_a_codec_are_asked_again_by_bytetwin() {
    let twins = Target::<AmqpDecimal>::new("newcomer::mine", Direction::Encode, false, AmqpDecimal::subjects);
    let commands = [twins.by_test("07"), twins.by_fuzz_target("07"), twins.by_main("07")];
    assert_eq!(commands, ["bytetwin replay --hex 07"; 3]);
    assert_eq!(wrong(false).by_test("07"), "BYTETWIN_HEX=07 cargo test tests::mine -- --exact");
}

/// Naive, for columns of one value.
struct Single(Box<dyn Subject<AmqpDecimal>>);

impl Subject<AmqpDecimal> for Single {
    fn name(&self) -> &str {
        "single"
    }

    fn encode(&mut self, params: &Params, values: &Values, puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        if values.numbers().len() > 1 { Answer::Unsupported } else { self.0.encode(params, values, puts, out) }
    }
}

#[test]
fn files_that_are_not_supported_are_counted_and_do_not_hide_that_others_were_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = ["7e-1", "1e-0, 2e-0", "3e-0"].map(|values| crash(&folder, values));
    let files = files.each_ref().map(|file| &file[..]);
    let single = target(|| vec![Box::new(Single(AmqpDecimal::naive()))]);
    let told = "single: 2 cases compared, 1 unsupported\n0 findings\n";
    assert_eq!(main(&single, &files), (0, told.to_string()));
    assert_eq!(main(&single, &files[1..2]).0, 3);
    // With none of two subjects is one thing, with one of them another.
    let both = target(|| vec![Box::new(Mute), Box::new(Single(AmqpDecimal::naive()))]);
    assert_eq!((main(&both, &files).0, main(&both, &files[1..2]).0, main(&both, &[]).0), (0, 3, 3));
}

#[test]
fn a_case_that_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("misspelt.case");
    std::fs::write(&file, "codec: amqp_decimal\njob: encode\nprofil: errata\nvalues: 1e-0\n").expect("a file");
    let refused = plain::cases_of_arguments::<AmqpDecimal>(&[file.into()]).expect_err("no case");
    assert!(refused.contains("misspelt.case: not a case of amqp_decimal: profil"), "{refused}");
    for (hex, problem) in [("0", "--hex: "), ("00", "--hex: not a case of amqp_decimal")] {
        let refused = plain::cases_of_arguments::<AmqpDecimal>(&["--hex".into(), hex.into()]).expect_err("no case");
        assert!(refused.starts_with(problem), "{refused}");
    }
}
