//! Turns the committed cases into seeds: `corpus/<codec>/*.case` (text) to `fuzz/corpus/<target>/` (fuzz bytes).
//!
//! `cargo fuzz run` starts from that folder, which git ignores, so it starts from every case that was ever committed
//! without a further step. Seeds whose text is gone are removed; what the fuzzer itself has found is left alone, and
//! so is a seed that is there already: cargo would take it for a change.

use bytetwin::case::{CaseFile, Direction, TextError};
use bytetwin::registry::{AnyCodec, CODECS};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How the names of seeds begin. Nothing else is ever removed.
const PREFIX: &str = "case-";

type Problem = Box<dyn std::error::Error>;

fn main() {
    if let Err(problem) = run() {
        eprintln!("{problem}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Problem> {
    let here = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let texts = here.parent().ok_or("the fuzz package is a folder of the repository")?.join("corpus");
    println!("cargo:rerun-if-changed={}", texts.display());
    bytetwin::prove::wrap_hooks();
    for codec in CODECS {
        let seeds = seeds(&texts.join(codec.name()), *codec)?;
        for direction in Direction::BOTH {
            let target = here.join("corpus").join(format!("{}_{}", direction.name(), codec.name()));
            fs::create_dir_all(&target)?;
            let wanted = |name: &str| seeds.get(name).is_some_and(|seed| seed.direction == direction);
            for entry in fs::read_dir(&target)? {
                let path = entry?.path();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if name.starts_with(PREFIX) && !wanted(&name) {
                    fs::remove_file(&path)?;
                }
            }
            for (name, seed) in seeds.iter().filter(|(_, seed)| seed.direction == direction) {
                seed.write(&target.join(name))?;
            }
        }
    }
    Ok(())
}

struct Seed {
    direction: Direction,
    bytes: Vec<u8>,
    text_modified: SystemTime,
}

/// The seeds of a codec, by name. No folder, no seeds.
fn seeds(folder: &Path, codec: &dyn AnyCodec) -> Result<BTreeMap<String, Seed>, Problem> {
    let mut seeds = BTreeMap::new();
    if !folder.is_dir() {
        return Ok(seeds);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|ending| ending != "case") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let (direction, bytes) = fuzz_bytes(&text, codec)
            .map_err(|error| format!("{}:{}: {error}", path.display(), error.line_in(&text)))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let text_modified = path.metadata()?.modified()?;
        seeds.insert(format!("{PREFIX}{stem}"), Seed { direction, bytes, text_modified });
    }
    Ok(seeds)
}

fn fuzz_bytes(text: &str, codec: &dyn AnyCodec) -> Result<(Direction, Vec<u8>), TextError> {
    let file = CaseFile::parse(text)?;
    let name = file.codec()?;
    if name != codec.name() {
        return Err(TextError::new("codec", name, format!("{}, the name of the folder", codec.name())));
    }
    codec.text_to_bytes(&file.fields)
}

impl Seed {
    /// Writes the seed when it is not there yet, and has cargo look after it: one that vanishes is written again.
    fn write(&self, path: &Path) -> Result<(), Problem> {
        if fs::read(path).ok().as_deref() != Some(&self.bytes) {
            fs::write(path, &self.bytes)?;
            // As old as its text, or cargo would take it for a change and build again.
            fs::File::options().write(true).open(path)?.set_modified(self.text_modified)?;
        }
        println!("cargo:rerun-if-changed={}", path.display());
        Ok(())
    }
}
