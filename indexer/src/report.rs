//! The options and reports of an indexing run: progress, skipped games, summary.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use storage::Source;

/// How games are indexed.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of threads that read and index games; 0 for one per core.
    pub threads: usize,
    /// A segment is committed when it has this many positions. Small segments make queries slower, large ones take
    /// more memory.
    pub segment_positions: u32,
    /// Whether to add the games of a file again if they are already in the database. Otherwise only new ones are added.
    pub repeat: bool,
    /// Whether to leave out duplicates of other games: see [`storage::identity`].
    pub skip_duplicates: bool,
    /// When it is set by another thread, the run commits the complete games and ends.
    pub cancel: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 0,
            segment_positions: 1 << 22,
            repeat: false,
            skip_duplicates: false,
            cancel: Arc::default(),
        }
    }
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes read from the files, before unpacking.
    pub bytes_done: u64,
    /// Bytes of all files, or `None` if a size is unknown, as for standard input.
    pub bytes_total: Option<u64>,
    /// Games indexed. Those beyond [`Progress::committed`] are not in the database yet.
    pub games: u64,
    /// Positions of these games.
    pub positions: u64,
    /// Games committed to the database.
    pub committed: u64,
}

/// Something that did not get into the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file; `-` for standard input.
    pub file: PathBuf,
    /// The number of the game in the file, from 1. Skipped games are counted.
    pub game: u64,
    /// The line in the file, from 1.
    pub line: u64,
    /// The byte offset in the unpacked file, from 0.
    pub offset: u64,
    /// The reason.
    pub reason: Reason,
    /// Whether the rest of the game is in the database.
    pub kept: bool,
}

impl std::fmt::Display for Skipped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Skipped {
            file,
            game,
            line,
            reason,
            kept,
            ..
        } = self;
        let outcome = if *kept {
            "rest of the line left out"
        } else {
            "game skipped"
        };
        let outcome = match reason {
            Reason::Duplicate { .. } => "not added",
            _ => outcome,
        };
        let outcome = if reason.is_harmless() { "left out" } else { outcome };
        write!(f, "{}:{line}: game {game}: {reason} ({outcome})", file.display())
    }
}

/// Why something was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// An illegal move, or a word that looks like a move and is none. The rest of its line is left out.
    IllegalMove {
        /// The move as written.
        text: String,
    },
    /// A move that several men can make. The rest of its line is left out.
    AmbiguousMove {
        /// The move as written.
        text: String,
    },
    /// A word that has no meaning in movetext. Only the first one of a game is reported.
    UnknownWord {
        /// The word.
        text: String,
    },
    /// A comment without an end. It is read up to the end of the game.
    UnterminatedComment,
    /// Variations nested too deeply; the deepest are left out.
    TooDeep,
    /// A game with more than a million positions; the rest is left out.
    TooLong,
    /// A text of many megabytes without a tag. It is cut.
    TooLarge,
    /// The FEN tag can't be read.
    Fen {
        /// The tag.
        fen: String,
    },
    /// The start position does not have exactly one king of each color.
    Kings {
        /// The FEN tag.
        fen: String,
    },
    /// The game is of an unsupported variant.
    Variant {
        /// The tag.
        name: String,
    },
    /// The game is already in the database.
    Duplicate {
        /// Its number in the database, from 1.
        of: u64,
    },
    /// The file is in an unsupported encoding: UTF-16.
    Encoding,
}

impl Reason {
    /// A short name of the kind of reason, used for counting.
    pub const fn kind(&self) -> &'static str {
        match self {
            Reason::IllegalMove { .. } => "illegal move",
            Reason::AmbiguousMove { .. } => "ambiguous move",
            Reason::UnknownWord { .. } => "unknown word",
            Reason::UnterminatedComment => "unterminated comment",
            Reason::TooDeep => "variations too deep",
            Reason::TooLong => "game too long",
            Reason::TooLarge => "text too large",
            Reason::Fen { .. } => "unreadable FEN",
            Reason::Kings { .. } => "no king or several",
            Reason::Variant { .. } => "other variant",
            Reason::Duplicate { .. } => "duplicate",
            Reason::Encoding => "encoding",
        }
    }

    /// Whether only the reported text is lost.
    const fn is_harmless(&self) -> bool {
        matches!(
            self,
            Reason::UnknownWord { .. } | Reason::UnterminatedComment | Reason::TooDeep
        )
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::IllegalMove { text } => write!(f, "illegal move `{}`", text.escape_debug()),
            Reason::AmbiguousMove { text } => write!(f, "ambiguous move `{}`", text.escape_debug()),
            Reason::UnknownWord { text } => write!(f, "unknown word `{}`", text.escape_debug()),
            Reason::UnterminatedComment => f.write_str("unterminated comment"),
            Reason::TooDeep => f.write_str("variations nested too deeply"),
            Reason::TooLong => f.write_str("more than a million positions"),
            Reason::TooLarge => f.write_str("many megabytes without a tag"),
            Reason::Fen { fen } => write!(f, "unreadable FEN `{}`", fen.escape_debug()),
            Reason::Kings { fen } => write!(f, "not one king of each color in FEN `{}`", fen.escape_debug()),
            Reason::Variant { name } => write!(f, "variant `{}` is not supported", name.escape_debug()),
            Reason::Duplicate { of } => write!(f, "duplicate of game {of} of the database"),
            Reason::Encoding => f.write_str("UTF-16 is not supported"),
        }
    }
}

/// Receives the events of a run, on the thread that called [`index`](crate::index).
pub trait Observer {
    /// Called after every batch of games.
    fn progress(&self, _progress: &Progress) {}

    /// Called for everything that is left out, in the order of the input.
    fn skipped(&self, _skipped: &Skipped) {}

    /// Called at the beginning of each file.
    fn file(&self, _path: &Path) {}

    /// Called when a file begins with text whose games are already in the database. That part is skipped.
    fn known(&self, _path: &Path, _known: &Source) {}
}

/// Ignores all events.
impl Observer for () {}

/// The summary of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Games added.
    pub games: u64,
    /// Positions of the added games.
    pub positions: u64,
    /// Games skipped because of a problem.
    pub skipped_games: u64,
    /// Duplicates that were not added. They are not counted in `skipped_games`.
    pub duplicates: u64,
    /// Games not read because their text is already in the database.
    pub known_games: u64,
    /// Games added with something left out.
    pub damaged_games: u64,
    /// The number of problems by [`Reason::kind`].
    pub reasons: BTreeMap<&'static str, u64>,
    /// Segments committed.
    pub segments: u64,
    /// Files read.
    pub files: u64,
    /// Unpacked bytes of the games read.
    pub bytes: u64,
    /// Whether the run was cancelled.
    pub cancelled: bool,
    /// The duration of the run.
    pub elapsed: Duration,
}
