//! The keys of the positions of a game: words that have to be the same in two positions which are alike. What a move does not
//! change is copied from the position before.

use chess::{Mailbox, Man, PackedMove};
use language::hir::ManSet;
use shakmaty::{Role, Square};

use crate::expr::{Alike, Change, Men, NumberExpr, SameName, SameShape, SetExpr, Turns};

/// The keys of all positions of a game, either as targets or as positions that look for one.
#[derive(Debug)]
pub(super) struct Keys<'a> {
    values: Vec<Value<'a>>,
    /// What stands on certain squares, if that is compared.
    names: Option<Names>,
    /// How the men stand to a king, if that is.
    shape: Option<Shape>,
    has_board: bool,
    has_turn: bool,
    /// What stands for the side to move in the first position.
    first_turn: u64,
    /// How many words there are for each position.
    width: usize,
    words: Vec<u64>,
    /// By position, the first of those in a row that have the same keys but for the side to move.
    since: Vec<u32>,
    /// Whether the last position was left out.
    is_stale: bool,
}

/// A set or a number that is a word of the keys.
#[derive(Debug)]
struct Value<'a> {
    expr: KeyExpr<'a>,
    /// The contents of squares on which it depends.
    reads: ManSet,
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
            reads: sets[side].contents_read(),
            expr: KeyExpr::Set(&sets[side]),
        });
        let numbers = alike.numbers.iter().map(|numbers| Value {
            reads: numbers[side].contents_read(),
            expr: KeyExpr::Number(&numbers[side]),
        });
        let values: Vec<Value<'a>> = sets.chain(numbers).collect();
        let names = (!alike.names.is_empty()).then(|| Names::of(&alike.names, side));
        let has_board = alike.has_same_board();
        Keys {
            width: values.len()
                + usize::from(names.is_some())
                + usize::from(alike.shape.is_some())
                + usize::from(alike.turns.is_some())
                + if has_board { Men::DIGITS } else { 0 },
            values,
            names,
            shape: alike.shape.map(Shape::of),
            has_board,
            has_turn: alike.turns.is_some(),
            first_turn: u64::from(alike.turns == Some(Turns::Different) && side == HERE),
            words: Vec::new(),
            since: Vec::new(),
            is_stale: false,
        }
    }

    /// Whether a position has the same keys on both sides.
    pub(super) fn are_symmetric(alike: &Alike) -> bool {
        alike.turns != Some(Turns::Different)
            && alike.sets.iter().all(|[there, here]| there == here)
            && alike.numbers.iter().all(|[there, here]| there == here)
            && alike.names.iter().all(|name| name.there == name.here)
    }

    /// Forgets the game.
    fn clear(&mut self) {
        self.words.clear();
        self.since.clear();
    }

    /// Adds the next position, whatever was before it.
    fn push(&mut self, board: &Mailbox, men: &Men) {
        let place = self.place();
        self.since.push(place);
        self.words.extend(self.values.iter().map(|value| value.on(men)));
        self.words.extend(self.names.as_ref().map(|names| names.on(board)));
        self.words.extend(self.shape.as_ref().map(|shape| shape.on(men)));
        if self.has_board {
            self.words.extend(men.digits());
        }
        if self.has_turn {
            self.words.push(self.first_turn ^ u64::from(place % 2));
        }
        self.is_stale = false;
    }

    /// Adds the next position without its keys.
    fn leave_out(&mut self) {
        self.since.push(self.place());
        self.words.resize(self.words.len() + self.width, 0);
        self.is_stale = true;
    }

    /// The number of the next position.
    fn place(&self) -> u32 {
        u32::try_from(self.since.len()).unwrap_or(u32::MAX)
    }

    /// Adds the position behind a move, by what the move has changed. `before` is the board before the move, if that is needed.
    fn add(&mut self, change: Change, before: Option<&Mailbox>, board: &Mailbox, men: &Men) {
        let last = self.words.len() - self.width;
        self.words.extend_from_within(last..);
        let words = &mut self.words[last + self.width..];
        let mut is_same = true;
        let mut set = |word: &mut u64, new: u64| is_same &= std::mem::replace(word, new) == new;
        for (word, value) in words.iter_mut().zip(&self.values) {
            if value.reads.intersection(change.kinds) != ManSet::NONE {
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
        if self.has_turn
            && let Some(turn) = words.last_mut()
        {
            *turn ^= 1;
        }
        let place = self.place();
        let since = self.since.last().copied().filter(|_| is_same);
        self.since.push(since.unwrap_or(place));
    }

    /// The keys of a position.
    #[inline]
    pub(super) fn row(&self, place: u32) -> &[u64] {
        &self.words[place as usize * self.width..][..self.width]
    }

    /// The first of the positions in a row, up to this one, that have the same keys but for the side to move.
    #[inline]
    pub(super) fn since(&self, place: u32) -> u32 {
        self.since[place as usize]
    }

    /// Whether keys tell the sides to move apart.
    pub(super) fn tell_turns(&self) -> bool {
        self.has_turn
    }
}

/// What stands on certain squares, as one word: other contents have other words, but for a chance of 1 in 2^64.
#[derive(Debug)]
struct Names {
    /// By square and contents, what these add to the word.
    parts: Vec<u64>,
}

/// How many contents a square can have.
const CONTENTS: usize = Man::KINDS + 1;

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
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// Reads a game: the keys of those positions that are wanted, and calls `each` with the men of each position.
pub(super) fn read_game(
    keys: &mut [Keys<'_>],
    board: &Mailbox,
    line: &[PackedMove],
    is_wanted: impl Fn(u32) -> bool,
    mut each: impl FnMut(&Men),
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
    each(&men);
    let looks_back = keys.iter().any(|keys| keys.names.is_some() || keys.shape.is_some());
    for (place, &m) in (1..).zip(line) {
        let before = looks_back.then(|| board.clone());
        let change = men.play(&mut board, m);
        let is_wanted = is_wanted(place);
        for keys in keys.iter_mut() {
            match is_wanted {
                false => keys.leave_out(),
                true if keys.is_stale => keys.push(&board, &men),
                true => keys.add(change, before.as_ref(), &board, &men),
            }
        }
        each(&men);
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
        let flipped = |(square, by_type): (Square, bool)| SameName {
            there: square,
            here: square.flip_horizontal(),
            by_type,
        };
        let mut alike = Alike::any();
        alike.sets.push([contents(kings), contents(ManSet::EMPTY_SQUARE)]);
        alike.numbers.push([power, count]);
        alike.names = Square::ALL
            .map(|square| flipped((square, u32::from(square) % 3 == 0)))
            .to_vec();
        alike.turns = Some(Turns::Different);
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
            let mut board = first.clone();
            for (place, m) in (0..).zip(moves.iter().map(Some).chain([None])) {
                if !is_wanted(place) {
                    m.inspect(|&&m| board.play(m));
                    continue;
                }
                let mut fresh = Keys::of(&alike, side);
                fresh.push(&board, &Men::of(&board));
                let (turn, row) = fresh.words.split_last().unwrap();
                assert_eq!(
                    keys[0].row(place).split_last().unwrap(),
                    (&(turn ^ u64::from(place % 2)), row)
                );
                m.inspect(|&&m| board.play(m));
            }
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
