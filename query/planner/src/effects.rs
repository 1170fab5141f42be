//! The effects of a query, from one position or game to the next. They decide which positions have to be evaluated.

mod any_order;
mod game_state;

use std::collections::HashSet;

use language::facts::{Leaves, Reads};
use language::hir::{Arithmetic, AssignOp, Filter, Node, Query};

pub use self::any_order::in_any_order;
pub(super) use self::game_state::GameState;

/// How far the evaluation of one position depends on others having been evaluated before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effects {
    /// Not at all: every position can be evaluated alone.
    Position,
    /// On the earlier positions of the game: those that change what later ones see have to be evaluated, too, in order.
    Game,
    /// On earlier games, or the query prints while it runs: everything has to be evaluated, in order.
    Database,
}

impl Effects {
    /// What a query needs, with all that it leaves in the games: sort keys, tags, comments that it removes.
    pub fn of(query: &Query) -> Effects {
        Effects::leaving(query, IN_GAME)
    }

    /// What a query needs where only the matching positions are asked for.
    pub fn of_matches(query: &Query) -> Effects {
        Effects::leaving(query, Leaves::NOTHING)
    }

    /// The same within a game, where all positions are evaluated, in order, that change what later games see: never
    /// [`Effects::Database`]. The same is true of those where a sequence with `nestban` may match: a plan has them.
    pub fn within_game(query: &Query, matches_only: bool) -> Effects {
        let in_game = if matches_only { Leaves::NOTHING } else { IN_GAME };
        match GameState::of(query).matters(query, in_game) {
            true => Effects::Game,
            false => Effects::Position,
        }
    }

    /// What a query needs if this is all that matters of what it leaves in a game.
    fn leaving(query: &Query, in_game: Leaves) -> Effects {
        match query.body.any(&mut |filter| needs_order(query, filter)) {
            true => Effects::Database,
            false => Effects::within_game(query, in_game == Leaves::NOTHING),
        }
    }
}

/// What a filter by itself leaves behind.
fn left_in_game(filter: &Filter, query: &Query) -> Leaves {
    match filter.node {
        Node::SimilarPosition(index) if query.similar[index as usize].sort.is_none() => Leaves::NOTHING,
        _ => filter.facts().leaves,
    }
}

/// Whether a filter by itself reads or changes what lasts from game to game, or writes something while the query runs.
fn needs_order(query: &Query, filter: &Filter) -> bool {
    let facts = filter.facts();
    let mut variables = facts.reads_variables.iter().chain(&facts.assigns);
    variables.any(|variable| query.variables[variable.0 as usize].persistent)
        || facts
            .dictionary
            .is_some_and(|dictionary| !query.dictionaries[dictionary.0 as usize].local)
        || facts.leaves.intersects(Leaves::MESSAGE | Leaves::FILE)
        || facts.reads.intersects(Reads::FILE)
}

/// Whether every dictionary that lasts for a game is emptied at each position before it is used.
fn dictionaries_are_local(query: &Query) -> bool {
    let Node::Compound(elements) = &query.body.node else {
        return false;
    };
    let mut emptied = HashSet::new();
    elements.iter().all(|element| {
        if let Node::DictionaryUnbind(dictionary, None) = element.node {
            emptied.insert(dictionary);
        }
        !element.any(&mut |part| {
            part.facts()
                .dictionary
                .is_some_and(|used| query.dictionaries[used.0 as usize].local && !emptied.contains(&used))
        })
    })
}

/// Whether the query notes pairs of positions in the games. A `relation` does so even where a filter behind it fails
/// (docs/language/cql5.md#relation), and numbers the pairs throughout the game.
pub fn notes_pairs(query: &Query) -> bool {
    query
        .body
        .any(&mut |filter| matches!(&filter.node, Node::Relation(relation) if !relation.quiet))
}

/// What is left behind in the result of a game, or where a sequence may start in it.
pub(super) const IN_GAME: Leaves = Leaves::SORT_KEY
    .union(Leaves::TAG)
    .union(Leaves::REMOVED_COMMENT)
    .union(Leaves::NESTBAN);

/// Whether a match of a sequence keeps others from beginning inside it.
pub(super) fn bans_sequences(filter: &Filter) -> bool {
    filter.any(&mut |part| part.facts().leaves.intersects(Leaves::NESTBAN))
}

