//! A target without a fuzzer: a test, or a `main` that judges the cases that it is given.

use super::Target;
use crate::case::Case;
use crate::case::text::parse_hex;
use crate::domain::Codec;
use crate::report::{Replay, printable, written_out};
use crate::run::{Bench, Budget, Config, Outcome, run_with};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;

/// Cases that a `#[test]` made by [`prove!`](crate::prove!), or a `main` that is given none, draws.
pub const TEST_CASES: u64 = 20_000;

/// The environment variable that says how many cases are drawn instead.
pub const CASES: &str = "BYTETWIN_CASES";

/// The environment variable that holds a case, as a finding prints its bytes: a test or a fuzz target judges that one only.
pub const HEX: &str = "BYTETWIN_HEX";

/// A bounded run in a `#[test]`, or the one case of [`HEX`].
///
/// # Panics
/// With every finding written out, when nothing was compared, or when a variable of the environment cannot be used.
pub fn test<D: Codec>(target: &Target<D>) {
    let judged = cases_of_environment().and_then(|cases| Judged::of(target, &cases));
    let judged = judged.unwrap_or_else(|problem| panic!("{}", printable(&problem, true)));
    let findings = judged.findings(&|hex| target.by_test(hex));
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
    if let Some(why) = judged.vacuous() {
        panic!("{why}");
    }
    print!("{}", judged.counts());
}

/// The `main` of a target that is built without a fuzzer: judges the cases that it is given, or draws some. Returns the exit
/// status: 0 when all agree, 1 when something differs, 2 when a case cannot be used, 3 when nothing was compared.
pub fn main<D: Codec>(target: &Target<D>) -> u8 {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    judge(target, &arguments, &mut std::io::stdout())
}

pub(super) fn judge<D: Codec>(target: &Target<D>, arguments: &[OsString], out: &mut dyn Write) -> u8 {
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        let _ = out.write_all(printable(&help(target), true).as_bytes());
        return 0;
    }
    say(target, cases_of_arguments(arguments), &|hex| target.by_main(hex), out)
}

/// What a fuzz target does with the case of [`HEX`], when there is one, instead of fuzzing.
pub(super) fn judge_environment<D: Codec>(target: &Target<D>) -> Option<u8> {
    std::env::var_os(HEX)?;
    Some(say(target, cases_of_environment(), &|hex| target.by_fuzz_target(hex), &mut std::io::stdout()))
}

/// Judges, prints what was seen, and returns the exit status.
fn say<D: Codec>(
    target: &Target<D>,
    cases: Result<Vec<Case<D>>, String>,
    replay: Replay<'_>,
    out: &mut dyn Write,
) -> u8 {
    let judged = match cases.and_then(|cases| Judged::of(target, &cases)) {
        Ok(judged) => judged,
        Err(problem) => {
            eprintln!("{}", printable(&problem, true));
            return 2;
        }
    };
    let findings = judged.findings(replay);
    let vacuous = judged.vacuous();
    let told = vacuous.as_ref().map_or(String::new(), |why| format!("VACUOUS {why}\n"));
    let shown: String = findings.iter().map(|finding| format!("{finding}\n")).collect();
    // Whoever does not read it has the exit status.
    let _ = write!(out, "{shown}{}{} findings\n{told}", judged.counts(), findings.len());
    match (findings.is_empty(), vacuous) {
        (false, _) => 1,
        (true, Some(_)) => 3,
        (true, None) => 0,
    }
}

/// What came of it.
struct Judged<D: Codec> {
    outcomes: Vec<Outcome<D>>,
    /// Cases were drawn: among so many is one for each subject.
    drawn: bool,
}

impl<D: Codec> Judged<D> {
    /// Judges `cases`, or draws some when there are none. Each has a bench of its own: one keeps no second finding of a kind.
    fn of(target: &Target<D>, cases: &[Case<D>]) -> Result<Self, String> {
        if cases.is_empty() {
            let budget = Budget::Cases(number_of_cases(TEST_CASES)?);
            let config = Config { budget, directions: vec![target.direction], ..Config::default() };
            let outcome = run_with(&config, &|| Bench::with_subjects(&config, (target.subjects)()), &|_| ());
            return Ok(Self { outcomes: vec![outcome], drawn: true });
        }
        let one = |case| {
            let mut bench = Bench::with_subjects(&Config::default(), (target.subjects)());
            bench.take(case);
            bench.finish()
        };
        Ok(Self { outcomes: cases.iter().map(one).collect(), drawn: false })
    }

