//! Filters that give a text.

use super::{Grammar, Scope, Value};

/// Regular expressions, and how many groups each has.
const PATTERNS: [(&str, u32); 8] = [
    (".", 0),
    ("a", 0),
    ("[A-M]", 0),
    ("(.)(.)", 2),
    ("^(.*)[,e]", 1),
    ("\\d+", 0),
    ("(a|e)+", 1),
    ("([a-z]+) ?([a-z]*)", 2),
];

impl Grammar {
    fn plain_text(&mut self, scope: &Scope) -> String {
        let metadata = [
            "player",
            "player white",
            "player black",
            "event",
            "site",
            "date",
            "eventdate",
            "eco",
            "originalcomment",
            "tag \"Annotator\"",
            "tag \"FEN\"",
            "tag \"White\"",
            "hhdb composer",
            "hhdb stipulation",
            "hhdb firstcomment",
            "hhdb search",
            "hhdb gbr",
            "hhdb gbr material",
            "hhdb gbr pieces",
            "hhdb diagram",
        ];
        match self.below(10) {
            0..=2 => self.known(&scope.texts),
            3 | 4 if !scope.imagined => Some(format!("({})", self.pick(&metadata))),
            5 => Some(self.pick(&["fen", "\\n", "\\\"", "\\t", "currenttransform"]).to_owned()),
            _ => None,
        }
        .unwrap_or_else(|| self.quoted())
    }

    /// A text between quotation marks.
    pub(super) fn quoted(&mut self) -> String {
        let texts = [
            "", "a", "e4", "K", "abcdef", "Nf3 Nc3", "12", "-7", "1", "Q R", "a-b-c", "<x>",
        ];
        format!("\"{}\"", self.pick(&texts))
    }

    /// A text of one byte, mostly.
    pub(super) fn letter(&mut self, depth: u32, scope: &Scope) -> String {
        match self.below(3) {
            0 => self.text(depth, scope),
            1 => format!("(typename {})", self.set(depth, scope)),
            _ => format!("\"{}\"", self.pick(&["a", "Z", "7", "~"])),
        }
    }

    /// A text, in parentheses or braces unless it is one word.
    pub(super) fn text(&mut self, depth: u32, scope: &Scope) -> String {
        if depth == 0 {
            return self.plain_text(scope);
        }
        let depth = depth - 1;
        match self.below(24) {
            0 | 1 => format!("({} + {})", self.text(depth, scope), self.text(depth, scope)),
            2 => {
                let word = self.pick(&["typename", "piecename"]);
                format!("({word} {})", self.set(depth, scope))
            }
            3 | 4 => {
                let count = 1 + self.below(2);
                let parts: Vec<String> = (0..count).map(|_| self.anything(depth, scope)).collect();
                format!("str({})", parts.join(" "))
            }
            5 => {
                let word = self.pick(&["uppercase", "lowercase"]);
                format!("({word} {})", self.text(depth, scope))
            }
            6 if scope.may_list() => format!("(ascii ({} + 60))", self.number(0, scope)),
            7 | 8 => format!("({}{})", self.sliced(depth, scope), self.slice(scope)),
            9 if scope.may_list() => {
                let word = self.pick(&["max", "min"]);
                format!("{word}({} {})", self.text(depth, scope), self.text(depth, scope))
            }
            10 => format!("({} ~~ {})", self.text(depth, scope), self.pattern().0),
            11 | 12 => {
                let (pattern, groups) = self.pattern();
                let group = self.below(groups + 1);
                format!("{{ {}~~{pattern} \\{group} }}", self.text(depth, scope))
            }
            13 => {
                let name = self.name();
                format!("{{ {name}={} {name} }}", self.text(depth, scope))
            }
            14 => match self.known(&scope.texts) {
                // A text that doubles at every position would fill the memory.
                Some(name) => format!("{{ {name}+={} {name}={name}[:20] {name} }}", self.quoted()),
                None => self.plain_text(scope),
            },
            15 | 22 => match self.known(&scope.texts) {
                Some(name) => {
                    let slice = self.slice(scope);
                    format!("{{ {name}{slice}={} {name}={name}[:20] {name} }}", self.text(0, scope))
                }
                None => self.plain_text(scope),
            },
            16 => format!("{{ {} {} }}", self.truth(depth, scope), self.text(depth, scope)),
            17 => format!(
                "(if {} then {} else {})",
                self.truth(depth, scope),
                self.text(depth, scope),
                self.text(depth, scope)
            ),
            18 if !scope.imagined => {
                let place = self.place(depth, scope);
                format!("({place} : {})", self.text(depth, scope))
            }
            19 => self
                .call(Value::Text, depth, scope)
                .unwrap_or_else(|| self.plain_text(scope)),
            20 => self.entry(Value::Text, scope).unwrap_or_else(|| self.plain_text(scope)),
            21 if !scope.imagined => format!("(sort \"texts\" {})", self.text(depth, scope)),
            23 if self.below(4) == 0 => "(readfile \"similar.pgn\")".to_owned(),
            _ => self.plain_text(scope),
        }
    }

    /// A regular expression in quotation marks, and the number of its groups.
    pub(super) fn pattern(&mut self) -> (String, u32) {
        let (text, groups) = PATTERNS[self.below(PATTERNS.len() as u32) as usize];
        (format!("\"{text}\""), groups)
    }

    fn sliced(&mut self, depth: u32, scope: &Scope) -> String {
        let text = self.text(depth, scope);
        match text.starts_with(['(', '{', '"']) || text.starts_with("Var") {
            true => text,
            false => format!("({text})"),
        }
    }

    /// Behind a text: one byte, or from a place to another.
    fn slice(&mut self, scope: &Scope) -> String {
        let (first, second) = (self.bound(scope), self.bound(scope));
        match self.below(5) {
            0 => format!("[ {first} ]"),
            1 => format!("[{first}:]"),
            2 => format!("[:{first}]"),
            _ => format!("[{first}:{second}]"),
        }
    }

    fn bound(&mut self, scope: &Scope) -> String {
        match self.below(6) {
            0 => format!("(-{})", 1 + self.below(3)),
            1 => match self.known(&scope.numbers) {
                Some(name) => name,
                None => "(ply)".to_owned(),
            },
            _ => self.below(6).to_string(),
        }
    }
}
