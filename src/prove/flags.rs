//! Flags of libFuzzer that a target has of itself.

/// Set for a target that has its flags.
const HAS_FLAGS: &str = "BYTETWIN_HAS_FLAGS";

/// How often an edge was taken is no news: borders of counts are drawn, and up to eight inputs kept for each edge make a
/// corpus of long cases, which takes twice the time. A flag of the command line comes later, and wins.
const FLAGS: [&str; 1] = ["-use_counters=0"];

/// Starts the program once more, with [`FLAGS`] before its own. libFuzzer reads them behind this call, but a target
/// cannot hand it any. Where that is not possible it goes on without.
#[cfg(unix)]
pub fn add_flags() {
    use std::os::unix::process::CommandExt;
    if std::env::var_os(HAS_FLAGS).is_some() {
        return;
    }
    let mut args = std::env::args_os();
    if let (Ok(program), Some(name)) = (std::env::current_exe(), args.next()) {
        let error = std::process::Command::new(program).arg0(name).args(FLAGS).args(args).env(HAS_FLAGS, "1").exec();
        eprintln!("bytetwin: {} cannot be set: {error}", FLAGS.join(" "));
    }
}

/// Elsewhere a target goes without.
#[cfg(not(unix))]
pub fn add_flags() {}
