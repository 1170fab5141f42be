//! Moves of a game, whoever makes them, and how the squares lie that they come from and go to. Other moves may come between them.
//!
//! Lists know nothing of the squares of two moves together: that a rook goes back to where it came from. Where the moves of a game
//! are read, the squares are there.

use std::ops::Range;

use chess::{Man, MoveKind, PackedMove, castling_targets, en_passant_square};
use language::hir::Repeat;
use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use super::move_pattern::MovePattern;
use crate::geometry::between;

/// Moves in order. What is said of them is an upper bound.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Window {
    pub(crate) moves: Vec<WindowMove>,
}

/// One of the moves.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct WindowMove {
    /// How many other moves come between the one before and this one; none before the first one.
    pub(crate) skipped: Repeat,
    pub(crate) pattern: MovePattern,
    /// Whether every move of the game will do, and its squares do not matter.
    pub(crate) is_any: bool,
    /// Whether some of this is a target of the move.
    pub(crate) has_targets: bool,
    /// What has to hold behind it.
    pub(crate) tests: Vec<SquareTest>,
}

/// A condition on squares of the moves so far.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum SquareTest {
    /// There is such a square.
    Any(MoveSquares),
    /// Both are the same.
    Same(MoveSquares, MoveSquares),
    Not(Box<SquareTest>),
    All(Vec<SquareTest>),
    OneOf(Vec<SquareTest>),
}

/// Squares that the moves so far give; moves are counted from 0.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum MoveSquares {
    From(usize),
    To(usize),
    /// Where the move captures.
    Captured(usize),
    Constant(Bitboard),
    /// Strictly between two of them.
    Between(Box<[MoveSquares; 2]>),
    /// On a line with one of them.
    Lines(Box<MoveSquares>),
    Union(Vec<MoveSquares>),
    Intersection(Vec<MoveSquares>),
    Complement(Box<MoveSquares>),
}

/// A try from one move is given up after this many moves, and the window counts as possible there.
const MOST_TRIED: u32 = 2_000;

/// How many moves a window has at most.
pub(crate) const MOST_MOVES: usize = 12;

/// The squares of a move, or of one or both of the men that castle.
#[derive(Clone, Copy)]
struct Edge {
    from: Bitboard,
    to: Bitboard,
    captured: Bitboard,
}

impl Edge {
    /// Of a move that is not castling.
    fn of(m: PackedMove) -> Edge {
        Edge {
            from: m.from().into(),
            to: m.to().into(),
            captured: match m.kind() {
                MoveKind::EnPassant => en_passant_square(m.from(), m.to()).into(),
                _ => m.to().into(),
            },
        }
    }

    /// Of the men that castle, each with what it is.
    fn castling(m: PackedMove) -> [(Role, Edge); 2] {
        let (king_to, rook_to) = castling_targets(m.from(), m.to());
        let edge = |from: Square, to: Square| Edge {
            from: from.into(),
            to: to.into(),
            captured: Bitboard::EMPTY,
        };
        [
            (Role::King, edge(m.from(), king_to)),
            (Role::Rook, edge(m.to(), rook_to)),
        ]
    }

    fn and(self, other: Edge) -> Edge {
        Edge {
            from: self.from | other.from,
            to: self.to | other.to,
            captured: self.captured | other.captured,
        }
    }
}

impl MoveSquares {
    fn of(&self, edges: &[Edge; MOST_MOVES]) -> Bitboard {
        match self {
            MoveSquares::From(number) => edges[*number].from,
            MoveSquares::To(number) => edges[*number].to,
            MoveSquares::Captured(number) => edges[*number].captured,
            MoveSquares::Constant(squares) => *squares,
            MoveSquares::Between(ends) => {
                let [a, b] = ends.each_ref().map(|end| end.of(edges));
                between(a, b)
            }
            MoveSquares::Lines(from) => from.of(edges).into_iter().fold(Bitboard::EMPTY, |all, square| {
                all | attacks::queen_attacks(square, Bitboard::EMPTY)
            }),
            MoveSquares::Union(parts) => parts.iter().fold(Bitboard::EMPTY, |all, part| all | part.of(edges)),
            MoveSquares::Intersection(parts) => parts.iter().fold(Bitboard::FULL, |all, part| all & part.of(edges)),
            MoveSquares::Complement(inner) => !inner.of(edges),
        }
    }
}

impl SquareTest {
    fn holds(&self, edges: &[Edge; MOST_MOVES]) -> bool {
        match self {
            SquareTest::Any(squares) => squares.of(edges).any(),
            SquareTest::Same(a, b) => a.of(edges) == b.of(edges),
            SquareTest::Not(inner) => !inner.holds(edges),
            SquareTest::All(parts) => parts.iter().all(|part| part.holds(edges)),
            SquareTest::OneOf(parts) => parts.iter().any(|part| part.holds(edges)),
        }
    }
}

