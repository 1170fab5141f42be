//! Games as PGN, written as CQL 6.2 writes them (docs/language/output.md).

mod bytes;
mod comments;
mod movetext;
mod tags;
mod wrap;

use std::io::Write;

use chess::{GameText, MoveTree};
use evaluator::GameView;
use search::{GameMatch, Summary};

use self::bytes::Encoder;
pub use self::bytes::Encoding;
use self::comments::Comments;
use self::movetext::Movetext;
use self::wrap::Lines;
use super::MatchWriter;
use crate::database::Database;
use crate::error::Result;
use crate::game::StoredGames;
use crate::query::Query;

/// The size of CQL's buffer for a game, unless an option says otherwise.
const BUFFER: usize = 105_000;

/// How games are written. The default is UTF-8 and whole games; [`PgnOptions::of`] is what CQL 6.2 does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnOptions {
    /// Whether a comment before the first move gives the number of the game.
    pub header: bool,
    /// Whether automatic comments are left out.
    pub quiet: bool,
    /// Whether everything that the query notes is left out, so that only the comments of the games are written.
    pub silent: bool,
    /// The comment at matching positions: `CQL` if it is `None`, no comment if it is empty.
    pub match_string: Option<String>,
    /// Whether the same comment is added to a position only once.
    pub unique_comments: bool,
    /// Whether the filter `settag` changes tags.
    pub set_tags: bool,
    /// Whether the filter `removecomment` removes comments.
    pub remove_comments: bool,
    /// The encoding of everything that is not ASCII.
    pub encoding: Encoding,
    /// Games are cut at this many bytes; `None` for never.
    pub buffer: Option<usize>,
}

impl Default for PgnOptions {
    fn default() -> PgnOptions {
        PgnOptions {
            header: true,
            quiet: false,
            silent: false,
            match_string: None,
            unique_comments: true,
            set_tags: true,
            remove_comments: true,
            encoding: Encoding::Utf8,
            buffer: None,
        }
    }
}

impl PgnOptions {
    /// What CQL 6.2 does with a query: what its header says, CQL's encoding, and games of at most 105,000 bytes.
    pub fn of(query: &Query) -> PgnOptions {
        let header = &query.expanded().header;
        PgnOptions {
            quiet: header.quiet,
            silent: header.silent,
            match_string: header.match_string.clone(),
            encoding: Encoding::Cql,
            buffer: Some(BUFFER),
            ..PgnOptions::default()
        }
    }
}

/// Writes the matching games with what the query notes about them, in the order in which they come.
///
/// The search has to give [`Detail::Results`](crate::Detail::Results), without a limit.
///
/// ```
/// use cqldex::{Database, Detail, Dialect, MatchWriter, Options, PgnOptions, PgnWriter, Query, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let query = Query::parse("mate", Dialect::Auto)?;
/// let options = SearchOptions { detail: Detail::Results, ..SearchOptions::default() };
/// let mut text = Vec::new();
/// PgnWriter::new(&mut text, &database, &query, PgnOptions::default())
///     .write_matches(database.search(&query, options))?;
/// assert!(String::from_utf8(text)?.contains("1.f3 e5 2.g4 Qh4# {CQL} 0-1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PgnWriter<W> {
    out: W,
    games: StoredGames,
    query: Query,
    options: PgnOptions,
    view: GameView,
    tree: MoveTree,
}

impl<W: Write> PgnWriter<W> {
    /// Writes to `out`; moves and texts of the games come from the database that is searched.
    pub fn new(out: W, database: &Database, query: &Query, options: PgnOptions) -> PgnWriter<W> {
        PgnWriter {
            out,
            games: StoredGames::new(database.snapshot()),
            query: query.clone(),
            options,
            view: GameView::default(),
            tree: MoveTree::default(),
        }
    }
}

impl<W: Write> MatchWriter for PgnWriter<W> {
    fn game(&mut self, game: GameMatch) -> Result<()> {
        let Some(place) = self.games.locate(game.number) else {
            return Ok(());
        };
        self.games.tree(place, &mut self.tree)?;
        let text = self.games.text(place)?;
        self.view.load(&self.tree, true);
        let encoder = Encoder {
            encoding: self.options.encoding,
            source: text.encoding,
        };
        let set: &[(String, Vec<u8>)] = if self.options.set_tags { &game.result.tags } else { &[] };
        let comments = comments::merge(&game, &text, self.query.expanded(), &self.options, encoder);
        let bytes = write(&self.view, &text, &comments, set, encoder, self.options.buffer);
        self.out.write_all(&bytes)?;
        self.out.write_all(b"\n\n")?;
        Ok(())
    }

    fn finish(&mut self, _: &Summary) -> Result<()> {
        self.flush()
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

/// A game as it is stored, in UTF-8.
pub(crate) fn game_text(view: &GameView, text: &GameText) -> String {
    let encoder = Encoder {
        encoding: Encoding::Utf8,
        source: text.encoding,
    };
    let bytes = write(view, text, &comments::own(text, encoder), &[], encoder, None);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Writes one game: tags, an empty line, movetext. `set` are the tags that the query sets.
fn write(
    view: &GameView,
    text: &GameText,
    comments: &Comments,
    set: &[(String, Vec<u8>)],
    encoder: Encoder,
    buffer: Option<usize>,
) -> Vec<u8> {
    let mut start = Vec::new();
    for (name, value) in tags::tags(text, set, encoder) {
        start.extend_from_slice(format!("[{name} \"").as_bytes());
        start.extend_from_slice(&encoder.written(&value));
        start.extend_from_slice(b"\"]\n");
    }
    if let Some(fen) = tags::fen(text, view.board(0)) {
        start.extend_from_slice(format!("[FEN \"{fen}\"]\n").as_bytes());
    }
    start.push(b'\n');
    Movetext::write(view, text, comments, encoder, Lines::new(start, buffer))
}
