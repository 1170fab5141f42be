//! The keys of the positions of a game: words that have to be the same in two positions which are alike. Positions in a row with
//! the same keys are a run; what a move does not change is copied from the run before.

use std::ops::Range;

use chess::{Mailbox, Man, PackedMove};
use language::hir::ManSet;
use shakmaty::{Role, Square};

use crate::expr::{Alike, Change, Men, NumberExpr, SameName, SameShape, SetExpr};

/// The keys of all positions of a game, either as targets or as positions that look for one. Which side is to move is not among
/// them.
#[derive(Debug)]
pub(super) struct Keys<'a> {
    values: Vec<Value<'a>>,
    /// What stands on certain squares, if that is compared.
    names: Option<Names>,
    /// How the men stand to a king, if that is.
    shape: Option<Shape>,
    has_board: bool,
    /// On what some keys depend.
    reads: Reads,
    /// How many words there are for each run.
    width: usize,
    words: Vec<u64>,
    runs: Vec<Run>,
    /// How many positions were added.
    places: u32,
}

/// Positions in a row with the same keys, up to the next run.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: u32,
    /// Whether the positions were left out: they have no keys.
    is_left_out: bool,
}

/// A set or a number that is a word of the keys.
#[derive(Debug)]
struct Value<'a> {
    expr: KeyExpr<'a>,
    reads: Reads,
}

/// On what a key depends.
#[derive(Clone, Copy, Debug)]
struct Reads {
    /// The contents of squares that matter where they stand.
    placed: ManSet,
    /// Those of which only the number matters.
    counted: ManSet,
}

impl Reads {
    const NOTHING: Reads = Reads {
        placed: ManSet::NONE,
        counted: ManSet::NONE,
    };

    /// Contents of squares that matter where they stand.
    fn placed(contents: ManSet) -> Reads {
        Reads {
            placed: contents,
            ..Reads::NOTHING
        }
    }

    /// Contents of squares of which only the number matters.
    fn counted(contents: ManSet) -> Reads {
        Reads {
            counted: contents,
            ..Reads::NOTHING
        }
    }

    /// What all of these depend on.
    fn union(self, other: Reads) -> Reads {
        Reads {
            placed: self.placed | other.placed,
            counted: self.counted | other.counted,
        }
    }

    /// Whether a move may change something on which the key depends.
    #[inline]
    fn are_changed_by(self, change: Change) -> bool {
        let placed = self.placed.intersection(change.kinds);
        placed | self.counted.intersection(change.counted) != ManSet::NONE
    }
}

#[derive(Debug)]
enum KeyExpr<'a> {
    Set(&'a SetExpr),
    Number(&'a NumberExpr),
}

impl Value<'_> {
    fn on(&self, men: &Men) -> u64 {
        match self.expr {
            KeyExpr::Set(set) => set.on(men).unwrap_or_default().0,
            KeyExpr::Number(number) => number.on(men).unwrap_or_default().cast_unsigned(),
        }
    }
}

/// The side of the targets.
pub(super) const THERE: usize = 0;
/// The side of the positions that look for a target.
pub(super) const HERE: usize = 1;

