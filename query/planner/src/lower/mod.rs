//! From filters to expressions: the positions where they may match.

mod echo;
mod moves;
mod numbers;
mod pairs;
mod relation;
mod sequences;
mod temporal;
mod values;

use std::collections::HashMap;

use language::facts::{Leaves, Reads, is_infallible, note_assigned};
use language::hir::{Bound, Comparison, Filter, Kind, ManSet, Node, Query, Range, VariableId};
use postings::Term;
use shakmaty::{Bitboard, Color};

use crate::effects::loops_meet_assignments;
use crate::expr::{
    Candidates, NamedSet, NumberExpr, SetExpr, Truth, any_contents, any_of, castled, compare, contains, mirrored,
    not_empty, possible,
};

/// How many expressions a plan may have: transforms and loops over squares, and those inside them, are written out. What
/// is costly is not left out here, but where it is known how many positions are left for it.
const MAX_EXPRESSIONS: usize = 100_000;

/// How many parts of conjunctions may use that up; the parts after them start anew.
const MAX_LARGE_PARTS: u32 = 4;

/// The positions where a query may match, as far as the index knows.
#[derive(Debug)]
pub struct Plan<'q> {
    /// Where the query may match.
    pub candidates: Candidates,
    /// Filters that depend on the game's header only; [`Truth::Games`] is an index into them.
    pub games: Vec<&'q Filter>,
    /// Whether there are conditions on other positions of a game.
    pub has_temporals: bool,
}

/// Plans the body of a query whose transforms are expanded.
pub fn plan(query: &Query, variations: bool) -> Plan<'_> {
    let regex_state = has_groups(query);
    let mut lowering = Lowering {
        games: Vec::new(),
        variations,
        regex_state,
        bindings: HashMap::new(),
        assigned: Vec::new(),
        expressions: 0,
        large_parts: 0,
        temporals: 0,
        trusted: false,
        query,
        assignments_raise: loops_meet_assignments(query),
    };
    let candidates = lowering.truth(&query.body);
    Plan {
        candidates,
        games: lowering.games,
        has_temporals: lowering.temporals > 0,
    }
}

/// The state of lowering a query.
#[derive(Debug)]
struct Lowering<'q> {
    /// The filters on games so far.
    games: Vec<&'q Filter>,
    /// Whether variations are searched.
    variations: bool,
    /// Whether groups of regular expressions are read, so that a match is more than its truth.
    regex_state: bool,
    /// The values of the variables of enclosing loops.
    bindings: HashMap<VariableId, SetExpr>,
    /// Variables that certainly have a value, although it is unknown.
    assigned: Vec<VariableId>,
    expressions: usize,
    /// How many parts of conjunctions had too many expressions.
    large_parts: u32,
    /// How many conditions on other positions there are.
    temporals: usize,
    /// Whether an enclosing filter was already checked to raise no error.
    trusted: bool,
    query: &'q Query,
    /// Whether a variable that is assigned may stop a loop.
    assignments_raise: bool,
}

impl<'q> Lowering<'q> {
    /// Counts an expression; false when there are too many.
    fn spend(&mut self, expressions: usize) -> bool {
        self.expressions += expressions;
        self.expressions <= MAX_EXPRESSIONS
    }

