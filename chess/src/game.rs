//! A stored game: its moves as a tree, and its tags, comments and glyphs.

use crate::{annotations::Annotations, board::Board, moves::PackedMove};

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

/// A node whose parent is not the node before it: the position after the first move of a variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The position after the first move of the variation.
    pub node: u32,
    /// The position that the variation branches off from.
    pub parent: u32,
}

/// The moves of a game as a tree of positions, numbered as CQL's `positionid` numbers them: in preorder, the
/// continuation before the variations (docs/language/games.md#positions-and-their-numbers). Node 0 is the root.
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
    /// The number of positions in the tree.
    #[inline]
    pub fn len(&self) -> usize {
        self.moves.len() + 1
    }

    /// Always false: a tree has a root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The number of positions in the main line. They are the first nodes: 0 up to this number, exclusive.
    #[inline]
    pub fn mainline_len(&self) -> usize {
        self.branches.first().map_or(self.len(), |branch| branch.node as usize)
    }
}

/// How a game ended, as its movetext says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Outcome {
    /// `*`, or no terminator at all.
    #[default]
    Unknown,
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
}

impl Outcome {
    /// The result as it stands in a tag and at the end of the movetext: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn result(self) -> &'static str {
        match self {
            Outcome::White => "1-0",
            Outcome::Black => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.result())
    }
}

/// The encoding of a game in its PGN file; stored text is always UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum TextEncoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// The text was not valid UTF-8 and was read as Windows-1252.
    Windows1252,
}

/// A variation without moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmptyVariation {
    /// The move before it, given by the node that the move leads to.
    pub node: u32,
    /// The number of variations with moves between that move and this variation.
    pub rank: u32,
    /// The comment inside it, if any.
    pub comment: Option<String>,
}

/// The text of a game beside its moves: what output and the filters on tags and comments read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameText {
    /// The tag pairs in the order of the PGN. A value is the text between the first and the last quotation mark of the
    /// line, with its escapes.
    pub tags: Vec<(String, String)>,
    /// Comments on positions, ascending by node. The comment before the first move belongs to the root. A comment may
    /// be empty.
    pub comments: Vec<(u32, String)>,
    /// Comments before the first move of a variation, given by the node that the move leads to.
    pub variation_comments: Vec<(u32, String)>,
    /// Numeric annotation glyphs by node, in the order of the PGN.
    pub nags: Vec<(u32, u8)>,
    /// Variations without moves, ascending by node and rank.
    pub empty_variations: Vec<EmptyVariation>,
    /// The result at the end of the movetext.
    pub outcome: Outcome,
    /// The encoding of the PGN.
    pub encoding: TextEncoding,
}

/// A whole game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// The moves.
    pub tree: MoveTree,
    /// Tags, comments and glyphs.
    pub text: GameText,
    /// The clocks and evaluations in all its comments, those included that were replaced by a later one.
    pub annotations: Annotations,
}
