//! Ctrl-C, and the end that another process asks for: no subject, target or build is left behind.

use super::Exit;
use crate::subject::group::{interrupt_all, kill_all_and_exit};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the command comes to an end by itself when its processes do.
static AWAITED: AtomicBool = AtomicBool::new(false);
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Listens from now on. Without it an interrupt ends this process only.
pub(super) fn listen() {
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

/// From now on an interrupt is passed on to the processes that run, and [`interrupted`] says so; only a second one ends
/// this process.
pub(super) fn wait_for_the_end() {
    AWAITED.store(true, Ordering::SeqCst);
}

/// Whether an interrupt came.
pub(super) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}
