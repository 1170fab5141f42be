//! One game as the evaluator sees it: every position rebuilt, and the tree between them.

mod ahead;
mod boards;
mod checks;
mod identities;
mod imagined;
mod moves;
mod places;
mod rights;
mod tracks;
mod virtual_main_line;

pub(crate) use checks::{Aim, Checks};
pub(crate) use moves::{Manner, Moves};

use std::ops::Range;
use std::sync::OnceLock;

use chess::{
    Board, GameText, Mailbox, Man, MoveKind, MoveTree, Outcome, PackedMove, Quantities, castling_targets,
    en_passant_square,
};
use language::hir::{CastleSide, ManSet};
use shakmaty::{Bitboard, Color, File, Square};

use self::ahead::Ahead;
use self::boards::Boards;
use self::places::Places;
use self::tracks::Tracks;

/// The strings and numbers of a game's header, normalised as docs/language/pgn.md#tags says.
#[derive(Clone, Debug, Default)]
pub struct GameHeader<'a> {
    /// `White`, `?` if missing; none if empty.
    pub white: Option<&'a str>,
    /// `Black`, `?` if missing; none if empty.
    pub black: Option<&'a str>,
    /// `Event`, `?` if missing; none if empty.
    pub event: Option<&'a str>,
    /// `Site`, `?` if missing; none if empty.
    pub site: Option<&'a str>,
    /// `Date`, `????.??.??` if missing; none if empty.
    pub date: Option<&'a str>,
    /// `EventDate`, `????.??.??` if missing; none if empty.
    pub event_date: Option<&'a str>,
    /// `ECO`, if there is a usable one.
    pub eco: Option<&'a str>,
    /// Ratings of White and Black, 0 if unknown.
    pub ratings: [u16; 2],
    /// How the game ended.
    pub outcome: Outcome,
}

/// A variable-length list of a node's children beside the continuation.
type SideLines = Vec<(u32, u32)>;

/// A game's positions, rebuilt for evaluation. Its buffers are used again for the next game.
#[derive(Debug, Default)]
pub struct GameView {
    boards: Boards,
    /// `moves[i]` leads to node `i`; the root has a null move that must not be read.
    moves: Vec<Option<PackedMove>>,
    /// Parent and child of every variation's first move, ascending.
    side_lines: SideLines,
    /// Parent and depth of every node; empty when there are no variations.
    nodes: Vec<(u32, u32)>,
    /// The ply of every node; empty when there are no variations.
    plies: Vec<u32>,
    /// The last node of every subtree; empty when there are no variations.
    last: Vec<u32>,
    /// Where each piece stands, for every node; empty until [`GameView::identify`].
    places: Places,
    /// By node: the pieces that the move to it moves, and the piece that it captures, a bit for each identity number; as
    /// long as `places`.
    moved: Vec<(u64, u64)>,
    /// The moves of each piece; empty until [`GameView::identify`].
    tracks: Tracks,
    /// Where each piece comes to later; made when it is first asked for.
    ahead: OnceLock<Ahead>,
    /// The positions of the virtual main line, a bit for each; found when they are first asked for.
    virtual_main_line: OnceLock<Vec<u64>>,
    /// What the move to each node does, the root's left empty; empty until [`GameView::find_edges`].
    edges: Vec<Option<Edge>>,
    /// How many men were added to imagined positions.
    added: usize,
    /// How many of the first positions are those of the game's main line.
    main_line: usize,
    /// The game's number, from 1.
    pub number: u32,
    /// The first move's number for printing.
    pub fullmoves: u32,
}

/// No piece in [`GameView::identity`].
pub(crate) const NO_PIECE: u8 = u8::MAX;

/// The node at an index.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "a `MoveTree` numbers its nodes by 32 bits, so that no game has more"
)]
pub(crate) const fn node_at(index: usize) -> u32 {
    index as u32
}

/// What an edge of the tree does to the board, for filters about moves.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The move.
    pub packed: PackedMove,
    /// From-squares: king and rook when castling.
    pub from: Bitboard,
    /// To-squares: king and rook when castling.
    pub to: Bitboard,
    /// The square of the captured man, if any.
    pub capture: Option<Square>,
}

