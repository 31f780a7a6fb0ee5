//! A subject in another process: the last release, another revision, another language.
//!
//! The protocol, over standard input and output, little-endian:
//!
//! * The judge says `bytetwin 1 <codec>` and a line feed; the process answers `bytetwin 1 <name>` and a line feed, or
//!   `unknown` and a line feed when it does not have the codec.
//! * A request is an octet (0 `encoded_len`, 1 encode, 2 decode), then three 32-bit numbers: the length of a case, the
//!   length of the output, the octet that fills it; then the case in its byte form ([`crate::case::bytes`]).
//! * A reply is an octet (0 unsupported, 1 done, 2 an error of ours as its debug text, 3 another error), a 64-bit count,
//!   and two runs of bytes, each behind its 32-bit length: the text, and the whole output, as long as the request says
//!   (encode) or, when a decode is done, the values in their byte form.
//! * A case, an output, a text and values are of at most 64 MiB (2^26 bytes) each; whoever reads of a longer one ends the
//!   conversation. The judge does not ask what needs more, and counts it as unsupported.

use super::group::Group;
use super::{Answer, Subject};
use crate::case::{ByteReader, ByteWriter, Capacity, Case, Domain, Job, Step};
use crate::error::{DecodeError, EncodeError};
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// The version of the protocol.
const VERSION: u32 = 1;
/// Longest run of bytes that either side takes, and longest output that it makes room for.
const LIMIT: u32 = 1 << 26;

const LENGTH: u8 = 0;
const ENCODE: u8 = 1;
const DECODE: u8 = 2;

/// A program that speaks the protocol, and its arguments. The word `{codec}` in an argument stands for the codec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What the subject is called.
    pub name: String,
    /// Program and arguments.
    pub words: Vec<OsString>,
    /// How long an answer may take.
    pub patience: Duration,
}

/// Kind, count, text, and output or values.
type Reply = (u8, u64, String, Vec<u8>);

/// A running process, asked over and over.
pub struct Process {
    name: String,
    group: Group,
    patience: Duration,
    requests: Sender<Vec<u8>>,
    replies: Receiver<io::Result<Reply>>,
    case: ByteWriter,
    /// What went wrong on the line, when something did: the process is not asked again.
    broken: Option<String>,
}

