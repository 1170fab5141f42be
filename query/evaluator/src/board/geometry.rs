//! Squares and lines on the board: directions, rays, pins, the squares between two others
//! (docs/language/positions.md#lines).

use chess::{Board, Man};
use language::hir::{Direction, Directions};
use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::value::square_count;

/// The files on which a step of `dx` files can end, by `dx + 7`.
const FILES_AFTER_STEP: [u64; 15] = {
    let mut masks = [0u64; 15];
    let mut index = 0;
    while index < 15 {
        // With `dx = index - 7`, a step that ends on `file` starts on `file - dx`, which must be 0 to 7.
        let mut file = 0;
        while file < 8 {
            if file + 7 >= index && file <= index {
                masks[index] |= 0x0101_0101_0101_0101 << file;
            }
            file += 1;
        }
        index += 1;
    }
    masks
};

/// By direction and square, the squares from there to the edge of the board.
const LINES: [[u64; 64]; 8] = {
    let mut lines = [[0; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (dx, dy) = Direction::ALL[direction].delta();
        let mut square = 0;
        while square < 64 {
            let (mut file, mut rank) = (square % 8 + dx, square / 8 + dy);
            while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                lines[direction][square.cast_unsigned() as usize] |= 1 << (rank * 8 + file);
                (file, rank) = (file + dx, rank + dy);
            }
            square += 1;
        }
        direction += 1;
    }
    lines
};

/// Every square moved by `dx` files and `dy` ranks, each -7 to 7; squares that leave the board are dropped.
#[inline]
pub(crate) fn shift(set: Bitboard, dx: i32, dy: i32) -> Bitboard {
    let by = dy * 8 + dx;
    let moved = if by >= 0 {
        set.0.checked_shl(by.cast_unsigned())
    } else {
        set.0.checked_shr(by.unsigned_abs())
    };
    // `dx` is -7 to 7, so that this is 0 to 14.
    let step = (dx + 7).cast_unsigned() as usize;
    Bitboard(moved.unwrap_or(0) & FILES_AFTER_STEP[step])
}

/// The squares that are `min` to `max` steps from a square of the set in one of the directions.
pub(crate) fn along(set: Bitboard, directions: Directions, min: i32, max: i32) -> Bitboard {
    directions.iter().fold(Bitboard::EMPTY, |found, direction| {
        let (dx, dy) = direction.delta();
        let ahead = steps(set, (dx, dy), min.max(0), max);
        let behind = steps(set, (-dx, -dy), (-max).max(1), -min);
        found | ahead | behind
    })
}

/// The squares that are `min` to `max` steps of this kind from a square of the set; none if `max` is less than `min`, which
/// is not negative.
fn steps(set: Bitboard, (dx, dy): (i32, i32), min: i32, max: i32) -> Bitboard {
    if min <= 1 && max == 7 {
        let few = set | shift(set, dx, dy);
        let more = few | shift(few, 2 * dx, 2 * dy);
        let all = more | shift(more, 4 * dx, 4 * dy);
        return if min == 0 { all } else { shift(all, dx, dy) };
    }
    if max < min {
        return Bitboard::EMPTY;
    }
    let mut found = Bitboard::EMPTY;
    let mut at = shift(set, dx * min, dy * min);
    for _ in min..=max {
        if at.is_empty() {
            break;
        }
        found |= at;
        at = shift(at, dx, dy);
    }
    found
}

/// The squares strictly between two squares of the sets that share a line.
pub(crate) fn between(a: Bitboard, b: Bitboard) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for from in a {
        for to in b {
            found |= attacks::between(from, to);
        }
    }
    found
}

/// The squares of `from` whose man attacks a square of `targets`.
pub(crate) fn attackers_in(board: &Board, from: Bitboard, targets: Bitboard) -> Bitboard {
    let men = from & board.occupied();
    if targets.count() < men.count() {
        return targets.into_iter().fold(Bitboard::EMPTY, |found, square| {
            found | attackers_of(board, men, square)
        });
    }
    men.into_iter()
        .filter(|&square| (board.attacks_from(square) & targets).any())
        .collect()
}

