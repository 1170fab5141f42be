//! Counts of attacks and rays, and `:relation`: what CQL 6.2 says with loops and `echo`.

use shakmaty::{Bitboard, Role};

use super::counts::Compared;
use super::{Printer, names};
use crate::hir::{Designator, DiagramRelation, DiagramScope, Directions, Filter, ManSet, Node, NumberRange};
use crate::span::Span;

impl Printer<'_> {
    /// A number of attacks or rays within bounds.
    pub(super) fn pairs(&mut self, compared: &Compared<'_>) -> String {
        let (min, max) = (compared.min.unwrap_or(0), compared.max);
        if min <= 0 && max.is_none() {
            return "true".to_owned();
        }
        let some = self.some_pairs(compared.counted);
        match (min, max) {
            (1, None) => return some,
            (..=0, Some(0)) => return format!("not {some}"),
            _ => {}
        }
        match &compared.counted.node {
            Node::AttackPairs(from, to) if is_king(to) => {
                let squares = format!("({} attacks {})", self.set(from), self.set(to));
                bounded(&format!("#{squares}"), compared)
            }
            Node::AttackPairs(from, to) if is_king(from) => {
                let squares = format!("({} attackedby {})", self.set(to), self.set(from));
                bounded(&format!("#{squares}"), compared)
            }
            Node::AttackPairs(from, to) => {
                let (from, to) = (self.set(from), self.set(to));
                self.total(&from, compared, |attacker| format!("#({to} attackedby {attacker})"))
            }
            Node::RayCount { directions, arguments } => {
                let sets: Vec<String> = arguments.iter().map(|argument| self.set(argument)).collect();
                let Some((first, others)) = sets.split_first() else {
                    return String::new();
                };
                let (ray, others) = (ray(*directions), others.join(" "));
                self.total(first, compared, |from| format!("#({ray}({from} {others}))"))
            }
            _ => String::new(),
        }
    }

    /// Adds up what each square of a set gives.
    fn total(&mut self, from: &str, compared: &Compared<'_>, each: impl Fn(&str) -> String) -> String {
        let (total, square) = (self.name("Total"), self.name("From"));
        let value = each(&square);
        let holds = bounded(&total, compared);
        format!("{{{total} = 0 square all {square} in {from} {{{total} += {value}}} {holds}}}")
    }

    /// Whether there is an attack or a ray at all.
    fn some_pairs(&mut self, counted: &Filter) -> String {
        match &counted.node {
            Node::AttackPairs(from, to) => format!("({} attacks {})", self.set(from), self.set(to)),
            Node::RayCount { directions, arguments } => {
                let sets: Vec<String> = arguments.iter().map(|argument| self.set(argument)).collect();
                format!("({}({}))", ray(*directions), sets.join(" "))
            }
            _ => String::new(),
        }
    }

    /// `:relation`: an `echo` over the positions that come after.
    pub(super) fn relation(&mut self, relation: &DiagramRelation, span: Span) -> String {
        if relation.shift || relation.flip {
            return self.missing("a `:relation` that moves the diagram", span);
        }
        let (before, after, differ) = (self.name("Before"), self.name("After"), self.name("Differ"));
        let mut parts = vec![format!("ancestor({before} {after})")];
        match relation.scope {
            DiagramScope::Mainline if self.query.header.variations => parts.push("mainline".to_owned()),
            DiagramScope::Variations => parts.push("variation".to_owned()),
            _ => {}
        }
        parts.extend(match relation.same_side {
            Some(true) => Some(format!("sidetomove == {before}:sidetomove")),
            Some(false) => Some(format!("not sidetomove == {before}:sidetomove")),
            None => None,
        });
        let area = relation.area.as_ref().map(|designators| {
            let squares = designators.iter().map(|designator| match &designator.node {
                Node::Designator(Designator { squares, .. }) => *squares,
                _ => Bitboard::EMPTY,
            });
            let squares = squares.fold(Bitboard::EMPTY, |all, squares| all | squares);
            names::designator(Designator {
                men: ManSet::ANYTHING,
                squares,
            })
        });
        let within = area.as_ref().map_or_else(String::new, |area| format!(" & {area}"));
        let range = |range: Option<NumberRange>, set: &str| range.map(|range| in_range(set, range));
        parts.extend(range(relation.same, &format!("#([Aa] & ({before} & {after}){within})")));
        parts.extend(range(relation.different, &format!("#(~({before} & {after}){within})")));
        let nothing = |range: NumberRange| range == NumberRange { min: 0, max: 0 };
        if nothing(relation.missing_range) && nothing(relation.new_range) && area.is_none() {
            parts.push(format!("({before} & {after}) == ."));
        } else {
            parts.push(format!("{differ} = ~({before} & {after}){within}"));
            // No square has two different men, and only the allowed men are missing or new.
            parts.push(format!("not {{{differ} & [Aa] & {before}:[Aa]}}"));
            let (missing, new) = (names::designator(relation.missing), names::designator(relation.new));
            parts.push(format!("({differ} & _) in {before}:{missing}"));
            parts.push(format!("({differ} & [Aa]) in {new}"));
            parts.push(in_range(&format!("#({differ} & _)"), relation.missing_range));
            parts.push(in_range(&format!("#({differ} & [Aa])"), relation.new_range));
        }
        format!("{{echo ({before} {after}) {{{}}}}}", parts.join(" "))
    }
}

/// `ray`, `ray diagonal`, `xray`
fn ray(directions: Option<Directions>) -> String {
    match directions {
        None => "xray".to_owned(),
        Some(Directions::ALL) => "ray".to_owned(),
        Some(Directions::DIAGONAL) => "ray diagonal".to_owned(),
        Some(Directions::ORTHOGONAL) => "ray orthogonal".to_owned(),
        Some(directions) => {
            let words = directions
                .iter()
                .map(|direction| format!("{direction:?}").to_lowercase());
            format!("ray {}", words.collect::<Vec<_>>().join(" "))
        }
    }
}

/// Whether a set is the square of one king.
fn is_king(filter: &Filter) -> bool {
    let Node::Designator(Designator { men, .. }) = &filter.node else {
        return false;
    };
    let mut men = men.iter();
    men.next().and_then(chess::Man::role) == Some(Role::King) && men.next().is_none()
}

/// A number within the bounds of a comparison.
fn bounded(number: &str, compared: &Compared<'_>) -> String {
    in_range(
        number,
        NumberRange {
            min: compared.min.unwrap_or(i32::MIN),
            max: compared.max.unwrap_or(i32::MAX),
        },
    )
}

fn in_range(number: &str, range: NumberRange) -> String {
    match (range.min, range.max) {
        (i32::MIN, i32::MAX) => "true".to_owned(),
        (min, max) if min == max => format!("{number} == {min}"),
        (min, i32::MAX) => format!("{number} >= {min}"),
        (i32::MIN, max) => format!("{number} <= {max}"),
        (min, max) => format!("{{{min} <= {number} <= {max}}}"),
    }
}
