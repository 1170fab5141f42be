//! Filters that give a number, or have no value.

use chess::Man;
use language::hir::{Arithmetic, Comparison, Filter, FindCount, Kind, Node, Range};
use shakmaty::{Bitboard, Color, Role};

use super::geometry::{RayDirections, attack_pairs, count_rays};
use super::moves::Want;
use super::{Eval, Machine, Value};

/// What a man is worth (cql6-positions 8).
fn power_of(board: &chess::Board, squares: Bitboard) -> i32 {
    let worth = [
        (Role::Pawn, 1),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ];
    worth
        .into_iter()
        .map(|(role, worth)| (board.role(role) & squares).count() as i32 * worth)
        .sum()
}

/// `type` of a man: 0 for the empty square, 1 to 6 from pawn to king.
fn type_of(man: Man) -> i32 {
    man.role().map_or(0, i32::from)
}

/// `a + b` and its like; no value when divided by zero.
pub(super) fn arithmetic(op: Arithmetic, a: i32, b: i32) -> Option<i32> {
    match op {
        Arithmetic::Add => Some(a.wrapping_add(b)),
        Arithmetic::Subtract => Some(a.wrapping_sub(b)),
        Arithmetic::Multiply => Some(a.wrapping_mul(b)),
        Arithmetic::Divide => (b != 0).then(|| a.wrapping_div(b)),
        Arithmetic::Remainder => (b != 0).then(|| a.wrapping_rem(b)),
    }
}

