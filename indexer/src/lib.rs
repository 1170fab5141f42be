//! How games get into cqldex: PGN of any kind is read, replayed, indexed and committed segment by segment.
//!
//! The text is cut into games by ourselves (`splitter`), so that one bad game never costs the next and everything that
//! is left out has a place in the file. A game that is as the PGN standard has it goes through pgn-reader (`reader`);
//! one with anything that pgn-reader would drop in silence goes through our own tokens (`tokens`), which know what
//! CQL 6.2 makes of such text. Moves are looked up on our own boards, by the rules that CQL 6.2 has for castling.
//!
//! An illegal move ends its line: the game is kept with everything else, and the move is reported. Games with an
//! unreadable FEN, without exactly one king of each color, or of other variants than standard chess and Chess960 are
//! skipped and reported.

mod duplicates;
mod error;
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
    pipeline::{index, index_stream},
    report::{Observer, Options, Progress, Reason, Skipped, Summary},
    single::read_game,
};
