//! The positions of a game, indexed so that those similar to a given one are found without comparing all: hashes of
//! whole boards for comparisons that allow no mismatch, and for those that allow a few, for every man and square the set
//! of positions where it stands there.

use chess::{Board, Man};
use language::hir::{EchoTransform, SquareComparison};
use shakmaty::{Bitboard, Color, Role, Square};

use super::board::{EchoMap, Planes, Tally};
use crate::game::GameView;
use crate::nodes::NodeSet;
use crate::value::square_count;

/// How many mismatches are counted for 64 positions at a time; beyond it, comparing the boards is as fast.
const MAX_BUDGET: usize = 8;

/// The men in the order in which they exclude most positions: a king stands on one square only, and pawns seldom move.
const ORDER: [Role; 6] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// The index of one game. Its parts are made at their first use.
#[derive(Debug)]
pub(crate) struct Index {
    planes: Vec<Planes>,
    white_to_move: NodeSet,
    /// For every man and square, the nodes where it stands there; `words` of them each.
    placed: Option<Vec<u64>>,
    words: usize,
    /// A buffer: for 64 nodes each, those that miss more than 0, 1, 2 ... men.
    missed: Vec<[u64; MAX_BUDGET + 1]>,
    boards: Option<Hashes>,
    corners: Option<Hashes>,
}

/// Nodes by hash.
type Hashes = Vec<(u64, u32)>;

impl Index {
    /// The index of a game.
    pub(crate) fn of(game: &GameView) -> Index {
        let mut white_to_move = NodeSet::none(game.len());
        let planes = game
            .nodes()
            .map(|node| {
                let board = game.board(node);
                if board.turn() == Color::White {
                    white_to_move.insert(node);
                }
                Planes::of(board)
            })
            .collect();
        Index {
            planes,
            white_to_move,
            placed: None,
            words: game.len().div_ceil(64),
            missed: Vec::new(),
            boards: None,
            corners: None,
        }
    }

    /// The board of a node.
    #[inline]
    pub(crate) fn planes(&self, node: u32) -> &Planes {
        &self.planes[node as usize]
    }

    /// The nodes where White is to move.
    pub(crate) fn white_to_move(&self) -> &NodeSet {
        &self.white_to_move
    }

    /// Keeps the nodes that can be targets of a source under a comparison. `set` is the value of `sourcesquares` at
    /// the source.
    pub(crate) fn narrow(
        &mut self,
        game: &GameView,
        comparison: &SquareComparison,
        (source, set): (u32, Bitboard),
        nodes: &mut NodeSet,
    ) {
        if comparison.target.is_some() {
            return;
        }
        let mut found = NodeSet::default();
        found.clear_like(nodes);
        if comparison.mismatching.max <= 0 && set == Bitboard::FULL {
            self.equal_boards(comparison, source, &mut found);
        } else {
            let maps = EchoMap::all(comparison.echo);
            let budgets = || {
                maps.iter()
                    .filter_map(|&map| Some((map, budget(comparison, set, map)?)))
            };
            if budgets().any(|(_, budget)| budget > MAX_BUDGET) {
                return;
            }
            let men = men_in_order(game.board(source), set);
            let placed = self.placed.get_or_insert_with(|| place(game, self.words));
            let planes = &self.planes;
            let source = &planes[source as usize];
            for (map, budget) in budgets() {
                let left = screen(placed, &men, (map, budget), nodes, &mut self.missed);
                for ((index, word), first) in left.zip((0..).step_by(64)) {
                    // What is known to be a target under another map need not be compared again.
                    for bit in bits::ones(word & !found.words()[index]) {
                        let node = first + bit;
                        if Tally::of(source, &planes[node as usize], set, map).fits(comparison) {
                            found.insert(node);
                        }
                    }
                }
            }
        }
        nodes.retain(&found, true);
    }

