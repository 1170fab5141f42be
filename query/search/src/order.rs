//! The order of games that a query sorts (docs/language/output.md#sort).

use std::cmp::Ordering;

use evaluator::SortValue;
use language::hir::{Query, SortKey, SortOrder};

use super::GameMatch;

/// How the games of a query are ordered: by its sort keys, the first of the text first, then by the number of matching
/// positions if the header says `sort matchcount`, then as in the database.
#[derive(Clone, Copy, Debug)]
pub struct GameOrder<'q> {
    keys: &'q [SortKey],
    by_match_count: bool,
}

impl<'q> GameOrder<'q> {
    /// The order that a query asks for; nothing if it sorts nothing.
    pub fn of(query: &'q Query) -> Option<GameOrder<'q>> {
        let order = GameOrder {
            keys: &query.sorts,
            by_match_count: query.header.sort_match_count,
        };
        (!order.keys.is_empty() || order.by_match_count).then_some(order)
    }

    /// Which of two games comes first. A game without a value for a key comes behind those with one.
    pub fn compare(&self, a: &GameMatch, b: &GameMatch) -> Ordering {
        let keys = self.keys.iter().zip(a.result.sorts.iter().zip(&b.result.sorts));
        let by_keys = keys.map(|(key, (a, b))| compare_values(key.order, a.as_ref(), b.as_ref()));
        let by_count = if self.by_match_count {
            b.positions.len().cmp(&a.positions.len())
        } else {
            Ordering::Equal
        };
        by_keys
            .fold(Ordering::Equal, Ordering::then)
            .then(by_count)
            .then(a.number.cmp(&b.number))
    }
}

fn compare_values(order: SortOrder, a: Option<&SortValue>, b: Option<&SortValue>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => match order {
            SortOrder::Ascending => a.value.cmp(&b.value),
            SortOrder::Descending => b.value.cmp(&a.value),
        },
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evaluator::{GameResult, Value};
    use language::{Dialect, ParseOptions, compile};

    fn game(number: u64, values: &[Option<i32>]) -> GameMatch {
        let sorts = values.iter().map(|value| {
            value.map(|number| SortValue {
                value: Value::Number(number),
                comments: Vec::new(),
            })
        });
        GameMatch {
            number,
            fullmoves: 1,
            positions: Vec::new(),
            result: GameResult {
                sorts: sorts.collect(),
                ..GameResult::default()
            },
        }
    }

    fn sorted(query: &str, mut games: Vec<GameMatch>) -> Vec<u64> {
        let query = compile(query, Dialect::Cql6, &ParseOptions::default()).unwrap();
        let order = GameOrder::of(&query).unwrap();
        games.sort_by(|a, b| order.compare(a, b));
        games.iter().map(|game| game.number).collect()
    }

    #[test]
    fn the_first_key_decides_and_missing_values_come_last() {
        let games = || {
            vec![
                game(1, &[Some(2), Some(1)]),
                game(2, &[None, Some(9)]),
                game(3, &[Some(3), Some(1)]),
                game(4, &[Some(2), Some(5)]),
                game(5, &[Some(2), Some(1)]),
            ]
        };
        assert_eq!(sorted("sort \"a\" ply sort \"b\" depth", games()), [3, 4, 1, 5, 2]);
        assert_eq!(sorted("sort min \"a\" ply sort \"b\" depth", games()), [4, 1, 5, 3, 2]);
        // `max` is written and `min` is meant: as the program does it.
        assert_eq!(sorted("sort \"a\" ply sort max \"b\" depth", games()), [3, 1, 5, 4, 2]);
    }

    #[test]
    fn a_query_that_sorts_nothing_has_no_order() {
        let query = compile("cql(matchcount 1 3) check", Dialect::Cql6, &ParseOptions::default()).unwrap();
        assert!(GameOrder::of(&query).is_none());
    }
}
