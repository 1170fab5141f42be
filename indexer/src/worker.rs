//! Worker threads: they read the games of a piece of text and index them.

use crossbeam_channel::{Receiver, Sender};
use storage::{BatchBuilder, GameBatch, Source};

use crate::{
    duplicates::Duplicates,
    error::Result,
    games::{Problem, TextGame, problem, read_sections},
    reader::GameReader,
    report::Reason,
    resume::Known,
    splitter::Sections,
};

/// The role of a piece of text in its file.
pub(crate) enum Step {
    /// The beginning of the file, after the known text that is skipped. The piece is empty.
    Begin(Option<Known>),
    /// Games.
    Games,
    /// The end of the file. The piece is empty.
    End,
}

/// A piece of text for a worker.
pub(crate) struct Text {
    pub(crate) number: u64,
    pub(crate) input: usize,
    pub(crate) sections: Sections,
    pub(crate) step: Step,
    /// How far the file was read, including this piece. The number of games is not set.
    pub(crate) mark: Source,
}

/// The indexed games of a piece of text.
pub(crate) struct Batch {
    pub(crate) number: u64,
    pub(crate) input: usize,
    /// The length of the text.
    pub(crate) bytes: usize,
    pub(crate) games: GameBatch,
    /// The number of games in the text, including skipped ones.
    pub(crate) found: u64,
    /// The problems. Games are numbered from the beginning of the text.
    pub(crate) problems: Vec<Problem>,
    pub(crate) step: Step,
    pub(crate) mark: Source,
}

/// Turns texts into batches until there are no more texts.
pub(crate) fn work(texts: &Receiver<Text>, batches: &Sender<Result<Batch>>, duplicates: Option<&Duplicates>) {
    let mut worker = Worker::new(duplicates);
    for text in texts {
        let Some(batch) = worker.make_batch(text).transpose() else {
            return;
        };
        if batches.send(batch).is_err() {
            return;
        }
    }
}

/// Turns texts into batches.
pub(crate) struct Worker<'a> {
    reader: GameReader,
    builder: BatchBuilder,
    duplicates: Option<&'a Duplicates>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(duplicates: Option<&'a Duplicates>) -> Worker<'a> {
        Worker {
            reader: GameReader::new(),
            builder: BatchBuilder::new(),
            duplicates,
        }
    }

    /// Reads and indexes the games of a text. Returns `None` if the run was stopped.
    pub(crate) fn make_batch(&mut self, text: Text) -> Result<Option<Batch>> {
        let Worker {
            reader,
            builder,
            duplicates,
        } = self;
        let sections = &text.sections;
        let mut problems = Vec::new();
        let mut failure = None;
        // Games to be compared with all earlier ones.
        let mut waiting = Vec::new();
        let found = read_sections(reader, sections, &mut problems, |found| {
            if duplicates.is_some() {
                waiting.push(found);
            } else if let Err(error) = builder.push(found.game) {
                failure = Some(error);
            }
        });
        if let Some(duplicates) = duplicates {
            let identities: Vec<u64> = waiting.iter().map(|found| storage::identity(&found.game)).collect();
            let Some(same) = duplicates.find(text.number, &identities) else {
                return Ok(None);
            };
            let mut lines = sections.lines();
            for (TextGame { number, start, game }, same) in waiting.into_iter().zip(same) {
                match same {
                    Some(of) => problems.push(problem(&mut lines, number, start, Reason::Duplicate { of }, false)),
                    None => builder.push(game)?,
                }
            }
            problems.sort_by_key(|problem| problem.game);
        }
        if let Some(error) = failure {
            return Err(error.into());
        }
        let games = builder.finish(sections.bytes.len() as u64)?;
        Ok(Some(Batch {
            number: text.number,
            input: text.input,
            bytes: sections.bytes.len(),
            games,
            found,
            problems,
            step: text.step,
            mark: text.mark,
        }))
    }
}
