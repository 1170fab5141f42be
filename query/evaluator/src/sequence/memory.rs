//! The stack, the counters and the memory of a search.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::{Jump, Op, Program};
use crate::value::Value;

/// How many states are remembered with their registers before all are forgotten: some 30 megabytes, which are freed when
/// the next search begins. After that the search may try failed states again.
const REMEMBERED: usize = 1 << 18;

/// A point of the search to come back to.
///
/// In this order, no field lies across two parts in which it is copied: reading such a field at once has to wait.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// How many comments there were, if those since then are to be taken back. Then the atomic variables are restored
    /// too.
    pub(crate) log: Option<usize>,
    /// Where the search is.
    pub(crate) place: Place,
    /// The moves in focus so far.
    pub(crate) count: i32,
    /// The next instruction.
    pub(crate) pc: usize,
}

/// Where a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// At a position: `line` is to consume it, `path` is to leave it.
    Here(u32),
    /// For `line`: at a position, with `move` filters bound to the move to a child.
    Bound(u32, u32),
    /// For `path`: before the move to a child.
    Toward(u32, u32),
    /// For `path`: all moves from a position were tried.
    Done,
}

/// The buffers of a search.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    choices: Vec<Choice>,
    /// The registers now.
    registers: Vec<u64>,
    /// The registers of the choices, one set after the other.
    saved_registers: Vec<u64>,
    /// The atomic variables of the choices, one set after the other.
    saved_values: Vec<Option<Value>>,
    /// States that were entered, when there are no registers: instruction by position.
    entered: Vec<u64>,
    /// How often states were entered, with their registers.
    entered_with: HashMap<Vec<u64>, u8, RandomState>,
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
    pub(crate) fn prepare(&mut self, program: &Program<'_>, first: u32, last: u32, entries: u8) {
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

    /// Whether one bit for each state is enough to tell whether it may be entered.
    fn has_bits(&self) -> bool {
        self.registers.is_empty() && self.entries == 1
    }

    /// Notes that an instruction is run at a position; false if that was done too often with the same registers.
    pub(crate) fn enter(&mut self, program: &Program<'_>, pc: usize, node: u32) -> bool {
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
        if self.entered_with.len() == REMEMBERED {
            self.entered_with.clear();
        }
        let mut key = Vec::with_capacity(self.registers.len() + 1);
        key.push((pc as u64) << 32 | u64::from(node));
        key.extend_from_slice(&self.registers);
        let entered = self.entered_with.entry(key).or_insert(0);
        *entered = entered.saturating_add(1);
        *entered <= self.entries
    }

    /// How many choices are open.
    pub(crate) fn depth(&self) -> usize {
        self.choices.len()
    }

    /// Notes a choice with the state as it is.
    pub(crate) fn push(&mut self, choice: Choice, values: impl IntoIterator<Item = Option<Value>>) {
        self.choices.push(choice);
        self.saved_registers.extend_from_slice(&self.registers);
        self.saved_values.extend(values);
    }

    /// Reverses the choices above a depth, so that the first one pushed is the first one popped. They must have been
    /// pushed in the same state.
    pub(crate) fn reverse_above(&mut self, depth: usize) {
        self.choices[depth..].reverse();
    }

    /// The same where the choices were pushed in different states.
    pub(crate) fn reverse_all_above(&mut self, depth: usize) {
        self.choices[depth..].reverse();
        let count = self.registers.len();
        if count > 0 {
            let saved = &mut self.saved_registers[depth * count..];
            saved.reverse();
            saved.chunks_exact_mut(count).for_each(<[u64]>::reverse);
        }
    }

    /// Looks for the tests of a `line` that can be next, from an instruction on with the registers as they are. Says
    /// whether the line may end there, too.
    pub(crate) fn find_tests(&mut self, program: &Program<'_>, pc: usize) -> bool {
        self.tests.clear();
        self.test_registers.clear();
        self.extend_frontier(pc);
        let mut accepts = false;
        while let Some(mut pc) = self.next_in_frontier() {
            loop {
                match program.ops[pc] {
                    Op::Test { .. } => {
                        self.tests.push(pc);
                        self.test_registers.extend_from_slice(&self.registers);
                        break;
                    }
                    Op::Move(_) => unreachable!("dashes are steps of a path only"),
                    Op::Jump(jump) => match self.jump(jump, pc, true, Memory::extend_frontier) {
                        Some(next) => pc = next,
                        None => break,
                    },
                    Op::Accept => {
                        accepts = true;
                        break;
                    }
                }
            }
        }
        accepts
    }

    /// The tests found last, with the registers for each.
    pub(crate) fn tests(&self) -> impl Iterator<Item = (usize, &[u64])> {
        let count = self.registers.len();
        self.tests
            .iter()
            .enumerate()
            .map(move |(i, &pc)| (pc, &self.test_registers[i * count..(i + 1) * count]))
    }

    /// Sets the registers.
    pub(crate) fn set_registers(&mut self, registers: &[u64]) {
        self.registers.copy_from_slice(registers);
    }

    /// Notes an instruction to look at after the others.
    fn extend_frontier(&mut self, pc: usize) {
        self.frontier.push(pc);
        self.frontier_registers.extend_from_slice(&self.registers);
    }

    /// The instruction noted last, with the registers as they were.
    fn next_in_frontier(&mut self) -> Option<usize> {
        let pc = self.frontier.pop()?;
        let saved = self.frontier_registers.len() - self.registers.len();
        self.registers.copy_from_slice(&self.frontier_registers[saved..]);
        self.frontier_registers.truncate(saved);
        Some(pc)
    }

    /// Notes as choices all tests that can be next, at a place.
    pub(crate) fn push_tests(&mut self, place: Place, log: Option<usize>) {
        self.choices.extend(self.tests.iter().map(|&pc| Choice {
            pc,
            place,
            count: 0,
            log,
        }));
        self.saved_registers.extend_from_slice(&self.test_registers);
    }

    /// The last choice. The registers are as they were; so are the values of the atomic variables, if the choice has
    /// them.
    pub(crate) fn pop(&mut self, values: &mut [Option<Value>]) -> Option<Choice> {
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

    /// Notes that something was consumed.
    pub(crate) fn advance(&mut self) {
        self.registers.iter_mut().for_each(|register| *register |= 1);
    }

    /// The instruction that follows a jump at `pc`; `None` if it leads nowhere. Where there are two, `choose` is to note the
    /// other one, to be run later with the registers as they are then. Repetitions that are `alike` change nothing if they
    /// consume no position.
    pub(crate) fn jump(
        &mut self,
        jump: Jump,
        pc: usize,
        alike: bool,
        choose: impl FnOnce(&mut Memory, usize),
    ) -> Option<usize> {
        match jump {
            Jump::To(target) => Some(target),
            Jump::Split(first, second) => {
                choose(self, second);
                Some(first)
            }
            Jump::Enter(register) => {
                self.registers[register] = 0;
                Some(pc + 1)
            }
            Jump::Again {
                register,
                min,
                max,
                exit,
            } => {
                let count = self.registers[register] >> 1;
                let (min, max) = (u64::from(min), max.map(u64::from));
                if count < min {
                    self.registers[register] &= !1;
                    return Some(pc + 1);
                }
                if max.is_none_or(|max| count < max) {
                    self.registers[register] &= !1;
                    choose(self, pc + 1);
                }
                // A loop leaves its register as if it had never been used.
                self.registers[register] = 0;
                Some(exit)
            }
            Jump::Next {
                register,
                min,
                max,
                again,
            } => self.end_repetition(register, min, max, alike).then_some(again),
        }
    }

    /// Counts a repetition; false if it consumed no position and another one would change nothing. Repetitions
    /// that are `alike` never change anything then, and in a loop without an upper bound they would not end.
    fn end_repetition(&mut self, register: usize, min: u32, max: Option<u32>, alike: bool) -> bool {
        let value = &mut self.registers[register];
        let (count, progress) = (*value >> 1, *value & 1);
        let idle = progress == 0 && (alike || max.is_none());
        if idle && count >= u64::from(min) {
            return false;
        }
        // Counting beyond the bounds would tell states apart that behave alike. A bound that the game is too short for is
        // no bound.
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
