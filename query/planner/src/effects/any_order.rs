//! What can be asked of positions in any order, where a query remembers something from game to game.

use language::facts::{Binds, Leaves, is_infallible};
use language::hir::{Filter, Node, Query};

use super::{Effects, IN_GAME, changes_database, left_in_game, needs_order};

/// The query with only those of its filters that can be asked of positions in any order, if there are any. A position where one of
/// them fails does not match, and changes nothing that is seen in later games.
///
/// These are filters before the first one that changes something. Those among them that read what was changed before are left out:
/// they must leave nothing behind, and raise no error.
pub fn in_any_order(query: &Query) -> Option<Query> {
    let Node::Compound(parts) = &query.body.node else {
        return None;
    };
    if Effects::of(query) != Effects::Database || Effects::within_game(query, true) != Effects::Position {
        return None;
    }
    let mut asked = Vec::new();
    // A dictionary that is declared is no condition.
    for part in parts.iter().filter(|part| !matches!(part.node, Node::True)) {
        let changes =
            |filter: &Filter| changes_database(query, filter) || left_in_game(filter, query).intersects(IN_GAME);
        if part.any(&mut |filter| changes(filter)) {
            break;
        }
        if !part.any(&mut |filter| needs_order(query, filter)) {
            asked.push(part.clone());
        } else if !is_silent(part) {
            break;
        }
    }
    if asked.is_empty() {
        return None;
    }
    let asked = query.with_filters(asked);
    (Effects::of(&asked) == Effects::Position).then_some(asked)
}

/// Whether a filter leaves nothing behind and never raises an error, wherever it stands.
fn is_silent(filter: &Filter) -> bool {
    let leaves_something = filter.any(&mut |part| {
        let facts = part.facts();
        facts.leaves != Leaves::NOTHING || facts.assigns.is_some() || !matches!(facts.binds, Binds::Nothing)
    });
    !leaves_something && is_infallible(filter, true, &mut Vec::new())
}

#[cfg(test)]
mod tests {
    use language::{Dialect, ParseOptions, compile};

    use super::*;

    /// How many filters of a query can be asked in any order.
    fn asked(text: &str) -> usize {
        let query = compile(text, Dialect::Cql6, &ParseOptions::default());
        let query = query.unwrap_or_else(|errors| panic!("`{text}`: {}", errors[0].message));
        match in_any_order(&query).map(|asked| asked.body.node.clone()) {
            None => 0,
            Some(Node::Compound(parts)) => parts.len(),
            Some(_) => panic!("`{text}`: a body is a list of filters"),
        }
    }

    #[test]
    fn filters_before_the_first_change_are_asked() {
        for (text, expected) in [
            ("dictionary Seen not Seen[fen] check Seen[fen] = \"x\" mate", 1),
            ("dictionary Seen mate not Seen[fen] check Seen[fen] = \"x\"", 2),
            ("dictionary Seen Seen[fen] = \"x\" check", 0),
            ("wtm check persistent X += 1 mate", 2),
            ("wtm if check then x = #R else x = 3 x > 2 persistent X += x", 3),
            ("check message \"a\" mate", 1),
            // Nothing is remembered.
            ("wtm check", 0),
            // What is left in the game is left where the query fails, too.
            ("wtm sort #R check persistent X += 1", 1),
            ("wtm settag (\"a\" \"b\") check persistent X += 1", 1),
            // A value of an earlier position may be read.
            ("if check then x = 2 find x 5 mate persistent X += 1", 0),
            ("persistent X = 0 wtm", 0),
        ] {
            assert_eq!(asked(text), expected, "{text}");
        }
    }
}
