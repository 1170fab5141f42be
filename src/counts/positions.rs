//! What is different in each position of a game, or needs the game to be opened.

use chess::MoveTree;
use evaluator::GameView;
use shakmaty::{Color, Square};

use super::boards::Boards;
use super::by::By;
use super::damaged::Damaged;
use super::dimension::{Codes, Dimension, Numbering};
use super::key::Key;
use super::unit::Unit;
use crate::columns::side;
use crate::error::{Error, Result};
use crate::game::{GameReader, Place, Squares, StoredGames, next_move, tag};
use crate::query::Query;

/// What a unit is read with.
pub(super) struct Context<'c> {
    pub(super) games: StoredGames,
    /// The games that can't be read.
    pub(super) damaged: Damaged,
    /// Another reader of the same database.
    pub(super) reader: &'c dyn Fn() -> GameReader,
    /// Whether variations were searched.
    pub(super) variations: bool,
}

/// The groups that the positions of a unit make.
pub(super) fn of_unit(unit: &Unit, by: &By, context: &mut Context<'_>) -> Result<Dimension> {
    match by {
        By::Move | By::Side => turns(unit, by, context),
        By::Next => next_moves(unit, context),
        By::Square(query) => squares(unit, query, context),
        By::Tag(name) => tags(unit, name, context),
        // The header says all else.
        _ => Err(Error::Internal(format!(
            "{} is not different in each position",
            by.name()
        ))),
    }
}

/// Where a game of a unit is stored.
fn place(unit: &Unit, game: u32) -> Place {
    Place {
        segment: unit.index,
        game,
    }
}

/// Numbers of moves, or sides to move. Lists say them, but for the number of a move in a variation.
fn turns(unit: &Unit, by: &By, context: &mut Context<'_>) -> Result<Dimension> {
    let bitmap = unit.bitmap();
    let mut keys = Numbering::new();
    let mut codes = Vec::with_capacity(unit.positions);
    // Of positions in variations, the place in the list, the game and the number in the game.
    let mut in_variations: Vec<(usize, u32, u32)> = Vec::new();
    search::Tally::new(&unit.segment, &bitmap).turns(&mut |turn| {
        let key = match (by, turn.move_number) {
            (By::Side, _) => Key::from(Some(side(turn.side))),
            (_, Some(number)) => Key::Number(number.into()),
            (_, None) => {
                in_variations.push((codes.len(), turn.game, turn.node));
                Key::Unknown
            }
        };
        codes.push(keys.of(key));
        true
    })?;
    let (mut tree, mut view) = (MoveTree::default(), GameView::default());
    for of_game in in_variations.chunk_by(|a, b| a.1 == b.1) {
        let game = of_game[0].1;
        let read = context.games.tree(place(unit, game), &mut tree);
        if context.damaged.sound(game, read)?.is_none() {
            continue;
        }
        view.load(&tree, true);
        for &(rank, _, node) in of_game {
            codes[rank] = keys.of(Key::Number(view.move_number(node).into()));
        }
    }
    Ok(Dimension {
        keys: keys.keys,
        codes: Codes::Positions(codes),
    })
}

/// The moves that are played next; three dots stand before those of Black.
fn next_moves(unit: &Unit, context: &mut Context<'_>) -> Result<Dimension> {
    let mut keys = Numbering::new();
    let unknown = keys.of(Key::Unknown);
    let mut codes = vec![unknown; unit.positions];
    let (mut tree, mut boards) = (MoveTree::default(), Boards::default());
    for (game, ranks) in &unit.games {
        let read = context.games.tree(place(unit, *game), &mut tree);
        if context.damaged.sound(*game, read)?.is_none() {
            continue;
        }
        boards.visit(&tree, &unit.nodes(*game, ranks), |at, node, board| {
            if let Some(next) = next_move(&tree, node) {
                let dots = if board.turn() == Color::Black { "..." } else { "" };
                let san = format!("{dots}{}", board.san(next));
                codes[ranks.start + at] = keys.of(Key::from(Some(san.as_str())));
            }
        });
    }
    Ok(Dimension {
        keys: keys.keys,
        codes: Codes::Positions(codes),
    })
}

/// The squares of a set. Where men stand is in lists; all else needs the boards.
fn squares(unit: &Unit, query: &Query, context: &mut Context<'_>) -> Result<Dimension> {
    let sets = match query.men_on_squares() {
        Some((men, squares)) => search::Tally::new(&unit.segment, &unit.bitmap()).sets(&men, squares)?,
        None => {
            let mut squares = Squares::new(query, (context.reader)(), Some(context.variations));
            let mut sets = Vec::with_capacity(unit.positions);
            for (game, ranks) in &unit.games {
                let read = squares.sets(unit.number(*game), &unit.nodes(*game, ranks));
                let read = context.damaged.sound(*game, read)?;
                // Something stands in the places of a game that is left out.
                sets.extend(read.unwrap_or_else(|| vec![0; ranks.len()]));
            }
            sets
        }
    };
    let keys = Square::ALL
        .iter()
        .map(|square| Key::from(Some(square.to_string().as_str())));
    Ok(Dimension {
        keys: keys.collect(),
        codes: Codes::Squares(sets),
    })
}

/// The values of a tag in the games that have a position.
fn tags(unit: &Unit, name: &str, context: &mut Context<'_>) -> Result<Dimension> {
    let mut keys = Numbering::new();
    let unknown = keys.of(Key::Unknown);
    let mut codes = vec![unknown; unit.range.len()];
    for (game, _) in &unit.games {
        let read = context.games.text(place(unit, *game));
        let Some(text) = context.damaged.sound(*game, read)? else {
            continue;
        };
        codes[(game - unit.range.start) as usize] = keys.of(tag(&text, name).into());
    }
    Ok(Dimension {
        keys: keys.keys,
        codes: Codes::Games(unit.range.start, codes),
    })
}
