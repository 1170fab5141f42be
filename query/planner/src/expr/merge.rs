//! Unions of expressions that differ in one place, as the variants of a transform do: `N attacks k1 or N attacks k2` is
//! `N attacks (k1 or k2)`. All that asks for some squares of some sets is a union over the squares of each of them.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use chess::Man;
use foldhash::quality::FixedState as Hashing;
use language::hir::{Comparison, Directions, ManSet};
use postings::Term;
use shakmaty::Bitboard;

use super::{NumberExpr, RayLines, SetExpr, Truth, any_contents, not_empty};

/// How many kinds of men there are, the empty square included.
const MEN: usize = 13;

/// Up to this many parts, conjunctions are compared with each other.
const MANY_PARTS: usize = 12;

/// The hash of a value, the same in every run. Expressions are hashed at every level when they are built, so that a fast hash
/// counts.
pub(crate) fn hash_of(value: &impl Hash) -> u64 {
    Hashing::default().hash_one(value)
}

/// Where one of the alternatives holds. What they share is asked once, and those that differ in one place become one.
pub(crate) fn any_of(alternatives: impl IntoIterator<Item = Truth>) -> Truth {
    let mut lists = Vec::new();
    let mut sets = Vec::new();
    let mut others: Vec<Truth> = Vec::new();
    // By man its squares; and where its lists belong.
    let mut placements = [Bitboard::EMPTY; MEN];
    let mut places: Vec<(Man, usize)> = Vec::new();
    let mut seen_terms = [0u64; Term::CODES.div_ceil(64)];
    let mut seen: HashMap<u64, Vec<usize>, Hashing> = HashMap::default();
    let mut waiting: Vec<std::vec::IntoIter<Truth>> = vec![alternatives.into_iter().collect::<Vec<_>>().into_iter()];
    while let Some(next) = waiting.last_mut() {
        let Some(alternative) = next.next() else {
            waiting.pop();
            continue;
        };
        match alternative {
            Truth::Always => return Truth::Always,
            Truth::Never => {}
            Truth::Or(inner) => waiting.push(inner.into_iter()),
            Truth::Term(Term::Placement(man, square)) => {
                let squares = &mut placements[man.index()];
                if squares.is_empty() {
                    places.push((man, lists.len()));
                    lists.push(Truth::Never);
                }
                squares.add(square);
            }
            Truth::Term(term) => {
                let code = u32::from(term.code());
                if !bits::contains(&seen_terms, code) {
                    bits::insert(&mut seen_terms, code);
                    lists.push(Truth::Term(term));
                }
            }
            Truth::Any(set) => sets.push(*set),
            other => {
                let same = seen.entry(hash_of(&other)).or_default();
                if !same.iter().any(|&index| others[index] == other) {
                    same.push(others.len());
                    others.push(other);
                }
            }
        }
    }
    for (man, place) in places {
        lists[place] = any_contents(ManSet::from_man(man), placements[man.index()]);
    }
    match union_of(sets) {
        SetExpr::Union(parts) => lists.extend(parts.into_iter().map(not_empty)),
        one => lists.push(not_empty(one)),
    }
    let others = conjunctions(compared(others));
    Truth::any(lists.into_iter().chain(others))
}

/// Alternatives that compare a number of men with the same constant: those that others imply are left out.
fn compared(alternatives: Vec<Truth>) -> Vec<Truth> {
    let mut counts: HashMap<(Comparison, i32), Vec<(ManSet, Bitboard)>, Hashing> = HashMap::default();
    let mut order = Vec::new();
    let mut out = Vec::with_capacity(alternatives.len());
    for alternative in alternatives {
        match alternative {
            Truth::Compare(comparison, ref number, ref limit)
                if comparison != Comparison::Equal
                    && let NumberExpr::Count(SetExpr::Contents(men, squares)) = **number
                    && let NumberExpr::Constant(n) = **limit =>
            {
                let of_limit = counts.entry((comparison, n)).or_default();
                if of_limit.is_empty() {
                    order.push((comparison, n));
                }
                of_limit.push((men, squares));
            }
            other => out.push(other),
        }
    }
    for (comparison, n) in order {
        let all = counts.remove(&(comparison, n)).unwrap_or_default();
        let most = matches!(comparison, Comparison::Greater | Comparison::GreaterEqual);
        out.extend(deciding(all, most).into_iter().map(|(men, squares)| {
            let count = NumberExpr::Count(SetExpr::Contents(men, squares));
            Truth::Compare(comparison, Box::new(count), Box::new(NumberExpr::Constant(n)))
        }));
    }
    out
}

