//! Pawns by the pawns on their own and the neighbouring files, for all positions of a block at once. Each file is
//! combined first, so that a pawn needs two or three planes and not those of all squares ahead of it.

use chess::Man;
use language::hir::PawnStructure;
use postings::Term;
use shakmaty::{Bitboard, Color, File, Rank, Role, Square};

use super::Sweep;
use super::set_planes::SetPlanes;
use crate::plane::{Plane, ZERO, and, and_not, or, or_and};

impl Sweep<'_> {
    /// The pawns of a color that stand in this way (docs/language/positions.md#pawns), on the wanted squares.
    pub(super) fn pawns_into(&mut self, structure: PawnStructure, color: Color, wanted: Bitboard, out: &mut SetPlanes) {
        for square in wanted {
            if let Some(list) = self.plane(Term::Placement(Man::new(color, Role::Pawn), square)) {
                out.put(square, list);
            }
        }
        match structure {
            PawnStructure::Doubled => self.keep_doubled(color, out),
            PawnStructure::Isolated => self.keep_beside(color, false, out),
            PawnStructure::Connected => self.keep_beside(color, true, out),
            PawnStructure::Passed => self.keep_passed(color, out),
        }
    }

    /// Keeps the pawns with another one on their file.
    fn keep_doubled(&mut self, color: Color, out: &mut SetPlanes) {
        for file in File::ALL {
            let ours = out.live() & Bitboard::from_file(file);
            if ours.is_empty() {
                continue;
            }
            let (mut once, mut twice) = (ZERO, ZERO);
            for square in Bitboard::from_file(file) {
                if let Some(list) = self.plane(Term::Placement(Man::new(color, Role::Pawn), square)) {
                    or_and(&mut twice, &once, list);
                    or(&mut once, list);
                }
            }
            for square in ours {
                and(out.plane_mut(square), &twice);
            }
        }
    }

    /// Keeps the pawns with or without others on the files beside.
    fn keep_beside(&mut self, color: Color, some: bool, out: &mut SetPlanes) {
        let live = files(out.live());
        let mut on_file = [None; 8];
        for file in File::ALL {
            let mut asked = beside(file)
                .into_iter()
                .flatten()
                .filter(|beside| live[usize::from(*beside)]);
            if asked.next().is_some() {
                on_file[usize::from(file)] = self.pawns_on_file(color, file);
            }
        }
        for square in out.live() {
            let mut others = ZERO;
            for file in beside(square.file()).into_iter().flatten() {
                if let Some(plane) = &on_file[usize::from(file)] {
                    or(&mut others, plane);
                }
            }
            let plane = out.plane_mut(square);
            if some {
                and(plane, &others);
            } else {
                and_not(plane, &others);
            }
        }
    }

    /// Where a file has a pawn; `None` if it has none in the whole block.
    fn pawns_on_file(&mut self, color: Color, file: File) -> Option<Plane> {
        let mut all: Option<Plane> = None;
        for square in Bitboard::from_file(file) {
            if let Some(list) = self.plane(Term::Placement(Man::new(color, Role::Pawn), square)) {
                match &mut all {
                    Some(all) => or(all, list),
                    None => all = Some(*list),
                }
            }
        }
        all
    }

    /// Takes out the pawns with enemies ahead on their own file or the ones beside.
    fn keep_passed(&mut self, color: Color, out: &mut SetPlanes) {
        let enemy = Man::new(!color, Role::Pawn);
        let live = files(out.live());
        for file in File::ALL {
            let near: Vec<File> = std::iter::once(file)
                .chain(beside(file).into_iter().flatten())
                .filter(|file| live[usize::from(*file)])
                .collect();
            if near.is_empty() {
                continue;
            }
            // From the far end of the board back: the squares that were passed are ahead of every square that comes.
            let mut ahead = ZERO;
            let mut any = false;
            for step in (0..8).rev() {
                let rank = Rank::new(color.fold_wb(step, 7 - step));
                if any {
                    for file in &near {
                        let square = Square::from_coords(*file, rank);
                        if out.live().contains(square) {
                            and_not(out.plane_mut(square), &ahead);
                        }
                    }
                }
                if let Some(list) = self.plane(Term::Placement(enemy, Square::from_coords(file, rank))) {
                    any = true;
                    or(&mut ahead, list);
                }
            }
        }
    }
}

/// The files beside one.
fn beside(file: File) -> [Option<File>; 2] {
    [file.offset(-1), file.offset(1)]
}

/// By file, whether a set has a square on it.
fn files(set: Bitboard) -> [bool; 8] {
    File::ALL.map(|file| (set & Bitboard::from_file(file)).any())
}
