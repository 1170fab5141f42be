//! What may be assumed of the parts of a `line` or `path`.

use language::facts::{Binds, Leaves, MoveContext, Reads as Read};
use language::hir::{Constituent, Dash, Filter, Node, PathStep, Promotion, VariableId};

/// Whether a constituent of a `line` can be passed without a position.
pub(super) fn may_be_nothing(constituent: &Constituent) -> bool {
    match constituent {
        Constituent::Filter { repeat, .. } => repeat.min == 0,
        Constituent::Group { constituents, repeat } => repeat.min == 0 || constituents.iter().all(may_be_nothing),
    }
}

/// Whether a step of a `path` can be passed without a move.
pub(super) fn may_stay(step: &PathStep) -> bool {
    match step {
        PathStep::Filter(_) => true,
        PathStep::Dash { repeat, .. } => repeat.min == 0,
        PathStep::Chain { steps, repeat } => repeat.min == 0 || steps.iter().all(may_stay),
    }
}

/// Whether evaluating the filter leaves only comments behind, and reads nothing that changes while a sequence is
/// searched. Then it has one value at one position, whichever way the search took there.
pub(super) fn is_pure(filter: &Filter) -> bool {
    !filter.any(&mut |part| {
        let facts = part.facts();
        facts.leaves.without(Leaves::COMMENTS) != Leaves::NOTHING || facts.reads.intersects(Read::PATH_END | Read::FILE)
    })
}

/// The same for a dash.
pub(super) fn is_pure_dash(dash: &Dash) -> bool {
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

/// Whether the operands of a dash leave nothing behind, and read nothing of the path around it.
pub(super) fn has_plain_operands(dash: &Dash) -> bool {
    let text = match &dash.promotion {
        Some(Promotion::Text(text)) => Some(&**text),
        _ => None,
    };
    dash.left.iter().chain(&dash.right).chain(text).all(is_plain)
}

/// Whether a filter leaves nothing behind, and reads nothing of a path around it.
pub(super) fn is_plain(filter: &Filter) -> bool {
    is_pure(filter) && is_silent(filter) && !filter.all_reads().intersects(Read::PATH | Read::PATH_END)
}

/// Whether the filter has a `move` filter about the moves that leave the position, outside of what looks at other
/// positions (docs/language/sequences.md#moves-in-a-line).
pub(super) fn has_plain_move(filter: &Filter) -> bool {
    if matches!(&filter.node, Node::Move(m) if !m.previous && m.legality.is_none()) {
        return true;
    }
    let (mut found, mut is_here) = (false, true);
    let moves = filter.facts().moves;
    filter.for_each_child(&mut |child| {
        found = found || moves != MoveContext::Elsewhere && is_here && has_plain_move(child);
        is_here = moves == MoveContext::Here;
    });
    found
}

/// Whether a pure filter leaves no comments either.
pub(super) fn is_silent(filter: &Filter) -> bool {
    !filter.any(&mut |part| part.facts().leaves.intersects(Leaves::COMMENT))
}

/// Whether a pure filter has the same value at a position whenever it is asked in one game: it reads no variables but
/// its own, and nothing of the path that it may stand in.
pub(super) fn is_timeless(filter: &Filter) -> bool {
    variables_read(filter).is_some_and(|variables| variables.is_empty())
}

/// The variables that are not its own and that a pure filter reads; `None` if it also reads something else that changes
/// in the course of a game.
pub(super) fn variables_read(filter: &Filter) -> Option<Vec<VariableId>> {
    let mut reads = Reads::default();
    reads.add(filter);
    (!reads.more).then_some(reads.variables)
}

#[derive(Default)]
struct Reads {
    /// Variables that the filters around bind themselves.
    own: Vec<VariableId>,
    variables: Vec<VariableId>,
    /// Whether something is read that is no variable.
    more: bool,
}

impl Reads {
    fn add(&mut self, filter: &Filter) {
        const MORE: Read = Read::DICTIONARY
            .union(Read::GROUPS)
            .union(Read::PATH)
            .union(Read::PATH_END);
        let mark = self.own.len();
        let facts = filter.facts();
        filter.for_each_variable(&mut |variable| self.variable(variable));
        self.more |= facts.reads.intersects(MORE);
        match facts.binds {
            Binds::Nothing => {}
            Binds::Loop { variable, domain } => {
                self.add(domain);
                self.own.push(variable);
            }
            Binds::Pair(variables) => self.own.extend(variables),
            Binds::Arguments(arguments) => {
                arguments.iter().for_each(|(_, argument)| self.add(argument));
                self.own.extend(arguments.iter().map(|(variable, _)| *variable));
            }
        }
        if !self.more {
            filter.for_each_child(&mut |child| self.add(child));
        }
        self.own.truncate(mark);
    }

    fn variable(&mut self, variable: VariableId) {
        if !self.own.contains(&variable) && !self.variables.contains(&variable) {
            self.variables.push(variable);
        }
    }
}
