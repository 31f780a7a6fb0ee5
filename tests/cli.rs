//! The command line as a user sees it: the exit status of every way to end, and what is printed.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const EXE: &str = env!("CARGO_BIN_EXE_bytetwin");

/// `1.5` on the wire: scale 1, then 15.
const CASE: &str = "codec: amqp_decimal\njob: encode\nprofile: errata\ntag: without\nform: raw\nvalues: 15e-1\n";

fn say(arguments: &[&str], input: &str) -> (i32, String) {
    let mut child = Command::new(EXE)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // One that ends before it reads has its say in the status.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the command ends");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), said)
}

fn bytetwin(arguments: &[&str]) -> (i32, String) {
    say(arguments, "")
}

/// With `--json`, as the one object that it must print.
fn json(arguments: &[&str]) -> (i32, Value) {
    let (status, said) = bytetwin(&[arguments, &["--json"]].concat());
    let object: Value = serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"));
    assert_eq!(object["exit"], status, "{said}");
    (status, object)
}

/// A folder with one case that expects `expect`.
fn corpus(expect: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("one.case"), format!("{CASE}expect: {expect}\n")).expect("a case");
    folder
}

/// The bytes of [`CASE`] as a user gets them: from a finding.
fn hex_of_the_case() -> String {
    use bytetwin::case::text::{Fields, hex};
    let codec = bytetwin::registry::find("amqp_decimal").expect("a codec");
    hex(&codec.text_to_bytes(&Fields::parse(CASE).expect("lines")).expect("a case").1)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a name in Unicode")
}

#[test]
fn a_replay_that_agrees_ends_with_0_and_counts_what_it_replayed() {
    let folder = corpus("010000000f");
    let (status, said) = bytetwin(&["replay", text(folder.path())]);
    assert!(said.contains("1 cases replayed (amqp_decimal 1), 0 differ"), "{said}");
    assert_eq!(status, 0, "{said}");
    let (status, object) = json(&["replay", text(folder.path())]);
    assert_eq!((status, object["cases"].as_array().map(Vec::len)), (0, Some(1)), "{object}");
    assert_eq!(object["cases"][0]["answer"], "010000000f");
    assert_eq!(object["cases"][0]["subjects"]["fast-portable"]["agreed"], 1);
}

#[test]
fn a_replay_of_standard_input_and_of_hex_prints_the_same_case() {
    let (status, from_text) = say(&["replay", "-", "--verbose"], CASE);
    assert_eq!(status, 0, "{from_text}");
    let case = format!("{CASE}expect: 010000000f\n");
    assert!(from_text.contains(&case), "{from_text}");
    let (status, from_hex) = bytetwin(&["replay", "--hex", &hex_of_the_case(), "--verbose"]);
    assert_eq!(status, 0, "{from_hex}");
    assert!(from_hex.contains(&case), "{from_hex}");
}

#[test]
fn a_file_that_naive_contradicts_ends_with_4_in_every_command_that_replays_it() {
    let folder = corpus("0000000000");
    let path = text(folder.path());
    for arguments in [
        &["replay", path][..],
        &["matrix", "amqp_decimal", "--corpus", path],
        &["check", "amqp_decimal", "--cases", "100", "--corpus", path],
        &["corpus", "fill", "amqp_decimal", "--draws", "2", "--dry-run", "--corpus", path],
    ] {
        let (status, said) = bytetwin(arguments);
        assert!(said.contains("naive contradicts the file\n  file  0000000000\n  naive 010000000f\n"), "{said}");
        assert_eq!(status, 4, "{arguments:?}: {said}");
    }
    for arguments in [
        &["matrix", "amqp_decimal", "--corpus", path][..],
        &["check", "amqp_decimal", "--cases", "100", "--corpus", path],
    ] {
        let (status, object) = json(arguments);
        assert_eq!(status, 4, "{object}");
        assert_eq!(object["codecs"][0]["corpus"][0]["contradicts"], "0000000000", "{object}");
    }
}

