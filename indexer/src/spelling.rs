//! The spellings of moves, and their meaning on a board.
//!
//! pgn-reader reads ordinary SAN into shakmaty's [`San`]. This module reads the other spellings that CQL 6.2 accepts
//! (docs/language/pgn.md#spellings-of-moves), and some more that are common in old files: `e7-e5`, `Ng1f3`, `dc`,
//! `a8Q`, `0-0`, `OO`, `Z0`.

use chess::{Board, Man, MoveKind, PackedMove};
use shakmaty::{Bitboard, CastlingSide, File, Rank, Role, Square, attacks, san::San};

/// A move as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelled {
    Castle(CastlingSide),
    Null,
    /// A man moves to a square. Without a role it is a pawn, or the man on the from-square if that is given.
    Man {
        role: Option<Role>,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<Role>,
    },
    /// A pawn captures. Only the files are given: `dc`.
    PawnCapture {
        from: File,
        to: File,
        promotion: Option<Role>,
    },
}

/// Why a move can't be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Illegal,
    Ambiguous,
}

impl Spelled {
    /// Converts a move that shakmaty has read. Returns `None` for a drop.
    #[inline]
    pub(crate) fn from_san(san: San) -> Option<Spelled> {
        Some(match san {
            San::Normal {
                role,
                file,
                rank,
                to,
                promotion,
                ..
            } => Spelled::Man {
                role: Some(role),
                file,
                rank,
                to,
                promotion,
            },
            San::Castle(side) => Spelled::Castle(side),
            San::Null => Spelled::Null,
            San::Put { .. } => return None,
        })
    }

    /// Reads a word. Returns `None` if it is not a move in any spelling.
    pub(crate) fn from_word(word: &str) -> Option<Spelled> {
        if matches!(word, "--" | "Z0" | "null" | "@@@@" | "0000") {
            return Some(Spelled::Null);
        }
        let trimmed = word.trim_end_matches(['+', '#', '-', '=', '~', '/', ':', '.', ',', '\'']);
        if !trimmed.is_empty() && trimmed.bytes().all(|byte| matches!(byte, b'O' | b'o' | b'0' | b'-')) {
            return match trimmed.bytes().filter(|&byte| byte != b'-').count() {
                2 => Some(Spelled::Castle(CastlingSide::KingSide)),
                3 => Some(Spelled::Castle(CastlingSide::QueenSide)),
                _ => None,
            };
        }
        read_man(word.as_bytes())
    }
}

/// Reads a move of a man: role, coordinates with capture marks between them, promotion, decoration.
fn read_man(word: &[u8]) -> Option<Spelled> {
    let (role, mut rest) = match word.split_first()? {
        (b'P', rest) => (Some(Role::Pawn), rest),
        (b'N', rest) => (Some(Role::Knight), rest),
        (b'B', rest) => (Some(Role::Bishop), rest),
        (b'R', rest) => (Some(Role::Rook), rest),
        (b'Q', rest) => (Some(Role::Queen), rest),
        (b'K', rest) => (Some(Role::King), rest),
        _ => (None, word),
    };
    let mut coordinates = [0u8; 4];
    let mut count = 0;
    while let Some((&byte, after)) = rest.split_first() {
        match byte {
            b'a'..=b'h' | b'1'..=b'8' if count < 4 => {
                // `exd5ep`, `a8b`: after a complete square, a file without a rank is no coordinate.
                let is_square = count >= 2 && coordinates[count - 1].is_ascii_digit();
                let next = after.iter().find(|byte| !matches!(byte, b'x' | b'-' | b':' | b'X'));
                if is_square && !next.is_some_and(u8::is_ascii_digit) {
                    break;
                }
                coordinates[count] = byte;
                count += 1;
            }
            b'x' | b'X' | b':' | b'-' => {}
            _ => break,
        }
        rest = after;
    }
    let file = |byte: u8| byte.is_ascii_lowercase().then(|| File::new(u32::from(byte - b'a')));
    let rank = |byte: u8| byte.is_ascii_digit().then(|| Rank::new(u32::from(byte - b'1')));
    let promotion = read_promotion(&mut rest);
    if !is_decoration(rest) {
        return None;
    }
    let square = |pair: [u8; 2]| Some(Square::from_coords(file(pair[0])?, rank(pair[1])?));
    let man = |from_file, from_rank, to| Spelled::Man {
        role,
        file: from_file,
        rank: from_rank,
        to,
        promotion,
    };
    match (count, coordinates) {
        (2, [a, b, ..]) => match square([a, b]) {
            Some(to) => Some(man(None, None, to)),
            None if role.is_none() => Some(Spelled::PawnCapture {
                from: file(a)?,
                to: file(b)?,
                promotion,
            }),
            None => None,
        },
        (3, [a, b, c, _]) => {
            let to = square([b, c])?;
            Some(man(file(a), rank(a), to))
        }
        (4, [a, b, c, d]) => {
            let (from, to) = (square([a, b])?, square([c, d])?);
            Some(man(Some(from.file()), Some(from.rank()), to))
        }
        _ => None,
    }
}

