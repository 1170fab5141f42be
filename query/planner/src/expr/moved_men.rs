//! Men that stand on other squares some moves later: how many they are, and whether all of them have gone the same way.
//!
//! Where the moves of a game are read (`courses.rs`), the square of each man is written down for each position. Two positions
//! are then compared man by man.

use language::hir::ManSet;
use shakmaty::Square;

use super::tracks::Track;

/// The men that stand on other squares some moves later; those that are captured by then are not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MovedMen {
    /// Of which men: all of one color, or of both.
    pub(crate) men: ManSet,
    /// How many moves later, at least one.
    pub(crate) moves: u32,
    /// They are at least as many.
    pub(crate) least: u32,
    /// Whether all of them have gone by the same number of files and ranks.
    pub(crate) same_way: bool,
}

impl MovedMen {
    /// Both conditions in one, if they are about the same men.
    pub(super) fn with(self, other: MovedMen) -> Option<MovedMen> {
        let is_about_the_same = (self.men, self.moves) == (other.men, other.moves);
        is_about_the_same.then_some(MovedMen {
            least: self.least.max(other.least),
            same_way: self.same_way || other.same_way,
            ..self
        })
    }
}

/// How many men a game may have.
const MEN: usize = 32;

/// The place of a man that is captured.
const GONE: u8 = 0xff;

/// By man, one byte for each.
type Row = [u8; MEN];

/// Where each man of a game stands in each of its positions.
#[derive(Debug)]
pub(super) struct Places {
    /// By position, the place of each man.
    rows: Vec<Row>,
    /// By position, the number of the man that moves next; of castling, one of both. `MEN` if nobody moves.
    movers: Vec<usize>,
}

/// A square, so that the difference of two places tells the files and ranks between them.
fn place(square: Square) -> u8 {
    16 * u8::from(square.rank()) + u8::from(square.file())
}

