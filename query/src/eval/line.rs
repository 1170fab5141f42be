//! `line`: consecutive positions that match one constituent after the other (cql6-games 6).

use std::rc::Rc;

use super::sequence::{Choice, Memory, Op, Place, Program, Repetition};
use super::{CommentSource, Eval, LogEntry, Machine};
use crate::hir::{Filter, Line, LineArrow};
use crate::span::Span;

/// The longest match so far.
struct Best {
    /// Half-moves from the start to the end.
    distance: u32,
    end: u32,
    /// The comments that were made on the way.
    log: Vec<LogEntry>,
}

/// One search for matches of a line from one position.
struct Search<'s, 'a> {
    machine: &'s mut Machine<'a>,
    line: &'a Line,
    span: Span,
    program: Rc<Program<'a>>,
    memory: Memory,
    start: u32,
    /// How many comments there were before.
    mark: usize,
    best: Option<Best>,
}

impl<'a> Machine<'a> {
    /// The number of positions of the longest match that starts here, and its last position.
    pub(super) fn line(&mut self, line: &'a Line, span: Span) -> Eval<Option<(i32, u32)>> {
        let start = self.node;
        if line.nestban && self.is_banned(line.id, start) {
            return Ok(None);
        }
        let (first, last) = match line.arrow {
            LineArrow::Forward => (start, self.game.last_descendant(start)),
            LineArrow::Backward => (0, start),
        };
        let program = self.sequences.program(line.id, || Program::of_line(line));
        let mut memory = self.sequences.take_memory();
        memory.prepare(&program, first, last, 1);
        let outer = self.state.bound_move.take();
        let mark = self.state.log.len();
        let mut search = Search {
            machine: self,
            line,
            span,
            program,
            memory,
            start,
            mark,
            best: None,
        };
        search.run()?;
        let Search { memory, best, .. } = search;
        self.sequences.give_back(memory);
        self.state.bound_move = outer;
        self.state.log.truncate(mark);
        let Some(best) = best else { return Ok(None) };
        let step = if line.single_color { 2 } else { 1 };
        let count = (best.distance / step + 1) as i32;
        if self.within_range(count, line.range.as_ref(), span)?.is_none() {
            return Ok(None);
        }
        self.state.log.extend(best.log);
        if line.nestban {
            let nodes: Vec<u32> = self.positions_between(start, best.end).step_by(step as usize).collect();
            self.ban(line.id, nodes);
        }
        if !line.quiet && !self.query.header.quiet {
            let place = self.place(start);
            self.comment(
                best.end,
                format!("End line of length {count} that starts at {place}"),
                CommentSource::Automatic,
            );
            let place = self.place(best.end);
            self.comment(
                start,
                format!("Start line that ends at {place}"),
                CommentSource::Automatic,
            );
        }
        Ok(Some((count, best.end)))
    }
}

