//! Filters as values: sets and numbers that can be computed from posting lists.

use chess::Man;
use language::hir::{Arithmetic, Bound, Comparison, Directions, Filter, Kind, ManSet, Node, PawnStructure, Range};
use postings::Term;
use shakmaty::{Bitboard, Color, Role, Square};

use super::expr::{Lines, NumberExpr, SetExpr, Truth};
use super::kings::KingAttack;
use super::lower::{Lowering, any};

impl<'q> Lowering<'q> {
    /// The set that a filter gives, if it can be computed exactly.
    pub(super) fn set(&mut self, filter: &'q Filter) -> Option<SetExpr> {
        if !self.spend(1) {
            return None;
        }
        match &filter.node {
            Node::Designator(designator) => Some(SetExpr::Contents(designator.men, designator.squares).simplified()),
            Node::AllSquares => Some(SetExpr::Constant(Bitboard::FULL)),
            Node::NoSquares => Some(SetExpr::Constant(Bitboard::EMPTY)),
            Node::Union(list) => Some(SetExpr::Union(self.sets(list)?)),
            Node::Intersection(list) => Some(SetExpr::intersection(self.sets(list)?)),
            Node::Complement(inner) => Some(SetExpr::Complement(Box::new(self.set(inner)?))),
            Node::Attacks(a, b) => Some(SetExpr::Attacks(Box::new(self.set(a)?), Box::new(self.set(b)?))),
            Node::AttackedBy(a, b) => Some(SetExpr::AttackedBy(Box::new(self.set(a)?), Box::new(self.set(b)?))),
            Node::Between(a, b) => Some(SetExpr::Between {
                directions: Directions::ALL,
                ends: Box::new([self.set(a)?, self.set(b)?]),
            }),
            Node::Ray { directions, arguments } => Some(SetExpr::Rays {
                lines: Lines::Given(*directions),
                arguments: self.sets(arguments)?,
                gives_first: false,
            }),
            Node::Xray { arguments, gives_first } => Some(SetExpr::Rays {
                lines: Lines::OfPiece,
                arguments: self.sets(arguments)?,
                gives_first: *gives_first,
            }),
            Node::Pin {
                from,
                through,
                to,
                value,
            } => {
                let mut given = |filter: &'q Option<Box<Filter>>, default: SetExpr| match filter {
                    Some(filter) => self.set(filter),
                    None => Some(default),
                };
                let anywhere = || SetExpr::Constant(Bitboard::FULL);
                let kings = Color::ALL.map(|color| ManSet::from_man(Man::new(color, Role::King)));
                let parts = [
                    given(from, anywhere())?,
                    given(through, anywhere())?,
                    given(to, SetExpr::Contents(kings[0] | kings[1], Bitboard::FULL))?,
                ];
                Some(SetExpr::Pins(Box::new(parts), *value))
            }
            Node::SquareColor(light, inner) => {
                let squares = if *light {
                    Bitboard::LIGHT_SQUARES
                } else {
                    Bitboard::DARK_SQUARES
                };
                Some(SetExpr::intersection(vec![
                    self.set(inner)?,
                    SetExpr::Constant(squares),
                ]))
            }
            Node::Direction {
                directions,
                range,
                argument,
            } => {
                let (min, max) = match range {
                    None => (1, 7),
                    Some(Range::Between(Bound::Literal(min), Bound::Literal(max))) => (*min, *max),
                    Some(_) => return None,
                };
                if min < -7 || max > 7 || min > max {
                    return None;
                }
                let from = Box::new(self.set(argument)?);
                Some(SetExpr::Steps {
                    directions: *directions,
                    min,
                    max,
                    from,
                })
            }
            Node::PawnStructure(structure) => Some(pawns(*structure)),
            Node::At(place, inner) => self.set_at(place, inner),
            Node::Variable(variable) => self.bindings.get(variable).cloned(),
            Node::NoTransform(inner) => self.set(inner),
            Node::Orbit { range: None, variants } => Some(SetExpr::Union(self.sets(variants)?)),
            Node::Compound(list) => {
                let (last, before) = list.split_last()?;
                if before.is_empty() {
                    return self.set(last);
                }
                let mut conditions = Vec::new();
                for filter in before {
                    if !self.is_safe(filter) {
                        return None;
                    }
                    let condition = self.truth(filter);
                    if !condition.exact {
                        return None;
                    }
                    conditions.push(condition.truth);
                }
                let empty = SetExpr::Constant(Bitboard::EMPTY);
                Some(SetExpr::Choose(
                    Box::new(Truth::all(conditions)),
                    Box::new(self.set(last)?),
                    Box::new(empty),
                ))
            }
            Node::If(condition, then, Some(otherwise)) => {
                let condition = self.truth(condition);
                if !condition.exact {
                    return None;
                }
                let (then, otherwise) = (self.set(then)?, self.set(otherwise)?);
                Some(SetExpr::Choose(
                    Box::new(condition.truth),
                    Box::new(then),
                    Box::new(otherwise),
                ))
            }
            Node::SquareLoop {
                variable,
                all: false,
                domain,
                body,
            }
            | Node::PieceLoop {
                variable,
                all: false,
                domain,
                body,
            } => {
                let domain = self.set(domain)?;
                let pieces = matches!(filter.node, Node::PieceLoop { .. });
                let mut squares = Vec::new();
                for square in possible(&domain) {
                    let mut here = self.contains(&domain, square);
                    if pieces {
                        let men = ManSet::WHITE | ManSet::BLACK;
                        here = Truth::all([here, any_contents(men, square.into())]);
                    }
                    let outer = self.bindings.insert(*variable, SetExpr::Constant(square.into()));
                    let body = self.truth(body);
                    match outer {
                        Some(outer) => self.bindings.insert(*variable, outer),
                        None => self.bindings.remove(variable),
                    };
                    if !body.exact {
                        return None;
                    }
                    squares.push((square, Truth::all([here, body.truth])));
                }
                Some(SetExpr::Squares(squares))
            }
            _ => None,
        }
    }

    fn sets(&mut self, list: &'q [Filter]) -> Option<Vec<SetExpr>> {
        list.iter().map(|filter| self.set(filter)).collect()
    }

    /// The number that a filter gives and where it has one, if both can be computed exactly. Of a set it is the number
    /// of squares.
    pub(super) fn number(&mut self, filter: &'q Filter) -> Option<(NumberExpr, Truth)> {
        if !self.spend(1) {
            return None;
        }
        let always = |number| Some((number, Truth::Always));
        if filter.kind == Kind::Set {
            return always(count(self.set(filter)?));
        }
        match &filter.node {
            // Planes don't wrap around at 32 bits; no plan is long enough to get there by smaller steps.
            Node::Number(n) if n.unsigned_abs() <= 1 << 16 => always(NumberExpr::Constant(*n)),
            Node::Cardinality(argument) => always(count(self.set(argument)?)),
            Node::Power(argument) => always(NumberExpr::Power(self.set(argument)?)),
            Node::AttackPairs(from, to) => always(self.attack_pairs(from, to)?),
            Node::SideToMove => {
                let white = Box::new(Truth::Term(Term::WhiteToMove));
                let constant = |n| Box::new(NumberExpr::Constant(n));
                always(NumberExpr::Choose(white, constant(1), constant(-1)))
            }
            Node::ColorValue(color) => always(NumberExpr::Constant(color.fold_wb(1, -1))),
            Node::File(argument) | Node::Rank(argument) => {
                let set = self.set(argument)?;
                let single = Truth::Single(Box::new(set.clone()));
                Some((
                    NumberExpr::Coordinate(matches!(filter.node, Node::File(_)), set),
                    single,
                ))
            }
            Node::Arithmetic(op @ (Arithmetic::Add | Arithmetic::Subtract), a, b) => {
                let ((a, a_valid), (b, b_valid)) = (self.number(a)?, self.number(b)?);
                let (a, b) = (Box::new(a), Box::new(b));
                let value = match op {
                    Arithmetic::Add => NumberExpr::Sum(a, b),
                    _ => NumberExpr::Difference(a, b),
                };
                Some((value, Truth::all([a_valid, b_valid])))
            }
            Node::Negate(a) => {
                let (a, valid) = self.number(a)?;
                Some((
                    NumberExpr::Difference(Box::new(NumberExpr::Constant(0)), Box::new(a)),
                    valid,
                ))
            }
            Node::CompareNumbers(comparison, a, b) => {
                let ((a, a_valid), (b, b_valid)) = (self.number(a)?, self.number(b)?);
                let holds = compare(*comparison, a.clone(), b);
                Some((a, Truth::all([a_valid, b_valid, holds])))
            }
            Node::NoTransform(inner) => self.number(inner),
            Node::At(place, inner) => self.number_at(place, inner),
            Node::CountMoves(None, dash) if !self.variations => {
                let made = self.dash_truth(dash);
                made.exact
                    .then(|| (NumberExpr::CountTrue(vec![made.truth]), Truth::Always))
            }
            Node::Orbit {
                range: Some(Range::Count),
                variants,
            } => {
                let mut truths = Vec::new();
                for variant in variants {
                    let truth = self.truth(variant);
                    if !truth.exact {
                        return None;
                    }
                    truths.push(truth.truth);
                }
                always(NumberExpr::CountTrue(truths))
            }
            _ => None,
        }
    }

    /// Where a square is in a set.
    pub(super) fn contains(&mut self, set: &SetExpr, square: Square) -> Truth {
        let one = Bitboard::from_square(square);
        match set {
            SetExpr::Constant(squares) => {
                if squares.contains(square) {
                    Truth::Always
                } else {
                    Truth::Never
                }
            }
            SetExpr::Contents(men, squares) if squares.contains(square) => any_contents(*men, one),
            SetExpr::Contents(..) => Truth::Never,
            SetExpr::Union(parts) => {
                Truth::any(parts.iter().map(|part| self.contains(part, square)).collect::<Vec<_>>())
            }
            SetExpr::Intersection(parts) => {
                Truth::all(parts.iter().map(|part| self.contains(part, square)).collect::<Vec<_>>())
            }
            SetExpr::Complement(inner) => self.contains(inner, square).not(),
            other => any(SetExpr::Intersection(vec![other.clone(), SetExpr::Constant(one)])),
        }
    }

    /// Where one of the squares has one of the contents.
    pub(super) fn any_contents(&mut self, men: ManSet, squares: Bitboard) -> Truth {
        any_contents(men, squares)
    }
}