impl<'a> Keys<'a> {
    /// The keys of one side.
    pub(super) fn of(alike: &'a Alike, side: usize) -> Keys<'a> {
        let sets = alike.sets.iter().map(|sets| Value {
            reads: Reads::placed(sets[side].contents_read()),
            expr: KeyExpr::Set(&sets[side]),
        });
        let numbers = alike.numbers.iter().map(|numbers| Value {
            reads: match numbers[side].only_counts_men() {
                true => Reads::counted(numbers[side].contents_read()),
                false => Reads::placed(numbers[side].contents_read()),
            },
            expr: KeyExpr::Number(&numbers[side]),
        });
        let values: Vec<Value<'a>> = sets.chain(numbers).collect();
        let names = (!alike.names.is_empty()).then(|| Names::of(&alike.names, side));
        let has_board = alike.has_same_board();
        let reads = match has_board || names.is_some() || alike.shape.is_some() {
            true => Reads::placed(ManSet::ANYTHING),
            false => values.iter().fold(Reads::NOTHING, |all, value| all.union(value.reads)),
        };
        Keys {
            width: values.len()
                + usize::from(names.is_some())
                + usize::from(alike.shape.is_some())
                + if has_board { Men::DIGITS } else { 0 },
            values,
            names,
            shape: alike.shape.map(Shape::of),
            has_board,
            reads,
            words: Vec::new(),
            runs: Vec::new(),
            places: 0,
        }
    }

    /// Whether a position has the same keys on both sides.
    pub(super) fn are_symmetric(alike: &Alike) -> bool {
        alike.sets.iter().all(|[there, here]| there == here)
            && alike.numbers.iter().all(|[there, here]| there == here)
            && alike.names.iter().all(|name| name.there == name.here)
    }

    /// Whether each move changes the keys.
    pub(super) fn change_with_each_move(&self) -> bool {
        self.reads.placed == ManSet::ANYTHING
    }

    /// Forgets the game.
    fn clear(&mut self) {
        self.words.clear();
        self.runs.clear();
        self.places = 0;
    }

    /// Adds the next position, whatever was before it.
    fn push(&mut self, board: &Mailbox, men: &Men) {
        self.begin_run(false);
        self.words.extend(self.values.iter().map(|value| value.on(men)));
        self.words.extend(self.names.as_ref().map(|names| names.on(board)));
        self.words.extend(self.shape.as_ref().map(|shape| shape.on(men)));
        if self.has_board {
            self.words.extend(men.digits());
        }
        self.places += 1;
    }

    /// Adds the next position without its keys.
    fn leave_out(&mut self) {
        if !self.is_left_out() {
            self.begin_run(true);
            self.words.resize(self.words.len() + self.width, 0);
        }
        self.places += 1;
    }

    /// Whether the last position was left out.
    fn is_left_out(&self) -> bool {
        self.runs.last().is_some_and(|run| run.is_left_out)
    }

    /// Begins a run with the next position.
    fn begin_run(&mut self, is_left_out: bool) {
        let first = self.places;
        self.runs.push(Run { first, is_left_out });
    }

    /// Adds the position behind a move, by what the move has changed. `before` is the board before the move, if that is needed.
    #[inline]
    fn add(&mut self, change: Change, before: Option<&Mailbox>, board: &Mailbox, men: &Men) {
        if self.reads.are_changed_by(change) {
            self.add_changed(change, before, board, men);
        }
        self.places += 1;
    }

    /// Begins a run with the next position, if the move has changed its keys.
    fn add_changed(&mut self, change: Change, before: Option<&Mailbox>, board: &Mailbox, men: &Men) {
        let last = self.words.len() - self.width;
        self.words.extend_from_within(last..);
        let words = &mut self.words[last + self.width..];
        let mut is_same = true;
        let mut set = |word: &mut u64, new: u64| is_same &= std::mem::replace(word, new) == new;
        for (word, value) in words.iter_mut().zip(&self.values) {
            if value.reads.are_changed_by(change) {
                set(word, value.on(men));
            }
        }
        let mut rest = &mut words[self.values.len()..];
        if let Some((names, before)) = self.names.as_ref().zip(before) {
            let word = rest[0] ^ names.change(change, before, board);
            set(&mut rest[0], word);
            rest = &mut rest[1..];
        }
        if let Some((shape, before)) = self.shape.as_ref().zip(before) {
            let word = match shape.change(change, before, board, men) {
                Some(changed) => rest[0] ^ changed,
                None => shape.on(men),
            };
            set(&mut rest[0], word);
            rest = &mut rest[1..];
        }
        if self.has_board {
            for (word, digits) in rest.iter_mut().zip(men.digits()) {
                set(word, digits);
            }
        }
        match is_same {
            true => self.words.truncate(last + self.width),
            false => self.begin_run(false),
        }
    }

    /// The runs of positions that have keys, in order: the number of each and its positions.
    pub(super) fn runs(&self) -> impl Iterator<Item = (usize, Range<u32>)> {
        let runs = self.runs.iter().enumerate().filter(|(_, run)| !run.is_left_out);
        runs.map(|(index, run)| {
            let end = self.runs.get(index + 1).map_or(self.places, |next| next.first);
            (index, run.first..end)
        })
    }

    /// The keys of the positions of a run.
    #[inline]
    pub(super) fn row(&self, run: usize) -> &[u64] {
        &self.words[run * self.width..][..self.width]
    }
}

/// What stands on certain squares, as one word: other contents have other words, but for a chance of 1 in 2^64.
#[derive(Debug)]
struct Names {
    /// By square and contents, what these add to the word.
    parts: Vec<u64>,
}

/// How many contents a square can have.
pub(super) const CONTENTS: usize = Man::KINDS + 1;

impl Names {
    fn of(names: &[SameName], side: usize) -> Names {
        let mut parts = vec![0; 64 * CONTENTS];
        for (index, name) in (0u64..).zip(names) {
            let square = [name.there, name.here][side];
            for man in (0..=u8::MAX).map_while(Man::from_index) {
                parts[part_of(square, man)] ^= mixed(index << 4 | name_of(man, name.by_type));
            }
        }
        Names { parts }
    }

