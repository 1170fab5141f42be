//! Plays a maneuver through from each move of its first man.

use std::cell::Cell;

use language::hir::ManSet;
use shakmaty::Bitboard;

use super::needs::{Later, later_checks, needed_kinds, visited_when_set, visits};
use super::state::{NOBODY, State};
use super::{Action, Check, MOST_MEN, Maneuver, Spot};
use crate::expr::move_table::MovePattern;
use crate::expr::tracks::Track;

/// A try from one position is given up after this many actions, and the maneuver counts as possible there.
const MOST_ACTIONS: u32 = 2_000;

/// A maneuver whose kinds of moves have numbers.
#[derive(Debug)]
pub(in crate::expr) struct NumberedManeuver {
    /// The number of the condition.
    pub(in crate::expr) number: usize,
    maneuver: Maneuver,
    /// By action, the kind of move, if it is one.
    kinds: Vec<usize>,
    /// The kind of the first move of the first man, if it begins with that.
    first: Option<usize>,
    /// By man, the kinds of moves that it makes whatever happens.
    needed: [u64; MOST_MEN],
    /// The men that have to come to a square after the beginning.
    visits: Vec<(usize, Spot)>,
    /// The variables to whose squares the second man has to come, which is known when they are set.
    visited_when_set: Vec<usize>,
    /// What has to hold behind the choice of the second man; the first one does not move any more if there is something.
    later: Later,
}

impl NumberedManeuver {
    pub(in crate::expr) fn of(
        number: usize,
        maneuver: &Maneuver,
        kind_of: &mut impl FnMut(&MovePattern) -> usize,
    ) -> Self {
        let kinds = maneuver.actions.iter().map(|action| match action {
            Action::Move { pattern, .. } => kind_of(pattern),
            _ => 0,
        });
        let kinds: Vec<usize> = kinds.collect();
        let visits = visits(&maneuver.actions);
        NumberedManeuver {
            number,
            first: match maneuver.actions.first() {
                Some(Action::Move { man: Some(0), .. }) => Some(kinds[0]),
                _ => None,
            },
            needed: match maneuver.counts_captures {
                // A man may have captured the other one.
                true => [0; MOST_MEN],
                false => [0, 1].map(|man| needed_kinds(&maneuver.actions, &kinds, man)),
            },
            kinds,
            visited_when_set: visited_when_set(&maneuver.actions, &visits),
            visits,
            later: later_checks(&maneuver.actions),
            maneuver: maneuver.clone(),
        }
    }

    /// What its men are where it begins.
    pub(in crate::expr) fn men(&self) -> ManSet {
        self.maneuver.men.iter().fold(ManSet::NONE, |all, &men| all | men)
    }

    /// Calls `found` with the positions, from one to another, where the maneuver can begin in a game with these men; `start` and
    /// `last` are its first and its last position.
    pub(in crate::expr) fn each(&self, men: &[Track], (start, last): (u32, u32), mut found: impl FnMut(u32, u32)) {
        if self.maneuver.waits {
            return self.each_waiting(men, (start, last), found);
        }
        let shared = self.squares_for_two(men);
        for (index, track) in self.tracks_of(0, men) {
            if !self.makes_all(0, track) {
                continue;
            }
            for (next, own) in track.moves.iter().enumerate() {
                if self.first.is_some_and(|kind| own.kinds >> kind & 1 == 0)
                    || !self.maneuver.men[0].contains(track.man_before(next))
                {
                    continue;
                }
                let state = State::of(track, index, next);
                if self.visits_all(0, own.ahead, &state) && Run::of(self, men, own.position, shared).goes_on(state) {
                    found(own.position, own.position);
                }
            }
        }
    }

