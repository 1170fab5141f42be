//! Moves in a row of a game, whoever makes them, and how the squares lie that they come from and go to.
//!
//! Lists know nothing of the squares of two moves together: that a rook goes back to where it came from. Where the moves of a game
//! are read, the squares are there.

use chess::{Man, MoveKind, PackedMove, castling_targets, en_passant_square};
use shakmaty::{Bitboard, Color, Rank, Role, Square};

use super::move_pattern::MovePattern;
use crate::geometry::between;

/// Moves that follow each other. What is said of them is an upper bound.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Window {
    pub(crate) moves: Vec<WindowMove>,
}

/// One of the moves.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct WindowMove {
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
    Union(Vec<MoveSquares>),
    Intersection(Vec<MoveSquares>),
    Complement(Box<MoveSquares>),
}

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
        let nowhere = Edge::of(PackedMove::NULL);
        self.goes_on_from(0, moves, kinds, &mut [nowhere; MOST_MOVES])
    }

    /// Whether the moves from one on may be those that are asked for, given the squares of those before.
    fn goes_on_from(&self, number: usize, moves: &[PackedMove], kinds: &[u64], edges: &mut [Edge; MOST_MOVES]) -> bool {
        let Some(asked) = self.window.moves.get(number) else {
            return true;
        };
        let m = moves[number];
        match m.kind() {
            _ if asked.is_any => self.goes_on_from(number + 1, moves, kinds, edges),
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
                        edges[number] = edge;
                        asked.holds(edges) && self.goes_on_from(number + 1, moves, kinds, edges)
                    })
            }
            _ => {
                edges[number] = Edge::of(m);
                kinds[number] >> self.kinds[number] & 1 != 0
                    && asked.holds(edges)
                    && self.goes_on_from(number + 1, moves, kinds, edges)
            }
        }
    }
}
