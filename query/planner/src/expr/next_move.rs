//! Conditions on the next move of the main line.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use chess::{Mailbox, Man, MoveKind, PackedMove, en_passant_square};
use language::hir::ManSet;
use shakmaty::{Bitboard, Square};

use super::{Expr, Truth, hash_of};

/// How many kinds of men there are.
const MEN: usize = 12;

/// Conditions whose lists cost no more than this, in plane operations for a block, are found by lists.
const MOST_BY_LISTS: f64 = 100.0;

/// The moves are read if the lists of all other conditions, each as often as it is asked, cost more than this.
const A_PASS: f64 = 600.0;

/// How many conditions are found in one pass over the moves: each takes a bit for each position.
const MOST_IN_GROUP: usize = 256;

/// What a pass over the moves of a block of positions is expected to cost, in plane operations: 11 ns for each position.
const PASS: f64 = 2_250.0;

/// Which moves are meant. Castling and null moves never are.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct MovePattern {
    /// The men that move.
    pub(crate) movers: ManSet,
    /// Where from.
    pub(crate) from: Bitboard,
    /// Where to.
    pub(crate) to: Bitboard,
    /// What stands there before the move.
    pub(crate) onto: ManSet,
    /// The men that are captured and where they stand, which differs from `to` for a capture en passant; `None` if nothing
    /// need be captured.
    pub(crate) captured: Option<(ManSet, Bitboard)>,
    /// By square of origin where to, if that matters.
    pub(crate) reach: Option<Arc<[Bitboard; 64]>>,
}

impl MovePattern {
    /// Moves of these men.
    pub(crate) fn of(movers: ManSet) -> MovePattern {
        MovePattern {
            movers,
            from: Bitboard::FULL,
            to: Bitboard::FULL,
            onto: ManSet::ANYTHING,
            captured: None,
            reach: None,
        }
    }
}

/// Where the next move is one of those that a pattern means.
///
/// It can be found in two ways: by what stands where before and after the move, or by the moves themselves. A plan decides
/// for all its conditions at once, as they are found in one pass over the moves.
#[derive(Debug)]
pub struct NextMove {
    pattern: MovePattern,
    /// The same by lists. Where it stands, what it gives for castling and null moves does not matter.
    listed: Truth,
    /// The hash of both.
    hash: u64,
    /// Where it is found, if by the moves.
    place: OnceLock<(Arc<MoveGroup>, usize)>,
}

impl PartialEq for NextMove {
    fn eq(&self, other: &NextMove) -> bool {
        // The same lists say that a man has moved away and that it was captured.
        self.hash == other.hash && self.pattern == other.pattern && self.listed == other.listed
    }
}

impl Hash for NextMove {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl NextMove {
    /// The condition that the next move is one of these, which `listed` says by lists.
    pub(crate) fn truth(pattern: MovePattern, listed: Truth) -> Truth {
        match listed {
            Truth::Always | Truth::Never | Truth::Term(_) => listed,
            listed => Truth::Move(Arc::new(NextMove {
                hash: hash_of(&(&pattern, &listed)),
                pattern,
                listed,
                place: OnceLock::new(),
            })),
        }
    }

    /// The moves that are meant.
    pub(crate) fn pattern(&self) -> &MovePattern {
        &self.pattern
    }

    /// The same by lists.
    pub(crate) fn listed(&self) -> &Truth {
        &self.listed
    }

    /// The group with which it is found, and its number there; `None` if it is found by lists.
    #[inline]
    pub(crate) fn place(&self) -> Option<(&Arc<MoveGroup>, usize)> {
        self.place.get().map(|(group, number)| (group, *number))
    }

    /// What it costs at most, in plane operations for a block.
    pub(crate) fn cost(&self) -> f64 {
        match self.place() {
            // Those that are found together share the pass, of which one stage asks few.
            Some(_) => PASS / 2.0,
            None => self.listed.cost(),
        }
    }
}

/// The conditions on moves that are found in one pass.
#[derive(Debug)]
pub(crate) struct MoveGroup {
    patterns: Vec<MovePattern>,
    /// The conditions that ask for certain squares of origin, by these.
    by_origin: Rows,
    /// Those that only ask where the move goes, by that.
    by_target: Rows,
    /// Those that ask for pairs of squares, by these.
    by_squares: Rows,
}

/// The conditions that are of interest at each of some places.
#[derive(Debug)]
struct Rows {
    rows: Vec<Row>,
    /// By place, where its rows begin; the end of the last ones behind them.
    starts: Vec<u32>,
}

/// A condition that holds for what has a place, as far as nothing else is asked.
#[derive(Clone, Copy, Debug)]
struct Row {
    number: u16,
    asks_more: bool,
}

impl MoveGroup {
    /// Decides how the conditions on moves of an expression are found: by the moves themselves, where lists cost more.
    pub(crate) fn gather(truth: &Truth) {
        let mut all: Vec<&NextMove> = Vec::new();
        collect(Expr::Truth(truth), &mut all);
        let mut distinct: Vec<&NextMove> = Vec::new();
        let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut numbers = Vec::with_capacity(all.len());
        for next in &all {
            let same = by_hash.entry(next.hash).or_default();
            let known = same.iter().copied().find(|&number| distinct[number] == *next);
            numbers.push(known.unwrap_or_else(|| {
                same.push(distinct.len());
                distinct.push(next);
                distinct.len() - 1
            }));
        }
        let by_lists: f64 = all.iter().map(|next| next.listed.cost()).sum();
        if by_lists < A_PASS || distinct.len() > MOST_IN_GROUP {
            return;
        }
        let group = Arc::new(MoveGroup::of(&distinct));
        for (next, number) in all.into_iter().zip(numbers) {
            // Two plans of a query may share it; both give the same.
            let _ = next.place.set((Arc::clone(&group), number));
        }
    }

