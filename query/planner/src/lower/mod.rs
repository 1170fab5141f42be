//! From filters to expressions: the positions where they may match.

mod alike;
mod alternating;
mod assignments;
mod at_once;
mod automata;
mod bounds;
mod branches;
mod comparisons;
mod counted_positions;
mod counters;
mod courses;
mod echo;
mod either_side;
mod few_men;
mod first_moves;
mod found_alike;
mod frames;
mod from_to;
mod imagined;
mod intervals;
mod loop_sets;
mod loops;
mod man_beside;
mod maneuvers;
mod moved_men;
mod moved_together;
mod moves;
mod moves_lowered;
mod narrowing;
mod neighbours;
mod pairs;
mod path_values;
mod places;
mod possible_moves;
mod possible_targets;
mod prefixes;
mod puremates;
mod reach;
mod relation;
mod repeat;
mod same_squares;
mod scope;
mod sequence_parts;
mod sequences;
mod sets;
mod shifted_boards;
mod short_sequences;
mod sizes;
mod staying_pawns;
mod steps;
mod subsets;
mod sums;
mod temporal;
#[cfg(test)]
mod tests;
mod texts;
mod tree;
mod turns;
mod values;
mod windows;

use std::collections::HashMap;

use language::facts::{Leaves, Reads, has_loop_in_doubt, is_infallible, note_assigned, unbound_variables};
use language::hir::{
    Arithmetic, AssignOp, Bound, Comparison, Filter, FilterId, Kind, ManSet, Node, Query, Range, VariableId,
};
use postings::Term;
use shakmaty::Color;

use self::maneuvers::{Made, Repeated};
use self::moves_lowered::MovesLowered;
use self::reach::Wanted;
use self::repeat::Groups;
use self::scope::{Promotions, Scope};
use crate::effects::{GameState, IN_GAME, bans_only_where_it_matches, bans_sequences, changes_database};
use crate::expr::{Candidates, MoveGroup, NamedSet, NumberExpr, Truth, any_contents, castled, promoted_to};

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
    /// Where a sequence with `nestban` may ban others although the query does not match: where a game has a candidate, these
    /// positions are evaluated, too.
    pub bans: Truth,
    /// Where the query may change what later positions of a game see, or what is left of the game: where that matters and a game
    /// has a candidate, these positions are evaluated, too.
    pub changes: Truth,
}

/// Plans the body of a query whose transforms are expanded.
pub fn plan(query: &Query, variations: bool) -> Plan<'_> {
    let planned = planned(query, variations, true).or_else(|| planned(query, variations, false));
    planned.unwrap_or_else(|| unreachable!("where no men are followed, lists say where they move"))
}

/// The plan; `None` if too many men would have to be followed.
fn planned(query: &Query, variations: bool, follows_men: bool) -> Option<Plan<'_>> {
    let regex_state = has_groups(query);
    let mut lowering = Lowering {
        games: Vec::new(),
        game_places: HashMap::new(),
        variations,
        follows_men: follows_men && !variations,
        has_followed: false,
        in_sequence: false,
        regex_state,
        assigned: persistent_variables(query),
        scope: Scope::new(),
        has_variables: !query.variables.is_empty(),
        has_assignments: query.body.any(&mut |part| part.facts().assigns.is_some()),
        expressions: 0,
        large_parts: 0,
        limit: MAX_EXPRESSIONS,
        is_too_large: false,
        too_large: Vec::new(),
        inner_at_once: false,
        temporals: 0,
        trusted: false,
        moves: MovesLowered::default(),
        spots: Vec::new(),
        made: None,
        made_before: None,
        repeated: None,
        groups: None,
        query,
        assignments_raise: has_loop_in_doubt(&query.body),
        game_state: GameState::of(query),
    };
    let candidates = lowering.truth(&query.body);
    let mut candidates = lowering.without_promotions(candidates).with_known();
    if query.body.any(&mut |part| changes_database(query, part)) {
        // Later games see what was done where nothing matches.
        lowering.begin_anew(Scope::new());
        let reach = lowering.reach(&query.body, true, Wanted::Effect);
        candidates = Candidates::at_most(Truth::any([candidates.truth, reach]));
    }
    let mut banning = Truth::Never;
    if bans_sequences(&query.body) {
        // So do later positions of a game.
        candidates = Candidates::at_most(candidates.truth);
        if !bans_only_where_it_matches(&query.body) {
            lowering.begin_anew(Scope::new());
            banning = lowering.reach(&query.body, true, Wanted::Ban);
        }
    }
    let mut changing = Truth::Never;
    if lowering.game_state.matters(query, IN_GAME) {
        lowering.begin_anew(Scope::new());
        changing = lowering.reach(&query.body, true, Wanted::State);
    }
    let [truth, bans, changes] = prepared([candidates.truth, banning, changing])?;
    candidates.truth = truth;
    Some(Plan {
        candidates,
        bans,
        changes,
        games: lowering.games,
        has_temporals: lowering.temporals > 0,
    })
}

