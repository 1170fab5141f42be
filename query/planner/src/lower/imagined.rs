//! Conditions in positions that were not in the game: what has to hold in the position that they come from
//! (docs/language/cqli.md#imagined-positions).

use chess::Man;
use language::hir::{Change, Filter, ManSet, MoveFilter, Node, VariableId, VariableKind};
use language::transform::{Direction, Directions};
use postings::Term;
use shakmaty::{Bitboard, Color, Rank, Role};

use super::Lowering;
use super::bounds::SetBounds;
use super::intervals::{MAX_CONSTANT, NumberBounds};
use super::moved_men::men_of;
use crate::expr::{Candidates, Expr, NumberExpr, SetExpr, Truth, any_contents, not_empty, possible_men, turn};

impl<'q> Lowering<'q> {
    /// Where a condition may match behind one of the moves of a `move` filter, or behind all of them.
    pub(super) fn after_move(&mut self, moves: &'q Filter, all: bool, target: &'q Filter) -> Candidates {
        let Some(Behind { some, no_move }) = self.behind(moves, target) else {
            return Candidates::UNKNOWN;
        };
        // Where there is no move, it matches behind all of them.
        Candidates::at_most(if all { Truth::any([some, no_move]) } else { some })
    }

    /// Behind how many moves of a `move` filter a condition matches.
    pub(super) fn count_after_moves(&mut self, moves: &'q Filter, all: bool, target: &'q Filter) -> NumberBounds {
        let Some(Behind { some, no_move }) = self.behind(moves, target) else {
            return NumberBounds::unknown(Candidates::UNKNOWN);
        };
        let constant = |n: u32| NumberExpr::Constant(n.cast_signed());
        let most = NumberExpr::Choose(
            Box::new(some.clone()),
            Box::new(constant(MAX_CONSTANT)),
            Box::new(constant(0)),
        );
        let valid = match all {
            true => Candidates::at_most(Truth::any([some, no_move])),
            false => Candidates::EVERYWHERE,
        };
        NumberBounds::between(Some(constant(0)), Some(most), valid)
    }

    /// Where there may be a move behind which a condition matches: there has to be a move, the men that the condition asks
    /// for, and what the man that moves attacks then has to be in its reach.
    fn behind(&mut self, moves: &'q Filter, target: &'q Filter) -> Option<Behind> {
        let Node::Move(m) = &moves.node else {
            return None;
        };
        let Some(legality) = m.legality else {
            let made = self.truth(moves);
            return Some(Behind {
                no_move: made.certain().not(),
                some: made.truth,
            });
        };
        let exists = self.possible_move_filter(legality, m);
        let no_move = exists.certain().not();
        let some = Truth::all([exists.truth, needed_before(target), self.in_reach(m, target)]);
        Some(Behind { some, no_move })
    }

    /// Where a condition may match on the same board, with another side to move. Other changes of the board are left to the
    /// evaluator.
    pub(super) fn imagined(&mut self, changes: &[Change], target: &'q Filter) -> Candidates {
        let mut turn = None;
        for change in changes {
            turn = Some(match change {
                Change::Turn(color) => Turn::Of(*color),
                Change::OtherTurn => match turn {
                    Some(Turn::Of(color)) => Turn::Of(!color),
                    Some(Turn::Same) => Turn::Other,
                    Some(Turn::Other) => Turn::Same,
                    None => Turn::Other,
                },
                Change::Remove(_) | Change::Add { .. } | Change::Move(..) => return Candidates::UNKNOWN,
            });
        }
        let Some(turn) = turn.filter(|_| is_about_board(target)) else {
            return Candidates::UNKNOWN;
        };
        let here = self.apart(target, |lowering| lowering.truth(target));
        Candidates::between(turn.bound(&here.truth, true), turn.bound(&here.certain(), false))
    }

    /// Where a man that the filter allows to move can reach a square from which it attacks what the target says that it
    /// attacks then.
    fn in_reach(&mut self, m: &'q MoveFilter, target: &'q Filter) -> Truth {
        let mut attacked = Vec::new();
        find_attacked(self, m, target, &mut attacked);
        if attacked.is_empty() {
            return Truth::Always;
        }
        let from = match &m.from {
            Some(from) => self.set_bounds(from),
            None => SetBounds::UNKNOWN,
        };
        let men = possible_men(from.may());
        let ways = Color::ALL.into_iter().map(|color| {
            let own = men.intersection(men_of(color));
            let roles: Vec<Role> = own.iter().filter_map(Man::role).collect();
            // Pawns go to squares that they do not attack, and so does a king that castles.
            if roles.contains(&Role::Pawn) || roles.contains(&Role::King) {
                return turn(color);
            }
            if roles.is_empty() {
                return Truth::Never;
            }
            // What the other side has stands where it stood, or was captured.
            let others = men_of(!color);
            let mut squares = vec![SetExpr::Complement(Box::new(SetExpr::Contents(
                men_of(color),
                Bitboard::FULL,
            )))];
            let known = attacked.iter().filter(|(men, _)| others.is_superset(*men));
            squares.extend(known.map(|&(men, squares)| origins(&roles, &SetExpr::Contents(men, squares))));
            let movers = SetExpr::intersection(vec![from.may().clone(), SetExpr::Contents(own, Bitboard::FULL)]);
            let reached = SetExpr::AttackedBy(Box::new(SetExpr::intersection(squares)), Box::new(movers));
            Truth::all([turn(color), not_empty(reached)])
        });
        Truth::any(ways.collect::<Vec<_>>())
    }
}