    /// The men, with their numbers, that are ever what one of the maneuver is.
    fn tracks_of<'t>(&self, man: usize, men: &'t [Track]) -> impl Iterator<Item = (usize, &'t Track)> + use<'t> {
        let wanted = self.maneuver.men[man];
        let tracks = men.iter().enumerate();
        tracks.filter(move |(_, track)| track.ever.intersection(wanted) != ManSet::NONE)
    }

    /// Whether a man makes moves of all kinds that it has to make.
    #[inline]
    fn makes_all(&self, man: usize, track: &Track) -> bool {
        track.made & self.needed[man] == self.needed[man]
    }

    /// The squares to which both men may come, as far as that is of interest.
    fn squares_for_two(&self, men: &[Track]) -> Bitboard {
        if self.visited_when_set.is_empty() || self.maneuver.may_be_same {
            return Bitboard::FULL;
        }
        let (mut once, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for track in men {
            twice |= once & track.visited;
            once |= track.visited;
        }
        twice
    }

    fn each_waiting(&self, men: &[Track], (start, last): (u32, u32), mut found: impl FnMut(u32, u32)) {
        let [one, other] = self.maneuver.men[..] else { return };
        for (first, a) in self.tracks_of(0, men) {
            for (second, b) in self.tracks_of(1, men) {
                if first == second {
                    continue;
                }
                let state = State::of(a, first, 0).with_second(b, second, 0);
                let (mut state, mut begin) = (State { counts: 3, ..state }, start);
                loop {
                    let [a_next, b_next] = state.next;
                    let are_they = one.contains(a.man_before(a_next)) && other.contains(b.man_before(b_next));
                    if are_they
                        && a.is_there(begin)
                        && b.is_there(begin)
                        && self.visits_all(0, a.ahead(a_next), &state)
                        && self.visits_all(1, b.ahead(b_next), &state)
                        && self.comes_about(men, state)
                    {
                        found(begin, state.next_position(men).unwrap_or(last));
                    }
                    let Some(position) = state.move_on(men) else { break };
                    (state.first, begin) = (state.now, position + 1);
                }
            }
        }
    }

    /// Whether all that is asked can hold after some moves of the men.
    fn comes_about(&self, men: &[Track], mut state: State) -> bool {
        let run = Run::of(self, men, 0, Bitboard::FULL);
        loop {
            if run.goes_on(state) {
                return true;
            }
            if state.move_on(men).is_none() {
                return false;
            }
        }
    }

    /// The squares that are known to which a man has to come.
    fn to_visit(&self, man: usize, state: &State) -> Bitboard {
        let visits = self
            .visits
            .iter()
            .filter(|(visitor, spot)| *visitor == man && !(spot.is_about(1) && state.tracks[1] == NOBODY));
        let squares = visits.filter_map(|&(_, spot)| state.square(spot));
        squares.collect()
    }

    /// Whether a man that comes to some squares comes to all to which it has to come, as far as these are known.
    #[inline]
    fn visits_all(&self, man: usize, ahead: Bitboard, state: &State) -> bool {
        self.visits.iter().all(|&(visitor, spot)| {
            visitor != man || spot.is_about(1) && state.tracks[1] == NOBODY || (ahead & state.squares(spot)).any()
        })
    }
}

/// One try from one position.
struct Run<'r> {
    numbered: &'r NumberedManeuver,
    men: &'r [Track],
    start: u32,
    /// The squares to which both men may come.
    shared: Bitboard,
    actions_left: Cell<u32>,
}

