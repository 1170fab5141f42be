//! Pawn structure (docs/language/positions.md#pawns).

use chess::Board;
use language::hir::PawnStructure;
use shakmaty::{Bitboard, Color, File, Role};

use super::geometry::shift;

/// The pawns of both colors that stand in this way.
pub(crate) fn pawn_structure(board: &Board, structure: PawnStructure) -> Bitboard {
    Color::ALL.into_iter().fold(Bitboard::EMPTY, |all, color| {
        let pawns = board.piece(color, Role::Pawn);
        all | match structure {
            PawnStructure::Connected => connected(pawns),
            PawnStructure::Isolated => pawns & !connected(pawns),
            PawnStructure::Doubled => doubled(pawns),
            PawnStructure::Passed => passed(pawns, board.piece(!color, Role::Pawn), color),
        }
    })
}

/// Whole files with a square of the set on them.
fn files(set: Bitboard) -> Bitboard {
    File::ALL
        .into_iter()
        .map(Bitboard::from_file)
        .filter(|file| file.intersects(set))
        .fold(Bitboard::EMPTY, |a, b| a | b)
}

fn connected(pawns: Bitboard) -> Bitboard {
    let files = files(pawns);
    pawns & (shift(files, 1, 0) | shift(files, -1, 0))
}

fn doubled(pawns: Bitboard) -> Bitboard {
    File::ALL
        .into_iter()
        .map(|file| pawns & Bitboard::from_file(file))
        .filter(|file| file.count() > 1)
        .fold(Bitboard::EMPTY, |a, b| a | b)
}

fn passed(pawns: Bitboard, enemies: Bitboard, color: Color) -> Bitboard {
    // Every square from which an enemy pawn is strictly ahead on the same or a neighbouring file.
    let step = match color {
        Color::White => -1,
        Color::Black => 1,
    };
    let wide = enemies | shift(enemies, 1, 0) | shift(enemies, -1, 0);
    let covered = (1..8).fold(Bitboard::EMPTY, |all, ranks| all | shift(wide, 0, step * ranks));
    pawns & !covered
}
