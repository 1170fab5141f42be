//! Filters of CQL 5 written in CQL 6.2 (docs/language/cql5.md#translation).

mod relation;
mod sequence;

use std::fmt::Write as _;

use chess::{Man, Outcome};
use shakmaty::Color;

use super::ast::{Designator, Filter, Loop, Node, Plain, Ray, Sort, Text};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Direction, Directions, Header, ManSet, NumberRange};
use crate::span::Span;

pub(super) type Printed = Result<String, Box<Diagnostic>>;

/// The query in CQL 6.2, a filter a line.
pub(super) fn print(text: &Text) -> Printed {
    let mut printer = Printer::default();
    let mut lines = vec![header(&text.header)];
    for filter in &text.body {
        lines.push(printer.element(filter)?);
    }
    Ok(lines.join("\n") + "\n")
}

/// What is known around the filter that is written.
#[derive(Default)]
struct Printer {
    /// How many names have been made up.
    names: u32,
    /// Whether a `silent` stands around the filter.
    silent: bool,
}

/// `cql( ... )`
fn header(header: &Header) -> String {
    let mut items = Vec::new();
    let range = |name: &str, range: NumberRange| format!("{name} {}", numbers(range));
    items.extend(header.input.as_ref().map(|file| format!("input {file}")));
    items.extend(header.output.as_ref().map(|file| format!("output {file}")));
    items.extend(header.variations.then(|| "variations".to_owned()));
    items.extend(header.silent.then(|| "silent".to_owned()));
    items.extend(header.quiet.then(|| "quiet".to_owned()));
    let count = if header.sort_match_count {
        "sort matchcount"
    } else {
        "matchcount"
    };
    items.extend(header.match_count.map(|number| range(count, number)));
    items.extend(header.game_numbers.map(|number| range("gamenumber", number)));
    items.extend(
        header
            .outcomes
            .iter()
            .map(|&outcome| format!("result {}", result(outcome))),
    );
    format!("cql({})", items.join(" "))
}

fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::White => "1-0",
        Outcome::Black => "0-1",
        _ => "1/2-1/2",
    }
}

/// A range as two numbers, or one.
fn numbers(range: NumberRange) -> String {
    if range.min == range.max {
        range.min.to_string()
    } else {
        format!("{} {}", range.min, range.max)
    }
}

/// A condition that a number lies in a range.
fn within(value: &str, range: NumberRange) -> String {
    if range.min == range.max {
        format!("{value}=={}", range.min)
    } else {
        format!("{}<={value}<={}", range.min, range.max)
    }
}

/// The same as a filter whose value is the number: comparisons have the value of their left side.
fn value_within(value: &str, range: NumberRange) -> String {
    if range.min == range.max {
        format!("{value}=={}", range.min)
    } else {
        format!("({value}<={})>={}", range.max, range.min)
    }
}

/// No equivalent in CQL 6.2, and why.
fn without_equivalent(span: Span, message: &str, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::NoCql6Equivalent, span, message).help(help))
}

/// `R[a1,h8]` as CQL 6.2 writes it.
fn designator(designator: &Designator) -> String {
    let mut parts = Vec::new();
    if designator.men.is_some() || designator.squares.is_some() {
        let men = designator.men.map_or_else(String::new, men);
        parts.push(men + &designator.squares_text);
    }
    parts.extend(designator.variables.iter().map(|name| variable(name)));
    match &parts[..] {
        [only] => only.clone(),
        _ => format!("({})", parts.join(" & ")),
    }
}

/// A variable without its `$`; a name that CQL 6.2 reads as something else gets an underscore.
fn variable(name: &str) -> String {
    match &crate::syntax::lex(name).tokens[..] {
        [only] if matches!(only.kind, crate::syntax::TokenKind::Identifier(_)) => name.to_owned(),
        _ => format!("Var_{name}"),
    }
}

