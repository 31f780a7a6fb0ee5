//! What a line of [`prove!`](crate::prove!) names, and the command that has it judge one case again.

use super::{HEX, Subjects};
use crate::case::Direction;
use crate::domain::Codec;
use crate::report::by_bytetwin;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Who is judged, and which way.
pub struct Target<D: Codec> {
    path: &'static str,
    pub(super) direction: Direction,
    pub(super) subjects: Box<dyn Fn() -> Subjects<D>>,
    own: bool,
}

impl<D: Codec> Target<D> {
    /// A target; `path` is crate, modules and name of the test.
    ///
    /// `subjects` makes them anew. Whether they are the caller's `own` says: `bytetwin replay` knows the others only.
    pub fn new(
        path: &'static str,
        direction: Direction,
        own: bool,
        subjects: impl Fn() -> Subjects<D> + 'static,
    ) -> Self {
        Self { path, direction, subjects: Box::new(subjects), own }
    }

    /// The name before the colon.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit("::").next().unwrap_or(self.path)
    }

    /// The command that has a test judge a case.
    pub(super) fn by_test(&self, hex: &str) -> String {
        let test = self.path.split_once("::").map_or(self.path, |(_, test)| test);
        self.by(hex, &format!("{HEX}={hex} cargo test {test} -- --exact"))
    }

    /// The command that has a fuzz target, the program that runs, judge a case.
    pub(super) fn by_fuzz_target(&self, hex: &str) -> String {
        self.by(hex, &format!("{HEX}={hex} cargo fuzz run {}", program(Path::file_stem)))
    }

    /// The command that has a `main`, the program that runs, judge a case.
    pub(super) fn by_main(&self, hex: &str) -> String {
        self.by(hex, &format!("{} --hex {hex}", program(|path| Some(path.as_os_str()))))
    }

    fn by(&self, hex: &str, command: &str) -> String {
        if self.own { command.to_string() } else { by_bytetwin(hex) }
    }
}

/// A part of the path by which this program was started, as a word for a shell.
pub(super) fn program(part: impl Fn(&Path) -> Option<&OsStr>) -> String {
    let path = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let word = part(&path).unwrap_or_default().to_string_lossy().into_owned();
    let plain = word.chars().all(|c| c.is_alphanumeric() || "/\\.:_-+".contains(c));
    if plain { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
