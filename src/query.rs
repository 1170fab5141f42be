//! A query that is ready for every database.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::Man;
use language::facts::Reads;
use language::hir::{self, Node};
use planner::Effects;
use search::{GameMatch, GameOrder};
use shakmaty::Bitboard;

use crate::error::QueryError;

#[doc(inline)]
pub use language::{Before, Dialect, hir::Kind, hir::NumberRange, transform::Transform};

/// What decides about the place of a game in the order of a query: see [`Query::rank`].
#[doc(inline)]
pub use search::Rank;

/// A query: parsed, with every name resolved and every transform expanded. It can be run on any number of databases, and
/// cloning it costs nothing.
///
/// ```
/// use cqldex::{Dialect, Query};
///
/// let query = Query::parse("cql(variations) flip { Kg1 Bd3 }", Dialect::Auto)?;
/// assert!(query.header().variations);
/// # Ok::<(), cqldex::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    parsed: Arc<Parsed>,
}

/// What a text means.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    pub(crate) text: String,
    /// What was added to the text.
    pub(crate) options: QueryOptions,
    /// As written: transforms are still in it.
    pub(crate) written: hir::ParsedQuery,
    /// With every transform replaced by its variants.
    pub(crate) expanded: hir::Query,
    /// How long parsing took, checking of kinds included.
    pub(crate) parsing: Duration,
    /// How long the expansion of transforms took.
    pub(crate) expanding: Duration,
}

/// What a program adds to the text of a query, as the options of a command line do.
///
/// ```
/// use cqldex::{NumberRange, Query, QueryOptions, Transform};
///
/// let options = QueryOptions {
///     transforms: vec![Transform::FlipColor],
///     game_numbers: Some(NumberRange { min: 1, max: 1000 }),
///     ..QueryOptions::default()
/// };
/// let query = Query::parse_with("Kg1", &options)?;
/// assert_eq!(query.header().game_numbers, options.game_numbers);
/// # Ok::<(), cqldex::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct QueryOptions {
    /// The dialect of the text.
    pub dialect: Dialect,
    /// Whether the text has to begin with `cql( )`, as CQL 6.2 demands.
    pub require_header: bool,
    /// Whether only CQL 6.2 is accepted: extensions of cqldex are an error (docs/language.md#extensions).
    pub strict: bool,
    /// Filters and variables that are put before the body, in this order.
    pub before: Vec<Before>,
    /// Filters that read only the header of a game. Like `result` in `cql( )` they decide about a game as a whole.
    pub game_filters: Vec<String>,
    /// Transforms around the whole body, the first one outermost.
    pub transforms: Vec<Transform>,
    /// Replaces `gamenumber` of the header.
    pub game_numbers: Option<NumberRange>,
    /// Replaces `matchcount` of the header.
    pub match_count: Option<NumberRange>,
    /// Replaces `matchstring` of the header.
    pub match_string: Option<String>,
    /// Replaces `quiet` and `silent` of the header.
    pub comments: Option<CommentLevel>,
}

/// Which comments a query leaves in the games that it matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CommentLevel {
    /// Those of its filters, and one at each match.
    #[default]
    All,
    /// Those of its filters `comment` only.
    Quiet,
    /// None.
    Silent,
}

/// The parameters in `cql( ... )` of a query.
///
/// ```
/// use cqldex::{CommentLevel, Dialect, Query};
///
/// let query = Query::parse("cql(input games.pgn quiet) mate", Dialect::Cql6)?;
/// let header = query.header();
/// assert_eq!(header.input.as_deref(), Some("games.pgn"));
/// assert_eq!(header.comments, CommentLevel::Quiet);
/// # Ok::<(), cqldex::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// `input FILE`: a database ignores it.
    pub input: Option<String>,
    /// `output FILE`: a database ignores it.
    pub output: Option<String>,
    /// `variations`: whether variations are searched.
    pub variations: bool,
    /// `gamenumber`: which games are searched.
    pub game_numbers: Option<NumberRange>,
    /// `matchcount`: how many positions of a game have to match.
    pub match_count: Option<NumberRange>,
    /// `matchstring`: the comment at each match.
    pub match_string: Option<String>,
    /// `quiet` and `silent`.
    pub comments: CommentLevel,
}

impl Query {
    /// Parses a text of any bytes; what is not UTF-8 is an error with a place like all others.
    ///
    /// # Errors
    ///
    /// When it is not a query: what is wrong and where.
    pub fn parse(text: impl AsRef<[u8]>, dialect: Dialect) -> Result<Query, QueryError> {
        let options = QueryOptions {
            dialect,
            ..QueryOptions::default()
        };
        Query::parse_with(text, &options)
    }

