//! Finds games that are already in the database or came earlier in the same run.
//!
//! Which of two equal games is the duplicate depends on their order, but several threads read games. So the pieces of
//! text are compared in order: each waits for its turn.

use std::{
    collections::HashMap,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use storage::Snapshot;

use crate::error::Result;

/// All games so far, by identity.
pub(crate) struct Duplicates {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// The number of the first game with an identity, from 1.
    numbers: HashMap<u64, u64>,
    /// The number of the next game.
    next_game: u64,
    /// The piece of text whose turn it is.
    turn: u64,
    is_stopped: bool,
}

impl Duplicates {
    /// Starts with the games of a database, without the removed ones.
    pub(crate) fn new(snapshot: &Snapshot) -> Result<Duplicates> {
        let mut numbers = HashMap::with_capacity(usize::try_from(snapshot.games()).unwrap_or(0));
        for (index, meta) in snapshot.segments().iter().enumerate() {
            let segment = snapshot.segment(index);
            for (game, identity) in (0..).zip(segment.identities()?) {
                if !segment.is_removed(game) {
                    numbers.entry(identity).or_insert(meta.first_game + u64::from(game) + 1);
                }
            }
        }
        Ok(Duplicates {
            state: Mutex::new(State {
                numbers,
                next_game: snapshot.last_number() + 1,
                turn: 0,
                is_stopped: false,
            }),
            changed: Condvar::new(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns, for each game of a piece of text, the number of the earlier game that it repeats. Waits for all earlier
    /// pieces first. Returns `None` if the run was stopped.
    pub(crate) fn find(&self, piece: u64, identities: &[u64]) -> Option<Vec<Option<u64>>> {
        let mut state = self.state();
        while !state.is_stopped && state.turn != piece {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_stopped {
            return None;
        }
        let State { numbers, next_game, .. } = &mut *state;
        let found = identities.iter().map(|&identity| {
            let number = *numbers.entry(identity).or_insert(*next_game);
            if number == *next_game {
                *next_game += 1;
                None
            } else {
                Some(number)
            }
        });
        let found = found.collect();
        state.turn += 1;
        self.changed.notify_all();
        Some(found)
    }

    /// Releases the waiting threads.
    pub(crate) fn stop(&self) {
        self.state().is_stopped = true;
        self.changed.notify_all();
    }
}
