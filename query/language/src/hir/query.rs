//! A whole query: header, body, and the tables that its nodes point into.

use std::ops::Deref;

use super::{Filter, FilterId, Kind, Node, SortId, SortKey};
use crate::span::Span;

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// A set of squares.
    Set,
    /// A piece, by its identity.
    Piece,
    /// A number.
    Numeric,
    /// A string.
    String,
    /// A position.
    Position,
}

/// A variable and its life.
#[derive(Clone, Debug, Hash)]
pub struct Variable {
    /// Its name; a hidden one of a function call has a name that no text can have.
    pub name: String,
    /// What it holds.
    pub kind: VariableKind,
    /// Whether it survives from game to game.
    pub persistent: bool,
    /// Whether it is left out of the list after the run (`persistent quiet`).
    pub quiet: bool,
    /// Whether `path` restores it when it backs up.
    pub atomic: bool,
}

/// A dictionary and its life.
#[derive(Clone, Debug, Hash)]
pub struct Dictionary {
    /// Its name.
    pub name: String,
    /// Cleared at every game.
    pub local: bool,
    /// The kind of its keys, as far as the text fixed it.
    pub key: Option<Kind>,
    /// The kind of its values, as far as the text fixed it.
    pub value: Option<Kind>,
}

/// From the first to the second, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberRange {
    /// At least.
    pub min: i32,
    /// At most.
    pub max: i32,
}

impl NumberRange {
    /// Whether the number lies in it.
    pub fn contains(self, number: i32) -> bool {
        self.min <= number && number <= self.max
    }
}

/// Which results the header asks for; several `result` parameters must all hold.
pub type HeaderOutcome = chess::Outcome;

/// `cql( ... )`
#[derive(Clone, Debug, Default, Hash)]
pub struct Header {
    /// `input FILE`
    pub input: Option<String>,
    /// `output FILE`
    pub output: Option<String>,
    /// `variations`
    pub variations: bool,
    /// `result R`
    pub outcomes: Vec<HeaderOutcome>,
    /// Further filters on whole games; they read only their headers.
    pub games: Vec<Filter>,
    /// `matchcount N M`
    pub match_count: Option<NumberRange>,
    /// `sort matchcount`
    pub sort_match_count: bool,
    /// `gamenumber N M`
    pub game_numbers: Option<NumberRange>,
    /// `matchstring "text"`
    pub match_string: Option<String>,
    /// `silent`
    pub silent: bool,
    /// `quiet`
    pub quiet: bool,
}

impl Header {
    /// Whether games without a match are accepted, because `matchcount` includes 0.
    pub fn accepts_none(&self) -> bool {
        self.match_count.is_some_and(|range| range.contains(0))
    }
}

/// A query as the parser gives it: names are resolved, kinds are checked, and transforms stand as written.
///
/// [`crate::expand()`] makes a [`Query`] of it.
#[derive(Clone, Debug, Hash)]
pub struct ParsedQuery {
    /// The parameters.
    pub header: Header,
    /// The filters of the body as one compound.
    pub body: Filter,
    /// All variables, hidden ones of function calls included.
    pub variables: Vec<Variable>,
    /// All dictionaries.
    pub dictionaries: Vec<Dictionary>,
    /// The sort keys, the most significant first.
    pub sorts: Vec<SortKey>,
    /// How many `line` and `path` filters there are, copies made by transforms included.
    pub sequences: u32,
    /// The `similarposition` filters.
    pub similar: Vec<SimilarPosition>,
    /// The named sets of positions that the query reads, each once.
    pub sets: Vec<SetName>,
}

/// A query that is resolved and expanded, as all later stages read it.
///
/// No [`Node::Transform`] is left in it, and its filters are numbered: 0 to [`Query::filter_count`] in preorder, the body
/// first and the filters of the header after it. What a stage knows about each filter can be kept in a vector.
///
/// Only [`crate::expand()`] makes one, and nothing changes it afterwards. Its parts are read like those of a
/// [`ParsedQuery`].
#[derive(Clone, Debug, Hash)]
pub struct Query {
    parts: ParsedQuery,
    filters: u32,
}

impl Query {
    /// Numbers the filters of a query without transforms.
    ///
    /// # Panics
    ///
    /// Where debug assertions run, if a transform is left: an error in the expansion.
    pub(crate) fn new(mut parts: ParsedQuery) -> Query {
        let mut filters = 0;
        number(&mut parts.body, &mut filters);
        for filter in &mut parts.header.games {
            number(filter, &mut filters);
        }
        Query { parts, filters }
    }

