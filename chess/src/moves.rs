//! Moves in 16 bits, as games store them.

use shakmaty::{Role, Square};

/// A move in 16 bits: from-square (bits 0 to 5), to-square (6 to 11), kind (12 to 15).
///
/// A castling move goes from the king's square to the rook's, which is unambiguous in Chess960 too. A null move goes
/// from the king's square to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedMove(u16);

/// What a move does besides moving one man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// Only that. A man on the to-square is captured.
    Normal,
    /// A pawn's double step.
    DoubleStep,
    /// A pawn captures the pawn beside it.
    EnPassant,
    /// Castling: the king stands on the from-square, the rook on the to-square.
    Castle,
    /// A null move: only the side to move changes.
    Null,
    /// A pawn is promoted to this role.
    Promotion(Role),
}

impl MoveKind {
    #[inline]
    const fn code(self) -> u16 {
        match self {
            MoveKind::Normal => 0,
            MoveKind::DoubleStep => 1,
            MoveKind::EnPassant => 2,
            MoveKind::Castle => 3,
            MoveKind::Null => 4,
            MoveKind::Promotion(role) => 8 + role as u16,
        }
    }
}

impl PackedMove {
    /// A null move from and to a1. Damaged data is read as this.
    pub const NULL: PackedMove = PackedMove::new(Square::A1, Square::A1, MoveKind::Null);

    /// Packs a move.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a square has six bits")]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> PackedMove {
        PackedMove(from.to_u32() as u16 | (to.to_u32() as u16) << 6 | kind.code() << 12)
    }

    /// The move with these bits ([`PackedMove::to_bits`]), or `None` if there is none.
    #[inline]
    pub fn from_bits(bits: u16) -> Option<PackedMove> {
        matches!(bits >> 12, 0..=4 | 10..=13).then_some(PackedMove(bits))
    }

    /// The 16 bits.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The square that the man leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 63) as u32)
    }

    /// The square that the man arrives on; for castling, the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u32)
    }

    /// Whether it moves one man and does nothing else but capture what stands where it goes: a move of the kinds
    /// [`MoveKind::Normal`] and [`MoveKind::DoubleStep`], as nearly all are.
    #[inline]
    pub const fn is_plain(self) -> bool {
        self.0 >> 12 <= MoveKind::DoubleStep.code()
    }

    /// Whether it moves one man: it is neither castling nor a null move.
    #[inline]
    pub const fn is_of_one_man(self) -> bool {
        !matches!(self.kind(), MoveKind::Castle | MoveKind::Null)
    }

    /// Whether a pawn is promoted.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0 >> 12 >= MoveKind::Promotion(Role::Knight).code()
    }

    /// The kind of move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.0 >> 12 {
            0 => MoveKind::Normal,
            1 => MoveKind::DoubleStep,
            2 => MoveKind::EnPassant,
            3 => MoveKind::Castle,
            10 => MoveKind::Promotion(Role::Knight),
            11 => MoveKind::Promotion(Role::Bishop),
            12 => MoveKind::Promotion(Role::Rook),
            13 => MoveKind::Promotion(Role::Queen),
            _ => MoveKind::Null,
        }
    }
}
