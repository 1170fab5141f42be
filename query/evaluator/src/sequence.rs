//! The program that a `line` or `path` is compiled to, and the memory of its search.
//!
//! Constituents become a small non-deterministic program, as the parts of a regular expression do. It is run by
//! backtracking over an explicit stack, so that neither long games nor deep repetition can overflow the call stack. The
//! order of the search is that of docs/language/sequences.md#order-of-matches: children in their order, fewer
//! repetitions before more.

mod analysis;
mod memory;
mod programs;

use self::analysis::{
    has_plain_move, has_plain_operands, is_plain, is_pure, is_pure_dash, is_silent, is_timeless, may_be_nothing,
    may_stay, variables_read,
};

pub(crate) use self::memory::{Choice, Memory, Place};
pub(crate) use self::programs::Programs;
use language::hir::{Constituent, Dash, Filter, Line, LineArrow, Path, PathStep, Repeat, VariableId};

use crate::limits::Rules;

/// One instruction.
#[derive(Debug)]
pub(crate) enum Op<'a> {
    /// Tests a filter: `line` consumes a position with it, `path` stays where it is.
    Test {
        /// The filter.
        filter: &'a Filter,
        /// Whether it has `move` filters that are bound to the move to the next position.
        bound: bool,
    },
    /// Makes a move that the dash accepts.
    Move(&'a Dash),
    /// Decides which instruction is next.
    Jump(Jump),
    /// All constituents are consumed.
    Accept,
}

/// An instruction that only decides which one is next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Jump {
    /// Continues at another instruction.
    To(usize),
    /// Continues at the first instruction; at the second if that fails or a longer match is wanted.
    Split(usize, usize),
    /// Begins to count repetitions in a register.
    Enter(usize),
    /// Decides whether to repeat what follows once more.
    Again {
        /// Where repetitions are counted.
        register: usize,
        /// The least number of repetitions.
        min: u32,
        /// The greatest number of repetitions; `None` if there is no bound.
        max: Option<u32>,
        /// Where to continue after the last repetition.
        exit: usize,
    },
    /// Ends one repetition.
    Next {
        /// Where repetitions are counted.
        register: usize,
        /// The least number of repetitions.
        min: u32,
        /// The greatest number of repetitions; `None` if there is no bound.
        max: Option<u32>,
        /// The [`Jump::Again`].
        again: usize,
    },
}

/// The move that a `path` begins with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begin<'a> {
    pub(crate) dash: &'a Dash,
    /// Whether its targets leave nothing behind, and read nothing of the path, either.
    pub(crate) has_plain_targets: bool,
}

/// A compiled sequence.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    /// The instructions; the last one is [`Op::Accept`].
    pub(crate) ops: Vec<Op<'a>>,
    /// How many registers there are.
    pub(crate) registers: usize,
    /// Whether a state of the search need not be entered twice: there is more than one way to it, and what is tested
    /// neither changes nor reads anything that differs between them.
    pub(crate) memo: bool,
    /// Whether running the tests leaves nothing behind but comments.
    pub(crate) pure: bool,
    /// For `line`: whether it leaves no comments either.
    pub(crate) silent: bool,
    /// For `line`: whether a test at a position gives the same throughout a game.
    pub(crate) timeless: bool,
    /// For `path`: a condition that every match begins with, and that gives the same throughout a game.
    pub(crate) first: Option<&'a Filter>,
    /// For `path`: the dash that every match begins with, behind `first`, if its operands leave nothing behind and read
    /// nothing of the path.
    pub(crate) begins: Option<Begin<'a>>,
    choices: usize,
}

