//! Steps and rays on the board.

use language::hir::Direction;
use shakmaty::{Bitboard, Square, attacks};

/// The square `dx` files and `dy` ranks away.
pub(crate) fn step(from: Square, dx: i32, dy: i32) -> Option<Square> {
    let file = u32::try_from(i32::from(from.file()) + dx)
        .ok()
        .filter(|&file| file < 8)?;
    let rank = u32::try_from(i32::from(from.rank()) + dy)
        .ok()
        .filter(|&rank| rank < 8)?;
    Some(Square::from_coords(
        shakmaty::File::new(file),
        shakmaty::Rank::new(rank),
    ))
}

/// The next square in a direction.
pub(crate) fn neighbour(square: Square, direction: Direction) -> Option<Square> {
    let (dx, dy) = direction.delta();
    step(square, dx, dy)
}

pub(crate) fn opposite(direction: Direction) -> Direction {
    let (dx, dy) = direction.delta();
    Direction::from_delta(-dx, -dy).expect("each direction has an opposite")
}

/// The squares on the way from one to the edge of the board.
pub(crate) fn line(from: Square, direction: Direction) -> Bitboard {
    std::iter::successors(neighbour(from, direction), |&at| neighbour(at, direction)).collect()
}

/// The squares in an order in which each comes before those further on in the direction.
pub(crate) fn order(direction: Direction) -> impl Iterator<Item = Square> {
    let (dx, dy) = direction.delta();
    let upward = dy > 0 || (dy == 0 && dx > 0);
    (0..64).map(move |index| Square::ALL[if upward { index } else { 63 - index }])
}

/// The squares strictly between one of some squares and one of others, on a line.
pub(crate) fn between(a: Bitboard, b: Bitboard) -> Bitboard {
    let pairs = a.into_iter().flat_map(|a| b.into_iter().map(move |b| (a, b)));
    pairs.fold(Bitboard::EMPTY, |all, (a, b)| all | attacks::between(a, b))
}

/// Some squares, and those from which a line in a direction leads to one of them.
pub(crate) fn behind(squares: Bitboard, direction: Direction) -> Bitboard {
    order(opposite(direction)).fold(squares, |mut all, square| {
        if neighbour(square, direction).is_some_and(|ahead| all.contains(ahead)) {
            all.add(square);
        }
        all
    })
}
