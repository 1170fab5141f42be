//! What a `path`, a `line` or a `find` asks of the moves of one or two pieces together, for the pass over the moves of a
//! game: which of them moves when, and how the squares lie that they come from and go to (`expr/maneuver/`).

mod builder;
mod lines;

use language::hir::{AssignOp, Filter, Line, ManSet, Node, Path, PathStep, VariableId};

use self::builder::{Builder, Keeper};
use super::Lowering;
use super::scope::Frame;
use super::sequence_parts::SequencePart;
use super::sequences::{for_each_filter, for_each_filter_of_step};
use crate::expr::{Action, Candidates, Check, MOST_MEN, Spot};

/// What a maneuver is put together from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sequence<'q> {
    Path(&'q Path),
    Line(&'q Line),
}

/// What a path has done that has matched before what is lowered is evaluated.
#[derive(Clone, Debug)]
pub(super) struct Made<'q> {
    path: &'q Path,
    /// Where it begins.
    start: Frame,
    piece: (VariableId, ManSet),
    keepers: Vec<Keeper>,
    actions: Vec<Action>,
}

impl Made<'_> {
    /// Whether this path does it.
    pub(super) fn is_by(&self, path: &Path) -> bool {
        std::ptr::eq(self.path, path)
    }
}

/// A path that a `find` needs to match behind one that was made.
#[derive(Debug)]
pub(super) struct Repeated<'q> {
    made: Made<'q>,
    path: &'q Path,
    /// For each time that the path was lowered, where both can be made, if that is known. A loop lowers it more than once.
    found: Vec<Option<Candidates>>,
}

impl<'q> Lowering<'q> {
    /// Where the one or two pieces in focus can make the moves of a path; `None` if nothing is known of that but what each
    /// move is.
    pub(super) fn maneuver_of_path(&mut self, path: &'q Path, parts: &[SequencePart]) -> Option<Candidates> {
        let focus = path.focus.as_ref()?;
        if path.single_color {
            return None;
        }
        let mut builder = Builder::new(self, self.scope.frame);
        builder.sequence = Some(Sequence::Path(path));
        builder.counts_captures = focus.capture;
        let pieces: Vec<&Filter> = match &focus.pieces.node {
            Node::Union(pieces) => pieces.iter().collect(),
            _ => vec![&focus.pieces],
        };
        for piece in pieces {
            let piece = self.piece_variable(piece)?;
            if Sequence::Path(path).gives_value_to(piece) > 0 {
                return None;
            }
            builder.add_piece(piece)?;
        }
        builder.begin_with(first_mover(&path.steps, parts))?;
        builder.steps(&path.steps, parts)?;
        if builder.pieces.len() > 1 && !builder.has_joined {
            return None;
        }
        if let Some(max) = &path.max {
            // It has a value where the path ends.
            builder.test(max);
        }
        let made = builder.made(path);
        let spots: Vec<VariableId> = builder.variables().collect();
        let found = builder.finish(false);
        self.made = made;
        if found.is_some() {
            self.spots.extend(spots);
        }
        found
    }

    /// Where a path that another one follows can be made together with it, where that is asked for.
    pub(super) fn note_repeated(&mut self, path: &'q Path, parts: &[SequencePart]) {
        let Some(mut repeated) = self.repeated.take_if(|repeated| std::ptr::eq(repeated.path, path)) else {
            return;
        };
        let found = self.repeated_path(&repeated.made, path, parts);
        repeated.found.push(found);
        self.repeated = Some(repeated);
    }

    fn repeated_path(&self, made: &Made<'q>, path: &'q Path, parts: &[SequencePart]) -> Option<Candidates> {
        let focus = path
            .focus
            .as_ref()
            .filter(|focus| !focus.capture && !path.single_color)?;
        let piece = self.piece_variable(&focus.pieces)?;
        let men = self.scope.men_in(self.scope.frame, piece)?;
        // What both speak of must not have got another value in between.
        let mut shared = made.keepers.iter().copied().chain([Keeper::Variable(made.piece.0)]);
        if Sequence::Path(path).gives_value_to(piece) > 0
            || piece == made.piece.0
            || shared.any(|keeper| self.filters_giving(keeper) > 1)
        {
            return None;
        }
        let mut builder = Builder::new(self, made.start);
        builder.sequence = Some(Sequence::Path(path));
        builder.pieces = vec![made.piece, (piece, men)];
        builder.keepers.clone_from(&made.keepers);
        builder.actions.clone_from(&made.actions);
        builder.actions.push(Action::JoinAnyTime);
        builder.has_joined = true;
        builder.steps(&path.steps, parts)?;
        builder.finish(false)
    }

    /// Where the argument of a `find` needs a path that can be made together with one that has matched here; `lower` lowers
    /// the argument.
    pub(super) fn with_repeated<T>(
        &mut self,
        argument: &'q Filter,
        lower: impl FnOnce(&mut Self) -> T,
    ) -> (T, Option<Candidates>) {
        let frame = self.scope.frame;
        let made = self.made_before.clone().filter(|made| made.start == frame);
        let outer = self.repeated.take();
        self.repeated = made.zip(needed_path(argument)).map(|(made, path)| Repeated {
            made,
            path,
            found: Vec::new(),
        });
        let lowered = lower(self);
        let repeated = std::mem::replace(&mut self.repeated, outer);
        let found: Option<Vec<_>> = repeated.and_then(|repeated| repeated.found.into_iter().collect());
        let found = found.filter(|found| !found.is_empty());
        (lowered, found.map(Candidates::any))
    }

