//! What a `path` asks of the squares of its moves: `path R-- Home=from There=to (--){1,3} There--Home`.
//!
//! Of a part that is repeated, the first repetition is looked at if there must be one; the others are moves between. Only what
//! is said of squares counts. What stands there is left out (`expr/window.rs`).

use std::sync::Arc;

use language::hir::{AssignOp, Dash, Filter, ManSet, Node, Path, PathStep, Repeat, VariableId};
use shakmaty::Bitboard;

use super::Lowering;
use super::maneuvers::given_value;
use super::sequence_parts::{SequencePart, after_once, length_of_all};
use super::sequences::for_each_filter_of_step;
use super::steps::Step;
use crate::expr::{Candidates, Course, MOST_IN_WINDOW, MoveSquares, NextMove, SquareTest, Truth, Window, WindowMove};

/// Something that is known exactly, or of which all that may be is known.
type Known<T> = (T, bool);

/// No moves come between.
const NO_MOVES: Repeat = Repeat { min: 0, max: Some(0) };

/// A window that is being put together.
struct Builder {
    moves: Vec<WindowMove>,
    /// How many moves come between the last one and the next one.
    skipped: Repeat,
    /// The variables that have got squares of moves.
    variables: Vec<(VariableId, Known<MoveSquares>)>,
}

impl<'q> Lowering<'q> {
    /// Where the squares of the first moves of a path lie as is asked; `None` if nothing is asked of them, or the moves of games
    /// are not read.
    pub(super) fn window_of_path(&self, path: &'q Path, parts: &[SequencePart]) -> Option<Candidates> {
        if !self.follows_men || path.focus.is_some() || path.single_color {
            return None;
        }
        let mut builder = Builder {
            moves: Vec::new(),
            skipped: NO_MOVES,
            variables: Vec::new(),
        };
        builder.steps(&path.steps, parts);
        builder.finish()
    }
}

impl Builder {
    /// Takes steps in order. Of one that is repeated the first time counts, and the others are moves that are not looked at.
    /// Returns whether what follows comes next.
    fn steps(&mut self, steps: &[PathStep], parts: &[SequencePart]) -> bool {
        steps.iter().zip(parts).all(|(step, part)| match (step, part) {
            (PathStep::Filter(filter), _) => {
                self.test(filter);
                true
            }
            (PathStep::Dash { dash, .. }, SequencePart::Move { step: Some(step), .. }) => self.moves(dash, step),
            (_, SequencePart::Repeat(body, repeat)) if repeat.min > 0 => {
                self.once(step, body) && (*repeat == Repeat::ONCE || self.skip(step, body, after_once(*repeat)))
            }
            (_, SequencePart::Repeat(body, repeat)) => self.skip(step, body, *repeat),
            _ => false,
        })
    }

    /// Takes a step that is repeated one time.
    fn once(&mut self, step: &PathStep, body: &[SequencePart]) -> bool {
        match (step, body) {
            (PathStep::Dash { dash, .. }, [SequencePart::Move { step: Some(step), .. }]) => self.moves(dash, step),
            (PathStep::Chain { steps, .. }, _) => self.steps(steps, body),
            _ => false,
        }
    }

    /// Passes over the moves of a step. The first move of a window is looked at.
    fn skip(&mut self, step: &PathStep, body: &[SequencePart], repeat: Repeat) -> bool {
        let length = length_of_all(body.iter().map(SequencePart::length), repeat);
        let before = (self.skipped.min, self.skipped.max);
        let (min, max) = length_of_all([before, length].into_iter(), Repeat::ONCE);
        self.skipped = Repeat { min, max };
        for_each_filter_of_step(step, &mut |filter| self.forget_assigned(filter));
        !self.moves.is_empty()
    }

