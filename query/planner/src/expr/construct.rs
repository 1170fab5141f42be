//! Builds expressions in the cheapest known form: constants are folded, and posting lists are used instead of sets of
//! squares where they have the answer.

use chess::Man;
use language::hir::{Comparison, ManSet};
use postings::Term;
use shakmaty::{Bitboard, Color, Role, Square};

use super::checks::KingAttack;
use super::last_move::{is_left_by_a_move, turn};
use super::possible::{possible, possible_men, range_of};
use super::{NumberExpr, SetExpr, Truth};

/// A set without the conditions that hold wherever it has a square, which are put to `conditions`; `None` if nothing else is left.
/// Some sets have either all squares or none: such is what a loop asks beside its variable. Of others, the same is asked for
/// each square.
fn without_conditions(set: SetExpr, conditions: &mut Vec<Truth>) -> Option<SetExpr> {
    match set {
        SetExpr::Choose(condition, then, otherwise) => match (*then, *otherwise) {
            (SetExpr::Constant(Bitboard::FULL), SetExpr::Constant(Bitboard::EMPTY)) => {
                conditions.push(*condition);
                None
            }
            (SetExpr::Constant(Bitboard::EMPTY), SetExpr::Constant(Bitboard::FULL)) => {
                conditions.push(condition.not());
                None
            }
            (then, otherwise) => Some(SetExpr::Choose(condition, Box::new(then), Box::new(otherwise))),
        },
        SetExpr::Squares(mut squares) => {
            let common = costly_in_all(squares.iter().map(|(_, truth)| truth));
            squares.change_each(|(_, truth)| *truth = truth.without(&common));
            conditions.extend(common);
            Some(SetExpr::Squares(squares))
        }
        other => Some(other),
    }
}

/// Conditions that cost less, in plane operations for a block, may be asked again and again.
const CHEAP: f64 = 100.0;

/// The costly conditions that some alternatives have in common.
pub(crate) fn costly_in_all<'t>(mut alternatives: impl Iterator<Item = &'t Truth> + Clone) -> Vec<Truth> {
    let Some(first) = alternatives.next() else {
        return Vec::new();
    };
    let costly = first.conjuncts().iter().filter(|part| part.cost() >= CHEAP);
    let common = costly.filter(|&part| alternatives.clone().all(|other| other.conjuncts().contains(part)));
    common.cloned().collect()
}

impl Truth {
    /// What else it asks than some conditions.
    #[must_use]
    pub(crate) fn without(&self, conditions: &[Truth]) -> Truth {
        let rest = self.conjuncts().iter().filter(|part| !conditions.contains(part));
        Truth::all(rest.cloned().collect::<Vec<_>>())
    }
}

/// Where a set is not empty.
pub(crate) fn not_empty(set: SetExpr) -> Truth {
    match set {
        SetExpr::Constant(squares) if squares.is_empty() => Truth::Never,
        SetExpr::Constant(_) => Truth::Always,
        SetExpr::Contents(men, squares) => any_contents(men, squares),
        // Every move but a null move comes to a square.
        SetExpr::Added(set) => match *set {
            SetExpr::Contents(color @ (ManSet::WHITE | ManSet::BLACK), Bitboard::FULL) => {
                let next = if color == ManSet::WHITE {
                    Color::Black
                } else {
                    Color::White
                };
                let others = [Term::Initial, Term::NullMove].map(|term| Truth::Term(term).not());
                Truth::all([turn(next)].into_iter().chain(others))
            }
            set => Truth::Any(Box::new(SetExpr::Added(Box::new(set)))),
        },
        SetExpr::Union(parts) => Truth::any(parts.into_iter().map(not_empty)),
        SetExpr::After(ids, inner) => not_empty(*inner).after(ids),
        // Every move but castling and null moves leaves a square.
        SetExpr::Choose(..) if is_left_by_a_move(&set) => Truth::Always,
        SetExpr::Choose(truth, then, otherwise)
            if [&then, &otherwise]
                .iter()
                .any(|set| matches!(***set, SetExpr::Constant(_))) =>
        {
            choose(&truth, not_empty(*then), not_empty(*otherwise))
        }
        SetExpr::Squares(parts) => Truth::any(parts.into_iter().map(|(_, truth)| truth)),
        SetExpr::Intersection(parts) => {
            let mut conditions = Vec::new();
            let sets = parts.into_iter();
            let sets: Vec<SetExpr> = sets
                .filter_map(|set| without_conditions(set, &mut conditions))
                .collect();
            if conditions.is_empty() {
                return Truth::Any(Box::new(SetExpr::Intersection(sets.into())));
            }
            let rest = not_empty(SetExpr::intersection(sets));
            Truth::all(conditions.into_iter().chain([rest]))
        }
        SetExpr::Attacks(ref from, ref to) | SetExpr::AttackedBy(ref to, ref from)
            if let Some(checks) = KingAttack::of(from, to).and_then(|attack| attack.any(&set)) =>
        {
            checks
        }
        other => Truth::Any(Box::new(other)),
    }
}

