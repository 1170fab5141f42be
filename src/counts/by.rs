//! By what games and positions are counted.

use chess::Outcome;
use shakmaty::Color;
use storage::TagColumn;
use table::{Column, Kind as ColumnKind};

use super::key::Key;
use crate::columns::{RESULTS, SIDES};
use crate::error::{Error, Result};
use crate::nearest;
use crate::query::{Kind, Query};

/// By what games and positions are counted; see [`Database::counts`](crate::Database::counts).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum By {
    /// The year in which the game was played.
    Year,
    /// The decade: 1990 is that from 1990 to 1999.
    Decade,
    /// How the game ended.
    Result,
    /// Each of both players; a game counts for both of them.
    Player,
    /// The player of one color.
    Name(Color),
    /// The code of the opening without its extension: `B90`.
    Opening,
    /// The group of ten openings: `B9`.
    OpeningGroup,
    /// The event.
    Event,
    /// The place.
    Site,
    /// The mean of both ratings, in hundreds: 2500 is from 2500 to 2599.
    Rating,
    /// The rating of one color, in hundreds.
    RatingOf(Color),
    /// The value of a tag as it stands in the PGN. Games are opened for it.
    Tag(String),
    /// The number of the move that is to be played: CQL's `movenumber`.
    Move,
    /// The side to move.
    Side,
    /// The move that is played next in the same line. Games are opened for it.
    Next,
    /// Each square of a set, such as `N` or `n attacks K`. Games are opened for it, but not for men such as `N` or `[Qq]`.
    Square(Query),
}

/// The names of what is counted by, but for tags and squares.
static NAMES: [(&str, By); 16] = [
    ("year", By::Year),
    ("decade", By::Decade),
    ("result", By::Result),
    ("player", By::Player),
    ("white", By::Name(Color::White)),
    ("black", By::Name(Color::Black)),
    ("opening", By::Opening),
    ("opening_group", By::OpeningGroup),
    ("event", By::Event),
    ("site", By::Site),
    ("rating", By::Rating),
    ("white_rating", By::RatingOf(Color::White)),
    ("black_rating", By::RatingOf(Color::Black)),
    ("move", By::Move),
    ("side", By::Side),
    ("next", By::Next),
];

/// What a header says, and which of its values make which groups.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Tag(TagColumn, fn(&str) -> Key),
    Players,
    Result,
    Rating(Option<Color>),
}

impl By {
    /// What is called by this name: `year`, `tag:Round`. [`By::Square`] has no name of this kind.
    ///
    /// ```
    /// use cqldex::By;
    ///
    /// assert!(matches!(By::named("year")?, By::Year));
    /// assert!(matches!(By::named("tag:Round")?, By::Tag(tag) if tag == "Round"));
    /// let error = By::named("yaer").unwrap_err();
    /// assert_eq!(error.to_string(), "nothing is counted by `yaer`; did you mean `year`?");
    /// # Ok::<(), cqldex::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is nothing of this name.
    pub fn named(name: &str) -> Result<By> {
        if let Some(tag) = name.strip_prefix("tag:").filter(|tag| !tag.is_empty()) {
            return Ok(By::Tag(tag.to_owned()));
        }
        let known = NAMES.iter().find(|(known, _)| *known == name);
        known.map(|(_, by)| by.clone()).ok_or_else(|| {
            let names = By::names().chain(["square", "tag:NAME"]);
            Error::NoSuchGroup(nearest::unknown("nothing is counted by", name, names))
        })
    }

    /// All names that [`named`](By::named) knows, but for those of tags.
    ///
    /// ```
    /// assert!(cqldex::By::names().all(|name| cqldex::By::named(name).is_ok()));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// The squares of a set of squares.
    ///
    /// # Errors
    ///
    /// When the query is no set.
    pub fn squares(query: &Query) -> Result<By> {
        match query.kind() {
            Kind::Set => Ok(By::Square(query.clone())),
            _ => Err(Error::NoSuchGroup(
                "squares are counted of a set, such as `N` or `n attacks K`".to_owned(),
            )),
        }
    }

    /// What it is called; the name of a column.
    pub fn name(&self) -> String {
        match self {
            By::Tag(tag) => format!("tag:{tag}"),
            By::Square(_) => "square".to_owned(),
            by => {
                let same = |other: &By| std::mem::discriminant(other) == std::mem::discriminant(by);
                let color = |by: &By| match by {
                    By::Name(color) | By::RatingOf(color) => Some(*color),
                    _ => None,
                };
                let mut names = NAMES.iter();
                let name = names.find(|(_, other)| same(other) && color(other) == color(by));
                name.map_or_else(String::new, |(name, _)| (*name).to_owned())
            }
        }
    }

    /// Whether groups have an order of their own, such as years; others come by the number of their games.
    pub fn is_ordered(&self) -> bool {
        !matches!(
            self,
            By::Player | By::Name(_) | By::Opening | By::OpeningGroup | By::Event | By::Site | By::Tag(_) | By::Next
        )
    }

    pub(super) fn column(&self) -> Column {
        let kind = match self {
            By::Year | By::Decade | By::Rating | By::RatingOf(_) | By::Move => ColumnKind::Integer,
            By::Result => ColumnKind::Choice(&RESULTS),
            By::Side => ColumnKind::Choice(&SIDES),
            _ => ColumnKind::Text,
        };
        Column::new(self.name(), kind)
    }

    /// What of the header it is; `None` if it is different in each position, or the header does not say it.
    pub(super) fn source(&self) -> Option<Source> {
        Some(match self {
            By::Year => Source::Tag(TagColumn::Date, |date| year_of(date).into()),
            By::Decade => Source::Tag(TagColumn::Date, |date| year_of(date).map(|year| year / 10 * 10).into()),
            By::Name(Color::White) => Source::Tag(TagColumn::White, Key::of_name),
            By::Name(Color::Black) => Source::Tag(TagColumn::Black, Key::of_name),
            By::Opening => Source::Tag(TagColumn::Eco, |eco| eco.get(..3).into()),
            By::OpeningGroup => Source::Tag(TagColumn::Eco, |eco| eco.get(..2).into()),
            By::Event => Source::Tag(TagColumn::Event, Key::of_name),
            By::Site => Source::Tag(TagColumn::Site, Key::of_name),
            By::Player => Source::Players,
            By::Result => Source::Result,
            By::Rating => Source::Rating(None),
            By::RatingOf(color) => Source::Rating(Some(*color)),
            By::Tag(_) | By::Move | By::Side | By::Next | By::Square(_) => return None,
        })
    }

    /// Whether positions of a game can be in different groups.
    pub(super) fn is_of_position(&self) -> bool {
        matches!(self, By::Move | By::Side | By::Next | By::Square(_))
    }
}

/// The year of a date in PGN's spelling.
fn year_of(date: &str) -> Option<i64> {
    date.split('.').next()?.parse().ok()
}

/// The group of a result.
pub(super) fn result_key(outcome: Outcome) -> Key {
    Key::from(Some(outcome.result()))
}