    fn on(&self, board: &Mailbox) -> u64 {
        let parts = Square::ALL.map(|square| self.parts[part_of(square, board.at(square))]);
        parts.into_iter().fold(0, |word, part| word ^ part)
    }

    /// How the word of one board differs from that of another.
    fn change(&self, change: Change, before: &Mailbox, board: &Mailbox) -> u64 {
        changed(change, [before, board], |square, man| self.parts[part_of(square, man)])
    }
}

/// How a word of one board differs from that of another, to which each square adds a part for what stands on it.
fn changed(change: Change, boards: [&Mailbox; 2], part: impl Fn(Square, Man) -> u64) -> u64 {
    let squares = change.squares.into_iter();
    let parts = squares.flat_map(|square| boards.map(|board| part(square, board.at(square))));
    parts.fold(0, |word, part| word ^ part)
}

/// A number that men have in common which have the same name, or the same type; 0 for an empty square by its type.
fn name_of(man: Man, by_type: bool) -> u64 {
    match (by_type, man.role()) {
        (true, Some(role)) => u64::from(u32::from(role)),
        (true, None) => 0,
        (false, _) => man.index() as u64,
    }
}

/// How all men stand to a king, as one word.
#[derive(Debug)]
struct Shape {
    king: Man,
    /// By man and by the place from the king, what these add to the word.
    parts: Vec<u64>,
}

/// How many files and ranks away squares lie, one way or the other.
const WAYS: usize = 15;

impl Shape {
    fn of(shape: SameShape) -> Shape {
        let men = (0..=u8::MAX).map_while(Man::from_index);
        let places = men.flat_map(|man| {
            (0..(WAYS * WAYS) as u64).map(move |way| match man {
                Man::EMPTY => 0,
                _ => mixed(way << 4 | name_of(man, shape.by_type)),
            })
        });
        Shape {
            king: Man::new(shape.king, Role::King),
            parts: places.collect(),
        }
    }

    fn on(&self, men: &Men) -> u64 {
        let Some(king) = men.of_kind(self.king).first() else {
            return 0;
        };
        let squares = Man::all().flat_map(|man| men.of_kind(man).into_iter().map(move |square| (man, square)));
        squares.fold(0, |word, (man, square)| word ^ self.part(man, square, king))
    }

    /// How the word of one board differs from that of another; `None` if the king is on another square.
    fn change(&self, change: Change, before: &Mailbox, board: &Mailbox, men: &Men) -> Option<u64> {
        if change.kinds.contains(self.king) {
            return None;
        }
        let Some(king) = men.of_kind(self.king).first() else {
            return Some(0);
        };
        Some(changed(change, [before, board], |square, man| {
            self.part(man, square, king)
        }))
    }

