//! Cases in files, folders, hex and standard input: found, read, and written.

use super::UsageError;
use crate::case::CaseFile;
use crate::case::text::parse_hex;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The bytes of `--hex`.
pub(super) fn from_hex(hex: &str) -> Result<Vec<u8>, UsageError> {
    parse_hex("--hex", hex).map_err(|error| UsageError::new(error.to_string()))
}

/// The most bytes of a file: a device has no end.
const LONGEST: u64 = 1 << 28;

/// What a file holds, or standard input when it is called `-`; and what to call it in a message.
pub(super) fn read(path: &Path) -> Result<(String, Vec<u8>), UsageError> {
    let mut bytes = Vec::new();
    let (origin, read) = match path.as_os_str() == "-" {
        true => ("standard input".to_string(), io::stdin().take(LONGEST + 1).read_to_end(&mut bytes)),
        false => (
            path.display().to_string(),
            File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes)),
        ),
    };
    match read {
        Ok(length) if length as u64 > LONGEST => {
            Err(UsageError::new(format!("{origin}: longer than {} MiB", LONGEST >> 20)))
        }
        Ok(_) => Ok((origin, bytes)),
        Err(error) => Err(UsageError::new(format!("{origin}: {error}"))),
    }
}

/// What a file holds, if that is a case in text.
pub(super) fn case_text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| text.contains("codec:"))
}

/// That it is no case.
pub(super) fn unreadable(origin: &str) -> UsageError {
    UsageError::new(format!(
        "{origin}: neither a case in text (key: value lines) nor a fuzzer's input (version, codec, direction, ..)"
    ))
}

/// Writes a new file, or none.
pub(super) fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut new = File::create_new(path)?;
    new.write_all(text.as_bytes()).inspect_err(|_| {
        let _ = std::fs::remove_file(path);
    })
}

/// The case files of a corpus.
pub(super) fn case_files(paths: &[PathBuf]) -> Result<Vec<CaseFile>, UsageError> {
    let parse = |path: PathBuf| {
        let (origin, bytes) = read(&path)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| unreadable(&origin))?;
        CaseFile::parse(text).map_err(|error| UsageError::new(format!("{origin}: {error}")))
    };
    files(paths)?.into_iter().map(parse).collect()
}

/// These files, and, recursively, those of these folders. In folders, what is hidden and files with an ending other than
/// `.case` or none are passed over.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, UsageError> {
    /// `above` are the folders on the way here.
    fn add(paths: &[PathBuf], above: &mut Vec<PathBuf>, files: &mut Vec<PathBuf>) -> Result<(), UsageError> {
        for path in paths {
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let folder =
                path.canonicalize().map_err(|error| UsageError::new(format!("{}: {error}", path.display())))?;
            if above.contains(&folder) {
                return Err(UsageError::new(format!("{}: a link to a folder that it is in", path.display())));
            }
            above.push(folder);
            add(&cases_in(path)?, above, files)?;
            above.pop();
        }
        Ok(())
    }
    let mut files = Vec::new();
    add(paths, &mut Vec::new(), &mut files)?;
    Ok(files)
}

/// What a folder holds of cases and folders, in order.
fn cases_in(folder: &Path) -> Result<Vec<PathBuf>, UsageError> {
    let mut inside = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>())
        .map_err(|error| UsageError::new(format!("{}: {error}", folder.display())))?;
    inside.retain(|path| is_wanted(path));
    inside.sort();
    // A pipe or a device would be read for ever.
    let other = |path: &&PathBuf| path.metadata().is_ok_and(|found| !found.is_dir() && !found.is_file());
    match inside.iter().find(other) {
        Some(path) => Err(UsageError::new(format!("{}: neither a file nor a folder", path.display()))),
        None => Ok(inside),
    }
}

fn is_wanted(path: &Path) -> bool {
    let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    !hidden && (path.is_dir() || path.extension().is_none_or(|ending| ending == "case"))
}
