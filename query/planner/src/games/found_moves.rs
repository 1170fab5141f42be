//! Where conditions on the next move hold, found by reading the moves of games.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use chess::{Mailbox, MoveKind, PackedMove};

use super::GameSpans;
use super::followed_men::FollowedMen;
use super::found_planes::FoundPlanes;
use crate::boards::Boards;
use crate::expr::MoveGroup;

/// Where the conditions on the next move hold in some games. The moves of a game are read when they are first asked for.
#[derive(Debug)]
pub struct FoundMoves<'a> {
    boards: &'a dyn Boards,
    starts: &'a [u32],
    games: Range<u32>,
    known: RefCell<Vec<Known>>,
}

/// What is known of a group of conditions.
#[derive(Debug)]
struct Known {
    group: Arc<MoveGroup>,
    /// The games whose moves were read, counted from the first one.
    read: Vec<u64>,
    /// Where each condition holds.
    found: FoundPlanes,
    /// The men of the last game that was read, if they are of interest.
    men: FollowedMen,
    /// Of which kinds its moves are, if that is.
    kinds: Vec<u64>,
}

impl<'a> FoundMoves<'a> {
    /// Nothing is known yet of these games.
    pub fn new(boards: &'a dyn Boards, spans: &'a GameSpans, games: Range<u32>) -> FoundMoves<'a> {
        FoundMoves {
            boards,
            starts: spans.starts(),
            games,
            known: RefCell::new(Vec::new()),
        }
    }

    /// Reads the moves of the games in which some positions are, ascending; those of other games are passed over.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "games are fewer than positions, which have 32 bits"
    )]
    pub(crate) fn read(&self, group: &Arc<MoveGroup>, positions: impl Iterator<Item = u32>) {
        let mut all = self.known.borrow_mut();
        let known = self.known_of(group, &mut all);
        let games = &self.starts[self.games.start as usize..=self.games.end as usize];
        // Up to here all games were read, or are not among these.
        let mut end = games[0];
        for position in positions {
            if position < end {
                continue;
            }
            let index = games.partition_point(|&start| start <= position) - 1;
            let Some(&next) = games.get(index + 1) else { break };
            end = next;
            known.read_game(self.boards, self.games.start, index as u32, games[index]);
        }
    }

    /// Whether the moves of all games were read that have positions from one to another one, as far as these are among the
    /// games.
    pub(crate) fn has_read(&self, group: &Arc<MoveGroup>, first: u32, last: u32) -> bool {
        let games = &self.starts[self.games.start as usize..self.games.end as usize];
        let index_of = |position: u32| {
            let index = games.partition_point(|&start| start <= position).saturating_sub(1);
            u32::try_from(index).unwrap_or(u32::MAX)
        };
        let mut all = self.known.borrow_mut();
        let read = &self.known_of(group, &mut all).read;
        (index_of(first)..=index_of(last)).all(|game| bits::contains(read, game))
    }

    /// Calls `each` with the first board and the moves of the main line of the game that begins at a position.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "games are fewer than positions, which have 32 bits"
    )]
    pub(super) fn line(&self, start: u32, each: &mut dyn FnMut(&Mailbox, &[PackedMove])) {
        let games = &self.starts[self.games.start as usize..self.games.end as usize];
        if let Ok(index) = games.binary_search(&start) {
            self.boards.line(self.games.start + index as u32, each);
        }
    }

    /// Calls `ask` with the positions where each condition holds, as far as their games were read.
    pub(crate) fn ask<T>(&self, group: &Arc<MoveGroup>, ask: impl FnOnce(&FoundPlanes) -> T) -> T {
        let mut all = self.known.borrow_mut();
        ask(&self.known_of(group, &mut all).found)
    }

    fn known_of<'k>(&self, group: &Arc<MoveGroup>, all: &'k mut Vec<Known>) -> &'k mut Known {
        let place = all.iter().position(|known| Arc::ptr_eq(&known.group, group));
        let place = place.unwrap_or_else(|| {
            let range = self.starts[self.games.start as usize]..self.starts[self.games.end as usize];
            all.push(Known {
                group: Arc::clone(group),
                read: vec![0; (self.games.end - self.games.start).div_ceil(bits::BITS) as usize],
                found: FoundPlanes::new(&range, group.len()),
                men: FollowedMen::new(),
                kinds: Vec::new(),
            });
            all.len() - 1
        });
        &mut all[place]
    }
}

impl Known {
    /// Reads the moves of a game, if that was not done. `index` is counted from the first game, `first`.
    fn read_game(&mut self, boards: &dyn Boards, first: u32, index: u32, start: u32) {
        if bits::contains(&self.read, index) {
            return;
        }
        bits::insert(&mut self.read, index);
        let Known {
            group,
            found,
            men,
            kinds: of_moves,
            ..
        } = self;
        boards.line(first + index, &mut |board, moves| {
            let mut board = board.clone();
            let mut singles = found.of_game(start, group.singles());
            let mut met = |board: &Mailbox, m, position, kinds| {
                singles.insert(position, kinds);
                if let Some(many) = group.many() {
                    many.each(board, m, |number| singles.insert_other(number, position));
                }
            };
            let Some(courses) = group.courses() else {
                for (position, &m) in (start..).zip(moves) {
                    met(&board, m, position, group.kinds(&board, m));
                    board.play(m);
                }
                return;
            };
            let followed = courses.followed(moves);
            men.begin(&board, followed, moves.len());
            of_moves.clear();
            let (mut last, mut has_null_moves) = (start, false);
            for (position, &m) in (start..).zip(moves) {
                let kinds = group.kinds(&board, m);
                met(&board, m, position, kinds);
                if courses.has_windows() {
                    of_moves.push(kinds);
                }
                if m.is_plain() {
                    men.play(position, m, board.at(m.from()), kinds);
                    board.play(m);
                } else {
                    has_null_moves |= m.kind() == MoveKind::Null;
                    board.play(m);
                    let kinds = match m.kind() {
                        MoveKind::Castle => courses.all_kinds(),
                        _ => kinds,
                    };
                    men.play_special(position, m, kinds, &board);
                }
                last = position + 1;
            }
            drop(singles);
            if courses.has_windows() {
                courses.each_window(moves, of_moves, start, |number, position| {
                    found.insert_all(number, position, position);
                });
            }
            let mut insert = |number: usize, from, last| found.insert_all(number, from, last);
            if has_null_moves && courses.has_kings {
                courses.each_number(|number| insert(number, start, last));
            } else {
                let mut tracks = men.tracks();
                let possible = courses.possible(&tracks);
                if possible.any() {
                    men.put_moves(&mut tracks);
                    courses.each(&possible, &tracks, (start, last), &mut insert);
                }
            }
        });
    }
}
