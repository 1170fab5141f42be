//! Plays a maneuver through from each move of its first man.

use std::cell::Cell;
use std::sync::OnceLock;

use language::hir::ManSet;
use shakmaty::{Bitboard, Role};

use super::by_first_move::ByFirstMove;
use super::needs::{
    FirstMove, Later, MOST_LATER, always_joins, can_be_same, first_moves, is_captured, later_checks, needed_kinds,
    visited_when_set, visits,
};
use super::standing::Standing;
use super::state::{NOBODY, State};
use super::visitors::{Others, Visitors};
use super::{Action, Check, MOST_MEN, Maneuver, Spot};
use crate::expr::move_pattern::MovePattern;
use crate::expr::tracks::{OwnMove, Track};

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
    /// The moves of the first man that it begins with, whatever happens.
    first: Vec<FirstMove>,
    /// Whether the second man has to come to where one of them leads.
    is_for_two: bool,
    /// Whether a second man is chosen, whatever happens.
    always_joins: bool,
    /// By man, the kinds of moves that it makes whatever happens.
    needed: [u64; MOST_MEN],
    /// By man, whether it is captured whatever happens.
    captured: [bool; MOST_MEN],
    /// The men that have to come to a square after the beginning.
    visits: Vec<(usize, Spot)>,
    /// The variables to whose squares the second man has to come, which is known when they are set.
    visited_when_set: Vec<usize>,
    /// Whether the second man may be the first one.
    may_be_same: bool,
    /// What has to hold behind the choice of the second man; the first one does not move any more if there is something.
    later: Vec<Later>,
    /// What the first move says of the second man, once it was asked.
    by_first_move: OnceLock<Option<ByFirstMove>>,
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
        let visited_when_set = visited_when_set(&maneuver.actions, &visits);
        let first = first_moves(&maneuver.actions, &kinds, &visited_when_set);
        NumberedManeuver {
            number,
            is_for_two: first.iter().any(|first| first.is_for_two),
            first,
            always_joins: always_joins(&maneuver.actions),
            needed: match maneuver.counts_captures {
                // A man may have captured the other one.
                true => [0; MOST_MEN],
                false => [0, 1].map(|man| needed_kinds(&maneuver.actions, &kinds, man)),
            },
            captured: [0, 1].map(|man| is_captured(&maneuver.actions, man)),
            kinds,
            may_be_same: maneuver.may_be_same && can_be_same(&maneuver.actions),
            visited_when_set,
            visits,
            later: later_checks(&maneuver.actions),
            by_first_move: OnceLock::new(),
            maneuver: maneuver.clone(),
        }
    }

    /// What its men are where it begins.
    pub(in crate::expr) fn men(&self) -> ManSet {
        self.maneuver.men.iter().fold(ManSet::NONE, |all, &men| all | men)
    }

    /// Whether there are men among these that make all the moves that have to be made, as far as their kinds tell.
    pub(in crate::expr) fn has_men(&self, men: &[Track<'_>]) -> bool {
        let mut firsts = self.tracks_of(0, men);
        firsts.any(|(_, track)| self.makes_all(0, track)) && (!self.always_joins || self.seconds(men) != 0)
    }

    /// Calls `found` with the positions, from one to another, where the maneuver can begin in a game with these men; `order` are
    /// the numbers of those that move, `start` and `last` its first and its last position.
    pub(in crate::expr) fn each(
        &self,
        men: &[Track<'_>],
        order: &[u8],
        (start, last): (u32, u32),
        mut found: impl FnMut(u32, u32),
    ) {
        if self.maneuver.waits {
            return self.each_waiting(men, (start, last), found);
        }
        let firsts = self.tracks_of(0, men).filter(|(_, track)| self.makes_all(0, track));
        let firsts = firsts.fold(0u64, |all, (index, _)| all | 1 << index);
        let seconds = self.seconds(men);
        let by_first_move = self.by_first_move();
        let visitors = self.visitors(men, seconds);
        let mut standing = Standing::at_start();
        for &index in order {
            let index = usize::from(index);
            let next = standing.move_on(index);
            if firsts >> index & 1 == 0 {
                continue;
            }
            let track = &men[index];
            let moves = &track.moves[next..];
            let others = visitors.others_than(index);
            let can_begin = match track.castles {
                true => self.can_begin(moves, others),
                false => self.can_begin_without_castling(moves, others),
            };
            if !can_begin || !self.maneuver.men[0].contains(track.man_before(next)) {
                continue;
            }
            let own = &moves[0];
            if !self.is_move(own) {
                continue;
            }
            let mut seconds = seconds;
            if let Some(by_first_move) = by_first_move
                && !own.castles
            {
                let followers = by_first_move.that_can_follow(track.square_before(next), own.to, others);
                if followers.is_nobody() {
                    continue;
                }
                seconds = followers.numbers();
            }
            // It is never copied: it was written in small parts, and to read these as one takes long.
            let mut state = State::of(track, index, next);
            let run = || Run {
                numbered: self,
                men,
                start: own.position,
                seconds,
                others,
                standing: &standing,
                actions_left: Cell::new(MOST_ACTIONS),
            };
            if self.visits_all(0, own.ahead, &state) && run().goes_on(&mut state) {
                found(own.position, own.position);
            }
        }
    }

    /// The men, with their numbers, that are ever what one of the maneuver is.
    fn tracks_of<'t>(
        &self,
        man: usize,
        men: &'t [Track<'t>],
    ) -> impl Iterator<Item = (usize, &'t Track<'t>)> + use<'t> {
        let wanted = self.maneuver.men[man];
        let tracks = men.iter().enumerate();
        tracks.filter(move |(_, track)| track.ever.intersection(wanted) != ManSet::NONE)
    }

    /// Those that may be the second man, a bit for each by its number.
    fn seconds(&self, men: &[Track<'_>]) -> u64 {
        if self.maneuver.men.len() < MOST_MEN {
            return 0;
        }
        let all = self.tracks_of(1, men).filter(|(_, track)| self.makes_all(1, track));
        all.fold(0, |all, (index, _)| all | 1 << index)
    }

    /// Where those that may be the second man come, as far as that is of interest.
    fn visitors(&self, men: &[Track<'_>], seconds: u64) -> Visitors {
        let is_of_interest = !self.visited_when_set.is_empty() || self.by_first_move().is_some();
        match is_of_interest && !self.may_be_same {
            true => Visitors::of(men, seconds),
            false => Visitors::everywhere(),
        }
    }

    /// What the first move says of the second man.
    #[inline]
    fn by_first_move(&self) -> Option<&ByFirstMove> {
        let find = || {
            // One that the first man captures is not known to come anywhere.
            let visits = match self.maneuver.counts_captures {
                true => &[],
                false => &self.visits[..],
            };
            let found = || ByFirstMove::of(&self.maneuver.actions, &self.later, visits);
            (!self.may_be_same).then(found).flatten()
        };
        self.by_first_move.get_or_init(find).as_ref()
    }

    /// Whether what a man does is a move of it: castling may be one of the king alone.
    #[inline]
    fn is_move(&self, own: &OwnMove) -> bool {
        !own.castles || self.maneuver.castling_counts || own.man.role() == Some(Role::King)
    }

    /// Whether the next moves of the first man are those that it has to make first, as far as they are known.
    #[inline]
    fn can_begin(&self, next: &[OwnMove], mut others: Others<'_>) -> bool {
        for (at, first) in self.first.iter().enumerate() {
            match next.get(at) {
                None => return false,
                // It may or may not count.
                Some(own) if own.castles => return true,
                Some(own) if own.kinds >> first.kind & 1 == 0 => return false,
                Some(own) if first.is_for_two => {
                    others = others.that_come_to(own.to);
                    if others.is_nobody() {
                        return false;
                    }
                }
                Some(_) => {}
            }
        }
        true
    }

    /// The same where the man never castles. There is nothing to foresee here: most moves are of some of the kinds.
    #[inline]
    fn can_begin_without_castling(&self, next: &[OwnMove], others: Others<'_>) -> bool {
        let Some(next) = next.get(..self.first.len()) else {
            return false;
        };
        let (mut are_of_kinds, mut seconds) = (1, others);
        for (first, own) in self.first.iter().zip(next) {
            are_of_kinds &= own.kinds >> first.kind;
            seconds = seconds.that_come_to_if(own.to, first.is_for_two);
        }
        are_of_kinds & 1 != 0 && (!seconds.is_nobody() || !self.is_for_two)
    }

    /// Whether a man makes moves of all kinds that it has to make, and is captured if it has to be.
    #[inline]
    fn makes_all(&self, man: usize, track: &Track) -> bool {
        track.made & self.needed[man] == self.needed[man] && (!self.captured[man] || track.captured.is_some())
    }

    fn each_waiting(&self, men: &[Track<'_>], (start, last): (u32, u32), mut found: impl FnMut(u32, u32)) {
        let [one, other] = self.maneuver.men[..] else { return };
        // Both men are chosen already.
        let (visitors, standing) = (Visitors::everywhere(), Standing::at_start());
        let run = Run {
            numbered: self,
            men,
            start: 0,
            seconds: 0,
            others: visitors.others_than(0),
            standing: &standing,
            actions_left: Cell::new(MOST_ACTIONS),
        };
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
                        && run.comes_about(state)
                    {
                        found(begin, state.next_position(men).unwrap_or(last));
                    }
                    let Some(position) = state.move_on(men) else { break };
                    (state.first, begin) = (state.now, position + 1);
                }
            }
        }
    }

    /// The squares that are known to which the second man has to come.
    fn to_visit(&self, state: &State) -> Bitboard {
        let visits = self.visits.iter().filter(|(man, spot)| *man == 1 && !spot.is_about(1));
        visits.filter_map(|&(_, spot)| state.square(spot)).collect()
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
    men: &'r [Track<'r>],
    start: u32,
    /// Those that may be the second man, a bit for each by its number.
    seconds: u64,
    others: Others<'r>,
    /// The men at that position.
    standing: &'r Standing,
    actions_left: Cell<u32>,
}