    /// Where a filter matches.
    fn truth(&mut self, filter: &'q Filter) -> Candidates {
        if !self.spend(1) {
            return Candidates::UNKNOWN;
        }
        if is_about_headers(filter, self.regex_state) {
            self.games.push(filter);
            return Candidates::exactly(Truth::Games(self.games.len() - 1));
        }
        if let Some(candidates) = self.temporal_truth(filter) {
            return candidates;
        }
        match &filter.node {
            Node::Compound(list) => self.all(list.iter()),
            Node::And(a, b) => self.all([&**a, &**b].into_iter()),
            Node::Or(a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                Candidates {
                    exact: a.exact && b.exact,
                    truth: any_of([a.truth, b.truth]),
                }
            }
            Node::Not(inner) => self.truth(inner).not(),
            Node::If(condition, then, otherwise) => {
                let condition = self.truth(condition);
                let then = self.truth(then);
                let otherwise = match otherwise {
                    Some(otherwise) => self.truth(otherwise),
                    None => Candidates::EVERYWHERE,
                };
                let exact = condition.exact && then.exact && otherwise.exact;
                let holds = Truth::all([condition.truth.clone(), then.truth]);
                let fails = Truth::all([condition.not().truth, otherwise.truth]);
                Candidates {
                    exact,
                    truth: Truth::any([holds, fails]),
                }
            }
            Node::NoTransform(inner) => self.truth(inner),
            Node::Orbit { range: None, variants } => {
                let variants: Vec<Candidates> = variants.iter().map(|variant| self.truth(variant)).collect();
                Candidates {
                    exact: variants.iter().all(|variant| variant.exact),
                    truth: any_of(variants.into_iter().map(|variant| variant.truth)),
                }
            }
            Node::Orbit {
                range: Some(range),
                variants,
            } => self.counted_orbit(*range, variants),
            Node::SquareLoop {
                variable,
                all,
                domain,
                body,
            }
            | Node::PieceLoop {
                variable,
                all,
                domain,
                body,
            } => {
                let pieces = matches!(filter.node, Node::PieceLoop { .. });
                self.loop_truth(*variable, pieces, *all, domain, body)
            }
            Node::Comment(_) if self.is_safe(filter) => Candidates::EVERYWHERE,
            Node::True | Node::MoveNumber | Node::Ply | Node::Depth | Node::GameNumber => Candidates::EVERYWHERE,
            Node::False => Candidates::exactly(Truth::Never),
            Node::Turn(color) => {
                let white = Truth::Term(Term::WhiteToMove);
                Candidates::exactly(if *color == Color::White { white } else { white.not() })
            }
            Node::Check => Candidates::exactly(Truth::Term(Term::Check)),
            Node::Mate => Candidates::exactly(Truth::Term(Term::Mate)),
            Node::Stalemate => Candidates::exactly(Truth::Term(Term::Stalemate)),
            Node::PureMate { stalemate, .. } => {
                Candidates::at_most(Truth::Term(if *stalemate { Term::Stalemate } else { Term::Mate }))
            }
            Node::Initial => Candidates::exactly(Truth::Term(Term::Initial)),
            Node::Terminal => Candidates::exactly(Truth::Term(if self.variations {
                Term::Terminal
            } else {
                Term::MainlineEnd
            })),
            Node::Mainline(wanted) => {
                let mainline = if self.variations {
                    Truth::Term(Term::Mainline)
                } else {
                    Truth::Always
                };
                Candidates::exactly(if *wanted { mainline } else { mainline.not() })
            }
            Node::PositionSet(index) => {
                let index = *index as usize;
                let name = self.query.sets[index].name.as_str().into();
                Candidates::exactly(Truth::PositionSet(NamedSet { index, name }))
            }
            Node::EnPassant => Candidates::exactly(Truth::Term(Term::EnPassant)),
            Node::NullMove => Candidates::exactly(Truth::Term(Term::NullMove)),
            Node::Castle(side) => Candidates::exactly(castled(*side)),
            Node::FenBoard(board) => {
                let squares = board
                    .iter()
                    .map(|designator| any_contents(designator.men, designator.squares));
                Candidates::exactly(Truth::all(squares))
            }
            Node::Subset(a, b) => match (self.set(a), self.set(b)) {
                (Some(a), Some(b)) => {
                    let outside = SetExpr::Intersection(vec![a, SetExpr::Complement(Box::new(b))]);
                    Candidates::exactly(not_empty(outside).not())
                }
                _ => Candidates::UNKNOWN,
            },
            Node::SameSet(a, b) => match (self.set(a), self.set(b)) {
                (Some(a), Some(b)) => {
                    let not = |set: &SetExpr| SetExpr::Complement(Box::new(set.clone()));
                    let only_a = SetExpr::Intersection(vec![a.clone(), not(&b)]);
                    let only_b = SetExpr::Intersection(vec![not(&a), b]);
                    Candidates::exactly(Truth::any([not_empty(only_a), not_empty(only_b)]).not())
                }
                _ => Candidates::UNKNOWN,
            },
            Node::CompareNumbers(comparison, a, b) => self.comparison(*comparison, a, b),
            Node::Cardinality(argument) | Node::Power(argument) => match self.set(argument) {
                Some(_) => Candidates::EVERYWHERE,
                None => Candidates::UNKNOWN,
            },
            _ if filter.kind == Kind::Set => self.set_truth(filter),
            _ if filter.kind == Kind::Numeric => match self.number(filter) {
                Some((_, valid)) if !matches!(filter.node, Node::Number(_)) => Candidates::exactly(valid),
                _ => Candidates::UNKNOWN,
            },
            _ => Candidates::UNKNOWN,
        }
    }

    /// Whether a condition never raises an error here.
    fn is_safe(&self, filter: &Filter) -> bool {
        if self.trusted {
            return true;
        }
        let assigns = |part: &Filter| matches!(part.node, Node::Assign(..) | Node::AssignPiece(..));
        if self.assignments_raise && filter.any(&mut |part| assigns(part)) {
            return false;
        }
        let mut bound: Vec<VariableId> = self.bindings.keys().chain(&self.assigned).copied().collect();
        is_infallible(filter, true, &mut bound)
    }

