//! Any bytes as PGN, packed or not: every game can be written, and what is written is read as the same game.

#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use cqldex::{Game, PgnItem, read_pgn};
use cqldex_fuzz::folder;
use libfuzzer_sys::fuzz_target;

/// More than the text that is read at once can be reached by what is unpacked.
const LONGEST: usize = 20_000;

/// Packed zeros are no games, but take time.
const MOST: usize = 2_000;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(folder);

fuzz_target!(|data: &[u8]| {
    if data.len() > LONGEST {
        return;
    }
    let path = FOLDER.join("games");
    fs::write(&path, data).expect("the folder can be written to");
    for item in read_pgn(&[&path]).expect("the file is there").take(MOST) {
        match item {
            Ok(PgnItem::Game(game)) => look(&game),
            Ok(PgnItem::Skipped(skipped)) => assert!(!skipped.to_string().is_empty()),
            // A packed file that is broken.
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});

fn look(game: &Game) {
    for position in game.positions() {
        position.fen();
        position.san();
        position.nags().count();
        position.comment();
        for variation in position.variations() {
            assert!(variation.parent().is_some());
        }
    }
    let written = game.pgn();
    let again = FOLDER.join("again.pgn");
    fs::write(&again, &written).expect("the folder can be written to");
    let mut read = read_pgn(&[&again]).expect("the file is there");
    let Some(Ok(PgnItem::Game(second))) = read.next() else {
        panic!("what was written is no game:\n{written}");
    };
    let boards = |game: &Game| game.positions().map(|position| position.fen()).collect::<Vec<_>>();
    assert_eq!(boards(game), boards(&second), "{written}");
    assert_eq!(game.outcome(), second.outcome(), "{written}");
}
