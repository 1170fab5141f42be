//! Legal and pseudolegal moves: what any such move needs, and how many legal ones there are, if they are few.

use chess::Man;
use language::hir::{CastleSide, Dash, Filter, Legality, ManSet, MoveFilter, Node};
use postings::Term;
use shakmaty::{Bitboard, Color, File, Rank, Role, Square};

use super::Lowering;
use super::intervals::{MAX_CONSTANT, NumberBounds};
use super::moves::{men_of, stands, turn};
use super::scope::Way;
use crate::expr::{Candidates, NumberExpr, SetExpr, Truth, any_contents, not_empty};

/// What is asked of a possible move beside its squares.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    legality: Legality,
    castling: Option<CastleSide>,
    is_en_passant: bool,
}

impl<'q> Lowering<'q> {
    /// Where a move of a dash may be possible.
    pub(super) fn possible_dash(&mut self, legality: Legality, dash: &'q Dash) -> Candidates {
        let mut wanted = Wanted {
            legality,
            castling: None,
            is_en_passant: false,
        };
        for target in &dash.target {
            match &target.node {
                Node::Castle(side) => wanted.castling = Some(*side),
                Node::EnPassant => wanted.is_en_passant = true,
                _ => {}
            }
        }
        self.possible_move(dash.left.as_ref(), wanted)
    }

    /// Where a move of a `move legal` may be possible.
    pub(super) fn possible_move_filter(&mut self, legality: Legality, m: &'q MoveFilter) -> Candidates {
        let wanted = Wanted {
            legality,
            castling: m.castle,
            is_en_passant: m.en_passant || m.en_passant_square.is_some(),
        };
        self.possible_move(m.from.as_ref(), wanted)
    }

    /// A man that the move could be made with has the move.
    fn possible_move(&mut self, from: Option<&'q Filter>, wanted: Wanted) -> Candidates {
        let from = match from {
            Some(from) => self.set_bounds(from).may().clone(),
            None => SetExpr::Constant(Bitboard::FULL),
        };
        let ways = Color::ALL.map(|color| {
            let mut needed = vec![turn(color)];
            let mut movers = SetExpr::Contents(men_of(color), Bitboard::FULL);
            if let Some(side) = wanted.castling {
                needed.push(self.may_castle(color, side));
            }
            if wanted.is_en_passant {
                let rank = Bitboard::from_rank(color.fold_wb(Rank::Fifth, Rank::Fourth));
                let pawns = |color| ManSet::from_man(Man::new(color, Role::Pawn));
                movers = SetExpr::Contents(pawns(color), rank);
                needed.push(any_contents(pawns(!color), rank));
            }
            needed.push(not_empty(SetExpr::intersection(vec![from.clone(), movers])));
            Truth::all(needed)
        });
        let some = match wanted.legality {
            // Castling is not counted, but where it is possible, the king and the rook have other moves.
            Legality::Legal => Truth::Term(Term::MovesAtMost(0)).not(),
            Legality::Pseudolegal => Truth::Always,
        };
        Candidates::at_most(Truth::all([some, Truth::any(ways)]))
    }

    /// How many possible moves a dash has.
    pub(super) fn count_possible(&mut self, legality: Legality, dash: &'q Dash) -> NumberBounds {
        let constant = |n: u32| NumberExpr::Constant(n.cast_signed());
        // Castling on a side needs that the king can go to a square and the rook to two, or to three on the queen's side:
        // with three other moves, there may be one of castling, with fewer there is none.
        let most = || counted(|moves| moves + moves / 3, MAX_CONSTANT);
        let (least, most) = match legality {
            Legality::Legal if is_any_move(dash) => (counted(|moves| moves, u32::from(Term::MAX_MOVES) + 1), most()),
            _ => {
                let most = match legality {
                    Legality::Legal => most(),
                    Legality::Pseudolegal => constant(MAX_CONSTANT),
                };
                let possible = self.possible_dash(legality, dash).truth;
                let most = NumberExpr::Choose(Box::new(possible), Box::new(most), Box::new(constant(0)));
                (constant(0), most)
            }
        };
        NumberBounds::between(Some(least), Some(most), Candidates::EVERYWHERE)
    }

    /// Where a color may be allowed to castle: king and rook have not moved, nothing is between them, and it is not in
    /// check.
    fn may_castle(&mut self, color: Color, wanted: CastleSide) -> Truth {
        let rank = color.fold_wb(Rank::First, Rank::Eighth);
        let home = |file: File| Square::from_coords(file, rank);
        let mut ways = Vec::new();
        for (side, rook, between) in [
            (CastleSide::King, File::H, &[File::F, File::G][..]),
            (CastleSide::Queen, File::A, &[File::B, File::C, File::D]),
        ] {
            if wanted != CastleSide::Any && wanted != side {
                continue;
            }
            let at_home = Truth::all([
                stands(Man::new(color, Role::King), home(File::E)),
                stands(Man::new(color, Role::Rook), home(rook)),
            ]);
            let moved = self.eventually(Way::Backward, Candidates::exactly(at_home.clone().not()));
            let empty = between
                .iter()
                .map(|file| any_contents(ManSet::EMPTY_SQUARE, home(*file).into()));
            let empty = Truth::all(empty.collect::<Vec<_>>());
            ways.push(Truth::all([at_home, empty, moved.not().truth]));
        }
        Truth::all([Truth::any(ways), Truth::Term(Term::Check).not()])
    }
}

/// A number of moves that depends on the number of legal moves other than castling, if these are few; else `many`.
fn counted(moves: impl Fn(u32) -> u32, many: u32) -> NumberExpr {
    let constant = |n: u32| NumberExpr::Constant(n.cast_signed());
    (0..=Term::MAX_MOVES).rev().fold(constant(many), |more, count| {
        let few = Truth::Term(Term::MovesAtMost(count));
        let exactly = constant(moves(u32::from(count)));
        NumberExpr::Choose(Box::new(few), Box::new(exactly), Box::new(more))
    })
}

/// Whether a dash allows every move.
fn is_any_move(dash: &Dash) -> bool {
    let Dash {
        capture,
        left,
        right,
        promotion,
        target,
    } = dash;
    !capture && left.is_none() && right.is_none() && promotion.is_none() && target.is_empty()
}
