//! What is known of texts: which ones they can be, if these are few, and how long they are.

use chess::Man;
use language::hir::{Comparison, Filter, ManSet, Node};
use shakmaty::Bitboard;

use super::Lowering;
use super::bounds::SetBounds;
use super::intervals::NumberBounds;
use crate::expr::{Candidates, Expr, NumberExpr, SetExpr, Truth, not_empty, possible, possible_men};

/// Of more possible texts nothing is known but their length.
const MAX_VALUES: usize = 16;

/// Of a possible text with more bytes than this nothing is known but its length: a loop may double it in each turn.
const MAX_KNOWN: usize = 1 << 10;

/// What stands on a square that can be one of more than these is not looked at name by name.
const MAX_SQUARES: usize = 4;

/// How many parts a set may have whose man is looked at name by name: it is written out for each name.
const MAX_PARTS: usize = 40;

/// A text can't have more bytes than this.
const MAX_LENGTH: i64 = 1 << 24;

/// What is known of a text, where there is one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TextBounds {
    /// What it can be, in order.
    pub(super) values: Option<Vec<String>>,
    pub(super) length: NumberBounds,
}

impl TextBounds {
    pub(super) fn unknown() -> TextBounds {
        TextBounds {
            values: None,
            length: NumberBounds::not_negative(Candidates::EVERYWHERE),
        }
    }

    fn one_of(mut values: Vec<String>) -> TextBounds {
        values.sort_unstable();
        values.dedup();
        let length = |value: &String| i32::try_from(value.len()).ok();
        let lengths: Option<Vec<i32>> = values.iter().map(length).collect();
        let bounds = lengths.and_then(|lengths| lengths.iter().min().copied().zip(lengths.iter().max().copied()));
        let constant = |n: i32| Some(NumberExpr::Constant(n));
        let length = match bounds {
            Some((least, most)) if least == most => NumberBounds::constant(least),
            Some((least, most)) => NumberBounds::between(constant(least), constant(most), Candidates::EVERYWHERE),
            None => NumberBounds::not_negative(Candidates::EVERYWHERE),
        };
        TextBounds {
            values: Some(values).filter(|values| values.len() <= MAX_VALUES),
            length,
        }
    }

    /// The text, if there is only one that it can be.
    pub(super) fn value(&self) -> Option<&str> {
        match self.values.as_deref() {
            Some([one]) => Some(one),
            _ => None,
        }
    }

    /// One text behind the other.
    pub(super) fn followed_by(self, other: TextBounds) -> TextBounds {
        if let (Some(a), Some(b)) = (&self.values, &other.values)
            && a.len() * b.len() <= MAX_VALUES
            && longest(a) + longest(b) <= MAX_KNOWN
        {
            let both = a.iter().flat_map(|a| b.iter().map(move |b| format!("{a}{b}")));
            return TextBounds::one_of(both.collect());
        }
        TextBounds {
            values: None,
            length: NumberBounds::arithmetic(language::hir::Arithmetic::Add, self.length, other.length),
        }
    }

    /// Whether there is certainly room for another text behind it.
    pub(super) fn has_room_for(&self, other: &TextBounds) -> bool {
        let most = |text: &TextBounds| text.length.range().map(|(_, most)| most);
        most(self).zip(most(other)).is_some_and(|(a, b)| a + b < MAX_LENGTH)
    }

    /// The same, but any text where a condition holds.
    pub(super) fn except(self, open: Truth) -> TextBounds {
        match open {
            Truth::Never => self,
            open => TextBounds {
                values: None,
                length: self.length.except(open),
            },
        }
    }

    /// One text where a condition holds, the other elsewhere.
    pub(super) fn chosen(holds: &Candidates, then: TextBounds, otherwise: TextBounds) -> TextBounds {
        let values = then.values.zip(otherwise.values);
        let values = values.map(|(a, b)| TextBounds::one_of([a, b].concat()).values);
        TextBounds {
            values: values.flatten(),
            length: NumberBounds::chosen(holds, then.length, otherwise.length),
        }
    }

    /// What is known of it in another position of the game.
    pub(super) fn elsewhere(&self) -> TextBounds {
        TextBounds {
            values: self.values.clone(),
            length: self.length.elsewhere(),
        }
    }
}

impl<'q> Lowering<'q> {
    /// What is known of the text that a filter gives, where it gives one.
    pub(super) fn text_bounds(&mut self, filter: &'q Filter) -> TextBounds {
        match &filter.node {
            Node::String(text) => TextBounds::one_of(vec![text.clone()]),
            Node::Variable(variable) => self.scope.text(*variable).unwrap_or_else(TextBounds::unknown),
            Node::Group(index) => match self.group(*index) {
                Some(Some(text)) => TextBounds::one_of(vec![text.to_owned()]),
                _ => TextBounds::unknown(),
            },
            Node::TypeName(argument) | Node::PieceName(argument) => {
                let men = possible_men(self.set_bounds(argument).may());
                TextBounds::one_of(men.iter().map(|man| name_of(filter, man)).collect())
            }
            Node::Concatenation(a, b) => {
                let (a, b) = (self.text_bounds(a), self.text_bounds(b));
                a.followed_by(b)
            }
            Node::NoTransform(inner) | Node::Sort { argument: inner, .. } => self.text_bounds(inner),
            _ => TextBounds::unknown(),
        }
    }

    /// What a group of the regular expression around a filter has matched, if that is known: nothing, or a text.
    pub(super) fn group(&self, index: u32) -> Option<Option<&str>> {
        let groups = self.groups.as_ref()?;
        groups.get(index as usize).map(Option::as_deref)
    }