impl Places {
    /// The places of some men, given the numbers of those that move, in order, and the first and the last position. `None` if
    /// they are too many.
    pub(super) fn of(men: &[Track<'_>], order: &[u8], (start, last): (u32, u32)) -> Option<Places> {
        if men.len() > MEN {
            return None;
        }
        let mut row = [GONE; MEN];
        for (on, track) in row.iter_mut().zip(men) {
            *on = place(track.square);
        }
        let positions = (last - start + 1) as usize;
        let (mut rows, mut movers) = (Vec::with_capacity(positions), vec![MEN; positions]);
        // By position, the man that is captured by the move that leads there.
        let mut captured = vec![MEN; positions + 1];
        for (number, track) in men.iter().enumerate() {
            if let Some(last) = track.captured {
                captured[(last + 1 - start) as usize] = number;
            }
        }
        let mut made = [0; MEN];
        let mut moves = order.iter().map(|&man| usize::from(man)).peekable();
        rows.push(row);
        for (position, mover) in (start..last).zip(&mut movers) {
            while let Some(&man) = moves.peek()
                && let Some(own) = men[man].moves.get(made[man])
                && own.position == position
            {
                (row[man], *mover) = (place(own.to), man);
                made[man] += 1;
                moves.next();
            }
            if let Some(gone) = row.get_mut(captured[(position + 1 - start) as usize]) {
                *gone = GONE;
            }
            rows.push(row);
        }
        Some(Places { rows, movers })
    }

    /// Calls `found` with the positions, from one to another, where a condition holds; they are counted from 0.
    pub(super) fn each(&self, moved: &MovedMen, men: &[Track<'_>], mut found: impl FnMut(u32, u32)) {
        let mut wanted = [0; MEN];
        for (wanted, track) in wanted.iter_mut().zip(men) {
            *wanted = if moved.men.contains(track.man) { u8::MAX } else { 0 };
        }
        let later = self.rows.iter().skip(moved.moves as usize);
        // The positions in a row where it holds, up to the one before this one.
        let mut held = None;
        let mut position = 0;
        for (at, (here, there)) in self.rows.iter().zip(later).enumerate() {
            let holds = !(moved.same_way && self.differ(at, moved.moves, (here, there), &wanted))
                && (moved.least == 0 || count(here, there, &wanted) >= moved.least)
                && (!moved.same_way || same_way(here, there, &wanted));
            match (holds, held) {
                (true, None) => held = Some(position),
                (false, Some(first)) => {
                    found(first, position - 1);
                    held = None;
                }
                _ => {}
            }
            position += 1;
        }
        if let Some(first) = held {
            found(first, position - 1);
        }
    }

    /// Whether the next two men that move have gone different ways, which is most often so.
    #[inline]
    fn differ(&self, at: usize, moves: u32, (here, there): (&Row, &Row), wanted: &Row) -> bool {
        let way = |man: usize| {
            let is_one = man < MEN && moved(here[man], there[man], wanted[man]) != 0;
            is_one.then(|| there[man].wrapping_sub(here[man]))
        };
        match (way(self.movers[at]), way(self.movers[at + 1])) {
            (Some(first), Some(second)) => moves > 1 && first != second,
            _ => false,
        }
    }
}

/// How many men stand elsewhere, given the places of all in two positions. Those that count are marked by all bits of a byte.
fn count(here: &Row, there: &Row, wanted: &Row) -> u32 {
    let mut count = 0u8;
    for ((&here, &there), &wanted) in here.iter().zip(there).zip(wanted) {
        count += moved(here, there, wanted) & 1;
    }
    u32::from(count)
}

/// Whether all of them have gone the same way.
fn same_way(here: &Row, there: &Row, wanted: &Row) -> bool {
    let (mut any, mut lowest, mut highest) = (0, u8::MAX, 0);
    for ((&here, &there), &wanted) in here.iter().zip(there).zip(wanted) {
        let (moved, way) = (moved(here, there, wanted), there.wrapping_sub(here));
        any |= moved;
        lowest = lowest.min(way | !moved);
        highest = highest.max(way & moved);
    }
    any == 0 || lowest == highest
}

/// All bits of a byte if a man counts and stands elsewhere.
#[inline]
fn moved(here: u8, there: u8, wanted: u8) -> u8 {
    if here != there && there != GONE { wanted } else { 0 }
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use shakmaty::{Color, Role};

    use super::super::tracks::OwnMove;
    use super::*;

    /// The game begins in this position.
    const START: u32 = 100;

    /// Where a condition on a game of 6 moves holds: two white pawns go two squares ahead, the bishop takes a black pawn, another
    /// black pawn goes one square ahead, and the bishop goes home.
    fn found(men: ManSet, moves: u32, least: u32, same_way: bool) -> Vec<(u32, u32)> {
        use Square::{A6, A7, D2, D4, E2, E4, F1, H6, H7};
        let pawn = |color| Man::new(color, Role::Pawn);
        let (white, black, bishop) = (
            pawn(Color::White),
            pawn(Color::Black),
            Man::new(Color::White, Role::Bishop),
        );
        let own = |man, moves: &[(u32, Square)]| {
            let moves = moves
                .iter()
                .map(|&(position, to)| OwnMove::of(START + position, to, man, 0));
            moves.collect::<Vec<_>>()
        };
        let own = [
            (white, D2, own(white, &[(0, D4)]), None),
            (white, E2, own(white, &[(2, E4)]), None),
            (bishop, F1, own(bishop, &[(3, A6), (5, F1)]), None),
            (black, A6, Vec::new(), Some(START + 3)),
            (black, H7, own(black, &[(4, H6)]), None),
            (black, A7, Vec::new(), None),
        ];
        let tracks: Vec<Track<'_>> = (own.iter())
            .map(|(man, square, moves, captured)| Track {
                man: *man,
                square: *square,
                moves,
                ever: ManSet::from_man(*man),
                made: 0,
                captured: *captured,
                castles: false,
            })
            .collect();
        // Nobody moves in the second position.
        let places = Places::of(&tracks, &[0, 1, 2, 4, 2], (START, START + 6)).expect("there are few men");
        let moved = MovedMen {
            men,
            moves,
            least,
            same_way,
        };
        let mut found = Vec::new();
        places.each(&moved, &tracks, |from, to| found.push((from, to)));
        found
    }

    #[test]
    fn men_are_compared_with_where_they_stand_later() {
        let all = ManSet::WHITE | ManSet::BLACK;
        // Of the pawn that is captured, nothing is said.
        assert_eq!(found(all, 1, 1, false), [(0, 0), (2, 5)]);
        assert_eq!(found(all, 2, 2, false), [(2, 4)]);
        assert_eq!(found(all, 4, 3, false), [(0, 1)]);
        // The bishop is back.
        assert_eq!(found(all, 6, 4, false), []);
        assert_eq!(found(all, 6, 3, false), [(0, 0)]);
        assert_eq!(found(ManSet::WHITE, 3, 2, false), [(0, 2)]);
        // There is no such position.
        assert_eq!(found(all, 7, 0, false), []);
    }

    #[test]
    fn men_that_go_the_same_way_are_told_from_others() {
        let all = ManSet::WHITE | ManSet::BLACK;
        assert_eq!(found(all, 1, 0, true), [(0, 5)]);
        assert_eq!(found(all, 3, 0, true), [(0, 0), (3, 3)]);
        assert_eq!(found(all, 3, 2, true), [(0, 0)]);
        assert_eq!(found(ManSet::WHITE, 6, 2, true), [(0, 0)]);
        assert_eq!(found(ManSet::BLACK, 3, 1, true), [(2, 3)]);
    }
}
