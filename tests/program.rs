//! Programs that end, hang or complain on the way: each case is blamed for what it did, and no program holds a run up.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output};

const EXE: &str = env!("CARGO_BIN_EXE_bytetwin");

fn bytetwin(arguments: &[&str]) -> (i32, String) {
    let Output { status, stdout, stderr } =
        Command::new(EXE).args(arguments).env("RUST_BACKTRACE", "0").output().expect("the command starts");
    let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    (status.code().unwrap_or(-1), said)
}

fn check(codec: &str, program: &str, more: &[&str]) -> (i32, String) {
    let program = &format!("other={program}");
    bytetwin(&[&["check", codec, "--program", program, "--subjects", "other"], more].concat())
}

/// A script as a command.
fn script(folder: &Path, lines: &str) -> String {
    let path = folder.join("program");
    std::fs::write(&path, lines).expect("a script");
    format!("sh {}", path.display())
}

/// How many cases a subject agreed and differed on, as a run prints it.
fn counts(said: &str) -> (u64, u64) {
    let line = said.lines().find(|line| line.starts_with("  other ")).unwrap_or_else(|| panic!("{said}"));
    let number = |word: &str| {
        let behind = line.split(word).nth(1).unwrap_or_default();
        behind.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{said}"))
    };
    (number("agreed"), number("differed"))
}

#[test]
fn a_program_that_panics_on_some_cases_is_blamed_for_those_and_started_again() {
    let program = format!("{EXE} serve --subject arrow-rs-9796");
    let arguments = ["--direction", "decode", "--cases", "2000"];
    let (status, said) = check("delta_byte_array", &program, &arguments);
    assert_eq!(status, 1, "{said}");
    // The case is one on which it panics, and the simplest.
    assert!(said.contains("  right PrefixOutOfRange { "), "{said}");
    assert!(said.contains("  wrong no answer: it ended with exit status: 70; its last words: "), "{said}");
    assert!(said.contains(r":\nrange end index out of range for slice\nnote: "), "{said}");
    assert_eq!(said.matches("FINDING").count(), 1, "{said}");
    let (agreed, differed) = counts(&said);
    assert!(agreed > 1500 && differed > 10 && agreed + differed == 2000, "{said}");
}

#[test]
fn a_program_that_always_ends_is_started_so_often_and_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let starts = folder.path().join("starts");
    let lines =
        format!("echo >>{}\nread line\necho bytetwin 1 ends\nhead -c 1 >/dev/null\nkill -9 $$\n", starts.display());
    let (status, said) = check("amqp_decimal", &script(folder.path(), &lines), &["--cases", "20000"]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("  wrong no answer: it ended with signal: 9 (SIGKILL)\n"), "{said}");
    assert!(said.contains("other: not started again, other cases are not asked: it ended 1000 times in "), "{said}");
    let starts = std::fs::read_to_string(starts).expect("a file").len();
    assert_eq!(starts, 1000);
    // What was not asked is neither right nor wrong.
    let (agreed, differed) = counts(&said);
    assert!(agreed == 0 && (500..=1000).contains(&differed), "{said}");
}

/// What answers the first questions: behind so many bytes of them, `then`.
fn for_a_while(folder: &Path, then: &str) -> String {
    script(folder, &format!("dd bs=1 count=50000 2>/dev/null | {EXE} serve 2>/dev/null\n{then}\n"))
}

#[test]
fn a_program_that_ends_after_some_cases_is_started_again_for_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = for_a_while(folder.path(), "echo done for today >&2; exit 3");
    let (status, said) = check("amqp_decimal", &program, &["--cases", "2000", "--direction", "decode"]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("other differs from its own answer to the plain call (reuse)"), "{said}");
    assert!(said.contains("no answer: it ended with exit status: 3; its last words: done for today\n"), "{said}");
    let (agreed, differed) = counts(&said);
    assert!(agreed > 1000 && differed > 3 && agreed + differed == 2000, "{said}");
}

