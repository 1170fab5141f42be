//! How far a batch is.

use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cqldex::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// A progress bar over all questions, on a terminal.
pub(super) struct Bar {
    bar: ProgressBar,
    /// The search that runs.
    running: Arc<Mutex<Progress>>,
}

impl Bar {
    /// A bar for this number of answers.
    pub(super) fn new(answers: usize) -> Bar {
        // Draws nothing unless standard error is a terminal.
        let bar = ProgressBar::with_draw_target(Some(answers as u64), ProgressDrawTarget::stderr());
        let running = Arc::new(Mutex::new(Progress::default()));
        let inside = Arc::clone(&running);
        let style = ProgressStyle::with_template("{wide_bar} {pos} of {len}  {msg} {part}  {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .with_key("part", move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
                let running = inside.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = write!(out, "{:3.0} %", 100.0 * running.fraction());
            });
        bar.set_style(style);
        // This starts a thread.
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Bar { bar, running }
    }

    /// A question is asked.
    pub(super) fn begin(&self, name: &str, progress: &Progress) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = progress.clone();
        self.bar.set_message(name.to_owned());
    }

    /// It is answered.
    pub(super) fn end(&self) {
        self.bar.inc(1);
    }

    /// Prints a line to standard error.
    pub(super) fn tell(&self, line: &str) {
        self.bar.suspend(|| {
            let _ = writeln!(io::stderr(), "{line}");
        });
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
