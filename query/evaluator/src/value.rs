//! What variables hold, and what lives on while a game is evaluated.

use std::collections::BTreeMap;

use language::hir::{Kind, Query, VariableKind};
use shakmaty::Bitboard;

/// A value of a variable, a dictionary entry or a comparison.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A set of squares.
    Set(Bitboard),
    /// A piece, by its identity number.
    Piece(u8),
    /// A number.
    Number(i32),
    /// A string.
    Text(Vec<u8>),
    /// A node of the game.
    Position(u32),
    /// Whether something matched.
    Logical(bool),
}

/// As comments print it: a set as its squares, a string in quotes.
impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Set(set) => f.write_str(&super::output::squares(*set)),
            Value::Piece(id) => write!(f, "piece {id}"),
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => write!(f, "\"{}\"", String::from_utf8_lossy(text)),
            Value::Position(node) => write!(f, "position {node}"),
            Value::Logical(matched) => write!(f, "<{matched}>"),
        }
    }
}

impl Value {
    /// The value that a persistent variable starts with.
    fn initial(kind: VariableKind) -> Value {
        match kind {
            VariableKind::Set | VariableKind::Piece => Value::Set(Bitboard::EMPTY),
            VariableKind::Numeric => Value::Number(0),
            VariableKind::String => Value::Text(Vec::new()),
            VariableKind::Position => Value::Position(0),
        }
    }
}

/// The groups of the last regular expression that matched: where each starts, and its text.
pub(super) type Groups = Vec<Option<(usize, Vec<u8>)>>;

/// A comment made while evaluating, not yet in the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The position that it belongs to.
    pub node: u32,
    /// The text; UTF-8, unless the query has cut characters to pieces.
    pub text: Vec<u8>,
    /// Who made it.
    pub source: CommentSource,
}

/// Who made a comment: `quiet` headers keep some and drop others (cql6-games 9.2).
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
pub(super) struct PathState {
    /// Where it starts.
    pub(super) start: u32,
    /// In-focus moves so far.
    pub(super) count: i32,
    /// The end of the best one so far.
    pub(super) last: Option<u32>,
}

/// A pair of positions with the longest run of common moves, for the comments of `consecutivemoves`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommonMoves {
    pub(super) length: usize,
    pub(super) names: [String; 2],
    /// The tails of the common moves, in both lines.
    pub(super) tails: [Vec<u32>; 2],
}

/// Everything that outlives the evaluation of one position.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) variables: Vec<Option<Value>>,
    pub(super) dictionaries: Vec<BTreeMap<Value, Value>>,
    pub(super) groups: Option<Groups>,
    pub(super) log: Vec<LogEntry>,
    /// Comments that stay whatever fails, where the rules want that.
    pub(super) kept: Vec<LogEntry>,
    /// How many bytes the query has left in this game.
    pub(super) kept_bytes: usize,
    pub(super) sorts: Vec<Option<SortValue>>,
    /// The paths that are being matched, innermost last.
    pub(super) paths: Vec<PathState>,
    /// The last path that matched in this game.
    pub(super) last_path: Option<PathState>,
    /// For every `line` and `path` with `nestban`: where it may not start again.
    pub(super) banned: Vec<Vec<u32>>,
    pub(super) tags: Vec<(String, Vec<u8>)>,
    pub(super) removed_comments: Vec<u32>,
    pub(super) messages: Vec<Vec<u8>>,
    pub(super) common_moves: Vec<CommonMoves>,
    /// The pairs of positions that `relation` filters have found in this game.
    pub(super) pairs: super::relation::Pairs,
    /// In a dash with a target: which squares of a castling move the operands have chosen.
    pub(super) chosen_edge: Option<(u32, Bitboard, Bitboard)>,
    /// In a constituent of a `line`: the child that `move` filters are bound to.
    pub(super) bound_move: Option<(u32, u32)>,
    /// The values of the arguments of rays that are being evaluated.
    pub(super) sets: Vec<Bitboard>,
    /// Steps of the evaluation, for the limit.
    pub(super) steps: u64,
    /// Files that `writefile` has opened in this run.
    pub(super) written: Vec<std::path::PathBuf>,
}

impl State {
    /// The state before the first game.
    pub(super) fn new(query: &Query) -> State {
        let variables = query
            .variables
            .iter()
            .map(|variable| variable.persistent.then(|| Value::initial(variable.kind)))
            .collect();
        State {
            variables,
            dictionaries: vec![BTreeMap::new(); query.dictionaries.len()],
            sorts: vec![None; query.sorts.len()],
            banned: vec![Vec::new(); query.sequences as usize],
            ..State::default()
        }
    }

    /// Forgets what belongs to one game.
    pub(super) fn start_game(&mut self, query: &Query) {
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
}

/// The kind of a value.
impl From<&Value> for Kind {
    fn from(value: &Value) -> Kind {
        match value {
            Value::Set(_) | Value::Piece(_) => Kind::Set,
            Value::Number(_) => Kind::Numeric,
            Value::Text(_) => Kind::String,
            Value::Position(_) => Kind::Position,
            Value::Logical(_) => Kind::Logical,
        }
    }
}
