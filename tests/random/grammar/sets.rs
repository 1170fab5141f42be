//! Filters that give a set of squares.

use super::super::{DIRECTIONS, TRANSFORMS};
use super::{Extent, Grammar, Scope, Value};

impl Grammar {
    /// A designator of men, squares, or both.
    pub(super) fn designator(&mut self) -> String {
        self.dice.designator()
    }

    /// A set without parts.
    pub(super) fn plain_set(&mut self, scope: &Scope) -> String {
        match self.below(12) {
            0 | 1 => self.known(&scope.sets),
            2 | 3 => self.known(&scope.pieces),
            4 => Some(self.pick(&[".", "[]", "from", "to", "enpassantsquare"]).to_owned()),
            5 => {
                let plain = [
                    "passedpawns",
                    "isolatedpawns",
                    "doubledpawns",
                    "connectedpawns",
                    "puremate",
                    "modelmate",
                    "idealmate",
                    "purestalemate",
                    "modelstalemate",
                    "idealstalemate",
                ];
                Some(self.pick(&plain).to_owned())
            }
            6 => Some(format!("makesquare(\"{}\")", self.pick(&["e4", "a1", "g6", "x9"]))),
            _ => None,
        }
        .unwrap_or_else(|| self.designator())
    }

    /// A set, in parentheses or braces unless it is one word.
    pub(super) fn set(&mut self, depth: u32, scope: &Scope) -> String {
        if depth == 0 {
            return self.plain_set(scope);
        }
        let depth = depth - 1;
        match self.below(30) {
            0 => format!("({} | {})", self.set(depth, scope), self.set(depth, scope)),
            1 => format!("({} & {})", self.set(depth, scope), self.set(depth, scope)),
            2 => format!("(~{})", self.set(depth, scope)),
            3 => {
                let (a, b) = (self.set(depth, scope), self.set(depth, scope));
                match self.below(4) {
                    0 => format!("({a} -> {b})"),
                    1 => format!("({a} <- {b})"),
                    2 => format!("({a} attacks {b})"),
                    _ => format!("({a} attackedby {b})"),
                }
            }
            4 => {
                let direction = self.pick(&DIRECTIONS);
                let range = match self.below(6) {
                    0 => self.known(&scope.numbers).unwrap_or_default(),
                    _ => self.pick(&["", "1", "1 2", "0 3", "-2 1"]).to_owned(),
                };
                format!("({direction} {range} {})", self.set(depth, scope))
            }
            5 => format!("({} {})", self.pick(&["light", "dark"]), self.set(depth, scope)),
            6 => format!("between({} {})", self.set(depth, scope), self.set(depth, scope)),
            7 => {
                let direction = self.pick(&["", "", "up", "diagonal", "left", "orthogonal"]);
                let more = if self.below(2) == 0 {
                    self.set(0, scope)
                } else {
                    String::new()
                };
                format!(
                    "(ray {direction} ({} {} {more}))",
                    self.set(depth, scope),
                    self.set(depth, scope)
                )
            }
            8 => {
                let (slider, middle, last) = (self.men(), self.set(depth, scope), self.set(depth, scope));
                match self.below(3) {
                    0 => format!("xray({slider} {middle} {last})"),
                    1 => format!("({slider} -> {middle} -> {last})"),
                    _ => format!("({last} <- {middle} <- {slider})"),
                }
            }
            9 => {
                let mut parts = vec!["through", "from", "to"];
                let start = self.below(3) as usize;
                parts.rotate_left(start);
                parts.truncate(self.below(4) as usize);
                let parts: Vec<String> = parts
                    .into_iter()
                    .map(|part| format!("{part} {}", self.set(depth.min(1), scope)))
                    .collect();
                format!("(pin {})", parts.join(" "))
            }
            10 | 11 => self.loop_over(false, depth, scope),
            12 => format!("{{ {} {} }}", self.truth(depth, scope), self.set(depth, scope)),
            13 => format!(
                "(if {} then {} else {})",
                self.truth(depth, scope),
                self.set(depth, scope),
                self.set(depth, scope)
            ),
            14 if scope.transforms > 0 => {
                let inner = scope.transformed();
                format!("({} {})", self.pick(&TRANSFORMS), self.set(depth.min(1), &inner))
            }
            15 if scope.transforms > 0 => {
                let (direction, men) = (self.pick(&DIRECTIONS), self.men());
                format!("(rotate45 ({direction} {} {men}))", self.pick(&["1", "", "1 3"]))
            }
            16 => format!(
                "makesquare({} {})",
                self.number(depth, scope),
                self.number(depth, scope)
            ),
            17 if !scope.imagined => {
                let place = self.place(depth, scope);
                format!("({place} : {})", self.set(depth, scope))
            }
            18 if !scope.imagined => format!("({} & {})", self.place(0, scope), self.place(depth, scope)),
            19 => self.move_set(depth, scope),
            20 => self.possible(depth, scope),
            21 if !scope.imagined => {
                let dash = self.dash(depth, scope);
                format!("{{ {dash}({}) }}", self.set(depth, &scope.within()))
            }
            22 => {
                let name = self.name();
                let operator = self.pick(&["=", "=?"]);
                format!("{{ {name}{operator}{} {name} }}", self.set(depth, scope))
            }
            23 => match self.known(&scope.sets) {
                Some(name) => {
                    let operator = self.pick(&["|=", "&="]);
                    format!("{{ {name}{operator}{} {name} }}", self.set(depth, scope))
                }
                None => self.plain_set(scope),
            },
            24 => self
                .call(Value::Set, depth, scope)
                .unwrap_or_else(|| self.plain_set(scope)),
            25 => self.entry(Value::Set, scope).unwrap_or_else(|| self.plain_set(scope)),
            27 if scope.extent == Extent::Extended => self.imagined(Value::Set, depth, scope),
            28 => format!("(notransform {})", self.set(depth, scope)),
            _ => self.plain_set(scope),
        }
    }

    /// Men without squares.
    pub(super) fn men(&mut self) -> String {
        self.pick(&["Q", "r", "[QRBqrb]", "K", "[Pp]", "A", "a", "_", "n"])
            .to_owned()
    }

    /// A loop over squares or pieces; with `all` it is a condition.
    pub(super) fn loop_over(&mut self, all: bool, depth: u32, scope: &Scope) -> String {
        let (domain, name) = (self.set(depth.min(1), scope), self.name());
        let mut inside = scope.clone();
        let pieces = self.below(2) == 0;
        match pieces {
            true => inside.pieces.push(name.clone()),
            false => inside.sets.push(name.clone()),
        }
        let body = match self.below(2) {
            0 => format!("({name} attacks {})", self.set(depth.min(1), &inside)),
            _ => self.truth(depth, &inside),
        };
        match (pieces, all, self.below(3)) {
            (false, false, 0) => format!("({name} [element] {domain} {{ {body} }})"),
            (true, false, 0) => format!("([Aa]{name} [element] {domain} {{ {body} }})"),
            (false, true, 0) => format!("([forall] {name} [element] {domain} {{ {body} }})"),
            (true, true, 0) => format!("([forall] [Aa]{name} [element] {domain} {{ {body} }})"),
            (pieces, all, _) => {
                let word = if pieces { "piece" } else { "square" };
                let all = if all { "all" } else { "" };
                format!("({word} {all} {name} in {domain} {{ {body} }})")
            }
        }
    }
}