impl<'r> Run<'r> {
    /// Whether all that is asked can hold after some moves of the men.
    fn comes_about(&self, mut state: State) -> bool {
        self.actions_left.set(MOST_ACTIONS);
        loop {
            if self.goes_on(&mut { state }) {
                return true;
            }
            if state.move_on(self.men).is_none() {
                return false;
            }
        }
    }

    /// Whether the rest of the maneuver can follow.
    fn goes_on(&self, state: &mut State) -> bool {
        let maneuver = &self.numbered.maneuver;
        while let Some(action) = maneuver.actions.get(state.at) {
            match self.actions_left.get() {
                0 => return true,
                left => self.actions_left.set(left - 1),
            }
            let number = state.at;
            state.at += 1;
            match action {
                Action::Move { man, to, .. } => match self.moves(state, *man, self.numbered.kinds[number]) {
                    // Castling moves two men at once.
                    Moved::Both => return true,
                    Moved::No => return false,
                    Moved::Yes => {
                        if to.is_some_and(|to| !Check::Same(to, Spot::To).can_hold(state)) {
                            return false;
                        }
                    }
                },
                Action::Captured(man) => match self.is_captured(state, *man) {
                    Moved::Both => return true,
                    Moved::No => return false,
                    Moved::Yes => {}
                },
                Action::Test(check) => {
                    if !check.can_hold(state) {
                        return false;
                    }
                }
                Action::Set(variable, spot) => {
                    let squares = state.squares(*spot);
                    state.variables[*variable] = squares;
                    if self.numbered.visited_when_set.contains(variable) && !self.others.come_to(squares) {
                        return false;
                    }
                }
                Action::Goto(at) => state.at = *at,
                Action::Either(one, other) => {
                    if self.goes_on(&mut State { at: *one, ..*state }) {
                        return true;
                    }
                    state.at = *other;
                }
                Action::Join => return self.joins(state),
                Action::JoinAnyTime => return self.joins_any_time(state),
            }
        }
        true
    }

