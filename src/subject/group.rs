//! A process and all that it starts: unless it was waited for, they are ended together.
//!
//! On Unix it leads a process group of its own, and the group is what is ended. A terminal's Ctrl-C does not reach such
//! a group, so [`interrupt_all`] passes it on. What leaves the group is not ended: nothing cheap finds it again. Elsewhere
//! only the process itself is ended.

use std::io::{self, Read};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The groups that run. Whoever starts, signals or reaps one holds the lock.
struct Running {
    leaders: Vec<u32>,
    /// All were told to come to an end: one that is started now would not know.
    over: bool,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { leaders: Vec::new(), over: false });

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a group is told.
#[derive(Clone, Copy)]
enum Signal {
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
    /// As [`Command::spawn`]; always after [`interrupt_all`].
    pub fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut running = running();
        if running.over {
            return Err(io::Error::other("interrupted, nothing is started any more"));
        }
        let child = command.spawn()?;
        running.leaders.push(child.id());
        Ok(Self { child, waited: false })
    }

    /// Runs the command to its end, without input, and gives what it said.
    ///
    /// # Errors
    /// As [`Group::start`] and [`Command::output`].
    pub fn output(command: &mut Command) -> io::Result<Output> {
        let mut group = Self::start(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
        let (_, stdout, stderr) = group.pipes();
        // Both at once: it may wait until one of them is read.
        let (stdout, stderr) = std::thread::scope(|scope| {
            let stderr = scope.spawn(|| all_of(stderr));
            (all_of(stdout), stderr.join().unwrap_or_else(|_| Err(io::Error::other("its words cannot be read"))))
        });
        Ok(Output { stdout: stdout?, stderr: stderr?, status: group.wait()? })
    }

    /// The pipes of the leader that were asked for, once.
    pub fn pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// Ends the leader and all that it started.
    pub fn kill(&mut self) {
        let _running = running();
        if !self.waited {
            signal(self.child.id(), Signal::Kill);
            // Where there are no groups.
            let _ = self.child.kill();
        }
    }

    /// Whether the leader ends by itself before so much time has passed. It is not reaped.
    pub fn ends_within(&mut self, time: Duration) -> bool {
        let start = Instant::now();
        while !has_ended(&mut self.child) {
            if start.elapsed() >= time {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// Waits for the end of the leader.
    ///
    /// # Errors
    /// As [`Child::wait`]. Where SIGCHLD is ignored, nobody is told how a process ended, and the error says so.
    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        // It can be told to end while it is waited for. Once it is reaped, its number may be another's.
        ended(self.child.id());
        let mut running = running();
        if running.over {
            // An interrupt ended the leader, and maybe not all that it started.
            signal(self.child.id(), Signal::Kill);
        }
        running.leaders.retain(|leader| *leader != self.child.id());
        self.waited = true;
        self.child.wait().map_err(untold)
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

fn all_of(pipe: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes))?;
    Ok(bytes)
}

/// Tells every group that runs, as Ctrl-C would, to come to an end. From now on none is started.
pub fn interrupt_all() {
    signal_all(&mut running(), Signal::Interrupt);
}

/// Ends every group that runs, and this process with that exit status.
pub fn kill_all_and_exit(status: i32) -> ! {
    // The lock is held to the end: nobody starts another group, or takes the end of one for news.
    let mut running = running();
    signal_all(&mut running, Signal::Kill);
    std::process::exit(status)
}

fn signal_all(running: &mut Running, what: Signal) {
    running.over = true;
    for leader in &running.leaders {
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

/// A process has no children to wait for when it ignores SIGCHLD, as whatever started it may have made it do.
#[cfg(unix)]
fn untold(error: io::Error) -> io::Error {
    if error.raw_os_error() != Some(rustix::io::Errno::CHILD.raw_os_error()) {
        return error;
    }
    let text = "how it ended is not known: SIGCHLD is ignored; start bytetwin without that (trap - CHLD in bash)";
    io::Error::new(error.kind(), text)
}

#[cfg(not(unix))]
fn untold(error: io::Error) -> io::Error {
    error
}

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

/// Whether it has ended; it is not reaped.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // Where nobody is told of its end, a child that ended is none any more: that is an error too.
    leader.is_none_or(|leader| !matches!(waitid(WaitId::Pid(leader), options), Ok(None) | Err(rustix::io::Errno::INTR)))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}