impl<'a> Search<'_, 'a> {
    fn run(&mut self) -> Eval<()> {
        let program = Rc::clone(&self.program);
        self.reach(&program, 0, None, [self.start])?;
        while let Some(choice) = self.memory.pop(&mut []) {
            if self.best.is_some() && self.line.first_match {
                break;
            }
            if let Some(log) = choice.log {
                self.machine.state.log.truncate(log);
            }
            self.consume(&program, choice)?;
        }
        Ok(())
    }

    fn push(&mut self, pc: usize, place: Place) {
        let log = Some(self.machine.state.log.len());
        let choice = Choice {
            pc,
            place,
            count: 0,
            log,
        };
        self.memory.push(choice, []);
    }

    /// Tests a filter on a position, and goes on to the next ones if it matches.
    fn consume(&mut self, program: &Program<'a>, choice: Choice) -> Eval<()> {
        self.machine.step(self.span)?;
        let pc = choice.pc;
        let Op::Test { filter, bound } = program.ops[pc] else {
            unreachable!("a line chooses among tests only")
        };
        match choice.place {
            Place::Here(node) => {
                if !self.memory.enter(program, pc, node) {
                    return Ok(());
                }
                if bound && !self.machine.game.is_terminal(node) {
                    let depth = self.memory.depth();
                    for child in self.neighbours(node) {
                        self.push(pc, Place::Bound(node, child));
                    }
                    self.memory.reverse_above(depth);
                } else if self.test(filter, node, None)? {
                    self.reach(program, pc + 1, Some(node), self.neighbours(node))?;
                }
                Ok(())
            }
            Place::Bound(node, child) => {
                if self.test(filter, node, Some((node, child)))? {
                    self.reach(program, pc + 1, Some(node), [child])?;
                }
                Ok(())
            }
            other => unreachable!("a line is never {other:?}"),
        }
    }

    /// Goes on at an instruction after the position `end` was consumed. All tests that can be next are noted for every
    /// next position: all of them at the first one, then all at the second one, and so on.
    fn reach(
        &mut self,
        program: &Program<'a>,
        pc: usize,
        end: Option<u32>,
        next: impl IntoIterator<Item = u32>,
    ) -> Eval<()> {
        self.memory.start_frontier(pc);
        while let Some(mut pc) = self.memory.next_in_frontier() {
            loop {
                self.machine.step(self.span)?;
                match program.ops[pc] {
                    Op::Test { .. } => {
                        self.memory.note_test(pc);
                        break;
                    }
                    Op::Move(_) => unreachable!("dashes are steps of a path only"),
                    Op::Split(first, second) => {
                        self.memory.extend_frontier(second);
                        pc = first;
                    }
                    Op::Jump(target) => pc = target,
                    Op::Enter(register) => {
                        self.memory.begin(register);
                        pc += 1;
                    }
                    Op::Again {
                        register,
                        min,
                        max,
                        exit,
                    } => match self.memory.decide(register, min, max) {
                        Repetition::Needed => pc += 1,
                        Repetition::Possible => {
                            self.memory.extend_frontier(pc + 1);
                            self.memory.leave(register);
                            pc = exit;
                        }
                        Repetition::Over => pc = exit,
                    },
                    Op::Next {
                        register,
                        min,
                        max,
                        again,
                    } => {
                        if !self.memory.end_repetition(register, min, max, true) {
                            break;
                        }
                        pc = again;
                    }
                    Op::Accept => {
                        // Nothing consumed is no match.
                        if let Some(end) = end {
                            self.accept(end);
                        }
                        break;
                    }
                }
            }
        }
        let log = Some(self.machine.state.log.len());
        let depth = self.memory.depth();
        for next in next {
            if self.line.single_color && end.is_some() {
                // The positions of the other side are passed over.
                for next in self.neighbours(next) {
                    self.memory.push_tests(Place::Here(next), log);
                }
            } else {
                self.memory.push_tests(Place::Here(next), log);
            }
        }
        self.memory.reverse_all_above(depth);
        Ok(())
    }

    fn test(&mut self, filter: &'a Filter, node: u32, bound: Option<(u32, u32)>) -> Eval<bool> {
        self.machine.state.bound_move = bound;
        let matched = self.machine.at(node, |machine| machine.matches(filter))?;
        self.machine.state.bound_move = None;
        if matched {
            self.memory.advance();
        }
        Ok(matched)
    }

    /// The positions one move on, in the direction of the line.
    fn neighbours(&self, node: u32) -> impl Iterator<Item = u32> + use<'a> {
        let game = self.machine.game;
        let wanted = self.line.primary;
        let (parent, children) = match self.line.arrow {
            LineArrow::Forward => (None, Some(game.children(node))),
            LineArrow::Backward => (game.parent(node), None),
        };
        let children = children.into_iter().flatten();
        parent
            .into_iter()
            .chain(children.filter(move |&child| wanted.is_none_or(|primary| primary != game.is_secondary(child))))
    }

    fn accept(&mut self, end: u32) {
        let game = self.machine.game;
        let distance = game.ply(end).abs_diff(game.ply(self.start));
        if self.best.as_ref().is_none_or(|best| distance > best.distance) {
            let log = self.machine.state.log[self.mark..].to_vec();
            self.best = Some(Best { distance, end, log });
        }
    }
}