/// The squares of `targets` that men on `from` attack.
pub(crate) fn attacked_in(board: &Board, from: Bitboard, targets: Bitboard) -> Bitboard {
    let men = from & board.occupied();
    if targets.count() < men.count() {
        return targets
            .into_iter()
            .filter(|&square| attackers_of(board, men, square).any())
            .collect();
    }
    men.into_iter()
        .fold(Bitboard::EMPTY, |all, square| all | board.attacks_from(square))
        & targets
}

/// The men among some of both colors that attack a square.
fn attackers_of(board: &Board, men: Bitboard, square: Square) -> Bitboard {
    let role = |role| board.role(role) & men;
    let queens = role(Role::Queen);
    let pawns = |color: Color| attacks::pawn_attacks(!color, square) & board.color(color);
    let slides = |attacks: fn(Square, Bitboard) -> Bitboard, sliders: Bitboard| {
        // Most sliders stand on no line with the square.
        match (attacks(square, Bitboard::EMPTY) & sliders).any() {
            true => attacks(square, board.occupied()) & sliders,
            false => Bitboard::EMPTY,
        }
    };
    ((pawns(Color::White) | pawns(Color::Black)) & role(Role::Pawn))
        | (attacks::knight_attacks(square) & role(Role::Knight))
        | (attacks::king_attacks(square) & role(Role::King))
        | slides(attacks::bishop_attacks, role(Role::Bishop) | queens)
        | slides(attacks::rook_attacks, role(Role::Rook) | queens)
}

/// How many pairs there are of a man on `from` and a square of `to` that it attacks.
pub(crate) fn attack_pairs(board: &Board, from: Bitboard, to: Bitboard) -> i32 {
    let men = (from & board.occupied()).into_iter();
    men.map(|square| square_count(board.attacks_from(square) & to)).sum()
}

/// The squares from one square to the edge of the board, the start left out.
#[inline]
fn line(from: Square, direction: Direction) -> Bitboard {
    Bitboard(LINES[direction as usize][usize::from(from)])
}

/// The squares from one square outward in a direction, the start left out.
fn walk(from: Square, direction: Direction) -> impl Iterator<Item = Square> {
    let (dx, dy) = direction.delta();
    let is_upward = dy > 0 || (dy == 0 && dx > 0);
    let mut left = line(from, direction);
    std::iter::from_fn(move || match is_upward {
        true => left.pop_front(),
        false => left.pop_back(),
    })
}

/// The lines that a piece of this role moves along.
pub(crate) fn lines_of(role: Role) -> Directions {
    match role {
        Role::Rook => Directions::ORTHOGONAL,
        Role::Bishop => Directions::DIAGONAL,
        Role::Queen => Directions::ALL,
        _ => Directions::NONE,
    }
}

/// Follows rays through the arguments (docs/language/positions.md#rays). Gives the squares of the first argument that a
/// ray starts on, and those of the last one that rays reach.
pub(crate) fn rays(board: &Board, directions: RayDirections, arguments: &[Bitboard]) -> (Bitboard, Bitboard) {
    let (mut starts, mut reached) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for_each_ray(board, directions, arguments, |from, ends| {
        starts.add(from);
        reached |= ends;
    });
    (starts, reached)
}

/// How many rays there are: pairs of a first and a last square in one direction.
pub(crate) fn count_rays(board: &Board, directions: RayDirections, arguments: &[Bitboard]) -> i32 {
    let mut count = 0;
    for_each_ray(board, directions, arguments, |_, ends| count += square_count(ends));
    count
}