    /// The nodes with the same board as the source, looked at through one of the maps.
    fn equal_boards(&mut self, comparison: &SquareComparison, source: u32, found: &mut NodeSet) {
        let planes = &self.planes;
        let source = planes[source as usize];
        if comparison.echo.is_some_and(EchoTransform::is_shift) {
            // No man may leave the board, so the copies of a board are those with the same image in the corner.
            let corners = self
                .corners
                .get_or_insert_with(|| hashes(planes.iter().map(|planes| planes.to_corner())));
            with_hash(corners, source.to_corner().hash()).for_each(|node| found.insert(node));
            return;
        }
        let boards = self.boards.get_or_insert_with(|| hashes(planes.iter().copied()));
        for &map in EchoMap::all(comparison.echo) {
            with_hash(boards, source.map(map).hash()).for_each(|node| found.insert(node));
        }
    }
}

/// How many mismatches a comparison allows under a map, if it can hold at all. More than 64 are never counted.
fn budget(comparison: &SquareComparison, set: Bitboard, map: EchoMap) -> Option<usize> {
    let most = comparison.mismatching.max;
    if comparison.matching.min <= 0 && most < 64 {
        return usize::try_from(most).ok();
    }
    let most = if most >= 64 { i32::MAX } else { most };
    let compared = square_count(set) + square_count(set & !map.image(set));
    let budget = most.min(compared - comparison.matching.min.max(0));
    usize::try_from(budget).ok()
}

fn hashes(boards: impl Iterator<Item = Planes>) -> Hashes {
    let mut hashes: Hashes = (0..).zip(boards).map(|(node, planes)| (planes.hash(), node)).collect();
    hashes.sort_unstable();
    hashes
}

fn with_hash(hashes: &Hashes, hash: u64) -> impl Iterator<Item = u32> + '_ {
    let start = hashes.partition_point(|&(other, _)| other < hash);
    hashes[start..]
        .iter()
        .take_while(move |&&(other, _)| other == hash)
        .map(|&(_, node)| node)
}

/// For every man and square, the nodes where it stands there.
fn place(game: &GameView, words: usize) -> Vec<u64> {
    let mut placed = vec![0; Man::KINDS * 64 * words];
    for node in game.nodes() {
        let board = game.board(node);
        for square in board.occupied() {
            let slot = board.at(square).index() * 64 + usize::from(square);
            bits::insert(&mut placed[slot * words..(slot + 1) * words], node);
        }
    }
    placed
}

/// The men on a set of squares.
fn men_in_order(board: &Board, set: Bitboard) -> Vec<(Man, Square)> {
    let kinds = ORDER
        .into_iter()
        .flat_map(|role| Color::ALL.map(|color| Man::new(color, role)));
    kinds
        .flat_map(|man| (board.of(man) & set).into_iter().map(move |square| (man, square)))
        .collect()
}

/// The nodes among `nodes`, 64 at a time, that miss no more than `budget` of the men, each looked for at its image. Empty
/// squares are not looked at, so that the caller has to compare.
fn screen<'m>(
    placed: &[u64],
    men: &[(Man, Square)],
    (map, budget): (EchoMap, usize),
    nodes: &'m NodeSet,
    missed: &'m mut Vec<[u64; MAX_BUDGET + 1]>,
) -> impl Iterator<Item = (usize, u64)> + use<'m> {
    let words = nodes.words().len();
    missed.clear();
    missed.resize(words, [0; MAX_BUDGET + 1]);
    let mut alive = u64::MAX;
    for &(man, square) in men {
        let slot = map
            .square(square)
            .map(|image| (man.index() * 64 + usize::from(image)) * words);
        alive = 0;
        for (index, (missed, &nodes)) in missed.iter_mut().zip(nodes.words()).enumerate() {
            // A man that leaves the board is missed by all.
            let mut missing = slot.map_or(u64::MAX, |slot| !placed[slot + index]);
            for more in &mut missed[..=budget] {
                let before = *more & missing;
                *more |= missing;
                missing = before;
            }
            alive |= nodes & !missed[budget];
        }
        if alive == 0 {
            break;
        }
    }
    let left = missed.iter().zip(nodes.words()).enumerate();
    let left = left.take(if alive == 0 { 0 } else { words });
    left.map(move |(index, (missed, &nodes))| (index, nodes & !missed[budget]))
}
