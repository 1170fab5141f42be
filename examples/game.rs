//! Shows a game of a database, with its variations: `cargo run --example game -- games.db 7`.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use cqldex::{Database, Options, Position};

pub(crate) fn run(path: &Path, number: u64, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let options = Options {
        read_only: true,
        ..Options::default()
    };
    let database = Database::open(path, options)?;
    let game = database.game(number)?.ok_or("there is no game with this number")?;
    let header = game.header();
    writeln!(out, "{} - {}, {}", header.white, header.black, game.outcome())?;
    for position in game.mainline() {
        show(&position, 0, out)?;
        for variation in position.variations() {
            show(&variation, 4, out)?;
        }
    }
    Ok(())
}

/// A line with the move that led to a position, and the position.
fn show(position: &Position<'_>, indent: usize, out: &mut impl Write) -> std::io::Result<()> {
    let san = position.numbered_san().unwrap_or_else(|| "start".to_owned());
    writeln!(out, "{:indent$}{san:<10} {}", "", position.fen())
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().collect();
    let [_, path, number] = &words[..] else {
        return Err("usage: game DATABASE NUMBER".into());
    };
    run(path.as_ref(), number.parse()?, &mut std::io::stdout())
}
