//! Where an automaton accepts the positions of a game from one position on: found from the end of each game to its beginning.

use std::ops::Range;

use super::spans::GameMarks;
use crate::expr::{Automaton, Wanted};
use crate::positions::PositionSet;

impl Automaton {
    /// The positions from which on it accepts, given where each of its conditions holds.
    pub(super) fn pass(&self, conditions: &[PositionSet], marks: &GameMarks) -> PositionSet {
        let mut out = conditions[0].empty();
        let mut run = Run::of(self);
        for game in &marks.games {
            if self.may_begin(conditions, game) {
                run.game(conditions, game, |position| out.insert(position));
            }
        }
        out
    }

    /// Whether a game has a position that can be the first one.
    pub(super) fn may_begin(&self, conditions: &[PositionSet], game: &Range<u32>) -> bool {
        let mut first = self.first.iter().map(|&state| &conditions[self.conditions[state]]);
        first.any(|condition| condition.first_in(game.clone()).is_some())
    }
}

/// What an automaton needs at each position.
struct Run<'a> {
    automaton: &'a Automaton,
    /// By condition, a bit for each state that has it.
    states: Vec<u64>,
    /// A bit for each state that consumes the first position.
    first: u64,
    /// By state, a bit for each that can follow.
    follow: Vec<u64>,
    /// By position, counted from the end where the automaton runs to: from which states on it accepts.
    accepted: Vec<u64>,
    /// By position and state, how many positions the match from there on has.
    lengths: Vec<u32>,
}

fn bits_of(states: &[usize]) -> u64 {
    states.iter().fold(0, |all, state| all | 1 << state)
}

impl<'a> Run<'a> {
    fn of(automaton: &'a Automaton) -> Run<'a> {
        let conditions = automaton.conditions.iter().max().map_or(0, |most| most + 1);
        let mut states = vec![0; conditions];
        for (state, &condition) in automaton.conditions.iter().enumerate() {
            states[condition] |= 1 << state;
        }
        Run {
            states,
            first: bits_of(&automaton.first),
            follow: automaton.follow.iter().map(|states| bits_of(states)).collect(),
            accepted: Vec::new(),
            lengths: Vec::new(),
            automaton,
        }
    }

    /// Calls `found` with the positions of a game at which a match begins that is wanted.
    fn game(&mut self, conditions: &[PositionSet], game: &Range<u32>, mut found: impl FnMut(u32)) {
        let stride = self.automaton.stride as usize;
        self.accepted.clear();
        self.lengths.clear();
        for place in 0..game.end - game.start {
            let position = match self.automaton.backward {
                true => game.start + place,
                false => game.end - 1 - place,
            };
            let holds = std::iter::zip(&self.states, conditions);
            let states = holds
                .filter(|(_, positions)| positions.contains(position))
                .fold(0, |all, (states, _)| all | states);
            let place = self.accepted.len();
            let next = place.checked_sub(stride).map_or(0, |place| self.accepted[place]);
            let mut accepted = 0;
            for state in bits::ones(states) {
                let goes_on = self.follow[state as usize] & next != 0;
                if goes_on || self.automaton.accepts >> state & 1 != 0 {
                    accepted |= 1 << state;
                }
            }
            self.accepted.push(accepted);
            if self.is_wanted(place, accepted) {
                found(position);
            }
        }
    }

    /// Whether a wanted match begins at a place, the last one, where the automaton accepts from these states on.
    fn is_wanted(&mut self, place: usize, accepted: u64) -> bool {
        let (is_first, range) = match &self.automaton.wanted {
            Wanted::Any => return accepted & self.first != 0,
            Wanted::Longest(range) => (false, range),
            Wanted::First(range) => (true, range),
        };
        let width = self.automaton.conditions.len();
        let next = place.checked_sub(self.automaton.stride as usize);
        self.lengths.resize((place + 1) * width, 0);
        // Of the states at a place that are tested in turn, the one that counts.
        let choose = |lengths: &[u32], states: &[usize]| {
            let mut lengths = states.iter().map(|&state| lengths[state]).filter(|&length| length > 0);
            match is_first {
                true => lengths.next(),
                false => lengths.max(),
            }
        };
        let (before, here) = self.lengths.split_at_mut(place * width);
        for state in bits::ones(accepted) {
            let may_end = self.automaton.accepts >> state & 1 != 0;
            let further = match next {
                Some(next) if !(is_first && may_end) => {
                    choose(&before[next * width..][..width], &self.automaton.follow[state as usize])
                }
                _ => None,
            };
            here[state as usize] = further.map_or(1, |length| length + 1);
        }
        choose(here, &self.automaton.first).is_some_and(|length| range.contains(&length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a* b` over twelve positions: a where the bit of the first number is set, b where that of the second is.
    fn found(wanted: Wanted, backward: bool, [a, b]: [u16; 2]) -> Vec<u32> {
        let automaton = Automaton {
            conditions: vec![0, 1],
            first: vec![1, 0],
            follow: vec![vec![1, 0], vec![]],
            accepts: 0b10,
            backward,
            stride: 1,
            wanted,
        };
        let range = 0..12;
        let conditions = [a, b].map(|bits| {
            let mut set = PositionSet::new(&range);
            range
                .clone()
                .filter(|bit| bits >> bit & 1 != 0)
                .for_each(|bit| set.insert(bit));
            set
        });
        let mut found = Vec::new();
        Run::of(&automaton).game(&conditions, &range, |position| found.push(position));
        found.sort_unstable();
        found
    }

    #[test]
    fn a_repetition_goes_on_to_what_is_behind_it() {
        let bits = [0b0000_1101_1100, 0b0010_0010_0000];
        assert_eq!(found(Wanted::Any, false, bits), [2, 3, 4, 5, 9]);
        assert_eq!(found(Wanted::Any, true, bits), [5, 6, 7, 9]);
    }

    #[test]
    fn the_longest_and_the_first_match_are_told_apart() {
        // A match can end at 1 or at 3.
        let bits = [0b0111, 0b1010];
        assert_eq!(found(Wanted::Longest(4..=4), false, bits), [0]);
        assert_eq!(found(Wanted::Longest(1..=3), false, bits), [1, 2, 3]);
        assert_eq!(found(Wanted::First(2..=2), false, bits), [0, 2]);
        assert_eq!(found(Wanted::First(1..=1), false, bits), [1, 3]);
    }
}
