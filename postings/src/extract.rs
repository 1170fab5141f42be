//! From move trees to terms: replays games and notes from where to where each term holds.
//!
//! From one position to the next only two to four placements change, so the work is per change and not per term.

use chess::{Board, Man, MoveKind, MoveTree, PackedMove, en_passant_square};
use shakmaty::{Bitboard, ByColor, CastlingSide, Color, Rank, Role, Square};

use crate::{
    damage::TooManyPositions,
    runs::{MAX_POSITIONS, PackedRuns, Run, TermRuns},
    term::{Term, counted_men},
};

/// Turns games, one after the other, into the runs of their terms.
#[derive(Debug)]
pub struct Extractor {
    runs: TermRuns,
    /// By code, where the run that is open now began. Which runs are open follows from `board`.
    since: Vec<u32>,
    /// The men of the previous position: the placements and counts that are open.
    board: Board,
    /// The pinned men of the previous position: the runs of pins that are open.
    pinned: ByColor<Bitboard>,
    position: u32,
    /// Boards of this game that variations branch off from, by `parents`.
    saved: Vec<Board>,
    parents: Vec<u32>,
}

impl Default for Extractor {
    fn default() -> Extractor {
        Extractor::new()
    }
}

impl Extractor {
    /// An extractor before its first game.
    pub fn new() -> Extractor {
        Extractor {
            runs: TermRuns::new(),
            since: vec![0; Term::CODES],
            board: Board::EMPTY,
            pinned: ByColor::default(),
            position: 0,
            saved: Vec::new(),
            parents: Vec::new(),
        }
    }

    /// How many positions were seen.
    pub fn positions(&self) -> u32 {
        self.position
    }

    /// Closes and returns the runs of all games; the next game begins at position 0 again.
    pub fn finish(&mut self) -> PackedRuns {
        self.jump(&Board::EMPTY);
        self.end_pins();
        self.position = 0;
        self.runs.pack()
    }

