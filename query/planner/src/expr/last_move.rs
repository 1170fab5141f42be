//! What the last move was, by lists, and the squares of the last move and of the next one, as sets.

use chess::Man;
use language::hir::{CastleSide, ManSet};
use postings::Term;
use shakmaty::{Bitboard, CastlingSide, Color, Role};

use super::{SetExpr, Truth};

/// Where it is a color's turn.
pub(crate) fn turn(color: Color) -> Truth {
    let white = Truth::Term(Term::WhiteToMove);
    if color == Color::White { white } else { white.not() }
}

pub(crate) fn castled(side: CastleSide) -> Truth {
    let king = Truth::Term(Term::Castled(CastlingSide::KingSide));
    let queen = Truth::Term(Term::Castled(CastlingSide::QueenSide));
    match side {
        CastleSide::Any => Truth::any([king, queen]),
        CastleSide::King => king,
        CastleSide::Queen => queen,
    }
}

/// Where the move that led here promoted a pawn to one of these, color ignored.
pub(crate) fn promoted_to(men: ManSet) -> Truth {
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let roles = roles
        .into_iter()
        .filter(|&role| Color::ALL.iter().any(|&color| men.contains(Man::new(color, role))));
    Truth::any(roles.map(|role| Truth::Term(Term::Promoted(role))))
}

/// The squares that the move which is made that many ids later may leave, and those that it surely leaves: men stand there before
/// it, and none after it. Castling may leave a king's square to its rook, and after a null move the king that it names is still
/// there: then all men may be meant. En passant, the other pawn's square is empty, too. The expression around this one excludes
/// positions without such a move.
pub(crate) fn left_by_a_move(before: i32) -> (SetExpr, SetExpr) {
    let empty = SetExpr::Contents(ManSet::from_man(Man::EMPTY), Bitboard::FULL);
    let men = SetExpr::Contents(ManSet::WHITE | ManSet::BLACK, Bitboard::FULL).after(before);
    let left = SetExpr::Intersection([men.clone(), empty.after(before + 1)].into());
    let choose = |open: Truth, then: SetExpr| {
        let open = open.after(before + 1);
        SetExpr::Choose(Box::new(open), Box::new(then), Box::new(left.clone()))
    };
    let en_passant = Truth::any([names_more(), Truth::Term(Term::EnPassant)]);
    (
        choose(names_more(), men),
        choose(en_passant, SetExpr::Constant(Bitboard::EMPTY)),
    )
}

/// Whether a set is what the last or the next move may leave.
pub(super) fn is_left_by_a_move(set: &SetExpr) -> bool {
    let may_be =
        matches!(set, SetExpr::Choose(_, _, left) if matches!(&**left, SetExpr::Intersection(both) if both.len() == 2));
    may_be && [0, -1].iter().any(|&before| *set == left_by_a_move(before).0)
}

/// The squares that the move which led here may reach, and those that it surely reaches; none in the first position of a game.
/// Men stand there that did not stand there before. Castling has two squares, of which a target may see one, and a null move
/// names the square of a king.
pub(crate) fn reached_by_a_move() -> (SetExpr, SetExpr) {
    let one = |color, role| ManSet::from_man(Man::new(color, role));
    let [white, black] = Color::ALL.map(|color| one(color, Role::King) | one(color, Role::Rook));
    let castles = white | black;
    let everywhere = |men| SetExpr::Contents(men, Bitboard::FULL);
    let empty = SetExpr::Constant(Bitboard::EMPTY);
    // A man of one color does not come where another of this color stands, so that each kind can be asked alone.
    let added = |men| SetExpr::Added(Box::new(everywhere(men)));
    let choose = |then: SetExpr, otherwise: SetExpr| {
        SetExpr::Choose(Box::new(names_more()), Box::new(then), Box::new(otherwise))
    };
    let may = [
        added(ManSet::WHITE),
        added(ManSet::BLACK),
        choose(everywhere(castles), empty.clone()),
    ];
    let of_one_square = [ManSet::WHITE.without(white), ManSet::BLACK.without(black)].map(added);
    let of_two_squares = [white, black].map(|men| choose(empty.clone(), added(men)));
    (
        SetExpr::Union(may.into()),
        SetExpr::Union(of_one_square.into_iter().chain(of_two_squares).collect()),
    )
}

/// Where the move that led here is castling or a null move: they name more squares than one man goes from and to.
fn names_more() -> Truth {
    Truth::any([castled(CastleSide::Any), Truth::Term(Term::NullMove)])
}
