//! `.clusterfuzzlite/build.sh`, run with the variables that OSS-Fuzz sets, and what it leaves in `$OUT`.
//!
//! It builds every target under AddressSanitizer, which takes minutes, so it is asked for; every week CI does:
//!
//! ```text
//! BYTETWIN_OSS_FUZZ=1 cargo test --no-default-features --features harness --test oss_fuzz -- --nocapture
//! ```

#![cfg(all(feature = "harness", target_os = "linux", target_arch = "x86_64"))]

use bytetwin::registry::CODECS;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What a target may need from the machine that runs it: what OSS-Fuzz's runner has.
const LIBRARIES: [&str; 9] = [
    "linux-vdso.so",
    "ld-linux-x86-64.so",
    "libc.so",
    "libm.so",
    "libdl.so",
    "librt.so",
    "libpthread.so",
    "libgcc_s.so",
    "libstdc++.so",
];

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn done(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, said(&output));
    said(&output)
}

fn contains(bytes: &[u8], word: &str) -> bool {
    bytes.windows(word.len()).any(|window| window == word.as_bytes())
}

fn check(out: &Path, work: &Path, target: &str) {
    let program = out.join(target);
    let bytes = fs::read(&program).unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    for symbol in ["LLVMFuzzerTestOneInput", "LLVMFuzzerCustomMutator", "__asan_init"] {
        assert!(contains(&bytes, symbol), "{target}: {symbol} is not in it");
    }
    for line in done(Command::new("ldd").arg(&program)).lines() {
        let library = line.split_whitespace().next().unwrap_or_default();
        let name = library.rsplit('/').next().unwrap_or_default();
        assert!(LIBRARIES.iter().any(|known| name.starts_with(known)), "{target} needs {library}");
    }
    let seeds = work.join(target);
    let zip = out.join(format!("{target}_seed_corpus.zip"));
    done(Command::new("unzip").arg("-q").arg(&zip).arg("-d").arg(&seeds));
    let count = fs::read_dir(&seeds).expect("the seeds").count();
    assert!(count > 0, "{target}: no seeds");
    let dictionary = out.join(format!("{target}.dict"));
    let said = done(
        Command::new(&program)
            .args(["-runs=4", "-seed=1337"])
            .arg(format!("-dict={}", dictionary.display()))
            .arg(&seeds)
            .current_dir(work),
    );
    assert!(said.contains("Dictionary: "), "{target}: the dictionary was not read\n{said}");
    assert!(said.contains("Done "), "{target}: it did not say that it is done\n{said}");
    println!("{target}: {count} seeds");
}

#[test]
fn the_build_for_oss_fuzz_leaves_targets_that_run() {
    if std::env::var_os("BYTETWIN_OSS_FUZZ").is_none() {
        // Past the capture of a test that passes.
        let _ = writeln!(std::io::stderr(), "SKIPPED: the build for OSS-Fuzz; BYTETWIN_OSS_FUZZ=1 asks for it");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = tempfile::tempdir().expect("a folder");
    let [src, out, work] = ["src", "out", "work"].map(|name| {
        let folder = scratch.path().join(name);
        fs::create_dir(&folder).expect("a folder");
        folder
    });
    std::os::unix::fs::symlink(root, src.join("bytetwin")).expect("a link");
    let target_dir = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let flags = "-O1 -fno-omit-frame-pointer -g1";
    done(
        Command::new("bash")
            .args(["-eu", ".clusterfuzzlite/build.sh"])
            .current_dir(root)
            .env("SRC", &src)
            .env("OUT", &out)
            .env("WORK", &work)
            .env("FUZZING_ENGINE", "libfuzzer")
            .env("SANITIZER", "address")
            .env("ARCHITECTURE", "x86_64")
            .env("LIB_FUZZING_ENGINE", "-fsanitize=fuzzer")
            .env("CFLAGS", flags)
            .env("CXXFLAGS", flags)
            .env("RUSTFLAGS", "--cfg fuzzing -Cdebuginfo=1 -Cforce-frame-pointers")
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_DIR", target_dir.join("oss-fuzz")),
    );
    for codec in CODECS {
        for direction in ["encode", "decode"] {
            check(&out, &work, &format!("{direction}_{}", codec.name()));
        }
    }
}