    /// Whether the rest can follow with some man as the second one.
    fn joins(&self, state: &State) -> bool {
        let NumberedManeuver {
            maneuver,
            may_be_same,
            later,
            ..
        } = self.numbered;
        let last = state.position.unwrap_or(self.start);
        // Where it has to come, as far as that is known.
        let mut ways = [Bitboard::FULL; MOST_LATER];
        for (way, later) in ways.iter_mut().zip(later) {
            *way = later.squares(state);
            if way.is_empty() && !may_be_same {
                return false;
            }
        }
        let wanted = self.numbered.to_visit(state);
        bits::ones(self.seconds).any(|index| {
            let index = index as usize;
            let track = &self.men[index];
            let is_first = index == usize::from(state.tracks[0]);
            let next = self.standing.next(track, index, self.start);
            let ahead = track.ahead(next);
            // Most do not come there.
            let comes_there = || {
                let from = track.square_before(next);
                let mut ways = later.iter().zip(ways);
                ahead.is_superset(wanted) && ways.all(|(later, way)| (later.reached(from, ahead) & way).any())
            };
            let may_be_this_one = match is_first {
                true => *may_be_same,
                false => comes_there(),
            };
            if !may_be_this_one {
                return false;
            }
            if !track.is_there(self.start) || !maneuver.men[1].contains(track.man_before(next)) {
                return false;
            }
            if self.was_captured(track, state) {
                return true;
            }
            let mut with = state.with_second(track, index, next);
            with.counts = 3;
            if is_first {
                (with.next[1], with.now[1]) = (state.next[0], state.now[0]);
                return self.goes_on(&mut with);
            }
            match track.moves.get(next) {
                // It has moved in between, or castled with the first one.
                Some(own) if own.position <= last => {
                    let first = self.men[usize::from(state.tracks[0])].moves.iter();
                    let may_castle = own.castles && !maneuver.castling_counts;
                    own.position == last
                        || may_castle
                        || own.castles && first.map(|own| own.position).any(|at| at == own.position)
                }
                _ => self.numbered.visits_all(1, ahead, &with) && self.goes_on(&mut with),
            }
        })
    }

