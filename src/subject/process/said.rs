//! What a program says on standard error: shown, a little of it, and remembered for the report.

use crate::case::printable;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::ChildStderr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Most lines of one program that are shown, however often it is started.
const LINES: usize = 20;
/// Most bytes of a line; what is longer is more lines.
const LONGEST: u64 = 400;
/// How many of the last bytes are remembered.
const KEPT: usize = 240;
/// How long the last words of a process that has ended may take: another one may hold its standard error open.
const GRACE: Duration = Duration::from_millis(500);

/// The standard error of a process, read by a thread.
pub(super) struct Said {
    last: Arc<Mutex<Vec<u8>>>,
    end: Receiver<()>,
}

impl Said {
    pub(super) fn listen(name: &str, stderr: ChildStderr, shown: &Arc<AtomicUsize>) -> Self {
        let (last, ending) = (Arc::default(), mpsc::channel());
        let said = Self { last: Arc::clone(&last), end: ending.1 };
        let (name, shown) = (name.to_string(), Arc::clone(shown));
        std::thread::spawn(move || {
            hear(&name, BufReader::new(stderr), &shown, &last);
            let _ = ending.0.send(());
        });
        said
    }

    /// The last of it, once the process has ended.
    pub(super) fn last(&self) -> String {
        let _ = self.end.recv_timeout(GRACE);
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&last).trim().to_string()
    }
}

fn hear(name: &str, mut stderr: impl BufRead, shown: &AtomicUsize, last: &Mutex<Vec<u8>>) {
    let mut line = Vec::new();
    while stderr.by_ref().take(LONGEST).read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        last.extend_from_slice(&line);
        let old = last.len().saturating_sub(KEPT);
        last.drain(..old);
        drop(last);
        match shown.fetch_add(1, Ordering::Relaxed) {
            ..LINES => show(name, String::from_utf8_lossy(&line).trim_end()),
            LINES => show(name, ".. and more, which is not shown"),
            _ => {}
        }
        line.clear();
    }
}

/// Shows a line of a program, or one about it.
pub(super) fn show(name: &str, line: &str) {
    // Nobody may be there to read it.
    let _ = writeln!(std::io::stderr(), "{name}: {}", printable(line, false));
}
