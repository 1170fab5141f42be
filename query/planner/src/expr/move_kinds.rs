//! Of which of a few kinds a move is, as a bit for each.

use chess::{Mailbox, Man, MoveKind, PackedMove};
use shakmaty::{Bitboard, Square};

use super::move_pattern::MovePattern;
use super::move_rows::{place, way};

/// How many kinds of moves are told apart.
pub(super) const MOST_KINDS: usize = u64::BITS as usize;

/// How many places there are: each kind of man, and no man, on each square; a power of two, so that no index is checked.
const PLACES: usize = 16 * 64;

/// By place, a bit for each kind of move.
type ByPlace = Box<[u64; PLACES]>;

/// Some kinds of moves. Most of what a kind asks for is looked up for all of them at once.
#[derive(Debug)]
pub(super) struct MoveKinds {
    patterns: Vec<MovePattern>,
    /// By the man that moves and where it stands, the kinds that it may be of.
    origins: ByPlace,
    /// By the man that moves and where it goes.
    targets: ByPlace,
    /// By what stands where it goes.
    onto: ByPlace,
    /// By square of origin and square where it goes; empty if no kind asks for pairs of squares.
    ways: Vec<u64>,
    /// Those that ask for more.
    ask_more: u64,
}

impl MoveKinds {
    /// Up to [`MOST_KINDS`] kinds, which are counted from 0.
    pub(super) fn of(patterns: Vec<MovePattern>) -> MoveKinds {
        let table = |meets: &dyn Fn(&MovePattern, Man, Square) -> bool| {
            let mut table = Box::new([0; PLACES]);
            for man in Man::all().chain([Man::EMPTY]) {
                for square in Square::ALL {
                    let kinds = patterns.iter().enumerate();
                    let kinds = kinds.filter(|(_, pattern)| meets(pattern, man, square));
                    table[place(man, square) % PLACES] = kinds.fold(0, |all, (number, _)| all | 1 << number);
                }
            }
            table
        };
        let captures = |pattern: &MovePattern, man, square| {
            let captured = pattern.captured.as_ref();
            captured.is_none_or(|&(men, squares): &(_, Bitboard)| squares.contains(square) && men.contains(man))
        };
        MoveKinds {
            origins: table(&|pattern, man, from| pattern.movers.contains(man) && pattern.from.contains(from)),
            targets: table(&|pattern, man, to| pattern.movers.contains(man) && pattern.to.contains(to)),
            onto: table(&|pattern, man, to| pattern.onto.contains(man) && captures(pattern, man, to)),
            ways: ways(&patterns),
            ask_more: (patterns.iter().enumerate())
                .filter(|(_, pattern)| pattern.near.is_some())
                .fold(0, |all, (number, _)| all | 1 << number),
            patterns,
        }
    }

    /// Plays moves in a row on a board and adds for each the kinds that it is of. Castling and null moves are of none.
    pub(super) fn of_line(&self, board: &mut Mailbox, line: &[PackedMove], kinds: &mut Vec<u64>) {
        kinds.extend(line.iter().map(|&m| {
            let of_move = self.of_move(board, m);
            board.play(m);
            of_move
        }));
    }

    /// The kinds of a move on a board. Castling and null moves are of none.
    #[inline]
    pub(super) fn of_move(&self, board: &Mailbox, m: PackedMove) -> u64 {
        let (mover, from, to) = (board.at(m.from()), m.from(), m.to());
        let mut kinds = self.origins[place(mover, from) % PLACES] & self.targets[place(mover, to) % PLACES];
        if let Some(of_way) = self.ways.get(way(from, to)) {
            kinds &= of_way;
        }
        let kinds_onto = kinds & self.onto[place(board.at(to), to) % PLACES];
        if m.is_plain() && kinds_onto & self.ask_more == 0 {
            return kinds_onto;
        }
        self.of_other_move(kinds, kinds_onto, board, m)
    }

    /// The same where more has to be looked at.
    #[inline(never)]
    fn of_other_move(&self, kinds: u64, kinds_onto: u64, board: &Mailbox, m: PackedMove) -> u64 {
        match m.kind() {
            MoveKind::Castle | MoveKind::Null => 0,
            // What is captured does not stand where the move goes.
            MoveKind::EnPassant => self.only(kinds, u64::MAX, board, m),
            _ => self.only(kinds_onto, self.ask_more, board, m),
        }
    }

    /// Those of some kinds that a move is of, where some of them have to be looked at.
    fn only(&self, kinds: u64, asked: u64, board: &Mailbox, m: PackedMove) -> u64 {
        let others = bits::ones(kinds & asked).filter(|&number| !self.patterns[number as usize].meets(board, m));
        others.fold(kinds, |kinds, other| kinds & !(1 << other))
    }
}

/// By square of origin and square where a move goes, the kinds that it may be of; nothing if no kind asks for pairs of squares.
fn ways(patterns: &[MovePattern]) -> Vec<u64> {
    if patterns.iter().all(|pattern| pattern.reach.is_none()) {
        return Vec::new();
    }
    let mut ways = vec![0; 64 * 64];
    for (number, pattern) in patterns.iter().enumerate() {
        for from in Square::ALL {
            let reach = pattern.reach.as_ref();
            for to in reach.map_or(Bitboard::FULL, |reach| reach[usize::from(from)]) {
                ways[way(from, to)] |= 1 << number;
            }
        }
    }
    ways
}
