//! First moves: what must hold of the moves of the game for a loop's body to match.
//!
//! A loop over pieces is mostly about a `path` or a move that begins where the loop is evaluated. Whether the game has
//! such a move is known before the inner loops run.

use language::facts::{Reads, note_assigned};
use language::hir::{Dash, Filter, Kind, ManSet, MoveValue, Node, Path, PathStep, Promotion, Query, VariableId};
use shakmaty::Bitboard;

use crate::game::GameView;
use crate::per_filter::PerFilter;
use crate::sequence::{Op, Program};
use crate::state::State;
use crate::traces::Traces;
use crate::value::Value;

/// How many first moves are tried before a loop's body is evaluated.
const MAX_ALTERNATIVES: usize = 32;

/// A move that must be there: its squares, as far as they are known before the rest is evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstMove<'q> {
    pub(crate) from: Option<&'q Filter>,
    pub(crate) to: Option<&'q Filter>,
    pub(crate) capture: Option<&'q Filter>,
}

/// What is known of a loop.
#[derive(Debug, Default)]
pub(crate) struct LoopGuard<'q> {
    /// One of these moves must be there, or no turn matches; empty if nothing is known.
    pub(crate) before: Vec<FirstMove<'q>>,
    /// One of these moves must be there once the variable has its value, or the body does not match.
    pub(crate) inside: Vec<FirstMove<'q>>,
    /// Whether the loop may end with the first square or piece that decides its truth.
    pub(crate) may_stop: bool,
}

/// A move that every match of a `path` makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NeededMove {
    /// The variable of the piece that makes it.
    piece: Option<VariableId>,
    /// What a pawn becomes by it.
    promotion: Option<ManSet>,
    /// Whether it captures.
    capture: bool,
    /// How often it is made at least.
    times: u32,
}

/// The guards of all loops and paths of a query.
#[derive(Debug, Default)]
pub(crate) struct Guards<'q> {
    loops: PerFilter<LoopGuard<'q>>,
    /// By the argument of `find`: one of these moves must be there for it to match.
    finds: PerFilter<Vec<FirstMove<'q>>>,
    /// By `echo`: the variables that have a value where it is evaluated.
    echoes: PerFilter<Vec<VariableId>>,
    /// By transform: whether the variants after one that matches may be left out.
    orbits: PerFilter<bool>,
    /// By path: the moves that it needs, as far as it may be left out where they are missing.
    paths: Vec<PathGuard>,
}

/// What is known of a path, if it may be left out where it can't match.
#[derive(Clone, Debug, Default)]
struct PathGuard {
    needed: Vec<NeededMove>,
    /// How many moves in focus it has at least.
    fewest: u32,
}

impl<'q> Guards<'q> {
    /// Finds what can be known of the loops of a query.
    pub(crate) fn of(query: &'q Query, traces: &Traces) -> Guards<'q> {
        let mut finder = Finder {
            traces,
            private: Vec::new(),
            bound: query
                .variables
                .iter()
                .enumerate()
                .fold(Vec::new(), |mut bound, (index, variable)| {
                    if variable.persistent {
                        bound.extend(u32::try_from(index).map(VariableId));
                    }
                    bound
                }),
            throughout: false,
            guards: Guards::default(),
        };
        finder.visit(&query.body);
        finder.guards
    }

    /// What is known of a loop.
    #[inline]
    pub(crate) fn of_loop(&self, filter: &Filter) -> Option<&LoopGuard<'q>> {
        self.loops.get(filter.id())
    }

    /// The moves of which one must be there for the argument of a `find` to match, if anything is known of them.
    pub(crate) fn of_find(&self, argument: &Filter) -> Option<&[FirstMove<'q>]> {
        self.finds.get(argument.id()).map(Vec::as_slice)
    }

    /// Whether the variants of a transform after one that matches may be left out: nothing sees whether they are evaluated.
    pub(crate) fn may_stop_variants(&self, orbit: &Filter) -> bool {
        self.orbits.get(orbit.id()).copied().unwrap_or(false)
    }

    /// The variables that certainly have a value where an `echo` is evaluated.
    pub(crate) fn bound_at_echo(&self, echo: &Filter) -> &[VariableId] {
        self.echoes.get(echo.id()).map_or(&[], Vec::as_slice)
    }

    /// How many moves in focus a path needs, as far as it may be left out where there are fewer.
    pub(crate) fn fewest_moves(&self, path: &Path) -> u32 {
        self.paths.get(path.id.0 as usize).map_or(0, |guard| guard.fewest)
    }

