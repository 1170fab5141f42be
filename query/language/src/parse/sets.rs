//! Set filters with arguments, and transforms.

use super::operators::Level;
use super::{Parsed, Parser};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Direction, Directions, Filter, Kind, Node, PinValue, Range};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol};
use crate::transform::Transform;

/// The directions that a word stands for.
pub(super) fn directions(keyword: Keyword) -> Option<Directions> {
    let one = Directions::from_direction;
    Some(match keyword {
        Keyword::Up => one(Direction::Up),
        Keyword::Down => one(Direction::Down),
        Keyword::Left => one(Direction::Left),
        Keyword::Right => one(Direction::Right),
        Keyword::Northeast => one(Direction::Northeast),
        Keyword::Northwest => one(Direction::Northwest),
        Keyword::Southeast => one(Direction::Southeast),
        Keyword::Southwest => one(Direction::Southwest),
        Keyword::Vertical => one(Direction::Up).union(one(Direction::Down)),
        Keyword::Horizontal => one(Direction::Left).union(one(Direction::Right)),
        Keyword::Maindiagonal => one(Direction::Northeast).union(one(Direction::Southwest)),
        Keyword::Offdiagonal => one(Direction::Northwest).union(one(Direction::Southeast)),
        Keyword::Diagonal => Directions::DIAGONAL,
        Keyword::Orthogonal => Directions::ORTHOGONAL,
        Keyword::Anydirection => Directions::ALL,
        _ => return None,
    })
}

/// The transform that a word stands for.
pub(super) fn transform(keyword: Keyword) -> Option<Transform> {
    Some(match keyword {
        Keyword::Flip | Keyword::Flipdihedral | Keyword::Dihedral => Transform::Flip,
        Keyword::Rotate90 => Transform::Rotate90,
        Keyword::Rotate45 => Transform::Rotate45,
        Keyword::Fliphorizontal => Transform::FlipHorizontal,
        Keyword::Flipvertical => Transform::FlipVertical,
        Keyword::Flipcolor => Transform::FlipColor,
        Keyword::Reversecolor => Transform::ReverseColor,
        Keyword::Shift => Transform::Shift,
        Keyword::Shifthorizontal => Transform::ShiftHorizontal,
        Keyword::Shiftvertical => Transform::ShiftVertical,
        _ => return None,
    })
}

/// A transform around its argument; the kind follows docs/language/transforms.md#results.
pub(crate) fn transformed(transform: Transform, range: Option<Range>, argument: Filter, span: Span) -> Filter {
    let kind = match argument.kind {
        _ if range.is_some() => Kind::Numeric,
        kind @ (Kind::Set | Kind::Numeric) => kind,
        Kind::Logical | Kind::String | Kind::Position => Kind::Logical,
    };
    Filter::new(
        Node::Transform {
            transform,
            range,
            distinct: true,
            argument: Box::new(argument),
        },
        kind,
        span,
    )
}

