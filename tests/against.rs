//! Subjects in other processes: what they write is judged like everything else, and a process that does not keep the
//! protocol is an error, not an agreement.

use std::process::{Command, Output};

const EXE: &str = env!("CARGO_BIN_EXE_bytetwin");

fn check(program: &str, more: &[&str]) -> (i32, String) {
    let mut command = Command::new(EXE);
    let name = program.split_whitespace().next().and_then(|word| word.rsplit('/').next()).unwrap_or_default();
    command.args(["check", "amqp_decimal", "--cases", "20000", "--program", program, "--subjects", name]).args(more);
    let Output { status, stdout, stderr } = command.output().expect("the command starts");
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
    assert!(said.contains("VACUOUS bytetwin: nothing was compared with amqp_decimal"), "{said}");
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
    std::fs::write(&script, "#!/bin/sh\nread line\necho 'bytetwin 1 dies'\nread line\n").expect("a script");
    let (status, said) = check(&format!("sh {}", script.display()), &["--subjects", "sh"]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("the process is gone"), "{said}");
}

#[test]
fn a_revision_that_does_not_exist_is_a_usage_error() {
    let output = Command::new(EXE).args(["check", "--against", "no-such-revision"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-such-revision"), "{output:?}");
}

/// `check --against`, with a `cargo` that does what `script` says instead of fetching and building.
#[cfg(unix)]
fn against(name: &str, script: &str) -> (i32, String) {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let cargo = folder.path().join("cargo");
    std::fs::write(&cargo, format!("#!/bin/sh\nset -e\n{script}\n")).expect("a script");
    std::fs::set_permissions(&cargo, PermissionsExt::from_mode(0o755)).expect("it can be run");
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new(EXE);
    command.args(["check", "amqp_decimal", "--cases", "20000", "--against", name]);
    command.args(["--subjects", &format!("against-{name}")]).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.env("PATH", path).env("CARGO_TARGET_DIR", folder.path().join("target")).env("NOW", EXE);
    let Output { status, stdout, stderr } = output.output().expect("the command starts");
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
