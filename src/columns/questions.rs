//! The questions that have found a position, where several were asked.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use roaring::bitmap::Iter;

use crate::sets::PositionSet;

/// What stands between the names of questions.
const SEPARATOR: char = ';';

/// What several questions have found in a database, by the names of the questions.
pub type Labels<'a> = [(&'a str, &'a PositionSet)];

/// The questions whose answers are merged. Positions are asked about in the order of the database.
pub(crate) struct Questions<'a> {
    /// What the database is called.
    pub(super) database: &'a str,
    labels: &'a Labels<'a>,
    segment: Option<usize>,
    /// The next positions of each question in the segment.
    next: Vec<Option<Iter<'a>>>,
    /// The first of them, with the place of the question, the lowest first.
    heads: BinaryHeap<Reverse<(u32, usize)>>,
}

impl<'a> Questions<'a> {
    pub(crate) fn new(database: &'a str, labels: &'a Labels<'a>) -> Questions<'a> {
        Questions {
            database,
            labels,
            segment: None,
            next: Vec::new(),
            heads: BinaryHeap::new(),
        }
    }

    /// Writes the names of the questions that have a position, given by its id in a segment.
    pub(super) fn names_of(&mut self, segment: usize, id: u32, names: &mut String) {
        if self.segment != Some(segment) {
            self.enter(segment);
        }
        while let Some(Reverse((head, question))) = self.heads.peek().copied().filter(|Reverse((head, _))| *head <= id)
        {
            if head == id {
                if !names.is_empty() {
                    names.push(SEPARATOR);
                }
                names.push_str(self.labels[question].0);
            }
            self.heads.pop();
            self.advance(question);
        }
    }

    fn enter(&mut self, segment: usize) {
        self.segment = Some(segment);
        self.heads.clear();
        self.next.clear();
        for (question, (_, positions)) in self.labels.iter().enumerate() {
            self.next.push(positions.bitmap(segment).map(|bitmap| bitmap.iter()));
            self.advance(question);
        }
    }

    fn advance(&mut self, question: usize) {
        if let Some(id) = self.next[question].as_mut().and_then(Iter::next) {
            self.heads.push(Reverse((id, question)));
        }
    }
}
