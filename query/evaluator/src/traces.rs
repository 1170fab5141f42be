//! Which filters leave nothing behind that anything in the run can see.
//!
//! Evaluating such a filter may be left out, or stopped as soon as its answer is known, if it raises no error either.

use std::collections::HashSet;

use language::facts::{Leaves, Reads, is_infallible, is_plain_assignment, unbound_variables};
use language::hir::{Filter, Node, Query, VariableId};

use crate::limits::Limits;

/// What a run can see of what filters leave behind.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    /// What nothing looks at.
    unseen: Leaves,
    /// How many filters read each variable; `None` for persistent variables, which are listed after the run.
    readers: Vec<Option<usize>>,
    /// Whether comments of a filter that fails are taken back.
    takes_back: bool,
    /// The variables that are unbound somewhere: none of them is certain to have a value.
    unbound: HashSet<VariableId>,
}

impl Traces {
    /// What can be seen when a query is run.
    pub(crate) fn of(query: &Query, limits: &Limits) -> Traces {
        let reads = query.body.all_reads();
        let is_read = |kinds: Reads| reads.intersects(kinds);
        let takes_back = !limits.rules.keep_all_comments;
        let unseen = Leaves::COMMENT.when(!limits.results && takes_back)
            | Leaves::SORT_KEY.when(!limits.results)
            | Leaves::PATH.when(!is_read(Reads::PATH | Reads::PATH_END))
            | Leaves::GROUPS.when(!is_read(Reads::GROUPS));
        let mut readers: Vec<Option<usize>> = query.variables.iter().map(|v| (!v.persistent).then_some(0)).collect();
        query.body.any(&mut |filter| {
            filter.for_each_variable(&mut |variable| {
                if let Some(Some(count)) = readers.get_mut(variable.0 as usize) {
                    *count += 1;
                }
            });
            false
        });
        Traces {
            unseen,
            readers,
            takes_back,
            unbound: unbound_variables(&query.body),
        }
    }

    /// The variables whose values in a region of the query are seen nowhere else, nor when the region is evaluated again.
    pub(crate) fn private_to(&self, region: &Filter) -> Vec<VariableId> {
        let mut private = Vec::new();
        region.any(&mut |filter| {
            private.extend(filter.facts().assigns);
            false
        });
        private.sort_unstable();
        private.dedup();
        if private.is_empty() {
            return private;
        }
        let mut inside = vec![0; self.readers.len()];
        let mut early = Vec::new();
        find_reads(region, &mut Vec::new(), &mut inside, &mut early);
        private.retain(|variable| {
            let index = variable.0 as usize;
            self.readers.get(index).is_some_and(|all| *all == Some(inside[index])) && !early.contains(variable)
        });
        private
    }

    /// Whether evaluating a filter can be left out where its answer does not matter. `private` are the variables whose
    /// values nothing else sees, `bound` those that have a value there, and `truth` says that it is asked whether it
    /// matches.
    pub(crate) fn may_skip(&self, filter: &Filter, truth: bool, private: &[VariableId], bound: &[VariableId]) -> bool {
        leaves_only(filter, self.unseen, private) && self.is_infallible(filter, truth, bound)
    }

    /// The same where the filters around it fail if the evaluation is left out, so that its comments are taken back.
    pub(crate) fn may_skip_before_failure(
        &self,
        filter: &Filter,
        private: &[VariableId],
        bound: &[VariableId],
    ) -> bool {
        let comments = Leaves::COMMENT.when(self.takes_back);
        leaves_only(filter, self.unseen | comments, private) && self.is_infallible(filter, true, bound)
    }
}

impl Traces {
    /// Whether evaluating a filter can be left out where it is known to fail: it leaves nothing behind then but what is in
    /// it does.
    pub(crate) fn may_fail_unseen(&self, filter: &Filter, private: &[VariableId], bound: &[VariableId]) -> bool {
        let unseen = self.unseen | Leaves::COMMENT.when(self.takes_back);
        let mut is_unseen = true;
        filter.for_each_child(&mut |child| is_unseen = is_unseen && leaves_only(child, unseen, private));
        is_unseen && self.is_infallible(filter, false, bound)
    }

    /// Those variables that still have a value where they have been given one.
    pub(crate) fn certain(&self, bound: &[VariableId]) -> Vec<VariableId> {
        let is_certain = |variable: &VariableId| !self.unbound.contains(variable);
        bound.iter().copied().filter(is_certain).collect()
    }

    /// Whether a filter never raises an error. `bound` are the variables that have been given a value.
    fn is_infallible(&self, filter: &Filter, truth: bool, bound: &[VariableId]) -> bool {
        is_infallible(filter, truth, &mut self.certain(bound))
    }
}

/// Whether a filter leaves nothing but this behind.
fn leaves_only(filter: &Filter, unseen: Leaves, private: &[VariableId]) -> bool {
    !filter.any(&mut |part| {
        let facts = part.facts();
        let mut leaves = facts.leaves.without(unseen);
        if facts.assigns.is_some_and(|variable| private.contains(&variable)) {
            leaves = leaves.without(Leaves::VARIABLE);
        }
        leaves != Leaves::NOTHING || facts.reads.intersects(Reads::FILE)
    })
}

/// Counts the filters that read each variable, and notes the variables that are read where they are not certain to have
/// been assigned in the lists around.
fn find_reads(filter: &Filter, assigned: &mut Vec<VariableId>, reads: &mut [usize], early: &mut Vec<VariableId>) {
    filter.for_each_variable(&mut |variable| {
        if let Some(count) = reads.get_mut(variable.0 as usize) {
            *count += 1;
        }
        if !assigned.contains(&variable) {
            early.push(variable);
        }
    });
    let mark = assigned.len();
    let is_list = matches!(&filter.node, Node::Compound(_) | Node::And(..));
    filter.for_each_child(&mut |child| {
        find_reads(child, assigned, reads, early);
        match &child.node {
            Node::Assign(variable, op, _) if is_list && is_plain_assignment(*op) => assigned.push(*variable),
            Node::AssignPiece(variable, _) if is_list => assigned.push(*variable),
            _ => {}
        }
    });
    assigned.truncate(mark);
}
