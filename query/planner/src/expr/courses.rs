//! Conditions on several moves of one man: the man that moves next, or one that stands on a certain square.
//!
//! No list knows which man is which. Where the moves of a game are read, each man is followed from move to move. Castling
//! counts as every kind of move of king and rook, and if a king may be meant, everything is possible in a game with a null
//! move. Of other men, what is found is exact.

use std::sync::Arc;

use chess::{Man, PackedMove};
use language::hir::ManSet;
use shakmaty::{Color, Role, Square};

use super::maneuver::{Maneuver, NumberedManeuver};
use super::move_pattern::MovePattern;
use super::moved_men::{MovedMen, Places};
use super::packed_rows::{PackedRows, bit};
use super::tracks::Track;
use super::window::{NumberedWindow, Window};

/// How many moves of a man in a row are asked for; what comes behind is left out.
pub(crate) const MOST_IN_A_ROW: usize = 32;

/// Which man is meant, and when it moves.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Course {
    /// The man that moves next, which makes these moves, too, as its next ones.
    InARow(Vec<MovePattern>),
    /// The man that stands on this square, which makes such a move now or later.
    Later(Square),
    /// One or two men, the first of which moves next, or any time later. The move itself says nothing more.
    Maneuver(Arc<Maneuver>),
    /// Moves in a row, whoever makes them. The move itself is the first one.
    Window(Arc<Window>),
    /// Men that stand elsewhere some moves later. The move itself says nothing more.
    Moved(MovedMen),
}

/// The conditions on courses that are found in one pass.
#[derive(Debug)]
pub(crate) struct Courses {
    /// Conditions on moves in a row of the man that moves next.
    rows: Vec<PackedRows>,
    later: Vec<LaterMove>,
    maneuvers: Vec<NumberedManeuver>,
    windows: Vec<NumberedWindow>,
    moved: Vec<(usize, MovedMen)>,
    /// A bit for each kind of move of which they consist.
    all_kinds: u64,
    /// Whether some of the moves may be those of a king.
    pub(crate) has_kings: bool,
    /// The men that make such moves.
    movers: ManSet,
    /// These, what they can become, and the pawns that can become one of them.
    with_promotions: ManSet,
}

/// A move of the man that stands on a square.
#[derive(Debug)]
struct LaterMove {
    /// The kind of move.
    kind: usize,
    /// By square, the number of the condition.
    numbers: [Option<u16>; 64],
}

/// Which conditions may hold in a game.
#[derive(Debug)]
pub(crate) struct Possible {
    /// Whether some on the moves of one man alone may.
    of_one: bool,
    /// The places of maneuvers that may.
    maneuvers: Vec<usize>,
    /// Whether there are some on where men stand later.
    moved: bool,
}

impl Possible {
    /// Whether there is one.
    pub(crate) fn any(&self) -> bool {
        self.of_one || self.moved || !self.maneuvers.is_empty()
    }
}

impl LaterMove {
    /// Whether a man makes such a move.
    fn may_be_made_by(&self, track: &Track<'_>) -> bool {
        track.made >> self.kind & 1 != 0
    }
}