#[test]
fn a_difference_outranks_an_empty_cell_whatever_comes_first() {
    // A planted bug of amqp_decimal in another process; amqp_table has none of it, and too few cases for its cells.
    let bug = format!("{EXE} serve --subject rabbitmq-dotnet-sign");
    for codecs in [["amqp_table", "amqp_decimal"], ["amqp_decimal", "amqp_table"]] {
        let (status, said) = bytetwin(&["check", codecs[0], codecs[1], "--cases", "2000", "--program", &bug]);
        assert!(said.contains("FINDING") && said.contains("VACUOUS"), "{said}");
        assert_eq!(status, 1, "{codecs:?}: {said}");
    }
}

#[test]
fn cells_that_nothing_visits_end_with_3() {
    for arguments in [
        &["check", "amqp_decimal", "--cases", "20"][..],
        &["check", "amqp_decimal", "--cases", "20", "--direction", "encode"],
        &["matrix", "amqp_decimal"],
        &["matrix", "amqp_decimal", "--cases", "20"],
    ] {
        let (status, said) = bytetwin(arguments);
        assert_eq!(status, 3, "{arguments:?}: {said}");
    }
    let few = ["check", "amqp_decimal", "--cases", "20"];
    let (status, object) = json(&few);
    assert_eq!(status, 3, "{object}");
    let holes = object["codecs"][0]["holes"].as_array().expect("a list");
    assert!(holes.len() > 12, "{object}");
    for hole in holes {
        let cells = hole["cells"].as_array().map(|cells| cells.len() as u64);
        assert!(cells > Some(0) && cells == hole["missed"].as_u64(), "{hole}");
    }
    // People get the first of them.
    let (_, said) = bytetwin(&few);
    assert_eq!(said.lines().filter(|line| line.contains("required cells")).count(), 12, "{said}");
    assert!(said.contains(&format!("VACUOUS and {} planes of subjects more", holes.len() - 12)), "{said}");
    let more = holes[0]["missed"].as_u64().expect("a number") - 5;
    assert!(said.contains(&format!("; and {more} more\n")), "{said}");
}

#[test]
fn enough_cases_visit_every_cell_of_both_directions_or_of_the_one_that_is_asked() {
    for direction in [&["--direction", "encode"][..], &["--direction", "decode"], &[]] {
        let (status, said) = bytetwin(&[&["check", "amqp_decimal", "--cases", "20000"], direction].concat());
        assert_eq!(status, 0, "{direction:?}: {said}");
    }
    let (status, said) = bytetwin(&["matrix", "amqp_decimal", "--cases", "20000"]);
    let (legend, planes) = said.split_once('\n').expect("lines");
    assert!(legend.contains("! not visited though required") && legend.contains("0 for 1 to 9"), "{said}");
    assert!(planes.contains("amqp_decimal / bytes to read: ") && !planes.contains('!'), "{said}");
    assert_eq!(status, 0, "{said}");
}

#[test]
fn a_case_that_is_compared_with_no_subject_ends_with_3() {
    // It is a subject of other codecs.
    let (status, said) = say(&["replay", "-", "--subjects", "one-by-one"], CASE);
    assert!(said.contains("VACUOUS 1 cases were compared with no subject"), "{said}");
    assert_eq!(status, 3, "{said}");
}

#[test]
fn what_cannot_be_used_ends_with_2_and_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, named) in [
        (&["check", "decimel"][..], "decimel"),
        (&["check", "amqp_decimal", "--subjects", "fest"], "fest"),
        (&["replay", "-", "--subjects", "fest"], "fest"),
        (&["matrix", "amqp_decimal", "--subject", "fest"], "fest"),
        (&["replay", "/nonexistent.case"], "/nonexistent.case"),
        (&["replay", text(folder.path())], "no case was found"),
        (&["replay", "--hex", "0"], "--hex"),
        (&["explain", "--hex", "0"], "--hex"),
        (&["explain", "/nonexistent.case"], "/nonexistent.case"),
        (&["check", "--time", "-1"], "-1"),
        (&["check", "--cases", "0"], "--cases"),
        (&["check", "--jobs", "0"], "--jobs"),
        (&["check", "--timeout", "0"], "--timeout"),
        (&["museum", "--seconds", "0"], "--seconds"),
        (&["check", "--jobs", "100000"], "--jobs"),
    ] {
        let (status, said) = say(arguments, CASE);
        assert_eq!(status, 2, "{arguments:?}: {said}");
        assert!(said.contains(named), "{arguments:?}: {said}");
    }
    let (status, said) = say(&["replay", "-"], "codec: decimel\njob: encode\n");
    assert!(said.contains("standard input: codec: no codec is called \"decimel\""), "{said}");
    assert_eq!(status, 2, "{said}");
}

