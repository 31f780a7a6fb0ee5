//! `bytetwin fuzz` around a `cargo` that only says what cargo fuzz would: every way in which a target can end, the table,
//! and the exit status. `.ci/run` and the nightly workflow start the real one.

#![cfg(unix)]

#[path = "support/processes.rs"]
mod processes;

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Its targets are named for how they behave.
const CARGO: &str = r#"#!/bin/sh
verb=$2
hang() { sleep 1000 >/dev/null 2>&1 & child=$!; echo $child >number; wait; }
if [ "$HANGS" = $verb ]; then hang; fi
if [ $verb = list ]; then printf 'good\nbroken\nearly\ncrashes\nfinds\nidle\nslow\nmuseum\n'; [ -z "$STUCK" ] || printf 'stuck\nlast\n'; exit; fi
[ "$3 $4" = '--sanitizer none' ] || exit 99
target=$5; [ $verb = tmin ] && target=$7
say() { echo "$@" >&2; }
done_() { say "stat::number_of_executed_units: $1"; say 'stat::new_units_added:          7'; exit ${2:-0}; }
case $verb-$target in
build-broken) say 'error: it does not compile'; exit 101 ;;
build-stuck)
    trap 'kill $child; exit 130' INT
    hang ;;
build-*) ;;
tmin-crashes)
    printf '\001\002\000' >fuzz/artifacts/smaller
    say 'Minimized artifact:'; say; say '	fuzz/artifacts/smaller' ;;
run-good) done_ 1000 ;;
run-idle) done_ 0 ;;
tmin-last) echo >too-late ;;
run-last)
    trap 'kill $child; say "Test unit written to number"; exit 77' INT
    hang ;;
run-early) say 'the corpus cannot be read'; exit 1 ;;
run-crashes)
    # The first start ends so; the next one has nothing to say.
    if [ -e fuzz/artifacts ]; then done_ 20; fi
    mkdir -p fuzz/artifacts
    printf '\001\002\000\000\000\000' >fuzz/artifacts/crash-1
    say '#4096	pulse  cov: 12 ft: 13'
    say "thread '<unnamed>' panicked at src/naive.rs:1:2:"
    say 'attempt to add with overflow'
    say '==77== ERROR: libFuzzer: deadly signal'
    say "artifact_prefix='fuzz/artifacts/'; Test unit written to fuzz/artifacts/crash-1"
    exit 77 ;;
run-finds)
    mkdir -p "$BYTETWIN_FINDINGS"
    file=$BYTETWIN_FINDINGS/finds--mine--identity.case
    printf '# FINDING finds: mine differs\n# \033[2J\n' >"$file"
    say "finding kept as $file"
    done_ 500 ;;
run-slow)
    trap 'kill $child; done_ 42 130' INT
    hang ;;
esac
"#;

/// A package to fuzz, and the command in it.
fn package() -> (tempfile::TempDir, Command) {
    package_in("")
}

/// [`package`] in a folder whose name starts so.
fn package_in(name: &str) -> (tempfile::TempDir, Command) {
    let folder = tempfile::Builder::new().prefix(name).tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("fuzz")).expect("a folder");
    std::fs::write(folder.path().join("fuzz/Cargo.toml"), "").expect("a file");
    let cargo = folder.path().join("cargo");
    std::fs::write(&cargo, CARGO).expect("a script");
    std::fs::set_permissions(&cargo, PermissionsExt::from_mode(0o755)).expect("it can be run");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bytetwin"));
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap_or_default());
    command.arg("fuzz").current_dir(folder.path()).env("PATH", path);
    (folder, command)
}

fn said(Output { status, stdout, stderr }: Output) -> (i32, String) {
    let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    (status.code().unwrap_or(-1), said)
}

fn fuzz(arguments: &[&str]) -> (i32, String) {
    let (_folder, mut command) = package();
    said(command.args(["--time", "5"]).args(arguments).output().expect("it starts"))
}

/// What the table says of a target: executions, new inputs, findings.
fn row(said: &str, target: &str) -> [String; 3] {
    let line = said.lines().find(|line| line.split_whitespace().next() == Some(target));
    let words: Vec<_> = line.unwrap_or_else(|| panic!("{target}: {said}")).split_whitespace().collect();
    [words[1], words[3], words[4]].map(str::to_string)
}

#[test]
fn targets_that_run_their_time_end_with_0_and_are_in_the_table() {
    let (status, said) = fuzz(&["good"]);
    assert_eq!(row(&said, "good"), ["1000", "7", "0"], "{said}");
    assert_eq!(status, 0, "{said}");
}