/// The squares of a set that attack a square of another one.
pub(crate) fn attackers(from: SetExpr, to: SetExpr) -> SetExpr {
    attack(from, to, SetExpr::Attacks)
}

/// The squares of a set that are attacked from a square of another one.
pub(crate) fn attacked(to: SetExpr, from: SetExpr) -> SetExpr {
    attack(from, to, |from, to| SetExpr::AttackedBy(to, from))
}

/// Only men attack.
fn attack(from: SetExpr, to: SetExpr, of: impl Fn(Box<SetExpr>, Box<SetExpr>) -> SetExpr) -> SetExpr {
    let empty = ManSet::from_man(Man::EMPTY);
    let from = match from {
        SetExpr::Contents(men, squares) => SetExpr::Contents(men.without(empty), squares),
        other => other,
    };
    if possible_men(&from).without(empty) == ManSet::NONE || to == SetExpr::Constant(Bitboard::EMPTY) {
        return SetExpr::Constant(Bitboard::EMPTY);
    }
    of(Box::new(from), Box::new(to))
}

/// Where a square is in a set.
pub(crate) fn contains(set: &SetExpr, square: Square) -> Truth {
    let one = Bitboard::from_square(square);
    match set {
        SetExpr::Constant(squares) if squares.contains(square) => Truth::Always,
        SetExpr::Constant(_) => Truth::Never,
        SetExpr::Contents(men, squares) if squares.contains(square) => any_contents(*men, one),
        SetExpr::Contents(..) => Truth::Never,
        SetExpr::Union(parts) => Truth::any(parts.iter().map(|part| contains(part, square))),
        SetExpr::Intersection(parts) => Truth::all(parts.iter().map(|part| contains(part, square))),
        SetExpr::Complement(inner) => contains(inner, square).not(),
        other => not_empty(SetExpr::Intersection([other.clone(), SetExpr::Constant(one)].into())),
    }
}

/// Where one of the squares has one of the contents: posting lists, no set.
pub(crate) fn any_contents(men: ManSet, squares: Bitboard) -> Truth {
    if squares.is_empty() || men == ManSet::NONE {
        return Truth::Never;
    }
    // Every game in the database has a king of each color.
    let king = men.iter().any(|man| man.role() == Some(Role::King));
    if men == ManSet::ANYTHING || (king && squares == Bitboard::FULL) {
        return Truth::Always;
    }
    let mut parts = Vec::new();
    for man in men.iter() {
        if man == Man::EMPTY {
            let all = ManSet::WHITE | ManSet::BLACK;
            parts.extend(squares.into_iter().map(|square| any_contents(all, square.into()).not()));
        } else if squares == Bitboard::FULL && man.role() != Some(Role::King) {
            parts.push(Truth::Term(Term::AtLeast(man, 1)));
        } else {
            parts.extend(
                squares
                    .into_iter()
                    .map(|square| Truth::Term(Term::Placement(man, square))),
            );
        }
    }
    Truth::any(parts)
}

