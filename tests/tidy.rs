//! The house rules that a program can check: every codec is whole, arrows point one way, files are short and say what
//! they are, the README's table is the registry's.

#![cfg(feature = "harness")]

use bytetwin::registry::CODECS;
use std::fs;
use std::path::{Path, PathBuf};

/// Longer than this needs a reason, and a line in [`LONG_FILES`].
const LINES: usize = 400;

/// Files that are longer, and why.
const LONG_FILES: &[(&str, &str)] = &[
    ("src/error.rs", "one list of errors for both directions; splitting it would hide what is shared"),
    ("src/domain/decimal/museum.rs", "a list: one planted bug after another, each with its report"),
    ("src/codec/amqp_decimal/tests.rs", "one table of vectors and the tests that read it"),
    ("src/codec/decimal/fast/simd_tests.rs", "every kernel of every path goes through the same sweeps"),
    ("src/codec/amqp_table/tests.rs", "one table of vectors and the tests that read it"),
];

/// Layers of the house, the lowest first. A file may use its own layer and those below. Tests may use anything.
const LAYERS: &[&[&str]] = &[
    &["error"],
    &["codec"],
    &["case"],
    &["generate", "matrix", "subject"],
    &["oracle", "shrink", "digest"],
    &["domain"],
    &["run", "hunt"],
    &["report"],
    &["prove", "registry"],
    &["cli"],
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every Rust file below these folders, as a path from the root.
fn sources(folders: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> =
        folders.iter().map(|folder| root().join(folder)).filter(|path| path.is_dir()).collect();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the project") {
            let path = entry.expect("an entry of a folder").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let path = path.strip_prefix(root()).expect("below the root");
                found.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no sources in {folders:?}");
    found
}

fn is_test(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("tests.rs")
}

/// The part of a file before its unit tests, without comments.
fn code(path: &str) -> String {
    let text = read(path);
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_codec_has_twins_a_domain_targets_a_dictionary_and_cases() {
    let (manifest, scheme) = (read("fuzz/Cargo.toml"), read("tests/scheme.rs"));
    let mut missing = Vec::new();
    for codec in CODECS {
        let name = codec.name();
        let mut need = vec![
            format!("src/codec/{name}/mod.rs"),
            format!("src/codec/{name}/naive.rs"),
            format!("src/codec/{name}/fast/mod.rs"),
            format!("fuzz/dictionaries/{name}.dict"),
        ];
        for file in ["mod", "draw", "cells", "spans", "subjects"] {
            need.push(format!("src/domain/{name}/{file}.rs"));
        }
        for direction in ["encode", "decode"] {
            let target = format!("{direction}_{name}");
            need.push(format!("fuzz/fuzz_targets/{target}.rs"));
            if !manifest.contains(&format!("name = \"{target}\"\npath = \"fuzz_targets/{target}.rs\"")) {
                missing.push(format!("[[bin]] {target} in fuzz/Cargo.toml"));
            }
            if !has_case(name, direction) {
                missing.push(format!("a case with `job: {direction}` in corpus/{name}/"));
            }
        }
        if ![format!("fn {name}()"), format!("byte_arrays!({name},")].iter().any(|call| scheme.contains(call)) {
            missing.push(format!("{name} in tests/scheme.rs"));
        }
        missing.extend(need.into_iter().filter(|path| !root().join(path).is_file()));
    }
    assert!(missing.is_empty(), "missing:\n  {}", missing.join("\n  "));
}

fn has_case(codec: &str, direction: &str) -> bool {
    let Ok(entries) = fs::read_dir(root().join("corpus").join(codec)) else { return false };
    let job = format!("job: {direction}");
    entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|ending| ending == "case"))
        .any(|entry| fs::read_to_string(entry.path()).is_ok_and(|text| text.lines().any(|line| line == job)))
}

#[test]
fn a_fuzz_target_is_glue_of_a_few_lines_and_belongs_to_a_codec() {
    for path in sources(&["fuzz/fuzz_targets"]) {
        let lines = read(&path).lines().count();
        assert!(lines <= 15, "{path}: {lines} lines");
        let stem = path.trim_start_matches("fuzz/fuzz_targets/").trim_end_matches(".rs");
        let known = CODECS.iter().any(|codec| {
            [format!("encode_{}", codec.name()), format!("decode_{}", codec.name())].contains(&stem.into())
        });
        assert!(known || stem == "museum", "{path}: no codec of the registry is meant");
    }
}