impl Process {
    /// Starts the program and greets it. `Ok(None)` when it does not have the codec.
    ///
    /// # Errors
    /// What went wrong, behind the name of the program.
    pub fn start(program: &Program, codec: &str) -> io::Result<Option<Self>> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", program.name));
        Self::greet(program, codec).map_err(named)
    }

    fn greet(program: &Program, codec: &str) -> io::Result<Option<Self>> {
        let words = program.words.iter().map(|word| match word.to_str() {
            Some(text) => OsString::from(text.replace("{codec}", codec)),
            None => word.clone(),
        });
        let mut words = words.collect::<Vec<_>>().into_iter();
        let first = words.next().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no program is named"))?;
        let mut group = Group::start(Command::new(first).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()))?;
        let (Some(to), Some(from), _) = group.pipes() else {
            return Err(io::Error::other("the process has no pipes"));
        };
        let (requests, inbox) = mpsc::channel();
        let (outbox, replies) = mpsc::channel();
        // A thread of its own does the talking: a process that neither reads nor answers must not stop the judge.
        std::thread::spawn(move || talk(to, BufReader::new(from), &inbox, &outbox));
        let process = Self {
            name: program.name.clone(),
            group,
            patience: program.patience,
            requests,
            replies,
            case: ByteWriter::default(),
            broken: None,
        };
        let (_, _, greeting, _) = process.exchange(format!("bytetwin {VERSION} {codec}\n").into_bytes())?;
        match greeting.trim_end() {
            "unknown" => Ok(None),
            line if line.starts_with(&format!("bytetwin {VERSION} ")) => Ok(Some(process)),
            "" => Err(ended()),
            _ => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("it greets with {greeting:?}, expected bytetwin {VERSION} and a name"),
            )),
        }
    }

    fn exchange(&self, request: Vec<u8>) -> io::Result<Reply> {
        self.requests.send(request).map_err(|_| ended())?;
        self.replies.recv_timeout(self.patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => {
                io::Error::new(io::ErrorKind::TimedOut, format!("it did not answer within {:?}", self.patience))
            }
            RecvTimeoutError::Disconnected => ended(),
        })?
    }

    fn ask<D: Domain>(&mut self, kind: u8, case: &Case<D>, out: &[u8]) -> io::Result<Reply> {
        self.case.clear();
        case.write_bytes(&mut self.case);
        let case = self.case.bytes();
        if case.len().max(out.len()) > LIMIT as usize {
            return Ok((0, 0, String::new(), Vec::new()));
        }
        let mut request = vec![kind];
        for number in [case.len(), out.len(), usize::from(out.first().copied().unwrap_or(0))] {
            request.extend((number as u32).to_le_bytes());
        }
        request.extend(case);
        self.exchange(request)
    }

    /// Asks, and turns a broken line into a refusal that every oracle sees.
    fn answer<D: Domain, E>(&mut self, kind: u8, case: &Case<D>, out: &[u8]) -> (Answer<E>, Vec<u8>) {
        if self.broken.is_none() {
            match self.ask(kind, case, out) {
                Ok((0, ..)) => return (Answer::Unsupported, Vec::new()),
                Ok((1, count, _, bytes)) => return (Answer::Done(count as usize), bytes),
                Ok((2, _, text, bytes)) => return (Answer::Text(text), bytes),
                Ok((3, _, text, bytes)) => return (Answer::Refused(text.into()), bytes),
                Ok((other, ..)) => self.broken = Some(format!("a reply of kind {other}")),
                Err(error) => self.broken = Some(error.to_string()),
            }
            self.group.kill();
        }
        // No error of ours has this text, so it differs from every expectation.
        (Answer::Text(format!("the process is gone: {}", self.broken.as_deref().unwrap_or(""))), Vec::new())
    }
}

impl<D: Domain> Subject<D> for Process {
    fn name(&self) -> &str {
        &self.name
    }

    fn encoded_len(&mut self, params: &D::Params, values: &D::Values) -> Answer<EncodeError> {
        let case = Case::<D>::encode(params.clone(), values.clone());
        self.answer(LENGTH, &case, &[]).0
    }

    fn encode(&mut self, params: &D::Params, values: &D::Values, puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        let job = Job::Encode { values: values.clone(), puts: puts.to_vec(), capacity: Capacity::Exact };
        let (answer, bytes) = self.answer(ENCODE, &Case::<D> { params: params.clone(), job }, out);
        if bytes.len() == out.len() {
            out.copy_from_slice(&bytes);
        } else if answer.done().is_some() {
            return Answer::Text(format!("an output of {} bytes, expected {}", bytes.len(), out.len()));
        }
        answer
    }

    fn decode(
        &mut self,
        params: &D::Params,
        bytes: &[u8],
        steps: &[Step],
        values: &mut D::Values,
    ) -> Answer<DecodeError> {
        let job = Job::Decode { bytes: bytes.to_vec(), steps: steps.to_vec() };
        let (answer, bytes) = self.answer(DECODE, &Case::<D> { params: params.clone(), job }, &[]);
        D::values_from_bytes(params, &mut ByteReader::of_message(&bytes), values);
        answer
    }
}

fn ended() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "it ended, or closed a pipe")
}