    fn of(conditions: &[&NextMove]) -> MoveGroup {
        let patterns: Vec<MovePattern> = conditions.iter().map(|condition| condition.pattern.clone()).collect();
        let mut by_origin = vec![Vec::new(); MEN * 64];
        let mut by_target = by_origin.clone();
        let mut by_squares = vec![Vec::new(); 64 * 64];
        for (number, pattern) in (0..).zip(&patterns) {
            let is_anywhere = pattern.from == Bitboard::FULL;
            let asks_more = pattern.captured.is_some() || pattern.onto != ManSet::ANYTHING;
            if let Some(reach) = &pattern.reach {
                for (from, to) in pattern.from.into_iter().flat_map(|from| {
                    let to = reach[usize::from(from)] & pattern.to;
                    to.into_iter().map(move |to| (from, to))
                }) {
                    let is_any = pattern.movers.is_superset(ManSet::WHITE | ManSet::BLACK);
                    let asks_more = asks_more || !is_any;
                    by_squares[between(from, to)].push(Row { number, asks_more });
                }
                continue;
            }
            for man in pattern.movers.iter().filter(|&man| man != Man::EMPTY) {
                let (rows, squares) = match is_anywhere {
                    true => (&mut by_target, pattern.to),
                    false => (&mut by_origin, pattern.from),
                };
                let asks_more = asks_more || !is_anywhere && pattern.to != Bitboard::FULL;
                for square in squares {
                    rows[place(man, square)].push(Row { number, asks_more });
                }
            }
        }
        MoveGroup {
            patterns,
            by_origin: Rows::of(by_origin),
            by_target: Rows::of(by_target),
            by_squares: Rows::of(by_squares),
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Calls `found` with the number of each condition that a move on a board meets.
    #[inline]
    pub(crate) fn each(&self, board: &Mailbox, m: PackedMove, mut found: impl FnMut(usize)) {
        if matches!(m.kind(), MoveKind::Castle | MoveKind::Null) {
            return;
        }
        let mover = board.at(m.from());
        let mut look_at = |rows: &[Row]| {
            for row in rows {
                let number = usize::from(row.number);
                if !row.asks_more || self.patterns[number].meets(board, m) {
                    found(number);
                }
            }
        };
        look_at(self.by_origin.at(place(mover, m.from())));
        look_at(self.by_target.at(place(mover, m.to())));
        look_at(self.by_squares.at(between(m.from(), m.to())));
    }
}

impl MovePattern {
    /// Whether a move on a board is made by one of the men, goes to one of the squares, and captures what is to be captured.
    fn meets(&self, board: &Mailbox, m: PackedMove) -> bool {
        let captured_at = match m.kind() {
            MoveKind::EnPassant => en_passant_square(m.from(), m.to()),
            _ => m.to(),
        };
        let captures =
            |(men, squares): (ManSet, Bitboard)| squares.contains(captured_at) && men.contains(board.at(captured_at));
        self.movers.contains(board.at(m.from()))
            && self.to.contains(m.to())
            && self.onto.contains(board.at(m.to()))
            && self.captured.is_none_or(captures)
    }
}

impl Rows {
    fn of(by_place: Vec<Vec<Row>>) -> Rows {
        let (mut rows, mut starts) = (Vec::new(), vec![0]);
        for mut here in by_place {
            rows.append(&mut here);
            starts.push(u32::try_from(rows.len()).unwrap_or(u32::MAX));
        }
        Rows { rows, starts }
    }

    #[inline]
    fn at(&self, place: usize) -> &[Row] {
        if self.rows.is_empty() {
            return &[];
        }
        match self.starts.get(place..place + 2) {
            Some(&[from, to]) => &self.rows[from as usize..to as usize],
            _ => &[],
        }
    }
}

/// The place of a man on a square.
#[inline]
fn place(man: Man, square: Square) -> usize {
    man.index() * 64 + usize::from(square)
}

/// The place of a way from one square to another.
#[inline]
fn between(from: Square, to: Square) -> usize {
    usize::from(from) * 64 + usize::from(to)
}

fn collect<'t>(expr: Expr<'t>, all: &mut Vec<&'t NextMove>) {
    if let Expr::Truth(Truth::Move(next)) = expr
        && next.listed.cost() > MOST_BY_LISTS
    {
        all.push(next);
        return;
    }
    expr.for_each_part(|_, part| collect(part, all));
}
