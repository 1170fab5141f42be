//! Reads a whole database and checks it.

use shakmaty::Color;

use crate::{
    column::Column,
    error::{Damage, Error, Result},
    extract::Extractor,
    game::MoveTree,
    header::Header,
    id::SegmentId,
    key::Key,
    postings::Postings,
    runs::{self, PackedRuns},
    segment::{Array, Segment},
    snapshot::TermStats,
    store::Store,
    tags::TagColumn,
    term::Term,
};

/// How far [`Snapshot::verify`](crate::Snapshot::verify) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Games checked.
    pub games_done: u64,
    /// Games in all.
    pub games_total: u64,
}

/// What [`Snapshot::verify`](crate::Snapshot::verify) found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// How many games were read and replayed.
    pub games: u64,
    /// How many positions they have.
    pub positions: u64,
    /// How many posting lists were compared with the replayed games.
    pub postings: u64,
    /// What is wrong, by segment.
    pub problems: Vec<(SegmentId, Error)>,
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Checks all segments, one after the other.
pub(crate) fn verify(segments: &[Segment], progress: &mut dyn FnMut(Progress)) -> Result<Report> {
    let mut report = Report::default();
    let games_total = segments.iter().map(|segment| u64::from(segment.meta().games)).sum();
    for segment in segments {
        let mut check = Check {
            segment,
            report: &mut report,
            replayed: true,
        };
        match check.games(&mut |games_done| {
            progress(Progress {
                games_done,
                games_total,
            });
        }) {
            Ok(runs) => check.all_postings(&runs),
            Err(error) => check.problem(error),
        }
    }
    progress(Progress {
        games_done: report.games,
        games_total,
    });
    Ok(report)
}

/// The check of one segment.
struct Check<'a> {
    segment: &'a Segment,
    report: &'a mut Report,
    /// Whether all games could be read, so that the postings can be compared with them.
    replayed: bool,
}

impl Check<'_> {
    fn problem(&mut self, error: Error) {
        self.report.problems.push((self.segment.meta().id, error));
    }

    fn wrong_array(&self, array: Array, what: &'static str) -> Error {
        let key = Key::array(self.segment.meta().id, array.number());
        Store::corrupt(Column::Tags, key.as_bytes(), Damage::Invalid(what))
    }

    /// Reads, replays and compares all games; gives the runs that the postings should have.
    fn games(&mut self, progress: &mut dyn FnMut(u64)) -> Result<PackedRuns> {
        let mut extractor = Extractor::new();
        let starts = self.segment.starts()?;
        let mut tree = MoveTree::default();
        for block in 0..self.segment.block_count()? {
            let games = self.segment.block_games(block)?;
            match self.segment.trees(block) {
                Ok(trees) => {
                    for (index, game) in games.clone().enumerate() {
                        let read = trees.tree(index, &mut tree);
                        if read.is_ok() && extractor.positions() != starts[game as usize] {
                            self.problem(self.wrong_array(Array::Lengths, "a game has another number of positions"));
                            self.replayed = false;
                        }
                        if let Err(error) = read.and_then(|()| extractor.push(&tree)) {
                            self.problem(error);
                            self.replayed = false;
                        }
                    }
                }
                Err(error) => {
                    self.problem(error);
                    self.replayed = false;
                }
            }
            if let Err(error) = self.texts(block) {
                self.problem(error);
            }
            self.report.games += games.len() as u64;
            progress(self.report.games);
        }
        self.report.positions += u64::from(extractor.positions());
        Ok(extractor.finish())
    }

    /// Compares the columns of tags with the texts that they were made from.
    fn texts(&mut self, block: u32) -> Result<()> {
        let first = self.segment.block_games(block)?.start;
        let texts = self.segment.texts(block)?;
        for (game, text) in (first..).zip(&texts) {
            let header = Header::from_text(text);
            for column in TagColumn::ALL {
                if self.segment.tag_values(column)?.get(game).unwrap_or("") != header.get(column) {
                    return Err(self.wrong_array(Array::Tag(column), "a value is not that of the game's tag"));
                }
            }
            let ratings = [Color::White, Color::Black].map(|color| self.segment.ratings(color));
            let [white, black] = ratings;
            if [white?[game as usize], black?[game as usize]] != header.ratings() {
                return Err(self.wrong_array(Array::WhiteRatings, "a rating is not that of the game's tag"));
            }
            if self.segment.outcomes()?[game as usize] != header.outcome() {
                return Err(self.wrong_array(Array::Outcomes, "an outcome is not that of the game"));
            }
        }
        Ok(())
    }

    fn all_postings(&mut self, runs: &PackedRuns) {
        for term in Term::all() {
            self.report.postings += 1;
            if let Err(error) = self.postings(term, runs) {
                self.problem(error);
            }
        }
    }

    fn postings(&self, term: Term, runs: &PackedRuns) -> Result<()> {
        let postings = self.segment.postings(term)?;
        let list = runs.list(term.code());
        let same_stats = TermStats {
            bytes: 0,
            ..self.segment.term_stats(term)?
        } == runs::stats(list);
        if !self.replayed || same_stats && *postings == Postings::from_runs(list) {
            return Ok(());
        }
        let key = Key::term(self.segment.meta().id, term);
        let damage = Damage::Invalid("the list is not that of the stored games");
        Err(Store::corrupt(Column::Postings, key.as_bytes(), damage))
    }
}
