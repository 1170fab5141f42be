//! Loops over squares and pieces: a union over the squares that the variable can have, or one condition for all of them.

use language::hir::{Filter, ManSet, Node, VariableId};
use shakmaty::{Bitboard, Square};

use super::at_once::{by_color, has_sequences};
use super::bounds::SetBounds;
use super::{Lowering, MAX_EXPRESSIONS};
use crate::expr::{Candidates, SetExpr, Truth, contains, not_empty, possible, possible_men};

/// How many expressions a loop may have that is written out for each square.
const MAX_WRITTEN_OUT: usize = 40_000;

/// The same where the loops inside it are not.
const MAX_WRITTEN_OUT_ROUGHLY: usize = 20_000;

/// A loop that says nothing counts as this part of its expressions, for the time that they take.
const SAYS_NOTHING: usize = 16;

/// How many conditions on other positions such a loop may have.
const MAX_TEMPORALS: usize = 64;

impl<'q> Lowering<'q> {
    /// Where a loop matches.
    pub(super) fn loop_truth(&mut self, filter: &'q Filter) -> Candidates {
        let (Node::SquareLoop {
            variable,
            all,
            domain,
            body,
            ..
        }
        | Node::PieceLoop {
            variable,
            all,
            domain,
            body,
            ..
        }) = &filter.node
        else {
            return Candidates::UNKNOWN;
        };
        let (variable, all, is_piece) = (*variable, *all, matches!(filter.node, Node::PieceLoop { .. }));
        let same_way = self.moved_same_way(filter).map(Candidates::at_most);
        self.note_left_out(variable, domain);
        let domain = self.domain(domain, is_piece);
        let ends_early = all && !self.always_matches((variable, is_piece), &domain, body);
        let values = self.values_behind((variable, is_piece), ends_early, &domain, body);
        let before = self.expressions;
        let found = self.with_value(variable, |lowering| {
            lowering.truth_over((variable, is_piece), all, domain, body)
        });
        if found == Candidates::UNKNOWN {
            // Nothing of this is in the plan.
            self.expressions = before + (self.expressions - before) / SAYS_NOTHING;
        }
        self.set_values(values);
        Candidates::all([found].into_iter().chain(same_way))
    }

    /// Whether the body of a loop certainly matches in each turn, if it gives values to variables that are known.
    fn always_matches(
        &mut self,
        (variable, is_piece): (VariableId, bool),
        domain: &SetBounds,
        body: &'q Filter,
    ) -> bool {
        if !self.has_assignments || self.scope.is_empty() {
            return false;
        }
        let before = self.extent();
        let saved = self.scope.save();
        // Later turns begin with the values of those before.
        self.forget_assigned(body);
        let any = SetBounds::at_most(domain.may().clone());
        let matches = self.with_value(variable, |lowering| {
            lowering.scope.set(variable, any, is_piece);
            lowering.truth(body)
        });
        self.scope.restore(saved);
        self.shrink_to(before);
        matches == Candidates::EVERYWHERE
    }

    /// What a loop gives while its variable has a value.
    pub(super) fn with_value<T>(&mut self, variable: VariableId, lower: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.assigned.len();
        self.assigned.push(variable);
        let lowered = lower(self);
        self.assigned.truncate(mark);
        lowered
    }

    fn truth_over(
        &mut self,
        (variable, is_piece): (VariableId, bool),
        all: bool,
        domain: SetBounds,
        body: &'q Filter,
    ) -> Candidates {
        self.forget_assigned(body);
        if !all && let Some(found) = self.truth_of_body((variable, is_piece), &domain, body) {
            return found;
        }
        let squares = match all {
            // Without any square, nothing of the body has to hold.
            true => self.apart(body, |lowering| lowering.squares_of_body(variable, &domain, body)),
            false => self.squares_of_body(variable, &domain, body),
        };
        if let Some(squares) = squares {
            return match all {
                true => SetBounds::intersection(vec![domain, squares.complement()])
                    .not_empty()
                    .not(),
                false => squares.not_empty(),
            };
        }
        // What the man that moves can be is known of all squares together.
        let moves_it = is_piece && super::imagined::moves_variable(body, variable);
        let squares = match !moves_it && !self.inner_at_once {
            true => self
                .written_out_in_detail((variable, is_piece), &domain, body)
                .or_else(|| {
                    // With less detail inside, it may not be too much.
                    has_loops(body).then(|| self.written_out_roughly((variable, is_piece), &domain, body))?
                }),
            false => None,
        };
        if let Some(squares) = squares {
            let wanted = squares.into_iter().map(|(square, body)| match all {
                true => (square, body.not()),
                false => (square, body),
            });
            let found = if is_by_lists(domain.may()) {
                let here = |square| has(&domain, square);
                Candidates::any(wanted.map(|(square, body)| Candidates::both(here(square), body)))
            } else {
                let squares = squares_where(&wanted.collect::<Vec<_>>());
                SetBounds::intersection(vec![squares, domain.clone()]).not_empty()
            };
            let found = self.with_few_men((variable, is_piece), all, (&domain, body), found);
            return match all {
                true => found.not(),
                false => self.with_all_at_once((variable, is_piece), (&domain, body), found),
            };
        }
        if all {
            let saved = self.scope.save();
            let must = domain.must().clone();
            self.scope
                .set(variable, SetBounds::at_most(domain.may().clone()), is_piece);
            let body_truth = self.truth(body);
            self.scope.restore(saved);
            self.forget_assigned(body);
            // There may be no square at all.
            let none = not_empty(must).not();
            return Candidates::at_most(Truth::any([none, body_truth.truth]));
        }
        let before = self.scope.save();
        let found = by_color(domain.may().clone(), is_piece).into_iter().map(|domain| {
            self.scope.restore(before.clone());
            self.lowered_at_once((variable, is_piece), domain, body)
        });
        let found: Vec<Candidates> = found.collect();
        Candidates::any(found)
    }

