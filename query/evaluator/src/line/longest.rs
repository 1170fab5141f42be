//! The longest match of a line whose tests leave nothing behind.
//!
//! Then what a line can still match after a position depends on its test and counters there, not on the way to it. So
//! every pair of the two is looked at once, and where the tests read no variables that holds for the whole game: a line
//! costs as much at all positions together as at the first one.

use std::collections::HashMap;
use std::sync::Arc;

use language::hir::Line;
use language::span::Span;

use super::super::sequence::{Memory, Op, Program};
use super::super::{Eval, Machine};
use super::Best;

/// Tables of up to so many entries are kept as they are, larger ones by what they hold.
const DENSE: usize = 1 << 20;
/// So many entries are kept beyond that, before all are forgotten.
const SPARSE: usize = 1 << 20;

/// How many states may be known, and how many of them may follow others: with more, a line has to be tried way by way,
/// which takes little memory.
const STATES: usize = 1 << 18;
const FOLLOWING: usize = 1 << 22;

/// What a table says of a test at a position: nothing yet; no match; or one more than this and the last position.
const UNKNOWN: u32 = 0;
const NO_MATCH: u32 = 1;
const ENDS: u32 = 2;

/// A test of the line, with its counters.
#[derive(Debug)]
struct State {
    pc: usize,
    registers: Box<[u64]>,
    next: Option<Next>,
}

/// What may follow a test that matches.
#[derive(Clone, Debug)]
struct Next {
    /// The line may end.
    accepts: bool,
    /// The states at the next position, in the order in which they are tried.
    states: Arc<[u32]>,
}

/// What is known of a line in one game.
#[derive(Debug, Default)]
pub(crate) struct Known {
    states: Vec<State>,
    numbers: HashMap<(usize, Box<[u64]>), u32>,
    first: Option<Arc<[u32]>>,
    /// How many states follow others, all lists together.
    following: usize,
    dense: Vec<u32>,
    sparse: HashMap<(u32, u32), u32>,
    /// The entries of `dense` that don't hold beyond one start.
    noted: Vec<usize>,
    /// Whether others are there, too.
    lasts: bool,
}

impl Known {
    /// Forgets what belongs to one game. How states follow each other depends on its length if repetitions are counted.
    pub(crate) fn forget_game(&mut self) {
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
}

impl Known {
    fn has_too_many(&self) -> bool {
        self.states.len() > STATES || self.following > FOLLOWING
    }
}

/// What the look for the longest match came to.
pub(super) enum Longest {
    /// The match, if there is one.
    Found(Option<Best>),
    /// Repetitions are nested in so many ways that they can't be kept.
    TooManyStates,
}

/// A state at a position that is being looked at.
struct Frame {
    state: u32,
    node: u32,
    /// Where its pairs begin among those to do.
    pairs: usize,
    /// The best so far, as the table has it.
    best: u32,
}

/// One look for the longest match.
struct Run<'s, 'a, 'g> {
    machine: &'s mut Machine<'a, 'g>,
    line: &'a Line,
    span: Span,
    program: &'s Program<'a>,
    known: Known,
    memory: Memory,
    /// Whether what is found holds for the next start, too.
    lasting: bool,
    frames: Vec<Frame>,
    /// States and positions that the frames still have to look at, the first one last.
    to_do: Vec<(u32, u32)>,
}

impl<'a> Machine<'a, '_> {
    /// The longest match that starts here.
    pub(super) fn longest(&mut self, line: &'a Line, span: Span, program: &Program<'a>) -> Eval<Longest> {
        let start = self.node;
        let known = self.sequences.take_known(line.id);
        let mut memory = self.sequences.take_memory();
        memory.prepare(program, 0, self.game.len() as u32 - 1, 1);
        // Inside of a target `from` and `to` mean what its dash has chosen.
        let lasting = program.timeless && self.state.chosen_edge.is_none();
        let mut run = Run {
            machine: self,
            line,
            span,
            program,
            known,
            memory,
            lasting,
            frames: Vec::new(),
            to_do: Vec::new(),
        };
        if !lasting {
            run.forget();
        }
        let found = run.start(start)?;
        if !lasting {
            run.forget();
        }
        let Run { known, memory, .. } = run;
        self.sequences.give_back(memory);
        if known.has_too_many() {
            return Ok(Longest::TooManyStates);
        }
        self.sequences.keep_known(line.id, known);
        let Some(end) = found.checked_sub(ENDS) else {
            return Ok(Longest::Found(None));
        };
        let distance = self.game.ply(end).abs_diff(self.game.ply(start));
        Ok(Longest::Found(Some(Best {
            distance,
            end,
            log: Vec::new(),
        })))
    }
}

impl<'a> Run<'_, 'a, '_> {
    fn start(&mut self, start: u32) -> Eval<u32> {
        let first = match &self.known.first {
            Some(first) => Arc::clone(first),
            None => {
                self.memory.find_tests(self.program, 0);
                let first = self.number_tests();
                Arc::clone(self.known.first.insert(first))
            }
        };
        let mut best = NO_MATCH;
        for &state in &*first {
            let value = match self.look_up(state, start) {
                UNKNOWN => self.evaluate(state, start)?,
                value => value,
            };
            if self.is_better(start, value, best) {
                best = value;
            }
        }
        Ok(best)
    }

