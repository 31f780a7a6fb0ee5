//! An end that no oracle saw: AddressSanitizer, an overflow in naive, a timeout. The input becomes a case file too.

use super::session::{Finding, Session};
use crate::registry;
use crate::subject::group::Group;
use std::path::{Path, PathBuf};

/// What stands before the place of a panic.
const PANICKED: &str = "panicked at ";

/// Runs that `cargo fuzz tmin` gets to make the input smaller.
const MINIMIZE_RUNS: &str = "500";

/// Minimizes the input and writes it as a case, what was said as its comments.
pub(super) fn keep(session: &Session<'_>, folder: &Path, crash: &Path, lines: &[String]) -> Result<Finding, String> {
    let crash = session.root.join(crash);
    let failed = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let minimized = minimize(session, &crash).unwrap_or_else(|| crash.clone());
    let bytes = std::fs::read(&minimized).map_err(|error| failed(&minimized, error))?;
    let what = lines
        .iter()
        .find(|line| line.contains("SUMMARY:") || line.contains("ERROR:"))
        // Without the number of the process, which is another one every time.
        .map_or("it ended without a word", |line| line.rsplit("== ").next().unwrap_or(line).trim());
    // Where a panic was, and its words.
    let said = lines.iter().skip_while(|line| !line.contains(PANICKED)).take(2);
    let place = said.clone().next().and_then(|line| line.split_once(PANICKED)).map(|(_, place)| place);
    let shown = minimized.strip_prefix(session.root).unwrap_or(&minimized).display();
    let mut text = format!("# CRASH {}: {what}\n", session.target);
    for line in said {
        text.push_str(&format!("# {line}\n"));
    }
    let [run, replay] = [format!("cargo fuzz run {} {shown}", session.target), format!("bytetwin replay {shown}")];
    text.push_str(&format!("# {run}\n# {replay}\n"));
    let (case, ending) = as_case(&bytes);
    text.push_str(&case);
    let file = name(folder, session.target, what, place, ending);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, &text))
        .map_err(|error| format!("{}: {error}\n{text}", file.display()))?;
    Ok(Finding { file, text })
}

/// The input as a case, and the ending of its file: one that `replay` passes over when it is none.
fn as_case(bytes: &[u8]) -> (String, &'static str) {
    match registry::of_bytes(bytes).and_then(|codec| codec.bytes_to_text(bytes)) {
        Some(case) => (case, "case"),
        None => ("# the input is not a case of a codec that is built in; see the file above\n".to_string(), "txt"),
    }
}

/// One file for each place of a panic or, where none was said, each summary: the same end again is the same finding.
fn name(folder: &Path, target: &str, what: &str, place: Option<&str>, ending: &str) -> PathBuf {
    let words = place.unwrap_or(what).split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    // Behind so many words a summary has addresses.
    let words: Vec<&str> = words.take(if place.is_some() { usize::MAX } else { 6 }).collect();
    folder.join(format!("{target}--{}--crash.{ending}", words.join("-")))
}

/// The smaller input of `cargo fuzz tmin`, when it finds one.
fn minimize(session: &Session<'_>, crash: &Path) -> Option<PathBuf> {
    let mut command = session.fuzz.cargo_fuzz(session.root, "tmin");
    command.args(["--runs", MINIMIZE_RUNS, session.target]).arg(crash);
    let said = Group::output(&mut command).ok()?.stderr;
    let said = String::from_utf8_lossy(&said);
    let mut lines = said.lines().skip_while(|line| !line.contains("Minimized artifact:")).skip(1);
    let path = lines.find(|line| !line.trim().is_empty())?;
    Some(session.root.join(path.trim())).filter(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_input_that_is_a_case_gets_the_name_of_a_case_file() {
        let file = |bytes: &[u8]| {
            let (text, ending) = as_case(bytes);
            (text.contains("codec: "), name(Path::new("findings"), "x", "ERROR: out of memory", None, ending))
        };
        assert_eq!(file(&[1, 2, 0]), (true, "findings/x--ERROR-out-of-memory--crash.case".into()));
        assert_eq!(file(b"?"), (false, "findings/x--ERROR-out-of-memory--crash.txt".into()));
    }

    #[test]
    fn panics_in_two_places_are_two_findings_and_a_summary_is_one_wherever_its_addresses_are() {
        let file = |what, place| name(Path::new("findings"), "x", what, place, "case");
        let signal = "ERROR: libFuzzer: deadly signal";
        assert_eq!(file(signal, Some("src/a.rs:43:9:")), Path::new("findings/x--src-a-rs-43-9--crash.case"));
        assert_ne!(file(signal, Some("src/a.rs:43:9:")), file(signal, Some("src/a.rs:44:9:")));
        let overflow =
            ["a0", "b7"].map(|at| format!("ERROR: AddressSanitizer: heap-buffer-overflow on address 0x{at}"));
        assert_eq!(file(&overflow[0], None), file(&overflow[1], None));
    }
}