/// Which sets of squares decide where one of some counts of the same men reaches a number: those with the most squares.
/// Where one stays below it, those with the fewest.
fn deciding(counts: Vec<(ManSet, Bitboard)>, most: bool) -> Vec<(ManSet, Bitboard)> {
    let mut kept: Vec<(ManSet, Bitboard)> = Vec::new();
    let implied = |a: &(ManSet, Bitboard), b: &(ManSet, Bitboard)| {
        let (less, more) = if most { (a, b) } else { (b, a) };
        more.0.is_superset(less.0) && (less.1 & !more.1).is_empty()
    };
    for count in counts {
        if kept.iter().any(|known| implied(&count, known)) {
            continue;
        }
        kept.retain(|known| !implied(known, &count));
        kept.push(count);
    }
    kept
}

/// Conjunctions, those that differ in one part as one.
fn conjunctions(alternatives: Vec<Truth>) -> Vec<Truth> {
    let alternatives = match shared(alternatives) {
        Ok(factored) => return vec![factored],
        Err(alternatives) => alternatives,
    };
    let (mut ands, others): (Vec<Truth>, Vec<Truth>) = alternatives
        .into_iter()
        .partition(|truth| matches!(truth, Truth::And(parts) if parts.len() <= MANY_PARTS));
    if ands.len() < 2 {
        ands.extend(others);
        return ands;
    }
    let lists: Vec<Vec<(u64, Truth)>> = ands.into_iter().filter_map(hashed).collect();
    // By the sum of the hashes of all parts but one, the conjunctions that have these.
    let mut groups: HashMap<u64, u32, Hashing> = HashMap::default();
    let without = |list: &[(u64, Truth)]| {
        let all = list.iter().fold(0u64, |sum, (hash, _)| sum.wrapping_add(*hash));
        list.iter()
            .map(move |(hash, _)| all.wrapping_sub(*hash))
            .collect::<Vec<u64>>()
    };
    for list in &lists {
        for rest in without(list) {
            *groups.entry(rest).or_default() += 1;
        }
    }
    let mut merged: Vec<(u64, Vec<Truth>, Vec<Truth>)> = Vec::new();
    let mut places: HashMap<u64, usize, Hashing> = HashMap::default();
    let mut out = Vec::new();
    for mut list in lists {
        let best = without(&list)
            .into_iter()
            .enumerate()
            .max_by_key(|(_, rest)| groups[rest]);
        match best.filter(|(_, rest)| groups[rest] > 1) {
            Some((differs, rest)) => {
                let (_, part) = list.remove(differs);
                let same: Vec<Truth> = list.into_iter().map(|(_, part)| part).collect();
                let place = *places.entry(rest).or_insert(merged.len());
                match merged.get_mut(place) {
                    Some((_, parts, differing)) if is_permutation(parts, &same) => differing.push(part),
                    Some(_) => out.push(Truth::all(same.into_iter().chain([part]))),
                    None => merged.push((rest, same, vec![part])),
                }
            }
            None => out.push(Truth::all(list.into_iter().map(|(_, part)| part))),
        }
    }
    let merged = merged
        .into_iter()
        .map(|(_, same, differing)| Truth::all(same.into_iter().chain([any_of(differing)])));
    merged.chain(out).chain(others).collect()
}

/// The parts of a conjunction with their hashes.
fn hashed(truth: Truth) -> Option<Vec<(u64, Truth)>> {
    match truth {
        Truth::And(parts) => Some(parts.into_iter().map(|part| (hash_of(&part), part)).collect()),
        _ => None,
    }
}

/// What all of some conjunctions have, asked once, and the alternatives for the rest; the conjunctions as they were if they
/// have nothing in common.
fn shared(alternatives: Vec<Truth>) -> Result<Truth, Vec<Truth>> {
    let is_and = |truth: &Truth| matches!(truth, Truth::And(_));
    if alternatives.len() < 2 || !alternatives.iter().all(is_and) {
        return Err(alternatives);
    }
    let mut lists: Vec<Vec<(u64, Truth)>> = alternatives.into_iter().filter_map(hashed).collect();
    let mut common = Vec::new();
    let mut first = 0;
    while let Some((hash, _)) = lists[0].get(first).cloned() {
        let is_it = |(other, part): &(u64, Truth)| *other == hash && *part == lists[0][first].1;
        let places: Option<Vec<usize>> = lists.iter().map(|list| list.iter().position(is_it)).collect();
        match places {
            Some(places) => {
                let mut part = Truth::Always;
                for (list, place) in lists.iter_mut().zip(places) {
                    part = list.remove(place).1;
                }
                common.push(part);
            }
            None => first += 1,
        }
    }
    let rests = lists
        .into_iter()
        .map(|list| Truth::all(list.into_iter().map(|(_, part)| part)));
    if common.is_empty() {
        return Err(rests.collect());
    }
    common.push(any_of(rests.collect::<Vec<_>>()));
    Ok(Truth::all(common))
}

