//! A stored game: its moves as a tree, and its tags, comments and glyphs.

use crate::{annotations::Annotations, tree::MoveTree};

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
