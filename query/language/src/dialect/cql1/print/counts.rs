//! Numbers and comparisons.

use super::{Printer, color_name, is_chain, names};
use crate::hir::{Arithmetic, Comparison, Filter, Kind, MoveValue, Node};

/// A count that CQL 6.2 has no filter for, and the bounds that it is compared with.
pub(super) struct Compared<'f> {
    pub(super) counted: &'f Filter,
    pub(super) min: Option<i32>,
    pub(super) max: Option<i32>,
}

impl Printer<'_> {
    /// A comparison of numbers: `R == 2`, `2 <= power a <= 6`.
    pub(super) fn comparison(&mut self, filter: &Filter) -> String {
        if let Some(compared) = compared(filter)
            && matches!(compared.counted.node, Node::AttackPairs(..) | Node::RayCount { .. })
        {
            return self.pairs(&compared);
        }
        let Node::CompareNumbers(comparison, a, b) = &filter.node else {
            return self.number(filter);
        };
        let text = format!("{} {} {}", self.number(a), names::sign(*comparison), self.number(b));
        // In front of the next filter a sign would be a subtraction.
        if text.starts_with('-') || is_chain(filter) && text.contains(" -") {
            format!("{{{text}}}")
        } else {
            text
        }
    }

    /// A number; of a set the set itself, because comparisons count its squares.
    pub(super) fn number(&mut self, filter: &Filter) -> String {
        match &filter.node {
            Node::Number(number) => number.to_string(),
            Node::CompareNumbers(..) => self.comparison(filter),
            Node::Power(set) => format!("power {}", self.set(set)),
            Node::MoveNumber => "movenumber".to_owned(),
            Node::Distance(a, b) => format!("distance({} {})", self.position(a), self.position(b)),
            Node::Ply => "ply".to_owned(),
            Node::Year => "year".to_owned(),
            Node::GameNumber => "gamenumber".to_owned(),
            Node::Elo(Some(color)) => format!("elo {}", color_name(*color)),
            Node::Int(text) => format!("int {}", self.text(text)),
            Node::Arithmetic(op, a, b) => {
                let sign = match op {
                    Arithmetic::Add => '+',
                    Arithmetic::Multiply => '*',
                    _ => '-',
                };
                format!("{} {sign} {}", self.number(a), self.number(b))
            }
            Node::Abs(inner) => format!("abs ({})", self.number(inner)),
            Node::Cardinality(set) => format!("#{}", self.set(set)),
            Node::SideToMove => "sidetomove".to_owned(),
            Node::At(place, inner) => format!("{}:{}", self.position(place), self.number(inner)),
            Node::If(condition, then, otherwise) => {
                let (condition, then) = (self.block(condition), self.number(then));
                let otherwise = otherwise
                    .as_ref()
                    .map_or_else(String::new, |filter| format!(" else {{{}}}", self.number(filter)));
                format!("{{if {condition} then {{{then}}}{otherwise}}}")
            }
            Node::NoTransform(inner) => match inner.kind {
                Kind::Numeric => self.number(inner),
                _ => self.set(inner),
            },
            Node::Transform { .. } => self.copies(filter),
            Node::Find { .. } => self.find(filter),
            Node::Move(m) if m.value == MoveValue::Count => "move legal count".to_owned(),
            Node::Line(_) => self.element(filter),
            _ if filter.kind == Kind::Set => self.set(filter),
            _ => self.missing("this number", filter.span),
        }
    }
}

/// A comparison of a count with literal bounds.
pub(super) fn compared(filter: &Filter) -> Option<Compared<'_>> {
    let Node::CompareNumbers(comparison, a, b) = &filter.node else {
        return None;
    };
    match (&a.node, &b.node, comparison) {
        (Node::Number(min), _, Comparison::LessEqual) => {
            let inner = compared(b)?;
            Some(Compared {
                min: Some(*min),
                ..inner
            })
        }
        (_, Node::Number(n), Comparison::Equal) => Some(Compared {
            counted: a,
            min: Some(*n),
            max: Some(*n),
        }),
        (_, Node::Number(n), Comparison::GreaterEqual) => Some(Compared {
            counted: a,
            min: Some(*n),
            max: None,
        }),
        (_, Node::Number(n), Comparison::LessEqual) => Some(Compared {
            counted: a,
            min: None,
            max: Some(*n),
        }),
        _ => None,
    }
}
