//! Random filters about moves and other positions of the game.

use super::Generator;

impl Generator {
    /// A filter about the game's tree that is asked whether it matches.
    pub(super) fn tree(&mut self, depth: u32) -> String {
        // A tree in a tree in a tree would take all the time that there is.
        let depth = depth.min(1);
        match self.below(20) {
            0 => format!(
                "(find {} {{{}}})",
                self.pick(&["", "<--", "all", "<-- all"]),
                self.truth(depth)
            ),
            1 => {
                let (range, way) = (self.pick(&["1 3", "2", "0", "2 100", "0 2"]), self.pick(&["", "<--"]));
                format!("(find {way} {range} {{{}}})", self.truth(depth))
            }
            2 => {
                let (range, way) = (self.pick(&["all", "count", "1 5"]), self.pick(&["", "<--"]));
                let comparison = self.pick(&["<", "<=", ">", ">=", "=="]);
                let (argument, number) = (self.truth(depth), self.below(6));
                if self.below(2) == 0 {
                    format!("({{find {way} {range} {{{argument}}}}} {comparison} {number})")
                } else {
                    format!("({number} {comparison} {{find {way} {range} {{{argument}}}}})")
                }
            }
            3 | 4 => {
                let place = self.place(depth);
                format!("({place}:{{{}}})", self.truth(depth))
            }
            5 => {
                let (place, comparison) = (self.pick(&["parent", "child"]), self.pick(&["<", "==", ">="]));
                let number = self.number(depth);
                format!("({{{place}:{{{number} + 0}}}} {comparison} {{{number} + 0}})")
            }
            6 => {
                let (place, set) = (self.pick(&["parent", "child"]), self.set(depth));
                format!(
                    "({{{place}:{{{set}}}}} {} {{{}}})",
                    self.pick(&["&", "|"]),
                    self.set(depth)
                )
            }
            7..=9 => self.dash(depth),
            10 => format!("({} {})", self.pick(&["currentmove", "previous"]), self.dash(depth)),
            11 => {
                let (comparison, number) = (self.pick(&["<", "==", ">"]), self.below(3));
                format!("({{countmoves {}}} {comparison} {number})", self.bare_dash(depth))
            }
            12 | 13 => self.move_filter(depth),
            14 | 15 => self.line(depth),
            16 | 17 => self.path(depth),
            _ => self.echo(depth),
        }
    }

    fn place(&mut self, depth: u32) -> String {
        match self.below(7) {
            0 => format!("{{find {} {{{}}}}}", self.pick(&["", "<--"]), self.truth(depth)),
            1 => "(position 0)".to_owned(),
            2 => "(child(1))".to_owned(),
            3 => "{currentposition}".to_owned(),
            _ => self.pick(&["parent", "child"]).to_owned(),
        }
    }

    fn operand(&mut self, depth: u32) -> String {
        match self.below(5) {
            0 => String::new(),
            1 if depth > 0 => format!("{{{}}}", self.set(depth - 1)),
            _ => self.designator(),
        }
    }

    /// A dash without braces around it, with a target now and then.
    fn bare_dash(&mut self, depth: u32) -> String {
        let (left, right) = (self.operand(depth), self.operand(depth));
        let (arrow, promotion) = match self.below(8) {
            0 | 1 => ("[x]", ""),
            2 => ("--", self.pick(&["=Q", "=A", "=[RN]"])),
            _ => ("--", ""),
        };
        let target = match self.below(3) {
            0 if depth > 0 => format!("({})", self.truth(depth - 1)),
            _ => String::new(),
        };
        // A designator of squares only needs braces before an operator.
        format!("{left}{arrow}{right}{promotion}{target}")
    }

    fn dash(&mut self, depth: u32) -> String {
        format!("({})", self.bare_dash(depth))
    }

    fn move_filter(&mut self, depth: u32) -> String {
        let mut text = "(move".to_owned();
        for parameter in ["from", "to", "capture"] {
            if self.below(3) == 0 {
                text += &format!(" {parameter} {{{}}}", self.set(depth.saturating_sub(1)));
            }
        }
        text += self.pick(&[
            "",
            "",
            "",
            "",
            " promote Q",
            " promote A",
            " enpassant",
            " castle",
            " o-o",
            " null",
            " primary",
            " secondary",
        ]);
        text += self.pick(&["", "", " previous"]);
        text + ")"
    }

