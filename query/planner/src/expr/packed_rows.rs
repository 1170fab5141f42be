//! Moves in a row of one man: many rows are looked for at once, a bit of a word for each place of each row (R. Baeza-Yates and
//! G. H. Gonnet, "A new approach to text searching", 1992).

use super::tracks::Track;

/// Rows of moves, as many as the bits of a word have places for.
#[derive(Debug)]
pub(super) struct PackedRows {
    /// By row, a bit for each kind of move that is asked for.
    rows: Vec<u64>,
    /// By place, the number of the condition whose row it belongs to.
    numbers: Vec<usize>,
    /// By kind of move, a bit for each place where it is asked for.
    places: Vec<u64>,
    /// The first place of each row.
    firsts: u64,
    /// The last place of each row.
    lasts: u64,
}

impl PackedRows {
    /// Puts rows, each the number of its condition and the kinds of its moves, side by side in words. There are `kinds` kinds.
    /// Neither these nor the moves in a row are more than a word has bits.
    pub(super) fn of(rows: Vec<(usize, Vec<usize>)>, kinds: usize) -> Vec<PackedRows> {
        let mut all: Vec<PackedRows> = Vec::new();
        for (number, moves) in rows {
            let has_room = |packed: &mut PackedRows| packed.numbers.len() + moves.len() <= bits::BITS as usize;
            if !all.last_mut().is_some_and(has_room) {
                all.push(PackedRows {
                    rows: Vec::new(),
                    numbers: Vec::new(),
                    places: vec![0; kinds],
                    firsts: 0,
                    lasts: 0,
                });
            }
            if let Some(packed) = all.last_mut() {
                packed.push(number, &moves);
            }
        }
        all
    }

    fn push(&mut self, number: usize, moves: &[usize]) {
        self.firsts |= 1 << self.numbers.len();
        for &kind in moves {
            self.places[kind] |= 1 << self.numbers.len();
            self.numbers.push(number);
        }
        self.lasts |= 1 << (self.numbers.len() - 1);
        self.rows.push(moves.iter().fold(0, |all, &kind| all | bit(kind)));
    }

    /// Whether a man makes moves of all kinds of one of the rows.
    pub(super) fn may_be_made_by(&self, track: &Track<'_>) -> bool {
        self.rows.iter().any(|kinds| kinds & !track.made == 0)
    }

    /// The number of the condition of each row.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        bits::ones(self.firsts).map(|place| self.numbers[place as usize])
    }

    /// Calls `found` with the number of each condition and the position of each move of a man with which the row begins.
    pub(super) fn each(&self, track: &Track<'_>, mut found: impl FnMut(usize, u32)) {
        // A bit for each place from which on the rest of its row is made.
        let mut begins = 0;
        for own in track.moves.iter().rev() {
            let asked = bits::ones(own.kinds).fold(0, |asked, kind| asked | self.places[kind as usize]);
            // A first place is shifted to the last place of another row, which asks for nothing behind it.
            begins = asked & (begins >> 1 | self.lasts);
            for place in bits::ones(begins & self.firsts) {
                found(self.numbers[place as usize], own.position);
            }
        }
    }
}

/// The bit of a kind of move; none if there are too many kinds.
pub(super) fn bit(kind: usize) -> u64 {
    u32::try_from(kind)
        .ok()
        .and_then(|kind| 1u64.checked_shl(kind))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use language::hir::ManSet;
    use shakmaty::Square;

    use super::super::tracks::OwnMove;
    use super::*;

    #[test]
    fn each_row_is_found_where_its_moves_follow_one_another() {
        let rows: Vec<(usize, Vec<usize>)> = (0..40)
            .map(|row| {
                (
                    row + 3,
                    (0..row % 5 + 1).map(|place| (row + place * (row / 5)) % 4).collect(),
                )
            })
            .collect();
        let kinds: Vec<u64> = (0..60u64).map(|at| ((at * 0x9e37_79b9) >> 5) & 0xf).collect();
        let moves: Vec<OwnMove> = (100..)
            .zip(&kinds)
            .map(|(position, &kinds)| OwnMove::of(position, Square::A1, Man::EMPTY, kinds))
            .collect();
        let track = Track {
            man: Man::EMPTY,
            square: Square::A1,
            moves: &moves,
            ever: ManSet::NONE,
            made: kinds.iter().fold(0, |all, kinds| all | kinds),
            captured: None,
            castles: false,
        };
        let mut found = Vec::new();
        let packed = PackedRows::of(rows.clone(), 4);
        assert!(packed.len() > 1);
        for rows in &packed {
            rows.each(&track, |number, position| found.push((number, position)));
        }
        let begins = |row: &[usize], at: usize| {
            let here = row.iter().zip(at..);
            here.clone()
                .all(|(&kind, at)| kinds.get(at).is_some_and(|kinds| kinds >> kind & 1 != 0))
        };
        let mut expected = Vec::new();
        for (number, row) in &rows {
            let places = (0..kinds.len()).zip(100..).filter(|&(at, _)| begins(row, at));
            expected.extend(places.map(|(_, position)| (*number, position)));
        }
        found.sort_unstable();
        expected.sort_unstable();
        assert!(expected.len() > 100);
        assert_eq!(found, expected);
    }
}