    /// The best match of a state at a position.
    fn evaluate(&mut self, state: u32, node: u32) -> Eval<u32> {
        self.open(state, node)?;
        loop {
            let Some(frame) = self.frames.last().filter(|_| !self.known.has_too_many()) else {
                return Ok(NO_MATCH);
            };
            if self.to_do.len() > frame.pairs {
                let (state, node) = self.to_do[self.to_do.len() - 1];
                match self.look_up(state, node) {
                    UNKNOWN => self.open(state, node)?,
                    value => self.merge(value),
                }
                continue;
            }
            let Some(Frame { state, node, best, .. }) = self.frames.pop() else {
                return Ok(NO_MATCH);
            };
            self.note(state, node, best);
            if self.frames.is_empty() {
                return Ok(best);
            }
            self.merge(best);
        }
    }

    /// Tests a state at a position, and notes what is to be looked at next.
    fn open(&mut self, state: u32, node: u32) -> Eval<()> {
        self.machine.step(self.span)?;
        let Op::Test { filter, bound } = self.program.ops[self.known.states[state as usize].pc] else {
            unreachable!("a line chooses among tests only")
        };
        let pairs = self.to_do.len();
        let mut matched = false;
        if bound && !self.machine.game.is_terminal(node) {
            for child in self.machine.neighbours(self.line, node) {
                self.machine.state.bound_move = Some((node, child));
                let accepted = self.machine.at(node, |machine| machine.matches(filter))?;
                self.machine.state.bound_move = None;
                if accepted {
                    matched = true;
                    self.expect(state, child);
                }
            }
        } else if self.machine.at(node, |machine| machine.matches(filter))? {
            matched = true;
            for next in self.machine.neighbours(self.line, node) {
                self.expect(state, next);
            }
        }
        self.to_do[pairs..].reverse();
        let accepts = matched && self.next(state).accepts;
        let best = if accepts { ENDS + node } else { NO_MATCH };
        if accepts && self.line.first_match {
            self.to_do.truncate(pairs);
        }
        self.frames.push(Frame {
            state,
            node,
            pairs,
            best,
        });
        Ok(())
    }

    /// Notes all states that can follow, at the next position; with `singlecolor` at those after it.
    fn expect(&mut self, state: u32, next: u32) {
        let states = self.next(state).states;
        if !self.line.single_color {
            self.to_do.extend(states.iter().map(|&state| (state, next)));
            return;
        }
        for next in self.machine.neighbours(self.line, next) {
            self.to_do.extend(states.iter().map(|&state| (state, next)));
        }
    }

    /// Counts the value of the last pair to do for the last frame.
    fn merge(&mut self, value: u32) {
        self.to_do.pop();
        let Some(&Frame { node, best, pairs, .. }) = self.frames.last() else {
            return;
        };
        if !self.is_better(node, value, best) {
            return;
        }
        if self.line.first_match {
            self.to_do.truncate(pairs);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.best = value;
        }
    }

    /// Whether a match is longer than the best one so far.
    fn is_better(&self, from: u32, value: u32, best: u32) -> bool {
        let (Some(end), best) = (value.checked_sub(ENDS), best.checked_sub(ENDS)) else {
            return false;
        };
        let game = self.machine.game;
        let distance = |end| game.ply(end).abs_diff(game.ply(from));
        best.is_none_or(|best| !self.line.first_match && distance(end) > distance(best))
    }

    /// What may follow a state that matches.
    fn next(&mut self, state: u32) -> Next {
        let known = &self.known.states[state as usize];
        if let Some(next) = &known.next {
            return next.clone();
        }
        self.memory.set_registers(&known.registers);
        self.memory.advance();
        let accepts = self.memory.find_tests(self.program, known.pc + 1);
        let next = Next {
            accepts,
            states: self.number_tests(),
        };
        self.known.states[state as usize].next = Some(next.clone());
        next
    }

    /// The numbers of the states that were found last.
    fn number_tests(&mut self) -> Arc<[u32]> {
        let Known {
            states,
            numbers,
            following,
            ..
        } = &mut self.known;
        let found = self.memory.tests().map(|(pc, registers)| {
            let registers: Box<[u64]> = registers.into();
            *numbers.entry((pc, registers.clone())).or_insert_with(|| {
                states.push(State {
                    pc,
                    registers,
                    next: None,
                });
                states.len() as u32 - 1
            })
        });
        let found: Arc<[u32]> = found.collect();
        *following += found.len();
        found
    }

    fn index(&self, state: u32, node: u32) -> usize {
        state as usize * self.machine.game.len() + node as usize
    }

    fn look_up(&self, state: u32, node: u32) -> u32 {
        let index = self.index(state, node);
        if index < DENSE {
            return self.known.dense.get(index).copied().unwrap_or(UNKNOWN);
        }
        self.known.sparse.get(&(state, node)).copied().unwrap_or(UNKNOWN)
    }

    fn note(&mut self, state: u32, node: u32, value: u32) {
        let index = self.index(state, node);
        let known = &mut self.known;
        if index < DENSE {
            if known.dense.len() <= index {
                let rows = known.states.len() * self.machine.game.len();
                known.dense.resize(rows.clamp(index + 1, DENSE), UNKNOWN);
            }
            known.dense[index] = value;
            if self.lasting {
                known.lasts = true;
            } else {
                known.noted.push(index);
            }
            return;
        }
        if known.sparse.len() >= SPARSE {
            known.sparse.clear();
        }
        known.sparse.insert((state, node), value);
    }

    /// Forgets what was found, because it may not hold any more.
    fn forget(&mut self) {
        let known = &mut self.known;
        if std::mem::take(&mut known.lasts) {
            known.dense.fill(UNKNOWN);
        }
        for index in known.noted.drain(..) {
            known.dense[index] = UNKNOWN;
        }
        known.sparse.clear();
    }
}
