//! Legal and pseudolegal moves: which men have one, and how many legal ones there are, if they are few
//! (docs/language/moves.md#possible-moves).

use chess::Man;
use language::hir::{CastleSide, Dash, Filter, Legality, ManSet, MoveFilter, Node, PinValue};
use language::transform::{Direction, Directions};
use postings::Term;
use shakmaty::{Bitboard, Color, File, Rank, Role, Square};

use super::Lowering;
use super::bounds::SetBounds;
use super::intervals::{MAX_CONSTANT, NumberBounds};
use super::moved_men::{men_of, stands};
use super::scope::Way;
use crate::expr::{Candidates, NumberExpr, SetExpr, Truth, any_contents, not_empty, possible_men, turn};

/// What is asked of a possible move beside its squares.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    legality: Legality,
    castling: Option<CastleSide>,
    is_en_passant: bool,
    /// Whether nothing but squares is asked.
    asks_only_squares: bool,
    /// Whether nothing but the squares from which it starts is asked.
    is_any: bool,
}

impl<'q> Lowering<'q> {
    /// Where a move of a dash may be possible.
    pub(super) fn possible_dash(&mut self, legality: Legality, dash: &'q Dash) -> Candidates {
        let mut wanted = Wanted {
            legality,
            castling: None,
            is_en_passant: false,
            asks_only_squares: dash.target.is_empty(),
            is_any: is_any_move_from(dash),
        };
        for target in &dash.target {
            match &target.node {
                Node::Castle(side) => wanted.castling = Some(*side),
                Node::EnPassant => wanted.is_en_passant = true,
                _ => {}
            }
        }
        self.possible_move(dash.left.as_ref(), dash.right.as_ref(), wanted)
    }

    /// Where a move of a `move legal` may be possible.
    pub(super) fn possible_move_filter(&mut self, legality: Legality, m: &'q MoveFilter) -> Candidates {
        let wanted = Wanted {
            legality,
            castling: m.castle,
            is_en_passant: m.en_passant || m.en_passant_square.is_some(),
            asks_only_squares: asks_only_squares(m),
            is_any: is_any_move_filter_from(m),
        };
        self.possible_move(m.from.as_ref(), m.to.as_ref(), wanted)
    }

    /// A man that the move could be made with has the move, and a move.
    fn possible_move(&mut self, from: Option<&'q Filter>, to: Option<&'q Filter>, wanted: Wanted) -> Candidates {
        let some = match wanted.legality {
            // Castling is not counted, but where it is possible, the king and the rook have other moves.
            Legality::Legal => Truth::Term(Term::MovesAtMost(0)).not(),
            Legality::Pseudolegal => Truth::Always,
        };
        if wanted.legality == Legality::Legal && wanted.is_any && from.is_none() {
            return Candidates::exactly(some);
        }
        if wanted.asks_only_squares && to.is_some() {
            return self.targets(wanted.legality, from, to).not_empty();
        }
        let is_from_anywhere = from.is_none();
        let known = from.map_or(ManSet::ANYTHING, |from| self.men_on(from));
        let from = match from {
            Some(from) => self.set_bounds(from),
            None => SetBounds::Exact(SetExpr::Constant(Bitboard::FULL)),
        };
        let one_of = |set: &SetExpr, movers| not_empty(SetExpr::intersection(vec![set.clone(), movers]));
        let (mut may, mut must) = (Vec::new(), Vec::new());
        let men = possible_men(from.may()).intersection(known);
        for color in Color::ALL.into_iter().filter(|&color| can_be(men, color)) {
            let mut needed = vec![turn(color)];
            if let Some(side) = wanted.castling {
                needed.push(self.may_castle(color, side));
            }
            let movers = if wanted.is_en_passant {
                needed.push(any_contents(pawns(!color), fifth_rank(color)));
                SetExpr::Contents(pawns(color), fifth_rank(color))
            } else if is_from_anywhere || wanted.castling.is_some() {
                SetExpr::Contents(men_of(color), Bitboard::FULL)
            } else {
                mobile(color, wanted.legality, &roles_of(men, color))
            };
            needed.push(one_of(from.may(), movers));
            may.push(Truth::all(needed));
            if wanted.is_any {
                must.push(Truth::all([
                    turn(color),
                    one_of(from.must(), surely_mobile(color, wanted.legality, men)),
                ]));
            }
        }
        let safe = match wanted.legality {
            Legality::Legal => Truth::Term(Term::Check).not(),
            Legality::Pseudolegal => Truth::Always,
        };
        Candidates::between(
            Truth::all([some, Truth::any(may)]),
            Truth::all([safe, Truth::any(must)]),
        )
    }