impl<'a> Program<'a> {
    fn new() -> Program<'a> {
        Program {
            ops: Vec::new(),
            registers: 0,
            memo: false,
            pure: true,
            silent: true,
            timeless: true,
            first: None,
            begins: None,
            choices: 0,
        }
    }

    /// Compiles a `line`. Its `move` filters are bound to the move that the line takes, unless the rules say otherwise.
    pub(crate) fn of_line(line: &'a Line, rules: Rules) -> Program<'a> {
        let mut program = Program::new();
        let binds = line.arrow == LineArrow::Forward && !rules.unbound_moves;
        program.constituents(&line.constituents, binds);
        program.finish();
        program
    }

    /// Compiles a `path`.
    pub(crate) fn of_path(path: &'a Path) -> Program<'a> {
        let mut program = Program::new();
        program.steps(&path.steps);
        if let Some(max) = &path.max {
            program.pure &= is_pure(max);
        }
        program.first = match program.ops.first() {
            Some(Op::Test { filter, .. }) if is_fixed(filter) => Some(filter),
            _ => None,
        };
        program.begins = match program.ops.get(usize::from(program.first.is_some())) {
            Some(Op::Move(dash)) if has_plain_operands(dash) => Some(Begin {
                dash,
                has_plain_targets: dash.target.iter().all(is_plain),
            }),
            _ => None,
        };
        program.finish();
        program
    }

    /// Whether each constituent comes once, one behind the other.
    pub(crate) fn is_straight(&self) -> bool {
        self.choices == 0
    }

    fn finish(&mut self) {
        self.ops.push(Op::Accept);
        self.memo = self.pure && self.choices > 1;
    }

    /// For `path`: whether nothing is evaluated from an instruction on before a move is looked at, and there is no match
    /// without a move.
    pub(crate) fn begins_with_moves(&self, begin: usize) -> bool {
        let mut seen = vec![false; self.ops.len()];
        let mut open = vec![begin];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            match &self.ops[at] {
                Op::Move(_) => {}
                Op::Test { .. } | Op::Accept => return false,
                Op::Jump(jump) => match *jump {
                    Jump::To(to) => open.push(to),
                    Jump::Split(first, second) => open.extend([first, second]),
                    Jump::Enter(_) => open.push(at + 1),
                    Jump::Again { exit, .. } => open.extend([at + 1, exit]),
                    Jump::Next { again, .. } => open.push(again),
                },
            }
        }
        true
    }

    fn constituents(&mut self, list: &'a [Constituent], binds: bool) {
        for constituent in list {
            match constituent {
                Constituent::Filter { filter, repeat } => {
                    self.pure &= is_pure(filter);
                    self.silent &= is_silent(filter);
                    self.timeless &= is_timeless(filter);
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
                self.ops.push(Op::Jump(Jump::Split(0, start + 1)));
                body(self);
                self.ops[start] = Op::Jump(Jump::Split(self.ops.len(), start + 1));
                self.choices += 1;
            }
            (0, None) if !nullable => {
                self.ops.push(Op::Jump(Jump::Split(0, start + 1)));
                body(self);
                self.ops.push(Op::Jump(Jump::To(start)));
                self.ops[start] = Op::Jump(Jump::Split(self.ops.len(), start + 1));
                self.choices += 1;
            }
            (1, None) if !nullable => {
                body(self);
                let exit = self.ops.len() + 1;
                self.ops.push(Op::Jump(Jump::Split(exit, start)));
                self.choices += 1;
            }
            (min, max) => {
                let register = self.registers;
                self.registers += 1;
                self.choices += 1;
                self.ops.push(Op::Jump(Jump::Enter(register)));
                let again = self.ops.len();
                self.ops.push(Op::Jump(Jump::Again {
                    register,
                    min,
                    max,
                    exit: 0,
                }));
                body(self);
                self.ops.push(Op::Jump(Jump::Next {
                    register,
                    min,
                    max,
                    again,
                }));
                self.ops[again] = Op::Jump(Jump::Again {
                    register,
                    min,
                    max,
                    exit: self.ops.len(),
                });
            }
        }
    }
}

/// Whether a filter has one value at a position throughout a game, and no side effects: it need not be evaluated there
/// twice.
pub(crate) fn is_fixed(filter: &Filter) -> bool {
    is_pure(filter) && is_silent(filter) && is_timeless(filter)
}

/// The variables of the query whose values, with the position, decide what a filter gives in one game; `None` if it
/// depends on more, or has side effects.
pub(crate) fn known_by_variables(filter: &Filter) -> Option<Vec<VariableId>> {
    if is_pure(filter) && is_silent(filter) {
        variables_read(filter)
    } else {
        None
    }
}

/// Whether the filter changes nothing but comments.
pub(crate) fn only_comments(filter: &Filter) -> bool {
    is_pure(filter)
}
