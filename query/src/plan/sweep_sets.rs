//! Sets of squares, for all positions of a block at once.

use shakmaty::{Bitboard, Square};
use storage::{Man, Term};

use super::block::{ONES, SetBlock, ZERO, and, and_not, not, or};
use super::expr::SetExpr;
use super::sweep::Sweep;
use crate::hir::ManSet;

impl Sweep<'_> {
    /// The set, as far as the wanted squares go.
    pub(super) fn set(&mut self, set: &SetExpr, wanted: Bitboard) -> SetBlock {
        let mut out = self.spare();
        match set {
            SetExpr::Constant(squares) => {
                for square in *squares & wanted {
                    out.put(square, &ONES);
                }
            }
            SetExpr::Contents(men, squares) => self.contents_into(*men, *squares & wanted, &mut out),
            SetExpr::Union(parts) => {
                for part in parts {
                    let block = self.set(part, wanted);
                    for square in block.live() {
                        if let Some(plane) = block.get(square) {
                            or(out.plane_mut(square), plane);
                        }
                    }
                    self.give_back(block);
                }
            }
            SetExpr::Intersection(parts) => {
                // Constants are known to be cheap, and narrow what is wanted of the others.
                let constant = |part: &SetExpr| match part {
                    SetExpr::Constant(squares) => *squares,
                    _ => Bitboard::FULL,
                };
                let mut wanted = parts.iter().fold(wanted, |wanted, part| wanted & constant(part));
                let mut first = true;
                for part in parts.iter().filter(|part| !matches!(part, SetExpr::Constant(_))) {
                    let block = self.set(part, wanted);
                    if std::mem::take(&mut first) {
                        let unused = std::mem::replace(&mut out, block);
                        self.give_back(unused);
                    } else {
                        out.retain(block.live());
                        for square in out.live() {
                            if let Some(plane) = block.get(square) {
                                and(out.plane_mut(square), plane);
                            }
                        }
                        self.give_back(block);
                    }
                    out.prune();
                    wanted = out.live();
                    if wanted.is_empty() {
                        break;
                    }
                }
                if first {
                    wanted.into_iter().for_each(|square| out.put(square, &ONES));
                }
            }
            SetExpr::Complement(inner) => {
                let block = self.set(inner, wanted);
                for square in wanted {
                    let mut plane = block.get(square).copied().unwrap_or(ZERO);
                    not(&mut plane);
                    out.put(square, &plane);
                }
                self.give_back(block);
            }
            SetExpr::Attacks(from, to) => self.attacks_into(from, to, true, wanted, &mut out),
            SetExpr::AttackedBy(to, from) => self.attacks_into(from, to, false, wanted, &mut out),
            SetExpr::Steps {
                directions,
                min,
                max,
                from,
            } => {
                let block = self.set(from, Bitboard::FULL);
                for direction in directions.iter() {
                    let (dx, dy) = direction.delta();
                    for from in block.live() {
                        let Some(plane) = block.get(from) else { continue };
                        for steps in *min..=*max {
                            if let Some(to) = step(from, dx * steps, dy * steps).filter(|&to| wanted.contains(to)) {
                                or(out.plane_mut(to), plane);
                            }
                        }
                    }
                }
                self.give_back(block);
            }
            SetExpr::Choose(condition, a, b) => {
                let mut holds = ZERO;
                self.truth_into(condition, &mut holds);
                let a = self.set(a, wanted);
                let b = self.set(b, wanted);
                for square in a.live() | b.live() {
                    let mut plane = b.get(square).copied().unwrap_or(ZERO);
                    and_not(&mut plane, &holds);
                    if let Some(a) = a.get(square) {
                        super::block::or_and(&mut plane, a, &holds);
                    }
                    out.put(square, &plane);
                }
                self.give_back(a);
                self.give_back(b);
            }
            SetExpr::Squares(parts) => {
                for (square, truth) in parts.iter().filter(|(square, _)| wanted.contains(*square)) {
                    let mut plane = ZERO;
                    self.truth_into(truth, &mut plane);
                    out.put(*square, &plane);
                }
            }
        }
        out
    }

    fn contents_into(&mut self, men: ManSet, squares: Bitboard, out: &mut SetBlock) {
        if men.contains(Man::EMPTY) {
            let occupied = self.lend_occupied_squares(squares);
            for square in squares {
                let mut plane = occupied.get(square).copied().unwrap_or(ZERO);
                not(&mut plane);
                out.put(square, &plane);
            }
            self.give_back(occupied);
        }
        for man in men.iter().filter(|&man| man != Man::EMPTY) {
            for square in squares {
                if let Some(leaf) = self.leaf(Term::Placement(man, square)) {
                    or(out.plane_mut(square), leaf);
                }
            }
        }
    }

    /// Which of these squares are occupied.
    fn lend_occupied_squares(&mut self, squares: Bitboard) -> SetBlock {
        let mut occupied = self.spare();
        for man in Man::all() {
            for square in squares {
                if let Some(leaf) = self.leaf(Term::Placement(man, square)) {
                    or(occupied.plane_mut(square), leaf);
                }
            }
        }
        occupied
    }
}

/// The square so many files and ranks away.
pub(super) fn step(from: Square, dx: i32, dy: i32) -> Option<Square> {
    let file = u32::try_from(i32::from(from.file()) + dx)
        .ok()
        .filter(|&file| file < 8)?;
    let rank = u32::try_from(i32::from(from.rank()) + dy)
        .ok()
        .filter(|&rank| rank < 8)?;
    Some(Square::from_coords(
        shakmaty::File::new(file),
        shakmaty::Rank::new(rank),
    ))
}