    /// The same with additions.
    ///
    /// # Errors
    ///
    /// As [`Query::parse`]; also when an addition is wrong.
    pub fn parse_with(text: impl AsRef<[u8]>, options: &QueryOptions) -> Result<Query, QueryError> {
        let bytes = text.as_ref();
        let text = String::from_utf8_lossy(bytes);
        let additions = options.additions();
        let started = Instant::now();
        let mut written = match language::dialect::parse_bytes(bytes, options.dialect, &additions) {
            Ok(written) => written,
            Err(diagnostics) => return Err(QueryError::new(text, diagnostics)),
        };
        let parsing = started.elapsed();
        options.change(&mut written.header);
        let started = Instant::now();
        let expanded = match language::expand(written.clone()) {
            Ok(expanded) => expanded,
            Err(error) => return Err(QueryError::new(text, vec![error.into()])),
        };
        Ok(Query {
            parsed: Arc::new(Parsed {
                text: text.into_owned(),
                options: options.clone(),
                written,
                expanded,
                parsing,
                expanding: started.elapsed(),
            }),
        })
    }

    /// Its text; what was not UTF-8 in it is replaced.
    pub fn text(&self) -> &str {
        &self.parsed.text
    }

    /// What stands in `cql( ... )`, or replaces it.
    pub fn header(&self) -> Header {
        let header = &self.expanded().header;
        Header {
            input: header.input.clone(),
            output: header.output.clone(),
            variations: header.variations,
            game_numbers: header.game_numbers,
            match_count: header.match_count,
            match_string: header.match_string.clone(),
            comments: match (header.quiet, header.silent) {
                (_, true) => CommentLevel::Silent,
                (true, false) => CommentLevel::Quiet,
                (false, false) => CommentLevel::All,
            },
        }
    }

    /// The file that the filters `similarposition` compare with, if there are any.
    pub fn similar_file(&self) -> Option<&Path> {
        let first = self.expanded().similar.first();
        first.map(|filter| Path::new(&filter.file))
    }

    /// Whether the query asks for an order of the games, with `sort`. A search gives them in the order of the database
    /// all the same: [`Sorted`](crate::Sorted) sorts what it found.
    pub fn is_sorted(&self) -> bool {
        self.order().is_some()
    }

