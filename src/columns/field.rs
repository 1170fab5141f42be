//! What a column of matching positions can be about.

use chess::{Outcome, Quantity};
use storage::TagColumn;
use table::{Column, Kind};

use shakmaty::Color;

/// The results that a column can have.
pub(crate) const RESULTS: [&str; 4] = [
    Outcome::White.result(),
    Outcome::Black.result(),
    Outcome::Draw.result(),
    Outcome::Unknown.result(),
];

/// The sides to move.
pub(crate) const SIDES: [&str; 2] = ["white", "black"];

/// What a column of matching positions is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// The number of the game.
    Game,
    /// CQL's `positionid`.
    Position,
    /// Half-moves from the start of the game.
    Ply,
    /// The side to move.
    Side,
    /// The move that led to the position, with its number.
    Move,
    Fen,
    /// The move that is played next in the same line.
    Next,
    /// How many half-moves the main line of the game has.
    Length,
    /// What the query says of the position.
    Comment,
    /// A sort key, by its place in the query, and whether its values are numbers.
    Sort(usize, bool),
    /// A clock, a time or an evaluation that the comments give.
    Quantity(Quantity),
    /// A name in the header, as filters see it.
    Name(TagColumn),
    Rating(Color),
    Result,
    /// A date if all of it is known.
    Date(TagColumn),
    /// The same as in PGN, whatever is known of it.
    DateText(TagColumn),
    Year,
    Month,
    Day,
    /// The value of a tag as it stands in the PGN.
    Tag(String),
    /// What the database is called, where there may be several.
    Database,
    /// The names of the questions that have the position.
    Questions,
}

/// The names of all columns but those of sort keys and tags.
pub(crate) const FIELDS: [(&str, Field); 28] = [
    ("game", Field::Game),
    ("position", Field::Position),
    ("ply", Field::Ply),
    ("side", Field::Side),
    ("move", Field::Move),
    ("next", Field::Next),
    ("fen", Field::Fen),
    ("white_clock", Field::Quantity(Quantity::WhiteClock)),
    ("black_clock", Field::Quantity(Quantity::BlackClock)),
    ("movetime", Field::Quantity(Quantity::MoveTime)),
    ("eval", Field::Quantity(Quantity::Evaluation)),
    ("white", Field::Name(TagColumn::White)),
    ("black", Field::Name(TagColumn::Black)),
    ("white_rating", Field::Rating(Color::White)),
    ("black_rating", Field::Rating(Color::Black)),
    ("result", Field::Result),
    ("event", Field::Name(TagColumn::Event)),
    ("site", Field::Name(TagColumn::Site)),
    ("date", Field::Date(TagColumn::Date)),
    ("date_text", Field::DateText(TagColumn::Date)),
    ("year", Field::Year),
    ("month", Field::Month),
    ("day", Field::Day),
    ("event_date", Field::Date(TagColumn::EventDate)),
    ("event_date_text", Field::DateText(TagColumn::EventDate)),
    ("eco", Field::Name(TagColumn::Eco)),
    ("length", Field::Length),
    ("comment", Field::Comment),
];

/// The columns that only a table of what several questions have found has, and which come first unless told otherwise.
pub(crate) const OF_LABELS: [(&str, Field); 2] = [("database", Field::Database), ("questions", Field::Questions)];

/// The columns that a table has unless told otherwise; those of the sort keys of the query come behind them.
pub(crate) const DEFAULT: [&str; 14] = [
    "game",
    "position",
    "ply",
    "move",
    "fen",
    "white",
    "black",
    "white_rating",
    "black_rating",
    "result",
    "event",
    "date",
    "date_text",
    "eco",
];

impl Field {
    /// Whether the number of a position, and what is stored of its game, is not enough.
    pub(crate) fn needs_board(&self) -> bool {
        match self {
            Field::Ply | Field::Side | Field::Move | Field::Fen | Field::Next | Field::Comment | Field::Sort(..) => {
                true
            }
            Field::Game
            | Field::Position
            | Field::Length
            | Field::Quantity(_)
            | Field::Name(_)
            | Field::Rating(_)
            | Field::Result
            | Field::Date(_)
            | Field::DateText(_)
            | Field::Year
            | Field::Month
            | Field::Day
            | Field::Tag(_)
            | Field::Database
            | Field::Questions => false,
        }
    }

    /// The column of a table for it.
    pub(crate) fn column(&self, name: String) -> Column {
        let is_distinct = matches!(self, Field::Fen | Field::Comment);
        let kind = match self {
            Field::Game
            | Field::Position
            | Field::Ply
            | Field::Length
            | Field::Quantity(_)
            | Field::Rating(_)
            | Field::Year
            | Field::Month
            | Field::Day
            | Field::Sort(_, true) => Kind::Integer,
            Field::Move
            | Field::Fen
            | Field::Next
            | Field::Comment
            | Field::Sort(_, false)
            | Field::Name(_)
            | Field::DateText(_)
            | Field::Tag(_)
            | Field::Database
            | Field::Questions => Kind::Text,
            Field::Side => Kind::Choice(&SIDES),
            Field::Result => Kind::Choice(&RESULTS),
            Field::Date(_) => Kind::Date,
        };
        Column {
            is_distinct,
            ..Column::new(name, kind)
        }
    }
}

/// The name of a side.
pub(crate) fn side(color: Color) -> &'static str {
    match color {
        Color::White => SIDES[0],
        Color::Black => SIDES[1],
    }
}