/// Whether sequences ban others only where a filter with such sequences matches itself. Where it does not, nothing in the game
/// depends on it.
pub(super) fn bans_only_where_it_matches(filter: &Filter) -> bool {
    let bans_nothing_else = |part: &Filter| !bans_sequences(part) || bans_only_where_it_matches(part);
    match &filter.node {
        Node::Path(_) | Node::Line(_) => {
            let mut is_inside = false;
            filter.for_each_child(&mut |child| is_inside |= bans_sequences(child));
            !is_inside
        }
        // What comes before one that fails is evaluated there, too.
        Node::Compound(list) => {
            let after = list
                .iter()
                .rev()
                .take_while(|part| matches!(part.node, Node::Comment(_)));
            match list[..list.len() - after.count()].split_last() {
                Some((last, before)) => !before.iter().any(bans_sequences) && bans_only_where_it_matches(last),
                None => false,
            }
        }
        Node::And(a, b) => !bans_sequences(a) && bans_only_where_it_matches(b),
        Node::Or(a, b) => bans_nothing_else(a) && bans_nothing_else(b),
        Node::If(condition, then, otherwise) => {
            let mut branches = std::iter::once(then).chain(otherwise);
            !bans_sequences(condition) && branches.all(|branch| bans_nothing_else(branch))
        }
        Node::Orbit { range: None, variants } => variants.iter().all(bans_nothing_else),
        Node::SquareLoop {
            all: false,
            domain,
            body,
            ..
        }
        | Node::PieceLoop {
            all: false,
            domain,
            body,
            ..
        } => !bans_sequences(domain) && bans_only_where_it_matches(body),
        Node::Sort { argument, .. } => bans_only_where_it_matches(argument),
        Node::NoTransform(inner) => bans_only_where_it_matches(inner),
        _ => false,
    }
}

/// Whether a filter by itself changes what later games see, or leaves something outside of the games.
pub(super) fn changes_database(query: &Query, filter: &Filter) -> bool {
    let facts = filter.facts();
    let is_kept = |dictionary: language::hir::DictionaryId| !query.dictionaries[dictionary.0 as usize].local;
    let is_persistent = |variable: language::hir::VariableId| query.variables[variable.0 as usize].persistent;
    facts.leaves.intersects(Leaves::MESSAGE | Leaves::FILE)
        || facts.leaves.intersects(Leaves::DICTIONARY) && facts.dictionary.is_some_and(is_kept)
        || facts.assigns.is_some_and(is_persistent) && !adds_nothing(filter)
        || matches!(filter.node, Node::Unbind(variable) if is_persistent(variable))
}

