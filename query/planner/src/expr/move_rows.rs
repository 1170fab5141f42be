//! Which of many patterns a move meets: a look at those that may mean it by its squares.

use chess::{Mailbox, Man, MoveKind, PackedMove};
use language::hir::ManSet;
use shakmaty::{Bitboard, Square};

use super::move_pattern::MovePattern;

/// How many kinds of men there are.
const MEN: usize = 12;

/// Many patterns of moves, by the squares and men of the moves that they may mean.
#[derive(Debug)]
pub(crate) struct MoveRows {
    patterns: Vec<MovePattern>,
    /// Those that ask for few squares of origin, by these.
    by_origin: Rows,
    /// Those that ask for fewer squares where the move goes, by these.
    by_target: Rows,
    /// Those that ask for pairs of squares, by these.
    by_squares: Rows,
}

/// The patterns that are of interest at each of some places.
#[derive(Debug)]
struct Rows {
    rows: Vec<Row>,
    /// By place, where its rows begin; the end of the last ones behind them.
    starts: Vec<u32>,
}

/// A pattern that means what has a place, as far as nothing else is asked.
#[derive(Clone, Copy, Debug)]
struct Row {
    number: u16,
    asks_more: bool,
}

impl MoveRows {
    /// The table of some patterns; those that are not wanted have numbers and are never found.
    pub(super) fn of(patterns: Vec<MovePattern>, is_wanted: impl Fn(usize) -> bool) -> MoveRows {
        let mut by_origin = vec![Vec::new(); MEN * 64];
        let mut by_target = by_origin.clone();
        let mut by_squares = vec![Vec::new(); 64 * 64];
        for (number, pattern) in (0..).zip(&patterns) {
            if !is_wanted(usize::from(number)) {
                continue;
            }
            let asks_more = pattern.captured.is_some() || pattern.near.is_some() || pattern.onto != ManSet::ANYTHING;
            if let Some(reach) = &pattern.reach {
                for (from, to) in pattern.from.into_iter().flat_map(|from| {
                    let to = reach[usize::from(from)] & pattern.to;
                    to.into_iter().map(move |to| (from, to))
                }) {
                    let is_any = pattern.movers.is_superset(ManSet::WHITE | ManSet::BLACK);
                    let asks_more = asks_more || !is_any;
                    by_squares[way(from, to)].push(Row { number, asks_more });
                }
                continue;
            }
            let (from, to) = (pattern.from, targets(pattern));
            let (rows, squares, others) = match to.count() <= from.count() {
                true => (&mut by_target, to, from),
                false => (&mut by_origin, from, to),
            };
            let asks_more = asks_more || others != Bitboard::FULL;
            for man in pattern.movers.iter().filter(|&man| man != Man::EMPTY) {
                for square in squares {
                    rows[place(man, square)].push(Row { number, asks_more });
                }
            }
        }
        MoveRows {
            patterns,
            by_origin: Rows::of(by_origin),
            by_target: Rows::of(by_target),
            by_squares: Rows::of(by_squares),
        }
    }

    /// Calls `found` with the number of each pattern that a move on a board meets.
    #[inline]
    pub(crate) fn each(&self, board: &Mailbox, m: PackedMove, mut found: impl FnMut(usize)) {
        let rows = [&self.by_origin, &self.by_target, &self.by_squares];
        if rows.iter().all(|rows| rows.rows.is_empty()) || matches!(m.kind(), MoveKind::Castle | MoveKind::Null) {
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
        look_at(self.by_squares.at(way(m.from(), m.to())));
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

/// The squares outside of which no move goes that a pattern means. A capture en passant goes one rank beyond what it
/// captures.
fn targets(pattern: &MovePattern) -> Bitboard {
    match pattern.captured {
        None => pattern.to,
        Some((_, at)) => pattern.to & (at | Bitboard(at.0 << 8) | Bitboard(at.0 >> 8)),
    }
}

/// The place of a man on a square.
#[inline]
pub(super) fn place(man: Man, square: Square) -> usize {
    man.index() * 64 + usize::from(square)
}

/// The place of a way from one square to another.
#[inline]
pub(super) fn way(from: Square, to: Square) -> usize {
    usize::from(from) * 64 + usize::from(to)
}
