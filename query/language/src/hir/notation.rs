//! Designators as a query spells them.

use std::fmt::{self, Display, Formatter, Write};

use chess::Man;
use shakmaty::{Bitboard, File, Rank, Square};

use super::{Designator, ManSet};

/// `Ra1`, `[RQ]a-h1-2`; all squares are left out.
impl Display for Designator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.men)?;
        if self.squares == Bitboard::FULL {
            Ok(())
        } else {
            write!(f, "{}", SquareNames(self.squares))
        }
    }
}

/// The letters of the men: `R`, `[Rr]`, `A` for all white ones, `.` for anything.
impl Display for ManSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if *self == ManSet::ANYTHING {
            return f.write_char('.');
        }
        let mut letters = String::new();
        let mut rest: Vec<_> = self.iter().collect();
        for (all, letter) in [(ManSet::WHITE, 'A'), (ManSet::BLACK, 'a')] {
            if self.is_superset(all) {
                letters.push(letter);
                rest.retain(|&man| !all.contains(man));
            }
        }
        letters.extend(rest.into_iter().map(Man::letter));
        match letters.len() {
            1 => f.write_str(&letters),
            _ => write!(f, "[{letters}]"),
        }
    }
}

/// Squares as a designator spells them: a block of files and ranks if they are one, else one by one.
#[derive(Clone, Copy, Debug)]
pub struct SquareNames(pub Bitboard);

impl Display for SquareNames {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let squares = self.0;
        if squares.is_empty() {
            return f.write_str("[]");
        }
        let files: Vec<File> = File::ALL
            .into_iter()
            .filter(|&file| (Bitboard::from_file(file) & squares).any())
            .collect();
        let ranks: Vec<Rank> = Rank::ALL
            .into_iter()
            .filter(|&rank| (Bitboard::from_rank(rank) & squares).any())
            .collect();
        let is_block = files.len() * ranks.len() == squares.count();
        let in_a_row = files.windows(2).all(|two| two[0] as u32 + 1 == two[1] as u32)
            && ranks.windows(2).all(|two| two[0] as u32 + 1 == two[1] as u32);
        if is_block && in_a_row {
            range(f, files[0].char(), files[files.len() - 1].char())?;
            return range(f, ranks[0].char(), ranks[ranks.len() - 1].char());
        }
        let names: Vec<String> = squares.into_iter().map(|square: Square| square.to_string()).collect();
        write!(f, "[{}]", names.join(","))
    }
}

fn range(f: &mut Formatter<'_>, first: char, last: char) -> fmt::Result {
    if first == last {
        f.write_char(first)
    } else {
        write!(f, "{first}-{last}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_read_like_designators() {
        let set = |squares: &[Square]| SquareNames(squares.iter().copied().collect()).to_string();
        assert_eq!(set(&[Square::E4]), "e4");
        assert_eq!(set(&[Square::A1, Square::B1, Square::A2, Square::B2]), "a-b1-2");
        assert_eq!(set(&[Square::A1, Square::H8]), "[a1,h8]");
        assert_eq!(set(&[]), "[]");
    }
}