    /// The squares from which a move of a dash is possible, if it asks for nothing but the man that moves. `men` are those
    /// that it can be.
    pub(super) fn possible_from(legality: Legality, dash: &'q Dash, men: ManSet) -> Option<SetBounds> {
        if !is_any_move_from(dash) {
            return None;
        }
        let none = || SetExpr::Constant(Bitboard::EMPTY);
        let of_turn = |movers: &dyn Fn(Color) -> SetExpr| {
            let [white, black] = [Color::White, Color::Black].map(|color| match can_be(men, color) {
                true => movers(color),
                false => none(),
            });
            SetExpr::Choose(Box::new(turn(Color::White)), Box::new(white), Box::new(black))
        };
        let may = of_turn(&|color| mobile(color, legality, &roles_of(men, color)));
        let must = of_turn(&|color| surely_mobile(color, legality, men));
        let must = match legality {
            Legality::Pseudolegal => must,
            Legality::Legal => SetExpr::Choose(Box::new(Truth::Term(Term::Check)), Box::new(none()), Box::new(must)),
        };
        Some(match may == must {
            true => SetBounds::Exact(may),
            false => SetBounds::Between { may, must },
        })
    }

    /// How many possible moves a dash has.
    pub(super) fn count_possible_dash(&mut self, legality: Legality, dash: &'q Dash) -> NumberBounds {
        self.count_possible(legality, is_any_move(dash), |lowering| {
            lowering.possible_dash(legality, dash)
        })
    }

    /// How many possible moves a `move legal count` has.
    pub(super) fn count_possible_move(&mut self, legality: Legality, m: &'q MoveFilter) -> NumberBounds {
        self.count_possible(legality, m.from.is_none() && is_any_move_filter_from(m), |lowering| {
            lowering.possible_move_filter(legality, m)
        })
    }

    /// How many moves are possible of those that are asked for: all of them, or none where no such move is possible.
    fn count_possible(
        &mut self,
        legality: Legality,
        is_any: bool,
        possible: impl FnOnce(&mut Self) -> Candidates,
    ) -> NumberBounds {
        let constant = |n: u32| NumberExpr::Constant(n.cast_signed());
        // Castling on a side needs that the king can go to a square and the rook to two, or to three on the queen's side:
        // with three other moves, there may be one of castling, with fewer there is none.
        let most = || counted(|moves| moves + moves / 3, MAX_CONSTANT);
        let (least, most) = match legality {
            Legality::Legal if is_any => (counted(|moves| moves, u32::from(Term::MAX_MOVES) + 1), most()),
            _ => {
                let most = match legality {
                    Legality::Legal => most(),
                    Legality::Pseudolegal => constant(MAX_CONSTANT),
                };
                let possible = possible(self).truth;
                let most = NumberExpr::Choose(Box::new(possible), Box::new(most), Box::new(constant(0)));
                (constant(0), most)
            }
        };
        NumberBounds::between(Some(least), Some(most), Candidates::EVERYWHERE)
    }

    /// Where a color may be allowed to castle: king and rook have not moved, nothing is between them, and it is not in
    /// check.
    fn may_castle(&mut self, color: Color, wanted: CastleSide) -> Truth {
        let rank = color.fold_wb(Rank::First, Rank::Eighth);
        let home = |file: File| Square::from_coords(file, rank);
        let mut ways = Vec::new();
        for (side, rook, between) in [
            (CastleSide::King, File::H, &[File::F, File::G][..]),
            (CastleSide::Queen, File::A, &[File::B, File::C, File::D]),
        ] {
            if wanted != CastleSide::Any && wanted != side {
                continue;
            }
            let at_home = Truth::all([
                stands(Man::new(color, Role::King), home(File::E)),
                stands(Man::new(color, Role::Rook), home(rook)),
            ]);
            let moved = self.eventually(Way::Backward, Candidates::exactly(at_home.clone().not()));
            let empty = between
                .iter()
                .map(|file| any_contents(ManSet::EMPTY_SQUARE, home(*file).into()));
            let empty = Truth::all(empty.collect::<Vec<_>>());
            ways.push(Truth::all([at_home, empty, moved.not().truth]));
        }
        Truth::all([Truth::any(ways), Truth::Term(Term::Check).not()])
    }
}