impl GameView {
    /// Rebuilds the positions of a game. Without `variations`, the main line is all there is.
    pub fn load(&mut self, tree: &MoveTree, variations: bool) {
        self.clear();
        self.fullmoves = match &tree.start {
            chess::Start::Standard => 1,
            chess::Start::Setup { fullmoves, .. } => *fullmoves,
        };
        let mainline = tree.mainline_len();
        self.main_line = mainline;
        let moves = &tree.moves[..mainline - 1];
        self.boards.load(tree.start.board(), mainline);
        self.moves.push(None);
        self.moves.extend(moves.iter().copied().map(Some));
        if variations && mainline < tree.len() {
            self.load_variations(tree, mainline);
        }
    }

    /// Forgets the last game.
    fn clear(&mut self) {
        self.boards.clear();
        self.moves.clear();
        self.side_lines.clear();
        self.nodes.clear();
        self.plies.clear();
        self.last.clear();
        self.places.clear();
        self.moved.clear();
        self.tracks.clear();
        self.ahead.take();
        self.virtual_main_line.take();
        self.edges.clear();
        (self.added, self.main_line) = (0, 0);
    }

    fn load_variations(&mut self, tree: &MoveTree, mainline: usize) {
        let nodes = 0..node_at(mainline);
        self.nodes.extend(nodes.clone().map(|node| (node.saturating_sub(1), 0)));
        self.plies.extend(nodes);
        let mut branches = tree.branches.iter().peekable();
        for node in mainline..tree.len() {
            let branch = branches.next_if(|branch| branch.node as usize == node);
            // A damaged tree could refer to a node that does not exist yet.
            let parent = branch.map_or(node - 1, |branch| (branch.parent as usize).min(node - 1));
            let m = tree.moves[node - 1];
            let mut board = self.boards.get(parent, &self.moves, mainline).clone();
            board.play(m);
            self.boards.push(board);
            self.moves.push(Some(m));
            self.nodes
                .push((node_at(parent), self.nodes[parent].1 + u32::from(branch.is_some())));
            self.plies.push(self.plies[parent] + 1);
            if branch.is_some() {
                self.side_lines.push((node_at(parent), node_at(node)));
            }
        }
        self.side_lines.sort_unstable();
        self.last.extend(0..node_at(tree.len()));
        for node in (1..tree.len()).rev() {
            let parent = self.nodes[node].0 as usize;
            self.last[parent] = self.last[parent].max(self.last[node]);
        }
    }

    /// Makes the boards of all positions: for searches that ask for most of them.
    pub(crate) fn make_boards(&mut self) {
        self.boards.make(&self.moves[..self.main_line]);
    }

    /// Works out what every move does, for filters that ask for moves often.
    pub fn find_edges(&mut self) {
        let mut edges = std::mem::take(&mut self.edges);
        edges.clear();
        match self.has_variations() {
            true => edges.extend(self.nodes().map(|node| self.new_edge(node))),
            false => {
                let mut before = Mailbox::of(self.board(0));
                edges.extend(self.moves.iter().map(|&m| {
                    let m = m?;
                    let edge = Edge::new(m, before.at(m.to()) != Man::EMPTY);
                    before.play(m);
                    Some(edge)
                }));
            }
        }
        self.edges = edges;
    }

    /// All nodes, the root first.
    #[inline]
    pub fn nodes(&self) -> Range<u32> {
        0..node_at(self.len())
    }