/// What the men of a set are worth. Kings and empty squares are worth nothing.
pub(crate) fn power_of(set: SetExpr) -> NumberExpr {
    let has_value = |man: Man| man.role().is_some_and(|role| value_of(role) > 0);
    match possible_men(&set).iter().any(has_value) {
        true => NumberExpr::Power(set),
        false => NumberExpr::Constant(0),
    }
}

/// The number of squares of a set. Men on the whole board are counted by the lists for at least 1, 2, ... men of a
/// kind.
pub(crate) fn count_of(set: SetExpr) -> NumberExpr {
    match set {
        SetExpr::Constant(squares) => NumberExpr::Constant(i32::try_from(squares.count()).unwrap_or(i32::MAX)),
        SetExpr::Contents(men, Bitboard::FULL) if men.contains(Man::EMPTY) => {
            // All squares but those of the other men.
            let others = ManSet::ANYTHING.without(men);
            let count = NumberExpr::Count(SetExpr::Contents(others, Bitboard::FULL));
            NumberExpr::Difference(Box::new(NumberExpr::Constant(64)), Box::new(count))
        }
        set => NumberExpr::Count(set),
    }
}

/// Where the comparison of two numbers holds, as they are.
pub(super) fn compare_with(comparison: Comparison, a: NumberExpr, b: NumberExpr) -> Truth {
    match (&a, &b) {
        (NumberExpr::Constant(a), NumberExpr::Constant(b)) => {
            return if holds(comparison, *a, *b) {
                Truth::Always
            } else {
                Truth::Never
            };
        }
        (NumberExpr::Count(SetExpr::Contents(men, Bitboard::FULL)), NumberExpr::Constant(n)) => {
            if let Some(truth) = compare_counts(comparison, *men, *n) {
                return truth;
            }
        }
        (NumberExpr::Constant(n), NumberExpr::Count(SetExpr::Contents(men, Bitboard::FULL))) => {
            if let Some(truth) = compare_counts(comparison.mirrored(), *men, *n) {
                return truth;
            }
        }
        (NumberExpr::Power(set), NumberExpr::Constant(n)) => {
            if let Some(truth) = compare_value(comparison, set, *n) {
                return truth;
            }
        }
        (NumberExpr::CountTrue(parts), NumberExpr::Constant(n)) => {
            if let Some(truth) = compare_number_of(comparison, parts, *n) {
                return truth;
            }
        }
        (NumberExpr::Constant(n), NumberExpr::CountTrue(parts)) => {
            if let Some(truth) = compare_number_of(comparison.mirrored(), parts, *n) {
                return truth;
            }
        }
        (NumberExpr::Count(set), NumberExpr::Constant(n)) => {
            if let Some(truth) = compare_size(comparison, set, *n) {
                return truth;
            }
        }
        (NumberExpr::Constant(n), NumberExpr::Count(set)) => {
            if let Some(truth) = compare_size(comparison.mirrored(), set, *n) {
                return truth;
            }
        }
        _ => {}
    }
    Truth::Compare(comparison, Box::new(a), Box::new(b))
}

/// Where a comparison with the number of conditions that hold is true, if it asks for any of them or for all.
fn compare_number_of(comparison: Comparison, parts: &[Truth], n: i32) -> Option<Truth> {
    let at_least = match comparison {
        Comparison::GreaterEqual => n,
        Comparison::Greater => n.checked_add(1)?,
        Comparison::Less | Comparison::LessEqual => {
            let more = if comparison == Comparison::Less {
                n
            } else {
                n.checked_add(1)?
            };
            return compare_number_of(Comparison::GreaterEqual, parts, more).map(Truth::not);
        }
        Comparison::Equal if n == 0 => return Some(Truth::any(parts.to_vec()).not()),
        Comparison::Equal if usize::try_from(n).is_ok_and(|n| n == parts.len()) => n,
        _ => return None,
    };
    match usize::try_from(at_least) {
        Ok(1) => Some(Truth::any(parts.to_vec())),
        Ok(n) if n == parts.len() => Some(Truth::all(parts.to_vec())),
        _ => None,
    }
}

