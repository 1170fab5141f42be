//! What a `path` or `find` asks of the moves of one or two pieces together, for the pass over the moves of a game: which of them
//! moves when, and how the squares lie that they come from and go to (`expr/maneuver.rs`).

use std::sync::Arc;

use chess::Man;
use language::hir::{AssignOp, Dash, Filter, ManSet, Node, Path, PathStep, Repeat, VariableId};
use shakmaty::{Bitboard, Role};

use super::Lowering;
use super::scope::Frame;
use super::sequences::{SequencePart, for_each_filter_of_step};
use super::steps::Step;
use crate::expr::{
    Action, Candidates, Check, Course, MOST_MEN, MOST_VARIABLES, Maneuver, MovePattern, NextMove, Spot, Truth,
};

/// A maneuver has no more actions than this.
const MOST_ACTIONS: usize = 64;

/// A repetition is written out so often at most.
const MOST_WRITTEN: u32 = 8;

/// What a path has done that has matched before what is lowered is evaluated.
#[derive(Clone, Debug)]
pub(super) struct Made<'q> {
    path: &'q Path,
    /// Where it begins.
    start: Frame,
    piece: (VariableId, ManSet),
    variables: Vec<VariableId>,
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
    /// Where both can be made, if that is known.
    found: Option<Candidates>,
}

/// A maneuver that is being put together.
struct Builder<'l, 'q> {
    lowering: &'l Lowering<'q>,
    /// The path that says it, if one does.
    path: Option<&'q Path>,
    /// How many repetitions the part that is looked at is in.
    depth: u32,
    /// The position where it begins.
    start: Frame,
    /// The variables of its pieces, and what these may be.
    pieces: Vec<(VariableId, ManSet)>,
    /// Whether other pieces that are spoken of belong to it.
    is_open: bool,
    variables: Vec<VariableId>,
    actions: Vec<Action>,
    /// Whether all men that move are known.
    has_joined: bool,
    /// Whether more is asked than what each move is.
    asks_more: bool,
}

impl<'q> Lowering<'q> {
    /// Where the one or two pieces in focus can make the moves of a path; `None` if nothing is known of that but what each
    /// move is.
    pub(super) fn maneuver_of_path(&mut self, path: &'q Path, parts: &[SequencePart]) -> Option<Candidates> {
        let focus = path.focus.as_ref().filter(|focus| !focus.capture)?;
        if path.single_color {
            return None;
        }
        let mut builder = Builder::new(self, self.scope.frame);
        builder.path = Some(path);
        let pieces: Vec<&Filter> = match &focus.pieces.node {
            Node::Union(pieces) => pieces.iter().collect(),
            _ => vec![&focus.pieces],
        };
        for piece in pieces {
            let piece = self.piece_variable(piece)?;
            if gives_value_to(path, piece) > 0 {
                return None;
            }
            builder.add_piece(piece)?;
        }
        builder.begin_with(first_mover(&path.steps, parts))?;
        builder.steps(&path.steps, parts)?;
        if builder.pieces.len() > 1 && !builder.has_joined {
            return None;
        }
        let made = builder.made(path);
        let spots = builder.variables.clone();
        let found = builder.finish(false);
        self.made = made;
        if found.is_some() {
            self.spots.extend(spots);
        }
        found
    }

    /// Where a path that another one follows can be made together with it, where that is asked for.
    pub(super) fn note_repeated(&mut self, path: &'q Path, parts: &[SequencePart]) {
        let Some(repeated) = self.repeated.take_if(|repeated| std::ptr::eq(repeated.path, path)) else {
            return;
        };
        let found = self.repeated_path(&repeated.made, path, parts);
        self.repeated = Some(Repeated { found, ..repeated });
    }

