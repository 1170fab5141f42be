//! Index chess games once, then answer CQL queries in milliseconds.
//!
//! ```
//! use cqldex::{Database, Dialect, IndexOptions, Options, Query, SearchOptions};
//!
//! # let folder = tempfile::tempdir()?;
//! # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
//! # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
//! let mut database = Database::create(&path, Options::default())?;
//! database.index(&[&pgn], &IndexOptions::default(), &())?;
//!
//! let query = Query::parse("mate", Dialect::Auto)?;
//! for game in database.search(&query, SearchOptions::default()) {
//!     let game = game?;
//!     println!("game {}: {}", game.number, game.positions[0].fen());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | open, create or change a database | [`Database`], [`Options`], [`IndexOptions`] |
//! | read a query | [`Query::parse`]; [`QueryOptions`] for what a program adds to the text |
//! | combine queries | [`Query::and`], [`Query::or`], [`Query::negated`], [`Query::transformed`] |
//! | count what matches | [`Database::count`] |
//! | get what matches, one game at a time | [`Database::search`], which gives [`Matches`] |
//! | watch or stop a search | [`Progress`] and [`Cancel`] in the [`SearchOptions`] |
//! | keep positions as a named set, combine and export sets | [`Database::sets`], [`SaveAs`], [`PositionSet`] |
//! | page through an answer | [`SearchOptions::collect`], [`Matches::found`], [`PositionSet`] |
//! | show a game | [`Database::game`], [`GameReader`], [`Game`], [`Position`] |
//! | mark what a query is about on a board | [`Squares`] |
//! | count where men stand, and moves, without opening a game | [`PositionSet::squares`], [`PositionSet::turns`] |
//! | list players, events and openings | [`GameReader::names`] |
//! | write matches as a table, JSON or PGN | [`TableWriter`], [`JsonWriter`], [`PgnWriter`], [`Sorted`] |
//! | write matches as a table with typed columns, in any format | [`Columns`], [`RowsWriter`], [`Format`] |
//! | count games and positions by year, player, opening and other things | [`Database::counts`], [`By`], [`Counts`] |
//! | count which moves were played in positions | [`Database::next_moves`], [`NextMoves`] |
//! | ask many queries, and write what they find as one table | [`Database::batch`], [`BatchTable`], [`LabelWriter`] |
//! | compare what two databases or sets have | [`PositionSet::without`] |
//! | write positions that are known | [`Database::list`] |
//! | see how a query is answered | [`Database::explain`], [`Database::analyze`] |
//! | keep answers for the next time, or not | [`SearchOptions::kept_answers`], [`Database::answers`] |
//! | use queries that have a name, such as `boden-mate` | [`Themes`] |
//! | work on the text of a query | [`translate`], [`to_ascii`], [`to_unicode`], [`format_query`], [`tokens`] |
//! | write an editor: all errors, documentation, completions, names | [`check()`], [`editor::Document`] |
//! | fork a process that has a database open | [`end_background_threads`] |
//! | know what went wrong | [`Error`], [`QueryError`] |
//!
//! # Threads
//!
//! A database has [`Options::threads`] threads for its searches, started when they are first needed. Each search also has
//! a thread of its own, so that it runs beside its caller, and may be started from anywhere, even from a thread of a
//! pool. Nothing here uses a global thread pool, prints, reads the environment, or ends the process.

mod batch;
mod cancel;
mod check;
mod columns;
mod combine;
mod counts;
mod database;
mod error;
mod explain;
mod game;
mod leaders;
mod matches;
mod nearest;
mod options;
mod query;
mod sets;
mod similar;
mod text;
mod themes;
mod tree;
mod writers;

pub use crate::{
    batch::{Batch, BatchAnswer, BatchTable, LabelWriter},
    cancel::Cancel,
    check::{Checked, Edit, Fix, Severity, check},
    columns::{Columns, Labels, RowsWriter},
    counts::{By, CountOptions, Counts, GroupCount, GroupOrder, Key, NextMove, NextMoves},
    database::{
        AnswersUsage, Compaction, Database, IndexOptions, IndexProgress, IndexSummary, Moved, Observer, Options,
        Reason, RebuildOptions, Rebuilt, Report, Skipped, Source, Stats, end_background_threads,
    },
    error::{Cause, Code, Diagnostic, Error, ErrorExplanation, QueryError, Result, SetExpressionError, explain_error},
    explain::{Explanation, IndexUse, KeptSegments, PlanLine, PlanStage, TransformUse},
    game::{Date, Game, GameHeader, GameReader, NameField, PgnFiles, PgnItem, Position, Squares, read_pgn},
    matches::{
        Detail, Found, GameMatch, KeptUse, Match, Matches, Progress, Route, Rules, SkippedGames, StageSummary, Summary,
    },
    options::SearchOptions,
    query::{Before, CommentLevel, Dialect, Header, Kind, NumberRange, Query, QueryOptions, Rank, Transform},
    sets::{ExportFormat, PositionSet, SaveAs, SetExport, SetInfo, Sets, Turn},
    text::{Layout, Token, TokenClass, format_query, hhdb_keywords, keywords, to_ascii, to_unicode, tokens, translate},
    themes::{Theme, ThemeGame, Themes},
    writers::{
        CountWriter, Encoding, JsonWriter, MatchWriter, PgnOptions, PgnWriter, SkipDamaged, Sorted, TableWriter,
        Within, totals,
    },
};

/// What editors show of a query: documentation, completions, names and their places.
#[doc(inline)]
pub use ::editor;
#[doc(inline)]
pub use chess::{Board, Man, MoveKind, Outcome, PackedMove};
#[doc(inline)]
pub use search::LastMove;
pub use shakmaty::{Color, Role, Square};
#[doc(inline)]
pub use table::{Cell, Column, Format, Kind as ColumnKind, RowWriter, Rows, format, iso_date};
#[cfg(feature = "arrow")]
#[doc(inline)]
pub use table::{record_batch, schema};
