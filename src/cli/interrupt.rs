//! Ctrl-C, and the end that another process asks for: no subject, target or build is left behind.

use super::Exit;
use crate::subject::group::{interrupt_all, kill_all_and_exit};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the command comes to an end by itself when its processes do.
static AWAITED: AtomicBool = AtomicBool::new(false);
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Listens from now on. Without it an interrupt ends this process only.
pub(super) fn listen() {
    #[cfg(target_os = "linux")]
    keep_deaf_to_hang_up();
    // It fails when somebody listens already.
    let _ = ctrlc::set_handler(|| {
        let again = INTERRUPTED.swap(true, Ordering::SeqCst);
        if AWAITED.load(Ordering::SeqCst) && !again {
            interrupt_all();
        } else {
            kill_all_and_exit(Exit::Interrupted as i32);
        }
    });
}

/// Blocks SIGHUP where whoever started this process had it ignored, as nohup does: `ctrlc` would listen for it, and cannot
/// be told not to. Elsewhere than on Linux nothing but unsafe code can ask whether it is ignored.
#[cfg(target_os = "linux")]
fn keep_deaf_to_hang_up() {
    use nix::sys::signal::{SigSet, Signal};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    if ignored.is_some_and(|signals| signals >> (Signal::SIGHUP as u32 - 1) & 1 == 1) {
        // Threads that are started later inherit it. It fails for no signal that there is.
        let _ = SigSet::from(Signal::SIGHUP).thread_block();
    }
}

/// From now on an interrupt is passed on to the processes that run, and [`interrupted`] says so; only a second one ends
/// this process.
pub(super) fn wait_for_the_end() {
    AWAITED.store(true, Ordering::SeqCst);
}

/// Whether an interrupt came.
pub(super) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}
