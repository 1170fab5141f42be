//! The program that a `line` or `path` is compiled to, and the memory of its search.
//!
//! Constituents become a small non-deterministic program, as the parts of a regular expression do. It is run by
//! backtracking over an explicit stack, so that neither long games nor deep repetition can overflow the call stack. The
//! order of the search is that of cql6-games 6.2: children in their order, fewer repetitions before more.

use std::collections::HashMap;
use std::rc::Rc;

use super::{Machine, Value};
use crate::hir::{Constituent, Dash, Filter, Line, LineArrow, Node, Path, PathStep, Promotion, Repeat, SequenceId};

/// One instruction.
#[derive(Debug)]
pub(super) enum Op<'a> {
    /// Tests a filter: `line` consumes a position with it, `path` stays where it is.
    Test {
        /// The filter.
        filter: &'a Filter,
        /// Whether it has `move` filters that are bound to the move to the next position.
        bound: bool,
    },
    /// Makes a move that the dash accepts.
    Move(&'a Dash),
    /// Goes on at the first instruction; at the second if that comes to nothing or a longer match is wanted.
    Split(usize, usize),
    /// Goes on elsewhere.
    Jump(usize),
    /// Begins to count repetitions in a register.
    Enter(usize),
    /// Decides whether to repeat once more what follows.
    Again {
        /// Where repetitions are counted.
        register: usize,
        /// At least so often.
        min: u32,
        /// At most so often.
        max: Option<u32>,
        /// Where to go when it is enough.
        exit: usize,
    },
    /// Ends one repetition.
    Next {
        /// Where repetitions are counted.
        register: usize,
        /// At least so often.
        min: u32,
        /// At most so often.
        max: Option<u32>,
        /// The [`Op::Again`].
        again: usize,
    },
    /// All constituents are consumed.
    Accept,
}

/// A compiled sequence.
#[derive(Debug)]
pub(super) struct Program<'a> {
    /// The instructions; the last one is [`Op::Accept`].
    pub(super) ops: Vec<Op<'a>>,
    /// How many registers there are.
    pub(super) registers: usize,
    /// Whether a state of the search need not be entered twice: there is more than one way to it, and what is tested
    /// neither changes nor reads anything that differs between them.
    pub(super) memo: bool,
    /// Whether running the tests leaves nothing behind but comments.
    pub(super) pure: bool,
    choices: usize,
}

