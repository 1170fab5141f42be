//! Where names get their meaning, by the tokens around them.

use language::syntax::{Keyword, Symbol, Token, TokenKind};

use super::NameKind;

/// What the name at a token is defined as there; `None` where it is only used.
pub(super) fn defined_at(tokens: &[Token], at: usize) -> Option<NameKind> {
    let before = |distance: usize| at.checked_sub(distance).map(|index| &tokens[index]);
    let word = |distance: usize| before(distance).and_then(Token::keyword);
    let behind = tokens.get(at + 1).map(|token| &token.kind);
    let is_assigned = matches!(behind, Some(TokenKind::Symbol(symbol)) if assigns(*symbol));
    // `square all x`
    let loop_word = match word(1) {
        Some(Keyword::All) => word(2),
        word => word,
    };
    match (word(1), loop_word) {
        (Some(Keyword::Function), _) => Some(NameKind::Function),
        (Some(Keyword::Dictionary), _) => Some(NameKind::Dictionary),
        (_, Some(Keyword::Square | Keyword::Piece | Keyword::String)) => Some(NameKind::Variable),
        _ if is_assigned || before(1).is_some_and(|token| token.kind == TokenKind::PieceDeclaration) => {
            Some(NameKind::Variable)
        }
        _ => is_one_of_two_positions(tokens, at).then_some(NameKind::Variable),
    }
}

/// Whether a sign behind a name gives it a value, or makes it the variable of a loop.
fn assigns(symbol: Symbol) -> bool {
    symbol.is_assignment() || symbol == Symbol::Element
}

/// `echo (x y)`, `consecutivemoves 3 (x y)`
fn is_one_of_two_positions(tokens: &[Token], at: usize) -> bool {
    let is_name = |index: usize| tokens.get(index).is_some_and(|token| token.identifier().is_some());
    let is = |index: usize, symbol: Symbol| tokens.get(index).is_some_and(|token| token.is(symbol));
    let first = match at.checked_sub(1) {
        Some(before) if is(before, Symbol::LeftParen) => at,
        Some(before) if is_name(before) => before,
        _ => return false,
    };
    let is_pair =
        first > 0 && is(first - 1, Symbol::LeftParen) && is_name(first + 1) && is(first + 2, Symbol::RightParen);
    // Between the word and the parenthesis stand `quiet` and a range at most.
    let words = tokens[..first.saturating_sub(1)].iter().rev().take(4);
    let mut words =
        words.skip_while(|token| matches!(token.kind, TokenKind::Number(_) | TokenKind::Keyword(Keyword::Quiet)));
    let word = words.next().and_then(Token::keyword);
    is_pair && matches!(word, Some(Keyword::Echo | Keyword::Consecutivemoves))
}
