//! What is known of a `line` whose tests leave nothing behind (see `filters/line/longest.rs`).

use std::collections::HashMap;
use std::sync::Arc;

use crate::sequence::{Memory, Program};

/// Up to this many entries a table is an array; entries beyond it are in a hash table.
const DENSE: usize = 1 << 20;
/// How many entries the hash table may have before all of them are forgotten.
const SPARSE: usize = 1 << 20;

/// How many states may be known, and how many of them may follow others: with more, all ways of a line are tried one by
/// one, which takes little memory.
const STATES: usize = 1 << 18;
const FOLLOWING: usize = 1 << 22;

/// A test of the line, with its counters.
#[derive(Debug)]
struct State {
    pc: usize,
    registers: Box<[u64]>,
    next: Option<Next>,
}

/// What may follow a test that matches.
#[derive(Clone, Debug)]
pub(crate) struct Next {
    /// The line may end.
    pub(crate) accepts: bool,
    /// The states at the next position, in the order in which they are tried.
    pub(crate) states: Arc<[u32]>,
}

/// The answer for a state at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Longest(u32);

impl Longest {
    /// It is not known.
    pub(crate) const UNKNOWN: Longest = Longest(0);
    /// There is no match.
    pub(crate) const NO_MATCH: Longest = Longest(1);

    /// The longest match ends at this position. Games have fewer positions than 32-bit numbers can tell apart.
    #[inline]
    pub(crate) fn ends_at(node: u32) -> Longest {
        Longest(node + 2)
    }

    /// The end of the longest match, if there is one.
    #[inline]
    pub(crate) fn end(self) -> Option<u32> {
        self.0.checked_sub(2)
    }
}

/// What is known of a line in one game.
#[derive(Debug, Default)]
pub(crate) struct LineTable {
    states: Vec<State>,
    numbers: HashMap<(usize, Box<[u64]>), u32>,
    first: Option<Arc<[u32]>>,
    /// How many states follow others, all lists together.
    following: usize,
    /// Rows by state, columns by position.
    dense: Vec<Longest>,
    sparse: HashMap<(u32, u32), Longest>,
    /// The entries of `dense` that hold for one start only.
    noted: Vec<usize>,
    /// Whether some entries hold for every start.
    lasts: bool,
}

impl LineTable {
    /// Forgets what belongs to one game. How states follow each other depends on its length if repetitions are counted.
    pub(super) fn start_game(&mut self) {
        if self.states.iter().any(|state| !state.registers.is_empty()) {
            self.states.clear();
            self.numbers.clear();
            self.first = None;
            self.following = 0;
        }
        self.dense.clear();
        self.sparse.clear();
        self.noted.clear();
        self.lasts = false;
    }

    pub(crate) fn has_too_many_states(&self) -> bool {
        self.states.len() > STATES || self.following > FOLLOWING
    }

    /// The instruction of a state: a test.
    #[inline]
    pub(crate) fn pc(&self, state: u32) -> usize {
        self.states[state as usize].pc
    }

    /// The states that a line can begin with.
    pub(crate) fn first(&mut self, program: &Program<'_>, memory: &mut Memory) -> Arc<[u32]> {
        if let Some(first) = &self.first {
            return Arc::clone(first);
        }
        memory.find_tests(program, 0);
        let first = self.number_tests(memory);
        Arc::clone(self.first.insert(first))
    }

    /// What may follow a state that matches.
    pub(crate) fn next(&mut self, state: u32, program: &Program<'_>, memory: &mut Memory) -> Next {
        let known = &self.states[state as usize];
        if let Some(next) = &known.next {
            return next.clone();
        }
        memory.set_registers(&known.registers);
        memory.advance();
        let accepts = memory.find_tests(program, known.pc + 1);
        let next = Next {
            accepts,
            states: self.number_tests(memory),
        };
        self.states[state as usize].next = Some(next.clone());
        next
    }

    /// The numbers of the states that were found last.
    fn number_tests(&mut self, memory: &Memory) -> Arc<[u32]> {
        let LineTable {
            states,
            numbers,
            following,
            ..
        } = self;
        let found = memory.tests().map(|(pc, registers)| {
            let registers: Box<[u64]> = registers.into();
            *numbers.entry((pc, registers.clone())).or_insert_with(|| {
                // The limit of states is far below the largest number.
                let number = u32::try_from(states.len()).unwrap_or(u32::MAX);
                states.push(State {
                    pc,
                    registers,
                    next: None,
                });
                number
            })
        });
        let found: Arc<[u32]> = found.collect();
        *following += found.len();
        found
    }

    /// The answer for a state at a position of a game with `positions` positions.
    #[inline]
    pub(crate) fn look_up(&self, state: u32, node: u32, positions: usize) -> Longest {
        let index = index(state, node, positions);
        if index < DENSE {
            return self.dense.get(index).copied().unwrap_or(Longest::UNKNOWN);
        }
        self.sparse.get(&(state, node)).copied().unwrap_or(Longest::UNKNOWN)
    }

    /// Notes an answer that holds for every start (`lasting`), or only for this one.
    pub(crate) fn note(&mut self, (state, node): (u32, u32), value: Longest, positions: usize, lasting: bool) {
        let index = index(state, node, positions);
        if index < DENSE {
            if self.dense.len() <= index {
                let rows = self.states.len() * positions;
                self.dense.resize(rows.clamp(index + 1, DENSE), Longest::UNKNOWN);
            }
            self.dense[index] = value;
            if lasting {
                self.lasts = true;
            } else {
                self.noted.push(index);
            }
            return;
        }
        if self.sparse.len() >= SPARSE {
            self.sparse.clear();
        }
        self.sparse.insert((state, node), value);
    }

    /// Forgets the answers, because they may not hold for another start.
    pub(crate) fn forget(&mut self) {
        if std::mem::take(&mut self.lasts) {
            self.dense.fill(Longest::UNKNOWN);
        }
        for index in self.noted.drain(..) {
            self.dense[index] = Longest::UNKNOWN;
        }
        self.sparse.clear();
    }
}

fn index(state: u32, node: u32, positions: usize) -> usize {
    state as usize * positions + node as usize
}
