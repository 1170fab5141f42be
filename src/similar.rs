//! Reads the file that the filters `similarposition` of a query compare with.

use std::path::Path;
use std::sync::Arc;

use chess::{Board, Game};
use evaluator::{SimilarPlace, SimilarPositions};
use indexer::{PgnGames, PgnItem};
use language::hir::Query;
use shakmaty::Color;

use crate::error::Result;

/// The tables of the filters `similarposition`, in the order of the query. All of them compare with `file`, which is not
/// read if there is no such filter.
///
/// # Errors
///
/// When the file can't be read.
pub(crate) fn tables(query: &Query, file: &Path) -> Result<Vec<Arc<SimilarPositions>>> {
    let filters = &query.similar;
    let mut plain = filters
        .iter()
        .any(|filter| filter.notransform)
        .then(SimilarPositions::default);
    let mut transformed = filters
        .iter()
        .any(|filter| !filter.notransform)
        .then(SimilarPositions::default);
    if filters.is_empty() {
        return Ok(Vec::new());
    }
    let mut number = 0u32;
    for item in PgnGames::open(&[file.to_owned()])? {
        // What can't be read of the file has no positions to compare with.
        let PgnItem::Game(game) = item? else { continue };
        number = number.saturating_add(1);
        add(&game, number, &mut plain, &mut transformed);
    }
    let [plain, transformed] = [plain, transformed].map(|table| Arc::new(table.unwrap_or_default()));
    let filters = filters.iter();
    Ok(filters
        .map(|filter| Arc::clone(if filter.notransform { &plain } else { &transformed }))
        .collect())
}

/// Adds the positions of the main line of a game.
fn add(game: &Game, number: u32, plain: &mut Option<SimilarPositions>, transformed: &mut Option<SimilarPositions>) {
    let mut board = game.tree.start.board();
    let mut place = SimilarPlace {
        game: number,
        move_number: 1,
    };
    let mut add = |board: &Board, place: SimilarPlace| {
        if let Some(table) = plain.as_mut() {
            table.add(board, place, false);
        }
        if let Some(table) = transformed.as_mut() {
            table.add(board, place, true);
        }
    };
    add(&board, place);
    for &m in &game.tree.moves[..game.tree.mainline_len() - 1] {
        board.play(m);
        // A move of Black ends a move.
        if board.turn() == Color::White {
            place.move_number += 1;
        }
        add(&board, place);
    }
}
