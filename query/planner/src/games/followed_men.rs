//! The men of a game, each with its moves.

use chess::{Mailbox, Man, MoveKind, PackedMove, castling_targets, en_passant_square};
use language::hir::ManSet;
use shakmaty::{Bitboard, Square};

use crate::expr::{OwnMove, Track};

/// The number of men that are not followed, and of an empty square.
const NOBODY: u8 = 64;

/// Places for all numbers; a power of two, so that no index is checked.
const PLACES: usize = 128;

/// Stands for the move that captures a man, if it is never captured.
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
    /// By number, what each man is now.
    now: [Man; PLACES],
    /// By number, a bit for each kind of move that it makes.
    made: [u64; PLACES],
    /// By number, the move that captures it.
    captured: [u32; PLACES],
    /// By number, how many moves it makes.
    counts: [u32; PLACES],
    /// A bit for each man that castles, by its number.
    castled: u64,
    has_null_moves: bool,
    /// The moves, and behind them what is left of other games.
    moves: Vec<Followed>,
    /// How many moves there are.
    count: usize,
    /// The moves man by man.
    by_man: Vec<OwnMove>,
    /// The numbers of the men that move, in the order of the game.
    order: Vec<u8>,
}

/// A move of a man that is followed.
#[derive(Clone, Copy, Debug)]
struct Followed {
    /// The number of the man.
    man: u8,
    to: Square,
    castles: bool,
    /// What it is after the move.
    after: Man,
    /// Which move of the game it is.
    index: u32,
}

impl FollowedMen {
    /// Nobody.
    pub(super) fn new() -> FollowedMen {
        FollowedMen {
            on: [NOBODY; 64],
            first: None,
            men: Vec::new(),
            now: [Man::EMPTY; PLACES],
            made: [0; PLACES],
            captured: [NEVER; PLACES],
            counts: [0; PLACES],
            castled: 0,
            has_null_moves: false,
            moves: Vec::new(),
            count: 0,
            by_man: Vec::new(),
            order: Vec::new(),
        }
    }

    /// Follows some men of a board through a game. Each of its moves is of some kinds; castling is of all of `castling`.
    pub(super) fn follow(
        &mut self,
        board: &Mailbox,
        followed: ManSet,
        line: &[PackedMove],
        kinds: &[u64],
        castling: u64,
    ) {
        self.begin(board, followed, line.len());
        for ((index, &m), &kinds) in (0..).zip(line).zip(kinds) {
            // Nothing here depends on whether a man is followed, which no processor can foresee.
            if m.is_plain() {
                let mover = self.lift(m.from());
                self.put(index, m.to(), mover);
                self.note(mover, (m.to(), false), index, kinds);
            } else {
                self.play_special(index, m, kinds, castling);
            }
        }
    }

    /// Whether there were null moves.
    pub(super) fn has_null_moves(&self) -> bool {
        self.has_null_moves
    }