    /// Takes a move, if there are not too many.
    fn moves(&mut self, dash: &Dash, step: &Step) -> bool {
        if self.moves.len() == MOST_IN_WINDOW {
            return false;
        }
        let number = self.moves.len();
        let (left, right) = (dash.left.as_ref(), dash.right.as_ref());
        let (from, to) = (
            left.and_then(|left| self.squares(left)),
            right.and_then(|right| self.squares(right)),
        );
        self.moves.push(WindowMove {
            skipped: std::mem::replace(&mut self.skipped, NO_MOVES),
            pattern: step.pattern.clone(),
            is_any: left.is_none() && right.is_none() && !dash.capture && dash.promotion.is_none(),
            has_targets: !dash.target.is_empty(),
            tests: Vec::new(),
        });
        let target = match dash.capture {
            true => MoveSquares::Captured(number),
            false => MoveSquares::To(number),
        };
        for (square, asked) in [(MoveSquares::From(number), from), (target, to)] {
            // What depends on no move is said by the pattern.
            if let Some((squares, _)) = asked.filter(|(squares, _)| !used_in(squares).is_empty()) {
                self.add(SquareTest::Any(MoveSquares::Intersection(vec![square, squares])));
            }
        }
        left.into_iter()
            .chain(right)
            .for_each(|operand| self.forget_assigned(operand));
        dash.target.iter().for_each(|target| self.test(target));
        true
    }

    fn add(&mut self, test: SquareTest) {
        let always_holds = matches!(&test, SquareTest::Any(squares) if is_certain(squares));
        if let Some(last) = self.moves.last_mut().filter(|_| !always_holds) {
            last.tests.push(test);
        }
    }

    /// A condition on the position that was reached.
    fn test(&mut self, filter: &Filter) {
        match &filter.node {
            Node::Compound(list) => list.iter().for_each(|part| self.test(part)),
            Node::And(a, b) => {
                self.test(a);
                self.test(b);
            }
            Node::Assign(variable, AssignOp::Set, argument) => {
                let squares = self.squares(argument);
                self.forget_assigned(filter);
                self.variables.extend(squares.map(|squares| (*variable, squares)));
            }
            _ => {
                if let Some((test, _)) = self.truth(filter) {
                    self.add(test);
                }
                self.forget_assigned(filter);
            }
        }
    }

    /// Forgets the variables that a filter gives a value to.
    fn forget_assigned(&mut self, filter: &Filter) {
        filter.any(&mut |part| {
            if let Some(variable) = given_value(part) {
                self.variables.retain(|(known, _)| *known != variable);
            }
            false
        });
    }

    /// What a condition says of squares; `None` if nothing.
    fn truth(&self, filter: &Filter) -> Option<Known<SquareTest>> {
        match &filter.node {
            Node::Compound(list) => self.all_of(list.iter()),
            Node::And(a, b) => self.all_of([&**a, &**b].into_iter()),
            Node::Or(a, b) => {
                let ((a, is_exact), (b, is_too)) = (self.truth(a)?, self.truth(b)?);
                Some((SquareTest::OneOf(vec![a, b]), is_exact && is_too))
            }
            Node::Not(inner) => {
                let (inner, is_exact) = self.truth(inner)?;
                is_exact.then(|| (SquareTest::Not(Box::new(inner)), true))
            }
            Node::NoTransform(inner) => self.truth(inner),
            Node::SameSet(a, b) => {
                let ((a, is_exact), (b, is_too)) = (self.squares(a)?, self.squares(b)?);
                (is_exact && is_too).then_some((SquareTest::Same(a, b), true))
            }
            _ => {
                let (squares, is_exact) = self.squares(filter)?;
                Some((SquareTest::Any(squares), is_exact))
            }
        }
    }

