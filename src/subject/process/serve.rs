//! The side of the protocol that answers.

use super::{DECODE, ENCODE, LENGTH, VERSION, read_bytes, read_line, read_up_to, whole, within_limit};
use crate::case::{ByteWriter, Case, Domain, Job};
use crate::subject::{Answer, Subject};
use std::io::{self, BufRead, Write};

/// Bytes of a request before its case.
const HEAD: u32 = 13;

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
    let line = read_line(from)?;
    let codec =
        std::str::from_utf8(&line).ok().and_then(|line| line.trim_end().strip_prefix(&format!("bytetwin {VERSION} ")));
    codec.map(str::to_string).ok_or_else(|| {
        let text = format!("expected bytetwin {VERSION} and a codec, got \"{}\"", line.escape_ascii());
        io::Error::new(io::ErrorKind::InvalidData, text)
    })
}

/// Answers for a subject until the input ends. Call [`greeted`] first.
pub fn serve<D: Domain>(subject: &mut dyn Subject<D>, from: &mut impl BufRead, to: &mut impl Write) -> io::Result<()> {
    writeln!(to, "bytetwin {VERSION} {}", subject.name())?;
    to.flush()?;
    let mut writer = ByteWriter::default();
    let mut read = D::Values::default();
    loop {
        let head = read_up_to(from, HEAD)?;
        if head.is_empty() {
            return Ok(());
        }
        let head = whole(head, HEAD, "the head of a request")?;
        let number = |at: usize| u32::from_le_bytes(*head[at..].first_chunk().unwrap_or(&[0; 4]));
        let (length, room, fill) = (number(1), number(5), number(9));
        within_limit(room)?;
        let bytes = read_bytes(from, length, "a case")?;
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
