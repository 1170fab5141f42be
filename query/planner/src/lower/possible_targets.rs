//! The squares to which legal and pseudolegal moves lead (docs/language/moves.md#possible-moves).

use chess::Man;
use language::hir::{Dash, Filter, Legality, ManSet, MoveFilter, Node};
use language::transform::{Direction, Directions};
use postings::Term;
use shakmaty::{Bitboard, Color, File, Rank, Role, Square};

use super::Lowering;
use super::bounds::SetBounds;
use super::moved_men::{men_of, stands};
use super::possible_moves::{asks_only_squares, beside, can_be, fifth_rank, pawns, pinned, under_attack};
use crate::expr::{SetExpr, Truth, any_contents, attacked, not_empty, possible_men, turn};

/// Which moves are looked at.
#[derive(Clone, Copy)]
struct Moves<'s> {
    legality: Legality,
    color: Color,
    /// The squares from which they start.
    from: &'s SetExpr,
    /// The kinds of men that can stand there.
    men: ManSet,
}

impl<'q> Lowering<'q> {
    /// The squares to which a move of a dash is possible.
    pub(super) fn targets_of_dash(&mut self, legality: Legality, dash: &'q Dash) -> SetBounds {
        // A target says that the move castles or captures en passant.
        match dash.target.is_empty() {
            true => self.targets(legality, dash.left.as_ref(), dash.right.as_ref()),
            false => SetBounds::UNKNOWN.where_holds(self.possible_dash(legality, dash)),
        }
    }

    /// The squares to which a move of a `move to . legal` is possible.
    pub(super) fn targets_of_move(&mut self, legality: Legality, m: &'q MoveFilter) -> SetBounds {
        match asks_only_squares(m) {
            true => self.targets(legality, m.from.as_ref(), m.to.as_ref()),
            false => SetBounds::UNKNOWN.where_holds(self.possible_move_filter(legality, m)),
        }
    }

    /// What may stand on the squares of a filter, if that is known of a variable.
    pub(super) fn men_on(&self, filter: &Filter) -> ManSet {
        match filter.node {
            Node::Variable(variable) => self.scope.men_on(variable),
            _ => ManSet::ANYTHING,
        }
    }

    /// The squares among some to which a move from some others is possible.
    pub(super) fn targets(
        &mut self,
        legality: Legality,
        from: Option<&'q Filter>,
        to: Option<&'q Filter>,
    ) -> SetBounds {
        let all = || SetBounds::Exact(SetExpr::Constant(Bitboard::FULL));
        let known = from.map_or(ManSet::ANYTHING, |from| self.men_on(from));
        let [from, to] = [from, to].map(|filter| filter.map_or_else(all, |filter| self.set_bounds(filter)));
        let of_turn = |from: &SetExpr, targets: &dyn Fn(Moves) -> SetExpr| {
            let men = possible_men(from).intersection(known);
            let [white, black] = Color::ALL.map(|color| match can_be(men, color) {
                true => targets(Moves {
                    legality,
                    color,
                    from,
                    men,
                }),
                false => SetExpr::Constant(Bitboard::EMPTY),
            });
            SetExpr::Choose(Box::new(turn(Color::White)), Box::new(white), Box::new(black))
        };
        let may = of_turn(from.may(), &may_reach);
        let must = of_turn(from.must(), &surely_reach);
        let must = match legality {
            Legality::Pseudolegal => must,
            Legality::Legal => {
                let none = SetExpr::Constant(Bitboard::EMPTY);
                SetExpr::Choose(Box::new(Truth::Term(Term::Check)), Box::new(none), Box::new(must))
            }
        };
        SetBounds::intersection(vec![SetBounds::Between { may, must }, to])
    }
}

/// The squares that a move may reach.
fn may_reach(moves: Moves) -> SetExpr {
    let mut reached = vec![reached_by_men(moves, moves.from)];
    if moves.can_be(Role::Pawn) {
        let own = moves.movers(Role::Pawn, moves.from);
        reached.push(advances(moves.color, &own));
        reached.push(en_passant(moves.color, &own));
    }
    if moves.can_be(Role::King) {
        reached.extend([(File::G, File::F, File::H), (File::C, File::D, File::A)].map(|files| castles(moves, files)));
    }
    SetExpr::Union(reached.into())
}

/// The squares that a move certainly reaches if the color is not in check.
fn surely_reach(moves: Moves) -> SetExpr {
    let free = match moves.legality {
        Legality::Pseudolegal => moves.from.clone(),
        Legality::Legal => {
            let unpinned = SetExpr::Complement(Box::new(pinned(moves.color)));
            SetExpr::intersection(vec![moves.from.clone(), unpinned])
        }
    };
    let mut reached = vec![reached_by_men(moves, &free)];
    if moves.can_be(Role::Pawn) {
        reached.push(advances(moves.color, &moves.movers(Role::Pawn, &free)));
    }
    SetExpr::Union(reached.into())
}

