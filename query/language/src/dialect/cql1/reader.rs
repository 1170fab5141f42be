//! What both kinds of list share: keywords, ranges, designators, and what is known while a text is read.

use shakmaty::Color;

use super::ast::{Placed, outcome};
use super::cursor::{Cursor, Parsed, error};
use super::designator::{self, Piece, Wrong};
use super::list::Item;
use super::range::Range;
use super::{game, keyword, make};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Filter, Node};
use crate::span::Span;

/// How many lists `:xor` may have: it is written out for each.
pub(super) const MAX_XOR: usize = 20;

/// What is known while a text is read.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// Whether something was met that only CQL-S has.
    pub(super) is_cqls: bool,
}

impl Reader {
    /// An atom as a designator.
    pub(super) fn designator<'t>(&mut self, atom: &'t str, span: Span) -> Parsed<Piece<'t>> {
        match designator::read(atom) {
            Ok(read) => {
                self.is_cqls |= read.is_cqls;
                Ok(read.piece)
            }
            Err(Wrong::Foreign) => {
                let mut diagnostic = error(Code::BadDesignator, span, &format!("`{atom}` is no piece designator"));
                diagnostic.help = Some(match keyword::nearest(atom, true) {
                    Some(keyword) => format!("did you mean the keyword `:{keyword}`?"),
                    None => "a designator is a piece with squares, such as `R`, `Ra3`, `[RQ][a1-8,h1]`".to_owned(),
                });
                Err(diagnostic)
            }
            Err(Wrong::Bad(message)) => Err(error(Code::BadDesignator, span, &message)),
            Err(Wrong::Variant(what)) => {
                let message = format!("`{atom}` speaks of {what}, which is not supported");
                Err(error(Code::UnansweredKeyword, span, &message))
            }
        }
    }

    /// The designator that a keyword needs.
    pub(super) fn piece<'t>(
        &mut self,
        name: &str,
        span: Span,
        cursor: &mut Cursor<'_, 't>,
    ) -> Parsed<Placed<Piece<'t>>> {
        let is_designator = |item: &&Item<'t>| item.atom().is_some_and(|atom| !atom.starts_with([':', '!']));
        let Some(item) = cursor.peek().filter(is_designator) else {
            return Err(cursor.expected(&format!("`:{name}` needs a piece designator"), span));
        };
        cursor.next();
        let node = self.designator(item.atom().unwrap_or_default(), item.span)?;
        Ok(Placed { node, span: item.span })
    }

    /// Keywords about the game that both kinds of list have.
    pub(super) fn game_keyword<'t>(&mut self, name: &str, span: Span, cursor: &mut Cursor<'_, 't>) -> Parsed<Filter> {
        if name == "result" {
            let (word, _) = cursor.word(name, span)?;
            let mut results = Vec::new();
            for word in word.split(',') {
                let Some(outcome) = outcome(word) else {
                    return Err(cursor.bad(span, &format!("`{word}` is no result; it is 1-0, 0-1, 1/2 or *")));
                };
                results.push(make::logical(Node::Result(outcome), cursor.covered(span)));
            }
            self.is_cqls |= results.len() > 1 || word == "*";
            return Ok(make::any(results, cursor.covered(span)));
        }
        if matches!(name, "rating" | "whiterating" | "blackrating") {
            game::require_elo(cursor, span)?;
        }
        let range = self.range(name, span, cursor)?;
        let colors: &[Color] = match name {
            "whiteelo" | "whiterating" => &[Color::White],
            "blackelo" | "blackrating" => &[Color::Black],
            _ => &[Color::White, Color::Black],
        };
        let span = cursor.covered(span);
        Ok(make::any(
            colors.iter().map(|&color| game::rating(color, range, span)).collect(),
            span,
        ))
    }

    /// A range that has to be there.
    pub(super) fn range(&mut self, name: &str, span: Span, cursor: &mut Cursor<'_, '_>) -> Parsed<Range> {
        match self.optional_range(cursor)? {
            Some(range) => Ok(range),
            None => {
                let message = format!("`:{name}` needs a range: one number, or the smallest and the largest");
                Err(cursor.expected(&message, span))
            }
        }
    }

    /// A range, if there is one here.
    pub(super) fn optional_range(&mut self, cursor: &mut Cursor<'_, '_>) -> Parsed<Option<Range>> {
        let Some((range, is_cqls)) = cursor.range()? else {
            return Ok(None);
        };
        self.is_cqls |= is_cqls;
        Ok(Some(range))
    }
}

/// The error for a keyword that a list does not have.
pub(super) fn unknown(name: &str, span: Span, position: bool) -> Box<Diagnostic> {
    if let Some(why) = keyword::unanswered(name) {
        return error(
            Code::UnansweredKeyword,
            span,
            &format!("`:{name}` cannot be answered: {why}"),
        );
    }
    let (here, there) = if position {
        ("position", "match")
    } else {
        ("match", "position")
    };
    let elsewhere = if position {
        keyword::is_match_keyword(name)
    } else {
        keyword::is_position_keyword(name)
    };
    if elsewhere {
        let message = format!("`:{name}` stands in a {there} list, not in a {here} list");
        return error(Code::MisplacedKeyword, span, &message);
    }
    let mut diagnostic = error(Code::UnknownKeyword, span, &format!("CQL 1 has no keyword `:{name}`"));
    diagnostic.help = keyword::nearest(name, position).map(|keyword| format!("did you mean `:{keyword}`?"));
    diagnostic
}

/// The keyword that an atom is, and whether it is negated: `:check`, `!:check`, and `check` if `is_known` says that
/// it is one. `None` for other atoms.
pub(super) fn keyword_of(atom: &str, is_known: fn(&str) -> bool) -> Option<(&str, bool)> {
    match (atom.strip_prefix(':'), atom.strip_prefix("!:")) {
        (Some(name), _) => Some((name, false)),
        (_, Some(name)) => Some((name, true)),
        _ => is_known(atom).then_some((atom, false)),
    }
}