    /// The last node.
    #[inline]
    pub(crate) fn last_node(&self) -> u32 {
        node_at(self.len()) - 1
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Whether there are none; false once a game was loaded.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The boards of all nodes.
    pub(crate) fn boards(&self) -> impl Iterator<Item = &Board> {
        self.nodes().map(|node| self.board(node))
    }

    /// The board of a node.
    #[inline]
    pub fn board(&self, node: u32) -> &Board {
        self.boards.get(node as usize, &self.moves, self.main_line)
    }

    /// The side to move in a position.
    #[inline]
    pub fn turn(&self, node: u32) -> Color {
        self.boards.turn(node as usize)
    }

    /// The pieces that the move to a node moves, and the piece that it captures, a bit for each identity number.
    #[inline]
    pub(crate) fn moved(&self, node: u32) -> (u64, u64) {
        self.moved.get(node as usize).copied().unwrap_or_default()
    }

    /// The position before; `None` at the root.
    #[inline]
    pub fn parent(&self, node: u32) -> Option<u32> {
        match self.nodes.get(node as usize) {
            Some(&(parent, _)) => (node != 0).then_some(parent),
            None => node.checked_sub(1),
        }
    }

    /// The variation depth: how many secondary moves lead here from the root.
    pub fn depth(&self, node: u32) -> u32 {
        self.nodes.get(node as usize).map_or(0, |&(_, depth)| depth)
    }

    /// Half-moves from the root.
    #[inline]
    pub fn ply(&self, node: u32) -> u32 {
        self.plies.get(node as usize).copied().unwrap_or(node)
    }

    /// The last node of the subtree: descendants are the nodes after this one up to that.
    #[inline]
    pub fn last_descendant(&self, node: u32) -> u32 {
        self.last
            .get(node as usize)
            .copied()
            .unwrap_or_else(|| self.last_node())
    }

    /// Whether a node is below another, or the same.
    #[inline]
    pub fn is_within(&self, node: u32, ancestor: u32) -> bool {
        ancestor <= node && node <= self.last_descendant(ancestor)
    }

    /// The continuation, if there is one.
    #[inline]
    pub fn primary_child(&self, node: u32) -> Option<u32> {
        let child = node + 1;
        ((child as usize) < self.len() && self.parent(child) == Some(node) && !self.is_secondary(child))
            .then_some(child)
    }

    /// Whether the move to this node is a variation's first.
    #[inline]
    pub fn is_secondary(&self, node: u32) -> bool {
        match self.nodes.get(node as usize) {
            Some(&(parent, depth)) => node != 0 && depth != self.nodes[parent as usize].1,
            None => false,
        }
    }

    /// Whether a position has more than one move.
    #[inline]
    pub(crate) fn has_variations(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// The first moves of the variations that leave a node.
    fn variations(&self, node: u32) -> &[(u32, u32)] {
        let start = self.side_lines.partition_point(|&(parent, _)| parent < node);
        let count = self.side_lines[start..].partition_point(|&(parent, _)| parent == node);
        &self.side_lines[start..start + count]
    }

    /// The nodes after one move, the continuation first.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.primary_child(node)
            .into_iter()
            .chain(self.variations(node).iter().map(|&(_, child)| child))
    }

    /// Whether no move follows.
    #[inline]
    pub fn is_terminal(&self, node: u32) -> bool {
        self.primary_child(node).is_none() && (self.side_lines.is_empty() || self.variations(node).is_empty())
    }

    /// The move that led to a node; `None` at the root.
    #[inline]
    pub fn last_move(&self, node: u32) -> Option<PackedMove> {
        self.moves[node as usize]
    }

    /// What the move that led to a node does; `None` at the root.
    #[inline]
    pub fn edge(&self, node: u32) -> Option<Edge> {
        match self.edges.get(node as usize) {
            Some(edge) => *edge,
            None => self.new_edge(node),
        }
    }

    fn new_edge(&self, node: u32) -> Option<Edge> {
        let packed = self.last_move(node)?;
        let before = self.board(self.parent(node)?);
        Some(Edge::new(packed, before.at(packed.to()) != Man::EMPTY))
    }

    /// The node whose subtree is the smallest that holds both.
    pub fn common_ancestor(&self, a: u32, b: u32) -> u32 {
        let mut ancestor = a;
        while !self.is_within(b, ancestor) {
            match self.parent(ancestor) {
                Some(parent) => ancestor = parent,
                None => break,
            }
        }
        ancestor
    }

    /// The number of the move that is to be played, 1 at the root (docs/language/games.md#positions-and-their-numbers).
    pub fn move_number(&self, node: u32) -> u32 {
        let black_starts = self.turn(0) == Color::Black;
        (self.ply(node) + u32::from(black_starts)) / 2 + 1
    }

    /// The number of the move that is to be played as PGN has it: it begins with the number in the FEN of the start.
    pub fn printed_move_number(&self, node: u32) -> u32 {
        self.move_number(node).saturating_add(self.fullmoves.max(1) - 1)
    }
}

/// From- and to-square of the king when castling, else of the man that moves.
#[inline]
pub(crate) fn leader(m: PackedMove) -> (Square, Square) {
    match m.kind() {
        MoveKind::Castle => (m.from(), castling_targets(m.from(), m.to()).0),
        _ => (m.from(), m.to()),
    }
}

impl Edge {
    /// What a move does (docs/language/moves.md#what-a-move-is). `is_occupied` says that a man stands on its to-square before.
    pub fn new(packed: PackedMove, is_occupied: bool) -> Edge {
        let (from, to) = (packed.from(), packed.to());
        let one = |square| Bitboard::from_square(square);
        match packed.kind() {
            MoveKind::Castle => {
                let (king_to, rook_to) = castling_targets(from, to);
                Edge {
                    packed,
                    from: one(from) | one(to),
                    to: one(king_to) | one(rook_to),
                    capture: None,
                }
            }
            MoveKind::EnPassant => Edge {
                packed,
                from: one(from),
                to: one(to),
                capture: Some(en_passant_square(from, to)),
            },
            MoveKind::Null => Edge {
                packed,
                from: one(from),
                to: one(to),
                capture: None,
            },
            _ => {
                let capture = is_occupied.then_some(to);
                Edge {
                    packed,
                    from: one(from),
                    to: one(to),
                    capture,
                }
            }
        }
    }

