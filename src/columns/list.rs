//! The columns that are asked for.

use table::Column;

use super::field::{DEFAULT, FIELDS, Field, OF_LABELS};
use crate::error::{Error, Result};
use crate::matches::Detail;
use crate::nearest;
use crate::query::{Kind, Query};

/// The columns of a table of matching positions; see [`RowsWriter`](crate::RowsWriter).
///
/// | name | value |
/// |---|---|
/// | `game`, `position`, `ply` | the number of the game, CQL's `positionid`, half-moves from the start |
/// | `side`, `move`, `next`, `fen` | the side to move, the move that led here, the next move of the line, the position |
/// | `white_clock`, `black_clock`, `movetime`, `eval` | what comments say of clocks and evaluations, in seconds and centipawns |
/// | `white`, `black`, `event`, `site`, `eco` | names as filters see them |
/// | `white_rating`, `black_rating`, `result` | numbers; `1-0`, `0-1`, `1/2-1/2` or `*` |
/// | `date`, `event_date` | dates, where all of them is known |
/// | `date_text`, `event_date_text`, `year`, `month`, `day` | what is known of them |
/// | `length` | half-moves of the main line |
/// | `comment`, `sort`, `sort:NAME` | what the query says of the position; its sort keys, all or one |
/// | `tag:NAME` | any tag of the game as it stands in the PGN |
/// | `database`, `questions` | of [labels](Columns::of_labels) only: the database, and the names of the questions |
///
/// ```
/// use cqldex::{Columns, Dialect, Query};
///
/// let query = Query::parse("mate sort \"men\" #[Aa]", Dialect::Auto)?;
/// let columns = Columns::named(["game", "sort:men", "tag:Round"], &query)?;
/// assert_eq!(columns.names().collect::<Vec<_>>(), ["game", "sort:men", "tag:Round"]);
/// let error = Columns::named(["rating"], &query).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "there is no column `rating`; did you mean `white_rating` or `black_rating`?"
/// );
/// # Ok::<(), cqldex::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    pub(super) fields: Vec<Field>,
    pub(super) columns: Vec<Column>,
}

impl Columns {
    /// What is mostly wanted of a match: where it is, the position, the header, and the sort keys of the query.
    pub fn usual(query: &Query) -> Columns {
        let mut columns = Columns::none();
        columns.add_usual();
        sort_keys(query).for_each(|(name, field)| columns.add(field, name));
        columns
    }

    /// All columns but those of tags.
    ///
    /// ```
    /// use cqldex::{Columns, Dialect, Query};
    ///
    /// let query = Query::parse("mate sort \"men\" #[Aa]", Dialect::Auto)?;
    /// let columns = Columns::all(&query);
    /// let names: Vec<&str> = columns.names().collect();
    /// assert_eq!((names[0], names.last()), ("game", Some(&"sort:men")));
    /// assert_eq!(Columns::named(names, &query)?, columns);
    /// # Ok::<(), cqldex::Error>(())
    /// ```
    pub fn all(query: &Query) -> Columns {
        let mut columns = Columns::none();
        for (name, field) in FIELDS {
            columns.add(field, name.to_owned());
        }
        sort_keys(query).for_each(|(name, field)| columns.add(field, name));
        columns
    }

