//! The ladder of operators (docs/language/syntax.md#operators): one loop, climbing from tight to loose.
//!
//! An operator is attempted only if the kind of its left side allows it. Otherwise it is left unread, and the caller
//! reports it.

use super::scope::a_filter;
use super::{Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::hir::{Arithmetic, Comparison, Filter, Kind, Node};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol};

/// How tight an operator binds, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Member,
    Relation,
    Sum,
    Product,
    Dash,
    Arrow,
    Union,
    Intersection,
    Attack,
    Postfix,
    Colon,
    Primary,
}

/// A node with two operands.
type Binary = fn(Box<Filter>, Box<Filter>) -> Node;

/// An operator that can continue the filter before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Or,
    And,
    Member,
    Compare(Comparison),
    Differ,
    Arithmetic(Arithmetic),
    Dash,
    Arrow(Symbol),
    Union,
    Intersection,
    Attacks,
    AttackedBy,
    Slice,
    Match,
    At,
}

impl Operator {
    fn level(self) -> Level {
        match self {
            Operator::Or => Level::Or,
            Operator::And => Level::And,
            Operator::Member => Level::Member,
            Operator::Compare(_) | Operator::Differ => Level::Relation,
            Operator::Arithmetic(Arithmetic::Add | Arithmetic::Subtract) => Level::Sum,
            Operator::Arithmetic(_) => Level::Product,
            Operator::Dash => Level::Dash,
            Operator::Arrow(_) => Level::Arrow,
            Operator::Union => Level::Union,
            Operator::Intersection => Level::Intersection,
            Operator::Attacks | Operator::AttackedBy => Level::Attack,
            Operator::Slice | Operator::Match => Level::Postfix,
            Operator::At => Level::Colon,
        }
    }

    /// The loosest level that can follow directly: one looser for operators that do not repeat on their level.
    fn ceiling(self) -> Level {
        match self {
            Operator::Member => Level::And,
            Operator::Compare(_) | Operator::Differ => Level::Member,
            Operator::Dash => Level::Product,
            Operator::Arrow(_) => Level::Dash,
            Operator::At => Level::Postfix,
            other => other.level(),
        }
    }
}

/// A filter that was read, did not fit, and will be read again at the same place.
#[derive(Debug)]
pub(super) struct Replay {
    level: Level,
    start: usize,
    end: usize,
    filter: Filter,
}