/// The squares to the left and to the right of some.
pub(super) fn beside(squares: SetExpr) -> SetExpr {
    SetExpr::Steps {
        directions: Directions::from_direction(Direction::Left).union(Directions::from_direction(Direction::Right)),
        min: 1,
        max: 1,
        from: Box::new(squares),
    }
}

/// The men of a color and of some kinds that have a pseudolegal move, of the kings those that may have a legal one, if that is
/// asked for. Castling needs no word: where it is possible, king and rook have other moves.
fn mobile(color: Color, legality: Legality, roles: &[Role]) -> SetExpr {
    let men = |roles: &[Role]| {
        let men = roles.iter().map(|&role| ManSet::from_man(Man::new(color, role)));
        SetExpr::Contents(men.fold(ManSet::NONE, |all, man| all | man), Bitboard::FULL)
    };
    let free = SetExpr::Contents(men_of(!color) | ManSet::EMPTY_SQUARE, Bitboard::FULL);
    let next_to = |directions, targets: &SetExpr| SetExpr::Steps {
        directions,
        min: 1,
        max: 1,
        from: Box::new(targets.clone()),
    };
    let beside = |roles: &[Role], directions, targets: &SetExpr| {
        SetExpr::intersection(vec![men(roles), next_to(directions, targets)])
    };
    let of_role = |role: &Role| match role {
        Role::Pawn => Some(mobile_pawns(color)),
        Role::Knight => Some(SetExpr::Attacks(Box::new(men(&[*role])), Box::new(free.clone()))),
        Role::King if legality == Legality::Legal => {
            // A square behind the king is attacked, too, but then there is check.
            let safe = SetExpr::intersection(vec![free.clone(), SetExpr::Complement(Box::new(under_attack(!color)))]);
            Some(beside(&[*role], Directions::ALL, &safe))
        }
        Role::King => Some(beside(&[*role], Directions::ALL, &free)),
        Role::Bishop | Role::Rook | Role::Queen => None,
    };
    // Queens move as bishops do and as rooks do.
    let line_pieces = [Role::Bishop, Role::Rook].map(|role| {
        let roles = roles
            .iter()
            .copied()
            .filter(|&other| other == role || other == Role::Queen);
        (roles.collect::<Vec<_>>(), role)
    });
    let of_line_pieces = line_pieces
        .into_iter()
        .filter(|(roles, _)| !roles.is_empty())
        .map(|(roles, role)| {
            let directions = if role == Role::Bishop {
                Directions::DIAGONAL
            } else {
                Directions::ORTHOGONAL
            };
            beside(&roles, directions, &free)
        });
    SetExpr::Union(roles.iter().filter_map(of_role).chain(of_line_pieces).collect())
}

/// The squares that a color attacks.
pub(super) fn under_attack(color: Color) -> SetExpr {
    let men = SetExpr::Contents(men_of(color), Bitboard::FULL);
    SetExpr::AttackedBy(Box::new(SetExpr::Constant(Bitboard::FULL)), Box::new(men))
}

/// The pawns of a color that can advance or capture, and those that stand beside one that they may capture en passant.
fn mobile_pawns(color: Color) -> SetExpr {
    SetExpr::intersection(vec![
        SetExpr::Contents(pawns(color), Bitboard::FULL),
        SetExpr::Union(
            [
                in_front(color),
                SetExpr::intersection(vec![
                    SetExpr::Constant(fifth_rank(color)),
                    beside(SetExpr::Contents(pawns(!color), fifth_rank(color))),
                ]),
            ]
            .into(),
        ),
    ])
}

/// The squares from which a pawn of a color can advance or capture, not en passant.
fn in_front(color: Color) -> SetExpr {
    let (back, captures) = match color {
        Color::White => (Direction::Down, [Direction::Southeast, Direction::Southwest]),
        Color::Black => (Direction::Up, [Direction::Northeast, Direction::Northwest]),
    };
    let steps = |directions, men| SetExpr::Steps {
        directions,
        min: 1,
        max: 1,
        from: Box::new(SetExpr::Contents(men, Bitboard::FULL)),
    };
    let captures = captures.map(Directions::from_direction);
    let steps = [
        steps(Directions::from_direction(back), ManSet::EMPTY_SQUARE),
        steps(captures[0].union(captures[1]), men_of(!color)),
    ];
    SetExpr::Union(steps.into())
}