impl SetExpr {
    /// Contents that are always there are a constant.
    fn simplified(self) -> SetExpr {
        match self {
            SetExpr::Contents(ManSet::ANYTHING, squares) => SetExpr::Constant(squares),
            other => other,
        }
    }

    /// What is in all of these, without the parts that say nothing beside the others, and without what others exclude.
    pub(super) fn intersection(parts: Vec<SetExpr>) -> SetExpr {
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
        let contents = SetExpr::Contents(plain.0, plain.1).simplified();
        let is_everything = contents == SetExpr::Constant(Bitboard::FULL);
        // What attacks or is attacked is asked of what is left: `X & (A attackedby B)` is `(X & A) attackedby B`.
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
            let part = part.within(men, squares);
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        // Contents that another part has on all of its squares anyway.
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
        // What is cheap comes first: its squares are all that is wanted of the others.
        parts.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
        match parts.len() {
            1 => parts.swap_remove(0),
            _ => SetExpr::Intersection(parts),
        }
    }

    /// The same for squares with these contents and among these squares; elsewhere it may have less.
    fn within(self, men: ManSet, squares: Bitboard) -> SetExpr {
        match self {
            SetExpr::Union(parts) => {
                let may_be = |part: &SetExpr| {
                    possible_men(part).intersection(men) != ManSet::NONE && (possible(part) & squares).any()
                };
                let mut parts: Vec<SetExpr> = parts.into_iter().filter(may_be).collect();
                match parts.len() {
                    0 => SetExpr::Constant(Bitboard::EMPTY),
                    1 => parts.swap_remove(0),
                    _ => SetExpr::Union(parts),
                }
            }
            other => other,
        }
    }
}

