//! `line` and `path`.

use super::{Extent, Grammar, Scope};

impl Grammar {
    fn repeat(&mut self) -> &'static str {
        self.pick(&["", "", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "{0,2}"])
    }

    /// A `line`; the position where it ends if `last`, otherwise its length.
    pub(super) fn line(&mut self, last: bool, depth: u32, scope: &Scope) -> String {
        let inside = scope.within();
        let depth = depth.min(1);
        let arrow = self.pick(&["-->", "-->", "<--"]);
        let mut words = Vec::new();
        if last {
            words.push("lastposition");
        }
        for (word, odds) in [("quiet", 4), ("singlecolor", 6), ("firstmatch", 6)] {
            if self.below(odds) == 0 {
                words.push(word);
            }
        }
        if arrow == "-->" {
            words.push(self.pick(&["", "", "", "nestban"]));
            words.push(self.pick(&["", "", "", "primary", "secondary"]));
        }
        words.push(self.pick(&["", "", "3 100", "2", "1 2", "2 4"]));
        let mut text = format!("{{ line {}", words.join(" "));
        let count = 1 + self.below(3);
        for _ in 0..count {
            let (filter, repeat) = (self.truth(depth, &inside), self.repeat());
            text += &match self.below(5) {
                0 => {
                    let other = self.truth(0, &inside);
                    let repeat = self.pick(&["", "+", "{2}", "{1,2}", "*"]);
                    format!(" {arrow} ({{ {filter} }} {arrow} {{ {other} }}){repeat}")
                }
                1 => format!(" {arrow} .{repeat}"),
                _ => format!(" {arrow} {{ {filter} }}{repeat}"),
            };
        }
        text + " }"
    }

    /// A `path`; the position where it ends if `last`, otherwise its length.
    pub(super) fn path(&mut self, last: bool, depth: u32, scope: &Scope) -> String {
        let inside = Scope {
            in_path: true,
            ..scope.within()
        };
        let depth = depth.min(1);
        let mut words = Vec::new();
        if last {
            words.push("lastposition");
        }
        for (word, odds) in [
            ("quiet", 4),
            ("firstmatch", 6),
            ("nestban", 6),
            ("keepallbest", 6),
            ("verbose", 5),
        ] {
            let deviates = word == "keepallbest" && scope.extent == Extent::Shared && words.contains(&"firstmatch");
            if self.below(odds) == 0 && !deviates {
                words.push(word);
            }
        }
        let mut text = format!("{{ path {}", words.join(" "));
        text += &match self.below(8) {
            0 => format!(" singlecolor {}", self.pick(&["", "piecepath"])),
            1 | 2 => format!(
                " {} focus {} {}",
                self.pick(&["", "piecepath"]),
                self.pick(&["", "capture"]),
                self.set(0, scope)
            ),
            3 => " primary".to_owned(),
            4 if !last => format!(" max {{ {} }}", self.number(0, &inside)),
            _ => String::new(),
        };
        if self.below(5) == 0 {
            text += &format!(" title {}", self.quoted());
        }
        text += self.pick(&["", "", "", " 2 100", " 1", " 1 3"]);
        text += " ";
        // A parenthesis begins a chain at the start and behind a repetition; elsewhere it is a target.
        let mut may_group = true;
        if self.below(4) == 0 {
            text += &format!("{{ true {} }} ", self.truth(depth, &inside));
        }
        let count = 1 + self.below(3);
        for number in 0..count {
            let repeat = self.repeat();
            let dash = self.step(depth, &inside);
            text += &match self.below(6) {
                0 if may_group && number > 0 => {
                    format!(
                        "({dash} {{ true {} }} {}){repeat} ",
                        self.truth(0, &inside),
                        self.step(0, &inside)
                    )
                }
                1 if may_group => format!("({dash} {{ true {} }}){repeat} ", self.truth(depth, &inside)),
                2 => format!("{dash} {{ true {} }} {repeat} ", self.truth(depth, &inside)),
                3 => {
                    let name = self.name();
                    format!("{dash} {{ {name}={} true }} {repeat} ", self.set(0, &inside))
                }
                _ => format!("{dash}{repeat} "),
            };
            may_group = !repeat.is_empty();
        }
        text + "}"
    }

    fn step(&mut self, depth: u32, scope: &Scope) -> String {
        match self.below(3) {
            0 => "--".to_owned(),
            1 => {
                let dash = self.dash(depth, scope);
                match self.below(4) {
                    0 => format!("{dash}({})", self.truth(0, scope)),
                    _ => dash,
                }
            }
            _ => self.dash(0, scope),
        }
    }
}
