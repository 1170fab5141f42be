//! A match list as a query: every position list has to match somewhere in the game
//! (docs/language/cql1.md#what-is-found).
//!
//! The body of the query is asked at every position, and matches where a position list does, in games that match as a
//! whole. So what is found are the positions that CQL 1 marked with `MATCH` in the games that it wrote.

use shakmaty::Bitboard;

use super::ast::{Flavor, List, Match, Placed, Scope, Term};
use super::designator::Piece;
use super::lower::{Lowering, Parsed, somewhere, transformed};
use super::range::Range;
use super::{make, repetition};
use crate::hir::{
    AssignOp, Filter, FindCount, Header, Kind, ManSet, Node, ParsedQuery, Variable, VariableId, VariableKind,
};
use crate::span::Span;
use crate::transform::Sticky;

/// A position list as two filters.
struct Asked {
    /// Whether it matches here.
    here: Filter,
    /// Whether it matches in the game, as often as it has to; asked anywhere.
    in_game: Filter,
    /// Whether `here` decides `in_game`: a position that matches is all that is asked for.
    is_plain: bool,
    /// Whether the game may match although no position does.
    may_be_absent: bool,
    annotated: bool,
}

/// The query of a match list.
pub(super) fn query(found: &Match<'_>) -> Parsed<ParsedQuery> {
    let mut lowering = Lowering::new(found)?;
    let lists = found
        .lists
        .iter()
        .map(|list| asked(&mut lowering, list))
        .collect::<Parsed<Vec<_>>>()?;
    let span = found.span;
    let marks = marks(&lists, span);
    // One list that only has to match is asked where it is.
    let is_simple = found.tags.is_empty() && lists.len() == 1 && lists.iter().all(|list| list.is_plain);
    let mut parts = found.conditions.clone();
    let mut variables = Vec::new();
    if found.tags.is_empty() {
        parts.push(marks);
        if !is_simple {
            parts.extend(lists.into_iter().map(|list| list.in_game));
        }
    } else {
        variables = tag_variables(found);
        parts.extend(bound(found, span));
        parts.push(quantified(found, lists, marks, span));
    }
    variables.append(&mut lowering.variables);
    let mut body = make::all(parts, span);
    if found.either_color {
        body = transformed(Sticky::FLIP_COLOR, None, body, span);
    }
    Ok(ParsedQuery {
        header: Header {
            input: found.input.clone(),
            output: found.output.clone(),
            variations: lowering.mixed,
            ..Header::default()
        },
        body: Filter::new(Node::Compound(vec![body]), Kind::Logical, span),
        variables,
        dictionaries: Vec::new(),
        sorts: Vec::new(),
        sequences: lowering.sequences(),
        similar: Vec::new(),
        sets: Vec::new(),
    })
}

fn scope_of(list: &List<'_>) -> Scope {
    list.scope.as_ref().map_or(Scope::Mainline, |scope| scope.node)
}

fn asked<'a, 't>(lowering: &mut Lowering<'a, 't>, list: &'a List<'t>) -> Parsed<Asked> {
    let span = list.span;
    let scope = scope_of(list);
    lowering.only_mainline = lowering.mixed && scope == Scope::Mainline;
    let conditions = lowering.conditions(list)?;
    let guarded = |filter: Filter| {
        let mut parts = lowering.guards(scope, span);
        parts.push(filter);
        make::all(parts, span)
    };
    let copies = |filter: Filter| transformed(list.transforms, None, filter, span);
    let find = |range: &Placed<Range>| FindCount::Range(make::bounds(range.node));
    let runs = [&list.repetition, &list.copy_repetition];
    let content = match &list.copy_repetition {
        Some(range) => repetition::long_run(list, conditions.clone(), &guarded(conditions.clone()), range)?,
        None => conditions.clone(),
    };
    let mut here = guarded(copies(content.clone()));
    if let Some(range) = &list.repetition {
        here = repetition::long_run(list, here.clone(), &here, range)?;
    }
    let mut in_game = Vec::new();
    // A run of no positions is a game where the list matches nowhere; for one copy, where this copy does.
    let absent = |list: Filter| make::not(somewhere(FindCount::First, guarded(list), span), span);
    for (range, never) in [
        (&list.repetition, absent(copies(content.clone()))),
        (&list.copy_repetition, copies(absent(conditions.clone()))),
    ] {
        if range.as_ref().is_some_and(|range| range.node.contains(0)) {
            let some = somewhere(FindCount::First, here.clone(), span);
            in_game.push(make::any(vec![some, never], span));
        }
    }
    if let Some(range) = &list.copy_match_count {
        // One copy has to match that often, and the same copy matches here.
        let often = somewhere(find(range), guarded(content.clone()), span);
        let this_copy = make::all(vec![content, often.clone()], span);
        here = guarded(copies(this_copy));
        in_game.push(copies(often));
    }
    if let Some(range) = &list.match_count {
        in_game.push(somewhere(find(range), here.clone(), span));
    }
    let counts = [&list.match_count, &list.copy_match_count];
    let may_be_absent = !in_game.is_empty()
        && counts
            .iter()
            .chain(&runs)
            .all(|range| range.as_ref().is_none_or(|range| range.node.contains(0)));
    let is_plain = in_game.is_empty();
    if is_plain {
        in_game.push(somewhere(FindCount::First, here.clone(), span));
    }
    Ok(Asked {
        here,
        in_game: make::all(in_game, span),
        is_plain,
        may_be_absent,
        annotated: list.annotated,
    })
}

