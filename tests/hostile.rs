//! The command line where a folder, a file, a program or the machine is not as it should be: no hang, no crash, nothing half
//! written, and an error that names what is at fault.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

const EXE: &str = env!("CARGO_BIN_EXE_bytetwin");
/// The bytes of a case: an empty encode of `amqp_decimal`.
const HEX: &str = "010200";

fn said(command: &mut Command) -> (i32, String) {
    let Output { status, stdout, stderr } = command.output().expect("the command starts");
    let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    (status.code().unwrap_or(-1), said)
}

fn bytetwin(arguments: &[&str]) -> (i32, String) {
    said(Command::new(EXE).args(arguments))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a name in Unicode")
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_that_nobody_can_read_ends_with_its_status() {
    let full = || fs::File::options().write(true).open("/dev/full").expect("a device");
    for arguments in [&["replay", "/nonexistent.case"][..], &["explain", "--hex", HEX]] {
        let status = Command::new(EXE).args(arguments).stdout(full()).stderr(full()).status().expect("it starts");
        assert_eq!(status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_folder_that_holds_a_link_to_itself_is_named_and_not_searched_for_ever() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).expect("a folder");
    for name in ["a", "b"] {
        symlink(folder.path(), inner.join(name)).expect("a link");
    }
    for command in ["replay", "museum"] {
        let corpus = if command == "museum" { "--corpus" } else { "--" };
        let (status, said) = bytetwin(&[command, corpus, text(folder.path())]);
        assert!(said.contains("inner/a: a link to a folder that it is in"), "{said}");
        assert_eq!(status, 2, "{said}");
    }
}

#[test]
fn a_folder_may_be_named_twice_and_linked_to_and_have_a_hidden_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let [inner, hidden] = ["inner", ".git"].map(|name| folder.path().join(name));
    fs::create_dir(&inner).and_then(|()| fs::create_dir(&hidden)).expect("folders");
    fs::write(hidden.join("HEAD"), "no case").expect("a file");
    let case = inner.join("one.case");
    assert_eq!(bytetwin(&["replay", "--hex", HEX, "--save", text(&case)]).0, 0);
    symlink(&inner, folder.path().join("link")).expect("a link");
    let (status, said) = bytetwin(&["replay", text(folder.path()), text(&inner)]);
    assert!(said.contains("3 cases replayed"), "{said}");
    assert_eq!(status, 0, "{said}");
}

#[test]
fn a_file_that_is_no_case_by_its_size_is_not_read_to_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("huge.case");
    fs::File::create(&path).and_then(|file| file.set_len((1 << 28) + 1)).expect("a file with a hole");
    for command in ["replay", "explain"] {
        let (status, said) = bytetwin(&[command, text(&path)]);
        assert!(said.contains("huge.case: longer than 256 MiB"), "{said}");
        assert_eq!(status, 2, "{said}");
    }
}

#[test]
fn an_error_about_a_long_line_is_short() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.case");
    fs::write(&path, format!("codec: {}é\n", "a".repeat(1 << 20))).expect("a file");
    for command in ["replay", "explain"] {
        let (status, said) = bytetwin(&[command, text(&path)]);
        assert!(said.contains("codec: no codec is called \"aaa") && said.len() < 1200, "{}", said.len());
        assert_eq!(status, 2);
    }
}

#[test]
fn explain_names_the_file_whose_case_cannot_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.case");
    for (holds, says) in [
        ("codec: decimel\n", "codec: no codec is called \"decimel\""),
        ("codec: decimal\njob: encode\n", "column: this line is missing"),
        ("codec: decimal\ncodec: decimal\n", "codec: found \"decimal\", expected each key once"),
        ("words", "neither a case in text"),
    ] {
        fs::write(&path, holds).expect("a file");
        let (status, said) = bytetwin(&["explain", text(&path)]);
        assert!(said.contains(&format!("bad.case: {says}")), "{said}");
        assert_eq!(status, 2, "{said}");
    }
}

