//! docs/protocol.md is true, and a program in Python that was written from it is judged like any other subject.

#![cfg(unix)]

#[path = "support/not_run.rs"]
mod not_run;

use not_run::not_run;
use std::path::Path;
use std::process::{Command, Output};

const EXE: &str = env!("CARGO_BIN_EXE_bytetwin");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Whether there is a Python 3. Without it, what needs one says so.
fn python() -> bool {
    let there = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        not_run("examples/subject.py, and what docs/protocol.md says of it: there is no python3 here");
    }
    there
}

fn said(command: &mut Command) -> (i32, String) {
    let Output { status, stdout, stderr } = command.output().expect("the command starts");
    let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    (status.code().unwrap_or(-1), said)
}

/// Judges the example, called `subject`.
fn check(flags: &str, more: &[&str]) -> (i32, String) {
    let program = format!("subject=python3 '{ROOT}/examples/subject.py' {flags}");
    said(Command::new(EXE).args(["check", "decimal", "--program", &program, "--subjects", "subject"]).args(more))
}

#[test]
fn the_conversation_by_hand_is_as_the_page_shows_it() {
    let python = python();
    let page = std::fs::read_to_string(Path::new(ROOT).join("docs/protocol.md")).expect("the page");
    let block = page.split("```console\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
    let folder = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(Path::new(ROOT).join("examples"), folder.path().join("examples")).expect("a link");
    let path = Path::new(EXE).parent().expect("a folder").display();
    let path = format!("{path}:{}", std::env::var("PATH").unwrap_or_default());
    for turn in block.split("$ ").skip(1) {
        let (line, expected) = turn.split_once('\n').expect("a line");
        if line.contains("python3") && !python {
            continue;
        }
        let (status, said) = said(Command::new("sh").args(["-c", line]).current_dir(&folder).env("PATH", &path));
        assert_eq!((status, said.as_str()), (0, expected), "{line}");
    }
}

#[test]
fn the_example_agrees_on_some_hundred_cases() {
    if !python() {
        return;
    }
    let (status, said) = check("", &["--cases", "600"]);
    assert!(said.contains("  subject              agreed       600  differed      0  unsupported         0"), "{said}");
    // So few cases do not visit every cell.
    assert!(status == 3 && !said.contains("FINDING"), "{status}: {said}");
}

#[test]
fn a_test_that_finds_no_python_says_so() {
    let mut tests = Command::new(std::env::current_exe().expect("this program"));
    let (status, said) = said(tests.arg("the_example_agrees_on_some_hundred_cases").env("PATH", ""));
    assert!(said.contains("NOT RUN: examples/subject.py"), "{said}");
    assert_eq!(status, 0, "{said}");
}

#[test]
fn the_planted_bug_of_the_example_is_found_and_shrunk() {
    if !python() {
        return;
    }
    let (status, said) = check("--bug sign", &["--cases", "600"]);
    assert!(said.contains("FINDING encode_decimal: subject differs from naive (identity)"), "{said}");
    assert!(
        said.contains("  values: 128\n") && said.contains("  byte 4 (value 0, unscaled, big-endian = 128)"),
        "{said}"
    );
    assert!(said.contains(" --program 'subject=python3 ") || said.contains(" --program \"subject=python3 "), "{said}");
    assert_eq!(status, 1, "{said}");
}

#[test]
fn a_loop_without_an_end_is_blamed_on_a_case_that_has_it() {
    if !python() {
        return;
    }
    let (status, said) = check("--bug endless", &["--cases", "600", "--direction", "encode", "--timeout", "1"]);
    let (_, finding) = said.split_once("FINDING encode_decimal: subject differs from naive (identity)").expect("one");
    assert!(finding.contains("  wrong no answer: it did not answer within 1s\nreplay\n"), "{said}");
    let (line, _) = finding.split_once("  values: ").and_then(|(_, rest)| rest.split_once('\n')).expect("a line");
    // The least that has the loop: three values.
    assert!(line.split(", ").count() >= 3, "{said}");
    assert!(said.contains("subject: not started again, other cases are not asked: it ended "), "{said}");
    assert_eq!(status, 1, "{said}");
}
