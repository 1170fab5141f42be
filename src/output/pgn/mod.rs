//! Matching games as PGN, written as CQL 6.2 writes them (cql6-games 9 to 11).

mod bytes;
mod comments;
mod fen;
mod movetext;
mod tags;
mod wrap;

use std::io::Write;

use chess::MoveTree;
use evaluator::GameView;
use language::hir::{Header, Query};
use search::{GameMatch, Summary};
use storage::{Segment, Snapshot};

use self::bytes::Encoder;
pub(crate) use self::bytes::Encoding;
use self::movetext::Movetext;
use self::wrap::Lines;
use super::Sink;
use crate::exit::Failure;

/// The size of the buffer that CQL writes a game into, unless told otherwise.
const BUFFER: usize = 105_000;

/// How games are written.
#[derive(Clone, Debug)]
pub(crate) struct PgnOptions {
    /// Every game says its number in a comment before the first move.
    pub(crate) header: bool,
    /// No automatic comments.
    pub(crate) quiet: bool,
    /// No comments at all but those of the games.
    pub(crate) silent: bool,
    /// What is noted at matching positions; nothing if empty, `CQL` unless told otherwise.
    pub(crate) match_string: Option<String>,
    /// The same comment is added to a position once.
    pub(crate) unique_comments: bool,
    /// `settag` has its effect.
    pub(crate) set_tags: bool,
    /// `removecomment` has its effect.
    pub(crate) remove_comments: bool,
    /// The bytes of what is not ASCII.
    pub(crate) encoding: Encoding,
    /// Games that are not shorter than this many bytes are cut; none if absent.
    pub(crate) buffer: Option<usize>,
}

impl PgnOptions {
    /// What the header of a query asks for.
    pub(crate) fn of(header: &Header) -> PgnOptions {
        PgnOptions {
            header: true,
            quiet: header.quiet,
            silent: header.silent,
            match_string: header.match_string.clone(),
            unique_comments: true,
            set_tags: true,
            remove_comments: true,
            encoding: Encoding::Cql,
            buffer: Some(BUFFER),
        }
    }
}

/// Writes games with what the query has to say about them, in the order in which they come. The search has to give
/// [`search::Detail::Results`], without a limit.
#[derive(Debug)]
pub(crate) struct Pgn<'a, W> {
    out: W,
    snapshot: &'a Snapshot,
    query: &'a Query,
    options: PgnOptions,
    view: GameView,
    tree: MoveTree,
}

impl<'a, W: Write> Pgn<'a, W> {
    /// Writes to `out`; moves and words of the games come from the snapshot.
    pub(crate) fn new(out: W, snapshot: &'a Snapshot, query: &'a Query, options: PgnOptions) -> Pgn<'a, W> {
        Pgn {
            out,
            snapshot,
            query,
            options,
            view: GameView::default(),
            tree: MoveTree::default(),
        }
    }

    fn load(&mut self, segment: &Segment, game: u32) -> Result<(), Failure> {
        let (block, index) = segment.block_of(game)?;
        segment.trees(block)?.tree(index, &mut self.tree)?;
        self.view.load(&self.tree, true);
        Ok(())
    }
}

impl<W: Write> Sink for Pgn<'_, W> {
    fn game(&mut self, game: GameMatch) -> Result<(), Failure> {
        let Some((segment, local)) = self.snapshot.locate(game.number - 1) else {
            return Ok(());
        };
        let segment = self.snapshot.segment(segment);
        self.load(&segment, local)?;
        let text = segment.text(local)?;
        let fen = fen::tag(&text, self.view.board(0));
        let encoder = Encoder {
            encoding: self.options.encoding,
            source: text.encoding,
        };
        let mut start = Vec::new();
        let set: &[(String, Vec<u8>)] = if self.options.set_tags { &game.result.tags } else { &[] };
        for (name, value) in tags::tags(&text, set, encoder) {
            start.extend_from_slice(format!("[{name} \"").as_bytes());
            start.extend_from_slice(&encoder.written(&value));
            start.extend_from_slice(b"\"]\n");
        }
        if let Some(fen) = fen {
            start.extend_from_slice(format!("[FEN \"{fen}\"]\n").as_bytes());
        }
        start.push(b'\n');
        let comments = comments::merge(&game, &text, self.query, &self.options, encoder);
        let lines = Lines::new(start, self.options.buffer);
        self.out
            .write_all(&Movetext::write(&self.view, &text, &comments, encoder, lines))?;
        self.out.write_all(b"\n\n")?;
        Ok(())
    }

    fn finish(&mut self, _: &Summary) -> Result<(), Failure> {
        self.flush()
    }

    fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}
