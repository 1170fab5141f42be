//! The programs in `examples/`, run as they are.

#![allow(dead_code, reason = "the examples have a `main` of their own")]

#[path = "../../examples/count.rs"]
mod count;
#[path = "../../examples/game.rs"]
mod game;
#[path = "../../examples/index.rs"]
mod index;
#[path = "../../examples/stream.rs"]
mod stream;

use cqldex::Options;

/// What an example prints.
fn printed(run: impl FnOnce(&mut Vec<u8>) -> Result<(), Box<dyn std::error::Error>>) -> String {
    let mut out = Vec::new();
    run(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_examples_do_what_they_say() {
    let (folder, file, database) = super::games(3, Options::default());
    drop(database);
    let path = folder.path().join("db");
    assert_eq!(
        printed(|out| count::run(&path, "mate", out)),
        "3 positions in 3 games\n"
    );

    let lines = printed(|out| stream::run(&path, "mate", 60, out));
    assert!(
        lines.contains("game 2: rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq"),
        "{lines}"
    );
    assert!(lines.contains("3 games in "), "{lines}");
    assert!(printed(|out| stream::run(&path, "mate", 0, out)).lines().count() <= 4);

    let lines = printed(|out| game::run(&path, 2, out));
    assert!(lines.starts_with("Player 2 - "), "{lines}");
    assert!(lines.contains("\n    1...d5"), "{lines}");

    let lines = printed(|out| index::run(&folder.path().join("other"), &[&file], out));
    assert!(lines.ends_with("3 games added, 0 skipped\n"), "{lines}");
}
