//! An end that no oracle saw: AddressSanitizer, an overflow in naive, a timeout. The input becomes a case file too.

use super::session::{Finding, Session};
use crate::registry;
use std::path::{Path, PathBuf};

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
    let said = lines.iter().find(|line| line.contains("panicked at")).map(String::as_str);
    let shown = minimized.strip_prefix(session.root).unwrap_or(&minimized).display();
    let mut text = format!("# CRASH {}: {what}\n", session.target);
    if let Some(line) = said {
        text.push_str(&format!("# {line}\n"));
    }
    let [run, replay] = [format!("cargo fuzz run {} {shown}", session.target), format!("bytetwin replay {shown}")];
    text.push_str(&format!("# {run}\n# {replay}\n"));
    let (case, ending) = as_case(&bytes);
    text.push_str(&case);
    let file = name(folder, session.target, what, ending);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, &text))
        .map_err(|error| failed(&file, error))?;
    Ok(Finding { file, text })
}

/// The input as a case, and the ending of its file: one that `replay` passes over when it is none.
fn as_case(bytes: &[u8]) -> (String, &'static str) {
    match registry::of_bytes(bytes).and_then(|codec| codec.bytes_to_text(bytes)) {
        Some(case) => (case, "case"),
        None => ("# the input is not a case of a codec that is built in; see the file above\n".to_string(), "txt"),
    }
}

/// One file for each summary: the same end again is the same finding.
fn name(folder: &Path, target: &str, what: &str, ending: &str) -> PathBuf {
    let words: String = what.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let words: Vec<&str> = words.split('-').filter(|word| !word.is_empty()).take(6).collect();
    folder.join(format!("{target}--{}--crash.{ending}", words.join("-")))
}

/// The smaller input of `cargo fuzz tmin`, when it finds one.
fn minimize(session: &Session<'_>, crash: &Path) -> Option<PathBuf> {
    let mut command = session.fuzz.cargo_fuzz(session.root, "tmin");
    command.args(["--runs", MINIMIZE_RUNS, session.target]).arg(crash);
    let said = command.output().ok()?.stderr;
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
            (text.contains("codec: "), name(Path::new("findings"), "x", "ERROR: out of memory", ending))
        };
        assert_eq!(file(&[1, 2, 0]), (true, "findings/x--ERROR-out-of-memory--crash.case".into()));
        assert_eq!(file(b"?"), (false, "findings/x--ERROR-out-of-memory--crash.txt".into()));
    }
}