impl Parser<'_> {
    /// `flip [count | range] F`
    pub(super) fn transform(&mut self, transform: Transform, span: Span) -> Parsed<Filter> {
        self.bump();
        let range = if transform == Transform::ReverseColor {
            None
        } else {
            self.range()?
        };
        let argument = self.expression(Level::Or)?;
        let span = span.to(argument.span);
        Ok(transformed(transform, range, argument, span))
    }

    /// `notransform F`
    pub(super) fn no_transform(&mut self, span: Span) -> Parsed<Filter> {
        let argument = self.whole_argument()?;
        let (kind, span) = (argument.kind, span.to(argument.span));
        Ok(Filter::new(Node::NoTransform(Box::new(argument)), kind, span))
    }

    /// `up [range] S`
    pub(super) fn direction(&mut self, directions: Directions, span: Span) -> Parsed<Filter> {
        let name = self.found();
        self.bump();
        let range = self.range()?;
        let argument = self.expression(Level::Colon)?;
        if let Err(mut diagnostic) = self.check_kind(&argument, Kind::Set, &format!("after {name}")) {
            if argument.kind == Kind::Numeric {
                diagnostic.help =
                    Some("a number is a range only if no operator follows it; put the set into parentheses".into());
            }
            return Err(diagnostic);
        }
        let span = span.to(argument.span);
        Ok(Filter::new(
            Node::Direction {
                directions,
                range,
                argument: Box::new(argument),
            },
            Kind::Set,
            span,
        ))
    }

    /// `ray DIRECTIONS (S1 ... Sn)`, `ray attack (S1 ... Sn)`
    pub(super) fn ray(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        if self.eat_keyword(Keyword::Attack) || self.eat_keyword(Keyword::Attacks) {
            return self.xray_arguments(span);
        }
        let mut named = Directions::NONE;
        while let Some(more) = self.keyword().and_then(directions) {
            if named.intersects(more) {
                let message = format!("{} names a direction for the second time", self.found());
                return Err(Box::new(Diagnostic::new(Code::BadParameter, self.here(), message)));
            }
            named = named.union(more);
            self.bump();
        }
        let directions = if named == Directions::NONE {
            Directions::ALL
        } else {
            named
        };
        let arguments = self.line_of_sets("ray")?;
        Ok(Filter::new(
            Node::Ray { directions, arguments },
            Kind::Set,
            self.since(span),
        ))
    }

    /// `xray (S1 ... Sn)`
    pub(super) fn xray(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        self.xray_arguments(span)
    }

    fn xray_arguments(&mut self, span: Span) -> Parsed<Filter> {
        let arguments = self.line_of_sets("xray")?;
        Ok(Filter::new(
            Node::Xray {
                arguments,
                gives_first: false,
            },
            Kind::Set,
            self.since(span),
        ))
    }

    /// `( S1 ... Sn )` with two sets at least.
    fn line_of_sets(&mut self, name: &str) -> Parsed<Vec<Filter>> {
        self.expect(Symbol::LeftParen)?;
        let open = self.previous();
        let mut sets = Vec::new();
        while !self.at(Symbol::RightParen) {
            if self.at(Symbol::Comma) {
                self.close_arguments(name)?;
            }
            sets.push(self.expression_of(Level::Or, Kind::Set, &format!("in the parentheses of `{name}`"))?);
        }
        self.bump();
        if sets.len() < 2 {
            let message = format!("`{name}` needs at least two sets");
            return Err(Box::new(Diagnostic::new(Code::BadArguments, self.since(open), message)));
        }
        Ok(sets)
    }

    /// `pin from F through T to G`; the first parameter decides which set is given.
    pub(super) fn pin(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let (mut from, mut through, mut to) = (None, None, None);
        let mut value = None;
        loop {
            let (slot, gives) = match self.keyword() {
                Some(Keyword::From) => (&mut from, PinValue::From),
                Some(Keyword::Through) => (&mut through, PinValue::Through),
                Some(Keyword::To) => (&mut to, PinValue::To),
                _ => break,
            };
            if slot.is_some() {
                return Err(self.repeated("pin"));
            }
            let place = format!("after {}", self.found());
            self.bump();
            *slot = Some(Box::new(self.expression_of(Level::Colon, Kind::Set, &place)?));
            value.get_or_insert(gives);
        }
        let value = value.unwrap_or(PinValue::Through);
        Ok(Filter::new(
            Node::Pin {
                from,
                through,
                to,
                value,
            },
            Kind::Set,
            self.since(span),
        ))
    }

    /// The error that a parameter stands twice.
    pub(super) fn repeated(&self, name: &str) -> Box<Diagnostic> {
        let message = format!("{} stands twice behind `{name}`", self.found());
        Box::new(Diagnostic::new(Code::BadParameter, self.here(), message))
    }

    /// `between (S T)`
    pub(super) fn between(&mut self, span: Span) -> Parsed<Filter> {
        let (first, second) = self.pair(Level::Dash, Kind::Set, "between")?;
        Ok(Filter::new(Node::Between(first, second), Kind::Set, self.since(span)))
    }

    /// `light S`, `dark S`
    pub(super) fn square_color(&mut self, light: bool, span: Span) -> Parsed<Filter> {
        let place = format!("after {}", self.found());
        self.bump();
        let set = self.expression_of(Level::Colon, Kind::Set, &place)?;
        let span = span.to(set.span);
        Ok(Filter::new(Node::SquareColor(light, Box::new(set)), Kind::Set, span))
    }

    /// `makesquare (F R)`, `makesquare "e4"`
    pub(super) fn make_square(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let is_open = self.at(Symbol::LeftParen);
        let before = self.position;
        self.position += usize::from(is_open);
        let first = self.expression(Level::Sum)?;
        if first.kind == Kind::Numeric && is_open {
            let second = self.expression_of(Level::Sum, Kind::Numeric, "as the rank of `makesquare`")?;
            self.close_arguments("makesquare")?;
            return Ok(Filter::new(
                Node::MakeSquare(Box::new(first), Box::new(second)),
                Kind::Set,
                self.since(span),
            ));
        }
        self.check_kind(
            &first,
            Kind::String,
            "or two numeric ones in parentheses after `makesquare`",
        )?;
        let name = if is_open {
            // The parenthesis may belong to a longer string: `makesquare ("e") + "4"`.
            self.position = before;
            self.expression_of(Level::Sum, Kind::String, "after `makesquare`")?
        } else {
            first
        };
        let span = span.to(name.span);
        Ok(Filter::new(Node::MakeSquareNamed(Box::new(name)), Kind::Set, span))
    }
}