    fn repeat(&mut self) -> &'static str {
        self.pick(&[
            "", "", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "{3,}", "{0,2}", "{4}",
        ])
    }

    fn line(&mut self, depth: u32) -> String {
        let arrow = self.pick(&["-->", "-->", "<--"]);
        let mut text = format!(
            "{{line {} {} {}",
            if arrow == "-->" {
                self.pick(&["", "", "nestban"])
            } else {
                ""
            },
            self.pick(&["", "", "singlecolor", "firstmatch"]),
            self.pick(&["", "", "3 100", "2", "1 2", "2 4"]),
        );
        for _ in 0..1 + self.below(3) {
            let (filter, repeat) = (self.truth(depth), self.repeat());
            text += &match self.below(4) {
                0 => {
                    let other = self.truth(depth.saturating_sub(1));
                    let repeat = self.pick(&["", "+", "{2}", "{1,2}"]);
                    format!(" {arrow} ({{{filter}}} {arrow} {{{other}}}){repeat}")
                }
                _ => format!(" {arrow} {{{filter}}}{repeat}"),
            };
        }
        text += "}";
        self.compared(text)
    }

    fn path(&mut self, depth: u32) -> String {
        let mut text = format!(
            "{{path {} {} {} ",
            self.pick(&["", "", "", "nestban"]),
            self.pick(&[
                "",
                "",
                "",
                "firstmatch",
                "singlecolor",
                "focus Q",
                "focus capture [RN]",
                "max ply"
            ]),
            self.pick(&["", "", "2 100", "1", "1 2", "2 5"]),
        );
        // A parenthesis begins a chain at the start and after a wildcard only; elsewhere it is a target.
        let mut may_group = true;
        if self.below(4) == 0 {
            text += &format!("{{true {}}} {} ", self.truth(depth), self.path_dash(depth));
            may_group = false;
        }
        for _ in 0..1 + self.below(3) {
            let repeat = self.repeat();
            text += &match self.below(4) {
                0 if may_group => format!(
                    "({} {{true {}}} {}){repeat} ",
                    self.path_dash(depth),
                    self.truth(depth),
                    self.path_dash(depth)
                ),
                1 if may_group => format!("({{true {}}} {}){repeat} ", self.truth(depth), self.path_dash(depth)),
                2 => format!("{} {{true {}}} {repeat} ", self.path_dash(depth), self.truth(depth)),
                _ => format!("{} {repeat} ", self.path_dash(depth)),
            };
            may_group = !repeat.is_empty();
        }
        text += "}";
        self.compared(text)
    }

    fn path_dash(&mut self, depth: u32) -> String {
        match self.below(2) {
            0 => "--".to_owned(),
            _ => {
                let (left, right) = (self.operand(depth), self.operand(depth));
                let (arrow, promotion) = match self.below(8) {
                    0 => ("[x]", ""),
                    1 => ("--", "=A"),
                    _ => ("--", ""),
                };
                format!("{left}{arrow}{right}{promotion}")
            }
        }
    }

    /// A numeric filter, compared or alone.
    fn compared(&mut self, text: String) -> String {
        match self.below(3) {
            0 => format!("({text} {} {})", self.pick(&[">=", ">", "=="]), self.below(6)),
            _ => text,
        }
    }

    fn echo(&mut self, depth: u32) -> String {
        self.echo_in_two_ways(depth).0
    }

    /// An echo, and the same with an assignment that keeps the evaluator from taking its body apart.
    pub(crate) fn echo_in_two_ways(&mut self, depth: u32) -> (String, String) {
        let (source, target) = (self.name(), self.name());
        let mut body = Vec::new();
        for _ in 0..1 + self.below(3) {
            let comparison = self.pick(&["==", "<", "<=", ">", ">="]);
            body.push(match self.below(13) {
                0 => format!("{source}<{target}"),
                1 => format!("{target}{}{source}", self.pick(&["[<]", "[>]", "<", ">"])),
                2 => format!("sidetomove=={source}:sidetomove"),
                3 => format!("({source}&{target})==."),
                4 => format!("{source}:{{{}}}", self.truth(depth.min(1))),
                5 => format!("{target}:{{{}}}", self.truth(depth.min(1))),
                6 => {
                    let men = self.designator();
                    format!("{{#{men}}}=={{{source}:#{men}}}")
                }
                7 => {
                    let set = self.set(depth.min(1));
                    format!("{{{set}}}=={{{source}:{{{set}}}}}")
                }
                8 => format!("#(~({source}&{target})){comparison}{}", self.below(8)),
                9 => format!("{}{comparison}#({source}&{target}&a-h1-5)", 32 + self.below(9)),
                10 => format!("ply-{source}:ply{comparison}{}", self.below(30)),
                11 => {
                    let men = self.designator();
                    format!("{{{source}:#{men}+{}{comparison}ply-#{men}}}", self.below(20))
                }
                _ => format!("{{{}}}", self.truth(depth.min(1))),
            });
        }
        let (head, tail) = if self.below(6) == 0 {
            body.push("(ply+1)".to_owned());
            let number = self.below(90);
            (format!("({{echo ({source} {target}) {{"), format!("}}}}>{number})"))
        } else {
            let all = self.pick(&["", "", "in all"]);
            (format!("(echo ({source} {target}) {all} {{"), "})".to_owned())
        };
        let body = body.join(" ");
        (
            format!("{head}{body}{tail}"),
            format!("{head}Kept{source}=1 {body}{tail}"),
        )
    }
}