    /// The squares for which a loop matches.
    pub(super) fn loop_set(
        &mut self,
        (variable, is_piece): (VariableId, bool),
        domain: &'q Filter,
        body: &'q Filter,
    ) -> SetBounds {
        self.note_left_out(variable, domain);
        let domain = self.domain(domain, is_piece);
        let values = self.values_behind((variable, is_piece), false, &domain, body);
        let found = self.with_value(variable, |lowering| {
            lowering.set_over((variable, is_piece), domain, body)
        });
        self.set_values(values);
        found
    }

    fn set_over(&mut self, (variable, is_piece): (VariableId, bool), domain: SetBounds, body: &'q Filter) -> SetBounds {
        self.forget_assigned(body);
        // Without any square for which the body matches, there is still a set.
        let squares = self.apart(body, |lowering| lowering.squares_of_body(variable, &domain, body));
        if let Some(squares) = squares {
            return squares;
        }
        if let Some(squares) = self.written_out_in_detail((variable, is_piece), &domain, body) {
            let by_square = SetBounds::intersection(vec![squares_where(&squares), domain.clone()]);
            return self.set_with_few_men((variable, is_piece), (&domain, body), by_square);
        }
        let saved = self.scope.save();
        self.scope
            .set(variable, SetBounds::at_most(domain.may().clone()), is_piece);
        let body_truth = self.truth(body);
        let squares = SetBounds::at_most(self.scope.squares(variable).may().clone());
        self.scope.restore(saved);
        squares.where_holds(Candidates::at_most(body_truth.truth))
    }

    /// What a loop runs over.
    pub(super) fn domain(&mut self, domain: &'q Filter, is_piece: bool) -> SetBounds {
        self.forget_assigned(domain);
        let domain = self.set_bounds(domain);
        if !is_piece || !may_be_empty(domain.may()) {
            return domain;
        }
        let men = SetExpr::Contents(ManSet::WHITE | ManSet::BLACK, Bitboard::FULL);
        SetBounds::intersection(vec![domain, SetBounds::Exact(men)])
    }

    /// The body for each square that the domain can have, with the loops inside it as far as they fit; `None` if it is too much,
    /// which is found out once for all turns of the loops around this one.
    fn written_out_in_detail(
        &mut self,
        variable: (VariableId, bool),
        domain: &SetBounds,
        body: &'q Filter,
    ) -> Option<Vec<(Square, Candidates)>> {
        let is_inside = self.limit < MAX_EXPRESSIONS;
        if is_inside && self.too_large.contains(&body.id()) {
            self.is_too_large = true;
            return None;
        }
        let squares = self.written_out(variable, domain, body, MAX_WRITTEN_OUT);
        if !is_inside {
            self.too_large.clear();
        } else if squares.is_none() && self.is_too_large {
            self.too_large.push(body.id());
        }
        squares
    }

