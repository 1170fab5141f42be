//! What a query keeps from one position or game to the next: it decides which positions have to be evaluated.

use std::collections::HashSet;

use language::hir::{AssignOp, Filter, Kind, Node, Query, VariableId};

/// How far the evaluation of one position depends on others having been evaluated before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effects {
    /// Not at all: every position can be asked alone.
    Position,
    /// On the earlier positions of the game: all positions of a game have to be evaluated, in order.
    Game,
    /// On earlier games, or the query prints while it runs: everything has to be evaluated, in order.
    Database,
}

impl Effects {
    /// What a query needs.
    pub fn of(query: &Query) -> Effects {
        let mut effects = Effects::Position;
        query.body.any(&mut |filter| {
            effects = effects.max(own_effects(query, filter));
            false
        });
        let local = || reads_are_local(&query.body, &mut HashSet::new()) && !loops_meet_assignments(query);
        if effects == Effects::Position && !local() {
            effects = Effects::Game;
        }
        effects
    }
}

/// Whether the query notes pairs of positions in the games. A `relation` does so even where a filter behind it fails
/// (legacy-dialects B4), and numbers the pairs throughout the game.
pub fn notes_pairs(query: &Query) -> bool {
    query
        .body
        .any(&mut |filter| matches!(&filter.node, Node::Relation(relation) if !relation.quiet))
}

/// Whether a loop uses a variable that is also assigned: the value of the position before would stop the loop.
pub(super) fn loops_meet_assignments(query: &Query) -> bool {
    let (mut assigned, mut looped) = (HashSet::new(), HashSet::new());
    query.body.any(&mut |filter| {
        match &filter.node {
            Node::Assign(variable, ..) | Node::AssignPiece(variable, _) => {
                assigned.insert(*variable);
            }
            Node::SquareLoop { variable, .. } | Node::PieceLoop { variable, .. } => {
                looped.insert(*variable);
            }
            Node::Echo { source, target, .. } => looped.extend([*source, *target]),
            _ => {}
        }
        false
    });
    !assigned.is_disjoint(&looped)
}

fn own_effects(query: &Query, filter: &Filter) -> Effects {
    let persistent = |variable: &VariableId| query.variables[variable.0 as usize].persistent;
    match &filter.node {
        Node::Message { .. } | Node::WriteFile(..) | Node::ReadFile(_) => Effects::Database,
        Node::Assign(variable, ..) | Node::AssignSlice(variable, ..) | Node::Variable(variable)
            if persistent(variable) =>
        {
            Effects::Database
        }
        Node::DictionaryGet(dictionary, ..)
        | Node::DictionarySet(dictionary, ..)
        | Node::DictionaryUnbind(dictionary, ..)
        | Node::DictionaryLoop(_, dictionary, _)
        | Node::DictionarySize(dictionary) => {
            if query.dictionaries[dictionary.0 as usize].local {
                Effects::Game
            } else {
                Effects::Database
            }
        }
        Node::Assign(_, op, _) if !matches!(op, AssignOp::Set | AssignOp::SetIfAny) => Effects::Game,
        Node::AssignSlice(..)
        | Node::IsBound(..)
        | Node::Unbind(_)
        | Node::AssertBound(_)
        | Node::Sort { .. }
        | Node::SetTag(..)
        | Node::RemoveComment
        | Node::Group(_)
        | Node::GroupStart(_)
        | Node::PathCount
        | Node::PathCountUnfocused
        | Node::PathStart
        | Node::PathLastPosition
        | Node::ConsecutiveMoves { .. } => Effects::Game,
        Node::SimilarPosition(index) if query.similar[*index as usize].sort.is_some() => Effects::Game,
        Node::Line(line) if line.nestban => Effects::Game,
        Node::Path(path) if path.nestban => Effects::Game,
        Node::Relation(relation) if relation.is_sorted() => Effects::Game,
        _ => Effects::Position,
    }
}

/// Whether every variable that is read was certainly assigned before in the same evaluation. `assigned` grows with the
/// assignments that have certainly been made once the filter has matched.
fn reads_are_local(filter: &Filter, assigned: &mut HashSet<VariableId>) -> bool {
    match &filter.node {
        Node::Variable(variable) | Node::PieceIdOf(variable) => assigned.contains(variable),
        Node::Assign(variable, _, argument) | Node::AssignPiece(variable, argument) => {
            let fine = reads_are_local(argument, assigned);
            assigned.insert(*variable);
            fine
        }
        Node::SquareLoop {
            variable, domain, body, ..
        }
        | Node::PieceLoop {
            variable, domain, body, ..
        } => {
            if !reads_are_local(domain, assigned) {
                return false;
            }
            // A loop over a variable that has a value from before stops the query: that is state, too.
            let mut inside = assigned.clone();
            if !inside.insert(*variable) {
                return false;
            }
            reads_are_local(body, &mut inside)
        }
        Node::Echo {
            source, target, body, ..
        } => {
            let mut inside = assigned.clone();
            inside.extend([*source, *target]);
            reads_are_local(body, &mut inside)
        }
        Node::Call { arguments, body } => {
            for (variable, argument) in arguments {
                if !reads_are_local(argument, assigned) {
                    return false;
                }
                assigned.insert(*variable);
            }
            reads_are_local(body, assigned)
        }
        Node::Compound(list) => list.iter().all(|element| reads_are_local(element, assigned)),
        Node::And(a, b) => reads_are_local(a, assigned) && reads_are_local(b, assigned),
        // What one branch assigns is not certain afterwards.
        Node::Or(a, b) => reads_are_local(a, &mut assigned.clone()) && reads_are_local(b, &mut assigned.clone()),
        Node::If(condition, then, otherwise) => {
            let mut inside = assigned.clone();
            reads_are_local(condition, &mut inside)
                && reads_are_local(then, &mut inside)
                && otherwise
                    .iter()
                    .all(|otherwise| reads_are_local(otherwise, &mut assigned.clone()))
        }
        Node::Direction { range, .. } | Node::Orbit { range, .. } if range_reads(range.as_ref(), assigned) => false,
        _ if filter.kind == Kind::Logical || matches!(filter.node, Node::Orbit { .. }) => {
            // Everything else may have stopped anywhere: inside, assignments count, afterwards they don't.
            children_are_local(filter, &mut assigned.clone())
        }
        _ => children_are_local(filter, assigned),
    }
}

fn range_reads(range: Option<&language::hir::Range>, assigned: &HashSet<VariableId>) -> bool {
    use language::hir::{Bound, Range};
    let reads = |bound: &Bound| matches!(bound, Bound::Variable(variable) if !assigned.contains(variable));
    matches!(range, Some(Range::Between(min, max)) if reads(min) || reads(max))
}

fn children_are_local(filter: &Filter, assigned: &mut HashSet<VariableId>) -> bool {
    let mut fine = true;
    filter.for_each_child(&mut |child| {
        if fine {
            // Assignments of one child are not certain for the next.
            fine = reads_are_local(child, &mut assigned.clone());
        }
    });
    fine
}