    /// How many filters there are; their numbers are below it.
    pub fn filter_count(&self) -> usize {
        self.filters as usize
    }

    /// The same query with only some of the filters that stand one after the other in its body, numbered anew.
    ///
    /// # Panics
    ///
    /// If the body has fewer filters.
    #[must_use]
    pub fn with_elements(&self, elements: std::ops::Range<usize>) -> Query {
        let mut parts = self.parts.clone();
        match &mut parts.body.node {
            Node::Compound(list) => *list = list.drain(elements).collect(),
            _ => assert_eq!(elements, 0..1, "the body is one filter"),
        }
        Query::new(parts)
    }

    /// The same query with other filters, one after the other, in the place of its body. Without any, every position matches.
    #[must_use]
    pub fn with_filters(&self, mut filters: Vec<Filter>) -> Query {
        let parts = &self.parts;
        let span = parts.body.span;
        if filters.is_empty() {
            filters.push(Filter::new(Node::True, Kind::Logical, span));
        }
        // The old body may be large: it is not copied.
        Query::new(ParsedQuery {
            header: parts.header.clone(),
            body: Filter::new(Node::Compound(filters), Kind::Logical, span),
            variables: parts.variables.clone(),
            dictionaries: parts.dictionaries.clone(),
            sorts: parts.sorts.clone(),
            sequences: parts.sequences,
            similar: parts.similar.clone(),
            sets: parts.sets.clone(),
        })
    }

    /// The query that matches where one filter does, or everywhere, in the games that this one is about, however often it
    /// matches in a game.
    #[must_use]
    pub fn counting(&self, filter: Option<Filter>) -> Query {
        let mut query = self.with_filters(filter.into_iter().collect());
        query.parts.header.match_count = None;
        query
    }

    /// The same query with conditions before its body: positions match only if they are in the sets that come with true,
    /// and not in those that come with false.
    #[must_use]
    pub fn restricted<'n>(&self, sets: impl IntoIterator<Item = (&'n str, bool)>) -> Query {
        let mut parts = self.parts.clone();
        let mut filters = Vec::new();
        for (name, inside) in sets {
            let set = SetName {
                name: name.to_owned(),
                span: Span::default(),
            };
            let index = parts
                .sets
                .iter()
                .position(|known| known.name == name)
                .unwrap_or_else(|| {
                    parts.sets.push(set);
                    parts.sets.len() - 1
                });
            let node = Node::PositionSet(u32::try_from(index).unwrap_or(u32::MAX));
            let filter = Filter::new(node, Kind::Logical, Span::default());
            filters.push(match inside {
                true => filter,
                false => Filter::new(Node::Not(Box::new(filter)), Kind::Logical, Span::default()),
            });
        }
        match &mut parts.body.node {
            Node::Compound(list) => {
                list.splice(0..0, filters);
            }
            _ => {
                let (kind, span) = (parts.body.kind, parts.body.span);
                let whole = Filter::new(Node::True, Kind::Logical, span);
                filters.push(std::mem::replace(&mut parts.body, whole));
                parts.body = Filter::new(Node::Compound(filters), kind, span);
            }
        }
        Query::new(parts)
    }
}

impl Deref for Query {
    type Target = ParsedQuery;

    fn deref(&self) -> &ParsedQuery {
        &self.parts
    }
}

/// Numbers a filter and those below it.
fn number(filter: &mut Filter, next: &mut u32) {
    debug_assert!(!matches!(filter.node, Node::Transform { .. }), "a transform is left");
    filter.id = FilterId::new(*next);
    // The evaluator asks this for most filters at every position.
    filter.vacuous = filter.facts().vacuous;
    *next += 1;
    filter.for_each_child_mut(&mut |child| number(child, next));
}

/// `similarposition [nosort] [notransform] "file.pgn"`
#[derive(Clone, Debug, Hash)]
pub struct SimilarPosition {
    /// The key that games are sorted by; `None` with `nosort`.
    pub sort: Option<SortId>,
    /// `notransform`
    pub notransform: bool,
    /// The file.
    pub file: String,
}

/// A named set of positions of a database, as a query refers to it (docs/language.md#extensions).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SetName {
    /// Its name.
    pub name: String,
    /// Where the query names it first.
    pub span: Span,
}