    fn all_of<'f>(&self, list: impl Iterator<Item = &'f Filter>) -> Option<Known<SquareTest>> {
        let (mut all, mut is_exact) = (Vec::new(), true);
        for part in list {
            let known = self.truth(part);
            is_exact &= known.as_ref().is_some_and(|(_, is_exact)| *is_exact);
            all.extend(known.map(|(test, _)| test));
        }
        (!all.is_empty()).then_some((SquareTest::All(all), is_exact))
    }

    /// The squares of a set, if moves give them.
    fn squares(&self, set: &Filter) -> Option<Known<MoveSquares>> {
        // Behind moves that are not looked at, the last one is not known.
        let last = self.moves.len().checked_sub(1).filter(|_| self.skipped == NO_MOVES);
        match &set.node {
            Node::FromSquares => last.map(|last| (MoveSquares::From(last), true)),
            Node::ToSquares => last.map(|last| (MoveSquares::To(last), true)),
            Node::Variable(variable) => {
                let known = self.variables.iter().find(|(known, _)| known == variable);
                known.map(|(_, squares)| squares.clone())
            }
            Node::AllSquares => Some((MoveSquares::Constant(Bitboard::FULL), true)),
            Node::Designator(designator) if designator.men == ManSet::ANYTHING => {
                Some((MoveSquares::Constant(designator.squares), true))
            }
            Node::Between(a, b) => match (self.squares(a), self.squares(b)) {
                (Some((a, is_exact)), Some((b, is_too))) => {
                    Some((MoveSquares::Between(Box::new([a, b])), is_exact && is_too))
                }
                (Some((known, _)), None) | (None, Some((known, _))) => {
                    Some((MoveSquares::Lines(Box::new(known)), false))
                }
                (None, None) => None,
            },
            Node::Union(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.squares(part))
                    .collect::<Option<Vec<_>>>()?;
                let is_exact = parts.iter().all(|(_, is_exact)| *is_exact);
                let parts = parts.into_iter().map(|(squares, _)| squares).collect();
                Some((MoveSquares::Union(parts), is_exact))
            }
            Node::Intersection(parts) => {
                let known: Vec<_> = parts.iter().filter_map(|part| self.squares(part)).collect();
                let is_exact = known.len() == parts.len() && known.iter().all(|(_, is_exact)| *is_exact);
                let known: Vec<_> = known.into_iter().map(|(squares, _)| squares).collect();
                (!known.is_empty()).then_some((MoveSquares::Intersection(known), is_exact))
            }
            Node::Complement(inner) => {
                let (inner, is_exact) = self.squares(inner)?;
                is_exact.then(|| (MoveSquares::Complement(Box::new(inner)), true))
            }
            Node::NoTransform(inner) => self.squares(inner),
            _ => None,
        }
    }

    fn finish(mut self) -> Option<Candidates> {
        let used = used_moves(&self.moves);
        for (number, one) in self.moves.iter_mut().enumerate() {
            one.is_any &= one.tests.is_empty() && !used.contains(&number);
        }
        // What comes behind the last test says nothing that lists do not say.
        let last = self.moves.iter().rposition(|one| !one.tests.is_empty())?;
        self.moves.truncate(last + 1);
        let first = self.moves[0].pattern.clone();
        let course = Course::Window(Arc::new(Window { moves: self.moves }));
        Some(Candidates::at_most(NextMove::course(first, course, Truth::Always)))
    }
}

/// Whether there is certainly a square.
fn is_certain(squares: &MoveSquares) -> bool {
    match squares {
        MoveSquares::From(_) | MoveSquares::To(_) | MoveSquares::Captured(_) => true,
        MoveSquares::Constant(squares) => squares.any(),
        MoveSquares::Union(parts) => parts.iter().any(is_certain),
        MoveSquares::Intersection(parts) => matches!(&parts[..], [one] if is_certain(one)),
        MoveSquares::Between(_) | MoveSquares::Lines(_) | MoveSquares::Complement(_) => false,
    }
}

/// The moves whose squares are asked for.
fn used_moves(moves: &[WindowMove]) -> Vec<usize> {
    let mut used = Vec::new();
    moves
        .iter()
        .flat_map(|one| &one.tests)
        .for_each(|test| in_test(test, &mut used));
    used
}

/// The moves that give some squares.
fn used_in(squares: &MoveSquares) -> Vec<usize> {
    let mut used = Vec::new();
    in_squares(squares, &mut used);
    used
}

fn in_test(test: &SquareTest, used: &mut Vec<usize>) {
    match test {
        SquareTest::Any(squares) => in_squares(squares, used),
        SquareTest::Same(a, b) => [a, b].into_iter().for_each(|squares| in_squares(squares, used)),
        SquareTest::Not(inner) => in_test(inner, used),
        SquareTest::All(parts) | SquareTest::OneOf(parts) => parts.iter().for_each(|part| in_test(part, used)),
    }
}

fn in_squares(squares: &MoveSquares, used: &mut Vec<usize>) {
    match squares {
        MoveSquares::From(number) | MoveSquares::To(number) | MoveSquares::Captured(number) => used.push(*number),
        MoveSquares::Constant(_) => {}
        MoveSquares::Between(ends) => ends.iter().for_each(|end| in_squares(end, used)),
        MoveSquares::Union(parts) | MoveSquares::Intersection(parts) => {
            parts.iter().for_each(|part| in_squares(part, used));
        }
        MoveSquares::Lines(inner) | MoveSquares::Complement(inner) => in_squares(inner, used),
    }
}