/// The squares that men on some squares attack and may go to: those without a man of their color, for a pawn those with a man of
/// the other color, and for a king, if the move has to be legal, those that are not attacked. A line that ends at the king goes on
/// behind it when it moves away, but then there is check.
fn reached_by_men(moves: Moves, from: &SetExpr) -> SetExpr {
    let Moves { legality, color, .. } = moves;
    let contents = |men| SetExpr::Contents(men, Bitboard::FULL);
    let free = || contents(men_of(!color) | ManSet::EMPTY_SQUARE);
    let mut reached = Vec::new();
    let others = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let others = others.into_iter().filter(|&role| moves.can_be(role));
    let others = others.fold(ManSet::NONE, |all, role| all | ManSet::from_man(Man::new(color, role)));
    if others != ManSet::NONE {
        let movers = SetExpr::intersection(vec![from.clone(), contents(others)]);
        reached.push(attacked(free(), movers));
    }
    if moves.can_be(Role::King) {
        let safe = match legality {
            Legality::Pseudolegal => free(),
            Legality::Legal => SetExpr::intersection(vec![free(), SetExpr::Complement(Box::new(under_attack(!color)))]),
        };
        reached.push(attacked(safe, moves.movers(Role::King, from)));
    }
    if moves.can_be(Role::Pawn) {
        reached.push(attacked(contents(men_of(!color)), moves.movers(Role::Pawn, from)));
    }
    SetExpr::Union(reached.into())
}

/// The empty squares to which pawns advance.
fn advances(color: Color, pawns: &SetExpr) -> SetExpr {
    let to_empty = |from: SetExpr, rank: Bitboard| {
        SetExpr::intersection(vec![
            one_step(ahead(color), from),
            SetExpr::Contents(ManSet::EMPTY_SQUARE, rank),
        ])
    };
    let once = to_empty(pawns.clone(), Bitboard::FULL);
    let [third, fourth] = match color {
        Color::White => [Rank::Third, Rank::Fourth],
        Color::Black => [Rank::Sixth, Rank::Fifth],
    };
    let passed = SetExpr::intersection(vec![once.clone(), SetExpr::Constant(third.into())]);
    SetExpr::Union([once, to_empty(passed, fourth.into())].into())
}

/// The empty squares behind men of the other color that pawns may capture en passant.
fn en_passant(color: Color, own: &SetExpr) -> SetExpr {
    let captured = SetExpr::intersection(vec![
        SetExpr::Contents(pawns(!color), fifth_rank(color)),
        beside(own.clone()),
    ]);
    SetExpr::intersection(vec![
        one_step(ahead(color), captured),
        SetExpr::Contents(ManSet::EMPTY_SQUARE, Bitboard::FULL),
    ])
}

/// The square that the king reaches by castling, where king and rook stand at home with nothing between them.
fn castles(moves: Moves, (to, passed, rook): (File, File, File)) -> SetExpr {
    let color = moves.color;
    let rank = color.fold_wb(Rank::First, Rank::Eighth);
    let home = |file: File| Square::from_coords(file, rank);
    let between = match rook {
        File::A => vec![File::B, to, passed],
        _ => vec![passed, to],
    };
    let mut needed = vec![
        stands(Man::new(color, Role::King), home(File::E)),
        stands(Man::new(color, Role::Rook), home(rook)),
    ];
    needed.extend(
        between
            .into_iter()
            .map(|file| any_contents(ManSet::EMPTY_SQUARE, home(file).into())),
    );
    // One of the squares is that of the king.
    let king = SetExpr::Constant(home(File::E).into());
    needed.push(not_empty(SetExpr::intersection(vec![moves.from.clone(), king])));
    let [reached, none] =
        [Bitboard::from(home(to)), Bitboard::EMPTY].map(|squares| Box::new(SetExpr::Constant(squares)));
    SetExpr::Choose(Box::new(Truth::all(needed)), reached, none)
}

impl Moves<'_> {
    /// Whether a man of a kind may move.
    fn can_be(&self, role: Role) -> bool {
        self.men.contains(Man::new(self.color, role))
    }

    /// The men of a kind on some squares.
    fn movers(&self, role: Role, from: &SetExpr) -> SetExpr {
        let men = ManSet::from_man(Man::new(self.color, role));
        SetExpr::intersection(vec![from.clone(), SetExpr::Contents(men, Bitboard::FULL)])
    }
}

fn ahead(color: Color) -> Directions {
    Directions::from_direction(color.fold_wb(Direction::Up, Direction::Down))
}

fn one_step(directions: Directions, from: SetExpr) -> SetExpr {
    SetExpr::Steps {
        directions,
        min: 1,
        max: 1,
        from: Box::new(from),
    }
}
