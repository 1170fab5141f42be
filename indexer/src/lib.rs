//! Indexing: PGN is read, replayed, indexed and committed segment by segment.
//!
//! We cut the text into games ourselves (`splitter`), so that a bad game does not affect the next one and everything
//! that is left out can be reported with its place in the file. A game that follows the PGN standard is read by
//! pgn-reader (`reader`). A game with anything that pgn-reader would silently drop is read by our own tokenizer
//! (`tokens`), which treats such text as CQL 6.2 does. Moves are resolved on our own boards, with CQL 6.2's rules for
//! castling.
//!
//! An illegal move ends its line: the game is kept without the rest of that line, and the move is reported. Games with
//! an unreadable FEN, without exactly one king of each color, or of a variant other than standard chess and Chess960
//! are skipped and reported.

mod duplicates;
mod error;
mod games;
mod gate;
mod pipeline;
mod plain;
mod reader;
mod report;
mod resume;
mod setup;
mod single;
mod source;
mod spelling;
mod splitter;
mod tagline;
mod tokens;
mod tree;
mod worker;

pub use crate::{
    error::{Error, Result},
    games::{PgnGames, PgnItem},
    pipeline::{index, index_stream},
    report::{Observer, Options, Progress, Reason, Skipped, Summary},
    single::read_game,
};