impl Courses {
    /// The conditions with their numbers, each the first move and which man is meant. Kinds of moves that are not among `kinds`
    /// yet are added.
    pub(crate) fn of<'t>(
        conditions: impl Iterator<Item = (usize, &'t MovePattern, &'t Course)>,
        kinds: &mut Vec<MovePattern>,
    ) -> Courses {
        // A bit for each kind that one of them asks for, as far as these are not too many.
        let mut all_kinds = 0;
        let mut kind_of = |pattern: &MovePattern| {
            let known = kinds.iter().position(|known| known == pattern);
            let kind = known.unwrap_or_else(|| {
                kinds.push(pattern.clone());
                kinds.len() - 1
            });
            all_kinds |= bit(kind);
            kind
        };
        let (mut rows, mut later): (Vec<(usize, Vec<usize>)>, Vec<LaterMove>) = (Vec::new(), Vec::new());
        let (mut maneuvers, mut windows, mut moved) = (Vec::new(), Vec::new(), Vec::new());
        for (number, first, course) in conditions {
            match course {
                Course::InARow(next) => {
                    let moves = std::iter::once(first).chain(next).take(MOST_IN_A_ROW);
                    rows.push((number, moves.map(&mut kind_of).collect()));
                }
                Course::Later(square) => {
                    let kind = kind_of(first);
                    let place = later.iter().position(|known| known.kind == kind).unwrap_or_else(|| {
                        let numbers = [None; 64];
                        later.push(LaterMove { kind, numbers });
                        later.len() - 1
                    });
                    later[place].numbers[usize::from(*square)] = u16::try_from(number).ok();
                }
                Course::Maneuver(maneuver) => {
                    maneuvers.push(NumberedManeuver::of(number, maneuver, &mut kind_of));
                }
                Course::Window(window) => windows.push(NumberedWindow::of(number, window, &mut kind_of)),
                Course::Moved(men) => moved.push((number, *men)),
            }
        }
        let kings = ManSet::from_role(Role::King);
        // Who moves in a maneuver is said by its men, and not by its moves.
        let in_rows = rows.iter().flat_map(|(_, moves)| moves.iter().copied());
        let alone = in_rows.chain(later.iter().map(|later| later.kind));
        let movers = alone.fold(ManSet::NONE, |all, kind| all | kinds[kind].movers);
        let in_maneuvers = maneuvers
            .iter()
            .fold(ManSet::NONE, |all, maneuver| all | maneuver.men());
        let elsewhere = moved.iter().fold(ManSet::NONE, |all, (_, moved)| all | moved.men);
        let movers = (movers | in_maneuvers | elsewhere).intersection(ManSet::WHITE | ManSet::BLACK);
        let promoted = movers | promoted_of(in_maneuvers);
        Courses {
            rows: PackedRows::of(rows, kinds.len()),
            later,
            maneuvers,
            windows,
            moved,
            has_kings: movers.intersection(kings) != ManSet::NONE,
            movers,
            with_promotions: promoted | pawns_for(promoted),
            all_kinds,
        }
    }

    /// Whether there is no condition.
    pub(crate) fn is_empty(&self) -> bool {
        let has_rows = !self.rows.is_empty() || !self.later.is_empty();
        !has_rows && self.maneuvers.is_empty() && self.windows.is_empty() && self.moved.is_empty()
    }

    /// The men whose moves are of interest in a game with such moves.
    pub(crate) fn followed(&self, moves: &[PackedMove]) -> ManSet {
        // A pawn counts only for what it becomes, unless pawns are meant.
        match moves.iter().fold(false, |any, m| any | m.is_promotion()) {
            true => self.with_promotions,
            false => self.movers,
        }
    }

    /// All kinds of moves that are asked for, a bit for each.
    pub(crate) fn all_kinds(&self) -> u64 {
        self.all_kinds
    }

    /// What may hold in a game with these men, as far as the kinds of moves tell that each of them makes.
    pub(crate) fn possible(&self, men: &[Track<'_>]) -> Possible {
        let one = men.iter().any(|track| {
            self.rows.iter().any(|rows| rows.may_be_made_by(track))
                || self.later.iter().any(|later| later.may_be_made_by(track))
        });
        Possible {
            of_one: one,
            maneuvers: (0..self.maneuvers.len())
                .filter(|&at| self.maneuvers[at].has_men(men))
                .collect(),
            moved: !self.moved.is_empty(),
        }
    }

    /// Calls `found` with the number of each condition and the positions, from one to another, where it holds in a game with
    /// these men; `order` are the numbers of those that move, `start` and `last` its first and its last position.
    pub(crate) fn each(
        &self,
        possible: &Possible,
        men: &[Track<'_>],
        order: &[u8],
        (start, last): (u32, u32),
        mut found: impl FnMut(usize, u32, u32),
    ) {
        if possible.of_one {
            men.iter().for_each(|track| self.each_of_one(start, track, &mut found));
        }
        for &at in &possible.maneuvers {
            let maneuver = &self.maneuvers[at];
            maneuver.each(men, order, (start, last), |from, to| found(maneuver.number, from, to));
        }
        if possible.moved {
            self.each_moved(men, order, (start, last), found);
        }
    }

    /// The same for the conditions on where men stand later.
    fn each_moved(
        &self,
        men: &[Track<'_>],
        order: &[u8],
        (start, last): (u32, u32),
        mut found: impl FnMut(usize, u32, u32),
    ) {
        let Some(places) = Places::of(men, order, (start, last)) else {
            self.moved.iter().for_each(|&(number, _)| found(number, start, last));
            return;
        };
        for (number, moved) in &self.moved {
            places.each(moved, men, |from, to| found(*number, start + from, start + to));
        }
    }

    /// Calls `found` with the number of each condition on moves in a row and each position where it holds in a game that begins
    /// at a position, given of which kinds its moves are.
    pub(crate) fn each_window(
        &self,
        moves: &[PackedMove],
        kinds: &[u64],
        start: u32,
        mut found: impl FnMut(usize, u32),
    ) {
        for window in &self.windows {
            for (at, position) in (0..moves.len()).zip(start..) {
                if window.begins(&moves[at..], &kinds[at..]) {
                    found(window.number, position);
                }
            }
        }
    }

    /// The same for the conditions on moves of one man alone.
    fn each_of_one(&self, start: u32, track: &Track<'_>, mut found: impl FnMut(usize, u32, u32)) {
        let moves = track.moves;
        for rows in self.rows.iter().filter(|rows| rows.may_be_made_by(track)) {
            rows.each(track, |number, position| found(number, position, position));
        }
        for later in self.later.iter().filter(|later| later.may_be_made_by(track)) {
            let Some(last) = moves.iter().rposition(|own| own.kinds >> later.kind & 1 != 0) else {
                continue;
            };
            let (mut from, mut square) = (start, track.square);
            for own in &moves[..=last] {
                if let Some(number) = later.numbers[usize::from(square)] {
                    found(usize::from(number), from, own.position);
                }
                (from, square) = (own.position + 1, own.to);
            }
        }
    }

    /// Calls `found` with the numbers of all conditions.
    pub(crate) fn each_number(&self, mut found: impl FnMut(usize)) {
        self.rows.iter().flat_map(PackedRows::numbers).for_each(&mut found);
        let later = self.later.iter().flat_map(|later| later.numbers.iter().flatten());
        later.for_each(|&number| found(usize::from(number)));
        self.maneuvers.iter().for_each(|maneuver| found(maneuver.number));
        self.moved.iter().for_each(|&(number, _)| found(number));
    }
}

/// What pawns promote to.
const PROMOTED: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The pawns that can become one of some men.
fn pawns_for(men: ManSet) -> ManSet {
    let can_become = |color: &Color| PROMOTED.iter().any(|&role| men.contains(Man::new(*color, role)));
    let colors = Color::ALL.into_iter().filter(can_become);
    colors.fold(ManSet::NONE, |pawns, color| {
        pawns | ManSet::from_man(Man::new(color, Role::Pawn))
    })
}

/// What the pawns among some men can become.
fn promoted_of(men: ManSet) -> ManSet {
    let has_pawns = |color: &Color| men.contains(Man::new(*color, Role::Pawn));
    let colors = Color::ALL.into_iter().filter(has_pawns);
    colors.fold(ManSet::NONE, |all, color| {
        PROMOTED
            .iter()
            .fold(all, |all, &role| all | ManSet::from_man(Man::new(color, role)))
    })
}
