//! How filters with arguments are written, for messages.

use super::{Parser, TokenKind, sets};
use crate::syntax::{Keyword, Token};

/// The form of a filter that takes arguments.
fn form(keyword: Keyword) -> Option<&'static str> {
    use Keyword as K;
    Some(match keyword {
        K::Between => "between (S T)",
        K::Max => "max (a b)",
        K::Min => "min (a b)",
        K::Ray => "ray (S T)",
        K::Xray => "xray (S T U)",
        K::Distance => "distance (P Q)",
        K::Lca => "lca (P Q)",
        K::Ancestor => "ancestor (P Q)",
        K::Descendant => "descendant (P Q)",
        K::Echo => "echo (source target) F",
        K::Makesquare => "makesquare (file rank)",
        K::Indexof => "indexof (PATTERN TEXT)",
        K::Equal => "equal (a b)",
        K::While => "while (C) F",
        K::Settag => "settag (\"Name\" TEXT)",
        K::Writefile => "writefile (NAME TEXT)",
        K::Consecutivemoves => "consecutivemoves (P Q)",
        K::If => "if C then F else G",
        K::Then | K::Else => "if C then F else G",
        K::Not => "not C",
        K::Loop => "loop F",
        K::Power => "power S",
        K::File => "file S",
        K::Rank => "rank S",
        K::Type => "type S",
        K::Colortype => "colortype S",
        K::Typename => "typename S",
        K::Piecename => "piecename S",
        K::Pieceid => "pieceid S",
        K::Light => "light S",
        K::Dark => "dark S",
        K::Find => "find F",
        K::Sort => "sort \"name\" N",
        K::Square => "square x in S F",
        K::Piece => "piece x in S F",
        K::Function => "function f(x y) { F }",
        K::Persistent => "persistent x = N",
        K::String => "string x in D F",
        K::Tag => "tag \"Name\"",
        K::Capture => "move capture S",
        K::Attacks | K::Attack => "S attacks T",
        K::Attackedby => "S attackedby T",
        K::And => "C and D",
        K::Or => "C or D",
        _ => return None,
    })
}

impl Parser<'_> {
    /// How the filter is written that goes on here, or that was expected to.
    pub(super) fn form_hint(&self) -> Option<String> {
        let keyword = self.keyword_before().or_else(|| {
            // An operator that has nothing before it.
            self.keyword().filter(|keyword| {
                matches!(
                    keyword,
                    Keyword::And | Keyword::Or | Keyword::Attacks | Keyword::Attack | Keyword::Attackedby
                )
            })
        });
        let keyword = keyword.or_else(|| self.loop_before())?;
        let is_number = self
            .peek()
            .is_some_and(|token| matches!(token.kind, TokenKind::Number(_)));
        if keyword == Keyword::Between && is_number {
            return Some("it is written `between (S T)`; a range of numbers is `year >= 1990 year <= 1999`".to_owned());
        }
        form_of(keyword)
    }

    /// The word directly before this place, its range and `all` left out.
    fn keyword_before(&self) -> Option<Keyword> {
        let mut before = self.tokens.get(..self.position)?.iter().rev();
        let is_parameter = |token: &&Token| {
            matches!(token.kind, TokenKind::Number(_)) || matches!(token.keyword(), Some(Keyword::All | Keyword::Quiet))
        };
        before.find(|token| !is_parameter(token)).and_then(Token::keyword)
    }

    /// The word of a loop or definition that begins a few tokens before this place.
    fn loop_before(&self) -> Option<Keyword> {
        let before = self.tokens.get(self.position.saturating_sub(4)..self.position)?;
        let mut words = before.iter().rev().filter_map(Token::keyword);
        words.find(|keyword| {
            matches!(
                keyword,
                Keyword::Square | Keyword::Piece | Keyword::Function | Keyword::Persistent | Keyword::String
            )
        })
    }
}

/// How a filter is written, as a sentence.
pub(super) fn form_of(keyword: Keyword) -> Option<String> {
    if sets::transform(keyword).is_some() {
        return Some(format!("it is written `{} {{ F }}`", keyword.text()));
    }
    if sets::directions(keyword).is_some() {
        return Some(format!("it is written `{0} S` or `{0} 1 2 S`", keyword.text()));
    }
    Some(format!("it is written `{}`", form(keyword)?))
}