/// The letters of a set of men.
fn men(men: ManSet) -> String {
    let mut letters = String::new();
    let mut named = ManSet::NONE;
    for (all, letter) in [(ManSet::WHITE, 'A'), (ManSet::BLACK, 'a')] {
        if men.is_superset(all) {
            letters.push(letter);
            named = named | all;
        }
    }
    letters.extend(men.iter().filter(|&man| !named.contains(man)).map(Man::letter));
    if letters.len() == 1 {
        letters
    } else {
        format!("[{letters}]")
    }
}

/// The names of the unit directions; empty for all eight.
fn directions(directions: Directions) -> String {
    if directions == Directions::ALL {
        return String::new();
    }
    let mut names = String::new();
    for direction in directions.iter() {
        let name = match direction {
            Direction::Up => "up",
            Direction::Northeast => "northeast",
            Direction::Right => "right",
            Direction::Southeast => "southeast",
            Direction::Down => "down",
            Direction::Southwest => "southwest",
            Direction::Left => "left",
            Direction::Northwest => "northwest",
        };
        let _ = write!(names, " {name}");
    }
    names
}

fn color(color: Option<Color>) -> &'static str {
    match color {
        Some(Color::White) => " white",
        Some(Color::Black) => " black",
        None => "",
    }
}

impl Printer {
    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// Several filters that all have to match, inside braces.
    fn all(&mut self, list: &[Filter]) -> Printed {
        let parts: Result<Vec<String>, _> = list.iter().map(|filter| self.element(filter)).collect();
        Ok(format!("{{{}}}", parts?.join(" ")))
    }

    /// A condition beside others: what an operator could continue, or a word behind it, is in braces.
    fn element(&mut self, filter: &Filter) -> Printed {
        let text = self.truth(filter)?;
        let is_closed = filter.is_set() && !matches!(filter.node, Node::Transform { .. })
            || matches!(
                filter.node,
                Node::Plain(_) | Node::Braces(_) | Node::Not(_) | Node::Relation(_) | Node::Sequence(_)
            );
        Ok(if is_closed { text } else { format!("{{{text}}}") })
    }

    /// A filter as a condition.
    fn truth(&mut self, filter: &Filter) -> Printed {
        let span = filter.span;
        Ok(match &filter.node {
            Node::Plain(plain) => self::plain(*plain).to_owned(),
            Node::Braces(list) => self.all(list)?,
            Node::Not(inner) => format!("not {{{}}}", self.truth(inner)?),
            Node::Or(a, b) => format!("{{{}}} or {{{}}}", self.truth(a)?, self.truth(b)?),
            Node::Transform {
                transform,
                range: None,
                argument,
            } => format!("{} {{{}}}", transform.keyword(), self.truth(argument)?),
            Node::Silent(inner) => self.silently(|printer| printer.truth(inner))?,
            Node::Loop(parts) if parts.all => self.square_loop(parts)?,
            Node::Relation(relation) => self.relation(relation, span)?,
            Node::Move(parts) => self.move_filter(parts)?,
            Node::Find {
                backward,
                range: None,
                argument,
            } => self.find(*backward, None, argument)?,
            Node::Result(outcome) => format!("result {}", result(*outcome)),
            Node::Player(side, name) => format!("\"{name}\" in player{}", color(*side)),
            Node::Event(text) => format!("\"{text}\" in event"),
            Node::Site(text) => format!("\"{text}\" in site"),
            Node::HasComment(text) => format!("\"{text}\" in originalcomment"),
            Node::CommentText(text) => format!("comment(\"{text}\")"),
            Node::CommentSet(argument) => format!("comment({})", self.set(argument)?),
            Node::Elo(None, Some(range)) => format!(
                "{{{}}} or {{{}}}",
                within("elo white", *range),
                within("elo black", *range)
            ),
            Node::Sort(sort, argument) => self.sort(sort, argument)?,
            _ if filter.is_set() => self.set(filter)?,
            _ => self.number(filter, false)?,
        })
    }

