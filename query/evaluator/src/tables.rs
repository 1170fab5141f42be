//! What is kept for the filters that look at other positions: their answers in the game, and buffers.

mod departures;
mod echoes;
mod finds;
mod lines;
mod relations;

pub(crate) use departures::Mover;
pub(crate) use echoes::{
    Condition, Echo, EchoParts, MAX_NUMBER, NO_NUMBER, SameSets, Sign, Sums, TargetCondition, TargetSets, TargetSums,
    retain_squares,
};
pub(crate) use finds::{FindPlace, Finds};
pub(crate) use lines::{LineTable, Longest, Next};
pub(crate) use relations::{EchoMap, Relations, Tally};

use language::hir::SequenceId;

use crate::formula::{Formulas, Memory};
use crate::game::GameView;
use crate::per_filter::PerFilter;
use crate::sequence::Memory as SearchMemory;

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Tables<'a> {
    /// The known answers of the arguments of `find`.
    pub(crate) finds: Finds,
    #[expect(clippy::vec_box, reason = "a search takes one out and puts it back, which moves it")]
    memory: Vec<Box<SearchMemory>>,
    /// The known matches of every `line`.
    lines: Vec<LineTable>,
    /// The bodies of the echoes, and their known answers.
    pub(crate) echoes: PerFilter<Echo<'a>>,
    /// What the formulas remember.
    pub(crate) formulas: Memory,
    /// The game as the `relation` filters have indexed it.
    pub(crate) relations: Relations,
    /// Buffers for imagined positions.
    imagined: Option<Box<Imagined<'a>>>,
}

/// A game with imagined positions at its end, and what is kept of it.
#[derive(Debug, Default)]
pub(crate) struct Imagined<'a> {
    pub(crate) game: GameView,
    pub(crate) tables: Tables<'a>,
    /// Whether they have been used in this game.
    in_use: bool,
}

impl<'a> Imagined<'a> {
    /// Makes it the line that leads to a position of a game.
    pub(crate) fn begin(&mut self, game: &GameView, node: u32, formulas: &Formulas) {
        let is_same_game = std::mem::replace(&mut self.in_use, true);
        self.game.load_line(game, node, is_same_game);
        if !is_same_game {
            self.tables.start_game(formulas);
        }
    }
}

impl<'a> Tables<'a> {
    /// Forgets what belongs to one game.
    pub(crate) fn start_game(&mut self, formulas: &Formulas) {
        self.formulas.start_game(formulas);
        self.finds.start_game();
        self.lines.iter_mut().for_each(LineTable::start_game);
        self.echoes.iter_mut().for_each(Echo::start_game);
        self.relations.start_game();
        if let Some(imagined) = &mut self.imagined {
            imagined.in_use = false;
        }
    }

    /// Takes what is known of a `line`. [`Tables::keep_line`] puts it back.
    pub(crate) fn take_line(&mut self, id: SequenceId) -> LineTable {
        self.lines
            .get_mut(id.0 as usize)
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Keeps what is known of a `line`.
    pub(crate) fn keep_line(&mut self, id: SequenceId, line: LineTable) {
        let index = id.0 as usize;
        if self.lines.len() <= index {
            self.lines.resize_with(index + 1, LineTable::default);
        }
        self.lines[index] = line;
    }

    /// Takes buffers for imagined positions. [`Tables::keep_imagined`] puts them back.
    pub(crate) fn take_imagined(&mut self) -> Box<Imagined<'a>> {
        self.imagined.take().unwrap_or_default()
    }

    /// Keeps buffers for the next imagined positions.
    pub(crate) fn keep_imagined(&mut self, imagined: Box<Imagined<'a>>) {
        self.imagined = Some(imagined);
    }

    /// Takes buffers for a search. [`Tables::keep_memory`] puts them back.
    pub(crate) fn take_memory(&mut self) -> Box<SearchMemory> {
        self.memory.pop().unwrap_or_default()
    }

    /// Keeps buffers for the next search.
    pub(crate) fn keep_memory(&mut self, memory: Box<SearchMemory>) {
        self.memory.push(memory);
    }
}
