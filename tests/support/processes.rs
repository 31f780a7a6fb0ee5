//! What tests ask of processes that the command starts.

use std::process::Command;

/// Whether the process of this number is still there, and not merely waiting to be counted as gone.
pub fn runs(number: &str) -> bool {
    let said = Command::new("ps").args(["-o", "stat=", "-p", number.trim()]).output().expect("ps starts").stdout;
    said.first().is_some_and(|state| *state != b'Z')
}
