//! The ledger: every known disagreement of another implementation still is one, in just the way that its file says.

#![cfg(feature = "parquet")]

use bytetwin::case::{Case, CaseFile, Domain};
use bytetwin::domain::delta_binary_packed::DeltaBinaryPacked;
use bytetwin::domain::delta_byte_array::DeltaByteArray;
use bytetwin::domain::delta_length_byte_array::DeltaLengthByteArray;
use bytetwin::oracle::{Judge, Sweep, Verdict};
use bytetwin::prove;
use bytetwin::registry::{self, Codec};
use bytetwin::run::{Budget, Config};
use bytetwin::subject::{Answer, parquet_rs};
use parquet::data_type::Int32Type;
use parquet::decoding::{Decoder, DeltaBitPackDecoder};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Command, Output};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/ledger")
}

/// The names of the entries: those of the files.
fn entries() -> BTreeSet<String> {
    let files = std::fs::read_dir(folder()).expect("corpus/ledger is there");
    files.map(|file| file.expect("a file").path().file_stem().expect("a name").to_string_lossy().into_owned()).collect()
}

fn stale<D: Codec>(name: &str, file: &CaseFile) -> Option<String> {
    let case = Case::<D>::from_fields(&file.fields).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut judge = Judge::<D>::new(Sweep::Borders);
    judge.prepare(&case);
    assert_eq!(Some(judge.expectation(&case).as_str()), file.expect(), "{name}: what is right");
    let mut subjects = D::subjects();
    let subject = subjects.iter_mut().find(|subject| subject.name() == parquet_rs::NAME).expect("the crate");
    let verdict = judge.judge(&case, &mut **subject);
    let excused = match verdict {
        Verdict::Excused(entry) => entry,
        other => return Some(format!("{name}: the two no longer disagree so: {other:?}")),
    };
    let theirs = answer(&case, &mut **subject);
    let said = file.fields.get("theirs").unwrap_or_else(|| panic!("{name}: no line says what the crate answers"));
    (excused != name || theirs != said).then(|| format!("{name}: excused as {excused}, the crate answers {theirs}"))
}

/// What the crate answers to the whole case.
fn answer<D: Domain>(case: &Case<D>, subject: &mut dyn bytetwin::subject::Subject<D>) -> String {
    let bytetwin::case::Job::Decode { bytes, steps } = &case.job else { panic!("entries are about reading") };
    let mut values = D::Values::default();
    match catch_unwind(AssertUnwindSafe(|| subject.decode(&case.params, bytes, steps, &mut values))) {
        Err(_) => "panic".to_string(),
        Ok(Answer::Done(_)) => D::values_to_text(&case.params, &values),
        Ok(Answer::Refused(text)) => format!("error {text}"),
        Ok(other) => format!("{other:?}"),
    }
}

#[test]
fn every_entry_disagrees_as_its_file_says() {
    let mut problems = Vec::new();
    for name in entries() {
        let text = std::fs::read_to_string(folder().join(format!("{name}.case"))).expect("a file");
        let file = CaseFile::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let comments = file.comments.join(" ");
        assert!(comments.contains("Encodings.md: \""), "{name}: no sentence of the specification");
        problems.extend(match file.codec().expect("a codec") {
            DeltaBinaryPacked::CODEC => stale::<DeltaBinaryPacked>(&name, &file),
            DeltaLengthByteArray::CODEC => stale::<DeltaLengthByteArray>(&name, &file),
            DeltaByteArray::CODEC => stale::<DeltaByteArray>(&name, &file),
            other => panic!("{name}: no entry can be of {other}"),
        });
    }
    assert!(problems.is_empty(), "stale entries:\n{}", problems.join("\n"));
}

#[test]
fn every_excuse_has_a_file_and_every_file_is_an_excuse() {
    let names: BTreeSet<String> = parquet_rs::ledger_names().map(str::to_string).into();
    assert_eq!(names, entries());
}

/// Not a case, as it takes two pages: `set_data` of the crate leaves the end of the last block as it was, so the end of
/// the second page is that of the first one where that lies further. Its own byte array decoders read lengths with a
/// fresh decoder and do not meet it. Should this fail, the subject can ask its decoder again instead of a fresh one.
#[test]
fn a_decoder_of_the_crate_keeps_the_end_of_an_earlier_page() {
    let mut decoder = DeltaBitPackDecoder::<Int32Type>::new();
    let mut end = |page: &[u8]| {
        decoder.set_data(page.to_vec().into(), 0).expect("a page");
        decoder.get(&mut vec![0; decoder.values_left()]).expect("values");
        decoder.get_offset()
    };
    assert_eq!(end(b"\x80\x01\x04\x02\x02\x02\x00\x00\x00\x00"), 10, "1, 2");
    assert_eq!(end(b"\x80\x01\x04\x01\x0e"), 10, "7, whose page has 5 bytes");
}

/// Cases that a run draws for each codec; more with `BYTETWIN_CASES`.
const CASES: u64 = 10_000;

#[test]
fn a_run_finds_no_difference_that_is_not_in_the_ledger() {
    let cases = prove::number_of_cases(CASES).unwrap_or_else(|problem| panic!("{problem}"));
    let config = Config { budget: Budget::Cases(cases), subjects: vec![parquet_rs::NAME.into()], ..Config::default() };
    let (entries, mut findings) = (entries(), Vec::new());
    for name in [DeltaBinaryPacked::CODEC, DeltaLengthByteArray::CODEC, DeltaByteArray::CODEC] {
        let summary = registry::find(name).expect("a codec").run(&config, &|_| ()).expect("no subject is a process");
        findings.extend(summary.findings.iter().map(|finding| finding.text.clone()));
        let counts = &summary.verdicts[parquet_rs::NAME];
        assert!(counts.agreed > cases / 2, "{name}: {counts:?}");
        assert!(counts.excused.keys().all(|entry| entries.contains(*entry)), "{name}: {counts:?}");
        eprintln!("{name}: {counts:?}");
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[test]
fn a_number_of_cases_that_is_none_is_refused() {
    let mut run = Command::new(std::env::current_exe().expect("a path"));
    run.args(["--exact", "a_run_finds_no_difference_that_is_not_in_the_ledger"]).env("BYTETWIN_CASES", "many");
    let Output { status, stdout, .. } = run.output().expect("it starts");
    let said = String::from_utf8_lossy(&stdout);
    assert!(!status.success() && said.contains("BYTETWIN_CASES=many: expected a number of cases"), "{said}");
}
