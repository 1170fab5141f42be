//! What a text between quotation marks is the name of.

use crate::document::Document;
use crate::pieces::Class;

/// What can be named between quotation marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quoted {
    /// A named set of positions.
    Set,
    /// A player.
    Player,
    /// An event.
    Event,
    /// A site.
    Site,
    /// An opening code.
    Eco,
    /// A tag of a game.
    Tag,
}

impl Quoted {
    /// What the text that begins at a place is the name of: the words before it say that.
    pub(crate) fn at(document: &Document, start: usize) -> Option<Quoted> {
        let before = document.pieces().iter().rev();
        let before = before.filter(|piece| piece.range.end <= start && piece.class != Class::Comment);
        let mut words = before.map(|piece| &document.text()[piece.range.clone()]);
        match words.next()? {
            "positionset" => Some(Quoted::Set),
            "player" => Some(Quoted::Player),
            "white" | "black" if words.next() == Some("player") => Some(Quoted::Player),
            "event" => Some(Quoted::Event),
            "site" => Some(Quoted::Site),
            "eco" => Some(Quoted::Eco),
            "tag" => Some(Quoted::Tag),
            "(" if words.next() == Some("settag") => Some(Quoted::Tag),
            _ => None,
        }
    }

    /// The tags that games usually have (docs/language/pgn.md).
    pub const TAGS: [&str; 17] = [
        "Event",
        "Site",
        "Date",
        "Round",
        "White",
        "Black",
        "Result",
        "WhiteElo",
        "BlackElo",
        "ECO",
        "Opening",
        "EventDate",
        "TimeControl",
        "Termination",
        "Annotator",
        "FEN",
        "SetUp",
    ];
}
