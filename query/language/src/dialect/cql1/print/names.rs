//! Designators, boards and operators in CQL 6.2.

use chess::Man;
use shakmaty::Role;

use crate::hir::{Comparison, Designator, ManSet, SquareNames};

/// `Ra1`, `[RQ]a-h1-2`, `a1`, `.`
pub(super) fn designator(designator: Designator) -> String {
    let Designator { men, squares } = designator;
    if men == ManSet::NONE || squares.is_empty() {
        return "[]".to_owned();
    }
    match squares {
        shakmaty::Bitboard::FULL => men.to_string(),
        _ if men == ManSet::ANYTHING => SquareNames(squares).to_string(),
        _ => designator.to_string(),
    }
}

/// The roles of a promotion: `Q`, `[RBN]`.
pub(super) fn roles(men: ManSet) -> String {
    let has = |role: &Role| men.iter().any(|man: Man| man.role() == Some(*role));
    let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
        .into_iter()
        .filter(has);
    let letters: String = roles.map(Role::upper_char).collect();
    if letters.chars().count() == 1 {
        letters
    } else {
        format!("[{letters}]")
    }
}

/// The board of a `fen` filter, from its 64 designators.
pub(super) fn board(designators: &[Designator]) -> String {
    let letter = |designator: &Designator| match designator.men {
        ManSet::ANYTHING => '.',
        ManSet::WHITE => 'A',
        ManSet::BLACK => 'a',
        men => men.iter().next().map_or('.', Man::letter),
    };
    let ranks = designators
        .chunks(8)
        .map(|rank| rank.iter().map(letter).collect::<String>());
    ranks.collect::<Vec<_>>().join("/")
}

/// `==`, `<=` and their like.
pub(super) fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "==",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        _ => ">=",
    }
}
