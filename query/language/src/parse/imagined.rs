//! `move ... : F` and `imagine`: filters about positions that were not in the game
//! (docs/language/cqli.md#imagined-positions).

use shakmaty::Bitboard;

use super::operators::Level;
use super::{Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::facts::Leaves;
use crate::hir::{Change, Designator, Filter, Kind, ManSet, Metadata, MoveValue, Node};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol};

/// The words that begin a change of the board.
const CHANGES: &str = "`remove`, `add`, `move` or `sidetomove`";

impl Parser<'_> {
    /// Whether a colon here begins the target of a `move` filter. In the bounds of a slice it stands between them.
    pub(super) fn at_target(&self) -> bool {
        !self.in_slice && self.at(Symbol::Colon)
    }

    /// `: F` behind a `move` filter.
    pub(super) fn after_move(&mut self, moves: Filter, all: bool) -> Parsed<Filter> {
        self.allow_extension(self.here())?;
        self.bump();
        let start = moves.span;
        let target = Box::new(self.imagined_target()?);
        let is_count = matches!(&moves.node, Node::Move(m) if m.value == MoveValue::Count);
        let kind = match all && !is_count {
            true => Kind::Logical,
            false => moves.kind,
        };
        let moves = Box::new(moves);
        Ok(Filter::new(
            Node::AfterMove { moves, all, target },
            kind,
            self.since(start),
        ))
    }

    /// `imagine CHANGES : F`; the word is eaten.
    pub(super) fn imagine(&mut self, span: Span) -> Parsed<Filter> {
        let mut changes = Vec::new();
        while let Some(change) = self.change()? {
            changes.push(change);
        }
        if changes.is_empty() || !self.at(Symbol::Colon) {
            let what = match changes.is_empty() {
                true => CHANGES.to_owned(),
                false => format!("`:` or another change ({CHANGES})"),
            };
            return Err(Box::new(self.expected(&what).help(
                "write the changes, then a colon and a filter: `imagine remove q : mate`",
            )));
        }
        self.bump();
        let target = Box::new(self.imagined_target()?);
        if target.kind == Kind::Position {
            return Err(not_imagined(&target));
        }
        let kind = target.kind;
        Ok(Filter::new(Node::Imagine { changes, target }, kind, self.since(span)))
    }

    /// A change of the board, if one begins here.
    fn change(&mut self) -> Parsed<Option<Change>> {
        if self.eat_keyword(Keyword::Sidetomove) {
            if self.eat_name("reverse") {
                return Ok(Some(Change::OtherTurn));
            }
            return match self.color() {
                Some(color) => Ok(Some(Change::Turn(color))),
                None => Err(self.expected("`white`, `black` or `reverse`")),
            };
        }
        if self.eat_keyword(Keyword::Move) {
            let from = self.expression_of(Level::Union, Kind::Set, "after `move`")?;
            self.expect_keyword(Keyword::To)?;
            let to = self.expression_of(Level::Union, Kind::Set, "after `to`")?;
            return Ok(Some(Change::Move(from, to)));
        }
        if self.eat_name("remove") {
            let squares = self.expression_of(Level::Union, Kind::Set, "after `remove`")?;
            return Ok(Some(Change::Remove(squares)));
        }
        if self.eat_name("add") {
            return self.added().map(Some);
        }
        Ok(None)
    }

    /// What stands behind `add`.
    fn added(&mut self) -> Parsed<Change> {
        let place = self.here();
        let TokenKind::Designator(man) = self
            .peek()
            .map_or(TokenKind::LineCommentEnd, |token| token.kind.clone())
        else {
            return Err(self.expected("a man, such as `Qd4`"));
        };
        self.bump();
        if !is_one_man(man) {
            let message = "`add` needs one kind of man, of one color";
            return Err(Box::new(
                Diagnostic::new(Code::BadArguments, place, message).help("write `add Qd4`, or `add Q on` and a set"),
            ));
        }
        if !self.eat_name("on") {
            return match man.squares == Bitboard::FULL {
                false => Ok(Change::Add { man, squares: None }),
                true => Err(self.expected("`on` and a set of squares")),
            };
        }
        if man.squares != Bitboard::FULL {
            let message = "a man that is added has squares of its own, or those behind `on`";
            return Err(Box::new(Diagnostic::new(Code::BadArguments, place, message)));
        }
        let squares = Some(self.expression_of(Level::Union, Kind::Set, "after `on`")?);
        Ok(Change::Add { man, squares })
    }

    /// Consumes a name that is no reserved word, if it is here.
    fn eat_name(&mut self, name: &str) -> bool {
        let found =
            matches!(self.peek().map(|token| &token.kind), Some(TokenKind::Identifier(word)) if **word == *name);
        self.position += usize::from(found);
        found
    }

    /// The filter behind the colon.
    fn imagined_target(&mut self) -> Parsed<Filter> {
        self.grow(1)?;
        let target = self.expression(Level::Colon)?;
        match outside(&target) {
            Some(filter) => Err(not_imagined(filter)),
            None => Ok(target),
        }
    }
}

