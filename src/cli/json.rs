//! What a run saw, as JSON.

use crate::case::text::hex;
use crate::matrix::Holes;
use crate::registry::AnyCodec;
use crate::report::Summary;
use serde_json::{Value, json};

/// One codec's part of the output of `check` and `matrix`, one case's of that of `replay`.
pub(super) fn summary(codec: &dyn AnyCodec, summary: &Summary, holes: &[Holes]) -> Value {
    let findings: Vec<Value> = summary
        .findings
        .iter()
        .map(|finding| {
            json!({
                "target": finding.target,
                "subject": finding.subject,
                "oracle": finding.oracle,
                "case": finding.case,
                "hex": hex(&finding.case_bytes),
                "after": finding.after,
                "text": finding.text,
            })
        })
        .collect();
    let verdicts: serde_json::Map<String, Value> = summary
        .verdicts
        .iter()
        .map(|(subject, counts)| {
            let value = json!({
                "agreed": counts.agreed,
                "differed": counts.differed,
                "unsupported": counts.unsupported,
                "excused": counts.excused,
            });
            (subject.clone(), value)
        })
        .collect();
    json!({
        "codec": codec.name(),
        "cases": summary.cases,
        "seconds": summary.elapsed.as_secs_f64(),
        "subjects": verdicts,
        "findings": findings,
        "holes": holes.iter().map(hole).collect::<Vec<_>>(),
    })
}

/// A plane with cells that were not visited.
fn hole(hole: &Holes) -> Value {
    json!({
        "subject": hole.subject,
        "plane": hole.plane,
        "missed": hole.missed,
        "of": hole.of,
        "cells": hole.cells,
    })
}