#[test]
fn explain_says_in_words_what_is_missing_where_and_how_much_there_is() {
    let cut = [
        ("delta_binary_packed", "80010402", "at byte 4: expected at least 1 byte, found 0: the input ends at byte 4"),
        ("decimal", "0100000005020000", "at byte 5: expected at least 4 bytes, found 3: the input ends at byte 8"),
        ("decimal", "0500000080", "at byte 0: expected at least 9 bytes, found 5: the input ends at byte 5"),
    ];
    for (codec, bytes, why) in cut {
        let column = if codec == "decimal" { "column: DECIMAL(3,0) BYTE_ARRAY" } else { "type: i32" };
        let (status, said) = bytetwin(&["explain", "--codec", codec, "--bytes", bytes, "--with", column]);
        assert!(said.contains("expect: error UnexpectedEnd { ") && said.contains(&format!("\n# {why}\n")), "{said}");
        assert_eq!(status, 0, "{said}");
    }
}

#[test]
fn explain_names_the_bytes_of_a_case_in_whatever_form_it_comes() {
    let folder = corpus("010000000f");
    let file = folder.path().join("one.case");
    let shown = [
        bytetwin(&["explain", text(&file)]),
        say(&["explain", "-"], CASE),
        bytetwin(&["explain", "--hex", &hex_of_the_case()]),
    ];
    for (status, said) in &shown {
        assert!(said.contains("expect: 010000000f\n") && said.contains("scale"), "{said}");
        assert_eq!((*status, said), (0, &shown[0].1));
    }
    let raw = ["explain", "--bytes", "01 0000000f", "--codec", "amqp_decimal", "--with", "tag: without"];
    let (status, said) = bytetwin(&raw);
    assert!(said.contains("job: decode\n") && said.contains("scale"), "{said}");
    assert_eq!(status, 0, "{said}");
}

#[test]
fn no_time_at_all_is_not_agreement() {
    let arguments = ["check", "amqp_decimal", "--time", "0"];
    let (status, said) = bytetwin(&arguments);
    assert!(said.contains("VACUOUS amqp_decimal: no case was drawn"), "{said}");
    assert_eq!((status, json(&arguments).0), (3, 3), "{said}");
}

#[test]
fn output_that_nobody_reads_ends_quietly() {
    let mut child = Command::new(EXE)
        .args(["matrix", "amqp_decimal", "--cases", "100"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr)), (Some(2), "".into()));
}

#[test]
fn a_small_case_in_large_blocks_is_replayed_in_seconds() {
    let case = "codec: delta_binary_packed\njob: encode\ntype: i64\ngeometry: 65536/1\n\
                values: 1, -9000000000000000000, 5, 9000000000000000000\n";
    assert_eq!(say(&["replay", "-"], case).0, 0);
}

#[test]
fn a_case_is_saved_as_a_file_that_replays_and_never_over_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("new.case");
    let arguments = ["replay", "--hex", &hex_of_the_case(), "--save", text(&file)];
    assert_eq!(bytetwin(&arguments).0, 0);
    assert_eq!(fs::read_to_string(&file).expect("a file"), format!("{CASE}expect: 010000000f\n"));
    assert_eq!(bytetwin(&["replay", text(&file)]).0, 0);
    let (status, said) = bytetwin(&arguments);
    assert!(said.contains("new.case"), "{said}");
    assert_eq!(status, 2, "{said}");
}

#[test]
fn planted_bugs_are_counted_in_json() {
    let empty = tempfile::tempdir().expect("a folder");
    let few = ["museum", "amqp_table", "--cases", "1", "--seeds", "1", "--corpus", text(empty.path())];
    let (status, object) = json(&few);
    assert!(object["missed"].as_u64() > Some(0) && object["bugs"].is_array(), "{object}");
    assert_eq!(status, 1, "{object}");
}