/// Passes requests on and brings replies back, the greeting first as the text of one, until either side ends.
fn talk(
    mut to: ChildStdin,
    mut from: BufReader<ChildStdout>,
    requests: &Receiver<Vec<u8>>,
    replies: &Sender<io::Result<Reply>>,
) {
    let mut greeted = false;
    for request in requests {
        let written = to.write_all(&request);
        let reply = if greeted {
            written.and_then(|()| read_reply(&mut from))
        } else {
            // One that does not listen may have something to say.
            let mut line = String::new();
            from.by_ref().take(200).read_line(&mut line).map(|_| (0, 0, line, Vec::new()))
        };
        greeted = true;
        let reply = reply.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe | io::ErrorKind::UnexpectedEof => ended(),
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
    read_bytes(from, u32::from_le_bytes(length))
}

/// So many bytes. Room is made as they come: what is claimed costs nothing.
fn read_bytes(from: &mut impl Read, length: u32) -> io::Result<Vec<u8>> {
    within_limit(length)?;
    let mut bytes = Vec::new();
    from.take(length.into()).read_to_end(&mut bytes)?;
    if bytes.len() == length as usize { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn within_limit(length: u32) -> io::Result<()> {
    if length <= LIMIT {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, format!("a run of {length} bytes, the limit is {LIMIT}")))
}

fn reply<E: core::fmt::Debug>(to: &mut impl Write, answer: &Answer<E>, bytes: &[u8]) -> io::Result<()> {
    let (kind, count, text) = match answer {
        Answer::Unsupported => (0, 0, String::new()),
        Answer::Done(count) => (1, *count as u64, String::new()),
        Answer::Error(error) => (2, 0, format!("{error:?}")),
        Answer::Text(text) => (2, 0, text.clone()),
        Answer::Refused(text) => (3, 0, text.to_string()),
    };
    to.write_all(&[kind])?;
    to.write_all(&count.to_le_bytes())?;
    for run in [text.as_bytes(), bytes] {
        to.write_all(&(run.len() as u32).to_le_bytes())?;
        to.write_all(run)?;
    }
    to.flush()
}

/// Reads the judge's greeting: the codec that it wants to talk about.
pub fn greeted(from: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    from.take(200).read_line(&mut line)?;
    match line.trim_end().strip_prefix(&format!("bytetwin {VERSION} ")) {
        Some(codec) => Ok(codec.to_string()),
        None => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("expected bytetwin {VERSION} and a codec, got {line:?}"),
        )),
    }
}

/// Answers for a subject until the input ends. Call [`greeted`] first.
pub fn serve<D: Domain>(subject: &mut dyn Subject<D>, from: &mut impl BufRead, to: &mut impl Write) -> io::Result<()> {
    writeln!(to, "bytetwin {VERSION} {}", subject.name())?;
    to.flush()?;
    let mut writer = ByteWriter::default();
    let mut read = D::Values::default();
    loop {
        let mut head = [0; 13];
        match from.read_exact(&mut head) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            other => other?,
        }
        let number = |at: usize| u32::from_le_bytes(*head[at..].first_chunk().unwrap_or(&[0; 4]));
        let (length, room, fill) = (number(1), number(5), number(9));
        within_limit(room)?;
        let bytes = read_bytes(from, length)?;
        let case = Case::<D>::from_message(&bytes)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a case of another version or codec"))?;
        match (head[0], &case.job) {
            (LENGTH, Job::Encode { values, .. }) => reply(to, &subject.encoded_len(&case.params, values), &[])?,
            (ENCODE, Job::Encode { values, puts, .. }) => {
                let mut out = vec![fill as u8; room as usize];
                let answer = subject.encode(&case.params, values, puts, &mut out);
                reply(to, &answer, &out)?;
            }
            (DECODE, Job::Decode { bytes, steps }) => {
                let answer = subject.decode(&case.params, bytes, steps, &mut read);
                writer.clear();
                // What a failed decode leaves behind may be no values at all.
                if answer.done().is_some() {
                    D::values_to_bytes(&case.params, &read, &mut writer);
                }
                reply(to, &answer, writer.bytes())?;
            }
            (kind, _) => return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a request of kind {kind}"))),
        }
    }
}