impl<'a> Program<'a> {
    fn new() -> Program<'a> {
        Program {
            ops: Vec::new(),
            registers: 0,
            memo: false,
            pure: true,
            choices: 0,
        }
    }

    /// Compiles a `line`.
    pub(super) fn of_line(line: &'a Line) -> Program<'a> {
        let mut program = Program::new();
        let binds = line.arrow == LineArrow::Forward;
        program.constituents(&line.constituents, binds);
        program.finish();
        program
    }

    /// Compiles a `path`.
    pub(super) fn of_path(path: &'a Path) -> Program<'a> {
        let mut program = Program::new();
        program.steps(&path.steps);
        if let Some(max) = &path.max {
            program.pure &= is_pure(max);
        }
        program.finish();
        program
    }

    fn finish(&mut self) {
        self.ops.push(Op::Accept);
        self.memo = self.pure && self.choices > 1;
    }

    fn constituents(&mut self, list: &'a [Constituent], binds: bool) {
        for constituent in list {
            match constituent {
                Constituent::Filter { filter, repeat } => {
                    self.pure &= is_pure(filter);
                    let bound = binds && has_plain_move(filter);
                    self.repeat(*repeat, false, |program| program.ops.push(Op::Test { filter, bound }));
                }
                Constituent::Group { constituents, repeat } => {
                    let nullable = constituents.iter().all(may_be_nothing);
                    self.repeat(*repeat, nullable, |program| program.constituents(constituents, binds));
                }
            }
        }
    }

    fn steps(&mut self, list: &'a [PathStep]) {
        for step in list {
            match step {
                PathStep::Filter(filter) => {
                    self.pure &= is_pure(filter);
                    self.ops.push(Op::Test { filter, bound: false });
                }
                PathStep::Dash { dash, repeat } => {
                    self.pure &= is_pure_dash(dash);
                    self.repeat(*repeat, false, |program| program.ops.push(Op::Move(dash)));
                }
                PathStep::Chain { steps, repeat } => {
                    let nullable = steps.iter().all(may_stay);
                    self.repeat(*repeat, nullable, |program| program.steps(steps));
                }
            }
        }
    }

    /// Writes a body once, to be run as often as `repeat` says, fewer times first.
    fn repeat(&mut self, repeat: Repeat, nullable: bool, body: impl FnOnce(&mut Self)) {
        let start = self.ops.len();
        match (repeat.min, repeat.max) {
            (1, Some(1)) => body(self),
            (0, Some(1)) => {
                self.ops.push(Op::Split(0, start + 1));
                body(self);
                self.ops[start] = Op::Split(self.ops.len(), start + 1);
                self.choices += 1;
            }
            (0, None) if !nullable => {
                self.ops.push(Op::Split(0, start + 1));
                body(self);
                self.ops.push(Op::Jump(start));
                self.ops[start] = Op::Split(self.ops.len(), start + 1);
                self.choices += 1;
            }
            (1, None) if !nullable => {
                body(self);
                self.ops.push(Op::Split(self.ops.len() + 1, start));
                self.choices += 1;
            }
            (min, max) => {
                let register = self.registers;
                self.registers += 1;
                self.choices += 1;
                self.ops.push(Op::Enter(register));
                let again = self.ops.len();
                self.ops.push(Op::Again {
                    register,
                    min,
                    max,
                    exit: 0,
                });
                body(self);
                self.ops.push(Op::Next {
                    register,
                    min,
                    max,
                    again,
                });
                self.ops[again] = Op::Again {
                    register,
                    min,
                    max,
                    exit: self.ops.len(),
                };
            }
        }
    }
}

fn may_be_nothing(constituent: &Constituent) -> bool {
    match constituent {
        Constituent::Filter { repeat, .. } => repeat.min == 0,
        Constituent::Group { constituents, repeat } => repeat.min == 0 || constituents.iter().all(may_be_nothing),
    }
}

fn may_stay(step: &PathStep) -> bool {
    match step {
        PathStep::Filter(_) => true,
        PathStep::Dash { repeat, .. } => repeat.min == 0,
        PathStep::Chain { steps, repeat } => repeat.min == 0 || steps.iter().all(may_stay),
    }
}

/// Whether evaluating the filter leaves nothing behind but comments, and reads nothing that changes while a sequence is
/// searched. Then it has one value at one position, however the search came there.
fn is_pure(filter: &Filter) -> bool {
    !filter.any(&mut |part| {
        matches!(&part.node, Node::Line(line) if line.nestban)
            || matches!(
                part.node,
                Node::Assign(..)
                    | Node::AssignPiece(..)
                    | Node::AssignSlice(..)
                    | Node::Unbind(_)
                    | Node::DictionarySet(..)
                    | Node::DictionaryUnbind(..)
                    | Node::Message { .. }
                    | Node::SetTag(..)
                    | Node::ReadFile(_)
                    | Node::WriteFile(..)
                    | Node::RegexMatch(..)
                    | Node::WhileRegex(..)
                    | Node::Sort { .. }
                    | Node::Path(_)
                    | Node::PathLastPosition
            )
    })
}

fn is_pure_dash(dash: &Dash) -> bool {
    let text = match &dash.promotion {
        Some(Promotion::Text(text)) => Some(&**text),
        _ => None,
    };
    dash.left
        .iter()
        .chain(&dash.right)
        .chain(text)
        .chain(&dash.target)
        .all(is_pure)
}

/// Whether the filter has a `move` filter about the moves that leave the position, outside of what looks at other
/// positions (cql6-games 6.3).
fn has_plain_move(filter: &Filter) -> bool {
    match &filter.node {
        Node::Line(_) | Node::Find { .. } | Node::Echo { .. } => false,
        Node::At(place, _) => has_plain_move(place),
        Node::Move(m) if !m.previous && m.legality.is_none() => true,
        _ => {
            let mut found = false;
            filter.for_each_child(&mut |child| found = found || has_plain_move(child));
            found
        }
    }
}

/// What the sequences of a query keep while one game is evaluated.
#[derive(Debug, Default)]
pub(super) struct Sequences<'a> {
    programs: Vec<Option<Rc<Program<'a>>>>,
    memory: Vec<Memory>,
    /// Whether an echo stands inside a `sort`, by its address.
    pub(super) sorted_echoes: Vec<(*const Filter, bool)>,
}

