//! What a dash says of the move itself, for passes over the moves of a game.

use chess::Man;
use language::hir::{Dash, ManSet, Promotion, VariableId};
use shakmaty::{Bitboard, Color, Rank, Role};

use super::from_to::Reach;
use crate::expr::{MovePattern, SetExpr, possible, possible_men};

/// A move that a dash accepts, as far as a look at the move tells.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The variable of the piece that makes it, if that is known.
    pub(super) mover: Option<VariableId>,
    /// The moves that it may be, but for castling.
    pub(super) pattern: MovePattern,
    /// Whether each of these is one, if the piece of the variable makes it.
    pub(super) exact: bool,
}

impl Step {
    /// The step of a dash with its operands. `is_known` says that the right one is some men on some squares.
    pub(super) fn of(
        dash: &Dash,
        mover: Option<VariableId>,
        [left, right]: [&SetExpr; 2],
        is_known: bool,
        reach: Option<&Reach>,
    ) -> Step {
        let pattern = pattern(dash, left, right, reach);
        let exact = is_known && reach.is_none() && dash.target.is_empty();
        Step {
            mover,
            exact: exact && promotes_to_any(dash, pattern.movers),
            pattern,
        }
    }
}

fn pattern(dash: &Dash, left: &SetExpr, right: &SetExpr, reach: Option<&Reach>) -> MovePattern {
    let all_men = ManSet::WHITE | ManSet::BLACK;
    let mut pattern = MovePattern {
        from: possible(left),
        reach: reach.map(Reach::by_origin),
        ..MovePattern::of(possible_men(left).intersection(all_men))
    };
    if dash.promotion.is_some() {
        let pawn = |color| ManSet::from_man(Man::new(color, Role::Pawn));
        pattern.movers = pattern.movers.intersection(pawn(Color::White) | pawn(Color::Black));
        pattern.to = Bitboard::from(Rank::First) | Bitboard::from(Rank::Eighth);
    }
    if dash.capture {
        pattern.captured = Some((possible_men(right).intersection(all_men), possible(right)));
    } else {
        pattern.to &= possible(right);
        pattern.onto = possible_men(right);
    }
    pattern
}

/// Whether a dash accepts whatever these pawns promote to, or does not ask for a promotion.
fn promotes_to_any(dash: &Dash, pawns: ManSet) -> bool {
    const ROLES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    match &dash.promotion {
        None => true,
        Some(Promotion::Roles(men)) => pawns
            .iter()
            .filter_map(Man::color)
            .all(|color| ROLES.iter().all(|&role| men.contains(Man::new(color, role)))),
        Some(Promotion::Text(_)) => false,
    }
}
