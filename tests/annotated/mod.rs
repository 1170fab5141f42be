//! Games of a test with clocks and evaluations in their comments.

use std::path::Path;

use chess::{Annotations, Game};
use storage::{Addition, BatchBuilder, Database, SegmentBuilder, Snapshot};

/// The games of a snapshot with made-up clocks and evaluations in the comments of most; a few in each segment.
pub(crate) fn annotated(snapshot: &Snapshot, folder: &Path) -> Database {
    const CONTROLS: [&str; 4] = ["180+2", "600", "40/300+5:60", "?"];
    let mut database = Database::create(folder.join("annotated")).expect("a database can be created");
    let mut builder = BatchBuilder::new();
    let mut state = 1u32;
    let mut below = |n: u32| {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        (state >> 9) % n
    };
    for number in 1..=snapshot.games() {
        let (segment, local) = snapshot.locate(number - 1).expect("no game is removed");
        let segment = snapshot.segment(segment);
        let (block, index) = segment.block_of(local).expect("the game is there");
        let mut game = Game {
            text: segment.texts(block).expect("texts can be read").swap_remove(index),
            ..Game::default()
        };
        let trees = segment.trees(block).expect("trees can be read");
        trees.tree(index, &mut game.tree).expect("the tree can be read");
        let control = CONTROLS[number as usize % CONTROLS.len()];
        game.text.tags.push(("TimeControl".to_owned(), control.to_owned()));
        let (style, mut clock, mut evaluation) = (below(6), 300i32, 20i32);
        game.text.comments.clear();
        for node in 0..game.tree.len() as u32 {
            clock = (clock - below(9).cast_signed()).max(0);
            evaluation += below(121).cast_signed() - 60;
            let clocks = format!("[%clk 0:{:02}:{:02}.{}]", clock / 60, clock % 60, below(10));
            let evaluations = match below(20) {
                0 => format!("[%eval #{}]", evaluation / 9),
                1 => "[%eval none]".to_owned(),
                _ => format!("[%eval {:.2},20]", f64::from(evaluation) / 100.0),
            };
            let time = format!("[%emt 0:00:{:02}]", below(30));
            let comment = match (style, below(8)) {
                (0, _) | (_, 0) => continue,
                (1, _) => clocks,
                (2, _) => evaluations,
                (3, 1..4) => format!("{time} {clocks}"),
                _ => format!("{evaluations} {clocks}"),
            };
            game.text.comments.push((node, comment));
        }
        game.annotations = Annotations::of(&game.tree, &game.text.comments, &game.text.tags);
        builder.push(game).expect("the game can be added");
        if number % 70 == 0 || number == snapshot.games() {
            let mut games = SegmentBuilder::new();
            let batch = builder.finish(0).expect("the games can be encoded");
            games.append(batch).expect("there is room");
            let addition = Addition {
                games,
                full: 0,
                ..Addition::default()
            };
            database.add(addition).expect("the games can be added");
        }
    }
    database
}