fn read_promotion(rest: &mut &[u8]) -> Option<Role> {
    let after = rest
        .strip_prefix(b"=")
        .or_else(|| rest.strip_prefix(b"/"))
        .unwrap_or(rest);
    let (&letter, after) = after.split_first()?;
    let role = match letter {
        b'N' | b'n' => Role::Knight,
        b'B' | b'b' => Role::Bishop,
        b'R' | b'r' => Role::Rook,
        b'Q' | b'q' => Role::Queen,
        _ => return None,
    };
    *rest = after;
    Some(role)
}

/// Whether the text after a move is only decoration, such as marks of check.
fn is_decoration(rest: &[u8]) -> bool {
    let word = rest.trim_ascii_start();
    matches!(
        word,
        b"ep" | b"e.p." | b"e.p" | b"ch" | b"mate" | b"dbl" | b"dis" | b"++"
    ) || word.iter().all(|byte| {
        matches!(
            byte,
            b'+' | b'#' | b'-' | b'=' | b'~' | b'/' | b':' | b'.' | b',' | b'\''
        )
    })
}

/// A position in which moves are resolved: the board, and the square behind a pawn that has just made a double step.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) board: Board,
    pub(crate) en_passant: Option<Square>,
}

/// The squares from which each side castles: those of the kings, and of the rooks by [`CastlingSide`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CastlingHomes {
    pub(crate) kings: [Option<Square>; 2],
    pub(crate) rooks: [[Option<Square>; 2]; 2],
}

impl CastlingHomes {
    /// Kings on e1 and e8, rooks in the corners.
    pub(crate) const STANDARD: CastlingHomes = CastlingHomes {
        kings: [Some(Square::E1), Some(Square::E8)],
        rooks: [
            [Some(Square::H1), Some(Square::A1)],
            [Some(Square::H8), Some(Square::A8)],
        ],
    };
}

impl Stage {
    /// Finds the only legal move with this spelling.
    #[inline]
    pub(crate) fn resolve(&self, spelled: Spelled, homes: &CastlingHomes) -> Result<PackedMove, Refusal> {
        match spelled {
            Spelled::Man {
                role: Some(role),
                file,
                rank,
                to,
                promotion,
            } if role != Role::Pawn => {
                if promotion.is_some() {
                    return Err(Refusal::Illegal);
                }
                self.piece_move(role, file, rank, to)
            }
            Spelled::Man {
                role,
                file,
                rank,
                to,
                promotion,
            } => {
                if let (None, Some(file), Some(rank)) = (role, file, rank) {
                    return self.bare_move(Square::from_coords(file, rank), to, promotion, homes);
                }
                self.pawn_move(file, rank, Bitboard::from(to), promotion)
            }
            Spelled::PawnCapture { from, to, .. } if from == to => Err(Refusal::Illegal),
            Spelled::PawnCapture { from, to, promotion } => {
                self.pawn_move(Some(from), None, Bitboard::from(to), promotion)
            }
            Spelled::Castle(side) => self.castle(side, homes),
            Spelled::Null => {
                let king = self
                    .board
                    .piece(self.board.turn(), Role::King)
                    .first()
                    .ok_or(Refusal::Illegal)?;
                Ok(PackedMove::new(king, king, MoveKind::Null))
            }
        }
    }

    /// Resolves a move that gives both squares and no man, as engines write it.
    fn bare_move(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
        homes: &CastlingHomes,
    ) -> Result<PackedMove, Refusal> {
        let turn = self.board.turn();
        match self.board.at(from).role() {
            Some(Role::King) if self.board.at(to) == Man::new(turn, Role::Rook) || from.distance(to) > 1 => {
                let side = if to > from {
                    CastlingSide::KingSide
                } else {
                    CastlingSide::QueenSide
                };
                let m = self.castle(side, homes)?;
                let lands = chess::castling_targets(m.from(), m.to()).0;
                if m.from() == from && (m.to() == to || lands == to) {
                    Ok(m)
                } else {
                    Err(Refusal::Illegal)
                }
            }
            Some(Role::Pawn) => self.pawn_move(Some(from.file()), Some(from.rank()), Bitboard::from(to), promotion),
            Some(role) if promotion.is_none() => self.piece_move(role, Some(from.file()), Some(from.rank()), to),
            _ => Err(Refusal::Illegal),
        }
    }

