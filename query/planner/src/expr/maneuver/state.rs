//! How far a maneuver has come, and what can still hold there.

use shakmaty::{Bitboard, Square, attacks};

use super::{Check, MOST_MEN, MOST_VARIABLES, Spot};
use crate::expr::tracks::{OwnMove, Track};

/// The track of a man that is not chosen yet.
pub(super) const NOBODY: u8 = u8::MAX;

/// How far a maneuver has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// The action that is next.
    pub(super) at: usize,
    /// The track of each man, its next move, where it stands, where it stood.
    pub(super) tracks: [u8; MOST_MEN],
    pub(super) next: [usize; MOST_MEN],
    pub(super) now: [Square; MOST_MEN],
    pub(super) first: [Square; MOST_MEN],
    /// The men whose moves count, a bit for each.
    pub(super) counts: u8,
    /// The men that were captured, a bit for each.
    pub(super) gone: u8,
    /// The last move: where it came from and went.
    pub(super) last: Option<(Square, Square)>,
    /// The position of the last move or capture of one of the men.
    pub(super) position: Option<u32>,
    /// How many positions since the beginning were those of other moves.
    pub(super) other_moves: u32,
    /// The squares that each variable may be.
    pub(super) variables: [Bitboard; MOST_VARIABLES],
}

impl State {
    /// The beginning, with the first man and its next move.
    #[inline]
    pub(super) fn of(track: &Track<'_>, index: usize, next: usize) -> State {
        State {
            tracks: [number_of(index), NOBODY],
            next: [next, 0],
            ..State::at(track.square_before(next))
        }
    }

    /// The beginning, with a first man that stands on a square.
    #[inline]
    pub(super) fn at(square: Square) -> State {
        State {
            at: 0,
            tracks: [NOBODY; MOST_MEN],
            next: [0; MOST_MEN],
            now: [square; MOST_MEN],
            first: [square; MOST_MEN],
            counts: 1,
            gone: 0,
            last: None,
            position: None,
            other_moves: 0,
            variables: [Bitboard::FULL; MOST_VARIABLES],
        }
    }

    /// The same with a man as the second one.
    #[inline]
    pub(super) fn with_second(&self, track: &Track<'_>, index: usize, next: usize) -> State {
        let square = track.square_before(next);
        State {
            tracks: [self.tracks[0], number_of(index)],
            next: [self.next[0], next],
            now: [self.now[0], square],
            first: [self.first[0], square],
            ..*self
        }
    }

