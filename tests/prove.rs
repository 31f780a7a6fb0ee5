//! A line of `prove!` as a test: what its environment changes, and what it says.

#![cfg(feature = "harness")]

use bytetwin::EncodeError;
use bytetwin::domain::amqp_decimal::{AmqpDecimal, Params, Values};
use bytetwin::subject::{Answer, Subject, Twins};
use std::process::Command;

/// Naive for raw values, with a fault where the environment asks for one.
struct Mine {
    naive: Box<dyn Subject<AmqpDecimal>>,
    wrong: bool,
}

impl Mine {
    fn new() -> Self {
        Self { naive: AmqpDecimal::naive(), wrong: std::env::var_os("WRONG").is_some() }
    }
}

impl Subject<AmqpDecimal> for Mine {
    fn name(&self) -> &str {
        "mine"
    }

    fn encode(&mut self, params: &Params, values: &Values, puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        let Values::Raw(raw) = values else { return Answer::Unsupported };
        assert!(!self.wrong || raw.iter().all(|raw| raw.magnitude < 1000), "1000 or more");
        self.naive.encode(params, values, puts, out)
    }
}

mod inner {
    use super::{AmqpDecimal, Mine};
    bytetwin::prove!(mine: encode AmqpDecimal = Mine::new());
}

/// The test that the line makes, in a process of its own, and what it says.
fn mine(environment: &[(&str, &str)], arguments: &[&str]) -> (bool, String) {
    let mut child = Command::new(std::env::current_exe().expect("a path"));
    child.args(arguments).arg("--nocapture").envs(environment.iter().copied()).env("RUST_BACKTRACE", "0");
    let output = child.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), said)
}

#[test]
fn the_environment_sets_how_many_cases_are_drawn_and_they_are_counted() {
    let line = ["--exact", "inner::mine"];
    for (cases, drawn) in [("1", 1), ("300", 300)] {
        let (passed, said) = mine(&[("BYTETWIN_CASES", cases)], &line);
        let told = said.lines().find_map(|line| line.split_once("mine: ")?.1.split_once(" cases compared, "));
        let (compared, rest) = told.unwrap_or_else(|| panic!("{said}"));
        let (compared, unsupported): (u64, _) = (compared.parse().expect("a number"), rest.split(' ').next());
        let unsupported: u64 = unsupported.and_then(|number| number.parse().ok()).expect("a number");
        assert_eq!((passed, compared + unsupported), (true, drawn), "{said}");
    }
    for bad in ["0", "many", "-1", ""] {
        let (passed, said) = mine(&[("BYTETWIN_CASES", bad)], &line);
        assert!(!passed && said.contains(&format!("BYTETWIN_CASES={bad}: expected a number of cases")), "{said}");
    }
}

#[test]
fn the_command_of_a_finding_judges_its_case_alone() {
    let (passed, said) = mine(&[("WRONG", "1")], &["--exact", "inner::mine"]);
    // The panic of the test, and none of those of the subject.
    assert_eq!((passed, said.matches("panicked at ").count()), (false, 2), "{said}");
    let (_, command) = said.split_once("replay\n  ").unwrap_or_else(|| panic!("{said}"));
    let words: Vec<&str> = command.lines().next().expect("a line").split(' ').collect();
    let ([hex, "cargo", "test"], [name, "--", exact]) = words.split_at(3) else { panic!("{words:?}") };
    let variable = hex.split_once('=').expect("a variable");
    let finding = |said: &str| {
        let (_, finding) = said.split_once("FINDING ").unwrap_or_else(|| panic!("{said}"));
        finding.split("\n\n").next().unwrap_or_default().to_string()
    };
    let (passed, again) = mine(&[("WRONG", "1"), variable], &[exact, name]);
    assert_eq!((passed, finding(&again)), (false, finding(&said)));
    let (passed, said) = mine(&[variable], &[exact, name]);
    assert!(passed && said.contains("mine: 1 cases compared, 0 unsupported"), "{said}");
    let (passed, said) = mine(&[("BYTETWIN_HEX", "0")], &[exact, name]);
    assert!(!passed && said.contains("BYTETWIN_HEX: "), "{said}");
}