/// Conditions that are evaluated together: they share what they find out about moves and about other positions. `None` if
/// too many men would have to be followed.
fn prepared<const N: usize>(conditions: [Truth; N]) -> Option<[Truth; N]> {
    let all = Truth::Or(conditions.map(Truth::rewritten).into());
    if !MoveGroup::gather(&all) {
        return None;
    }
    match all.numbered() {
        Truth::Or(parts) => match parts.into_vec().try_into() {
            Ok(parts) => Some(parts),
            Err(_) => unreachable!("numbers change no expression"),
        },
        _ => unreachable!("numbers change no expression"),
    }
}

/// The variables that have a value from the start on.
fn persistent_variables(query: &Query) -> Vec<VariableId> {
    let unbound = unbound_variables(&query.body);
    let variables = (0u32..).map(VariableId).zip(&query.variables);
    variables
        .filter(|(id, variable)| variable.persistent && !unbound.contains(id))
        .map(|(id, _)| id)
        .collect()
}

/// How much a plan has of what is limited.
#[derive(Clone, Copy, Debug)]
struct Extent {
    expressions: usize,
    temporals: usize,
    games: usize,
}

/// The state of lowering a query.
#[derive(Debug)]
struct Lowering<'q> {
    /// The filters on games so far.
    games: Vec<&'q Filter>,
    /// Where each of them stands there, by its number; of those that were taken out again, it may be anywhere.
    game_places: HashMap<FilterId, usize>,
    /// Whether variations are searched.
    variations: bool,
    /// Whether conditions may follow a man from move to move.
    follows_men: bool,
    /// Whether there is such a condition.
    has_followed: bool,
    /// Whether what is lowered is a part of a `line` or `path`.
    in_sequence: bool,
    /// Whether groups of regular expressions are read, so that a match is more than its truth.
    regex_state: bool,
    /// Variables that certainly have a value.
    assigned: Vec<VariableId>,
    /// What is known of the values of variables.
    scope: Scope,
    /// Whether there are variables, and whether one is assigned.
    has_variables: bool,
    has_assignments: bool,
    expressions: usize,
    /// How many parts of conjunctions had too many expressions.
    large_parts: u32,
    /// How many expressions there may be.
    limit: usize,
    /// Whether a loop inside the one that is being written out was too large for that.
    is_too_large: bool,
    /// The bodies of the loops inside that one of which this is known.
    too_large: Vec<FilterId>,
    /// Whether loops are lowered once for all of their squares, as the loop around them is written out.
    inner_at_once: bool,
    /// How many conditions on other positions there are.
    temporals: usize,
    /// Whether errors of an enclosing filter are accounted for already.
    trusted: bool,
    moves: MovesLowered,
    /// The variables of loops that a maneuver speaks of.
    spots: Vec<VariableId>,
    /// What the path that was lowered last does, if one man does it in one way.
    made: Option<Made<'q>>,
    /// What a path does that has matched before what is lowered now is evaluated.
    made_before: Option<Made<'q>>,
    /// A path that a `find` around it needs to match.
    repeated: Option<Repeated<'q>>,
    /// What the groups of the last regular expression have matched, if that is known.
    groups: Option<Groups>,
    query: &'q Query,
    /// Whether a variable that is assigned may stop a loop.
    assignments_raise: bool,
    /// What matters at later positions of a game.
    game_state: GameState,
}

impl<'q> Lowering<'q> {
    /// Forgets what was learned of the query.
    fn begin_anew(&mut self, scope: Scope) {
        self.scope = scope;
        self.assigned = persistent_variables(self.query);
        (self.expressions, self.large_parts, self.is_too_large) = (0, 0, false);
    }

    /// How much there is so far.
    fn extent(&self) -> Extent {
        Extent {
            expressions: self.expressions,
            temporals: self.temporals,
            games: self.games.len(),
        }
    }

    /// Goes back to an earlier extent: what was lowered since then is not used.
    fn shrink_to(&mut self, extent: Extent) {
        self.expressions = extent.expressions;
        self.temporals = extent.temporals;
        self.games.truncate(extent.games);
    }

    /// Counts an expression; false when there are too many.
    fn spend(&mut self, expressions: usize) -> bool {
        self.expressions += expressions;
        self.expressions <= self.limit
    }

