//! Subjects in other processes: what they write is judged like everything else, and a process that does not keep the
//! protocol is an error, not an agreement.

use bytetwin::case::{Case, Job};
use bytetwin::domain::delta_binary_packed::DeltaBinaryPacked;
use bytetwin::domain::delta_byte_array::DeltaByteArray;
use bytetwin::registry::{CODECS, Codec};
use bytetwin::run::{Bench, Config};
use bytetwin::subject::process::{Process, Program};
use bytetwin::subject::{Answer, Subject};
use std::process::{Command, Output};
use std::time::Duration;

#[cfg(unix)]
#[path = "support/processes.rs"]
mod processes;

const EXE: &str = env!("CARGO_BIN_EXE_bytetwin");

fn check(program: &str, more: &[&str]) -> (i32, String) {
    let program = &format!("other={program}");
    let arguments = ["check", "amqp_decimal", "--cases", "20000", "--program", program, "--subjects", "other"];
    bytetwin(&[&arguments, more].concat())
}

fn bytetwin(arguments: &[&str]) -> (i32, String) {
    let Output { status, stdout, stderr } = Command::new(EXE).args(arguments).output().expect("the command starts");
    let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    (status.code().unwrap_or(-1), said)
}

#[test]
fn a_right_encoder_in_another_process_agrees_on_every_case() {
    let (status, said) = check(&format!("{EXE} serve"), &[]);
    assert!(said.contains("agreed     20000  differed      0"), "{said}");
    assert_eq!(status, 0, "{said}");
}

#[test]
fn a_changed_byte_in_another_process_is_a_finding() {
    for bug in ["rabbitmq-dotnet-sign", "pamqp-65"] {
        let (status, said) = check(&format!("{EXE} serve --subject {bug}"), &[]);
        assert_eq!(status, 1, "{bug}: {said}");
        assert!(said.contains("FINDING") && said.contains("bytetwin replay --hex"), "{bug}: {said}");
    }
}

#[test]
fn a_program_without_the_subject_is_not_counted_as_agreeing() {
    let (status, said) = check(&format!("{EXE} serve --subject nobody"), &[]);
    assert!(!said.contains("agreed"), "{said}");
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("VACUOUS other: nothing was compared with amqp_decimal"), "{said}");
}

#[test]
fn a_program_that_does_not_speak_the_protocol_is_a_usage_error_that_names_it() {
    for program in ["echo hello", "true", "/nonexistent/encoder"] {
        let (status, said) = check(program, &[]);
        assert_eq!(status, 2, "{program}: {said}");
        assert!(said.contains("bytetwin: "), "{program}: {said}");
    }
}

#[test]
fn a_program_that_dies_on_the_way_is_a_finding() {
    // It greets, and ends at the first question.
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("dies");
    std::fs::write(&script, "#!/bin/sh\nread line\necho 'bytetwin 1 dies'\nhead -c 1 >/dev/null\n").expect("a script");
    let (status, said) = check(&format!("sh {}", script.display()), &[]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("no answer: it ended with exit status: 0"), "{said}");
}

