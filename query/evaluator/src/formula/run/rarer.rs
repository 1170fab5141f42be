//! The operations that take longer or are met less often.

use chess::Man;
use language::hir::{Legality, PinValue};
use shakmaty::{Bitboard, Color, Role};

use super::super::{Id, NONE, Op};
use super::{Runner, letter, make_square, of_number, of_option, squares_in_common};
use crate::board::{RayDirections, along, pawn_structure, pins, rays};
use crate::game::Moves;
use crate::value::{number_of, power_of, type_of};

impl Runner<'_> {
    /// The operations that take longer or are met less often.
    #[inline(never)]
    pub(super) fn compute_rarer(&mut self, op: &Op) -> u64 {
        match op {
            Op::Along(directions, min, max, a) => along(self.set(*a), *directions, *min, *max).0,
            Op::Ray(directions, list) => self.rays(RayDirections::Given(*directions), list).1.0,
            Op::Xray(list, gives_first) => {
                let (starts, ends) = self.rays(RayDirections::OfPiece, list);
                if *gives_first { starts.0 } else { ends.0 }
            }
            Op::Pin([from, through, to], value) => {
                let (from, through, to) = (self.set(*from), self.set(*through), self.set(*to));
                let [pinners, pinned, targets] = pins(self.board(), from, through, to);
                match value {
                    PinValue::From => pinners.0,
                    PinValue::Through => pinned.0,
                    PinValue::To => targets.0,
                }
            }
            Op::Kings => self.board().role(Role::King).0,
            Op::Pawns(structure) => pawn_structure(self.board(), *structure).0,
            Op::Legal(legality, from, to) => {
                let mut all = Bitboard::EMPTY;
                self.visit_legal(*legality, *from, *to, |to| {
                    all |= to;
                    true
                });
                all.0
            }
            Op::CountLegal(legality, from, to, limit) => {
                let (from, to) = (self.set(*from), self.set(*to));
                of_number(Moves::new(self.game, self.node, *legality).count(from, to, *limit))
            }
            Op::MakeSquare(file, rank) => {
                let (file, rank) = (self.value(*file), self.value(*rank));
                make_square(file, rank)
            }
            Op::Power(a) => of_number(power_of(self.board(), self.set(*a))),
            Op::Type(a) => of_option(self.single_man(*a).map(type_of)),
            Op::ColorType(a) => of_option(self.single_man(*a).map(|man| match man.color() {
                Some(Color::Black) => -type_of(man),
                _ => type_of(man),
            })),
            Op::Letter(with_color, a) => {
                let set = self.value(*a);
                letter(self.board(), *with_color, set)
            }
            Op::Negate(a) => of_option(self.number(*a).map(i32::wrapping_neg)),
            Op::Extremum(largest, list) => {
                let mut best = None;
                for &part in list {
                    let value = self.number(part);
                    best = match (best, value) {
                        (Some(best), Some(value)) if *largest => Some(i32::max(best, value)),
                        (Some(best), Some(value)) => Some(i32::min(best, value)),
                        (best, value) => best.or(value),
                    };
                }
                of_option(best)
            }
            Op::Holding(list) => list.iter().map(|&part| self.value(part)).sum(),
            Op::Folded(orbit) => self.orbits.count_of(*orbit, self.board()).map_or(NONE, u64::from),
            Op::Within(a, min, max) => {
                let number = self.number(*a);
                of_option(number.filter(|number| min <= number && number <= max))
            }
            Op::Ply => of_number(number_of(self.game.ply(self.node))),
            Op::MoveNumber => of_number(number_of(self.game.move_number(self.node))),
            Op::PositionId => of_number(number_of(self.node)),
            Op::SideToMove => of_number(self.game.turn(self.node).fold_wb(1, -1)),
            Op::Here => u64::from(self.node),
            Op::Parent => self.game.parent(self.node).map_or(NONE, u64::from),
            Op::Child => self.game.primary_child(self.node).map_or(NONE, u64::from),
            Op::PositionAt(a) => {
                let id = self.number(*a).and_then(|id| u32::try_from(id).ok());
                let id = id.filter(|&id| (id as usize) < self.game.len());
                id.map_or(NONE, u64::from)
            }
            Op::SameContents(a, b) => {
                let (a, b) = (self.value(*a), self.value(*b));
                squares_in_common(self.game, a, b)
            }
            Op::AssignIfAny(variable, set) => self.assign_if_any(*variable, *set),
            Op::AssignPiece(variable, set) => self.assign_piece(*variable, *set),
            Op::Unbind(variable) => self.unbind(*variable),
            Op::IsBound(variable) => self.is_bound(*variable),
            Op::While(condition, body) => {
                self.repeat(*condition, Some(*body));
                1
            }
            Op::Repeat(body) => u64::from(self.repeat(*body, None) > 0),
            Op::FindAll(backward, condition) => self.find_all(*backward, *condition),
            Op::SumAll(all) => self.sum_all(all),
            Op::Moved(place) => match self.position(*place) {
                Some(node) => self.game.other_pieces(self.node, node).0,
                None => u64::MAX,
            },
            Op::Turn(color) => u64::from(self.game.turn(self.node) == *color),
            Op::Check => u64::from(self.is_check()),
            Op::Mate => u64::from(self.is_check() && !self.can_move()),
            Op::Stalemate => u64::from(self.game.is_terminal(self.node) && !self.is_check() && !self.can_move()),
            Op::Initial => u64::from(self.node == 0),
            Op::Terminal => u64::from(self.game.is_terminal(self.node)),
            Op::Mainline => u64::from(self.game.depth(self.node) == 0),
            other => unreachable!("{other:?} is computed above"),
        }
    }

    fn is_check(&self) -> bool {
        let board = self.board();
        board.is_attacked(board.turn())
    }

    fn can_move(&self) -> bool {
        let mut found = false;
        Moves::new(self.game, self.node, Legality::Legal).visit(Bitboard::FULL, |_, _, _| {
            found = true;
            false
        });
        found
    }

    fn visit_legal(&mut self, legality: Legality, from: Id, to: Id, mut take: impl FnMut(Bitboard) -> bool) {
        let (from, targets) = (self.set(from), self.set(to));
        Moves::new(self.game, self.node, legality).visit(from, |_, to, _| take(to & targets));
    }

    fn rays(&mut self, directions: RayDirections, list: &[Id]) -> (Bitboard, Bitboard) {
        let mut sets = [Bitboard::EMPTY; 8];
        // More squares than a line has are reached by no ray.
        if list.len() > sets.len() {
            return (Bitboard::EMPTY, Bitboard::EMPTY);
        }
        for (set, &part) in sets.iter_mut().zip(list) {
            *set = self.set(part);
        }
        rays(self.board(), directions, &sets[..list.len()])
    }

    fn single_man(&mut self, set: Id) -> Option<Man> {
        let square = self.set(set).single_square();
        square.map(|square| self.board().at(square))
    }
}
