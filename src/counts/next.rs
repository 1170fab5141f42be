//! The moves that were played in the positions of a set, and the replies to them.

use std::cmp::Reverse;
use std::collections::HashMap;

use chess::{Board, MoveTree, Outcome};
use shakmaty::Color;
use storage::TagColumn;

use super::CountOptions;
use super::boards::Boards;
use super::damaged::Damaged;
use super::dimension::mean;
use super::strength::Strength;
use super::tally::GroupCount;
use super::unit::{Unit, parts};
use crate::database::Database;
use crate::error::{Error, Result};
use crate::game::{Date, Place, StoredGames, next_move};
use crate::sets::PositionSet;

/// How deep replies are followed at most.
const DEEPEST: u32 = 8;

/// A move that was played in positions of a set, or behind other moves there.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NextMove {
    /// The move in standard algebraic notation; `None` where the line ends.
    pub san: Option<String>,
    /// Who plays it, or would.
    pub side: Color,
    /// Games and positions with it, and how the games ended; [`GroupCount::won`] is what its side has won.
    pub count: GroupCount,
    /// The mean rating of those who played it; a game counts once. `None` if no rating is known.
    pub rating: Option<f64>,
    /// The performance of those who played it; see [`Database::next_moves`].
    pub performance: Option<f64>,
    /// The last year in which it was played.
    pub last_year: Option<u16>,
    /// The number of a game with it: that with the highest mean rating, and of several the last.
    pub example: u64,
    /// What was played next, the most games first; empty beyond the depth.
    pub replies: Vec<NextMove>,
}

/// The moves that were played in positions of a set: what [`Database::next_moves`] gives.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NextMoves {
    /// The moves, the most games first.
    pub moves: Vec<NextMove>,
    /// How many games have a position.
    pub games: u64,
    /// How many positions there are.
    pub positions: u64,
    /// How many moves deep it goes.
    pub depth: u32,
    /// The numbers of games that were left out because they are damaged, and what is damaged
    /// ([`CountOptions::skip_damaged`]).
    pub left_out: Vec<(u64, String)>,
}

/// What is counted of a move.
#[derive(Clone, Debug, Default)]
struct Node {
    count: GroupCount,
    strength: Strength,
    last_year: u16,
    /// The mean rating and the number of the example.
    example: (u16, u64),
    /// The last game that was counted; games come in order.
    last: Option<u32>,
    replies: Moves,
}

/// Moves, each with the side that plays it; there is no move where a line ends.
type Moves = HashMap<(Color, Option<String>), Node>;

/// What the header of a game says, as far as it is counted.
#[derive(Clone, Copy, Debug)]
struct Header {
    /// The number of the game in its segment.
    game: u32,
    /// The same in the database, from 1.
    number: u64,
    outcome: Outcome,
    ratings: [u16; 2],
    /// 0 if it is not known.
    year: u16,
}

impl Database {
    /// Counts the moves that were played in the positions of a set, and the replies to them, `depth` moves deep. Moves are
    /// those of the game or line that a position belongs to.
    ///
    /// A performance is the mean rating of the opponents plus `400 * log10(score / (1 - score))`, at most 800 points from it,
    /// in games with a result whose opponent's rating is known.
    ///
    /// ```
    /// use cqldex::{CountOptions, Database, Options};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Date \"1851.06.21\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. f3 e5 2. e4 *\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let positions = database.sets().of([(1, 2), (2, 2)])?;
    /// let next = database.next_moves(&positions, 2, &CountOptions::default())?;
    /// let moves: Vec<_> = next.moves.iter().filter_map(|played| played.san.as_deref()).collect();
    /// assert_eq!(moves, ["e4", "g4"]);
    /// assert_eq!(next.moves[1].replies[0].san.as_deref(), Some("Qh4#"));
    /// assert_eq!(next.moves[1].last_year, Some(1851));
    /// // After 2.e4 the game ends.
    /// assert_eq!(next.moves[0].replies[0].san, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the database can't be read, when it is cancelled, and when the depth is not 1 to 8.
    pub fn next_moves(&self, positions: &PositionSet, depth: u32, options: &CountOptions) -> Result<NextMoves> {
        if !(1..=DEEPEST).contains(&depth) {
            return Err(Error::NoSuchGroup(format!("moves are followed 1 to {DEEPEST} deep")));
        }
        let parts = parts(positions, false);
        let counted = self.threads().map(parts.len(), |place| {
            if options.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let mut unit = Unit::new(positions, &parts[place], true)?;
            let mut damaged = Damaged::new(options.skip_damaged);
            let games = StoredGames::new(positions.snapshot().clone());
            let moves = of_unit(&unit, games, &mut damaged, depth)?;
            let left_out = damaged.take_out_of(&mut unit);
            Ok((unit.games.len() as u64, unit.positions as u64, moves, left_out))
        })?;
        let (mut moves, mut games, mut of_set) = (Moves::new(), 0, 0);
        let mut left_out = Vec::new();
        for (of_games, of_positions, of_unit, of_damaged) in counted {
            left_out.extend(of_damaged);
            games += of_games;
            of_set += of_positions;
            merge(&mut moves, of_unit);
        }
        Ok(NextMoves {
            moves: sorted(moves),
            games,
            positions: of_set,
            depth,
            left_out,
        })
    }
}