    /// Whether the game has the moves that a path from a position needs.
    pub(crate) fn allows_path(&self, path: &Path, node: u32, game: &GameView, state: &State) -> bool {
        let Some(PathGuard { needed, .. }) = self.paths.get(path.id.0 as usize) else {
            return true;
        };
        needed.iter().all(|needed| {
            let piece = match needed.piece.map(|variable| &state.variables[variable.0 as usize]) {
                None => None,
                Some(Some(Value::Piece(id))) => Some(*id),
                // Another kind of value, or none.
                Some(_) => return true,
            };
            let last = game.last_descendant(node);
            let makes = |child: u32| {
                game.edge(child).is_some_and(|edge| {
                    (!needed.capture || edge.capture.is_some())
                        && needed.promotion.is_none_or(|men| edge.promotes_to(men))
                })
            };
            match piece.map(|id| 1 << (id % 64)) {
                Some(piece) if !needed.capture && needed.promotion.is_none() => {
                    game.has_moves_of(piece, node + 1, last, needed.times)
                }
                Some(piece) => {
                    let next = |from: u32| game.next_move_of(piece, from, last);
                    let moves = std::iter::successors(next(node + 1), |&child| next(child + 1));
                    moves
                        .filter(|&child| makes(child))
                        .nth(needed.times as usize - 1)
                        .is_some()
                }
                None => (node + 1..=last)
                    .filter(|&child| makes(child))
                    .nth(needed.times as usize - 1)
                    .is_some(),
            }
        })
    }
}

/// Walks through a query with the variables that have a value.
struct Finder<'q, 's> {
    traces: &'s Traces,
    /// The variables whose values are seen only in the filter that may be left out.
    private: Vec<VariableId>,
    bound: Vec<VariableId>,
    /// Whether only moves are of use whose squares or pieces are the same throughout the game.
    throughout: bool,
    guards: Guards<'q>,
}

