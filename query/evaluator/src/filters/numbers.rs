//! Filters that give a number, or have no value.

use chess::{Man, Quantity};
use language::hir::{Filter, FindCount, Node, Range};
use language::span::Span;
use shakmaty::Color;

use crate::answer::{Answer, Want};
use crate::board::{RayDirections, attack_pairs, count_rays};
use crate::error::Eval;
use crate::formula::number;
use crate::machine::Machine;
use crate::text::find;
use crate::value::{Value, arithmetic, number_of, number_of_count, power_of, square_count, square_root, type_of};

impl<'a> Machine<'a, '_> {
    /// The number, if the filter has one here.
    pub(crate) fn number(&mut self, filter: &'a Filter) -> Eval<Option<i32>> {
        if let Some(value) = self.by_formula(filter, |entry| entry.value) {
            return Ok(number(value));
        }
        match &filter.node {
            Node::Number(number) => Ok(Some(*number)),
            Node::Cardinality(argument) => Ok(Some(square_count(self.set(argument)?))),
            Node::Length(argument) => Ok(self.text(argument)?.map(|text| number_of_count(text.len()))),
            Node::DictionarySize(dictionary) => {
                let entries = &self.state.dictionaries[dictionary.0 as usize];
                Ok(Some(number_of_count(entries.len())))
            }
            Node::Power(argument) => {
                let squares = self.set(argument)?;
                Ok(Some(power_of(self.board(), squares)))
            }
            Node::AttackPairs(from, to) => {
                let (from, to) = (self.set(from)?, self.set(to)?);
                Ok(Some(attack_pairs(self.board(), from, to)))
            }
            Node::RayCount { directions, arguments } => {
                let directions = directions.map_or(RayDirections::OfPiece, RayDirections::Given);
                self.with_sets(arguments, |board, sets| count_rays(board, directions, sets))
                    .map(Some)
            }
            Node::File(argument) => Ok(self
                .set(argument)?
                .single_square()
                .map(|square| i32::from(square.file()) + 1)),
            Node::Rank(argument) => Ok(self
                .set(argument)?
                .single_square()
                .map(|square| i32::from(square.rank()) + 1)),
            Node::Type(argument) => Ok(self.single_man(argument)?.map(type_of)),
            Node::ColorType(argument) => Ok(self.single_man(argument)?.map(|man| match man.color() {
                Some(Color::Black) => -type_of(man),
                _ => type_of(man),
            })),
            Node::PieceId(argument) => {
                let square = self.set(argument)?.single_square();
                Ok(square
                    .and_then(|square| self.game.identity(self.node, square))
                    .map(i32::from))
            }
            Node::PieceIdOf(variable) => match self.variable(*variable, filter.span)? {
                Value::Piece(id) => Ok(Some(i32::from(id))),
                _ => unreachable!("the parser checked the variable's kind"),
            },
            Node::SideToMove => Ok(Some(color_value(self.game.turn(self.node)))),
            Node::ColorValue(color) => Ok(Some(color_value(*color))),
            Node::MoveNumber => Ok(Some(number_of(self.game.move_number(self.node)))),
            Node::Ply => Ok(Some(number_of(self.game.ply(self.node)))),
            Node::Depth => Ok(Some(number_of(self.game.depth(self.node)))),
            Node::PositionId => Ok(Some(number_of(self.node))),
            Node::GameNumber => Ok(Some(number_of(self.game.number))),
            Node::LastGameNumber => Ok(Some(number_of(self.limits.last_game))),
            Node::Year => Ok(self.info.header.date.and_then(year)),
            Node::Elo(color) => Ok(self.elo(*color)),
            Node::Clock(color) => {
                let color = color.unwrap_or_else(|| self.board().turn());
                Ok(self.quantity(Quantity::clock(color)))
            }
            Node::MoveTime => Ok(self.quantity(Quantity::MoveTime)),
            Node::Evaluation(color) => {
                let value = self.quantity(Quantity::Evaluation);
                Ok(value.map(|value| color.fold_wb(value, -value)))
            }
            Node::Negate(argument) => Ok(self.number(argument)?.map(i32::wrapping_neg)),
            Node::Abs(argument) => Ok(self.number(argument)?.map(i32::wrapping_abs)),
            Node::Sqrt(argument) => Ok(self.number(argument)?.and_then(square_root)),
            Node::Arithmetic(op, a, b) => {
                let Some(a) = self.number(a)? else { return Ok(None) };
                let Some(b) = self.number(b)? else { return Ok(None) };
                Ok(arithmetic(*op, a, b))
            }
            Node::Extremum(largest, arguments) => self.extremum(*largest, arguments),
            Node::Int(argument) => Ok(self.text(argument)?.and_then(|text| parse_int(&text))),
            Node::AsciiCode(argument) => Ok(self.text(argument)?.and_then(|text| match &*text {
                [byte] => Some(i32::from(*byte)),
                _ => None,
            })),
            Node::IndexOf(pattern, text) => {
                let Some(pattern) = self.text(pattern)? else {
                    return Ok(None);
                };
                let Some(text) = self.text(text)? else { return Ok(None) };
                Ok(find(&pattern, &text).map(number_of_count))
            }
            Node::Distance(a, b) => {
                let Some((a, b)) = self.both_positions(a, b)? else {
                    return Ok(None);
                };
                let ancestor = self.game.common_ancestor(a, b);
                let ply = |node| number_of(self.game.ply(node));
                Ok(Some(ply(a) + ply(b) - 2 * ply(ancestor)))
            }
            Node::Ancestor(a, b) => self.related(a, b),
            Node::Descendant(a, b) => self.related(b, a),
            Node::ConsecutiveMoves {
                quiet,
                range,
                variables,
            } => self.consecutive_moves(*quiet, range.as_ref(), *variables, filter.span),
            Node::PathCount => Ok(self.current_path().map(|path| path.count)),
            Node::PathCountUnfocused => Ok(self
                .current_path()
                .map(|path| number_of(self.game.ply(self.node)) - number_of(self.game.ply(path.start)) - path.count)),
            Node::HhdbAward(award) => Ok(self.hhdb_award(award).flatten()),
            Node::SimilarPosition(index) => Ok(self.similar_position(*index)),
            Node::Try => Ok(self.is_try().then_some(1)),
            Node::GroupStart(index) => Ok(self
                .group(*index, filter.span)?
                .map(|(start, _)| number_of_count(start))),
            Node::CompareNumbers(comparison, a, b) => self.compare_numbers(*comparison, [a, b], Want::Value),
            Node::Find {
                backward,
                quiet,
                count,
                argument,
            } => {
                debug_assert!(*count != FindCount::First, "without a count `find` gives a position");
                self.find_count(*backward, *quiet, *count, argument, filter.span)
            }
            Node::Line(line) => Ok(self.line(line, filter.span)?.map(|(count, _)| count)),
            Node::Path(path) => Ok(self.path(path, filter.span)?.map(|(value, _)| value)),
            Node::CountMoves(legality, dash) => self.count_moves(*legality, dash, i32::MAX).map(Some),
            Node::Move(m) => self.move_count(m, i32::MAX).map(Some),
            Node::Echo { .. } => self.echo_maximum(filter),
            Node::Variable(variable) => Ok(Answer::of_value(Some(self.variable(*variable, filter.span)?))),
            Node::Orbit { range, variants } => self.orbit_number(filter, range.as_ref(), variants),

            // --- control flow
            Node::Compound(list) => self.compound(list),
            Node::If(condition, then, otherwise) => self.conditional(condition, then, otherwise.as_deref()),
            Node::Call { arguments, body } => self.call(arguments, body),
            Node::At(place, inner) => self.at_place(place, inner),
            Node::Imagine { changes, target } => self.imagine(changes, target),
            Node::AfterMove { moves, all, target } => self.after_move_count(filter, moves, *all, target),
            Node::NoTransform(inner) => self.number(inner),
            Node::Dash(dash) => self.answer_of_dash(dash),
            Node::CurrentMove(dash) => self.answer_of_current_move(dash),
            Node::DictionaryGet(dictionary, key) => self.answer_of_entry(*dictionary, key),
            Node::Sort { id, order, argument } => {
                self.sorted(*id, *order, argument, |number: &Option<i32>| number.map(Value::Number))
            }

            other => unreachable!("not a numeric filter: {other:?}"),
        }
    }

    /// The number, if it is inside the range, or if there is no range.
    pub(crate) fn within_range(&mut self, count: i32, range: Option<&Range>, span: Span) -> Eval<Option<i32>> {
        let Some(Range::Between(min, max)) = range else {
            return Ok(Some(count));
        };
        let (min, max) = (self.bound(min, span)?, self.bound(max, span)?);
        Ok((min <= count && count <= max).then_some(count))
    }

    /// The man on the only square of a set.
    pub(crate) fn single_man(&mut self, argument: &'a Filter) -> Eval<Option<Man>> {
        Ok(self
            .set(argument)?
            .single_square()
            .map(|square| self.board().at(square)))
    }

    fn elo(&self, color: Option<Color>) -> Option<i32> {
        let ratings = self.info.header.ratings;
        let rating = match color {
            Some(color) => ratings[color as usize],
            None => ratings[0].max(ratings[1]),
        };
        (rating != 0).then_some(i32::from(rating))
    }

    /// What the comments give for the position.
    fn quantity(&self, quantity: Quantity) -> Option<i32> {
        self.info.quantities?.get(quantity, self.node)
    }

    /// 1 if the first position is a proper ancestor of the second.
    fn related(&mut self, a: &'a Filter, b: &'a Filter) -> Eval<Option<i32>> {
        let Some((a, b)) = self.both_positions(a, b)? else {
            return Ok(None);
        };
        Ok((a != b && self.game.is_within(b, a)).then_some(1))
    }

    /// Exactly one white deviation above or here (docs/language/games.md#places-in-the-tree).
    fn is_try(&self) -> bool {
        let mut deviations = 0;
        let mut node = Some(self.node);
        while let Some(at) = node {
            let white_moved = self.game.board(at).turn() == Color::Black;
            deviations += u32::from(white_moved && self.game.is_secondary(at));
            node = self.game.parent(at);
        }
        deviations == 1
    }
}

fn color_value(color: Color) -> i32 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// The year of a normalised date.
fn year(date: &str) -> Option<i32> {
    let digits: String = date
        .split('.')
        .next()?
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().ok().filter(|&year| year > 0)
}

/// `int`: an optional minus and decimal digits, nothing else; it wraps as literals do.
fn parse_int(text: &[u8]) -> Option<i32> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0i32, |n, digit| {
        n.wrapping_mul(10).wrapping_add(i32::from(digit - b'0'))
    });
    Some(if negative { value.wrapping_neg() } else { value })
}