    /// What a man on a square, or an empty square, adds to the word.
    fn part(&self, man: Man, square: Square, king: Square) -> u64 {
        let files = 7 + usize::from(square.file()) - usize::from(king.file());
        let ranks = 7 + usize::from(square.rank()) - usize::from(king.rank());
        self.parts[(man.index() * WAYS + ranks) * WAYS + files]
    }
}

fn part_of(square: Square, man: Man) -> usize {
    usize::from(square) * CONTENTS + man.index()
}

/// A number whose bits depend on all bits of another one (the finalizer of SplitMix64).
pub(super) fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// Reads a game: the keys of those positions that are wanted. Calls `each` for each position, with its men if it is wanted.
pub(super) fn read_game(
    keys: &mut [Keys<'_>],
    board: &Mailbox,
    line: &[PackedMove],
    is_wanted: impl Fn(u32) -> bool,
    mut each: impl FnMut(Option<&Men>),
) {
    let mut board = board.clone();
    let mut men = Men::of(&board);
    for keys in keys.iter_mut() {
        keys.clear();
        match is_wanted(0) {
            true => keys.push(&board, &men),
            false => keys.leave_out(),
        }
    }
    each(is_wanted(0).then_some(&men));
    let looks_back = keys.iter().any(|keys| keys.names.is_some() || keys.shape.is_some());
    for (place, &m) in (1..).zip(line) {
        let before = looks_back.then(|| board.clone());
        let change = men.play(&mut board, m);
        let is_wanted = is_wanted(place);
        for keys in keys.iter_mut() {
            match is_wanted {
                false => keys.leave_out(),
                true if keys.is_left_out() => keys.push(&board, &men),
                true => keys.add(change, before.as_ref(), &board, &men),
            }
        }
        each(is_wanted.then_some(&men));
    }
}

#[cfg(test)]
mod tests {
    use chess::Board;
    use shakmaty::Color;

    use super::*;

    #[test]
    fn what_a_move_does_not_change_is_copied_right() {
        let contents = |kinds| SetExpr::Contents(kinds, shakmaty::Bitboard::FULL);
        let (kings, white) = (ManSet::from_role(Role::King), ManSet::WHITE);
        let power = NumberExpr::Power(contents(white));
        let count = NumberExpr::Count(SetExpr::Complement(Box::new(contents(white))));
        let empty = NumberExpr::Count(contents(ManSet::EMPTY_SQUARE));
        let knights = NumberExpr::Count(contents(ManSet::from_role(Role::Knight)));
        let flipped = |(square, by_type): (Square, bool)| SameName {
            there: square,
            here: square.flip_horizontal(),
            by_type,
        };
        let mut alike = Alike::any();
        alike.sets.push([contents(kings), contents(ManSet::EMPTY_SQUARE)]);
        alike.numbers.push([power, count]);
        alike.numbers.push([knights, empty]);
        alike.names = Square::ALL
            .map(|square| flipped((square, u32::from(square) % 3 == 0)))
            .to_vec();
        alike.shape = Some(SameShape {
            king: Color::Black,
            by_type: false,
        });
        alike.same_contents = 64..=64;
        let moves: Vec<PackedMove> = (0..2_000u16)
            .filter_map(|number| PackedMove::from_bits(number.wrapping_mul(40_503)))
            .collect();
        let first = Mailbox::of(&Board::initial());
        for side in [THERE, HERE] {
            let mut keys = [Keys::of(&alike, side)];
            // Some positions are left out.
            let is_wanted = |place: u32| place % 11 < 8;
            read_game(&mut keys, &first, &moves, is_wanted, |_| {});
            let mut rows = vec![None; moves.len() + 1];
            for (run, places) in keys[0].runs() {
                rows[places.start as usize..places.end as usize].fill(Some(keys[0].row(run)));
            }
            let mut board = first.clone();
            for (place, m) in (0..).zip(moves.iter().map(Some).chain([None])) {
                let mut fresh = Keys::of(&alike, side);
                fresh.push(&board, &Men::of(&board));
                let expected = is_wanted(place).then_some(fresh.words.as_slice());
                assert_eq!(rows[place as usize], expected, "{place}");
                m.inspect(|&&m| board.play(m));
            }
            // Some moves change no keys.
            assert!(keys[0].runs().any(|(_, places)| places.len() > 1));
        }
    }

    #[test]
    fn names_of_flipped_boards_are_the_same() {
        let names = Square::ALL.map(|square| SameName {
            there: square,
            here: square.flip_vertical(),
            by_type: true,
        });
        let board = Mailbox::of(&Board::initial());
        assert_eq!(Names::of(&names, THERE).on(&board), Names::of(&names, HERE).on(&board));
        let names = names.map(|name| SameName { by_type: false, ..name });
        assert_ne!(Names::of(&names, THERE).on(&board), Names::of(&names, HERE).on(&board));
    }
}