    /// Adds a game behind the others.
    ///
    /// # Errors
    ///
    /// When the games together have more than [`MAX_POSITIONS`] positions.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "no more than MAX_POSITIONS, which is checked first"
    )]
    pub fn push(&mut self, tree: &MoveTree) -> Result<(), TooManyPositions> {
        if tree.len() as u64 > MAX_POSITIONS - u64::from(self.position) {
            return Err(TooManyPositions);
        }
        let base = self.position;
        self.parents.clear();
        self.parents.extend(tree.branches.iter().map(|branch| branch.parent));
        self.parents.sort_unstable();
        self.parents.dedup();
        self.saved.clear();

        self.jump(&tree.start.board());
        self.hold(Term::Initial, base);
        self.end_position(tree, 0, None);
        let mut branches = tree.branches.iter().peekable();
        for (index, &m) in tree.moves.iter().enumerate() {
            let node = index as u32 + 1;
            self.position = base + node;
            if let Some(branch) = branches.next_if(|branch| branch.node == node) {
                // A parent that was not saved is damage that the decoder does not find: any board will do.
                let saved = self
                    .parents
                    .binary_search(&branch.parent)
                    .ok()
                    .and_then(|at| self.saved.get(at));
                let board = saved.unwrap_or(&Board::EMPTY).clone();
                self.jump(&board);
            }
            self.play(m);
            self.end_position(tree, node, Some(m));
        }
        self.position = base + tree.len() as u32;
        let mainline = Run {
            start: base,
            last: base + tree.mainline_len() as u32 - 1,
        };
        self.runs.push(Term::Mainline.code(), mainline);
        self.hold(Term::MainlineEnd, mainline.last);
        Ok(())
    }

    #[inline]
    fn open(&mut self, code: u16) {
        self.since[usize::from(code)] = self.position;
    }

    /// Ends the run of a term before the current position; a run that would be empty is none.
    #[inline]
    fn close(&mut self, code: u16) {
        let start = self.since[usize::from(code)];
        if start < self.position {
            self.runs.push(
                code,
                Run {
                    start,
                    last: self.position - 1,
                },
            );
        }
    }

    /// Notes a term for one position.
    #[inline]
    fn hold(&mut self, term: Term, position: u32) {
        self.runs.push(
            term.code(),
            Run {
                start: position,
                last: position,
            },
        );
    }

    /// Replaces the current board by another, where a game or a variation begins.
    fn jump(&mut self, board: &Board) {
        for man in Man::all() {
            let (old, new) = (self.board.of(man), board.of(man));
            for square in old & !new {
                self.close(Term::Placement(man, square).code());
            }
            for square in new & !old {
                self.open(Term::Placement(man, square).code());
            }
        }
        for man in counted_men() {
            self.recount(man, self.board.of(man).count(), board.of(man).count());
        }
        self.board = board.clone();
    }

    /// The number of men of a kind changes.
    #[expect(clippy::cast_possible_truncation, reason = "counts are up to MAX_COUNT")]
    fn recount(&mut self, man: Man, old: usize, new: usize) {
        let limit = usize::from(Term::MAX_COUNT);
        for count in new + 1..=old.min(limit) {
            self.close(Term::AtLeast(man, count as u8).code());
        }
        for count in old + 1..=new.min(limit) {
            self.open(Term::AtLeast(man, count as u8).code());
        }
    }

    /// Plays a move on the board; the current position is the one after it.
    #[inline]
    fn play(&mut self, m: PackedMove) {
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::Normal | MoveKind::DoubleStep => {
                let (mover, captured) = (self.board.at(from), self.board.at(to));
                if mover != Man::EMPTY && from != to {
                    self.close(placement(mover, from));
                    if captured != Man::EMPTY {
                        self.capture(captured, to);
                    }
                    self.open(placement(mover, to));
                    self.board.play(m);
                } else {
                    self.play_by_difference(m);
                }
            }
            kind => {
                let position = self.position;
                match kind {
                    MoveKind::Null => self.hold(Term::NullMove, position),
                    MoveKind::Castle if to > from => self.hold(Term::Castled(CastlingSide::KingSide), position),
                    MoveKind::Castle => self.hold(Term::Castled(CastlingSide::QueenSide), position),
                    MoveKind::EnPassant => self.hold(Term::EnPassant, position),
                    MoveKind::Promotion(role) => self.hold(Term::Promoted(role), position),
                    MoveKind::Normal | MoveKind::DoubleStep => {}
                }
                let taken = match kind {
                    MoveKind::EnPassant => self.board.at(en_passant_square(from, to)),
                    MoveKind::Promotion(_) => self.board.at(to),
                    _ => Man::EMPTY,
                };
                if taken != Man::EMPTY {
                    self.hold(Term::Captured(taken), position);
                }
                self.play_by_difference(m);
            }
        }
    }

    /// Plays a move of the rarer kinds.
    fn play_by_difference(&mut self, m: PackedMove) {
        let mut after = self.board.clone();
        after.play(m);
        self.jump(&after);
    }

    #[expect(clippy::cast_possible_truncation, reason = "counts are up to MAX_COUNT")]
    fn capture(&mut self, captured: Man, square: Square) {
        self.close(placement(captured, square));
        self.hold(Term::Captured(captured), self.position);
        let count = self.board.of(captured).count();
        if captured.role() != Some(Role::King) && count <= usize::from(Term::MAX_COUNT) {
            self.close(Term::AtLeast(captured, count as u8).code());
        }
    }

    /// Notes which kings are attacked; whether it is check.
    #[inline]
    fn end_checks(&mut self, position: u32, last: Option<PackedMove>) -> bool {
        let turn = self.board.turn();
        // Any other move leaves the own king safe, or it would not have been played.
        let may_expose = last.is_none_or(|m| matches!(m.kind(), MoveKind::Null | MoveKind::Castle));
        if may_expose && self.board.is_attacked(!turn) {
            self.hold(Term::Exposed, position);
        }
        let checkers = self.board.checkers(turn);
        if checkers.is_empty() {
            return false;
        }
        self.hold(Term::Check, position);
        if checkers.more_than_one() {
            self.hold(Term::DoubleCheck, position);
        }
        for role in Role::ALL {
            if (checkers & self.board.piece(!turn, role)).any() {
                self.hold(Term::CheckBy(role), position);
            }
        }
        true
    }

    /// Notes what depends on the whole position and its place in the tree.
    #[inline]
    fn end_position(&mut self, tree: &MoveTree, node: u32, last: Option<PackedMove>) {
        let position = self.position;
        if self.board.turn().is_white() {
            self.hold(Term::WhiteToMove, position);
        }
        let check = self.end_checks(position, last);
        self.end_pins();
        if self.parents.binary_search(&node).is_ok() {
            self.saved.push(self.board.clone());
        }
        let children = Children::of(tree, &self.parents, node);
        if children == Children::None {
            self.hold(Term::Terminal, position);
        }
        let moves = self.end_moves(position, last);
        if children != Children::Real && moves == 0 {
            if check {
                self.hold(Term::Mate, position);
            } else if children == Children::None {
                self.hold(Term::Stalemate, position);
            }
        }
    }

    /// Notes which men are pinned now, and no longer.
    #[inline]
    fn end_pins(&mut self) {
        for color in Color::ALL {
            let new = self.board.pinned(color);
            let old = std::mem::replace(self.pinned.get_mut(color), new);
            for square in old & !new {
                self.close(Term::Pinned(color, square).code());
            }
            for square in new & !old {
                self.open(Term::Pinned(color, square).code());
            }
        }
    }

    /// Notes whether there are few legal moves, and returns their number, no more than [`Term::MAX_MOVES`] and one.
    #[inline]
    fn end_moves(&mut self, position: u32, last: Option<PackedMove>) -> u32 {
        let limit = u32::from(Term::MAX_MOVES) + 1;
        let moves = self.board.legal_moves_up_to(limit, en_passant_target(last));
        for count in (0..=Term::MAX_MOVES).filter(|&count| u32::from(count) >= moves) {
            self.hold(Term::MovesAtMost(count), position);
        }
        moves
    }
}

