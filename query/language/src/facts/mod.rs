//! What is known of each kind of filter, in one place.
//!
//! Two matches over [`Node`] have no wildcard, so that a new filter does not compile before it has an arm in both:
//! * `table.rs` says of every filter what it reads, what it leaves behind, whether it can raise an error, whether it is
//!   vacuous as a condition, what it does with variables, and what the index can say about it;
//! * `parts.rs` says of what every filter consists: its children, and the attributes that a transform changes.
//!
//! Everything else that has to know about all filters asks these two: which columns a search loads, which positions have
//! to be evaluated and in what order, what a search may remember, and how a transform rewrites a filter.

mod compared_boards;
mod doubt;
mod fallibility;
mod flags;
mod parts;
mod table;

pub use compared_boards::{ComparedBoards, SquareLabels, SquarePairs};
pub use doubt::{has_loop_in_doubt, unbound_variables};
pub use fallibility::{is_infallible, is_plain_assignment, keeps_long_text, note_assigned, reads_before_its_argument};
pub use flags::{Leaves, Reads};
pub use parts::{Part, PartMut};

use crate::hir::{Bound, DictionaryId, Filter, FilterId, Node, Range, VariableId};

/// What is known of a filter by itself; what its children add is not in here.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'f> {
    /// Whether it always matches and so says nothing as a condition (docs/language/kinds.md#truth): asking it stops the
    /// query.
    pub vacuous: bool,
    /// Whether evaluating it can stop the query with an error.
    pub fallibility: Fallibility,
    /// What the index can say about where it matches.
    pub index: IndexBound,
    /// Whether it can be answered once for a whole game, if its children can.
    pub by_game: bool,
    /// What it reads beside the board.
    pub reads: Reads,
    /// What is left behind after its evaluation.
    pub leaves: Leaves,
    /// The variables whose values it asks for.
    pub reads_variables: &'f [VariableId],
    /// The variable that it gives a value to.
    pub assigns: Option<VariableId>,
    /// The variables that have a value only for its children.
    pub binds: Binds<'f>,
    /// The dictionary that it reads or changes.
    pub dictionary: Option<DictionaryId>,
    /// Its range, whose bounds may be variables.
    pub range: Option<&'f Range>,
    /// Which position a `move` filter among its children is about.
    pub moves: MoveContext,
}

/// Whether a filter can stop the query with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallibility {
    /// Only where a child can.
    OfParts,
    /// That depends on where it stands and on its parameters: see [`is_infallible`].
    ByContext,
    /// It can, or it must be taken to.
    Fallible,
}

/// What the posting lists can say at best about where a filter matches, or about the value that a condition compares:
/// if its operands are known exactly, and if the plan does not get too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexBound {
    /// Exactly where it matches.
    Exact,
    /// A set of positions that has all of its matches.
    AtMost,
    /// Nothing by itself: the evaluator has to look at what the other filters leave.
    Unknown,
}

/// Variables that have a value for the children of a filter only.
#[derive(Clone, Copy, Debug)]
pub enum Binds<'f> {
    /// No variable.
    Nothing,
    /// A loop: the domain is evaluated before the variable has a value.
    Loop {
        /// The variable.
        variable: VariableId,
        /// What the loop runs over.
        domain: &'f Filter,
    },
    /// `echo`: source and target.
    Pair([VariableId; 2]),
    /// A function call: the arguments are evaluated first, each before its variable has the value.
    Arguments(&'f [(VariableId, Filter)]),
}

/// Which position a `move` filter inside another filter is about (docs/language/sequences.md#moves-in-a-line).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveContext {
    /// The one that the outer filter is evaluated at.
    Here,
    /// Another one; the first child only is evaluated here.
    AfterFirst,
    /// Another one.
    Elsewhere,
}

impl Facts<'_> {
    /// A filter that reads the board only and leaves nothing behind.
    fn new(fallibility: Fallibility, index: IndexBound) -> Self {
        Facts {
            vacuous: false,
            fallibility,
            index,
            by_game: false,
            reads: Reads::NOTHING,
            leaves: Leaves::NOTHING,
            reads_variables: &[],
            assigns: None,
            binds: Binds::Nothing,
            dictionary: None,
            range: None,
            moves: MoveContext::Here,
        }
    }
}

impl Filter {
    /// Whether the filter says nothing as a condition, because it would always match (docs/language/kinds.md#truth):
    /// asking stops the query.
    #[inline]
    pub fn is_vacuous(&self) -> bool {
        match self.id {
            FilterId::NONE => self.facts().vacuous,
            _ => self.vacuous,
        }
    }

    /// Whether `test` holds for this filter or one below it.
    pub fn any(&self, test: &mut dyn FnMut(&Filter) -> bool) -> bool {
        let mut found = test(self);
        if !found {
            self.for_each_child(&mut |child| found = found || child.any(test));
        }
        found
    }

    /// Calls `f` with the variables that this filter reads or looks at by itself, its range included.
    pub fn for_each_variable(&self, f: &mut dyn FnMut(VariableId)) {
        let facts = self.facts();
        facts.reads_variables.iter().copied().for_each(&mut *f);
        if let Some(Range::Between(min, max)) = facts.range {
            for bound in [min, max] {
                if let Bound::Variable(variable) = bound {
                    f(*variable);
                }
            }
        }
    }

    /// What this filter and those below it read.
    pub fn all_reads(&self) -> Reads {
        let mut reads = Reads::NOTHING;
        self.any(&mut |filter| {
            reads |= filter.facts().reads;
            false
        });
        reads
    }

    /// Whether this is a transform that is not expanded yet.
    pub(crate) fn is_transform(&self) -> bool {
        matches!(self.node, Node::Transform { .. })
    }
}

#[cfg(test)]
mod tests;
