//! Where conditions on the next move hold, found by reading the moves of games.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use chess::{Mailbox, PackedMove};

use super::GameSpans;
use super::followed_men::FollowedMen;
use super::found_planes::FoundPlanes;
use super::move_counts::MoveCounts;
use super::spans::game_at;
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
    /// How many games were not read.
    unread: usize,
    /// Where each condition holds.
    found: FoundPlanes,
    /// The men of the last game that was read, if they are of interest.
    men: FollowedMen,
    /// Of which kinds its moves are.
    kinds: Vec<u64>,
    /// How often each condition holds in each game, if that is of interest.
    counts: Option<MoveCounts>,
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

    /// Reads the moves of the games in which some positions are; those of other games are passed over. `next` tells the first of
    /// the positions that is no lower than a number, which gets larger from call to call.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "games are fewer than positions, which have 32 bits"
    )]
    pub(crate) fn read(&self, group: &Arc<MoveGroup>, mut next: impl FnMut(u32) -> Option<u32>) {
        let mut all = self.known.borrow_mut();
        let known = self.known_of(group, &mut all);
        if known.unread == 0 {
            return;
        }
        let games = &self.starts[self.games.start as usize..=self.games.end as usize];
        let mut index = 0;
        while let Some(position) = next(games[index]) {
            index = game_at(games, index, position);
            if index + 1 == games.len() {
                break;
            }
            known.read_game(self.boards, self.games.start, index as u32, games[index]);
            index += 1;
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

    /// Calls `ask` with how often each condition holds in the games that were read, if the group is one that is counted.
    pub(super) fn ask_counts(&self, group: &Arc<MoveGroup>, ask: impl FnOnce(&MoveCounts)) {
        let mut all = self.known.borrow_mut();
        if let Some(counts) = &self.known_of(group, &mut all).counts {
            ask(counts);
        }
    }

    fn known_of<'k>(&self, group: &Arc<MoveGroup>, all: &'k mut Vec<Known>) -> &'k mut Known {
        let place = all.iter().position(|known| Arc::ptr_eq(&known.group, group));
        let place = place.unwrap_or_else(|| {
            let range = self.starts[self.games.start as usize]..self.starts[self.games.end as usize];
            let mut found = FoundPlanes::new(&range, group.len());
            if group.is_counted() {
                found.count();
            }
            all.push(Known {
                group: Arc::clone(group),
                read: vec![0; self.games.len().div_ceil(bits::BITS as usize)],
                unread: self.games.len(),
                found,
                men: FollowedMen::new(),
                kinds: Vec::new(),
                counts: group
                    .is_counted()
                    .then(|| MoveCounts::new(group.len(), self.games.len())),
            });
            all.len() - 1
        });
        &mut all[place]
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a game has fewer moves than a segment positions"
)]
impl Known {
    /// Reads the moves of a game, if that was not done. `index` is counted from the first game, `first`.
    fn read_game(&mut self, boards: &dyn Boards, first: u32, index: u32, start: u32) {
        if bits::contains(&self.read, index) {
            return;
        }
        bits::insert(&mut self.read, index);
        self.unread -= 1;
        let Known {
            group,
            found,
            men,
            kinds,
            counts,
            ..
        } = self;
        boards.line(first + index, &mut |board, line| {
            kinds.clear();
            group.kinds_of_line(&mut board.clone(), line, kinds, |number, at| {
                found.insert(number, start + at as u32);
            });
            found.insert_in_a_row(start, kinds, group.singles());
            let Some(courses) = group.courses() else { return };
            courses.each_window(line, kinds, start, |number, position| {
                found.insert_all(number, position, position);
            });
            let last = start + line.len() as u32;
            let mut insert = |number: usize, from, last| found.insert_all(number, from, last);
            men.follow(board, courses.followed(line), line, kinds, courses.all_kinds());
            if men.has_null_moves() && courses.has_kings {
                courses.each_number(|number| insert(number, start, last));
                return;
            }
            let mut tracks = men.tracks(start);
            let possible = courses.possible(&tracks);
            if possible.any() {
                let order = men.put_moves(start, kinds, courses.all_kinds(), &mut tracks);
                courses.each(&possible, &tracks, order, (start, last), &mut insert);
            }
        });
        if let Some(counts) = counts {
            counts.put(index as usize, found);
        }
    }
}
