//! `similarposition`: the positions of a file, found again up to symmetry (cql6-games 15.3).

use std::collections::HashMap;
use std::fmt::Write;

use chess::{Board, Man};
use language::transform::{Dihedral, Map};
use shakmaty::{Bitboard, Color, Role};

use super::value::Value;
use super::{CommentSource, Machine};

/// The men of a position and the side to move.
type Key = ([Bitboard; 12], Color);

/// The positions that `similarposition` compares with: boards and side to move, with the images that count as the same.
#[derive(Clone, Debug, Default)]
pub struct SimilarPositions {
    known: HashMap<Key, Vec<Hit>>,
}

/// Where a position of the file was found, as comments tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimilarPlace {
    /// The number of the game in the file, from 1.
    pub game: u32,
    /// The number of the move, counted from the first position of the game.
    pub move_number: u32,
}

/// A position of the file and the way from it to the position that was searched.
#[derive(Clone, Copy, Debug)]
struct Hit {
    place: SimilarPlace,
    symmetry: Option<Dihedral>,
    /// Files to the right, before the symmetry.
    shift: i8,
}

impl SimilarPositions {
    /// The symmetries of a board without pawns. Where two of them give the same image, it has the name of the earlier.
    const SYMMETRIES: [Option<Dihedral>; 8] = [
        None,
        Some(Dihedral::ReflectH),
        Some(Dihedral::CounterClockwise90),
        Some(Dihedral::ReflectV),
        Some(Dihedral::Clockwise90),
        Some(Dihedral::ReflectA1H8),
        Some(Dihedral::Rotate180),
        Some(Dihedral::ReflectA8H1),
    ];

    /// Adds a position and, if it is to be found transformed, its images: all eight symmetries of a board without pawns,
    /// mirrored and shifted ones of a board with pawns.
    pub fn add(&mut self, board: &Board, place: SimilarPlace, transformed: bool) {
        let (men, turn) = key(board);
        let mut images: Vec<[Bitboard; 12]> = Vec::new();
        let mut found = |image: [Bitboard; 12], symmetry, shift| {
            if !images.contains(&image) {
                images.push(image);
                let hits = self.known.entry((image, turn)).or_default();
                hits.push(Hit { place, symmetry, shift });
            }
        };
        if !transformed {
            found(men, None, 0);
        } else if board.role(Role::Pawn).is_empty() {
            for symmetry in Self::SYMMETRIES {
                found(men.map(|set| image(set, symmetry)), symmetry, 0);
            }
        } else {
            let occupied = board.occupied();
            for symmetry in [None, Some(Dihedral::ReflectV)] {
                for shift in -7..=7 {
                    let shifted = |set| super::geometry::shift(set, i32::from(shift), 0);
                    if shifted(occupied).count() == occupied.count() {
                        found(men.map(|set| image(shifted(set), symmetry)), symmetry, shift);
                    }
                }
            }
        }
    }

    fn hits(&self, board: &Board) -> &[Hit] {
        self.known.get(&key(board)).map_or(&[], Vec::as_slice)
    }
}

fn key(board: &Board) -> Key {
    let men = std::array::from_fn(|index| Man::from_index(index as u8).map_or(Bitboard::EMPTY, |man| board.of(man)));
    (men, board.turn())
}

fn image(set: Bitboard, symmetry: Option<Dihedral>) -> Bitboard {
    symmetry.map_or(set, |symmetry| symmetry.squares(set))
}

impl Hit {
    /// The way from the position of the file, the last step first.
    fn transform(&self) -> String {
        let symmetry = self.symmetry.map(Map::Dihedral);
        let shift = (self.shift != 0).then_some(Map::Shift { dx: self.shift, dy: 0 });
        let names: Vec<String> = symmetry.into_iter().chain(shift).map(Map::name).collect();
        names.join(" ")
    }
}

impl Machine<'_, '_> {
    /// Whether the position is one of those of the file; says which, and sorts by the first game.
    ///
    /// Each hit has a comment of its own that also tells those before it, as in CQL 6.2.
    pub(super) fn similar_position(&mut self, index: u32) -> bool {
        let limits = self.limits;
        let Some(table) = limits.similar.get(index as usize) else {
            return false;
        };
        let filter = &self.query.similar[index as usize];
        let hits = table.hits(self.board());
        let turn = match self.board().turn() {
            Color::White => "wtm",
            Color::Black => "btm",
        };
        let mut text = String::new();
        for hit in hits {
            let SimilarPlace { game, move_number } = hit.place;
            // Writing to a string does not fail.
            let _ = write!(
                text,
                "see {} game: {game} at move: {move_number} {turn} {}",
                filter.file,
                hit.transform()
            );
            self.comment(self.node, text.clone(), CommentSource::User);
        }
        let first = hits.iter().map(|hit| hit.place.game).min();
        if let (Some(first), Some(sort)) = (first, filter.sort) {
            let game = i32::try_from(first).unwrap_or(i32::MAX);
            self.record_sort(sort, self.key_order(sort), Value::Number(game), self.state.log.len());
        }
        first.is_some()
    }
}