    /// What decides about the place of a game that a search with [`Detail::Results`](crate::Detail::Results) has found.
    /// It is much smaller than the game, so that the order of many games can be kept.
    ///
    /// ```
    /// use cqldex::{Database, Detail, Dialect, Options, Query, SearchOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. e4 *\n\n[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let query = Query::parse("terminal sort \"length\" ply", Dialect::Auto)?;
    /// let options = SearchOptions { detail: Detail::Results, ..SearchOptions::default() };
    /// let games = database.search(&query, options);
    /// let mut ranks = games.map(|game| Ok(query.rank(&game?))).collect::<cqldex::Result<Vec<_>>>()?;
    /// ranks.sort_by(|a, b| query.compare(a, b));
    /// assert_eq!(ranks.iter().map(|rank| rank.number).collect::<Vec<_>>(), [2, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rank(&self, game: &GameMatch) -> Rank {
        GameOrder::any(self.expanded()).rank(game)
    }

    /// Which of two games comes first.
    pub fn compare(&self, a: &Rank, b: &Rank) -> Ordering {
        GameOrder::any(self.expanded()).compare_ranks(a, b)
    }

    /// The place of a game as bytes: those of a game are less than those of another if it comes first. So answers of
    /// several databases can be merged where neither the query nor its sort keys are known.
    ///
    /// ```
    /// use cqldex::{Database, Detail, Dialect, Options, Query, SearchOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. e4 *\n\n[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let query = Query::parse("terminal sort \"length\" ply", Dialect::Auto)?;
    /// let options = SearchOptions { detail: Detail::Results, ..SearchOptions::default() };
    /// let games = database.search(&query, options);
    /// let keys = games.map(|game| Ok(query.order_key(&query.rank(&game?)))).collect::<cqldex::Result<Vec<_>>>()?;
    /// assert!(keys[1] < keys[0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn order_key(&self, rank: &Rank) -> Vec<u8> {
        GameOrder::any(self.expanded()).key(rank)
    }

    /// Whether what it finds in a game depends on the games before it, or on their number: it has persistent variables,
    /// messages, or files that it writes. Then parts of a database can't be searched each for itself.
    ///
    /// ```
    /// use cqldex::{Dialect, Query};
    ///
    /// assert!(Query::parse("persistent x += 1", Dialect::Auto)?.depends_on_earlier_games());
    /// assert!(!Query::parse("x=1 x<10", Dialect::Auto)?.depends_on_earlier_games());
    /// # Ok::<(), cqldex::Error>(())
    /// ```
    pub fn depends_on_earlier_games(&self) -> bool {
        Effects::of(self.expanded()) == Effects::Database
    }

    /// What its last filter gives.
    pub fn kind(&self) -> Kind {
        self.parsed.written.body.kind
    }

    /// The names of its sort keys, in their order. One without a name is called `<sort-id-1>` and so on.
    pub fn sort_keys(&self) -> Vec<&str> {
        let keys = self.expanded().sorts.iter();
        keys.map(|key| key.name.as_str()).collect()
    }

    /// Whether it wants to read or write files: `readfile`, `writefile`, `similarposition`.
    ///
    /// ```
    /// use cqldex::{Dialect, Query};
    ///
    /// assert!(Query::parse("\"Tal\" in readfile \"names\"", Dialect::Auto)?.uses_files());
    /// assert!(!Query::parse("player \"Tal\"", Dialect::Auto)?.uses_files());
    /// # Ok::<(), cqldex::Error>(())
    /// ```
    pub fn uses_files(&self) -> bool {
        self.has(|node| matches!(node, Node::ReadFile(_) | Node::WriteFile(..) | Node::SimilarPosition(_)))
    }

    /// Whether it has regular expressions. A search of such a query may go on for a while after it was cancelled, even
    /// forever: an expression such as `(a*)*b` can take longer on a short text than anybody waits, and it can't be
    /// interrupted. All other searches end within milliseconds. Who does not trust a query may run it in a process of its
    /// own.
    ///
    /// ```
    /// use cqldex::{Dialect, Query};
    ///
    /// assert!(Query::parse("fen ~~ \"k.*K\"", Dialect::Auto)?.has_regex());
    /// assert!(!Query::parse("player \"Tal\"", Dialect::Auto)?.has_regex());
    /// # Ok::<(), cqldex::Error>(())
    /// ```
    pub fn has_regex(&self) -> bool {
        self.has(|node| matches!(node, Node::RegexMatch(..) | Node::WhileRegex(..)))
    }

    /// Whether it writes messages, which a search keeps until its end, however many they are.
    pub fn has_messages(&self) -> bool {
        self.has(|node| matches!(node, Node::Message { .. }))
    }

    /// The men and squares of a query such as `N` or `[Qq]a-d4`; `None` for all other queries.
    pub(crate) fn men_on_squares(&self) -> Option<(Vec<Man>, Bitboard)> {
        // The body of a query is a compound of filters.
        let mut filter = &self.expanded().body;
        while let Node::Compound(filters) = &filter.node
            && let [only] = filters.as_slice()
        {
            filter = only;
        }
        match filter.node {
            Node::Designator(designator) => Some((designator.men.iter().collect(), designator.squares)),
            _ => None,
        }
    }

    /// Whether it reads anything of a game beside the moves.
    pub(crate) fn reads_header(&self) -> bool {
        self.expanded().body.all_reads() != Reads::NOTHING
    }

    fn has(&self, test: impl Fn(&Node) -> bool) -> bool {
        self.expanded().body.any(&mut |filter| test(&filter.node))
    }

    /// The order that the query asks for with `sort`; `None` if games come as in the database.
    pub(crate) fn order(&self) -> Option<GameOrder<'_>> {
        GameOrder::of(self.expanded())
    }

    pub(crate) fn parsed(&self) -> &Parsed {
        &self.parsed
    }

    /// The query as a search needs it.
    pub(crate) fn expanded(&self) -> &hir::Query {
        &self.parsed.expanded
    }

    /// Errors about its text.
    pub(crate) fn error(&self, diagnostics: Vec<language::Diagnostic>) -> QueryError {
        QueryError::new(Cow::Borrowed(self.text()), diagnostics)
    }
}

impl QueryOptions {
    /// What is added before the text is parsed.
    pub(crate) fn additions(&self) -> language::ParseOptions {
        language::ParseOptions {
            require_header: self.require_header,
            before: self.before.clone(),
            game_filters: self.game_filters.clone(),
            transforms: self.transforms.clone(),
            strict: self.strict,
        }
    }

    /// Whether they say more than how the text is read.
    pub(crate) fn adds_to_the_text(&self) -> bool {
        let QueryOptions {
            dialect: _,
            require_header: _,
            strict: _,
            before,
            game_filters,
            transforms,
            game_numbers,
            match_count,
            match_string,
            comments,
        } = self;
        let has_filters = !before.is_empty() || !game_filters.is_empty() || !transforms.is_empty();
        has_filters || game_numbers.is_some() || match_count.is_some() || match_string.is_some() || comments.is_some()
    }

    /// Replaces parameters of a header.
    fn change(&self, header: &mut hir::Header) {
        if self.game_numbers.is_some() {
            header.game_numbers = self.game_numbers;
        }
        if self.match_count.is_some() {
            header.match_count = self.match_count;
        }
        if let Some(level) = self.comments {
            header.quiet = level == CommentLevel::Quiet;
            header.silent = level == CommentLevel::Silent;
        }
        if self.match_string.is_some() {
            header.match_string.clone_from(&self.match_string);
        }
    }
}