    /// How many filters of the query give a value to a variable, or to entries of a dictionary.
    fn filters_giving(&self, keeper: Keeper) -> usize {
        let gives = |part: &Filter| match keeper {
            Keeper::Variable(variable) => given_value(part) == Some(variable),
            Keeper::Entry(dictionary, _) => matches!(part.node, Node::DictionarySet(set, ..) if set == dictionary),
        };
        let mut count = 0;
        self.query.body.any(&mut |part| {
            count += usize::from(gives(part));
            false
        });
        count
    }

    /// Where what a filter asks of two pieces, here or later, can come about.
    pub(super) fn maneuver_until(&self, start: Frame, conditions: &'q Filter) -> Option<Candidates> {
        if !self.follows_men {
            return None;
        }
        let mut builder = Builder::new(self, start);
        builder.is_open = true;
        let check = builder.check(conditions)?;
        let is_given =
            |(piece, _): &(VariableId, ManSet)| conditions.any(&mut |part| given_value(part) == Some(*piece));
        if builder.pieces.len() != MOST_MEN || builder.pieces.iter().any(is_given) || !changes_places(&check) {
            return None;
        }
        if builder.may_be_same() {
            return None;
        }
        builder.actions.push(Action::Test(check));
        builder.finish(true)
    }

    /// Notes which piece variables are other men than that of one, as its domain says.
    pub(super) fn note_left_out(&mut self, variable: VariableId, domain: &Filter) {
        let mut others = Vec::new();
        self.left_out(domain, &mut others);
        self.scope.leave_out(variable, others);
    }

    fn left_out(&self, set: &Filter, others: &mut Vec<VariableId>) {
        match &set.node {
            Node::Intersection(parts) => parts.iter().for_each(|part| self.left_out(part, others)),
            Node::Complement(inner) => {
                let other = self.piece_variable(inner);
                others.extend(other.filter(|&other| self.scope.is_piece(other)));
            }
            Node::NoTransform(inner) => self.left_out(inner, others),
            Node::Dash(dash)
                if matches!(
                    dash.target[..],
                    [Filter {
                        node: Node::FromSquares,
                        ..
                    }]
                ) =>
            {
                dash.left.iter().for_each(|left| self.left_out(left, others));
            }
            _ => {}
        }
    }
}

/// The variable of the piece that makes the first move of a path, whatever happens.
fn first_mover(steps: &[PathStep], parts: &[SequencePart]) -> Option<VariableId> {
    for (step, part) in steps.iter().zip(parts) {
        match (step, part) {
            (PathStep::Filter(_), _) => {}
            (_, SequencePart::Move { step, .. }) => return step.as_ref()?.mover,
            (PathStep::Dash { .. }, SequencePart::Repeat(body, repeat)) if repeat.min > 0 => {
                return match &body[..] {
                    [SequencePart::Move { step, .. }] => step.as_ref()?.mover,
                    _ => None,
                };
            }
            (PathStep::Chain { steps, .. }, SequencePart::Repeat(body, repeat)) if repeat.min > 0 => {
                return first_mover(steps, body);
            }
            _ => return None,
        }
    }
    None
}

/// A path that has to match where a filter matches, at the same position.
fn needed_path(filter: &Filter) -> Option<&Path> {
    match &filter.node {
        Node::Path(path) => Some(path),
        Node::Compound(list) => list.iter().find_map(needed_path),
        Node::And(a, b) => needed_path(a).or_else(|| needed_path(b)),
        Node::Sort { argument, .. } | Node::Assign(_, AssignOp::Set, argument) => needed_path(argument),
        Node::PieceLoop { all: false, body, .. } => needed_path(body),
        _ => None,
    }
}

impl Sequence<'_> {
    /// How many of its filters give a value to a variable.
    pub(super) fn gives_value_to(self, variable: VariableId) -> usize {
        let mut count = 0;
        let mut look_into = |filter: &Filter| {
            filter.any(&mut |part| {
                count += usize::from(given_value(part) == Some(variable));
                false
            });
        };
        match self {
            Sequence::Path(path) => path
                .steps
                .iter()
                .for_each(|step| for_each_filter_of_step(step, &mut look_into)),
            Sequence::Line(line) => for_each_filter(&line.constituents, &mut look_into),
        }
        count
    }
}

/// The variable that a filter gives a value to.
pub(super) fn given_value(filter: &Filter) -> Option<VariableId> {
    match &filter.node {
        Node::SquareLoop { variable, .. } | Node::PieceLoop { variable, .. } => Some(*variable),
        _ => filter.facts().assigns,
    }
}

/// Whether a piece has to come to where another one stood, so that a game without such moves is left out at once.
fn changes_places(check: &Check) -> bool {
    match check {
        Check::Same(Spot::Now(a), Spot::First(b)) | Check::Same(Spot::First(b), Spot::Now(a)) => a != b,
        Check::All(parts) => parts.iter().any(changes_places),
        _ => false,
    }
}