    /// How long a text is.
    pub(super) fn text_length(&mut self, filter: &'q Filter) -> NumberBounds {
        let valid = self.has_value(filter);
        self.text_bounds(filter).length.and(valid)
    }

    /// Where a text is part of another one.
    pub(super) fn substring(&mut self, needle: &'q Filter, text: &'q Filter) -> Candidates {
        let valid = Candidates::both(self.has_value(text), self.has_value(needle));
        let (needle, text) = (self.text_bounds(needle), self.text_bounds(text));
        let holds = compared(&needle, &text, |needle, text| text.contains(needle));
        Candidates::both(valid, holds)
    }

    /// Where two texts compare.
    pub(super) fn compared_texts(&mut self, comparison: Comparison, a: &'q Filter, b: &'q Filter) -> Candidates {
        let valid = Candidates::both(self.has_value(a), self.has_value(b));
        if comparison != Comparison::Equal {
            return Candidates::both(valid, Candidates::UNKNOWN);
        }
        let texts = (self.text_bounds(a), self.text_bounds(b));
        let holds = compared(&texts.0, &texts.1, |a, b| a == b);
        if holds.exact {
            return Candidates::both(valid, holds);
        }
        let holds = match self.names(a).zip(self.names(b)) {
            Some((a, b)) => {
                let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
                let same = pairs.filter(|((a, _), (b, _))| a == b);
                let both = same.map(|((_, a), (_, b))| Truth::all([a.clone(), b.clone()]));
                Candidates::exactly(Truth::any(both.collect::<Vec<_>>()))
            }
            None => holds,
        };
        Candidates::both(valid, holds)
    }

    /// What a text can be that names what stands on a square, and where it is which; `None` unless the square is one of a few.
    fn names(&mut self, filter: &'q Filter) -> Option<Vec<(String, Truth)>> {
        let argument = match &filter.node {
            Node::String(text) => return Some(vec![(text.clone(), Truth::Always)]),
            Node::TypeName(argument) | Node::PieceName(argument) => argument,
            _ => return None,
        };
        let SetBounds::Exact(set) = self.set_bounds(argument) else {
            return None;
        };
        if possible(&set).count() > MAX_SQUARES || Expr::Set(&set).is_larger_than(MAX_PARTS) {
            return None;
        }
        let mut names: Vec<(String, ManSet)> = Vec::new();
        for man in possible_men(&set).iter() {
            let (name, man) = (name_of(filter, man), ManSet::from_man(man));
            match names.iter_mut().find(|(known, _)| *known == name) {
                Some((_, men)) => *men = *men | man,
                None => names.push((name, man)),
            }
        }
        let stands = |men: ManSet| {
            let these = SetExpr::Contents(men, Bitboard::FULL);
            not_empty(SetExpr::intersection(vec![set.clone(), these]))
        };
        Some(names.into_iter().map(|(name, men)| (name, stands(men))).collect())
    }

    /// What a pawn can become if its new letter stands in a text (docs/language/moves.md#the-move-operators).
    pub(super) fn promoted_by_text(&mut self, text: &'q Filter) -> ManSet {
        let Some(values) = self.text_bounds(text).values else {
            return ManSet::ANYTHING;
        };
        if values.iter().any(|text| text.is_empty() || text == ".") {
            return ManSet::ANYTHING;
        }
        let roles = values
            .iter()
            .flat_map(|text| text.chars())
            .filter_map(shakmaty::Role::from_char);
        roles.fold(ManSet::NONE, |all, role| {
            all | ManSet::from_man(Man::new(shakmaty::Color::White, role))
        })
    }

    /// Where there is a text; `None` for filters that have one where they match.
    pub(super) fn has_text(&mut self, filter: &'q Filter) -> Option<Candidates> {
        Some(match &filter.node {
            Node::String(_) | Node::Variable(_) | Node::Fen | Node::Str(_) | Node::CurrentTransform(_) => {
                Candidates::EVERYWHERE
            }
            Node::TypeName(argument) | Node::PieceName(argument) => self.is_single(argument),
            Node::Concatenation(a, b) => Candidates::both(self.has_value(a), self.has_value(b)),
            Node::Group(index) => match self.group(*index) {
                Some(Some(_)) => Candidates::EVERYWHERE,
                Some(None) => Candidates::exactly(Truth::Never),
                None => Candidates::UNKNOWN,
            },
            Node::Case(_, text) => self.has_value(text),
            // It never holds as a condition (docs/language.md#kept-as-they-are), so that says nothing about values.
            _ if filter.any(&mut |part| matches!(part.node, Node::Case(..))) => Candidates::UNKNOWN,
            _ => return None,
        })
    }
}

/// The `piecename` of a man or, if the filter is one, its `typename`.
fn name_of(filter: &Filter, man: Man) -> String {
    let letter = match filter.node {
        Node::TypeName(_) => man.role().map_or('_', shakmaty::Role::upper_char),
        _ => man.letter(),
    };
    letter.to_string()
}

/// How many bytes the longest of some texts has.
fn longest(texts: &[String]) -> usize {
    texts.iter().map(String::len).max().unwrap_or(0)
}

/// Where two texts stand to each other in some way, as far as that is the same for all that they can be.
fn compared(a: &TextBounds, b: &TextBounds, holds: impl Fn(&str, &str) -> bool) -> Candidates {
    let (Some(a), Some(b)) = (&a.values, &b.values) else {
        return Candidates::UNKNOWN;
    };
    let mut pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
    match pairs.clone().all(|(a, b)| holds(a, b)) {
        true => Candidates::EVERYWHERE,
        false if pairs.any(|(a, b)| holds(a, b)) => Candidates::UNKNOWN,
        false => Candidates::exactly(Truth::Never),
    }
}