#[cfg(unix)]
#[test]
fn a_pipe_among_the_cases_is_named_and_not_waited_for() {
    let folder = corpus("010000000f");
    let pipe = folder.path().join("pipe.case");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts").success());
    let path = text(folder.path());
    for arguments in [&["replay", path][..], &["matrix", "--corpus", path], &["museum", "--corpus", path]] {
        let (status, said) = bytetwin(arguments);
        assert!(said.contains("pipe.case: neither a file nor a folder"), "{arguments:?}: {said}");
        assert_eq!(status, 2, "{arguments:?}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn what_a_request_claims_takes_no_memory_and_more_than_the_limit_is_refused() {
    let limited = |length: u32, room: u32| {
        let script = format!("ulimit -v 65536; exec '{EXE}' serve");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = shell.spawn().expect("a shell");
        let numbers = [length, room, 7].map(u32::to_le_bytes).concat();
        let request = [b"bytetwin 1 decimal\n\x01", &numbers[..], b"\x01"].concat();
        child.stdin.take().expect("a pipe").write_all(&request).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for (length, room, says) in
        [(1 << 26, 0, "the input ended after 1 of"), (u32::MAX, 0, "the limit is"), (3, u32::MAX, "the limit is")]
    {
        let (status, said) = limited(length, room);
        assert!(said.contains(says), "{length} {room}: {said}");
        assert_eq!(status, Some(2), "{length} {room}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn the_name_of_a_file_cannot_write_to_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("\x1b[2J.case"), format!("{CASE}expect: \x1b[31m\n")).expect("a case");
    let (status, said) = bytetwin(&["replay", text(folder.path())]);
    assert!(said.contains(r"\u{1b}[2J.case: naive contradicts the file") && !said.contains('\x1b'), "{said}");
    assert_eq!(status, 4, "{said}");
    fs::write(folder.path().join("\x1b[2J.case"), "codec: \x1b[31m\n").expect("a case");
    let (status, said) = bytetwin(&["replay", text(folder.path())]);
    assert!(said.contains(r"\u{1b}[2J.case: codec: no codec") && !said.contains('\x1b'), "{said}");
    assert_eq!(status, 2, "{said}");
    let digests = folder.path().join("digests.txt");
    fs::write(&digests, "decimal/i16 \x1b[31m\n").expect("a file");
    let (status, said) = bytetwin(&["digest", "decimal/i16", "--file", text(&digests)]);
    assert!(said.contains(r"CHANGED, committed is \u{1b}[31m") && !said.contains('\x1b'), "{said}");
    assert_eq!(status, 1, "{said}");
}

#[test]
fn every_flag_of_every_command_is_in_the_changelog() {
    let changes = include_str!("../CHANGELOG.md");
    let mut missing = Vec::new();
    let commands = ["check", "replay", "explain", "fuzz", "matrix", "museum", "digest", "corpus fill", "serve"];
    for command in commands {
        let words: Vec<_> = command.split(' ').chain(["--help"]).collect();
        let (status, help) = bytetwin(&words);
        assert_eq!(status, 0, "{help}");
        let (_, told) = changes.split_once(&format!("* `{command}`")).unwrap_or_default();
        let told = told.split("\n  * ").next().and_then(|told| told.split("\n* ").next()).unwrap_or_default();
        let told: Vec<_> =
            told.split(|c: char| !c.is_ascii_lowercase() && c != '-').chain(["--json", "--help"]).collect();
        let flags = help.lines().filter_map(|line| line.trim_start().strip_prefix("-v, ").or(Some(line.trim_start())));
        let flags = flags.filter(|line| line.starts_with("--")).filter_map(|line| line.split([' ', '=']).next());
        missing.extend(flags.filter(|flag| !told.contains(flag)).map(|flag| format!("{command} {flag}")));
    }
    assert!(missing.is_empty(), "CHANGELOG.md does not name {missing:?}");
    let (_, help) = bytetwin(&["--help"]);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let listed: Vec<_> =
        listed.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect();
    assert_eq!(listed, commands.map(|name| name.split(' ').next().unwrap_or_default()));
}