/// The argument of a ray or pin whose squares are given.
fn given(set: &SetExpr) -> Option<&SetExpr> {
    match set {
        SetExpr::Rays {
            arguments, gives_first, ..
        } => {
            if *gives_first {
                arguments.first()
            } else {
                arguments.last()
            }
        }
        SetExpr::Pins(parts, value) => parts.get(*value as usize),
        _ => None,
    }
}

/// The squares that a set can have, in whatever position.
pub(super) fn possible(set: &SetExpr) -> Bitboard {
    match set {
        SetExpr::Constant(squares) | SetExpr::Contents(_, squares) => *squares,
        SetExpr::Union(parts) => parts.iter().fold(Bitboard::EMPTY, |all, part| all | possible(part)),
        SetExpr::Intersection(parts) => parts.iter().fold(Bitboard::FULL, |all, part| all & possible(part)),
        SetExpr::Attacks(set, _) | SetExpr::AttackedBy(set, _) => possible(set),
        SetExpr::Rays { .. } | SetExpr::Pins(..) => given(set).map_or(Bitboard::FULL, possible),
        SetExpr::Pawns(..) => Bitboard::FULL,
        SetExpr::Choose(_, a, b) => possible(a) | possible(b),
        SetExpr::Squares(parts) => parts.iter().map(|&(square, _)| square).collect(),
        SetExpr::Complement(_) | SetExpr::Steps { .. } | SetExpr::Between { .. } => Bitboard::FULL,
        SetExpr::After(_, inner) => possible(inner),
    }
}

