//! Filters that are asked whether they match.

use super::super::{DIRECTIONS, TRANSFORMS};
use super::{Extent, Grammar, Scope, Value};

/// Conditions of one word that ask for the board alone.
const BOARD: [&str; 8] = [
    "wtm",
    "btm",
    "check",
    "mate",
    "stalemate",
    "castle",
    "enpassant",
    "nullmove",
];
/// Those that ask for the place in the game.
const TREE: [&str; 13] = [
    "initial",
    "terminal",
    "mainline",
    "variation",
    "virtualmainline",
    "primary",
    "secondary",
    "o-o",
    "o-o-o",
    "parent",
    "{ child }",
    "true",
    "false",
];
/// Those that ask for the header and the comments.
const HEADER: [&str; 24] = [
    "(result 1-0)",
    "(result 0-1)",
    "(result 1/2-1/2)",
    "(player \"a\")",
    "(player white \"e\")",
    "(player black \"o\")",
    "(event \"M\")",
    "(site \"a\")",
    "(eco \"B\")",
    "(year > 1950)",
    "(elo white > 2400)",
    "(elo > elo black)",
    "(date > \"1950\")",
    "(originalcomment \"!\")",
    "(originalcomment \"?\")",
    "(originalcomment \"$10\")",
    "(originalcomment \"e\")",
    "hascomment",
    "(hhdb \"<main>\")",
    "(hhdb U2)",
    "(hhdb cooked)",
    "(hhdb sound)",
    "(hhdb dual)",
    "(eventdate < date)",
];

/// Those that ask for the path around them.
const PATH: [&str; 6] = [
    "(pathcount > 1)",
    "(pathcountunfocused <= 2)",
    "(pathstart : wtm)",
    "(pathstart & currentposition)",
    "(pathlastposition : check)",
    "(pathlastposition & pathstart)",
];

impl Grammar {
    fn plain_truth(&mut self, scope: &Scope) -> String {
        if scope.in_path && self.below(12) == 0 {
            return self.pick(&PATH).to_owned();
        }
        match self.below(10) {
            0..=2 => self.pick(&BOARD).to_owned(),
            3 | 4 if !scope.imagined => self.pick(&TREE).to_owned(),
            5 if !scope.imagined && self.below(2) == 0 => self.pick(&HEADER).to_owned(),
            6 if scope.extent == Extent::Extended => self
                .pick(&["legalposition", "(positionset \"s0\")", "legalposition"])
                .to_owned(),
            7 if !scope.imagined && self.below(8) == 0 => self
                .pick(&[
                    "(similarposition \"similar.pgn\")",
                    "(similarposition nosort notransform \"similar.pgn\")",
                ])
                .to_owned(),
            _ => self.plain_set(scope),
        }
    }

