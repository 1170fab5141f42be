//! Conditions behind moves that were not played: what has to hold before the move
//! (docs/language/cqli.md#behind-a-move).

use chess::Man;
use language::hir::{Filter, ManSet, MoveFilter, Node, VariableId, VariableKind};
use language::transform::{Direction, Directions};
use shakmaty::{Bitboard, Color, Role};

use super::Lowering;
use super::bounds::SetBounds;
use super::moves::{men_of, turn};
use crate::expr::{Candidates, SetExpr, Truth, not_empty, possible_men};

impl<'q> Lowering<'q> {
    /// Where a condition may match behind one of the moves of a `move` filter: there has to be such a move, and what the
    /// man that moves attacks then has to be in its reach.
    pub(super) fn after_move(&mut self, moves: &'q Filter, all: bool, target: &'q Filter) -> Candidates {
        let Node::Move(m) = &moves.node else {
            return Candidates::UNKNOWN;
        };
        // `all` matches where there is no move.
        if all {
            return Candidates::UNKNOWN;
        }
        let Some(legality) = m.legality else {
            return Candidates::at_most(self.truth(moves).truth);
        };
        let move_exists = self.possible_move_filter(legality, m).truth;
        Candidates::at_most(Truth::all([move_exists, self.in_reach(m, target)]))
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