impl<'r> Run<'r> {
    fn of(numbered: &'r NumberedManeuver, men: &'r [Track], start: u32, shared: Bitboard) -> Run<'r> {
        Run {
            numbered,
            men,
            start,
            shared,
            actions_left: Cell::new(MOST_ACTIONS),
        }
    }

    /// Whether the rest of the maneuver can follow.
    fn goes_on(&self, mut state: State) -> bool {
        let maneuver = &self.numbered.maneuver;
        while let Some(action) = maneuver.actions.get(state.at) {
            match self.actions_left.get() {
                0 => return true,
                left => self.actions_left.set(left - 1),
            }
            let number = state.at;
            state.at += 1;
            match action {
                Action::Move { man, to, .. } => match self.moves(&mut state, *man, self.numbered.kinds[number]) {
                    // Castling moves two men at once.
                    Moved::Both => return true,
                    Moved::No => return false,
                    Moved::Yes => {
                        if to.is_some_and(|to| !Check::Same(to, Spot::To).can_hold(&mut state)) {
                            return false;
                        }
                    }
                },
                Action::Captured(man) => match self.is_captured(&mut state, *man) {
                    Moved::Both => return true,
                    Moved::No => return false,
                    Moved::Yes => {}
                },
                Action::Test(check) => {
                    if !check.can_hold(&mut state) {
                        return false;
                    }
                }
                Action::Set(variable, spot) => {
                    let squares = state.squares(*spot);
                    state.variables[*variable] = squares;
                    if self.numbered.visited_when_set.contains(variable) && (squares & self.shared).is_empty() {
                        return false;
                    }
                }
                Action::Goto(at) => state.at = *at,
                Action::Either(one, other) => {
                    if self.goes_on(State { at: *one, ..state }) {
                        return true;
                    }
                    state.at = *other;
                }
                Action::Join => return self.joins(&state),
                Action::JoinAnyTime => return self.joins_any_time(&state),
            }
        }
        true
    }

    /// Whether the rest can follow with some man as the second one.
    fn joins(&self, state: &State) -> bool {
        let NumberedManeuver { maneuver, .. } = self.numbered;
        let (last, ..) = state.last.unwrap_or((self.start, state.now[0], state.now[0]));
        // Where it has to come, as far as that is known.
        let Later { checks, moves_before } = &self.numbered.later;
        let checks = checks.iter();
        let way = checks.fold(Bitboard::FULL, |all, check| all & check.squares_of_second(state));
        if way.is_empty() && !maneuver.may_be_same {
            return false;
        }
        let wanted = self.numbered.to_visit(1, state);
        self.numbered.tracks_of(1, self.men).any(|(index, track)| {
            let is_first = index == usize::from(state.tracks[0]);
            // Most never come there.
            let begin = |square| match moves_before {
                true => Bitboard::EMPTY,
                false => Bitboard::from_square(square),
            };
            let squares = track.visited | begin(track.square);
            if !self.numbered.makes_all(1, track) {
                return false;
            }
            if !is_first && (!track.visited.is_superset(wanted) || (squares & way).is_empty()) {
                return false;
            }
            let next = track.moves.partition_point(|own| own.position < self.start);
            if is_first && !maneuver.may_be_same
                || !track.is_there(self.start)
                || !maneuver.men[1].contains(track.man_before(next))
            {
                return false;
            }
            let mut with = state.with_second(track, index, next);
            with.counts = 3;
            if is_first {
                (with.next[1], with.now[1]) = (state.next[0], state.now[0]);
                return self.goes_on(with);
            }
            match track.moves.get(next) {
                // It has moved in between, or castled with the first one.
                Some(own) if own.position <= last => own.position == last,
                _ => {
                    let ahead = track.ahead(next);
                    ((ahead | begin(with.now[1])) & way).any()
                        && self.numbered.visits_all(1, ahead, &with)
                        && self.goes_on(with)
                }
            }
        })
    }

    /// The same where the second one comes in later.
    fn joins_any_time(&self, state: &State) -> bool {
        let NumberedManeuver { maneuver, .. } = self.numbered;
        let wanted = self.numbered.to_visit(1, state);
        self.men.iter().enumerate().any(|(index, track)| {
            // Most never come there.
            if !track.visited.is_superset(wanted) || index == usize::from(state.tracks[0]) && !maneuver.may_be_same {
                return false;
            }
            let next = track.moves.partition_point(|own| own.position < self.start);
            let with = state.with_second(track, index, next);
            if !self.numbered.visits_all(1, track.ahead(next), &with) {
                return false;
            }
            (next..track.moves.len()).any(|next| {
                maneuver.men[1].contains(track.man_before(next))
                    && self.goes_on(State {
                        counts: 2,
                        ..state.with_second(track, index, next)
                    })
            })
        })
    }

    /// Makes the next move of the men that count.
    #[inline]
    fn moves(&self, state: &mut State, man: Option<usize>, kind: usize) -> Moved {
        let is_one = state.tracks[0] == state.tracks[1];
        let next = |man: usize| match state.counts >> man & 1 {
            0 => None,
            _ => state.next_move(self.men, man),
        };
        let (mover, own) = match (next(0), next(1)) {
            (Some(own), Some(_)) if is_one => (man.unwrap_or(0), own),
            (Some(a), Some(b)) if a.position == b.position => return Moved::Both,
            (Some(a), Some(b)) if a.position > b.position => (1, b),
            (Some(own), _) => (0, own),
            (None, Some(own)) => (1, own),
            (None, None) => return self.without_moves(state, man),
        };
        if let Some((_, position)) = self.next_captured(state)
            && position <= own.position
        {
            // A man that counts may have captured the other one, and who captures a man may be anyone.
            return match position == own.position || man.is_none() {
                true => Moved::Both,
                false => Moved::No,
            };
        }
        if own.castles && !self.numbered.maneuver.castling_counts {
            return Moved::Both;
        }
        if man.is_some_and(|man| man != mover) || own.kinds >> kind & 1 == 0 {
            return Moved::No;
        }
        state.last = Some((own.position, state.now[mover], own.to));
        for man in 0..MOST_MEN {
            if man == mover || is_one {
                state.now[man] = own.to;
                state.next[man] += 1;
            }
        }
        Moved::Yes
    }

    /// What becomes of a move where none of the men moves any more: one of them may be captured by anyone.
    fn without_moves(&self, state: &State, man: Option<usize>) -> Moved {
        match man.is_none() && self.next_captured(state).is_some() {
            true => Moved::Both,
            false => Moved::No,
        }
    }

    /// The man that is captured next, and when, if that counts.
    #[inline]
    fn next_captured(&self, state: &State) -> Option<(usize, u32)> {
        if !self.numbered.maneuver.counts_captures {
            return None;
        }
        let men = (0..MOST_MEN).filter(|man| (state.counts & !state.gone) >> man & 1 != 0);
        let captured = men.filter_map(|man| Some((man, self.men[usize::from(state.tracks[man])].captured?)));
        captured.min_by_key(|&(_, position)| position)
    }

    /// Whether a man is captured before one of them moves.
    fn is_captured(&self, state: &mut State, man: usize) -> Moved {
        let Some((captured, position)) = self.next_captured(state) else {
            return Moved::No;
        };
        let next = (0..MOST_MEN).filter(|man| state.counts >> man & 1 != 0);
        let moves = next.filter_map(|man| state.next_move(self.men, man));
        match moves.map(|own| own.position).min() {
            Some(next) if next < position => Moved::No,
            Some(next) if next == position => Moved::Both,
            _ if captured != man => Moved::No,
            _ => {
                state.gone |= 1 << man;
                // Who captured it is not known.
                state.last = None;
                Moved::Yes
            }
        }
    }
}

/// What became of a move.
enum Moved {
    Yes,
    No,
    /// Two men moved at once.
    Both,
}