    /// A condition, in parentheses or braces unless it is one word.
    pub(super) fn truth(&mut self, depth: u32, scope: &Scope) -> String {
        if depth == 0 {
            return self.plain_truth(scope);
        }
        let depth = depth - 1;
        match self.below(48) {
            0..=4 => {
                let (a, b) = (self.number(depth, scope), self.number(depth, scope));
                format!("({a} {} {b})", self.comparison())
            }
            5 => format!("({} {} {})", self.set(depth, scope), self.comparison(), self.below(9)),
            6 => {
                let operator = self.pick(&["in", "==", "!="]);
                format!("({} {operator} {})", self.set(depth, scope), self.set(depth, scope))
            }
            7 => format!("(not {})", self.truth(depth, scope)),
            8 => format!("({} and {})", self.truth(depth, scope), self.truth(depth, scope)),
            9 | 10 => format!("({} or {})", self.truth(depth, scope), self.truth(depth, scope)),
            11 => format!("{{ {} {} }}", self.truth(depth, scope), self.truth(depth, scope)),
            12 => {
                let (a, b) = (self.text(depth, scope), self.text(depth, scope));
                format!("({a} {} {b})", self.pick(&["==", "!=", "<", ">=", "in"]))
            }
            13 => {
                let text = self.text(depth, scope);
                format!("({text} ~~ {})", self.pattern().0)
            }
            14 => {
                let value = self.kind();
                let other = if self.below(8) == 0 { self.kind() } else { value };
                format!(
                    "equal({} {})",
                    self.value(value, depth, scope),
                    self.value(other, depth, scope)
                )
            }
            15 if !scope.imagined => self.compared_places(depth, scope),
            16 if scope.may_reach() => self.find(depth, scope),
            17 if scope.may_reach() => self.line(false, depth, scope),
            18 if scope.may_reach() => self.path(false, depth, scope),
            19 if scope.may_reach() => self.echo(false, depth, scope),
            20 | 21 if !scope.imagined => {
                let place = self.place(depth, scope);
                format!("({place} : {})", self.truth(depth, scope))
            }
            22..=24 if !scope.imagined => self.moving(depth, scope),
            25 | 26 => self.loop_over(true, depth, scope),
            27 | 28 => self.loop_over(false, depth, scope),
            29 => format!(
                "(if {} then {} else {})",
                self.truth(depth, scope),
                self.truth(depth, scope),
                self.truth(depth, scope)
            ),
            30 => format!("(if {} {})", self.truth(depth, scope), self.truth(depth, scope)),
            31 | 32 if scope.transforms > 0 => {
                let inner = scope.transformed();
                let (transform, range) = (
                    self.pick(&TRANSFORMS[..8]),
                    self.pick(&["", "", "", "1 3", "2", "count"]),
                );
                format!("({transform} {range} {{ {} }})", self.truth(depth.min(1), &inner))
            }
            33 if scope.transforms > 0 => {
                let (direction, men) = (self.pick(&DIRECTIONS), self.men());
                format!("(rotate45 {{ {direction} 1 {men} {} }})", self.men())
            }
            34 if !scope.imagined => self.output(depth, scope),
            35 => {
                let word = self.pick(&["isbound", "isunbound"]);
                let names = [&scope.sets, &scope.numbers, &scope.texts, &scope.places];
                let names: Vec<String> = names.into_iter().flatten().cloned().collect();
                match self.known(&names) {
                    Some(name) => format!("({word} {name})"),
                    None => format!("({word} Nothing)"),
                }
            }
            36 => self
                .call(Value::Truth, depth, scope)
                .unwrap_or_else(|| self.plain_truth(scope)),
            37 => match self.below(3) {
                0 => "(fen \"8/8/8/8/8/8/PPP5/8\")".to_owned(),
                1 => "(fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\")".to_owned(),
                _ => "(fen \"....k.../......../......../......../......../......../......../A.......\")".to_owned(),
            },
            38 if scope.extent == Extent::Extended => self.imagined(Value::Truth, depth, scope),
            39 => format!("(notransform {})", self.truth(depth, scope)),
            40 => {
                let mut inside = scope.clone();
                let statement = self.statement(depth.min(1), &mut inside);
                format!("{{ {statement}\n{} }}", self.truth(depth, &inside))
            }
            41 if self.below(2) == 0 => match self.known(&scope.numbers) {
                Some(name) => format!("(assert {name})"),
                None => self.plain_truth(scope),
            },
            41 => format!("(assert {{ true or {} }})", self.truth(depth, scope)),
            42 if self.below(8) == 0 => format!("(if {} cql_abort)", self.truth(depth, scope)),
            43 if self.below(4) == 0 => format!("(assert {})", self.truth(depth, scope)),
            44 if self.below(4) == 0 && !scope.imagined => "(cql_assertvariations \"no variations\")".to_owned(),
            45 if self.below(6) == 0 && !scope.imagined => {
                format!("(writefile(\"out.cqo\" {}))", self.text(depth, scope))
            }
            _ => self.plain_truth(scope),
        }
    }
}
