//! Adds PGN files to a database and says how far it is: `cargo run --example index -- games.db games.pgn.zst`.

use std::cell::RefCell;
use std::error::Error;
use std::io::Write;
use std::path::Path;

use cqldex::{Database, IndexOptions, IndexProgress, Observer, Options, Skipped};

/// Prints what happens.
struct Printer<W>(RefCell<W>);

impl<W: Write> Observer for Printer<W> {
    fn progress(&self, progress: &IndexProgress) {
        let IndexProgress { games, committed, .. } = progress;
        let _ = writeln!(self.0.borrow_mut(), "{games} games read, {committed} in the database");
    }

    fn skipped(&self, skipped: &Skipped) {
        let _ = writeln!(self.0.borrow_mut(), "{skipped}");
    }
}

pub(crate) fn run(path: &Path, files: &[impl AsRef<Path>], out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut database = Database::open_or_create(path, Options::default())?;
    let printer = Printer(RefCell::new(&mut *out));
    let summary = database.index(files, &IndexOptions::default(), &printer)?;
    Ok(writeln!(
        out,
        "{} games added, {} skipped",
        summary.games, summary.skipped_games
    )?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("usage: index DATABASE FILE ...")?;
    run(path.as_ref(), &words.collect::<Vec<_>>(), &mut std::io::stdout())
}