/// Whether a filter leaves the value of a persistent variable as it is: `persistent Wins += 0` and `persistent Seen |= []`, as
/// variables are introduced. The variable has its first value before the search.
fn adds_nothing(filter: &Filter) -> bool {
    let Node::Assign(_, operator, value) = &filter.node else {
        return false;
    };
    match operator {
        AssignOp::Arithmetic(Arithmetic::Add | Arithmetic::Subtract) => matches!(value.node, Node::Number(0)),
        AssignOp::Union => matches!(value.node, Node::NoSquares),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use language::facts::IndexBound;
    use language::{Dialect, ParseOptions, compile};

    use super::*;
    use crate::{Candidates, Truth, plan};

    fn compiled(text: &str) -> Query {
        compile(text, Dialect::Cql6, &ParseOptions::default())
            .unwrap_or_else(|errors| panic!("`{text}`: {}", errors[0].message))
    }

    #[test]
    fn a_bound_of_a_range_is_a_variable_that_is_read() {
        for (text, effects) in [
            ("x=2 find x 5 check", Effects::Position),
            ("if check then x=2 else x=3 find x 5 check", Effects::Position),
            ("if check then x=2 find x 5 check", Effects::Game),
            ("if check then x=2 else y=3 find x 5 check", Effects::Game),
            ("{x=2 check} or {x=3 mate} find x 5 check", Effects::Position),
            ("flip {x=2 Ra1} find x 5 check", Effects::Position),
            ("flip 0 8 {x=2 Ra1} find x 5 check", Effects::Game),
            ("{check x=2} or not check line x 5 --> check", Effects::Game),
        ] {
            assert_eq!(Effects::of(&compiled(text)), effects, "{text}");
        }
    }

    #[test]
    fn what_is_left_behind_decides_which_positions_are_evaluated() {
        for (text, effects) in [
            ("check comment \"a\"", Effects::Position),
            ("sort #R", Effects::Game),
            ("path -- {pathcount > 1}", Effects::Position),
            ("pathcount > 1", Effects::Game),
            ("path focus {pathstart:R} --", Effects::Game),
            ("Seen=K path -- {Seen=Seen | to}", Effects::Position),
            ("path -- {Seen=to} -- {to & Seen}", Effects::Position),
            ("path (-- {Seen=to}) ? -- {to & Seen}", Effects::Game),
            ("settag (\"a\" \"b\")", Effects::Game),
            ("removecomment", Effects::Game),
            ("line nestban --> check --> check", Effects::Game),
            ("line --> check --> check", Effects::Position),
            ("event ~~ \"a(b)\" \\1 == \"b\"", Effects::Position),
            ("event ~~ \"a(b)\" or check \\1 == \"b\"", Effects::Game),
            ("\\1 == \"b\" event ~~ \"a(b)\"", Effects::Game),
            (
                "x = \"ab\" while (x ~~ \"(b)\") {\\1 == \"b\" x = \"\"}",
                Effects::Position,
            ),
            ("{path -- check} pathcount > 1", Effects::Position),
            ("{path -- check} pathlastposition:mate", Effects::Position),
            ("path (-- pathlastposition:mate)", Effects::Game),
            ("{check or path -- --} pathcount > 1", Effects::Game),
            ("find {path -- check} pathcount > 1", Effects::Game),
            ("persistent x += 1", Effects::Database),
            ("message \"a\"", Effects::Database),
            ("x = 1 isbound x", Effects::Game),
            (
                "Seen=0 square all x in Q if Seen==0 {Number=file x Seen=1} else Number==file x",
                Effects::Position,
            ),
            (
                "Set=Q Seen=0 square all x in Set if Seen==0 {Number=file x Seen=1} else Number==file x Number>3",
                Effects::Game,
            ),
            (
                "Set=Q #Set>1 Seen=0 square all x in Set if Seen==0 {Number=file x Seen=1} else Number==file x Number>3",
                Effects::Position,
            ),
            // The first turn may be another one, may read what an earlier position has left, or may not come.
            (
                "Seen=#R square all x in Q if Seen==0 {Number=file x Seen=1} else Number==file x",
                Effects::Game,
            ),
            (
                "if check Number=1 Seen=0 square all x in Q if Seen==0 {y=Number Number=file x Seen=1} else Number==file x",
                Effects::Game,
            ),
            (
                "Seen=0 square x in Q if Seen==0 {Number=file x Seen=1} else Number==file x",
                Effects::Game,
            ),
        ] {
            assert_eq!(Effects::of(&compiled(text)), effects, "{text}");
        }
    }

    #[test]
    fn what_later_positions_see_is_changed_where_the_query_gets_to_it() {
        for (text, expected) in [
            ("wtm if check then x=2 find x 5 mate", "(white to move and check)"),
            ("local dictionary d initial d[\"a\"] = \"b\" check", "initial"),
            ("local dictionary d y = K mate d[\"a\"] = \"b\" check", "mate"),
            ("mate sort #R", "mate"),
            ("check removecomment mate", "check"),
            ("mate {event ~~ \"a(b)\" or wtm} \\1 == \"b\"", "mate"),
            ("mate {wtm or path -- --} pathcount > 1", "(mate and not white to move)"),
            ("x = 2 find x 5 check", "nowhere"),
            ("if check then x=2 find x 5 mate", "check"),
        ] {
            assert_eq!(plan(&compiled(text), false).changes.to_string(), expected, "{text}");
        }
    }

    #[test]
    fn a_counter_is_introduced_without_an_effect() {
        for (text, expected) in [
            (
                "persistent x += 0 persistent y -= 0 if check then x += 1 mate",
                "(mate or check)",
            ),
            ("persistent x |= [] if check then x |= k mate", "(mate or check)"),
            ("persistent x += 1 mate", "everywhere"),
            ("persistent x |= k mate", "everywhere"),
        ] {
            assert_eq!(
                plan(&compiled(text), false).candidates.truth.to_string(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn where_a_sequence_bans_others_the_query_matches() {
        for (text, expected) in [
            ("sort path nestban -- --", true),
            ("flipcolor { wtm sort line nestban --> check --> check }", true),
            ("piece x in N path nestban x-- x--", true),
            ("if wtm then check else path nestban -- --", true),
            ("check or line nestban --> check", true),
            ("wtm {path nestban -- --} comment(\"here\") comment(ply)", true),
            ("{path nestban -- --} comment(\"here\") check", false),
            ("{path nestban -- --} check comment(\"here\")", false),
            ("comment(path nestban -- --)", false),
            ("3 <= path nestban -- --", false),
            ("{path nestban -- --} check", false),
            ("not path nestban -- --", false),
            ("rotate90 2 {path nestban N--a1-4 B--}", false),
            ("piece all x in N path nestban x-- x--", false),
            ("path nestban (-- {path nestban N-- B--})", false),
            ("find path nestban -- --", false),
        ] {
            assert_eq!(bans_only_where_it_matches(&compiled(text).body), expected, "{text}");
        }
    }

    /// The facts about a filter promise no more than its plan.
    #[test]
    fn facts_about_the_index_are_those_of_the_plan() {
        let texts = [
            "Ra1",
            "R | b",
            "R & a1-8",
            "~R",
            "R attacks b",
            "R attackedby b",
            "ray (R b k)",
            "xray (R b k)",
            "pin from R",
            "light R",
            "up 1 R",
            "between (R b)",
            "connectedpawns",
            "modelmate",
            "square x in R x attacks k",
            "piece x in R x attacks k",
            "makesquare \"e4\"",
            "makesquare (file K rank k)",
            "currentposition > position 3",
            "ancestor (initialposition currentposition)",
            "piecename e4 == typename d4",
            "#R",
            "power R",
            "file Ra1",
            "colortype R",
            "clock",
            "clock white",
            "movetime > 10",
            "eval",
            "evalchange < 0 - 100",
            "ply",
            "movenumber > 3",
            "gamenumber",
            "#R + #b > 3",
            "#R > #b",
            "R in a1-8",
            "wtm",
            "check",
            "mate",
            "stalemate",
            "initial",
            "terminal",
            "mainline",
            "virtualmainline",
            "primary",
            "secondary",
            "try",
            "true",
            "false",
            "currentposition",
            "parent",
            "child",
            "find check",
            "line --> check",
            "path -- ",
            "parent:check",
            "check or mate",
            "check and mate",
            "not check",
            "if check then mate",
            "move from R",
            "R--",
            "legal R--",
            "countmoves R--",
            "currentmove R--",
            "from",
            "to",
            "enpassantsquare",
            "castle",
            "enpassant",
            "nullmove",
            "x = #R",
            "comment \"a\"",
            "sort #R",
            "settag (\"a\" \"b\")",
            "removecomment",
            "message \"a\"",
            "while (check) mate",
            "loop check",
            "originalcomment \"a\"",
            "flip Ra1",
            "notransform Ra1",
            "isbound x",
            "pathcount",
            "positionset \"a\"",
            "move legal : check",
            "imagine remove Q : check",
            "legalposition",
        ];
        let mut wrong = Vec::new();
        for text in texts {
            let query = match compile(text, Dialect::Cql6, &ParseOptions::default()) {
                Ok(query) => query,
                Err(errors) => {
                    wrong.push(format!("`{text}`: {}", errors[0].message));
                    continue;
                }
            };
            let Node::Compound(elements) = &query.body.node else {
                panic!("a body is a list of filters");
            };
            let said = elements[0].facts().index;
            let Candidates { truth, exact, .. } = plan(&query, false).candidates;
            let found = match (&truth, exact) {
                (Truth::Games(_), _) => continue,
                (_, true) => IndexBound::Exact,
                (Truth::Always, false) => IndexBound::Unknown,
                (_, false) => IndexBound::AtMost,
            };
            if said != found {
                wrong.push(format!("`{text}` is {said:?}, and the plan has {truth}, {found:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