    /// The next move of a man that is chosen.
    #[inline]
    pub(super) fn next_move<'t>(&self, men: &'t [Track<'t>], man: usize) -> Option<&'t OwnMove> {
        men[usize::from(self.tracks[man])].moves.get(self.next[man])
    }

    /// A man makes its next move, which leads to a square; so does the other one if they are one.
    #[inline]
    pub(super) fn put(&mut self, mover: usize, to: Square, are_one: bool) {
        for man in 0..MOST_MEN {
            if man == mover || are_one {
                self.now[man] = to;
                self.next[man] += 1;
            }
        }
    }

    /// The position of the next move of both men.
    pub(super) fn next_position(&self, men: &[Track<'_>]) -> Option<u32> {
        let next = (0..MOST_MEN).filter_map(|man| self.next_move(men, man));
        next.map(|own| own.position).min()
    }

    /// One of the men moves or is captured at a position.
    #[inline]
    pub(super) fn come_to(&mut self, position: u32, start: u32) {
        let before = self.position.map_or(start, |last| last + 1);
        self.other_moves += position.saturating_sub(before);
        self.position = Some(position);
    }

    /// Makes the next move of both men, whatever it is, and returns its position. Castling may move both.
    pub(super) fn move_on(&mut self, men: &[Track<'_>]) -> Option<u32> {
        let position = self.next_position(men)?;
        for man in 0..MOST_MEN {
            if let Some(own) = self.next_move(men, man)
                && own.position == position
            {
                self.now[man] = own.to;
                self.next[man] += 1;
            }
        }
        Some(position)
    }

    /// The squares that a spot may be.
    #[inline]
    pub(super) fn squares(&self, spot: Spot) -> Bitboard {
        match spot {
            Spot::Variable(variable) => self.variables[variable],
            spot => self.square(spot).map_or(Bitboard::FULL, Bitboard::from_square),
        }
    }

    /// The square of a spot, if it is known.
    #[inline]
    pub(super) fn square(&self, spot: Spot) -> Option<Square> {
        match spot {
            Spot::Now(man) => Some(self.now[man]),
            Spot::First(man) => Some(self.first[man]),
            Spot::From => self.last.map(|(from, _)| from),
            Spot::To => self.last.map(|(_, to)| to),
            Spot::Variable(variable) => self.variables[variable].single_square(),
        }
    }

    #[inline]
    fn narrow(&mut self, spot: Spot, to: Bitboard) {
        if let Spot::Variable(variable) = spot {
            self.variables[variable] &= to;
        }
    }

    /// Whether three spots can lie on a line, the second between the others.
    fn may_be_a_line(&mut self, [a, b, c]: [Spot; 3]) -> bool {
        let narrowed = match [a, b, c].map(|spot| self.square(spot)) {
            [Some(a), Some(b), Some(c)] => return attacks::between(a, c).contains(b),
            [Some(a), None, Some(c)] => (b, attacks::between(a, c)),
            [Some(a), Some(b), None] => (c, beyond(a, b)),
            [None, Some(b), Some(c)] => (a, beyond(c, b)),
            _ => return true,
        };
        let (spot, squares) = narrowed;
        self.narrow(spot, squares);
        self.squares(spot).any()
    }
}

/// The number of a track; there are no more than 64 men.
fn number_of(index: usize) -> u8 {
    u8::try_from(index).unwrap_or(NOBODY)
}

/// The squares on the line from one square through another one, behind that.
fn beyond(from: Square, through: Square) -> Bitboard {
    // On a line, squares behind have higher numbers, or all have lower ones.
    let lower = Bitboard(bits::below(u32::from(through)));
    let higher = !lower.with(through);
    attacks::ray(from, through) & if from < through { higher } else { lower }
}

impl Check {
    /// The squares where the second man can stand when it holds, by those of its squares that are known to be the same then.
    pub(super) fn squares_of_second(&self, state: &State, is_known: &impl Fn(Spot) -> bool) -> Bitboard {
        let second = Spot::Now(1);
        let known = |spot| state.square(spot).filter(|_| is_known(spot));
        match self {
            Check::Same(spot, other) | Check::Same(other, spot) if *other == second && is_known(*spot) => {
                state.squares(*spot)
            }
            Check::Beside([spot, other] | [other, spot]) if *other == second => {
                known(*spot).map_or(Bitboard::FULL, attacks::king_attacks)
            }
            Check::Same(..) | Check::Apart(..) | Check::Beside(_) | Check::OtherMoves(_) => Bitboard::FULL,
            Check::Line(spots) => spots.windows(3).fold(Bitboard::FULL, |all, three| {
                let on_line = match *three {
                    [a, man, b] if man == second => known(a).zip(known(b)).map(|(a, b)| attacks::between(a, b)),
                    [man, a, b] | [b, a, man] if man == second => known(b).zip(known(a)).map(|(b, a)| beyond(b, a)),
                    _ => None,
                };
                on_line.map_or(all, |squares| all & squares)
            }),
            Check::All(parts) => parts.iter().fold(Bitboard::FULL, |all, part| {
                all & part.squares_of_second(state, is_known)
            }),
            Check::Any(parts) => parts.iter().fold(Bitboard::EMPTY, |all, part| {
                all | part.squares_of_second(state, is_known)
            }),
        }
    }

    /// Whether it can hold; variables are narrowed by it.
    pub(super) fn can_hold(&self, state: &mut State) -> bool {
        match self {
            Check::Same(a, b) => {
                let both = state.squares(*a) & state.squares(*b);
                state.narrow(*a, both);
                state.narrow(*b, both);
                both.any()
            }
            Check::Line(spots) => match spots[..] {
                [a, b] => match (state.square(a), state.square(b)) {
                    (Some(a), Some(b)) => attacks::ray(a, b).any(),
                    _ => true,
                },
                _ => spots
                    .windows(3)
                    .all(|three| state.may_be_a_line([three[0], three[1], three[2]])),
            },
            Check::Apart(spots, least) => match spots.map(|spot| state.square(spot)) {
                [Some(a), Some(b)] => attacks::between(a, b).count() >= *least,
                _ => true,
            },
            Check::Beside(spots) => match spots.map(|spot| state.square(spot)) {
                [Some(a), Some(b)] => attacks::king_attacks(a).contains(b),
                _ => true,
            },
            Check::OtherMoves(least) => state.position.is_none() || state.other_moves >= *least,
            Check::All(parts) => parts.iter().all(|part| part.can_hold(state)),
            Check::Any(parts) => {
                let variables = state.variables;
                parts.iter().any(|part| {
                    let can_hold = part.can_hold(state);
                    state.variables = variables;
                    can_hold
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_man_beside_another_one_stands_on_one_of_few_squares() {
        let check = Check::Beside([Spot::Now(0), Spot::Now(1)]);
        let mut state = State::at(Square::A1);
        let squares = |is_known: bool| check.squares_of_second(&state, &|_| is_known);
        assert_eq!(squares(true), attacks::king_attacks(Square::A1));
        assert_eq!(squares(false), Bitboard::FULL);
        for (square, expected) in [(Square::B2, true), (Square::C3, false), (Square::B3, false)] {
            state.now[1] = square;
            assert_eq!(check.can_hold(&mut state), expected, "{square}");
        }
    }

    #[test]
    fn moves_of_others_lie_between_those_of_the_men() {
        let mut state = State::at(Square::E4);
        let has = |state: &mut State, least| Check::OtherMoves(least).can_hold(state);
        // Nothing is known before anything has happened.
        assert!(has(&mut state, 1));
        for (position, others) in [(70, 0), (71, 0), (75, 3), (77, 4)] {
            state.come_to(position, 70);
            assert!(has(&mut state, others) && !has(&mut state, others + 1), "{position}");
        }
    }

    #[test]
    fn squares_behind_another_one_have_it_in_between() {
        for from in Square::ALL {
            for through in Square::ALL {
                let behind = Square::ALL.into_iter();
                let behind = behind.filter(|&to| attacks::between(from, to).contains(through));
                assert_eq!(beyond(from, through), behind.collect(), "{from} {through}");
            }
        }
    }
}
