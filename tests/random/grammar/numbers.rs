//! Filters that give a number.

use super::super::{DIRECTIONS, TRANSFORMS};
use super::{Extent, Grammar, Scope, Value};

impl Grammar {
    fn plain_number(&mut self, scope: &Scope) -> String {
        match self.below(10) {
            0..=2 => self.known(&scope.numbers),
            3 => Some(self.below(40).to_string()),
            4 => Some(
                self.pick(&[
                    "ply",
                    "movenumber",
                    "sidetomove",
                    "white",
                    "black",
                    "gamenumber",
                    "year",
                ])
                .to_owned(),
            ),
            5 if !scope.imagined => Some(
                self.pick(&[
                    "depth",
                    "positionid",
                    "lastgamenumber",
                    "try",
                    "elo",
                    "(elo white)",
                    "(elo black)",
                ])
                .to_owned(),
            ),
            6 => self.known(&scope.pieces).map(|name| format!("(pieceid {name})")),
            7 if scope.in_path => Some(self.pick(&["pathcount", "pathcountunfocused"]).to_owned()),
            8 | 9 if scope.extent == Extent::Extended && !scope.imagined => Some(
                self.pick(&[
                    "clock",
                    "(clock white)",
                    "(clock black)",
                    "movetime",
                    "eval",
                    "(eval black)",
                    "evalchange",
                    "evalbefore",
                ])
                .to_owned(),
            ),
            _ => None,
        }
        .unwrap_or_else(|| format!("(#{})", self.plain_set(scope)))
    }

    /// A number, in parentheses or braces unless it is one word.
    pub(super) fn number(&mut self, depth: u32, scope: &Scope) -> String {
        if depth == 0 {
            return self.plain_number(scope);
        }
        let depth = depth - 1;
        match self.below(36) {
            0 => format!("(power {})", self.set(depth, scope)),
            1 => {
                let word = self.pick(&["file", "rank", "type", "colortype", "pieceid"]);
                format!("({word} {})", self.set(depth, scope))
            }
            2 | 3 => {
                let operator = self.pick(&["+", "-", "*", "/", "%"]);
                format!(
                    "({} {operator} {})",
                    self.number(depth, scope),
                    self.number(depth, scope)
                )
            }
            4 => format!("(-{})", self.number(depth, scope)),
            5 => format!("({} {})", self.pick(&["abs", "sqrt"]), self.number(depth, scope)),
            6 if scope.may_list() => {
                let word = self.pick(&["max", "min"]);
                let more = if self.below(3) == 0 {
                    self.number(0, scope)
                } else {
                    String::new()
                };
                format!(
                    "{word}({} {} {more})",
                    self.number(depth, scope),
                    self.number(depth, scope)
                )
            }
            7 => format!("(#{})", self.text(depth, scope)),
            8 => format!("(int {})", self.text(depth, scope)),
            9 if scope.may_list() => format!("(ascii {})", self.letter(depth, scope)),
            10 => format!("indexof({} {})", self.text(0, scope), self.text(depth, scope)),
            11 if !scope.imagined => format!("distance({} {})", self.place(0, scope), self.place(depth, scope)),
            12 => match self.known(&scope.numbers) {
                Some(name) => {
                    let operator = self.pick(&["+=", "-=", "*=", "/=", "%="]);
                    format!("{{ {name}{operator}{} {name} }}", self.number(depth, scope))
                }
                None => self.plain_number(scope),
            },
            13 => {
                let name = self.name();
                format!("{{ {name}={} {name} }}", self.number(depth, scope))
            }
            14 => format!("{{ {} {} }}", self.truth(depth, scope), self.number(depth, scope)),
            15 => format!(
                "(if {} then {} else {})",
                self.truth(depth, scope),
                self.number(depth, scope),
                self.number(depth, scope)
            ),
            16 if scope.transforms > 0 => {
                let inner = scope.transformed();
                format!("({} {})", self.pick(&TRANSFORMS), self.number(depth.min(1), &inner))
            }
            17 if scope.transforms > 0 => {
                let inner = scope.transformed();
                let range = self.pick(&["count", "1 3", "2 100"]);
                format!(
                    "({} {range} {{ {} }})",
                    self.pick(&TRANSFORMS[..8]),
                    self.truth(depth.min(1), &inner)
                )
            }
            18 if scope.transforms > 0 => {
                let (direction, men) = (self.pick(&DIRECTIONS), self.men());
                format!("(rotate45 count ({direction} 1 {men}))")
            }
            19 if !scope.imagined => {
                let place = self.place(depth, scope);
                format!("({place} : {})", self.number(depth, scope))
            }
            20 | 21 => self.count_of_moves(depth, scope),
            22 if scope.may_reach() => {
                let (way, quiet) = (self.pick(&["", "<--"]), self.pick(&["", "quiet"]));
                let count = self.pick(&["all", "count", "1 5", "2", "0 3"]);
                format!(
                    "(find {quiet} {way} {count} {})",
                    self.truth(depth.min(1), &scope.within())
                )
            }
            23 if scope.may_reach() => self.line(false, depth, scope),
            24 if scope.may_reach() => self.path(false, depth, scope),
            25 => self
                .call(Value::Number, depth, scope)
                .unwrap_or_else(|| self.plain_number(scope)),
            26 => self
                .entry(Value::Number, scope)
                .unwrap_or_else(|| self.plain_number(scope)),
            27 => match scope.dictionaries.first().cloned() {
                Some(entries) => format!("(#{})", entries.name),
                None => self.plain_number(scope),
            },
            28 => {
                let words = [
                    "award",
                    "prize",
                    "hm",
                    "commendation",
                    "special prize",
                    "max prize",
                    "special max hm",
                ];
                match self.below(3) {
                    0 => "(hhdb egdiagram)".to_owned(),
                    _ => format!("(hhdb {})", self.pick(&words)),
                }
            }
            29 => format!(
                "{{ {}~~\"{}\" \\-{} }}",
                self.text(depth, scope),
                self.pick(&["(.)(.)", "a(.)", "([0-9])."]),
                self.below(2)
            ),
            30 if !scope.imagined => {
                let value = match self.below(2) {
                    0 => self.set(depth, scope),
                    _ => format!("(0 + {})", self.number(depth, scope)),
                };
                format!("(sort \"{}\" {value})", self.key_of_numbers())
            }
            31 => match scope.echo.clone() {
                Some([source, target]) => {
                    let (quiet, range) = (self.pick(&["", "quiet"]), self.pick(&["", "1 100", "2", "0 3"]));
                    format!("(consecutivemoves {quiet} {range} ({source} {target}))")
                }
                None => self.plain_number(scope),
            },
            32 if scope.may_reach() => self.echo(true, depth, scope),
            33 => format!(
                "({} {} {})",
                self.number(depth, scope),
                self.comparison(),
                self.number(0, scope)
            ),
            34 if scope.extent == Extent::Extended => self.imagined(Value::Number, depth, scope),
            _ => self.plain_number(scope),
        }
    }
}