#[test]
fn files_are_short_or_listed_with_a_reason() {
    let mut wrong = Vec::new();
    for path in sources(&["src", "tests", "benches", "examples", "fuzz/fuzz_targets"]) {
        let lines = read(&path).lines().count();
        match LONG_FILES.iter().any(|(long, _)| *long == path) {
            false if lines > LINES => wrong.push(format!("{path}: {lines} lines, more than {LINES}")),
            true if lines <= LINES => wrong.push(format!("{path}: {lines} lines; take it off the list of long files")),
            _ => {}
        }
    }
    wrong.extend(
        LONG_FILES.iter().filter(|(long, _)| !root().join(long).is_file()).map(|(long, _)| format!("{long}: is gone")),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_says_what_it_is() {
    let silent: Vec<_> = sources(&["src", "tests", "benches", "examples", "fuzz/fuzz_targets"])
        .into_iter()
        .filter(|path| !read(path).starts_with("//!"))
        .collect();
    assert!(silent.is_empty(), "no module documentation:\n  {}", silent.join("\n  "));
}

#[test]
fn users_call_a_codec_by_its_module_and_read_of_it_there() {
    let mut wrong = Vec::new();
    for path in sources(&["src/codec"]).into_iter().filter(|path| path.matches('/').count() == 3) {
        let text = read(&path);
        if text.contains("pub mod fast;") {
            wrong.push(format!("{path}: fast is public"));
        }
        for (above, line) in text.lines().zip(text.lines().skip(1)).filter(|(_, line)| line.starts_with("pub use ")) {
            let public = ["super::", "fast::"].iter().any(|module| line.starts_with(&format!("pub use {module}")));
            if public && above != "#[doc(inline)]" {
                wrong.push(format!("{path}: {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "public, or without #[doc(inline)]:\n  {}", wrong.join("\n  "));
}

#[test]
fn nothing_is_called_utils_or_common() {
    for path in sources(&["src", "tests", "benches", "examples"]) {
        for word in path.trim_end_matches(".rs").split('/') {
            assert!(!["utils", "util", "common", "helpers", "misc"].contains(&word), "{path}");
        }
    }
}

#[test]
fn arrows_point_down() {
    let mut wrong = Vec::new();
    for path in sources(&["src"]).into_iter().filter(|path| !is_test(path)) {
        let module = path.trim_start_matches("src/").split(['/', '.']).next().unwrap_or_default().to_string();
        // The crate's subjects read the cases of the domains beside which they stand.
        let module = if path.starts_with("src/subject/parquet_rs/") { "domain".to_string() } else { module };
        let Some(layer) = LAYERS.iter().position(|layer| layer.contains(&module.as_str())) else {
            assert!(["lib", "main"].contains(&module.as_str()), "{path}: in no layer");
            continue;
        };
        let code = code(&path);
        for above in LAYERS[layer + 1..].iter().copied().flatten() {
            let grouped = code.split("crate::{").skip(1).filter_map(|group| group.split(';').next());
            let in_group =
                grouped.flat_map(|group| group.split([',', '{', '}', ':'])).any(|name| name.trim() == *above);
            if in_group || code.contains(&format!("crate::{above}::")) || code.contains(&format!("crate::{above};")) {
                wrong.push(format!("{path} uses {above}, which is above it"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn unsafe_code_is_where_kernels_are() {
    let beside = ["src/prove/coverage.rs", "src/codec/rust_decimal_layout.rs"];
    let wrong: Vec<_> = sources(&["src"])
        .into_iter()
        .filter(|path| !path.contains("/fast/") && !is_test(path) && !beside.contains(&&path[..]))
        .filter(|path| code(path).contains("unsafe"))
        .collect();
    assert!(wrong.is_empty(), "unsafe code outside of kernels:\n  {}", wrong.join("\n  "));
}

#[test]
fn the_twins_share_no_code() {
    let mut wrong = Vec::new();
    for path in sources(&["src/codec"]).into_iter().filter(|path| !is_test(path)) {
        let code = code(&path);
        let fast = path.contains("/fast/") || path.ends_with("/fast.rs");
        let naive = path.contains("/naive/") || path.ends_with("/naive.rs");
        if fast && code.contains("naive::") {
            wrong.push(format!("{path} uses naive"));
        }
        if naive && code.contains("fast::") {
            wrong.push(format!("{path} uses fast"));
        }
        if naive && code.contains("unsafe") {
            wrong.push(format!("{path}: unsafe in a reference"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The paths for which a codec has a file of its own; the portable one is always there.
fn paths(codec: &str) -> String {
    let files = sources(&[&format!("src/codec/{codec}/fast")]);
    let has =
        |path: &str| files.iter().any(|file| file.rsplit("/fast/").next().is_some_and(|name| name.contains(path)));
    let simd = ["avx2", "avx512"].into_iter().filter(|path| has(path));
    ["portable"].into_iter().chain(simd).collect::<Vec<_>>().join(", ")
}

/// The table between the two marks of the README.
fn status() -> String {
    let mut table = String::from("| codec | profiles | paths | fuzz targets |\n|---|---|---|---|\n");
    for codec in CODECS {
        let name = codec.name();
        let profiles = codec.profiles().join(", ");
        table.push_str(&format!("| `{name}` | {profiles} | {} | `encode_{name}`, `decode_{name}` |\n", paths(name)));
    }
    table
}

#[test]
fn the_status_table_of_the_readme_is_the_registry_s() {
    let readme = read("README.md");
    let (start, end) = ("<!-- status: tests/tidy.rs checks this table -->\n", "<!-- end of status -->");
    let table = readme
        .split_once(start)
        .and_then(|(_, rest)| rest.split_once(end))
        .unwrap_or_else(|| panic!("README.md: no {start}..{end}"))
        .0;
    assert!(table.trim() == status().trim(), "README.md: the table should be\n{}", status());
}
