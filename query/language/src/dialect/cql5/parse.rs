//! Text to filters, by recursive descent (docs/language/cql5.md#grammar).

mod game;
mod relation;
mod sequence;

use super::ast::{Filter, Loop, Node, Plain, Ray, Text};
use super::designator::{self, Dot};
use super::token::{Token, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Direction, Directions, NumberRange};
use crate::parse::MAX_DEPTH;
use crate::span::Span;
use crate::transform::Transform;
pub(super) use game::ANY_COUNT;

pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// Reads a query.
pub(super) fn parse(text: &str, tokens: &[Token<'_>]) -> Parsed<Text> {
    let words = tokens.iter().filter_map(|token| match token.kind {
        TokenKind::Word(word) => Some(word),
        _ => None,
    });
    let mut parser = Parser {
        tokens,
        position: 0,
        end: Span::new(text.len(), text.len()),
        dot: Dot::of(words),
        depth: 0,
    };
    parser.text()
}

/// The state of a run.
struct Parser<'t> {
    tokens: &'t [Token<'t>],
    position: usize,
    end: Span,
    dot: Dot,
    depth: u32,
}

/// Filters without arguments.
const PLAIN: [(&str, Plain); 11] = [
    ("check", Plain::Check),
    ("mate", Plain::Mate),
    ("stalemate", Plain::Stalemate),
    ("wtm", Plain::Wtm),
    ("btm", Plain::Btm),
    ("initial", Plain::Initial),
    ("terminal", Plain::Terminal),
    ("mainline", Plain::Mainline),
    ("variation", Plain::Variation),
    ("beginvariation", Plain::BeginVariation),
    ("extension", Plain::Extension),
];

/// The names of directions.
const DIRECTIONS: [(&str, &[Direction]); 15] = [
    ("up", &[Direction::Up]),
    ("down", &[Direction::Down]),
    ("left", &[Direction::Left]),
    ("right", &[Direction::Right]),
    ("northeast", &[Direction::Northeast]),
    ("northwest", &[Direction::Northwest]),
    ("southeast", &[Direction::Southeast]),
    ("southwest", &[Direction::Southwest]),
    ("vertical", &[Direction::Up, Direction::Down]),
    ("horizontal", &[Direction::Left, Direction::Right]),
    ("maindiagonal", &[Direction::Northeast, Direction::Southwest]),
    ("offdiagonal", &[Direction::Northwest, Direction::Southeast]),
    (
        "diagonal",
        &[
            Direction::Northeast,
            Direction::Southeast,
            Direction::Southwest,
            Direction::Northwest,
        ],
    ),
    (
        "orthogonal",
        &[Direction::Up, Direction::Right, Direction::Down, Direction::Left],
    ),
    ("anydirection", &Direction::ALL),
];

/// The transform with this name.
fn transform(word: &str) -> Option<Transform> {
    match word {
        "dihedral" | "flipdihedral" => Some(Transform::Flip),
        "reversecolor" => None,
        _ => Transform::ALL.into_iter().find(|transform| transform.keyword() == word),
    }
}

impl<'t> Parser<'t> {
    // --- tokens