/// What can stand on the squares of a set, in whatever position.
pub(super) fn possible_men(set: &SetExpr) -> ManSet {
    match set {
        SetExpr::Contents(men, _) => *men,
        SetExpr::Union(parts) => parts.iter().fold(ManSet::NONE, |all, part| all | possible_men(part)),
        SetExpr::Intersection(parts) => parts
            .iter()
            .fold(ManSet::ANYTHING, |all, part| all.intersection(possible_men(part))),
        SetExpr::Attacks(set, _) | SetExpr::AttackedBy(set, _) => possible_men(set),
        SetExpr::Rays { .. } | SetExpr::Pins(..) => given(set).map_or(ManSet::ANYTHING, possible_men),
        SetExpr::Pawns(_, color) => ManSet::from_man(Man::new(*color, Role::Pawn)),
        SetExpr::Choose(_, a, b) => possible_men(a) | possible_men(b),
        _ => ManSet::ANYTHING,
    }
}

/// Where one of the squares has one of the contents: posting lists, no set.
pub(super) fn any_contents(men: ManSet, squares: Bitboard) -> Truth {
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

/// How many squares a set has. Men on the whole board are counted by their thermometers, up to ten of a kind.
fn count(set: SetExpr) -> NumberExpr {
    match set {
        SetExpr::Constant(squares) => NumberExpr::Constant(squares.count() as i32),
        set => NumberExpr::Count(set),
    }
}

/// Where two numbers compare so.
pub(super) fn compare(comparison: Comparison, a: NumberExpr, b: NumberExpr) -> Truth {
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
            if let Some(truth) = compare_counts(mirrored(comparison), *men, *n) {
                return truth;
            }
        }
        (NumberExpr::Count(set), NumberExpr::Constant(n)) => {
            if let Some(truth) = compare_size(comparison, set, *n) {
                return truth;
            }
        }
        (NumberExpr::Constant(n), NumberExpr::Count(set)) => {
            if let Some(truth) = compare_size(mirrored(comparison), set, *n) {
                return truth;
            }
        }
        _ => {}
    }
    Truth::Compare(comparison, Box::new(a), Box::new(b))
}

/// Where a set has so many squares, if that is a question without a number: none or some, or checks.
fn compare_size(comparison: Comparison, set: &SetExpr, n: i32) -> Option<Truth> {
    match (comparison, n) {
        (Comparison::GreaterEqual, 1) | (Comparison::Greater, 0) => Some(any(set.clone())),
        (Comparison::LessEqual | Comparison::Equal, 0) | (Comparison::Less, 1) => Some(any(set.clone()).not()),
        (Comparison::GreaterEqual | Comparison::Greater, _) => {
            let SetExpr::Attacks(from, to) = set else { return None };
            let at_least = n.checked_add(i32::from(comparison == Comparison::Greater))?;
            KingAttack::of(from, to)?.count_at_least(set, at_least)
        }
        _ => None,
    }
}

/// `#N >= 2` and its like by thermometers: how many kinds of men there are at least so many of. It takes numbers that the
/// thermometers reach, so that a man more than they can tell changes nothing.
fn compare_counts(comparison: Comparison, men: ManSet, n: i32) -> Option<Truth> {
    if men.contains(Man::EMPTY) {
        return None;
    }
    // There is one king of each color.
    let (kings, others): (Vec<Man>, Vec<Man>) = men.iter().partition(|man| man.role() == Some(Role::King));
    let n = n.checked_sub(kings.len() as i32)?;
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
        // No kind of men alone is too many: a list each, which exclude most blocks before anything is added up.
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

/// The pawns of both colors that stand in this way (cql6-positions 8.1).
fn pawns(structure: PawnStructure) -> SetExpr {
    SetExpr::Union(Color::ALL.map(|color| SetExpr::Pawns(structure, color)).to_vec())
}

/// The comparison with its sides exchanged.
pub(super) fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        other => other,
    }
}

fn holds(comparison: Comparison, a: i32, b: i32) -> bool {
    match comparison {
        Comparison::Equal => a == b,
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        _ => a >= b,
    }
}