    /// Whether a man was captured since the beginning, if that counts: by the first one, or the moves so far are none.
    fn was_captured(&self, track: &Track<'_>, state: &State) -> bool {
        let last = state.last.and(state.position);
        self.numbered.maneuver.counts_captures
            && track
                .captured
                .zip(last)
                .is_some_and(|(captured, last)| captured <= last)
    }

    /// The same where the second one comes in later.
    fn joins_any_time(&self, state: &State) -> bool {
        let NumberedManeuver {
            maneuver, may_be_same, ..
        } = self.numbered;
        // Where its first move has to lead, as far as that is known.
        let to = match maneuver.actions.get(state.at) {
            Some(Action::Move { to: Some(spot), .. }) if !spot.is_about(1) => state.squares(*spot),
            _ => Bitboard::FULL,
        };
        let wanted = self.numbered.to_visit(state);
        bits::ones(self.seconds).any(|index| {
            let index = index as usize;
            let track = &self.men[index];
            // Most never come there.
            if !track.visited().is_superset(wanted) || index == usize::from(state.tracks[0]) && !may_be_same {
                return false;
            }
            let first = self.standing.next(track, index, self.start);
            let with = state.with_second(track, index, first);
            if !self.numbered.visits_all(1, track.ahead(first), &with) {
                return false;
            }
            (first..track.moves.len()).any(|next| {
                let own = &track.moves[next];
                (to.contains(own.to) || own.castles)
                    && maneuver.men[1].contains(track.man_before(next))
                    && self.goes_on(&mut State {
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
        let (mover, own) = loop {
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
            if self.numbered.is_move(own) {
                break (mover, own);
            }
            state.put(mover, own.to, is_one);
        };
        if man.is_some_and(|man| man != mover) || own.kinds >> kind & 1 == 0 {
            return Moved::No;
        }
        state.last = Some((state.now[mover], own.to));
        state.come_to(own.position, self.start);
        state.put(mover, own.to, is_one);
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
            // Both may be one.
            _ if state.tracks[captured] != state.tracks[man] => Moved::No,
            _ => {
                state.gone |= 1 << captured | 1 << man;
                // Who captured it is not known.
                state.last = None;
                state.come_to(position, self.start);
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