impl<'a> Sequences<'a> {
    /// The program of a sequence, compiled at its first use.
    pub(super) fn program(&mut self, id: SequenceId, compile: impl FnOnce() -> Program<'a>) -> Rc<Program<'a>> {
        let index = id.0 as usize;
        if self.programs.len() <= index {
            self.programs.resize_with(index + 1, || None);
        }
        Rc::clone(self.programs[index].get_or_insert_with(|| Rc::new(compile())))
    }

    /// Buffers for a search.
    pub(super) fn take_memory(&mut self) -> Memory {
        self.memory.pop().unwrap_or_default()
    }

    /// Gives buffers back.
    pub(super) fn give_back(&mut self, memory: Memory) {
        self.memory.push(memory);
    }
}

/// A point of the search to come back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The next instruction.
    pub(super) pc: usize,
    /// Where the search is.
    pub(super) place: Place,
    /// The moves in focus so far.
    pub(super) count: i32,
    /// How many comments there were, if those since then are to be forgotten. Then the atomic variables go back too.
    pub(super) log: Option<usize>,
}

/// Where a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At a position: `line` is to consume it, `path` is to leave it.
    Here(u32),
    /// For `line`: at a position, with `move` filters bound to the move to a child.
    Bound(u32, u32),
    /// For `path`: before the move to a child.
    Toward(u32, u32),
    /// For `path`: all moves from a position were tried.
    Done,
}

/// Whether a loop goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repetition {
    /// It was not run often enough.
    Needed,
    /// It may be left or run once more.
    Possible,
    /// It was run as often as it may be.
    Over,
}

/// The buffers of a search.
#[derive(Debug, Default)]
pub(super) struct Memory {
    choices: Vec<Choice>,
    /// The registers now.
    registers: Vec<u64>,
    /// The registers of the choices, so many for each.
    saved_registers: Vec<u64>,
    /// The atomic variables of the choices, so many for each.
    saved_values: Vec<Option<Value>>,
    /// States that were entered, when there are no registers: instruction by position.
    entered: Vec<u64>,
    /// How often states were entered, with their registers.
    entered_with: HashMap<Vec<u64>, u8>,
    /// Instructions still to be looked at for the tests that can be next, and the registers for each.
    frontier: Vec<usize>,
    frontier_registers: Vec<u64>,
    /// The tests that can be next, and the registers for each.
    tests: Vec<usize>,
    test_registers: Vec<u64>,
    first: u32,
    span: usize,
    /// How often a state may be entered.
    entries: u8,
}

impl Memory {
    /// Makes the memory ready for a program that visits positions from `first` to `last`. No state is entered more than
    /// `entries` times.
    pub(super) fn prepare(&mut self, program: &Program<'_>, first: u32, last: u32, entries: u8) {
        self.choices.clear();
        self.registers.clear();
        self.registers.resize(program.registers, 0);
        self.saved_registers.clear();
        self.saved_values.clear();
        self.entered_with.clear();
        self.entered.clear();
        self.first = first;
        self.span = (last - first) as usize + 1;
        self.entries = entries;
        if program.memo && self.has_bits() {
            self.entered.resize((program.ops.len() * self.span).div_ceil(64), 0);
        }
    }

    /// Whether a bit is enough to know of every state whether it may be entered.
    fn has_bits(&self) -> bool {
        self.registers.is_empty() && self.entries == 1
    }

    /// Notes that an instruction is run at a position; false if that was done too often with the same registers.
    pub(super) fn enter(&mut self, program: &Program<'_>, pc: usize, node: u32) -> bool {
        if !program.memo {
            return true;
        }
        if self.has_bits() {
            let index = pc * self.span + (node - self.first) as usize;
            let bit = 1 << (index % 64);
            let word = &mut self.entered[index / 64];
            let new = *word & bit == 0;
            *word |= bit;
            return new;
        }
        let mut key = Vec::with_capacity(self.registers.len() + 1);
        key.push((pc as u64) << 32 | u64::from(node));
        key.extend_from_slice(&self.registers);
        let entered = self.entered_with.entry(key).or_insert(0);
        *entered = entered.saturating_add(1);
        *entered <= self.entries
    }

    /// How many choices are open.
    pub(super) fn depth(&self) -> usize {
        self.choices.len()
    }

    /// Notes a choice with the state as it is.
    pub(super) fn push(&mut self, choice: Choice, values: impl IntoIterator<Item = Option<Value>>) {
        self.choices.push(choice);
        self.saved_registers.extend_from_slice(&self.registers);
        self.saved_values.extend(values);
    }

    /// Turns the choices above a depth round, so that the first one pushed is the first one popped. They must have been
    /// pushed in the same state.
    pub(super) fn reverse_above(&mut self, depth: usize) {
        self.choices[depth..].reverse();
    }

    /// The same where the choices were pushed in different states.
    pub(super) fn reverse_all_above(&mut self, depth: usize) {
        self.choices[depth..].reverse();
        let count = self.registers.len();
        if count > 0 {
            let saved = &mut self.saved_registers[depth * count..];
            saved.reverse();
            saved.chunks_exact_mut(count).for_each(<[u64]>::reverse);
        }
    }

