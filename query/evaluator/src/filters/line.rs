//! `line`: consecutive positions that match one constituent after the other (docs/language/sequences.md#line).

mod longest;

use language::hir::{Filter, Line, LineArrow};
use language::span::Span;

use self::longest::Outcome;
use crate::error::Eval;
use crate::machine::Machine;
use crate::sequence::{Choice, Memory, Op, Place, Program};
use crate::state::{CommentSource, LogEntry};
use crate::value::number_of;

/// The longest match so far.
struct Best {
    /// Half-moves from the start to the end.
    distance: u32,
    end: u32,
    /// The comments that were made on the way.
    log: Vec<LogEntry>,
}

/// One search for matches of a line from one position.
struct Search<'s, 'a, 'g> {
    machine: &'s mut Machine<'a, 'g>,
    line: &'a Line,
    span: Span,
    program: &'s Program<'a>,
    memory: Box<Memory>,
    start: u32,
    /// How many comments there were before.
    mark: usize,
    best: Option<Best>,
}

impl<'a, 'g> Machine<'a, 'g> {
    /// The number of positions of the longest match that starts here, and its last position.
    pub(crate) fn line(&mut self, line: &'a Line, span: Span) -> Eval<Option<(i32, u32)>> {
        let start = self.node;
        if line.nestban && self.state.is_banned(line.id, start) {
            return Ok(None);
        }
        let program = self.programs.of_sequence(line.id);
        let outer = self.state.bound_move.take();
        let longest = if program.pure && program.silent {
            // This excludes most positions before any state is built. What is timeless is remembered instead.
            if !program.timeless && !self.may_begin_line(line, program)? {
                self.state.bound_move = outer;
                return Ok(None);
            }
            self.longest(line, span, program)?
        } else {
            Outcome::TooManyStates
        };
        let best = match longest {
            Outcome::Found(best) => best,
            Outcome::TooManyStates => self.search_line(line, span, program)?,
        };
        self.state.bound_move = outer;
        let Some(best) = best else { return Ok(None) };
        let step = if line.single_color { 2 } else { 1 };
        let count = number_of(best.distance / step + 1);
        if self.within_range(count, line.range.as_ref(), span)?.is_none() {
            return Ok(None);
        }
        self.state.log.extend(best.log);
        if line.nestban {
            let nodes: Vec<u32> = self.positions_between(start, best.end).step_by(step as usize).collect();
            self.state.ban(line.id, nodes);
        }
        if !line.quiet && !self.query.header.quiet && self.notes_comments() {
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

    /// Whether the first constituent matches here, if there is just one that can be the first.
    fn may_begin_line(&mut self, line: &'a Line, program: &Program<'a>) -> Eval<bool> {
        let Some(&Op::Test { filter, bound }) = program.ops.first() else {
            return Ok(true);
        };
        let node = self.node;
        if !bound || self.game.is_terminal(node) {
            return self.matches(filter);
        }
        let mut matched = false;
        for child in self.neighbours(line, node) {
            self.state.bound_move = Some((node, child));
            matched = self.matches(filter)?;
            self.state.bound_move = None;
            if matched {
                break;
            }
        }
        Ok(matched)
    }

    /// The longest match that starts here, found by trying all ways.
    fn search_line(&mut self, line: &'a Line, span: Span, program: &Program<'a>) -> Eval<Option<Best>> {
        let start = self.node;
        let (first, last) = match line.arrow {
            LineArrow::Forward => (start, self.game.last_descendant(start)),
            LineArrow::Backward => (0, start),
        };
        let mut memory = self.tables.take_memory();
        memory.prepare(program, first, last, 1);
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
        self.tables.keep_memory(memory);
        self.state.log.truncate(mark);
        Ok(best)
    }

    /// The positions one move on, in the direction of the line.
    fn neighbours(&self, line: &Line, node: u32) -> impl Iterator<Item = u32> + use<'g> {
        let game = self.game;
        let wanted = line.primary;
        let (parent, children) = match line.arrow {
            LineArrow::Forward => (None, Some(game.children(node))),
            LineArrow::Backward => (game.parent(node), None),
        };
        let children = children.into_iter().flatten();
        let children = children.filter(move |&child| wanted.is_none_or(|primary| primary != game.is_secondary(child)));
        parent.into_iter().chain(children)
    }
}

impl<'a> Search<'_, 'a, '_> {
    fn run(&mut self) -> Eval<()> {
        let program = self.program;
        self.reach(program, 0, None, [self.start])?;
        while let Some(choice) = self.memory.pop(&mut []) {
            if self.best.is_some() && self.line.first_match {
                break;
            }
            if let Some(log) = choice.log {
                self.machine.state.log.truncate(log);
            }
            self.consume(program, choice)?;
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

    /// Tests a filter on a position, and continues at the next ones if it matches.
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
                    for child in self.machine.neighbours(self.line, node) {
                        self.push(pc, Place::Bound(node, child));
                    }
                    self.memory.reverse_above(depth);
                } else if self.test(filter, node, None)? {
                    self.reach(program, pc + 1, Some(node), self.machine.neighbours(self.line, node))?;
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

    /// Continues at an instruction after the position `end` was consumed. All tests that can be next are noted for
    /// every next position: all of them at the first one, then all at the second one, and so on.
    fn reach(
        &mut self,
        program: &Program<'a>,
        pc: usize,
        end: Option<u32>,
        next: impl IntoIterator<Item = u32>,
    ) -> Eval<()> {
        let accepts = self.memory.find_tests(program, pc);
        if let Some(end) = end.filter(|_| accepts) {
            self.accept(end);
        }
        let log = Some(self.machine.state.log.len());
        let depth = self.memory.depth();
        for next in next {
            if self.line.single_color && end.is_some() {
                // The positions of the other side are passed over.
                for next in self.machine.neighbours(self.line, next) {
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

    fn accept(&mut self, end: u32) {
        let game = self.machine.game;
        let distance = game.ply(end).abs_diff(game.ply(self.start));
        if self.best.as_ref().is_none_or(|best| distance > best.distance) {
            let log = self.machine.state.log[self.mark..].to_vec();
            self.best = Some(Best { distance, end, log });
        }
    }
}
