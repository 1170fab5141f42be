//! A stored game: its moves as a tree, and the words around them.

use shakmaty::{Role, Square};

use crate::board::Board;

/// A move in 16 bits: from-square (bits 0 to 5), to-square (6 to 11), kind (12 to 15).
///
/// A castling move goes from the king's square to the rook's, so that it means one thing in Chess960 too. A null
/// move goes from the king's square to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedMove(u16);

/// What a move does beside taking a man from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// Nothing else; whatever stood on the to-square is captured.
    Normal,
    /// A pawn's double step.
    DoubleStep,
    /// A pawn captures the one beside it.
    EnPassant,
    /// King (from) and rook (to) castle.
    Castle,
    /// The turn passes.
    Null,
    /// A pawn becomes this.
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
    /// A null move from and to a1; what damaged data is read as.
    pub const NULL: PackedMove = PackedMove::new(Square::A1, Square::A1, MoveKind::Null);

    /// Packs a move.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> PackedMove {
        PackedMove(from.to_u32() as u16 | (to.to_u32() as u16) << 6 | kind.code() << 12)
    }

    /// Unpacks what [`PackedMove::to_bits`] gave; nothing if the bits are no move.
    #[inline]
    pub fn from_bits(bits: u16) -> Option<PackedMove> {
        matches!(bits >> 12, 0..=4 | 10..=13).then_some(PackedMove(bits))
    }

    /// The 16 bits.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// Where the man leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 63) as u32)
    }

    /// Where the man arrives; for castling, where the rook stands.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u32)
    }

    /// What else the move does.
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

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The normal initial position.
    Standard,
    /// Another position, from a FEN tag.
    Setup {
        /// The men and the side to move.
        board: Box<Board>,
        /// The number of the first move, for printing only.
        fullmoves: u32,
    },
}

impl Start {
    /// The board at the root.
    pub fn board(&self) -> Board {
        match self {
            Start::Standard => Board::initial(),
            Start::Setup { board, .. } => (**board).clone(),
        }
    }
}

/// A node whose parent is not the node before it: the first position of a variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The first position of the variation.
    pub node: u32,
    /// The position that it branches off from.
    pub parent: u32,
}

/// The moves of a game as a tree of positions, numbered as CQL's `positionid` numbers them: preorder, the
/// continuation before the variations (cql6-games 2.1). Node 0 is the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveTree {
    /// Where the game starts.
    pub start: Start,
    /// `moves[i]` leads to node `i + 1`.
    pub moves: Vec<PackedMove>,
    /// The first nodes of the variations, ascending by `node`. Every other node's parent is the node before it.
    pub branches: Vec<Branch>,
}

impl Default for MoveTree {
    /// No move from the normal initial position.
    fn default() -> MoveTree {
        MoveTree {
            start: Start::Standard,
            moves: Vec::new(),
            branches: Vec::new(),
        }
    }
}

impl MoveTree {
    /// How many positions the tree has.
    #[inline]
    pub fn len(&self) -> usize {
        self.moves.len() + 1
    }

    /// Never: there is always a root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// How many positions the main line has: they are the nodes 0 up to this.
    #[inline]
    pub fn mainline_len(&self) -> usize {
        self.branches.first().map_or(self.len(), |branch| branch.node as usize)
    }
}

/// How a game ended, as its movetext says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Outcome {
    /// `*`, or nothing.
    #[default]
    Unknown,
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
}

/// How the text of a game was written before it became UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum TextEncoding {
    /// It was UTF-8.
    #[default]
    Utf8,
    /// It was no UTF-8 and was read as Windows-1252.
    Windows1252,
}

/// A variation without moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmptyVariation {
    /// The move that it stands behind, by the node which that leads to.
    pub node: u32,
    /// How many variations with moves stand between the two.
    pub rank: u32,
    /// The comment in it, if there is one.
    pub comment: Option<String>,
}

/// The words around the moves: all that output and the filters on tags and comments need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameText {
    /// The tag pairs as they stand in the PGN, in order; values are what stands between the first quotation mark of the
    /// line and the last, with its escapes.
    pub tags: Vec<(String, String)>,
    /// Comments on positions, ascending by node; the root's is the one before the first move. They can be empty.
    pub comments: Vec<(u32, String)>,
    /// Comments before the first move of a variation, by the node which that move leads to.
    pub variation_comments: Vec<(u32, String)>,
    /// Numeric annotation glyphs by node, in the order of the PGN.
    pub nags: Vec<(u32, u8)>,
    /// Variations without moves, ascending by node and rank.
    pub empty_variations: Vec<EmptyVariation>,
    /// The terminator of the movetext.
    pub outcome: Outcome,
    /// How the text was written.
    pub encoding: TextEncoding,
}

/// One game, whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// The moves.
    pub tree: MoveTree,
    /// The words.
    pub text: GameText,
}