/// Takes the complement of men on squares out of contents, if these can still be said as men on squares; whether it was
/// taken out.
fn leave_out((men, squares): &mut (ManSet, Bitboard), part: &SetExpr) -> bool {
    let SetExpr::Complement(inner) = part else {
        return false;
    };
    let SetExpr::Contents(other_men, other_squares) = **inner else {
        return false;
    };
    if other_men.is_superset(*men) {
        *squares &= !other_squares;
        return true;
    }
    let is_everywhere = (*squares & !other_squares).is_empty() && *men != ManSet::ANYTHING;
    if is_everywhere {
        *men = men.without(other_men);
    }
    is_everywhere
}

/// One condition where another holds, and a third elsewhere.
pub(super) fn choose(truth: &Truth, then: Truth, otherwise: Truth) -> Truth {
    if then == otherwise {
        return then;
    }
    match (truth, &then, &otherwise) {
        (Truth::Term(a), Truth::Always, Truth::Term(b)) if a.implies(*b) => return otherwise,
        (Truth::Term(a), Truth::Never, Truth::Not(b)) if matches!(**b, Truth::Term(b) if a.implies(b)) => {
            return otherwise;
        }
        (_, Truth::Always, _) => return Truth::any([truth.clone(), otherwise]),
        (_, _, Truth::Always) => return Truth::any([truth.clone().not(), then]),
        _ => {}
    }
    Truth::any([
        Truth::all([truth.clone(), then]),
        Truth::all([truth.clone().not(), otherwise]),
    ])
}

/// How many squares a set can have.
fn most(set: &SetExpr) -> i64 {
    range_of(&NumberExpr::Count(set.clone())).1
}

/// Where a comparison with the value of the men on one square holds: they are lists.
fn compare_value(comparison: Comparison, set: &SetExpr, n: i32) -> Option<Truth> {
    let SetExpr::Contents(men, squares) = set else {
        return None;
    };
    if squares.count() != 1 {
        return None;
    }
    let value = |man: &Man| man.role().map_or(0, value_of);
    let fits = |man: &Man| holds(comparison, value(man), n);
    Some(if holds(comparison, 0, n) {
        any_contents(men.iter().filter(|man| !fits(man)).collect(), *squares).not()
    } else {
        any_contents(men.iter().filter(fits).collect(), *squares)
    })
}

/// Where a comparison with the number of squares of a set holds, if that needs no number: it asks for none, for some, for all,
/// or for checks.
fn compare_size(comparison: Comparison, set: &SetExpr, n: i32) -> Option<Truth> {
    if let SetExpr::Contents(men, squares) = set
        && let Ok(all) = i32::try_from(squares.count())
        && all > 1
    {
        let on_all = || {
            Truth::all(
                squares
                    .into_iter()
                    .map(|square| any_contents(*men, Bitboard::from_square(square))),
            )
        };
        match (comparison, all.checked_sub(n)?) {
            (Comparison::Equal | Comparison::GreaterEqual, 0) | (Comparison::Greater, 1) => return Some(on_all()),
            (Comparison::Less, 0) | (Comparison::LessEqual, 1) => return Some(on_all().not()),
            _ => {}
        }
    }
    match (comparison, n) {
        (Comparison::Equal, 1) if most(set) == 1 => Some(not_empty(set.clone())),
        (Comparison::GreaterEqual, 1) | (Comparison::Greater, 0) => Some(not_empty(set.clone())),
        (Comparison::LessEqual | Comparison::Equal, 0) | (Comparison::Less, 1) => Some(not_empty(set.clone()).not()),
        (Comparison::GreaterEqual | Comparison::Greater, _) => {
            let SetExpr::Attacks(from, to) = set else { return None };
            let at_least = n.checked_add(i32::from(comparison == Comparison::Greater))?;
            KingAttack::of(from, to)?.count_at_least(set, at_least)
        }
        _ => None,
    }
}