/// Calls `f` with every square of the first argument and the squares of the last that rays in one direction reach.
fn for_each_ray(board: &Board, directions: RayDirections, arguments: &[Bitboard], mut f: impl FnMut(Square, Bitboard)) {
    let Some((&first, rest)) = arguments.split_first() else {
        return;
    };
    // Every argument takes a square of its own, and a line has eight.
    if rest.is_empty() || rest.len() > 7 {
        return;
    }
    for from in first {
        let directions = match directions {
            RayDirections::Given(directions) => directions,
            RayDirections::OfPiece => board.at(from).role().map_or(Directions::NONE, lines_of),
        };
        for direction in directions.iter() {
            // Most lines never come to a square of one of them.
            let line = line(from, direction);
            if rest.iter().any(|set| (line & *set).is_empty()) {
                continue;
            }
            let found = ray(board, from, direction, rest);
            if found.any() {
                f(from, found);
            }
        }
    }
}

/// Which lines a ray may take.
#[derive(Clone, Copy)]
pub(crate) enum RayDirections {
    /// These, whatever stands at the start.
    Given(Directions),
    /// Those that the piece at the start moves along.
    OfPiece,
}

fn ray(board: &Board, from: Square, direction: Direction, arguments: &[Bitboard]) -> Bitboard {
    let last = arguments.len() - 1;
    let mut reached = Bitboard::EMPTY;
    // Bit i: the next square may be taken by argument i.
    let mut open = 1u32;
    for square in walk(from, direction) {
        let empty = board.at(square) == Man::EMPTY;
        if open >> last & 1 != 0 && arguments[last].contains(square) {
            reached.add(square);
        }
        let taken = (0..last).filter(|&i| open >> i & 1 != 0 && arguments[i].contains(square));
        let next = taken.fold(0, |next, i| next | 2 << i);
        // An empty square may be passed over, an occupied one must be taken; the last argument ends there.
        open = if empty { open | next } else { next };
        if open == 0 {
            break;
        }
    }
    reached
}

/// The pins on the board that run from, through and to squares of these sets (docs/language/positions.md#pins).
pub(crate) fn pins(board: &Board, from: Bitboard, through: Bitboard, to: Bitboard) -> [Bitboard; 3] {
    let mut found = [Bitboard::EMPTY; 3];
    let sliders = board.role(Role::Rook) | board.role(Role::Bishop) | board.role(Role::Queen);
    let occupied = board.occupied();
    for pinner in from & sliders {
        let Some(piece) = board.at(pinner).piece() else {
            continue;
        };
        if (attacks::attacks(pinner, piece, Bitboard::EMPTY) & to).is_empty() {
            continue;
        }
        let enemies = board.color(!piece.color);
        let seen = attacks::attacks(pinner, piece, occupied);
        for pinned in seen & enemies & through {
            // What comes into sight without the pinned man is behind it, up to the next man.
            let behind = attacks::attacks(pinner, piece, occupied.without(pinned)) & !seen;
            let targets = behind & to & (enemies | !occupied);
            if targets.any() {
                found[0].add(pinner);
                found[1].add(pinned);
                found[2] |= targets;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_run_to_the_edge_of_the_board() {
        for direction in Directions::ALL.iter() {
            for from in Square::ALL {
                let all = along(from.into(), Directions::from_direction(direction), 1, 7);
                assert_eq!(line(from, direction), all, "{from} {direction:?}");
                let mut before = from;
                for square in walk(from, direction) {
                    assert_eq!(attacks::between(before, square), Bitboard::EMPTY);
                    before = square;
                }
                assert_eq!(walk(from, direction).collect::<Bitboard>(), all);
            }
        }
    }

    #[test]
    fn steps_are_counted_from_each_square() {
        let set = Bitboard(0x8100_0024_4200_0081);
        for direction in Directions::ALL.iter() {
            let (dx, dy) = direction.delta();
            for min in -7..=7 {
                for max in min..=7 {
                    let expected = (min..=max).fold(Bitboard::EMPTY, |all, n| all | shift(set, dx * n, dy * n));
                    assert_eq!(
                        along(set, Directions::from_direction(direction), min, max),
                        expected,
                        "{direction:?} {min} {max}"
                    );
                }
            }
        }
    }
}