    /// Where a filter matches.
    fn truth(&mut self, filter: &'q Filter) -> Candidates {
        if !self.spend(1) {
            self.forget_assigned(filter);
            return Candidates::UNKNOWN;
        }
        if is_about_headers(filter, self.regex_state) {
            return Candidates::exactly(Truth::Games(self.game_filter(filter)));
        }
        match &filter.node {
            Node::Compound(list) => self.all(list.iter()),
            Node::And(a, b) => self.all([&**a, &**b].into_iter()),
            Node::NoTransform(inner) => self.truth(inner),
            Node::Assign(_, op, argument) => {
                self.forget_assigned(argument);
                let value = match op {
                    AssignOp::SetIfAny if argument.kind == Kind::Set => self.set_truth(argument),
                    // Divided by zero it is not changed.
                    AssignOp::Arithmetic(Arithmetic::Divide | Arithmetic::Remainder) => {
                        Candidates::at_most(self.has_value(argument).truth)
                    }
                    _ => self.has_value(argument),
                };
                self.note_value(filter);
                value
            }
            Node::AssignPiece(_, argument) => {
                self.forget_assigned(argument);
                let some = self.set_truth(argument).truth;
                self.note_value(filter);
                Candidates::at_most(some)
            }
            Node::Call { arguments, body } => {
                let arguments = self.pass_arguments(arguments);
                Candidates::both(arguments, self.truth(body))
            }
            Node::If(condition, then, otherwise) => self.if_truth(condition, then, otherwise.as_deref()),
            Node::While(..) | Node::WhileRegex(..) | Node::Loop(_) => {
                self.repeated_truth(filter).unwrap_or(Candidates::UNKNOWN)
            }
            Node::Assert(inner) => self.truth(inner),
            Node::SquareLoop { .. } | Node::PieceLoop { .. } => self.loop_truth(filter),
            _ => self.truth_and_counters(filter),
        }
    }

    /// The index of a filter on headers.
    fn game_filter(&mut self, filter: &'q Filter) -> usize {
        let place = self.game_places.get(&filter.id()).copied();
        let known = place.filter(|&place| self.games.get(place).is_some_and(|known| std::ptr::eq(*known, filter)));
        known.unwrap_or_else(|| {
            self.game_places.insert(filter.id(), self.games.len());
            self.games.push(filter);
            self.games.len() - 1
        })
    }

    /// Where a filter matches that does not simply have its parts evaluated once and in order.
    fn truth_apart(&mut self, filter: &'q Filter) -> Candidates {
        if let Some(candidates) = self.temporal_truth(filter).or_else(|| self.place_in_tree(&filter.node)) {
            return candidates;
        }
        match &filter.node {
            Node::Or(a, b) => {
                let a = self.apart(a, |lowering| lowering.truth(a));
                let b = self.truth(b);
                Candidates::either(a, b)
            }
            Node::Not(inner) => self.truth(inner).not(),
            Node::Orbit { range: None, variants } => Candidates::any(
                variants
                    .iter()
                    .map(|variant| self.apart(variant, |lowering| lowering.truth(variant)))
                    .collect::<Vec<_>>(),
            ),
            Node::Orbit {
                range: Some(range),
                variants,
            } => self.counted_orbit(*range, variants),
            Node::Comment(_) | Node::Message { .. } | Node::RemoveComment if self.is_safe(filter) => {
                Candidates::EVERYWHERE
            }
            Node::SetTag(_, text) => self.has_value(text),
            Node::Substring(needle, text) => self.substring(needle, text),
            Node::CompareStrings(comparison, a, b) => self.compared_texts(*comparison, a, b),
            Node::True | Node::AssertVariations(_) | Node::DictionaryUnbind(_, None) => Candidates::EVERYWHERE,
            Node::MoveNumber | Node::Ply | Node::Depth | Node::GameNumber => Candidates::EVERYWHERE,
            Node::False => Candidates::exactly(Truth::Never),
            Node::Turn(color) => {
                let white = Truth::Term(Term::WhiteToMove);
                Candidates::exactly(if *color == Color::White { white } else { white.not() })
            }
            Node::Check => Candidates::exactly(Truth::Term(Term::Check)),
            Node::Mate => Candidates::exactly(Truth::Term(Term::Mate)),
            Node::Stalemate => Candidates::exactly(Truth::Term(Term::Stalemate)),
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
            Node::Subset(a, b) => self.is_subset(a, b),
            Node::SameSet(a, b) => self.same_sets(a, b),
            Node::CompareNumbers(comparison, a, b) => self.comparison(*comparison, a, b),
            Node::ComparePositions(comparison, a, b) => self.compared_positions(*comparison, a, b),
            Node::Ancestor(a, b) => self.compared_positions(Comparison::Ancestor, a, b),
            Node::Descendant(a, b) => self.compared_positions(Comparison::Descendant, a, b),
            Node::Cardinality(_) | Node::Power(_) => Candidates::EVERYWHERE,
            _ if filter.kind == Kind::Set => self.set_truth(filter),
            _ if filter.kind == Kind::Numeric && !matches!(filter.node, Node::Number(_)) => {
                self.number_bounds(filter).valid
            }
            _ => Candidates::UNKNOWN,
        }
    }

