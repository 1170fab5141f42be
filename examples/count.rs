//! Opens a database and counts what a query matches: `cargo run --example count -- games.db 'flip { Kg1 Bd3 }'`.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use cqldex::{Database, Dialect, Options, Query};

pub(crate) fn run(path: &Path, filters: &str, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let options = Options {
        read_only: true,
        ..Options::default()
    };
    let database = Database::open(path, options)?;
    let query = Query::parse(filters, Dialect::Auto)?;
    let summary = database.count(&query)?;
    writeln!(out, "{} positions in {} games", summary.positions, summary.games)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().collect();
    let [_, path, filters] = &words[..] else {
        return Err("usage: count DATABASE FILTERS".into());
    };
    run(path.as_ref(), filters, &mut std::io::stdout())
}
