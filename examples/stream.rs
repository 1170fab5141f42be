//! Prints matches as they are found, says how far the search is, and stops it after some seconds:
//! `cargo run --example stream -- games.db 'mate' 10`.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;

use cqldex::{Cancel, Database, Dialect, Error as Cause, Options, Query, SearchOptions};

pub(crate) fn run(path: &Path, filters: &str, seconds: u64, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let database = Database::open(path, Options::default())?;
    let query = Query::parse(filters, Dialect::Auto)?;
    let cancel = Cancel::default();
    let options = SearchOptions {
        cancel: cancel.clone(),
        ..SearchOptions::default()
    };
    thread::spawn(move || {
        thread::sleep(Duration::from_secs(seconds));
        cancel.cancel();
    });
    let mut matches = database.search(&query, options);
    while let Some(game) = matches.next() {
        let percent = 100.0 * matches.progress().fraction();
        match game {
            Ok(game) => writeln!(out, "{percent:3.0} % game {}: {}", game.number, game.positions[0].fen())?,
            Err(Cause::Cancelled) => return Ok(writeln!(out, "stopped at {percent:.0} %")?),
            Err(error) => return Err(error.into()),
        }
    }
    let summary = matches.summary()?;
    Ok(writeln!(out, "{} games in {:?}", summary.games, summary.elapsed)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().collect();
    let [_, path, filters, seconds] = &words[..] else {
        return Err("usage: stream DATABASE FILTERS SECONDS".into());
    };
    run(path.as_ref(), filters, seconds.parse()?, &mut std::io::stdout())
}