impl<'a> Machine<'a, '_> {
    /// The number, if the filter has one here.
    pub(super) fn number(&mut self, filter: &'a Filter) -> Eval<Option<i32>> {
        match &filter.node {
            Node::Number(number) => Ok(Some(*number)),
            Node::Cardinality(argument) => Ok(Some(self.set(argument)?.count() as i32)),
            Node::Length(argument) => Ok(self.text(argument)?.map(|text| text.len() as i32)),
            Node::DictionarySize(dictionary) => Ok(Some(self.state.dictionaries[dictionary.0 as usize].len() as i32)),
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
            Node::SideToMove => Ok(Some(color_value(self.board().turn()))),
            Node::ColorValue(color) => Ok(Some(color_value(*color))),
            Node::MoveNumber => Ok(Some(self.game.move_number(self.node) as i32)),
            Node::Ply => Ok(Some(self.game.ply(self.node) as i32)),
            Node::Depth => Ok(Some(self.game.depth(self.node) as i32)),
            Node::PositionId => Ok(Some(self.node as i32)),
            Node::GameNumber => Ok(Some(self.game.number as i32)),
            Node::LastGameNumber => Ok(Some(self.limits.last_game as i32)),
            Node::Year => Ok(self.info.header.date.and_then(year)),
            Node::Elo(color) => Ok(self.elo(*color)),
            Node::Negate(argument) => Ok(self.number(argument)?.map(i32::wrapping_neg)),
            Node::Abs(argument) => Ok(self.number(argument)?.map(i32::wrapping_abs)),
            Node::Sqrt(argument) => Ok(self
                .number(argument)?
                .and_then(|n| u32::try_from(n).ok())
                .map(|n| n.isqrt() as i32)),
            Node::Arithmetic(op, a, b) => {
                let Some(a) = self.number(a)? else { return Ok(None) };
                let Some(b) = self.number(b)? else { return Ok(None) };
                Ok(arithmetic(*op, a, b))
            }
            Node::Extremum(largest, arguments) => {
                let mut best: Option<i32> = None;
                for argument in arguments {
                    if let Some(n) = self.number(argument)? {
                        best = Some(best.map_or(n, |best| if *largest { best.max(n) } else { best.min(n) }));
                    }
                }
                Ok(best)
            }
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
                Ok(super::strings::find(&pattern, &text).map(|index| index as i32))
            }
            Node::Distance(a, b) => {
                let (Some(a), Some(b)) = (self.position(a)?, self.position(b)?) else {
                    return Ok(None);
                };
                let ancestor = self.game.common_ancestor(a, b);
                let ply = |node| self.game.ply(node) as i32;
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
                .map(|path| self.game.ply(self.node) as i32 - self.game.ply(path.start) as i32 - path.count)),
            Node::HhdbAward(award) => Ok(self.hhdb_award(award).flatten()),
            Node::Try => Ok(self.is_try().then_some(1)),
            Node::GroupStart(index) => Ok(self.group(*index, filter.span)?.map(|(start, _)| start as i32)),
            Node::CompareNumbers(_, left, _) => {
                // The value is the left side's, and the left side is evaluated once.
                self.compare_numbers(filter, left)
            }
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
            Node::Dash(dash) => Ok(number_of(self.dash(dash, Want::Value)?)),
            Node::CurrentMove(dash) => Ok(number_of(self.current_move(dash, Want::Value)?)),
            Node::Echo { .. } => self.echo_maximum(filter),
            Node::Variable(variable) => Ok(number_of(Some(self.variable(*variable, filter.span)?))),
            Node::DictionaryGet(dictionary, key) => Ok(number_of(self.dictionary_get(*dictionary, key)?)),
            Node::At(place, inner) => match self.position(place)? {
                Some(node) => self.elsewhere(node, |machine| machine.number(inner)),
                None => Ok(None),
            },
            Node::Compound(list) => {
                let mark = self.state.log.len();
                let (last, before) = list.split_last().expect("a compound filter has an element");
                for element in before {
                    if !self.matches(element)? {
                        self.state.log.truncate(mark);
                        return Ok(None);
                    }
                }
                let number = self.number(last)?;
                if number.is_none() {
                    self.state.log.truncate(mark);
                }
                Ok(number)
            }
            Node::If(condition, then, otherwise) => {
                if self.matches(condition)? {
                    self.number(then)
                } else {
                    otherwise.as_ref().map_or(Ok(None), |otherwise| self.number(otherwise))
                }
            }
            Node::Call { arguments, body } => {
                if self.pass(arguments)? {
                    self.number(body)
                } else {
                    Ok(None)
                }
            }
            Node::NoTransform(inner) => self.number(inner),
            Node::Sort { id, order, argument } => {
                let mark = self.state.log.len();
                let number = self.count(argument)?;
                if let Some(number) = number {
                    self.record_sort(*id, *order, Value::Number(number), mark);
                }
                Ok(number)
            }
            Node::Orbit {
                range: Some(range),
                variants,
            } => {
                let count = self.count_variants(variants)?;
                self.within(count, range, filter)
            }
            Node::Orbit { range: None, variants } => self.maximum_of_variants(variants),
            other => unreachable!("not a numeric filter: {other:?}"),
        }
    }

    /// The left side of a comparison, if it holds.
    fn compare_numbers(&mut self, filter: &'a Filter, left: &'a Filter) -> Eval<Option<i32>> {
        let Node::CompareNumbers(comparison, _, right) = &filter.node else {
            unreachable!("called with comparisons only")
        };
        // The left side is told where it is not above the right one.
        let exact = matches!(comparison, Comparison::Greater | Comparison::GreaterEqual);
        let limit = if exact { i32::MAX } else { limit_by(right) };
        let (Some(a), Some(b)) = (self.count_up_to(left, limit)?, self.count(right)?) else {
            return Ok(None);
        };
        Ok(super::truth::ordered(*comparison, &a, &b).then_some(a))
    }

    /// The number, or the number of squares of a set; what is more than a limit need not be told from other numbers
    /// above it.
    pub(super) fn count_up_to(&mut self, filter: &'a Filter, limit: i32) -> Eval<Option<i32>> {
        match &filter.node {
            Node::CountMoves(legality, dash) => self.count_moves(*legality, dash, limit).map(Some),
            Node::Move(m) if filter.kind == Kind::Numeric => self.move_count(m, limit).map(Some),
            _ => self.count(filter),
        }
    }

    /// The number, if it is inside the range.
    pub(super) fn within(&mut self, count: i32, range: &Range, filter: &'a Filter) -> Eval<Option<i32>> {
        self.within_range(count, Some(range), filter.span)
    }

    /// The number, if it is inside the range, or if there is no range.
    pub(super) fn within_range(
        &mut self,
        count: i32,
        range: Option<&Range>,
        span: language::span::Span,
    ) -> Eval<Option<i32>> {
        let Some(Range::Between(min, max)) = range else {
            return Ok(Some(count));
        };
        let (min, max) = (self.bound(min, span)?, self.bound(max, span)?);
        Ok((min <= count && count <= max).then_some(count))
    }

    /// The largest value of the variants; comments of the others are forgotten (cql6-positions 12.10).
    fn maximum_of_variants(&mut self, variants: &'a [Filter]) -> Eval<Option<i32>> {
        let start = self.state.log.len();
        let mut best: Option<i32> = None;
        for variant in variants {
            let mark = self.state.log.len();
            match self.number(variant)? {
                Some(number) if best.is_none_or(|best| number > best) => {
                    best = Some(number);
                    self.state.log.drain(start..mark);
                }
                _ => self.state.log.truncate(mark),
            }
        }
        Ok(best)
    }

    /// The man on the only square of a set.
    pub(super) fn single_man(&mut self, argument: &'a Filter) -> Eval<Option<Man>> {
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

    /// 1 if the first position is a proper ancestor of the second.
    fn related(&mut self, a: &'a Filter, b: &'a Filter) -> Eval<Option<i32>> {
        let (Some(a), Some(b)) = (self.position(a)?, self.position(b)?) else {
            return Ok(None);
        };
        Ok((a != b && self.game.is_within(b, a)).then_some(1))
    }

    /// Exactly one white deviation above or here (cql6-games 2.2).
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

/// Above which number it is all the same what is compared with a filter.
pub(super) fn limit_by(filter: &Filter) -> i32 {
    match filter.node {
        Node::Number(number) => number,
        _ => i32::MAX,
    }
}

fn color_value(color: Color) -> i32 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

fn number_of(value: Option<Value>) -> Option<i32> {
    match value {
        Some(Value::Number(number)) => Some(number),
        _ => None,
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
