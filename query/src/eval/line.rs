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
        self.push(0, Place::Here(self.start));
        while let Some(choice) = self.memory.pop(&mut []) {
            if let Some(log) = choice.log {
                self.machine.state.log.truncate(log);
            }
            self.follow(choice)?;
            if self.best.is_some() && self.line.first_match {
                break;
            }
        }
        Ok(())
    }

    fn push(&mut self, pc: usize, place: Place) {
        let log = Some(self.machine.state.log.len());
        self.memory.push(
            Choice {
                pc,
                place,
                count: 0,
                log,
            },
            [],
        );
    }

    /// Runs the program until it fails, is through, or has to choose between positions.
    fn follow(&mut self, choice: Choice) -> Eval<()> {
        let program = Rc::clone(&self.program);
        let Choice { mut pc, mut place, .. } = choice;
        loop {
            self.machine.step(self.span)?;
            match program.ops[pc] {
                Op::Test { .. } => match self.consume(&program, pc, place)? {
                    Some(next) => {
                        place = next;
                        pc += 1;
                    }
                    None => return Ok(()),
                },
                Op::Move(_) => unreachable!("dashes are steps of a path only"),
                Op::Split(first, second) => {
                    self.push(second, place);
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
                        self.push(pc + 1, place);
                        self.memory.leave(register);
                        pc = exit;
                    }
                    Repetition::Over => pc = exit,
                },
                Op::Next {
                    register,
                    min,
                    cap,
                    again,
                } => {
                    if !self.memory.end_repetition(register, min, cap, program.pure) {
                        return Ok(());
                    }
                    pc = again;
                }
                Op::Accept => {
                    self.accept(place);
                    return Ok(());
                }
            }
        }
    }

    /// Tests a filter on the next position. Where there are several it notes them as choices and gives nothing.
    fn consume(&mut self, program: &Program<'a>, pc: usize, place: Place) -> Eval<Option<Place>> {
        let Op::Test { filter, bound } = program.ops[pc] else {
            unreachable!("called for tests only")
        };
        match place {
            Place::After(node) => {
                let depth = self.memory.depth();
                for next in self.neighbours(node) {
                    self.push_successor(pc, next);
                }
                self.memory.reverse_above(depth);
                Ok(None)
            }
            Place::Toward(_, child) => {
                let depth = self.memory.depth();
                self.push_successor(pc, child);
                self.memory.reverse_above(depth);
                Ok(None)
            }
            Place::Here(node) => {
                if !self.memory.enter(program, pc, node) {
                    return Ok(None);
                }
                if bound && !self.machine.game.is_terminal(node) {
                    let depth = self.memory.depth();
                    for child in self.neighbours(node) {
                        self.push(pc, Place::Bound(node, child));
                    }
                    self.memory.reverse_above(depth);
                    return Ok(None);
                }
                self.test(filter, node, None)
                    .map(|matched| matched.then_some(Place::After(node)))
            }
            Place::Bound(node, child) => {
                let matched = self.test(filter, node, Some((node, child)))?;
                Ok(matched.then_some(Place::Toward(node, child)))
            }
            Place::Done => Ok(None),
        }
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

    /// Notes a position as the next one; with `singlecolor` those after it.
    fn push_successor(&mut self, pc: usize, next: u32) {
        if !self.line.single_color {
            self.push(pc, Place::Here(next));
            return;
        }
        for next in self.neighbours(next) {
            self.push(pc, Place::Here(next));
        }
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

    fn accept(&mut self, place: Place) {
        // Nothing consumed is no match.
        let (Place::After(end) | Place::Toward(end, _)) = place else {
            return;
        };
        let game = self.machine.game;
        let distance = game.ply(end).abs_diff(game.ply(self.start));
        if self.best.as_ref().is_none_or(|best| distance > best.distance) {
            let log = self.machine.state.log[self.mark..].to_vec();
            self.best = Some(Best { distance, end, log });
        }
    }
}
