//! The men of a game, each with its moves.

use chess::{Mailbox, Man, MoveKind, PackedMove, castling_targets, en_passant_square};
use language::hir::ManSet;
use shakmaty::{Bitboard, Square};

use crate::expr::{OwnMove, Track};

/// The number of men that are not followed, and of an empty square.
const NOBODY: u8 = 64;

/// Places for all numbers; a power of two, so that no index is checked.
const PLACES: usize = 128;

/// The last position of a man that is not captured.
const NEVER: u32 = u32::MAX;

/// Men that are followed from move to move.
///
/// Their moves are noted in the order of the game. Only where somebody asks, they are put together man by man at its end.
#[derive(Debug)]
pub(super) struct FollowedMen {
    /// By square, the number of the man that stands there.
    on: [u8; 64],
    /// The board of the last game at its beginning, the men that were followed, and who stood where. Most games begin with the
    /// same one.
    first: Option<(Mailbox, ManSet, [u8; 64])>,
    /// By number, what each man is at first, where it stands, and all that it is at some time.
    men: Vec<(Man, Square, ManSet)>,
    /// By number, a bit for each kind of move that it makes.
    made: [u64; PLACES],
    /// By number, the last position in which it is on the board.
    captured: [u32; PLACES],
    /// A bit for each man that castles, by its number.
    castled: u64,
    /// The moves with the numbers of their men, and behind them what is left of other games.
    moves: Vec<(u8, OwnMove)>,
    /// How many moves there are.
    count: usize,
    /// The moves man by man.
    by_man: Vec<OwnMove>,
}

impl FollowedMen {
    /// Nobody.
    pub(super) fn new() -> FollowedMen {
        FollowedMen {
            on: [NOBODY; 64],
            first: None,
            men: Vec::new(),
            made: [0; PLACES],
            captured: [NEVER; PLACES],
            castled: 0,
            moves: Vec::new(),
            count: 0,
            by_man: Vec::new(),
        }
    }

    /// Some men of a board, before a number of moves.
    pub(super) fn begin(&mut self, board: &Mailbox, followed: ManSet, moves: usize) {
        (self.count, self.castled) = (0, 0);
        // Castling moves two men. One more is written and not kept.
        if self.moves.len() <= 2 * moves {
            let nothing = OwnMove::of(0, Square::A1, Man::EMPTY, 0);
            self.moves.resize(2 * moves + 1, (NOBODY, nothing));
        }
        match &self.first {
            Some((first, of_first, on)) if first == board && *of_first == followed => {
                self.on = *on;
                for (man, _, ever) in &mut self.men {
                    *ever = ManSet::from_man(*man);
                }
            }
            _ => self.find_men(board, followed),
        }
        let men = self.men.len();
        self.made[..men].fill(0);
        self.captured[..men].fill(NEVER);
    }

    fn find_men(&mut self, board: &Mailbox, followed: ManSet) {
        self.on = [NOBODY; 64];
        self.men.clear();
        for square in Square::ALL {
            let man = board.at(square);
            if followed.contains(man) {
                self.on[usize::from(square)] = u8::try_from(self.men.len()).unwrap_or(NOBODY);
                self.men.push((man, square, ManSet::from_man(man)));
            }
        }
        self.first = Some((board.clone(), followed, self.on));
    }

    /// Notes a plain move of a man, of some kinds. Nothing here depends on whether it is followed, which no processor can
    /// foresee.
    #[inline]
    pub(super) fn play(&mut self, position: u32, m: PackedMove, man: Man, kinds: u64) {
        let mover = self.lift(m.from());
        self.put(position, m.to(), mover);
        self.note(mover, OwnMove::of(position, m.to(), man, kinds));
    }

    /// Notes any other move; what stands where it leads to is known by the board behind it. A null move is nobody's.
    pub(super) fn play_special(&mut self, position: u32, m: PackedMove, kinds: u64, after: &Mailbox) {
        let own = |to| OwnMove {
            castles: m.kind() == MoveKind::Castle,
            ..OwnMove::of(position, to, after.at(to), kinds)
        };
        match m.kind() {
            MoveKind::Null => {}
            MoveKind::Castle => {
                let (king_to, rook_to) = castling_targets(m.from(), m.to());
                let castling = [(self.lift(m.from()), king_to), (self.lift(m.to()), rook_to)];
                for (man, to) in castling {
                    self.put(position, to, man);
                    self.note(man, own(to));
                    self.castled |= 1u64.checked_shl(u32::from(man)).unwrap_or(0);
                }
            }
            kind => {
                if kind == MoveKind::EnPassant {
                    self.put(position, en_passant_square(m.from(), m.to()), NOBODY);
                }
                let man = self.lift(m.from());
                self.put(position, m.to(), man);
                self.note(man, own(m.to()));
                if let Some((.., ever)) = self.men.get_mut(usize::from(man)) {
                    *ever = *ever | ManSet::from_man(after.at(m.to()));
                }
            }
        }
    }

    #[inline]
    fn lift(&mut self, square: Square) -> u8 {
        std::mem::replace(&mut self.on[usize::from(square)], NOBODY)
    }

    /// Puts a man, or nobody, on a square; whoever stands there is captured.
    #[inline]
    fn put(&mut self, position: u32, square: Square, man: u8) {
        let captured = std::mem::replace(&mut self.on[usize::from(square)], man);
        self.captured[usize::from(captured) % PLACES] = position;
    }

    /// Notes a move, which is kept if its man is followed.
    #[inline]
    fn note(&mut self, man: u8, own: OwnMove) {
        self.made[usize::from(man) % PLACES] |= own.kinds;
        self.moves[self.count] = (man, own);
        self.count += usize::from(man != NOBODY);
    }

    /// All men that are followed, without their moves.
    pub(super) fn tracks<'m>(&self) -> Vec<Track<'m>> {
        let men = self.men.iter().zip(self.made.iter().zip(&self.captured));
        let track = |(number, (&(man, square, ever), (&made, &captured)))| Track {
            man,
            square,
            moves: &[],
            ever,
            made,
            captured: (captured != NEVER).then_some(captured),
            castles: self.castled >> number & 1 != 0,
        };
        men.enumerate().map(track).collect()
    }

    /// Gives all men their moves.
    pub(super) fn put_moves<'m>(&'m mut self, tracks: &mut [Track<'m>]) {
        let moves = &self.moves[..self.count];
        // By number, where the moves of each man begin that were put there already; at first, where they end.
        let mut begins = [0; PLACES];
        for &(man, _) in moves {
            begins[usize::from(man) % PLACES] += 1;
        }
        let mut end = 0;
        for begin in &mut begins[..tracks.len()] {
            end += *begin;
            *begin = end;
        }
        let mut ahead = [Bitboard::EMPTY; PLACES];
        let nothing = OwnMove::of(0, Square::A1, Man::EMPTY, 0);
        self.by_man.resize(moves.len().max(self.by_man.len()), nothing);
        for &(man, own) in moves.iter().rev() {
            let man = usize::from(man) % PLACES;
            ahead[man].add(own.to);
            begins[man] -= 1;
            self.by_man[begins[man]] = OwnMove {
                ahead: ahead[man],
                ..own
            };
        }
        let mut end = moves.len();
        for (&begin, track) in begins[..tracks.len()].iter().zip(tracks).rev() {
            track.moves = &self.by_man[begin..end];
            end = begin;
        }
    }
}