    /// Some men of a board, before a number of moves.
    fn begin(&mut self, board: &Mailbox, followed: ManSet, moves: usize) {
        (self.count, self.castled, self.has_null_moves) = (0, 0, false);
        // Castling moves two men. One more is written and not kept.
        if self.moves.len() <= 2 * moves {
            let nothing = Followed {
                man: NOBODY,
                to: Square::A1,
                castles: false,
                after: Man::EMPTY,
                index: 0,
            };
            self.moves.resize(2 * moves + 1, nothing);
        }
        match &self.first {
            Some((first, of_first, on)) if first == board && *of_first == followed => self.on = *on,
            _ => self.find_men(board, followed),
        }
        let men = self.men.len();
        for (now, (man, _, ever)) in self.now.iter_mut().zip(&mut self.men) {
            (*now, *ever) = (*man, ManSet::from_man(*man));
        }
        self.made[..men].fill(0);
        self.captured[..men].fill(NEVER);
        self.counts[..men].fill(0);
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

    /// Notes a move that is not plain. A null move is nobody's.
    #[inline(never)]
    fn play_special(&mut self, index: u32, m: PackedMove, kinds: u64, castling: u64) {
        match m.kind() {
            MoveKind::Null => self.has_null_moves = true,
            MoveKind::Castle => {
                let (king_to, rook_to) = castling_targets(m.from(), m.to());
                let men = [(self.lift(m.from()), king_to), (self.lift(m.to()), rook_to)];
                for (man, to) in men {
                    self.put(index, to, man);
                    self.note(man, (to, true), index, castling);
                    self.castled |= 1u64.checked_shl(u32::from(man)).unwrap_or(0);
                }
            }
            kind => {
                if kind == MoveKind::EnPassant {
                    self.put(index, en_passant_square(m.from(), m.to()), NOBODY);
                }
                let man = self.lift(m.from());
                self.put(index, m.to(), man);
                if let (MoveKind::Promotion(role), Some((.., ever))) = (kind, self.men.get_mut(usize::from(man)))
                    && let Some(color) = self.now[usize::from(man) % PLACES].color()
                {
                    let promoted = Man::new(color, role);
                    self.now[usize::from(man) % PLACES] = promoted;
                    *ever = *ever | ManSet::from_man(promoted);
                }
                self.note(man, (m.to(), false), index, kinds);
            }
        }
    }

    #[inline]
    fn lift(&mut self, square: Square) -> u8 {
        std::mem::replace(&mut self.on[usize::from(square)], NOBODY)
    }

    /// Puts a man, or nobody, on a square; whoever stands there is captured.
    #[inline]
    fn put(&mut self, index: u32, square: Square, man: u8) {
        let captured = std::mem::replace(&mut self.on[usize::from(square)], man);
        self.captured[usize::from(captured) % PLACES] = index;
    }

    /// Notes a move: where it leads, and whether it is castling. It is kept if its man is followed.
    #[inline]
    fn note(&mut self, man: u8, (to, castles): (Square, bool), index: u32, kinds: u64) {
        let place = usize::from(man) % PLACES;
        self.made[place] |= kinds;
        self.counts[place] += 1;
        self.moves[self.count] = Followed {
            man,
            to,
            castles,
            after: self.now[place],
            index,
        };
        self.count += usize::from(man != NOBODY);
    }

    /// All men that are followed, without their moves, in a game that begins at a position.
    pub(super) fn tracks<'m>(&self, start: u32) -> Vec<Track<'m>> {
        let men = self.men.iter().zip(self.made.iter().zip(&self.captured));
        let track = |(number, (&(man, square, ever), (&made, &captured)))| Track {
            man,
            square,
            moves: &[],
            ever,
            made,
            captured: (captured != NEVER).then(|| start + captured),
            castles: self.castled >> number & 1 != 0,
        };
        men.enumerate().map(track).collect()
    }

    /// Gives all men their moves, as [`FollowedMen::follow`] got them, in a game that begins at a position. Returns the numbers
    /// of those that move, in order.
    pub(super) fn put_moves<'m>(
        &'m mut self,
        start: u32,
        kinds: &[u64],
        castling: u64,
        tracks: &mut [Track<'m>],
    ) -> &'m [u8] {
        let moves = &self.moves[..self.count];
        // By number, where the moves of each man begin that were put there already; at first, where they end.
        let mut begins = [0; PLACES];
        let mut end = 0;
        for (begin, &count) in begins.iter_mut().zip(&self.counts[..tracks.len()]) {
            end += count as usize;
            *begin = end;
        }
        let mut ahead = [Bitboard::EMPTY; PLACES];
        let nothing = OwnMove::of(0, Square::A1, Man::EMPTY, 0);
        self.by_man.resize(moves.len().max(self.by_man.len()), nothing);
        for followed in moves.iter().rev() {
            let man = usize::from(followed.man) % PLACES;
            ahead[man].add(followed.to);
            begins[man] -= 1;
            self.by_man[begins[man]] = OwnMove {
                position: start + followed.index,
                to: followed.to,
                castles: followed.castles,
                man: followed.after,
                ahead: ahead[man],
                kinds: match followed.castles {
                    true => castling,
                    false => kinds[followed.index as usize],
                },
            };
        }
        let mut end = moves.len();
        for (&begin, track) in begins[..tracks.len()].iter().zip(tracks).rev() {
            track.moves = &self.by_man[begin..end];
            end = begin;
        }
        self.order.clear();
        self.order.extend(moves.iter().map(|followed| followed.man));
        &self.order
    }
}