/// What is known of the moves of a `move` filter with a condition.
struct Behind {
    /// Where it may match behind one of them.
    some: Truth,
    /// Where there may be none of them.
    no_move: Truth,
}

/// Who is to move on a board, beside the side that really is.
#[derive(Clone, Copy, Debug)]
enum Turn {
    Same,
    Other,
    Of(Color),
}

impl Turn {
    /// Where a condition on the board may hold (`upper`), or certainly holds, if this side is to move. Even where it is the same
    /// side, no pawn can be captured en passant any more: what is a mate then need not be one on the board of the game.
    fn bound(self, truth: &Truth, upper: bool) -> Truth {
        let unknown = || match upper {
            true => Truth::Always,
            false => Truth::Never,
        };
        let parts = |parts: &[Truth]| parts.iter().map(|part| self.bound(part, upper)).collect::<Vec<_>>();
        match truth {
            Truth::Always | Truth::Never => truth.clone(),
            Truth::Term(Term::WhiteToMove) => self.is_of(Color::White),
            Truth::Term(Term::Check) => self.attacked(Term::Check, Term::Exposed),
            Truth::Term(Term::Exposed) => self.attacked(Term::Exposed, Term::Check),
            Truth::Term(Term::Placement(..) | Term::AtLeast(..)) => truth.clone(),
            Truth::Not(inner) => self.bound(inner, !upper).not(),
            Truth::And(list) => Truth::all(parts(list)),
            Truth::Or(list) => Truth::any(parts(list)),
            Truth::Any(_) | Truth::Single(_) | Truth::Compare(..) if is_of_board(Expr::Truth(truth)) => truth.clone(),
            _ => unknown(),
        }
    }

    /// Where this color is to move.
    fn is_of(self, color: Color) -> Truth {
        match self {
            Turn::Same => turn(color),
            Turn::Other => turn(!color),
            Turn::Of(other) if other == color => Truth::Always,
            Turn::Of(_) => Truth::Never,
        }
    }

    /// The king of the side to move is attacked, by the lists of the side that really is to move.
    fn attacked(self, same: Term, other: Term) -> Truth {
        match self {
            Turn::Same => Truth::Term(same),
            Turn::Other => Truth::Term(other),
            Turn::Of(color) => Truth::any([
                Truth::all([turn(color), Truth::Term(same)]),
                Truth::all([turn(!color), Truth::Term(other)]),
            ]),
        }
    }
}

/// Whether an expression depends on nothing but where the men stand.
fn is_of_board(expr: Expr<'_>) -> bool {
    let is_plain = match expr {
        Expr::Truth(truth) => matches!(truth, Truth::Any(_) | Truth::Single(_) | Truth::Compare(..)),
        Expr::Set(set) => !matches!(
            set,
            SetExpr::Choose(..) | SetExpr::Squares(_) | SetExpr::After(..) | SetExpr::Nth(..)
        ),
        Expr::Number(number) => matches!(
            number,
            NumberExpr::Constant(_)
                | NumberExpr::Count(_)
                | NumberExpr::Power(_)
                | NumberExpr::Coordinate(..)
                | NumberExpr::Sum(..)
                | NumberExpr::Difference(..)
                | NumberExpr::Scaled(..)
                | NumberExpr::Table(..)
                | NumberExpr::Max(_)
        ),
    };
    let mut all = is_plain;
    if all {
        expr.for_each_part(|_, part| all = all && is_of_board(part));
    }
    all
}

/// Whether a filter asks for nothing but the board, the side to move and its possible moves, so that it says the same of a
/// position that no move led to.
fn is_about_board(filter: &Filter) -> bool {
    let is_known = match &filter.node {
        Node::Designator(_)
        | Node::AllSquares
        | Node::NoSquares
        | Node::Union(_)
        | Node::Intersection(_)
        | Node::Complement(_)
        | Node::Attacks(..)
        | Node::Cardinality(_)
        | Node::Power(_)
        | Node::Number(_)
        | Node::CompareNumbers(..)
        | Node::And(..)
        | Node::Or(..)
        | Node::Not(_)
        | Node::Compound(_)
        | Node::True
        | Node::False
        | Node::Turn(_)
        | Node::Check
        | Node::Mate => true,
        Node::Move(m) => m.legality.is_some() && m.castle.is_none() && !m.en_passant && m.en_passant_square.is_none(),
        Node::AfterMove { .. } => true,
        _ => false,
    };
    let mut all = is_known;
    if let Node::AfterMove { moves, .. } = &filter.node {
        // What is asked behind the moves is bounded there.
        return all && is_about_board(moves);
    }
    if all {
        filter.for_each_child(&mut |child| all = all && is_about_board(child));
    }
    all
}

