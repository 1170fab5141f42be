//! The programs of all sequences of a query.

use language::hir::{Filter, Node, Query, SequenceId};

use super::Program;
use crate::limits::Rules;

/// A program for each `line` and `path` of a query, by its number.
#[derive(Debug)]
pub(crate) struct Programs<'q>(Vec<Program<'q>>);

impl<'q> Programs<'q> {
    /// Compiles the sequences of a query.
    pub(crate) fn of(query: &'q Query, rules: Rules) -> Programs<'q> {
        let mut programs = Programs(Vec::new());
        programs.visit(&query.body, rules);
        programs
    }

    fn visit(&mut self, filter: &'q Filter, rules: Rules) {
        match &filter.node {
            Node::Line(line) => self.insert(line.id, Program::of_line(line, rules)),
            Node::Path(path) => self.insert(path.id, Program::of_path(path)),
            _ => {}
        }
        filter.for_each_child(&mut |child| self.visit(child, rules));
    }

    fn insert(&mut self, id: SequenceId, program: Program<'q>) {
        let index = id.0 as usize;
        if self.0.len() <= index {
            self.0.resize_with(index + 1, Program::new);
        }
        self.0[index] = program;
    }

    /// The program of a sequence.
    #[inline]
    pub(crate) fn of_sequence(&self, id: SequenceId) -> &Program<'q> {
        &self.0[id.0 as usize]
    }
}
