//! First moves: what must hold of the moves of the game for a loop's body to match.
//!
//! A loop over pieces is mostly about a `path` or a move that begins where the loop is evaluated. Whether the game has
//! such a move is known before the inner loops run; so are the moves that a path needs later.

mod finds;
mod needed;
mod outline;

use language::facts::{Reads, note_assigned};
use language::hir::{Dash, Filter, Kind, ManSet, MoveValue, Node, Path, Promotion, Query, VariableId};
use shakmaty::Bitboard;

pub(crate) use self::finds::{FindGuard, OfPiece};
pub(crate) use self::needed::NeededMove;
use self::needed::{fewest_moves, needed_moves, reads};
pub(crate) use self::outline::Outline;
use crate::game::Aim;
use crate::per_filter::PerFilter;
use crate::sequence::{Op, Program};
use crate::traces::Traces;

/// How many first moves are tried before a loop's body is evaluated.
const MAX_ALTERNATIVES: usize = 32;

/// A move that must be there: its squares, as far as they are known before the rest is evaluated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FirstMove<'q> {
    pub(crate) from: Option<&'q Filter>,
    pub(crate) to: Option<&'q Filter>,
    pub(crate) capture: Option<&'q Filter>,
    /// Where it comes from, too: the pieces that a path looks at.
    pub(crate) focus: Option<&'q Filter>,
}

/// Squares of a move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MoveSide {
    From,
    To,
    Capture,
}

/// What is known of a loop.
#[derive(Debug, Default)]
pub(crate) struct LoopGuard<'q> {
    /// One of these moves must be there, or no turn matches; empty if nothing is known.
    pub(crate) before: Vec<FirstMove<'q>>,
    /// One of these moves must be there once the variable has its value, or the body does not match.
    pub(crate) inside: Vec<FirstMove<'q>>,
    /// If this is not empty, the variable must be on one of these sides of a move.
    pub(crate) sides: Vec<MoveSide>,
    /// All of these moves must be there by then, too.
    pub(crate) needed: Vec<NeededMove<'q>>,
    /// A path that must match where the body is evaluated.
    pub(crate) path: Option<(&'q Path, Outline<'q>)>,
    /// Whether the loop may end with the first square or piece that decides its truth.
    pub(crate) may_stop: bool,
}

impl LoopGuard<'_> {
    /// Whether something is known of the moves that a turn needs.
    pub(crate) fn is_known(&self) -> bool {
        !self.before.is_empty() || !self.inside.is_empty() || !self.needed.is_empty() || self.path.is_some()
    }
}

/// The guards of all loops and paths of a query.
#[derive(Debug, Default)]
pub(crate) struct Guards<'q> {
    loops: PerFilter<LoopGuard<'q>>,
    /// By the argument of `find`: what must be there for it to match.
    finds: PerFilter<FindGuard<'q>>,
    /// By `echo`: the variables that have a value where it is evaluated.
    echoes: PerFilter<Vec<VariableId>>,
    /// By transform: whether the variants after one that matches may be left out.
    orbits: PerFilter<bool>,
    /// By `move` filter with a target: what the target asks of a move, if no other moves need be tried.
    aims: PerFilter<Aim>,
    /// The parameters of `move` filters that may be left out where another one does not fit.
    parameters: PerFilter<()>,
    /// By path: the moves that it needs, as far as it may be left out where they are missing.
    paths: Vec<PathGuard<'q>>,
}

