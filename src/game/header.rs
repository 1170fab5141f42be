//! The header of a game: what its tags say, by type.

use std::fmt;

use chess::{GameText, Outcome};
use storage::TagColumn;

/// The fields of a game's header that filters read, spelled as filters see them: one spelling of names, dates and
/// openings whatever the PGN has. All tags as they were written are in [`Game::tags`](crate::Game::tags).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameHeader {
    /// The player of the white men; `?` if the tag is missing.
    pub white: String,
    /// The player of the black men; `?` if the tag is missing.
    pub black: String,
    /// The event; `?` if the tag is missing.
    pub event: String,
    /// The place; empty if the tag is missing.
    pub site: String,
    /// When the game was played.
    pub date: Date,
    /// When the event began.
    pub event_date: Date,
    /// The code of the opening, such as `B90`.
    pub eco: Option<String>,
    /// White's rating.
    pub white_rating: Option<u16>,
    /// Black's rating.
    pub black_rating: Option<u16>,
    /// How the game ended.
    pub outcome: Outcome,
}

impl GameHeader {
    /// Reads the tags of a game.
    pub(super) fn of(text: &GameText) -> GameHeader {
        let header = storage::Header::from_text(text);
        let value = |column| header.get(column).to_owned();
        let [white_rating, black_rating] = header.ratings().map(|rating| Some(rating).filter(|&rating| rating > 0));
        GameHeader {
            white: value(TagColumn::White),
            black: value(TagColumn::Black),
            event: value(TagColumn::Event),
            site: value(TagColumn::Site),
            date: Date::of(header.get(TagColumn::Date)),
            event_date: Date::of(header.get(TagColumn::EventDate)),
            eco: Some(value(TagColumn::Eco)).filter(|eco| !eco.is_empty()),
            white_rating,
            black_rating,
            outcome: header.outcome(),
        }
    }
}

/// A date of which parts may be unknown. Its [`Display`](fmt::Display) is that of PGN: `1851.06.??`.
///
/// ```
/// use cqldex::Date;
///
/// let date = Date { year: Some(1851), month: Some(6), day: None };
/// assert_eq!(date.to_string(), "1851.06.??");
/// assert_eq!(Date::default().to_string(), "????.??.??");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// The year.
    pub year: Option<u16>,
    /// The month, 1 to 12.
    pub month: Option<u8>,
    /// The day, 1 to 31.
    pub day: Option<u8>,
}

impl Date {
    /// Reads a date in the one spelling that headers have.
    pub(crate) fn of(text: &str) -> Date {
        let mut parts = text.split('.');
        let year = parts.next().and_then(|year| year.parse().ok());
        let mut two = || parts.next().and_then(|part| part.parse().ok());
        Date {
            year,
            month: two(),
            day: two(),
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.year {
            Some(year) => write!(f, "{year:04}")?,
            None => f.write_str("????")?,
        }
        for part in [self.month, self.day] {
            match part {
                Some(part) => write!(f, ".{part:02}")?,
                None => f.write_str(".??")?,
            }
        }
        Ok(())
    }
}
