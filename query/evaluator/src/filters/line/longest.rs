//! The longest match of a line whose tests leave nothing behind.
//!
//! Then what a line can still match after a position depends on its test and counters there, not on the way to it. So
//! every pair of a position and such a state is tested once. If the tests read no variables, the result holds for the
//! whole game: a line then costs as much at all positions together as at the first one.

use language::hir::Line;
use language::span::Span;

use super::Best;
use crate::error::Eval;
use crate::machine::Machine;
use crate::sequence::{Memory, Op, Program};
use crate::tables::{LineTable, Longest, Next};

/// The result of a search for the longest match.
pub(super) enum Outcome {
    /// The match, if there is one.
    Found(Option<Best>),
    /// Repetitions are nested in too many ways to keep them all.
    TooManyStates,
}

/// A state at a position that is being looked at.
struct Frame {
    state: u32,
    node: u32,
    /// Where its pairs begin in `to_do`.
    pairs: usize,
    /// The best so far.
    best: Longest,
}

/// One search for the longest match.
struct Run<'s, 'a, 'g> {
    machine: &'s mut Machine<'a, 'g>,
    line: &'a Line,
    span: Span,
    program: &'s Program<'a>,
    table: LineTable,
    memory: Box<Memory>,
    /// Whether the results are valid for other starts too.
    lasting: bool,
    frames: Vec<Frame>,
    /// States and positions that the frames still have to look at; the next one is last.
    to_do: Vec<(u32, u32)>,
}

impl<'a> Machine<'a, '_> {
    /// The longest match that starts here.
    pub(super) fn longest(&mut self, line: &'a Line, span: Span, program: &Program<'a>) -> Eval<Outcome> {
        let start = self.node;
        let table = self.tables.take_line(line.id);
        let mut memory = self.tables.take_memory();
        memory.prepare(program, 0, self.game.last_node(), 1);
        // Inside of a target `from` and `to` mean what its dash has chosen.
        let lasting = program.timeless && self.state.chosen_edge.is_none();
        let mut run = Run {
            machine: self,
            line,
            span,
            program,
            table,
            memory,
            lasting,
            frames: Vec::new(),
            to_do: Vec::new(),
        };
        if !lasting {
            run.table.forget();
        }
        let found = run.start(start)?;
        if !lasting {
            run.table.forget();
        }
        let Run { table, memory, .. } = run;
        self.tables.keep_memory(memory);
        if table.has_too_many_states() {
            return Ok(Outcome::TooManyStates);
        }
        self.tables.keep_line(line.id, table);
        let Some(end) = found.end() else {
            return Ok(Outcome::Found(None));
        };
        let distance = self.game.ply(end).abs_diff(self.game.ply(start));
        Ok(Outcome::Found(Some(Best {
            distance,
            end,
            log: Vec::new(),
        })))
    }
}

impl<'a> Run<'_, 'a, '_> {
    fn start(&mut self, start: u32) -> Eval<Longest> {
        let first = self.table.first(self.program, &mut self.memory);
        let mut best = Longest::NO_MATCH;
        for &state in &*first {
            let value = match self.look_up(state, start) {
                Longest::UNKNOWN => self.evaluate(state, start)?,
                value => value,
            };
            if self.is_better(start, value, best) {
                best = value;
            }
        }
        Ok(best)
    }

    /// The best match of a state at a position.
    fn evaluate(&mut self, state: u32, node: u32) -> Eval<Longest> {
        self.open(state, node)?;
        loop {
            let Some(frame) = self.frames.last().filter(|_| !self.table.has_too_many_states()) else {
                return Ok(Longest::NO_MATCH);
            };
            if self.to_do.len() > frame.pairs {
                let (state, node) = self.to_do[self.to_do.len() - 1];
                match self.look_up(state, node) {
                    Longest::UNKNOWN => self.open(state, node)?,
                    value => self.merge(value),
                }
                continue;
            }
            let Some(Frame { state, node, best, .. }) = self.frames.pop() else {
                return Ok(Longest::NO_MATCH);
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
        let Op::Test { filter, bound } = self.program.ops[self.table.pc(state)] else {
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
        let best = if accepts {
            Longest::ends_at(node)
        } else {
            Longest::NO_MATCH
        };
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
    fn merge(&mut self, value: Longest) {
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
    fn is_better(&self, from: u32, value: Longest, best: Longest) -> bool {
        let (Some(end), best) = (value.end(), best.end()) else {
            return false;
        };
        let game = self.machine.game;
        let distance = |end| game.ply(end).abs_diff(game.ply(from));
        best.is_none_or(|best| !self.line.first_match && distance(end) > distance(best))
    }

    fn next(&mut self, state: u32) -> Next {
        self.table.next(state, self.program, &mut self.memory)
    }

    fn look_up(&self, state: u32, node: u32) -> Longest {
        self.table.look_up(state, node, self.machine.game.len())
    }

    fn note(&mut self, state: u32, node: u32, value: Longest) {
        let positions = self.machine.game.len();
        self.table.note((state, node), value, positions, self.lasting);
    }
}