    fn findings(&self, replay: Replay<'_>) -> Vec<String> {
        let findings = self.outcomes.iter().flat_map(|outcome| &outcome.findings);
        findings.map(|finding| written_out(finding, replay).text).collect()
    }

    /// How many cases were compared with each subject, and how many it does not support.
    fn verdicts(&self) -> BTreeMap<&str, (u64, u64)> {
        let mut verdicts = BTreeMap::new();
        for (subject, counts) in self.outcomes.iter().flat_map(|outcome| &outcome.verdicts) {
            let (compared, unsupported) = verdicts.entry(&subject[..]).or_default();
            *compared += counts.compared();
            *unsupported += counts.unsupported;
        }
        verdicts
    }

    fn counts(&self) -> String {
        let line = |(subject, (compared, unsupported))| {
            format!("{subject}: {compared} cases compared, {unsupported} unsupported\n")
        };
        self.verdicts().into_iter().map(line).collect()
    }

    /// Why it shows nothing, when there are no findings and it does not.
    fn vacuous(&self) -> Option<String> {
        let verdicts = self.verdicts();
        let mut silent = verdicts.iter().filter(|(_, (compared, _))| *compared == 0).map(|(subject, _)| *subject);
        if verdicts.is_empty() {
            return Some("nothing was compared, there is no subject".to_string());
        }
        if !self.drawn && silent.clone().count() < verdicts.len() {
            return None;
        }
        silent.next().map(|subject| format!("{subject}: nothing was compared, every case is unsupported"))
    }
}

/// How many cases a test draws: as many as [`CASES`] says, and `otherwise` when nobody does.
///
/// # Errors
/// What is wrong with the variable.
pub fn number_of_cases(otherwise: u64) -> Result<u64, String> {
    let Some(given) = std::env::var_os(CASES) else { return Ok(otherwise) };
    let number = given.to_str().and_then(|text| text.parse().ok()).filter(|number| *number > 0);
    number.ok_or_else(|| format!("{CASES}={}: expected a number of cases, 1 or more", given.display()))
}

/// The case of [`HEX`], or none.
fn cases_of_environment<D: Codec>() -> Result<Vec<Case<D>>, String> {
    std::env::var_os(HEX).map(|hex| from_hex(HEX, &hex)).into_iter().collect()
}

pub(super) fn cases_of_arguments<D: Codec>(arguments: &[OsString]) -> Result<Vec<Case<D>>, String> {
    let mut arguments = arguments.iter();
    let mut cases = Vec::new();
    while let Some(argument) = arguments.next() {
        cases.push(match argument.to_str() {
            Some("--hex") => {
                from_hex("--hex", arguments.next().ok_or("--hex: expected the bytes of a case behind it")?)?
            }
            Some(option) if option.starts_with('-') => {
                return Err(format!("{option}: there is no such option; --help names those that there are"));
            }
            _ => from_file(Path::new(argument))?,
        });
    }
    Ok(cases)
}

fn from_hex<D: Codec>(key: &str, hex: &OsStr) -> Result<Case<D>, String> {
    let bytes = parse_hex(key, &hex.to_string_lossy()).map_err(|error| error.to_string())?;
    Case::from_bytes(&bytes).ok_or_else(|| format!("{key}: not a case of {}", D::CODEC))
}

fn from_file<D: Codec>(file: &Path) -> Result<Case<D>, String> {
    let named = |problem: String| format!("{}: {problem}", file.display());
    let bytes = std::fs::read(file).map_err(|error| named(error.to_string()))?;
    if let Some(case) = Case::from_bytes(&bytes) {
        return Ok(case);
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| named(format!("not a case of {}", D::CODEC)))?;
    Case::from_text(text).map_err(|error| named(format!("not a case of {}: {error}", D::CODEC)))
}

fn help<D: Codec>(target: &Target<D>) -> String {
    format!(
        "Judges `{}` ({} {}) by the naive twin.

Usage: {} [--hex HEX]... [FILE]...

  FILE        a case file, or a crash file of a fuzzer
  --hex HEX   the bytes of a case, as a finding prints them
  -h, --help  prints this

Without a case it draws {TEST_CASES}, or as many as {CASES} says.
Exit status: 0 all agree, 1 a difference, 2 usage or I/O, 3 nothing was compared.
",
        target.name(),
        target.direction.name(),
        D::CODEC,
        super::target::program(|path| path.file_name()),
    )
}
