//! What to write instead: reserved words, operators, other dialects.

use super::{Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::Kind;
use crate::syntax::{Keyword, Symbol, Token};

/// How a reserved word is used that is no filter.
pub(super) fn reserved_hint(keyword: Keyword) -> Option<&'static str> {
    Some(match keyword {
        Keyword::Any => "write `.` for all squares",
        Keyword::Capture | Keyword::Captures => "write `[x]` for a capture, or `move capture S`",
        Keyword::Promote => "write `--=Q` for a promotion, or `move promote Q`",
        Keyword::Null => "write `nullmove`",
        Keyword::Then => "write `if C then F`",
        Keyword::Else => "`else` belongs to an `if` with one filter before it; write `{ }` around several",
        Keyword::By => "write `attackedby`",
        Keyword::Attacked => "write `attackedby`",
        Keyword::Substring => "write `\"text\" in STRING`, or `STRING[i:j]`",
        Keyword::Count => "`count` belongs behind a transform, `find` or `move legal`",
        Keyword::All => "`all` belongs behind `square`, `piece` or `find`",
        Keyword::Quiet | Keyword::Silent | Keyword::Matchcount | Keyword::Matchstring | Keyword::Variations => {
            "this word belongs into the header, `cql( )`"
        }
        Keyword::Nestban | Keyword::Firstmatch | Keyword::Lastposition | Keyword::Singlecolor => {
            "this word is a parameter: it stands directly behind `line` or `path`"
        }
        Keyword::Focus | Keyword::Keepallbest | Keyword::Piecepath | Keyword::Title | Keyword::Verbose => {
            "this word is a parameter: it stands directly behind `path`"
        }
        Keyword::Through => "`through` belongs behind `pin`",
        Keyword::Nosort => "`nosort` belongs behind `similarposition`",
        Keyword::Pgn | Keyword::Input | Keyword::Output => "name the file in the header: `cql(input FILE)`",
        Keyword::Cql => "`cql( )` can stand only at the start",
        Keyword::Pathdebug => "it says something inside a `path` only, about CQL 6.2 itself",
        _ => return None,
    })
}

/// Whether a filter can begin with the word.
pub(super) fn begins_filter(keyword: Keyword) -> bool {
    use Keyword as K;
    !matches!(
        keyword,
        K::All
            | K::And
            | K::Any
            | K::Arrow
            | K::Attack
            | K::Attacked
            | K::Attackedby
            | K::Attacks
            | K::By
            | K::Capture
            | K::Captures
            | K::Count
            | K::Cql
            | K::Else
            | K::Firstmatch
            | K::Focus
            | K::In
            | K::Input
            | K::Keepallbest
            | K::Lastposition
            | K::Matchcount
            | K::Matchstring
            | K::Nestban
            | K::Nosort
            | K::Null
            | K::Oldline
            | K::Or
            | K::Output
            | K::Pgn
            | K::Piecepath
            | K::Promote
            | K::Quiet
            | K::Silent
            | K::Singlecolor
            | K::Substring
            | K::Then
            | K::Through
            | K::Title
            | K::Transform
            | K::Variations
            | K::Verbose
    )
}

/// Recognizes CQL 1 to 3, whose text is one parenthesised list.
pub(super) fn older_dialect(text: &str, tokens: &[Token]) -> Option<Diagnostic> {
    let second = tokens.get(1)?;
    let word = text.get(second.span.range())?;
    if !tokens.first()?.is(Symbol::LeftParen) || word != "match" && word != "position" {
        return None;
    }
    let follows = tokens.get(2)?;
    if word == "position"
        && !matches!(
            follows.kind,
            TokenKind::Symbol(Symbol::Colon | Symbol::Dot | Symbol::LeftBracket) | TokenKind::Designator(_)
        )
    {
        return None;
    }
    let message = format!("`({word}` begins a query of CQL 1 to 3");
    let span = tokens.first()?.span.to(second.span);
    Some(
        Diagnostic::new(Code::OtherDialect, span, message)
            .help("choose the dialect `cql1`, or write the filters of CQL 6"),
    )
}