    /// Where all filters of a list match.
    fn all(&mut self, list: impl Iterator<Item = &'q Filter>) -> Candidates {
        let mut exact = true;
        let mut parts = Vec::new();
        let (assigned, trusted) = (self.assigned.len(), self.trusted);
        for filter in list {
            // If this filter were skipped at a position, its error would be lost. So neither it nor the filters after
            // it may restrict the positions.
            if !self.is_safe(filter) {
                exact = false;
                break;
            }
            self.trusted = true;
            let before = self.expressions;
            let candidates = self.truth(filter);
            if self.expressions > MAX_EXPRESSIONS && self.large_parts < MAX_LARGE_PARTS {
                self.large_parts += 1;
                self.expressions = before;
            }
            self.trusted = trusted;
            note_assigned(filter, &mut self.assigned);
            exact &= candidates.exact;
            parts.push(candidates.truth);
        }
        self.assigned.truncate(assigned);
        Candidates {
            exact,
            truth: Truth::all(parts),
        }
    }

    /// Where a set filter is not empty.
    fn set_truth(&mut self, filter: &'q Filter) -> Candidates {
        if let Some(set) = self.set(filter) {
            return Candidates::exactly(not_empty(set));
        }
        // A filter that can't be computed still needs its parts to match.
        match &filter.node {
            Node::Attacks(a, b) | Node::AttackedBy(a, b) | Node::Between(a, b) => {
                let (a, b) = (self.set_truth(a), self.set_truth(b));
                Candidates::at_most(Truth::all([a.truth, b.truth]))
            }
            Node::Ray { arguments, .. } | Node::Xray { arguments, .. } => {
                let parts: Vec<Truth> = arguments
                    .iter()
                    .map(|argument| self.set_truth(argument).truth)
                    .collect();
                Candidates::at_most(Truth::all(parts))
            }
            Node::Pin { from, through, to, .. } => {
                let parts = [from, through, to].into_iter().flatten();
                let parts: Vec<Truth> = parts.map(|part| self.set_truth(part).truth).collect();
                Candidates::at_most(Truth::all(parts))
            }
            Node::Intersection(list) => {
                let parts: Vec<Truth> = list.iter().map(|part| self.set_truth(part).truth).collect();
                Candidates::at_most(Truth::all(parts))
            }
            Node::Union(list) => {
                let parts: Vec<Truth> = list.iter().map(|part| self.set_truth(part).truth).collect();
                Candidates::at_most(Truth::any(parts))
            }
            Node::Compound(list) => self.all(list.iter()),
            Node::SquareColor(_, argument) | Node::Direction { argument, .. } => {
                Candidates::at_most(self.set_truth(argument).truth)
            }
            Node::PureMate { stalemate, .. } => {
                Candidates::at_most(Truth::Term(if *stalemate { Term::Stalemate } else { Term::Mate }))
            }
            _ => Candidates::UNKNOWN,
        }
    }

    fn comparison(&mut self, comparison: Comparison, a: &'q Filter, b: &'q Filter) -> Candidates {
        if let Some(plies) = self.plies(comparison, a, b) {
            return plies;
        }
        let (Some((a, a_valid)), Some((b, b_valid))) = (self.number(a), self.number(b)) else {
            if let Some(pairs) = self.compared_pairs(comparison, a, b) {
                return pairs;
            }
            return self.bound_comparison(comparison, a, b);
        };
        Candidates::exactly(Truth::all([a_valid, b_valid, compare(comparison, a, b)]))
    }

    /// `ply` or `movenumber` compared with a number.
    fn plies(&self, comparison: Comparison, a: &Filter, b: &Filter) -> Option<Candidates> {
        let is_counter = |filter: &Filter| matches!(filter.node, Node::Ply | Node::MoveNumber);
        let (counter, comparison, number) = match (&a.node, &b.node) {
            (_, Node::Number(number)) if is_counter(a) => (a, comparison, *number),
            (Node::Number(number), _) if is_counter(b) => (b, mirrored(comparison), *number),
            _ => return None,
        };
        let ply = |ply: i64| match u32::try_from(ply) {
            Ok(0) | Err(_) if ply <= 0 => Truth::Always,
            Ok(ply) => Truth::PlyAtLeast(ply),
            Err(_) => Truth::Never,
        };
        let at_least = |n: i64| match counter.node {
            Node::Ply => ply(n),
            // Where Black moves first, White is to move at odd plies
            // (docs/language/games.md#positions-and-their-numbers).
            _ => Truth::any([
                ply(2 * n - 2),
                Truth::all([ply(2 * n - 3), Truth::Term(Term::WhiteToMove)]),
            ]),
        };
        let n = i64::from(number);
        let truth = match comparison {
            Comparison::GreaterEqual => at_least(n),
            Comparison::Greater => at_least(n + 1),
            Comparison::Less => at_least(n).not(),
            Comparison::LessEqual => at_least(n + 1).not(),
            Comparison::Equal => Truth::all([at_least(n), at_least(n + 1).not()]),
            _ => return None,
        };
        if !self.variations {
            return Some(Candidates::exactly(truth));
        }
        // In a variation the number of a position is more than its ply, which bounds the ply from above only.
        Some(match comparison {
            Comparison::GreaterEqual | Comparison::Greater => Candidates::at_most(truth),
            Comparison::Equal => Candidates::at_most(at_least(n)),
            _ => Candidates::UNKNOWN,
        })
    }