/// What is known of a path, if it may be left out where it can't match.
#[derive(Clone, Debug, Default)]
struct PathGuard<'q> {
    needed: Vec<NeededMove<'q>>,
    /// How many moves in focus it has at least.
    fewest: u32,
    outline: Option<Outline<'q>>,
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
            region: None,
            is_nested: false,
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

    /// What must be there for the argument of a `find` to match, if anything is known of it.
    pub(crate) fn of_find(&self, argument: &Filter) -> Option<&FindGuard<'q>> {
        self.finds.get(argument.id())
    }

    /// Whether the variants of a transform after one that matches may be left out: nothing sees whether they are evaluated.
    pub(crate) fn may_stop_variants(&self, orbit: &Filter) -> bool {
        self.orbits.get(orbit.id()).copied().unwrap_or(false)
    }

    /// The variables that certainly have a value where an `echo` is evaluated.
    pub(crate) fn bound_at_echo(&self, echo: &Filter) -> &[VariableId] {
        self.echoes.get(echo.id()).map_or(&[], Vec::as_slice)
    }

    /// What a move has to do for the target of a `move` filter to match, as far as no other moves need be tried.
    pub(crate) fn aim(&self, filter: &Filter) -> Aim {
        self.aims.get(filter.id()).copied().unwrap_or(Aim::Any)
    }

    /// Whether a parameter of a `move` filter may be left out where another one does not fit: nothing sees whether it is
    /// evaluated.
    #[inline]
    pub(crate) fn may_skip_parameter(&self, parameter: &Filter) -> bool {
        self.parameters.get(parameter.id()).is_some()
    }

    /// How many moves in focus a path needs, as far as it may be left out where there are fewer.
    pub(crate) fn fewest_moves(&self, path: &Path) -> u32 {
        self.paths.get(path.id.0 as usize).map_or(0, |guard| guard.fewest)
    }

    /// What is asked of each move of a path, as far as it may be left out where no moves follow that are so.
    pub(crate) fn outline(&self, path: &Path) -> Option<&Outline<'q>> {
        self.paths.get(path.id.0 as usize)?.outline.as_ref()
    }

    /// The moves that a path needs, as far as it may be left out where they are missing.
    pub(crate) fn needed_moves(&self, path: &Path) -> &[NeededMove<'q>] {
        self.paths.get(path.id.0 as usize).map_or(&[], |guard| &guard.needed)
    }
}

/// What a filter's match begins with or needs.
#[derive(Debug, Default)]
struct Moves<'q> {
    /// One of these moves must be there; empty if nothing is known.
    first: Vec<FirstMove<'q>>,
    /// All of these must be there later.
    needed: Vec<NeededMove<'q>>,
    /// A path that must match, with its outline.
    path: Option<(&'q Path, Outline<'q>)>,
}

impl Moves<'_> {
    fn is_known(&self) -> bool {
        !self.first.is_empty() || !self.needed.is_empty() || self.path.is_some()
    }
}

