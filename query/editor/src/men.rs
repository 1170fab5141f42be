//! Piece designators in words.

use chess::Man;
use language::hir::{Designator, ManSet};
use shakmaty::Color;

/// So many squares are listed; of more only the number is given.
const LISTED: usize = 16;

/// "a white rook or a white queen, on a1, b1 or c1"
pub(crate) fn in_words(designator: Designator) -> String {
    let squares: Vec<String> = designator
        .squares
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    let men = men(designator.men);
    match squares.len() {
        64 => men,
        0 => format!("{men}, on no square"),
        count if count > LISTED => format!("{men}, on one of {count} squares"),
        _ => format!("{men}, on {}", listed(&squares)),
    }
}

fn men(men: ManSet) -> String {
    if men == ManSet::ANYTHING {
        return "any man, or an empty square".to_owned();
    }
    let whole = [
        (ManSet::WHITE | ManSet::BLACK, "any man"),
        (ManSet::WHITE, "any white man"),
        (ManSet::BLACK, "any black man"),
    ];
    let (mut rest, mut names) = (men, Vec::new());
    for (set, name) in whole {
        if rest.is_superset(set) {
            rest = rest.without(set);
            names.push(name.to_owned());
        }
    }
    names.extend(rest.iter().filter_map(name));
    if rest.is_superset(ManSet::EMPTY_SQUARE) {
        names.push("an empty square".to_owned());
    }
    listed(&names)
}

fn name(man: Man) -> Option<String> {
    let color = match man.color()? {
        Color::White => "white",
        Color::Black => "black",
    };
    let role = format!("{:?}", man.role()?).to_lowercase();
    Some(format!("a {color} {role}"))
}

/// "a, b or c"
fn listed(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use language::syntax::{TokenKind, lex};

    use super::*;

    fn said(text: &str) -> String {
        match lex(text).tokens[0].kind {
            TokenKind::Designator(designator) => in_words(designator),
            _ => panic!("{text} is no designator"),
        }
    }

    #[test]
    fn designators_have_words() {
        assert_eq!(said("R"), "a white rook");
        assert_eq!(said("[Qr]a1-2"), "a white queen or a black rook, on a1 or a2");
        assert_eq!(said("[Ak]"), "any white man or a black king");
        assert_eq!(said("[Aa]e4"), "any man, on e4");
        assert_eq!(said("_"), "an empty square");
        assert_eq!(
            said("[AaK_]a-h1-4"),
            "any man, or an empty square, on one of 32 squares"
        );
    }
}
