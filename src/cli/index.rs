//! `cqldex index`: creates a database, or adds games to one.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use cqldex::{Database, IndexOptions, IndexProgress, IndexSummary, Observer, Skipped, Source};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::interrupt;
use crate::exit::{Done, Failure};
use cqldex::format::{bytes, count, duration, grouped, rounded};

/// How many skipped games are listed on standard error.
const TOLD: u64 = 20;

/// Arguments of `cqldex index`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex index games.db games.pgn
  cqldex index games.db lichess.pgn.zst more/
  cat more/*.pgn | cqldex index games.db -
  cqldex index games.db games.pgn --skip-duplicates --report skipped.txt")]
pub(super) struct Args {
    /// The database; it is created if there is none
    db: PathBuf,
    /// PGN files (plain, zst, gz or bz2), directories with such files, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write every skipped game and left out move to a file, a line each
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Leave out games that are in the database already: same players, date, result, start and moves of the main line
    #[arg(long)]
    skip_duplicates: bool,
    /// Add the games of a file even if its text is in the database already; without this only what is new is added
    #[arg(long)]
    repeat: bool,
    /// Fail if anything was skipped or left out (the rest is in the database all the same)
    #[arg(long)]
    strict: bool,
    /// How many threads read games; one for each core unless told otherwise
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
}

/// Indexes files.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    // A mistyped name must not create a database.
    for file in args.files.iter().filter(|file| file.as_os_str() != "-") {
        File::open(file).map_err(|error| Failure::message(format!("{}: {error}", file.display())))?;
    }
    let report = match &args.report {
        Some(path) => Some(Report::create(path)?),
        None => None,
    };
    let mut database = Database::open_or_create(&args.db, super::writing(args.threads))?;
    let options = IndexOptions {
        repeat: args.repeat,
        skip_duplicates: args.skip_duplicates,
        cancel: interrupt::cancel(),
        ..IndexOptions::default()
    };
    let watcher = Watcher::new(report);
    let result = database.index(&args.files, &options, &watcher);
    let reported = watcher.finish();
    let summary = match result {
        Ok(summary) => summary,
        Err(error) => {
            let kept = count(database.games(), "game");
            let _ = writeln!(
                io::stderr(),
                "note: {kept} in {}; what was read before the error is kept",
                args.db.display()
            );
            return Err(error.into());
        }
    };
    reported?;
    print_summary(&summary, &database)?;
    if summary.cancelled {
        return Err(Failure::message("interrupted; the games above are in the database"));
    }
    if args.strict && summary.skipped_games + summary.damaged_games > 0 {
        return Err(Failure::message(
            "some games were skipped or incomplete, and --strict was given",
        ));
    }
    Ok(Done::Success)
}

fn print_summary(summary: &IndexSummary, database: &Database) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let seconds = summary.elapsed.as_secs_f64().max(1e-9);
    let (games, positions) = (count(summary.games, "game"), count(summary.positions, "position"));
    writeln!(
        out,
        "{games}, {positions} indexed in {} ({} games/s, {}/s of PGN)",
        duration(summary.elapsed),
        grouped(rounded(summary.games as f64 / seconds)),
        bytes(rounded(summary.bytes as f64 / seconds)),
    )?;
    if summary.known_games > 0 {
        let known = count(summary.known_games, "game");
        writeln!(out, "{known} known from earlier runs (--repeat adds them again)")?;
    }
    if summary.duplicates > 0 {
        writeln!(out, "{} not added", count(summary.duplicates, "duplicate"))?;
    }
    if summary.skipped_games > 0 || summary.damaged_games > 0 {
        let skipped = count(summary.skipped_games, "game");
        writeln!(
            out,
            "{skipped} skipped, {} kept with something left out:",
            grouped(summary.damaged_games)
        )?;
        for (reason, times) in &summary.reasons {
            writeln!(out, "{:>10} {reason}", grouped(*times))?;
        }
    }
    let stats = database.stats()?;
    let all = count(stats.games, "game");
    writeln!(
        out,
        "{}: {all}, {} on disk",
        database.path().display(),
        bytes(stats.bytes)
    )?;
    Ok(())
}

/// The report of everything that is not in the database.
pub(super) struct Report {
    path: PathBuf,
    out: BufWriter<File>,
}

impl Report {
    fn create(path: &Path) -> Result<Report, Failure> {
        let failed = |error| Failure::message(format!("{}: {error}", path.display()));
        Ok(Report {
            path: path.to_owned(),
            out: BufWriter::new(File::create(path).map_err(failed)?),
        })
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::message(format!("{}: {error}", self.path.display()))
    }
}

/// Shows how the run goes.
pub(super) struct Watcher {
    bar: ProgressBar,
    state: RefCell<WatcherState>,
}

struct WatcherState {
    report: Option<Report>,
    /// The first error of writing the report; the run goes on.
    failed: Option<Failure>,
    told: u64,
    untold: u64,
    games: u64,
    has_length: bool,
}

impl Watcher {
    pub(super) fn new(report: Option<Report>) -> Watcher {
        // Draws nothing unless standard error is a terminal.
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_style(style("{spinner} {done}  {msg}"));
        // This starts a thread.
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        let state = WatcherState {
            report,
            failed: None,
            told: 0,
            untold: 0,
            games: 0,
            has_length: false,
        };
        Watcher {
            bar,
            state: RefCell::new(state),
        }
    }

    /// Ends the bar and the report.
    pub(super) fn finish(self) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        let WatcherState {
            report, failed, untold, ..
        } = self.state.into_inner();
        if untold > 0 {
            let hint = if report.is_some() {
                "the report has them all"
            } else {
                "`cqldex index --report FILE` lists them all"
            };
            let _ = writeln!(io::stderr(), "... and {} more; {hint}", grouped(untold));
        }
        if let Some(mut report) = report {
            report.out.flush().map_err(|error| report.failed(&error))?;
        }
        failed.map_or(Ok(()), Err)
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    // A progress bar that can't be drawn is not an error.
    style
        .with_key("size", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = out.write_str(&bytes(state.len().unwrap_or(0)));
        })
        .with_key("done", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = out.write_str(&bytes(state.pos()));
        })
}

impl Observer for Watcher {
    fn progress(&self, progress: &IndexProgress) {
        let mut state = self.state.borrow_mut();
        if let Some(total) = progress.bytes_total
            && !state.has_length
        {
            state.has_length = true;
            self.bar.set_length(total);
            self.bar
                .set_style(style("{wide_bar} {percent}% of {size}  {msg}  {eta} left"));
        }
        state.games = progress.games;
        self.bar.set_position(progress.bytes_done);
        let seconds = self.bar.elapsed().as_secs_f64().max(0.1);
        let speed = grouped(rounded(progress.games as f64 / seconds));
        self.bar
            .set_message(format!("{}, {speed} games/s", count(progress.games, "game")));
    }

    fn known(&self, path: &Path, known: &Source) {
        self.bar.suspend(|| {
            let _ = writeln!(
                io::stderr(),
                "note: {}: its first {} in the database already (as {}); only what follows is added",
                path.display(),
                match known.games {
                    1 => "game is".to_owned(),
                    games => format!("{} are", count(games, "game")),
                },
                known.name
            );
        });
    }

    fn skipped(&self, skipped: &Skipped) {
        let mut state = self.state.borrow_mut();
        if state.told < TOLD {
            state.told += 1;
            self.bar.suspend(|| {
                let _ = writeln!(io::stderr(), "{skipped}");
            });
        } else {
            state.untold += 1;
        }
        let WatcherState {
            report: Some(report),
            failed: failed @ None,
            ..
        } = &mut *state
        else {
            return;
        };
        if let Err(error) = writeln!(report.out, "{skipped}") {
            *failed = Some(report.failed(&error));
        }
    }
}