impl Parser<'_> {
    /// What to write instead of what stands here, where a filter was expected.
    pub(super) fn hint(&self) -> Option<String> {
        if let Some(hint) = self.comma_hint() {
            return Some(hint);
        }
        Some(match &self.peek()?.kind {
            TokenKind::Repetition { min, .. } => {
                format!("`{{{min}}}` without blanks is a repetition; write `{{ {min} }}` or `({min})` for the number")
            }
            TokenKind::Outcome(_) => {
                "a result stands behind `result`; put blanks around the minus sign of a difference".into()
            }
            TokenKind::Symbol(Symbol::RightParen) if self.follows_any(Symbol::LeftParen) => {
                "parentheses hold one filter; an empty set is `[]`".into()
            }
            TokenKind::Symbol(Symbol::RightBrace) if self.follows_any(Symbol::LeftBrace) => {
                "braces hold at least one filter; `true` always matches".into()
            }
            TokenKind::LineCommentEnd => "a `///` comment needs an argument on its line".into(),
            TokenKind::Symbol(Symbol::Ampersand) if self.follows(Symbol::Ampersand) => {
                "write `and` between conditions; `&` joins sets".into()
            }
            TokenKind::Symbol(Symbol::Bar) if self.follows(Symbol::Bar) => {
                "write `or` between conditions; `|` joins sets".into()
            }
            TokenKind::Symbol(Symbol::Greater) if self.follows(Symbol::Less) => "write `!=`".into(),
            TokenKind::Symbol(Symbol::Assign) if self.follows(Symbol::EqualEqual) => "write `==`".into(),
            TokenKind::Symbol(Symbol::Assign) => self.assignment_hint()?,
            TokenKind::Symbol(Symbol::Plus) if self.follows(Symbol::Assign) => "write `+=`".into(),
            TokenKind::Symbol(Symbol::Plus) if self.follows(Symbol::Plus) => "write `x += 1`".into(),
            TokenKind::Symbol(Symbol::LeftBracket)
                if self.peek_ahead(1).is_some_and(|next| next.keyword().is_some()) =>
            {
                "square brackets hold pieces or squares; conditions stand in `{ }`".into()
            }
            TokenKind::Symbol(Symbol::AttackedArrow) => {
                "`<-` is an arrow; write `< -` to compare with a negative number".into()
            }
            TokenKind::Symbol(Symbol::LeftBracket) => {
                "a designator holds no blanks, and lists hold only letters or only squares: `[RB]a1`, `R[a1,b2]`".into()
            }
            TokenKind::Symbol(Symbol::Ampersand | Symbol::Bar)
                if self.follows_any(Symbol::Ampersand) || self.follows_any(Symbol::Bar) =>
            {
                "the operator stands twice".into()
            }
            _ => return None,
        })
    }

    /// The hint for a comma between arguments.
    pub(super) fn comma_hint(&self) -> Option<String> {
        self.at(Symbol::Comma)
            .then(|| "arguments are separated by blanks; commas stand only inside designators".into())
    }

    /// Whether this punctuator stands directly before the token here.
    fn follows(&self, symbol: Symbol) -> bool {
        let before = self.position.checked_sub(1).and_then(|index| self.tokens.get(index));
        self.is_adjacent() && before.is_some_and(|token| token.is(symbol))
    }

    /// The same with blanks between, or none.
    fn follows_any(&self, symbol: Symbol) -> bool {
        let before = self.position.checked_sub(1).and_then(|index| self.tokens.get(index));
        before.is_some_and(|token| token.is(symbol))
    }

    fn assignment_hint(&self) -> Option<String> {
        let before = self.tokens.get(self.position.checked_sub(1)?)?;
        let text = self.text.get(before.span.range())?;
        if !matches!(before.kind, TokenKind::Designator(_)) {
            return None;
        }
        Some(match text.strip_prefix('[').and_then(|key| key.strip_suffix(']')) {
            Some(key) => format!("`{text}` is a designator; write `[ {key} ]` for the key of a dictionary"),
            None => format!("`{text}` is a designator and can name no variable; `==` compares"),
        })
    }

    /// What to write instead of an operator that cannot follow a filter of this kind.
    pub(super) fn operator_hint(&self, left: Kind) -> Option<String> {
        if let Some(hint) = self.wildcard_hint().or_else(|| self.comma_hint()) {
            return Some(hint);
        }
        let token = self.peek()?;
        Some(match (&token.kind, left) {
            (TokenKind::Symbol(Symbol::ArrowForward | Symbol::ArrowBackward), _) => {
                "a sequence begins with `line` and its arrow".into()
            }
            (TokenKind::Symbol(Symbol::Assign), _)
                if self
                    .peek_ahead(1)
                    .is_some_and(|next| next.is(Symbol::Greater) || next.is(Symbol::Less)) =>
            {
                "write `>=` or `<=`".into()
            }
            (TokenKind::Symbol(Symbol::Assign), Kind::Set) => {
                self.assignment_hint().unwrap_or_else(|| "write `==` to compare".into())
            }
            (TokenKind::Symbol(Symbol::Assign), Kind::String)
                if self.peek_ahead(1).is_some_and(|next| next.is(Symbol::Tilde)) =>
            {
                "write `~~` and a regular expression".into()
            }
            (TokenKind::Symbol(Symbol::Assign), Kind::String) => {
                "write `==` for the whole text; `player \"Tal\"` without a sign looks for a part of it".into()
            }
            (TokenKind::Symbol(Symbol::Assign), Kind::Numeric | Kind::Position) => "write `==` to compare".into(),
            (TokenKind::Symbol(Symbol::Plus | Symbol::Star | Symbol::Slash | Symbol::Percent), Kind::Set) => {
                "write `#` before a set to calculate with the number of its squares".into()
            }
            (TokenKind::Symbol(Symbol::Plus), Kind::String) => {
                "both sides of `+` have to be strings; `str( )` makes a string of anything".into()
            }
            (TokenKind::Symbol(Symbol::Plus), Kind::Numeric) => {
                "both sides of `+` have to be numeric; `int` reads a number from a string".into()
            }
            (TokenKind::Symbol(Symbol::Ampersand), Kind::Logical) => {
                "write `and` between conditions, or nothing at all; `&` joins sets".into()
            }
            (TokenKind::Symbol(Symbol::Bar), Kind::Logical) => "write `or` between conditions; `|` joins sets".into(),
            (TokenKind::Symbol(Symbol::Plus | Symbol::Minus | Symbol::Star), Kind::Logical) => {
                "this calculates with numbers; `and` and `or` join conditions, `#` counts the squares of a set".into()
            }
            (TokenKind::Symbol(Symbol::Colon), Kind::Set) => {
                "only a position filter can stand before `:`; write `&` for the squares that both sets have, `in` if \
                 all of one lie in the other"
                    .into()
            }
            (TokenKind::Symbol(Symbol::Colon), Kind::Logical) => {
                "only a position filter can stand before `:`; conditions stand one behind the other".into()
            }
            (TokenKind::Symbol(Symbol::Colon), Kind::Numeric) => {
                "only a position filter can stand before `:`, such as `position 3 : check`".into()
            }
            (TokenKind::Symbol(Symbol::Colon), _) => "only a position filter can stand before `:`".into(),
            (TokenKind::Symbol(Symbol::EqualEqual | Symbol::NotEqual), Kind::Logical) => {
                "logical filters have no value to compare; join them with `and`, `or`, `not`".into()
            }
            (TokenKind::Symbol(Symbol::AttackArrow | Symbol::AttackedArrow), Kind::Set) => {
                "a chain has arrows of one direction only".into()
            }
            (TokenKind::Keyword(Keyword::In), Kind::Numeric) => {
                "`in` asks about sets and texts; a range of numbers is `movenumber >= 3 movenumber <= 9`".into()
            }
            (TokenKind::Keyword(Keyword::Attacks | Keyword::Attackedby | Keyword::Attack), Kind::Numeric) => {
                "a set stands before it; parentheses go around a comparison: `(A attacks k) > 2`".into()
            }
            (TokenKind::Keyword(Keyword::In), Kind::Logical) => "write parentheses: `in` does not chain".into(),
            (TokenKind::Keyword(Keyword::Attacked), _) => "write `attackedby`".into(),
            (TokenKind::Repetition { .. } | TokenKind::Symbol(Symbol::Question), _) => {
                "wildcards repeat moves of `path` and constituents of `line`".into()
            }
            _ => return None,
        })
    }

    /// The hint that an operator is a wildcard here.
    pub(super) fn wildcard_hint(&self) -> Option<String> {
        (self.in_path() && (self.at(Symbol::Plus) || self.at(Symbol::Star))).then(|| {
            format!(
                "directly inside `path`, {} is a wildcard; put arithmetic into braces",
                self.found()
            )
        })
    }
}