    /// Columns by their names.
    ///
    /// # Errors
    ///
    /// When there is no such column, or one comes twice.
    pub fn named<'n>(names: impl IntoIterator<Item = &'n str>, query: &Query) -> Result<Columns> {
        let mut columns = Columns::none();
        for name in names {
            if name == "sort" {
                sort_keys(query).for_each(|(name, field)| columns.add(field, name));
            } else {
                columns.add(Columns::field(name, query)?, name.to_owned());
            }
        }
        columns.checked()
    }

    /// Columns of a table of what several questions have found ([`LabelWriter`](crate::LabelWriter)), by their names:
    /// `questions`, `database`, and all but those about one query. Without names, these two and the usual ones.
    ///
    /// ```
    /// use cqldex::Columns;
    ///
    /// let columns = Columns::of_labels(["game", "questions"])?;
    /// assert_eq!(columns.names().collect::<Vec<_>>(), ["game", "questions"]);
    /// assert!(Columns::of_labels(["comment"]).is_err());
    /// # Ok::<(), cqldex::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Columns::named`].
    pub fn of_labels<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Columns> {
        let mut columns = Columns::none();
        for name in names {
            let own = OF_LABELS.iter().find(|(known, _)| *known == name);
            let field = match own {
                Some((_, field)) => field.clone(),
                None if name == "comment" || name == "sort" || name.starts_with("sort:") => {
                    let message = format!("the column `{name}` is about one query, and here are several");
                    return Err(Error::NoSuchColumn(message));
                }
                None => Columns::field_of_games(name, OF_LABELS.iter().map(|(name, _)| *name))?,
            };
            columns.add(field, name.to_owned());
        }
        if columns.columns.is_empty() {
            for (name, field) in OF_LABELS {
                columns.add(field, name.to_owned());
            }
            columns.add_usual();
        }
        columns.checked()
    }

    fn none() -> Columns {
        Columns {
            fields: Vec::new(),
            columns: Vec::new(),
        }
    }

    fn add_usual(&mut self) {
        for name in DEFAULT {
            if let Some((_, field)) = FIELDS.iter().find(|(known, _)| *known == name) {
                self.add(field.clone(), name.to_owned());
            }
        }
    }

    /// The columns, if they make a table.
    fn checked(self) -> Result<Columns> {
        let columns = self;
        let twice = (1..columns.columns.len()).find(|&at| {
            let before = &columns.columns[..at];
            before.iter().any(|column| column.name == columns.columns[at].name)
        });
        if let Some(at) = twice {
            let name = &columns.columns[at].name;
            return Err(Error::NoSuchColumn(format!("the column `{name}` comes twice")));
        }
        if columns.columns.is_empty() {
            return Err(Error::NoSuchColumn("a table has at least one column".to_owned()));
        }
        Ok(columns)
    }

    fn field(name: &str, query: &Query) -> Result<Field> {
        if let Some(key) = name.strip_prefix("sort:") {
            let mut known = sort_keys(query);
            if let Some((_, field)) = known.find(|(known, _)| known == name) {
                return Ok(field);
            }
            let names = query.sort_keys();
            return Err(Error::NoSuchColumn(match names.is_empty() {
                true => format!("there is no column `{name}`: the query sorts nothing"),
                false => nearest::unknown("there is no sort key", key, names),
            }));
        }
        Columns::field_of_games(name, ["sort", "sort:NAME"])
    }

    /// A column that is not about a query; `others` are names that could be meant, too.
    fn field_of_games<'n>(name: &str, others: impl IntoIterator<Item = &'n str>) -> Result<Field> {
        if let Some(tag) = name.strip_prefix("tag:").filter(|tag| !tag.is_empty()) {
            return Ok(Field::Tag(tag.to_owned()));
        }
        let known = FIELDS.iter().find(|(known, _)| *known == name);
        known.map(|(_, field)| field.clone()).ok_or_else(|| {
            let names = FIELDS.iter().map(|(name, _)| *name).chain(others);
            Error::NoSuchColumn(nearest::unknown("there is no column", name, names.chain(["tag:NAME"])))
        })
    }

    fn add(&mut self, field: Field, name: String) {
        self.columns.push(field.column(name));
        self.fields.push(field);
    }

    /// The columns, with what their values are.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// Whether boards are needed, or what the query says of a match. If not, the numbers of games and positions are enough for
    /// all rows ([`RowsWriter::positions`](crate::RowsWriter::positions)).
    pub fn need_boards(&self) -> bool {
        self.fields.iter().any(Field::needs_board)
    }

    /// What a search has to give of each match.
    pub fn detail(&self) -> Detail {
        let is_result = |field: &Field| matches!(field, Field::Comment | Field::Sort(..));
        match self.fields.iter().any(is_result) {
            true => Detail::Results,
            false => Detail::Positions,
        }
    }
}

/// The sort keys of a query as columns. One without a name, or with the name of another, is called by its place.
fn sort_keys(query: &Query) -> impl Iterator<Item = (String, Field)> {
    let keys = &query.expanded().sorts;
    keys.iter().enumerate().map(|(place, key)| {
        let is_known = keys[..place].iter().any(|before| before.name == key.name);
        let name = match key.name.is_empty() || is_known {
            true => format!("sort:{}", place + 1),
            false => format!("sort:{}", key.name),
        };
        (name, Field::Sort(place, key.kind == Kind::Numeric))
    })
}
