//! A process and all that it starts: unless it was waited for, they are ended together.
//!
//! On Unix it leads a process group of its own, and the group is what is ended. A terminal's Ctrl-C does not reach such
//! a group, so [`signal_all`] passes it on. Elsewhere only the process itself is ended.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The leaders of the groups that run.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a group is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// To come to an end, as Ctrl-C says it.
    Interrupt,
    /// That it is over.
    Kill,
}

/// A running process, and whatever it started.
#[derive(Debug)]
pub struct Group {
    child: Child,
    waited: bool,
}

impl Group {
    /// Starts the command as the leader of a group.
    ///
    /// # Errors
    /// As [`Command::spawn`].
    pub fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut running = running();
        let child = command.spawn()?;
        running.push(child.id());
        Ok(Self { child, waited: false })
    }

    /// The leader, for its pipes. Its end is waited for with [`Group::wait`].
    pub fn leader(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Ends the leader and all that it started.
    pub fn kill(&mut self) {
        if !self.waited {
            signal(self.child.id(), Signal::Kill);
            // Where there are no groups.
            let _ = self.child.kill();
        }
    }

    /// Waits for the end of the leader.
    ///
    /// # Errors
    /// As [`Child::wait`].
    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        // It can be told to end while it is waited for. Once it is reaped, its number may be another's.
        ended(self.child.id());
        running().retain(|leader| *leader != self.child.id());
        self.waited = true;
        self.child.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.waited {
            self.kill();
            let _ = self.wait();
        }
    }
}

/// Tells every group that runs.
pub fn signal_all(what: Signal) {
    for leader in running().iter() {
        signal(*leader, what);
    }
}

#[cfg(unix)]
fn signal(leader: u32, what: Signal) {
    use rustix::process::{Pid, Signal as Unix, kill_process_group};
    let signal = match what {
        Signal::Interrupt => Unix::INT,
        Signal::Kill => Unix::KILL,
    };
    if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        // It fails when all of the group have ended.
        let _ = kill_process_group(group, signal);
    }
}

#[cfg(not(unix))]
fn signal(_: u32, _: Signal) {}

/// Waits until the leader has ended, and does not reap it.
#[cfg(unix)]
fn ended(leader: u32) {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    if let Some(leader) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while waitid(WaitId::Pid(leader), options).is_err_and(|error| error == rustix::io::Errno::INTR) {}
    }
}

#[cfg(not(unix))]
fn ended(_: u32) {}