/// The moves that were played in the positions of a unit.
fn of_unit(unit: &Unit, mut games: StoredGames, damaged: &mut Damaged, depth: u32) -> Result<Moves> {
    let mut moves = Moves::new();
    if unit.games.is_empty() {
        return Ok(moves);
    }
    let (white, black) = (unit.segment.ratings(Color::White)?, unit.segment.ratings(Color::Black)?);
    let (dates, outcomes) = (unit.segment.tag_values(TagColumn::Date)?, unit.segment.outcomes()?);
    let (mut tree, mut boards) = (MoveTree::default(), Boards::default());
    for (game, ranks) in &unit.games {
        let at = *game as usize;
        let header = Header {
            game: *game,
            number: unit.number(*game),
            outcome: outcomes[at],
            ratings: [white[at], black[at]],
            year: dates
                .get(*game)
                .and_then(|date| Date::of(date).year)
                .unwrap_or_default(),
        };
        let place = Place {
            segment: unit.index,
            game: *game,
        };
        if damaged.sound(*game, games.tree(place, &mut tree))?.is_none() {
            continue;
        }
        boards.visit(&tree, &unit.nodes(*game, ranks), |_, node, board| {
            follow(&mut moves, &tree, node, board, &header, depth);
        });
    }
    Ok(moves)
}

/// Counts the move that is played in a position, and the replies.
fn follow(moves: &mut Moves, tree: &MoveTree, node: u32, board: &Board, header: &Header, depth: u32) {
    let side = board.turn();
    let next = next_move(tree, node);
    let counted = moves.entry((side, next.map(|next| board.san(next)))).or_default();
    counted.count.positions += 1;
    if counted.last != Some(header.game) {
        counted.last = Some(header.game);
        counted.count.add_game(header.outcome, Some(side));
        counted.strength.add_game(side, header.ratings, header.outcome);
        counted.last_year = counted.last_year.max(header.year);
        counted.example = counted.example.max((mean(header.ratings), header.number));
    }
    if let Some(next) = next.filter(|_| depth > 1) {
        let mut board = board.clone();
        board.play(next);
        follow(&mut counted.replies, tree, node + 1, &board, header, depth - 1);
    }
}

/// Adds what was counted in other games.
fn merge(moves: &mut Moves, others: Moves) {
    for (key, other) in others {
        let node = moves.entry(key).or_default();
        node.count.add(&other.count);
        node.strength.add(&other.strength);
        node.last_year = node.last_year.max(other.last_year);
        node.example = node.example.max(other.example);
        merge(&mut node.replies, other.replies);
    }
}

/// The moves with the most games first.
fn sorted(moves: Moves) -> Vec<NextMove> {
    let moves = moves.into_iter().map(|((side, san), node)| NextMove {
        san,
        side,
        count: node.count,
        rating: node.strength.rating(),
        performance: node.strength.performance(),
        last_year: Some(node.last_year).filter(|&year| year > 0),
        example: node.example.1,
        replies: sorted(node.replies),
    });
    let mut moves: Vec<NextMove> = moves.collect();
    moves.sort_by(|a, b| {
        let amount = |next: &NextMove| Reverse((next.count.games, next.count.positions));
        let name = |next: &NextMove| (next.san.clone(), next.side.is_black());
        amount(a).cmp(&amount(b)).then_with(|| name(a).cmp(&name(b)))
    });
    moves
}