/// What a condition behind a move asks of the board before it: men of the side that does not move stand where they stood,
/// and men of the other side were there, or pawns that may promote to them.
fn needed_before(target: &Filter) -> Truth {
    match &target.node {
        Node::Compound(list) => Truth::all(list.iter().map(needed_before)),
        Node::And(a, b) => Truth::all([needed_before(a), needed_before(b)]),
        Node::Designator(designator) => {
            let ways = Color::ALL.map(|color| {
                let others = any_contents(designator.men.intersection(men_of(!color)), designator.squares);
                let own = designator.men.intersection(men_of(color));
                let promotes = own.iter().any(|man| {
                    let role = man.role();
                    role.is_some_and(|role| role != Role::Pawn && role != Role::King)
                });
                let pawns = match promotes {
                    true => any_contents(
                        ManSet::from_man(Man::new(color, Role::Pawn)),
                        Bitboard::from_rank(color.fold_wb(Rank::Seventh, Rank::Second)),
                    ),
                    false => Truth::Never,
                };
                let empty = match designator.men.contains(Man::EMPTY) {
                    true => Truth::Always,
                    false => Truth::Never,
                };
                let there = Truth::any([others, any_contents(own, Bitboard::FULL), pawns, empty]);
                Truth::all([turn(color), there])
            });
            Truth::any(ways)
        }
        _ => Truth::Always,
    }
}

/// Whether a filter asks behind moves of the man that a variable holds.
pub(super) fn moves_variable(filter: &Filter, variable: VariableId) -> bool {
    filter.any(&mut |part| match &part.node {
        Node::AfterMove { moves, .. } => match &moves.node {
            Node::Move(m) => m
                .from
                .as_ref()
                .is_some_and(|from| matches!(from.node, Node::Variable(from) if from == variable)),
            _ => false,
        },
        _ => false,
    })
}

/// Finds the designators that the man which has moved has to attack for a target to match.
fn find_attacked<'q>(lowering: &Lowering<'q>, m: &MoveFilter, target: &'q Filter, found: &mut Vec<(ManSet, Bitboard)>) {
    match &target.node {
        Node::Compound(list) => list.iter().for_each(|part| find_attacked(lowering, m, part, found)),
        Node::And(a, b) => [a, b]
            .into_iter()
            .for_each(|part| find_attacked(lowering, m, part, found)),
        Node::Attacks(attacker, attacked) => {
            let is_mover = match (&attacker.node, m.from.as_ref().map(|from| &from.node)) {
                (Node::ToSquares, _) => true,
                (Node::Variable(variable), Some(Node::Variable(from))) => {
                    let declared = lowering.query.variables.get(variable.0 as usize);
                    variable == from && declared.is_some_and(|variable| variable.kind == VariableKind::Piece)
                }
                _ => false,
            };
            if let Node::Designator(designator) = &attacked.node
                && is_mover
            {
                found.push((designator.men, designator.squares));
            }
        }
        _ => {}
    }
}

/// The squares from which men of some roles attack others, if nothing is in the way.
fn origins(roles: &[Role], attacked: &SetExpr) -> SetExpr {
    let steps = |directions, min, max, from: &SetExpr| SetExpr::Steps {
        directions,
        min,
        max,
        from: Box::new(from.clone()),
    };
    let of_role = |role: &Role| match role {
        Role::Knight => {
            let one = Directions::from_direction;
            let leaps = [
                ([Direction::Up, Direction::Down], [Direction::Left, Direction::Right]),
                ([Direction::Left, Direction::Right], [Direction::Up, Direction::Down]),
            ];
            let leaps = leaps.map(|(long, short)| {
                let far = steps(one(long[0]).union(one(long[1])), 2, 2, attacked);
                steps(one(short[0]).union(one(short[1])), 1, 1, &far)
            });
            SetExpr::Union(leaps.into())
        }
        Role::Bishop => steps(Directions::DIAGONAL, 1, 7, attacked),
        Role::Rook => steps(Directions::ORTHOGONAL, 1, 7, attacked),
        Role::Queen | Role::King | Role::Pawn => steps(Directions::ALL, 1, 7, attacked),
    };
    match roles {
        [role] => of_role(role),
        _ => SetExpr::Union(roles.iter().map(of_role).collect()),
    }
}