impl<'q> From<Vec<FirstMove<'q>>> for Moves<'q> {
    fn from(first: Vec<FirstMove<'q>>) -> Moves<'q> {
        Moves {
            first,
            ..Moves::default()
        }
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
    /// The body of the loop whose moves are looked for.
    region: Option<&'q Filter>,
    /// Whether the walk is in a loop inside of that.
    is_nested: bool,
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
                let before = self.moves(filter, &mut Vec::new()).first;
                self.visit(domain);
                self.bound.push(*variable);
                self.visit(body);
                self.private = self.traces.private_to(body);
                self.region = Some(body);
                let Moves {
                    first: mut inside,
                    mut needed,
                    path,
                } = self.moves(body, &mut Vec::new());
                self.region = None;
                if !inside.iter().any(|first| first.reads(*variable)) {
                    inside.clear();
                }
                needed.retain(|needed| needed.reads(*variable));
                let sides: Option<Vec<MoveSide>> = inside.iter().map(|first| first.side_of(*variable)).collect();
                let guard = LoopGuard {
                    before,
                    inside,
                    sides: sides.unwrap_or_default(),
                    needed,
                    path,
                    may_stop: self.may_skip(body, true),
                };
                self.guards.loops.insert(filter.id(), guard);
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
                        let certain = self.traces.certain(&self.bound);
                        self.guards.echoes.insert(filter.id(), certain);
                    }
                    Node::Move(m) => {
                        for parameter in [&m.from, &m.to, &m.capture, &m.en_passant_square].into_iter().flatten() {
                            self.private = self.traces.private_to(parameter);
                            if self.may_skip(parameter, false) {
                                self.guards.parameters.insert(parameter.id(), ());
                            }
                        }
                    }
                    // Where all moves have to match, each is tried.
                    Node::AfterMove { target, all: false, .. } => {
                        self.private = self.traces.private_to(filter);
                        let aim = aim(target);
                        if aim > Aim::Any && self.may_skip(target, true) {
                            self.guards.aims.insert(filter.id(), aim);
                        }
                    }
                    Node::Find { argument, .. } => self.visit_find(argument),
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
        if self.traces.may_fail_unseen(filter, &self.private, &self.bound) {
            self.note_path(filter, path);
        }
    }

    /// Notes that a path may be left out where the moves are missing that it needs.
    fn note_path(&mut self, filter: &'q Filter, path: &'q Path) {
        let index = path.id.0 as usize;
        if self.guards.paths.len() <= index {
            self.guards.paths.resize_with(index + 1, PathGuard::default);
        }
        self.guards.paths[index] = PathGuard {
            needed: needed_moves(path, filter),
            fewest: fewest_moves(&path.steps),
            outline: Outline::of(&path.steps, filter),
        };
    }

    fn may_skip(&self, filter: &Filter, truth: bool) -> bool {
        self.traces.may_skip(filter, truth, &self.private, &self.bound)
    }

    /// The moves that must be there for a filter to match. If they are not, its evaluation raises no error and leaves
    /// nothing behind that is seen. `later` are variables that get their values inside the filter.
    fn moves(&mut self, filter: &'q Filter, later: &mut Vec<VariableId>) -> Moves<'q> {
        let marks = (self.bound.len(), later.len());
        let found = self.find_moves(filter, later);
        self.bound.truncate(marks.0);
        later.truncate(marks.1);
        found
    }

    fn find_moves(&mut self, filter: &'q Filter, later: &mut Vec<VariableId>) -> Moves<'q> {
        match &filter.node {
            Node::Path(path) => Moves {
                first: self.first_of_path(path, later),
                ..self.needed_by_path(filter, path)
            },
            Node::Dash(dash) => self.of_dash(dash, later).into(),
            Node::Move(m) if m.legality.is_none() && !m.previous && m.value != MoveValue::Count => {
                let parts = [&m.from, &m.to, &m.capture, &m.en_passant_square];
                self.first_move(parts.map(Option::as_ref), later).into()
            }
            Node::Compound(list) => self.of_list(list, later),
            Node::And(a, b) => self.of_list([&**a, &**b], later),
            Node::SquareLoop {
                variable,
                domain,
                body,
                all: false,
                in_doubt,
            }
            | Node::PieceLoop {
                variable,
                domain,
                body,
                all: false,
                in_doubt,
            } => {
                if self.bound.contains(variable) || !in_doubt.is_empty() || !self.may_skip(domain, false) {
                    return Moves::default();
                }
                self.bound.push(*variable);
                later.push(*variable);
                let outer = std::mem::replace(&mut self.is_nested, true);
                let found = self.moves(body, later);
                self.is_nested = outer;
                found
            }
            Node::NoTransform(inner) => self.moves(inner, later),
            Node::AssignPiece(_, argument) => self.moves(argument, later),
            Node::Sort { argument, .. } | Node::Assign(_, _, argument)
                if matches!(argument.kind, Kind::Numeric | Kind::Position) =>
            {
                self.moves(argument, later)
            }
            Node::CompareNumbers(_, left, right) => {
                for (side, other) in [(left, right), (right, left)] {
                    if side.kind == Kind::Numeric && self.may_skip(other, false) {
                        let found = self.moves(side, later);
                        if found.is_known() {
                            return found;
                        }
                    }
                }
                Moves::default()
            }
            Node::Orbit { range: None, variants } => self.of_variants(variants, later).into(),
            _ => Moves::default(),
        }
    }

    fn first_of_path(&mut self, path: &'q Path, later: &[VariableId]) -> Vec<FirstMove<'q>> {
        let values = path.focus.iter().map(|focus| &focus.pieces);
        for value in values {
            if !self.may_skip(value, false) {
                return Vec::new();
            }
        }
        let program = Program::of_path(path);
        let begin = usize::from(program.first.is_some());
        if let Some(first) = program.first
            && !self.may_skip(first, true)
        {
            return Vec::new();
        }
        let focus = path.focus.as_ref().filter(|focus| !focus.capture);
        let focus = focus
            .map(|focus| &focus.pieces)
            .filter(|pieces| is_known_before(pieces, later) && program.begins_with_moves(begin));
        let mut moves = match program.ops.get(begin) {
            Some(Op::Move(dash)) => self.of_dash(dash, later),
            _ => Vec::new(),
        };
        if focus.is_some() && !self.throughout {
            if moves.is_empty() {
                moves.push(FirstMove::default());
            }
            moves.iter_mut().for_each(|first| first.focus = focus);
        }
        moves
    }

    /// What a path needs without which a turn of the loop fails.
    fn needed_by_path(&mut self, filter: &'q Filter, path: &'q Path) -> Moves<'q> {
        let Some(region) = self.region else {
            return Moves::default();
        };
        if !self.traces.may_fail_unseen(filter, &self.private, &self.bound) {
            return Moves::default();
        }
        // Where the path fails, the turn fails, and what it has assigned is seen nowhere else. Another turn of a loop inside
        // might see it.
        if !self.is_nested {
            self.note_path(filter, path);
        }
        Moves {
            first: Vec::new(),
            needed: needed_moves(path, region),
            path: Outline::of(&path.steps, region).map(|outline| (path, outline)),
        }
    }

    /// The moves of which one must be there for a variant to match.
    fn of_variants(&mut self, variants: &'q [Filter], later: &mut Vec<VariableId>) -> Vec<FirstMove<'q>> {
        let region = self.region.take();
        let mut all = Vec::new();
        for variant in variants {
            let first = self.moves(variant, later).first;
            if first.is_empty() || all.len() + first.len() > MAX_ALTERNATIVES {
                all.clear();
                break;
            }
            all.extend(first);
        }
        self.region = region;
        all
    }

    /// Those of filters that have to match one after the other.
    fn of_list(&mut self, list: impl IntoIterator<Item = &'q Filter>, later: &mut Vec<VariableId>) -> Moves<'q> {
        let mut all = Moves::default();
        for part in list {
            let found = self.moves(part, later);
            all.needed.extend(found.needed);
            all.path = all.path.or(found.path);
            if !found.first.is_empty() {
                all.first = found.first;
                break;
            }
            if !self.traces.may_skip_before_failure(part, &self.private, &self.bound) {
                break;
            }
            part.any(&mut |part| {
                later.extend(part.facts().assigns);
                false
            });
            note_assigned(part, &mut self.bound);
        }
        all
    }

    fn of_dash(&mut self, dash: &'q Dash, later: &[VariableId]) -> Vec<FirstMove<'q>> {
        if let Some(Promotion::Text(text)) = &dash.promotion
            && !self.may_skip(text, false)
        {
            return Vec::new();
        }
        let (left, right) = (dash.left.as_ref(), dash.right.as_ref());
        match dash.capture {
            true => self.first_move([left, None, right, None], later),
            false => self.first_move([left, right, None, None], later),
        }
    }

    /// A move whose squares are in these sets: from, to, captured, captured en passant.
    fn first_move(&mut self, parts: [Option<&'q Filter>; 4], later: &[VariableId]) -> Vec<FirstMove<'q>> {
        for part in parts.into_iter().flatten() {
            if !self.may_skip(part, false) {
                return Vec::new();
            }
        }
        let [from, to, capture, _] = parts.map(|part| part.filter(|part| is_known_before(part, later)));
        let first = FirstMove {
            from,
            to,
            capture,
            focus: None,
        };
        let is_of_use = match self.throughout {
            true => [from, to].into_iter().flatten().any(is_same_throughout),
            false => from.is_some() || to.is_some() || capture.is_some(),
        };
        is_of_use.then_some(first).into_iter().collect()
    }
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

/// What a move has to do for a filter to match behind it.
fn aim(filter: &Filter) -> Aim {
    match &filter.node {
        Node::Check => Aim::Check,
        Node::Mate | Node::PureMate { stalemate: false, .. } => Aim::Mate,
        Node::Compound(list) => list.iter().map(aim).max().unwrap_or(Aim::Any),
        Node::And(a, b) => aim(a).max(aim(b)),
        Node::Or(a, b) => aim(a).min(aim(b)),
        Node::Orbit { range: None, variants } => variants.iter().map(aim).min().unwrap_or(Aim::Any),
        Node::NoTransform(inner) => aim(inner),
        _ => Aim::Any,
    }
}

fn children(filter: &Filter) -> Vec<&Filter> {
    let mut children = Vec::new();
    filter.for_each_child(&mut |child| children.push(child));
    children
}

impl FirstMove<'_> {
    fn reads(&self, variable: VariableId) -> bool {
        let parts = [self.from, self.to, self.capture, self.focus];
        parts.into_iter().flatten().any(|part| reads(part, variable))
    }

    /// On which side of the move the value of a variable must be, if the move says so.
    fn side_of(&self, variable: VariableId) -> Option<MoveSide> {
        let sides = [
            (self.from, MoveSide::From),
            (self.focus, MoveSide::From),
            (self.to, MoveSide::To),
            (self.capture, MoveSide::Capture),
        ];
        let is_it =
            |part: Option<&Filter>| part.is_some_and(|part| matches!(part.node, Node::Variable(it) if it == variable));
        sides.into_iter().find(|&(part, _)| is_it(part)).map(|(_, side)| side)
    }
}
