//! Positions that come back, and runs of positions that match (docs/language/cql1.md#what-keywords-of-cql-s-ask-for).

use super::ast::{List, Placed};
use super::lower::{Lowering, Parsed, transformed};
use super::make;
use super::range::Range;
use super::{cqls, cursor};
use crate::diagnostic::Code;
use crate::hir::{Arithmetic, Comparison, Dash, Filter, FindCount, Legality, Node, Variable, VariableId, VariableKind};
use crate::span::Span;

impl<'a, 't> Lowering<'a, 't> {
    /// `:threefoldrepetition`, `:fivefoldrepetition`: a position of the main line that is there for the third, the fifth
    /// time.
    pub(super) fn occurrence(&mut self, times: u32, span: Span) -> Filter {
        let often = self.occurs_at_least(times, span);
        let more = self.occurs_at_least(times + 1, span);
        let mainline = make::logical(Node::Mainline(true), span);
        make::all(vec![mainline, often, make::not(more, span)], span)
    }

    /// A position that was there before, in a position that was there before, and so on.
    fn occurs_at_least(&mut self, times: u32, span: Span) -> Filter {
        let (now, before) = (self.position_variable("Now"), self.position_variable("Before"));
        let place = |variable| Box::new(make::position(Node::Variable(variable), span));
        let earlier = Node::ComparePositions(Comparison::Ancestor, place(before), place(now));
        let contents = Box::new(make::set(Node::SameContents(place(now), place(before)), span));
        let board = Node::SameSet(contents, Box::new(make::set(Node::AllSquares, span)));
        let side = || Box::new(make::numeric(Node::SideToMove, span));
        let then = make::numeric(Node::At(place(now), side()), span);
        let turn = Node::CompareNumbers(Comparison::Equal, Box::new(then), side());
        let mut parts = vec![
            make::position(earlier, span),
            make::set(board, span),
            make::numeric(turn, span),
        ];
        // A right that is still there was there before: the men stand where they stood.
        parts.extend(['K', 'Q', 'k', 'q'].map(|letter| {
            let now = make::logical(Node::At(place(now), Box::new(cqls::right(letter, span))), span);
            make::any(vec![make::not(cqls::right(letter, span), span), now], span)
        }));
        // A pawn that could be captured en passant can't be any more.
        let en_passant = Dash {
            capture: false,
            left: None,
            right: None,
            promotion: None,
            target: vec![make::logical(Node::EnPassant, span)],
        };
        let capture = Node::LegalDash(Legality::Legal, Box::new(en_passant));
        parts.push(make::not(make::set(capture, span), span));
        if times > 2 {
            parts.push(self.occurs_at_least(times - 1, span));
        }
        let echo = Node::Echo {
            quiet: true,
            source: now,
            target: before,
            in_all: false,
            in_doubt: Vec::new(),
            body: Box::new(make::all(parts, span)),
        };
        make::logical(echo, span)
    }

    fn position_variable(&mut self, word: &str) -> VariableId {
        let id = self.first_variable + self.variables.len();
        self.variables.push(Variable {
            name: format!("{word}{id}"),
            kind: VariableKind::Position,
            persistent: false,
            quiet: false,
            atomic: false,
        });
        VariableId::at(id)
    }

    /// A list with its transforms, where it matches in a run of matching positions as long as it has to be.
    pub(super) fn in_run(&mut self, list: &'a List<'t>, here: Filter) -> Parsed<Filter> {
        let Some(range) = &list.repetition else {
            return Ok(here);
        };
        let counted = self.unbound(|lowering| lowering.content(list))?;
        let counted = transformed(list.transforms, None, counted, list.span);
        inside_run(list, here, &counted, range)
    }

    /// The same for one copy, before its transforms.
    pub(super) fn copy_in_run(&mut self, list: &'a List<'t>, here: Filter) -> Parsed<Filter> {
        let Some(range) = &list.copy_repetition else {
            return Ok(here);
        };
        let counted = self.unbound(|lowering| lowering.conditions(list))?;
        inside_run(list, here, &counted, range)
    }

    /// Outside of the sequence around, where the next move is any.
    fn unbound<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.is_bound, false);
        let lowered = lower(self);
        self.is_bound = outer;
        lowered
    }
}

/// A filter that holds here, in a run of positions whose length is in the range. Where it does not hold, the run is empty.
fn inside_run(list: &List<'_>, here: Filter, counted: &Filter, range: &Placed<Range>) -> Parsed<Filter> {
    let inside = long_run(list, here.clone(), counted, range)?;
    let span = range.span;
    Ok(match range.node.contains(0) {
        true => make::any(vec![make::not(here, span), inside], span),
        false => inside,
    })
}

/// A filter that holds here, where what is counted holds in a run of positions whose length is in the range.
pub(super) fn long_run(list: &List<'_>, here: Filter, counted: &Filter, range: &Placed<Range>) -> Parsed<Filter> {
    let (range, span) = (range.node, range.span);
    if let Some(scope) = &list.scope {
        let message = "runs of positions are counted on the main line only";
        return Err(cursor::error(Code::MisplacedKeyword, scope.span, message));
    }
    let long = make::within(run(counted, span), range, span);
    Ok(make::all(vec![here, long], span))
}

/// How many positions of the main line around this one, and this one, match without a gap.
fn run(filter: &Filter, span: Span) -> Filter {
    let mainline = |filter| make::all(vec![make::logical(Node::Mainline(true), span), filter], span);
    let other = || make::not(filter.clone(), span);
    let here = || Box::new(make::position(Node::CurrentPosition, span));
    let far = |place: Filter| make::numeric(Node::Distance(here(), Box::new(place)), span);
    let find = |backward, argument| {
        let node = Node::Find {
            backward,
            quiet: true,
            count: FindCount::First,
            argument: Box::new(argument),
        };
        make::position(node, span)
    };
    let plus = |operation, number: Filter| {
        let one = Box::new(make::number(1, span));
        make::numeric(Node::Arithmetic(operation, Box::new(number), one), span)
    };
    let length = |end: Filter, otherwise: Filter| {
        let then = Box::new(far(end.clone()));
        let node = Node::If(Box::new(end), then, Some(Box::new(plus(Arithmetic::Add, otherwise))));
        make::numeric(node, span)
    };
    let before = length(find(true, other()), make::numeric(Node::Ply, span));
    let end = find(false, mainline(make::logical(Node::Terminal, span)));
    let behind = length(find(false, mainline(other())), far(end));
    // This position is in both.
    let sum = Node::Arithmetic(Arithmetic::Add, Box::new(before), Box::new(behind));
    plus(Arithmetic::Subtract, make::numeric(sum, span))
}