#[test]
fn a_program_that_cannot_be_asked_is_named() {
    for (program, says) in [
        ("mine=true", "amqp_decimal: mine: "),
        ("mine=/nonexistent/encoder", "amqp_decimal: mine: No such file"),
        ("mine=echo hello", "amqp_decimal: mine: it greets with \"hello\\n\""),
        ("mine=cat", "mine: it greets with \"bytetwin 1 amqp_decimal\\n\", expected bytetwin 1, a name of its own"),
        (
            r"mine=printf 'bytetwin 1 n\377\n'",
            r#"it greets with "bytetwin 1 n\xff\n", expected bytetwin 1, a name of its own"#,
        ),
        ("mine=", "expected a command"),
    ] {
        let (status, said) =
            bytetwin(&["check", "amqp_decimal", "--cases", "10", "--timeout", "5", "--program", program]);
        assert!(said.contains(says), "{program}: {said}");
        assert_eq!(status, 2, "{program}: {said}");
    }
}

#[test]
fn serve_says_where_a_request_was_cut() {
    let greeting = r"bytetwin 1 amqp_decimal\n";
    let head = r"\0\3\0\0\0\0\0\0\0\0\0\0\0";
    for (asked, status, says) in [
        ("", 0, ""),
        (r"\0\1\0", 2, "bytetwin: serve: the input ended after 3 of 13 bytes of the head of a request\n"),
        (head, 2, "bytetwin: serve: the input ended after 0 of 3 bytes of a case\n"),
        (&format!(r"{head}\1\2"), 2, "bytetwin: serve: the input ended after 2 of 3 bytes of a case\n"),
    ] {
        let script = format!("printf '{greeting}{asked}' | {EXE} serve --subject naive");
        assert_eq!(said(Command::new("sh").args(["-c", &script])), (status, format!("bytetwin 1 naive\n{says}")));
    }
}

#[test]
fn a_word_that_is_not_unicode_is_named() {
    let word = |octets: &'static [u8]| OsStr::from_bytes(octets);
    for (arguments, says) in [
        (
            ["check".as_ref(), "--subjects".as_ref(), word(b"n\xff\x1b")],
            r#"bytetwin: found "n\xff\x1b", expected UTF-8"#,
        ),
        (["serve".as_ref(), "--subject".as_ref(), word(b"\xc3")], r#"bytetwin: found "\xc3", expected UTF-8"#),
        (["replay".as_ref(), word(b"\xfd"), word(b"--hex=\xfe")], r#"found "\xfd", "--hex=\xfe", expected UTF-8"#),
    ] {
        let (status, said) = said(Command::new(EXE).args(arguments));
        assert!(said.contains(says), "{said}");
        assert_eq!(status, 2, "{said}");
    }
}

#[test]
fn a_limit_is_told_as_it_is_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.case");
    for (form, values, says) in [
        ("slices", "\"a\" x 8388609", "at most 16777216 bytes, where each value counts for one more"),
        ("fixed(0)", "", "fixed(n), n from 1 to 65535"),
        ("fixed(65536)", "", "fixed(n), n from 1 to 65535"),
    ] {
        let lines = format!("codec: delta_byte_array\njob: encode\nform: {form}\nvalues: {values}\n");
        fs::write(&path, lines).expect("a file");
        let (status, said) = bytetwin(&["explain", text(&path)]);
        assert!(said.contains(says), "{said}");
        assert_eq!(status, 2, "{said}");
    }
}

#[test]
fn a_program_that_gives_no_output_or_says_that_it_wrote_more_is_told_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("says");
    for (count, says) in
        [(0, "wrong an output of 0 bytes, expected "), (7, "encode into 0 bytes\n  but says 7 bytes\n")]
    {
        // The same answer to every question: done, a count, no text and no output.
        let answer = format!("\\001\\{count:03o}{}", "\\000".repeat(15));
        let lines = "read line\necho bytetwin 1 says\nexec 3<&0\ncat <&3 >/dev/null &\n";
        fs::write(&script, format!("{lines}while :; do printf '{answer}'; done\n")).expect("a script");
        let program = format!("mine=sh {}", text(&script));
        let check = ["check", "amqp_decimal", "--cases", "100", "--direction", "encode", "--program", &program];
        let (status, said) = bytetwin(&check);
        assert!(said.contains("mine differs from naive (identity)") && said.contains(says), "{said}");
        assert_eq!(status, 1, "{said}");
    }
}

#[test]
fn the_key_of_a_table_cannot_write_to_the_terminal() {
    // One key, `ESC [2J`, and true.
    let (status, said) = bytetwin(&["explain", "--codec", "amqp_table", "--bytes", "00000007 04 1b5b324a 74 01"]);
    assert!(said.contains(r"table.\u{1b}[2J value = 1") && !said.contains('\x1b'), "{said}");
    assert_eq!(status, 0, "{said}");
}

