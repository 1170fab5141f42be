//! The placement of men at one node of a game, and how a packed move changes it.
//!
//! Stored games are replayed on this board. It moves men and checks no rules, because every move was checked when the
//! game was indexed. The evaluator reads it too, so it keeps both bitboards and a mailbox.

use std::sync::LazyLock;

use shakmaty::{Bitboard, Color, File, Piece, Rank, Role, Square, attacks};

use crate::moves::{MoveKind, PackedMove};

/// The content of a square as a small number: white pawn to king are 0 to 5, black pawn to king are 6 to 11, and
/// [`Man::EMPTY`] is 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Man(u8);

impl Man {
    /// An empty square.
    pub const EMPTY: Man = Man(12);
    /// The number of kinds of men, without the empty square.
    pub const KINDS: usize = 12;

    /// The man of this color and role.
    #[inline]
    pub const fn new(color: Color, role: Role) -> Man {
        let side = match color {
            Color::White => 0,
            Color::Black => 6,
        };
        Man(side + role as u8 - 1)
    }

    /// The man (or empty square) with this number, or `None` above 12.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Man> {
        if index <= 12 { Some(Man(index)) } else { None }
    }

    /// The number, 0 to 12.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All twelve men, white first, pawn to king.
    pub fn all() -> impl DoubleEndedIterator<Item = Man> + ExactSizeIterator + Clone {
        (0..12).map(Man)
    }

    /// Color and role, or `None` for the empty square.
    #[inline]
    pub fn piece(self) -> Option<Piece> {
        Some(Piece {
            color: self.color()?,
            role: self.role()?,
        })
    }

    /// The color, or `None` for the empty square.
    #[inline]
    pub const fn color(self) -> Option<Color> {
        match self.0 {
            0..=5 => Some(Color::White),
            6..=11 => Some(Color::Black),
            _ => None,
        }
    }

    /// The role, or `None` for the empty square.
    #[inline]
    pub const fn role(self) -> Option<Role> {
        match self.0 % 6 {
            _ if self.0 == 12 => None,
            0 => Some(Role::Pawn),
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            _ => Some(Role::King),
        }
    }

    /// The letter of the FEN: `P` to `K`, `p` to `k`, and `_` for the empty square.
    pub fn letter(self) -> char {
        self.piece().map_or('_', Piece::char)
    }
}

impl From<Piece> for Man {
    fn from(piece: Piece) -> Man {
        Man::new(piece.color, piece.role)
    }
}

/// The placement of men, and the side to move.
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    men: [Bitboard; 12],
    colors: [Bitboard; 2],
    mailbox: [Man; 64],
    turn: Color,
}

impl Board {
    /// The empty board, White to move.
    pub const EMPTY: Board = Board {
        men: [Bitboard::EMPTY; 12],
        colors: [Bitboard::EMPTY; 2],
        mailbox: [Man::EMPTY; 64],
        turn: Color::White,
    };

    /// The normal initial position.
    pub fn initial() -> Board {
        static INITIAL: LazyLock<Board> =
            LazyLock::new(|| Board::from_pieces(shakmaty::Board::new().iter(), Color::White));
        INITIAL.clone()
    }

    /// The board with these men on it.
    pub fn from_pieces(pieces: impl IntoIterator<Item = (Square, Piece)>, turn: Color) -> Board {
        let mut board = Board::EMPTY;
        board.turn = turn;
        for (square, piece) in pieces {
            board.remove(square);
            board.put(square, Man::from(piece));
        }
        board
    }