    /// Narrows what was found for the whole query in games where no pawn promotes: there each man stays what it is.
    pub(super) fn without_promotions(&mut self, candidates: Candidates) -> Candidates {
        // What is exact is not made narrower, but where moves are read, few games have a promotion.
        if self.scope.promotions != Promotions::Needed || candidates.exact && !self.has_followed {
            return candidates;
        }
        self.begin_anew(Scope::without_promotions());
        let query = self.query;
        let men_stay = self.truth(&query.body).truth;
        let promotion = self.in_game(Candidates::exactly(promoted_to(ManSet::ANYTHING)));
        let narrowed = Truth::all([Truth::any([promotion.truth, men_stay]), candidates.truth.clone()]);
        match candidates.exact {
            true => Candidates::exactly(narrowed),
            false => Candidates::between(narrowed, candidates.certain()),
        }
    }

    /// Whether a condition never raises an error here that is not accounted for.
    fn is_safe(&self, filter: &Filter) -> bool {
        self.trusted || self.is_infallible(filter, true)
    }

    /// Where all filters of a list match.
    fn all(&mut self, list: impl Iterator<Item = &'q Filter> + Clone) -> Candidates {
        let given = self.take_men_as_given(list.clone());
        // Conditions, and before those after a filter that may raise an error, where it may.
        let mut groups = vec![(Truth::Never, Vec::new())];
        let (assigned, trusted) = (self.assigned.len(), self.trusted);
        let made_before = self.made_before.clone();
        let mut is_whole = true;
        for filter in list.clone() {
            // If this filter were skipped at a position, its error would be lost. So neither it nor the filters after
            // it may restrict the positions where it may raise one.
            if !self.is_safe(filter) {
                match self.reach(filter, true, Wanted::Error) {
                    Truth::Never => {}
                    Truth::Always => {
                        is_whole = false;
                        break;
                    }
                    errors => groups.push((errors, Vec::new())),
                }
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
            if let Node::Path(path) = &filter.node {
                self.made_before = self.made.take().filter(|made| made.is_by(path));
            }
            if let Some((_, parts)) = groups.last_mut() {
                parts.push(candidates);
            }
            self.narrow(filter);
        }
        if is_whole && self.begin_with_different_moves(list) {
            groups.push((Truth::Never, vec![Candidates::exactly(Truth::Never)]));
        }
        self.assigned.truncate(assigned);
        self.made_before = made_before;
        let men = self.men_of_list(given);
        if let Some((_, parts)) = groups.last_mut() {
            parts.extend(men);
        }
        let mut rest = match is_whole {
            true => Candidates::EVERYWHERE,
            false => Candidates::UNKNOWN,
        };
        for (errors, mut parts) in groups.into_iter().rev() {
            parts.push(rest);
            rest = Candidates::all(parts);
            rest = match errors {
                Truth::Never => rest,
                errors if errors == rest.truth => Candidates::at_most(errors),
                errors => Candidates::at_most(Truth::any([errors, rest.truth])),
            };
        }
        rest
    }

    /// Where a set filter is not empty.
    fn set_truth(&mut self, filter: &'q Filter) -> Candidates {
        match &filter.node {
            Node::PureMate { purity, stalemate } => puremates::pure_mate(*purity, *stalemate),
            _ => self.set_bounds(filter).not_empty(),
        }
    }

    fn counted_orbit(&mut self, range: Range, variants: &'q [Filter]) -> Candidates {
        let (min, max) = match range {
            // A count has a value everywhere.
            Range::Count => return self.if_never_raising(variants, Truth::Always),
            Range::Between(Bound::Literal(min), Bound::Literal(max)) => (min, max),
            Range::Between(..) => return Candidates::UNKNOWN,
        };
        let truths: Vec<Candidates> = variants
            .iter()
            .map(|variant| self.apart(variant, |lowering| lowering.truth(variant)))
            .collect();
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
    let reads = filter.all_reads();
    !by_position
        && reads.intersects(Reads::HEADER | Reads::GAME_NUMBER)
        && !reads.intersects(Reads::TEXT)
        && is_infallible(filter, true, &mut Vec::new())
}
