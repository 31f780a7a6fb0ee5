//! How a target starts under libFuzzer, and the flags that it has of itself.

use super::Target;
use super::plain::judge_environment;
use crate::domain::Codec;

/// Set for a target that has its flags.
const HAS_FLAGS: &str = "BYTETWIN_HAS_FLAGS";

/// How often an edge was taken is no news: borders of counts are drawn, and up to eight inputs kept for each edge make a
/// corpus of long cases, which takes twice the time. Names of new functions have a symbolizer read the whole program.
/// A flag of the command line comes later, and wins.
const FLAGS: [&str; 2] = ["-use_counters=0", "-print_funcs=0"];

/// AddressSanitizer's way to find a use of a stack frame that was left takes a third of the time. In what is under proof
/// only kernels have pointers, and none outlives its call. An option that is set in the environment wins.
const ASAN_OPTIONS: (&str, &str) = ("ASAN_OPTIONS", "detect_stack_use_after_return=0");

/// What a fuzz target does before it fuzzes: it judges the case of [`HEX`](super::HEX), where there is one, and ends; or
/// takes its flags.
pub fn start<D: Codec>(target: &Target<D>) {
    if let Some(status) = judge_environment(target) {
        std::process::exit(status.into());
    }
    add_flags();
}

/// Starts the program once more with `-use_counters=0 -print_funcs=0` before its own flags, and with
/// `detect_stack_use_after_return=0` before its own `ASAN_OPTIONS`: a target cannot hand them over otherwise. What is given
/// wins. Where that is not possible it goes on without.
#[cfg(unix)]
pub fn add_flags() {
    use std::os::unix::process::CommandExt;
    if std::env::var_os(HAS_FLAGS).is_some() {
        return;
    }
    let mut args = std::env::args_os();
    let (Ok(program), Some(name)) = (std::env::current_exe(), args.next()) else { return };
    let (variable, option) = ASAN_OPTIONS;
    let mut options = std::ffi::OsString::from(option);
    if let Some(given) = std::env::var_os(variable) {
        options.push(":");
        options.push(given);
    }
    let mut again = std::process::Command::new(program);
    again.arg0(name).args(FLAGS).args(args).env(variable, options).env(HAS_FLAGS, "1");
    eprintln!("bytetwin: {} cannot be set: {}", FLAGS.join(" "), again.exec());
}

/// Elsewhere a target goes without.
#[cfg(not(unix))]
pub fn add_flags() {}
