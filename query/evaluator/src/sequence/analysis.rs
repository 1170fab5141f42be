//! What may be assumed of the parts of a `line` or `path`.

use language::hir::{Bound, Constituent, Dash, Filter, FindCount, Node, PathStep, Promotion, Range, VariableId};

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

/// Whether evaluating the filter leaves nothing behind but comments, and reads nothing that changes while a sequence is
/// searched. Then it has one value at one position, however the search came there.
pub(super) fn is_pure(filter: &Filter) -> bool {
    !filter.any(&mut |part| {
        matches!(&part.node, Node::Line(line) if line.nestban)
            || matches!(&part.node, Node::Relation(relation) if relation.is_sorted())
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
                    | Node::SimilarPosition(_)
                    | Node::Path(_)
                    | Node::PathLastPosition
            )
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

/// Whether the filter has a `move` filter about the moves that leave the position, outside of what looks at other
/// positions (cql6-games 6.3).
pub(super) fn has_plain_move(filter: &Filter) -> bool {
    match &filter.node {
        Node::Line(_) | Node::Find { .. } | Node::Echo { .. } | Node::Relation(_) | Node::DiagramRelation(_) => false,
        Node::At(place, _) => has_plain_move(place),
        Node::Move(m) if !m.previous && m.legality.is_none() => true,
        _ => {
            let mut found = false;
            filter.for_each_child(&mut |child| found = found || has_plain_move(child));
            found
        }
    }
}

/// Whether a pure filter leaves no comments either.
pub(super) fn is_silent(filter: &Filter) -> bool {
    !filter.any(&mut |part| match &part.node {
        // Printing a position notes its number there.
        Node::Comment(_) | Node::Str(_) => true,
        Node::Move(m) => m.comment.is_some(),
        Node::Find { quiet, .. } | Node::Echo { quiet, .. } | Node::ConsecutiveMoves { quiet, .. } => !quiet,
        Node::Line(line) => !line.quiet,
        Node::Relation(relation) => !relation.quiet,
        _ => false,
    })
}

/// Whether a pure filter has the same value at a position whenever it is asked in one game: it reads no variables but
/// its own, and nothing of the path that it may stand in.
pub(super) fn is_timeless(filter: &Filter) -> bool {
    variables_read(filter).is_some_and(|variables| variables.is_empty())
}

/// The variables that are not its own and that a pure filter reads; nothing if it also reads something else that
/// changes in the course of a game.
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
        let mark = self.own.len();
        match &filter.node {
            Node::Variable(variable)
            | Node::PieceIdOf(variable)
            | Node::AssertBound(variable)
            | Node::IsBound(_, Some(variable)) => self.variable(*variable),
            Node::ConsecutiveMoves { range, variables, .. } => {
                variables.iter().for_each(|&variable| self.variable(variable));
                self.range(range.as_ref());
            }
            Node::DictionaryGet(..)
            | Node::DictionarySize(_)
            | Node::DictionaryLoop(..)
            | Node::Group(_)
            | Node::GroupStart(_)
            | Node::PathCount
            | Node::PathCountUnfocused
            | Node::PathStart
            | Node::PathLastPosition => self.more = true,
            Node::Direction { range, .. } | Node::Orbit { range, .. } | Node::Transform { range, .. } => {
                self.range(range.as_ref());
            }
            Node::Find {
                count: FindCount::Range(range),
                ..
            } => self.range(Some(range)),
            Node::Line(line) => self.range(line.range.as_ref()),
            Node::SquareLoop { variable, domain, .. } | Node::PieceLoop { variable, domain, .. } => {
                self.add(domain);
                self.own.push(*variable);
            }
            Node::Echo { source, target, .. } => self.own.extend([*source, *target]),
            Node::Call { arguments, .. } => {
                arguments.iter().for_each(|(_, argument)| self.add(argument));
                self.own.extend(arguments.iter().map(|(variable, _)| *variable));
            }
            _ => {}
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

    fn range(&mut self, range: Option<&Range>) {
        if let Some(Range::Between(min, max)) = range {
            for bound in [min, max] {
                if let Bound::Variable(variable) = bound {
                    self.variable(*variable);
                }
            }
        }
    }
}
