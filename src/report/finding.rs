//! A finding in full: what differs, on which case, and the command that shows it again.

use super::diff;
use crate::case::text::hex;
use crate::oracle::Detail;
use crate::registry::Codec;
use crate::run::Finding;
use crate::subject::Answer;
use std::fmt::{Debug, Write};

/// Writes a finding for a terminal.
pub fn text<D: Codec>(finding: &Finding<D>) -> String {
    let mut text = String::new();
    let (case, difference) = (&finding.case, &finding.difference);
    let _ = writeln!(
        text,
        "FINDING {}: {} differs from naive ({})",
        case.target(),
        finding.subject,
        difference.oracle.name()
    );
    for line in case.to_text().lines() {
        let _ = writeln!(text, "  {line}");
    }
    match &difference.detail {
        Detail::Length { expected, got } => {
            let _ = writeln!(text, "encoded_len\n  right {}\n  wrong {}", result(expected), answer(got));
        }
        Detail::Encoded { capacity, expected, expected_bytes, got, bytes } => {
            let _ = writeln!(text, "encode into {capacity} bytes");
            if let (Ok(_), Answer::Done(_)) = (expected, got) {
                text.push_str(&diff(expected_bytes, bytes, &D::spans(&case.params, expected_bytes)));
            } else {
                let _ = writeln!(text, "  right {}\n  wrong {}", result(expected), answer(got));
            }
        }
        Detail::Touched { capacity, at, fill, found, got } => {
            let _ = writeln!(
                text,
                "encode into {capacity} bytes: {}, and byte {at}, which must be left alone, was {fill:02x} and is {found:02x}",
                answer(got)
            );
        }
        Detail::Decoded { expected, expected_values, got, values } => {
            let _ = writeln!(text, "decode");
            let shown = |values| cut(&D::values_to_text(&case.params, values));
            match expected {
                Ok(consumed) => {
                    let _ = writeln!(text, "  right {} | consumed {consumed}", shown(expected_values));
                }
                Err(error) => {
                    let _ = writeln!(text, "  right error: {error}");
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
        Detail::Panicked { message } => {
            let _ = writeln!(text, "it panicked: {message}");
        }
    }
    let _ = writeln!(text, "replay\n  bytetwin replay --hex {}", hex(&case.to_bytes()));
    text
}

fn cut(text: &str) -> String {
    if text.len() <= 400 {
        return text.to_string();
    }
    let end = (0..=400).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}.. ({} characters)", &text[..end], text.len())
}

fn result<E: Debug>(result: &Result<usize, E>) -> String {
    match result {
        Ok(count) => format!("{count} bytes"),
        Err(error) => format!("{error:?}"),
    }
}

fn answer<E: Debug>(answer: &Answer<E>) -> String {
    match answer {
        Answer::Unsupported => "unsupported".to_string(),
        Answer::Done(count) => format!("{count} bytes"),
        Answer::Error(error) => format!("{error:?}"),
        Answer::Text(text) => text.clone(),
        Answer::Refused(why) => format!("refused: {why}"),
    }
}
