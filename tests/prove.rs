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

/// Names that the line needs, and that mean something else here.
#[expect(dead_code)]
mod shadowed {
    use super::{AmqpDecimal, Mine};
    mod std {}
    mod core {}
    mod prove {}
    struct Box;
    struct Vec;
    bytetwin::prove!(shadowing: encode AmqpDecimal = Mine::new());
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

#[test]
fn what_a_line_becomes_is_not_shown_to_its_users() {
    let source = include_str!("../src/prove/mod.rs");
    let (above, _) = source.split_once("macro_rules! __prove").expect("the macro");
    assert!(above.ends_with("#[doc(hidden)]\n#[macro_export]\n"));
}

/// What a build script that asks for wrapped hooks prints on that target.
fn linker_arguments(os: &str, arch: &str) -> Vec<String> {
    let target = [("CARGO_CFG_TARGET_OS", os), ("CARGO_CFG_TARGET_ARCH", arch)];
    let (passed, said) = mine(&target, &["--exact", "a_build_script_asks_for_wrapped_hooks", "--ignored"]);
    assert!(passed, "{said}");
    said.lines().filter(|line| line.starts_with("cargo:")).map(str::to_string).collect()
}

#[test]
#[ignore = "the test below runs it, as cargo runs a build script"]
fn a_build_script_asks_for_wrapped_hooks() {
    println!();
    bytetwin::prove::wrap_hooks();
}

#[test]
fn every_hook_of_the_compiler_at_a_comparison_is_wrapped_where_there_is_code_for_it() {
    // Those of SanitizerCoverage with trace-compares, as its documentation lists them.
    let sizes = ["cmp", "const_cmp"].into_iter().flat_map(|kind| [1, 2, 4, 8].map(|size| format!("{kind}{size}")));
    let hooks = sizes.chain(["switch".to_string()]).map(|hook| format!("__sanitizer_cov_trace_{hook}"));
    let expected: Vec<_> = hooks.map(|hook| format!("cargo:rustc-link-arg-bins=-Wl,--wrap={hook}")).collect();
    assert_eq!(linker_arguments("linux", "x86_64"), expected);
    for (os, arch) in [("linux", "aarch64"), ("macos", "x86_64"), ("windows", "x86_64")] {
        assert_eq!(linker_arguments(os, arch), [""; 0], "{os} {arch}");
    }
}
