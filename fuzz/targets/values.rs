//! Any bytes as a value of a database, behind its checksum: it is refused or read, and what is read is safe to use.

#![no_main]

use std::cell::RefCell;

use chess::MoveTree;
use evaluator::GameView;
use libfuzzer_sys::fuzz_target;
use postings::{BLOCK_WORDS, Postings, Selection, TermStats};
use storage::values::{ValueKind, check, game_text, list, tree_block};

thread_local! {
    static GAME: RefCell<(MoveTree, GameView)> = RefCell::default();
}

fuzz_target!(|data: &[u8]| {
    let [kind, games, rest @ ..] = data else { return };
    let games = u32::from(*games % 70);
    match *kind {
        0 => trees(rest, games),
        1 => (0..games as usize).for_each(|index| drop(game_text(rest, index, games as usize))),
        2 => postings(rest),
        other => {
            let kind = ValueKind::ALL[usize::from(other) % ValueKind::ALL.len()];
            let _ = check(kind, rest, games);
        }
    }
});

fn trees(bytes: &[u8], games: u32) {
    let Ok(block) = tree_block(bytes, games) else { return };
    GAME.with_borrow_mut(|(tree, view)| {
        for index in 0..block.len() {
            if block.tree(index, tree).is_ok() {
                view.load(tree, false);
                view.load(tree, true);
            }
        }
    });
}

fn postings(data: &[u8]) {
    let Some((numbers, bytes)) = data.split_first_chunk::<8>() else {
        return;
    };
    let number = |at: usize| u32::from_le_bytes([numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]]);
    let stats = TermStats {
        cardinality: number(0),
        runs: 1,
        bytes: 0,
    };
    let _ = list(bytes, stats, number(4));
    let Ok(postings) = Postings::from_bytes(bytes.to_vec(), stats.cardinality) else {
        return;
    };
    let _ = postings.decode_into(&mut Vec::new());
    let mut plane = [0; BLOCK_WORDS];
    let mut cursor = postings.cursor();
    let words = vec![u64::from(number(4)); 2048];
    let selection = Selection::new(0, words);
    for block in (0..32).chain([number(4) >> 12]) {
        cursor.read_block(block, &mut plane);
        cursor.add_block(block, &mut plane);
    }
    for block in 0..4 {
        if !selection.block(block).is_empty() {
            cursor.read_selected(&selection, block, &mut plane);
        }
    }
    postings.contains(number(4));
    postings.iter().take(1000).for_each(drop);
}
