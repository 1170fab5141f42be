//! Who attacks one square after the other, for all positions of a block at once. Where many squares are asked for, as by a loop over
//! the board, the lines on which men attack are followed once for all of them.

use chess::Man;
use language::hir::{Directions, ManSet};
use postings::Term;
use shakmaty::{Bitboard, Role, Square, attacks};

use super::Sweep;
use super::set_planes::SetPlanes;
use crate::expr::SetExpr;
use crate::plane::Plane;

/// Where this many squares are asked for in a block, the lines are followed for all squares.
const MANY_SQUARES: u32 = 4;

/// The lines of no more sets of men than this are kept at a time: each takes 256 KB.
const MOST_SETS: usize = 8;

/// In fewer positions of a block than this, most lines from a square end early; then so many squares have to be asked for.
const FEW_POSITIONS: u32 = 800;
const VERY_MANY_SQUARES: u32 = 16;

/// The lines on which some men attack.
#[derive(Debug)]
pub(super) struct Lines {
    men: ManSet,
    level: usize,
    block: u32,
    /// How many squares were asked for.
    asked: u32,
    /// By direction, in which positions a man that moves so attacks a square from there; none before many squares were asked for.
    arriving: Vec<SetPlanes>,
}

impl Sweep<'_> {
    /// Calls `each` with planes that together have each square of a set once.
    pub(super) fn each_of(&mut self, set: &SetExpr, mut each: impl FnMut(&Plane)) {
        if let Some((men, square)) = on_one_square(set)
            && self.each_attacker(men, square, &mut each)
        {
            return;
        }
        let block = self.set(set, Bitboard::FULL);
        block
            .live()
            .into_iter()
            .filter_map(|square| block.get(square))
            .for_each(each);
        self.give_back(block);
    }
}

/// The men on the whole board whose attacks on one square a set is, and the square.
fn on_one_square(set: &SetExpr) -> Option<(ManSet, Square)> {
    let SetExpr::Attacks(from, to) = set else { return None };
    match (&**from, &**to) {
        (SetExpr::Contents(men, Bitboard::FULL), SetExpr::Constant(to)) if !men.contains(Man::EMPTY) => {
            to.single_square().map(|square| (*men, square))
        }
        _ => None,
    }
}

impl Sweep<'_> {
    /// Calls `each` with the positions of each man on each square from where it attacks a square; men that attack along the same
    /// line come together, as one of them at most attacks. False, and nothing was called, where too few squares were asked for
    /// so far.
    fn each_attacker(&mut self, men: ManSet, square: Square, mut each: impl FnMut(&Plane)) -> bool {
        let Some(place) = self.lines(men) else { return false };
        for arriving in &self.lines[place].arriving {
            if let Some(plane) = arriving.get(square) {
                each(plane);
            }
        }
        for man in men.iter() {
            for origin in steps_to(man, square) {
                if let Some(plane) = self.plane(Term::Placement(man, origin)) {
                    each(plane);
                }
            }
        }
        true
    }

    /// The place of the lines of some men in this block, if many squares are asked for.
    fn lines(&mut self, men: ManSet) -> Option<usize> {
        let (level, block) = (self.level, self.block);
        let known = self
            .lines
            .iter()
            .position(|lines| lines.men == men && lines.level == level);
        let place = match known {
            Some(place) => place,
            None if self.lines.len() == MOST_SETS => return None,
            None => {
                self.lines.push(Lines {
                    men,
                    level,
                    block,
                    asked: 0,
                    arriving: Vec::new(),
                });
                self.lines.len() - 1
            }
        };
        if self.lines[place].block != block {
            self.lines[place].block = block;
            self.lines[place].asked = 0;
            let unused = std::mem::take(&mut self.lines[place].arriving);
            self.scratch.sets.extend(unused);
        }
        if self.lines[place].arriving.is_empty() {
            self.lines[place].asked += 1;
            let many = match bits::count(&self.demand) < FEW_POSITIONS {
                true => VERY_MANY_SQUARES,
                false => MANY_SQUARES,
            };
            if self.lines[place].asked < many {
                return None;
            }
            self.lines[place].arriving = self.follow_lines(men);
        }
        Some(place)
    }

    /// Follows the lines of men in all directions.
    fn follow_lines(&mut self, men: ManSet) -> Vec<SetPlanes> {
        let mut all = Vec::new();
        for (role, directions) in [
            (Role::Rook, Directions::ORTHOGONAL),
            (Role::Bishop, Directions::DIAGONAL),
        ] {
            let movers: Vec<Man> = men
                .iter()
                .filter(|man| man.role().is_some_and(|moved| moved == role || moved == Role::Queen))
                .collect();
            let mut sliders = self.spare();
            for square in Square::ALL {
                for &man in &movers {
                    if let Some(plane) = self.plane(Term::Placement(man, square)) {
                        sliders.add(square, plane);
                    }
                }
            }
            if !sliders.live().is_empty() {
                all.extend(
                    directions
                        .iter()
                        .map(|direction| self.seen_from(&sliders, direction, Bitboard::FULL)),
                );
            }
            self.give_back(sliders);
        }
        // Without a line there is still something to remember: that they were followed.
        if all.is_empty() {
            all.push(self.spare());
        }
        all
    }

    /// Forgets the lines, as the lists are about to be read at other positions.
    pub(super) fn forget_lines(&mut self) {
        let sets = self.lines.drain(..).flat_map(|lines| lines.arriving);
        self.scratch.sets.extend(sets);
    }
}

/// The squares from which a man that does not move along lines attacks a square.
fn steps_to(man: Man, square: Square) -> Bitboard {
    match man.piece() {
        Some(piece) if piece.role == Role::Pawn => attacks::pawn_attacks(!piece.color, square),
        Some(piece) if matches!(piece.role, Role::Knight | Role::King) => {
            attacks::attacks(square, piece, Bitboard::EMPTY)
        }
        _ => Bitboard::EMPTY,
    }
}