    fn silently<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let outside = std::mem::replace(&mut self.silent, true);
        let result = inside(self);
        self.silent = outside;
        result
    }

    fn quiet(&self) -> &'static str {
        if self.silent { " quiet" } else { "" }
    }

    /// A filter as a set; several words are in parentheses.
    fn set(&mut self, filter: &Filter) -> Printed {
        Ok(match &filter.node {
            Node::AllSquares => ".".to_owned(),
            Node::Designator(parts) => designator(parts),
            Node::SquareColor(true) => "(light .)".to_owned(),
            Node::SquareColor(false) => "(dark .)".to_owned(),
            Node::On(a, b) => match (&a.node, &b.node) {
                (_, Node::SquareColor(light)) => {
                    let word = if *light { "light" } else { "dark" };
                    format!("({word} {})", self.set(a)?)
                }
                _ => format!("({} & {})", self.set(a)?, self.set(b)?),
            },
            Node::Or(a, b) => format!("({} | {})", self.set(a)?, self.set(b)?),
            Node::Not(inner) => format!("(~{})", self.set(inner)?),
            Node::Between(a, b) => format!("between({} {})", self.set(a)?, self.set(b)?),
            Node::Attack(_, from, to) => format!("({} attackedby {})", self.set(to)?, self.set(from)?),
            Node::Ray(ray) => self.ray(ray)?,
            Node::Direction {
                name, range, argument, ..
            } => {
                let argument = self.set(argument)?;
                match range {
                    None => format!("({name} {argument})"),
                    // Before an operator, which a dot is, too, a number is no range.
                    Some(range) if argument.starts_with(['.', '~', '-', '#']) => {
                        format!("({name} {} ({argument}))", numbers(*range))
                    }
                    Some(range) => format!("({name} {} {argument})", numbers(*range)),
                }
            }
            Node::Loop(parts) => format!("({})", self.square_loop(parts)?),
            Node::Move(parts) => format!("({})", self.move_filter(parts)?),
            Node::Origin(name) => format!("{{position 0:{}}}", variable(name)),
            Node::Braces(list) => match &list[..] {
                [only] => self.set(only)?,
                _ => self.all(list)?,
            },
            Node::Transform {
                transform, argument, ..
            } => format!("({} {})", transform.keyword(), self.set(argument)?),
            Node::Silent(inner) => self.silently(|printer| printer.set(inner))?,
            _ => unreachable!("the parser takes sets only where sets are wanted"),
        })
    }

    fn sets(&mut self, list: &[Filter]) -> Printed {
        let parts: Result<Vec<String>, _> = list.iter().map(|set| self.set(set)).collect();
        Ok(parts?.join(" "))
    }

    fn ray(&mut self, ray: &Ray) -> Printed {
        let arguments = self.sets(&ray.arguments)?;
        Ok(if ray.attack {
            format!("xray({arguments})")
        } else {
            format!("ray{}({arguments})", directions(ray.directions))
        })
    }

    fn square_loop(&mut self, parts: &Loop) -> Printed {
        let kind = if parts.piece { "piece" } else { "square" };
        let all = if parts.all { " all" } else { "" };
        let domain = self.set(&parts.domain)?;
        let body = self.all(&parts.body)?;
        Ok(format!("{kind}{all} {} in {domain} {body}", variable(&parts.variable)))
    }

    /// A filter as a number that lies in its range; if its value counts, the number is the value.
    fn number(&mut self, filter: &Filter, has_value: bool) -> Printed {
        let span = filter.span;
        let within: fn(&str, NumberRange) -> String = if has_value { value_within } else { within };
        let (value, range) = match &filter.node {
            Node::CountSquares(range, argument) => (format!("#{}", self.set(argument)?), Some(*range)),
            Node::Power(range, argument) => (format!("(power {})", self.set(argument)?), *range),
            Node::PowerDifference(range, a, b) => {
                let value = format!("((power {}) - (power {}))", self.set(a)?, self.set(b)?);
                (value, *range)
            }
            Node::Attack(Some(range), from, to) => {
                let (from, to) = (self.set(from)?, self.set(to)?);
                let (total, square) = (self.name("Total"), self.name("Square"));
                return Ok(format!(
                    "{total}=0 square all {square} in {from} {{{total}+=#({to} attackedby {square})}} {}",
                    within(&total, *range)
                ));
            }
            Node::Ray(ray) if ray.range.is_some() => return self.ray_count(ray, within),
            Node::Loop(parts) => (format!("#({})", self.square_loop(parts)?), parts.range),
            Node::MoveNumber(range) => ("movenumber".to_owned(), *range),
            Node::Year(range) => ("year".to_owned(), *range),
            Node::Elo(side, range) => (format!("elo{}", color(*side)), *range),
            Node::Sequence(sequence) => return self.sequence(sequence),
            Node::Find {
                backward,
                range,
                argument,
            } => return self.find(*backward, *range, argument),
            Node::Transform {
                transform,
                range: Some(range),
                argument,
            } => {
                if *transform != crate::transform::Transform::Rotate90 {
                    return Err(without_equivalent(
                        span,
                        "CQL 5 counts equal variants of a transform, and the identity of `flip` twice; CQL 6.2 counts \
                         different ones",
                        "write `N<=flip count F` in CQL 6.2 with the number of different variants",
                    ));
                }
                let argument = self.truth(argument)?;
                let value = format!("{{{} count {{{argument}}}}}", transform.keyword());
                return Ok(within(&value, *range));
            }
            Node::Silent(inner) => return self.silently(|printer| printer.number(inner, has_value)),
            Node::Braces(list) if list.len() == 1 => return self.number(&list[0], has_value),
            _ => {
                return Err(Box::new(Diagnostic::new(
                    Code::WrongCql5Kind,
                    span,
                    "this filter can't be counted",
                )));
            }
        };
        Ok(range.map_or(value.clone(), |range| within(&value, range)))
    }

    /// The rays, first square by first square and direction by direction: two never have the same ends.
    fn ray_count(&mut self, ray: &Ray, within: fn(&str, NumberRange) -> String) -> Printed {
        let Some(range) = ray.range else { return self.ray(ray) };
        let (total, square) = (self.name("Total"), self.name("Square"));
        let from = self.set(&ray.arguments[0])?;
        let rest = self.sets(&ray.arguments[1..])?;
        let word = if ray.attack {
            "xray".to_owned()
        } else {
            format!("ray{}", directions(ray.directions))
        };
        Ok(format!(
            "{total}=0 square all {square} in {from} {{{total}+=#({word}({square} {rest}))}} {}",
            within(&total, range)
        ))
    }

    fn sort(&mut self, sort: &Sort, argument: &Filter) -> Printed {
        let title = self.sort_title(sort);
        Ok(format!("sort{title} {{{}}}", self.number(argument, true)?))
    }

    /// The title; `min` needs one.
    fn sort_title(&mut self, sort: &Sort) -> String {
        let quiet = self.quiet();
        match (&sort.title, sort.smallest_first) {
            (Some(title), false) => format!("{quiet} \"{title}\""),
            (Some(title), true) => format!("{quiet} min \"{title}\""),
            (None, false) => quiet.to_owned(),
            (None, true) => format!("{quiet} min \"{}\"", self.name("Key")),
        }
    }
}

fn plain(plain: Plain) -> &'static str {
    match plain {
        Plain::Check => "check",
        Plain::Mate => "mate",
        Plain::Stalemate => "stalemate",
        Plain::Wtm => "wtm",
        Plain::Btm => "btm",
        Plain::Initial => "initial",
        Plain::Terminal => "terminal",
        Plain::Mainline => "mainline",
        Plain::Variation => "variation",
        Plain::BeginVariation => "secondary",
        Plain::Extension => "false",
    }
}