/// `#N >= 2` and its like by the lists of at least 1, 2, ... men of a kind. Only for numbers within the reach of these
/// lists, so that more men than they can count do not change the answer.
fn compare_counts(comparison: Comparison, men: ManSet, n: i32) -> Option<Truth> {
    if men.contains(Man::EMPTY) {
        return None;
    }
    // There is one king of each color.
    let (kings, others): (Vec<Man>, Vec<Man>) = men.iter().partition(|man| man.role() == Some(Role::King));
    let n = n.checked_sub(i32::try_from(kings.len()).ok()?)?;
    if n >= i32::from(Term::MAX_COUNT) {
        return None;
    }
    let steps = 1..=u8::try_from(n.max(0) + 1).ok()?;
    let [man] = others[..] else {
        let terms = others
            .iter()
            .flat_map(|&man| steps.clone().map(move |n| Truth::Term(Term::AtLeast(man, n))));
        let count = NumberExpr::CountTrue(terms.collect());
        let sum = Truth::Compare(comparison, Box::new(count), Box::new(NumberExpr::Constant(n)));
        let most = match comparison {
            Comparison::Equal | Comparison::LessEqual => n,
            Comparison::Less => n - 1,
            _ => return Some(sum),
        };
        // No kind of men alone exceeds the sum. This is one list for each kind, and excludes most blocks before
        // anything is added up.
        let too_many = u8::try_from(most + 1).ok().filter(|&n| n > 0)?;
        let not_too_many = others
            .iter()
            .map(|&man| Truth::Term(Term::AtLeast(man, too_many)).not());
        return Some(Truth::all(not_too_many.chain([sum])));
    };
    let at_least = |n: i32| match u8::try_from(n) {
        Ok(n) if n > 0 => Truth::Term(Term::AtLeast(man, n)),
        _ => Truth::Always,
    };
    Some(match comparison {
        Comparison::GreaterEqual => at_least(n),
        Comparison::Greater => at_least(n.saturating_add(1)),
        Comparison::Less => at_least(n).not(),
        Comparison::LessEqual => at_least(n.saturating_add(1)).not(),
        Comparison::Equal if n < 0 => Truth::Never,
        Comparison::Equal => Truth::all([at_least(n), at_least(n + 1).not()]),
        _ => return None,
    })
}

/// Whether a comparison of two numbers holds.
pub(crate) fn holds<T: Ord>(comparison: Comparison, a: T, b: T) -> bool {
    match comparison {
        Comparison::Equal => a == b,
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        _ => a >= b,
    }
}

impl SetExpr {
    /// Contents that are always present are a constant.
    pub(crate) fn simplified(self) -> SetExpr {
        match self {
            SetExpr::Contents(ManSet::ANYTHING, squares) => SetExpr::Constant(squares),
            other => other,
        }
    }