    #[inline]
    fn piece_move(
        &self,
        role: Role,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
    ) -> Result<PackedMove, Refusal> {
        let turn = self.board.turn();
        let captured = self.board.at(to);
        if captured.color() == Some(turn) || captured.role() == Some(Role::King) {
            return Err(Refusal::Illegal);
        }
        let occupied = self.board.occupied();
        let reach = match role {
            Role::Knight => attacks::knight_attacks(to),
            Role::Bishop => attacks::bishop_attacks(to, occupied),
            Role::Rook => attacks::rook_attacks(to, occupied),
            Role::Queen => attacks::queen_attacks(to, occupied),
            Role::King => attacks::king_attacks(to),
            Role::Pawn => return Err(Refusal::Illegal),
        };
        let candidates = narrow(reach & self.board.piece(turn, role), file, rank);
        let from = self.only_safe(candidates, to)?;
        Ok(PackedMove::new(from, to, MoveKind::Normal))
    }

    /// Of several men that attack a square, the only one that can move there without exposing its king.
    #[inline]
    fn only_safe(&self, candidates: Bitboard, to: Square) -> Result<Square, Refusal> {
        let mut safe = candidates
            .into_iter()
            .filter(|&from| self.board.is_safe(from, to, None));
        let from = safe.next().ok_or(Refusal::Illegal)?;
        if safe.next().is_some() {
            Err(Refusal::Ambiguous)
        } else {
            Ok(from)
        }
    }

    /// Resolves a pawn move to one of several squares: an advance if its file is not given or is the same, otherwise a
    /// capture.
    #[inline]
    fn pawn_move(
        &self,
        file: Option<File>,
        rank: Option<Rank>,
        targets: Bitboard,
        promotion: Option<Role>,
    ) -> Result<PackedMove, Refusal> {
        let turn = self.board.turn();
        let pawns = narrow(self.board.piece(turn, Role::Pawn), file, rank);
        let mut found = Err(Refusal::Illegal);
        for to in targets {
            let is_push = file.is_none_or(|file| file == to.file());
            // Pawns that can move here: from behind, or from where a pawn of the other color on this square attacks.
            let near = if is_push {
                Bitboard::from(to.file())
            } else {
                attacks::pawn_attacks(!turn, to)
            };
            for from in pawns & near {
                match self.pawn_step(from, to, promotion) {
                    Some(_) if found.is_ok() => return Err(Refusal::Ambiguous),
                    Some(m) => found = Ok(m),
                    None => {}
                }
            }
        }
        found
    }

    /// The move of a pawn between two squares, if it is legal.
    #[inline]
    fn pawn_step(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<PackedMove> {
        let turn = self.board.turn();
        if !self.board.pseudo_targets(from, self.en_passant).contains(to)
            || self.board.at(to).role() == Some(Role::King)
        {
            return None;
        }
        let captured = self.board.captured_en_passant(from, to, self.en_passant);
        let is_last_rank = to.rank() == turn.fold_wb(Rank::Eighth, Rank::First);
        let kind = match promotion {
            Some(Role::Pawn | Role::King) => return None,
            Some(role) if is_last_rank => MoveKind::Promotion(role),
            None if !is_last_rank => match captured {
                Some(_) => MoveKind::EnPassant,
                None if from.distance(to) == 2 => MoveKind::DoubleStep,
                None => MoveKind::Normal,
            },
            _ => return None,
        };
        self.board
            .is_safe(from, to, captured)
            .then(|| PackedMove::new(from, to, kind))
    }

    fn castle(&self, side: CastlingSide, homes: &CastlingHomes) -> Result<PackedMove, Refusal> {
        let color = self.board.turn().fold_wb(0, 1);
        let rook = homes.rooks[color][usize::from(side.is_queen_side())];
        match homes.kings[color].zip(rook) {
            Some((king, rook)) if self.board.can_castle(king, rook) => {
                Ok(PackedMove::new(king, rook, MoveKind::Castle))
            }
            _ => Err(Refusal::Illegal),
        }
    }

    /// Plays a move that [`Stage::resolve`] returned.
    #[inline]
    pub(crate) fn play(&mut self, m: PackedMove) {
        self.board.play(m);
        self.en_passant = (m.kind() == MoveKind::DoubleStep).then(|| {
            let rank = if m.to() > m.from() { Rank::Third } else { Rank::Sixth };
            Square::from_coords(m.from().file(), rank)
        });
    }
}

#[inline]
fn narrow(candidates: Bitboard, file: Option<File>, rank: Option<Rank>) -> Bitboard {
    let file = file.map_or(Bitboard::FULL, Bitboard::from);
    let rank = rank.map_or(Bitboard::FULL, Bitboard::from);
    candidates & file & rank
}