    /// The body for each square that the domain can have. `None` if that takes more than `most` expressions.
    fn written_out(
        &mut self,
        (variable, is_piece): (VariableId, bool),
        domain: &SetBounds,
        body: &'q Filter,
        most: usize,
    ) -> Option<Vec<(Square, Candidates)>> {
        let before = self.extent();
        let outer_limit = self.limit;
        self.limit = outer_limit.min(before.expressions + most);
        let saved = self.scope.save();
        let mut squares = Vec::new();
        let men = possible_men(domain.may());
        let (mut fits, mut is_spot) = (true, false);
        for square in possible(domain.may()) {
            let one = SetBounds::Exact(SetExpr::Constant(square.into()));
            self.scope.set_one((variable, is_piece), one, men);
            let body = self.truth(body);
            self.scope.restore(saved.clone());
            let few = self.expressions <= self.limit && self.temporals <= before.temporals + MAX_TEMPORALS;
            fits = few && !self.is_too_large;
            // What the pass over moves says of the square, it says of all squares together.
            is_spot = self.spots.contains(&variable);
            if !fits || is_spot {
                break;
            }
            squares.push((square, body));
        }
        self.limit = outer_limit;
        if fits && !is_spot {
            return Some(squares);
        }
        // A loop around this one need not try the other squares.
        self.is_too_large = !fits && outer_limit < MAX_EXPRESSIONS;
        self.shrink_to(before);
        None
    }
}

impl<'q> Lowering<'q> {
    /// The same with the loops inside the body lowered once for all of their squares.
    fn written_out_roughly(
        &mut self,
        variable: (VariableId, bool),
        domain: &SetBounds,
        body: &'q Filter,
    ) -> Option<Vec<(Square, Candidates)>> {
        let was_too_large = std::mem::take(&mut self.is_too_large);
        self.inner_at_once = true;
        let squares = self.written_out(variable, domain, body, MAX_WRITTEN_OUT_ROUGHLY);
        self.inner_at_once = false;
        if squares.is_none() {
            self.is_too_large = was_too_large;
        }
        squares
    }
}

/// Whether a filter has loops, and no part that looks at any number of other positions.
fn has_loops(filter: &Filter) -> bool {
    let is_loop = |node: &Node| matches!(node, Node::SquareLoop { .. } | Node::PieceLoop { .. });
    filter.any(&mut |part| is_loop(&part.node)) && !has_sequences(filter)
}

/// Whether a set can have a square where no man stands.
fn may_be_empty(set: &SetExpr) -> bool {
    possible_men(set).contains(chess::Man::EMPTY)
}

/// Whether posting lists tell at once which squares a set has.
fn is_by_lists(set: &SetExpr) -> bool {
    match set {
        SetExpr::Constant(_) | SetExpr::Contents(..) => true,
        SetExpr::Union(parts) | SetExpr::Intersection(parts) => parts.iter().all(is_by_lists),
        SetExpr::Complement(inner) => is_by_lists(inner),
        _ => false,
    }
}

/// Where a set has a square.
pub(super) fn has(set: &SetBounds, square: Square) -> Candidates {
    match set {
        SetBounds::Exact(set) => Candidates::exactly(contains(set, square)),
        SetBounds::Between { may, must } => Candidates::between(contains(may, square), contains(must, square)),
    }
}

/// The squares where a condition holds.
pub(super) fn squares_where(squares: &[(Square, Candidates)]) -> SetBounds {
    let set = |truth: fn(&Candidates) -> Truth| {
        let mut always = Bitboard::EMPTY;
        let mut others = Vec::new();
        for (square, condition) in squares {
            match truth(condition) {
                Truth::Always => always.add(*square),
                Truth::Never => {}
                truth => others.push((*square, truth)),
            }
        }
        match (always, others.is_empty()) {
            (always, true) => SetExpr::Constant(always),
            (Bitboard::EMPTY, false) => SetExpr::Squares(others.into()),
            (always, false) => SetExpr::Union([SetExpr::Constant(always), SetExpr::Squares(others.into())].into()),
        }
    };
    match squares.iter().all(|(_, condition)| condition.exact) {
        true => SetBounds::Exact(set(|condition| condition.truth.clone())),
        false => SetBounds::Between {
            may: set(|condition| condition.truth.clone()),
            must: set(Candidates::certain),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::tests::lowered;

    /// A plan takes a fraction of a second; where each loop was tried for each square of the loops around it, minutes.
    const LONG: Duration = Duration::from_secs(10);

    #[test]
    fn each_square_is_asked_where_the_loops_inside_are_too_much() {
        let (truth, _) = lowered(
            "flipcolor { wtm square Cut in _ { piece One in r attacks Cut piece Other in b attacks Cut {
                A--Cut(One->Cut Other->Cut not check) } } }",
        );
        for square in ["d4", "h8"] {
            assert!(truth.contains(&format!("(b attacks {square})")), "{truth}");
        }
    }

    #[test]
    fn loops_inside_each_other_are_planned_in_time() {
        let started = Instant::now();
        let (truth, _) = lowered(
            "square Cut in A { btm piece One in r & (r attacks Cut) piece Other in b & (b attacks Cut) {
                square X in ray(One Cut .) square Y in ray(Other Cut .) (A attacks X) & (A attacks Y) } }",
        );
        assert!(truth.contains("attacks"), "{truth}");
        assert!(started.elapsed() < LONG, "{:?}", started.elapsed());
    }
}