impl WindowMove {
    /// The places of the moves of a game, `moves` in all, that can be this one. `at` is the place behind the move before it.
    fn places(&self, at: usize, moves: usize) -> Range<usize> {
        let behind = |number: u32| at.saturating_add(number as usize);
        let end = |most| behind(most).saturating_add(1).min(moves);
        behind(self.skipped.min)..self.skipped.max.map_or(moves, end)
    }

    /// Whether a man of a role that castles may do it as such a move. Who castles shows in the rank.
    fn may_be_castling(&self, role: Role, edge: Edge) -> bool {
        let color = Color::from_white(!edge.from.intersects(Bitboard::from_rank(Rank::Eighth)));
        self.pattern.movers.contains(Man::new(color, role))
            && self.pattern.from.is_superset(edge.from)
            && self.pattern.to.is_superset(edge.to)
            && self.pattern.captured.is_none()
    }

    fn holds(&self, edges: &[Edge; MOST_MOVES]) -> bool {
        self.tests.iter().all(|test| test.holds(edges))
    }
}

/// A window whose kinds of moves have numbers.
#[derive(Debug)]
pub(super) struct NumberedWindow {
    /// The number of the condition.
    pub(super) number: usize,
    window: Window,
    /// By move, of which kind it is.
    kinds: Vec<usize>,
}

/// A try to find a window in the moves of a game, from one on.
struct Try<'a> {
    moves: &'a [PackedMove],
    /// Of which kinds they are.
    kinds: &'a [u64],
    /// The squares of those that are moves of the window, by their number there.
    edges: [Edge; MOST_MOVES],
    /// How many moves may be tried yet.
    left: u32,
}

impl NumberedWindow {
    pub(super) fn of(number: usize, window: &Window, kind_of: &mut impl FnMut(&MovePattern) -> usize) -> Self {
        NumberedWindow {
            number,
            kinds: window.moves.iter().map(|of| kind_of(&of.pattern)).collect(),
            window: window.clone(),
        }
    }

    /// Whether it may begin with the first of some moves, given of which kinds each of them is.
    #[inline]
    pub(super) fn begins(&self, moves: &[PackedMove], kinds: &[u64]) -> bool {
        let first = self.kinds[0];
        (kinds[0] >> first & 1 != 0 || !moves[0].is_of_one_man()) && self.goes_on(moves, kinds)
    }

    fn goes_on(&self, moves: &[PackedMove], kinds: &[u64]) -> bool {
        if moves.len() < self.kinds.len() {
            return false;
        }
        let mut game = Try {
            moves,
            kinds,
            edges: [Edge::of(PackedMove::NULL); MOST_MOVES],
            left: MOST_TRIED,
        };
        self.goes_on_from(0, 0, &mut game)
    }

    /// Whether the moves of the window from one on may be moves of the game from a place on, given the squares of those before.
    fn goes_on_from(&self, number: usize, at: usize, game: &mut Try<'_>) -> bool {
        let Some(asked) = self.window.moves.get(number) else {
            return true;
        };
        let mut places = asked.places(at, game.moves.len());
        places.any(|at| {
            game.left = game.left.saturating_sub(1);
            game.left == 0 || self.goes_on_at(number, at, game)
        })
    }

    /// The same if a move of the window is the one at a place.
    fn goes_on_at(&self, number: usize, at: usize, game: &mut Try<'_>) -> bool {
        let asked = &self.window.moves[number];
        let m = game.moves[at];
        match m.kind() {
            _ if asked.is_any => self.goes_on_from(number + 1, at + 1, game),
            // Whose move it is, and from where, is not known.
            MoveKind::Null => true,
            MoveKind::Castle => {
                let halves = Edge::castling(m);
                let may_be = halves.map(|(role, edge)| asked.may_be_castling(role, edge));
                if may_be == [false; 2] {
                    return false;
                }
                // What is asked as a target of the move sees one of its halves, and what is asked behind it sees both.
                let [(_, king), (_, rook)] = halves;
                asked.has_targets
                    || [king, rook, king.and(rook)].into_iter().any(|edge| {
                        game.edges[number] = edge;
                        asked.holds(&game.edges) && self.goes_on_from(number + 1, at + 1, game)
                    })
            }
            _ => {
                game.edges[number] = Edge::of(m);
                game.kinds[at] >> self.kinds[number] & 1 != 0
                    && asked.holds(&game.edges)
                    && self.goes_on_from(number + 1, at + 1, game)
            }
        }
    }
}