/// Whether two lists have the same parts.
fn is_permutation(a: &[Truth], b: &[Truth]) -> bool {
    a.len() == b.len() && a.iter().all(|part| b.contains(part))
}

/// The squares of all sets.
pub(crate) fn union_of(sets: Vec<SetExpr>) -> SetExpr {
    let mut constant = Bitboard::EMPTY;
    let mut contents: Vec<(ManSet, Bitboard)> = Vec::new();
    let mut others: Vec<SetExpr> = Vec::new();
    let mut seen: HashMap<u64, Vec<usize>, Hashing> = HashMap::default();
    let mut waiting = sets;
    waiting.reverse();
    while let Some(set) = waiting.pop() {
        match set {
            SetExpr::Constant(squares) => constant |= squares,
            SetExpr::Union(inner) => waiting.extend(inner.into_iter().rev()),
            SetExpr::Contents(men, squares) => match contents.iter_mut().find(|(other, _)| *other == men) {
                Some((_, known)) => *known |= squares,
                None => contents.push((men, squares)),
            },
            other => {
                let same = seen.entry(hash_of(&other)).or_default();
                if !same.iter().any(|&index| others[index] == other) {
                    same.push(others.len());
                    others.push(other);
                }
            }
        }
    }
    let mut parts = Vec::new();
    if constant.any() {
        parts.push(SetExpr::Constant(constant));
    }
    // The same squares with other men.
    let mut by_squares: Vec<(ManSet, Bitboard)> = Vec::new();
    for (men, squares) in contents
        .into_iter()
        .filter(|(men, squares)| *men != ManSet::NONE && squares.any())
    {
        match by_squares.iter_mut().find(|(_, known)| *known == squares) {
            Some((known, _)) => *known = *known | men,
            None => by_squares.push((men, squares)),
        }
    }
    parts.extend(
        by_squares
            .into_iter()
            .map(|(men, squares)| SetExpr::Contents(men, squares).simplified()),
    );
    if others.len() > 1 {
        // Sets in the same directions first: `ray orthogonal (R k) or ray orthogonal (Q k) or ray diagonal (Q k)`.
        others = directed(merged(others));
        others = merged(others);
    }
    parts.extend(others);
    match parts.len() {
        0 => SetExpr::Constant(Bitboard::EMPTY),
        1 => parts.swap_remove(0),
        _ => SetExpr::Union(parts.into()),
    }
}

/// The sets, those that differ in their directions as one.
fn directed(sets: Vec<SetExpr>) -> Vec<SetExpr> {
    let mut groups: Vec<(SetExpr, Directions)> = Vec::new();
    let mut places: HashMap<u64, usize, Hashing> = HashMap::default();
    let mut out = Vec::new();
    for mut set in sets {
        let Some(directions) =
            directions_of(&mut set).map(|directions| std::mem::replace(directions, Directions::NONE))
        else {
            out.push(set);
            continue;
        };
        let index = *places.entry(hash_of(&set)).or_insert(groups.len());
        match groups.get_mut(index) {
            Some((same, known)) if *same == set => *known = known.iter().chain(directions.iter()).collect(),
            Some(_) => {
                directions_of(&mut set)
                    .into_iter()
                    .for_each(|place| *place = directions);
                out.push(set);
            }
            None => groups.push((set, directions)),
        }
    }
    out.extend(groups.into_iter().map(|(mut set, directions)| {
        directions_of(&mut set)
            .into_iter()
            .for_each(|place| *place = directions);
        set
    }));
    out
}

/// Directions such that the set is the union of the sets for each of them.
fn directions_of(set: &mut SetExpr) -> Option<&mut Directions> {
    match set {
        SetExpr::Steps { directions, .. }
        | SetExpr::Between { directions, .. }
        | SetExpr::Rays {
            lines: RayLines::Given(directions),
            ..
        } => Some(directions),
        _ => None,
    }
}

/// Sets with more arguments than this become one only if one of the first differs.
const MAX_ARGUMENTS: usize = 4;

/// The sets, those that differ in one argument as one: each argument in turn.
fn merged(sets: Vec<SetExpr>) -> Vec<SetExpr> {
    (0..MAX_ARGUMENTS).fold(sets, merged_in)
}

