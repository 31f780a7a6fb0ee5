//! The matrix of other crates. A drawn case counts for each of them, as compared or as not supported, so that a cell which
//! `bytetwin check --corpus corpus` visits for naive is visited for everyone who supports it. What could still go
//! missing is the support: here, in a run short enough for every push, each must be compared in as many required cells
//! as it was before.

#![cfg(feature = "peers")]

use bytetwin::case::CaseFile;
use bytetwin::matrix::Tally;
use bytetwin::oracle::Sweep;
use bytetwin::registry::{AnyCodec, CODECS, builtin};
use bytetwin::run::{Budget, Config};
use std::path::Path;

/// Required cells in which a subject is compared, at least: somewhat below what is seen, since draws change.
const SUPPORTED: [(&str, &str, usize); 5] = [
    ("decimal", "parquet", 2_500),
    ("amqp_table", "amq-protocol", 70),
    ("delta_binary_packed", "parquet", 440),
    ("delta_length_byte_array", "parquet", 290),
    ("delta_byte_array", "parquet", 660),
];

/// Judges a subject on the corpus and on drawn cases: in how many required cells it was compared.
fn cells_of(codec: &dyn AnyCodec, subject: &str) -> usize {
    let config = Config {
        budget: Budget::Cases(4_000),
        subjects: vec![subject.to_string()],
        // tests/properties.rs has every oracle ask, repeatedly.
        sweep: Sweep::Case,
        ..Config::default()
    };
    let mut tally = Tally::default();
    let mut findings = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(codec.name());
    let mut replay = codec.replay(&config).expect("no program is asked");
    for entry in std::fs::read_dir(folder).expect("every codec has a corpus") {
        let text = std::fs::read_to_string(entry.expect("a file").path()).expect("a text");
        let replayed = replay.file(&CaseFile::parse(&text).expect("a case file")).expect("a case");
        tally.add(&replayed.summary.tally);
        findings.extend(replayed.summary.findings);
    }
    let summary = codec.run(&config, &|_| ()).expect("no program is asked");
    tally.add(&summary.tally);
    findings.extend(summary.findings);
    let findings: Vec<_> = findings.iter().map(|finding| finding.text.as_str()).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    let planes = codec.planes().iter().zip(&tally.subjects[subject].compared);
    let cells = planes.flat_map(|(plane, visits)| plane.required.iter().zip(visits));
    cells.filter(|(required, visits)| **required && **visits > 0).count()
}

#[test]
fn every_other_crate_is_compared_in_as_many_required_cells_as_before() {
    let named =
        |codec: &dyn AnyCodec, name: &str| SUPPORTED.iter().any(|known| (known.0, known.1) == (codec.name(), name));
    for codec in CODECS {
        for subject in codec.subjects().iter().filter(|name| !builtin(name) && *name != "one-by-one") {
            assert!(named(*codec, subject), "{subject} of {} has no number of cells here", codec.name());
        }
    }
    std::thread::scope(|scope| {
        let judged = SUPPORTED.map(|(codec, subject, least)| {
            let codec = CODECS.iter().find(|known| known.name() == codec).expect("a codec");
            (codec.name(), subject, least, scope.spawn(move || cells_of(*codec, subject)))
        });
        let cells = judged.map(|(codec, subject, least, cells)| (codec, subject, least, cells.join().expect("judged")));
        assert!(cells.iter().all(|(.., least, cells)| cells >= least), "{cells:?}");
    });
}
