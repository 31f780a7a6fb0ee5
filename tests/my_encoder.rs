//! The example's encoder has one bug, and the example finds exactly that.

#![cfg(feature = "harness")]

#[path = "../examples/my_encoder/mine.rs"]
mod mine;

use bytetwin::case::Direction;
use bytetwin::domain::decimal::Decimal;
use bytetwin::report::written_out;
use bytetwin::run::{Bench, Budget, Config, run_with};
use mine::Mine;

fn header() -> String {
    let source = include_str!("../examples/my_encoder/main.rs");
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let block = lines.split(|line| line.starts_with("```")).nth(1).expect("a block in the header");
    block.join("\n")
}

#[test]
fn the_finding_is_the_one_that_the_header_shows() {
    let config = Config {
        budget: Budget::Cases(bytetwin::prove::TEST_CASES),
        directions: vec![Direction::Encode],
        ..Config::default()
    };
    let outcome =
        run_with(&config, &|| Bench::<Decimal>::with_subjects(&config, vec![Box::new(Mine::default())]), &|_| ());
    let command = |hex: &str| format!("target/debug/examples/my_encoder --hex {hex}");
    let findings: Vec<String> = outcome.findings.iter().map(|finding| written_out(finding, &command).text).collect();
    assert_eq!(findings.len(), 1, "{}", findings.join("\n"));
    assert_eq!(findings[0].trim_end(), header());
}

#[test]
fn apart_from_that_it_agrees() {
    let config = Config { directions: vec![Direction::Encode], ..Config::default() };
    let outcome =
        run_with(&config, &|| Bench::<Decimal>::with_subjects(&config, vec![Box::new(Mine::default())]), &|_| ());
    let counts = &outcome.verdicts["mine"];
    assert!(counts.agreed > 100 * counts.differed.max(1) / 10, "{counts:?}");
    for finding in &outcome.findings {
        let case = finding.case.to_text();
        assert!(case.contains("BYTE_ARRAY") && case.contains("values: 128\n"), "{case}");
    }
}