    /// What is in all of these, without parts that others imply, and without what others exclude.
    pub(crate) fn intersection(parts: Vec<SetExpr>) -> SetExpr {
        let mut plain = (ManSet::ANYTHING, Bitboard::FULL);
        let mut flat: Vec<SetExpr> = Vec::new();
        let mut waiting = parts;
        while let Some(part) = waiting.pop() {
            match part {
                SetExpr::Intersection(inner) => waiting.extend(inner),
                SetExpr::Constant(squares) => plain.1 &= squares,
                SetExpr::Contents(men, squares) => plain = (plain.0.intersection(men), plain.1 & squares),
                other => flat.push(other),
            }
        }
        flat.retain(|part| !leave_out(&mut plain, part));
        let contents = SetExpr::Contents(plain.0, plain.1).simplified();
        let is_everything = contents == SetExpr::Constant(Bitboard::FULL);
        // The attackers, or the attacked men, are intersected first: `X & (A attackedby B)` is `(X & A) attackedby B`.
        let attack = flat
            .iter()
            .position(|part| matches!(part, SetExpr::Attacks(..) | SetExpr::AttackedBy(..)));
        if let Some(index) = attack {
            let narrowed = |set: Box<SetExpr>| Box::new(SetExpr::intersection(vec![contents, *set]));
            let attack = match flat.swap_remove(index) {
                SetExpr::Attacks(from, to) => SetExpr::Attacks(narrowed(from), to),
                SetExpr::AttackedBy(to, from) => SetExpr::AttackedBy(narrowed(to), from),
                other => other,
            };
            flat.push(attack);
        } else if !is_everything || flat.is_empty() {
            flat.push(contents);
        }
        let men = flat
            .iter()
            .fold(ManSet::ANYTHING, |all, part| all.intersection(possible_men(part)));
        let squares = flat.iter().fold(Bitboard::FULL, |all, part| all & possible(part));
        if men == ManSet::NONE || squares.is_empty() {
            return SetExpr::Constant(Bitboard::EMPTY);
        }
        let mut parts: Vec<SetExpr> = Vec::new();
        for part in flat {
            let part = match part {
                SetExpr::Contents(..) => part,
                part => part.within(men, squares),
            };
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        // Contents that are implied by another part are dropped.
        for index in (0..parts.len()).rev() {
            if let SetExpr::Contents(men, squares) = parts[index] {
                let others = parts.iter().enumerate().filter(|(other, _)| *other != index);
                let implied =
                    |part: &SetExpr| men.is_superset(possible_men(part)) && (possible(part) & !squares).is_empty();
                if others.map(|(_, part)| part).any(implied) {
                    parts.remove(index);
                }
            }
        }
        // Cheap parts come first, because the others are only needed on their squares.
        parts.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
        match parts.len() {
            1 => parts.swap_remove(0),
            _ => SetExpr::Intersection(parts.into()),
        }
    }

    /// The same for squares with these contents and among these squares; elsewhere it may have less.
    fn within(self, men: ManSet, squares: Bitboard) -> SetExpr {
        match self {
            SetExpr::Union(parts) => {
                let may_be = |part: &SetExpr| {
                    possible_men(part).intersection(men) != ManSet::NONE && (possible(part) & squares).any()
                };
                let parts = parts.into_iter().filter(may_be);
                let mut parts: Vec<SetExpr> = parts.map(|part| part.within(men, squares)).collect();
                match parts.len() {
                    0 => SetExpr::Constant(Bitboard::EMPTY),
                    1 => parts.swap_remove(0),
                    _ => SetExpr::Union(parts.into()),
                }
            }
            SetExpr::Contents(all, among) => SetExpr::Contents(all.intersection(men), among & squares),
            // Where one of these men stands that did not before, no other of its color did.
            SetExpr::Added(set) => match *set {
                SetExpr::Contents(all, among) if all.has_one_color() => {
                    SetExpr::Added(Box::new(SetExpr::Contents(all.intersection(men), among & squares)))
                }
                set => SetExpr::Added(Box::new(set)),
            },
            SetExpr::Choose(truth, then, otherwise) => {
                let [then, otherwise] = [then, otherwise].map(|set| Box::new(set.within(men, squares)));
                SetExpr::Choose(truth, then, otherwise)
            }
            other => other,
        }
    }
}

/// What a man is worth (docs/language/positions.md#single-squares-and-pieces).
pub(crate) fn value_of(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_without_others_are_men_on_squares() {
        let contents = |men: ManSet, squares| SetExpr::Contents(men, squares);
        let without = |set: SetExpr| SetExpr::Complement(Box::new(set));
        let anyone = ManSet::WHITE | ManSet::BLACK;
        let (light, dark) = (Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES);
        for (parts, expected) in [
            (
                [contents(anyone, light), without(contents(anyone, Bitboard::FULL))],
                SetExpr::Constant(Bitboard::EMPTY),
            ),
            (
                [
                    contents(ManSet::WHITE, Bitboard::FULL),
                    without(contents(anyone, light)),
                ],
                contents(ManSet::WHITE, dark),
            ),
            (
                [
                    contents(anyone, light),
                    without(contents(ManSet::WHITE, Bitboard::FULL)),
                ],
                contents(ManSet::BLACK, light),
            ),
        ] {
            assert_eq!(SetExpr::intersection(parts.to_vec()), expected, "{parts:?}");
        }
        // What is no set of men on squares stays as it is.
        let parts = vec![
            contents(anyone, light),
            without(contents(ManSet::WHITE, Bitboard::NORTH)),
        ];
        assert!(matches!(SetExpr::intersection(parts), SetExpr::Intersection(_)));
    }
}