impl<'q> Finder<'q, '_> {
    fn visit(&mut self, filter: &'q Filter) {
        let mark = self.bound.len();
        match &filter.node {
            Node::SquareLoop {
                variable, domain, body, ..
            }
            | Node::PieceLoop {
                variable, domain, body, ..
            } => {
                self.private = self.traces.private_to(filter);
                let before = self.first_moves(filter, &mut Vec::new());
                self.visit(domain);
                self.bound.push(*variable);
                self.private = self.traces.private_to(body);
                let mut inside = self.first_moves(body, &mut Vec::new()).unwrap_or_default();
                if !inside.iter().any(|first| first.reads(*variable)) {
                    inside.clear();
                }
                let may_stop = self.may_skip(body, true);
                let guard = LoopGuard {
                    before: before.unwrap_or_default(),
                    inside,
                    may_stop,
                };
                self.guards.loops.insert(filter.id(), guard);
                self.visit(body);
            }
            Node::Compound(list) => {
                for part in list {
                    self.visit(part);
                    note_assigned(part, &mut self.bound);
                }
            }
            Node::And(a, b) => {
                self.visit(a);
                note_assigned(a, &mut self.bound);
                self.visit(b);
            }
            _ => {
                match &filter.node {
                    Node::Path(path) => self.visit_path(filter, path),
                    Node::Orbit { variants, .. } => {
                        self.private = self.traces.private_to(filter);
                        let may_stop = variants.iter().skip(1).all(|variant| self.may_skip(variant, true));
                        self.guards.orbits.insert(filter.id(), may_stop);
                    }
                    Node::Echo { .. } => {
                        self.guards.echoes.insert(filter.id(), self.bound.clone());
                    }
                    Node::Find { argument, .. } => {
                        self.private = self.traces.private_to(argument);
                        self.throughout = true;
                        let moves = self.first_moves(argument, &mut Vec::new());
                        self.throughout = false;
                        // What the argument changes differs from one position to the next.
                        let is_steady = |first: &FirstMove| {
                            !argument
                                .any(&mut |part| part.facts().assigns.is_some_and(|variable| first.reads(variable)))
                        };
                        if let Some(moves) = moves.filter(|moves| moves.iter().all(is_steady)) {
                            self.guards.finds.insert(argument.id(), moves);
                        }
                    }
                    _ => {}
                }
                children(filter).into_iter().for_each(|child| self.visit(child));
            }
        }
        self.bound.truncate(mark);
    }

    /// Notes the moves that a path needs.
    fn visit_path(&mut self, filter: &'q Filter, path: &'q Path) {
        self.private = self.traces.private_to(filter);
        let mut needed = Vec::new();
        let mut fewest = 0;
        if self.traces.may_fail_unseen(filter, &self.private, &mut self.bound) {
            fewest = fewest_moves(&path.steps);
            add_needed(&path.steps, 1, &mut needed);
        }
        // A piece that is chosen on the way is not known at the start.
        needed.retain(|needed| {
            needed
                .piece
                .is_none_or(|piece| !filter.any(&mut |part| part.facts().assigns == Some(piece)))
        });
        let index = path.id.0 as usize;
        if self.guards.paths.len() <= index {
            self.guards.paths.resize_with(index + 1, PathGuard::default);
        }
        self.guards.paths[index] = PathGuard { needed, fewest };
    }

    fn may_skip(&mut self, filter: &Filter, truth: bool) -> bool {
        self.traces.may_skip(filter, truth, &self.private, &mut self.bound)
    }

    /// The moves of which one must be there for a filter to match. If none is, its evaluation raises no error and leaves
    /// nothing behind that is seen. `later` are variables that get their values inside the filter.
    fn first_moves(&mut self, filter: &'q Filter, later: &mut Vec<VariableId>) -> Option<Vec<FirstMove<'q>>> {
        let marks = (self.bound.len(), later.len());
        let found = self.find_first_moves(filter, later);
        self.bound.truncate(marks.0);
        later.truncate(marks.1);
        found
    }

    fn find_first_moves(&mut self, filter: &'q Filter, later: &mut Vec<VariableId>) -> Option<Vec<FirstMove<'q>>> {
        match &filter.node {
            Node::Path(path) => {
                let values = path.focus.iter().map(|focus| &focus.pieces);
                for value in values {
                    if !self.may_skip(value, false) {
                        return None;
                    }
                }
                let program = Program::of_path(path);
                let begin = usize::from(program.first.is_some());
                if let Some(first) = program.first
                    && !self.may_skip(first, true)
                {
                    return None;
                }
                match program.ops.get(begin) {
                    Some(Op::Move(dash)) => self.of_dash(dash, later),
                    _ => None,
                }
            }
            Node::Dash(dash) => self.of_dash(dash, later),
            Node::Move(m) if m.legality.is_none() && !m.previous && m.value != MoveValue::Count => {
                let parts = [&m.from, &m.to, &m.capture, &m.en_passant_square];
                self.first_move(parts.map(Option::as_ref), later)
            }
            Node::Compound(list) => self.of_list(list, later),
            Node::And(a, b) => self.of_list([&**a, &**b], later),
            Node::SquareLoop {
                variable,
                domain,
                body,
                all: false,
            }
            | Node::PieceLoop {
                variable,
                domain,
                body,
                all: false,
            } => {
                if self.bound.contains(variable) || !self.may_skip(domain, false) {
                    return None;
                }
                self.bound.push(*variable);
                later.push(*variable);
                self.first_moves(body, later)
            }
            Node::NoTransform(inner) => self.first_moves(inner, later),
            Node::AssignPiece(_, argument) => self.first_moves(argument, later),
            Node::Sort { argument, .. } | Node::Assign(_, _, argument)
                if matches!(argument.kind, Kind::Numeric | Kind::Position) =>
            {
                self.first_moves(argument, later)
            }
            Node::CompareNumbers(_, left, right) => {
                let [a, b] = [left, right].map(|side| (side.kind == Kind::Numeric).then_some(&**side));
                if let Some(a) = a
                    && self.may_skip(right, false)
                    && let Some(found) = self.first_moves(a, later)
                {
                    return Some(found);
                }
                match b {
                    Some(b) if self.may_skip(left, false) => self.first_moves(b, later),
                    _ => None,
                }
            }
            Node::Orbit { range: None, variants } => {
                let mut all = Vec::new();
                for variant in variants {
                    all.extend(self.first_moves(variant, later)?);
                    if all.len() > MAX_ALTERNATIVES {
                        return None;
                    }
                }
                (!all.is_empty()).then_some(all)
            }
            _ => None,
        }
    }

    /// Those of filters that have to match one after the other.
    fn of_list(
        &mut self,
        list: impl IntoIterator<Item = &'q Filter>,
        later: &mut Vec<VariableId>,
    ) -> Option<Vec<FirstMove<'q>>> {
        for part in list {
            if let Some(found) = self.first_moves(part, later) {
                return Some(found);
            }
            if !self
                .traces
                .may_skip_before_failure(part, &self.private, &mut self.bound)
            {
                return None;
            }
            part.any(&mut |part| {
                later.extend(part.facts().assigns);
                false
            });
            note_assigned(part, &mut self.bound);
        }
        None
    }

    fn of_dash(&mut self, dash: &'q Dash, later: &[VariableId]) -> Option<Vec<FirstMove<'q>>> {
        if let Some(Promotion::Text(text)) = &dash.promotion
            && !self.may_skip(text, false)
        {
            return None;
        }
        let (left, right) = (dash.left.as_ref(), dash.right.as_ref());
        match dash.capture {
            true => self.first_move([left, None, right, None], later),
            false => self.first_move([left, right, None, None], later),
        }
    }

    /// A move whose squares are in these sets: from, to, captured, captured en passant.
    fn first_move(&mut self, parts: [Option<&'q Filter>; 4], later: &[VariableId]) -> Option<Vec<FirstMove<'q>>> {
        for part in parts.into_iter().flatten() {
            if !self.may_skip(part, false) {
                return None;
            }
        }
        let [from, to, capture, _] = parts.map(|part| part.filter(|part| is_known_before(part, later)));
        let first = FirstMove { from, to, capture };
        let is_of_use = match self.throughout {
            true => [from, to].into_iter().flatten().any(is_same_throughout),
            false => from.is_some() || to.is_some() || capture.is_some(),
        };
        is_of_use.then(|| vec![first])
    }
}

/// Adds the moves that some steps need when these are taken at least `times` times.
fn add_needed(steps: &[PathStep], times: u32, needed: &mut Vec<NeededMove>) {
    for step in steps {
        match step {
            PathStep::Dash { dash, repeat } if repeat.min > 0 => {
                let times = times.saturating_mul(repeat.min);
                let piece = match dash.left.as_ref().map(|left| &left.node) {
                    Some(Node::Variable(variable)) => Some(*variable),
                    _ => None,
                };
                let promotion = match dash.promotion {
                    Some(Promotion::Roles(men)) => Some(men),
                    _ => None,
                };
                if piece.is_some() {
                    add_move(needed, piece, None, false, times);
                }
                if promotion.is_some() || dash.capture {
                    add_move(needed, piece, promotion, dash.capture, times);
                }
            }
            PathStep::Chain { steps, repeat } if repeat.min > 0 => {
                add_needed(steps, times.saturating_mul(repeat.min), needed);
            }
            _ => {}
        }
    }
}

/// Adds a move that is made `times` times.
fn add_move(
    needed: &mut Vec<NeededMove>,
    piece: Option<VariableId>,
    promotion: Option<ManSet>,
    capture: bool,
    times: u32,
) {
    let is_same = |old: &&mut NeededMove| (old.piece, old.promotion, old.capture) == (piece, promotion, capture);
    match needed.iter_mut().find(is_same) {
        Some(old) => old.times = old.times.saturating_add(times),
        None => needed.push(NeededMove {
            piece,
            promotion,
            capture,
            times,
        }),
    }
}

/// How many moves some steps make at least.
fn fewest_moves(steps: &[PathStep]) -> u32 {
    let moves = steps.iter().map(|step| match step {
        PathStep::Filter(_) => 0,
        PathStep::Dash { repeat, .. } => repeat.min,
        PathStep::Chain { steps, repeat } => repeat.min.saturating_mul(fewest_moves(steps)),
    });
    moves.fold(0, u32::saturating_add)
}

/// Whether a set is the same before and after these variables get values, and outside of a `path`.
fn is_known_before(set: &Filter, later: &[VariableId]) -> bool {
    let mut depends = set
        .all_reads()
        .intersects(Reads::PATH | Reads::PATH_END | Reads::GROUPS);
    set.any(&mut |part| {
        part.for_each_variable(&mut |variable| depends |= later.contains(&variable));
        depends |= part.facts().assigns.is_some();
        depends
    });
    !depends
}

/// Whether a set may have the same squares, or the same piece, at all positions of a game.
pub(crate) fn is_same_throughout(set: &Filter) -> bool {
    match &set.node {
        Node::Designator(designator) => designator.men == ManSet::ANYTHING && designator.squares != Bitboard::FULL,
        Node::Variable(_) => true,
        Node::At(place, _) => matches!(place.node, Node::Variable(_)),
        _ => false,
    }
}

fn children(filter: &Filter) -> Vec<&Filter> {
    let mut children = Vec::new();
    filter.for_each_child(&mut |child| children.push(child));
    children
}

impl FirstMove<'_> {
    fn reads(&self, variable: VariableId) -> bool {
        [self.from, self.to, self.capture].into_iter().flatten().any(|part| {
            part.any(&mut |part| {
                let mut found = false;
                part.for_each_variable(&mut |read| found |= read == variable);
                found
            })
        })
    }
}