impl Parser<'_> {
    /// A filter whose operators are at this level or tighter.
    pub(super) fn expression(&mut self, min: Level) -> Parsed<Filter> {
        if let Some(replay) = self
            .replay
            .take_if(|replay| replay.level == min && replay.start == self.position)
        {
            self.position = replay.end;
            return Ok(replay.filter);
        }
        self.nested(|parser| {
            let is_dash = matches!(parser.peek().map(|token| &token.kind), Some(TokenKind::Dash(_)));
            if is_dash && min <= Level::Dash {
                let left = parser.dash(None)?;
                return parser.climb(left, Level::Product, min);
            }
            let left = parser.primary()?;
            parser.climb(left, Level::Primary, min)
        })
    }

    /// A filter of this kind; the message says where it stands.
    pub(super) fn expression_of(&mut self, min: Level, kind: Kind, place: &str) -> Parsed<Filter> {
        let filter = self.expression(min)?;
        self.check_kind(&filter, kind, place)?;
        Ok(filter)
    }

    /// Fails unless the filter is of this kind.
    pub(super) fn check_kind(&self, filter: &Filter, kind: Kind, place: &str) -> Parsed<()> {
        if filter.kind == kind {
            return Ok(());
        }
        let message = format!("expected {} {place}, found {}", a_filter(kind), a_filter(filter.kind));
        let mut diagnostic = Diagnostic::new(Code::WrongKind, filter.span, message);
        let start = Span {
            end: filter.span.start,
            ..filter.span
        };
        if kind == Kind::Numeric && filter.kind == Kind::Set {
            diagnostic.help = Some("write `#` before the set to count its squares".to_owned());
            diagnostic = diagnostic.fix(Fix::replace("insert `#`", start, "#"));
        }
        if kind == Kind::Set {
            let help = match (&filter.node, filter.kind) {
                (_, Kind::String) if place == "after `~`" => Some("write `~~` and a regular expression behind a text"),
                (_, Kind::Logical) if place == "after `~`" => {
                    Some("write `not` before a condition; `~` gives the other squares of a set")
                }
                (Node::Or(..), _) => Some("`or` joins conditions; write `|` between sets"),
                (Node::And(..), _) => Some("`and` joins conditions; write `&` between sets"),
                _ => None,
            };
            diagnostic.help = help.map(str::to_owned);
        }
        Err(Box::new(diagnostic))
    }

    /// Continues a filter with operators between two levels.
    pub(super) fn climb(&mut self, mut left: Filter, mut ceiling: Level, min: Level) -> Parsed<Filter> {
        while let Some(operator) = self.operator(left.kind) {
            if operator.level() < min || operator.level() > ceiling {
                break;
            }
            let before = self.position;
            left = self.apply(operator, left)?;
            if self.position == before {
                break;
            }
            ceiling = operator.ceiling();
        }
        Ok(left)
    }

    /// The operator here, if it can continue a filter of this kind.
    fn operator(&self, left: Kind) -> Option<Operator> {
        let token = self.peek()?;
        let number = |operator| (left == Kind::Numeric).then_some(Operator::Arithmetic(operator));
        let set = |operator| (left == Kind::Set).then_some(operator);
        let text = |operator| (left == Kind::String).then_some(operator);
        let compare = |operator| (left != Kind::Logical).then_some(operator);
        match &token.kind {
            TokenKind::Dash(dash) if dash.left_tied => set(Operator::Dash),
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::Or => Some(Operator::Or),
                Keyword::And => Some(Operator::And),
                Keyword::In if matches!(left, Kind::Set | Kind::String) => Some(Operator::Member),
                Keyword::Attack | Keyword::Attacks => set(Operator::Attacks),
                Keyword::Attackedby => set(Operator::AttackedBy),
                Keyword::Attacked if self.peek_ahead(1)?.keyword() == Some(Keyword::By) => set(Operator::AttackedBy),
                _ => None,
            },
            TokenKind::Symbol(symbol) => match symbol {
                Symbol::Plus | Symbol::Star if self.is_wildcard() => None,
                Symbol::Plus if left == Kind::String => Some(Operator::Arithmetic(Arithmetic::Add)),
                Symbol::Plus => number(Arithmetic::Add),
                Symbol::Minus => number(Arithmetic::Subtract),
                Symbol::Star => number(Arithmetic::Multiply),
                Symbol::Slash => number(Arithmetic::Divide),
                Symbol::Percent => number(Arithmetic::Remainder),
                Symbol::AttackArrow | Symbol::AttackedArrow => set(Operator::Arrow(*symbol)),
                Symbol::Bar => set(Operator::Union),
                Symbol::Ampersand if matches!(left, Kind::Set | Kind::Position) => Some(Operator::Intersection),
                Symbol::LeftBracket => text(Operator::Slice),
                Symbol::Matches => text(Operator::Match),
                Symbol::Colon => (left == Kind::Position).then_some(Operator::At),
                Symbol::NotEqual => compare(Operator::Differ),
                other => compare(Operator::Compare(comparison(*other)?)),
            },
            _ => None,
        }
    }

    /// Reads an operator and its right side.
    fn apply(&mut self, operator: Operator, left: Filter) -> Parsed<Filter> {
        let place = self.here();
        match operator {
            Operator::Or => return self.chain(left, Keyword::Or, Level::And, Node::Or),
            Operator::And => return self.chain(left, Keyword::And, Level::Member, Node::And),
            Operator::Dash => return self.dash(Some(left)),
            Operator::Arrow(arrow) => return self.arrows(left, arrow),
            Operator::Slice => return self.slice(left),
            Operator::Match => return self.regex_match(left),
            Operator::Arithmetic(operator) => return self.arithmetic(operator, left),
            Operator::AttackedBy if self.at_keyword(Keyword::Attacked) => self.bump(),
            _ => {}
        }
        self.bump();
        // A list that takes one more operand does not grow.
        if !matches!(
            (operator, &left.node),
            (Operator::Union, Node::Union(_)) | (Operator::Intersection, Node::Intersection(_))
        ) {
            self.grow(1)?;
        }
        let start = left.span;
        match operator {
            Operator::Member => self.member(left),
            Operator::Compare(comparison) => {
                let right = self.expression(Level::Relation)?;
                self.compare(comparison, left, right, place)
            }
            Operator::Differ => self.differ(left, place),
            Operator::Union => {
                let right = self.expression_of(Level::Intersection, Kind::Set, "on the right of `|`")?;
                Ok(flatten(
                    left,
                    right,
                    |node| {
                        if let Node::Union(list) = node {
                            Ok(list)
                        } else {
                            Err(node)
                        }
                    },
                    Node::Union,
                ))
            }
            Operator::Intersection => self.intersection(left),
            Operator::Attacks => {
                let right = self.expression_of(Level::Postfix, Kind::Set, "on the right of `attacks`")?;
                let span = start.to(right.span);
                Ok(Filter::new(
                    Node::Attacks(Box::new(left), Box::new(right)),
                    Kind::Set,
                    span,
                ))
            }
            Operator::AttackedBy => {
                let right = self.expression_of(Level::Postfix, Kind::Set, "on the right of `attackedby`")?;
                let span = start.to(right.span);
                Ok(Filter::new(
                    Node::AttackedBy(Box::new(left), Box::new(right)),
                    Kind::Set,
                    span,
                ))
            }
            _ => {
                let right = self.expression(Level::Colon)?;
                let (kind, span) = (right.kind, start.to(right.span));
                Ok(Filter::new(Node::At(Box::new(left), Box::new(right)), kind, span))
            }
        }
    }

    /// `a or b or ...` as a balanced tree: the order of evaluation is the same, and a long list does not make it high.
    fn chain(&mut self, left: Filter, word: Keyword, level: Level, node: Binary) -> Parsed<Filter> {
        let mut operands = vec![left];
        while self.eat_keyword(word) {
            operands.push(self.expression(level)?);
        }
        self.grow(operands.len().next_power_of_two().trailing_zeros())?;
        Ok(balanced(operands, Kind::Logical, node))
    }

    fn member(&mut self, left: Filter) -> Parsed<Filter> {
        let start = left.span;
        let (node, right): (Binary, Filter) = if left.kind == Kind::Set {
            (
                Node::Subset,
                self.expression_of(Level::Dash, Kind::Set, "on the right of `in`")?,
            )
        } else {
            (
                Node::Substring,
                self.expression_of(Level::Relation, Kind::String, "on the right of `in`")?,
            )
        };
        let span = start.to(right.span);
        Ok(Filter::new(node(Box::new(left), Box::new(right)), Kind::Logical, span))
    }

    fn differ(&mut self, left: Filter, place: Span) -> Parsed<Filter> {
        let right = self.expression(Level::Relation)?;
        if left.kind == Kind::Position && right.kind == Kind::Position {
            let message = "positions cannot be compared with `!=`";
            return Err(Box::new(
                Diagnostic::new(Code::PositionInequality, place, message)
                    .help("write `not` before a comparison with `==`"),
            ));
        }
        self.grow(1)?;
        let equal = self.compare(Comparison::Equal, left, right, place)?;
        let span = equal.span;
        Ok(Filter::new(Node::Not(Box::new(equal)), Kind::Logical, span))
    }

    fn compare(&mut self, comparison: Comparison, left: Filter, right: Filter, place: Span) -> Parsed<Filter> {
        let span = left.span.to(right.span);
        let pair = |left: Filter, right: Filter| (Box::new(left), Box::new(right));
        if is_about_the_tree(comparison) && (left.kind, right.kind) != (Kind::Position, Kind::Position) {
            let (left, right) = (a_filter(left.kind), a_filter(right.kind));
            let message = format!("cannot compare {left} with {right} by their places in the game");
            return Err(Box::new(
                Diagnostic::new(Code::KindMismatch, place, message)
                    .help("numbers and strings are compared by `<`, `<=`, `>` and `>=`"),
            ));
        }
        let (node, kind) = match (left.kind, right.kind) {
            (Kind::Set, Kind::Set) if comparison == Comparison::Equal => {
                let (left, right) = pair(left, right);
                (Node::SameSet(left, right), Kind::Logical)
            }
            (Kind::Numeric, Kind::Numeric | Kind::Set) | (Kind::Set, Kind::Numeric) => {
                let (left, right) = pair(counted(left), counted(right));
                (Node::CompareNumbers(comparison, left, right), Kind::Numeric)
            }
            (Kind::String, Kind::String) => {
                let (left, right) = pair(left, right);
                (Node::CompareStrings(comparison, left, right), Kind::String)
            }
            (Kind::Position, Kind::Position) => {
                let (left, right) = pair(left, right);
                (Node::ComparePositions(comparison, left, right), Kind::Position)
            }
            (left, right) => {
                let message = format!("cannot compare {} with {}", a_filter(left), a_filter(right));
                let mut diagnostic = Diagnostic::new(Code::KindMismatch, place, message);
                diagnostic.help = match (left, right) {
                    (Kind::Set, Kind::Set) => Some("write `#` before one of the sets to compare sizes"),
                    (Kind::Numeric, Kind::String) => {
                        Some("write the number without quotation marks; `int` reads one from a text")
                    }
                    (Kind::String, Kind::Numeric) => {
                        Some("a text stands in quotation marks; `year`, `elo` and `int` are numbers")
                    }
                    _ => None,
                }
                .map(str::to_owned);
                return Err(Box::new(diagnostic));
            }
        };
        Ok(Filter::new(node, kind, span))
    }

    fn intersection(&mut self, left: Filter) -> Parsed<Filter> {
        let right = self.expression(Level::Attack)?;
        if left.kind == Kind::Set {
            self.check_kind(&right, Kind::Set, "on the right of `&`")?;
            let list = |node| {
                if let Node::Intersection(list) = node {
                    Ok(list)
                } else {
                    Err(node)
                }
            };
            return Ok(flatten(left, right, list, Node::Intersection));
        }
        self.check_kind(&right, Kind::Position, "on the right of `&`, as on its left")?;
        let span = left.span.to(right.span);
        Ok(Filter::new(
            Node::SameContents(Box::new(left), Box::new(right)),
            Kind::Set,
            span,
        ))
    }

    /// A chain of arrows in one direction: two sets attack, more are a line
    /// (docs/language/positions.md#chains-of-arrows).
    fn arrows(&mut self, left: Filter, arrow: Symbol) -> Parsed<Filter> {
        let start = left.span;
        let mut sets = vec![left];
        while self.eat(arrow) {
            let place = format!("on the right of `{}`", arrow.text());
            sets.push(self.expression_of(Level::Union, Kind::Set, &place)?);
        }
        self.grow(1)?;
        let span = self.since(start);
        let forward = arrow == Symbol::AttackArrow;
        if sets.len() > 2 {
            if !forward {
                sets.reverse();
            }
            return Ok(Filter::new(
                Node::Xray {
                    arguments: sets,
                    gives_first: forward,
                },
                Kind::Set,
                span,
            ));
        }
        let mut sets = sets.into_iter().map(Box::new);
        let (Some(first), Some(second)) = (sets.next(), sets.next()) else {
            return Err(self.expected_filter());
        };
        let node = if forward {
            Node::Attacks(first, second)
        } else {
            Node::AttackedBy(first, second)
        };
        Ok(Filter::new(node, Kind::Set, span))
    }

    /// A sum, product or concatenation.
    fn arithmetic(&mut self, operator: Arithmetic, left: Filter) -> Parsed<Filter> {
        if left.kind == Kind::String {
            return self.concatenation(left);
        }
        self.reject_line(operator, &left)?;
        let name = self.found();
        self.bump();
        let level = if matches!(operator, Arithmetic::Add | Arithmetic::Subtract) {
            Level::Product
        } else {
            Level::Dash
        };
        let right = self.expression(level)?;
        let place = format!("on the right of {name}, as on its left");
        self.check_kind(&right, Kind::Numeric, &place)
            .map_err(|diagnostic| match left.node {
                // The word was to be said of both.
                Node::Power(_) if right.kind == Kind::Set => {
                    let start = Span {
                        end: right.span.start,
                        ..right.span
                    };
                    let fix = Fix::replace("insert `power`", start, "power ");
                    let diagnostic = Diagnostic {
                        fixes: vec![fix],
                        ..*diagnostic
                    };
                    Box::new(diagnostic.help("`power` stands before each set"))
                }
                _ => diagnostic,
            })?;
        self.grow(1)?;
        let span = left.span.to(right.span);
        let node = Node::Arithmetic(operator, Box::new(left), Box::new(right));
        Ok(Filter::new(node, Kind::Numeric, span))
    }

    /// `a + b + ...` on strings as a balanced tree. A right side that is no string is given back: in `int "2" + 3` the
    /// sum is not the string's.
    fn concatenation(&mut self, left: Filter) -> Parsed<Filter> {
        let mut parts = vec![left];
        while self.at(Symbol::Plus) && !self.is_wildcard() {
            let plus = self.position;
            self.bump();
            let start = self.position;
            let right = self.expression(Level::Product)?;
            if right.kind != Kind::String {
                let (end, level) = (self.position, Level::Product);
                self.replay = Some(Replay {
                    level,
                    start,
                    end,
                    filter: right,
                });
                self.position = plus;
                break;
            }
            parts.push(right);
        }
        if parts.len() > 1 {
            self.grow(parts.len().next_power_of_two().trailing_zeros())?;
        }
        Ok(balanced(parts, Kind::String, Node::Concatenation))
    }
}