#[test]
fn a_program_that_stops_answering_is_told_with_its_name_case_and_time_and_is_not_waited_for_again_and_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = for_a_while(folder.path(), "exec sleep 1000");
    let (status, said) = check("amqp_decimal", &program, &["--cases", "3000", "--timeout", "1"]);
    assert_eq!(status, 1, "{said}");
    let finding = said.split("FINDING ").nth(1).unwrap_or_default();
    assert!(finding.contains("code_amqp_decimal: other ") && finding.contains("\n  job: "), "{said}");
    assert!(finding.contains("no answer: it did not answer within 1s\n"), "{said}");
    assert!(said.contains("other: not started again, other cases are not asked: it ended 3 times in "), "{said}");
    let (agreed, differed) = counts(&said);
    assert!(agreed > 10 && (1..=3).contains(&differed), "{said}");
}

#[test]
fn a_program_that_ends_while_its_child_holds_the_pipe_is_not_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let program =
        script(folder.path(), "read line\necho bytetwin 1 ends\nhead -c 1 >/dev/null\nsleep 1000 &\nexit 3\n");
    let (status, said) = check("amqp_decimal", &program, &["--cases", "100", "--timeout", "5"]);
    assert!(said.contains("  wrong no answer: it ended with exit status: 3\n"), "{said}");
    assert!(!said.contains("not started again"), "{said}");
    assert_eq!(status, 1, "{said}");
}

#[test]
fn what_a_program_says_on_standard_error_is_shown_escaped_named_and_not_for_ever() {
    let folder = tempfile::tempdir().expect("a folder");
    let says = r"i=0; while [ $i -lt 1000 ]; do printf 'bytetwin: \033[2J %d\n' $i >&2; i=$((i+1)); done";
    let program = script(folder.path(), &format!("{says}\nexec {EXE} serve\n"));
    let (status, said) = check("amqp_decimal", &program, &["--cases", "20"]);
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("other: bytetwin: \\u{1b}[2J 0\n") && !said.contains('\x1b'), "{said}");
    assert_eq!(said.matches("[2J").count(), 20, "{said}");
    assert!(said.contains("other: .. and more, which is not shown\n"), "{said}");
}

#[test]
fn a_program_that_cannot_be_greeted_is_an_error_that_says_how_it_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = script(folder.path(), "echo no such thing >&2\nexit 7\n");
    let (status, said) = check("amqp_decimal", &program, &[]);
    let expected = "bytetwin: amqp_decimal: other: it ended with exit status: 7; its last words: no such thing\n";
    assert!(said.contains(expected), "{said}");
    assert_eq!(status, 2, "{said}");
}

#[test]
fn a_greeting_without_its_line_feed_is_none_and_its_rest_is_no_reply() {
    let folder = tempfile::tempdir().expect("a folder");
    for lines in ["printf 'bytetwin 1 %0500d\\n' 0\nexec sleep 9", "printf 'bytetwin 1 cut'"] {
        let (status, said) = check("amqp_decimal", &script(folder.path(), lines), &["--cases", "20"]);
        assert!(said.contains("other: it greets with \"bytetwin 1 "), "{said}");
        assert!(said.contains("\", expected bytetwin 1, a name of its own in UTF-8, and a line feed"), "{said}");
        assert_eq!(status, 2, "{said}");
    }
}

#[test]
fn no_timeout_is_too_long() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = script(folder.path(), "read line\necho bytetwin 1 ends\nhead -c 1 >/dev/null\nexit 3\n");
    let (status, said) = check("amqp_decimal", &program, &["--cases", "20", "--timeout", &u64::MAX.to_string()]);
    assert!(said.contains("  wrong no answer: it ended with exit status: 3\n"), "{said}");
    assert_eq!(status, 1, "{said}");
}

/// What a shell says to the replay line of a finding, with this `bytetwin` in its path.
fn pasted(shell: &str, said: &str) -> (i32, String) {
    let line = said.lines().find(|line| line.starts_with("  bytetwin replay ")).unwrap_or_else(|| panic!("{said}"));
    let folder = Path::new(EXE).parent().expect("a folder").display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new(shell);
    let Output { status, stdout, stderr } = shell.args(["-c", line]).env("PATH", path).output().expect("a shell");
    let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    (status.code().unwrap_or(-1), said)
}

/// The finding in what was said.
fn finding(said: &str) -> &str {
    let (_, finding) = said.split_once("FINDING").unwrap_or_else(|| panic!("{said}"));
    finding.split_once("\n\n").unwrap_or_else(|| panic!("{said}")).0
}

