//! A finding in full: what differs, on which case, and the command that shows it again.

use super::hex::count_of_bytes;
use super::{Replay, diff, printable};
use crate::case::text::hex;
use crate::domain::Codec;
use crate::oracle::{Detail, Oracle};
use crate::run::Finding;
use crate::subject::panics::Panicked;
use crate::subject::{Answer, Order};
use std::cmp::Ordering;
use std::fmt::{Debug, Write};

/// Writes a finding for a terminal.
pub fn text<D: Codec>(finding: &Finding<D>, replay: Replay<'_>) -> String {
    let mut text = String::new();
    let (case, difference) = (&finding.case, &finding.difference);
    let _ = writeln!(
        text,
        "FINDING {}: {} {} ({})",
        case.target(),
        finding.subject,
        match difference.oracle {
            Oracle::Identity | Oracle::Consumed | Oracle::Order => "differs from naive",
            Oracle::RoundTrip => "does not read back what was written",
            _ => "differs from its own answer to the plain call",
        },
        difference.oracle.name()
    );
    for line in case.to_text().lines() {
        let _ = writeln!(text, "  {line}");
    }
    match &difference.detail {
        Detail::Length { expected, got } => {
            let _ = writeln!(text, "encoded_len\n  right {}\n  wrong {}", answer(expected), answer(got));
        }
        Detail::Encoded { capacity, expected, expected_bytes, got, bytes } => {
            let _ = writeln!(text, "encode into {}", count_of_bytes(*capacity));
            if let (Answer::Done(_), Answer::Done(written)) = (expected, got) {
                text.push_str(&diff(expected_bytes, bytes, &D::spans(&case.params, expected_bytes)));
                // More than there was room for.
                if *written != bytes.len() {
                    let _ = writeln!(text, "  but says {}", count_of_bytes(*written));
                }
            } else {
                let _ = writeln!(text, "  right {}\n  wrong {}", answer(expected), answer(got));
            }
        }
        Detail::Touched { capacity, at, fill, found, got } => {
            let _ = writeln!(
                text,
                "encode into {}: {}, and byte {at}, which must be left alone, was {fill:02x} and is {found:02x}",
                count_of_bytes(*capacity),
                answer(got)
            );
        }
        Detail::Decoded { expected, expected_values, got, values } => {
            let _ = writeln!(text, "decode");
            let shown = |values| cut(&D::values_to_text(&case.params, values));
            match expected {
                Answer::Done(consumed) => {
                    let _ = writeln!(text, "  right {} | consumed {consumed}", shown(expected_values));
                }
                other => {
                    let _ = writeln!(text, "  right {}", answer(other));
                }
            }
            match got {
                Answer::Done(consumed) => {
                    let _ = writeln!(text, "  wrong {} | consumed {consumed}", shown(values));
                }
                other => {
                    let _ = writeln!(text, "  wrong {}", answer(other));
                }
            }
        }
        Detail::Ordered { expected, got } => {
            let _ = writeln!(text, "order\n  right {}\n  wrong {}", order(expected), order(got));
        }
        Detail::Panicked(Panicked { message, place }) => {
            let place = place.as_ref().map_or(String::new(), |place| format!(" at {}", printable(place, false)));
            // Lines of its own are set in, so that none looks like ours.
            let message = cut(&printable(message, true)).replace('\n', "\n    ");
            let _ = writeln!(text, "panicked{place}: {message}");
        }
    }
    let _ = writeln!(text, "replay\n  {}", printable(replay(&hex(&case.to_bytes())).trim_end(), false));
    text
}

fn cut(text: &str) -> String {
    if text.len() <= 400 {
        return text.to_string();
    }
    let end = (0..=400).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}.. ({} characters)", &text[..end], text.len())
}

/// The words of another: on one line, so that none of it looks like ours.
fn foreign(text: &str) -> String {
    cut(&printable(text, false))
}

/// `0 < 1 = 2 > 3, smallest 3, largest 1`.
fn order(order: &Order) -> String {
    let mut text = String::from("0");
    for (at, step) in order.neighbours.iter().enumerate() {
        let sign = match step {
            Ordering::Less => '<',
            Ordering::Equal => '=',
            Ordering::Greater => '>',
        };
        let _ = write!(text, " {sign} {}", at + 1);
    }
    match order.min_max {
        Some((min, max)) => format!("{}, smallest {min}, largest {max}", cut(&text)),
        None => "no values".to_string(),
    }
}

fn answer<E: Debug>(answer: &Answer<E>) -> String {
    match answer {
        Answer::Unsupported => "unsupported".to_string(),
        Answer::Done(count) => count_of_bytes(*count),
        Answer::Error(error) => format!("{error:?}"),
        Answer::Text(text) => foreign(text),
        Answer::Refused(why) => format!("refused: {}", foreign(why)),
    }
}
