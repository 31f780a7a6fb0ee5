//! A subject in another process: the last release, another revision, another language.
//!
//! docs/protocol.md is the protocol: its frame, and the byte form of cases ([`crate::case::bytes`]) as far as a program must
//! know it.

use super::{Answer, Subject};
use crate::case::{ByteReader, ByteWriter, Capacity, Case, Domain, Job, Step};
use crate::error::{DecodeError, EncodeError};
use line::{Line, Reply};
pub use serve::{greeted, serve};
use std::ffi::OsString;
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

mod line;
mod said;
mod serve;

/// The version of the protocol.
const VERSION: u32 = 1;
/// Longest run of bytes that either side takes, and longest output that it makes room for.
const LIMIT: u32 = 1 << 26;
/// A program that ended so often is not started again.
const ENDS: u32 = 1000;
/// Nor is one whose ends have taken longer than so many answers may take.
const WAITS: u32 = 3;

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
    /// What names it on the command line of `bytetwin`, quoted for a shell; empty when nothing does.
    pub flags: String,
}

/// A program that was started, asked over and over, and started again when it has ended.
pub struct Process {
    program: Program,
    codec: String,
    /// The process that is asked; none after one has ended.
    line: Option<Line>,
    /// Whether it was asked nothing yet.
    fresh: bool,
    /// The end of the one before.
    end: Option<End>,
    ends: u32,
    /// How long those took that ended.
    lost: Duration,
    /// It is not started any more.
    over: bool,
    /// Lines of standard error that were shown.
    shown: Arc<AtomicUsize>,
    case: ByteWriter,
}

/// What a process was asked last, and what came of it.
struct End {
    request: Arc<Vec<u8>>,
    why: String,
    /// It was asked nothing else before, so that another one would end as well.
    fresh: bool,
}

impl Process {
    /// Starts the program and greets it. `Ok(None)` when it does not have the codec.
    ///
    /// # Errors
    /// What went wrong, behind the name of the program.
    pub fn start(program: &Program, codec: &str) -> io::Result<Option<Self>> {
        let shown = Arc::default();
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", program.name));
        Ok(Line::open(program, codec, &shown).map_err(named)?.map(|line| Self {
            program: program.clone(),
            codec: codec.to_string(),
            line: Some(line),
            fresh: true,
            end: None,
            ends: 0,
            lost: Duration::ZERO,
            over: false,
            shown,
            case: ByteWriter::default(),
        }))
    }

    /// The request, when it is not longer than the protocol allows.
    fn request<D: Domain>(&mut self, kind: u8, case: &Case<D>, out: &[u8]) -> Option<Vec<u8>> {
        self.case.clear();
        case.write_bytes(&mut self.case);
        let case = self.case.bytes();
        if case.len().max(out.len()) > LIMIT as usize {
            return None;
        }
        let mut request = vec![kind];
        for number in [case.len(), out.len(), usize::from(out.first().copied().unwrap_or(0))] {
            request.extend((number as u32).to_le_bytes());
        }
        request.extend(case);
        Some(request)
    }

    /// Asks, and starts the program again when it has ended before. `Ok(None)` when it is not started any more, and why
    /// there is no answer when there is none.
    fn ask(&mut self, request: Arc<Vec<u8>>) -> Result<Option<Reply>, String> {
        if let Some(end) = &self.end
            && (end.fresh || self.over)
            && end.request == request
        {
            return Err(end.why.clone());
        }
        let start = Instant::now();
        if self.line.is_none() && !self.over {
            match Line::open(&self.program, &self.codec, &self.shown) {
                Ok(Some(line)) => (self.line, self.fresh) = (Some(line), true),
                Ok(None) => self.give_up("it no longer knows the codec"),
                Err(error) => self.give_up(&error.to_string()),
            }
        }
        let Some(line) = &mut self.line else { return Ok(None) };
        let fresh = std::mem::replace(&mut self.fresh, false);
        let error = match line.exchange(request.clone()) {
            Ok((kind, ..)) if kind > 3 => {
                io::Error::new(io::ErrorKind::InvalidData, format!("a reply of kind {kind}, expected 0 to 3"))
            }
            Ok(reply) => return Ok(Some(reply)),
            Err(error) => error,
        };
        let waited = error.kind() == io::ErrorKind::TimedOut;
        let why = self.line.take().map_or(String::new(), |line| line.end(error).to_string());
        if waited {
            // The report may be minutes away.
            said::show(&self.program.name, &why);
        }
        self.end = Some(End { request, why: why.clone(), fresh });
        self.ends += 1;
        self.lost += start.elapsed();
        if self.ends >= ENDS || self.lost > self.program.patience.saturating_mul(WAITS) {
            self.give_up(&format!("it ended {} times in {:.0} s", self.ends, self.lost.as_secs_f64()));
        }
        Err(why)
    }

    /// From now on it is asked nothing.
    fn give_up(&mut self, why: &str) {
        self.over = true;
        said::show(&self.program.name, &format!("not started again, other cases are not asked: {why}"));
    }

    /// Asks, and turns the end of the process into a refusal that every oracle sees.
    fn answer<D: Domain, E>(&mut self, kind: u8, case: &Case<D>, out: &[u8]) -> (Answer<E>, Vec<u8>) {
        let Some(request) = self.request(kind, case, out) else { return (Answer::Unsupported, Vec::new()) };
        match self.ask(Arc::new(request)) {
            Ok(None | Some((0, ..))) => (Answer::Unsupported, Vec::new()),
            Ok(Some((1, count, _, bytes))) => (Answer::Done(count as usize), bytes),
            Ok(Some((2, _, text, bytes))) => (Answer::Text(text), bytes),
            Ok(Some((_, _, text, bytes))) => (Answer::Refused(text.into()), bytes),
            // No error of ours has this text, so it differs from every expectation.
            Err(why) => (Answer::Text(format!("no answer: {why}")), Vec::new()),
        }
    }
}

impl<D: Domain> Subject<D> for Process {
    fn name(&self) -> &str {
        &self.program.name
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

/// A greeting: one line with its line feed, or what there is of one.
fn read_line(from: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    from.take(200).read_until(b'\n', &mut line)?;
    Ok(line)
}

/// So many bytes of what is called so.
fn read_bytes(from: &mut impl Read, length: u32, what: &str) -> io::Result<Vec<u8>> {
    within_limit(length)?;
    whole(read_up_to(from, length)?, length, what)
}

/// So many bytes, or fewer where the input ends. Room is made as they come: what is claimed costs nothing.
fn read_up_to(from: &mut impl Read, length: u32) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(length.into()).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The bytes, if there are so many.
fn whole(bytes: Vec<u8>, length: u32, what: &str) -> io::Result<Vec<u8>> {
    if bytes.len() == length as usize {
        return Ok(bytes);
    }
    let text = format!("the input ended after {} of {length} bytes of {what}", bytes.len());
    Err(io::Error::new(io::ErrorKind::UnexpectedEof, text))
}

fn within_limit(length: u32) -> io::Result<()> {
    if length <= LIMIT {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, format!("a run of {length} bytes, the limit is {LIMIT}")))
}