#[test]
fn a_small_table_in_tables_of_long_keys_is_explained_in_few_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("deep.case");
    let mut table = "0161 56".repeat(300);
    for _ in 0..20 {
        let octets = table.split(' ').map(str::len).sum::<usize>() / 2;
        table = format!("ff{} 46{octets:08x}{table}", "6b".repeat(255));
    }
    let octets = table.split(' ').map(str::len).sum::<usize>() / 2;
    fs::write(&path, format!("codec: amqp_table\njob: decode\nbytes: {octets:08x} {table}\n")).expect("a file");
    let (status, said) = bytetwin(&["explain", text(&path)]);
    assert!(said.contains("k.a tag = 'V'") && said.len() < 500_000, "{}", said.len());
    assert_eq!(status, 0);
}

/// Runs it where no file can get any bytes.
fn on_a_full_disk(arguments: &[&str], folder: &Path) -> (i32, String) {
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    said(Command::new("sh").args(["-c", script, EXE]).args(arguments).current_dir(folder))
}

#[test]
fn a_case_that_cannot_be_written_leaves_no_file_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("corpus/amqp_decimal")).expect("a folder");
    let save = ["replay", "--hex", HEX, "--save", "corpus/amqp_decimal/new.case"];
    for arguments in [&save[..], &["corpus", "fill", "amqp_decimal", "--draws", "100"]] {
        let (status, said) = on_a_full_disk(arguments, folder.path());
        assert!(said.contains("bytetwin: ") && said.contains(".case: File too large"), "{said}");
        assert_eq!(status, 2, "{said}");
        let left = fs::read_dir(folder.path().join("corpus/amqp_decimal")).expect("a folder").count();
        assert_eq!(left, 0, "{arguments:?}");
    }
}

#[test]
fn a_revision_that_was_unpacked_by_half_is_not_built() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |script: &str| said(Command::new("sh").args(["-ec", script]).current_dir(folder.path()));
    let repository = "git init -q .; touch Cargo.toml whole; git add Cargo.toml whole; mkdir bin; \
                      git -c user.name=a -c user.email=a@b commit -qm one";
    assert_eq!(run(repository), (0, String::new()));
    let script = |name: &str, script: &str| {
        let path = folder.path().join("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
        fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("it can be run");
    };
    let against = || {
        let path = format!("{}:{}", folder.path().join("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new(EXE);
        command.args(["check", "amqp_decimal", "--against", "HEAD"]).current_dir(folder.path()).env("PATH", path);
        said(command.env("CARGO_TARGET_DIR", folder.path().join("target")))
    };
    script("tar", "touch \"$4/Cargo.toml\"; echo 'disk full' >&2; exit 2");
    let (status, said) = against();
    assert!(said.contains("--against HEAD: tar ended with exit status: 2: disk full"), "{said}");
    assert_eq!(status, 2, "{said}");
    fs::remove_file(folder.path().join("bin/tar")).expect("a file");
    script("cargo", "ls >&2; exit 101");
    for _ in 0..2 {
        let (status, said) = against();
        assert!(said.contains("cargo ended with exit status: 101: Cargo.toml\nwhole"), "{said}");
        assert_eq!(status, 2, "{said}");
    }
    let revisions = fs::read_dir(folder.path().join("target/against")).expect("a folder").count();
    assert_eq!(revisions, 1);
}

#[test]
fn what_was_seen_before_an_error_is_told_in_json_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("of_one_codec");
    let script = format!("#!/bin/sh\n[ $1 = amqp_decimal ] && exec {EXE} serve\n");
    fs::write(&program, script).expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a program");
    let asked = format!("{} {{codec}}", text(&program));
    let arguments = ["check", "amqp_decimal", "amqp_table", "--cases", "50", "--json", "--program", &asked];
    let Output { status, stdout, stderr } = Command::new(EXE).args(arguments).output().expect("it starts");
    let (said, complained) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(said.starts_with(r#"{"codecs":[{"#) && said.contains(r#""amqp_decimal""#), "{said}");
    assert!(said.trim_end().ends_with(r#""exit":2}"#), "{said}");
    assert!(complained.contains("of_one_codec"), "{complained}");
    assert_eq!(status.code(), Some(2));
}
