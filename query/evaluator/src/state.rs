//! The state that lasts while a game is evaluated, and from game to game.

mod pairs;

pub(crate) use pairs::Pairs;

use language::hir::{Query, SequenceId};
use shakmaty::Bitboard;

use crate::dictionary::Dictionary;
use crate::text::Groups;
use crate::value::Value;
use crate::written::WrittenFiles;

/// A comment made while evaluating, not yet in the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The position that it belongs to.
    pub node: u32,
    /// The text; UTF-8, unless the query has cut a character apart.
    pub text: Vec<u8>,
    /// What made it.
    pub source: CommentSource,
}

/// What made a comment: `quiet` headers keep some and drop others (docs/language/output.md#automatic-comments).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentSource {
    /// The user's words, titles, piece paths, verbose comments, ids: kept by `quiet`.
    User,
    /// Start, end, found, echo: dropped by `quiet`.
    Automatic,
    /// The position matches: the text is that of `matchstring`, and left out here. Dropped by `quiet`.
    Match,
}

/// The best value of a sort key in this game, and the comments that were made on the way to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortValue {
    /// A number or a string.
    pub value: Value,
    /// The comments of that evaluation.
    pub comments: Vec<LogEntry>,
}

/// The `line` or `path` that is being matched, or was matched last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PathState {
    /// Where it starts.
    pub(crate) start: u32,
    /// How many moves in focus it has so far.
    pub(crate) count: i32,
    /// The end of the best one so far.
    pub(crate) last: Option<u32>,
}

/// A pair of positions with the longest run of common moves, for the comments of `consecutivemoves`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommonMoves {
    pub(crate) length: usize,
    pub(crate) names: [String; 2],
    /// The tails of the common moves, in both lines.
    pub(crate) tails: [Vec<u32>; 2],
}

/// Everything that outlives the evaluation of one position.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) variables: Vec<Option<Value>>,
    pub(crate) dictionaries: Vec<Dictionary>,
    pub(crate) groups: Option<Groups>,
    pub(crate) log: Vec<LogEntry>,
    /// Comments that are never taken back, if the rules keep all of them.
    pub(crate) kept: Vec<LogEntry>,
    /// How many bytes the query has left in this game.
    pub(crate) kept_bytes: usize,
    pub(crate) sorts: Vec<Option<SortValue>>,
    /// The paths that are being matched, innermost last.
    pub(crate) paths: Vec<PathState>,
    /// The last path that matched in this game.
    pub(crate) last_path: Option<PathState>,
    /// For every `line` and `path` with `nestban`: where it may not start again.
    pub(crate) banned: Vec<Vec<u32>>,
    pub(crate) tags: Vec<(String, Vec<u8>)>,
    pub(crate) removed_comments: Vec<u32>,
    pub(crate) messages: Vec<Vec<u8>>,
    pub(crate) common_moves: Vec<CommonMoves>,
    /// The pairs of positions that `relation` filters have found in this game.
    pub(crate) pairs: Pairs,
    /// In a dash with a target: which squares of a castling move the operands have chosen.
    pub(crate) chosen_edge: Option<(u32, Bitboard, Bitboard)>,
    /// In a constituent of a `line`: the child that `move` filters are bound to.
    pub(crate) bound_move: Option<(u32, u32)>,
    /// The values of the arguments of rays that are being evaluated.
    pub(crate) sets: Vec<Bitboard>,
    /// Steps of the evaluation, for the limit.
    pub(crate) steps: u64,
    /// Files that `writefile` has opened in this run.
    pub(crate) written: WrittenFiles,
}

impl State {
    /// The state before the first game.
    pub(crate) fn new(query: &Query) -> State {
        let variables = query
            .variables
            .iter()
            .map(|variable| variable.persistent.then(|| Value::initial(variable.kind)))
            .collect();
        State {
            variables,
            dictionaries: vec![Dictionary::default(); query.dictionaries.len()],
            sorts: vec![None; query.sorts.len()],
            banned: vec![Vec::new(); query.sequences as usize],
            ..State::default()
        }
    }

    /// Forgets what belongs to one game.
    pub(crate) fn start_game(&mut self, query: &Query) {
        for (value, variable) in self.variables.iter_mut().zip(&query.variables) {
            if !variable.persistent {
                *value = None;
            }
        }
        for (entries, dictionary) in self.dictionaries.iter_mut().zip(&query.dictionaries) {
            if dictionary.local {
                entries.clear();
            }
        }
        self.groups = None;
        self.log.clear();
        self.kept.clear();
        self.kept_bytes = 0;
        self.sorts.iter_mut().for_each(|sort| *sort = None);
        self.paths.clear();
        self.last_path = None;
        self.banned.iter_mut().for_each(Vec::clear);
        self.tags.clear();
        self.removed_comments.clear();
        self.common_moves.clear();
        self.pairs.clear();
        self.chosen_edge = None;
        self.bound_move = None;
        self.sets.clear();
    }

    /// Whether a match of this sequence with `nestban` may not start at a position.
    pub(crate) fn is_banned(&self, id: SequenceId, node: u32) -> bool {
        self.banned
            .get(id.0 as usize)
            .is_some_and(|banned| banned.contains(&node))
    }

    /// Notes the positions of a match.
    pub(crate) fn ban(&mut self, id: SequenceId, nodes: impl IntoIterator<Item = u32>) {
        if let Some(banned) = self.banned.get_mut(id.0 as usize) {
            banned.extend(nodes);
        }
    }
}
