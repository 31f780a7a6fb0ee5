//! `bytetwin corpus fill`: a cell that no case of a corpus visits gets a small case, whose bytes others agree on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn bytetwin(arguments: &[&str], corpus: &Path) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_bytetwin")).args(arguments).arg("--corpus").arg(corpus).output();
    let output = output.expect("the command starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), said)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

const FILL: [&str; 5] = ["corpus", "fill", "amqp_decimal", "--draws", "20000"];
const MATRIX: [&str; 2] = ["matrix", "amqp_decimal"];

/// A copy of the committed cases.
fn copy() -> tempfile::TempDir {
    let corpus = tempfile::tempdir().expect("a folder");
    let folder = corpus.path().join("amqp_decimal");
    fs::create_dir(&folder).expect("a folder");
    for file in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/amqp_decimal")) {
        fs::copy(&file, folder.join(file.file_name().expect("a name"))).expect("a copy");
    }
    corpus
}

#[test]
fn an_empty_cell_is_filled_by_one_small_case_that_others_agree_on() {
    let corpus = copy();
    let folder = corpus.path().join("amqp_decimal");
    let (status, said) = bytetwin(&FILL, corpus.path());
    assert_eq!(status, 0, "{said}");
    assert_eq!(bytetwin(&MATRIX, corpus.path()).0, 0, "cells are still empty");
    let full = files(&folder);

    // Cases are taken away until a cell is empty; which one, the matrix says.
    let mut said = String::new();
    let emptied = full.iter().any(|file| {
        fs::remove_file(file).expect("a file");
        let status;
        (status, said) = bytetwin(&MATRIX, corpus.path());
        status == 3
    });
    assert!(emptied && said.contains("VACUOUS naive / "), "{said}");
    let left = files(&folder);

    let (status, said) = bytetwin(&[&FILL[..], &["--dry-run"]].concat(), corpus.path());
    assert!(said.contains("# a cell of the matrix; agreed on by fast-") && said.contains("expect: "), "{said}");
    assert_eq!((status, files(&folder)), (0, left.clone()), "{said}");

    let (status, said) = bytetwin(&FILL, corpus.path());
    assert_eq!(status, 0, "{said}");
    assert_eq!(bytetwin(&MATRIX, corpus.path()).0, 0, "the cell is still empty");
    let new: Vec<_> = files(&folder).into_iter().filter(|file| !left.contains(file)).collect();
    assert!(!new.is_empty() && said.contains(&format!("{} cases for empty cells, 0 in dispute", new.len())), "{said}");
    for file in &new {
        let text = fs::read_to_string(file).expect("a case");
        assert!(
            text.starts_with("# a cell of the matrix; agreed on by fast-") && text.contains("fast-portable"),
            "{text}"
        );
        let values = text.lines().find_map(|line| line.strip_prefix("values:").or(line.strip_prefix("bytes:")));
        assert!(values.is_some_and(|values| values.len() < 60) && text.contains("\nexpect: "), "{text}");
    }
    // Once full, nothing is added.
    assert!(bytetwin(&FILL, corpus.path()).1.contains("0 cases for empty cells, 0 in dispute"));
}
