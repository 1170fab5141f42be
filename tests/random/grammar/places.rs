//! Filters that give a position of the game.

use super::{Extent, Grammar, Scope, Value};

impl Grammar {
    fn plain_place(&mut self, scope: &Scope) -> String {
        match self.below(6) {
            0 | 1 => self.known(&scope.places),
            2 => scope.echo.clone().map(|pair| pair[self.below(2) as usize].clone()),
            3 if scope.in_path => Some(self.pick(&["pathstart", "pathlastposition"]).to_owned()),
            _ => None,
        }
        .unwrap_or_else(|| {
            self.pick(&[
                "currentposition",
                "parent",
                "{ child }",
                "initialposition",
                "(child(1))",
                "(position 3)",
                "{ child }",
                "parent",
            ])
            .to_owned()
        })
    }

    /// A position, in parentheses or braces unless it is one word.
    pub(super) fn place(&mut self, depth: u32, scope: &Scope) -> String {
        if scope.imagined {
            return "parent".to_owned();
        }
        if depth == 0 {
            return self.plain_place(scope);
        }
        let depth = depth - 1;
        match self.below(16) {
            0 => format!("(position {})", self.number(depth, scope)),
            1 => format!("(child({}))", self.number(depth, scope)),
            2 => format!("lca({} {})", self.place(depth, scope), self.place(depth, scope)),
            3 | 4 if scope.may_reach() => self.find(depth, scope),
            5 if scope.may_reach() => self.line(true, depth, scope),
            6 if scope.may_reach() => self.path(true, depth, scope),
            7 => format!("({} : {})", self.place(depth, scope), self.place(depth, scope)),
            8 => {
                let name = self.name();
                format!("{{ {name}={} {name} }}", self.place(depth, scope))
            }
            9 => format!("{{ {} {} }}", self.truth(depth, scope), self.place(depth, scope)),
            10 => format!(
                "(if {} then {} else {})",
                self.truth(depth, scope),
                self.place(depth, scope),
                self.place(depth, scope)
            ),
            11 => self
                .call(Value::Place, depth, scope)
                .unwrap_or_else(|| self.plain_place(scope)),
            12 => self
                .entry(Value::Place, scope)
                .unwrap_or_else(|| self.plain_place(scope)),
            _ => self.plain_place(scope),
        }
    }

    /// The first position where something matches.
    pub(super) fn find(&mut self, depth: u32, scope: &Scope) -> String {
        let (way, quiet) = (self.pick(&["", "", "<--"]), self.pick(&["", "", "quiet"]));
        format!("(find {quiet} {way} {})", self.truth(depth.min(1), &scope.within()))
    }

    /// A comparison of two positions.
    pub(super) fn compared_places(&mut self, depth: u32, scope: &Scope) -> String {
        let (a, b) = (self.place(depth, scope), self.place(0, scope));
        let comparison = match scope.extent {
            Extent::Shared => self.pick(&["==", "<", "<=", ">", ">=", "[<]", "[<=]", "[>]"]),
            _ => self.pick(&["==", "<", "<=", ">", ">=", "[<]", "[<=]", "[>]", "[>=]"]),
        };
        match self.below(4) {
            0 => {
                let asked = format!("{}({a} {b})", self.pick(&["ancestor", "descendant"]));
                // CQL 6.2 can't give its value.
                match scope.extent {
                    Extent::Shared => format!("{{ {asked} true }}"),
                    _ => asked,
                }
            }
            _ => format!("({a} {comparison} {b})"),
        }
    }

    /// An `echo`; a number if `counted`.
    pub(super) fn echo(&mut self, counted: bool, depth: u32, scope: &Scope) -> String {
        let (source, target) = (self.name(), self.name());
        let mut inside = Scope {
            reach: 0,
            echo: Some([source.clone(), target.clone()]),
            ..scope.clone()
        };
        inside.places.extend([source.clone(), target.clone()]);
        let depth = depth.min(1);
        let count = 1 + self.below(2);
        let parts: Vec<String> = (0..count)
            .map(|_| match self.below(8) {
                6 => {
                    let range = self.pick(&["", "1 100", "2"]);
                    format!("(consecutivemoves quiet {range} ({source} {target}))")
                }
                0 => format!("({source} < {target})"),
                1 => format!("(({source} & {target}) == .)"),
                2 => format!("(sidetomove == {{ {source} : sidetomove }})"),
                3 => format!("(#(~({source} & {target})) < {})", self.below(8)),
                4 => format!("({source} : {})", self.truth(depth, &inside)),
                _ => self.truth(depth, &inside),
            })
            .collect();
        let (quiet, all) = (self.pick(&["", "quiet"]), self.pick(&["", "", "in all"]));
        let last = if counted {
            self.number(depth, &inside)
        } else {
            String::new()
        };
        format!(
            "(echo {quiet} ({source} {target}) {all} {{ {} {last} }})",
            parts.join(" ")
        )
    }
}