/// The men of a color that certainly have a possible move where the color to move is not in check.
fn surely_mobile(color: Color, legality: Legality, men: ManSet) -> SetExpr {
    let mut roles = roles_of(men, color);
    let has_pawns = roles.contains(&Role::Pawn);
    roles.retain(|&role| role != Role::Pawn);
    let mut movers = mobile(color, legality, &roles);
    if has_pawns {
        let pawns = SetExpr::Contents(pawns(color), Bitboard::FULL);
        let pawns = SetExpr::intersection(vec![pawns, in_front(color)]);
        movers = SetExpr::Union([movers, pawns].into());
    }
    match legality {
        Legality::Pseudolegal => movers,
        Legality::Legal => SetExpr::intersection(vec![movers, SetExpr::Complement(Box::new(pinned(color)))]),
    }
}

/// The kinds of men of a color that are among some.
fn roles_of(men: ManSet, color: Color) -> Vec<Role> {
    let among = |role: &Role| men.contains(Man::new(color, *role));
    Role::ALL.into_iter().filter(among).collect()
}

pub(super) fn can_be(men: ManSet, color: Color) -> bool {
    men.intersection(men_of(color)) != ManSet::NONE
}

/// The men that are pinned to a king of a color.
pub(super) fn pinned(color: Color) -> SetExpr {
    let anywhere = SetExpr::Constant(Bitboard::FULL);
    let king = SetExpr::Contents(ManSet::from_man(Man::new(color, Role::King)), Bitboard::FULL);
    SetExpr::Pins(Box::new([anywhere.clone(), anywhere, king]), PinValue::Through)
}

pub(super) fn pawns(color: Color) -> ManSet {
    ManSet::from_man(Man::new(color, Role::Pawn))
}

/// The rank from which pawns of a color capture en passant.
pub(super) fn fifth_rank(color: Color) -> Bitboard {
    Bitboard::from_rank(color.fold_wb(Rank::Fifth, Rank::Fourth))
}

/// A number of moves that depends on the number of legal moves other than castling, if these are few; else `many`.
fn counted(moves: impl Fn(u32) -> u32, many: u32) -> NumberExpr {
    let constant = |n: u32| NumberExpr::Constant(n.cast_signed());
    (0..=Term::MAX_MOVES).rev().fold(constant(many), |more, count| {
        let few = Truth::Term(Term::MovesAtMost(count));
        let exactly = constant(moves(u32::from(count)));
        NumberExpr::Choose(Box::new(few), Box::new(exactly), Box::new(more))
    })
}

/// Whether a dash allows every move.
fn is_any_move(dash: &Dash) -> bool {
    dash.left.is_none() && is_any_move_from(dash)
}

/// Whether a dash allows every move of some men.
fn is_any_move_from(dash: &Dash) -> bool {
    let Dash {
        capture,
        left: _,
        right,
        promotion,
        target,
    } = dash;
    !capture && right.is_none() && promotion.is_none() && target.is_empty()
}

/// Whether a move filter allows every move of some men.
fn is_any_move_filter_from(m: &MoveFilter) -> bool {
    asks_only_from(m) && m.comment.is_none()
}

/// Whether a move filter of possible moves asks nothing of the move but where it comes from and where it leads.
pub(super) fn asks_only_squares(m: &MoveFilter) -> bool {
    m.castle.is_none() && !m.en_passant && m.en_passant_square.is_none() && m.comment.is_none()
}

/// Whether a move filter asks nothing of the move but where it comes from.
pub(super) fn asks_only_from(m: &MoveFilter) -> bool {
    let MoveFilter {
        value: _,
        from: _,
        to,
        capture,
        promote,
        en_passant,
        en_passant_square,
        null,
        castle,
        primary,
        previous,
        legality: _,
        comment: _,
    } = m;
    to.is_none()
        && capture.is_none()
        && promote.is_none()
        && !en_passant
        && en_passant_square.is_none()
        && !null
        && castle.is_none()
        && primary.is_none()
        && !previous
}