    /// The board with these men on its squares, from a1 to h8.
    pub(crate) fn from_men(mailbox: [Man; 64], turn: Color) -> Board {
        let digits = binary_digits(&mailbox);
        let mut men = [Bitboard::EMPTY; 12];
        let mut colors = [Bitboard::EMPTY; 2];
        for color in Color::ALL {
            for role in Role::ALL {
                let man = Man::new(color, role);
                let of_man = (0..4).fold(Bitboard::FULL, |all, digit| match man.0 >> digit & 1 {
                    0 => all & !digits[digit],
                    _ => all & digits[digit],
                });
                men[man.index()] = of_man;
                colors[color as usize] |= of_man;
            }
        }
        Board {
            men,
            colors,
            mailbox,
            turn,
        }
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Gives the move to a side.
    pub fn set_turn(&mut self, turn: Color) {
        self.turn = turn;
    }

    /// The squares of one kind of man; the empty squares for [`Man::EMPTY`].
    #[inline]
    pub fn of(&self, man: Man) -> Bitboard {
        self.men.get(man.index()).copied().unwrap_or_else(|| !self.occupied())
    }

    /// The squares of one piece.
    #[inline]
    pub fn piece(&self, color: Color, role: Role) -> Bitboard {
        self.men[Man::new(color, role).index()]
    }

    /// The squares of all men of one role, of either color.
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard {
        self.piece(Color::White, role) | self.piece(Color::Black, role)
    }

    /// The squares of all men of one color.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The man on a square, or [`Man::EMPTY`].
    #[inline]
    pub fn at(&self, square: Square) -> Man {
        self.mailbox[usize::from(square)]
    }

    /// The squares that the man on `square` attacks (docs/language/positions.md#attacks). An empty square attacks none.
    #[inline]
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        match self.at(square).piece() {
            Some(piece) => attacks::attacks(square, piece, self.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// The squares of the men of `color` that attack `square` if exactly the squares in `occupied` are occupied.
    #[inline]
    pub fn attackers(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let queens = self.piece(color, Role::Queen);
        (attacks::pawn_attacks(!color, square) & self.piece(color, Role::Pawn))
            | (attacks::knight_attacks(square) & self.piece(color, Role::Knight))
            | (attacks::king_attacks(square) & self.piece(color, Role::King))
            | (attacks::bishop_attacks(square, occupied) & (self.piece(color, Role::Bishop) | queens))
            | (attacks::rook_attacks(square, occupied) & (self.piece(color, Role::Rook) | queens))
    }

    /// Whether a man of `color` attacks `square` if exactly the squares in `occupied` are occupied.
    #[inline]
    pub fn is_attacked_by(&self, square: Square, color: Color, occupied: Bitboard) -> bool {
        let any = |attacked: Bitboard, role| (attacked & self.piece(color, role)).any();
        let queens = self.piece(color, Role::Queen);
        // Most sliders stand on no line with the square.
        let slides = |attacks: fn(Square, Bitboard) -> Bitboard, role| {
            let sliders = self.piece(color, role) | queens;
            (attacks(square, Bitboard::EMPTY) & sliders).any() && (attacks(square, occupied) & sliders).any()
        };
        any(attacks::pawn_attacks(!color, square), Role::Pawn)
            || any(attacks::knight_attacks(square), Role::Knight)
            || any(attacks::king_attacks(square), Role::King)
            || slides(attacks::bishop_attacks, Role::Bishop)
            || slides(attacks::rook_attacks, Role::Rook)
    }

    /// Whether a king of `color` is attacked.
    #[inline]
    pub fn is_attacked(&self, color: Color) -> bool {
        let mut kings = self.piece(color, Role::King).into_iter();
        kings.any(|king| self.is_attacked_by(king, !color, self.occupied()))
    }

    /// The squares of the men that give check to a king of `color`.
    #[inline]
    pub fn checkers(&self, color: Color) -> Bitboard {
        self.piece(color, Role::King)
            .into_iter()
            .fold(Bitboard::EMPTY, |all, king| {
                all | self.attackers(king, !color, self.occupied())
            })
    }

    /// Puts a man on an empty square.
    #[inline]
    fn put(&mut self, square: Square, man: Man) {
        debug_assert!(self.at(square) == Man::EMPTY, "the square is empty");
        if let Some(color) = man.color() {
            self.men[man.index()].add(square);
            self.colors[color as usize].add(square);
            self.mailbox[usize::from(square)] = man;
        }
    }

    /// Removes the man on a square, if any, and returns it.
    #[inline]
    fn remove(&mut self, square: Square) -> Man {
        let man = self.at(square);
        if let Some(color) = man.color() {
            self.men[man.index()].discard(square);
            self.colors[color as usize].discard(square);
            self.mailbox[usize::from(square)] = Man::EMPTY;
        }
        man
    }

    /// Plays a move without checking it: it was checked when the game was indexed. A move from an empty square only
    /// changes the side to move, so damaged data can give a wrong board but nothing worse.
    #[inline]
    pub fn play(&mut self, m: PackedMove) {
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::Null => {}
            MoveKind::Castle => {
                let king = self.remove(from);
                let rook = self.remove(to);
                let (king_to, rook_to) = castling_targets(from, to);
                self.remove(king_to);
                self.put(king_to, king);
                self.remove(rook_to);
                self.put(rook_to, rook);
            }
            kind => {
                let mover = self.remove(from);
                self.remove(to);
                let arrives = match (kind, mover.color()) {
                    (MoveKind::Promotion(role), Some(color)) => Man::new(color, role),
                    _ => mover,
                };
                self.put(to, arrives);
                if kind == MoveKind::EnPassant {
                    self.remove(en_passant_square(from, to));
                }
            }
        }
        self.turn = !self.turn;
    }

    /// Takes back the move that led to this board. `captured` is the man that stood on its to-square before, or
    /// [`Man::EMPTY`]; the pawn that was captured en passant comes back by itself.
    pub fn undo(&mut self, m: PackedMove, captured: Man) {
        let (from, to) = (m.from(), m.to());
        self.turn = !self.turn;
        match m.kind() {
            MoveKind::Null => {}
            MoveKind::Castle => {
                let (king_to, rook_to) = castling_targets(from, to);
                let (king, rook) = (self.remove(king_to), self.remove(rook_to));
                self.replace(from, king);
                self.replace(to, rook);
            }
            kind => {
                let arrived = self.remove(to);
                let mover = match (kind, arrived.color()) {
                    (MoveKind::Promotion(_), Some(color)) => Man::new(color, Role::Pawn),
                    _ => arrived,
                };
                self.replace(from, mover);
                self.replace(to, captured);
                if kind == MoveKind::EnPassant {
                    self.replace(en_passant_square(from, to), Man::new(!self.turn, Role::Pawn));
                }
            }
        }
    }

    /// Puts a man on a square in the place of what stands there; [`Man::EMPTY`] takes it away.
    pub fn replace(&mut self, square: Square, man: Man) {
        self.remove(square);
        self.put(square, man);
    }
}

/// For each of the four binary digits of a man's number, the squares where it is 1.
#[inline]
fn binary_digits(men: &[Man; 64]) -> [Bitboard; 4] {
    /// The lowest bit of each byte.
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    /// Times this, these bits are side by side in the highest byte, that of the first byte as the lowest.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut digits = [0; 4];
    let (ranks, _) = men.as_chunks::<8>();
    for (rank, men) in ranks.iter().enumerate() {
        let numbers = u64::from_le_bytes(men.map(|man| man.0));
        for (digit, squares) in digits.iter_mut().enumerate() {
            let bits = (numbers >> digit & LOWEST).wrapping_mul(GATHER) >> 56;
            *squares |= bits << (8 * rank);
        }
    }
    digits.map(Bitboard)
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                write!(f, "{} ", self.at(Square::from_coords(file, rank)).letter())?;
            }
            writeln!(f)?;
        }
        write!(f, "{} to move", self.turn)
    }
}