    /// From- and to-square of the king when castling, else of the man that moves.
    pub fn leader(&self) -> (Square, Square) {
        leader(self.packed)
    }

    /// Its from- and to-squares, if its from-square is in a set and its to-square in another; king and rook of a castling
    /// move are pairs, each accepted by itself. For captures the other set is that of the captured man. A promotion is to
    /// one of these men, if any are given.
    pub(crate) fn accepted(
        &self,
        from: Bitboard,
        to: Bitboard,
        capture: bool,
        promotion: Option<ManSet>,
    ) -> Option<(Bitboard, Bitboard)> {
        if promotion.is_some_and(|men| !self.promotes_to(men)) {
            return None;
        }
        if capture {
            let holds = (self.from & from).any() && self.capture.is_some_and(|square| to.contains(square));
            return holds.then_some((self.from, self.to));
        }
        if self.packed.kind() != MoveKind::Castle {
            let holds = (self.from & from).any() && (self.to & to).any();
            return holds.then_some((self.from, self.to));
        }
        let (king_to, rook_to) = castling_targets(self.packed.from(), self.packed.to());
        let mut accepted = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (start, end) in [(self.packed.from(), king_to), (self.packed.to(), rook_to)] {
            if from.contains(start) && to.contains(end) {
                accepted.0.add(start);
                accepted.1.add(end);
            }
        }
        accepted.0.any().then_some(accepted)
    }

    /// Whether it castles to this side.
    pub(crate) fn castles(&self, side: CastleSide) -> bool {
        self.packed.kind() == MoveKind::Castle
            && match side {
                CastleSide::Any => true,
                CastleSide::King => self.leader().1.file() == File::G,
                CastleSide::Queen => self.leader().1.file() == File::C,
            }
    }

    /// Whether a pawn becomes one of these men, color ignored.
    pub(crate) fn promotes_to(&self, men: ManSet) -> bool {
        match self.packed.kind() {
            MoveKind::Promotion(role) => men.iter().any(|man| man.role() == Some(role)),
            _ => false,
        }
    }

    /// Whether it is a null move.
    pub fn is_null(&self) -> bool {
        self.packed.kind() == MoveKind::Null
    }
}

/// The data of a game besides its moves.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo<'a> {
    /// The header.
    pub header: &'a GameHeader<'a>,
    /// Tags, comments and glyphs; needed only by the filters that ask for them.
    pub text: Option<&'a GameText>,
    /// The named sets of positions that the query reads.
    pub sets: &'a dyn PositionSets,
    /// Clocks and evaluations; needed only by the filters that ask for them.
    pub quantities: Option<&'a Quantities>,
}

/// Which positions of a game the named sets of a query have.
pub trait PositionSets: std::fmt::Debug {
    /// Whether a set has a position; `set` is its number in [`ParsedQuery::sets`](language::hir::ParsedQuery::sets).
    fn contains(&self, set: u32, node: u32) -> bool;
}

/// Every set is empty.
impl PositionSets for () {
    fn contains(&self, _set: u32, _node: u32) -> bool {
        false
    }
}