    /// Begins to look for the tests that can be next, with the registers as they are.
    pub(super) fn start_frontier(&mut self, pc: usize) {
        self.frontier.clear();
        self.frontier_registers.clear();
        self.tests.clear();
        self.test_registers.clear();
        self.extend_frontier(pc);
    }

    /// Notes an instruction to look at after the others.
    pub(super) fn extend_frontier(&mut self, pc: usize) {
        self.frontier.push(pc);
        self.frontier_registers.extend_from_slice(&self.registers);
    }

    /// The instruction noted last, with the registers as they were.
    pub(super) fn next_in_frontier(&mut self) -> Option<usize> {
        let pc = self.frontier.pop()?;
        let saved = self.frontier_registers.len() - self.registers.len();
        self.registers.copy_from_slice(&self.frontier_registers[saved..]);
        self.frontier_registers.truncate(saved);
        Some(pc)
    }

    /// Notes a test that can be next.
    pub(super) fn note_test(&mut self, pc: usize) {
        self.tests.push(pc);
        self.test_registers.extend_from_slice(&self.registers);
    }

    /// Notes as choices all tests that can be next, at a place.
    pub(super) fn push_tests(&mut self, place: Place, log: Option<usize>) {
        self.choices.extend(self.tests.iter().map(|&pc| Choice {
            pc,
            place,
            count: 0,
            log,
        }));
        self.saved_registers.extend_from_slice(&self.test_registers);
    }

    /// The last choice. The registers are as they were; so are the values of the atomic variables, if the choice says so.
    pub(super) fn pop(&mut self, values: &mut [Option<Value>]) -> Option<Choice> {
        let choice = self.choices.pop()?;
        let saved = self.saved_registers.len() - self.registers.len();
        self.registers.copy_from_slice(&self.saved_registers[saved..]);
        self.saved_registers.truncate(saved);
        if choice.log.is_some() {
            let saved = self.saved_values.len() - values.len();
            for (value, saved) in values.iter_mut().zip(self.saved_values.drain(saved..)) {
                *value = saved;
            }
        }
        Some(choice)
    }

    /// `Op::Enter`
    pub(super) fn begin(&mut self, register: usize) {
        self.registers[register] = 0;
    }

    /// Notes that something was consumed.
    pub(super) fn advance(&mut self) {
        self.registers.iter_mut().for_each(|register| *register |= 1);
    }

    /// `Op::Again`: whether to go on with the body. If it is only possible, note that as a choice and then
    /// [`Memory::leave`] the loop.
    pub(super) fn decide(&mut self, register: usize, min: u32, max: Option<u32>) -> Repetition {
        let count = self.registers[register] >> 1;
        if max.is_some_and(|max| count >= u64::from(max)) && count >= u64::from(min) {
            self.leave(register);
            return Repetition::Over;
        }
        self.registers[register] &= !1;
        if count < u64::from(min) {
            Repetition::Needed
        } else {
            Repetition::Possible
        }
    }

    /// Leaves the register as if it had never been used.
    pub(super) fn leave(&mut self, register: usize) {
        self.registers[register] = 0;
    }

    /// `Op::Next`: counts a repetition; false if it consumed nothing and there is no use in another one. There never is
    /// if they are `alike`, and in a loop without an upper bound it would not end.
    pub(super) fn end_repetition(&mut self, register: usize, min: u32, max: Option<u32>, alike: bool) -> bool {
        let value = &mut self.registers[register];
        let (count, progress) = (*value >> 1, *value & 1);
        let idle = progress == 0 && (alike || max.is_none());
        if idle && count >= u64::from(min) {
            return false;
        }
        // Counting beyond what is asked for would make a difference where there is none. A bound that the game is too
        // short for is none.
        let cap = u64::from(max.filter(|&max| !alike || max as usize <= self.span).unwrap_or(min));
        let counted = if progress == 0 && alike {
            u64::from(min)
        } else {
            (count + 1).min(cap)
        };
        *value = counted << 1 | progress;
        true
    }
}

impl Machine<'_> {
    /// Whether a match of this sequence with `nestban` may not start here.
    pub(super) fn is_banned(&self, id: SequenceId, node: u32) -> bool {
        self.state
            .banned
            .get(id.0 as usize)
            .is_some_and(|banned| banned.contains(&node))
    }

    /// Notes the positions of a match.
    pub(super) fn ban(&mut self, id: SequenceId, nodes: impl IntoIterator<Item = u32>) {
        if let Some(banned) = self.state.banned.get_mut(id.0 as usize) {
            banned.extend(nodes);
        }
    }
}
