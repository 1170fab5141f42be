//! The order of games that a query sorts (docs/language/output.md#sort).

use std::cmp::Ordering;

use evaluator::{SortValue, Value};
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
        let order = GameOrder::any(query);
        (!order.keys.is_empty() || order.by_match_count).then_some(order)
    }

    /// The same; that of the database if the query sorts nothing.
    pub fn any(query: &'q Query) -> GameOrder<'q> {
        GameOrder {
            keys: &query.sorts,
            by_match_count: query.header.sort_match_count,
        }
    }

    /// What decides about the place of a game.
    pub fn rank(&self, game: &GameMatch) -> Rank {
        let values = game.result.sorts.iter();
        Rank {
            number: game.number,
            values: values
                .map(|sort| sort.as_ref().map(|sort| sort.value.clone()))
                .collect(),
            positions: game.positions.len(),
        }
    }

    /// Which of two games comes first. A game without a value for a key comes behind those with one.
    pub fn compare(&self, a: &GameMatch, b: &GameMatch) -> Ordering {
        let keys = a.result.sorts.iter().zip(&b.result.sorts);
        self.compare_by(
            keys.map(|(a, b)| (value(a.as_ref()), value(b.as_ref()))),
            (a.positions.len(), b.positions.len()),
            (a.number, b.number),
        )
    }

    /// The same, given what decides.
    pub fn compare_ranks(&self, a: &Rank, b: &Rank) -> Ordering {
        let keys = a.values.iter().zip(&b.values);
        self.compare_by(
            keys.map(|(a, b)| (a.as_ref(), b.as_ref())),
            (a.positions, b.positions),
            (a.number, b.number),
        )
    }

    /// The place of a game as bytes: those of a game are less than those of another if it comes first. They can be compared
    /// where neither the query nor the values are known.
    pub fn key(&self, rank: &Rank) -> Vec<u8> {
        let mut key = Vec::new();
        for (sort, value) in self.keys.iter().zip(&rank.values) {
            let Some(value) = value else {
                key.push(WITHOUT_VALUE);
                continue;
            };
            key.push(WITH_VALUE);
            let start = key.len();
            write_value(value, &mut key);
            if sort.order == SortOrder::Descending {
                key[start..].iter_mut().for_each(|byte| *byte = !*byte);
            }
        }
        if self.by_match_count {
            key.extend((!(rank.positions as u64)).to_be_bytes());
        }
        key.extend(rank.number.to_be_bytes());
        key
    }

    fn compare_by<'v>(
        &self,
        values: impl Iterator<Item = (Option<&'v Value>, Option<&'v Value>)>,
        counts: (usize, usize),
        numbers: (u64, u64),
    ) -> Ordering {
        let by_keys = self.keys.iter().zip(values);
        let by_keys = by_keys.map(|(key, (a, b))| compare_values(key.order, a, b));
        let by_count = if self.by_match_count {
            counts.1.cmp(&counts.0)
        } else {
            Ordering::Equal
        };
        by_keys
            .fold(Ordering::Equal, Ordering::then)
            .then(by_count)
            .then(numbers.0.cmp(&numbers.1))
    }
}

/// What decides about the place of a game among others: much smaller than the game with its matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rank {
    /// The number of the game.
    pub number: u64,
    /// The values of the sort keys, in their order.
    pub values: Vec<Option<Value>>,
    /// How many positions match.
    pub positions: usize,
}

/// What stands in a key before a value, and where there is none.
const WITH_VALUE: u8 = 0;
const WITHOUT_VALUE: u8 = 1;

/// Writes a value so that the order of the bytes is the order of the values, and none is the beginning of another.
fn write_value(value: &Value, key: &mut Vec<u8>) {
    match value {
        Value::Set(set) => {
            key.push(0);
            key.extend(set.0.to_be_bytes());
        }
        Value::Piece(id) => key.extend([1, *id]),
        Value::Number(number) => {
            key.push(2);
            // Negative numbers come first.
            key.extend((number.cast_unsigned() ^ (1 << 31)).to_be_bytes());
        }
        Value::Text(text) => {
            key.push(3);
            for &byte in text {
                match byte {
                    0 => key.extend([0, 1]),
                    byte => key.push(byte),
                }
            }
            key.extend([0, 0]);
        }
        Value::Position(node) => {
            key.push(4);
            key.extend(node.to_be_bytes());
        }
        Value::Logical(matched) => key.extend([5, u8::from(*matched)]),
    }
}

fn value(sort: Option<&SortValue>) -> Option<&Value> {
    sort.map(|sort| &sort.value)
}

fn compare_values(order: SortOrder, a: Option<&Value>, b: Option<&Value>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => match order {
            SortOrder::Ascending => a.cmp(b),
            SortOrder::Descending => b.cmp(a),
        },
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evaluator::GameResult;
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

    #[test]
    fn keys_are_ordered_as_ranks_are() {
        let values = [
            Value::Set(shakmaty::Bitboard(3)),
            Value::Set(shakmaty::Bitboard(1 << 63)),
            Value::Piece(7),
            Value::Number(i32::MIN),
            Value::Number(-1),
            Value::Number(0),
            Value::Number(i32::MAX),
            Value::Text(Vec::new()),
            Value::Text(b"a".to_vec()),
            Value::Text(b"a\0".to_vec()),
            Value::Text(b"a\0b".to_vec()),
            Value::Text(b"a\x01".to_vec()),
            Value::Text(b"ab".to_vec()),
            Value::Position(9),
            Value::Logical(false),
            Value::Logical(true),
        ];
        for query in [
            "cql() sort \"one\" #A sort min \"two\" #a",
            "cql(sort matchcount 1 1000) sort \"one\" #A sort \"two\" #a",
        ] {
            let query = compile(query, Dialect::Cql6, &ParseOptions::default()).unwrap();
            let order = GameOrder::of(&query).unwrap();
            let all = values.iter().cloned().map(Some).chain([None]);
            let ranks = all.clone().flat_map(|a| {
                let ranks = all.clone().zip(1..).map(move |(b, number)| Rank {
                    number,
                    values: vec![a.clone(), b],
                    positions: usize::try_from(number % 3).unwrap(),
                });
                ranks.collect::<Vec<_>>()
            });
            let ranks: Vec<Rank> = ranks.collect();
            for a in &ranks {
                for b in &ranks {
                    assert_eq!(
                        order.key(a).cmp(&order.key(b)),
                        order.compare_ranks(a, b),
                        "{a:?} {b:?}"
                    );
                }
            }
        }
    }

    fn sorted(query: &str, mut games: Vec<GameMatch>) -> Vec<u64> {
        let query = compile(query, Dialect::Cql6, &ParseOptions::default()).unwrap();
        let order = GameOrder::of(&query).unwrap();
        let mut ranks: Vec<Rank> = games.iter().map(|game| order.rank(game)).collect();
        ranks.sort_by(|a, b| order.compare_ranks(a, b));
        games.sort_by(|a, b| order.compare(a, b));
        assert!(
            ranks
                .iter()
                .map(|rank| rank.number)
                .eq(games.iter().map(|game| game.number))
        );
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
