//! The side of the protocol that asks: one process, from its greeting to its end.

use super::said::Said;
use super::{Program, VERSION, read_bytes, read_line};
use crate::subject::group::Group;
use std::ffi::OsString;
use std::io::{self, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How long a process that has closed a pipe may take to end by itself.
const GRACE: Duration = Duration::from_secs(1);
/// How often it is looked whether a process that does not answer has ended: what it started may hold its pipe open.
const LOOK: Duration = Duration::from_millis(10);

/// Kind, count, text, and output or values.
pub(super) type Reply = (u8, u64, String, Vec<u8>);

/// A running process.
pub(super) struct Line {
    group: Group,
    patience: Duration,
    requests: Sender<Arc<Vec<u8>>>,
    replies: Receiver<io::Result<Reply>>,
    said: Said,
}

impl Line {
    /// Starts the program and greets it. `Ok(None)` when it does not have the codec. `shown` counts the lines of its
    /// standard error that were shown.
    pub(super) fn open(program: &Program, codec: &str, shown: &Arc<AtomicUsize>) -> io::Result<Option<Self>> {
        let words = program.words.iter().map(|word| match word.to_str() {
            Some(text) => OsString::from(text.replace("{codec}", codec)),
            None => word.clone(),
        });
        let mut words = words.collect::<Vec<_>>().into_iter();
        let first = words.next().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no program is named"))?;
        let mut command = Command::new(first);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = Group::start(&mut command)?;
        let (Some(to), Some(from), Some(stderr)) = group.pipes() else {
            return Err(io::Error::other("the process has no pipes"));
        };
        let (requests, inbox) = mpsc::channel();
        let (outbox, replies) = mpsc::channel();
        // A thread of its own does the talking: a process that neither reads nor answers must not stop the judge.
        std::thread::spawn(move || talk(to, BufReader::new(from), &inbox, &outbox));
        let said = Said::listen(&program.name, stderr, shown);
        let mut line = Self { group, patience: program.patience, requests, replies, said };
        let protocol = format!("bytetwin {VERSION} ");
        let hello = format!("{protocol}{codec}\n");
        let greeting = match line.exchange(Arc::new(hello.clone().into_bytes())) {
            Ok((.., greeting)) => greeting,
            Err(error) => return Err(line.end(error)),
        };
        match std::str::from_utf8(&greeting) {
            Ok("") => Err(line.end(closed())),
            Ok(text) if text.trim_end() == "unknown" => Ok(None),
            // Not what sends back whatever it was sent.
            Ok(text) if text.starts_with(&protocol) && text.ends_with('\n') && text != hello => Ok(Some(line)),
            _ => {
                let greeting = greeting.escape_ascii();
                let expected = format!("bytetwin {VERSION}, a name of its own in UTF-8, and a line feed");
                let text = format!("it greets with \"{greeting}\", expected {expected}");
                Err(line.end(io::Error::new(io::ErrorKind::InvalidData, text)))
            }
        }
    }

    /// Sends a request and waits for its reply.
    pub(super) fn exchange(&mut self, request: Arc<Vec<u8>>) -> io::Result<Reply> {
        self.requests.send(request).map_err(|_| closed())?;
        let start = Instant::now();
        loop {
            let left = self.patience.saturating_sub(start.elapsed());
            match self.replies.recv_timeout(left.min(LOOK)) {
                Ok(reply) => return reply,
                Err(RecvTimeoutError::Disconnected) => return Err(closed()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if left.is_zero() {
                let text = format!("it did not answer within {:?}", self.patience);
                return Err(io::Error::new(io::ErrorKind::TimedOut, text));
            }
            if self.group.ends_within(Duration::ZERO) {
                // What it wrote is still there to be read; with all that it started the pipe ends.
                self.group.kill();
                return self.replies.recv_timeout(GRACE).unwrap_or_else(|_| Err(closed()));
            }
        }
    }

    /// Ends the process, if it has not ended by itself, and says what came of it after this error of
    /// [`exchange`](Self::exchange): how it ended, and what it said last.
    pub(super) fn end(mut self, error: io::Error) -> io::Error {
        let closed = error.kind() == io::ErrorKind::UnexpectedEof;
        let by_itself = self.group.ends_within(if closed { GRACE } else { Duration::ZERO });
        // What it started is ended in any case.
        self.group.kill();
        let status = self.group.wait();
        let mut text = match status {
            Ok(status) if by_itself && closed => format!("it ended with {status}"),
            Ok(status) if by_itself => format!("{error}; it ended with {status}"),
            Err(untold) if by_itself && closed => format!("it ended, and {untold}"),
            _ => error.to_string(),
        };
        let last = self.said.last();
        if !last.is_empty() {
            text.push_str(&format!("; its last words: {last}"));
        }
        io::Error::new(error.kind(), text)
    }
}

fn closed() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "it closed a pipe")
}

/// Passes requests on and brings replies back, the greeting first as the data of one, until either side ends.
fn talk(
    mut to: ChildStdin,
    mut from: BufReader<ChildStdout>,
    requests: &Receiver<Arc<Vec<u8>>>,
    replies: &Sender<io::Result<Reply>>,
) {
    let mut greeted = false;
    for request in requests {
        let written = to.write_all(&request);
        let reply = if greeted {
            written.and_then(|()| read_reply(&mut from))
        } else {
            // One that does not listen may have something to say.
            read_line(&mut from).map(|line| (0, 0, String::new(), line))
        };
        greeted = true;
        let reply = reply.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe | io::ErrorKind::UnexpectedEof => closed(),
            _ => error,
        });
        if replies.send(reply).is_err() {
            return;
        }
    }
}

fn read_reply(from: &mut impl Read) -> io::Result<Reply> {
    let mut head = [0; 9];
    from.read_exact(&mut head)?;
    let count = u64::from_le_bytes(*head[1..].first_chunk().unwrap_or(&[0; 8]));
    let text = String::from_utf8_lossy(&read_run(from)?).into_owned();
    Ok((head[0], count, text, read_run(from)?))
}

fn read_run(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    read_bytes(from, u32::from_le_bytes(length), "a reply")
}