#[test]
fn a_target_that_does_not_build_or_ends_early_does_not_keep_the_others_from_running() {
    for bad in ["broken", "early"] {
        let (status, said) = fuzz(&[bad, "finds", "good", "--jobs", "2"]);
        assert_eq!(row(&said, bad), ["0", "0", "0"], "{said}");
        assert_eq!(row(&said, "finds"), ["500", "7", "1"], "{said}");
        assert_eq!(row(&said, "good"), ["1000", "7", "0"], "{said}");
        assert!(said.contains(&format!("FAILED {bad}: ")), "{said}");
        assert_eq!(status, 2, "{said}");
    }
    let (_, said) = fuzz(&["early"]);
    assert!(said.contains("FAILED early: it ended early:\nthe corpus cannot be read"), "{said}");
    let (status, object) = fuzz(&["broken", "good", "--json"]);
    assert!(object.contains(r#""problem":"cargo fuzz build broken: exit status: 101""#), "{object}");
    assert!(object.contains(r#""exit":2"#) && object.contains(r#""problem":null"#), "{object}");
    assert_eq!(status, 2, "{object}");
}

#[test]
fn all_targets_but_the_museum_run_when_none_is_named() {
    let (_folder, mut command) = package();
    let (status, said) = said(command.args(["--time", "0"]).output().expect("it starts"));
    for target in ["good", "broken", "early", "crashes", "finds", "idle", "slow"] {
        assert_eq!(row(&said, target), ["0", "0", "0"], "{said}");
    }
    assert!(!said.contains("museum"), "{said}");
    assert_eq!(status, 2, "{said}");
}

#[test]
fn a_finding_ends_with_1_and_is_shown() {
    let (status, said) = fuzz(&["finds", "good"]);
    assert!(said.contains("finds--mine--identity.case\n# FINDING finds: mine differs"), "{said}");
    assert_eq!(row(&said, "finds"), ["500", "7", "1"], "{said}");
    assert_eq!(status, 1, "{said}");
}

#[test]
fn a_crash_is_minimized_kept_as_a_case_with_its_replay_and_gone_past() {
    let (folder, mut command) = package();
    let (status, said) = said(command.args(["--time", "5", "crashes"]).output().expect("it starts"));
    assert_eq!(row(&said, "crashes"), ["4116", "7", "1"], "{said}");
    assert_eq!(status, 1, "{said}");
    let file = folder.path().join("fuzz/findings/crashes--src-naive-rs-1-2--crash.case");
    let case = std::fs::read_to_string(file).expect("a case file");
    let head = "# CRASH crashes: ERROR: libFuzzer: deadly signal\n# thread '<unnamed>' panicked at src/naive.rs:1:2:\n\
                # attempt to add with overflow\n# cargo fuzz run crashes fuzz/artifacts/smaller\n# bytetwin replay fuzz/artifacts/smaller\n\
                codec: amqp_decimal\njob: encode\n";
    assert!(case.starts_with(head), "{case}");
    assert!(said.contains(head), "{said}");
}

#[test]
fn a_crash_that_cannot_be_kept_is_said() {
    let (folder, mut command) = package();
    std::fs::write(folder.path().join("fuzz/findings"), "no folder").expect("a file");
    let (status, said) = said(command.args(["--time", "5", "crashes", "good"]).output().expect("it starts"));
    assert!(said.contains("FAILED crashes: ") && said.contains("--crash.case: "), "{said}");
    assert!(said.contains("# attempt to add with overflow") && said.contains("codec: amqp_decimal"), "{said}");
    assert_eq!((row(&said, "good"), status), (["1000", "7", "0"].map(str::to_string), 2), "{said}");
}

#[test]
fn no_time_and_no_execution_are_not_agreement() {
    assert_eq!(fuzz(&["good", "idle"]).0, 3);
    let (_folder, mut command) = package();
    assert_eq!(said(command.args(["good", "--time", "0"]).output().expect("it starts")).0, 3);
}

#[test]
fn a_second_is_enough_to_run() {
    let (_folder, mut command) = package();
    let (status, said) = said(command.args(["good", "--time", "1"]).output().expect("it starts"));
    assert_eq!((row(&said, "good"), status), (["1000", "7", "0"].map(str::to_string), 0), "{said}");
}

#[test]
fn a_package_without_targets_is_not_agreement() {
    let (folder, mut command) = package();
    std::fs::write(folder.path().join("cargo"), "#!/bin/sh\necho museum\n").expect("a script");
    let (status, said) = said(command.output().expect("it starts"));
    assert!(said.contains("cargo fuzz list: there is no target"), "{said}");
    assert_eq!(status, 2, "{said}");
}

#[test]
fn a_target_that_is_named_twice_is_not_run_twice_at_once() {
    let (status, said) = fuzz(&["good", "finds", "good", "--jobs", "2"]);
    assert_eq!((status, said.as_str()), (2, "bytetwin: the target \"good\" is named twice\n"));
}

#[test]
fn a_wrong_name_and_a_cargo_without_the_fuzzer_are_named() {
    let (status, said) = fuzz(&["good", "gud"]);
    assert!(said.contains("no target is called \"gud\"; there are good, broken"), "{said}");
    assert_eq!(status, 2, "{said}");
    let (folder, mut command) = package();
    let says = "#!/bin/sh\necho 'error: no such command: `fuzz`' >&2\nexit 101\n";
    std::fs::write(folder.path().join("cargo"), says).expect("a script");
    let (status, said) = self::said(command.output().expect("it starts"));
    assert!(said.contains("no such command: `fuzz`\ninstall it: cargo install --locked cargo-fuzz"), "{said}");
    assert_eq!(status, 2, "{said}");
}

/// Interrupts a run of these targets once one, or the verb that `hangs`, is at work. What that started must be gone.
fn interrupted(targets: &[&str], hangs: &str) -> (tempfile::TempDir, i32, String) {
    let (folder, mut command) = package();
    command.env("STUCK", "yes").env("HANGS", hangs).args(["--time", "600"]).args(targets);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let number = folder.path().join("number");
    while !std::fs::read_to_string(&number).is_ok_and(|text| text.ends_with('\n')) {
        assert!(child.try_wait().expect("a state").is_none(), "it ended before it was interrupted");
        std::thread::sleep(Duration::from_millis(10));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts");
    assert!(sent.success());
    let (status, said) = said(child.wait_with_output().expect("it ends"));
    assert!(!processes::runs(&std::fs::read_to_string(&number).expect("a number")), "{said}");
    (folder, status, said)
}

#[test]
fn an_interrupt_ends_the_targets_and_shows_the_table_of_what_was_done() {
    let (_, status, said) = interrupted(&["slow", "good"], "");
    assert_eq!(row(&said, "slow"), ["42", "7", "0"], "{said}");
    assert_eq!(row(&said, "good"), ["0", "0", "0"], "{said}");
    assert_eq!(status, 130, "{said}");
    let (_, status, said) = interrupted(&["good", "stuck"], "");
    assert_eq!(
        (row(&said, "good"), row(&said, "stuck")),
        (row(&said, "stuck"), ["0"; 3].map(str::to_string)),
        "{said}"
    );
    assert_eq!(status, 130, "{said}");
    // A finding is graver.
    let (_, status, said) = interrupted(&["finds", "slow"], "");
    assert_eq!(row(&said, "finds"), ["500", "7", "1"], "{said}");
    assert_eq!(status, 1, "{said}");
}

#[test]
fn an_interrupt_ends_whatever_cargo_does() {
    let (_, status, said) = interrupted(&["good"], "list");
    assert_eq!(status, 130, "{said}");
    let (folder, status, said) = interrupted(&["crashes"], "tmin");
    assert!(folder.path().join("fuzz/findings/crashes--src-naive-rs-1-2--crash.case").is_file(), "{said}");
    assert_eq!(status, 1, "{said}");
}

#[test]
fn after_an_interrupt_nothing_is_started() {
    // Its answer to the interrupt is a crash, which would be made smaller.
    let (folder, status, said) = interrupted(&["last"], "");
    assert!(said.contains("# CRASH last: ") && !folder.path().join("too-late").exists(), "{said}");
    assert_eq!(status, 1, "{said}");
}

#[test]
fn names_and_words_of_others_cannot_write_to_the_terminal() {
    let (folder, mut command) = package_in("\x1b[31m");
    std::fs::create_dir_all(folder.path().join("fuzz/findings/crashes--src-naive-rs-1-2--crash.case"))
        .expect("folders");
    let (status, said) = said(command.args(["--time", "5", "crashes", "finds"]).output().expect("it starts"));
    assert!(said.contains(r"\u{1b}[31m") && said.contains(r"# \u{1b}[2J"), "{said}");
    assert!(said.contains("FAILED crashes: ") && !said.contains('\x1b'), "{said}");
    assert_eq!(status, 2, "{said}");
}