/// The same for an argument.
fn merged_in(sets: Vec<SetExpr>, place: usize) -> Vec<SetExpr> {
    let mut groups: Vec<(SetExpr, Vec<SetExpr>)> = Vec::new();
    let mut places: HashMap<u64, usize, Hashing> = HashMap::default();
    let mut out = Vec::new();
    for mut set in sets {
        let hole = SetExpr::Constant(Bitboard::EMPTY);
        let Some(argument) = replace_argument(&mut set, place, hole) else {
            out.push(set);
            continue;
        };
        let index = *places.entry(hash_of(&set)).or_insert(groups.len());
        match groups.get_mut(index) {
            Some((same, arguments)) if *same == set => arguments.push(argument),
            Some(_) => {
                replace_argument(&mut set, place, argument);
                out.push(set);
            }
            None => groups.push((set, vec![argument])),
        }
    }
    out.extend(groups.into_iter().map(|(mut set, mut arguments)| {
        let argument = match arguments.len() {
            1 => arguments.swap_remove(0),
            _ => union_of(arguments),
        };
        replace_argument(&mut set, place, argument);
        set
    }));
    out
}

/// Puts another argument in the place of one such that the set for a union is the union of the sets for its parts. Returns the one
/// that was there; `None` if there is none.
fn replace_argument(set: &mut SetExpr, place: usize, argument: SetExpr) -> Option<SetExpr> {
    let old = match set {
        SetExpr::Intersection(parts) => return parts.replace(place, argument),
        SetExpr::Rays { arguments: parts, .. } => parts.get_mut(place),
        SetExpr::Pins(arguments, _) => arguments.get_mut(place),
        SetExpr::Attacks(a, b) | SetExpr::AttackedBy(a, b) => match place {
            0 => Some(&mut **a),
            1 => Some(&mut **b),
            _ => None,
        },
        SetExpr::Between { ends, .. } => ends.get_mut(place),
        SetExpr::Steps { from: inner, .. } | SetExpr::After(_, inner) => (place == 0).then_some(&mut **inner),
        SetExpr::Constant(_) | SetExpr::Contents(..) | SetExpr::Union(_) | SetExpr::Complement(_) => None,
        SetExpr::Pinned(_) | SetExpr::Pawns(..) | SetExpr::Choose(..) | SetExpr::Squares(_) => None,
        SetExpr::Added(_) | SetExpr::Nth(..) => None,
    };
    old.map(|old| std::mem::replace(old, argument))
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use shakmaty::{Color, Role, Square};

    use super::*;

    fn men(color: Color, role: Role, squares: Bitboard) -> SetExpr {
        SetExpr::Contents(ManSet::from_man(Man::new(color, role)), squares)
    }

    fn attacks(from: SetExpr, to: SetExpr) -> SetExpr {
        SetExpr::Attacks(Box::new(from), Box::new(to))
    }

    fn any(set: SetExpr) -> Truth {
        Truth::Any(Box::new(set))
    }

    #[test]
    fn alternatives_that_differ_in_one_set_are_one() {
        let rook = || men(Color::White, Role::Rook, Bitboard::FULL);
        let pawn = |square: Square| men(Color::Black, Role::Pawn, square.into());
        let parts = [Square::A7, Square::B7].map(|square| any(attacks(rook(), pawn(square))));
        let both = men(
            Color::Black,
            Role::Pawn,
            Bitboard::from(Square::A7) | Bitboard::from(Square::B7),
        );
        assert_eq!(any_of(parts), any(attacks(rook(), both)));
    }

    #[test]
    fn lines_in_the_same_directions_are_one_before_directions_are_put_together() {
        let ray = |role, directions| {
            let arguments = vec![
                men(Color::White, role, Bitboard::FULL),
                men(Color::Black, Role::King, Bitboard::FULL),
            ];
            SetExpr::Rays {
                lines: RayLines::Given(directions),
                arguments,
                gives_first: false,
            }
        };
        let (orthogonal, diagonal) = (Directions::ORTHOGONAL, Directions::DIAGONAL);
        let all = [
            (Role::Rook, orthogonal),
            (Role::Queen, orthogonal),
            (Role::Bishop, diagonal),
            (Role::Queen, diagonal),
        ];
        let sets = all.map(|(role, directions)| ray(role, directions));
        let SetExpr::Union(parts) = union_of(sets.to_vec()) else {
            panic!("two sets of directions are left")
        };
        assert_eq!(parts.len(), 2);
    }

    #[test]
    fn what_all_alternatives_share_is_asked_once() {
        let term = |square| Truth::Term(Term::Placement(Man::new(Color::White, Role::Knight), square));
        let (a, b, c) = (term(Square::A1), term(Square::B1), term(Square::C1));
        let both = |a: &Truth, b: &Truth| Truth::And([a.clone(), b.clone()].into());
        assert_eq!(
            any_of([both(&a, &b), both(&c, &a)]),
            Truth::And([a.clone(), Truth::Or([b.clone(), c.clone()].into())].into())
        );
        assert_eq!(
            any_of([a.clone(), Truth::Or([b.clone(), a.clone()].into())]),
            Truth::Or([a, b].into())
        );
    }
}