    fn counted_orbit(&mut self, range: Range, variants: &'q [Filter]) -> Candidates {
        let (min, max) = match range {
            // A count has a value everywhere.
            Range::Count => return self.if_never_raising(variants, Truth::Always),
            Range::Between(Bound::Literal(min), Bound::Literal(max)) => (min, max),
            Range::Between(..) => return Candidates::UNKNOWN,
        };
        let truths: Vec<Candidates> = variants.iter().map(|variant| self.truth(variant)).collect();
        let exact = truths.iter().all(|truth| truth.exact);
        let truths: Vec<Truth> = truths.into_iter().map(|truth| truth.truth).collect();
        if !exact {
            // At least one variant has to match.
            return if min > 0 {
                Candidates::at_most(Truth::any(truths))
            } else {
                Candidates::UNKNOWN
            };
        }
        let count = |comparison, n| {
            let count = NumberExpr::CountTrue(truths.clone());
            Truth::Compare(comparison, Box::new(count), Box::new(NumberExpr::Constant(n)))
        };
        if min == max {
            return Candidates::exactly(count(Comparison::Equal, min));
        }
        let enough = (min > 0).then(|| count(Comparison::GreaterEqual, min));
        let is_bound = usize::try_from(max).is_ok_and(|max| max < truths.len());
        let not_too_many = (is_bound || max < 0).then(|| count(Comparison::LessEqual, max));
        Candidates::exactly(Truth::all(enough.into_iter().chain(not_too_many)))
    }

    fn if_never_raising(&mut self, filters: &'q [Filter], truth: Truth) -> Candidates {
        if filters.iter().all(|filter| self.is_safe(filter)) {
            Candidates::exactly(truth)
        } else {
            Candidates::UNKNOWN
        }
    }

    /// A loop, written out for every square that its domain can have.
    fn loop_truth(
        &mut self,
        variable: VariableId,
        pieces: bool,
        all: bool,
        domain: &'q Filter,
        body: &'q Filter,
    ) -> Candidates {
        let Some(domain) = self.set(domain) else {
            return Candidates::UNKNOWN;
        };
        let mut exact = true;
        let mut parts = Vec::new();
        for square in possible(&domain) {
            let mut here = contains(&domain, square);
            if pieces {
                let men = ManSet::WHITE | ManSet::BLACK;
                here = Truth::all([here, any_contents(men, square.into())]);
            }
            let outer = self
                .bindings
                .insert(variable, SetExpr::Constant(Bitboard::from_square(square)));
            let body = self.truth(body);
            match outer {
                Some(outer) => self.bindings.insert(variable, outer),
                None => self.bindings.remove(&variable),
            };
            exact &= body.exact;
            if all {
                parts.push(Truth::any([here.not(), body.truth]));
            } else {
                parts.push(Truth::all([here, body.truth]));
            }
        }
        Candidates {
            exact,
            truth: if all { Truth::all(parts) } else { Truth::any(parts) },
        }
    }
}

/// Whether a filter of a query reads what groups of a regular expression have matched.
pub fn has_groups(query: &Query) -> bool {
    let mut filters = query.header.games.iter().chain([&query.body]);
    filters.any(|filter| filter.all_reads().intersects(Reads::GROUPS))
}

/// Whether a filter has the same truth in all positions of a game, leaves nothing behind and never raises an error: it
/// reads the header and nothing else. `has_groups` says that a match of a regular expression is more than its truth.
pub fn is_about_headers(filter: &Filter, has_groups: bool) -> bool {
    let by_position = filter.any(&mut |part| {
        let facts = part.facts();
        !facts.by_game || (has_groups && facts.leaves.intersects(Leaves::GROUPS))
    });
    !by_position
        && filter.all_reads().intersects(Reads::HEADER | Reads::GAME_NUMBER)
        && is_infallible(filter, true, &mut Vec::new())
}
