//! What an indexing run tells: progress, what was skipped, and the sum of it.

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
    /// How many threads read and index games; 0 for one a core.
    pub threads: usize,
    /// A segment is committed when it has this many positions. Small segments cost queries time, large ones memory.
    pub segment_positions: u32,
    /// Whether files are added whose games are in the database already. Otherwise only what is new in them is.
    pub repeat: bool,
    /// Whether a game is left out that is the same as another: see [`storage::identity`].
    pub skip_duplicates: bool,
    /// Set from another thread, ends the run after committing what is complete.
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

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes of the files that were read, as they are on disk.
    pub bytes_done: u64,
    /// Bytes of all files, if all sizes are known (standard input has none).
    pub bytes_total: Option<u64>,
    /// Games indexed; they are in the database when [`Progress::committed`] comes up to them.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Games that are in the database now.
    pub committed: u64,
}

/// Something that did not get into the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file; `-` for standard input.
    pub file: PathBuf,
    /// The number of the game in the file, from 1, skipped ones counted.
    pub game: u64,
    /// The line in the file, from 1.
    pub line: u64,
    /// The byte in the file, unpacked, from 0.
    pub offset: u64,
    /// What is wrong there.
    pub reason: Reason,
    /// Whether the game is in the database, but for what this is about.
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
    /// A move that is not legal, or no move at all. The rest of its line is left out.
    IllegalMove {
        /// The move as written.
        text: String,
    },
    /// A move that several men could make. The rest of its line is left out.
    AmbiguousMove {
        /// The move as written.
        text: String,
    },
    /// A word that means nothing in movetext. Only the first of a game is told.
    UnknownWord {
        /// The word.
        text: String,
    },
    /// A comment that never ends; it was taken to go to the end of the game.
    UnterminatedComment,
    /// Variations nested too deeply; the deepest are left out.
    TooDeep,
    /// A game with more than a million positions; the rest is left out.
    TooLong,
    /// A text of many megabytes with no tag in it; it was cut.
    TooLarge,
    /// The FEN tag can't be read.
    Fen {
        /// The tag.
        fen: String,
    },
    /// The start has no king of a color, or several.
    Kings {
        /// The FEN tag.
        fen: String,
    },
    /// The game is of another kind of chess.
    Variant {
        /// The tag.
        name: String,
    },
    /// The game is in the database already.
    Duplicate {
        /// The number there, from 1.
        of: u64,
    },
    /// The file is in an encoding that is not read: UTF-16.
    Encoding,
}

impl Reason {
    /// A short name for the kind of reason, for counting.
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

    /// Whether nothing but the thing itself is lost.
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

/// Is told how a run goes; called from the thread that called [`index`](crate::index).
pub trait Observer {
    /// Called after every batch of games.
    fn progress(&self, _progress: &Progress) {}

    /// Called for everything that does not get into the database, in the order of the input.
    fn skipped(&self, _skipped: &Skipped) {}

    /// Called when a file is begun.
    fn file(&self, _path: &Path) {}

    /// Called when a file begins with a text that is in the database already. That part is passed over.
    fn known(&self, _path: &Path, _known: &Source) {}
}

/// An observer that does not look.
impl Observer for () {}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// How many games were added.
    pub games: u64,
    /// How many positions they have.
    pub positions: u64,
    /// How many games were not added.
    pub skipped_games: u64,
    /// How many games were not added because they are duplicates; not counted among those skipped.
    pub duplicates: u64,
    /// How many games were passed over because their text is in the database already.
    pub known_games: u64,
    /// How many games were added without something.
    pub damaged_games: u64,
    /// How often each reason was met, by [`Reason::kind`].
    pub reasons: BTreeMap<&'static str, u64>,
    /// How many segments were committed.
    pub segments: u64,
    /// How many files were read.
    pub files: u64,
    /// How many bytes they had, unpacked.
    pub bytes: u64,
    /// Whether the run was cancelled before its end.
    pub cancelled: bool,
    /// How long it took.
    pub elapsed: Duration,
}