/// Which positions of a matching game are found: those where a list matches; the first one if there is none.
fn marks(lists: &[Asked], span: Span) -> Filter {
    let annotated = lists.iter().any(|list| list.annotated);
    let shown = || lists.iter().filter(|list| list.annotated || !annotated);
    let here = make::any(shown().map(|list| list.here.clone()).collect(), span);
    if !shown().all(|list| list.may_be_absent) {
        return here;
    }
    let initial = make::logical(Node::Initial, span);
    if lists.is_empty() {
        return initial;
    }
    let nowhere = make::not(somewhere(FindCount::First, here.clone(), span), span);
    make::any(vec![here, make::all(vec![initial, nowhere], span)], span)
}

// --- tags

/// The variables of the tags, then one for the position at hand.
fn tag_variables(found: &Match<'_>) -> Vec<Variable> {
    let variable = |name: String, kind| Variable {
        name,
        kind,
        persistent: false,
        quiet: false,
        atomic: false,
    };
    let tags = found
        .tags
        .iter()
        .map(|tag| variable(format!("${}", tag.name), VariableKind::Piece));
    tags.chain([variable("position at hand".to_owned(), VariableKind::Position)])
        .collect()
}

/// There are pieces, the same for all lists, with which every list matches somewhere in the game and one of them here.
fn quantified(found: &Match<'_>, lists: Vec<Asked>, marks: Filter, span: Span) -> Filter {
    let here = VariableId::at(found.tags.len());
    let current = make::position(Node::CurrentPosition, span);
    let remember = make::logical(Node::Assign(here, AssignOp::Set, Box::new(current)), span);
    let back = make::position(Node::Variable(here), span);
    let mut inside: Vec<Filter> = vec![make::logical(Node::At(Box::new(back), Box::new(marks)), span)];
    inside.extend(lists.into_iter().map(|list| list.in_game));
    let mut body = make::all(inside, span);
    let men = ManSet::WHITE | ManSet::BLACK;
    for (index, tag) in found.tags.iter().enumerate().rev() {
        let piece = |index: usize| make::set(Node::Variable(VariableId::at(index)), tag.span);
        // The piece is of the kind that the tag names, or becomes it.
        let kind = make::designator(tag.piece.men, Bitboard::FULL, tag.span);
        let is_kind = make::set(Node::Intersection(vec![piece(index), kind]), tag.span);
        let mut conditions = Vec::new();
        conditions.extend((0..index).map(|other| {
            let same = Node::SameSet(Box::new(piece(other)), Box::new(piece(index)));
            make::not(make::logical(same, tag.span), tag.span)
        }));
        conditions.push(somewhere(FindCount::First, is_kind, tag.span));
        conditions.push(body);
        let node = Node::PieceLoop {
            variable: VariableId::at(index),
            all: false,
            in_doubt: Vec::new(),
            domain: Box::new(make::designator(men, Bitboard::FULL, tag.span)),
            body: Box::new(make::all(conditions, tag.span)),
        };
        body = make::set(node, tag.span);
    }
    make::all(vec![remember, make::at_root(body, span)], span)
}

/// A necessary condition for a list with tags: its designators, with any man for a tag. The index can answer it.
fn bound(found: &Match<'_>, span: Span) -> Option<Filter> {
    let annotated = found.lists.iter().any(|list| list.annotated);
    let shown: Vec<&List<'_>> = found.lists.iter().filter(|list| list.annotated || !annotated).collect();
    if shown
        .iter()
        .any(|list| list.negated || list.match_count.is_some() || list.copy_match_count.is_some())
    {
        return None;
    }
    let relaxed = |list: &&List<'_>| {
        let mut parts = Vec::new();
        if found.flavor == Flavor::Classic {
            parts.push(make::not(make::logical(Node::Initial, span), span));
        }
        parts.extend(list.terms.iter().filter_map(|term| match &term.node {
            Term::Piece(Piece::Plain(designator)) => Some(make::set(Node::Designator(*designator), term.span)),
            Term::Piece(Piece::Tagged(_, squares)) => {
                Some(make::designator(ManSet::WHITE | ManSet::BLACK, *squares, term.span))
            }
            _ => None,
        }));
        transformed(list.transforms, None, make::all(parts, span), span)
    };
    (!shown.is_empty()).then(|| make::any(shown.iter().map(relaxed).collect(), span))
}
