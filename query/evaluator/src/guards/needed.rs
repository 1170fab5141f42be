//! The moves that every match of a `path` makes.

use language::hir::{Dash, Filter, ManSet, Node, Path, PathStep, Promotion, VariableId};

/// A move that every match of a `path` makes, somewhere on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NeededMove<'q> {
    /// The variable of the piece that makes it.
    pub(crate) piece: Option<VariableId>,
    /// Where it goes: squares that stay the same on the way.
    pub(crate) to: Option<&'q Filter>,
    /// What a pawn becomes by it.
    pub(crate) promotion: Option<ManSet>,
    /// Whether it captures.
    pub(crate) capture: bool,
    /// The variable of the piece that it captures, if it captures.
    pub(crate) captured: Option<VariableId>,
    /// How often it is made at least.
    pub(crate) times: u32,
}

impl NeededMove<'_> {
    /// Whether it says something of the value of a variable.
    pub(super) fn reads(&self, variable: VariableId) -> bool {
        [self.piece, self.captured].contains(&Some(variable)) || self.to.is_some_and(|to| reads(to, variable))
    }

    /// Whether it is one of those that have to be looked for one by one.
    fn has_conditions(&self) -> bool {
        self.to.is_some() || self.promotion.is_some() || self.capture
    }
}

/// The moves that a path needs, of which nothing depends on what a `region` around it, or the path itself, assigns.
pub(super) fn needed_moves<'q>(path: &'q Path, region: &Filter) -> Vec<NeededMove<'q>> {
    let focus = path.focus.as_ref().filter(|focus| !focus.capture);
    let mut needed = Vec::new();
    add_steps(
        &path.steps,
        focus.and_then(|focus| variable(&focus.pieces)),
        1,
        &mut needed,
    );
    needed
        .retain(|needed| !region.any(&mut |part| part.facts().assigns.is_some_and(|assigned| needed.reads(assigned))));
    needed
}

/// How many moves some steps make at least.
pub(super) fn fewest_moves(steps: &[PathStep]) -> u32 {
    let moves = steps.iter().map(|step| match step {
        PathStep::Filter(_) => 0,
        PathStep::Dash { repeat, .. } => repeat.min,
        PathStep::Chain { steps, repeat } => repeat.min.saturating_mul(fewest_moves(steps)),
    });
    moves.fold(0, u32::saturating_add)
}

/// Adds the moves that some steps need when these are taken at least `times` times. `focus` is the piece that makes all
/// moves of the path, if one does.
fn add_steps<'q>(steps: &'q [PathStep], focus: Option<VariableId>, times: u32, needed: &mut Vec<NeededMove<'q>>) {
    for step in steps {
        match step {
            PathStep::Dash { dash, repeat } if repeat.min > 0 => {
                add_dash(dash, focus, times.saturating_mul(repeat.min), needed);
            }
            PathStep::Chain { steps, repeat } if repeat.min > 0 => {
                add_steps(steps, focus, times.saturating_mul(repeat.min), needed);
            }
            _ => {}
        }
    }
}

fn add_dash<'q>(dash: &'q Dash, focus: Option<VariableId>, times: u32, needed: &mut Vec<NeededMove<'q>>) {
    let any = NeededMove {
        piece: dash.left.as_ref().and_then(variable).or(focus),
        to: None,
        promotion: None,
        capture: false,
        captured: None,
        times,
    };
    if any.piece.is_some() {
        add(needed, any);
    }
    let promotion = match dash.promotion {
        Some(Promotion::Roles(men)) => Some(men),
        _ => None,
    };
    let right = dash.right.as_ref();
    let special = NeededMove {
        to: right.filter(|right| !dash.capture && may_stay(right)),
        promotion,
        capture: dash.capture,
        captured: right.filter(|_| dash.capture).and_then(variable),
        ..any
    };
    if special.has_conditions() {
        add(needed, special);
    }
}

/// Adds a move. Moves of the same kind are counted together, unless they go to certain squares.
fn add<'q>(needed: &mut Vec<NeededMove<'q>>, new: NeededMove<'q>) {
    let key = |needed: &NeededMove<'q>| (needed.piece, needed.promotion, needed.capture, needed.captured);
    let is_same = |old: &&mut NeededMove<'q>| old.to.is_none() && new.to.is_none() && key(old) == key(&new);
    match needed.iter_mut().find(is_same) {
        Some(old) => old.times = old.times.saturating_add(new.times),
        None => needed.push(new),
    }
}

/// Whether a set may be the same at all positions of a path, or lie in one that is. It depends on the variables' values.
fn may_stay(set: &Filter) -> bool {
    match &set.node {
        Node::Designator(designator) => designator.men == ManSet::ANYTHING,
        Node::Variable(_) => true,
        Node::At(place, inner) => [place, inner].into_iter().all(|part| variable(part).is_some()),
        Node::Union(parts) => parts.iter().all(may_stay),
        Node::Intersection(parts) => parts.iter().any(may_stay),
        _ => false,
    }
}

fn variable(filter: &Filter) -> Option<VariableId> {
    match filter.node {
        Node::Variable(variable) => Some(variable),
        _ => None,
    }
}

/// Whether a filter reads a variable.
pub(super) fn reads(filter: &Filter, variable: VariableId) -> bool {
    filter.any(&mut |part| {
        let mut found = false;
        part.for_each_variable(&mut |read| found |= read == variable);
        found
    })
}
