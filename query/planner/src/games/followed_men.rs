//! The men of a game, each with its moves.

use chess::{Mailbox, Man, MoveKind, PackedMove, castling_targets, en_passant_square};
use language::hir::ManSet;
use shakmaty::{Bitboard, Square};

use crate::expr::{OwnMove, Track};

/// No man stands there.
const NOBODY: u8 = u8::MAX;

/// Men that are followed from move to move.
#[derive(Debug)]
pub(super) struct FollowedMen {
    /// By square, the number of the man that stands there.
    on: [u8; 64],
    /// The board of the last game at its beginning, the men that were followed, and who stood where. Most games begin with the
    /// same one.
    first: Option<(Mailbox, ManSet, [u8; 64])>,
    /// By number; more than there are, so that their memory is used again.
    men: Vec<Track>,
    /// How many there are.
    count: usize,
}

impl FollowedMen {
    /// Nobody.
    pub(super) fn new() -> FollowedMen {
        FollowedMen {
            on: [NOBODY; 64],
            first: None,
            men: Vec::new(),
            count: 0,
        }
    }

    /// Some men of a board, who have not moved.
    pub(super) fn begin(&mut self, board: &Mailbox, followed: ManSet) {
        if let Some((first, of_first, on)) = &self.first
            && first == board
            && *of_first == followed
        {
            self.on = *on;
            self.men[..self.count].iter_mut().for_each(Track::clear);
            return;
        }
        self.on = [NOBODY; 64];
        self.count = 0;
        for square in Square::ALL {
            let man = board.at(square);
            if !followed.contains(man) {
                continue;
            }
            match self.men.get_mut(self.count) {
                Some(track) => {
                    (track.man, track.square) = (man, square);
                    track.clear();
                }
                None => self.men.push(Track {
                    man,
                    square,
                    moves: Vec::new(),
                    ever: ManSet::from_man(man),
                    visited: Bitboard::EMPTY,
                    made: 0,
                    captured: None,
                }),
            }
            self.on[usize::from(square)] = u8::try_from(self.count).unwrap_or(NOBODY);
            self.count += 1;
        }
        self.first = Some((board.clone(), followed, self.on));
    }

    /// Notes a plain move of a man that is not followed.
    #[inline]
    pub(super) fn play_another(&mut self, position: u32, m: PackedMove) {
        self.capture(position, m.to());
    }

    /// Notes a plain move of a man that is followed, of some kinds.
    #[inline]
    pub(super) fn play(&mut self, position: u32, m: PackedMove, man: Man, kinds: u64) {
        self.capture(position, m.to());
        let mover = self.lift(m.from());
        self.put(mover, OwnMove::of(position, m.to(), man, kinds));
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
                    self.put(man, own(to));
                }
            }
            kind => {
                self.capture(
                    position,
                    match kind {
                        MoveKind::EnPassant => en_passant_square(m.from(), m.to()),
                        _ => m.to(),
                    },
                );
                let man = self.lift(m.from());
                self.put(man, own(m.to()));
            }
        }
    }

    #[inline]
    fn lift(&mut self, square: Square) -> u8 {
        std::mem::replace(&mut self.on[usize::from(square)], NOBODY)
    }

    #[inline]
    fn put(&mut self, man: u8, own: OwnMove) {
        self.on[usize::from(own.to)] = man;
        if let Some(track) = self.men.get_mut(usize::from(man)) {
            track.push(own);
        }
    }

    /// Takes the man from a square, if one that is followed stands there.
    #[inline]
    fn capture(&mut self, position: u32, square: Square) {
        let man = self.lift(square);
        if let Some(track) = self.men.get_mut(usize::from(man)) {
            track.captured = Some(position);
        }
    }

    /// All men that are followed.
    pub(super) fn tracks(&mut self) -> &mut [Track] {
        &mut self.men[..self.count]
    }
}
