//! A progress bar, on a terminal only.

use crate::run::Budget;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn new(title: &str, budget: Budget) -> Self {
        let bar = match budget {
            Budget::Cases(cases) => ProgressBar::new(cases),
            Budget::Time(_) => ProgressBar::new_spinner(),
        };
        if !std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let shape = "{msg:20} {wide_bar} {pos} cases {per_sec} {elapsed}";
        bar.set_style(ProgressStyle::with_template(shape).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(title.to_string());
        Self(bar)
    }

    pub(super) fn set(&self, cases: u64) {
        self.0.set_position(cases);
    }

    pub(super) fn finish(self) {
        self.0.finish_and_clear();
    }
}