fn is_one_man(designator: Designator) -> bool {
    let men = designator.men;
    men.iter().count() == 1 && men.intersection(ManSet::EMPTY_SQUARE) == ManSet::NONE
}

fn not_imagined(filter: &Filter) -> Box<Diagnostic> {
    let message = "an imagined position is not in the game, so this can't be asked there";
    let label = "it looks at the game's other positions, or leaves something in the game";
    Box::new(
        Diagnostic::new(Code::NotImagined, filter.span, message)
            .label(label)
            .help("ask it outside; `parent : F` is the position that the imagined one comes from"),
    )
}

/// A part of the target of an imagined position that has no meaning there: it needs the position's place in the game, or
/// leaves something at it.
fn outside(filter: &Filter) -> Option<&Filter> {
    if is_outside(filter) {
        return Some(filter);
    }
    let parent = match &filter.node {
        Node::At(place, _) if matches!(place.node, Node::Parent) => Some(&**place),
        _ => None,
    };
    let mut found = None;
    filter.for_each_child(&mut |child| {
        if found.is_none() && !parent.is_some_and(|parent| std::ptr::eq(parent, child)) {
            found = outside(child);
        }
    });
    found
}

fn is_outside(filter: &Filter) -> bool {
    match &filter.node {
        Node::Find { .. }
        | Node::Line(_)
        | Node::Path(_)
        | Node::Echo { .. }
        | Node::Relation(_)
        | Node::DiagramRelation(_)
        | Node::ConsecutiveMoves { .. }
        | Node::PathCount
        | Node::PathCountUnfocused
        | Node::PathStart
        | Node::PathLastPosition
        | Node::Try
        | Node::PositionAt(_)
        | Node::Parent
        | Node::Child(_)
        | Node::CurrentPosition
        | Node::Lca(..)
        | Node::Distance(..)
        | Node::Ancestor(..)
        | Node::Descendant(..)
        | Node::PositionId
        | Node::Depth
        | Node::Mainline(_)
        | Node::VirtualMainline
        | Node::Primary(_)
        | Node::Initial
        | Node::Terminal
        | Node::Dash(_)
        | Node::CountMoves(None, _)
        | Node::Metadata(Metadata::Comment)
        | Node::Nag(_)
        | Node::Hhdb(_)
        | Node::HhdbCooked
        | Node::PositionSet(_)
        | Node::SimilarPosition(_)
        | Node::AssertVariations(_)
        | Node::Clock(_)
        | Node::MoveTime
        | Node::Evaluation(_) => true,
        Node::Move(m) => m.legality.is_none() && !m.previous,
        Node::Variable(_) | Node::DictionaryGet(..) => filter.kind == Kind::Position,
        // Parts that are positions are outside themselves.
        Node::Str(_) => false,
        _ => filter.facts().leaves.intersects(LEFT_IN_GAME),
    }
}

/// What can only be left at a position or in a game.
const LEFT_IN_GAME: Leaves = Leaves::COMMENTS
    .union(Leaves::SORT_KEY)
    .union(Leaves::TAG)
    .union(Leaves::MESSAGE)
    .union(Leaves::FILE)
    .union(Leaves::NESTBAN)
    .union(Leaves::PATH);