#[test]
fn a_revision_that_does_not_exist_is_a_usage_error() {
    let output = Command::new(EXE).args(["check", "--against", "no-such-revision"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-such-revision"), "{output:?}");
}

/// The command, with a `cargo` that does what `script` says instead of fetching and building.
#[cfg(unix)]
fn with_cargo(folder: &std::path::Path, script: &str) -> Command {
    use std::os::unix::fs::PermissionsExt;
    let cargo = folder.join("cargo");
    std::fs::write(&cargo, format!("#!/bin/sh\nset -e\n{script}\n")).expect("a script");
    std::fs::set_permissions(&cargo, PermissionsExt::from_mode(0o755)).expect("it can be run");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new(EXE);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("PATH", path);
    command.env("CARGO_TARGET_DIR", folder.join("target")).env("NOW", EXE);
    command
}

/// `check --against` with such a `cargo`.
#[cfg(unix)]
fn against(name: &str, script: &str) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = with_cargo(folder.path(), script);
    command.args(["check", "amqp_decimal", "--cases", "20000", "--against", name]);
    command.args(["--subjects", &format!("against-{name}")]);
    let Output { status, stdout, stderr } = command.output().expect("the command starts");
    let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    (status.code().unwrap_or(-1), said)
}

/// What a published version is installed as: an encoder that answers with `args`.
#[cfg(unix)]
fn install(args: &str) -> String {
    format!(
        "[ \"$1 $4 $5 $6\" = 'install bytetwin --version 0.1.0' ]\nmkdir -p \"$8/bin\"\n\
         printf '#!/bin/sh\\nexec \"%s\" serve {args}\\n' \"$NOW\" >\"$8/bin/bytetwin\"\nchmod +x \"$8/bin/bytetwin\""
    )
}

#[cfg(unix)]
#[test]
fn a_published_version_is_installed_and_judged() {
    let (status, said) = against("0.1.0", &install(""));
    assert!(said.contains("against-0.1.0        agreed     20000  differed      0"), "{said}");
    assert_eq!(status, 0, "{said}");
    let (status, said) = against("0.1.0", &install("--subject rabbitmq-dotnet-sign"));
    assert!(said.contains("FINDING encode_amqp_decimal: against-0.1.0 differs from naive (identity)"), "{said}");
    let replayed =
        said.lines().any(|line| line.starts_with("  bytetwin replay ") && line.ends_with(" --against 0.1.0"));
    assert!(replayed, "{said}");
    assert_eq!(status, 1, "{said}");
}

#[cfg(unix)]
#[test]
fn a_version_that_was_never_published_is_a_usage_error_in_cargos_words() {
    let (status, said) =
        against("0.0.0", "echo 'error: could not find `bytetwin` with version `=0.0.0`' >&2; exit 101");
    assert!(said.contains("--against 0.0.0") && said.contains("could not find `bytetwin`"), "{said}");
    assert_eq!(status, 2, "{said}");
}

#[test]
fn a_right_program_is_right_for_every_codec() {
    for codec in CODECS {
        let program = format!("other={EXE} serve");
        let arguments = ["check", codec.name(), "--cases", "2000", "--program", &program, "--subjects", "other"];
        let (_, said) = bytetwin(&arguments);
        assert!(said.contains("agreed      2000  differed      0"), "{said}");
    }
}

/// Judges the fast twin in another process on one case.
fn agrees<D: Codec>(case: &Case<D>) {
    let words = vec![EXE.into(), "serve".into()];
    let program = Program { name: "other".into(), words, patience: Duration::from_secs(60), flags: String::new() };
    let config = Config { programs: vec![program], subjects: vec!["other".into()], ..Config::default() };
    let mut bench = Bench::<D>::new(&config).expect("it starts");
    bench.take(case);
    let outcome = bench.finish();
    assert_eq!(outcome.verdicts["other"].agreed, 1, "{:?}", outcome.verdicts);
}

#[test]
fn a_program_writes_and_reads_more_values_than_a_fuzzer_s_case_has() {
    // 16384 values: a first one, and 128 blocks of differences of 1.
    let page = ["800104", "808001", "00", &"0200000000".repeat(128)].concat();
    let text = format!("job: decode\ntype: i32\nprofile: spec-128-4\nbytes: {page}\n");
    agrees(&Case::<DeltaBinaryPacked>::from_text(&text).expect("a case"));
    let mut case = Case::<DeltaByteArray>::empty_encode();
    let Job::Encode { values, puts, .. } = &mut case.job else { panic!("an encode") };
    for value in 0..6000_u32 {
        values.push(format!("{value:040}").as_bytes());
    }
    puts.resize(100, 3);
    agrees(&case);
}

#[test]
fn programs_have_names_that_no_other_subject_has() {
    let serve = format!("{EXE} serve");
    let twice = ["check", "amqp_decimal", "--program", &serve, "--program", &serve];
    let named = ["naive", "fast-mine", "one-by-one"].map(|name| format!("{name}={serve}"));
    let mut commands = vec![twice.to_vec()];
    commands.extend(named.iter().map(|program| vec!["check", "amqp_decimal", "--program", program]));
    for arguments in commands {
        let (status, said) = bytetwin(&arguments);
        assert!(said.contains("another subject is called"), "{arguments:?}: {said}");
        assert_eq!(status, 2, "{arguments:?}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn a_command_is_read_in_words_as_a_shell_would_read_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("two words");
    std::os::unix::fs::symlink(EXE, &link).expect("a link");
    let (status, said) = check(&format!("'{}' serve", link.display()), &[]);
    assert!(said.contains("  other                agreed     20000"), "{said}");
    assert_eq!(status, 0, "{said}");
    let (status, said) = check(&format!("'{} serve", link.display()), &[]);
    assert!(said.contains("every quote"), "{said}");
    assert_eq!(status, 2, "{said}");
}

#[cfg(unix)]
#[test]
fn a_program_that_never_answers_is_waited_for_no_longer_than_is_said() {
    for (program, expected) in
        [("sh -c 'exec sleep 1000'", 2), ("sh -c 'read line; echo bytetwin 1 sleeper; exec sleep 1000'", 1)]
    {
        let (status, said) = check(program, &["--timeout", "1"]);
        assert!(said.contains("it did not answer within 1s"), "{program}: {said}");
        assert_eq!(status, expected, "{program}: {said}");
    }
}

/// A program that starts another, which writes its number into `number`, and then does what `then` says.
#[cfg(unix)]
fn with_a_child(number: &std::path::Path, then: &str) -> String {
    format!("sh -c 'sleep 1000 2>/dev/null & echo $! >{}; read line; echo bytetwin 1 parent; {then}'", number.display())
}

#[cfg(unix)]
#[test]
fn what_a_program_started_ends_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let number = folder.path().join("number");
    for then in ["exec sleep 1000", "exit"] {
        let (status, said) = check(&with_a_child(&number, then), &["--timeout", "1"]);
        assert_eq!(status, 1, "{then}: {said}");
        let child = std::fs::read_to_string(&number).expect("a number");
        assert!(!processes::runs(&child), "{then}: {child} still runs");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_what_a_program_or_a_build_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let number = folder.path().join("number");
    let program = with_a_child(&number, "exec sleep 1000");
    ends_when_interrupted(Command::new(EXE).args(["check", "amqp_decimal", "--program", &program]), &number);
    let number = folder.path().join("another");
    let script = format!("sleep 1000 >/dev/null 2>&1 & echo $! >{}; wait", number.display());
    let mut check = with_cargo(folder.path(), &script);
    ends_when_interrupted(check.args(["check", "amqp_decimal", "--against", "0.1.0"]), &number);
}

/// Interrupts a check once a child of a child has written its number.
#[cfg(unix)]
fn ends_when_interrupted(check: &mut Command, number: &std::path::Path) {
    let mut judge = check.spawn().expect("it starts");
    let child = loop {
        match std::fs::read_to_string(number) {
            Ok(child) if child.ends_with('\n') => break child,
            _ => assert!(judge.try_wait().expect("a state").is_none(), "it ended before it was interrupted"),
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let sent = Command::new("kill").args(["-INT", &judge.id().to_string()]).status().expect("kill starts");
    assert!(sent.success());
    assert_eq!(judge.wait().expect("it ends").code(), Some(130));
    assert!(!processes::runs(&child), "{child} still runs");
}

#[cfg(unix)]
#[test]
fn what_a_program_says_cannot_write_to_the_terminal_or_look_like_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("says");
    // To every question an error whose text clears the screen and goes on with a line of its own.
    let says = r"printf '\002\0\0\0\0\0\0\0\0\010\0\0\0\033[2J\nREP\0\0\0\0'";
    let lines = format!("read line\necho bytetwin 1 says\nexec 3<&0\ncat <&3 >/dev/null &\nwhile :; do {says}; done\n");
    std::fs::write(&script, lines).expect("a script");
    let (status, said) = check(&format!("sh {}", script.display()), &[]);
    assert!(said.contains(r"wrong \u{1b}[2J\nREP") && !said.contains('\x1b'), "{said}");
    assert_eq!(status, 1, "{said}");
}

#[test]
fn what_is_longer_than_the_protocol_allows_is_not_asked_and_the_line_holds() {
    let words = vec![EXE.into(), "serve".into()];
    let program = Program { name: "other".into(), words, patience: Duration::from_secs(60), flags: String::new() };
    let mut process = Process::start(&program, "delta_byte_array").expect("it starts").expect("it has the codec");
    let process: &mut dyn Subject<DeltaByteArray> = &mut process;
    let Case { params, .. } = Case::<DeltaByteArray>::empty_encode();
    // A page without values, and what may follow it.
    let mut page = vec![0; 1 << 26];
    page[..8].copy_from_slice(&[0x80, 1, 4, 0, 0, 0x80, 1, 4]);
    let mut decode = |page: &[u8]| process.decode(&params, page, &[], &mut Default::default());
    assert_eq!(decode(&page), Answer::Unsupported);
    assert_eq!(decode(&page[..1 << 20]), Answer::Done(10));
}