    fn peek(&self) -> Option<TokenKind<'t>> {
        self.tokens.get(self.position).map(|token| token.kind)
    }

    fn peek_word(&self) -> Option<&'t str> {
        match self.peek()? {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    fn at(&self, sign: char) -> bool {
        self.peek() == Some(TokenKind::Sign(sign))
    }

    fn eat(&mut self, sign: char) -> bool {
        let found = self.at(sign);
        self.position += usize::from(found);
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        self.position += usize::from(found);
        found
    }

    fn expect(&mut self, sign: char) -> Parsed<()> {
        if self.eat(sign) {
            return Ok(());
        }
        Err(self.expected(&format!("`{sign}`")))
    }

    fn here(&self) -> Span {
        self.tokens.get(self.position).map_or(self.end, |token| token.span)
    }

    fn since(&self, start: Span) -> Span {
        let last = self.position.checked_sub(1).and_then(|last| self.tokens.get(last));
        last.map_or(start, |last| start.to(last.span))
    }

    fn found(&self) -> String {
        match self.peek() {
            None => "the end".to_owned(),
            Some(TokenKind::Sign(sign)) => format!("`{sign}`"),
            Some(TokenKind::Text(text)) => format!("\"{text}\""),
            Some(TokenKind::Word(word)) => format!("`{word}`"),
        }
    }

    fn error(&self, code: Code, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(code, self.here(), message))
    }

    fn expected(&self, what: &str) -> Box<Diagnostic> {
        self.error(Code::BadCql5, format!("expected {what}, found {}", self.found()))
    }

    /// Refuses something by name, with what to write instead.
    fn refused(&self, message: impl Into<String>, help: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(Code::RefusedCql5, self.here(), message).help(help))
    }

    fn quoted(&mut self, what: &str) -> Parsed<String> {
        match self.peek() {
            Some(TokenKind::Text(text)) if !text.is_empty() => {
                self.position += 1;
                Ok(text.to_owned())
            }
            _ => Err(self.expected(what)),
        }
    }

    fn number(&mut self) -> Option<i32> {
        let number = self.peek_word()?.parse().ok()?;
        self.position += 1;
        Some(number)
    }

    /// One number, which is exact, or two.
    fn range(&mut self) -> Parsed<Option<NumberRange>> {
        let start = self.here();
        let Some(min) = self.number() else { return Ok(None) };
        let max = self.number().unwrap_or(min);
        if max < min {
            let message = format!("the range goes from {min} down to {max}");
            let diagnostic = Diagnostic::new(Code::BadCql5Range, self.since(start), message);
            return Err(Box::new(diagnostic.help(format!("write `{max} {min}`"))));
        }
        Ok(Some(NumberRange { min, max }))
    }

    fn required_range(&mut self) -> Parsed<NumberRange> {
        match self.range()? {
            Some(range) => Ok(range),
            None => Err(self.expected("a number")),
        }
    }

    // --- filters

    /// A filter with what follows it: `or` and `on` bind to the nearest filter, to the right.
    fn filter(&mut self) -> Parsed<Filter> {
        if self.depth >= MAX_DEPTH {
            let message = format!("the filters are nested deeper than {MAX_DEPTH}");
            return Err(self.error(Code::TooDeep, message));
        }
        self.depth += 1;
        let filter = self.primary().and_then(|filter| self.suffixes(filter));
        self.depth -= 1;
        filter
    }

    fn boxed(&mut self) -> Parsed<Box<Filter>> {
        self.filter().map(Box::new)
    }

    /// A filter that is a set.
    fn set(&mut self) -> Parsed<Filter> {
        let filter = self.filter()?;
        if filter.is_set() {
            return Ok(filter);
        }
        let diagnostic = Diagnostic::new(Code::WrongCql5Kind, filter.span, "this filter is not a set of squares");
        Err(Box::new(diagnostic.help(
            "sets are designators, `.`, directions, `between`, `move from`, and `attack`, `ray`, `square` and `piece` \
             without a range",
        )))
    }

    fn boxed_set(&mut self) -> Parsed<Box<Filter>> {
        self.set().map(Box::new)
    }

    fn suffixes(&mut self, left: Filter) -> Parsed<Filter> {
        let span = left.span;
        let node = if self.eat_word("or") {
            Node::Or(Box::new(left), self.boxed()?)
        } else if self.peek_word() == Some("on") {
            if !left.is_set() {
                return Err(self.error(Code::WrongCql5Kind, "there is no set before `on`"));
            }
            self.position += 1;
            Node::On(Box::new(left), self.boxed_set()?)
        } else if matches!(left.node, Node::Designator(_) | Node::Braces(_))
            && left.is_set()
            && let Some(range) = self.range()?
        {
            // `[Aa] 4 32`, as CQL 5.0 counts squares.
            Node::CountSquares(range, Box::new(left))
        } else {
            return Ok(left);
        };
        Ok(Filter {
            node,
            span: self.since(span),
        })
    }

    fn primary(&mut self) -> Parsed<Filter> {
        let span = self.here();
        let node = match self.peek() {
            Some(TokenKind::Sign('{')) => {
                self.position += 1;
                let list = self.filters()?;
                self.expect('}')?;
                Node::Braces(list)
            }
            Some(TokenKind::Word(word)) => self.word(word)?,
            Some(TokenKind::Sign('?')) => {
                return Err(self.refused(
                    "`?` stands for no square in CQL 5.2",
                    "write `.` for any square, `U` for any piece",
                ));
            }
            _ => return Err(self.expected("a filter")),
        };
        Ok(Filter {
            node,
            span: self.since(span),
        })
    }

    /// Filters up to a closing delimiter or the end, one at least.
    fn filters(&mut self) -> Parsed<Vec<Filter>> {
        let mut list = vec![self.filter()?];
        while self.peek().is_some() && !self.at(')') && !self.at('}') {
            list.push(self.filter()?);
        }
        Ok(list)
    }

    /// A filter that begins with a word.
    fn word(&mut self, word: &'t str) -> Parsed<Node> {
        if let Some(&(_, plain)) = PLAIN.iter().find(|(name, _)| *name == word) {
            self.position += 1;
            return Ok(Node::Plain(plain));
        }
        if let Some(&(name, directions)) = DIRECTIONS.iter().find(|(name, _)| *name == word) {
            self.position += 1;
            return Ok(Node::Direction {
                name,
                directions: directions.iter().copied().collect(),
                range: self.range()?,
                argument: self.boxed_set()?,
            });
        }
        if let Some(transform) = transform(word) {
            self.position += 1;
            return Ok(Node::Transform {
                transform,
                range: self.range()?,
                argument: self.boxed()?,
            });
        }
        self.position += 1;
        Ok(match word {
            "." if self.dot == Dot::Any => Node::AllSquares,
            "any" => Node::AllSquares,
            "lightsquares" => Node::SquareColor(true),
            "darksquares" => Node::SquareColor(false),
            "not" => Node::Not(self.boxed()?),
            "attack" | "attacks" => {
                let range = self.range()?;
                let (from, to) = self.two_sets()?;
                Node::Attack(range, from, to)
            }
            "between" => {
                let (from, to) = self.two_sets()?;
                Node::Between(from, to)
            }
            "countsquares" => Node::CountSquares(self.required_range()?, self.boxed_set()?),
            "power" => Node::Power(self.range()?, self.boxed_set()?),
            "powerdifference" => {
                let range = self.range()?;
                let (from, to) = self.two_sets()?;
                Node::PowerDifference(range, from, to)
            }
            "ray" => self.ray()?,
            "move" => self.move_filter()?,
            "next" | "next2" | "previous" | "previous2" => self.sequence(word)?,
            "square" | "piece" => self.square_loop(word == "piece")?,
            "origin" => Node::Origin(self.variable()?),
            "relation" => self.relation()?,
            "silent" => Node::Silent(self.boxed()?),
            _ => {
                self.position -= 1;
                match self.game_filter(word)? {
                    Some(node) => node,
                    None => self.designator(word)?,
                }
            }
        })
    }

    fn designator(&mut self, word: &str) -> Parsed<Node> {
        if let Some(designator) = designator::read(word, self.dot) {
            self.position += 1;
            return Ok(Node::Designator(designator));
        }
        Err(self.unknown(word))
    }

    /// The error about a word that is no filter.
    fn unknown(&self, word: &str) -> Box<Diagnostic> {
        let of_cql6 = [
            ("line", "`next`"),
            ("path", "`next`"),
            ("find", "`next*`"),
            ("echo", "`relation`"),
            ("attacks", "`attack (A B)`"),
            ("attackedby", "`attack (A B)`"),
            ("light", "`on lightsquares`"),
            ("dark", "`on darksquares`"),
            ("pin", "`ray attack (A B C)`"),
            ("xray", "`ray attack (A B C)`"),
            ("and", "nothing between filters that all have to match"),
            ("true", "`.`"),
        ];
        let diagnostic = self.error(Code::UnknownCql5Word, format!("no filter of CQL 5 is called `{word}`"));
        Box::new(match of_cql6.iter().find(|(name, _)| *name == word) {
            Some((_, old)) => diagnostic.help(format!(
                "CQL 5 writes {old}; for the words of CQL 6 choose the dialect `cql6`"
            )),
            None if word.starts_with("//") => diagnostic.help("comments of CQL 5 begin with `;`"),
            None => match super::words::nearest(word) {
                Some(near) => diagnostic.label(format!("did you mean `{near}`?")),
                None => *diagnostic,
            },
        })
    }

    fn two_sets(&mut self) -> Parsed<(Box<Filter>, Box<Filter>)> {
        self.expect('(')?;
        let sets = (self.boxed_set()?, self.boxed_set()?);
        self.expect(')')?;
        Ok(sets)
    }

    fn variable(&mut self) -> Parsed<String> {
        let name = self.peek_word().and_then(|word| word.strip_prefix('$'));
        match name {
            Some(name) if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
                self.position += 1;
                Ok(name.to_owned())
            }
            _ => Err(self.expected("a variable such as `$x`")),
        }
    }

    /// What follows `ray`.
    fn ray(&mut self) -> Parsed<Node> {
        let range = self.range()?;
        let mut directions = Directions::NONE;
        let attack = self.eat_word("attack") || self.eat_word("attacks");
        while let Some(&(_, more)) = self
            .peek_word()
            .and_then(|word| DIRECTIONS.iter().find(|(name, _)| *name == word))
        {
            if attack {
                return Err(self.refused(
                    "`ray attack` runs along the lines of the first piece; it takes no direction",
                    "leave out `attack` or the direction",
                ));
            }
            self.position += 1;
            directions = directions.union(more.iter().copied().collect());
        }
        self.expect('(')?;
        let mut arguments = vec![self.set()?, self.set()?];
        while !self.eat(')') {
            arguments.push(self.set()?);
        }
        Ok(Node::Ray(Ray {
            range,
            attack,
            directions: if directions == Directions::NONE {
                Directions::ALL
            } else {
                directions
            },
            arguments,
        }))
    }

    /// What follows `square` and `piece`; the body is all that follows inside the same delimiters.
    fn square_loop(&mut self, piece: bool) -> Parsed<Node> {
        let all = self.eat_word("all");
        let range = if all { None } else { self.range()? };
        let variable = self.variable()?;
        if !self.eat_word("in") {
            return Err(self.expected("`in`"));
        }
        Ok(Node::Loop(Loop {
            piece,
            all,
            range,
            variable,
            domain: self.boxed_set()?,
            body: self.filters()?,
        }))
    }
}