    fn repeated_path(&self, made: &Made<'q>, path: &'q Path, parts: &[SequencePart]) -> Option<Candidates> {
        let focus = path
            .focus
            .as_ref()
            .filter(|focus| !focus.capture && !path.single_color)?;
        let piece = self.piece_variable(&focus.pieces)?;
        let men = self.scope.men_in(self.scope.frame, piece)?;
        let is_given = |&variable: &VariableId| self.filters_giving(variable) > 1;
        if gives_value_to(path, piece) > 0 || piece == made.piece.0 || made.variables.iter().any(is_given) {
            return None;
        }
        let mut builder = Builder::new(self, made.start);
        builder.path = Some(path);
        builder.pieces = vec![made.piece, (piece, men)];
        builder.variables.clone_from(&made.variables);
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
            found: None,
        });
        let lowered = lower(self);
        let repeated = std::mem::replace(&mut self.repeated, outer);
        (lowered, repeated.and_then(|repeated| repeated.found))
    }

    /// How many filters of the query give a value to a variable.
    fn filters_giving(&self, variable: VariableId) -> usize {
        let mut count = 0;
        self.query.body.any(&mut |part| {
            count += usize::from(given(part) == Some(variable));
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
        let is_given = |(piece, _): &(VariableId, ManSet)| conditions.any(&mut |part| given(part) == Some(*piece));
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

    /// Whether a variable is one square: that of a loop.
    fn is_one_square(&self, variable: VariableId) -> bool {
        let (mut is_loop, mut is_other) = (false, false);
        self.query.body.any(&mut |part| {
            if given(part) == Some(variable) {
                match part.node {
                    Node::SquareLoop { .. } => is_loop = true,
                    _ => is_other = true,
                }
            }
            false
        });
        is_loop && !is_other
    }
}

impl<'l, 'q> Builder<'l, 'q> {
    fn new(lowering: &'l Lowering<'q>, start: Frame) -> Self {
        Builder {
            lowering,
            path: None,
            depth: 0,
            start,
            pieces: Vec::new(),
            is_open: false,
            variables: Vec::new(),
            actions: Vec::new(),
            has_joined: false,
            asks_more: false,
        }
    }

    /// The number of a piece, which may be a new one; `None` if there are too many, or nothing is known of it.
    fn add_piece(&mut self, variable: VariableId) -> Option<usize> {
        if let Some(known) = self.pieces.iter().position(|(piece, _)| *piece == variable) {
            return Some(known);
        }
        let men = self.lowering.scope.men_in(self.start, variable)?;
        if self.pieces.len() == MOST_MEN {
            return None;
        }
        self.pieces.push((variable, men));
        Some(self.pieces.len() - 1)
    }

    /// Puts the piece first that moves first.
    fn begin_with(&mut self, mover: Option<VariableId>) -> Option<()> {
        if self.pieces.len() > 1 {
            let first = self.pieces.iter().position(|(piece, _)| Some(*piece) == mover)?;
            self.pieces.swap(0, first);
        }
        Some(())
    }

    fn steps(&mut self, steps: &'q [PathStep], parts: &[SequencePart]) -> Option<()> {
        for (step, part) in steps.iter().zip(parts) {
            match (step, part) {
                (PathStep::Filter(filter), _) => self.test(filter),
                (PathStep::Dash { dash, .. }, SequencePart::Move { step, .. }) => self.moves(dash, step.as_ref())?,
                (PathStep::Dash { dash, .. }, SequencePart::Repeat(body, repeat)) => {
                    let [SequencePart::Move { step, .. }] = &body[..] else {
                        return None;
                    };
                    self.repeated(*repeat, |builder| builder.moves(dash, step.as_ref()))?;
                }
                (PathStep::Chain { steps, .. }, SequencePart::Repeat(body, repeat)) => {
                    self.repeated(*repeat, |builder| builder.steps(steps, body))?;
                }
                _ => return None,
            }
        }
        (self.actions.len() <= MOST_ACTIONS).then_some(())
    }

    fn moves(&mut self, dash: &'q Dash, step: Option<&Step>) -> Option<()> {
        let Step { mover, pattern, .. } = step?;
        let man = mover.and_then(|mover| self.pieces.iter().position(|(piece, _)| *piece == mover));
        let right = dash.right.as_ref().filter(|_| !dash.capture);
        let to = right.and_then(|right| self.spot(right));
        self.asks_more |= to.is_some();
        let mut pattern = pattern.clone();
        // What is known of the man or the spot is not asked of the move: it may differ where a loop is written out.
        if man.is_some() {
            (pattern.movers, pattern.from) = (ManSet::WHITE | ManSet::BLACK, Bitboard::FULL);
        }
        if to.is_some() {
            pattern.to = Bitboard::FULL;
        }
        if man != Some(0) || to.is_some_and(|to| to.is_about(1)) {
            self.join();
        }
        self.actions.push(Action::Move { man, pattern, to });
        dash.target.iter().for_each(|target| self.test(target));
        Some(())
    }

    /// The second man is chosen before anything is said of it, or what follows may be left out.
    fn join(&mut self) {
        if self.pieces.len() > 1 && !self.has_joined {
            self.actions.push(Action::Join);
            self.has_joined = true;
        }
    }

    fn repeated(&mut self, repeat: Repeat, mut body: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.join();
        self.depth += 1;
        for _ in 0..repeat.min.min(MOST_WRITTEN) {
            body(self)?;
        }
        let Repeat { min, max } = repeat;
        match max.map(|max| max.saturating_sub(min)) {
            Some(more) if min <= MOST_WRITTEN && more <= MOST_WRITTEN => {
                let mut ends = Vec::new();
                for _ in 0..more {
                    ends.push(self.branch());
                    body(self)?;
                }
                ends.into_iter().for_each(|branch| self.leads_here(branch));
            }
            _ => {
                let branch = self.branch();
                body(self)?;
                self.actions.push(Action::Goto(branch));
                self.leads_here(branch);
            }
        }
        self.depth -= 1;
        Some(())
    }

    /// A place where what follows may be left out.
    fn branch(&mut self) -> usize {
        let here = self.actions.len();
        self.actions.push(Action::Either(here + 1, here + 1));
        here
    }

    /// A branch leads to what comes next, too; that is tried first.
    fn leads_here(&mut self, branch: usize) {
        self.actions[branch] = Action::Either(self.actions.len(), branch + 1);
    }

    /// A condition on the position that was reached.
    fn test(&mut self, filter: &'q Filter) {
        if let Node::Assign(variable, AssignOp::Set, argument) = &filter.node {
            self.set(*variable, argument);
            return;
        }
        if let Some(check) = self.check(filter) {
            self.asks_more = true;
            if check.is_about(1) {
                self.join();
            }
            self.actions.push(Action::Test(check));
        }
    }

    /// A variable gets the square of a spot. The path must give it no other value: what a way that leads nowhere has assigned
    /// stays.
    fn set(&mut self, variable: VariableId, argument: &'q Filter) {
        let spot = match &argument.node {
            Node::Intersection(parts) => parts.iter().find_map(|part| self.spot(part)),
            _ => self.spot(argument),
        };
        if let Some(spot) = spot
            && self.depth == 0
            && self.path.is_some_and(|path| gives_value_to(path, variable) == 1)
            && let Some(number) = self.variable(variable)
        {
            self.actions.push(Action::Set(number, spot));
        }
    }

    fn variable(&mut self, variable: VariableId) -> Option<usize> {
        let known = self.variables.iter().position(|known| *known == variable);
        known.or_else(|| {
            (self.variables.len() < MOST_VARIABLES).then(|| {
                self.variables.push(variable);
                self.variables.len() - 1
            })
        })
    }

    /// The square that a set is, if it is one.
    fn spot(&mut self, set: &'q Filter) -> Option<Spot> {
        match &set.node {
            Node::FromSquares => self.path.map(|_| Spot::From),
            Node::ToSquares => self.path.map(|_| Spot::To),
            Node::NoTransform(inner) => self.spot(inner),
            Node::At(place, inner) if self.lowering.frame_of(place) == Some(self.start) => {
                let piece = self.lowering.piece_variable(inner)?;
                self.piece(piece).map(Spot::First)
            }
            Node::Variable(variable) => {
                if let Some(piece) = self.lowering.piece_variable(set) {
                    return self.piece(piece).map(Spot::Now);
                }
                if let Some(piece) = self.lowering.scope.piece_on(self.start, *variable) {
                    return self.piece(piece).map(Spot::First);
                }
                let is_given = self.path.is_some_and(|path| gives_value_to(path, *variable) > 0);
                let is_one = || !is_given && self.lowering.is_one_square(*variable);
                let is_known = self.variables.contains(variable) || is_one();
                is_known.then(|| self.variable(*variable)).flatten().map(Spot::Variable)
            }
            _ => None,
        }
    }

    fn piece(&mut self, variable: VariableId) -> Option<usize> {
        match self.is_open {
            true => self.add_piece(variable),
            false => self.pieces.iter().position(|(piece, _)| *piece == variable),
        }
    }

    /// What a condition says of squares; `None` if nothing.
    fn check(&mut self, filter: &'q Filter) -> Option<Check> {
        match &filter.node {
            Node::Compound(list) => self.all_of(list.iter()),
            Node::And(a, b) => self.all_of([&**a, &**b].into_iter()),
            Node::Or(a, b) => Some(Check::Any(vec![self.check(a)?, self.check(b)?])),
            Node::NoTransform(inner) => self.check(inner),
            Node::Sort { argument, .. } => self.check(argument),
            Node::Xray { arguments, .. } | Node::Ray { arguments, .. } => {
                let spots: Vec<Spot> = arguments.iter().filter_map(|argument| self.spot(argument)).collect();
                (spots.len() > 1).then_some(Check::Line(spots))
            }
            Node::Attacks(a, b) => {
                let (a, b) = (self.spot(a)?, self.spot(b)?);
                self.is_line_piece(a).then(|| Check::Line(vec![a, b]))
            }
            Node::AttackedBy(a, b) => {
                let (a, b) = (self.spot(a)?, self.spot(b)?);
                self.is_line_piece(b).then(|| Check::Line(vec![a, b]))
            }
            Node::SameSet(a, b) => Some(Check::Same(self.spot(a)?, self.spot(b)?)),
            Node::Intersection(parts) => {
                let spots: Vec<Spot> = parts.iter().filter_map(|part| self.spot(part)).collect();
                match spots[..] {
                    [a, b, ..] => Some(Check::Same(a, b)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn all_of(&mut self, list: impl Iterator<Item = &'q Filter>) -> Option<Check> {
        let mut parts: Vec<Check> = list.filter_map(|part| self.check(part)).collect();
        // What is said of the last move is said of a square that is known before it.
        let same = parts.iter().find_map(|part| match *part {
            Check::Same(last @ (Spot::From | Spot::To), first @ Spot::First(_))
            | Check::Same(first @ Spot::First(_), last @ (Spot::From | Spot::To)) => Some((last, first)),
            _ => None,
        });
        if let Some((last, first)) = same {
            let others = parts.iter_mut().filter(|part| !matches!(part, Check::Same(..)));
            others.for_each(|part| part.replace(last, first));
        }
        (!parts.is_empty()).then_some(Check::All(parts))
    }

    /// Whether the man on a spot moves along lines, whatever it becomes.
    fn is_line_piece(&self, spot: Spot) -> bool {
        let Spot::Now(man) = spot else { return false };
        let moves_on_lines = |man: Man| matches!(man.role(), Some(Role::Queen | Role::Rook | Role::Bishop));
        self.pieces
            .get(man)
            .is_some_and(|(_, men)| men.iter().all(moves_on_lines))
    }

    /// What is done by one piece in one way, whatever happens.
    fn made(&self, path: &'q Path) -> Option<Made<'q>> {
        let is_branch = |action: &Action| matches!(action, Action::Either(..) | Action::Goto(_));
        match self.pieces[..] {
            [piece] if !self.actions.iter().any(is_branch) => Some(Made {
                path,
                start: self.start,
                piece,
                variables: self.variables.clone(),
                actions: self.actions.clone(),
            }),
            _ => None,
        }
    }

    /// Whether the two pieces may be one.
    fn may_be_same(&self) -> bool {
        match self.pieces[..] {
            [(a, one), (b, other)] => {
                one.intersection(other) != ManSet::NONE && !self.lowering.scope.are_distinct(a, b)
            }
            _ => false,
        }
    }

    fn finish(self, waits: bool) -> Option<Candidates> {
        if !self.asks_more && !waits && self.pieces.len() == 1 || self.actions.len() > MOST_ACTIONS {
            return None;
        }
        let men = self.pieces.iter().map(|(_, men)| *men).collect();
        let maneuver = Maneuver {
            men,
            may_be_same: self.may_be_same(),
            waits,
            actions: self.actions,
        };
        let first = MovePattern::of(ManSet::WHITE | ManSet::BLACK);
        let course = Course::Maneuver(Arc::new(maneuver));
        Some(Candidates::at_most(NextMove::course(first, course, Truth::Always)))
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
        Node::Sort { argument, .. } => needed_path(argument),
        _ => None,
    }
}

/// How many filters of a path give a value to a variable.
pub(super) fn gives_value_to(path: &Path, variable: VariableId) -> usize {
    let mut count = 0;
    for step in &path.steps {
        for_each_filter_of_step(step, &mut |filter| {
            filter.any(&mut |part| {
                count += usize::from(given(part) == Some(variable));
                false
            });
        });
    }
    count
}

/// The variable that a filter gives a value to.
fn given(filter: &Filter) -> Option<VariableId> {
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