/// The comparison that a punctuator stands for.
fn comparison(symbol: Symbol) -> Option<Comparison> {
    Some(match symbol {
        Symbol::EqualEqual => Comparison::Equal,
        Symbol::Less => Comparison::Less,
        Symbol::LessEqual => Comparison::LessEqual,
        Symbol::Greater => Comparison::Greater,
        Symbol::GreaterEqual => Comparison::GreaterEqual,
        Symbol::Ancestor => Comparison::Ancestor,
        Symbol::AncestorEqual => Comparison::AncestorOrEqual,
        Symbol::Descendant => Comparison::Descendant,
        Symbol::DescendantEqual => Comparison::DescendantOrEqual,
        _ => return None,
    })
}

/// Whether a comparison asks which position is an ancestor of the other.
fn is_about_the_tree(comparison: Comparison) -> bool {
    matches!(
        comparison,
        Comparison::Ancestor | Comparison::AncestorOrEqual | Comparison::Descendant | Comparison::DescendantOrEqual
    )
}

/// A set as the number of its squares.
pub(super) fn counted(filter: Filter) -> Filter {
    if filter.kind != Kind::Set {
        return filter;
    }
    let span = filter.span;
    Filter::new(Node::Cardinality(Box::new(filter)), Kind::Numeric, span)
}

/// Joins operands, in order, by a binary node; the tree is as low as it can be.
fn balanced(mut operands: Vec<Filter>, kind: Kind, node: Binary) -> Filter {
    while operands.len() > 1 {
        let mut joined = Vec::with_capacity(operands.len().div_ceil(2));
        let mut rest = operands.into_iter();
        while let Some(left) = rest.next() {
            joined.push(match rest.next() {
                Some(right) => {
                    let span = left.span.to(right.span);
                    Filter::new(node(Box::new(left), Box::new(right)), kind, span)
                }
                None => left,
            });
        }
        operands = joined;
    }
    operands.swap_remove(0)
}

/// Joins two sets; a left side that is already such a list takes the right one in.
fn flatten(
    left: Filter,
    right: Filter,
    list: fn(Node) -> Result<Vec<Filter>, Node>,
    node: fn(Vec<Filter>) -> Node,
) -> Filter {
    let span = left.span.to(right.span);
    let Filter {
        node: inner,
        kind,
        span: left_span,
        ..
    } = left;
    let mut operands = match list(inner) {
        Ok(operands) => operands,
        Err(inner) => vec![Filter::new(inner, kind, left_span)],
    };
    operands.push(right);
    Filter::new(node(operands), Kind::Set, span)
}