/// The squares of king and rook after castling from these squares: on the g and f files, or on the c and d files.
#[inline]
pub fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let (king_file, rook_file) = if rook > king {
        (File::G, File::F)
    } else {
        (File::C, File::D)
    };
    (
        Square::from_coords(king_file, king.rank()),
        Square::from_coords(rook_file, king.rank()),
    )
}

/// The square of the pawn that a capture en passant between these squares removes.
#[inline]
pub fn en_passant_square(from: Square, to: Square) -> Square {
    Square::from_coords(to.file(), from.rank())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken_back(fen: &str, from: Square, to: Square, kind: MoveKind) {
        let fen: shakmaty::fen::Fen = fen.parse().unwrap();
        let setup = fen.as_setup();
        let before = Board::from_pieces(setup.board.iter(), setup.turn);
        let m = PackedMove::new(from, to, kind);
        let captured = match kind {
            MoveKind::Castle | MoveKind::Null => Man::EMPTY,
            _ => before.at(to),
        };
        let mut board = before.clone();
        board.play(m);
        assert_ne!(board, before);
        board.undo(m, captured);
        assert_eq!(board, before, "{m:?}");
    }

    #[test]
    fn moves_are_taken_back() {
        use MoveKind::{Castle, DoubleStep, EnPassant, Normal, Null, Promotion};
        let middle = "r3k2r/1P4P1/8/3pP3/8/8/3P4/R3K2R w KQkq d6 0 1";
        taken_back(middle, Square::A1, Square::A8, Normal);
        taken_back(middle, Square::D2, Square::D4, DoubleStep);
        taken_back(middle, Square::E5, Square::D6, EnPassant);
        taken_back(middle, Square::E1, Square::H1, Castle);
        taken_back(middle, Square::E1, Square::A1, Castle);
        taken_back(middle, Square::E1, Square::E1, Null);
        taken_back(middle, Square::B7, Square::A8, Promotion(Role::Knight));
        taken_back(middle, Square::G7, Square::G8, Promotion(Role::Queen));
        // The king stays where it is, or goes where the rook was.
        taken_back("4k3/8/8/8/8/8/8/6KR w H - 0 1", Square::G1, Square::H1, Castle);
        taken_back("4k3/8/8/8/8/8/8/RK6 w A - 0 1", Square::B1, Square::A1, Castle);
        let black = "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1";
        taken_back(black, Square::E4, Square::D3, EnPassant);
    }
}