#[test]
fn the_replay_line_of_a_finding_judges_the_program_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("it's two words");
    std::os::unix::fs::symlink(EXE, &link).expect("a link");
    let program = format!("\"{}\" serve --subject pamqp-65", link.display());
    let (_, said) = check("amqp_decimal", &program, &["--cases", "20000", "--timeout", "50"]);
    let (status, again) = pasted("sh", &said);
    assert_eq!(finding(&again), finding(&said));
    assert!(again.contains(" --timeout 50\n") && again.contains("1 differ"), "{again}");
    assert_eq!(status, 1, "{again}");
}

#[test]
fn a_replay_line_of_bash_names_a_command_that_a_terminal_would_obey() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("\u{1b}[2J\n\\7\u{202e}価");
    std::os::unix::fs::symlink(EXE, &link).expect("a link");
    let program = format!("'{}' serve --subject pamqp-65", link.display());
    let (_, said) = check("amqp_decimal", &program, &["--cases", "20000"]);
    assert!(said.contains(r"/\033[2J\012\\7\342\200\256価\' serve --subject pamqp-65'"), "{said}");
    let (status, again) = pasted("bash", &said);
    assert_eq!(finding(&again), finding(&said));
    assert_eq!(status, 1, "{again}");
}

#[test]
fn a_replay_of_many_cases_starts_a_program_once_for_each_codec_and_says_when_it_answers_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let starts = folder.path().join("starts");
    let program = script(folder.path(), &format!("echo >>{}\nexec {EXE} serve $@\n", starts.display()));
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/amqp_decimal");
    let replay = |program: &str| {
        bytetwin(&["replay", corpus.to_str().expect("a name"), "--program", program, "--subjects", "sh"])
    };
    let (status, said) = replay(&program);
    assert!(said.contains(", 0 differ") && status == 0, "{said}");
    assert_eq!(std::fs::read_to_string(starts).expect("a file").len(), 1);
    let (status, said) = replay(&format!("{program} --subject nobody"));
    assert!(said.contains("VACUOUS sh: no case was compared with it"), "{said}");
    assert_eq!(status, 3, "{said}");
    let (status, said) = replay("no-such-program");
    assert!(said.contains("bytetwin: ") && said.contains("no-such-program"), "{said}");
    assert_eq!(status, 2, "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn where_the_end_of_a_process_is_not_told_programs_are_judged_and_builds_are_refused_with_the_reason() {
    let ignoring = |arguments: &[&str]| {
        let mut command = Command::new("env");
        command.args(["--ignore-signal=CHLD", EXE, "check", "amqp_decimal", "--cases", "2000"]).args(arguments);
        let Output { stdout, stderr, .. } = command.output().expect("env starts");
        String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr)
    };
    let unknown = "how it ended is not known: SIGCHLD is ignored; start bytetwin without that";
    let said = ignoring(&["--program", &format!("other={EXE} serve"), "--subjects", "other"]);
    assert_eq!(counts(&said), (2000, 0), "{said}");
    let folder = tempfile::tempdir().expect("a folder");
    let program = script(folder.path(), "read line\necho bytetwin 1 ends\nhead -c 1 >/dev/null\n");
    let said = ignoring(&["--program", &program, "--subjects", "sh"]);
    assert!(said.contains(&format!("no answer: it ended, and {unknown}")), "{said}");
    let said = ignoring(&["--against", "HEAD"]);
    assert!(said.contains(&format!("bytetwin: --against HEAD: git: {unknown}")), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_hang_up_ends_a_run_unless_it_was_started_to_ignore_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = script(folder.path(), &format!("kill -HUP $PPID\nexec {EXE} serve\n"));
    for (option, ends) in [("--default-signal=HUP", Some(130)), ("--ignore-signal=HUP", Some(0))] {
        let mut command = Command::new("env");
        command.args([option, EXE, "check", "amqp_decimal", "--subjects", "sh", "--program", &program]);
        let Output { status, stdout, stderr } = command.args(["--cases", "20000"]).output().expect("env starts");
        assert_eq!(status.code(), ends, "{option}: {stdout:?} {stderr:?}");
    }
}