#[inline]
fn placement(man: Man, square: Square) -> u16 {
    Term::Placement(man, square).code()
}

/// The square behind the pawn that has just made a double step.
fn en_passant_target(last: Option<PackedMove>) -> Option<Square> {
    let m = last.filter(|m| m.kind() == MoveKind::DoubleStep)?;
    let rank = if m.to() > m.from() { Rank::Third } else { Rank::Sixth };
    Some(Square::from_coords(m.from().file(), rank))
}

/// What follows a position in the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Children {
    None,
    /// Null moves only.
    Null,
    /// A move that proves the position to be neither mate nor stalemate.
    Real,
}

impl Children {
    #[inline]
    fn of(tree: &MoveTree, parents: &[u32], node: u32) -> Children {
        let next = node + 1;
        let is_branch = || tree.branches.binary_search_by_key(&next, |branch| branch.node).is_ok();
        let continuation = tree
            .moves
            .get(node as usize)
            .filter(|_| tree.branches.is_empty() || !is_branch());
        match continuation {
            Some(m) if m.kind() != MoveKind::Null => return Children::Real,
            None if parents.binary_search(&node).is_err() => return Children::None,
            _ => {}
        }
        let variations = tree.branches.iter().filter(|branch| branch.parent == node);
        let real = variations
            .filter_map(|branch| tree.moves.get((branch.node as usize).checked_sub(1)?))
            .any(|m| m.kind() != MoveKind::Null);
        if real { Children::Real } else { Children::Null }
    }
}

#[cfg(test)]
mod tests;
